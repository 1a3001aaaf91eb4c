"""What the header of a picture says: its size, its orientation, and whether it moves. Nothing is decoded.

So a file that claims 20000 x 20000 pixels costs no more than any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from prompt_adapters.content.source import Inline
from prompt_adapters.media import tiff
from prompt_adapters.media.boxes import heif_size, jp2_size

SCAN = 0xDA  # the marker of a JPEG that its picture's data follow
_UPRIGHT = 1
_SIZE: Final = object()  # where it is kept
_FILL, _NOT_ZERO = re.compile(rb"\xff+"), re.compile(rb"[^\0]")
# Pieces that are looked at, at most; as many more as a file needs whose pieces are not made to keep a reader busy.
_MOST_SEGMENTS = 100_000
_MOST_CHUNKS, _SMALL_CHUNK = 20_000, 1024
_MOST_PADDING = 1_000_000
_MOST_BLOCKS, _SMALL_BLOCK = 100_000, 128


def image_size(inline: Inline) -> tuple[int, int] | None:
    """Width and height in pixels as stored, before any orientation; None where the header does not tell."""
    if _SIZE not in inline.kept:
        reader = _SIZES.get(inline.mime)
        size = reader(inline.data) if reader is not None else None
        inline.kept[_SIZE] = size if size is not None and min(size) > 0 else None
    known: tuple[int, int] | None = inline.kept[_SIZE]
    return known


def is_animated(inline: Inline) -> bool:
    """Whether a GIF, WebP, PNG or AVIF holds more than one frame."""
    data = inline.data
    match inline.mime:
        case "image/gif":
            return gif_frames(data)[0] > 1
        case "image/webp":
            return data[12:16] == b"VP8X" and len(data) > 20 and bool(data[20] & 0x02)
        case "image/png":
            return any(kind == b"acTL" for kind, _, _ in png_chunks(data))
        case "image/avif":
            return data[8:12] == b"avis"
    return False


def page_count(inline: Inline) -> int:
    """How many pages a TIFF holds; 1 for all other pictures."""
    return max(1, tiff.pages(inline.data)) if inline.mime == "image/tiff" else 1


def channel_bits(inline: Inline) -> int:
    """Bits a channel of a PNG or TIFF; 8 for all other pictures."""
    match inline.mime:
        case "image/png":
            return inline.data[24] if len(inline.data) > 24 else 8
        case "image/tiff":
            return next((page.first(tiff.BITS, 1) for page in tiff.directories(inline.data)), 8)
    return 8


def is_lossless_webp(inline: Inline) -> bool:
    """Whether the first picture of a WebP is compressed without loss."""
    return next((kind == b"VP8L" for kind, _, _ in _webp_chunks(inline.data) if kind in (b"VP8L", b"VP8 ")), False)


def gif_frames(data: bytes) -> tuple[int, bool]:
    """How many pictures a GIF holds, and whether its end is there."""
    at, frames, left = 13 + _color_table(data, 10), 0, _MOST_BLOCKS + len(data) // _SMALL_BLOCK
    while at < len(data) and left > 0:
        block, left = data[at], left - 1
        if block == 0x3B:
            return frames, True
        if block == 0x21:
            at += 2
        elif block == 0x2C:
            at += 11 + _color_table(data, at + 9)
            frames += 1
        elif block == 0:  # padding between blocks
            at = further.start() if (further := _NOT_ZERO.search(data, at, at + _MOST_PADDING)) else len(data)
            continue
        else:
            return frames, False
        at, left = _after_blocks(data, at, left)
    return frames, False


def _color_table(data: bytes, at: int) -> int:
    flags = data[at] if at < len(data) else 0
    return 3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0


def orientation(inline: Inline) -> int:
    """The EXIF orientation of a JPEG, PNG, WebP or TIFF: 1 is upright, 2 to 8 are mirrored or turned.

    HEIC and AVIF turn by a property of the picture instead, which every decoder applies.
    """
    exif = exif_of(inline)
    return tiff.orientation_in(exif) if exif else _UPRIGHT


def exif_of(inline: Inline) -> bytes | None:
    """The EXIF data of a JPEG, PNG or WebP, and a TIFF whole, which is the same format."""
    data, exif = inline.data, None
    match inline.mime:
        case "image/jpeg":
            exif = next((data[at:end] for at, end in jpeg_exif(data)), None)
        case "image/png":
            exif = next((data[at : end - 4] for kind, at, end in png_chunks(data) if kind == b"eXIf"), None)
        case "image/webp":
            exif = next((data[at:end] for kind, at, end in _webp_chunks(data) if kind == b"EXIF"), None)
        case "image/tiff":
            exif = data
    return exif.removeprefix(b"Exif\0\0") if exif else None


def jpeg_exif(data: bytes) -> Iterator[tuple[int, int]]:
    """Where EXIF data of a JPEG begin and end, their mark included."""
    for _, at, end in jpeg_segments(data):
        if data[at : at + 6] == b"Exif\0\0":
            yield at, end


def jpeg_segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Markers, and where what follows them begins and ends, up to that of the picture's data."""
    at = 2
    for _ in range(_MOST_SEGMENTS):
        if (fill := _FILL.match(data, at)) is None or (at := fill.end() - 1) + 4 > len(data):
            return
        marker = data[at + 1]
        if 0xD0 <= marker <= 0xD8 or marker == 0x01:  # markers that carry nothing
            at += 2
            continue
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        yield marker, at + 4, end
        if marker == SCAN:
            return
        at = end


