"""Requests in the shape of version 2 of Cohere's chat.

Each tool message becomes a turn of its own. A plan beside tool calls is a text before them. A document that a tool gave
is its text, or the JSON text of its data.

https://docs.cohere.com/reference/chat
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from prompt_adapters.adapters.cohere_parameters import COHERE_TABLE
from prompt_adapters.adapters.reading import Conversation
from prompt_adapters.adapters.reading.chat import chat_message, image_url_block, text_block
from prompt_adapters.adapters.reading.fields import REQUEST, Fields, as_list, json_text
from prompt_adapters.adapters.reading.settings import CLIENT, SAME, Settings, schema_format
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, Text

_SHARED: Mapping[str, str] = MappingProxyType(
    {name: SAME[name] for name in ("temperature", "max_tokens", "seed", "presence_penalty", "frequency_penalty")}
    | {"p": "top_p", "k": "top_k", "stop_sequences": "stop"}
)
_OWN = COHERE_TABLE.own | CLIENT | {"stream", "request_options"}


def read(request: Mapping[str, Any]) -> Conversation:
    """What a request says."""
    settings = Settings()
    with Fields(request, REQUEST) as fields:
        listed = as_list(fields.need("messages"), f"{REQUEST}, 'messages'")
        messages = tuple(_message(item, number) for number, item in enumerate(listed))
        model = fields.maybe_text("model")
        if "response_format" in fields:
            with fields.inner("response_format") as described:
                settings.share("response_format", _format(described), REQUEST)
        settings.sort(fields, _SHARED, _OWN)
    return Conversation(messages, model, settings.shared, settings.own)


def _format(described: Fields) -> dict[str, Any]:
    """OpenAI's words: a schema is a type of its own there."""
    kind = described.text("type")
    if kind == "json_object" and ("json_schema" in described or "schema" in described):
        return schema_format(described.take(described.one_of("json_schema", "schema")))
    return {"type": kind}


def _message(item: object, number: int) -> Message:
    with Fields(item, f"message {number + 1}") as fields:
        plan = [Text(said)] if (said := fields.maybe_text("tool_plan")) else []
        found = chat_message(fields, number, _BLOCKS, before=plan)
        fields.only("citations", [])
    return found


def _document(fields: Fields) -> Part:
    with fields.inner("document") as document:
        data = document.need("data")
        return Text(data if isinstance(data, str) else json_text(data, fields.where))


_BLOCKS: Mapping[str, Callable[[Fields], Part]] = MappingProxyType(
    {"text": text_block, "image_url": image_url_block, "document": _document}
)
