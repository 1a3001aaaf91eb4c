"""Requests in the shape of OpenAI's chat completions, also in LiteLLM's dialect of it.

A tool message becomes a turn of its own. A participant's name, the detail of an image and the name of a file are kept,
and so is the end of a cacheable prefix, written as ``cache_control`` (OpenRouter, LiteLLM) or as
``prompt_cache_breakpoint`` (OpenAI). What asks a server to continue a final turn of the assistant (``"prefix": true``,
vLLM's two flags) says what such a turn is for anyway.

https://platform.openai.com/docs/api-reference/chat/create
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from prompt_adapters.adapters.openai_parameters import MORE_PARAMETERS, OPENAI_TABLE
from prompt_adapters.adapters.reading import Conversation
from prompt_adapters.adapters.reading.anthropic import document
from prompt_adapters.adapters.reading.chat import (
    check_prefix,
    content_list,
    function_calls,
    image_url_block,
    message,
    role_of,
    text_block,
    tool_result,
)
from prompt_adapters.adapters.reading.fields import REQUEST, Fields, as_list, refuse
from prompt_adapters.adapters.reading.media import clip, from_address, from_data, from_uri
from prompt_adapters.adapters.reading.settings import CLIENT, SAME, Settings, spread_extra_body
from prompt_adapters.content.linked import kind_of
from prompt_adapters.content.message import ROLES, Message
from prompt_adapters.content.parts import Part
from prompt_adapters.content.position import position
from prompt_adapters.content.sniff import is_data_url

_SHARED: Mapping[str, str] = MappingProxyType({**SAME, "max_completion_tokens": "max_tokens"})
_OWN = OPENAI_TABLE.own | frozenset().union(*MORE_PARAMETERS.values()) | CLIENT
_CONTINUING: Mapping[str, bool] = MappingProxyType({"continue_final_message": True, "add_generation_prompt": False})


def read(request: Mapping[str, Any]) -> Conversation:
    """What a request says."""
    settings = Settings()
    with Fields(request, REQUEST) as fields:
        spread_extra_body(fields)
        listed = as_list(fields.need("messages"), f"{REQUEST}, 'messages'")
        last = len(listed) - 1
        messages = tuple(_message(item, number, last) for number, item in enumerate(listed))
        model = fields.maybe_text("model")
        if messages and messages[-1].role == "assistant":
            _take_flags(fields)
        settings.sort(fields, _SHARED, _OWN)
    return Conversation(messages, model, settings.shared, settings.own)


def _take_flags(fields: Fields) -> None:
    """The flags with which vLLM continues a final turn of the assistant, when they say just that."""
    if all(fields.peek(name) is value for name, value in _CONTINUING.items()):
        for name in _CONTINUING:
            fields.take(name)


def _message(item: object, number: int, last: int) -> Message:
    with Fields(item, f"message {number + 1}") as fields:
        role = role_of(fields, ROLES)
        where = fields.where = position(number, role)
        if (refusal := fields.peek("refusal")) is not None:
            said = f"has a 'refusal', {refusal!r:.60}, which messages have no word for"
            refuse(where, f"{said}; make it the 'content', or leave the message out")
        if "content" not in fields and "tool_calls" not in fields:
            refuse(where, "has no 'content'")
        blocks = content_list(fields.take("content"), f"{where}, 'content'")
        parts = [block(each, position(number, role, index)) for index, each in enumerate(blocks)]
        name, cache = fields.maybe_text("name"), _ends_prefix(fields)
        if role == "tool":
            result = tool_result(fields.text("tool_call_id"), parts, where, name=name, cache=cache)
            return message(role, (result,), where)
        if role == "assistant":
            parts += function_calls(fields, own=_ends_prefix)
            fields.only("annotations", [])  # of an answer without any
        check_prefix(fields, final=number == last and role == "assistant")
        return message(role, parts, where, name=name, cache=cache)


def block(item: object, where: str) -> Part:
    """A block of a content.

    Raises:
        PromptFormatError: (a ``ValueError``) It is malformed, or of a type that is not known.
        MediaError: (a ``ValueError``) Its media are broken.
    """
    with Fields(item, where) as fields:
        read_block = _BLOCKS.get(kind := fields.text("type"))
        if read_block is None:
            refuse(where, f"is of type {kind!r:.60}; the known ones are {', '.join(_BLOCKS)}")
        cache, part = _ends_prefix(fields), read_block(fields)
    return part.replace(cache=True) if cache else part


def _ends_prefix(fields: Fields) -> bool:
    marked = fields.marked("cache_control", "type", "ephemeral")
    return fields.marked("prompt_cache_breakpoint", "mode", "explicit") or marked


def _input_audio(fields: Fields) -> Part:
    with fields.inner("input_audio") as audio:
        return from_data("audio", audio.text("data"), audio.maybe_text("format"), fields.where)


def _url(kind: str) -> Callable[[Fields], Part]:
    def read_url(fields: Fields) -> Part:
        with fields.inner(f"{kind}_url") as media:
            return from_address(kind, media.text("url"), fields.where)

    return read_url


def _file(fields: Fields) -> Part:
    """A file holds any medium; the label decides, since all four kinds travel as files."""
    with fields.inner("file") as file:
        mime, key = file.maybe_text("format"), file.one_of("file_data", "file_id")
        address = file.text(key)
        label = mime or (address.lstrip()[5:].partition(",")[0] if is_data_url(address) else "")
        kind = kind_of(label)
        if key == "file_id":
            part = from_uri(kind, address, fields.where, mime)
        else:
            part = from_address(kind, address, fields.where, mime=mime)
        if kind == "document" and (name := file.maybe_text("filename")):
            part = part.replace(name=name)
        return clip(part, file.inner("video_metadata")) if "video_metadata" in file else part


_BLOCKS: Mapping[str, Callable[[Fields], Part]] = MappingProxyType(
    {
        "text": text_block,
        "image_url": image_url_block,
        "input_audio": _input_audio,
        "audio_url": _url("audio"),
        "video_url": _url("video"),
        "file": _file,
        "document": document,
    }
)
