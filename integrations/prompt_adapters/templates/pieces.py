"""What the values of variables become: pieces, each a text or a whole part. One place, for every syntax.

=======================================  ============================================================
value                                    what its slot gives
=======================================  ============================================================
str, and subclasses                      its characters, verbatim
bool, int, float                         Python's text: ``True``, ``1.0``, ``nan``
a part, or an object like an image       the part, whole
list or tuple with parts                 its items, in order
list, tuple, dict of plain data          JSON, with Unicode and the order of keys as given
dataclass, attrs class, pydantic model,  JSON of its fields (``model_dump()``), unless its class has a ``__str__``
``SimpleNamespace``
set                                      a sorted list; one that cannot be sorted is refused
bytes, pictures, arrays, files,          refused, with a remedy
generators, functions
other objects with a ``__str__``         that text: Decimal, date, UUID, Path, Enum …
other objects                            refused, with a remedy
=======================================  ============================================================

A value is never read as a path, a marker or a template. What an object is, its type says, and not its ``__class__``.
"""

from __future__ import annotations

import json
from collections import UserString
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence, Set, ValuesView
from collections.abc import ItemsView as Items
from collections.abc import KeysView as Keys
from functools import cache
from itertools import islice
from typing import Any, ClassVar, TypeAlias

from prompt_adapters.content.parts import Part, Text, as_part, is_image_like, text_of
from prompt_adapters.content.value import Value, rendering
from prompt_adapters.errors import PromptAdapterError, TemplateError
from prompt_adapters.templates.limits import TemplateLimits, budget, current_limits
from prompt_adapters.templates.records import NO_DATA, Record, data_of
from prompt_adapters.templates.weights import print_size

_PLAIN = frozenset({str, int, bool, float})
_NO_PARTS = _PLAIN | {dict}
_NO_TEXT: Any = object.__str__
_BYTES = (bytes, bytearray, memoryview)
# Indentation is multiplied by depth and items.
_MOST_BLANKS = 16


class Fragment(Value):
    """What a template captured in a macro, a ``set``, ``call`` or ``filter`` block, with parts in it.

    It can be printed, and nothing else: like a part it cannot be turned into text, and has no attributes in a template.

    Attributes:
        pieces: Texts and parts, in order.
    """

    __slots__ = ("pieces",)
    _compared: ClassVar = ("pieces",)
    pieces: tuple[str | Part, ...]

    def __init__(self, pieces: tuple[str | Part, ...]) -> None:
        self._set(pieces=pieces)

    def _describe(self) -> str:
        return f"a block with {_listed(part for part in self.pieces if not isinstance(part, str))}"


Piece: TypeAlias = str | Part | Fragment


def admit(value: Any) -> Any:
    """A variable's value as templates may work on it.

    Texts, numbers, dates and parts are what they are, containers are copied, what looks like an image is made one, and
    of every other object there is a `Record`.

    Raises:
        TemplateError: It is, or holds, something that no template may have.
        TemplateLimitError: It has too many items.
        MediaError: An object like an image holds no image.
    """
    if type(value) in _PLAIN or value is None:
        return value
    return _Admission(current_limits()).of(value)


class _Admission:
    """The admission of one value with all that it holds, each as often as it stands in it."""

    def __init__(self, limits: TemplateLimits) -> None:
        self._limits = limits
        self._left = limits.items

    def of(self, value: Any) -> Any:
        kind = type(value)
        if kind in _PLAIN or value is None:
            return value
        if kind is dict:
            self._take(len(value))
            return {
                k if type(k) is str else self._key(k): v if type(v) in _PLAIN else self.of(v) for k, v in value.items()
            }
        if kind is list:
            self._take(len(value))
            return [item if type(item) in _PLAIN else self.of(item) for item in value]
        if issubclass(kind, str):
            return str.__str__(value)
        if issubclass(kind, Mapping):
            return {self._key(k): self.of(v) for k, v in self._counted(value.items())}
        if (part := _part(value)) is not None:
            return part
        if issubclass(kind, range | tuple | Sequence | Set | Keys | Items | ValuesView) and not issubclass(
            kind, _BYTES
        ):
            return self._items(value)
        if isinstance(value, Record) or issubclass(kind, _as_they_are()):
            return value
        _refuse(value)
        return Record(value, admit, _text_of_object)

    def _items(self, value: Any) -> Any:
        if isinstance(value, range):
            if value[: self._limits.items] != value:
                raise self._limits.exceeded("items")
            return value
        if isinstance(value, UserString):
            return str(value)
        if isinstance(value, tuple):
            self._take(len(value))
            items = [self.of(item) for item in value]
            return value._make(items) if hasattr(value, "_make") else tuple(items)
        counted: Iterable[Any] = self._counted(value)
        ordered = isinstance(value, Sequence | Keys | Items | ValuesView)
        return [self.of(item) for item in (counted if ordered else _sorted(counted))]

    def _key(self, key: Any) -> Any:
        return str.__str__(key) if issubclass(type(key), str) else key

    def _counted(self, items: Iterable[Any]) -> Iterator[Any]:
        for item in items:
            self._take(1)
            yield item

    def _take(self, items: int) -> None:
        self._left -= items
        if self._left < 0:
            raise self._limits.exceeded("items", self._limits.items - self._left)


