"""The base of everything a message holds: frozen, comparable, and silent about its bytes.

These are plain slotted classes rather than dataclasses, because serializers of tracing tools walk dataclasses field by
field and would copy every image into a trace. Anything that turns a value into text gets the short form, and while a
template renders it gets an error instead: there, text made from an image is a mistake of the template.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar, Token
from typing import Any, ClassVar, NoReturn, Self

from prompt_adapters.errors import TemplateError

_rendering: ContextVar[bool] = ContextVar("prompt_adapters_rendering", default=False)


class rendering:  # noqa: N801 - used as a function, and quicker than one that yields
    """While this is entered, turning a part into text raises `TemplateError`."""

    __slots__ = ("_token",)
    _token: Token[bool]

    def __enter__(self) -> None:
        self._token = _rendering.set(True)

    def __exit__(self, *_: object) -> None:
        _rendering.reset(self._token)


def _restore(cls: type[Value], state: tuple[Any, ...]) -> Value:
    value = cls.__new__(cls)
    for name, item in zip(cls._stored(), state, strict=True):
        object.__setattr__(value, name, item)
    return value


def setters(cls: type[Value], *names: str) -> tuple[Callable[[Any, Any], None], ...]:
    """What sets fields of a new value: the slots' own methods, for the classes of which each render makes some.

    Args:
        cls: The class.
        names: Its slots.
    """
    return tuple(vars(cls)[name].__set__ for name in names)


def opened(cls: type[Value]) -> Any:
    """A class with the fields of another, whose instances can be written to until their `__class__` is that other one.

    So a value of fields that are known to be right is made in a third of the time that a constructor takes.

    Args:
        cls: The class.
    """
    unfrozen = {"__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    return type(f"Open{cls.__name__}", cls.__bases__, {"__slots__": vars(cls)["__slots__"], **unfrozen})


def arguments(value: Value) -> dict[str, Any]:
    """The arguments that make a value again; as ``_asdict`` of a class, LangGraph's checkpoints keep values by them."""
    return {name: getattr(value, name) for name in value._stored()}


class Value:
    """A frozen value, equal to another of its class with equal fields.

    `_compared` names the fields that make up the value; `_carried` names those that travel with it (through copies and
    pickles) without being part of it. `_also_accepted` names what `replace` takes besides: arguments of the constructor
    that are kept in another form.
    """

    __slots__ = ()
    _compared: ClassVar[tuple[str, ...]] = ()
    _carried: ClassVar[tuple[str, ...]] = ()
    _also_accepted: ClassVar[frozenset[str]] = frozenset()

    @classmethod
    def _stored(cls) -> tuple[str, ...]:
        return cls._compared + cls._carried

    def _set(self, **fields: Any) -> None:
        for name, item in fields.items():
            object.__setattr__(self, name, item)

    def _key(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self._compared)

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen; use replace({name}=...)")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(other) is not type(self):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._key()))

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), tuple(getattr(self, name) for name in self._stored()))

    def replace(self, **changes: Any) -> Self:
        """A copy with some fields changed.

        Raises:
            TypeError: A name is not a field.
        """
        fields = {name: getattr(self, name) for name in self._stored()}
        if unknown := changes.keys() - fields.keys() - self._also_accepted:
            raise TypeError(f"{type(self).__name__} has no field {sorted(unknown)[0]!r}")
        copy = type(self).__new__(type(self))
        copy._set(**(fields | self._as_fields(changes)))
        copy._check()
        return copy

    @classmethod
    def _as_fields(cls, changes: dict[str, Any]) -> dict[str, Any]:
        """What `replace` was given, in the form in which the constructor keeps it."""
        return changes

    def _check(self) -> None:
        """Refuse fields that cannot be; called by every constructor and by `replace`."""

    def describe(self) -> str:
        """The short form: kind, type, size and digest, never the content of media."""
        return self._describe()

    def _describe(self) -> str:
        inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._compared)
        return f"{type(self).__name__}({inner})"

    def _as_text(self) -> str:
        if _rendering.get():
            raise TemplateError(
                f"{self.describe()} was turned into text; let it stand alone in its own slot, as {{{{ photo }}}}, "
                "without string filters, '%', '~' or format()"
            )
        return self.describe()

    def __repr__(self) -> str:
        return self._as_text()

    def __str__(self) -> str:
        return self._as_text()

    def __format__(self, spec: str) -> str:
        return format(self._as_text(), spec)
