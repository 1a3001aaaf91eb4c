"""What the values of variables become: pieces, each a text or a whole part. One place, for every syntax.

=======================================  ============================================================
value                                    what its slot gives
=======================================  ============================================================
str, and subclasses                      its characters, verbatim
bool, int, float                         Python's text: ``True``, ``1.0``, ``nan``
a part, or an object like an image       the part, whole
list or tuple with parts                 its items, in order
list, tuple, dict of plain data          JSON, with Unicode and the order of keys as given
dataclass, pydantic model                JSON of its fields (``model_dump()``), unless its class has a ``__str__``
set                                      a sorted list; one that cannot be sorted is refused
bytes, pictures, arrays, files,          refused, with a remedy
generators, functions
other objects with a ``__str__``         that text: Decimal, date, UUID, Path, Enum …
other objects                            refused, with a remedy
=======================================  ============================================================

A value is never read as a path, a marker or a template.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence, Set, ValuesView
from collections.abc import ItemsView as Items
from collections.abc import KeysView as Keys
from dataclasses import fields, is_dataclass
from typing import Any, ClassVar, TypeAlias

from prompt_adapters.content.parts import Part, Text, as_part, is_image_like
from prompt_adapters.content.value import Value, rendering
from prompt_adapters.errors import PromptAdapterError, TemplateError

_PLAIN = frozenset({str, int, bool, float})
_NO_TEXT: Any = object.__str__
_NO_FIELDS: Any = object()


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
    """A variable's value as templates may work on it: containers copied, what looks like an image made one.

    Raises:
        TemplateError: It is, or holds, something that no template may have.
        MediaError: An object like an image holds no image.
    """
    if isinstance(value, str):
        return str.__str__(value)
    if type(value) in _PLAIN or value is None:
        return value
    if isinstance(value, Mapping):
        return {str.__str__(k) if isinstance(k, str) else k: admit(v) for k, v in value.items()}
    if (part := as_part(value)) is not None:
        return part
    if isinstance(value, bytes | bytearray | memoryview | range):
        return value if isinstance(value, range) else _refuse(value)
    if isinstance(value, tuple):
        items = [admit(item) for item in value]
        return value._make(items) if hasattr(value, "_make") else tuple(items)
    if isinstance(value, Sequence | Keys | Items | ValuesView):
        return [admit(item) for item in value]
    if isinstance(value, Set):
        return [admit(item) for item in _sorted(value)]
    _refuse(value)
    return value


def to_piece(value: Any) -> Piece:
    """What a slot gives for a value.

    Raises:
        TemplateError: It has no text.
    """
    if type(value) in _PLAIN:
        return str(value)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, Fragment):
        return value
    if (part := as_part(value)) is not None:
        return part
    if isinstance(value, Mapping):
        return to_json(value)
    if (data := _fields_of(value)) is not _NO_FIELDS:
        return to_piece(data)
    if (items := _items(value)) is not None:
        return concat(_listed_pieces(items)) if _holds_part(items) else to_json(items)
    return _text(value)


def to_json(value: Any, indent: int | None = None) -> str:
    """A value as JSON text, with Unicode as it is.

    Raises:
        TemplateError: It holds a part, or something that has no text.
    """
    try:
        return json.dumps(value, ensure_ascii=False, indent=indent, default=_json_default)
    except PromptAdapterError:
        raise
    except (TypeError, ValueError) as error:
        raise TemplateError(f"a value cannot be written as JSON: {error}") from None


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
    return (Text(text),) if text else ()


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
    if isinstance(value, bytes | bytearray | memoryview) or callable(value) or _is_file(value):
        return None
    return list(value) if isinstance(value, Sequence | Keys | Items | ValuesView | Iterator) else None


def _listed_pieces(items: Iterable[Any]) -> Iterator[Piece]:
    for item in items:
        if item is None:
            raise TemplateError("a list of parts holds None; leave it out, or give the part")
        yield to_piece(item)


def _holds_part(items: Iterable[Any]) -> bool:
    return any(
        _holds_part(item) if isinstance(item, list | tuple) else isinstance(item, Value) or is_image_like(item)
        for item in items
    )


def _sorted(value: Set[Any]) -> list[Any]:
    try:
        if any(isinstance(item, Set) for item in value):
            raise TypeError("sets compare by what they contain, which is no order")
        return sorted(value)
    except TypeError:
        raise TemplateError("a set has no order, and this one cannot be sorted; give a list") from None


def _json_default(value: Any) -> Any:
    part = value if isinstance(value, Value) else as_part(value)
    if part is not None:
        raise TemplateError(f"{part.describe()} stands inside plain data; print it by itself, or a list of parts only")
    if isinstance(value, Mapping):
        return dict(value)
    if (data := _fields_of(value)) is not _NO_FIELDS:
        return data
    items = _items(value)
    return _text(value) if items is None else items


def _fields_of(value: Any) -> Any:
    """The data of a dataclass or pydantic model whose class says no other text; `_NO_FIELDS` for all other values."""
    cls = type(value)
    if cls.__str__ is _NO_TEXT:
        if is_dataclass(cls):
            return {field.name: getattr(value, field.name) for field in fields(value)}
        return _NO_FIELDS
    if hasattr(cls, "__pydantic_fields__") and _says_text(cls).startswith("pydantic."):
        return value.model_dump()
    return _NO_FIELDS


def _says_text(cls: type) -> str:
    """The module of the class from which a class has its text."""
    return next(base.__module__ for base in cls.__mro__ if "__str__" in vars(base))


def _text(value: Any) -> str:
    if value is None:
        return "None"
    if not isinstance(value, int | float):
        _refuse(value)
        if type(value).__str__ is _NO_TEXT:
            raise TemplateError(f"a value of type {type(value).__name__} has no text; give a string, a dict or a list")
    try:
        with rendering():
            return str.__str__(str(value))
    except PromptAdapterError:
        raise
    except Exception as error:
        raise TemplateError(f"a value of type {type(value).__name__} cannot be turned into text: {error}") from error


def _refuse(value: Any) -> None:
    """Refuse what has a text in Python, or could be called, but that no prompt means to show."""
    name = type(value).__name__
    if isinstance(value, bytes | bytearray | memoryview):
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
