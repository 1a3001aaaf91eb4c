import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from prompt_adapters import FewShot, Image, Text
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.sections import (
    converse_data,
    looks_like_section,
    read_few_shot,
    section_text,
    split_section,
    with_section,
)
from strategies import PNG, texts

PAIRS = [("foo_1", "bar_1"), ("foo_2", "bar_2")]
DOCUMENTED = """Classify.

**Examples**
Example 1:
Input: foo_1
Output: bar_1

Example 2:
Input: foo_2
Output: bar_2"""
SPACED = DOCUMENTED.replace("**Examples**\n", "**Examples**\n\n") + "\n"
PATH = Path("few_shot.json")


def test_the_section_is_the_documented_text() -> None:
    assert with_section("Classify.", section_text(FewShot(PAIRS))) == DOCUMENTED
    assert with_section(None, section_text(FewShot(PAIRS))) == DOCUMENTED.removeprefix("Classify.\n\n")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("text", [DOCUMENTED, SPACED], ids=["documented", "spaced"])
def test_a_section_is_recognised(text: str, newline: str) -> None:
    text = text.replace("\n", newline)
    assert split_section(text) == split_section(text, alone=True) == ("Classify.", PAIRS)
    alone = text.removeprefix(f"Classify.{newline}{newline}")
    assert split_section(alone, alone=True) == (None, PAIRS)
    assert split_section(alone) is None


UNCLEAR = {
    "no section": "Classify.",
    "empty": "",
    "head only": "Classify.\n\n**Examples**\n",
    "head in a line": "Classify. **Examples**\nExample 1:\nInput: a\nOutput: b",
    "one newline before the head": "Classify.\n**Examples**\nExample 1:\nInput: a\nOutput: b",
    "spaced without the last newline": SPACED.removesuffix("\n"),
    "two sections": f"{DOCUMENTED}\n\n**Examples**\nExample 1:\nInput: a\nOutput: b",
    "output twice": DOCUMENTED.replace("bar_1", "bar\nOutput: 1"),
    "no output": "Classify.\n\n**Examples**\nExample 1:\nInput: a",
    "no input": "Classify.\n\n**Examples**\nExample 1:\nOutput: a",
    "wrong number": DOCUMENTED.replace("Example 2:", "Example 3:"),
    "number twice": DOCUMENTED.replace("Example 2:", "Example 1:"),
    "padded number": DOCUMENTED.replace("Example 2:", "Example 02:"),
    "header without input": DOCUMENTED.replace("bar_1", "bar_1\n\nExample 2: is this"),
    "text after the head": DOCUMENTED.replace("Example 1:", "Here:\n\nExample 1:"),
}


@pytest.mark.parametrize("text", UNCLEAR.values(), ids=UNCLEAR)
def test_what_could_be_read_otherwise_is_text(text: str) -> None:
    assert split_section(text) is None
    assert split_section(text, alone=True) is None


def test_texts_inside_a_section_are_verbatim() -> None:
    pairs = [("", ""), (" a\n\n", "\r\n{{ x }}\n"), ("Input: b", "**Examples**\nExample 9:")]
    text = with_section("T\n", section_text(FewShot(pairs)))
    assert split_section(text) == ("T\n", pairs)


@given(template=texts(), pairs=st.lists(st.tuples(texts(3), texts(3)), min_size=1, max_size=3))
@example(template="T", pairs=[("a\nOutput: b", "c")])
@example(template="T", pairs=[("a", "b\n\nExample 2:\nInput: c\nOutput: d")])
@example(template="", pairs=[("", "\n\n**Examples**\n\nExample 1:\nInput: a\nOutput: b\n")])
def test_a_split_is_the_text_itself(template: str, pairs: list[tuple[str, str]]) -> None:
    text = with_section(template, section_text(FewShot(pairs)))
    split = split_section(text)
    assert split is None or with_section(split[0], section_text(FewShot(split[1]))) == text


BENIGN = st.text(st.characters(exclude_characters="*:\r", exclude_categories=["Cs"]), max_size=20)


