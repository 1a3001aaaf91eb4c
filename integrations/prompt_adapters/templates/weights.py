"""How large a value is, all the way down, counted as often as its pieces stand in it.

A template can make a small list that holds itself many times over, level upon level; printing, comparing or hashing it
would never end. Sizes are told level by level, and counting stops at the limits.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from prompt_adapters.templates.limits import Budget

_SMALL = 512
_SEQUENCES = (list, tuple)


class Size(NamedTuple):
    """The size of a value.

    Attributes:
        items: Its items, keys and values on all levels, itself among them.
        characters: The characters of its texts.
    """

    items: int
    characters: int


def size_of(value: Any, budget: Budget) -> Size:
    """The size of a value.

    Raises:
        TemplateLimitError: It has too many items, or too many levels.
    """
    items = characters = levels = 0
    level = [value]
    while level:
        levels += 1
        if levels > budget.limits.nesting:
            raise budget.limits.exceeded("nesting", levels)
        items += len(level)
        below: list[Any] = []
        for item in level:
            kind = type(item)
            if kind is str:
                characters += len(item)
                continue
            if kind is dict:
                below += item
                below += item.values()
            elif kind is list or isinstance(item, _SEQUENCES):
                below += item
            else:
                continue
            if items + len(below) > budget.limits.items:
                raise budget.limits.exceeded("items", items + len(below))
        level = below
    return Size(items, characters)


def weigh(value: Any, budget: Budget) -> Any:
    """Pay for looking through a value once, as comparing and hashing do, and give it back.

    Raises:
        TemplateLimitError: The budget does not allow it.
    """
    kind = type(value)
    if kind is str:
        if len(value) > _SMALL:
            budget.take(len(value) >> 10)
    elif kind is dict or isinstance(value, _SEQUENCES):
        items, characters = size_of(value, budget)
        budget.take(1 + (items >> 3) + (characters >> 10))
    elif kind is range:
        budget.take(1)  # which Python compares, and looks into, without going through it
    return value


def print_size(value: Any, budget: Budget) -> None:
    """Pay for writing a value as text.

    Raises:
        TemplateLimitError: The budget does not allow it.
    """
    items, characters = size_of(value, budget)
    budget.take(items >> 3)
    budget.make(characters + 2 * items)
