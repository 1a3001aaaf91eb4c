"""Blocks in the middle of a text."""

import pytest

from prompt_adapters import Audio, Document, Image, Message, Text, ToolCall, Video
from prompt_adapters.blocks import Block
from prompt_adapters.content.parts import Part
from prompt_adapters.formats.inline import address_of, as_turn, is_link, joined, medium_at
from prompt_adapters.turns import Turn
from strategies import MP4, PDF, PNG, WAV

LINK = "https://example.org/a.png?b=c"


def _write(block: Block, where: str) -> str | None:
    return block.template if block.template is not None else f"<{block.variable}>" if block.type == "image" else None


@pytest.mark.parametrize(
    ("turn", "text", "losses"),
    [
        (Turn("user", ["a", {"type": "image", "variable": "x"}], spaced=False), "a<x>", []),
        (Turn("user", ["a", "b"], spaced=False), "ab", ["turn: the bounds between its blocks"]),
        (Turn("user", ["a", "b"]), "a\nb", ["turn: the bounds between its blocks"]),
        (Turn("user", ["a", {"type": "image", "variable": "x"}]), "a\n<x>", ["turn: the bounds between its blocks"]),
        (Turn("user", ["a"]), "a", []),
        (
            Turn("user", ["a", {"type": "audio", "variable": "x"}], spaced=False),
            "a",
            ["turn, block 2: a slot for audio content, 'x'"],
        ),
        (
            Turn("user", [{"type": "text", "content": "a", "cache": True}], spaced=False),
            "a",
            ["turn, block 1: the end of a cacheable prefix"],
        ),
        (Turn("user", ["{", "# a"], spaced=False), "{{ '{' }}# a", ["turn: the bounds between its blocks"]),
    ],
)
def test_joined(turn: Turn, text: str, losses: list[str]) -> None:
    lost: list[str] = []
    assert joined(turn, "turn", "jinja", _write, lost.append) == text
    assert lost == losses


def test_marks_that_have_a_word_bound_their_texts() -> None:
    lost: list[str] = []
    turn = Turn("user", ["a", {"type": "text", "content": "b", "cache": True}, "c"], spaced=False)
    assert joined(turn, "turn", "jinja", _write, lost.append, marks=True) == "abc"
    assert lost == []


@pytest.mark.parametrize("part", [Image(PNG), Audio(WAV), Video(MP4), Document(PDF), Image.from_url(LINK)])
def test_a_medium_with_an_address(part: Part) -> None:
    address = address_of(part)
    assert is_link(address)
    assert medium_at(str(address), part.kind) == part


@pytest.mark.parametrize(
    "part", [Text("a"), Image.from_uploaded("file-1"), Image.from_url("gs://b/a"), ToolCall("1", "f", {})]
)
def test_a_part_without_an_address(part: Part) -> None:
    assert address_of(part) is None


def test_messages_as_turns() -> None:
    turn = Turn("user", "a")
    assert as_turn(turn, "jinja") is turn
    assert as_turn(Message("user", "{{ a", name="Bo", cache=True), "jinja") == Turn("user", "{{ '{' }}{ a")
    parts = [Text("a"), ToolCall("1", "f", {})]
    assert [block.type for block in as_turn(Message("assistant", parts), "jinja").blocks] == ["text", "tool_call"]
