from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from prompt_adapters.errors import TemplateLimitError
from prompt_adapters.templates import costs
from prompt_adapters.templates.limits import Budget, TemplateLimits

WIDE = TemplateLimits()


def made(cost: Any, *args: Any) -> int:
    """How many characters a cost charges."""
    low, high = 0, 10**12
    while low < high:
        middle = (low + high) // 2
        try:
            cost(Budget(TemplateLimits(text=middle + 1, steps=10**9)), *args)
            high = middle
        except TemplateLimitError:
            low = middle + 1
    return low + 1


@pytest.mark.parametrize(
    ("text", "values", "at_least"),
    [
        ("%s", "abc", 3),
        ("%99d", 1, 99),
        ("%-099d|%9s", (1, "a"), 108),
        ("%.99f", 1.0, 99),
        ("%99.88f", 1.0, 187),
        ("%*d", (99, 1), 99),
        ("%.*f", (99, 1.0), 99),
        ("%(a)99d", {"a": 1}, 99),
        ("%(a(b)c)99d", {"a(b)c": 1}, 99),
        ("%((a))99d", {"(a)": 1}, 99),
        ("%(a)s%(a)s%(a)s", {"a": "x" * 50}, 150),
        ("%%99%99d", 1, 99),
        ("% 99d %#99x", (1, 1), 198),
        ("%99999999999999999999999d", 1, 10**11),
    ],
)
def test_formatting_charges_what_comes_out_at_the_least(text: str, values: Any, at_least: int) -> None:
    assert made(costs.formatting, text, values) >= at_least


@pytest.mark.parametrize("text", ["", "%", "%%", "100% of", "%(", "%(a", "%z", "50%.", "%(a)", "% "])
def test_formatting_reads_any_text(text: str) -> None:
    assert made(costs.formatting, text, "x") < 200


@pytest.mark.parametrize(
    ("value", "fits"),
    [
        (2**9000, True),
        (2**10001, False),
        (-(2**10001), False),
        (1.5, True),
        ("x", True),
        (Decimal("1e100"), True),
        (Decimal("1e9999"), False),
        (Decimal("1e-9999"), False),
        (Decimal("NaN"), True),
        (Decimal("Infinity"), True),
        (Fraction(1, 3), True),
        (Fraction(1, 2**10001), False),
    ],
)
def test_numbers(value: Any, fits: bool) -> None:
    if fits:
        assert costs.number_within(value, Budget(WIDE)) is value
    else:
        with pytest.raises(TemplateLimitError, match="more than 10000 bits"):
            costs.number_within(value, Budget(WIDE))


@pytest.mark.parametrize(
    ("cost", "args", "characters"),
    [
        (costs.padding, ("ab", 99), 99),
        (costs.padding, ("ab", 1), 2),
        (costs.padding, ("ab", "wrong"), 2),
        (costs.indenting, ("a\nb", 10), 33),
        (costs.indenting, ("a\nb", "xxx"), 12),
        (costs.replacing, ("aaa", "a", "bbbb"), 12),
        (costs.replacing, ("aaa", "a", "bbbb", 1), 6),
        (costs.replacing, ("aaa", "", "b"), 7),
        (costs.replacing, ("aaa", "a", ""), 3),
        (costs.truncating, ("a" * 99, 9, False, "..."), 12),
        (costs.quoting, ("a" * 9,), 27),
        (costs.format_spec, ("a", ">99"), 99),
        (costs.format_spec, (1.0, "99.88f"), 187),
    ],
)
def test_characters_that_are_paid_for_in_advance(cost: Any, args: tuple[Any, ...], characters: int) -> None:
    assert made(cost, *args) == characters


def test_what_is_gone_through_is_paid_for() -> None:
    spent = Budget(TemplateLimits(steps=10))
    assert costs.going_through([1, 2], spent, 5) == [1, 2]
    with pytest.raises(TemplateLimitError):
        costs.going_through([1], spent)
    generator = costs.going_through(iter([1, 2, 3]), Budget(TemplateLimits(steps=2)))
    assert [next(generator), next(generator)] == [1, 2]
    with pytest.raises(TemplateLimitError):
        next(generator)
    assert costs.going_through(5, spent) == 5


def test_results_are_paid_for() -> None:
    spent = Budget(TemplateLimits(text=3, steps=3))
    assert costs.result(spent, "abc") == "abc"
    for value in ("d", [1] * 20, 1 << 20_000):
        with pytest.raises(TemplateLimitError):
            costs.result(spent, value)
