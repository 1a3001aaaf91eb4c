"""f-string templates whose slots say how a value is written."""

from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompt_adapters.content.parts import Image, Text
from prompt_adapters.errors import MissingVariableError, TemplateError
from prompt_adapters.templates import Slot, compile_template
from prompt_adapters.templates.formatted import MAX_WIDTH
from prompt_adapters.templates.template import Construct
from strategies import PNG


class Colour(Enum):
    RED = 1


# Python's format is the measure.
SAME: dict[str, Any] = {
    "{x:>10}|": "a",
    "{x:<5}|{x:^7}|{x:*^7}": "abc",
    "{x!r} {x!a} {x!s:>6} {x!r:>9}": "é'{y}",
    "{x:.2f} {x:e} {x:+} {x:08.3f}": 3.14159,
    "{x:05d} {x:,} {x:x} {x:b} {x:c}": 97,
    "{x:.1%}": Decimal("0.256"),
    "{x:%Y-%m-%d %H:%M}": datetime(2024, 1, 2, 3, 4),
    "{x:%d.%m.}": date(2024, 1, 2),
    "{x:%H}": time(5),
    "{x:>6} {x}": True,
    "{x:>12}": Colour.RED,
    "{x!r} {x!s}": [1, "x", {"k": None}],
    "{x:}": "a",
    "{{{x:>3}}} {{x:>3}}": 1,
}


@pytest.mark.parametrize(("text", "value"), SAME.items(), ids=SAME)
def test_it_is_what_python_gives(text: str, value: Any) -> None:
    assert compile_template(text, "f-string").render({"x": value}) == (Text(text.format(x=value)),)


@given(
    st.text(max_size=5, alphabet=st.characters(exclude_categories=["Cs"])) | st.integers() | st.floats(),
    st.from_regex(r"\A(?:[^{}]?[<>^])?[+ -]?#?0?[0-9]{0,2},?(?:\.[0-9])?[bcdeEfFgGnosxX%]?\Z"),
    st.sampled_from(["", "!r", "!s", "!a"]),
)
def test_any_format_is_pythons_or_refused(value: Any, spec: str, conversion: str) -> None:
    text = f"a{{x{conversion}:{spec}}}b{{x!s}}"
    render: Callable[[], Any] = lambda: compile_template(text, "f-string").render({"x": value})  # noqa: E731 - one line
    try:
        expected = text.format(x=value)
        expected.encode()
    except (ValueError, OverflowError, TypeError):
        with pytest.raises((TemplateError, ValueError)):
            render()
    else:
        assert render() == (Text(expected),)


REFUSED: dict[str, tuple[str, Any, str]] = {
    "a code of another type": ("\n{x:d}", "a", "line 2: variable 'x' cannot be written as {x:d}: Unknown format code"),
    "media": ("{x:>3}", Image(PNG), "is no text, and has no format; write {x}"),
    "media in a list": ("{x!r}", [Image(PNG)], "variable 'x': Image(image/png"),
    "a list": ("{x:>3}", [1], "a value of type list has no format; write {x!s:>3}"),
    "an object": ("{x:>3}", Path("a"), "has no format; write {x!s:>3}"),
    "an object's own words": ("{x!r}", Path("a"), "of an object only the text can be written; write {x!s}"),
    "a function": ("{x!r}", len, "'len' is a function or class"),
}


@pytest.mark.parametrize(("text", "value", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_has_no_format_is_refused(text: str, value: Any, reason: str) -> None:
    with pytest.raises(TemplateError) as caught:
        compile_template(text, "f-string").render({"x": value})
    assert reason in str(caught.value)


def test_the_text_of_an_object_is_formatted() -> None:
    assert compile_template("{x!s:>5}", "f-string").render({"x": Path("a")}) == (Text("    a"),)


def test_media_stand_beside_it() -> None:
    photo = Image(PNG)
    made = compile_template("{n:>3} {x} {m!r}", "f-string").render({"n": 1, "x": [photo, "b"], "m": "c"})
    assert made == (Text("  1 "), photo, Text("b 'c'"))


def test_it_is_bounded() -> None:
    assert compile_template(f"{{x:{MAX_WIDTH}}}", "f-string").variables == (Slot("x", required=True),)
    for spec in (f">{MAX_WIDTH + 1}", f".{10**9}f", "1000000000000000"):
        with pytest.raises(TemplateError, match=f"asks for more than {MAX_WIDTH} characters"):
            compile_template(f"a\n{{x:{spec}}}", "f-string")


def test_a_missing_variable_is_named_and_an_absent_one_is_empty() -> None:
    template = compile_template("[{x:>3}]{y}", "f-string")
    assert template.variables == (Slot("x", required=True), Slot("y", required=True))
    with pytest.raises(MissingVariableError, match=r"'x'.*'y'"):
        template.render({})
    assert template.render({"y": "1"}, absent=["x"]) == (Text("[]1"),)


def test_what_is_more_than_a_slot_is_named() -> None:
    template = compile_template("{x}\n{y!r:>3}\r\n{x:>2}", "f-string")
    assert template.logic == (Construct("the format of {y!r:>3}", 2), Construct("the format of {x:>2}", 3))
    assert compile_template("{x} {{", "f-string").logic == ()
