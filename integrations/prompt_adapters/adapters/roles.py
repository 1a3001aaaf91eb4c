"""Where system text stands.

In mid-conversation it is kept where the provider takes it, and otherwise refused or turned into user text. For models
that take no system role, or one system text only, what leads is folded into the first user text, or joined. In a
payload that is a list without a system role, the first text takes it in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from prompt_adapters.adapters.blocks import Origin, Turn, absorb
from prompt_adapters.adapters.spots import name_of
from prompt_adapters.adapters.tidy import SYSTEM_ROLES, joined_blanks
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Text
from prompt_adapters.content.position import position
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.media.notes import Note

SystemInMiddle: TypeAlias = Literal["refuse", "user"]
SystemText: TypeAlias = Literal["auto", "keep", "one", "fold"]
# Why the system messages from one index up to another cannot stand there; None when they can.
Objection: TypeAlias = Callable[[Sequence[Message], int, int], str | None]


def leading_systems(messages: Sequence[Message]) -> int:
    """How many system messages stand at the beginning."""
    return _next_turn(messages, 0)


def settle_systems(
    messages: tuple[Message, ...], style: str, mode: SystemInMiddle, objection: Objection
) -> tuple[tuple[Message, ...], list[Note]]:
    """Deal with the system messages that do not lead.

    Args:
        messages: The messages.
        style: The wire shape.
        mode: ``"refuse"``, or ``"user"`` to turn what the provider does not take into marked user text.
        objection: The provider's rule.

    Returns:
        The messages, as many as before, and a note for each that changed.

    Raises:
        UnsupportedContentError: (a ``ValueError``) One cannot stand where it is, and the mode refuses it.
    """
    start = leading_systems(messages)
    settled = list(messages)
    notes: list[Note] = []
    while (start := _next_system(messages, start)) < len(messages):
        end = _next_turn(messages, start)
        if reason := objection(messages, start, end):
            for number in range(start, end):
                place = position(number, messages[number].role)
                if mode == "refuse":
                    raise UnsupportedContentError(
                        style,
                        "a system message in mid-conversation",
                        place,
                        reason,
                        "put it first, or set the adapter's option system_in_middle='user'",
                    )
                settled[number] = _as_user(messages[number], style, number)
                notes.append(Note(place, f"the system message is sent as marked user text: {reason}"))
        start = end
    return tuple(settled), notes


def _next_turn(messages: Sequence[Message], start: int) -> int:
    for number in range(start, len(messages)):
        if messages[number].role not in SYSTEM_ROLES:
            return number
    return len(messages)


def _next_system(messages: Sequence[Message], start: int) -> int:
    for number in range(start, len(messages)):
        if messages[number].role in SYSTEM_ROLES:
            return number
    return len(messages)


def _as_user(message: Message, style: str, number: int) -> Message:
    """The same text between marks, in a user message."""
    texts = system_texts(message, style, number)
    opened = (texts[0].replace(text=f"<system>\n{texts[0].text}"), *texts[1:])
    marked = (*opened[:-1], opened[-1].replace(text=f"{opened[-1].text}\n</system>"))
    return Message("user", marked, cache=message.cache)


def system_texts(message: Message, style: str, number: int) -> tuple[Text, ...]:
    """The texts of a system message.

    Raises:
        UnsupportedContentError: (a ``ValueError``) It holds something else.
    """
    for index, part in enumerate(message.parts):
        if not isinstance(part, Text):
            raise UnsupportedContentError(
                style,
                name_of(part),
                position(number, message.role, index),
                "a system text holds only text",
                "move it to a user turn",
            )
    return tuple(part for part in message.parts if isinstance(part, Text))


def absorbed(messages: Sequence[Message], origin: Origin) -> tuple[Message, ...]:
    """The messages without leading system turns; the first user turn takes in what they say."""
    first = leading_systems(messages)
    texts = ["".join(t.text for t in system_texts(m, origin.style, n)) for n, m in enumerate(messages[:first])]
    system = "\n\n".join(texts)
    rest = list(messages[first:])
    user = next((number for number, message in enumerate(rest) if message.role == "user"), None)
    if system and user is not None:
        rest[user] = rest[user].replace(parts=absorb(system, rest[user].parts, origin))
    elif system:
        rest.insert(0, Message("user", system))
    return tuple(rest)


def absorbed_turns(turns: tuple[Turn, ...], origin: Origin) -> tuple[Turn, ...]:
    """A payload's turns without leading system turns; the first user turn takes in what they say."""
    first = next((n for n, turn in enumerate(turns) if turn.role not in SYSTEM_ROLES), len(turns))
    system = "\n\n".join("".join(i.text for i in t.items if isinstance(i, Text)) for t in turns[:first])
    rest = turns[first:]
    if not system:
        return rest
    user = next((n for n, turn in enumerate(rest) if turn.role == "user"), None)
    if user is None:
        return (Turn("user", (Text(system),)), *rest)
    return (*rest[:user], Turn("user", absorb(system, rest[user].items, origin)), *rest[user + 1 :])


def placed_systems(
    messages: tuple[Message, ...], mode: SystemText, in_middle: SystemInMiddle, origin: Origin, why: str
) -> tuple[tuple[Message, ...], list[Note]]:
    """System text for models that take it in one way only.

    Args:
        messages: The messages.
        mode: ``"one"`` joins what leads, with a blank line between; ``"fold"`` puts it before the first user text.
        in_middle: What becomes of system text in mid-conversation.
        origin: How the adapter reads what it is given.
        why: The reason, for notes.

    Returns:
        As many messages as before: one whose text another took in is empty.

    Raises:
        UnsupportedContentError: (a ``ValueError``) A system text stands in mid-conversation, or holds something else.
    """
    first = leading_systems(messages)
    if mode in ("auto", "keep") or all(message.role not in SYSTEM_ROLES for message in messages):
        return messages, []
    settled, notes = settle_systems(messages, origin.style, in_middle, lambda *_: f"system text leads: {why}")
    texts = [text for number in range(first) for text in system_texts(messages[number], origin.style, number)]
    whole = "\n\n".join(
        "".join(text.text for text in system_texts(message, origin.style, number))
        for number, message in enumerate(messages[:first])
    )
    if not whole or (mode == "one" and first == 1):
        return settled, notes
    marked = any(text.cache for text in texts) or any(message.cache for message in messages[:first])
    emptied = [Message(message.role) for message in messages[:first]]
    turns = list(settled[first:])
    user = next((number for number, message in enumerate(turns) if message.role == "user"), None)
    place = position(0, messages[0].role)
    if mode == "one":
        emptied[0] = Message(messages[0].role, Text(whole, cache=marked))
        return (*emptied, *turns), [*notes, Note(place, f"{first} system texts are sent as one: {why}")]
    if user is None:
        emptied[0] = Message("user", Text(whole, cache=marked))
    else:
        turns[user] = turns[user].replace(parts=joined_blanks(absorb(whole, turns[user].parts, origin)))
    notes.append(Note(place, f"the system text is sent before the first user text: {why}"))
    if marked and user is not None:
        notes.append(Note(place, "the end of its cacheable prefix is not marked, since it is no part by itself"))
    return (*emptied, *turns), notes
