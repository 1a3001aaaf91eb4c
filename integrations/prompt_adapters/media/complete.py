"""Whether a media file is whole, told from its structure: nothing is decoded.

A download that broke off keeps its first bytes, so its type is known and every other check passes. Each format says
somewhere how long it is or how it ends; where it does not (MP3, FLAC, text), nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from prompt_adapters.content.source import Inline
from prompt_adapters.errors import MediaReadError
from prompt_adapters.media import tiff
from prompt_adapters.media.boxes import boxes
from prompt_adapters.media.header import gif_frames, jpeg_segments

_PDF_TAIL = 2048
_ZIP_TAIL = 65557  # the end record of a ZIP file and the longest comment after it
# Lengths of writers that could not go back to fill in the true one.
_UNKNOWN_RIFF_LENGTHS = (0, 0xFFFFFFFF, 0x7FFFFFFF)
# The boxes that stand side by side in an ISO media file (ISO/IEC 14496-12) or a QuickTime film.
_BOXES = frozenset(b"ftyp styp moov moof mdat meta mfra sidx free skip wide uuid pnot udta emsg prft pdin".split())


def check_complete(inline: Inline, what: str) -> None:
    """Refuse a file that is cut off.

    Args:
        inline: The file.
        what: What it is, for the message, as ``"message 2 (user), part 1: the image"``.

    Raises:
        MediaReadError: (a ``ValueError``) Its end is missing.
    """
    check = _CHECKS.get(inline.mime)
    missing = check(inline.data) if check is not None else None
    if missing is not None:
        raise MediaReadError(
            f"{what} ({inline.mime}, {len(inline.data)} bytes) is broken or cut off: {missing}; "
            "get the whole file, or send it as it is with on_limit='send'"
        )


def _jpeg(data: bytes) -> str | None:
    """Segments up to the picture's data, then an end marker somewhere: cameras append previews and films after it."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # fill byte
            at += 1
        elif marker == 0xDA:
            ended = data.rfind(b"\xff\xd9", at) > 0
            return _further_pictures(data) if ended else "there is no end-of-image marker"
        elif 0xD0 <= marker <= 0xD8 or marker == 0x01:  # markers that carry nothing
            at += 2
        else:
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return "it ends before the picture begins"


def _further_pictures(data: bytes) -> str | None:
    """The pictures that follow the first in a multi-picture file (CIPA DC-007), as cameras write them.

    Tools that drop them often leave the list of them, so one that does not even begin is not missed.
    """
    start = next((at for _, at, end in jpeg_segments(data) if data[at : min(end, at + 4)] == b"MPF\0"), None)
    if start is None:
        return None
    base = start + 4
    order = tiff.byte_order(data[base : base + 2]) or "little"
    listed = next(
        (bytes(item.fields.get(tiff.PICTURES, ())) for item in tiff.directories(data[base : base + 65536])), b""
    )
    for at in range(0, len(listed) - 15, 16):
        length, offset = (int.from_bytes(listed[at + skip : at + skip + 4], order) for skip in (4, 8))
        begins = offset and data[base + offset : base + offset + 2] == b"\xff\xd8"
        if begins and base + offset + length > len(data):
            return "a further picture in it is incomplete"
    return None


def _png(data: bytes) -> str | None:
    at, picture = 8, False
    while at + 12 <= len(data):
        length, kind = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8]
        at += 12 + length
        if at > len(data):
            return f"its {kind.decode('latin-1')} chunk is incomplete"
        picture = picture or kind == b"IDAT"
        if kind == b"IEND":
            return None if picture else "it holds no picture"
    return "there is no IEND chunk"


def _gif(data: bytes) -> str | None:
    return None if gif_frames(data)[1] else "there is no trailer"


def _riff(data: bytes) -> str | None:
    length = int.from_bytes(data[4:8], "little")
    if length in _UNKNOWN_RIFF_LENGTHS or 8 + length <= len(data) + (length & 1):
        return None
    return f"it says that it has {8 + length} bytes"


def _webp(data: bytes) -> str | None:
    length = 8 + int.from_bytes(data[4:8], "little")
    return None if 20 <= length <= len(data) + (length & 1) else f"it says that it has {length} bytes"


def _boxes(data: bytes) -> str | None:
    """The boxes of an ISO media file: MP4, QuickTime, HEIC, AVIF."""
    end = 0
    for box in boxes(data):
        if box.kind not in _BOXES:
            return None  # whatever follows is none of these: some cameras append data of their own
        if box.end > len(data):
            return f"its {box.kind.decode('latin-1').strip()} box is incomplete"
        end = box.end
    rest = data[end:]
    if len(rest) >= 8:  # a box that is shorter than its own head is none
        return None
    return "the head of a box is incomplete" if rest.strip(b"\0") else None


