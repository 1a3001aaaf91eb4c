"""What the author set and a provider has no field for: said in notes, since the content itself goes through."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from prompt_adapters.adapters.spots import documents_in
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Document, Image, Part, Text, ToolResult, Video
from prompt_adapters.content.position import position
from prompt_adapters.media.notes import Note

_TEXTS = {
    "name": "the participant's name {value!r} is not sent: there is no field for it",
    "cache": "the end of the cacheable prefix is not marked: this changes the cost, not the answer",
    "detail": "detail={value!r} is not sent: there is no field for it",
    "title": "the title {value!r} is not sent: there is no field for it",
    "clip": "the video is sent whole, without {value}: there is no field for them",
    "error": "that the tool failed is not marked: there is no field for it",
}


def losses(
    messages: Sequence[Message],
    carries: frozenset[str],
    document_name: Callable[[Document], str | None] | None = None,
) -> list[Note]:
    """A note for everything that is set and not carried.

    Args:
        messages: The messages.
        carries: What the wire shape has a field for, of name, cache, detail, title, clip and error.
        document_name: What a document is called in the request; None leaves that to the caller.
    """
    notes = [
        Note(place, _TEXTS[field].format(value=value))
        for number, message in enumerate(messages)
        for place, field, value in _set_in(message, number)
        if field not in carries
    ]
    return notes if document_name is None else [*notes, *_unnamed(messages, document_name)]


def _unnamed(messages: Sequence[Message], document_name: Callable[[Document], str | None]) -> Iterator[Note]:
    """A note for every document whose name is not sent. Whether its author or its path gave the name, nobody knows."""
    for spot, document in documents_in(messages):
        if document.name and (sent := document_name(document)) != document.name:
            why = "there is no field for it" if sent is None else f"it goes by its title {sent!r}"
            yield Note(str(spot), f"the document's name {document.name!r} is not sent: {why}")


def _set_in(message: Message, number: int) -> Iterator[tuple[str, str, object]]:
    if message.name:
        yield position(number, message.role), "name", message.name
    if message.cache:
        yield position(number, message.role), "cache", True
    for index, part in enumerate(message.parts):
        if type(part) is Text and not part.cache:
            continue
        yield from ((position(number, message.role, index), field, value) for field, value in _set_on(part))
        if isinstance(part, ToolResult):
            for inner, content in enumerate(part.parts):
                place = position(number, message.role, index, inner)
                yield from ((place, field, value) for field, value in _set_on(content))


def _set_on(part: Part) -> Iterator[tuple[str, object]]:
    if part.cache:
        yield "cache", True
    if isinstance(part, Image) and part.detail not in (None, "auto"):
        yield "detail", part.detail
    if isinstance(part, Document) and part.title:
        yield "title", part.title
    if isinstance(part, Video):
        clip = [f"{n}={value:g}" for n in ("start", "end", "fps") if (value := getattr(part, n)) is not None]
        if clip:
            yield "clip", " and ".join(clip)
    if isinstance(part, ToolResult) and part.error:
        yield "error", True
