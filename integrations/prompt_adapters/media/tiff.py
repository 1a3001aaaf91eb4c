"""The directories of a TIFF file, which EXIF data are as well: sizes, pages, orientation, and where the pixels lie.

Only the fields that are asked for are read, and never more than the file holds.

Source: https://www.itu.int/itudoc/itu-t/com16/tiff-fx/docs/tiff6.pdf; BigTIFF: https://www.awaresystems.be/imaging/tiff/bigtiff.html
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from struct import Struct, unpack_from
from typing import Literal, NamedTuple, TypeAlias

Order: TypeAlias = Literal["little", "big"]

SUBFILE, WIDTH, HEIGHT, BITS, ORIENTATION = 254, 256, 257, 258, 274
_STRIPS, _STRIP_SIZES, _TILES, _TILE_SIZES = 273, 279, 324, 325
PICTURES = 0xB002  # the list of pictures of a multi-picture JPEG
_READ = frozenset({SUBFILE, WIDTH, HEIGHT, BITS, ORIENTATION, PICTURES, _STRIPS, _STRIP_SIZES, _TILES, _TILE_SIZES})
# The numbers of a field, by its type: BYTE, SHORT, LONG, UNDEFINED, IFD and the LONG8 of BigTIFF.
_NUMBERS = {1: Struct("B"), 3: Struct("H"), 4: Struct("I"), 7: Struct("B"), 13: Struct("I"), 16: Struct("Q")}
# Bytes of a number of every type.
_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8}
_REDUCED_OR_MASK = 0b101
_MOST_DIRECTORIES = 10_000
_MOST_FIELDS = 4096
# Numbers that are read of one file, of which a field counts as some: directories may share what they hold.
_MOST_NUMBERS, _FIELD_COSTS = 1_000_000, 4


class Directory(NamedTuple):
    """One directory: a page, a thumbnail or a mask.

    Attributes:
        fields: Numbers by tag.
        whole: Whether all of it is in the file, its numbers included.
    """

    fields: Mapping[int, tuple[int, ...]]
    whole: bool

    def first(self, tag: int, default: int = 0) -> int:
        """The first number of a field."""
        return next(iter(self.fields.get(tag, ())), default)

    @property
    def is_page(self) -> bool:
        """Whether it is a picture of its own, and not a smaller version or a mask of another."""
        return bool(self.fields) and not self.first(SUBFILE) & _REDUCED_OR_MASK

    def pixels_end(self) -> int:
        """Where the last of its pixel data end, in bytes from the start of the file."""
        ends = [0]
        for places, sizes in ((_STRIPS, _STRIP_SIZES), (_TILES, _TILE_SIZES)):
            starts = self.fields.get(places, ())
            lengths = self.fields.get(sizes) or (1,) * len(starts)
            ends += [start + length for start, length in zip(starts, lengths, strict=False)]
        return max(ends)


class _Reader:
    """Numbers of a TIFF file, in its byte order and width."""

    def __init__(self, data: bytes, order: Order) -> None:
        self.data = data
        self.order = order
        self.big = self.number(2, 2) == 43
        self.width = 8 if self.big else 4
        self.left = _MOST_NUMBERS

    def number(self, at: int, size: int) -> int:
        return int.from_bytes(self.data[at : at + size], self.order)

    def field(self, at: int) -> tuple[int, tuple[int, ...] | None]:
        """The tag of an entry and its numbers: none where they are no whole numbers, None where the file ends."""
        tag, kind = self.number(at, 2), self.number(at + 2, 2)
        form, count = _NUMBERS.get(kind), self.number(at + 4, self.width)
        self.left -= _FIELD_COSTS
        if tag not in _READ or form is None:
            return tag, ()
        start = at + 4 + self.width
        if form.size * count > self.width:
            start = self.number(start, self.width)
        self.left -= count
        if start + form.size * count > len(self.data) or self.left < 0:
            return tag, None
        return tag, unpack_from(f"{'<' if self.order == 'little' else '>'}{count}{form.format}", self.data, start)


def byte_order(mark: bytes) -> Order | None:
    """The byte order that the first two bytes say."""
    match mark:
        case b"II":
            return "little"
        case b"MM":
            return "big"
    return None


def directories(data: bytes) -> Iterator[Directory]:
    """The directories one after the other; the last is not whole where the file ends too early."""
    if (order := byte_order(data[:2])) is None:
        return
    reader = _Reader(data, order)
    head, entry = (8, 20) if reader.big else (2, 12)
    at, seen = reader.number(8 if reader.big else 4, reader.width), set[int]()
    while at and at not in seen and len(seen) < _MOST_DIRECTORIES:
        seen.add(at)
        count = min(reader.number(at, head), _MOST_FIELDS)
        end = at + head + count * entry
        places = range(at + head, min(end, len(data)), entry)
        found = dict(reader.field(place) for place in places if reader.left > 0)
        whole = end + reader.width <= len(data) and None not in found.values() and reader.left > 0
        yield Directory({tag: numbers for tag, numbers in found.items() if numbers}, whole)
        if not whole:
            return
        at = reader.number(end, reader.width)


def tags(tiff: bytes) -> frozenset[int]:
    """The tags of the first directory, also of fields that are never read."""
    return frozenset(reader.number(place, 2) for reader, place in _first_fields(tiff))


def without_broken_fields(tiff: bytes) -> bytes:
    """A TIFF in whose first directory no field points beyond the file; readers skip those whose type is none.

    Pillow skips them too, but warns, which is a matter for whoever reads the warnings of the whole program.
    """
    left, broken = len(tiff), list[int]()
    for reader, place in _first_fields(tiff):
        size = _SIZES.get(reader.number(place + 2, 2), 0) * reader.number(place + 4, reader.width)
        if size <= reader.width:
            continue
        start = reader.number(place + 4 + reader.width, reader.width)
        if size > left or start + size > len(tiff):
            broken.append(place)
        else:
            left -= size
    if not broken:
        return tiff
    mended = bytearray(tiff)
    for place in broken:
        mended[place + 2 : place + 4] = b"\0\0"
    return bytes(mended)


def _first_fields(tiff: bytes) -> Iterator[tuple[_Reader, int]]:
    """Where the fields of the first directory are."""
    if (order := byte_order(tiff[:2])) is None:
        return
    reader = _Reader(tiff, order)
    head, entry = (8, 20) if reader.big else (2, 12)
    at = reader.number(8 if reader.big else 4, reader.width)
    end = at + head + entry * min(reader.number(at, head), _MOST_FIELDS)
    for place in range(at + head, min(end, len(tiff)), entry):
        yield reader, place


def orientation_in(tiff: bytes) -> int:
    """The EXIF orientation: 1 is upright, 2 to 8 are mirrored or turned."""
    value = next((directory.first(ORIENTATION, 1) for directory in directories(tiff)), 1)
    return value if 1 <= value <= 8 else 1


def pages(tiff: bytes) -> int:
    """How many pages there are, thumbnails and masks not counted."""
    return sum(directory.is_page for directory in directories(tiff))
