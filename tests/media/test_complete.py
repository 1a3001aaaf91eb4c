import zipfile
from collections.abc import Callable
from io import BytesIO

import pytest

from pictures import animated, corner, encoded, heic, mime_of, pages
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio
from prompt_adapters.content.source import Inline
from prompt_adapters.errors import MediaReadError
from prompt_adapters.media.complete import check_complete
from prompt_adapters.media.fit import fit_messages
from prompt_adapters.targets import Limits

KINDS = ["JPEG", "PNG", "GIF", "WEBP", "BMP", "AVIF"]


def box(kind: bytes, body: bytes) -> bytes:
    return (8 + len(body)).to_bytes(4, "big") + kind + body


def wav(length: int | None = None) -> bytes:
    body = b"WAVEfmt " + b"\x10\0\0\0" + b"\0" * 16 + b"data" + b"\x40\0\0\0" + b"\0" * 64
    return b"RIFF" + (len(body) if length is None else length).to_bytes(4, "little") + body


def office() -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("word/document.xml", "<x/>" * 50)
    return buffer.getvalue()


PDF = b"%PDF-1.4\n1 0 obj <<>> endobj\n" + b"% filling\n" * 500 + b"trailer <<>>\nstartxref\n9\n%%EOF\n"
MP4 = box(b"ftyp", b"isom\0\0\0\0isom") + box(b"moov", b"\0" * 50) + box(b"mdat", b"\0" * 50)
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
OTHERS = {
    "audio/wav": wav(),
    "video/x-msvideo": b"RIFF\x24\0\0\0AVI " + b"\0" * 32,
    "video/mp4": MP4,
    "video/quicktime": MP4,
    "audio/mp4": MP4,
    "audio/aiff": b"FORM" + (76).to_bytes(4, "big") + b"AIFF" + b"\0" * 72,
    "audio/ogg": b"".join(b"OggS" + bytes(22) + b"\x02\xff\x11" + bytes(272) for _ in range(3)),
    "application/pdf": PDF,
    WORD: office(),
    "application/zip": office(),
}


def complete(data: bytes, mime: str) -> bool:
    try:
        check_complete(Inline(data, mime), "the file")
    except MediaReadError:
        return False
    return True


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [(1, 1), (32, 16), (300, 200)])
def test_whole_pictures_pass_and_every_cut_is_noticed(
    noise: Callable[..., bytes], kind: str, size: tuple[int, int]
) -> None:
    data, mime = noise(kind, size), f"image/{kind.lower()}"
    assert complete(data, mime)
    for kept in (0.05, 0.3, 0.6, 0.9, 0.99):
        assert not complete(data[: int(len(data) * kept)], mime), kept
    assert not complete(data[:-3], mime)


CORPUS = {
    **{kind: (encoded(corner((40, 30)), kind), kind) for kind in ("JPEG", "PNG", "GIF", "WEBP", "BMP", "AVIF", "ICO")},
    "progressive JPEG": (
        encoded(corner((40, 30)), "JPEG", progressive=True, exif=b"Exif\0\0II*\0\x08\0\0\0\0\0"),
        "JPEG",
    ),
    "MPO": (encoded(corner(), "MPO", save_all=True, append_images=[corner()]), "JPEG"),
    "animated GIF": (animated("GIF"), "GIF"),
    "APNG": (animated("PNG"), "PNG"),
    "animated WebP": (animated("WEBP"), "WEBP"),
    "HEIC": (heic(corner()), "HEIC"),
    "TIFF": (encoded(corner((40, 30)), "TIFF"), "TIFF"),
    "compressed TIFF": (encoded(corner((40, 30)), "TIFF", compression="tiff_lzw"), "TIFF"),
    "TIFF of three pages": (pages(3), "TIFF"),
    "JP2": (encoded(corner((40, 30)), "JPEG2000"), "JPEG2000"),
    "J2K": (encoded(corner((40, 30)), "JPEG2000", no_jp2=True), "JPEG2000"),
}


