"""Requests in the shape of Google's generateContent, in the client's words and in the wire's.

The system instruction becomes one system message, each part a text. A content that holds nothing but the results of
functions is a tool turn, and one right after it the user's, since the results of parallel calls stand in one content.
What a function gave is the text under ``output`` or ``error``, and the JSON text of any other response. A call without
an id gets one, and a response without an id answers the first call of its function that waits for an answer.

https://ai.google.dev/api/generate-content
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from prompt_adapters.adapters.google import YOUTUBE
from prompt_adapters.adapters.google_parameters import GOOGLE_TABLE
from prompt_adapters.adapters.parameters import names
from prompt_adapters.adapters.reading import Conversation
from prompt_adapters.adapters.reading.call_ids import CallIds
from prompt_adapters.adapters.reading.chat import message, tool_call, tool_result
from prompt_adapters.adapters.reading.fields import REQUEST, Fields, json_object, json_text, plain, refuse
from prompt_adapters.adapters.reading.media import clip, from_data, from_uri
from prompt_adapters.adapters.reading.settings import Settings, schema_format
from prompt_adapters.content.linked import kind_of
from prompt_adapters.content.message import Message
from prompt_adapters.content.mime import mime_from_name
from prompt_adapters.content.parts import Part, Text, ToolResult
from prompt_adapters.content.position import position

_ROLES: Mapping[str, str] = MappingProxyType({"user": "user", "model": "assistant", "function": "user"})
_SHARED: Mapping[str, str] = MappingProxyType(
    {name: name for name in ("temperature", "top_p", "top_k", "seed", "presence_penalty", "frequency_penalty")}
    | {"max_output_tokens": "max_tokens", "candidate_count": "n", "stop_sequences": "stop"}
)
# What steers the client and is no field of the wire.
_CLIENT = names("http_options automatic_function_calling should_return_http_response")
_CAPITAL = re.compile("(?<=[a-z0-9])[A-Z]")


@lru_cache(maxsize=512)
def _snake(name: str) -> str:
    return _CAPITAL.sub(lambda found: f"_{found[0].lower()}", name)


def read(request: Mapping[str, Any]) -> Conversation:
    """What a request says."""
    settings = Settings()
    with Fields(request, REQUEST, _snake) as fields:
        for name in ("config", "generation_config"):
            if name in fields:
                with fields.inner(name) as config:
                    if name == "config" and "system_instruction" in config:
                        fields.add("system_instruction", config.take("system_instruction"))
                    _format(config, settings)
                    settings.sort(config, _SHARED, GOOGLE_TABLE.own | _CLIENT)
        messages = _system(fields.take("system_instruction"))
        messages += _contents(fields.need("contents"), CallIds(request))
        model = fields.maybe_text("model")
        settings.sort(fields, {}, GOOGLE_TABLE.own)
    return Conversation(tuple(messages), model, settings.shared, settings.own)


def _format(config: Fields, settings: Settings) -> None:
    """JSON with a schema or without is shared; the schemas of Google's own kind and other types of text are not."""
    mime = config.take("response_mime_type")
    if mime is None:
        return
    if mime == "application/json" and "response_json_schema" in config:
        settings.share("response_format", schema_format(config.take("response_json_schema")), config.where)
    elif mime in ("application/json", "text/plain") and "response_schema" not in config:
        kind = "json_object" if mime == "application/json" else "text"
        settings.share("response_format", {"type": kind}, config.where)
    else:
        settings.own["response_mime_type"] = mime


def _system(value: object) -> list[Message]:
    if value is None:
        return []
    where = f"{REQUEST}, 'system_instruction'"
    _, items = _turn_of(value, where)
    parts: list[Part] = []
    for number, item in enumerate(items, 1):
        with _part_fields(item, f"{where}, part {number}") as fields:
            parts.append(_text(fields))
    return [message("system", parts, where)] if parts else []