def png_chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Types of the chunks, where the body of each begins, and where it ends with its checksum; IEND is the last."""
    at = 8
    for _ in range(_MOST_CHUNKS + len(data) // _SMALL_CHUNK):
        if at + 12 > len(data):
            return
        kind, end = data[at + 4 : at + 8], at + 12 + int.from_bytes(data[at : at + 4], "big")
        yield kind, at + 8, end
        if kind == b"IEND":
            return
        at = end


def _webp_chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Types of the chunks, and where the body of each begins and ends."""
    at, end = 12, min(len(data), 8 + _little(data, 4, 4))
    for _ in range(_MOST_CHUNKS):
        if at + 8 > end:
            return
        length = _little(data, at + 4, 4)
        yield data[at : at + 4], at + 8, at + 8 + length
        at += 8 + length + (length & 1)


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    for marker, at, end in jpeg_segments(data):
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC) and at + 5 <= min(end, len(data)):
            return int.from_bytes(data[at + 3 : at + 5], "big"), int.from_bytes(data[at + 1 : at + 3], "big")
    return None


def _png_size(data: bytes) -> tuple[int, int] | None:
    if data[12:16] != b"IHDR" or len(data) < 24:
        return None
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def _gif_size(data: bytes) -> tuple[int, int] | None:
    """The size of the screen, or of the first frame where that reaches beyond it."""
    if len(data) < 10:
        return None
    at, left = 13 + _color_table(data, 10), _MOST_BLOCKS
    while data[at : at + 1] == b"\x21" and left > 0:
        at, left = _after_blocks(data, at + 2, left)
    first = data[at : at + 1] == b"\x2c"
    across, down = (_little(data, at + skip, 2) + _little(data, at + skip + 4, 2) if first else 0 for skip in (1, 3))
    return max(_little(data, 6, 2), across), max(_little(data, 8, 2), down)


def _after_blocks(data: bytes, at: int, left: int) -> tuple[int, int]:
    """Where a row of blocks ends, and how many more may be looked at."""
    while at < len(data) and data[at] and left > 0:
        at, left = at + 1 + data[at], left - 1
    return at + 1, left - 1


def _webp_size(data: bytes) -> tuple[int, int] | None:
    if len(data) < 30:
        return None
    match data[12:16]:
        case b"VP8X":
            return _little(data, 24, 3) + 1, _little(data, 27, 3) + 1
        case b"VP8L":
            bits = _little(data, 21, 4)
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8 ":
            return _little(data, 26, 2) & 0x3FFF, _little(data, 28, 2) & 0x3FFF
    return None


def _bmp_size(data: bytes) -> tuple[int, int] | None:
    if len(data) < 26:
        return None
    if _little(data, 14, 4) == 12:  # the header of OS/2
        return _little(data, 18, 2), _little(data, 20, 2)
    height = int.from_bytes(data[22:26], "little", signed=True)  # negative for rows from the top down
    return int.from_bytes(data[18:22], "little", signed=True), abs(height)


def _tiff_size(data: bytes) -> tuple[int, int] | None:
    return next(((page.first(tiff.WIDTH), page.first(tiff.HEIGHT)) for page in tiff.directories(data)), None)


def _icon_size(data: bytes) -> tuple[int, int] | None:
    """The size of the largest of an icon's pictures."""
    return max((size for size, _, _ in _icon_pictures(data)), key=_area, default=None)


def png_in_icon(data: bytes) -> bytes | None:
    """The largest of an icon's pictures, where it is a PNG, which may say another size than the list."""
    _, start, length = max(_icon_pictures(data), key=lambda picture: _area(picture[0]), default=((0, 0), 0, 0))
    return data[start : start + length] if data.startswith(b"\x89PNG", start) else None


def _icon_pictures(data: bytes) -> Iterator[tuple[tuple[int, int], int, int]]:
    """The size of each picture, where it begins, and its bytes."""
    for at in range(6, 6 + 16 * _little(data, 4, 2), 16):
        length, start = _little(data, at + 8, 4), _little(data, at + 12, 4)
        listed = (_little(data, at, 1) or 256, _little(data, at + 1, 1) or 256)
        head = data[start : start + 24]
        # A bitmap is twice as high as what it shows, which is over its mask.
        bitmap = (_little(head, 4, 4), _little(head, 8, 4) // 2) if _little(head, 0, 4) >= 40 else None
        own = _png_size(head) if head.startswith(b"\x89PNG") else bitmap and max(listed, bitmap, key=_area)
        yield own or listed, start, length


def _area(size: tuple[int, int]) -> int:
    return size[0] * size[1]


def _little(data: bytes, at: int, size: int) -> int:
    return int.from_bytes(data[at : at + size], "little")


_SIZES: Mapping[str, Callable[[bytes], tuple[int, int] | None]] = MappingProxyType(
    {
        "image/jpeg": _jpeg_size,
        "image/png": _png_size,
        "image/gif": _gif_size,
        "image/webp": _webp_size,
        "image/bmp": _bmp_size,
        "image/tiff": _tiff_size,
        "image/x-icon": _icon_size,
        "image/jp2": jp2_size,
        "image/heic": heif_size,
        "image/heif": heif_size,
        "image/avif": heif_size,
    }
)
