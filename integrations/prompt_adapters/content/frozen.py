"""Frozen classes of named fields, as ``@dataclass(frozen=True, slots=True)`` makes them, without what that costs.

The module `dataclasses` imports `inspect` and compiles half a dozen methods a class: that is a good part of what
importing this package may take. Here one method is compiled, and `dataclasses` is imported when somebody asks it about
such a class; ``dataclasses.fields``, ``replace`` and ``asdict`` know them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar, cast, dataclass_transform

_Made = TypeVar("_Made")


class _Fields:
    """What `dataclasses` wants to know of a class, found out when it asks."""

    def __get__(self, _: object, owner: type) -> Any:
        import dataclasses

        given = {"__annotations__": owner.__annotations__, "__module__": owner.__module__, **vars(owner)["_defaults"]}
        told: Any = dataclasses.dataclass(frozen=True, kw_only=not names_of(owner, "__match_args__"))(
            type(owner.__name__, (), given)
        )
        type.__setattr__(owner, "__dataclass_fields__", told.__dataclass_fields__)
        return told.__dataclass_fields__


def names_of(cls: type, attribute: str = "__slots__") -> tuple[str, ...]:
    """The names of the fields of a frozen class, in order."""
    names: tuple[str, ...] = vars(cls)[attribute]
    return names


def replaced(value: _Made, **changes: Any) -> _Made:
    """A copy of a value of a frozen class with some fields changed.

    Raises:
        TypeError: A name is no field.
    """
    cls: Callable[..., _Made] = type(value)
    return cls(**{name: getattr(value, name) for name in names_of(type(value))} | changes)


def _values(value: object) -> tuple[Any, ...]:
    return tuple(getattr(value, name) for name in names_of(type(value)))


def _restored(cls: type, values: tuple[Any, ...]) -> Any:
    value: Any = object.__new__(cls)
    for name, item in zip(names_of(cls), values, strict=True):
        object.__setattr__(value, name, item)
    return value


def _eq(self: object, other: object) -> bool:
    return _values(self) == _values(other) if type(other) is type(self) else NotImplemented


def _hash(self: object) -> int:
    return hash(_values(self))


def _repr(self: object) -> str:
    inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in names_of(type(self)))
    return f"{type(self).__qualname__}({inner})"


def _reduce(self: object) -> tuple[Any, ...]:
    return _restored, (type(self), _values(self))


def _set(_: object, name: str, __: object) -> NoReturn:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(_: object, name: str) -> NoReturn:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _constructor(cls: type, names: tuple[str, ...], defaults: dict[str, Any], *, kw_only: bool) -> Any:
    taken = [f"{name}: _types[{name!r}]" + f" = _defaults[{name!r}]" * (name in defaults) for name in names]
    lines = [f"    _set(self, {name!r}, {name})" for name in names]
    if hasattr(cls, "__post_init__"):
        lines.append("    self.__post_init__()")
    text = f"def __init__(self, {'*, ' * kw_only}{', '.join(taken)}) -> None:\n" + "\n".join(lines)
    space: dict[str, Any] = {"_defaults": defaults, "_types": cls.__annotations__, "_set": object.__setattr__}
    exec(text, space)  # noqa: S102 - as dataclasses do; the names are those of a class of this package
    made = space["__init__"]
    made.__module__, made.__qualname__ = cls.__module__, f"{cls.__qualname__}.__init__"
    return made


@dataclass_transform(frozen_default=True)
def frozen(*, kw_only: bool = False) -> Callable[[type[_Made]], type[_Made]]:
    """A class decorator: the fields are the annotations of the class body, the defaults what is assigned there.

    Args:
        kw_only: Whether the constructor takes its arguments by name only.
    """

    def make(cls: type[_Made]) -> type[_Made]:
        names = tuple(cls.__annotations__)
        space = {name: value for name, value in vars(cls).items() if name not in ("__dict__", "__weakref__")}
        defaults = {name: space.pop(name) for name in names if name in space}
        space |= {
            "__slots__": names,
            "__match_args__": () if kw_only else names,
            "__init__": _constructor(cls, names, defaults, kw_only=kw_only),
            "__eq__": _eq,
            "__hash__": _hash,
            "__repr__": _repr,
            "__reduce__": _reduce,
            "__setattr__": _set,
            "__delattr__": _delete,
            "__replace__": replaced,
            "__dataclass_fields__": _Fields(),
            "_defaults": defaults,
        }
        made: Any = type(cls.__name__, cls.__bases__, space)
        return cast("type[_Made]", made)

    return make
