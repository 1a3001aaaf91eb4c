"""Requests in the shape of Mistral's chat completions.

Each tool message becomes a turn of its own. ``"prefix": true`` on the last message says what a final turn of the
assistant is for anyway; an uploaded file is a document.

https://docs.mistral.ai/api/endpoint/chat
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from prompt_adapters.adapters.mistral_parameters import MISTRAL_TABLE
from prompt_adapters.adapters.reading import Conversation
from prompt_adapters.adapters.reading.chat import chat_message, check_prefix, image_url_block, text_block
from prompt_adapters.adapters.reading.fields import REQUEST, Fields, as_list
from prompt_adapters.adapters.reading.media import from_address, from_data, from_upload
from prompt_adapters.adapters.reading.settings import SAME, Settings
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part

_SHARED: Mapping[str, str] = MappingProxyType({**SAME, "random_seed": "seed"})
# Keywords of the client that are no fields of the wire.
_CLIENT = frozenset({"http_headers", "retries", "server_url", "timeout_ms"})


def read(request: Mapping[str, Any]) -> Conversation:
    """What a request says."""
    settings = Settings()
    with Fields(request, REQUEST) as fields:
        listed = as_list(fields.need("messages"), f"{REQUEST}, 'messages'")
        last = len(listed) - 1
        messages = tuple(_message(item, number, last) for number, item in enumerate(listed))
        model = fields.maybe_text("model")
        settings.sort(fields, _SHARED, MISTRAL_TABLE.own | _CLIENT)
    return Conversation(messages, model, settings.shared, settings.own)


def _message(item: object, number: int, last: int) -> Message:
    with Fields(item, f"message {number + 1}") as fields:
        found = chat_message(fields, number, _BLOCKS)
        check_prefix(fields, final=number == last and found.role == "assistant")
    return found


def _audio(fields: Fields) -> Part:
    sound = fields.text("input_audio")
    return from_address("audio", sound, fields.where) if ":" in sound else from_data("audio", sound, None, fields.where)


def _document(fields: Fields) -> Part:
    url, name = fields.text("document_url"), fields.maybe_text("document_name")
    return from_address("document", url, fields.where, name=name)


def _file(fields: Fields) -> Part:
    return from_upload("document", fields.text("file_id"), fields.where)


_BLOCKS: Mapping[str, Callable[[Fields], Part]] = MappingProxyType(
    {
        "text": text_block,
        "image_url": image_url_block,
        "input_audio": _audio,
        "document_url": _document,
        "file": _file,
    }
)
