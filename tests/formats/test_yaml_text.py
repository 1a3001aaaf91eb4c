"""YAML as its writer meant it."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats import yaml_nodes
from prompt_adapters.formats.yaml_nodes import MAX_ALIASES, MAX_DEPTH
from prompt_adapters.formats.yaml_text import (
    parse_yaml,
    parse_yaml_mapping,
    read_yaml,
    read_yaml_mapping,
    write_yaml,
)
from strategies import json_data, objects, texts


@pytest.fixture(params=["CSafeLoader", "SafeLoader"])
def parser(request: pytest.FixtureRequest) -> Iterator[None]:
    """Each of the two parsers: that of libyaml, and that of PyYAML itself."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml_nodes, "_Parser", getattr(yaml, request.param))
        yield


# as written: (where every number is one, where it is one only if nothing of it is lost, in a field of texts)
SCALARS: dict[str, tuple[object, object, object]] = {
    "no": ("no", "no", "no"),
    "yes": ("yes", "yes", "yes"),
    "Off": ("Off", "Off", "Off"),
    "y": ("y", "y", "y"),
    "190:20:30.15": ("190:20:30.15", "190:20:30.15", "190:20:30.15"),
    "0012.5": ("0012.5", "0012.5", "0012.5"),
    "685.230_15e+03": ("685.230_15e+03", "685.230_15e+03", "685.230_15e+03"),
    "on": ("on", "on", "on"),
    "1:30": ("1:30", "1:30", "1:30"),
    "12:30:45": ("12:30:45", "12:30:45", "12:30:45"),
    "2024-08-06": ("2024-08-06", "2024-08-06", "2024-08-06"),
    "2024-08-06T10:00:00Z": ("2024-08-06T10:00:00Z", "2024-08-06T10:00:00Z", "2024-08-06T10:00:00Z"),
    "012": ("012", "012", "012"),
    "0x1F": ("0x1F", "0x1F", "0x1F"),
    "0o17": ("0o17", "0o17", "0o17"),
    "0b11": ("0b11", "0b11", "0b11"),
    "1_000": ("1_000", "1_000", "1_000"),
    "1,000": ("1,000", "1,000", "1,000"),
    ".inf": (".inf", ".inf", ".inf"),
    ".NaN": (".NaN", ".NaN", ".NaN"),
    "<<": ("<<", "<<", "<<"),
    "=": ("=", "=", "="),
    "1.2.3": ("1.2.3", "1.2.3", "1.2.3"),
    "true": (True, True, "true"),
    "False": (False, False, "False"),
    "tRUE": ("tRUE", "tRUE", "tRUE"),
    "-3": (-3, -3, "-3"),
    "0": (0, 0, "0"),
    "+3": (3, "+3", "+3"),
    "-0": (0, "-0", "-0"),
    "0.3": (0.3, 0.3, "0.3"),
    "1.0": (1.0, 1.0, "1.0"),
    "1.10": (1.1, "1.10", "1.10"),
    "1.": (1.0, "1.", "1."),
    ".5": (0.5, ".5", ".5"),
    "1e3": (1000.0, "1e3", "1e3"),
    "1e16": (1e16, "1e16", "1e16"),
    "1e+16": (1e16, 1e16, "1e+16"),
    "1.0e+16": (1e16, 1e16, "1.0e+16"),
    "0.1234567890123456789": (0.1234567890123456789, "0.1234567890123456789", "0.1234567890123456789"),
    "123456789012345678901234567890": (123456789012345678901234567890,) * 2 + ("123456789012345678901234567890",),
    "~": (None, None, None),
    "Null": (None, None, None),
    "": (None, None, None),
    "'3'": ("3", "3", "3"),
    '"no"': ("no", "no", "no"),
    "!!str 3": ("3", "3", "3"),
    "! 3": ("3", "3", "3"),
    "[1, a, 1.10]": ([1, "a", 1.1], [1, "a", "1.10"], ["1", "a", "1.10"]),
    "{a: 1.10}": ({"a": 1.1}, {"a": "1.10"}, {"a": 1.1}),
}


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize(("written", "meant"), SCALARS.items(), ids=SCALARS)
def test_scalars(written: str, meant: tuple[object, object, object]) -> None:
    text = f"key: {written}\n"
    found = (
        read_yaml_mapping(text, None)["key"],
        read_yaml_mapping(text, None, numbers=())["key"],
        read_yaml_mapping(text, None, texts=["key"])["key"],
    )
    assert found == meant
    assert list(map(type, found)) == list(map(type, meant))