@given(template=BENIGN, pairs=st.lists(st.tuples(BENIGN, BENIGN), min_size=1, max_size=3))
def test_texts_without_headings_are_always_recognised(template: str, pairs: list[tuple[str, str]]) -> None:
    assert split_section(with_section(template, section_text(FewShot(pairs)))) == (template, pairs)


def test_media_are_shown_in_their_short_form() -> None:
    few_shot = FewShot([([Text("see "), Image(PNG)], "ok")])
    assert "Input: see [Image(image/png, 70 bytes" in section_text(few_shot)
    assert converse_data(few_shot)[0]["content"][0] == {"text": "see "}
    assert converse_data(few_shot)[0]["content"][1]["text"].startswith("[Image(image/png")


@pytest.mark.parametrize(
    ("text", "found"),
    [(DOCUMENTED, True), (SPACED.replace("\n", "\r\n"), True), ("a **Examples** b", False), ("", False)],
)
def test_the_head_of_a_section_is_seen(text: str, found: bool) -> None:
    assert looks_like_section(text) is found


READABLE = {
    "converse": [
        {"role": "user", "content": [{"text": "a"}]},
        {"role": "assistant", "content": [{"text": "b"}]},
    ],
    "strings": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}],
    "typed blocks": [
        {"role": "user", "content": [{"type": "text", "text": "a"}]},
        {"role": "assistant", "content": "b"},
    ],
    "input and output": [{"input": "a", "output": "b"}],
    "pairs": [["a", "b"]],
    "wrapped": {"examples": [{"input": "a", "output": "b"}]},
    "wrapped messages": {"examples": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]},
}


@pytest.mark.parametrize("data", READABLE.values(), ids=READABLE)
def test_few_shot_files_are_read(data: object) -> None:
    assert read_few_shot(json.dumps(data), PATH) == FewShot([("a", "b")])


def test_an_empty_few_shot_file_is_allowed() -> None:
    assert read_few_shot("[]", PATH) == FewShot([])


def test_a_wrapped_file_may_say_its_format() -> None:
    data = {"examples": [{"input": "a", "output": "b"}], "format": "append_to_user_prompt"}
    assert read_few_shot(json.dumps(data), PATH) == FewShot([("a", "b")], "append_to_user_prompt")


U, A = {"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}
REFUSED = [
    ([{"input": "2+2", "output": "4"}, {"input": "3+3"}], r"few-shot example 2 \(index 1\) lacks 'output'"),
    ([{"foo": 1}], r"few-shot example 1 \(index 0\) lacks 'input'"),
    ([{"input": "a", "output": "b", "extra": 1}], "few-shot example 1 has the unknown key 'extra'"),
    ([{"input": 5, "output": "b"}], "few-shot example 1"),
    ([U], "no assistant's answer"),
    ([U, A, U], "the last few-shot message"),
    ([A, U], "few-shot message 1 is 'assistant' where 'user' belongs"),
    ([U, U], "few-shot message 2 is 'user' where 'assistant' belongs"),
    ([U, {"input": "a", "output": "b"}], "few-shot example 1"),
    ([U, {"role": "assistant", "content": [{"image": {"format": "png"}}]}], "few-shot examples, message 2"),
    ([{**U, "name": "bob"}, A], "few-shot message 1 has a name or cache mark"),
    ([{**U, "cache": True}, A], "few-shot message 1 has a name or cache mark"),
    ({"examples": "a"}, "'examples' is str, not a list"),
    ({"samples": []}, "few_shot needs 'examples'"),
    ("a", "few-shot examples are a list, not str"),
    (None, "few-shot examples are a list, not NoneType"),
]


@pytest.mark.parametrize(("data", "reason"), REFUSED, ids=[reason for _, reason in REFUSED])
def test_malformed_few_shot_files_are_refused_by_name(data: object, reason: str) -> None:
    with pytest.raises(PromptFormatError, match=rf"few_shot\.json: .*{reason}"):
        read_few_shot(json.dumps(data), PATH)


@given(st.lists(st.tuples(texts(), texts()), max_size=3))
def test_converse_data_are_read_back(pairs: list[tuple[str, str]]) -> None:
    assert read_few_shot(json.dumps(converse_data(FewShot(pairs))), PATH) == FewShot(pairs)
