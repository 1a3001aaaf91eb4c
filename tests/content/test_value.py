import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Document, Image, Text, ToolCall, ToolResult, Video
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.content.value import Value, rendering
from prompt_adapters.errors import MediaReadError, PromptFormatError, TemplateError

SECRET = b"\x89PNG\r\n\x1a\n" + b"SECRETBYTES" * 40
PNG = Inline(SECRET, "image/png", declared="image/jpeg")
IMAGE = Image(PNG, detail="low")

VALUES: list[Value] = [
    PNG,
    Link("https://example.com/a.png", "image/png"),
    Uploaded("file-1", "application/pdf"),
    Text("hello", cache=True),
    IMAGE,
    Video(Link("https://example.com/a.mp4"), start=1, end=2.5, fps=2),
    Document(b"some text", name="a.txt", title="A"),
    ToolCall("1", "add", {"b": [1, None, True], "a": 1.5}),
    ToolResult("1", ["4", IMAGE], name="add", error=True),
    Message("user", ["Look:", IMAGE], name="Ann", cache=True),
]


def kind(value: object) -> str:
    return type(value).__name__


@pytest.mark.parametrize("value", VALUES, ids=kind)
def test_copies_and_pickles_are_equal_and_carry_everything(value: Value) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        twin = pickle.loads(pickle.dumps(value, protocol))
        assert twin == value
        assert hash(twin) == hash(value)
        assert all(getattr(twin, name) == getattr(value, name) for name in value._stored())
    assert copy.copy(value) is value
    assert copy.deepcopy([value])[0] is value


@pytest.mark.parametrize("value", VALUES, ids=kind)
def test_is_frozen_and_has_no_dict(value: Value) -> None:
    name = value._stored()[0]
    with pytest.raises(AttributeError, match="frozen"):
        setattr(value, name, None)
    with pytest.raises(AttributeError, match="frozen"):
        delattr(value, name)
    with pytest.raises(AttributeError):
        value.new = 1
    assert not hasattr(value, "__dict__")


@pytest.mark.parametrize("value", VALUES, ids=kind)
def test_differs_from_another_class_and_from_another_content(value: Value) -> None:
    assert value != "hello"
    assert len({*VALUES, value}) == len(VALUES)


@pytest.mark.parametrize("to_text", [str, repr, format, lambda value: f"{value:>300}", "{!r}".format, "%s".__mod__])
@pytest.mark.parametrize("value", VALUES, ids=kind)
def test_text_is_short_and_never_the_bytes(value: Value, to_text: Callable[[Value], str]) -> None:
    text = to_text(value)
    assert "SECRET" not in text
    assert "U0VDUk" not in text  # its base64
    assert len(text) <= 300


@pytest.mark.parametrize("to_text", [str, repr, format, "{:>9}".format, "{!r}".format, "%r".__mod__, "a{}".format])
@pytest.mark.parametrize("value", VALUES, ids=kind)
def test_text_while_rendering_is_an_error_with_a_remedy(value: Value, to_text: Callable[[Value], str]) -> None:
    with rendering(), pytest.raises(TemplateError, match="let it stand alone in its own slot"):
        to_text(value)
    assert to_text(value)


def test_rendering_ends_also_when_it_fails() -> None:
    with pytest.raises(RuntimeError), rendering():
        raise RuntimeError
    assert str(IMAGE)


def test_carried_fields_are_no_part_of_equality() -> None:
    assert Inline(SECRET, "image/png") == PNG
    assert hash(Inline(SECRET, "image/png")) == hash(PNG)


@pytest.mark.parametrize(
    ("value", "changes", "expected"),
    [
        (Text("a"), {"text": "b"}, Text("b")),
        (IMAGE, {"detail": "high"}, Image(PNG, detail="high")),
        (IMAGE, {"source": "https://example.com/x.png"}, Image("https://example.com/x.png", detail="low")),
        (Message("user", "a"), {"parts": ["a", IMAGE]}, Message("user", ["a", IMAGE])),
        (Message("user", "a"), {"parts": "b"}, Message("user", "b")),
        (ToolResult("1", "a"), {"parts": ["b"]}, ToolResult("1", "b")),
        (ToolCall("1", "f", {"a": 1}), {"arguments": {"b": 2}}, ToolCall("1", "f", {"b": 2})),
        (ToolCall("1", "f", {"a": 1}), {"id": "2"}, ToolCall("2", "f", {"a": 1})),
        (Link("https://a.example/x"), {"url": "HTTPS://b.example/y"}, Link("https://b.example/y")),
    ],
    ids=lambda value: kind(value) if isinstance(value, Value) else None,
)
def test_replace_keeps_fields_as_the_constructor_does(value: Value, changes: dict[str, Any], expected: Value) -> None:
    changed = value.replace(**changes)
    assert changed == expected
    assert hash(changed) == hash(expected)
    assert value != changed


@pytest.mark.parametrize(
    ("value", "changes", "error"),
    [
        (Text("a"), {"txt": "b"}, TypeError),
        (Text("a"), {"text": 1}, TypeError),
        (Text("a"), {"arguments": {}}, TypeError),
        (IMAGE, {"detail": "huge"}, PromptFormatError),
        (IMAGE, {"source": Inline(b"%PDF-1.4", "application/pdf")}, MediaReadError),
        (Message("user"), {"role": "boss"}, PromptFormatError),
        (Message("user"), {"parts": [1]}, PromptFormatError),
        (ToolResult("1"), {"parts": [ToolCall("1", "f")]}, PromptFormatError),
        (ToolCall("1", "f"), {"arguments": {"a": float("nan")}}, PromptFormatError),
        (ToolCall("1", "f"), {"id": ""}, PromptFormatError),
        (Link("https://a.example/x"), {"url": "ftp://a.example"}, MediaReadError),
        (PNG, {"data": bytearray(b"x")}, TypeError),
        (PNG, {"data": b""}, MediaReadError),
    ],
    ids=lambda value: kind(value) if isinstance(value, Value) else None,
)
def test_replace_refuses_what_the_constructor_refuses(
    value: Value, changes: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        value.replace(**changes)


@given(st.text(), st.booleans())
def test_equal_fields_are_equal_values(text: str, cache: bool) -> None:
    assert Text(text, cache=cache) == Text(text, cache=cache)
    assert Text(text, cache=cache) != Text(text + "x", cache=cache)


def test_serializers_of_tracers_print_the_short_form() -> None:
    from langsmith._internal._serde import dumps_json

    traced = dumps_json({"inputs": {"message": VALUES[-1], "image": IMAGE, "parts": (IMAGE,), "sources": {PNG}}})
    assert b"SECRET" not in traced
    assert b"U0VDUk" not in traced
    assert json.dumps([IMAGE], default=str).count("SECRET") == 0


def test_langchain_dumps_prints_the_short_form() -> None:
    from langchain_core.load import dumps

    text = dumps({"image": IMAGE, "message": VALUES[-1]})
    assert "SECRET" not in text
    assert "U0VDUk" not in text