@pytest.mark.parametrize("name", CORPUS)
def test_a_picture_cut_off_at_any_byte_is_noticed(name: str) -> None:
    data, kind = CORPUS[name]
    assert complete(data, mime_of(kind))
    passed = [kept for kept in range(8, len(data)) if complete(data[:kept], mime_of(kind))]
    if name == "MPO":  # the first picture alone is whole, and what follows must begin before it is missed
        end = data.index(b"\xff\xd8", 2)
        assert passed == list(range(len(data[:end].rstrip(b"\0")), end + 2))
    elif kind in ("BMP", "TIFF"):  # which may end in padding
        assert all(not data[kept:].strip(b"\0") for kept in passed)
    else:
        assert passed == []


def test_the_list_of_further_pictures_may_outlive_them() -> None:
    data, _ = CORPUS["MPO"]
    first = data[: data.index(b"\xff\xd8", 2)]
    assert complete(first, "image/jpeg")
    assert complete(first + b"something else " * 100, "image/jpeg")


def test_a_bitmap_that_does_not_say_its_length_has_the_length_of_its_rows(picture: Callable[..., bytes]) -> None:
    data = picture("BMP", (31, 9))
    silent = data[:2] + bytes(4) + data[6:]
    assert complete(silent, "image/bmp")
    assert not complete(silent[:-1], "image/bmp")


def test_big_and_old_tiffs_are_read_as_well() -> None:
    small = encoded(corner((40, 30)), "TIFF", big_tiff=True)
    assert complete(small, "image/tiff")
    assert not complete(small[:-1], "image/tiff")
    endless = b"II*\0\x08\0\0\0\0\0\x08\0\0\0"  # a directory that follows itself
    assert complete(endless, "image/tiff")
    assert not complete(b"II*\0\x08\0\0\0\xff\xff", "image/tiff")


@pytest.mark.parametrize("kept", [4, 7, 36, 39])
def test_a_cut_in_the_head_of_a_box_is_noticed(noise: Callable[..., bytes], kept: int) -> None:
    data = noise("AVIF", (30, 20))
    first = int.from_bytes(data[:4], "big")
    assert not complete(data[: kept if kept < 8 else first + kept - 32], "image/avif")


