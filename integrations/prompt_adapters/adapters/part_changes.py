"""Parts that are changed where they stand: what a provider has no word for, and the ids of tool calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from prompt_adapters.adapters.spots import Spot
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, ToolCall, ToolResult
from prompt_adapters.media.notes import Note

# From a part and its place to the part that is sent, the same when nothing changes, and notes.
Change: TypeAlias = Callable[[Part, Spot], tuple[Part, Iterable[Note]]]


def changed(messages: Sequence[Message], change: Change) -> tuple[tuple[Message, ...], list[Note]]:
    """The messages with every part changed, as many as before; those of which nothing changes are the same objects."""
    notes: list[Note] = []
    settled = []
    for number, message in enumerate(messages):
        parts: list[Part] = []
        for index, part in enumerate(message.parts):
            new, said = change(part, Spot(number, message.role, index))
            parts.append(new)
            notes += said
        same = all(new is old for new, old in zip(parts, message.parts, strict=True))
        settled.append(message if same else message.replace(parts=tuple(parts)))
    return tuple(settled), notes


def with_ids(
    messages: Sequence[Message], taken: Callable[[str], str], reason: str
) -> tuple[tuple[Message, ...], list[Note]]:
    """The messages with ids of tool calls that the provider takes: a call and its result keep belonging together.

    Args:
        messages: The messages.
        taken: From an id to the one that is sent, always the same for the same id.
        reason: What the provider takes, for the notes.
    """

    def change(part: Part, spot: Spot) -> tuple[Part, Iterable[Note]]:
        if not isinstance(part, ToolCall | ToolResult) or (new := taken(part.id)) == part.id:
            return part, ()
        return part.replace(id=new), (Note(str(spot), f"the id {part.id!r} is sent as {new!r}: {reason}"),)

    return changed(messages, change)
