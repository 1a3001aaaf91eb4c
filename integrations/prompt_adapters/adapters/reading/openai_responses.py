"""Requests in the shape of OpenAI's Responses API.

``instructions`` become a system message. Items of the assistant that follow each other, its texts and its calls, become
one message, and so do results of tools. ``"detail": "auto"`` is what an image has when nothing is said. What the API
itself writes beside an answer that is put back into the input says nothing more and is left out: the ids of items,
``"status": "completed"``, and empty lists of annotations and log probabilities.

https://platform.openai.com/docs/api-reference/responses/create
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from prompt_adapters.adapters.openai_responses_parameters import RESPONSES_TABLE
from prompt_adapters.adapters.reading import Conversation
from prompt_adapters.adapters.reading.chat import message, role_of, together, tool_call, tool_result
from prompt_adapters.adapters.reading.fields import REQUEST, Fields, as_list, refuse
from prompt_adapters.adapters.reading.media import from_address, from_upload
from prompt_adapters.adapters.reading.settings import CLIENT, Settings, schema_format, spread_extra_body
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, Text
from prompt_adapters.content.position import position

_SHARED: Mapping[str, str] = MappingProxyType(
    {"temperature": "temperature", "top_p": "top_p", "max_output_tokens": "max_tokens"}
)
_ROLES = ("system", "developer", "user", "assistant")


def read(request: Mapping[str, Any]) -> Conversation:
    """What a request says."""
    settings = Settings()
    with Fields(request, REQUEST) as fields:
        spread_extra_body(fields)
        instructions = fields.maybe_text("instructions")
        messages = [] if instructions is None else [Message("system", instructions)]
        if isinstance(given := fields.take("input", []), str):
            given = [{"role": "user", "content": given}]
        items = as_list(given, f"{REQUEST}, 'input'")
        messages += together((_item(item, number) for number, item in enumerate(items)), ("assistant", "tool"))
        model = fields.maybe_text("model")
        if "text" in fields:
            with fields.inner("text") as text:
                _text_settings(text, settings)
        settings.sort(fields, _SHARED, RESPONSES_TABLE.own | CLIENT)
    return Conversation(tuple(messages), model, settings.shared, settings.own)


def _text_settings(text: Fields, settings: Settings) -> None:
    described: Any = text.take("format")
    match described:
        case None:
            pass
        case {"type": "json_schema", "schema": schema}:
            more = {name: described[name] for name in described if name not in ("type", "schema")}
            settings.share("response_format", schema_format(schema, **more), text.where)
        case {"type": "text" | "json_object", **rest} if not rest:
            settings.share("response_format", described, text.where)
        case _:
            settings.own["text"] = {"format": described}
    if "verbosity" in text:
        settings.own.setdefault("text", {})["verbosity"] = text.take("verbosity")


def _item(item: object, number: int) -> Message:
    with Fields(item, f"item {number + 1}") as fields:
        kind = fields.maybe_text("type") or "message"
        read_item = _ITEMS.get(kind)
        if read_item is None:
            refuse(fields.where, f"is of type {kind!r:.60}; the known ones are {', '.join(_ITEMS)}")
        found = read_item(fields, number)
        fields.take("id")
        fields.only("status", "completed")
    return found


def _message(fields: Fields, number: int) -> Message:
    role = role_of(fields, _ROLES)
    fields.where = where = position(number, role)
    return message(role, _content(fields.need("content"), where, _PARTS), where)


def _content(content: object, where: str, known: Mapping[str, Callable[[Fields], Part]]) -> list[Part]:
    if isinstance(content, str):
        return [Text(content)]
    parts = []
    for number, item in enumerate(as_list(content, f"{where}, content"), 1):
        with Fields(item, f"{where}, part {number}") as fields:
            read_part = known.get(kind := fields.text("type"))
            if read_part is None:
                refuse(fields.where, f"is of type {kind!r:.60}; the known ones are {', '.join(known)}")
            part = read_part(fields)
            cache = fields.marked("prompt_cache_breakpoint", "mode", "explicit")
        parts.append(part.replace(cache=True) if cache else part)
    return parts


def _text(fields: Fields) -> Part:
    return Text(fields.text("text"))


def _output_text(fields: Fields) -> Part:
    fields.only("annotations", [])
    fields.only("logprobs", [])
    return _text(fields)


def _image(fields: Fields) -> Part:
    key, detail = fields.one_of("image_url", "file_id"), fields.maybe_text("detail")
    make = from_address if key == "image_url" else from_upload
    return make("image", fields.text(key), fields.where, detail=None if detail == "auto" else detail)


def _file(fields: Fields) -> Part:
    key, name = fields.one_of("file_data", "file_url", "file_id"), fields.maybe_text("filename")
    make = from_upload if key == "file_id" else from_address
    return make("document", fields.text(key), fields.where, name=name)


def _call(fields: Fields, number: int) -> Message:
    fields.where = where = position(number, "assistant")
    call = tool_call(fields.text("call_id"), fields.text("name"), fields.take("arguments", ""), where)
    return message("assistant", (call,), where)


def _result(fields: Fields, number: int) -> Message:
    fields.where = where = position(number, "tool")
    parts = _content(fields.need("output"), where, _INPUTS)
    return message("tool", (tool_result(fields.text("call_id"), parts, where),), where)


_INPUTS: Mapping[str, Callable[[Fields], Part]] = MappingProxyType(
    {"input_text": _text, "input_image": _image, "input_file": _file}
)
_PARTS = MappingProxyType({**_INPUTS, "output_text": _output_text})
_ITEMS: Mapping[str, Callable[[Fields, int], Message]] = MappingProxyType(
    {"message": _message, "function_call": _call, "function_call_output": _result}
)
