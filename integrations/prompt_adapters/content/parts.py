"""The parts of a message: text, media (from `media`), tool calls and tool results."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, TypeAlias

from prompt_adapters.content.characters import check_text
from prompt_adapters.content.media import Audio, Detail, Document, Image, MediaPart, Readable, Video
from prompt_adapters.content.plain_data import json_text
from prompt_adapters.content.value import Value, arguments, opened, setters
from prompt_adapters.errors import PromptFormatError

__all__ = [
    "MEDIA_PARTS",
    "Audio",
    "Detail",
    "Document",
    "Image",
    "ImageWrapper",
    "MediaPart",
    "Part",
    "Readable",
    "Text",
    "ToolCall",
    "ToolResult",
    "Video",
    "as_part",
    "as_parts",
    "is_image_like",
]


class Text(Value):
    """A piece of text.

    Attributes:
        text: The text, verbatim.
        cache: Whether a cacheable prefix ends here.

    Raises:
        PromptFormatError: (a ``ValueError``) It holds half of a surrogate pair, which no request can hold.
    """

    __slots__ = ("cache", "text")
    _compared: ClassVar = ("text", "cache")
    kind: ClassVar = "text"
    _asdict = arguments
    text: str
    cache: bool

    def __init__(self, text: str, *, cache: bool = False) -> None:
        if type(text) is not str or not text.isascii():
            text = self._as_fields({"text": text})["text"]
        _set_text(self, text)
        _set_cache(self, cache)

    @classmethod
    def _as_fields(cls, changes: dict[str, Any]) -> dict[str, Any]:
        if "text" not in changes:
            return changes
        text = changes["text"]
        if not isinstance(text, str):
            raise TypeError(f"Text holds a str, not {type(text).__name__}")
        check_text(text, "a text")
        return changes | {"text": str.__str__(text)}  # a subclass, as of markup or an enumeration, becomes plain text


_set_text, _set_cache = setters(Text, "text", "cache")
_OpenText = opened(Text)


def text_of(text: str) -> Text:
    """The part for a text of the type `str` itself.

    Raises:
        PromptFormatError: (a ``ValueError``) It holds half of a surrogate pair.
    """
    if not text.isascii():
        return Text(text)
    part = _OpenText()
    part.text, part.cache = text, False
    part.__class__ = Text
    return part  # type: ignore[no-any-return]  # it is one now


class ToolCall(Value):
    """A model's call of a tool, in the history.

    Attributes:
        id: What the result refers to.
        name: The tool's name.
        arguments: Its arguments, plain JSON data.
        cache: Whether a cacheable prefix ends here.
    """

    __slots__ = ("_json", "cache", "id", "name")
    _compared: ClassVar = ("id", "name", "_json", "cache")
    _also_accepted: ClassVar = frozenset({"arguments"})
    kind: ClassVar = "tool_call"
    id: str
    name: str
    cache: bool
    _json: str

    def __init__(self, id: str, name: str, arguments: Mapping[str, Any] | None = None, *, cache: bool = False) -> None:  # noqa: A002 - the field's name in every provider's API
        self._set(id=id, name=name, **self._as_fields({"arguments": arguments}), cache=cache)
        self._check()

    @classmethod
    def _as_fields(cls, changes: dict[str, Any]) -> dict[str, Any]:
        if "arguments" not in changes:
            return changes
        arguments = changes["arguments"]
        refusal = "the arguments of a tool call are not plain JSON data"
        if not isinstance(arguments, Mapping | None):
            raise PromptFormatError(None, None, f"{refusal}: they are a mapping of names, not {_name(arguments)}")
        text = json_text(dict(arguments or {}), refusal)
        return {name: value for name, value in changes.items() if name != "arguments"} | {"_json": text}

    def _asdict(self) -> dict[str, Any]:
        return {"id": self.id, "name": self.name, "arguments": self.arguments, "cache": self.cache}

    def _check(self) -> None:
        for field in ("id", "name"):
            if not isinstance(getattr(self, field), str) or not getattr(self, field):
                raise PromptFormatError(None, None, f"a tool call needs {field!r}, a text")
            check_text(getattr(self, field), f"a tool call's {field}")
        check_text(self._json, f"the arguments of {self.name!r}, as JSON,")

    def _key(self) -> tuple[Any, ...]:
        return self.id, self.name, json.dumps(self.arguments, sort_keys=True), self.cache

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments, a new dict each time."""
        arguments: dict[str, Any] = json.loads(self._json)
        return arguments

    @property
    def arguments_json(self) -> str:
        """The arguments as JSON text, in the order they were given."""
        return self._json

    def _describe(self) -> str:
        return f"ToolCall(id={self.id!r}, name={self.name!r}, arguments={self._json})"