@pytest.mark.parametrize("written", [written for written, meant in SCALARS.items() if meant[1] is not None])
def test_what_nothing_declares_survives_as_it_was_written(written: str) -> None:
    """Read, written and read again; what was written is still to be seen."""
    data = read_yaml_mapping(f"key: {written}\n", None, numbers=())
    text = write_yaml(data)
    assert read_yaml_mapping(text, None, numbers=()) == data
    if isinstance(data["key"], str | int | float):
        assert written.lower().strip("'\"!str ").replace("1e+16", "1.0e+16") in text.lower()


FIELDS = """
version: 1.10
user_prompt:
  - text: 012
  - text: 4.10
  - image: {source: 3.10, index: 3}
parameters: {temperature: 0.20, stop: [1.10, no, 3], logit_bias: {50256: -1e2}}
metadata: {version: 1.10, deeper: [{text: 1.10}]}
1.10: 2
no: true
"""


def test_fields_are_told_by_their_path() -> None:
    texts = ("version", "user_prompt.text", "user_prompt.image.source", "parameters.stop")
    assert read_yaml_mapping(FIELDS, None, texts=texts, numbers=("parameters", "user_prompt")) == {
        "version": "1.10",
        "user_prompt": [{"text": "012"}, {"text": "4.10"}, {"image": {"source": "3.10", "index": 3}}],
        "parameters": {"temperature": 0.2, "stop": ["1.10", "no", "3"], "logit_bias": {"50256": -100.0}},
        "metadata": {"version": "1.10", "deeper": [{"text": "1.10"}]},
        "1.10": 2,
        "no": True,
    }


def test_fields_may_be_counted_from_each_mapping_in_a_list() -> None:
    text = "- {role: user, content: 1.10, n: {content: 2.50}}\n- content: [{text: 3}, 4.10]\n- [{text: no}, 5]"
    assert read_yaml(text, None, texts=("content", "text"), lists=True) == [
        {"role": "user", "content": "1.10", "n": {"content": 2.5}},
        {"content": [{"text": "3"}, "4.10"]},
        [{"text": "no"}, 5],
    ]


def test_an_anchor_is_read_as_the_field_where_its_alias_stands() -> None:
    data = read_yaml_mapping("a: &a 1.10\nversion: *a\nb: &b [1]\nc: *b", None, texts=["version"])
    assert data == {"a": 1.1, "version": "1.10", "b": [1], "c": [1]}
    assert data["b"] is not data["c"]


MERGES = {
    "own keys win": ("{<<: *a, x: 3}", {"x": 3, "y": 2}),
    "wherever it stands": ("{x: 3, <<: *a}", {"x": 3, "y": 2}),
    "the earlier wins": ("{<<: [{x: 5}, *a]}", {"x": 5, "y": 2}),
    "of none": ("{<<: [], z: 1}", {"z": 1}),
    "quoted, a key as any": ("{'<<': 1}", {"<<": 1}),
}


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize(("written", "meant"), MERGES.values(), ids=MERGES)
def test_merge_keys_are_written_out(written: str, meant: dict[str, object]) -> None:
    data = read_yaml_mapping(f"a: &a {{x: 1, y: 2}}\nb: {written}", None)
    assert data == {"a": {"x": 1, "y": 2}, "b": meant}
    assert read_yaml_mapping(write_yaml(data), None) == data


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n", "---\n", "---\n...\n", "~"])
def test_nothing_is_an_empty_mapping(text: str) -> None:
    assert read_yaml_mapping(text, None) == {}


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_newlines(newline: str) -> None:
    text = newline.join(["a: 1", "b: |", "  x", "  y", "c: 2", ""])
    assert read_yaml_mapping(text, None) == {"a": 1, "b": "x\ny\n", "c": 2}


def test_lines() -> None:
    found = parse_yaml_mapping("a: 1\nb:\n  - x\n  - {c: 1,\n     d: 2}\ne: &e\n  f: 1\ng: {<<: *e}\n", None, 10)
    places: list[tuple[tuple[str | int, ...], int]] = [
        ((), 10), (("a",), 10), (("b",), 11), (("b", 0), 12), (("b", 1), 13), (("b", 1, "d"), 14), (("e", "f"), 16),
        (("g", "f"), 16), (("b", 7), 11), (("b", 1, "nope"), 13), (("nope",), 10), (("a", "deeper"), 10),
    ]  # fmt: skip
    assert [found.line(*place) for place, _ in places] == [line for _, line in places]
    assert parse_yaml("", None, 5).line("a") == 5


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize("character", ["\x85", "\u2028", "\u2029", "\ufeff"], ids=ascii)
def test_what_ends_no_line_is_a_character_like_others(character: str) -> None:
    """The parsers know YAML 1.1, in which a value could go on as a key of its own."""
    c = character
    text = f"{c}a{c}: x{c}y\n# {c}\nb: |\n  x{c}\n  {c}y\nc: 'x{c}y'\nd: \"x{c}\\uE000\\ue001\"\n"
    text += f"e: [x{c}, \ue002]\nf: &n x{c}\n"
    data = {"b": f"x{c}\n{c}y\n", "c": f"x{c}y", "d": f"x{c}\ue000\ue001", "e": [f"x{c}", "\ue002"], "f": f"x{c}"}
    assert read_yaml_mapping(f"# {text}", None) == data
    assert read_yaml_mapping(f"z: 1\n{text}", None) == {"z": 1, f"{c}a{c}": f"x{c}y"} | data
    assert read_yaml_mapping(write_yaml(data), None) == data
    with pytest.raises(PromptFormatError, match=r"line 3: .* ': '"):
        read_yaml(f"a: x{c}\n# {c}\nb: y{c}c: z", None)


