"""The end of files that are a row of pieces with their lengths: RIFF (WAV, AVI, WebP), AIFF, Ogg, FLV, MPEG, ASF.

Sources: https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/WAVE.html,
https://tech.ebu.ch/docs/tech/tech3306v1_1.pdf (RF64), https://www.rfc-editor.org/rfc/rfc3533 (Ogg),
https://rtmp.veriskope.com/pdf/video_file_format_spec_v10_1.pdf (FLV), ISO/IEC 13818-1 (MPEG)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from prompt_adapters.media.doubt import Doubt, Verdict

# Lengths of writers that could not go back to fill in the true one.
_UNKNOWN: Final = (0, 0xFFFFFFFF, 0x7FFFFFFF)
_LONG: Final = (b"RF64", b"BW64")
_MOST_CHUNKS: Final = 10_000
_MOST_PIECES: Final = 300_000
_PCM: Final = (1, 3, 0xFFFE)
_PAGES: Final = 16  # places that look like a page and are none
_FIRST_PAGE, _LAST_PAGE = 2, 4
_FLV_TAGS: Final = (8, 9, 18)
_ASF_PROPERTIES: Final = bytes.fromhex("a1dcab8c47a9cf118ee400c00c205365")


def check_riff(data: bytes) -> Verdict:
    """What is missing of a WAV or AVI file; large films are several RIFF lists one after another."""
    if data[:4] in _LONG:
        length = _little(data, 20, 8) if data[12:16] == b"ds64" else 0
        return _open_ended(data) if length in _UNKNOWN else _too_short(data, length)
    at = 0
    for _ in range(_MOST_CHUNKS):
        if data[at : at + 4] != b"RIFF":
            break
        length = _little(data, at + 4, 4)
        if length in _UNKNOWN:
            return _open_ended(data) if at == 0 else None
        if (fault := _too_short(data, at + length)) is not None:
            return fault
        at += 8 + length + (length & 1)
    return None


def _too_short(data: bytes, length: int) -> str | None:
    """Whether there are fewer bytes than those behind the first eight; a pad byte at the end may lack."""
    return None if 8 + length <= len(data) + (length & 1) else f"it says that it has {8 + length} bytes"


def _open_ended(data: bytes) -> str | None:
    """Chunks of a file that does not tell its length: that of the samples may, and samples are whole."""
    at, frame = 12, 1
    for _ in range(_MOST_CHUNKS):
        if at + 8 > len(data):
            break
        kind, length = data[at : at + 4], _little(data, at + 4, 4)
        if kind == b"fmt " and _little(data, at + 8, 2) in _PCM:
            frame = _little(data, at + 20, 2) or 1
        if kind == b"data" and length in _UNKNOWN:
            rest = len(data) - at - 8
            padded = rest % 2 == 0 and (rest - 1) % frame == 0
            return None if rest % frame == 0 or padded else "its last sample is incomplete"
        if kind == b"data":
            return None if at + 8 + length <= len(data) + (length & 1) else "its samples are incomplete"
        at += 8 + length + (length & 1)
    return None


def check_webp(data: bytes) -> Verdict:
    """What is missing of a WebP picture."""
    length = 8 + _little(data, 4, 4)
    return None if 20 <= length <= len(data) + (length & 1) else f"it says that it has {length} bytes"


def check_aiff(data: bytes) -> Verdict:
    """What is missing of an AIFF sound."""
    return _too_short(data, int.from_bytes(data[4:8], "big"))


def check_ogg(data: bytes) -> Verdict:
    """What is missing of an Ogg file: its last page is there, and says that it is the last.

    Recorders that were switched off leave that out, and every player takes it (RFC 7845, section 4).
    """
    at = len(data)
    for _ in range(_PAGES):
        at = data.rfind(b"OggS", 0, at)
        if at < 0 or data[at + 4 : at + 5] in (b"\0", b""):
            break
    if at < 0:
        return None
    segments = data[at + 26] if at + 26 < len(data) else 255
    end = at + 27 + segments + sum(data[at + 27 : at + 27 + segments])
    rest = data[end : end + 4]
    if end > len(data) or (0 < len(rest) < 4 and b"OggS".startswith(rest)):
        return "its last page is incomplete"
    ends = end < len(data) or data[at + 5] & (_FIRST_PAGE | _LAST_PAGE)
    return None if ends else Doubt("its last page does not say that it is the last")


def check_flv(data: bytes) -> Verdict:
    """What is missing of an FLV film."""

    def length(at: int) -> int:
        head = data[at : at + 4]
        return 15 + int.from_bytes(head[1:], "big") if head and head[0] & 0x1F in _FLV_TAGS else 0

    return _row(data, 4 + int.from_bytes(data[5:9], "big"), length)


def check_mpeg(data: bytes) -> Verdict:
    """What is missing of an MPEG program stream."""

    def length(at: int) -> int:
        if data[at : at + 3] != b"\0\0\1":
            return 0
        match data[at + 3 : at + 4]:
            case b"\xba":
                wide = data[at + 4 : at + 5] >= b"\x40"
                return 14 + (data[at + 13] & 7 if wide and at + 13 < len(data) else 0) if wide else 12
            case b"\xb9":
                return 4
            case code if code >= b"\xbb":
                return 6 + int.from_bytes(data[at + 4 : at + 6], "big")
        return 0

    return _row(data, 0, length)


def _row(data: bytes, at: int, length: Callable[[int], int]) -> Verdict:
    for number in range(_MOST_PIECES):
        if at >= len(data):
            return "its last packet is incomplete" if at > len(data) and number > 1 else None
        if not (size := length(at)):
            return None  # what follows is none: something else was appended
        at += size
    return Doubt(f"it has more than {_MOST_PIECES} packets, and no more are looked at")


def check_asf(data: bytes) -> Verdict:
    """What is missing of a WMV film, which tells its length unless it was broadcast."""
    at = data.find(_ASF_PROPERTIES, 0, 65_536)
    if at < 0 or _little(data, at + 88, 4) & 1:
        return None
    length = _little(data, at + 40, 8)
    return f"it says that it has {length} bytes" if length > len(data) else None


def _little(data: bytes, at: int, size: int) -> int:
    return int.from_bytes(data[at : at + size], "little")
