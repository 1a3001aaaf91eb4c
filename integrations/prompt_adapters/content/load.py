"""From what people hold in their hands (paths, bytes, data URLs, files, pictures) to a source.

Reading happens once, when a part is made. A source knows its type from its bytes; a label that disagrees is kept as
`Inline.declared`, so that the correction can be reported. Nothing here uses the network.
"""

from __future__ import annotations

import os
import re
import stat
import struct
import zlib
from collections.abc import Mapping
from io import BytesIO
from typing import IO, TYPE_CHECKING, Any, Final, TypeVar

from prompt_adapters.content.mime import mime_from_name, normalize_mime
from prompt_adapters.content.sniff import (
    OFFICE_TYPES,
    decode_base64,
    decode_data_url,
    is_data_url,
    media_in_base64,
    sniff,
)
from prompt_adapters.content.source import LINK_SCHEMES, Inline, Link, Source, Uploaded, shown
from prompt_adapters.errors import MediaNotFoundError, MediaReadError, UnknownMediaTypeError

if TYPE_CHECKING:
    from pathlib import Path

    from PIL.Image import Image as PILImage

_Elsewhere = TypeVar("_Elsewhere", Link, Uploaded)

_READING: Final = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_PIECE: Final = 2**20
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
_LONGEST_PATH: Final = 4096
_BASE64_LIKE = re.compile(r"[A-Za-z0-9+/_=\s-]{64,}")
# Formats without a signature: here, and only here, a label is believed.
_HEADERLESS: Final = frozenset({"audio/pcm"})
# A text under one of these labels is a download that failed, not a wrong label.
_BINARY_DOCUMENTS: Final = frozenset({"application/pdf", "application/msword", *OFFICE_TYPES})
_TEXTUAL: Final = frozenset({"application/json", "application/xml"})
# The older Office formats look alike inside: a label decides between them.
_OLE: Final = frozenset({"application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint"})
# Names for one and the same thing, as far as a label can be wrong.
_SAME: Final = (frozenset({"image/heic", "image/heif"}),)
# What Pillow raises on pictures that it has opened and cannot decode.
_UNREADABLE: Final = (
    ArithmeticError, AttributeError, EOFError, LookupError, MemoryError, OSError, RuntimeError, SyntaxError, TypeError,
    ValueError, struct.error, zlib.error,
)  # fmt: skip
# A colour profile of these says nothing of the RGB that they become.
_OTHER_COLORS: Final = frozenset({"CMYK", "YCbCr", "LAB", "HSV"})
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_PNG_MODES: Final = frozenset({"1", "L", "LA", "P", "RGB", "RGBA"})

# What a container of one family is called in another: the class of the part decides, since the bytes cannot.
_RENAMED: Final[Mapping[str, Mapping[str, str]]] = {
    "audio": {
        "video/mp4": "audio/mp4",
        "video/webm": "audio/webm",
        "video/ogg": "audio/ogg",
        "video/x-matroska": "audio/x-matroska",
        "video/3gpp": "audio/3gpp",
        "video/3gpp2": "audio/3gpp2",
    },
    "video": {"audio/mp4": "video/mp4", "audio/ogg": "video/ogg"},
}
# What only a label may mean: MP3 is often called so, while bytes of that type hold a film.
_LABELLED: Final[Mapping[str, Mapping[str, str]]] = {"audio": {"video/mpeg": "audio/mpeg"}}


def is_media_of(kind: str, mime: str) -> bool:
    """Whether a media type belongs to a kind of part: image, audio, video or document."""
    family = mime.partition("/")[0]
    return family == kind if kind != "document" else family in ("application", "text")


def from_any(kind: str, value: Any, mime: str | None = None, *, name: str | None = None) -> Source:
    """The source of anything that a media part can be made from.

    Args:
        kind: ``image``, ``audio``, ``video`` or ``document``.
        value: A path, a link, a data URL or base64 as a string; a `Path`, bytes, a file object, a PIL image, or a
            source.
        mime: The type, where neither bytes nor name tell it.
        name: The file name of bytes.

    Raises:
        MediaError: It cannot be read, or is not of this kind.
    """
    match value:
        case str():
            return from_string(kind, value, mime)
        case bytes() | bytearray() | memoryview():
            return from_bytes(kind, bytes(value), mime, name)
        case os.PathLike():
            return from_path(kind, value, mime)
        case Inline():
            return value if mime is None else from_bytes(kind, value.data, mime, name)
        case Link():
            return _of_kind(kind, value) if mime is None else from_url(kind, value.url, mime)
        case Uploaded():
            return _of_kind(kind, value) if mime is None else from_uploaded(kind, value.uri, mime)
    if callable(getattr(value, "read", None)):
        return from_file(kind, value, mime)
    if _is_pil(value):
        return from_pil(kind, value)
    raise MediaReadError(
        f"cannot make {_a(kind)} from {type(value).__name__}; give a path, bytes, a URL, a data URL or a file object"
    )


