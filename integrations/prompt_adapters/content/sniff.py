"""What bytes are: the media type from the first bytes, and data URLs taken apart.

Labels lie (file names, data URLs, HTTP headers), so the bytes are asked first and a name only where bytes cannot tell,
as between plain text and Markdown. Types are written in the spelling of `mime`.
"""

from __future__ import annotations

import binascii
import re
from codecs import getincrementaldecoder
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import pybase64

from prompt_adapters.content.mime import BY_SUFFIX, normalize_mime
from prompt_adapters.errors import MediaReadError

_SIGNATURES: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (0, b"II*\x00", "image/tiff"),
    (0, b"MM\x00*", "image/tiff"),
    (0, b"II+\x00\x08\x00\x00\x00", "image/tiff"),  # BigTIFF
    (0, b"MM\x00+\x00\x08\x00\x00", "image/tiff"),
    (0, b"\x00\x00\x01\x00", "image/x-icon"),
    (0, b"\x00\x00\x00\x0cjP  \r\n\x87\n", "image/jp2"),
    (0, b"\xffO\xffQ", "image/jp2"),
    (0, b"\x00\x00\x00\x0cJXL \r\n\x87\n", "image/jxl"),
    (0, b"\xff\x0a", "image/jxl"),
    (0, b"fLaC", "audio/flac"),
    (0, b"ADIF", "audio/aac"),
    (0, b"#!AMR", "audio/amr"),
    (0, b"\x00\x00\x01\xba", "video/mpeg"),
    (0, b"\x00\x00\x01\xb3", "video/mpeg"),
    (0, b"FLV\x01", "video/x-flv"),
    (0, b"\x30\x26\xb2\x75\x8e\x66\xcf\x11", "video/x-ms-wmv"),
    (0, b"{\\rtf", "application/rtf"),
)

_RIFF = {b"WEBP": "image/webp", b"WAVE": "audio/wav", b"AVI ": "video/x-msvideo"}
_FORM = {b"AIFF": "audio/aiff", b"AIFC": "audio/aiff"}

# ISO base media brands, https://mp4ra.org/registered-types/brands
_BRANDS: dict[bytes, str | None] = {
    b"avif": "image/avif",
    b"avis": "image/avif",
    b"heic": "image/heic",
    b"heix": "image/heic",
    b"hevc": "image/heic",
    b"heim": "image/heic",
    b"heis": "image/heic",
    b"hevx": "image/heic",
    b"hevm": "image/heic",
    b"hevs": "image/heic",
    b"mif1": "image/heif",
    b"mif2": "image/heif",
    b"msf1": "image/heif",
    b"M4A ": "audio/mp4",
    b"M4B ": "audio/mp4",
    b"qt  ": "video/quicktime",
    b"crx ": None,  # the raw pictures of a camera
}
# What QuickTime films begin with that are older than its type box, or whose writer left it out.
_FILM_BOXES = (b"moov", b"mdat", b"wide", b"free", b"skip")
_ID3 = (b"ID3\x02", b"ID3\x03", b"ID3\x04")
_MOST_TAGS = 8
_DOC_TYPE = b"\x42\x82"  # the element of Matroska and WebM that tells which of the two it is
_OFFICE = {
    b"word/": BY_SUFFIX["docx"],
    b"xl/": BY_SUFFIX["xlsx"],
    b"ppt/": BY_SUFFIX["pptx"],
}
_ZIP_TAIL = 65_557  # the end record of a ZIP file and the longest comment after it
_MOST_NAMES = 2000
OFFICE_TYPES = frozenset(_OFFICE.values())
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_SUFFIXES = ("doc", "xls", "ppt")
_BEFORE_PDF = b"\xef\xbb\xbf \t\r\n\0"
_PIECE = 1 << 20
_NO_TEXT = bytes(sorted({*range(0x20)} - {*b"\t\n\v\f\r\x1a\x1b\x08"}))
# What may stand before the first element of a page or a drawing: declarations, comments, processing instructions.
_BEFORE_ROOT = re.compile(
    r"(?:\s+|<\?[^>]*+>|<!--(?:(?!-->).)*+-->|<!doctype[^>\[]*+(?:\[[^\]]*+\])?\s*+>)*+", re.DOTALL
)
_HTML_DOCTYPE = re.compile(r"(?:\s+|<\?[^>]*+>|<!--(?:(?!-->).)*+-->)*+<!doctype html", re.DOTALL)
_TEXT_SUFFIXES = ("html", "htm", "csv", "md", "markdown", "json", "xml", "svg", "txt")


