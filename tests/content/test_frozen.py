"""Frozen classes of named fields: what dataclasses promise, without importing them."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from typing import Any

import pytest

from prompt_adapters.content.frozen import frozen, names_of, replaced
from prompt_adapters.media.notes import Note
from prompt_adapters.targets import Capabilities, Endpoint, Limits, Route, endpoint_at, limits_for, route
from prompt_adapters.templates.limits import TemplateLimits


@frozen()
class Point:
    x: int
    y: int = 0

    def __post_init__(self) -> None:
        if self.x < 0:
            raise ValueError("x is below 0")


@frozen(kw_only=True)
class Named:
    x: int = 1


@dataclasses.dataclass(frozen=True, slots=True)
class Plain:
    x: int
    y: int = 0


VALUES: dict[str, Any] = {
    "point": Point(1),
    "note": Note("message 1 (user)", "smaller"),
    "route": route("anthropic/claude-opus-5"),
    "limits": limits_for("google_style"),
    "endpoint": endpoint_at("anthropic", "anthropic_style"),
    "capabilities": Capabilities(image=True),
    "template limits": TemplateLimits(steps=7),
}
KINDS = [Point, Note, Route, Limits, Endpoint, Capabilities, TemplateLimits]


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_copies_are_equal(value: Any) -> None:
    for twin in (pickle.loads(pickle.dumps(value)), copy.copy(value), replaced(value), dataclasses.replace(value)):
        assert twin == value
        assert type(twin) is type(value)


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_a_value_is_frozen_and_has_no_other_field(value: Any) -> None:
    name = names_of(type(value))[0]
    before = getattr(value, name)
    with pytest.raises(dataclasses.FrozenInstanceError, match=f"assign to field {name!r}"):
        setattr(value, name, "other")
    with pytest.raises(dataclasses.FrozenInstanceError, match=f"delete field {name!r}"):
        delattr(value, name)
    with pytest.raises(dataclasses.FrozenInstanceError):
        value.other = 1
    assert getattr(value, name) == before
    assert not hasattr(value, "__dict__")


@pytest.mark.parametrize("cls", KINDS, ids=lambda cls: cls.__name__)
def test_dataclasses_know_the_class(cls: Any) -> None:
    known: bool = dataclasses.is_dataclass(cls)
    assert known
    assert tuple(field.name for field in dataclasses.fields(cls)) == names_of(cls)
    defaults = {
        name: parameter.default
        for name, parameter in inspect.signature(cls).parameters.items()
        if parameter.default is not inspect.Parameter.empty
    }
    assert defaults == {
        field.name: field.default for field in dataclasses.fields(cls) if field.default is not dataclasses.MISSING
    }


def test_it_compares_and_reads_like_a_dataclass() -> None:
    assert (Point(1), Point(1, 2)) == (Point(1, 0), Point(x=1, y=2))
    assert Point(1) != Point(2)
    others: list[Any] = [Plain(1), (1, 0), None]
    assert all(Point(1) != other for other in others)
    assert hash(Point(1)) == hash(Point(1, 0)) == hash(Plain(1))
    assert repr(Point(1)) == "Point(x=1, y=0)"
    assert repr(Plain(1)) == "Plain(x=1, y=0)"
    assert dataclasses.asdict(VALUES["point"]) == {"x": 1, "y": 0}
    match Point(3, 4):
        case Point(x, y):
            assert (x, y) == (3, 4)


@pytest.mark.parametrize(
    ("cls", "args", "fields", "says"),
    [
        (Point, (), {}, "missing 1 required positional argument: 'x'"),
        (Point, (1, 2, 3), {}, "takes from 2 to 3 positional arguments"),
        (Point, (1,), {"z": 1}, "unexpected keyword argument 'z'"),
        (Named, (1,), {}, "takes 1 positional argument"),
    ],
)
def test_arguments_are_checked(cls: Any, args: tuple[int, ...], fields: dict[str, int], says: str) -> None:
    with pytest.raises(TypeError, match=says):
        cls(*args, **fields)


def test_changes_are_checked() -> None:
    assert replaced(Point(1), y=5) == Point(1, 5)
    with pytest.raises(TypeError, match="unexpected keyword argument 'z'"):
        replaced(Point(1), z=5)
    with pytest.raises(ValueError, match="x is below 0"):
        replaced(Point(1), x=-1)
