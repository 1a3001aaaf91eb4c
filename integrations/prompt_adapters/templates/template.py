"""A compiled template: text with slots, which values fill."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import islice
from typing import Any, NamedTuple, NoReturn, TypeVar

from prompt_adapters.content.characters import check_data
from prompt_adapters.content.parts import Part
from prompt_adapters.errors import (
    MediaError,
    MissingVariableError,
    PromptAdapterError,
    PromptFormatError,
    TemplateError,
    TemplateLimitError,
)
from prompt_adapters.templates.limits import Budget, current_limits, spending
from prompt_adapters.templates.pieces import admit, merge, to_piece

_Segment = TypeVar("_Segment")


class Slot(NamedTuple):
    """A variable of a template.

    Attributes:
        name: Its name.
        required: Whether the template cannot do without it.
    """

    name: str
    required: bool


class Construct(NamedTuple):
    """Something in a template that is neither text nor a bare slot.

    Attributes:
        name: As a reader knows it: ``{% for %}``, ``the filter 'upper'``.
        line: Its 1-based line in the template.
    """

    name: str
    line: int


class Template(ABC):
    """A compiled template; immutable, and safe to use from several threads.

    Attributes:
        text: The source, verbatim.
        syntax: The placeholder syntax that it is written in.
        variables: Its slots, in order of first appearance.
    """

    __slots__ = ("syntax", "text", "variables")
    text: str
    syntax: str
    variables: tuple[Slot, ...]

    def __init__(self, text: str, syntax: str, variables: tuple[Slot, ...], **own: Any) -> None:
        for name, value in {"text": text, "syntax": syntax, "variables": variables, **own}.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError("a template is frozen")

    def __reduce__(self) -> tuple[Any, ...]:
        from prompt_adapters.templates import compile_template  # this module is a part of that package

        return compile_template, (self.text, self.syntax)

    def __repr__(self) -> str:
        return f"<Template {self.syntax}: {self.text[:60]!r}>"

    @property
    def is_literal(self) -> bool:
        """Whether every render surely gives the same."""
        return False

    @property
    def logic(self) -> tuple[Construct, ...]:
        """What it holds that is more than text and bare slots, in order."""
        return ()

    @property
    def computes(self) -> bool:
        """Whether rendering does more than to fill slots, and may take long."""
        return False

    @property
    def tokens(self) -> int:
        """How many names, numbers and signs its tags have, where it `computes`."""
        return 0

    @abstractmethod
    def render(self, values: Mapping[str, object], *, absent: Collection[str] = ()) -> tuple[Part, ...]:
        """The parts for these values: text merged, media and tool parts whole, all in the author's order.

        Args:
            values: Values by name; names that the template does not have are ignored.
            absent: Names that may be missing or None though the template asks for them; they render nothing.

        Raises:
            MissingVariableError: Required variables are missing or None; all of them are named.
            TemplateError: A value has no place in a template, or an expression fails.
        """


class SlotTemplate(Template):
    """Literal text with named slots and nothing else.

    Args:
        text: The source.
        syntax: Its syntax.
        segments: Pairs of a literal text and the name of the slot after it, or None.
        hint: What to add to the error about a missing variable.
    """

    __slots__ = ("_hint", "_repeated", "_segments")
    _segments: tuple[tuple[str, str | None], ...]
    _repeated: tuple[tuple[str, int], ...]
    _hint: str

    def __init__(self, text: str, syntax: str, segments: Iterable[tuple[str, str | None]], hint: str = "") -> None:
        segments = counted(segments)
        names = Counter(name for _, name in segments if name is not None)
        slots = tuple(Slot(name, required=True) for name in names)
        super().__init__(text, syntax, slots, _segments=segments, _repeated=repeated(names), _hint=hint)

    @property
    def is_literal(self) -> bool:
        """Whether it has no slot."""
        return not self.variables

    def render(self, values: Mapping[str, object], *, absent: Collection[str] = ()) -> tuple[Part, ...]:
        """See `Template.render`."""
        given = gather(self.variables, values, absent, _printed, self._hint)
        if self._repeated:
            check_repeated(self._repeated, given)
        pieces = []
        for literal, name in self._segments:
            pieces.append(literal)
            if name is not None:
                pieces.append(given.get(name, ""))
        try:
            return merge(pieces)
        except PromptFormatError as error:
            raise blamed(error, given) from None


def counted(segments: Iterable[_Segment]) -> tuple[_Segment, ...]:
    """The segments of a template.

    Raises:
        TemplateLimitError: They are too many.
    """
    limits = current_limits()
    found = tuple(islice(segments, limits.tokens // 3 + 2))
    limits.check("tokens", 3 * (len(found) - 1))
    return found


def repeated(names: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """The names that stand in more than one slot, and in how many more."""
    return tuple((name, times - 1) for name, times in names.items() if times > 1)


def check_repeated(names: Iterable[tuple[str, int]], values: Mapping[str, Any]) -> None:
    """Refuse a text that is long because values stand in it many times.

    Raises:
        TemplateLimitError: It is.
    """
    length = 0
    for name, times in names:
        value = values.get(name)
        if isinstance(value, str):
            length += times * len(value)
    limits = current_limits()
    if length > limits.text:
        raise limits.exceeded("text", length)


def gather(
    slots: tuple[Slot, ...],
    values: Mapping[str, Any],
    absent: Collection[str],
    convert: Callable[[Any], Any] = admit,
    hint: str = "",
) -> dict[str, Any]:
    """The converted values of the slots that have one.

    Raises:
        MissingVariableError: Required ones have none.
        TemplateError: A value cannot be converted.
    """
    given = {}
    missing = []
    for name, required in slots:
        value = values.get(name)
        if type(value) is str:
            given[name] = value
        elif value is not None:
            given[name] = _converted(name, value, convert)
        elif required and name not in absent:
            missing.append(name)
    if missing:
        raise MissingVariableError(missing, hint=hint)
    return given


def blamed(error: PromptFormatError, given: Mapping[str, Any]) -> PromptAdapterError:
    """The error about a rendered text that cannot be sent, said of the variable that brought it, when one did.

    The values are looked into only here, since the text that they make is looked through anyway.
    """
    for name, value in given.items():
        try:
            check_data(value, f"variable {name!r}")
        except PromptFormatError as its:
            return TemplateError(its.reason)
    return error


def _converted(name: str, value: Any, convert: Callable[[Any], Any]) -> Any:
    try:
        return convert(value)
    except MediaError as error:
        raise type(error)(f"variable {name!r}: {error}") from error.__cause__
    except TemplateLimitError as error:
        raise error.at(f"variable {name!r}") from None
    except TemplateError as error:
        raise TemplateError(f"variable {name!r}: {error}") from error.__cause__
    except RecursionError:
        raise TemplateError(f"variable {name!r} is nested too deeply, or holds itself") from None
    except Exception as error:
        raise TemplateError(f"variable {name!r} cannot be read: {type(error).__name__}: {error}") from error


def _printed(value: Any) -> Any:
    with spending(Budget(current_limits())):
        return to_piece(admit(value))