class ToolResult(Value):
    """What a tool gave back, in the history.

    Attributes:
        id: The id of the call that it answers.
        parts: What it gave: text and media.
        name: The tool's name, where a provider asks for it.
        error: Whether the tool failed.
        cache: Whether a cacheable prefix ends here.
    """

    __slots__ = ("cache", "error", "id", "name", "parts")
    _compared: ClassVar = ("id", "parts", "name", "error", "cache")
    kind: ClassVar = "tool_result"
    _asdict = arguments
    id: str
    parts: tuple[Text | MediaPart, ...]
    name: str | None
    error: bool
    cache: bool

    def __init__(
        self,
        id: str,  # noqa: A002 - the field's name in every provider's API
        parts: str | Text | MediaPart | Iterable[Any] = (),
        *,
        name: str | None = None,
        error: bool = False,
        cache: bool = False,
    ) -> None:
        self._set(id=id, parts=as_parts(parts), name=name, error=error, cache=cache)
        self._check()

    @classmethod
    def _as_fields(cls, changes: dict[str, Any]) -> dict[str, Any]:
        return changes | {"parts": as_parts(changes["parts"])} if "parts" in changes else changes

    def _check(self) -> None:
        if not isinstance(self.id, str) or not self.id:
            raise PromptFormatError(None, None, "a tool result needs the 'id' of the call that it answers")
        check_text(self.id, "a tool result's id")
        if self.name is not None:
            check_text(self.name, "a tool result's name")
        for part in self.parts:
            if not isinstance(part, Text | Image | Audio | Video | Document):
                raise PromptFormatError(None, None, f"a tool result holds text and media, not {type(part).__name__}")

    def _describe(self) -> str:
        inner = ", ".join(part.describe() for part in self.parts)
        return f"ToolResult(id={self.id!r}, [{inner}]{', error=True' if self.error else ''})"


Part: TypeAlias = Text | Image | Audio | Video | Document | ToolCall | ToolResult

MEDIA_PARTS: Mapping[str, type[MediaPart]] = {cls.kind: cls for cls in (Image, Audio, Video, Document)}

ImageWrapper = Image


# A union written at the place of its use is made anew at each call.
_PARTS = (Text, Image, Audio, Video, Document, ToolCall, ToolResult)


def as_part(value: object) -> Part | None:
    """A value as a part, or None when it is not one.

    A foreign object with ``as_data_url()`` and ``as_bytes()`` is taken for an image.
    """
    if issubclass(type(value), _PARTS):  # which no ``__class__`` can pretend
        return value  # type: ignore[return-value]  # it is one
    if is_image_like(value):
        return Image.from_bytes(value.as_bytes())  # type: ignore[attr-defined]  # checked by is_image_like
    return None


def is_image_like(value: object) -> bool:
    """Whether a foreign object offers what the block contract asks of an image: ``as_data_url`` and ``as_bytes``."""
    return (
        not isinstance(value, type | Value)
        and callable(getattr(value, "as_data_url", None))
        and callable(getattr(value, "as_bytes", None))
    )


def as_parts(value: str | object | Iterable[object]) -> tuple[Any, ...]:
    """A string, a part, or an iterable of these, as a tuple of parts.

    Raises:
        PromptFormatError: Something in it is neither text nor a part.
    """
    if type(value) is tuple and _are_parts(value):
        return value
    if isinstance(value, str):
        return (Text(value),)
    if (part := as_part(value)) is not None:
        return (part,)
    if isinstance(value, Iterable) and not isinstance(value, Mapping | bytes | bytearray):
        return tuple(part for item in value for part in _one(item))
    raise PromptFormatError(None, None, f"{_name(value)} is neither text nor a part; wrap media, as Image(...)")


def _are_parts(items: tuple[object, ...]) -> bool:
    for item in items:  # noqa: SIM110 - all() makes a generator, which costs more than the test of one part
        if not isinstance(item, _PARTS):
            return False
    return True


def _one(item: object) -> tuple[Any, ...]:
    if isinstance(item, str):
        return (Text(item),)
    if (part := as_part(item)) is not None:
        return (part,)
    raise PromptFormatError(None, None, f"{_name(item)} is neither text nor a part; wrap media, as Image(...)")


def _name(value: object) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"
