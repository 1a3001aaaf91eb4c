from time import thread_time

import pytest

from prompt_adapters.media.doubt import Doubt
from prompt_adapters.media.frames import check_adts, check_mpeg_audio, mpeg_length

LAYER_3 = b"\xff\xfb\x90\x00"  # 128 kbit/s at 44,100 Hz: 417 bytes
FRAME = LAYER_3 + bytes(413)
INCOMPLETE = "its last frame is incomplete"


def xing(frames: int, size: int, mark: bytes = b"Info", flags: int = 3) -> bytes:
    fields = (frames.to_bytes(4, "big") if flags & 1 else b"") + (size.to_bytes(4, "big") if flags & 2 else b"")
    return (LAYER_3 + bytes(32) + mark + flags.to_bytes(4, "big") + fields).ljust(len(FRAME), b"\0")


def vbri(size: int) -> bytes:
    return (LAYER_3 + bytes(32) + b"VBRI" + bytes(6) + size.to_bytes(4, "big")).ljust(len(FRAME), b"\0")


def adts(length: int) -> bytes:
    head = bytes([0xFF, 0xF1, 0x50, 0x80 | length >> 11, length >> 3 & 255, (length & 7) << 5 | 0x1F, 0xFC])
    return head + bytes(length - 7)


def id3(length: int) -> bytes:
    return b"ID3\x04\0\0" + bytes([0, 0, length >> 7, length & 127]) + bytes(length)


ID3V1 = b"TAG" + bytes(125)
MP3 = FRAME * 9


@pytest.mark.parametrize(
    ("head", "length"),
    [
        (b"\xff\xfb\x90\x00", 417),
        (b"\xff\xfb\x92\x00", 418),
        (b"\xff\xfb\xe0\x00", 1044),
        (b"\xff\xf3\x84\x00", 192),  # MPEG 2: 64 kbit/s at 24,000 Hz
        (b"\xff\xe3\x18\x00", 72),  # MPEG 2.5: 8 kbit/s at 8,000 Hz
        (b"\xff\xfd\xe4\x00", 1152),  # layer II: 384 kbit/s at 48,000 Hz
        (b"\xff\xfb\x00\x00", 0),  # free format
        (b"\xff\xfb\xf0\x00", 0),
        (b"\xff\xfb\x9c\x00", 0),
        (b"\xff\xeb\x90\x00", 0),
        (b"\xff\xff\x90\x00", 0),
        (b"\xff\xfb\x90", 0),
        (b"text", 0),
    ],
)
def test_lengths_of_frames(head: bytes, length: int) -> None:
    assert mpeg_length(head, 0) == length


@pytest.mark.parametrize(
    "data",
    [
        MP3,
        id3(300) + MP3,
        id3(300) + id3(20) + MP3,
        MP3 + ID3V1,
        MP3 + bytes(5000),
        xing(8, 9 * 417) + FRAME * 8,
        xing(8, 9 * 417, b"Xing") + FRAME * 8,
        xing(800, 0, b"Xing", 1) + FRAME * 8,
        vbri(9 * 417) + FRAME * 8,
        MP3 + ID3V1 + MP3,
        MP3 + id3(40) + MP3,
        MP3 + b"something that was appended" * 9,
        FRAME,
        FRAME[:100],  # one frame is no row
        b"\xff\xfb\x00\x00" + bytes(3000),
        FRAME * 5000,
    ],
)
def test_whole_mp3_files_pass(data: bytes) -> None:
    assert check_mpeg_audio(data) is None


def test_every_cut_but_one_between_two_frames_is_noticed() -> None:
    passed = [kept for kept in range(421, len(MP3)) if check_mpeg_audio(MP3[:kept]) != INCOMPLETE]
    assert passed == list(range(834, len(MP3), 417))


def test_what_the_encoder_wrote_tells_of_cuts_between_frames_too() -> None:
    data = xing(8, 9 * 417) + FRAME * 8
    assert check_mpeg_audio(data[: 5 * 417]) == Doubt("its header speaks of 3753 bytes, and it has 2085")
    assert check_mpeg_audio(data[: 5 * 417 + 50]) == INCOMPLETE
    assert check_mpeg_audio((vbri(9 * 417) + FRAME * 8)[:1251]) == Doubt(
        "its header speaks of 3753 bytes, and it has 1251"
    )


@pytest.mark.parametrize("kept", [3, 40, 127])
def test_a_cut_in_a_tag_behind_the_sound_is_noticed(kept: int) -> None:
    assert check_mpeg_audio(MP3 + ID3V1[:kept]) == "the tag behind its sound is incomplete"


def test_a_cut_in_a_tag_before_the_sound_is_noticed() -> None:
    assert check_mpeg_audio(id3(300)[:200]) == "the tag before its sound is incomplete"
    assert check_mpeg_audio(id3(300)) == "there is no sound in it"


def test_tags_behind_the_sound_are_not_taken_for_a_frame() -> None:
    ape = (b"APETAGEX" + b"\xd0\7\0\0" + (64).to_bytes(4, "little") + bytes(16)) + bytes(32)
    footer = b"APETAGEX" + b"\xd0\7\0\0" + (64).to_bytes(4, "little") + b"\1\0\0\0" + b"\0\0\0\x80" + bytes(8)
    lyrics = b"LYRICSBEGIN" + b"IND00002" + b"10" + b"000021" + b"LYRICS200"
    for tags in (ape + footer, lyrics, lyrics + ID3V1, ape + footer + ID3V1):
        assert check_mpeg_audio(MP3 + tags) is None
        assert check_mpeg_audio(MP3[:-9] + tags) == INCOMPLETE


def test_cuts_in_aac_are_noticed() -> None:
    data = b"".join(adts(length) for length in (300, 211, 90, 7 + 1, 345))
    assert check_adts(data) is None
    assert check_adts(id3(73) + data) is None
    passed = [kept for kept in range(307, len(data)) if check_adts(data[:kept]) is None]
    assert passed == [511, 601, 609]
    assert check_adts(adts(300)[:50]) is None


@pytest.mark.parametrize(
    "data",
    [
        b"\xff" * 3_000_000,
        b"\xff\xf3\x14\0" * 500_000,
        b"ID3\4\0\0\0\0\0\0" * 300_000,
        b"\xff\xf1\x50\x80\x01\x1f\xfc\0" * 300_000,
    ],
)
def test_hostile_rows_are_given_up(data: bytes) -> None:
    started = thread_time()
    check_mpeg_audio(data)
    check_adts(data)
    assert thread_time() - started < 1
