"""Ends of cacheable prefixes: found in order, taken off one by one, and nothing else changed."""

from __future__ import annotations

from prompt_adapters.adapters.marks import Mark, ends_prefix, few_marks, marks_in, placed_marks, without_marks
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Text, ToolResult

MESSAGES = (
    Message("system", ["a", Text("b", cache=True), "c"]),
    Message("user", ["d", Text("e", cache=True)], cache=True),
    Message("tool", [ToolResult("i", [Text("f", cache=True), "g"], cache=True), "h"], cache=True),
)
ALL = [Mark(0, 1), Mark(1, 1), Mark(2, 0, 0), Mark(2, 0), Mark(2, 1)]


def test_marks_are_found_in_order_and_once() -> None:
    assert marks_in(MESSAGES) == ALL
    assert [ends_prefix(MESSAGES[1], index) for index in range(2)] == [False, True]


def test_each_mark_can_be_taken_off_by_itself() -> None:
    for mark in ALL:
        rest = without_marks(MESSAGES, {mark})
        assert marks_in(rest) == [other for other in ALL if other != mark]
        assert [message.text for message in rest] == [message.text for message in MESSAGES]
    assert marks_in(without_marks(MESSAGES, ALL)) == []
    assert without_marks(MESSAGES, ()) == MESSAGES


def test_the_last_marks_are_kept() -> None:
    kept, (note,) = few_marks(MESSAGES, 2, "Somebody")
    assert marks_in(kept) == ALL[-2:]
    assert note.text == "3 of 5 cache marks are left out: Somebody takes 2"
    assert few_marks(MESSAGES, 5, "Somebody") == (MESSAGES, [])


def test_marks_without_a_place_are_noted_at_their_places() -> None:
    kept, notes = placed_marks(MESSAGES, lambda messages, mark: "no" if messages[mark.message].role == "tool" else None)
    assert marks_in(kept) == ALL[:2]
    assert [note.position for note in notes] == [
        "message 3 (tool), part 1, item 1",
        "message 3 (tool), part 1",
        "message 3 (tool), part 2",
    ]
    assert all(note.text.endswith(": no") for note in notes)
    assert placed_marks(MESSAGES, lambda *_: None) == (MESSAGES, [])
