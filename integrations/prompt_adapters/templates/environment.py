"""The Jinja that prompts are written in: sandboxed, strict, verbatim, and yielding pieces in place of one string.

What differs from the stock sandbox:

- ``{{ expression }}`` gives a piece (see `pieces`), and blocks that capture output keep the parts in it.
- Line breaks of the source stay as they are written, as does the last one. Nothing is escaped for HTML.
- Attributes and methods are those that `reach` lists; parts and captured blocks have none, and only what a template
  itself may have made is called.
- Unknown names are errors; an absent optional variable is false, empty and undefined.
- Whatever takes time or memory is paid for (`costs`); ``lipsum``, ``cycler`` and ``joiner`` do not exist.
- ``~``, ``join``, ``string``, ``tojson``, ``%`` and ``format`` write dicts and lists as printing them does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import BuiltinMethodType, MethodType
from typing import Any

from jinja2.exceptions import SecurityError, UndefinedError
from jinja2.lexer import Lexer
from jinja2.runtime import BlockReference, Context, LoopContext, Macro, StrictUndefined, TemplateReference, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment, SandboxedFormatter
from jinja2.utils import Namespace, missing

from prompt_adapters.content.value import Value
from prompt_adapters.templates import costs
from prompt_adapters.templates.code import PieceGenerator, VerbatimLexer
from prompt_adapters.templates.filters import OWN_FILTERS, OWN_TESTS, captured, formatted, printed, text_of, tilde
from prompt_adapters.templates.limits import budget
from prompt_adapters.templates.reach import names_of
from prompt_adapters.templates.records import Record
from prompt_adapters.templates.weights import weigh

FUNCTIONS = ("range", "dict", "namespace")
_CALL = 2
_SCOPES = ("_loop_vars", "_block_vars")


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


class _Formatter(SandboxedFormatter):
    """``text.format(…)``, whose fields reach what templates reach, and are paid for."""

    def format_field(self, value: Any, format_spec: str) -> Any:
        if isinstance(value, list | tuple | dict | Undefined):
            value = text_of(value)
        costs.format_spec(budget(), value, format_spec)
        return costs.result(budget(), super().format_field(value, format_spec))

    def convert_field(self, value: Any, conversion: Any) -> Any:
        return super().convert_field(text_of(value) if isinstance(value, list | tuple | dict) else value, conversion)


class _Format:
    """The method ``format`` or ``format_map`` of a text."""

    __slots__ = ("_environment", "_mapped", "_text")

    def __init__(self, environment: PieceEnvironment, text: str, *, mapped: bool) -> None:
        self._environment = environment
        self._text = text
        self._mapped = mapped

    def __call__(self, *args: Any, **kwargs: Any) -> str:
        if self._mapped:
            if kwargs or len(args) != 1 or not isinstance(args[0], Mapping):
                raise TypeError("format_map() takes one mapping")
            kwargs = dict(args[0])
            args = ()
        budget().take(1 + (len(self._text) >> 4))
        return _Formatter(self._environment).vformat(self._text, args, kwargs)


class PieceEnvironment(ImmutableSandboxedEnvironment):
    """The environment of every Jinja template."""

    code_generator_class = PieceGenerator
    concat = staticmethod(captured)  # type: ignore[assignment]  # captured blocks may hold parts, so they are no strings
    intercepted_binops = frozenset({"+", "-", "*", "/", "//", "**", "%"})
    tilde = staticmethod(tilde)

    def __init__(self) -> None:
        super().__init__(
            undefined=Unknown, finalize=printed, keep_trailing_newline=True, cache_size=0, auto_reload=False
        )
        self._verbatim_lexer = VerbatimLexer(self)
        self.globals = {"range": _range, "dict": _dict, "namespace": _namespace}
        self.filters.update(OWN_FILTERS)
        self.tests.update(OWN_TESTS)
        self.tests["none"] = _is_none

    @property
    def lexer(self) -> Lexer:
        """The lexer, which keeps line breaks."""
        return self._verbatim_lexer

    def getattr(self, obj: Any, attribute: str) -> Any:
        """``obj.attribute``: a field, a method that is listed, an item of a dict."""
        kind = type(obj)
        if kind is Record or isinstance(obj, Value):
            return self._field(obj, attribute)
        if attribute in names_of(obj):
            return self._method(obj, attribute)
        if kind is dict or kind is TemplateReference:
            try:
                return obj[attribute]
            except KeyError:
                return self._unreached(obj, attribute)
        return self._unreached(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """``obj[argument]``: an item, or what `getattr` gives."""
        if isinstance(obj, Record | Value):
            return self._field(obj, argument)
        if isinstance(argument, tuple):
            weigh(argument, budget())
        try:
            return obj[argument]
        except (TypeError, LookupError) as error:
            if isinstance(error, UndefinedError):
                raise
        if not isinstance(argument, str):
            return self.undefined(obj=obj, name=argument)
        return self._method(obj, argument) if argument in names_of(obj) else self._unreached(obj, argument)

    def _field(self, obj: Record | Value, name: Any) -> Any:
        if isinstance(obj, Value):
            raise SecurityError(f"{obj.describe()} keeps {name!r} out of a template's reach; print it whole")
        try:
            return obj.field(name)
        except KeyError:
            return self.undefined(
                f"templates cannot reach {name!r} of a value of type {type(obj.value).__name__}, only fields that its "
                "class declares as data; give what is needed, as a dict",
                name=name,
                obj=obj,
                exc=SecurityError,
            )

    def _method(self, obj: Any, name: str) -> Any:
        if isinstance(obj, str) and name in ("format", "format_map"):
            return _Format(self, obj, mapped=name == "format_map")
        return getattr(obj, name)

    def _unreached(self, obj: Any, name: str) -> Any:
        if isinstance(obj, Undefined):
            return obj[name]  # which says that there is no such name
        if isinstance(obj, Namespace) and not name.startswith("_"):
            return getattr(obj, name, None) if _has(obj, name) else self.undefined(obj=obj, name=name)
        return self.unsafe_undefined(obj, name) if _has(obj, name) else self.undefined(obj=obj, name=name)

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805 - as Jinja's
        """Call a macro, a block, a loop, a function of templates or a method that `getattr` gave; nothing else."""
        spent = budget()
        spent.take(_CALL)
        kind = type(__obj)
        if kind is BuiltinMethodType or kind is MethodType:
            return _call_method(__obj, args, _without_scopes(kwargs))
        if kind is _Format or __obj is _range or __obj is _dict or __obj is _namespace:
            return __obj(*args, **_without_scopes(kwargs))
        if isinstance(__obj, Undefined):
            return __obj()  # which says that there is no such name
        if not isinstance(__obj, Macro | LoopContext | BlockReference):
            if not callable(__obj):
                raise TypeError(f"a value of type {kind.__name__} cannot be called")
            raise SecurityError(f"{getattr(__obj, '__name__', kind.__name__)!r} is nothing that a template may call")
        spent.enter()
        try:
            return __context.call(__obj, *args, **kwargs)
        finally:
            spent.leave()

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Operators, whose result is paid for before it is made.

        Raises:
            TemplateLimitError: It would be too large.
        """
        spent = budget()
        if operator == "%" and isinstance(left, str):
            return formatted(left, right)
        if operator in ("**", "*"):
            _check_product(operator, left, right)
        elif operator == "+":
            _check_sum(left, right)
        for operand in (left, right):
            costs.number_within(operand, spent)
        return costs.number_within(super().call_binop(context, operator, left, right), spent)

    def weigh(self, value: Any) -> Any:
        """A value that is about to be compared or hashed."""
        return weigh(value, budget())

    def cut(self, value: Any, start: Any, stop: Any, step: Any) -> Any:
        """``value[start:stop:step]``."""
        if isinstance(value, Value):
            raise TypeError(f"{value.describe()} has no items")
        spent = budget()
        if isinstance(value, str | list | tuple):
            spent.take(1 + (len(range(*slice(start, stop, step).indices(len(value)))) >> 6))
        return costs.result(spent, value[start:stop:step])


