import pytest

from prompt_adapters.media.chunks import check_asf, check_flv, check_mpeg, check_ogg, check_riff
from prompt_adapters.media.doubt import Doubt


def little(number: int, size: int = 4) -> bytes:
    return number.to_bytes(size, "little")


def wav(samples: bytes, *, length: int | None = None, frame: int = 4, riff: int = 0xFFFFFFFF) -> bytes:
    form = b"fmt " + little(16) + little(1, 2) + bytes(10) + little(frame, 2) + little(16, 2)
    data = b"data" + little(len(samples) if length is None else length) + samples
    return b"RIFF" + little(riff) + b"WAVE" + form + data


def rf64(length: int) -> bytes:
    return b"RF64" + little(0xFFFFFFFF) + b"WAVEds64" + little(28) + little(length, 8) + bytes(20) + bytes(50)


def page(body: bytes, flags: int = 0) -> bytes:
    return b"OggS\0" + bytes([flags]) + bytes(20) + bytes([1, len(body)]) + body


def tag(size: int) -> bytes:
    return b"\x09" + size.to_bytes(3, "big") + bytes(7 + size) + (11 + size).to_bytes(4, "big")


FLV = b"FLV\1\5\0\0\0\x09\0\0\0\0" + tag(50) + tag(20)
PACK = b"\0\0\1\xba\x44" + bytes(8) + b"\xf8" + b"\0\0\1\xe0\0\x20" + bytes(32)
ASF = bytes.fromhex("3026b2758e66cf11a6d900aa0062ce6c") + bytes(14) + bytes.fromhex("a1dcab8c47a9cf118ee400c00c205365")


def asf(length: int, flags: int = 0) -> bytes:
    return ASF + bytes(24) + little(length, 8) + bytes(40) + little(flags) + bytes(90)


WHOLE = {
    "endless WAV": (check_riff, wav(bytes(80), length=0xFFFFFFFF)),
    "endless WAV with a pad byte": (check_riff, wav(bytes(10), length=0xFFFFFFFF, frame=3)),
    "WAV that tells only its samples": (check_riff, wav(bytes(80))),
    "RF64": (check_riff, rf64(len(rf64(0)) - 8)),
    "AVI in several lists": (check_riff, (b"RIFF" + little(5) + b"AVIX\0\0") * 3),
    "Ogg": (check_ogg, page(bytes(9), 2) + page(bytes(99)) + page(bytes(30), 4)),
    "Ogg twice": (check_ogg, (page(b"OggS", 2) + page(bytes(30), 4)) * 2),
    "Ogg and more": (check_ogg, page(bytes(9), 2) + page(bytes(30), 4) + b"something"),
    "FLV": (check_flv, FLV),
    "MPEG": (check_mpeg, PACK * 3 + b"\0\0\1\xb9"),
    "MPEG of old": (check_mpeg, (b"\0\0\1\xba\x21" + bytes(7) + PACK[14:]) * 3),
    "WMV": (check_asf, asf(len(asf(0)))),
    "broadcast WMV": (check_asf, asf(99_999, 1)),
}
CUT = {
    "endless WAV": (check_riff, wav(bytes(81), length=0xFFFFFFFF)),
    "WAV that tells only its samples": (check_riff, wav(bytes(80), length=90)),
    "RF64": (check_riff, rf64(len(rf64(0)))),
    "RF64 beyond all bounds": (check_riff, rf64(2**64 - 1)),
    "AVI in several lists": (check_riff, (b"RIFF" + little(4) + b"AVIX") * 2 + b"RIFF" + little(9) + b"AVIX"),
    "Ogg": (check_ogg, (page(bytes(9), 2) + page(bytes(99), 4))[:-1]),
    "Ogg in a head": (check_ogg, page(bytes(9), 2) + page(bytes(99))[:20]),
    "Ogg in a mark": (check_ogg, page(bytes(9), 2) + b"Og"),
    "FLV": (check_flv, FLV[:-1]),
    "FLV in a head": (check_flv, FLV + tag(9)[:3]),
    "MPEG": (check_mpeg, PACK * 3 + PACK[:-1]),
    "WMV": (check_asf, asf(len(asf(0)) + 1)),
}


@pytest.mark.parametrize("name", WHOLE)
def test_whole_files_pass(name: str) -> None:
    check, data = WHOLE[name]
    assert check(data) is None


@pytest.mark.parametrize("name", CUT)
def test_cuts_are_noticed(name: str) -> None:
    check, data = CUT[name]
    assert isinstance(check(data), str)


def test_a_recorder_that_was_switched_off_gives_a_doubt() -> None:
    assert check_ogg(page(bytes(9), 2) + page(bytes(99))) == Doubt("its last page does not say that it is the last")


@pytest.mark.parametrize("check", [check_riff, check_ogg, check_flv, check_mpeg, check_asf])
@pytest.mark.parametrize("data", [b"", b"RIFF", b"OggS", b"FLV\1", b"\0\0\1\xba", b"\0\0\1\xba\x44" + bytes(9), ASF])
def test_stubs_are_no_surprise(check: object, data: bytes) -> None:
    assert callable(check)
    check(data)


def test_countless_packets_are_given_up() -> None:
    assert isinstance(check_mpeg(b"\0\0\1\xb9" * 400_000), Doubt)