def _boxed_picture(data: bytes) -> str | None:
    """HEIC and AVIF, which may end between two boxes; small ones keep their data in an idat box."""
    return _boxes(data) or (None if b"mdat" in data or b"idat" in data else "its picture data are missing")


def _pdf(data: bytes) -> str | None:
    tail = data.rstrip(b"\0 \t\r\n")[-_PDF_TAIL:]
    return None if b"%%EOF" in tail else "there is no %%EOF at its end"


def _zip(data: bytes) -> str | None:
    return None if b"PK\x05\x06" in data[-_ZIP_TAIL:] else "the directory at its end is missing"


def _jp2(data: bytes) -> str | None:
    """A code stream ends with its own marker, in its box or bare."""
    end = len(data)
    for box in boxes(data) if data[4:8] == b"jP  " else ():
        if box.end > len(data):
            return f"its {box.kind.decode('latin-1').strip()} box is incomplete"
        end = box.end if box.kind == b"jp2c" else end
    return None if data[:end].rstrip(b"\0").endswith(b"\xff\xd9") else "there is no end-of-codestream marker"


def _tiff(data: bytes) -> str | None:
    if tiff.byte_order(data[:2]) is None:
        return None
    found = list(tiff.directories(data))
    if not found or not all(directory.whole for directory in found):
        return "a directory is incomplete"
    return None if max(item.pixels_end() for item in found) <= len(data) else "its pixel data are incomplete"


def _icon(data: bytes) -> str | None:
    count = int.from_bytes(data[4:6], "little")
    ends = [6 + 16 * count]
    ends += [
        sum(int.from_bytes(data[at + skip : at + skip + 4], "little") for skip in (8, 12))
        for at in range(6, min(ends[0], len(data) - 15), 16)
    ]
    return None if count and max(ends) <= len(data) else "its pictures are incomplete"


def _aiff(data: bytes) -> str | None:
    length = int.from_bytes(data[4:8], "big")
    return None if 8 + length <= len(data) + (length & 1) else f"it says that it has {8 + length} bytes"


def _ogg(data: bytes) -> str | None:
    """Pages, each of which tells its length by the lengths of its segments."""
    at = 0
    while data[at : at + 4] == b"OggS":
        segments = data[at + 26] if at + 26 < len(data) else 255
        at += 27 + segments + sum(data[at + 27 : at + 27 + segments])
    return None if at <= len(data) else "its last page is incomplete"


def _bmp(data: bytes) -> str | None:
    if len(data) < 26:
        return "its header is incomplete"
    length, start = int.from_bytes(data[2:6], "little"), int.from_bytes(data[10:14], "little")
    end = max(length, start, start + _bmp_pixels(data))
    return None if end <= len(data) else f"it says that it has {end} bytes"


def _bmp_pixels(data: bytes) -> int:
    """The bytes of the rows, where they are not compressed; writers leave the length of the file at 0."""
    width, height, bits, packing = (
        int.from_bytes(data[at : at + size], "little", signed=size == 4)
        for at, size in ((18, 4), (22, 4), (28, 2), (30, 4))
    )
    plain = int.from_bytes(data[14:18], "little") >= 40 and packing == 0
    return (abs(width) * bits + 31) // 32 * 4 * abs(height) if plain else 0


_OFFICE = "application/vnd.openxmlformats-officedocument"
_CHECKS: Mapping[str, Callable[[bytes], str | None]] = MappingProxyType(
    {
        "image/jpeg": _jpeg,
        "image/png": _png,
        "image/gif": _gif,
        "image/webp": _webp,
        "image/bmp": _bmp,
        "image/tiff": _tiff,
        "image/x-icon": _icon,
        "image/jp2": _jp2,
        "image/heic": _boxed_picture,
        "image/heif": _boxed_picture,
        "image/avif": _boxed_picture,
        "audio/wav": _riff,
        "audio/aiff": _aiff,
        "audio/ogg": _ogg,
        "video/ogg": _ogg,
        "audio/mp4": _boxes,
        "audio/3gpp": _boxes,
        "video/x-msvideo": _riff,
        "video/mp4": _boxes,
        "video/quicktime": _boxes,
        "video/3gpp": _boxes,
        "application/pdf": _pdf,
        "application/zip": _zip,
        f"{_OFFICE}.wordprocessingml.document": _zip,
        f"{_OFFICE}.spreadsheetml.sheet": _zip,
        f"{_OFFICE}.presentationml.presentation": _zip,
    }
)