def sniff(data: bytes, name: str | None = None) -> str | None:
    """The media type of bytes, or None when they are of no known type.

    Args:
        data: The content; a few kilobytes of its beginning decide, but for Office files.
        name: A file name, which decides only between types whose bytes look alike.
    """
    head = data[:4096]
    for offset, magic, mime in _SIGNATURES:
        if head.startswith(magic, offset):
            return mime
    return _container(data, head, name) or _text(data, head, name)


def _container(data: bytes, head: bytes, name: str | None) -> str | None:
    match head[:4]:
        case b"RIFF":
            return _RIFF.get(head[8:12])
        case b"FORM":
            return _FORM.get(head[8:12])
        case b"RF64" | b"BW64":  # WAV of more than 4 GB, and its successor
            return _RIFF.get(head[8:12])
        case b"OggS":
            return "video/ogg" if b"theora" in head[:512] else "audio/ogg"
        case b"\x1aE\xdf\xa3":
            return "video/webm" if _doc_type(head) == b"webm" else "video/x-matroska"
        case b"PK\x03\x04":
            return _office(data)
    if head[4:8] == b"ftyp":
        return _iso_media(head)
    if head[4:8] in _FILM_BOXES and head[:1] == b"\0":
        return "video/quicktime"
    if head[:4] in _ID3:
        return _tagged_audio(data)
    if head.startswith(_OLE):
        claimed = (name or "").rpartition(".")[2].lower()
        return BY_SUFFIX[claimed if claimed in _OLE_SUFFIXES else "doc"]
    if head.lstrip(_BEFORE_PDF).startswith(b"%PDF-") or (b"%PDF-" in head[:1024] and not _is_text(data)):
        return "application/pdf"
    if len(head) > 14 and head.startswith(b"BM") and head[6:10] == b"\0\0\0\0":
        return "image/bmp"
    return _mpeg_audio(head)


def _doc_type(head: bytes) -> bytes:
    at = head.find(_DOC_TYPE)
    return head[at + 3 : at + 3 + (head[at + 2] & 0x7F)] if 0 <= at < len(head) - 2 else b""


def _iso_media(head: bytes) -> str | None:
    major, compatible = head[8:12], head[16 : max(16, min(int.from_bytes(head[:4], "big"), 256))]
    if major in (b"mif1", b"mif2", b"msf1"):
        for brand in (b"avif", b"avis", b"heic", b"heix", b"hevc"):
            if brand in compatible:
                return _BRANDS[brand]
    if major[:2] == b"3g":
        return "video/3gpp2" if major[:3] == b"3g2" else "video/3gpp"
    return _BRANDS.get(major, "video/mp4")


def _tagged_audio(data: bytes) -> str:
    """What an ID3 tag is put before: MPEG audio, but by some writers also AAC and FLAC."""
    start = after_id3(data)
    sound = data[start : start + 4]
    return "audio/flac" if sound == b"fLaC" else _mpeg_audio(sound) or "audio/mpeg"


def after_id3(data: bytes) -> int:
    """Where a sound begins that has ID3v2 tags before it; beyond the end where a tag does not end.

    Source: https://id3.org/id3v2.4.0-structure
    """
    at = 0
    for _ in range(_MOST_TAGS):
        head = data[at : at + 10]
        if head[:4] not in _ID3:
            break
        length = 0
        for byte in head[6:].ljust(4, b"\x7f"):
            length = length << 7 | byte & 0x7F
        at += 10 + length + (10 if head[5:6] and head[5] & 0x10 else 0)
    return at


