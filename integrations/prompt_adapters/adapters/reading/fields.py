"""An object of a request, taken apart key by key: what nobody asked for is refused by name and place."""

from __future__ import annotations

import json
import reprlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Any, NoReturn, Self

from prompt_adapters.errors import MediaError, PromptFormatError

REQUEST = "the request"


def refuse(where: str, reason: str) -> NoReturn:
    """Refuse what stands somewhere.

    Raises:
        PromptFormatError: (a ``ValueError``) Always.
    """
    raise PromptFormatError(None, None, f"{where} {reason}")


@contextmanager
def at(where: str) -> Iterator[None]:
    """Errors of the values that are made in here get their place.

    Raises:
        PromptFormatError: (a ``ValueError``) What is made is malformed.
        MediaError: (a ``ValueError``) Media are broken.
    """
    try:
        yield
    except MediaError as error:
        raise type(error)(f"{where}: {error}") from None
    except PromptFormatError as error:
        raise PromptFormatError(None, None, f"{where}: {error.reason}") from None
    except RecursionError:
        raise PromptFormatError(None, None, f"{where}: the data are nested too deeply") from None


def plain(value: Any) -> Any:
    """The data of a client's own object, which people put into requests as it came; other values as they are."""
    dump = getattr(value, "model_dump", None)
    return dump(exclude_none=True) if callable(dump) and not isinstance(value, type) else value


class Fields:
    """An object whose keys are taken one by one; used as ``with Fields(value, where) as fields``.

    At the end of the block everything must have been taken.

    Args:
        value: The object.
        where: Its place, as errors call it.
        spelling: From a key as it is written to the key that is asked for.

    Raises:
        PromptFormatError: (a ``ValueError``) It is no object, or a key is there in two spellings.
    """

    def __init__(self, value: object, where: str, spelling: Callable[[str], str] | None = None) -> None:
        value = plain(value)
        if not isinstance(value, Mapping):
            refuse(where, f"is {_a(value)}, not an object")
        self.where = where
        self._spelling = spelling
        self._rest: dict[str, Any] = {}
        self._written: dict[str, str] = {}
        for key, item in value.items():
            if not isinstance(key, str):
                refuse(where, f"has the key {reprlib.repr(key)}, which is no text")
            if item is not None:
                self.add(key, item)

    def add(self, key: str, item: Any) -> None:
        """One more key, as it is written."""
        name = self._spelling(key) if self._spelling else key
        if name in self._rest:
            refuse(self.where, f"has {self._written[name]!r} and {key!r}, which mean the same")
        self._rest[name], self._written[name] = item, key

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None and self._rest:
            key = self._written[next(iter(self._rest))]
            refuse(self.where, f"has {key!r}, which has no place in messages; take it out")

    def __contains__(self, name: str) -> bool:
        return name in self._rest

    def left(self) -> tuple[str, ...]:
        """The keys that were not taken yet."""
        return tuple(self._rest)

    def take(self, name: str, default: Any = None) -> Any:
        """The value of a key, or the default."""
        return self._rest.pop(name, default)

    def peek(self, name: str) -> Any:
        """The value of a key, which stays, or None."""
        return self._rest.get(name)

    def need(self, name: str) -> Any:
        """The value of a key that must be there."""
        if name not in self._rest:
            refuse(self.where, f"has no {name!r}")
        return self._rest.pop(name)

    def text(self, name: str) -> str:
        """The text under a key that must be there."""
        return self._as_text(name, self.need(name))

    def maybe_text(self, name: str) -> str | None:
        """The text under a key, or None."""
        return self._as_text(name, self.take(name)) if name in self else None

    def flag(self, name: str) -> bool:
        """The truth value under a key; false when it is not there."""
        value = self.take(name, False)
        if not isinstance(value, bool):
            refuse(self.where, f"has {_a(value)} as {name!r}, not true or false")
        return value

    def items(self, name: str) -> list[Any]:
        """The list under a key; an empty one when it is not there."""
        return as_list(self.take(name, ()), f"{self.where}, {name!r}")

    def marked(self, name: str, kind: str, value: str) -> bool:
        """Whether the end of a cacheable prefix is marked under a key, as ``{kind: value}``.

        Raises:
            PromptFormatError: (a ``ValueError``) The mark says more than that, such as how long it holds.
        """
        if name not in self:
            return False
        with self.inner(name) as mark:
            if mark.need(kind) != value:
                refuse(mark.where, f"has no {kind!r} of {value!r}, the only one that is known")
            mark.only("ttl", "5m")  # what a mark without it has
        return True

    def inner(self, name: str) -> Fields:
        """The object under a key that must be there."""
        return Fields(self.need(name), f"{self.where}, {name!r}", self._spelling)

    def only(self, name: str, *values: object) -> None:
        """Take a key that says nothing when it has one of these values, and refuse any other."""
        if name in self and (value := self.take(name)) not in values:
            refuse(self.where, f"has {reprlib.repr(value)} as {name!r}, which messages have no word for")

    def one_of(self, *names: str) -> str:
        """Which one of these keys is there.

        Raises:
            PromptFormatError: (a ``ValueError``) None is, or several are.
        """
        there = [name for name in names if name in self]
        if len(there) != 1:
            what = f"has {there[0]!r} and {there[1]!r} at once" if there else f"has none of {', '.join(names)}"
            refuse(self.where, what)
        return there[0]

    def _as_text(self, name: str, value: object) -> str:
        if not isinstance(value, str):
            refuse(self.where, f"has {_a(value)} as {name!r}, not a text")
        return value


def as_list(value: object, where: str) -> list[Any]:
    """A list, as JSON or a caller has it.

    Raises:
        PromptFormatError: (a ``ValueError``) It is something else.
    """
    if not isinstance(value, list | tuple):
        refuse(where, f"is {_a(value)}, not a list")
    return list(value)


def json_object(value: object, where: str) -> Mapping[str, Any]:
    """An object, or the JSON text of one; no text at all is an empty object.

    Raises:
        PromptFormatError: (a ``ValueError``) It is something else.
    """
    try:
        data = json.loads(value or "{}") if isinstance(value, str) else value
    except (ValueError, RecursionError):
        refuse(where, "is not JSON")
    if not isinstance(data, Mapping):
        refuse(where, f"is {_a(data)}, not an object")
    return data


def json_text(value: Any, where: str) -> str:
    """Data as JSON text.

    Raises:
        PromptFormatError: (a ``ValueError``) They are no JSON data.
    """
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        refuse(where, "is no JSON data")


def _a(value: object) -> str:
    return "null" if value is None else f"of type {type(value).__name__}"
