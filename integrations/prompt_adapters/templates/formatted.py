"""``f-string`` templates whose slots say how a value is written: ``{price:.2f}``, ``{name!r}``, ``{title:>20}``.

The words are Python's (https://docs.python.org/3/library/string.html#formatspec), and what comes out is what ``format``
gives. A specification holds no slot of its own, and neither it nor a conversion reaches into a value. Numbers, texts
and dates have a format; media, lists and objects have none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date, time
from enum import Enum
from numbers import Number
from typing import Any, NamedTuple

from prompt_adapters.content.parts import Part
from prompt_adapters.content.value import Value, rendering
from prompt_adapters.errors import PromptAdapterError, PromptFormatError, TemplateError, TemplateLimitError
from prompt_adapters.templates.costs import format_spec
from prompt_adapters.templates.limits import Budget, budget, current_limits, shared_budget, spending
from prompt_adapters.templates.pieces import merge, to_piece
from prompt_adapters.templates.records import Record
from prompt_adapters.templates.template import Construct, Slot, Template, blamed, counted, gather
from prompt_adapters.templates.weights import print_size

MAX_WIDTH = 10_000
_NUMBERS = re.compile(r"\d{1,18}")  # digits of any script, as Python reads them
# What has a format that is Python's own, and what is shown as Python shows it.
_FORMATTED = (str, Number, date, time)
_SHOWN = (*_FORMATTED, list, tuple, dict)
CONVERSIONS: Mapping[str, Callable[[Any], str]] = {"s": str, "r": repr, "a": ascii}


class Field(NamedTuple):
    """A slot.

    Attributes:
        name: The variable.
        conversion: s, r, a, or empty for none.
        spec: The format specification, empty for none.
        line: The 1-based line on which it stands.
    """

    name: str
    conversion: str = ""
    spec: str = ""
    line: int = 1

    @property
    def is_bare(self) -> bool:
        """Whether it gives the value as it is."""
        return not self.conversion and not self.spec

    def __str__(self) -> str:
        conversion = f"!{self.conversion}" if self.conversion else ""
        return f"{{{self.name}{conversion}{f':{self.spec}' if self.spec else ''}}}"


class FormattedTemplate(Template):
    """Text with slots of which some are formatted.

    Args:
        text: The source.
        syntax: Its syntax.
        segments: Pairs of a literal text and the slot after it, or None.
    """

    __slots__ = ("_segments",)
    _segments: tuple[tuple[str, Field | None], ...]

    def __init__(self, text: str, syntax: str, segments: Iterable[tuple[str, Field | None]]) -> None:
        segments = counted(segments)
        fields = [field for _, field in segments if field is not None]
        for field in fields:
            if sum(map(int, _NUMBERS.findall(field.spec))) > MAX_WIDTH:
                raise TemplateError(f"{field} asks for more than {MAX_WIDTH} characters", line=field.line)
        slots = tuple(Slot(name, required=True) for name in dict.fromkeys(field.name for field in fields))
        super().__init__(text, syntax, slots, _segments=segments)

    @property
    def computes(self) -> bool:
        """See `Template.computes`."""
        return True

    @property
    def tokens(self) -> int:
        """See `Template.tokens`."""
        return 3 * (len(self._segments) - 1)

    @property
    def logic(self) -> tuple[Construct, ...]:
        """See `Template.logic`."""
        fields = [field for _, field in self._segments if field is not None and not field.is_bare]
        return tuple(Construct(f"the format of {field}", field.line) for field in fields)

    def render(self, values: Mapping[str, object], *, absent: Collection[str] = ()) -> tuple[Part, ...]:
        """See `Template.render`."""
        given = gather(self.variables, values, absent)
        spent = shared_budget() or Budget(current_limits())
        spent.allow(len(self.text) + sum(len(value) for value in given.values() if isinstance(value, str)))
        pieces: list[Any] = []
        with rendering(), spending(spent):
            for literal, field in self._segments:
                pieces.append(literal)
                if field is not None and field.name in given:
                    piece = _written(field, given[field.name])
                    spent.make(len(literal) + (len(piece) if isinstance(piece, str) else 0))
                    pieces.append(piece)
        try:
            return merge(pieces)
        except PromptFormatError as error:
            raise blamed(error, given) from None


def _written(field: Field, value: Any) -> Any:
    try:
        if field.is_bare:
            return to_piece(value)
        if isinstance(value, Value):
            raise TemplateError(f"{value.describe()} is no text, and has no format; write {{{field.name}}}")
        return _formatted(field, value)
    except TemplateLimitError as error:
        raise error.on(field.line).at(f"variable {field.name!r}") from None
    except TemplateError as error:
        raise TemplateError(f"variable {field.name!r}: {error}", line=field.line) from None
    except PromptAdapterError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever a value's own formatting raises
        raise TemplateError(f"variable {field.name!r} cannot be written as {field}: {error}", line=field.line) from None


def _formatted(field: Field, value: Any) -> str:
    if isinstance(value, Record) and isinstance(value.value, Enum) and not field.conversion:
        value = str(value)
    if field.conversion in ("r", "a") and not isinstance(value, _SHOWN):
        raise TypeError(f"of an object only the text can be written; write {field._replace(conversion='s')}")
    if not field.conversion and not isinstance(value, _FORMATTED):
        remedy = field._replace(conversion="s")
        raise TypeError(f"a value of type {type(value).__name__} has no format; write {remedy}")
    if field.conversion in ("r", "a"):
        print_size(value, budget())
    if field.conversion:
        value = CONVERSIONS[field.conversion](value) if isinstance(value, _SHOWN) else to_piece(value)
    format_spec(budget(), value, field.spec)
    return format(value, field.spec)