def _mpeg_audio(head: bytes) -> str | None:
    if len(head) < 4 or head[0] != 0xFF or head[1] & 0xE0 != 0xE0:
        return None
    layer = head[1] >> 1 & 3
    if layer == 0:
        return "audio/aac" if head[1] & 0xF0 == 0xF0 else None
    if layer == 3:  # layer I, which nobody writes; UTF-16 text begins like it
        return None
    bitrate, rate = head[2] >> 4, head[2] >> 2 & 3
    return "audio/mpeg" if bitrate != 15 and rate != 3 else None


def _office(data: bytes) -> str:
    names = list(islice(_names_in_zip(data), _MOST_NAMES))
    for prefix, mime in _OFFICE.items():
        if any(name.startswith(prefix) for name in names):
            return mime
    return "application/zip"


def _names_in_zip(data: bytes) -> Iterator[bytes]:
    """The names that the directory at the end of a ZIP file lists, read one by one: there may be millions of them."""
    end = data.rfind(b"PK\5\6", max(0, len(data) - _ZIP_TAIL))
    at = end - int.from_bytes(data[end + 12 : end + 16], "little")
    while 0 <= at < end and data[at : at + 4] == b"PK\1\2":
        name, extra, comment = (int.from_bytes(data[at + skip : at + skip + 2], "little") for skip in (28, 30, 32))
        yield data[at + 46 : at + 46 + name]
        at += 46 + name + extra + comment


def _text(data: bytes, head: bytes, name: str | None) -> str | None:
    if not _is_text(data):
        return None
    start = head.decode("utf-8-sig", "ignore").lstrip().lower()
    before = _BEFORE_ROOT.match(start)
    root = start[before.end() : before.end() + 8] if before else start
    if root.startswith(("<html", "<head", "<body")) or _HTML_DOCTYPE.match(start):
        return "text/html"
    if root.startswith("<svg"):
        return "image/svg+xml"
    claimed = (name or "").rpartition(".")[2].lower()
    if claimed in _TEXT_SUFFIXES and claimed != "svg":
        return BY_SUFFIX[claimed]
    return "application/xml" if start.startswith("<?xml") else "text/plain"


def _is_text(data: bytes) -> bool:
    """Whether bytes are UTF-8 without the control characters that no text holds."""
    if not data or len(head := data[:4096]) != len(head.translate(None, _NO_TEXT)):
        return False
    decoder = getincrementaldecoder("utf-8")()  # by pieces: some texts take four times their bytes
    try:
        for at in range(0, len(data), _PIECE):
            decoder.decode(data[at : at + _PIECE], at + _PIECE >= len(data))
    except UnicodeDecodeError:
        return False
    return True


class DataURL(NamedTuple):
    """A data URL taken apart: its type in canonical spelling (None when it names none) and its bytes."""

    mime: str | None
    data: bytes


# A type, or a bare suffix in its place, which `normalize_mime` knows as well.
_MIME = re.compile(r"[\w!#$&^.+-]+/[\w!#$&^.+-]+|\*/\*")
_BASE64_FORBIDDEN = re.compile(rb"[^A-Za-z0-9+/]")
_URL_SAFE = bytes.maketrans(b"-_", b"+/")
_SPACES = b" \t\r\n\f\v"


