"""The boxes of ISO media files (ISO/IEC 14496-12): MP4, QuickTime, HEIC, AVIF and JPEG 2000."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

_SIZES_KEPT = 4096


class Box(NamedTuple):
    """One box.

    Attributes:
        kind: Its four letters.
        start: Where its content begins.
        end: Where it ends by its own word, which may be beyond the file.
    """

    kind: bytes
    start: int
    end: int


def boxes(data: bytes, at: int = 0, end: int | None = None) -> Iterator[Box]:
    """The boxes that stand side by side from a place on; one that is shorter than its head ends them."""
    end = len(data) if end is None else min(end, len(data))
    while at + 8 <= end:
        length, kind, head = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8], 8
        if length == 1:
            length, head = int.from_bytes(data[at + 8 : at + 16], "big"), 16
        elif length == 0:  # up to the end of the file
            length = end - at
        if length < head:
            return
        yield Box(kind, at + head, at + length)
        at += length


def inner(data: bytes, *kinds: bytes) -> Iterator[Box]:
    """The boxes inside the first box of the first kind, inside the first of the second kind, and so on."""
    at, end = 0, len(data)
    for kind in kinds:
        found = next((box for box in boxes(data, at, end) if box.kind == kind), None)
        if found is None:
            return
        # `meta` alone has four bytes of version and flags before what it holds.
        at, end = found.start + (4 if kind == b"meta" else 0), found.end
    yield from boxes(data, at, end)


def heif_size(data: bytes) -> tuple[int, int] | None:
    """Width and height of a HEIC, HEIF or AVIF picture: of the largest item, since tiles and thumbnails are smaller."""
    sizes: list[tuple[int, int]] = []
    for box in inner(data, b"meta", b"iprp", b"ipco"):
        if box.kind == b"ispe" and len(sizes) < _SIZES_KEPT:
            body = data[box.start + 4 : box.start + 12]
            sizes.append((int.from_bytes(body[:4], "big"), int.from_bytes(body[4:], "big")))
    return max(sizes, key=lambda size: size[0] * size[1], default=None)


def jp2_size(data: bytes) -> tuple[int, int] | None:
    """Width and height of a JPEG 2000 picture, in its box or as a bare code stream."""
    if data.startswith(b"\xff\x4f\xff\x51"):
        right, bottom, left, top = (int.from_bytes(data[at : at + 4], "big") for at in range(8, 24, 4))
        return right - left, bottom - top
    for box in inner(data, b"jp2h"):
        if box.kind == b"ihdr":
            height, width = (int.from_bytes(data[at : at + 4], "big") for at in (box.start, box.start + 4))
            return width, height
    return None