@cache
def _as_they_are() -> tuple[type, ...]:
    """Types whose values a template has as they are; their modules are imported for the first value of such a kind."""
    from datetime import date, time, timedelta, tzinfo
    from numbers import Number

    return Number, date, time, timedelta, tzinfo


def to_piece(value: Any) -> Piece:
    """What a slot gives for a value.

    Raises:
        TemplateError: It has no text.
    """
    kind = type(value)
    if kind in _PLAIN:
        return _plain(value)
    if issubclass(kind, str):
        return str.__str__(value)
    if isinstance(value, Fragment):
        return value
    if isinstance(value, Record):
        data = data_of(value.value)
        return _text(value.value) if data is NO_DATA else to_piece(admit(data))
    if (part := _part(value)) is not None:
        return part
    if issubclass(kind, Mapping):
        return to_json(value)
    if (data := data_of(value)) is not NO_DATA:
        return to_piece(admit(data))
    if (items := _items(value)) is not None:
        print_size(items, budget())
        return concat(_listed_pieces(items)) if _holds_part(items) else _json(items, None)
    return _text(value)


def to_json(value: Any, indent: int | None = None) -> str:
    """A value as JSON text, with Unicode as it is.

    Args:
        value: The value.
        indent: Blanks that a level is indented by, at most 16; None for one line.

    Raises:
        TemplateError: It holds a part, or something that has no text.
        TemplateLimitError: The text would be too long.
    """
    if indent is not None and (type(indent) is not int or not 0 <= indent <= _MOST_BLANKS):
        raise TemplateError(f"JSON is indented by 0 to {_MOST_BLANKS} blanks, not {str(indent)[:20]!r}")
    print_size(value, budget())
    return _json(value, indent)


def _json(value: Any, indent: int | None) -> str:
    encoder = json.JSONEncoder(ensure_ascii=False, indent=indent, default=_json_default)
    try:
        return encoder.encode(value) if indent is None else "".join(_paid(encoder.iterencode(value)))
    except PromptAdapterError:
        raise
    except RecursionError:
        raise TemplateError("a value is nested too deeply, or holds itself") from None
    except (TypeError, ValueError) as error:
        raise TemplateError(f"a value cannot be written as JSON: {error}") from None


def _paid(chunks: Iterable[str]) -> Iterator[str]:
    spent = budget()
    for chunk in chunks:
        spent.make(len(chunk))
        yield chunk


def concat(pieces: Iterable[Any]) -> str | Fragment:
    """Pieces captured together: a text, or a `Fragment` when there are parts among them."""
    pieces = [piece if type(piece) is str else to_piece(piece) for piece in pieces]
    try:
        return "".join(pieces)
    except TypeError:  # there is a part among them
        return Fragment(tuple(_flat(pieces)))


def merge(pieces: list[Any]) -> tuple[Part, ...]:
    """Pieces as parts: neighbouring texts joined, empty ones left out, everything else whole and in order.

    A `Text` that ends a cacheable prefix still does: the text goes on in a part of its own.
    """
    try:
        text = "".join(pieces)
    except TypeError:  # not all are texts
        return _merged(_flat(to_piece(piece) for piece in pieces))
    return (text_of(text),) if text else ()


def _merged(pieces: Iterable[str | Part]) -> tuple[Part, ...]:
    parts: list[Part] = []
    run: list[str] = []

    def end_run(*, cache: bool = False) -> None:
        if text := "".join(run):
            parts.append(Text(text, cache=cache))
        elif cache and parts:
            parts[-1] = parts[-1].replace(cache=True)
        run.clear()

    for piece in pieces:
        if isinstance(piece, str):
            run.append(piece)
        elif isinstance(piece, Text):
            run.append(piece.text)
            if piece.cache:
                end_run(cache=True)
        else:
            end_run()
            parts.append(piece)
    end_run()
    return tuple(parts)


