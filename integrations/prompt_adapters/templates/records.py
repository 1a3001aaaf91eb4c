"""Objects as templates see them: their fields, when their class declares some, and their text; nothing else.

A template cannot call a method of a value, nor read an attribute that is no declared data: what it sees is a `Record`
in place of the object.

==============================  ======================================================================
object                          fields
==============================  ======================================================================
dataclass, attrs class          its fields
pydantic model                  its fields, computed and extra ones among them
``SimpleNamespace``             its attributes
member of an ``Enum``           ``name`` and ``value``
``PurePath``                    ``name``, ``stem`` and ``suffix``
every other object              none: it can be printed, when it has a text, and compared
==============================  ======================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from types import SimpleNamespace
from typing import Any

_NO_TEXT: Any = object.__str__
NO_DATA: Any = object()


class Record:
    """An object in a template.

    Args:
        value: The object.
        admit: What makes of a field's value what a template may have.
        text: What makes the object's text.
    """

    __slots__ = ("_admit", "_text", "value")

    def __init__(self, value: Any, admit: Callable[[Any], Any], text: Callable[[Any], str]) -> None:
        self.value = value
        self._admit = admit
        self._text = text

    def field(self, name: object) -> Any:
        """The value of a field.

        Raises:
            KeyError: It has no such field.
        """
        if not isinstance(name, str) or name.startswith("_") or name not in field_names(self.value):
            raise KeyError(name)
        return self._admit(getattr(self.value, name))

    def __str__(self) -> str:
        return self._text(self.value)

    def __repr__(self) -> str:
        return self._text(self.value)

    def __format__(self, spec: str) -> str:
        return format(self._text(self.value), spec)

    def __bool__(self) -> bool:
        return bool(self.value)

    def __eq__(self, other: object) -> bool:
        return bool(self.value == other.value) if isinstance(other, Record) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.value)


def field_names(value: Any) -> Iterable[str]:
    """The names of the data that an object declares."""
    cls = type(value)
    if _is_dataclass(cls):
        from dataclasses import fields

        return [field.name for field in fields(value)]
    if hasattr(cls, "__pydantic_fields__"):
        extra = getattr(value, "__pydantic_extra__", None) or ()
        return [*cls.__pydantic_fields__, *getattr(cls, "__pydantic_computed_fields__", ()), *extra]
    if (attributes := getattr(cls, "__attrs_attrs__", None)) is not None:
        return [attribute.name for attribute in attributes]
    if issubclass(cls, SimpleNamespace):
        return list(vars(value))
    if issubclass(cls, Enum):
        return ("name", "value")
    from pathlib import PurePath

    return ("name", "stem", "suffix") if issubclass(cls, PurePath) else ()


def _is_dataclass(cls: type) -> bool:
    """As `dataclasses` tells it, which is imported only for one."""
    return hasattr(cls, "__dataclass_fields__")


def data_of(value: Any) -> Any:
    """The data of an object whose class declares data and says no other text; `NO_DATA` for all other values."""
    cls = type(value)
    if cls.__str__ is _NO_TEXT:
        if _is_dataclass(cls) or hasattr(cls, "__attrs_attrs__") or issubclass(cls, SimpleNamespace):
            return {name: getattr(value, name) for name in field_names(value)}
        return NO_DATA
    if hasattr(cls, "__pydantic_fields__") and _says_text(cls).startswith("pydantic."):
        return value.model_dump()
    return NO_DATA


def _says_text(cls: type) -> str:
    """The module of the class from which a class has its text."""
    return next(base.__module__ for base in cls.__mro__ if "__str__" in vars(base))
