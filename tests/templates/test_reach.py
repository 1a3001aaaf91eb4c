from __future__ import annotations

import datetime
import enum
from collections import namedtuple
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from ids import named
from prompt_adapters.templates.reach import names_of


class Level(enum.IntEnum):
    HIGH = 3


class Day(datetime.date):
    pass


Point = namedtuple("Point", "x y")
VALUES: list[Any] = [
    "text",
    b"bytes",
    [1],
    {"a": 1},
    (1,),
    Point(1, 2),
    range(3),
    3,
    True,
    1.5,
    Decimal(1),
    Fraction(1),
    Level.HIGH,
    Day(2026, 1, 2),
    datetime.datetime(2026, 1, 2),
    datetime.time(1),
    datetime.timedelta(1),
    datetime.UTC,
    {1},
    object(),
    int,
    print,
    iter([1]),
    None,
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_nothing_private_and_nothing_that_changes_or_reads_a_clock(value: Any) -> None:
    names = names_of(value)
    assert not [name for name in names if name.startswith("_")]
    forbidden = {
        "append",
        "clear",
        "pop",
        "update",
        "setdefault",
        "sort",
        "insert",
        "encode",
        "translate",
        "to_bytes",
        "now",
    }
    assert not names & (
        forbidden | {"today", "fromtimestamp", "strptime", "mro", "gi_frame", "send", "decode", "extend"}
    )


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_what_is_listed_is_there(value: Any) -> None:
    missing = {name for name in names_of(value) if not hasattr(value, name)}
    assert missing <= {"is_integer", "denominator", "numerator"}


@pytest.mark.parametrize("value", [b"x", {1}, object(), int, print, iter([1]), None], ids=named)
def test_other_types_have_nothing(value: Any) -> None:
    assert names_of(value) == frozenset()


def test_subclasses_have_what_their_kind_has() -> None:
    assert "year" in names_of(Day(2026, 1, 2))
    assert {"x", "y", "count"} <= names_of(Point(1, 2))
    assert {"name", "value", "real"} <= names_of(Level.HIGH)
