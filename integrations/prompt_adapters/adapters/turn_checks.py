"""Rules on turns that several shapes share: who begins, who ends, and that roles take turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from prompt_adapters.adapters.marks import parts_with_mark
from prompt_adapters.adapters.roles import leading_systems
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Text, ToolCall
from prompt_adapters.content.position import position
from prompt_adapters.media.notes import Note

if TYPE_CHECKING:
    from prompt_adapters.adapters.base import MessageAdapter


def check_first(messages: Sequence[Message], adapter: MessageAdapter, reason: str) -> None:
    """Refuse an assistant that speaks first.

    Raises:
        UnsupportedContentError: (a ``ValueError``) It does.
    """
    first = leading_systems(messages)
    if first < len(messages) and messages[first].role == "assistant":
        what = "an assistant turn as the first one"
        adapter.refuse(what, position(first, "assistant"), reason, "put a user turn before it")


def final_turn(messages: Sequence[Message]) -> str | None:
    """The place of a final assistant turn that could be continued; None when there is none."""
    last = next((number for number in range(len(messages) - 1, -1, -1) if messages[number].parts), None)
    if last is None or messages[last].role != "assistant":
        return None
    return None if any(isinstance(part, ToolCall) for part in messages[last].parts) else position(last, "assistant")


def prefilled(
    messages: tuple[Message, ...], adapter: MessageAdapter, name: str, example: str
) -> tuple[tuple[Message, ...], list[Note]]:
    """A final assistant turn: refused for models that do not continue it, and without whitespace at its end.

    Args:
        messages: The messages.
        adapter: Whose bound model it is.
        name: The provider, for the note.
        example: A model that continues one.

    Raises:
        UnsupportedContentError: (a ``ValueError``) The model does not continue it.
    """
    last = messages[-1]
    if last.role != "assistant":
        return messages, []
    place = position(len(messages) - 1, "assistant")
    if adapter.capabilities.prefill is False:
        remedy = f"end with a user turn, or choose a model that continues, such as {example}"
        adapter.refuse("a final assistant turn", place, f"{adapter.model} does not continue it", remedy)
    end = last.parts[-1]
    if not isinstance(end, Text) or end.text == end.text.rstrip():
        return messages, []
    trimmed = last.replace(parts=(*last.parts[:-1], end.replace(text=end.text.rstrip())))
    note = Note(place, f"the whitespace at the end of the final assistant turn, which {name} refuses, is left out")
    return (*messages[:-1], trimmed), [note]


def alternating(
    messages: tuple[Message, ...], adapter: MessageAdapter, why: str
) -> tuple[tuple[Message, ...], list[Note]]:
    """Turns of one role that follow each other become one, and the user begins.

    Args:
        messages: The messages.
        adapter: Who refuses an assistant that speaks first.
        why: The reason, for notes.

    Returns:
        As many messages as before: one that another took in is empty.

    Raises:
        UnsupportedContentError: (a ``ValueError``) The assistant speaks first.
    """
    spoken = [number for number, message in enumerate(messages) if message.parts]
    check_first([messages[number] for number in spoken], adapter, why)
    settled = list(messages)
    notes: list[Note] = []
    before: int | None = None
    for number in spoken:
        message = settled[number]
        if before is None or message.role not in ("user", "assistant") or settled[before].role != message.role:
            before = number
            continue
        host = settled[before]
        parts = (*parts_with_mark(host), *parts_with_mark(message))
        place = position(number, message.role)
        notes.append(Note(place, f"the turn is sent as one with the turn before it: {why}"))
        if message.name != host.name:
            notes.append(Note(place, f"the participant's name {message.name or host.name!r} is not sent with it"))
        name = host.name if message.name == host.name else None
        settled[before] = Message(host.role, parts, name=name)
        settled[number] = Message(message.role)
    return tuple(settled), notes