def from_string(kind: str, text: str, mime: str | None = None) -> Source:
    """The source that a string written by the prompt's author means: a data URL, a link or a path.

    One letter before a colon is a drive, not a scheme. A long string of base64 that is no existing file is decoded.

    Raises:
        MediaError: It cannot be read, or is not of this kind.
    """
    if is_data_url(text):
        return from_data_url(kind, text, mime)
    if match := _SCHEME.match(text.strip()):
        if match[1].lower() in LINK_SCHEMES:
            return from_url(kind, text, mime)
        if "://" in text:
            raise MediaReadError(
                f"{shown(text)!r}: the scheme {match[1]!r} is not supported; use http(s), gs or s3, or a path"
            )
    if _BASE64_LIKE.fullmatch(text) and not is_file(text) and (decoded := media_in_base64(text)) is not None:
        return from_bytes(kind, decoded[0], mime)
    return from_path(kind, text, mime)


def is_file(text: str) -> bool:
    """Whether a string is the path of an existing file."""
    try:
        return len(text) < _LONGEST_PATH and _expanded(text).is_file()
    except (OSError, ValueError):
        return False


def _expanded(path: str) -> Path:
    from pathlib import Path

    try:
        return Path(path).expanduser()
    except RuntimeError:  # there is no such user, or no home
        return Path(path)


def from_path(kind: str, path: str | os.PathLike[str], mime: str | None = None) -> Inline:
    """Read a file; ``~`` is expanded.

    Raises:
        MediaNotFoundError: (a ``FileNotFoundError``) There is no such file.
        MediaReadError: It is empty, not a regular file, or cannot be read.
        UnknownMediaTypeError: It is not of this kind.
    """
    given = os.fsdecode(path)
    if not given:
        raise MediaReadError(f"the path of the {kind} is empty")
    file = _expanded(given)
    try:
        found = file.stat()
        regular = stat.S_ISREG(found.st_mode)
        data = _read(file, found.st_size) if regular else b""
    except FileNotFoundError:
        raise MediaNotFoundError(f"{kind} file not found: {shown(str(file), _LONGEST_PATH)!r}") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise MediaReadError(f"cannot read the {kind} {shown(str(file), 200)!r}: {reason}") from None
    if not regular:
        raise MediaReadError(f"{str(file)!r} is not a regular file, so not {_a(kind)}")
    return _inline(kind, data, mime, where=str(file), name=file.name)


def _read(file: Path, size: int) -> bytes:
    """A file's bytes: of a size that is known, in one call and into their own place.

    Raises:
        OSError: It cannot be read.
    """
    handle = os.open(file, _READING)
    try:
        data = os.read(handle, size + 1)
        if len(data) == size:
            return data
        pieces = [data]  # it grew or shrank meanwhile, or is no file of a disk, whose size says nothing
        while data:
            data = os.read(handle, _PIECE)
            pieces.append(data)
        return b"".join(pieces)
    finally:
        os.close(handle)


def from_bytes(kind: str, data: bytes, mime: str | None = None, name: str | None = None) -> Inline:
    """Wrap bytes, whose type they tell themselves.

    Raises:
        MediaReadError: There are none.
        UnknownMediaTypeError: They are not of this kind.
    """
    return _inline(kind, data, mime, where=f"the {kind}'s content", name=name)


def from_base64(kind: str, text: str, mime: str | None = None) -> Inline:
    """Decode bare base64, in either alphabet, with or without padding and line breaks.

    Raises:
        MediaError: It is not base64, or not of this kind.
    """
    return from_bytes(kind, decode_base64(text, f"the {kind}'s base64"), mime)


def from_data_url(kind: str, url: str, mime: str | None = None) -> Inline:
    """Decode a data URL.

    Raises:
        MediaError: It is malformed or empty, or not of this kind.
    """
    declared, data = decode_data_url(url)
    return _inline(kind, data, mime or declared, where=f"the {kind}'s data URL", name=None)


def from_url(kind: str, url: str, mime: str | None = None) -> Link:
    """Keep a link as a link; its type is the given one, or what its path claims.

    Raises:
        MediaReadError: It is not an http, https, gs or s3 link.
        UnknownMediaTypeError: Its type is not of this kind.
    """
    link = Link(url)
    return _of_kind(kind, Link(link.url, (normalize_mime(mime) if mime else None) or mime_from_name(link.url)))


def from_uploaded(kind: str, uri: str, mime: str | None = None) -> Uploaded:
    """Refer to a file that a provider holds, by its id or URI.

    Raises:
        MediaReadError: It is empty or holds blanks.
        UnknownMediaTypeError: Its type is not of this kind.
    """
    return _of_kind(kind, Uploaded(uri, normalize_mime(mime) if mime else None))


def _as_label(kind: str, mime: str) -> str:
    """What a label means where it stands at a kind of part."""
    return _RENAMED.get(kind, {}).get(mime) or _LABELLED.get(kind, {}).get(mime, mime)


def _of_kind(kind: str, source: _Elsewhere) -> _Elsewhere:
    """A link or upload whose type, where it is known, belongs to the kind."""
    if source.mime is None:
        return source
    mime = _as_label(kind, source.mime)
    if not is_media_of(kind, mime):
        raise UnknownMediaTypeError(
            f"{source.describe()} is {mime}, not {_a(kind)}{_remedy(mime, kind)}, or give mime= if it has another type"
        )
    return source if mime == source.mime else source.replace(mime=mime)


