from time import thread_time

import pytest

from prompt_adapters.media.doubt import Doubt
from prompt_adapters.media.flac import check_flac

INCOMPLETE = "its last frame is incomplete"


def remainder(data: bytes, width: int, polynomial: int) -> int:
    value = 0
    for byte in data:
        value ^= byte << width - 8
        for _ in range(8):
            value = (value << 1 ^ polynomial if value >> width - 1 else value << 1) & (1 << width) - 1
    return value


def coded(number: int) -> bytes:
    """A number as UTF-8 writes it."""
    return chr(number).encode() if number < 0xD800 else bytes((0xF0 | number >> 18, 0x80 | number >> 12 & 63,
        0x80 | number >> 6 & 63, 0x80 | number & 63))  # fmt: skip


def frame(number: int, samples: int = 4096, *, by_sample: bool = False) -> bytes:
    """A frame of silence: 16 bits, one channel, 44,100 Hz; its size is written in full."""
    head = bytes([0xFF, 0xF9 if by_sample else 0xF8, 0x79, 0x08]) + coded(number) + (samples - 1).to_bytes(2, "big")
    head += bytes([remainder(head, 8, 0x07)])
    body = head + b"\0\0\0"
    return body + remainder(body, 16, 0x8005).to_bytes(2, "big")


def flac(samples: int, frames: bytes, *, smallest: int = 4096, longest: int = 0, more: bytes = b"") -> bytes:
    info = smallest.to_bytes(2, "big") + (4096).to_bytes(2, "big") + bytes(3) + longest.to_bytes(3, "big")
    info += (44_100 << 44 | 15 << 36 | samples).to_bytes(8, "big") + bytes(16)
    last = b"" if more else b"\x80"
    return b"fLaC" + (last or b"\0") + b"\0\0\x22" + info + more + frames


FRAMES = frame(0) + frame(1) + frame(2, 1000)
PICTURE = b"\x86\0\x10\0" + b"\xff\xf8" * 2048


@pytest.mark.parametrize(
    "data",
    [
        flac(9192, FRAMES),
        flac(9192, FRAMES, longest=16),
        flac(9192, FRAMES, more=PICTURE),
        flac(0, FRAMES),
        flac(9192, frame(0, 4096, by_sample=True) + frame(4096, 5096, by_sample=True), smallest=16),
        flac(70_000 * 4096, frame(69_998) + frame(69_999)),
        b"ID3\x04\0\0\0\0\0\x05" + bytes(5) + flac(9192, FRAMES),
        flac(9192, FRAMES) + b"TAG" + bytes(125),
        flac(9192, FRAMES) + bytes(100),
        flac(9192, b"something else"),
        flac(0, b""),
        b"fLaC" + bytes(99),
    ],
)
def test_whole_files_pass(data: bytes) -> None:
    assert check_flac(data) is None


def test_every_cut_is_noticed() -> None:
    data = flac(9192, FRAMES)
    start = len(data) - len(FRAMES)
    assert check_flac(data[:start]) == "it holds none of its 9192 samples"
    for kept in range(start + 2, len(data)):
        expected = {
            start + len(frame(0)): Doubt("it holds 4096 of the 9192 samples that it speaks of"),
            start + 2 * len(frame(0)): Doubt("it holds 8192 of the 9192 samples that it speaks of"),
        }.get(kept, INCOMPLETE)
        assert check_flac(data[:kept]) == expected, kept


def test_a_cut_in_the_head_is_noticed() -> None:
    data = flac(9192, FRAMES, more=PICTURE)
    assert check_flac(data[:2000]) == "its head is incomplete"


def test_a_changed_byte_in_the_last_frame_is_noticed() -> None:
    data = flac(9192, FRAMES)
    assert check_flac(data[:-4] + b"\x01" + data[-3:]) == INCOMPLETE


@pytest.mark.parametrize(
    "data",
    [
        b"fLaC" + b"\1\0\0\0" * 1_000_000,
        flac(9192, frame(0)[:9] * 300_000, longest=0xFFFFFF),
        flac(9192, b"\xff\xf8" * 1_000_000),
    ],
    ids=["pieces of the head", "heads of frames", "marks of frames"],
)
def test_hostile_files_are_given_up(data: bytes) -> None:
    started = thread_time()
    check_flac(data)
    assert thread_time() - started < 1
