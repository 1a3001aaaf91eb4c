"""The documented prompt helper, row by row: `format_prompt`."""

import copy
import inspect
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from prompt_adapters import format_prompt
from rows import Check, Rows

ROWS = Rows()


def loop(prompt_template: Any, args: Any) -> Any:
    """The loop as it is documented."""
    prompt = copy.deepcopy(prompt_template)

    for message_id, message in enumerate(prompt):
        for field, text in message.items():
            if isinstance(text, str):
                for key, value in args.items():
                    prompt[message_id][field] = prompt[message_id][field].replace(f"{{{key}}}", str(value))

    return prompt


def user(content: Any) -> list[dict[str, Any]]:
    return [{"role": "user", "content": content}]


def formatted(template: Any, args: Any, expected: Any, folder: Path) -> None:
    before = copy.deepcopy(template)
    assert format_prompt(template, args) == expected == loop(template, args)
    assert template == before


SEVERAL = [{"role": "system", "content": "Be {tone}."}, {"role": "user", "content": "{q} {tone}"}]
FORMATTED: dict[str, tuple[Any, Any, Any]] = {
    "S2-02": (user("Hello, {name}!"), {"name": "Alice"}, user("Hello, Alice!")),
    "S2-03": (
        SEVERAL,
        {"tone": "brief", "q": "Why?"},
        [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Why? brief"}],
    ),
    "S2-04": (
        [{"role": "user", "content": "x", "name": "{n}"}],
        {"n": "bob"},
        [{"role": "user", "content": "x", "name": "bob"}],
    ),
    "S2-05": ([{"role": "{r}", "content": "x"}], {"r": "system"}, [{"role": "system", "content": "x"}]),
    "S2-06": (user("{a}{a}"), {"a": "x"}, user("xx")),
    "S2-07": (user("{a} {b} {c} {d}"), {"a": 1, "b": None, "c": True, "d": 1.5}, user("1 None True 1.5")),
    "S2-10": (user(123456), {"name": "Alice"}, user(123456)),
    "S2-11": (user([1, "asdf", "{name}"]), {"name": "Alice"}, user([1, "asdf", "{name}"])),
    "S2-12": (user("{name}"), {"gender": "male"}, user("{name}")),
    "S2-13": (user("Hi"), {"zz": 1}, user("Hi")),
    "S2-14": (user("{ name } {n:.2f} {n!r}"), {"name": "A", "n": 1.5}, user("{ name } {n:.2f} {n!r}")),
    "S2-15": (user('{"k": "{v}"}'), {"v": 1}, user('{"k": "1"}')),
    "S2-16": (user("{{name}}"), {"name": "A"}, user("{A}")),
    "S2-17": (user("{1}"), {1: "one"}, user("one")),
    "S2-18": (user("{a.b} {x|y}"), {"a.b": 1, "x|y": 2}, user("1 2")),
    "S2-19": ([{"{k}": "{k}"}], {"k": "v"}, [{"{k}": "v"}]),
    "S2-20, no template": ([], {"a": 1}, []),
    "S2-20, no args": (user("{a}"), {}, user("{a}")),
    "S2-22": (user("{a} {b}"), {"a": "{b}", "b": "Z"}, user("Z Z")),
    "S2-23": (user("{a} {b}"), {"b": "Z", "a": "{b}"}, user("{b} Z")),
}
ROWS |= {name: partial(formatted, *row) for name, row in FORMATTED.items()}


@ROWS.row("S2-01")
def _(folder: Path) -> None:
    parameters = inspect.signature(format_prompt).parameters
    assert list(parameters)[:2] == ["prompt_template", "args"]
    assert all(p.kind is p.KEYWORD_ONLY and p.default is False for p in list(parameters.values())[2:])
    assert format_prompt(prompt_template=user("{a}"), args={"a": "b"}) == user("b")
    assert type(format_prompt(user("{a}"), {})) is list


@ROWS.row("S2-08")
def _(folder: Path) -> None:
    template = [*SEVERAL, *user(["{tone}", {"tone": "{tone}"}])]
    before = copy.deepcopy(template)
    for options in ({}, {"nested": True}, {"single_pass": True}, {"nested": True, "single_pass": True}):
        format_prompt(template, {"tone": "x", "q": "y"}, **options)
        assert template == before


@ROWS.row("S2-09")
def _(folder: Path) -> None:
    template = user(["a", {"b": []}])
    result = format_prompt(template, {})
    assert result is not template
    assert result[0] is not template[0]
    assert result[0]["content"] is not template[0]["content"]
    assert result[0]["content"][1]["b"] is not template[0]["content"][1]["b"]


@ROWS.row("S2-21")
def _(folder: Path) -> None:
    template: list[dict[str, Any]] = [{"b": "{x}", "a": 1, "c": "{y}"}, {}, {"role": "{x}", "content": None}]
    result = format_prompt(template, {"y": 1, "x": 2})
    assert [list(message.items()) for message in result] == [
        [("b", "2"), ("a", 1), ("c", "1")],
        [],
        [("role", "2"), ("content", None)],
    ]


@ROWS.row("S2-22, in a single pass")
@ROWS.row("S2-23, in a single pass")
def _(folder: Path) -> None:
    for args in ({"a": "{b}", "b": "Z"}, {"b": "Z", "a": "{b}"}):
        assert format_prompt(user("{a} {b}"), args, single_pass=True) == user("{b} Z")


@ROWS.row("S2-24")
def _(folder: Path) -> None:
    from langchain_core.messages import HumanMessage, convert_to_messages

    assert convert_to_messages(format_prompt(user("Hello, {name}!"), {"name": "Alice"})) == [
        HumanMessage("Hello, Alice!")
    ]


@ROWS.row("S2-25")
def _(folder: Path) -> None:
    template = user([{"type": "text", "text": "{n}"}])
    assert format_prompt(template, {"n": "x"}, nested=True) == user([{"type": "text", "text": "x"}])
    assert format_prompt(template, {"n": "x"}) == template


@ROWS.row("S2-26")
def _(folder: Path) -> None:
    with pytest.raises(TypeError, match="args must be a mapping of placeholder names to values, not NoneType"):
        format_prompt(user("x"), None)  # type: ignore[arg-type]  # the point of the row
    with pytest.raises(TypeError, match="message 1 is str, not a dictionary"):
        format_prompt([{}, "x"], {})  # type: ignore[list-item]  # the point of the row


@ROWS.parametrize()
def test_row(check: Check, tmp_path: Path) -> None:
    check(tmp_path)
