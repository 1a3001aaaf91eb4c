from __future__ import annotations

from collections import namedtuple
from typing import Any

import pytest

from prompt_adapters.errors import TemplateLimitError
from prompt_adapters.templates.limits import Budget, TemplateLimits
from prompt_adapters.templates.weights import Size, print_size, size_of, weigh

Point = namedtuple("Point", "x y")
SHARED = ["abc", "de"]


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ("abc", Size(1, 3)),
        (7, Size(1, 0)),
        (None, Size(1, 0)),
        ([], Size(1, 0)),
        (["ab", "c", 1], Size(4, 3)),
        ({"a": "bc"}, Size(3, 3)),
        (("a", ["b", {"c": ("d",)}]), Size(8, 4)),
        (Point("a", "b"), Size(3, 2)),
        ([SHARED, SHARED], Size(7, 10)),
    ],
)
def test_sizes(value: Any, size: Size) -> None:
    assert size_of(value, Budget(TemplateLimits())) == size


def laughs(levels: int) -> Any:
    value: Any = "x"
    for _ in range(levels):
        value = (value, value)
    return value


@pytest.mark.parametrize(
    ("limits", "value", "limit"),
    [
        (TemplateLimits(items=1000), laughs(60), "items"),
        (TemplateLimits(items=5), [1] * 6, "items"),
        (TemplateLimits(nesting=3), [[[1]]], "nesting"),
    ],
)
def test_counting_stops_at_the_limits(limits: TemplateLimits, value: Any, limit: str) -> None:
    with pytest.raises(TemplateLimitError) as caught:
        size_of(value, Budget(limits))
    assert caught.value.limit == limit


def test_looking_through_is_paid_for() -> None:
    spent = Budget(TemplateLimits(steps=100))
    for value in ("short", 5, None, [1, 2], range(10**9), {"a": 1}):
        assert weigh(value, spent) is value
    with pytest.raises(TemplateLimitError, match="steps"):
        weigh([0] * 1000, spent)
    with pytest.raises(TemplateLimitError, match="steps"):
        weigh("x" * 200_000, Budget(TemplateLimits(steps=100)))


def test_printing_is_paid_for() -> None:
    print_size(["a" * 50], Budget(TemplateLimits(text=60)))
    with pytest.raises(TemplateLimitError, match="text"):
        print_size(["a" * 60], Budget(TemplateLimits(text=60)))
