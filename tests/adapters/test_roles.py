"""System text: where it leads, where it stands in the middle, and what a payload absorbs."""

from __future__ import annotations

from typing import Any

import pytest

from prompt_adapters.adapters.blocks import Origin
from prompt_adapters.adapters.roles import absorbed, leading_systems, settle_systems
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Document, Text
from prompt_adapters.errors import UnsupportedContentError

ORIGIN = Origin("forbid", None, "toy_style")
PAPER = Document(b"%PDF-1.4\n%%EOF\n")


def say(*roles_and_parts: Any) -> tuple[Message, ...]:
    return tuple(Message(role, parts) for role, parts in roles_and_parts)


@pytest.mark.parametrize(
    ("roles", "count"),
    [("su", 1), ("sdsu", 3), ("u", 0), ("us", 0), ("sus", 1), ("ss", 2)],
)
def test_leading_systems_are_counted(roles: str, count: int) -> None:
    names = {"s": "system", "d": "developer", "u": "user"}
    assert leading_systems(say(*((names[role], "x") for role in roles))) == count


def test_what_leads_and_what_is_allowed_stays() -> None:
    messages = say(("system", "a"), ("user", "b"), ("system", "c"), ("assistant", "d"), ("developer", "e"))
    asked: list[tuple[int, int]] = []

    def objection(_: Any, start: int, end: int) -> None:
        asked.append((start, end))

    assert settle_systems(messages, "toy_style", "refuse", objection) == (messages, [])
    assert asked == [(2, 3), (4, 5)]


def test_what_is_not_allowed_is_refused_or_marked() -> None:
    cached = Message("system", [Text("c"), Text("d", cache=True)], cache=True)
    messages = (*say(("user", "b")), cached, *say(("system", "e"), ("assistant", "f")))
    with pytest.raises(UnsupportedContentError, match=r"mid-conversation at message 2 \(system\): not here"):
        settle_systems(messages, "toy_style", "refuse", lambda *_: "not here")
    settled, notes = settle_systems(messages, "toy_style", "user", lambda *_: "not here")
    assert settled == (
        messages[0],
        Message("user", [Text("<system>\nc"), Text("d\n</system>", cache=True)], cache=True),
        Message("user", "<system>\ne\n</system>"),
        messages[3],
    )
    assert [note.position for note in notes] == ["message 2 (system)", "message 3 (system)"]


def test_a_system_text_holds_only_text() -> None:
    messages = say(("user", "b"), ("system", ["a", PAPER]))
    with pytest.raises(UnsupportedContentError, match=r"document \(application/pdf\) at message 2 \(system\), part 2"):
        settle_systems(messages, "toy_style", "user", lambda *_: "not here")


@pytest.mark.parametrize(
    ("messages", "after"),
    [
        (say(("user", "a")), say(("user", "a"))),
        (say(("system", "S"), ("user", "a"), ("user", "b")), say(("user", "S\n\na"), ("user", "b"))),
        (say(("system", ["S", "T"]), ("developer", "U"), ("user", "a")), say(("user", "ST\n\nU\n\na"))),
        (say(("system", "S"), ("assistant", "a"), ("user", "b")), say(("assistant", "a"), ("user", "S\n\nb"))),
        (say(("system", "S"), ("assistant", "a")), say(("user", "S"), ("assistant", "a"))),
        (say(("system", "S"), ("user", [PAPER, "\n", "a"])), say(("user", [PAPER, "\n", "S\n\na"]))),
        (say(("system", "S"), ("user", [PAPER])), say(("user", ["S", "\n", PAPER]))),
    ],
)
def test_the_first_user_text_absorbs_what_leads(messages: tuple[Message, ...], after: tuple[Message, ...]) -> None:
    assert absorbed(messages, ORIGIN) == after
