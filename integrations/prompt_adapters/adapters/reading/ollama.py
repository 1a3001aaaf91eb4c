"""Requests in the shape of Ollama's own chat.

Each tool message becomes a turn of its own. A message's images come before its text, as Ollama puts them. A call gets
an id, and a result answers the first call of its tool that waits for an answer.

https://docs.ollama.com/api/chat
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from prompt_adapters.adapters.ollama_parameters import OLLAMA_TABLE
from prompt_adapters.adapters.reading import Conversation
from prompt_adapters.adapters.reading.call_ids import CallIds
from prompt_adapters.adapters.reading.chat import message, role_of, tool_call, tool_result
from prompt_adapters.adapters.reading.fields import REQUEST, Fields, as_list, refuse
from prompt_adapters.adapters.reading.media import from_data
from prompt_adapters.adapters.reading.settings import SAME, Settings, schema_format
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, Text
from prompt_adapters.content.position import position

_ROLES = ("system", "user", "assistant", "tool")
_SHARED: Mapping[str, str] = MappingProxyType(
    {name: SAME[name] for name in SAME if name in OLLAMA_TABLE.shared and name not in ("max_tokens", "response_format")}
    | {"num_predict": "max_tokens"}
)
_OPTIONS = "options"


def read(request: Mapping[str, Any]) -> Conversation:
    """What a request says."""
    settings = Settings()
    ids = CallIds(request)
    with Fields(request, REQUEST) as fields:
        listed = as_list(fields.need("messages"), f"{REQUEST}, 'messages'")
        messages = tuple(_message(item, number, ids) for number, item in enumerate(listed))
        model = fields.maybe_text("model")
        if _OPTIONS in fields:
            _options(fields, settings)
        if "format" in fields:
            _format(fields.take("format"), settings)
        settings.sort(fields, {}, OLLAMA_TABLE.own)
    return Conversation(messages, model, settings.shared, settings.own)


def _options(fields: Fields, settings: Settings) -> None:
    with fields.inner(_OPTIONS) as options:
        settings.sort(options, _SHARED)
        if own := {name: options.take(name) for name in options.left() if name in OLLAMA_TABLE.shared}:
            settings.own[_OPTIONS] = own


def _format(value: object, settings: Settings) -> None:
    match value:
        case "":
            pass
        case "json":
            settings.share("response_format", {"type": "json_object"}, REQUEST)
        case Mapping():
            settings.share("response_format", schema_format(value), REQUEST)
        case _:
            refuse(f"{REQUEST}, 'format'", "is neither 'json' nor a schema")


def _message(item: object, number: int, ids: CallIds) -> Message:
    with Fields(item, f"message {number + 1}") as fields:
        role = role_of(fields, _ROLES)
        fields.where = where = position(number, role)
        parts: list[Part] = [
            from_data("image", image, None, f"{where}, image {index}")
            for index, image in enumerate(fields.items("images"), 1)
        ]
        if text := fields.maybe_text("content"):
            parts.append(Text(text))
        if role == "tool":
            name = fields.text("tool_name")
            call_id = ids.of_result(fields.maybe_text("tool_call_id"), name)
            return message(role, (tool_result(call_id, parts, where, name=name),), where)
        if role == "assistant":
            parts += _calls(fields, ids)
        return message(role, parts, where)


def _calls(fields: Fields, ids: CallIds) -> list[Part]:
    calls: list[Part] = []
    for number, item in enumerate(fields.items("tool_calls"), 1):
        with Fields(item, f"{fields.where}, tool call {number}") as call:
            call.only("type", "function")
            with call.inner("function") as function:
                name, arguments = function.text("name"), function.take("arguments", {})
                function.take("index")  # the number of the call in its message, which its place tells
            calls.append(tool_call(ids.of_call(call.maybe_text("id"), name), name, arguments, call.where))
    return calls
