"""What filters, tests and methods cost, paid before they work.

The texts and lists that they make are told in advance where arguments can make them larger than what they are made of.
Everything is in two coins: characters that are made, and steps, of which each stands for up to a microsecond of work.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from decimal import Decimal
from numbers import Rational
from operator import index
from typing import Any

from prompt_adapters.templates.limits import Budget
from prompt_adapters.templates.weights import print_size, size_of, weigh

Cost = Callable[..., None]

_NUMBERS = re.compile(r"\d+")
_KEY = re.compile(r"[()]")
_WIDTHS = re.compile(r"[#0\- +]*(\*|\d+)?(?:\.(\*|\d+)?)?")
_MOST_DIGITS = 18
_MOST_PLACES = 400  # more than a float has on either side of the point


def number_within(value: Any, budget: Budget) -> Any:
    """A number, when it is not larger than a template may compute.

    Raises:
        TemplateLimitError: It is.
    """
    if type(value) is int:
        budget.limits.check("bits", int.bit_length(value))
    elif isinstance(value, Decimal):
        if value.is_finite():
            budget.limits.check("bits", 4 * abs(value.adjusted()))
    elif isinstance(value, Rational) and not isinstance(value, float):
        budget.limits.check("bits", int(value.numerator).bit_length() + int(value.denominator).bit_length())
    return value


def going_through(items: Any, budget: Budget, weight: int = 1) -> Any:
    """Items that are about to be gone through, paid for at once when their number is known, else one by one."""
    if isinstance(items, Sized):
        budget.take(len(items) * weight)
        return items
    return _one_by_one(items, budget, weight) if isinstance(items, Iterator) else items


def _one_by_one(items: Iterable[Any], budget: Budget, weight: int) -> Iterator[Any]:
    for item in items:
        budget.take(weight)
        yield item


# Filters on texts. The text has been made one before.


def reading(per_step: int) -> Cost:
    """The cost of a filter that goes through a text once and makes little more than it."""

    def cost(budget: Budget, text: str, *_: Any, **__: Any) -> None:
        budget.take(1 + len(text) // per_step)

    return cost


def padding(budget: Budget, text: str, width: Any = 80, *_: Any) -> None:
    """``center`` and the like."""
    budget.make(max(len(text), _whole(width)))


def indenting(budget: Budget, text: str, width: Any = 4, *_: Any, **__: Any) -> None:
    """``indent``."""
    budget.take(1 + (len(text) >> 6))
    budget.make(len(text) + (len(text.splitlines()) + 1) * (len(width) if isinstance(width, str) else _whole(width)))


def replacing(budget: Budget, text: str, old: Any, new: Any, count: Any = None) -> None:
    """``replace``."""
    old, new = str(old), str(new)
    budget.take(1 + (len(text) >> 8))
    times = text.count(old) if count is None or _whole(count) < 0 else min(text.count(old), _whole(count))
    budget.make(len(text) + times * max(0, len(new) - len(old)))


def truncating(budget: Budget, text: str, length: Any = 255, _: Any = False, end: Any = "...", *__: Any) -> None:
    """``truncate``."""
    budget.take(1)
    budget.make(min(len(text), _whole(length)) + len(str(end)))


def wrapping(budget: Budget, text: str, width: Any = 79, long: Any = True, wrapstring: Any = None, *_: Any) -> None:  # noqa: ARG001 - the filter's own arguments
    """``wordwrap``, which cuts a long word again and again."""
    longest = max(map(len, text.split()), default=0)
    lines = len(text) // max(1, _whole(width)) + text.count(" ") + len(text.splitlines()) + 1
    budget.take((len(text) >> 2) + (longest * longest // max(1, _whole(width)) >> 10))
    budget.make(len(text) + min(lines, len(text) + 1) * len("\n" if wrapstring is None else str(wrapstring)))


def linking(budget: Budget, text: str, *args: Any, **kwargs: Any) -> None:
    """``urlize``, which writes much about each link."""
    about = sum(len(str(value)) for value in (*args, *kwargs.values()))
    links = sum(text.count(mark) for mark in ("://", "www.", "@", "mailto:", ".com", ".org", ".net"))
    budget.take((len(text) >> 2) * (1 + about // 64))
    budget.make(2 * len(text) + links * (60 + about))


def formatting(budget: Budget, text: str, values: Any) -> None:
    """``%``: widths, precisions and the numbers and texts that are put in.

    Args:
        budget: The budget.
        text: What stands on the left.
        values: What stands on the right: a mapping, a tuple or one value.
    """
    budget.take(4 + (len(text) >> 4))
    several = values.values() if isinstance(values, Mapping) else values if isinstance(values, tuple) else (values,)
    for value in several:
        number_within(value, budget)
    starred = sum(abs(value) for value in several if isinstance(value, int))
    budget.make(len(text) + sum(len(value) for value in several if isinstance(value, str)))
    position = text.find("%") + 1
    while position:
        key, position = _key_at(text, position)
        if isinstance(values, Mapping) and isinstance(value := values.get(key), str):
            budget.make(len(value))
        widths = _WIDTHS.match(text, position)
        for width in widths.groups() if widths else ():
            budget.make(0 if width is None else starred if width == "*" else _digits(width))
        position = text.find("%", max(position, widths.end() if widths else 0) + 1) + 1


def _key_at(text: str, position: int) -> tuple[str | None, int]:
    """The key in parentheses at a position, in which others may stand, and the position behind it."""
    if not text.startswith("(", position):
        return None, position
    depth = 0
    for sign in _KEY.finditer(text, position):
        depth += 1 if sign[0] == "(" else -1
        if depth == 0:
            return text[position + 1 : sign.start()], sign.end()
    return None, position


def format_spec(budget: Budget, value: Any, spec: str) -> None:
    """``format``: the width and precision of one field."""
    budget.take(4)
    number_within(value, budget)
    budget.make(sum(map(_digits, _NUMBERS.findall(spec))))


# Filters on items.


def picking(budget: Budget, items: Any, *_: Any, **__: Any) -> None:  # noqa: ARG001 - the filter's own arguments
    """A filter that goes through items, which are paid for as they come."""
    budget.take(1)


def comparing(budget: Budget, items: Any, *_: Any, **__: Any) -> None:
    """A filter that compares items with one another."""
    if isinstance(items, list | tuple | dict):
        weight, characters = size_of(items, budget)
        budget.take(2 * weight + (characters >> 10))


def batching(budget: Budget, items: Any, count: Any = 1, fill_with: Any = None) -> None:  # noqa: ARG001 - the filter's own arguments
    """``batch``, which may fill up the last one."""
    budget.take(1 if fill_with is None else max(1, _whole(count)))


def slicing(budget: Budget, items: Any, count: Any = 1, fill_with: Any = None) -> None:  # noqa: ARG001 - the filter's own arguments
    """``slice``."""
    budget.take(max(1, _whole(count)))


def rounding(budget: Budget, value: Any, precision: Any = 0, *_: Any, **__: Any) -> None:
    """``round``."""
    number_within(value, budget)
    if isinstance(precision, int):
        budget.limits.check("bits", budget.limits.bits * abs(precision) // (_MOST_PLACES + 1))


def numbering(budget: Budget, value: Any, *_: Any, **__: Any) -> None:
    """``int``, ``float``, ``abs`` and ``filesizeformat``."""
    number_within(value, budget)
    if isinstance(value, str):
        budget.take(1 + (len(value) >> 4))


def showing(budget: Budget, value: Any, *_: Any, **__: Any) -> None:
    """``pprint`` and ``xmlattr``, which write whole values, slowly."""
    print_size(value, budget)
    budget.take(8 * size_of(value, budget).items)


def quoting(budget: Budget, value: Any, *_: Any) -> None:
    """``urlencode``, which may write nine characters for one."""
    items, characters = size_of(value, budget)
    budget.take(1 + items + (characters >> 4))
    budget.make(3 * characters)


def matching(budget: Budget, *values: Any, **__: Any) -> None:
    """A test that compares values."""
    for value in values:
        weigh(value, budget)


# Methods.


def joining(budget: Budget, glue: str, items: Any = ()) -> list[Any]:
    """``glue.join(items)``; gives the items."""
    found = list(going_through(items, budget))
    budget.make(sum(len(item) for item in found if isinstance(item, str)) + len(glue) * len(found))
    return found


def _tabs(budget: Budget, text: str, tabsize: Any = 8) -> None:
    budget.make(len(text) + text.count("\t") * _whole(tabsize))


def _dates(budget: Budget, _: Any, pattern: Any = "") -> None:
    budget.make(256 * len(str(pattern)))


_METHODS: Mapping[str, Cost] = {
    **dict.fromkeys(("center", "ljust", "rjust", "zfill"), padding),
    **dict.fromkeys(("split", "rsplit", "splitlines"), reading(4)),
    **dict.fromkeys(("count", "index", "changed"), matching),
    "expandtabs": _tabs,
    "replace": replacing,
    "strftime": _dates,
    "get": matching,
    "copy": matching,
}
_ON_A_TEXT = reading(64)


def method(budget: Budget, owner: Any, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    """Pay for a method of a value that is about to be called."""
    cost = _METHODS.get(name)
    if cost is not None and not (isinstance(owner, str) and cost is matching):
        cost(budget, owner, *args, **kwargs)
    elif isinstance(owner, str):
        _ON_A_TEXT(budget, owner)
    else:
        budget.take(1)


def result(budget: Budget, value: Any) -> Any:
    """Pay for what a filter or method has made."""
    kind = type(value)
    if kind is str:
        budget.make(len(value))
    elif kind is list:
        budget.take(len(value) >> 2)
    elif kind is int:
        budget.limits.check("bits", value.bit_length())
    return value


def _whole(value: Any) -> int:
    """A width or count, at least 0; what is no whole number will be refused by what it is given to."""
    try:
        return max(0, index(value))
    except TypeError:
        return 0


def _digits(digits: str) -> int:
    return int(digits) if len(digits) <= _MOST_DIGITS else 10**_MOST_DIGITS
