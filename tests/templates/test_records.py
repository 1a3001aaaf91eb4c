from __future__ import annotations

import dataclasses
import enum
import pathlib
import types
from typing import Any

import pydantic
import pytest

from prompt_adapters.templates.records import NO_DATA, Record, data_of, field_names


@dataclasses.dataclass
class Spot:
    x: int
    _hidden: int = 2

    def method(self) -> None:
        raise AssertionError("called")


class Line:
    """As attrs makes them."""

    __attrs_attrs__ = (types.SimpleNamespace(name="a"),)
    a = 1


class Model(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow")
    x: int = 1

    @pydantic.computed_field  # type: ignore[prop-decorator]  # as its documentation has it
    @property
    def double(self) -> int:
        return self.x * 2

    @property
    def other(self) -> int:
        raise AssertionError("called")


class Colour(enum.Enum):
    RED = 1


class Own:
    x = 1

    def __str__(self) -> str:
        return "own"


def record(value: Any) -> Record:
    return Record(value, lambda field: ("admitted", field), lambda shown: f"text of {type(shown).__name__}")


@pytest.mark.parametrize(
    ("value", "names"),
    [
        (Spot(1), ["x", "_hidden"]),
        (Line(), ["a"]),
        (Model.model_validate({"extra": 3}), ["x", "double", "extra"]),
        (types.SimpleNamespace(a=1), ["a"]),
        (Colour.RED, ["name", "value"]),
        (pathlib.PurePosixPath("a"), ["name", "stem", "suffix"]),
        (Own(), []),
    ],
)
def test_fields_are_what_classes_declare(value: Any, names: list[str]) -> None:
    assert list(field_names(value)) == names


def test_fields_are_admitted_and_nothing_else_is_read() -> None:
    assert record(Spot(1)).field("x") == ("admitted", 1)
    assert record(Model.model_validate({"extra": 3})).field("double") == ("admitted", 2)
    for value, name in [
        (Spot(1), "method"),
        (Spot(1), "_hidden"),
        (Spot(1), "__class__"),
        (Model(), "other"),
        (Own(), "x"),
        (Spot(1), 0),
    ]:
        with pytest.raises(KeyError):
            record(value).field(name)


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (Spot(1), {"x": 1, "_hidden": 2}),
        (Line(), {"a": 1}),
        (Model(), {"x": 1, "double": 2}),
        (types.SimpleNamespace(a=1), {"a": 1}),
        (Colour.RED, NO_DATA),
        (Own(), NO_DATA),
        ({"a": 1}, NO_DATA),
    ],
)
def test_data(value: Any, data: Any) -> None:
    assert data_of(value) == data


def test_a_record_is_its_text_and_compares_as_its_object() -> None:
    one = record(Own())
    assert (str(one), repr(one), f"{one:>12}") == ("text of Own", "text of Own", " text of Own")
    assert record(Colour.RED) == record(Colour.RED)
    assert record(Spot(1)) == record(Spot(1))
    assert record(Spot(1)) != record(Spot(2))
    assert record(Spot(1)) != Spot(1)
    assert len({record(Colour.RED), record(Colour.RED)}) == 1
    assert bool(record(Own()))
