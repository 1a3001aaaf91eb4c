"""Parts and messages as plain JSON data, without loss: what a saved prompt keeps.

Media are kept as ``{"type": "image", "mime": …, "base64": …}``, links as ``url``, uploaded files as ``uri``. Nothing
that is read back here can name a path.
"""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from typing import Any, assert_never

from prompt_adapters.content.encoded import base64_of
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import (
    MEDIA_PARTS,
    Audio,
    Document,
    Image,
    Part,
    Text,
    ToolCall,
    ToolResult,
    Video,
)
from prompt_adapters.content.sniff import decode_base64
from prompt_adapters.content.source import Inline, Link, Source, Uploaded
from prompt_adapters.errors import MediaError, PromptFormatError

_TEXTS = ("role", "text", "id", "name", "title", "mime", "declared", "detail", "url", "uri", "base64")
_FLAGS = ("cache", "error")


def part_to_data(part: Part) -> dict[str, Any]:
    """A part as JSON data."""
    data: dict[str, Any]
    match part:
        case Text():
            data = {"type": "text", "text": part.text}
        case Image() | Audio() | Video() | Document():
            data = {"type": part.kind, **_source_to_data(part.source)}
            fields = (name for name in part._compared if name not in ("source", "cache"))
            data |= {name: value for name in fields if (value := getattr(part, name)) is not None}
        case ToolCall():
            data = {"type": part.kind, "id": part.id, "name": part.name, "arguments": part.arguments}
        case ToolResult():
            data = {"type": part.kind, "id": part.id, "parts": [part_to_data(p) for p in part.parts]}
            data |= {"name": part.name} if part.name is not None else {}
            data |= {"error": True} if part.error else {}
        case _:
            assert_never(part)
    return data | ({"cache": True} if part.cache else {})


def _source_to_data(source: Source) -> dict[str, Any]:
    match source:
        case Inline():
            declared = {} if source.declared is None else {"declared": source.declared}
            return {"mime": source.mime, "base64": base64_of(source), **declared}
        case Link():
            return {"url": source.url} | ({"mime": source.mime} if source.mime else {})
        case Uploaded():
            return {"uri": source.uri} | ({"mime": source.mime} if source.mime else {})
        case _:
            assert_never(source)


def part_from_data(data: object, where: str = "the part") -> Part:
    """A part from JSON data.

    Raises:
        PromptFormatError: The data are not those of a part; `where` is named.
        MediaError: Its media are broken.
    """
    if not isinstance(data, Mapping):
        raise PromptFormatError(None, None, f"{where} is {type(data).__name__}, not an object")
    fields = {str(name): value for name, value in data.items()}
    kind = fields.pop("type", None)
    _check_fields(fields, where)
    try:
        return _build(kind, fields, where)
    except (KeyError, TypeError, AttributeError):
        raise PromptFormatError(None, None, f"{where} is a malformed {reprlib.repr(kind)} part") from None
    except MediaError as error:
        raise type(error)(f"{where}: {error}") from None
    except PromptFormatError as error:
        if error.reason.startswith(where):
            raise
        raise PromptFormatError(None, None, f"{where}: {error.reason}") from None


def _check_fields(fields: Mapping[str, Any], where: str) -> None:
    for names, types, wanted in ((_TEXTS, str | None, "a text"), (_FLAGS, bool, "true or false")):
        for name in names:
            if name in fields and not isinstance(fields[name], types):
                raise PromptFormatError(None, None, f"{where}: {name!r} is {wanted}, not {type(fields[name]).__name__}")


def _build(kind: object, fields: dict[str, Any], where: str) -> Part:
    match kind:
        case "text":
            return Text(fields.pop("text"), **fields)
        case "image" | "audio" | "video" | "document":
            return MEDIA_PARTS[kind](_source_from_data(kind, fields), **fields)
        case "tool_call":
            return ToolCall(**fields)
        case "tool_result":
            parts = [_inner_from_data(p, f"{where}, part {n}") for n, p in enumerate(fields.pop("parts"), 1)]
            return ToolResult(parts=parts, **fields)
        case _:
            raise PromptFormatError(None, None, f"{where} is of unknown type {reprlib.repr(kind)}")


def _inner_from_data(data: object, where: str) -> Part:
    if isinstance(data, Mapping) and data.get("type") == "tool_result":
        raise PromptFormatError(None, None, f"{where}: a tool result holds text and media, not ToolResult")
    return part_from_data(data, where)


def _source_from_data(kind: str, fields: dict[str, Any]) -> Source:
    mime = fields.pop("mime", None)
    if "url" in fields:
        return Link(fields.pop("url"), mime)
    if "uri" in fields:
        return Uploaded(fields.pop("uri"), mime)
    content = decode_base64(fields.pop("base64"), f"the {kind}'s base64")
    declared = fields.pop("declared", None)
    source = MEDIA_PARTS[kind].from_bytes(content, mime=mime).source
    if mime is not None and (mime == source.mime or (_is_text(mime) and _is_text(source.mime))):
        return Inline(content, mime, declared=declared)
    return source


def _is_text(mime: str | None) -> bool:
    """Whether the bytes cannot tell this type from another kind of text, so that what was saved counts."""
    return mime is not None and (mime.startswith("text/") or mime in ("application/json", "application/xml"))


def message_to_data(message: Message) -> dict[str, Any]:
    """A message as JSON data."""
    data: dict[str, Any] = {"role": message.role, "parts": [part_to_data(part) for part in message.parts]}
    data |= {"name": message.name} if message.name is not None else {}
    return data | ({"cache": True} if message.cache else {})


def message_from_data(data: object, where: str = "the message") -> Message:
    """A message from JSON data.

    Raises:
        PromptFormatError: The data are not those of a message; `where` is named.
        MediaError: Its media are broken.
    """
    if not isinstance(data, Mapping) or not isinstance(data.get("parts"), list | tuple):
        raise PromptFormatError(None, None, f"{where} is not an object with 'role' and 'parts'")
    if unknown := data.keys() - {"role", "parts", "name", "cache"}:
        raise PromptFormatError(None, None, f"{where} has the unknown key {sorted(map(str, unknown))[0]!r}")
    parts = [part_from_data(part, f"{where}, part {number}") for number, part in enumerate(data["parts"], 1)]
    _check_fields(data, where)
    try:
        return Message(data.get("role", ""), parts, name=data.get("name"), cache=bool(data.get("cache")))
    except PromptFormatError as error:
        raise PromptFormatError(None, None, f"{where}: {error.reason}") from None