def _call_method(method: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    owner, name = method.__self__, method.__name__
    if name not in names_of(owner):
        raise SecurityError(f"{name!r} is nothing that a template may call")
    spent = budget()
    if isinstance(owner, str) and name == "join":
        return costs.result(spent, method(costs.joining(spent, owner, *args, **kwargs)))
    costs.method(spent, owner, name, args, kwargs)
    return costs.result(spent, method(*args, **kwargs))


def _without_scopes(kwargs: dict[str, Any]) -> dict[str, Any]:
    for scope in _SCOPES:
        kwargs.pop(scope, None)
    return kwargs


def _has(obj: Any, name: str) -> bool:
    try:
        return hasattr(obj, name)
    except Exception:  # noqa: BLE001 - what the object does when it is asked is no concern of a template's
        return True


def _check_product(operator: str, left: Any, right: Any) -> None:
    """Pay for ``left * right`` or ``left ** right``."""
    spent = budget()
    if isinstance(left, int) and isinstance(right, int):
        bits = left.bit_length() * right if operator == "**" else left.bit_length() + right.bit_length()
        spent.limits.check("bits", bits)
    elif operator == "**":
        if isinstance(right, int) and not isinstance(left, float):
            spent.limits.check("bits", 64 * abs(right))
        return
    for sequence, times in ((left, right), (right, left)):
        if isinstance(times, int) and isinstance(sequence, str):
            spent.make(len(sequence) * times)
        elif isinstance(times, int) and isinstance(sequence, Sequence):
            spent.take(max(0, len(sequence) * times))


def _check_sum(left: Any, right: Any) -> None:
    """Pay for ``left + right``."""
    if isinstance(left, str) and isinstance(right, str):
        budget().make(len(left) + len(right))
    elif isinstance(left, list | tuple) and isinstance(right, list | tuple):
        budget().take((len(left) + len(right)) >> 2)


def _range(*args: Any) -> range:
    """``range(…)``, of as many numbers as the limits allow."""
    numbers = range(*args)
    limits = budget().limits
    if numbers[: limits.range] != numbers:
        raise limits.exceeded("range")
    return numbers


def _dict(*args: Any, **kwargs: Any) -> dict[Any, Any]:
    """``dict(…)``."""
    for value in args:
        costs.comparing(budget(), value)
    return dict(*args, **kwargs)


def _namespace(*args: Any, **kwargs: Any) -> Namespace:
    """``namespace(…)``."""
    return Namespace(*(_dict(value) for value in args), **kwargs)


def _is_none(value: Any) -> bool:
    return value is None or isinstance(value, Absent)


ENVIRONMENT = PieceEnvironment()
