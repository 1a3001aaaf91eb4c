"""Whether a media file is whole, told from its structure: nothing is decoded.

A download that broke off keeps its first bytes, so its type is known and every other check passes. Each format says
somewhere how long it is or how it ends; where it does not (text, older Office files), nothing is claimed. A file that
may be whole, but speaks of more than it holds, gives a doubt, which is noted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from prompt_adapters.content.source import Inline
from prompt_adapters.errors import MediaReadError
from prompt_adapters.media import tiff
from prompt_adapters.media.boxes import MOST_BOXES, Box, boxes
from prompt_adapters.media.chunks import (
    check_aiff,
    check_asf,
    check_flv,
    check_mpeg,
    check_ogg,
    check_riff,
    check_webp,
)
from prompt_adapters.media.doubt import Doubt, Verdict
from prompt_adapters.media.ebml import check_ebml
from prompt_adapters.media.flac import check_flac
from prompt_adapters.media.frames import check_adts, check_mpeg_audio
from prompt_adapters.media.header import SCAN, gif_frames, jpeg_segments, png_chunks

_PDF_HEAD, _PDF_TAIL = 1024, 2048
_LINEARIZED = re.compile(rb"/Linearized\b[^>]*?/L\s+(\d{1,12})\b")
_ZIP_TAIL = 65557  # the end record of a ZIP file and the longest comment after it
# The boxes that stand side by side in an ISO media file (ISO/IEC 14496-12) or a QuickTime film.
_BOXES = frozenset(b"ftyp styp moov moof mdat meta mfra sidx free skip wide uuid pnot udta emsg prft pdin".split())


_FOUND: Final = object()

_INDICES = frozenset({b"moov", b"moof", b"meta"})
_SOME = 1024  # bytes of film that are worth an index


def check_complete(inline: Inline, what: str) -> str | None:
    """Refuse a file that is cut off.

    Args:
        inline: The file.
        what: What it is, for the message, as ``"message 2 (user), part 1: the image"``.

    Returns:
        Why the file could be incomplete all the same, where that is to be noted.

    Raises:
        MediaReadError: (a ``ValueError``) Its end is missing.
    """
    match _verdict(inline):
        case None:
            return None
        case Doubt(text):
            return text
        case missing:
            raise MediaReadError(
                f"{what} ({inline.mime}, {len(inline.data)} bytes) is broken or cut off: {missing}; "
                "get the whole file, or send it as it is with on_limit='send'"
            )


def _verdict(inline: Inline) -> Verdict:
    """What is missing: found out once for each file, however often it is sent."""
    if (check := _CHECKS.get(inline.mime)) is None:
        return None
    if _FOUND not in inline.kept:
        inline.kept[_FOUND] = check(inline.data)
    found: Verdict = inline.kept[_FOUND]
    return found


def _jpeg(data: bytes) -> str | None:
    """Segments up to the picture's data, then an end marker somewhere: cameras append previews and films after it."""
    segments = list(jpeg_segments(data))
    if not segments or segments[-1][0] != SCAN:
        return "it ends before the picture begins"
    begins = segments[-1][1]
    return (
        _further_pictures(data, segments) if data.rfind(b"\xff\xd9", begins) > 0 else "there is no end-of-image marker"
    )


def _further_pictures(data: bytes, segments: Sequence[tuple[int, int, int]]) -> str | None:
    """The pictures that follow the first in a multi-picture file (CIPA DC-007), as cameras write them.

    Tools that drop them often leave the list of them, so one that does not even begin is not missed.
    """
    start = next((at for _, at, end in segments if data[at : min(end, at + 4)] == b"MPF\0"), None)
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
    picture = False
    for kind, _, end in png_chunks(data):
        if end > len(data):
            return f"its {kind.decode('latin-1')} chunk is incomplete"
        picture = picture or kind == b"IDAT"
        if kind == b"IEND":
            return None if picture else "it holds no picture"
    return "there is no IEND chunk"


def _gif(data: bytes) -> str | None:
    return None if gif_frames(data)[1] else "there is no trailer"


def _boxes(data: bytes) -> Verdict:
    """The boxes of an ISO media file: MP4, QuickTime, HEIC, AVIF."""
    end, found = 0, list[Box]()
    for box in boxes(data):
        if box.kind not in _BOXES:
            return _lacking(found)  # whatever follows is none of these: some cameras append data of their own
        if box.end > len(data):
            return f"its {box.kind.decode('latin-1').strip()} box is incomplete"
        end = box.end
        found.append(box)
    rest = data[end:]
    if len(rest) < 8 and rest.strip(b"\0"):
        return "the head of a box is incomplete"
    if len(found) == MOST_BOXES and len(rest) >= 8:
        return Doubt(f"it has more than {MOST_BOXES} boxes, and no more are looked at")
    return _lacking(found)  # where much follows, it is a box that is shorter than its own head, and so is none


def _lacking(found: Sequence[Box]) -> str | None:
    """What a film cannot be played without: the index of its data, and the data of its last fragment."""
    kinds = [box.kind for box in found]
    if not _INDICES & set(kinds) and any(box.kind == b"mdat" and box.end - box.start > _SOME for box in found):
        return "its index (moov) is missing, as where a recording broke off"
    if b"moof" in kinds and b"mdat" not in kinds[len(kinds) - kinds[::-1].index(b"moof") :]:
        return "the data of its last fragment are missing"
    return None


def _boxed_picture(data: bytes) -> Verdict:
    """HEIC and AVIF, which may end between two boxes; small ones keep their data in an idat box."""
    return _boxes(data) or (None if b"mdat" in data or b"idat" in data else "its picture data are missing")


def _pdf(data: bytes) -> str | None:
    """The mark at the end. One that is made for reading from the web has one near its beginning too, and its length."""
    if (found := _LINEARIZED.search(data[:_PDF_HEAD])) is not None and (length := int(found[1])) > len(data):
        return f"it says that it has {length} bytes"
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
_CHECKS: Mapping[str, Callable[[bytes], Verdict]] = MappingProxyType(
    {
        "image/jpeg": _jpeg,
        "image/png": _png,
        "image/gif": _gif,
        "image/webp": check_webp,
        "image/bmp": _bmp,
        "image/tiff": _tiff,
        "image/x-icon": _icon,
        "image/jp2": _jp2,
        "image/heic": _boxed_picture,
        "image/heif": _boxed_picture,
        "image/avif": _boxed_picture,
        "audio/wav": check_riff,
        "audio/aiff": check_aiff,
        "audio/mpeg": check_mpeg_audio,
        "audio/aac": check_adts,
        "audio/flac": check_flac,
        "audio/webm": check_ebml,
        "audio/x-matroska": check_ebml,
        "video/webm": check_ebml,
        "video/x-matroska": check_ebml,
        "audio/ogg": check_ogg,
        "video/ogg": check_ogg,
        "audio/mp4": _boxes,
        "audio/3gpp": _boxes,
        "audio/3gpp2": _boxes,
        "video/3gpp2": _boxes,
        "video/x-msvideo": check_riff,
        "video/x-flv": check_flv,
        "video/x-ms-wmv": check_asf,
        "video/mpeg": check_mpeg,
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