def decode_base64(text: str | bytes, what: str = "base64 data") -> bytes:
    """Decode base64 as people write it: either alphabet, with line breaks, with or without padding.

    Raises:
        MediaReadError: It is empty or not base64; the message starts with `what`.
    """
    try:
        raw = text.encode("ascii") if isinstance(text, str) else text
    except UnicodeEncodeError as error:
        raise MediaReadError(f"{what} is not base64: it holds {error.object[error.start]!r}") from None
    raw = raw.translate(_URL_SAFE, _SPACES)
    body = raw.rstrip(b"=")
    if not body:
        raise MediaReadError(f"{what} is empty")
    if bad := _BASE64_FORBIDDEN.search(body):
        raise MediaReadError(f"{what} is not base64: it holds {bad[0].decode('latin-1')!r} at {bad.start()}")
    padding = len(raw) - len(body)
    if len(body) % 4 == 1 or (padding and len(raw) % 4):
        raise MediaReadError(
            f"{what} is not base64: {len(body)} digits and {padding} padding signs do not fit together"
        )
    try:
        return pybase64.b64decode(body + b"=" * (-len(body) % 4), validate=True)
    except binascii.Error as error:
        raise MediaReadError(f"{what} is not base64: {error}") from None


def is_data_url(text: str) -> bool:
    """Whether a string means to be a data URL."""
    return text.lstrip()[:5].lower() == "data:"


def _unquoted(payload: str) -> str:
    if "%" not in payload:
        return payload
    from urllib.parse import unquote

    return unquote(payload)


def decode_data_url(url: str) -> DataURL:
    """Take a data URL apart.

    Takes a missing type, parameters, capitals, blanks round it, line breaks, the URL-safe alphabet, percent-encoding,
    missing padding, and the two slashes of PHP's ``data://image/png;base64,…``; a payload without ``;base64`` is
    percent-decoded text (RFC 2397).

    Raises:
        MediaReadError: It is not a data URL, or its payload is broken or empty, or base64 without ``;base64``.
    """
    if not isinstance(url, str):
        raise MediaReadError(f"a data URL is a text, not {type(url).__name__}")
    text = url.strip()
    if not is_data_url(text):
        raise MediaReadError(f"{text[:40]!r} is not a data URL: it does not start with 'data:'")
    header, comma, payload = text[5:].partition(",")
    if not comma:
        raise MediaReadError(f"the data URL 'data:{header[:40]}' has no comma before its data")
    mime, *parameters = (item.strip() for item in header.removeprefix("//").split(";"))
    if mime and not _MIME.fullmatch(mime):
        raise MediaReadError(f"the data URL 'data:{header[:40]},' has {mime!r} where a type such as image/png belongs")
    if any(item.lower() == "base64" for item in parameters):
        data = decode_base64(_unquoted(payload), "the data URL's data")
    else:
        from urllib.parse import unquote_to_bytes

        data = unquote_to_bytes(payload)
        if mime and not _is_textual(mime) and (hidden := media_in_base64(payload)) is not None:
            start = f"data:{header[:40]},"
            raise MediaReadError(f"the data URL {start!r} lacks ';base64' before its comma: its data are {hidden[1]}")
    if not data:
        raise MediaReadError(f"the data URL 'data:{header[:40]},' is empty")
    return DataURL(normalize_mime(mime) if mime else None, data)


def _is_textual(mime: str) -> bool:
    return mime.lower().startswith("text/") or mime.lower() in ("application/json", "application/xml")


def media_in_base64(text: str) -> tuple[bytes, str] | None:
    """The bytes that a text is base64 of, and their type; None when it is none, or base64 of text or of nothing known.

    Any short word is base64 of something, so only bytes that tell their type count.
    """
    try:
        data = decode_base64(text)
    except MediaReadError:
        return None
    found = sniff(data)
    return None if found is None or found == "text/plain" else (data, found)


def parse_data_url(url: str) -> tuple[str, str]:
    """Split a data URL into its media type and its base64 text (standard alphabet, padded, one line).

    A missing or generic type is told from the bytes; a type that is given is kept, in canonical spelling.

    Raises:
        MediaReadError: (a ``ValueError``) It is not a text or not a data URL, or its data are broken, empty or of no
            known type.
    """
    mime, data = decode_data_url(url)
    found = mime or sniff(data)
    if found is None:
        raise MediaReadError("the data URL names no media type and its bytes are of no known type")
    return found, pybase64.b64encode(data).decode("ascii")
