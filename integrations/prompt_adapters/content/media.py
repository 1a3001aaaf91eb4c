"""The media parts: Image, Audio, Video, Document.

A media part is made from whatever holds the medium, read at once, and is a plain value from then on::

    Image("photo.jpg")  Image(b"...")  Image("https://...")  Image("data:image/png;base64,...")  Image(pil_image)
"""

from __future__ import annotations

import os
from math import isfinite
from typing import IO, TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeAlias, get_args

from prompt_adapters.content import load
from prompt_adapters.content.characters import check_text
from prompt_adapters.content.encoded import data_url_of
from prompt_adapters.content.source import Inline, Link, Source
from prompt_adapters.content.value import Value
from prompt_adapters.errors import MediaReadError, PromptFormatError

if TYPE_CHECKING:
    from PIL.Image import Image as PILImage

Detail: TypeAlias = Literal["auto", "low", "high", "original"]
Readable: TypeAlias = "str | os.PathLike[str] | bytes | bytearray | memoryview | IO[bytes] | Source | PILImage"


class _Media(Value):
    """What the four kinds of media share: a source, and the ways to make one."""

    __slots__ = ("cache", "source")
    kind: ClassVar[str]
    source: Source
    cache: bool

    def __init__(self, media: Readable, *, mime: str | None = None, cache: bool = False, **fields: Any) -> None:
        source = load.from_any(self.kind, media, mime, name=fields.get("name"))
        self._set(source=source, cache=cache, **fields)
        self._check()

    @classmethod
    def _as_fields(cls, changes: dict[str, Any]) -> dict[str, Any]:
        return changes | {"source": load.from_any(cls.kind, changes["source"])} if "source" in changes else changes

    def _asdict(self) -> dict[str, Any]:
        held: dict[str, Any] = {name: getattr(self, name) for name in self._stored() if name != "source"}
        match self.source:
            case Inline(data=data, mime=mime, declared=declared):
                return held | {"media": data, "mime": declared or mime}
            case Link(url=url, mime=mime):
                return held | {"media": url, "mime": mime}
        return held | {"media": self.source}

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
        return cls(load.from_bytes(cls.kind, bytes(data), fields.pop("mime", None), fields.get("name")), **fields)

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
            MediaError: It is not such a link, or its type is not of this kind.
        """
        return cls(load.from_url(cls.kind, url, fields.pop("mime", None)), **fields)

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
            MediaError: It is empty or holds blanks, or its type is not of this kind.
        """
        return cls(load.from_uploaded(cls.kind, uri, fields.pop("mime", None)), **fields)

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
            raise PromptFormatError(
                None, None, f"detail is one of {', '.join(get_args(Detail))}, not {self.detail!r:.60}"
            )


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
        for name in ("start", "end", "fps"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
                raise TypeError(f"a video's {name} is a number, not {type(value).__name__}")
            if value is not None and not isfinite(value):
                raise PromptFormatError(None, None, f"a video's {name} is a finite number, not {value}")
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
        _check_label("name", name)  # which tells the type of texts, so before they are read
        super().__init__(media, mime=mime, cache=cache, name=name or _file_name(media), title=title)

    def _check(self) -> None:
        super()._check()
        _check_label("name", self.name)
        _check_label("title", self.title)

    @classmethod
    def from_path(cls, path: str | os.PathLike[str], **fields: Any) -> Self:
        """Read a file, whose name the document takes; ``~`` is expanded.

        Raises:
            MediaError: It does not exist (`MediaNotFoundError`), is empty, or is not a document.
        """
        from pathlib import Path

        return super().from_path(path, **({"name": Path(os.fsdecode(path)).name} | fields))

    @classmethod
    def from_file(cls, file: IO[bytes], **fields: Any) -> Self:
        """Read a binary file object from where it stands; the document takes its name, when it has one.

        Raises:
            MediaError: It is in text mode or empty, or not a document.
        """
        return super().from_file(file, **({"name": _file_name(file)} | fields))


def _check_label(field: str, label: object) -> None:
    if not isinstance(label, str | None):
        raise PromptFormatError(None, None, f"a document's {field} is a text, not {type(label).__name__}")
    if label is not None:
        check_text(label, f"a document's {field}")


def _file_name(media: object) -> str | None:
    """The last component of a path; strings that are no path, and unnamed files, have none."""
    from pathlib import Path

    if isinstance(media, os.PathLike) or (isinstance(media, str) and load.is_file(media)):
        return Path(os.fsdecode(media)).name or None
    name = getattr(media, "name", None)
    return Path(name).name or None if isinstance(name, str) and callable(getattr(media, "read", None)) else None


MediaPart: TypeAlias = Image | Audio | Video | Document