def from_file(kind: str, file: IO[bytes], mime: str | None = None) -> Inline:
    """Read a binary file object from where it stands; it is not closed.

    Raises:
        MediaReadError: It is in text mode, empty, or cannot be read.
        UnknownMediaTypeError: It is not of this kind.
    """
    try:
        data = file.read()
    except (OSError, ValueError) as error:
        raise MediaReadError(f"cannot read the {kind} from {type(file).__name__}: {error}") from None
    if not isinstance(data, bytes):
        raise MediaReadError(f"the {kind}'s file object gives {type(data).__name__}; open it in binary mode, 'rb'")
    if not data and (read := _position(file)):
        raise MediaReadError(
            f"the {kind}'s file object stands at its end, after {read} bytes, so there is nothing to read; "
            "rewind it with seek(0)"
        )
    name = getattr(file, "name", None)
    return _inline(kind, data, mime, where=f"the {kind}'s file object", name=name if isinstance(name, str) else None)


def _position(file: IO[bytes]) -> int | None:
    """How far a file object has been read; None when it cannot tell."""
    try:
        return int(file.tell())
    except (AttributeError, OSError, ValueError, TypeError):
        return None


def from_pil(kind: str, picture: PILImage) -> Inline:
    """Encode a PIL image as PNG, upright and without loss; CMYK becomes RGB.

    Raises:
        MediaReadError: The picture is not for this kind, or broken.
    """
    if kind != "image":
        raise MediaReadError(f"cannot make {_a(kind)} from a PIL image")
    if picture.mode == "F":
        raise MediaReadError("a PIL image of mode F has no white and no black: scale it and convert it to L")
    from PIL import ImageOps

    try:
        upright = ImageOps.exif_transpose(picture)
        if upright.mode.startswith("I"):  # 16 bits a pixel, in whatever way they are held
            upright = upright.convert("I").convert("I;16")
        elif upright.mode not in _PNG_MODES:
            upright = upright.convert("RGBA" if "A" in upright.getbands() or "a" in upright.getbands() else "RGB")
        buffer = BytesIO()
        profile = upright.info.get("icc_profile") if picture.mode not in _OTHER_COLORS else None
        upright.save(buffer, "PNG", icc_profile=profile)
    except _UNREADABLE as error:
        told = " ".join(str(error).split())[:200] or type(error).__name__
        raise MediaReadError(f"cannot encode the PIL image: {told}") from None
    return Inline(buffer.getvalue(), "image/png")


def _is_pil(value: object) -> bool:
    return any(cls.__module__.startswith("PIL.") and cls.__name__ == "Image" for cls in type(value).__mro__)


def _inline(kind: str, data: bytes, label: str | None, *, where: str, name: str | None) -> Inline:
    if not data:
        raise MediaReadError(f"{where} is empty: an empty {kind} cannot be sent")
    given = normalize_mime(label) if label else None
    claimed = given or (mime_from_name(name) if name else None)
    found = _settled(sniff(data, name if given is None else None), given, claimed)
    if found is None:
        looks, remedy = _unknown(kind, data, claimed)
    else:
        mime = _RENAMED.get(kind, {}).get(found, found)
        if is_media_of(kind, mime) and not (claimed in _BINARY_DOCUMENTS and mime.startswith("text/")):
            named = _as_label(kind, claimed) if claimed else None
            agree = named in (None, mime) or any({named, mime} <= same for same in _SAME)
            return Inline(data, mime, declared=None if agree else claimed)
        looks = f"it looks like {found}" + (f" under the label {claimed}" if claimed not in (None, found) else "")
        remedy = _remedy(found, kind)
    raise UnknownMediaTypeError(f"{where} is not {_a(kind)}: {looks}{remedy}")


def _unknown(kind: str, data: bytes, claimed: str | None) -> tuple[str, str]:
    """What bytes of no known type look like, and what to do about it."""
    if data.startswith(_UTF_16):
        return "it looks like UTF-16 text", "; save it as UTF-8"
    if kind == "document" and _is_textual(claimed):
        return "its text is not UTF-8", "; save it as UTF-8"
    return "bytes of no known type", _remedy(None, kind)


def _settled(found: str | None, given: str | None, claimed: str | None) -> str | None:
    """The type that bytes tell, made exact by a label where they cannot: raw samples, kinds of text, old Office."""
    if claimed in _HEADERLESS and found in (None, "text/plain"):
        return claimed
    if (found == "text/plain" and _is_textual(given)) or (found in _OLE and given in _OLE):
        return given
    return found


def _is_textual(mime: str | None) -> bool:
    return mime is not None and (mime.startswith("text/") or mime in _TEXTUAL)


def _remedy(found: str | None, asked: str) -> str:
    if found is None:
        return "; check that the file is complete and what its name says"
    for kind in ("image", "audio", "video", "document"):
        if is_media_of(kind, found) and kind != asked:
            return f"; use {kind.capitalize()}(...) if that is meant"
    return "; check that the file is what its name says"


def _a(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"
