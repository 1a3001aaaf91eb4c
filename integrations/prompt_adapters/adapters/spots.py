"""Where parts stand, and what errors call them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, assert_never

from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import (
    MEDIA_PARTS,
    Audio,
    Document,
    Image,
    MediaPart,
    Part,
    Text,
    ToolCall,
    ToolResult,
    Video,
)
from prompt_adapters.content.position import position
from prompt_adapters.content.source import Inline, Link, Source, Uploaded

_MEDIA = tuple(MEDIA_PARTS.values())


class Spot(NamedTuple):
    """Where a part stands, counted from 0; spelled out only in errors."""

    message: int
    role: str
    part: int | None = None
    inner: int | None = None

    def __str__(self) -> str:
        return position(*self)


def name_of(part: Part) -> str:
    """A part as errors call it, as ``"audio (audio/wav)"``."""
    match part:
        case Text():
            return "text"
        case ToolCall():
            return f"a call of tool {part.name!r}"
        case ToolResult():
            return f"a result of tool call {part.id!r}"
        case Image() | Audio() | Video() | Document():
            return f"{part.kind} ({_source_of(part.source)})"
    assert_never(part)


def _source_of(source: Source) -> str:
    match source:
        case Inline():
            return source.mime
        case Link():
            return f"{source.scheme}:// link"
        case Uploaded():
            return "uploaded"
    assert_never(source)


def only_text(message: Message) -> str | None:
    """The text of a message that is one text and nothing else: no name, and no mark of a cacheable prefix."""
    parts = message.parts
    if len(parts) == 1 and type(part := parts[0]) is Text:
        return None if part.cache or message.cache or message.name is not None else part.text
    return None


def media_in(messages: Iterable[Message]) -> Iterator[tuple[Spot, MediaPart]]:
    """All media with their places, those inside tool results too."""
    for number, message in enumerate(messages):
        for index, part in enumerate(message.parts):
            if isinstance(part, _MEDIA):
                yield Spot(number, message.role, index), part
            elif isinstance(part, ToolResult):
                for inner, item in enumerate(part.parts):
                    if isinstance(item, _MEDIA):
                        yield Spot(number, message.role, index, inner), item


def documents_in(messages: Iterable[Message]) -> Iterator[tuple[Spot, Document]]:
    """All documents with their places, those inside tool results too."""
    return ((spot, part) for spot, part in media_in(messages) if isinstance(part, Document))


def holds_tools(messages: Iterable[Message]) -> bool:
    """Whether there are calls of tools, or results of them."""
    return any(isinstance(part, ToolCall | ToolResult) for message in messages for part in message.parts)


def holds_media(messages: Iterable[Message]) -> bool:
    """Whether there is anything but text, also inside tool results."""
    for message in messages:
        for part in message.parts:
            if type(part) is Text:
                continue
            if isinstance(part, _MEDIA):
                return True
            if isinstance(part, ToolResult) and any(isinstance(inner, _MEDIA) for inner in part.parts):
                return True
    return False