@pytest.mark.parametrize("mime", OTHERS)
def test_other_whole_files_pass_and_cuts_are_noticed(mime: str) -> None:
    data = OTHERS[mime]
    assert complete(data, mime)
    for kept in (0.5, 0.9):
        assert not complete(data[: int(len(data) * kept)], mime), kept


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF", "WEBP"])
@pytest.mark.parametrize("padding", [b"\0", b"\0" * 1000, b"\n", b"a preview or film that a camera appended" * 20])
def test_what_follows_the_end_of_a_picture_does_no_harm(
    picture: Callable[..., bytes], kind: str, padding: bytes
) -> None:
    assert complete(picture(kind) + padding, f"image/{kind.lower()}")


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
def test_animations_pass_and_cuts_are_noticed(animated: Callable[[str], bytes], kind: str) -> None:
    data = animated(kind)
    assert complete(data, f"image/{kind.lower()}")
    assert not complete(data[: len(data) // 2], f"image/{kind.lower()}")


@pytest.mark.parametrize(
    "options", [{"progressive": True}, {"optimize": True}, {"quality": 5}, {"restart_marker_rows": 1}]
)
def test_jpegs_of_every_make_pass(noise: Callable[..., bytes], options: dict[str, int]) -> None:
    data = noise("JPEG", (120, 90), **options)
    assert complete(data, "image/jpeg")
    assert not complete(data[:-200], "image/jpeg")


def test_an_end_marker_in_a_thumbnail_is_not_the_end(
    picture: Callable[..., bytes], noise: Callable[..., bytes]
) -> None:
    data = noise("JPEG", (120, 90))
    thumbnail = b"Exif\0\0" + picture("JPEG")
    segment = b"\xff\xe1" + (len(thumbnail) + 2).to_bytes(2, "big") + thumbnail
    whole = data[:2] + segment + data[2:]
    assert complete(whole, "image/jpeg")
    assert not complete(whole[:-200], "image/jpeg")
    assert not complete(whole[: len(segment) + 2], "image/jpeg")


@pytest.mark.parametrize("length", [0, 0xFFFFFFFF, 0x7FFFFFFF])
def test_sounds_of_streaming_writers_pass(length: int) -> None:
    assert complete(wav(length), "audio/wav")


def test_a_missing_pad_byte_is_no_cut() -> None:
    assert complete(wav(len(wav()) - 8 + 1), "audio/wav")
    assert not complete(wav(len(wav()) - 8 + 3), "audio/wav")


@pytest.mark.parametrize("tail", [b"", b"\n", b"\r\n\0\0\0", b"\0" * 5000, b" " * 1500, b"<!-- appended -->" * 20])
def test_pdfs_may_end_with_some_more(tail: bytes) -> None:
    assert complete(PDF + tail, "application/pdf") is (len(tail.strip(b"\0 \r\n")) < 2000)


def test_mp4_boxes_of_unusual_lengths_pass() -> None:
    start = box(b"ftyp", b"isom\0\0\0\0isom")
    large = (1).to_bytes(4, "big") + b"mdat" + (16 + 50).to_bytes(8, "big") + b"\0" * 50
    assert complete(start + large + box(b"moov", b"\0" * 9), "video/mp4")
    assert not complete(start + large[:-1], "video/mp4")
    assert complete(start + (0).to_bytes(4, "big") + b"mdat" + b"\0" * 50, "video/mp4")
    assert complete(start + box(b"moov", b"\0" * 9) + b"\x01\x02\x03\x04 appended by a camera", "video/mp4")


@pytest.mark.parametrize("mime", ["audio/mpeg", "text/plain", "image/jxl", "application/msword", "audio/amr"])
def test_nothing_is_claimed_of_formats_that_do_not_say_how_they_end(mime: str) -> None:
    assert complete(b"anything at all", mime)


def test_a_film_whose_recording_broke_off_is_noticed() -> None:
    start = box(b"ftyp", b"isom\0\0\0\0isom")
    assert not complete(start + box(b"mdat", b"\0" * 2000), "video/mp4")
    assert not complete(start + (0).to_bytes(4, "big") + b"mdat" + b"\0" * 2000, "video/mp4")
    fragments = start + box(b"moov", b"\0" * 9) + box(b"moof", b"\0" * 9) + box(b"mdat", b"\0" * 9)
    assert complete(fragments, "video/mp4")
    assert complete(fragments + box(b"mfra", b"\0"), "video/mp4")
    assert not complete(fragments + box(b"moof", b"\0" * 9), "video/mp4")


def test_a_pdf_made_for_the_web_tells_its_length() -> None:
    head = b"%%PDF-1.4\n1 0 obj <</Linearized 1 /L %d /H [1 2]>> endobj\nstartxref\n0\n%%%%EOF\n"
    whole = head % 5000
    whole += b"% more\n" * 700 + b"%%EOF\n"
    assert complete(whole.replace(b"/L 5000", b"/L %d" % len(whole)), "application/pdf")
    assert not complete(whole[:1500].replace(b"/L 5000", b"/L 4999"), "application/pdf")


def test_a_verdict_is_found_out_once(monkeypatch: pytest.MonkeyPatch, picture: Callable[..., bytes]) -> None:
    inline = Inline(picture("PNG"), "image/png")
    assert check_complete(inline, "x") is None
    monkeypatch.setattr("prompt_adapters.media.complete._CHECKS", {"image/png": lambda data: "gone"})
    assert check_complete(inline, "x") is None
    with pytest.raises(MediaReadError, match="gone"):
        check_complete(Inline(inline.data, "image/png"), "x")


def test_a_doubt_is_noted_and_the_file_sent() -> None:
    page = b"OggS\0\0" + bytes(20) + b"\x01\x08" + bytes(8)
    messages = (Message("user", [Audio(page * 3)]),)
    fitted, notes = fit_messages(messages, Limits("T", ""), style="s")
    assert fitted == messages
    assert [str(note) for note in notes] == [
        "message 1 (user), part 1: the audio may be incomplete: its last page does not say that it is the last"
    ]
    assert fit_messages(messages, Limits("T", ""), on_limit="send", style="s") == (messages, ())


def test_a_png_without_a_picture_is_broken(picture: Callable[..., bytes]) -> None:
    data = picture("PNG")
    assert not complete(data[:33] + data[-12:], "image/png")


def test_the_error_says_what_and_what_to_do(picture: Callable[..., bytes]) -> None:
    with pytest.raises(MediaReadError) as caught:
        check_complete(Inline(picture("PNG")[:-5], "image/png"), "message 1 (user), part 2: the image")
    text = str(caught.value)
    assert text.startswith("message 1 (user), part 2: the image (image/png, ")
    assert "IEND chunk" in text
    assert "on_limit='send'" in text
