"""The parts of a message: text, media, tool calls and tool results.

A media part is made from whatever holds the medium, read at once, and is a plain value from then on::

    Image("photo.jpg")  Image(b"...")  Image("https://...")  Image("data:image/png;base64,...")  Image(pil_image)
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import IO, TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeAlias, get_args

from prompt_adapters.content import load
from prompt_adapters.content.encoded import data_url_of
from prompt_adapters.content.source import Inline, Link, Source, Uploaded
from prompt_adapters.content.value import Value
from prompt_adapters.errors import MediaReadError, PromptFormatError

if TYPE_CHECKING:
    from PIL.Image import Image as PILImage

Detail: TypeAlias = Literal["auto", "low", "high", "original"]
Readable: TypeAlias = "str | os.PathLike[str] | bytes | bytearray | memoryview | IO[bytes] | Source | PILImage"


class Text(Value):
    """A piece of text.

    Attributes:
        text: The text, verbatim.
        cache: Whether a cacheable prefix ends here.
    """

    __slots__ = ("cache", "text")
    _compared: ClassVar = ("text", "cache")
    kind: ClassVar = "text"
    text: str
    cache: bool

    def __init__(self, text: str, *, cache: bool = False) -> None:
        self._set(text=text, cache=cache)
        self._check()

    def _check(self) -> None:
        if not isinstance(self.text, str):
            raise TypeError(f"Text holds a str, not {type(self.text).__name__}")


class _Media(Value):
    """What the four kinds of media share: a source, and the ways to make one."""

    __slots__ = ("cache", "source")
    kind: ClassVar[str]
    source: Source
    cache: bool

    def __init__(self, media: Readable, *, mime: str | None = None, cache: bool = False, **fields: Any) -> None:
        source = media if isinstance(media, Inline | Link | Uploaded) else load.from_any(self.kind, media, mime)
        self._set(source=source, cache=cache, **fields)
        self._check()

    def _check(self) -> None:
        mime = self.source.mime
        if isinstance(self.source, Inline) and mime is not None and not load.is_media_of(self.kind, mime):
            raise MediaReadError(f"{mime} is not the type of {self.kind} content")

    @classmethod
    def from_path(cls, path: str | os.PathLike[str], **fields: Any) -> Self:
        """Read a file; ``~`` is expanded.

        Raises:
            MediaError: It does not exist (`MediaNotFoundError`), is empty, or is not of this kind.
        """
        return cls(load.from_path(cls.kind, path, fields.pop("mime", None)), **fields)

    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview, **fields: Any) -> Self:
        """Wrap bytes, whose type they tell themselves.

        Raises:
            MediaError: There are none, or they are not of this kind.
        """
        return cls(load.from_bytes(cls.kind, bytes(data), fields.pop("mime", None)), **fields)

    @classmethod
    def from_base64(cls, text: str, **fields: Any) -> Self:
        """Decode bare base64.

        Raises:
            MediaError: It is not base64, or not of this kind.
        """
        return cls(load.from_base64(cls.kind, text, fields.pop("mime", None)), **fields)

    @classmethod
    def from_url(cls, url: str, **fields: Any) -> Self:
        """Keep an http, https, gs or s3 link as a link.

        Raises:
            MediaReadError: It is not such a link.
        """
        return cls(load.from_url(url, fields.pop("mime", None)), **fields)

    @classmethod
    def from_data_url(cls, url: str, **fields: Any) -> Self:
        """Decode a data URL.

        Raises:
            MediaError: It is malformed or empty, or not of this kind.
        """
        return cls(load.from_data_url(cls.kind, url, fields.pop("mime", None)), **fields)

    @classmethod
    def from_pil(cls, picture: PILImage, **fields: Any) -> Self:
        """Encode a PIL image as PNG.

        Raises:
            MediaReadError: It is not for this kind, or broken.
        """
        return cls(load.from_pil(cls.kind, picture), **fields)

    @classmethod
    def from_file(cls, file: IO[bytes], **fields: Any) -> Self:
        """Read a binary file object from where it stands.

        Raises:
            MediaError: It is in text mode or empty, or not of this kind.
        """
        return cls(load.from_file(cls.kind, file, fields.pop("mime", None)), **fields)

    @classmethod
    def from_uploaded(cls, uri: str, **fields: Any) -> Self:
        """Refer to a file that a provider already holds, by its id or URI.

        Raises:
            MediaReadError: It is empty or holds blanks.
        """
        return cls(Uploaded(uri, fields.pop("mime", None)), **fields)

    @property
    def mime_type(self) -> str | None:
        """The media type; None for a link or an upload whose type is not known."""
        return self.source.mime

    def _inline(self) -> Inline:
        if not isinstance(self.source, Inline):
            raise MediaReadError(f"{self.describe()} is not at hand as bytes; make it from a file or bytes")
        return self.source

    def as_bytes(self) -> bytes:
        """The bytes.

        Raises:
            MediaReadError: This is a link or an uploaded file.
        """
        return self._inline().data

    def as_data_url(self) -> str:
        """The bytes as ``data:TYPE;base64,…``.

        Raises:
            MediaReadError: This is a link or an uploaded file.
        """
        return data_url_of(self._inline())

    def _describe(self) -> str:
        extras = [
            f"{name}={value!r}"
            for name in self._compared
            if name != "source" and (value := getattr(self, name)) not in (None, False)
        ]
        return f"{type(self).__name__}({', '.join([self.source.describe(), *extras])})"


class Image(_Media):
    """A picture.

    Attributes:
        source: Where it is.
        detail: How closely OpenAI-shaped models look: auto, low, high or original.
        cache: Whether a cacheable prefix ends here.

    Raises:
        MediaError: It cannot be read, or is not an image.
    """

    __slots__ = ("detail",)
    _compared: ClassVar = ("source", "detail", "cache")
    kind: ClassVar = "image"
    detail: Detail | None

    def __init__(
        self, media: Readable, *, detail: Detail | None = None, mime: str | None = None, cache: bool = False
    ) -> None:
        super().__init__(media, mime=mime, cache=cache, detail=detail)

    def _check(self) -> None:
        super()._check()
        if self.detail is not None and self.detail not in get_args(Detail):
            raise PromptFormatError(None, None, f"detail is one of {', '.join(get_args(Detail))}, not {self.detail!r}")


class Audio(_Media):
    """A sound.

    Attributes:
        source: Where it is.
        cache: Whether a cacheable prefix ends here.

    Raises:
        MediaError: It cannot be read, or is not audio.
    """

    __slots__ = ()
    _compared: ClassVar = ("source", "cache")
    kind: ClassVar = "audio"


class Video(_Media):
    """A film.

    Attributes:
        source: Where it is.
        start: Where to begin, in seconds.
        end: Where to stop, in seconds.
        fps: Frames to look at per second.
        cache: Whether a cacheable prefix ends here.

    Raises:
        MediaError: It cannot be read, or is not a video.
    """

    __slots__ = ("end", "fps", "start")
    _compared: ClassVar = ("source", "start", "end", "fps", "cache")
    kind: ClassVar = "video"
    start: float | None
    end: float | None
    fps: float | None

    def __init__(
        self,
        media: Readable,
        *,
        start: float | None = None,
        end: float | None = None,
        fps: float | None = None,
        mime: str | None = None,
        cache: bool = False,
    ) -> None:
        super().__init__(media, mime=mime, cache=cache, start=start, end=end, fps=fps)

    def _check(self) -> None:
        super()._check()
        if (self.start is not None and self.start < 0) or (self.end is not None and self.end <= (self.start or 0)):
            raise PromptFormatError(None, None, f"a video cannot run from {self.start} to {self.end} seconds")
        if self.fps is not None and self.fps <= 0:
            raise PromptFormatError(None, None, f"fps must be positive, not {self.fps}")


class Document(_Media):
    """A document: PDF, office file or text.

    Attributes:
        source: Where it is.
        name: Its file name; taken from the path when there is one.
        title: A title for the model, where the provider shows it one.
        cache: Whether a cacheable prefix ends here.

    Raises:
        MediaError: It cannot be read, or is not a document.
    """

    __slots__ = ("name", "title")
    _compared: ClassVar = ("source", "name", "title", "cache")
    kind: ClassVar = "document"
    name: str | None
    title: str | None

    def __init__(
        self,
        media: Readable,
        *,
        name: str | None = None,
        title: str | None = None,
        mime: str | None = None,
        cache: bool = False,
    ) -> None:
        super().__init__(media, mime=mime, cache=cache, name=name or _file_name(media), title=title)

    @classmethod
    def from_path(cls, path: str | os.PathLike[str], **fields: Any) -> Self:
        return super().from_path(path, **({"name": os.path.basename(os.fspath(path))} | fields))

    @classmethod
    def from_file(cls, file: IO[bytes], **fields: Any) -> Self:
        return super().from_file(file, **({"name": _file_name(file)} | fields))


def _file_name(media: object) -> str | None:
    """The last component of a path; strings that are no path, and unnamed files, have none."""
    if isinstance(media, os.PathLike):
        return os.path.basename(os.fspath(media)) or None
    if isinstance(media, str) and len(media) < 4096 and os.path.isfile(os.path.expanduser(media)):
        return os.path.basename(media)
    name = getattr(media, "name", None)
    return os.path.basename(name) if isinstance(name, str) and callable(getattr(media, "read", None)) else None


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
    kind: ClassVar = "tool_call"
    id: str
    name: str
    cache: bool
    _json: str

    def __init__(self, id: str, name: str, arguments: Mapping[str, Any] | None = None, *, cache: bool = False) -> None:  # noqa: A002 - the field's name in every provider's API
        try:
            text = json.dumps(dict(arguments or {}), ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise PromptFormatError(
                None, None, f"the arguments of tool call {name!r} are not plain JSON data: {error}"
            ) from None
        self._set(id=id, name=name, _json=text, cache=cache)
        self._check()

    def _check(self) -> None:
        for field in ("id", "name"):
            if not isinstance(getattr(self, field), str) or not getattr(self, field):
                raise PromptFormatError(None, None, f"a tool call needs {field!r}, a text")

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
    id: str
    parts: tuple[Text | MediaPart, ...]
    name: str | None
    error: bool
    cache: bool

    def __init__(
        self,
        id: str,  # noqa: A002 - the field's name in every provider's API
        parts: str | Text | MediaPart | Iterable[str | Text | MediaPart] = (),
        *,
        name: str | None = None,
        error: bool = False,
        cache: bool = False,
    ) -> None:
        self._set(id=id, parts=as_parts(parts), name=name, error=error, cache=cache)
        self._check()

    def _check(self) -> None:
        if not isinstance(self.id, str) or not self.id:
            raise PromptFormatError(None, None, "a tool result needs the 'id' of the call that it answers")
        for part in self.parts:
            if not isinstance(part, Text | Image | Audio | Video | Document):
                raise PromptFormatError(None, None, f"a tool result holds text and media, not {type(part).__name__}")

    def _describe(self) -> str:
        inner = ", ".join(part.describe() for part in self.parts)
        return f"ToolResult(id={self.id!r}, [{inner}]{', error=True' if self.error else ''})"


MediaPart: TypeAlias = Image | Audio | Video | Document
Part: TypeAlias = Text | Image | Audio | Video | Document | ToolCall | ToolResult

MEDIA_PARTS: Mapping[str, type[MediaPart]] = {cls.kind: cls for cls in (Image, Audio, Video, Document)}

ImageWrapper = Image


def as_part(value: object) -> Part | None:
    """A value as a part, or None when it is not one.

    A foreign object with ``as_data_url()`` and ``as_bytes()`` is taken for an image.
    """
    if isinstance(value, Text | Image | Audio | Video | Document | ToolCall | ToolResult):
        return value
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
    if isinstance(value, str):
        return (Text(value),)
    if (part := as_part(value)) is not None:
        return (part,)
    if isinstance(value, Iterable) and not isinstance(value, Mapping | bytes | bytearray):
        return tuple(part for item in value for part in _one(item))
    raise PromptFormatError(None, None, f"{_name(value)} is neither text nor a part; wrap media, as Image(...)")


def _one(item: object) -> tuple[Any, ...]:
    if isinstance(item, str):
        return (Text(item),)
    if (part := as_part(item)) is not None:
        return (part,)
    raise PromptFormatError(None, None, f"{_name(item)} is neither text nor a part; wrap media, as Image(...)")


def _name(value: object) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"
