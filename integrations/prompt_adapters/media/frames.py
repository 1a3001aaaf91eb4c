"""The end of sounds that are a row of frames, each of which tells its own length: MPEG audio (MP3) and AAC (ADTS).

Only the last frames are looked at: a row of them leads either to the end of the file or beyond it. Tags behind the
sound are known; of anything else behind it nothing is claimed. What an encoder wrote about the whole length (Xing, Info
and VBRI headers) is compared too; programs that cut such files leave it as it was, so alone it gives only a doubt.

Source: ISO/IEC 11172-3, 13818-3 and 13818-7; http://gabriel.mp3-tech.org/mp3infotag.html
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from prompt_adapters.content.sniff import after_id3
from prompt_adapters.media.doubt import Doubt, Verdict

_WINDOW: Final = 65_536  # bytes at the end in which a row is looked for
_STEPS: Final = 20_000
_ROW, _ROW_AT_START = 3, 2  # as many frames one after another are no accident
# Kilobits a second by the number in the header: layers II and III of MPEG 1, and both of MPEG 2.
_BITRATES: Final = {
    (3, 2): (0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 0),
    (3, 1): (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0),
    (2, 2): (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0),
}
_RATES: Final = (44_100, 48_000, 32_000, 0)
_LAST_TAGS: Final = 8

Length: TypeAlias = Callable[[bytes, int], int]


class _Frames(NamedTuple):
    """How frames of one format are told.

    Attributes:
        length: The length of the frame at a place; 0 where there is none, or where it does not say.
        head: The bytes that its header needs.
        same: What of the first bytes is the same in all frames of a file, as a mask.
    """

    length: Length
    head: int
    same: bytes

    def alike(self, one: bytes, other: bytes) -> bool:
        """Whether two beginnings of frames, as far as both are there, are of one sound."""
        return all((a ^ b) & mask == 0 for a, b, mask in zip(one, other, self.same, strict=False))


def mpeg_length(data: bytes, at: int) -> int:
    """The length of a frame of MPEG audio of layer II or III; 0 where there is none, or one of free format."""
    if at + 4 > len(data) or data[at] != 0xFF or data[at + 1] & 0xE0 != 0xE0:
        return 0
    version, layer = data[at + 1] >> 3 & 3, data[at + 1] >> 1 & 3
    rate = _RATES[data[at + 2] >> 2 & 3] >> {3: 0, 2: 1}.get(version, 2)
    if version == 1 or layer not in (1, 2) or not rate:
        return 0
    bitrate = _BITRATES[3 if version == 3 else 2, layer if version == 3 else 2][data[at + 2] >> 4]
    factor = 72_000 if layer == 1 and version != 3 else 144_000
    return factor * bitrate // rate + (data[at + 2] >> 1 & 1) if bitrate else 0


def _adts_length(data: bytes, at: int) -> int:
    if at + 7 > len(data) or data[at] != 0xFF or data[at + 1] & 0xF6 != 0xF0 or data[at + 2] >> 2 & 15 > 12:
        return 0
    length = (data[at + 3] & 3) << 11 | data[at + 4] << 3 | data[at + 5] >> 5
    return length if length > 7 else 0


_MPEG: Final = _Frames(mpeg_length, 4, b"\xff\xfe\x0c")
_ADTS: Final = _Frames(_adts_length, 7, b"\xff\xfe\xfc")


def check_mpeg_audio(data: bytes) -> Verdict:
    """What is missing of an MP3 or MP2 file."""
    return _checked(data, _MPEG, _promised(data, after_id3(data)))


def check_adts(data: bytes) -> Verdict:
    """What is missing of an AAC file."""
    return _checked(data, _ADTS, 0)


def _checked(data: bytes, frames: _Frames, promised: int) -> Verdict:
    start = after_id3(data)
    if start > len(data):
        return "the tag before its sound is incomplete"
    end = before_tags(data, start)
    if start == end:
        return "there is no sound in it"
    if (fault := _fault_at_end(data, start, end, frames)) is not None:
        return fault
    return Doubt(f"its header speaks of {promised} bytes, and it has {len(data)}") if promised > len(data) else None


def _promised(data: bytes, start: int) -> int:
    """How many bytes the file has at least by the word of its encoder; 0 where that says nothing."""
    at = start + 36
    if data[at : at + 4] == b"VBRI":
        return start + int.from_bytes(data[at + 10 : at + 14], "big")
    head = data[start : start + 64]
    at = max(head.find(b"Xing"), head.find(b"Info"))
    if at < 0 or not (flags := int.from_bytes(head[at + 4 : at + 8], "big")) & 2:
        return 0
    at += 12 if flags & 1 else 8
    return start + int.from_bytes(head[at : at + 4], "big")


def before_tags(data: bytes, start: int) -> int:
    """Where the sound ends: before the tags of ID3v1, APE, Lyrics3 and ID3v2.4 at the end."""
    end = len(data)
    for _ in range(_LAST_TAGS):
        length = 0
        if data[end - 128 : end - 125] == b"TAG":
            length = 128
        elif data[end - 32 : end - 24] == b"APETAGEX":
            length = int.from_bytes(data[end - 20 : end - 16], "little") + (32 if data[end - 9] & 0x80 else 0)
        elif data[end - 9 : end] == b"LYRICS200" and data[end - 15 : end - 9].isdigit():
            length = int(data[end - 15 : end - 9]) + 15
        elif data[end - 10 : end - 7] == b"3DI":
            length = after_id3(b"ID3" + data[end - 7 : end]) + 10
        if not 0 < length <= end - start:
            break
        end -= length
    return end


def _fault_at_end(data: bytes, start: int, end: int, frames: _Frames) -> str | None:
    """What a row of frames says that leads to the end of the sound; None where it is whole, or no row is found."""
    steps, at = _STEPS, data.find(b"\xff", max(start, end - _WINDOW), end)
    while at >= 0 and steps > 0:
        place, row = at, 0
        while place < end and (length := frames.length(data, place)) and steps > 0:
            if not frames.alike(data[at : at + 3], data[place : place + 3]):
                break
            place, row, steps = place + length, row + 1, steps - 1
        if row >= _ROW or (row >= _ROW_AT_START and at == start):
            if place >= end:
                return "its last frame is incomplete" if place > end else None
            rest = data[place:end]
            if (fault := _cut_behind(data[at : at + 3], rest, frames)) is not None or not rest.strip(b"\0"):
                return fault
        at = data.find(b"\xff", at + 1, end)
        steps -= 1
    return None


def _cut_behind(head: bytes, rest: bytes, frames: _Frames) -> str | None:
    """Whether what follows a row of frames is the beginning of another frame, or of a tag."""
    if len(rest) < frames.head and rest[0] == head[0] and frames.alike(head, rest):
        return "its last frame is incomplete"
    tag = 128 if rest.startswith(b"TAG") else 0
    if rest.startswith(b"APETAGEX"):
        tag = 32 + int.from_bytes(rest[12:16], "little")
    return "the tag behind its sound is incomplete" if tag > len(rest) else None
