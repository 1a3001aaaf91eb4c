"""The boxes of ISO media files (ISO/IEC 14496-12): MP4, QuickTime, HEIC, AVIF and JPEG 2000."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

MOST_BOXES = 100_000  # films in fragments have two for each
_PROPERTIES_READ = 4096
_ITEMS_READ = 10_000


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
    """The boxes that stand side by side from a place on, of which there may be so many.

    One that is shorter than its head ends them.
    """
    end = len(data) if end is None else min(end, len(data))
    for _ in range(MOST_BOXES):
        if at + 8 > end:
            return
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
    """Width and height of a HEIC, HEIF or AVIF picture as stored: of the primary item, cut as its aperture says."""
    properties = list(islice(inner(data, b"meta", b"iprp", b"ipco"), _PROPERTIES_READ))
    own = [properties[index - 1] for index in _of_primary_item(data) if 0 < index <= len(properties)]
    size = max((_extent(data, box) for box in own or properties if box.kind == b"ispe"), default=None)
    cut = next((_aperture(data, box) for box in own if box.kind == b"clap"), None)
    return cut or size


def _extent(data: bytes, box: Box) -> tuple[int, int]:
    return _number(data, box.start + 4, 4), _number(data, box.start + 8, 4)


def _aperture(data: bytes, box: Box) -> tuple[int, int] | None:
    """Width and height, each of which is a fraction."""
    width, per_width, height, per_height = (_number(data, box.start + at, 4) for at in range(0, 16, 4))
    return (width // per_width, height // per_height) if per_width and per_height else None


def _of_primary_item(data: bytes) -> list[int]:
    """The numbers of the properties of the picture that is meant to be shown, counted from 1."""
    primary = next((box for box in inner(data, b"meta") if box.kind == b"pitm"), None)
    table = next((box for box in inner(data, b"meta", b"iprp") if box.kind == b"ipma"), None)
    if primary is None or table is None:
        return []
    wanted = _number(data, primary.start + 4, 4 if data[primary.start] else 2)
    wide_items, wide_numbers = bool(data[table.start]), bool(data[table.start + 3] & 1)
    at = table.start + 8
    for _ in range(_ITEMS_READ):
        if at >= min(table.end, len(data)):
            break
        item = _number(data, at, 4 if wide_items else 2)
        at += 4 if wide_items else 2
        count, size = _number(data, at, 1), 2 if wide_numbers else 1
        # The highest bit says only that the property must be understood.
        numbers = [_number(data, at + 1 + size * index, size) & (2 ** (8 * size - 1) - 1) for index in range(count)]
        if item == wanted:
            return numbers
        at += 1 + size * count
    return []


def _number(data: bytes, at: int, size: int) -> int:
    return int.from_bytes(data[at : at + size], "big")


def jp2_size(data: bytes) -> tuple[int, int] | None:
    """Width and height of a JPEG 2000 picture, in its box or as a bare code stream."""
    if data.startswith(b"\xff\x4f\xff\x51"):
        right, bottom, left, top = (_number(data, at, 4) for at in range(8, 24, 4))
        return right - left, bottom - top
    for box in inner(data, b"jp2h"):
        if box.kind == b"ihdr":
            height, width = (_number(data, at, 4) for at in (box.start, box.start + 4))
            return width, height
    return None
