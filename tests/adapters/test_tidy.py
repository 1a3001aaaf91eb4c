"""Empty and blank text, as a table."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompt_adapters.adapters.tidy import tidy, without_empty
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Image, Part, Text, ToolCall, ToolResult
from prompt_adapters.errors import PromptFormatError

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
IMAGE = Image(PNG)
CALL = ToolCall("c1", "look")


def end(text: str) -> Text:
    return Text(text, cache=True)


TABLE: list[tuple[str, list[Any], list[Any]]] = [
    ("two texts stay two", ["a", "b"], ["a", "b"]),
    ("empty text goes", ["", "q", ""], ["q"]),
    ("blank between texts joins both", ["a", "\n", "b"], ["a\nb"]),
    ("blank at the beginning", ["\n", "b", "c"], ["\nb", "c"]),
    ("blank at the end", ["a", "b", " "], ["a", "b "]),
    ("several blanks", ["a", "\n", " ", "b"], ["a\n b"]),
    ("empty between texts joins nothing", ["a", "", "b"], ["a", "b"]),
    ("separator before an image", ["a", "\n", IMAGE], ["a\n", IMAGE]),
    ("separator after an image", [IMAGE, "\n\n", "b"], [IMAGE, "\n\nb"]),
    ("a block list", ["a", "\n", IMAGE, "\n\n", "b", "\n", "c"], ["a\n", IMAGE, "\n\nb\nc"]),
    ("inner whitespace stays", ["  a \n", IMAGE, "\n b  "], ["  a \n", IMAGE, "\n b  "]),
    ("a prefix ends before blank text", [end("a"), "\n", "b"], [end("a"), "\nb"]),
    ("a prefix takes blank text that has nowhere else to go", [end("a"), "\n", IMAGE], [end("a\n"), IMAGE]),
    ("a blank text that ends a prefix", ["a", end("\n"), "b"], [end("a\n"), "b"]),
    ("an empty text that ends a prefix", ["a", end(""), "b"], [end("a"), "b"]),
    ("an empty end after an image", [IMAGE, end("")], [IMAGE.replace(cache=True)]),
]


def as_parts(items: list[Any]) -> tuple[Part, ...]:
    return tuple(Text(item) if isinstance(item, str) else item for item in items)


@pytest.mark.parametrize("blank_text", [True, False])
@pytest.mark.parametrize(("before", "after"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_text_is_tidied(before: list[Any], after: list[Any], blank_text: bool) -> None:
    (message,), notes = tidy([Message("user", as_parts(before), name="Ann")], blank_text=blank_text)
    assert message == Message("user", as_parts(after), name="Ann")
    assert notes == []


def test_blank_text_between_media_is_kept_where_the_provider_takes_it() -> None:
    message = Message("user", [IMAGE, Text("\n\n"), IMAGE])
    assert tidy([message], blank_text=True) == ((message,), [])


def test_blank_text_between_media_is_left_out_with_a_note_where_not() -> None:
    message = Message("user", [IMAGE, end("\n\n"), IMAGE])
    (tidied,), notes = tidy([message], blank_text=False)
    assert tidied.parts == (IMAGE.replace(cache=True), IMAGE)
    assert [str(note) for note in notes] == [
        "message 1 (user), part 2: a text of only whitespace, which the provider refuses, is left out"
    ]


def test_an_untouched_message_is_the_same_object() -> None:
    messages = (Message("user", "a"), Message("assistant", [Text("b"), CALL]))
    tidied, _ = tidy(messages, blank_text=False)
    assert tidied[0] is messages[0]
    assert tidied[1] is messages[1]


def test_tool_results_are_tidied_inside_and_may_be_empty_as_a_whole() -> None:
    results = [
        ToolResult("1", ["", "a", "\n", "b"]),
        ToolResult("2", ""),
        ToolResult("3", [" ", ""]),
        ToolResult("4", [IMAGE, Text(" "), IMAGE]),
    ]
    (message,), _ = tidy([Message("user", "q"), Message("tool", results)][1:], blank_text=False)
    assert message.parts == (
        ToolResult("1", "a\nb"),
        ToolResult("2", ""),
        ToolResult("3", " "),
        ToolResult("4", [IMAGE, IMAGE]),
    )


@pytest.mark.parametrize("role", ["system", "developer"])
def test_an_empty_system_turn_is_left_out_with_a_note(role: str) -> None:
    tidied, notes = tidy([Message(role, ""), Message("user", "q")], blank_text=False)
    assert tidied == (Message("user", "q"),)
    assert [note.position for note in notes] == [f"message 1 ({role})"]


@pytest.mark.parametrize("parts", ["", [], ["", ""]])
@pytest.mark.parametrize("role", ["user", "assistant", "tool"])
def test_another_empty_turn_is_an_error_that_names_it(role: str, parts: Any) -> None:
    for check in (lambda m: tidy(m, blank_text=True), without_empty):
        reason = "an answer that says nothing" if role == "assistant" else "a variable was probably blank"
        with pytest.raises(PromptFormatError, match=rf"message 2 \({role}\) is empty: {reason}"):
            check([Message("user", "q"), Message(role, parts)])


def test_a_blank_turn_is_an_error_where_blank_text_is_refused() -> None:
    with pytest.raises(PromptFormatError, match=r"message 1 \(user\) is empty"):
        tidy([Message("user", " \n")], blank_text=False)
    assert tidy([Message("user", " \n")], blank_text=True)[0] == (Message("user", " \n"),)


@pytest.mark.parametrize(
    ("messages", "match"),
    [
        ([], "a user turn is missing"),
        ([Message("system", "s")], "only a system text: the user turn is missing"),
        ([Message("developer", "s"), Message("system", "t")], "only a system text"),
        ([Message("system", "")], "no message"),
    ],
)
def test_a_conversation_without_turns_is_an_error_that_says_what_is_missing(
    messages: list[Message], match: str
) -> None:
    for check in (lambda m: tidy(m, blank_text=True), without_empty):
        with pytest.raises(PromptFormatError, match=match):
            check(messages)


def test_blank_text_in_a_result_is_left_out_with_a_note() -> None:
    result = ToolResult("c", as_parts([IMAGE, "\n", IMAGE]))
    (tidied,), notes = tidy([Message("tool", ["a", result])], blank_text=False)
    assert tidied == Message("tool", ["a", ToolResult("c", as_parts([IMAGE, IMAGE]))])
    assert [note.position for note in notes] == ["message 1 (tool), part 2, item 2"]
    assert tidy([Message("tool", [result])], blank_text=True) == ((Message("tool", [result]),), [])


pieces = st.lists(st.one_of(st.sampled_from(["", " ", "\n", "a", " b ", "c\n"]), st.just(IMAGE)), max_size=8)


@given(pieces)
def test_no_character_is_lost_or_moved(items: list[Any]) -> None:
    message = Message("user", [*as_parts(items), Text("end")])
    (tidied,), notes = tidy([message], blank_text=True)
    assert notes == []
    assert tidied.text == message.text
    assert [p for p in tidied.parts if p is IMAGE] == [p for p in message.parts if p is IMAGE]
    assert all(part.text for part in tidied.parts if isinstance(part, Text))


@given(pieces)
def test_tidying_twice_changes_nothing_more(items: list[Any]) -> None:
    message = Message("user", [*as_parts(items), Text("end")])
    for blank_text in (True, False):
        once, _ = tidy([message], blank_text=blank_text)
        assert tidy(once, blank_text=blank_text) == (once, [])


def test_only_empty_things_go_from_a_payload() -> None:
    messages = [Message("system", ""), Message("user", as_parts(["", "a", "\n", IMAGE]))]
    assert without_empty(messages) == (Message("user", as_parts(["a", "\n", IMAGE])),)