def _flat(pieces: Iterable[Piece]) -> Iterator[str | Part]:
    for piece in pieces:
        if isinstance(piece, Fragment):
            yield from piece.pieces
        else:
            yield piece


def _items(value: Any) -> list[Any] | tuple[Any, ...] | None:
    """The items of a list, or of what a template's own filters and methods give in place of one."""
    if isinstance(value, list | tuple):
        return value
    if isinstance(value, Set) and not isinstance(value, Keys | Items):
        return _sorted(value)
    # What can also be called, as the `loop` of a loop, or read, as a file, is more than its items.
    if isinstance(value, _BYTES) or callable(value) or _is_file(value):
        return None
    if not isinstance(value, Sequence | Keys | Items | ValuesView | Iterator):
        return None
    limits = budget().limits
    items = list(islice(value, limits.items + 1))
    limits.check("items", len(items))
    return items


def _listed_pieces(items: Iterable[Any]) -> Iterator[Piece]:
    for item in items:
        if item is None:
            raise TemplateError("a list of parts holds None; leave it out, or give the part")
        yield to_piece(item)


def _holds_part(items: Iterable[Any]) -> bool:
    return any(
        _holds_part(item) if isinstance(item, list | tuple) else isinstance(item, Value) or is_image_like(item)
        for item in items
        if type(item) not in _NO_PARTS
    )


def _sorted(value: Iterable[Any]) -> list[Any]:
    items = list(value)
    try:
        if any(isinstance(item, Set) for item in items):
            raise TypeError("sets compare by what they contain, which is no order")
        return sorted(items)
    except TypeError:
        raise TemplateError("a set has no order, and this one cannot be sorted; give a list") from None


def _json_default(value: Any) -> Any:
    part = value if issubclass(type(value), Value) else _part(value)
    if part is not None:
        raise TemplateError(f"{part.describe()} stands inside plain data; print it by itself, or a list of parts only")
    if isinstance(value, Mapping):
        return dict(value)
    if (data := data_of(value.value if type(value) is Record else value)) is not NO_DATA:
        admitted = admit(data)
        print_size(admitted, budget())
        return admitted
    items = _items(value)
    return _text(value) if items is None else items


def _part(value: Any) -> Part | None:
    """The part that a value is, or that an object like an image shows."""
    return as_part(value) if issubclass(type(value), Value) or is_image_like(value) else None


def _text_of_object(value: Any) -> str:
    """The text of an object, where a filter or operator of a template asks for it."""
    data = data_of(value)
    return _text(value) if data is NO_DATA else to_json(admit(data))


def _plain(value: Any) -> str:
    try:
        return str(value)
    except ValueError as error:  # more digits than Python writes
        raise TemplateError(f"a whole number cannot be written as text: {error}") from None


def _text(value: Any) -> str:
    if value is None:
        return "None"
    if not issubclass(type(value), int | float):
        _refuse(value)
        if type(value).__str__ is _NO_TEXT:
            raise TemplateError(f"a value of type {type(value).__name__} has no text; give a string, a dict or a list")
    try:
        with rendering():
            text = str.__str__(str(value))
        budget().make(len(text))
        return text
    except PromptAdapterError:
        raise
    except Exception as error:
        raise TemplateError(f"a value of type {type(value).__name__} cannot be turned into text: {error}") from error


def _refuse(value: Any) -> None:
    """Refuse what has a text in Python, or could be called, but that no prompt means to show."""
    name = type(value).__name__
    if isinstance(value, _BYTES):
        raise TemplateError(f"a value of type {name} is no text; wrap media, as Image(...), or decode it")
    # Pictures of PIL and arrays alike; the numbers of an array package have the shape ().
    if hasattr(type(value), "__array_interface__") and getattr(value, "shape", None) != ():
        raise TemplateError(f"a value of type {name} is no text; wrap a picture, as Image(...), or give a list")
    if _is_file(value):
        raise TemplateError(f"a file object ({name}) is no text; wrap media, as Image(...), or give what it holds")
    if isinstance(value, Iterator | AsyncIterator):
        raise TemplateError(f"a value of type {name} can be read only once; give a list")
    if callable(value):
        name = getattr(value, "__name__", name)
        raise TemplateError(
            f"{name!r} is a function or class, not text; give what it returns, or write ['{name}'] if a key is meant"
        )
    if isinstance(value, Value):
        raise TemplateError(f"a value of type {name} is no part; give text, media or a list of these")


def _is_file(value: Any) -> bool:
    return callable(getattr(value, "read", None))


def _listed(parts: Iterable[Part]) -> str:
    return ", ".join(part.describe() for part in parts)
