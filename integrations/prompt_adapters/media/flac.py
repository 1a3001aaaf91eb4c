"""The end of FLAC files: the last frame is there to its last byte, and the number of samples is what the head says.

Source: https://www.rfc-editor.org/rfc/rfc9639
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from prompt_adapters.content.sniff import after_id3
from prompt_adapters.media.doubt import Doubt, Verdict
from prompt_adapters.media.frames import before_tags

_WINDOW: Final = 262_144  # bytes at the end in which the last frame is looked for
_HEADS: Final = 3  # heads of frames that are tried; one in 256 places that look like one is none
_MOST_BLOCKS: Final = 1000  # pieces of the head
_LOOKS: Final = 4096
_LONGEST_HEAD: Final = 16
_BLOCKS: Final = (0, 192, 576, 1152, 2304, 4608, 0, 0, *(256 << shift for shift in range(8)))
_NO_SAMPLE_SIZE: Final = 3


class _Stream(NamedTuple):
    """What the head of the file says.

    Attributes:
        start: Where the first frame begins.
        block: Samples in each frame but the last; 0 where they differ.
        longest: The bytes of the longest frame; 0 where it does not say.
        samples: How many there are; 0 where it does not say.
    """

    start: int
    block: int
    longest: int
    samples: int


class _Head(NamedTuple):
    """The head of a frame: where its first sample stands, counted in samples or in frames, and how many it holds."""

    number: int
    samples: int


def check_flac(data: bytes) -> Verdict:
    """What is missing of a FLAC file."""
    stream = _stream(data)
    if isinstance(stream, str):
        return stream
    end = before_tags(data, stream.start)
    if stream.start >= end:
        return f"it holds none of its {stream.samples} samples" if stream.samples else None
    sync = data[stream.start : stream.start + 2]
    if sync not in (b"\xff\xf8", b"\xff\xf9"):
        return None
    return _last_frame(data, end, stream, sync)


def _stream(data: bytes) -> _Stream | str:
    at, block, longest, samples = after_id3(data) + 4, 0, 0, 0
    for _ in range(_MOST_BLOCKS):
        if at + 4 > len(data):
            break
        kind, length = data[at], int.from_bytes(data[at + 1 : at + 4], "big")
        if kind & 0x7F == 0:
            smallest, largest = (int.from_bytes(data[at + skip : at + skip + 2], "big") for skip in (4, 6))
            block = smallest if smallest == largest else 0
            longest = int.from_bytes(data[at + 11 : at + 14], "big")
            samples = int.from_bytes(data[at + 14 : at + 22], "big") & 0xF_FFFF_FFFF
        at += 4 + length
        if kind & 0x80:
            break
    return _Stream(at, block, longest, samples) if at <= len(data) else "its head is incomplete"


def _last_frame(data: bytes, end: int, stream: _Stream, sync: bytes) -> Verdict:
    window = min(max(stream.longest, _LONGEST_HEAD), _WINDOW) if stream.longest else _WINDOW
    first = max(stream.start, end - window)
    at, looks, tried = end, 0, 0
    while looks < _LOOKS and tried < _HEADS and (at := data.rfind(sync, first, at)) >= 0:
        looks += 1
        if (head := _head(data[at : at + _LONGEST_HEAD])) is None:
            continue
        tried += 1
        if _crc16(data[at:end]) == 0:
            begin = head.number * (stream.block if sync == b"\xff\xf8" else 1)
            known = stream.samples if stream.block or sync == b"\xff\xf9" else 0
            held = begin + head.samples
            return Doubt(f"it holds {held} of the {known} samples that it speaks of") if held < known else None
    return "its last frame is incomplete" if stream.longest <= _WINDOW else None


def _head(data: bytes) -> _Head | None:
    """The head of a frame, if that is what stands there: it ends with its own checksum."""
    if len(data) < 6 or data[3] & 1 or data[3] >> 1 & 7 == _NO_SAMPLE_SIZE or data[3] >> 4 > 10:
        return None
    ones = f"{data[4]:08b}".find("0")
    if ones in (-1, 1):
        return None
    at = 4 + max(1, ones)
    number = data[4] & 0x7F >> ones if ones else data[4]
    for byte in data[5:at]:
        number = number << 6 | byte & 0x3F
    block, rate = data[2] >> 4, data[2] & 15
    wide = {6: 1, 7: 2}.get(block, 0)
    samples = int.from_bytes(data[at : at + wide], "big") + 1 if wide else _BLOCKS[block]
    at += wide + {12: 1, 13: 2, 14: 2}.get(rate, 0)
    if rate == 15 or not samples or at >= len(data) or _crc8(data[: at + 1]):
        return None
    return _Head(number, samples)


@cache
def _table(width: int, polynomial: int) -> tuple[int, ...]:
    top, mask, found = 1 << width - 1, (1 << width) - 1, []
    for byte in range(256):
        value = byte << width - 8
        for _ in range(8):
            value = (value << 1 ^ polynomial if value & top else value << 1) & mask
        found.append(value)
    return tuple(found)


def _crc8(data: bytes) -> int:
    value, table = 0, _table(8, 0x07)
    for byte in data:
        value = table[value ^ byte]
    return value


def _crc16(data: bytes) -> int:
    value, table = 0, _table(16, 0x8005)
    for byte in data:
        value = value << 8 & 0xFF00 ^ table[value >> 8 ^ byte]
    return value
