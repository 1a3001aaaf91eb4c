"""Requests in the shape of Anthropic's Messages.

The top-level ``system`` becomes one system message, each block a text. A user's turn becomes as many messages as it
changes between tool results and the rest, since Anthropic combines turns of one role. A plain text document is
``text/plain``, whatever kind of text it was.

https://platform.claude.com/docs/en/api/messages
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from prompt_adapters.adapters.anthropic_parameters import ANTHROPIC_TABLE
from prompt_adapters.adapters.reading import Conversation
from prompt_adapters.adapters.reading.chat import (
    content_list,
    message,
    role_of,
    text_block,
    tool_call,
    tool_result,
    with_results_apart,
)
from prompt_adapters.adapters.reading.fields import REQUEST, Fields, as_list, at, refuse
from prompt_adapters.adapters.reading.media import from_address, from_data, from_upload
from prompt_adapters.adapters.reading.settings import CLIENT, SAME, Settings, schema_format, spread_extra_body
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Document, Part
from prompt_adapters.content.position import position
from prompt_adapters.content.source import Inline

_SHARED: Mapping[str, str] = MappingProxyType(
    {**{name: SAME[name] for name in ("temperature", "top_p", "top_k", "max_tokens")}, "stop_sequences": "stop"}
)
_OUTPUT = "output_config"


def read(request: Mapping[str, Any]) -> Conversation:
    """What a request says."""
    settings = Settings()
    with Fields(request, REQUEST) as fields:
        spread_extra_body(fields)
        messages = _system(fields.take("system"))
        for number, item in enumerate(as_list(fields.need("messages"), f"{REQUEST}, 'messages'")):
            messages += _turn(item, number)
        model = fields.maybe_text("model")
        if _OUTPUT in fields:
            _output(fields.inner(_OUTPUT), settings)
        settings.sort(fields, _SHARED, ANTHROPIC_TABLE.own | CLIENT)
    return Conversation(tuple(messages), model, settings.shared, settings.own)


def _output(output: Fields, settings: Settings) -> None:
    with output:
        if "format" in output:
            with output.inner("format") as described:
                described.only("type", "json_schema")
                settings.share("response_format", schema_format(described.need("schema")), output.where)
        if "effort" in output:
            settings.own[_OUTPUT] = {"effort": output.take("effort")}


def _system(content: object) -> list[Message]:
    where = f"{REQUEST}, 'system'"
    blocks = content_list(content, where)
    parts = [_block(each, f"{where}, block {number}", _SYSTEM) for number, each in enumerate(blocks, 1)]
    return [message("system", parts, where)] if parts else []


def _turn(item: object, number: int) -> list[Message]:
    with Fields(item, f"message {number + 1}") as fields:
        role = role_of(fields, ("user", "assistant", "system"))
        fields.where = position(number, role)
        blocks = content_list(fields.need("content"), f"{fields.where}, 'content'")
        known = _SYSTEM if role == "system" else _BLOCKS
        parts = [_block(each, position(number, role, index), known) for index, each in enumerate(blocks)]
        return with_results_apart(role, parts, fields.where)


def _block(item: object, where: str, known: Mapping[str, Callable[[Fields], Part]]) -> Part:
    with Fields(item, where) as fields:
        read_block = known.get(kind := fields.text("type"))
        if read_block is None:
            refuse(where, f"is of type {kind!r:.60}; the known ones are {', '.join(known)}")
        part = read_block(fields)
        cache = fields.marked("cache_control", "type", "ephemeral")
    return part.replace(cache=True) if cache else part


def _image(fields: Fields) -> Part:
    with fields.inner("source") as source:
        return _source("image", source, fields.where)


def document(fields: Fields) -> Part:
    """A document block.

    Raises:
        PromptFormatError: (a ``ValueError``) It is malformed.
        MediaError: (a ``ValueError``) Its bytes are broken.
    """
    with fields.inner("source") as source:
        part = _source("document", source, fields.where)
    title = fields.maybe_text("title")
    return part.replace(title=title) if title else part


def _source(kind: str, source: Fields, where: str) -> Part:
    word = source.text("type")
    read_source = (_SOURCES if kind == "image" else _DOCUMENT_SOURCES).get(word)
    if read_source is None:
        refuse(where, f"has a source of type {word!r:.60}, which is not known for {kind}s")
    return read_source(kind, source, where)


def _base64(kind: str, source: Fields, where: str) -> Part:
    return from_data(kind, source.need("data"), source.maybe_text("media_type"), where)


def _url(kind: str, source: Fields, where: str) -> Part:
    return from_address(kind, source.text("url"), where)


def _file(kind: str, source: Fields, where: str) -> Part:
    return from_upload(kind, source.text("file_id"), where)


def _plain_text(_: str, source: Fields, where: str) -> Part:
    source.only("media_type", "text/plain")
    with at(where):
        return Document(Inline(source.text("data").encode(), "text/plain"))


_SOURCES: Mapping[str, Callable[[str, Fields, str], Part]] = MappingProxyType(
    {"base64": _base64, "url": _url, "file": _file}
)
_DOCUMENT_SOURCES = MappingProxyType({**_SOURCES, "text": _plain_text})


def _tool_use(fields: Fields) -> Part:
    return tool_call(fields.text("id"), fields.text("name"), fields.take("input", {}), fields.where)


def _tool_result(fields: Fields) -> Part:
    where = fields.where
    blocks = content_list(fields.take("content"), f"{where}, 'content'")
    parts = [_block(each, f"{where}, item {number}", _IN_RESULTS) for number, each in enumerate(blocks, 1)]
    return tool_result(fields.text("tool_use_id"), parts, where, error=fields.flag("is_error"))


_SYSTEM: Mapping[str, Callable[[Fields], Part]] = MappingProxyType({"text": text_block})
_IN_RESULTS = MappingProxyType({**_SYSTEM, "image": _image, "document": document})
_BLOCKS = MappingProxyType({**_IN_RESULTS, "tool_use": _tool_use, "tool_result": _tool_result})
