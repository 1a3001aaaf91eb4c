"""Turns in pieces: results by themselves, calls beside the text, and texts that become one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompt_adapters.adapters import get_adapter
from prompt_adapters.adapters.chat_turns import joined, pieces, result_texts, texts_after_calls, with_details
from prompt_adapters.adapters.spots import Spot
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Image, Text, ToolCall, ToolResult
from prompt_adapters.errors import UnsupportedContentError

IMG = Image("https://example.com/a.png")
CALL = ToolCall("c", "look")
GAVE = ToolResult("c", "1")
ADAPTER = get_adapter("cohere_style")


def test_a_result_parts_a_turn() -> None:
    found = list(pieces([Message("developer", "S"), Message("user", ["a", IMG, GAVE, "b"])], ADAPTER))
    assert [(piece.role, str(piece.spot)) for piece in found] == [
        ("system", "message 1 (developer)"),
        ("user", "message 2 (user)"),
        ("tool", "message 2 (user), part 3"),
        ("user", "message 2 (user)"),
    ]
    assert [[(part, spot.part) for part, spot in piece.content] for piece in found] == [
        [(Text("S"), 0)],
        [(Text("a"), 0), (IMG, 1)],
        [],
        [(Text("b"), 3)],
    ]
    assert [piece.result for piece in found] == [None, None, GAVE, None]


def test_calls_stand_beside_the_text() -> None:
    (piece,) = pieces([Message("assistant", ["a", CALL, "b", CALL])], ADAPTER)
    assert ([part for part, _ in piece.content], piece.calls) == ([Text("a"), Text("b")], (CALL, CALL))
    assert list(pieces([Message("tool", [GAVE, GAVE])], ADAPTER))[1].spot == Spot(0, "tool", 1)


@pytest.mark.parametrize(
    ("role", "parts", "part"),
    [
        ("user", ["a", CALL], "a call of tool 'look'"),
        ("system", [CALL], "a call of tool 'look'"),
        ("tool", [GAVE, CALL], "a call of tool 'look'"),
        ("assistant", [GAVE], "a result of tool call 'c'"),
        ("system", ["a", GAVE], "a result of tool call 'c'"),
        ("tool", ["a"], "text"),
        ("tool", [GAVE, IMG], "image (https:// link)"),
    ],
)
def test_what_stands_in_the_wrong_turn_is_refused(role: str, parts: list[Any], part: str) -> None:
    with pytest.raises(UnsupportedContentError) as caught:
        list(pieces([Message("user", "q"), Message(role, parts)], ADAPTER))
    assert caught.value.part == part
    assert caught.value.position == f"message 2 ({role}), part {len(parts)}"
    assert caught.value.remedy


def test_a_result_of_texts() -> None:
    spot = Spot(1, "tool", 0)
    assert result_texts(ToolResult("c", ["a", "b"]), spot, ADAPTER) == ["a", "b"]
    assert result_texts(ToolResult("c"), spot, ADAPTER) == []
    with pytest.raises(
        UnsupportedContentError, match=r"message 2 \(tool\), part 1, item 2: a tool result is text only"
    ):
        result_texts(ToolResult("c", ["a", IMG]), spot, ADAPTER)


@pytest.mark.parametrize(
    ("texts", "whole"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a\nb"),
        (["a\n", "b"], "a\nb"),
        (["a", "\nb"], "a\nb"),
        (["a\n", "\n\n", "b"], "a\n\n\nb"),
        (["a ", " b"], "a \n b"),
        (["", "a", ""], "a\n"),
        (["a", " ", "b"], "a\n \nb"),
    ],
)
def test_texts_become_one(texts: list[str], whole: str) -> None:
    assert joined(texts) == whole


@given(st.lists(st.text("ab \n", min_size=1), max_size=5))
def test_joining_keeps_every_text_in_order_and_adds_only_line_breaks(texts: list[str]) -> None:
    whole = joined(texts)
    assert whole.replace("\n", "") == "".join(texts).replace("\n", "")
    start = 0
    for text in texts:
        start = whole.index(text, start) + len(text)
    assert len(whole) <= len("".join(texts)) + max(0, len(texts) - 1)


def test_text_after_a_call_is_noted_once_a_turn() -> None:
    messages = [Message("assistant", ["a", CALL]), Message("assistant", [CALL, "b", CALL, "c"])]
    assert [str(note) for note in texts_after_calls(messages)] == [
        "message 2 (assistant): the text after a tool call is sent before it"
    ]


def test_details_without_a_word_are_taken_off_and_noted() -> None:
    link = "https://example.com/a.png"
    messages = (
        Message("user", [Image(link, detail="low"), IMG]),
        Message("user", ["a", Image(link, detail="original", cache=True)]),
    )
    settled, notes = with_details(messages, ("auto", "low"), "Who")
    assert settled == (messages[0], Message("user", ["a", Image(link, cache=True)]))
    assert settled[0] is messages[0]
    assert [str(note) for note in notes] == [
        "message 2 (user), part 2: detail='original' is not sent: Who has auto, low"
    ]
