"""Where cacheable prefixes end: at most as many marks as a provider takes, and only where it has a place for one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, ToolResult
from prompt_adapters.content.position import position
from prompt_adapters.media.notes import Note


class Mark(NamedTuple):
    """The end of a cacheable prefix: behind this part of a message, or behind this item of a tool result in it."""

    message: int
    part: int
    inner: int | None = None


def ends_prefix(message: Message, index: int) -> bool:
    """Whether a cacheable prefix ends with this part of a message."""
    return message.parts[index].cache or (message.cache and index == len(message.parts) - 1)


def parts_with_mark(holder: Message | ToolResult) -> tuple[Part, ...]:
    """The parts of a message or a result, the last one with the mark of the whole."""
    if not holder.cache or not holder.parts:
        return holder.parts
    return (*holder.parts[:-1], holder.parts[-1].replace(cache=True))


def marks_in(messages: Iterable[Message]) -> list[Mark]:
    """All marks, in order."""
    marks: list[Mark] = []
    for number, message in enumerate(messages):
        for index, part in enumerate(message.parts):
            if isinstance(part, ToolResult):
                marks += [Mark(number, index, inner) for inner, content in enumerate(part.parts) if content.cache]
            if ends_prefix(message, index):
                marks.append(Mark(number, index))
    return marks


def without_marks(messages: tuple[Message, ...], dropped: Collection[Mark]) -> tuple[Message, ...]:
    """The messages without these marks, as many as before."""
    touched = {mark.message for mark in dropped}
    return tuple(_unmarked(m, number, dropped) if number in touched else m for number, m in enumerate(messages))


def _unmarked(message: Message, number: int, dropped: Collection[Mark]) -> Message:
    parts: list[Part] = []
    for index, part in enumerate(message.parts):
        if isinstance(part, ToolResult):
            kept = [
                p.replace(cache=p.cache and Mark(number, index, i) not in dropped) for i, p in enumerate(part.parts)
            ]
            part = part.replace(parts=tuple(kept))
        parts.append(part.replace(cache=part.cache and Mark(number, index) not in dropped))
    last = Mark(number, len(parts) - 1)
    return message.replace(parts=tuple(parts), cache=message.cache and last not in dropped)


def few_marks(messages: tuple[Message, ...], most: int, name: str) -> tuple[tuple[Message, ...], list[Note]]:
    """Only the last marks are kept: the longest prefixes are worth the most.

    Args:
        messages: The messages.
        most: How many marks the provider takes.
        name: The provider, for the note.
    """
    marks = marks_in(messages)
    if len(marks) <= most:
        return messages, []
    dropped = frozenset(marks[:-most])
    note = Note("", f"{len(dropped)} of {len(marks)} cache marks are left out: {name} takes {most}")
    return without_marks(messages, dropped), [note]


def placed_marks(
    messages: tuple[Message, ...], objection: Callable[[Sequence[Message], Mark], str | None]
) -> tuple[tuple[Message, ...], list[Note]]:
    """Only marks that have a place are kept, and the others noted: they change the cost, not the answer.

    Args:
        messages: The messages.
        objection: Why a mark has no place; None when it has one.
    """
    reasons = {mark: reason for mark in marks_in(messages) if (reason := objection(messages, mark)) is not None}
    if not reasons:
        return messages, []
    notes = [
        Note(position(mark.message, messages[mark.message].role, mark.part, mark.inner), _UNMARKED.format(reason))
        for mark, reason in reasons.items()
    ]
    return without_marks(messages, reasons), notes


_UNMARKED = "the end of the cacheable prefix is not marked, which changes the cost and not the answer: {}"
