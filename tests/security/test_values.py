"""Values of every odd kind: the text that an author would expect, or one clear error, in every syntax and face."""

from __future__ import annotations

import collections
import datetime
import decimal
import enum
import io
import pathlib
import sys
import types
import uuid
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import Mock, NonCallableMock

import pytest

from prompt_adapters import (
    FewShot,
    History,
    Image,
    Message,
    Prompt,
    SimplePrompt,
    TextPromptAdapter,
    ToolCall,
    format_prompt,
    get_adapter,
)
from prompt_adapters.errors import PromptAdapterError, PromptFormatError, TemplateError, TemplateLimitError
from prompt_adapters.langchain import AdapterPromptTemplate, AdapterRunnable, AdapterStringPromptTemplate
from prompt_adapters.langchain.short import shortened
from prompt_adapters.litellm import LiteLLMBridge
from prompt_adapters.templates import SYNTAXES, TemplateLimits
from strategies import SLOTS


class Html:
    def __html__(self) -> str:
        return "<script>"

    def __str__(self) -> str:
        return "plain"


class Pretends:
    """An object that says that it is of another class."""

    def __init__(self, kind: type) -> None:
        object.__setattr__(self, "kind", kind)

    @property  # type: ignore[misc]  # the point of the class
    def __class__(self) -> Any:
        return object.__getattribute__(self, "kind")

    def __str__(self) -> str:
        return "pretended"


class Word(str):
    """A text whose every method says something else."""

    __slots__ = ()

    def __str__(self) -> str:
        return "other"

    def __format__(self, spec: str) -> str:
        return "other"

    def __len__(self) -> int:
        return 0

    def __iter__(self) -> Iterator[str]:
        return iter("other")

    def __add__(self, other: str) -> str:
        return "other"

    def replace(self, *args: Any) -> str:
        return "other"


class Fails:
    def __str__(self) -> str:
        raise RuntimeError("no text\ntoday")


class FailsWhenAsked:
    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(f"no {name}")

    def __str__(self) -> str:
        return "asked"


class NoText:
    def __str__(self) -> Any:
        return 3


class Endless(collections.abc.Sequence[int]):
    def __len__(self) -> int:
        return 3

    def __getitem__(self, index: Any) -> Any:
        return index


class Colour(enum.Enum):
    RED = "r"


def ring() -> list[Any]:
    items: list[Any] = []
    items.append(items)
    return items


def ring_of_dicts() -> dict[str, Any]:
    data: dict[str, Any] = {}
    data["a"] = data
    return data


def deep(levels: int) -> Any:
    value: Any = "x"
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


def laughs() -> Any:
    value: Any = "x"
    for _ in range(40):
        value = [value, value]
    return value


