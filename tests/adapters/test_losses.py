"""What is set and not carried, as a table."""

from __future__ import annotations

import pytest

from prompt_adapters.adapters.losses import losses
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Document, Image, Part, Text, ToolResult, Video

LINK = "https://e.com/a"
TABLE: list[tuple[str, Message, str, str]] = [
    ("name", Message("user", "a", name="Ann"), "message 1 (user)", "'Ann'"),
    ("cache", Message("user", "a", cache=True), "message 1 (user)", "the cost, not the answer"),
    ("cache", Message("user", ["b", Text("a", cache=True)]), "message 1 (user), part 2", "cacheable prefix"),
    ("detail", Message("user", [Image(LINK, detail="high")]), "message 1 (user), part 1", "detail='high'"),
    ("title", Message("user", [Document(LINK, title="T")]), "message 1 (user), part 1", "'T'"),
    ("clip", Message("user", [Video(LINK, start=1, fps=2)]), "message 1 (user), part 1", "start=1 and fps=2"),
    ("error", Message("tool", [ToolResult("c", "a", error=True)]), "message 1 (tool), part 1", "failed"),
    (
        "cache",
        Message("tool", [ToolResult("c", [Text("a", cache=True)])]),
        "message 1 (tool), part 1, item 1",
        "prefix",
    ),
]


@pytest.mark.parametrize(("field", "message", "place", "text"), TABLE)
def test_what_is_set_is_noted_unless_it_is_carried(field: str, message: Message, place: str, text: str) -> None:
    (note,) = losses([message], frozenset())
    assert note.position == place
    assert text in note.text
    assert losses([message], frozenset({field})) == []


@pytest.mark.parametrize(
    "part", [Text("a"), Image(LINK), Image(LINK, detail="auto"), Document(LINK, name="a"), Video(LINK)]
)
def test_what_is_not_set_is_not_noted(part: Part) -> None:
    assert losses([Message("user", [part])], frozenset()) == []