def _contents(value: object, ids: CallIds) -> list[Message]:
    messages: list[Message] = []
    for number, (role, items) in enumerate(_turns(value)):
        if role not in _ROLES:
            refuse(f"message {number + 1}", f"has the role {role!r:.60}; the roles are {', '.join(_ROLES)}")
        speaker = _ROLES[role]
        parts = [_part(item, position(number, speaker, index), ids) for index, item in enumerate(items)]
        results = parts and all(isinstance(part, ToolResult) for part in parts)
        if speaker == "user" and results and not (messages and messages[-1].role == "tool"):
            speaker = "tool"
        messages.append(message(speaker, parts, position(number, speaker)))
    return messages


def _turns(value: object) -> list[tuple[str, list[Any]]]:
    """The contents; parts by themselves are the user's, and those that follow each other are one content."""
    value = plain(value)
    turns: list[tuple[str, list[Any]]] = []
    loose = False
    for item in value if isinstance(value, list | tuple) else [value]:
        item = plain(item)
        if isinstance(item, Mapping) and ("parts" in item or "role" in item):
            turns.append(_turn_of(item, f"message {len(turns) + 1}"))
            loose = False
        elif loose:
            turns[-1][1].append(item)
        else:
            turns.append(("user", [item]))
            loose = True
    return turns


def _turn_of(value: object, where: str) -> tuple[str, list[Any]]:
    """The role and the parts of a content; a text, a part, or a list of these are the parts of one."""
    value = plain(value)
    if not isinstance(value, Mapping) or not ("parts" in value or "role" in value):
        return "user", list(value) if isinstance(value, list | tuple) else [value]
    with Fields(value, where, _snake) as fields:
        role = fields.maybe_text("role") or "user"
        return role, fields.items("parts")


def _part_fields(item: object, where: str) -> Fields:
    return Fields({"text": item} if isinstance(item, str) else item, where, _snake)


def _part(item: object, where: str, ids: CallIds) -> Part:
    with _part_fields(item, where) as fields:
        match fields.one_of("text", "inline_data", "file_data", "function_call", "function_response"):
            case "function_call":
                return _call(fields, ids)
            case "function_response":
                return _response(fields, ids)
            case kind:
                part = _PLAIN[kind](fields)
        return clip(part, fields.inner("video_metadata")) if "video_metadata" in fields else part


def _text(fields: Fields) -> Part:
    return Text(fields.text("text"))


def _inline(fields: Fields) -> Part:
    with fields.inner("inline_data") as blob:
        mime = blob.text("mime_type")
        kind = kind_of(mime)
        named = {"name": blob.maybe_text("display_name")} if kind == "document" else {}
        return from_data(kind, blob.need("data"), mime, fields.where, **named)


def _file(fields: Fields) -> Part:
    with fields.inner("file_data") as file:
        uri = file.text("file_uri")
        mime = file.maybe_text("mime_type") or mime_from_name(uri)
        if mime is None and not YOUTUBE.match(uri):
            refuse(fields.where, "has no 'mime_type', and its address does not tell what it is")
        return from_uri(kind_of(mime) if mime else "video", uri, fields.where, mime)


_PLAIN: Mapping[str, Callable[[Fields], Part]] = MappingProxyType(
    {"text": _text, "inline_data": _inline, "file_data": _file}
)


def _call(fields: Fields, ids: CallIds) -> Part:
    with fields.inner("function_call") as call:
        name = call.text("name")
        return tool_call(ids.of_call(call.maybe_text("id"), name), name, call.take("args", {}), fields.where)


def _response(fields: Fields, ids: CallIds) -> Part:
    where = fields.where
    with fields.inner("function_response") as response:
        name = response.text("name")
        said, error = _said(json_object(response.take("response", {}), where), where)
        parts: list[Part] = [Text(said)]
        for number, item in enumerate(response.items("parts"), 1):
            with _part_fields(item, f"{where}, item {number}") as part:
                parts.append(_PLAIN[part.one_of("inline_data", "file_data")](part))
        answers = ids.of_result(response.maybe_text("id"), name)
        return tool_result(answers, parts, where, name=name, error=error)


def _said(response: Mapping[str, Any], where: str) -> tuple[str, bool]:
    """The text of a response, and whether it is an error's."""
    match response:
        case {"output": str() as text, **rest} if not rest:
            return text, False
        case {"error": str() as text, **rest} if not rest:
            return text, True
    return (json_text(response, where) if response else ""), response.keys() == {"error"}
