"""The end of WebM and Matroska films: elements tell their lengths, but for those of writers that could not go back.

Source: https://www.rfc-editor.org/rfc/rfc8794 and https://www.rfc-editor.org/rfc/rfc9559
"""

from __future__ import annotations

from typing import Final, NamedTuple

from prompt_adapters.media.doubt import Doubt, Verdict

_SEGMENT: Final = 0x18538067
_CLUSTER: Final = 0x1F43B675
_FURTHER: Final = b"\x1a\x45\xdf\xa3"  # another film behind the first
_NAMES: Final = {_SEGMENT: "segment", _CLUSTER: "cluster"}
_MOST_ELEMENTS: Final = 200_000


class _Element(NamedTuple):
    """An element: its number, where its content begins, and where that ends; None where it does not say."""

    number: int
    start: int
    end: int | None


def check_ebml(data: bytes) -> Verdict:
    """What is missing of a WebM or Matroska film or sound.

    What stands in an element of unknown length is read as if it stood beside it: all of it is gone through either way.
    """
    at, lacking = 0, False
    for _ in range(_MOST_ELEMENTS):
        if at >= len(data):
            return "it holds no sound and no picture" if lacking else None
        found = _element(data, at)
        if found is None or isinstance(found, str):
            return found  # what follows is no element: padding, or something that was appended
        if found.number in (_SEGMENT, _CLUSTER):
            lacking = found.number == _SEGMENT and found.end is None
        if found.end is None:
            at = found.start
            continue
        if found.end > len(data) and at:
            return f"its {_NAMES.get(found.number, 'last element')} is incomplete"
        if found.number == _SEGMENT and not data.startswith(_FURTHER, found.end):
            return None
        at = found.end
    return Doubt(f"it has more than {_MOST_ELEMENTS} elements, and no more are looked at")


def _element(data: bytes, at: int) -> _Element | str | None:
    """The element at a place; None where there is none, and a word where its head is cut off."""
    wide = 9 - data[at].bit_length()
    if wide > 4:
        return None
    start = at + wide
    if start >= len(data):
        return "the head of its last element is incomplete"
    digits = 9 - data[start].bit_length()
    if digits > 8:
        return None
    end = start + digits
    if end > len(data):
        return "the head of its last element is incomplete"
    number = int.from_bytes(data[at:start], "big")
    length = int.from_bytes(data[start:end], "big") & (1 << 7 * digits) - 1
    return _Element(number, end, None if length == (1 << 7 * digits) - 1 else end + length)
