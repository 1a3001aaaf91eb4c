from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompt_adapters import Document, Message, Prompt, Text, ToolCall, ToolResult, get_adapter
from prompt_adapters.content.characters import check_data, half_pair
from prompt_adapters.errors import PromptFormatError
from strategies import PDF

HALF = "\ud83d"


@given(text=st.text(st.characters(categories=["L", "Cs"])))
def test_what_utf_8_cannot_hold_is_found(text: str) -> None:
    halves = [place for place, character in enumerate(text) if "\ud800" <= character <= "\udfff"]
    reason = half_pair(text)
    assert (reason is None) == (not halves)
    if reason is not None:
        assert f"holds U+{ord(text[halves[0]]):04X} at character {halves[0]}," in reason
        reason.encode()


WAYS: dict[str, tuple[Callable[[str], object], str]] = {
    "text": (lambda text: Text(text), "a text"),
    "text, replaced": (lambda text: Text("a").replace(text=text), "a text"),
    "message": (lambda text: Message("user", text), "a text"),
    "texts": (lambda text: Message("user", ["a", text]), "a text"),
    "participant": (lambda text: Message("user", "a", name=text), "a participant's name"),
    "call's id": (lambda text: ToolCall(text, "f"), "a tool call's id"),
    "call's name": (lambda text: ToolCall("1", text), "a tool call's name"),
    "arguments": (lambda text: ToolCall("1", "f", {"a": [text]}), "the arguments of 'f', as JSON,"),
    "arguments' names": (lambda text: ToolCall("1", "f", {text: 1}), "the arguments of 'f', as JSON,"),
    "arguments, replaced": (lambda text: ToolCall("1", "f").replace(arguments={text: 1}), "the arguments of 'f'"),
    "result's id": (lambda text: ToolResult(text, "a"), "a tool result's id"),
    "result's name": (lambda text: ToolResult("1", "a", name=text), "a tool result's name"),
    "result": (lambda text: ToolResult("1", ["a", text]), "a text"),
    "document's name": (lambda text: Document(PDF, name=text), "a document's name"),
    "document's title": (lambda text: Document(PDF, title=text), "a document's title"),
}


@pytest.mark.parametrize("way", WAYS)
def test_no_value_holds_half_of_a_surrogate_pair(way: str) -> None:
    make, what = WAYS[way]
    make("é 🚀")
    for text in (HALF, f"é{HALF}"):
        with pytest.raises(PromptFormatError, match=f"^{what}") as caught:
            make(text)
        assert "half of a surrogate pair, which no request can hold; remove it" in str(caught.value)


def test_the_name_and_title_of_a_document_are_texts() -> None:
    wrong: list[dict[str, Any]] = [{"name": 5}, {"title": b"a"}]
    for fields in wrong:
        with pytest.raises(PromptFormatError, match="is a text, not"):
            Document(PDF, **fields)


@pytest.mark.parametrize("data", [HALF, [HALF], {"a": HALF}, {HALF: 1}, [{"a": ("b", HALF)}]], ids=ascii)
def test_no_parameter_holds_half_of_a_surrogate_pair(data: object) -> None:
    with pytest.raises(PromptFormatError, match=r"^a text in parameter 'stop' holds U\+D83D at character 0, half of a"):
        get_adapter("openai_style", parameters={"stop": data}).build_body(Prompt(user="a"))
    check_data([1, None, {"é": ["🚀", object()]}], "it")