def test_every_private_character_may_be_there_as_long_as_none_is_needed() -> None:
    private = "".join(map(chr, range(0xE000, 0xF900)))
    assert read_yaml(f"a: {private}", None) == {"a": private}
    assert read_yaml(f"a: {private[:-1]}\x85", None) == {"a": f"{private[:-1]}\x85"}
    with pytest.raises(PromptFormatError, match=r"every private character stands beside '\\x85'; escape that"):
        read_yaml(f"a: {private}\x85", None)


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize(
    ("header", "meant"),
    [
        ("|", "x\n\ny \n"), ("|-", "x\n\ny "), ("|+", "x\n\ny \n\n\n"), ("|2", " x\n\n y \n"), ("|2-", " x\n\n y "),
        ("|+1", "  x\n\n  y \n\n\n"), ("|3 # c", "x\n\ny \n"), (">", "x\ny \n"), (">-", "x\ny "),
        (">+2", " x\n\n y \n\n\n"),
    ],
)  # fmt: skip
def test_block_scalars(header: str, meant: str, newline: str) -> None:
    text = newline.join([f"a: {header}", "   x", "", "   y ", "", "", "b: 1", ""])
    assert read_yaml_mapping(text, None) == {"a": meant, "b": 1}
    assert read_yaml_mapping(write_yaml({"a": meant}), None) == {"a": meant}


def bomb(letters: str) -> str:
    pairs = pairwise(letters)
    return "a: &a [1,1,1,1,1,1,1,1,1]\n" + "".join(
        f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in pairs
    )


