"""YAML as its writer meant it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.yaml_text import MAX_ALIASES, read_yaml_mapping, write_yaml
from strategies import json_data, objects, texts

SCALARS = {
    "no": ("no", "no"),
    "on": ("on", "on"),
    "clock": ("1:30", "1:30"),
    "date": ("2024-08-06", "2024-08-06"),
    "moment": ("2024-08-06T10:00:00Z", "2024-08-06T10:00:00Z"),
    "octal": ("012", "012"),
    "hexadecimal": ("0x1F", "0x1F"),
    "underscores": ("1_000", "1_000"),
    "infinity": (".inf", ".inf"),
    "merge": ("<<", "<<"),
    "equals": ("=", "="),
    "true": ("true", True),
    "False": ("False", False),
    "integer": ("-3", -3),
    "zero": ("0", 0),
    "decimal": ("0.3", 0.3),
    "exponent": ("1e3", 1000.0),
    "tilde": ("~", None),
    "nothing": ("", None),
    "quoted": ("'3'", "3"),
    "list": ("[1, a]", [1, "a"]),
}


@pytest.mark.parametrize(("written", "meant"), SCALARS.values(), ids=SCALARS)
def test_scalars(written: str, meant: object) -> None:
    data = read_yaml_mapping(f"key: {written}\n", None)
    assert data == {"key": meant}
    assert type(data["key"]) is type(meant)


@pytest.mark.parametrize(
    ("written", "meant"), [("3.10", "3.10"), ("true", "true"), ("012", "012"), ("x", "x"), ("~", None), ("[1]", [1])]
)
def test_a_key_may_ask_for_text(written: str, meant: object) -> None:
    assert read_yaml_mapping(f"version: {written}\n", None, texts=("version",)) == {"version": meant}


def test_only_keys_of_the_mapping_itself_ask_for_text() -> None:
    assert read_yaml_mapping("deeper: {version: 3}", None, texts=("version",)) == {"deeper": {"version": 3}}


@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n", "---\n"])
def test_nothing_is_an_empty_mapping(text: str) -> None:
    assert read_yaml_mapping(text, None) == {}


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_newlines(newline: str) -> None:
    text = newline.join(["a: 1", "b: |", "  x", "  y", "c: 2", ""])
    assert read_yaml_mapping(text, None) == {"a": 1, "b": "x\ny\n", "c": 2}


# name: (text, line of the text, what the error says)
FAULTS = {
    "unclosed list": ("a: 1\nb: [oops\nc: 2", 3, "not valid YAML"),
    "key twice": ("a: 1\nb: 2\na: 3", 3, "the key 'a' stands twice"),
    "key twice, deeper": ("a:\n  b: 1\n  b: 2", 3, "the key 'b' stands twice"),
    "key is a list": ("a: 1\n? [b]\n: c", 2, "a key must be a text"),
    "top-level key is a number": ("1: 2", 1, "one of whose names is no text"),
    "list": ("- a\n- b", 1, "not list"),
    "scalar": ("hello", 1, "not str"),
    "two documents": ("a: 1\n---\nb: 2", 2, "another document"),
    "unknown alias": ("a: 1\nb: *c", 2, "undefined alias"),
    "many aliases": (f"a: &a 1\nb: [{', '.join(['*a'] * (MAX_ALIASES + 1))}]", 2, "more than 100 aliases"),
    "alias bomb": ("a: &a [1,1,1,1,1,1,1,1,1]\n" + "".join(
        f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefg", "bcdefgh", strict=True)
    ), 1, "nodes"),
    "holds itself": ("a: &a [*a]", 1, "nodes"),
    "control character": ("a: 1\nb: \x00", 2, "U+0000"),
    "surrogate": ("a: 1\nb: \ud800", 2, "U+D800"),
    "python object": ("a: 1\nb: !!python/object:os.system x", 2, "could not determine a constructor"),
    "own tag": ("a: !mine x", 1, "could not determine a constructor"),
    "bytes": ("a: !!binary aGk=", 1, "plain data are expected"),
    "set": ("a: !!set {x}", 1, "plain data are expected"),
    "empty integer": ("a: !!int ''", 1, "plain data are expected"),
    "no boolean": ("a: !!bool x", 1, "plain data are expected"),
    "no date": ("a: !!timestamp x", 1, "plain data are expected"),
    "endless number": ("a: " + "9" * 5000, 1, "plain data are expected"),
    "too deep": ("a: " + "[" * 5000, 1, "nested too deeply"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "line", "reason"), FAULTS.values(), ids=FAULTS)
def test_faults_name_file_and_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(PromptFormatError) as caught:
        read_yaml_mapping(text, "some.yaml", 11)
    assert str(caught.value).startswith(f"some.yaml: line {line + 10}: ")
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


@given(data=objects())
def test_what_is_written_is_read(data: dict[str, object]) -> None:
    assert read_yaml_mapping(write_yaml(data), None) == data


@given(key=texts(3), value=json_data() | texts(6))
def test_keys_and_long_texts_too(key: str, value: object) -> None:
    assert read_yaml_mapping(write_yaml({key: [{"in": value}], "after": value}), None) == {
        key: [{"in": value}],
        "after": value,
    } | ({"after": value} if key == "after" else {})


@given(text=st.text(max_size=40))
def test_any_text_is_data_or_a_named_error(text: str) -> None:
    try:
        data = read_yaml_mapping(text, "some.yaml")
    except PromptFormatError as error:
        assert error.line is not None  # noqa: PT017 - either is right here
    else:
        assert isinstance(data, dict)


def test_long_texts_are_written_as_blocks_and_characters_as_they_are() -> None:
    assert write_yaml({"text": "Größe\n变量\n", "number": "3", "answer": "no"}) == (
        "text: |\n  Größe\n  变量\nnumber: '3'\nanswer: 'no'\n"
    )
