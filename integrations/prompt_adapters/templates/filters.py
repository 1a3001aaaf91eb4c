"""The filters and tests of templates: Jinja's, each paid for before it works.

- A filter on texts gets the text that printing the value gives, so a dict or list is JSON in all of them, and a part
  makes it an error.
- ``join`` keeps parts whole, ``sum`` adds numbers as ``+`` does, ``tojson`` writes what printing writes, and nothing is
  marked as safe, since nothing is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, cast

from jinja2.filters import FILTERS, do_forceescape, make_attrgetter
from jinja2.runtime import Context, Undefined
from jinja2.tests import TESTS
from jinja2.utils import pass_context, pass_environment
from markupsafe import Markup

from prompt_adapters.content.value import Value
from prompt_adapters.templates import costs
from prompt_adapters.templates.limits import budget
from prompt_adapters.templates.pieces import Fragment, Piece, concat, to_json, to_piece
from prompt_adapters.templates.reach import DICT_METHODS

if TYPE_CHECKING:
    from prompt_adapters.templates.environment import PieceEnvironment

EACH = " each"
TICK = " tick"
"""What the compiled code calls: no template can write a name with a blank in it."""

_WORD = re.compile(r"\w+")


def printed(value: Any) -> Piece:
    """What ``{{ value }}`` gives."""
    return str(value) if isinstance(value, Undefined) else to_piece(value)


def text_of(value: Any) -> str:
    """What ``{{ value }}`` gives, which must be text."""
    return value if type(value) is str else str(printed(value))


def tilde(operands: Iterable[Any]) -> str:
    """``a ~ b``: the operands as they would be printed, joined; a part makes it an error."""
    texts = [text_of(operand) for operand in operands]
    budget().make(sum(map(len, texts)))
    return "".join(texts)


def captured(pieces: Iterable[Any]) -> str | Fragment:
    """What a block captures, as `pieces.concat` does, paid for."""
    found = list(pieces)
    budget().make(sum([len(piece) for piece in found if type(piece) is str]))
    return concat(found)


def formatted(text: str, values: Any) -> str:
    """``text % values``, where a dict or list that is put in is JSON."""
    if isinstance(values, Mapping) and "%(" in text:
        values = {name: _written(value) for name, value in values.items()}
    elif isinstance(values, tuple):
        values = tuple(_written(value) for value in values)
    else:
        values = _written(values)
    costs.formatting(budget(), text, values)
    return costs.result(budget(), text % values)  # type: ignore[no-any-return]  # a text


def _written(value: Any) -> Any:
    return text_of(value) if isinstance(value, list | tuple | dict) else value


def _paid(
    name: str,
    cost: costs.Cost,
    *,
    text: bool = False,
    items: bool = False,
    whole: bool = False,
    call: Callable[..., Any] | None = None,
) -> Callable[..., Any]:
    """A filter of Jinja's that is paid for.

    Args:
        name: Its name.
        cost: What it costs.
        text: Whether it works on the text of its value.
        items: Whether it goes through its value.
        whole: Whether it does so as a list, which can be weighed.
        call: What it does, if not what Jinja does.
    """
    function = call or FILTERS[name]
    passed = 0 if getattr(function, "jinja_pass_arg", None) is None else 1

    @wraps(function)
    def paid(*args: Any, **kwargs: Any) -> Any:
        spent = budget()
        if len(args) > passed:
            value = args[passed]
            if text and type(value) is not str:
                value = text_of(value)
            elif items or whole:
                value = costs.going_through(value, spent)
                value = list(value) if whole and isinstance(value, Iterator) else value
            args = (*args[:passed], value, *args[passed + 1 :])
        cost(spent, *args[passed:], **kwargs)
        return costs.result(spent, function(*args, **kwargs))

    return paid


@pass_environment
def _join(
    environment: PieceEnvironment, value: Iterable[Any], d: Any = "", attribute: str | int | None = None
) -> str | Fragment:
    """The items with a separator between them, as pieces: parts stay whole."""
    items = costs.going_through(value, budget())
    if attribute is not None:
        items = map(make_attrgetter(environment, attribute), items)
    pieces: list[Piece] = []
    for item in items:
        if pieces:
            pieces.append(printed(d))
        pieces.append(printed(item))
    budget().make(sum(len(piece) for piece in pieces if isinstance(piece, str)))
    return concat(pieces)


@pass_context
def _sum(context: Context, value: Iterable[Any], attribute: str | int | None = None, start: Any = 0) -> Any:
    environment: Any = context.environment
    items = costs.going_through(value, budget())
    if attribute is not None:
        items = map(make_attrgetter(environment, attribute), items)
    total = start
    for item in items:
        total = environment.call_binop(context, "+", total, item)
    return total


@pass_environment
def _attr(environment: PieceEnvironment, obj: Any, name: str) -> Any:
    if isinstance(obj, dict) and name not in DICT_METHODS:
        return environment.undefined(obj=obj, name=name)
    return environment.getattr(obj, name)


@pass_context
def _each(context: Context, items: Any, weight: int) -> Any:  # noqa: ARG001 - it keeps Jinja from folding
    """The items of a loop, whose body weighs so much."""
    return costs.going_through(items, budget(), weight)


@pass_context
def _tick(context: Context, weight: int) -> None:  # noqa: ARG001 - it keeps Jinja from folding
    """A body that is gone through once more."""
    budget().take(weight)


def _number(name: str) -> Callable[..., Any]:
    """A filter that gives a default for what is no number, which a part must not silently become."""
    function = FILTERS[name]

    def number(value: Any, *args: Any, **kwargs: Any) -> Any:
        return function(text_of(value) if isinstance(value, Value) else value, *args, **kwargs)

    return _paid(name, costs.numbering, call=number)


def _format(value: Any, *args: Any, **kwargs: Any) -> str:
    if args and kwargs:
        raise TypeError("format takes values by place or by name, not both")
    return formatted(text_of(value), kwargs or args)


def _urlencode(value: Any) -> str:
    given = value if isinstance(value, str | dict | list | tuple) else text_of(value)
    return FILTERS["urlencode"](given)  # type: ignore[no-any-return]  # a text


def _pprint(value: Any) -> str:
    return FILTERS["pprint"](value)  # type: ignore[no-any-return]  # a text


def _safe(value: Any) -> Any:
    return value  # nothing is escaped, so nothing needs to be marked as safe


def _escape(value: Any) -> str:
    return str.__str__(do_forceescape(value))


def _wordcount(value: str) -> int:
    return sum(1 for _ in _WORD.finditer(value))


def _striptags(value: str) -> str:
    without = "".join(_outside("".join(_outside(value, "<!--", "-->")), "<", ">"))
    return str.__str__(Markup(" ".join(without.split())).unescape())  # noqa: S704 - it is only unescaped


def _outside(text: str, opening: str, closing: str) -> Iterator[str]:
    """What stands outside of marks, told in one pass."""
    start = 0
    while (at := text.find(opening, start)) >= 0 and (end := text.find(closing, at)) >= 0:
        yield text[start:at]
        start = end + len(closing)
    yield text[start:]


def _test(name: str) -> Callable[..., Any]:
    function = cast("Callable[..., Any]", TESTS[name])

    @wraps(function)
    def paid(*args: Any) -> Any:
        costs.matching(budget(), *args)
        return function(*args)

    return paid


OWN_FILTERS: dict[str, Callable[..., Any]] = {
    **{name: _paid(name, costs.reading(64), text=True) for name in ("capitalize", "lower", "trim", "upper")},
    **{name: _paid(name, costs.reading(16), text=True, call=_escape) for name in ("e", "escape", "forceescape")},
    **{name: _number(name) for name in ("int", "float")},
    **{name: _paid(name, costs.numbering) for name in ("abs", "filesizeformat")},
    **{name: _paid(name, costs.picking, items=True) for name in ("list", "map", "reject", "rejectattr", "select")},
    **{name: _paid(name, costs.comparing, whole=True) for name in ("dictsort", "groupby", "max", "min", "sort")},
    "attr": _attr,
    "batch": _paid("batch", costs.batching, items=True),
    "center": _paid("center", costs.padding, text=True),
    "format": _format,
    "indent": _paid("indent", costs.indenting, text=True),
    "join": _join,
    "pprint": _paid("pprint", costs.showing, call=_pprint),
    "replace": _paid("replace", costs.replacing, text=True),
    "reverse": _paid("reverse", costs.picking),
    "round": _paid("round", costs.rounding),
    "safe": _safe,
    "selectattr": _paid("selectattr", costs.picking, items=True),
    "slice": _paid("slice", costs.slicing, whole=True),
    "string": text_of,
    "striptags": _paid("striptags", costs.reading(16), text=True, call=_striptags),
    "sum": _sum,
    "title": _paid("title", costs.reading(2), text=True),
    "tojson": to_json,
    "truncate": _paid("truncate", costs.truncating, text=True),
    "unique": _paid("unique", costs.comparing, whole=True),
    "urlencode": _paid("urlencode", costs.quoting, call=_urlencode),
    "urlize": _paid("urlize", costs.linking, text=True),
    "wordcount": _paid("wordcount", costs.reading(16), text=True, call=_wordcount),
    "wordwrap": _paid("wordwrap", costs.wrapping, text=True),
    "xmlattr": _paid("xmlattr", costs.showing),
    EACH: _each,
    TICK: _tick,
}
# What takes no time worth speaking of, whatever the value.
FREE_FILTERS = ("count", "d", "default", "first", "items", "last", "length", "random")
_COMPARING = [
    "==",
    "eq",
    "equalto",
    "!=",
    "ne",
    ">",
    "gt",
    "greaterthan",
    "ge",
    ">=",
    "<",
    "lt",
    "lessthan",
    "<=",
    "le",
    "in",
    "lower",
    "upper",
]
OWN_TESTS: dict[str, Callable[..., Any]] = {name: _test(name) for name in _COMPARING}