# name: (text, line of the text, what the error says)
FAULTS = {
    "unclosed list": ("a: 1\nb: [oops\nc: 2", 3, "in what begins on line 12"),
    "unclosed text": ('a: "x\nb: 1\n', 2, "in what begins on line 11"),
    "key twice": ("a: 1\nb: 2\na: 3", 3, "the key 'a' stands twice"),
    "key twice, deeper": ("a:\n  b: 1\n  b: 2", 3, "the key 'b' stands twice"),
    "key twice, quoted once": ("a: 1\n'a': 2", 2, "the key 'a' stands twice"),
    "key twice, number": ("1: 1\n1: 2", 2, "the key '1' stands twice"),
    "key twice in two merges": ("a: &a {}\nb:\n  <<: *a\n  <<: *a", 4, "the key '<<' stands twice"),
    "key is a list": ("a: 1\n? [b]\n: c", 2, "a key must be a text"),
    "key is an alias": ("a: &a [b]\n? *a\n: c", 2, "a key must be a text, not an alias"),
    "braces without quotes": ("a: 1\ntext: {{ x }}", 2, "as '{{ x }}'"),
    "colon without quotes": ("a: 1\ntext: Answer: yes", 2, "put a text in which ': ' stands into quotes"),
    "percent without quotes": ("a: 1\ntext: %x%", 2, "into quotes"),
    "star without quotes": ("a: 1\ntext: *x* is bold", 2, "into quotes"),
    "list": ("- a\n- b", 1, "not list"),
    "scalar": ("hello", 1, "not str"),
    "two documents": ("a: 1\n---\nb: 2", 2, "another document"),
    "a second document with nothing": ("a: 1\n---\n", 2, "another document"),
    "unknown alias": ("a: 1\nb: *c", 2, "undefined alias"),
    "many aliases": (f"a: &a 1\nb: [{', '.join(['*a'] * (MAX_ALIASES + 1))}]", 2, "more than 100 aliases"),
    "alias bomb": (bomb("abcdefgh"), 6, "aliases write out more than 100000 nodes"),
    "merge bomb": ("a: &a {" + ", ".join(f"k{n}: 1" for n in range(2000)) + "}\n" + "\n".join(
        f"b{n}:\n  <<: *a" for n in range(60)
    ), 51, "aliases write out more than 100000 nodes"),
    "merge of a text": ("a: {<<: x}", 1, "takes a mapping"),
    "merge of texts": ("a: {<<: [x]}", 1, "takes a mapping"),
    "holds itself": ("a: &a [*a]", 1, "stands inside of what it names"),
    "holds itself in a merge": ("a: &a {b: {<<: *a}}", 1, "stands inside of what it names"),
    "control character": ("a: 1\nb: \x00", 2, "U+0000"),
    "control character after others": ("a: 🚀é\r\nb: \x07", 2, "U+0007"),
    "surrogate": ("a: 1\nb: \ud800", 2, "U+D800"),
    "surrogate by an escape": ('a: 1\nb: "\\ud800"', 2, ""),
    "surrogates by escapes": ('a: 1\nb: "\\ud83d\\ude80"', 2, ""),
    "python object": ("a: 1\nb: !!python/object:os.system x", 2, "the tag '!!python/object:os.system'"),
    "python object with arguments": ("a: 1\nb: !!python/object/apply:os.system [x]", 2, "leave it out"),
    "python name": ("!!python/name:os.system ''", 1, "leave it out"),
    "long names": (f"{'k' * 1000}: 1\n{'k' * 1000}: 2", 2, "the key '" + "k" * 100 + "…' stands twice"),
    "own tag": ("a: !mine x", 1, "the tag '!mine'"),
    "bytes": ("a: !!binary aGk=", 1, "the tag '!!binary'"),
    "set": ("a: !!set {x}", 1, "the tag '!!set'"),
    "integer": ("a: !!int '3'", 1, "the tag '!!int'"),
    "key with a tag": ("!!int 1: x", 1, "the tag '!!int'"),
    "a list that says text": ("a: !!str [x]", 1, "the tag '!!str'"),
    "character that is none": ('a: 1\nb: "\\U00110000"', 2, "not valid YAML"),
    "endless version": ("%YAML 1." + "9" * 5000 + "\n---\na: 1", 1, "not valid YAML"),
    "nothing after an opening": ("a: 1\nb: [\n\n\n", 2, "not valid YAML"),
    "endless number": ("a: 1\nb: " + "9" * 5000, 2, "no number is as large as '999999999999...9999999999999'"),
    "large number": ("a: 1\nb: -1e999", 2, "no number is as large as '-1e999'"),
    "too deep": ("a: " + "[" * 5000, 1, "nested too deeply"),
    "too deep by indentation": ("- " * 5000, 1, "nested too deeply"),
    "too deep by aliases": ("a: &a0 " + "[" * 99 + "]" * 99 + "\n" + "\n".join(
        f"b{n}: &a{n + 1} [[[*a{n}]]]" for n in range(50)
    ), 35, "nested too deeply"),
}  # fmt: skip


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize(("text", "line", "reason"), FAULTS.values(), ids=FAULTS)
def test_faults_name_file_and_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(PromptFormatError) as caught:
        read_yaml_mapping(text, "some.yaml", 11)
    assert str(caught.value).startswith(f"some.yaml: line {line + 10}: ")
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_as_deep_as_is_allowed() -> None:
    text = "a: " + "[" * (MAX_DEPTH - 1) + "]" * (MAX_DEPTH - 1)
    assert read_yaml_mapping(write_yaml(read_yaml_mapping(text, None)), None) == read_yaml_mapping(text, None)


@pytest.mark.usefixtures("parser")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])  # which parser it is, is the same for all
@given(data=objects())
def test_what_is_written_is_read(data: dict[str, object]) -> None:
    text = write_yaml(data)
    assert read_yaml_mapping(text, None) == data
    assert read_yaml_mapping(text, None, numbers=()) == data


@given(data=objects())
def test_other_readers_of_yaml_1_1_read_the_same(data: dict[str, object]) -> None:
    assert yaml.safe_load(write_yaml(data)) == data


@given(pieces=st.lists(st.sampled_from(list("ab:-?[]{},&*!|>'\"%@#~<.0123eE \n")), max_size=25))
def test_both_parsers_read_the_same_or_refuse(pieces: list[str]) -> None:
    text, found = "".join(pieces), []
    for name in ("CSafeLoader", "SafeLoader"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(yaml_nodes, "_Parser", getattr(yaml, name))
            with suppress(PromptFormatError):
                found.append(read_yaml(text, None))
    assert len(found) < 2 or found[0] == found[1]


@given(key=texts(3), value=json_data() | texts(6))
def test_keys_and_long_texts_too(key: str, value: object) -> None:
    assert read_yaml_mapping(write_yaml({key: [{"in": value}], "after": value}), None) == {
        key: [{"in": value}],
        "after": value,
    } | ({"after": value} if key == "after" else {})


@pytest.mark.usefixtures("parser")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])  # which parser it is, is the same for all
@given(text=st.text(max_size=40) | st.text("ab:-?[]{},&*!|>'\"%@#<\\uUxE10 \n\t\r\x85\u2028\ufeff\ue000", max_size=40))
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
