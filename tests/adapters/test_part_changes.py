"""Parts that are changed where they stand, and ids that a provider takes."""

from __future__ import annotations

from collections.abc import Iterable

from prompt_adapters.adapters.part_changes import changed, with_ids
from prompt_adapters.adapters.spots import Spot
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, Text, ToolCall, ToolResult
from prompt_adapters.media.notes import Note


def shout(part: Part, spot: Spot) -> tuple[Part, Iterable[Note]]:
    if not isinstance(part, Text) or part.text.isupper():
        return part, ()
    return part.replace(text=part.text.upper()), (Note(str(spot), "louder"),)


def test_only_what_changes_is_new() -> None:
    messages = (Message("user", "A"), Message("assistant", ["b", "C"], name="Ann", cache=True))
    after, notes = changed(messages, shout)
    assert after == (Message("user", "A"), Message("assistant", ["B", "C"], name="Ann", cache=True))
    assert after[0] is messages[0]
    assert [str(note) for note in notes] == ["message 2 (assistant), part 1: louder"]


def test_a_call_and_its_result_keep_belonging_together() -> None:
    messages = (
        Message("assistant", [ToolCall("a", "f"), ToolCall("B", "f")]),
        Message("tool", [ToolResult("a", "1"), ToolResult("B", "2")]),
    )
    after, notes = with_ids(messages, str.upper, "it takes capitals")
    assert [part.id for message in after for part in message.parts if not isinstance(part, Text)] == list("ABAB")  # type: ignore[union-attr]  # the parts are calls and results
    assert [str(note) for note in notes] == [
        "message 1 (assistant), part 1: the id 'a' is sent as 'A': it takes capitals",
        "message 2 (tool), part 1: the id 'a' is sent as 'A': it takes capitals",
    ]
