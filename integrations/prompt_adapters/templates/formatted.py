"""``f-string`` templates whose slots say how a value is written: ``{price:.2f}``, ``{name!r}``, ``{title:>20}``.

The words are Python's (https://docs.python.org/3/library/string.html#formatspec), and what comes out is what ``format``
gives. A specification holds no slot of its own, and neither it nor a conversion reaches into a value. Numbers, texts
and dates have a format; media, lists and objects have none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date, time
from typing import Any, NamedTuple

from prompt_adapters.content.parts import Part
from prompt_adapters.content.value import Value, rendering
from prompt_adapters.errors import PromptAdapterError, PromptFormatError, TemplateError
from prompt_adapters.templates.costs import format_spec
from prompt_adapters.templates.limits import Budget, current_limits, spending
from prompt_adapters.templates.pieces import merge, to_piece
from prompt_adapters.templates.records import Record
from prompt_adapters.templates.template import Construct, Slot, Template, blamed, counted, gather
from prompt_adapters.templates.weights import print_size

_LONGEST_WORD = 16  # characters that one of a date's format makes, at the most
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
        names = Counter(field.name for _, field in segments if field is not None)
        super().__init__(text, syntax, tuple(Slot(name, required=True) for name in names), _segments=segments)

    @property
    def logic(self) -> tuple[Construct, ...]:
        """See `Template.logic`."""
        fields = [field for _, field in self._segments if field is not None and not field.is_bare]
        return tuple(Construct(f"the format of {field}", field.line) for field in fields)

    def render(self, values: Mapping[str, object], *, absent: Collection[str] = ()) -> tuple[Part, ...]:
        """See `Template.render`."""
        given = gather(self.variables, values, absent)
        pieces: list[Any] = []
        with rendering(), spending(Budget(current_limits(), len(self.text))) as budget:
            for literal, field in self._segments:
                pieces.append(literal)
                if field is not None and field.name in given:
                    piece = _written(field, given[field.name], budget)
                    if isinstance(piece, str):
                        budget.make(len(piece))
                    pieces.append(piece)
        try:
            return merge(pieces)
        except PromptFormatError as error:
            raise blamed(error, given) from None


def _written(field: Field, value: Any, budget: Budget) -> Any:
    try:
        if field.is_bare:
            return to_piece(value)
        if isinstance(value, Value):
            raise TemplateError(f"{value.describe()} is no text, and has no format; write {{{field.name}}}")
        return _formatted(field, value, budget)
    except PromptAdapterError as error:
        raise (error.on(field.line) if isinstance(error, TemplateError) else error) from None
    except Exception as error:  # noqa: BLE001 - whatever a value's own formatting raises
        raise TemplateError(f"variable {field.name!r} cannot be written as {field}: {error}", line=field.line) from None


def _formatted(field: Field, value: Any, budget: Budget) -> str:
    if field.conversion in ("r", "a") and isinstance(value, Record):
        raise TemplateError(
            f"variable {field.name!r} is an object, of which only its text can be written: {{{field.name}}}"
        )
    if field.conversion:
        print_size(value, budget)
        value = CONVERSIONS[field.conversion](value)
    format_spec(budget, value, field.spec)
    if isinstance(value, date | time):
        budget.make(_LONGEST_WORD * len(field.spec))
    return format(value, field.spec)