TEXTS: dict[str, tuple[Any, str]] = {
    "html": (Html(), "plain"),
    "str subclass": (Word("real"), "real"),
    "pretended str": (Pretends(str), "pretended"),
    "UserString": (collections.UserString("text"), "text"),
    "UserDict": (collections.UserDict(a=1), '{"a": 1}'),
    "Counter": (collections.Counter("aab"), '{"a": 2, "b": 1}'),
    "ChainMap": (collections.ChainMap({"a": 1}), '{"a": 1}'),
    "mapping proxy": (types.MappingProxyType({"a": 1}), '{"a": 1}'),
    "SimpleNamespace": (types.SimpleNamespace(a=1), '{"a": 1}'),
    "None in a list": ([None], "[null]"),
    "None as a key": ({None: 1}, '{"null": 1}'),
    "empty list": ([], "[]"),
    "nested": ({"a": [{"b": ("c", 1.5, True)}]}, '{"a": [{"b": ["c", 1.5, true]}]}'),
    "30 levels": (deep(30), '[{"a": ' * 15 + '"x"' + "}]" * 15),
    "zero": ("a\0b", "a\0b"),
    "bidirectional": ("\u202ea\u2069", "\u202ea\u2069"),
    "bidirectional in a list": (["\u202e"], '["\u202e"]'),
    "nan": (float("nan"), "nan"),
    "nan in a list": ([float("nan")], "[NaN]"),
    "infinity": (float("-inf"), "-inf"),
    "large number": (10**4000, "1" + "0" * 4000),
    "datetime": (datetime.datetime(2026, 1, 2, 3), "2026-01-02 03:00:00"),
    "date in a list": ([datetime.date(2026, 1, 2)], '["2026-01-02"]'),
    "timedelta": (datetime.timedelta(days=1), "1 day, 0:00:00"),
    "Decimal": (decimal.Decimal("1.10"), "1.10"),
    "Decimal in a dict": ({"a": decimal.Decimal("1.10")}, '{"a": "1.10"}'),
    "giant Decimal": (decimal.Decimal("1e999999999"), "1E+999999999"),
    "UUID": (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    "Enum": (Colour.RED, "Colour.RED"),
    "Enum in a list": ([Colour.RED], '["Colour.RED"]'),
    "path": (pathlib.PurePosixPath("/etc/passwd"), "/etc/passwd"),
    "set": ({2, 1}, "[1, 2]"),
    "error": (ValueError("text"), "text"),
    "100 MB": ("x" * 100_000_000, "x" * 100_000_000),
}

ERRORS: dict[str, tuple[Any, str]] = {
    "function": (print, "'print' is a function or class"),
    "lambda": (lambda: 1, "is a function or class"),
    "class": (int, "'int' is a function or class"),
    "generator": ((n for n in [1]), "can be read only once; give a list"),
    "file": (io.StringIO("x"), "is no text"),
    "bytes": (b"x", "bytes is no text"),
    "bytes in a list": ([b"x"], "bytes is no text"),
    "mixed set": ({1, "a"}, "cannot be sorted"),
    "complex": (1j, "complex has no text"),
    "module": (sys, "module has no text"),
    "frame": (sys._getframe(), "frame has no text"),
    "not implemented": (NotImplemented, "has no text"),
    "failing text": (Fails(), "cannot be turned into text: no text today"),
    "failing text in a list": ([Fails()], "cannot be turned into text"),
    "failing attributes": (FailsWhenAsked(), "cannot be read: RuntimeError: no as_data_url"),
    "no text": (NoText(), "cannot be turned into text"),
    "ring": (ring(), "is nested too deeply, or holds itself"),
    "ring of dicts": (ring_of_dicts(), "is nested too deeply, or holds itself"),
    "5,000 levels": (deep(5000), "is nested too deeply, or holds itself"),
    "billion laughs": (laughs(), "a value has more than 300000 items"),
    "endless": (Endless(), "a value has more than 300000 items"),
    "giant range": (range(10**12), "a value has more than 300000 items"),
    "range beyond counting": (range(10**30), "a value has more than 300000 items"),
    "half a pair": ("a\ud800", "holds U\\+D800"),
    "half a pair in a list": (["\ud800"], "holds U\\+D800"),
    "half a pair in a key": ({"\ud800": 1}, "holds U\\+D800"),
    "giant number": (10**5000, "a whole number cannot be written as text"),
    "giant number in a list": ([10**5000], "cannot be written as JSON"),
    "tuple as a key": ({(1, 2): 1}, "cannot be written as JSON: keys must be"),
    "message": (Message("system", "x"), "Message is no part"),
    "messages": ([Message("system", "x")], "Message is no part"),
    "prompt": (Prompt(user="x"), "Prompt is no part"),
    "pretended Image": (Pretends(Image), "is no part"),
    "pretended Message": (Pretends(Message), "is no part"),
    "mock": (Mock(), "cannot be read: TypeError"),
    "mock of a str": (NonCallableMock(spec=str), "has no text"),
    "mock of an Image": (NonCallableMock(spec=Image), "is no part|has no text"),
    "None": (None, "missing variable 'x'"),
}

TEMPLATES = {syntax: f"[{SLOTS[syntax].format('x')}]" for syntax in SYNTAXES if syntax != "none"}
TEMPLATES["jinja with logic"] = "{% if true %}[{{ x }}]{% endif %}"


def rendered(name: str, value: Any) -> str:
    return Prompt(user=TEMPLATES[name], syntax=name.partition(" ")[0]).render(x=value)[0].text


@pytest.mark.parametrize("name", TEMPLATES)
@pytest.mark.parametrize(("value", "text"), TEXTS.values(), ids=TEXTS)
def test_the_text_that_is_expected(value: Any, text: str, name: str) -> None:
    assert rendered(name, value) == f"[{text}]"


@pytest.mark.parametrize("name", TEMPLATES)
@pytest.mark.parametrize(("value", "message"), ERRORS.values(), ids=ERRORS)
def test_or_a_clear_error(value: Any, message: str, name: str) -> None:
    with pytest.raises(TemplateError, match=message) as caught:
        rendered(name, value)
    assert "'x'" in str(caught.value) or "line 1" in str(caught.value)
    assert "\n" not in str(caught.value)


# The faces

JINJA = Prompt(user="[{{ x }}]")
PICTURE = Prompt(user=["see", {"type": "image", "variable": "x"}])
FIRST = Prompt(user=["see", {"type": "image", "variable": "x", "index": 0}])
CHAT = Prompt(messages=[History("x"), ("user", "q")])
EXAMPLES = Prompt(user="{{ x }}", few_shot=FewShot([("a", "b")]))
LANGCHAIN = AdapterPromptTemplate.from_prompt(JINJA)
BLOCKS = AdapterPromptTemplate.from_messages(
    [("user", [{"type": "text", "text": "[{x}]"}, {"type": "image_url", "image_url": {"url": "{x}"}}])],
    template_format="f-string",
)
TEXT = AdapterStringPromptTemplate.from_template("[{x}]", template_format="f-string")
RUNNABLE = AdapterRunnable("google_style", prompt=JINJA)
BRIDGE = LiteLLMBridge(model="gpt-4o")
SIMPLE = SimplePrompt.from_string("$user$\n[%x%]")
SAVED = TextPromptAdapter().set_user_prompt("[{{ x }}]").adapt().to_prompt()

FACES: dict[str, Callable[[Any], object]] = {
    "request": lambda value: get_adapter("openai_style").build_request(JINJA, x=value),
    "body": lambda value: get_adapter("google_style").build_body(EXAMPLES, x=value),
    "payload": lambda value: get_adapter("openai_style").build_payload(JINJA, x=value),
    "picture": lambda value: PICTURE.render(x=value),
    "first picture": lambda value: FIRST.render(x=value),
    "render_blocks": lambda value: PICTURE.render_blocks(x=value),
    "history": lambda value: CHAT.render(x=value),
    "message of a history": lambda value: CHAT.render(x=[value]),
    "content in a history": lambda value: CHAT.render(x=[{"role": "user", "content": value}]),
    "pair in a history": lambda value: CHAT.render(x=[("user", value)]),
    "LangChain": lambda value: LANGCHAIN.invoke({"x": value}),
    "LangChain blocks": lambda value: BLOCKS.invoke({"x": value}),
    "LangChain text": lambda value: TEXT.invoke({"x": value}),
    "LangChain runnable": lambda value: RUNNABLE.invoke({"x": value}),
    "LiteLLM": lambda value: BRIDGE.request(JINJA, {"x": value}),
    "SimplePrompt": lambda value: SIMPLE.build_messages(x=value),
    "TextPromptAdapter": lambda value: SAVED.render(x=value),
    "format_prompt": lambda value: format_prompt([{"role": "user", "content": "{x}"}], {"x": value}, single_pass=True),
    "arguments of a call": lambda value: ToolCall("1", "f", {"a": value}),
}
# Whose own work on such values is no concern of this package, or is the point of another test.
LEFT_OUT = {
    ("LangChain blocks", "endless"),
    ("format_prompt", "billion laughs"),
    ("arguments of a call", "billion laughs"),
}


@pytest.mark.parametrize("face", FACES)
def test_the_faces_give_no_other_errors(face: str) -> None:
    for name, (value, _) in (TEXTS | ERRORS).items():
        if (face, name) in LEFT_OUT or name == "100 MB":
            continue
        message = ""
        try:
            FACES[face](value)
        except PromptAdapterError as error:
            message = str(error)
        assert "\n" not in message, name


# What a template may use of values


@pytest.mark.parametrize(
    ("template", "value", "text"),
    [
        ("{{ x.name }} {{ x.value }}", Colour.RED, "RED r"),
        ("{{ x.name }} {{ x.suffix }}", pathlib.PurePosixPath("a/b.txt"), "b.txt .txt"),
        ("{{ x.a }} {{ x['a'] }}", types.SimpleNamespace(a=1), "1 1"),
        ("{{ x.year }} {{ x.strftime('%d') }}", datetime.date(2026, 1, 2), "2026 02"),
        ("{{ x + 1 }} {{ x > 1 }} {{ x | round(1) }}", decimal.Decimal("1.25"), "2.25 True 1.2"),
        (
            "{{ x | upper }} {{ '%s' % x }} {{ '{}'.format(x) }} {{ x ~ '' }}",
            {"a": 1},
            '{"A": 1} {"a": 1} {"a": 1} {"a": 1}',
        ),
        ("{{ x | upper }} {{ '%s' % x }} {{ '{:>6}'.format(x) }}", Html(), "PLAIN plain  plain"),
        ("{{ x == y }} {{ x in [y] }} {{ [x, y] | unique | list | length }}", Colour.RED, "True True 1"),
        ("{{ 'a' if x }}{{ 'b' if x is defined }}{{ 'c' if x is string }}", Html(), "ab"),
    ],
)
def test_what_can_be_reached(template: str, value: Any, text: str) -> None:
    assert Prompt(user=template).render_messages({"x": value, "y": value}, extra="ignore")[0].text == text


@pytest.mark.parametrize("name", ["jinja", "plain"])
def test_limits_of_values_can_be_set(name: str) -> None:
    prompt = Prompt(user="[{{ x }}][{{ x }}]", syntax=name)
    for limits, value, limit in [
        (TemplateLimits(items=3), [1, 2, 3, 4], "items"),
        (TemplateLimits(text=10), ["a" * 20], "text"),
        (TemplateLimits(text=10), "a" * 20, "text"),
        (TemplateLimits(nesting=3), [[[["a"]]]], "nesting"),
    ]:
        with limits.applied(), pytest.raises(TemplateLimitError) as caught:
            prompt.render(x=value)
        assert caught.value.limit == limit
        assert prompt.render(x=value)[0].text


def test_traces_cut_what_goes_on_without_end() -> None:
    for value in (ring(), ring_of_dicts(), deep(5000), laughs()):
        assert "[…]" in repr(shortened(value))
    for value in (Pretends(dict), Pretends(str)):
        assert shortened(value) is value
    assert shortened({"a": [1, ("b", {"c": "d"})]}) == {"a": [1, ("b", {"c": "d"})]}


def test_lists_of_media_end() -> None:
    with pytest.raises(PromptFormatError, match="stands in too many lists, or a list holds itself"):
        BLOCKS.invoke({"x": ring()})


def test_a_history_is_read_until_something_is_wrong_in_it() -> None:
    with pytest.raises(PromptFormatError, match="block 1 is int"):
        CHAT.render(x=[("user", Endless())])
    with pytest.raises(PromptFormatError, match="history 'x' cannot be read: RuntimeError: no as_data_url"):
        CHAT.render(x=[("user", FailsWhenAsked())])


def test_format_prompt_names_the_key_of_what_has_no_text() -> None:
    with pytest.raises(TemplateError, match="the value of 'x' cannot be turned into text: no text today"):
        format_prompt([{"role": "user", "content": "{x}"}], {"x": Fails()}, single_pass=True)


def test_deep_arguments_of_a_call_are_refused() -> None:
    with pytest.raises(PromptFormatError, match="not plain JSON data"):
        ToolCall("1", "f", {"a": deep(5000)})
