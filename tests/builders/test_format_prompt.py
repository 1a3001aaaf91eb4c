"""`format_prompt`, against an independent transcription of the documented loop."""

import copy
from collections import OrderedDict
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompt_adapters import format_prompt
from prompt_adapters.errors import TemplateError


def documented(prompt_template: Any, args: Any) -> Any:
    """The documented loop, written anew: a deep copy, then every key in every text, one after the other."""
    result = copy.deepcopy(prompt_template)
    position = 0
    for message in result:
        for name in list(message):
            if not isinstance(message[name], str):
                continue
            for key in args:
                message[name] = str.replace(result[position][name], "{" + format(key) + "}", str(args[key]))
        position += 1
    return result


PIECES = (
    "{",
    "}",
    "{a}",
    "{b}",
    "{{a}}",
    "{a{b}}",
    "{}",
    "{1}",
    "{a.b}",
    "{x|y}",
    "{None}",
    "a",
    "b",
    "\n",
    "é",
    "$1",
    "\\1",
)
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=2), max_size=6).map("".join)
NAMES = st.sampled_from(["a", "b", "a{b}", "", "a.b", "x|y", "é"]) | st.text(max_size=3)
KEYS = NAMES | st.sampled_from([1, 2.5, None, True, ("a", 1)])
VALUES = TEXTS | st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.binary(max_size=3)
ARGS = st.dictionaries(KEYS, VALUES, max_size=5)
FIELDS = TEXTS | st.integers() | st.none() | st.lists(TEXTS, max_size=2) | st.dictionaries(TEXTS, TEXTS, max_size=2)
MESSAGES = st.dictionaries(st.sampled_from(["role", "content", "name", "{a}", 3]), FIELDS, max_size=3)


@st.composite
def templates(draw: st.DrawFn) -> list[Any]:
    """Lists of messages, in which one message may stand several times."""
    messages = draw(st.lists(MESSAGES, max_size=3))
    order = draw(st.lists(st.integers(0, len(messages) - 1), max_size=5)) if messages else []
    return [messages[number] for number in order]


def aliasing(value: list[Any]) -> list[int]:
    """Which messages of a list are the same object, as the place where each stands first."""
    places: dict[int, int] = {}
    return [places.setdefault(id(item), number) for number, item in enumerate(value)]


@given(template=templates(), args=ARGS)
def test_equals_the_documented_loop(template: list[Any], args: dict[Any, Any]) -> None:
    before = copy.deepcopy(template)
    result = format_prompt(template, args)
    assert result == documented(template, args)
    assert [list(message) for message in result] == [list(message) for message in template]
    assert aliasing(result) == aliasing(template)
    assert template == before


def mutable(message: dict[Any, Any]) -> list[Any]:
    return [value for value in message.values() if isinstance(value, dict | list)]


@given(template=templates(), args=ARGS)
def test_shares_nothing_mutable_with_the_template(template: list[Any], args: dict[Any, Any]) -> None:
    theirs = {
        id(value) for message in template for value in (message, *message.values()) if isinstance(value, dict | list)
    }
    for nested in (False, True):
        for single_pass in (False, True):
            try:
                result = format_prompt(template, args, nested=nested, single_pass=single_pass)
            except TemplateError:
                continue
            for message in result:
                assert id(message) not in theirs
                assert not theirs & set(map(id, mutable(message)))


@given(
    template=templates(),
    args=st.dictionaries(st.text(max_size=3) | st.sampled_from(["a", "b", "a{b}"]), VALUES),
    data=st.data(),
)
def test_single_pass_is_the_same_in_every_order(template: list[Any], args: dict[str, Any], data: st.DataObject) -> None:
    shuffled = dict(data.draw(st.permutations(list(args.items()))))
    assert format_prompt(template, args, single_pass=True) == format_prompt(template, shuffled, single_pass=True)


@given(template=templates(), args=ARGS)
def test_single_pass_equals_the_loop_where_no_value_holds_a_brace(template: list[Any], args: dict[Any, Any]) -> None:
    plain = {f"k{n}": str(value).replace("{", "(").replace("}", ")") for n, value in enumerate(args.values())}
    texts = [{"content": "".join(f"{{{key}}}-{message}" for key in plain)} for message in template]
    assert format_prompt(texts, plain, single_pass=True) == documented(texts, plain)


def test_single_pass_never_searches_a_value() -> None:
    message = {"role": "user", "content": "{a} {b}"}
    args = {"a": "{b}", "b": "{a}"}
    assert format_prompt([message], args)[0]["content"] == "{a} {a}"
    assert format_prompt([message], args, single_pass=True)[0]["content"] == "{b} {a}"
    assert format_prompt([message, message], args, single_pass=True)[1]["content"] == "{b} {a}"


def test_single_pass_takes_the_longer_placeholder() -> None:
    args = {"a": "short", "a}{b": "long"}
    for order in (args, dict(reversed(args.items()))):
        assert format_prompt([{"content": "{a}{b} {a}"}], order, single_pass=True) == [{"content": "long short"}]


def test_single_pass_refuses_keys_that_read_alike() -> None:
    template = [{"content": "{1}"}]
    assert format_prompt(template, {1: "a", "1": "b"}) == [{"content": "a"}]
    assert format_prompt(template, {1: "a", "1": "a"}, single_pass=True) == [{"content": "a"}]
    with pytest.raises(TemplateError, match=r"two keys read \{1\}"):
        format_prompt(template, {1: "a", "1": "b"}, single_pass=True)


@pytest.mark.parametrize("single_pass", [False, True])
def test_nested_reaches_into_lists_and_dictionaries(single_pass: bool) -> None:
    template = [{"content": [{"type": "text", "text": "{n}"}, ["{n}", ("{n}", 3)], {"{n}": "{n}"}], "{n}": 1}]
    before = copy.deepcopy(template)
    result = format_prompt(template, {"n": "X"}, nested=True, single_pass=single_pass)
    assert result == [{"content": [{"type": "text", "text": "X"}, ["X", ("X", 3)], {"{n}": "X"}], "{n}": 1}]
    assert template == before
    assert format_prompt(template, {"n": "X"}, single_pass=single_pass) == before


class Numbered(dict[str, Any]):
    """A dictionary of another class."""


@pytest.mark.parametrize(
    "args", [MappingProxyType({"a": 1}), OrderedDict(a=1), Numbered(a=1)], ids=["proxy", "ordered", "subclass"]
)
def test_any_mapping_gives_values(args: Mapping[str, Any]) -> None:
    assert format_prompt([{"content": "{a}"}], args) == [{"content": "1"}]


def test_other_classes_are_kept() -> None:
    template: Any = (Numbered(content="{a}"),)
    result: Any = format_prompt(template, {"a": 1})
    assert type(result) is tuple
    assert type(result[0]) is Numbered
    assert result[0] == {"content": "1"}


ERRORS: dict[str, tuple[Any, Any, str]] = {
    "no args": ([{"content": "x"}], None, "args must be a mapping of placeholder names to values, not NoneType"),
    "a list of args": ([{"content": "x"}], ["a"], "not list"),
    "a text": (["x"], {}, "message 0 is str, not a dictionary"),
    "second message": ([{}, 3], {}, "message 1 is int, not a dictionary"),
}


@pytest.mark.parametrize(("template", "args", "reason"), ERRORS.values(), ids=ERRORS)
@pytest.mark.parametrize("single_pass", [False, True])
def test_errors_say_what_is_wrong(template: Any, args: Any, reason: str, single_pass: bool) -> None:
    with pytest.raises(TypeError, match=reason):
        format_prompt(template, args, single_pass=single_pass)
