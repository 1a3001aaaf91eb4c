"""The Jinja that prompts are written in: sandboxed, strict, verbatim, and yielding pieces in place of one string.

What differs from the stock sandbox:

- ``{{ expression }}`` gives a piece (see `pieces`), and blocks that capture output keep the parts in it.
- Line breaks of the source stay as they are written, as does the last one. Nothing is escaped for HTML.
- Parts and captured blocks have no attributes or items.
- Unknown names are errors; an absent optional variable is false, empty and undefined.
- ``*`` and ``**`` cannot make giant results; ``lipsum``, ``cycler`` and ``joiner`` do not exist.
- ``~``, ``join``, ``string`` and ``tojson`` write dicts and lists as printing them does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from jinja2 import nodes
from jinja2.compiler import Frame
from jinja2.exceptions import SecurityError, UndefinedError
from jinja2.filters import do_float, do_forceescape, do_int, make_attrgetter
from jinja2.lexer import TOKEN_DATA, TOKEN_STRING, Lexer, newline_re
from jinja2.nativetypes import NativeCodeGenerator
from jinja2.runtime import Context, StrictUndefined, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import missing, pass_environment

from prompt_adapters.content.value import Value
from prompt_adapters.templates.pieces import Fragment, Piece, concat, to_json, to_piece

FUNCTIONS = ("range", "dict", "namespace")
MAX_BITS = 10_000
MAX_ITEMS = 1_000_000


class UndefinedNameError(UndefinedError):
    """A variable is used that has no value; its message is the bare name."""


class Unknown(StrictUndefined):
    """What an unknown name or attribute gives: an error as soon as it is used."""

    __slots__ = ()

    def __init__(
        self, hint: str | None = None, obj: Any = missing, name: str | None = None, exc: Any = UndefinedError
    ) -> None:
        if hint is None and obj is missing:
            hint, exc = name, UndefinedNameError
        super().__init__(hint, obj, name, exc)


class Absent(Undefined):
    """The value of an optional variable that was not given."""

    __slots__ = ()

    def __init__(self, name: str) -> None:
        super().__init__(name, name=name, exc=UndefinedNameError)


class _VerbatimLexer(Lexer):
    """Jinja's lexer, which reads every line break as a line feed, with the breaks of the source put back.

    A token's line number says how many breaks precede it, so the breaks inside it are the next ones of the source.
    """

    def tokeniter(
        self, source: str, name: str | None, filename: str | None = None, state: str | None = None
    ) -> Iterator[tuple[int, str, str]]:
        tokens = super().tokeniter(source, name, filename, state)
        return _with_breaks(tokens, newline_re.findall(source)) if "\r" in source else tokens

    def _normalize_newlines(self, value: str) -> str:
        return value


def _with_breaks(tokens: Iterable[tuple[int, str, str]], breaks: list[str]) -> Iterator[tuple[int, str, str]]:
    for line, token, value in tokens:
        if token in (TOKEN_DATA, TOKEN_STRING) and "\n" in value:
            first, *rest = value.split("\n")
            own = breaks[line - 1 : line - 1 + len(rest)]
            yield line, token, first + "".join(mark + text for mark, text in zip(own, rest, strict=True))
        else:
            yield line, token, value


class _PieceGenerator(NativeCodeGenerator):
    """Code that yields what `PieceEnvironment.finalize` gives, without making strings of it."""

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802 - the name Jinja dispatches on
        self.write("environment.tilde((")
        for operand in node.nodes:
            self.visit(operand, frame)
            self.write(", ")
        self.write("))")


class PieceEnvironment(ImmutableSandboxedEnvironment):
    """The environment of every Jinja template."""

    code_generator_class = _PieceGenerator
    concat = staticmethod(concat)  # type: ignore[assignment]  # captured blocks may hold parts, so they are no strings
    intercepted_binops = frozenset({"*", "**"})

    def __init__(self) -> None:
        super().__init__(
            undefined=Unknown, finalize=printed, keep_trailing_newline=True, cache_size=0, auto_reload=False
        )
        self._verbatim_lexer = _VerbatimLexer(self)
        self.globals = {name: self.globals[name] for name in FUNCTIONS}
        self.filters.update(_FILTERS)
        self.tests["none"] = _is_none

    @property
    def lexer(self) -> Lexer:
        """The lexer, which keeps line breaks."""
        return self._verbatim_lexer

    def getattr(self, obj: Any, attribute: str) -> Any:
        """``obj.attribute``, which parts do not have."""
        _check_open(obj, attribute)
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """``obj[argument]``, which parts do not have."""
        _check_open(obj, argument)
        return super().getitem(obj, argument)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """``*`` and ``**`` within limits.

        Raises:
            OverflowError: The result would be giant.
        """
        if _is_giant(operator, left, right):
            raise OverflowError(f"the result of '{operator}' is too large for a prompt")
        return super().call_binop(context, operator, left, right)

    def tilde(self, operands: Iterable[Any]) -> str:
        """``a ~ b``: the operands as they would be printed, joined; a part makes it an error."""
        return "".join(map(text_of, operands))


def printed(value: Any) -> Piece:
    """What ``{{ value }}`` gives."""
    return str(value) if isinstance(value, Undefined) else to_piece(value)


def text_of(value: Any) -> str:
    """What ``{{ value }}`` gives, which must be text."""
    return str(printed(value))


def _check_open(obj: Any, attribute: Any) -> None:
    if isinstance(obj, Value):
        raise SecurityError(f"{obj.describe()} keeps {attribute!r} out of a template's reach; print it whole")


def _is_giant(operator: str, left: Any, right: Any) -> bool:
    if isinstance(left, int) and isinstance(right, int):
        bits = left.bit_length() * right if operator == "**" else left.bit_length() + right.bit_length()
        return bits > MAX_BITS
    for sequence, times in ((left, right), (right, left)):
        if isinstance(sequence, str | list | tuple) and isinstance(times, int):
            return len(sequence) * times > MAX_ITEMS
    return False


@pass_environment
def _join(
    environment: PieceEnvironment, value: Iterable[Any], d: Any = "", attribute: str | int | None = None
) -> str | Fragment:
    """The items with a separator between them, as pieces: parts stay whole."""
    items = value if attribute is None else map(make_attrgetter(environment, attribute), value)
    pieces: list[Piece] = []
    for item in items:
        if pieces:
            pieces.append(printed(d))
        pieces.append(printed(item))
    return concat(pieces)


def _number(convert: Callable[..., Any]) -> Callable[..., Any]:
    """A filter that gives a default for what is no number, which a part must not silently become."""

    def checked(value: Any, *args: Any, **kwargs: Any) -> Any:
        return convert(text_of(value) if isinstance(value, Value) else value, *args, **kwargs)

    return checked


def _safe(value: Any) -> Any:
    return value  # nothing is escaped, so nothing needs to be marked as safe


def _escape(value: Any) -> str:
    return str.__str__(do_forceescape(text_of(value)))


def _is_none(value: Any) -> bool:
    return value is None or isinstance(value, Absent)


_FILTERS = {
    "join": _join,
    "string": text_of,
    "safe": _safe,
    "e": _escape,
    "escape": _escape,
    "forceescape": _escape,
    "tojson": to_json,
    "int": _number(do_int),
    "float": _number(do_float),
}

ENVIRONMENT = PieceEnvironment()
