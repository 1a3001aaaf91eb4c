import struct
import subprocess
import sys
import zlib
from collections.abc import Callable

import pytest
from PIL import Image as Pillow

from converting import JPEG_ONLY, PNG_ONLY, WEB, convert, inline
from pictures import (
    animated,
    chunk,
    claimed_png,
    corner,
    encoded,
    heic,
    opened,
    photo,
    turned,
)
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Image
from prompt_adapters.content.source import Inline
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.media.convert import turn_image
from prompt_adapters.media.fit import fit_messages
from prompt_adapters.media.header import image_size
from prompt_adapters.media.rules import MAX_JPEG_PIXELS, MAX_PIXELS, Bounds, too_few_bytes, too_many_pixels
from prompt_adapters.targets import Limits, route


def test_what_a_photo_tells_of_its_place_is_left_out_when_it_is_written_again() -> None:
    exif = Pillow.Exif()
    exif[0x0112], exif[271] = 6, "Maker"
    exif.get_ifd(0x8825)[1] = "N"
    secret = encoded(corner(), "JPEG", exif=exif, comment=b"a comment", xmp=b"<x:xmpmeta>where</x:xmpmeta>")
    result = turn_image(inline(secret, "JPEG"), Bounds())
    after = opened(result.inline.data)
    assert not after.getexif()
    assert not {"exif", "xmp", "comment"} & after.info.keys()
    assert b"Maker" in secret
    assert b"Maker" not in result.inline.data
    assert result.said[-1] == "the image was stripped of its EXIF and XMP data"


def test_a_bomb_is_never_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*args: object, **kwargs: object) -> None:
        raise AssertionError("the picture was opened")

    monkeypatch.setattr("PIL.PngImagePlugin.PngImageFile.__init__", forbidden)
    bomb = Inline(claimed_png(20_000, 20_000), "image/png")
    result = convert(bomb, max_side=8000)
    assert result.inline is bomb
    assert result.obstacle is not None
    assert "20000 x 20000" in result.obstacle.reason


@pytest.mark.parametrize("model", ["gpt-4o", "gemini/gemini-2.5-pro", "claude-opus-5", "hosted_vllm/any"])
def test_a_bomb_is_refused_for_every_target(model: str) -> None:
    bomb = Image(claimed_png(30_000, 30_000))
    with pytest.raises(UnsupportedContentError, match="30000 x 30000 pixels"):
        fit_messages((Message("user", [bomb]),), route(model).limits, style="s")


@pytest.mark.parametrize("kind", ["TIFF", "BMP", "ICO", "AVIF", "JPEG2000", "GIF", "WEBP", "HEIC", "JPEG"])
def test_bombs_of_every_type_are_told_from_their_headers(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prompt_adapters.media.rules.MAX_PIXELS", 500)
    monkeypatch.setattr("prompt_adapters.media.rules.MAX_JPEG_PIXELS", 500)
    data = heic(corner((32, 32))) if kind == "HEIC" else encoded(corner((32, 32)), kind)
    opening = {"HEIC": "pillow_heif.HeifImageFile", "JPEG2000": "PIL.Jpeg2KImagePlugin.Jpeg2KImageFile"}
    names = {"JPEG": "Jpeg", "TIFF": "Tiff", "BMP": "Bmp", "ICO": "Ico", "AVIF": "Avif", "GIF": "Gif", "WEBP": "WebP"}
    path = opening.get(kind) or f"PIL.{names[kind]}ImagePlugin.{names[kind]}ImageFile"
    monkeypatch.setattr(path, lambda *args: pytest.fail("the picture was opened"))
    result = convert(inline(data, kind), PNG_ONLY)
    assert result.obstacle is not None
    assert "32 x 32 pixels, and no more than 500" in result.obstacle.reason


def test_the_limits_on_decoding_are_those_of_every_call_and_not_pillow_s(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pillow, "MAX_IMAGE_PIXELS", 10)
    assert convert(inline(encoded(corner(), "BMP"), "BMP")).inline.mime == "image/png"
    assert too_many_pixels("image/png", (MAX_PIXELS, 1)) is None
    assert too_many_pixels("image/png", (MAX_PIXELS + 1, 1)) is not None
    assert too_many_pixels("image/jpeg", (MAX_JPEG_PIXELS, 1)) is None


def test_an_icon_hides_no_bomb() -> None:
    icon = encoded(corner((32, 32)), "ICO")
    at = icon.index(b"\x89PNG")
    bomb = icon[:at] + claimed_png(30_000, 30_000)
    bomb = bomb[:14] + (len(bomb) - at).to_bytes(4, "little") + bomb[18:]
    assert image_size(Inline(bomb, "image/x-icon")) == (30_000, 30_000)
    result = convert(Inline(bomb, "image/x-icon"))
    assert result.obstacle is not None


def packed_png(side: int, depth: int, colours: int) -> bytes:
    """A PNG that is whole, and of one colour."""
    packer, row = zlib.compressobj(9), bytes(1 + side * depth * {2: 3, 3: 1}[colours] // 8)
    rows = b"".join([*(packer.compress(row) for _ in range(side)), packer.flush()])
    header = struct.pack(">IIBBBBB", side, side, depth, colours, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def test_many_pixels_in_few_bytes_are_never_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("PIL.ImageFile.ImageFile.load", lambda self: pytest.fail("the picture was decoded"))
    bomb = packed_png(10_000, 1, 3)
    result = convert(Inline(bomb, "image/png"), max_side=8000)
    assert result.inline.data is bomb
    assert result.obstacle is not None
    assert result.obstacle.too_large
    assert f"its 10000 x 10000 pixels have {len(bomb)} bytes" in result.obstacle.reason


@pytest.mark.parametrize(
    ("mime", "side", "weight", "refused"),
    [
        ("image/png", 4900, 1000, False),
        ("image/png", 9000, 240_000, False),
        ("image/png", 9000, 80_000, True),
        ("image/png", 10_000, 600_000, True),
        ("image/png", 10_000, 700_000, False),
        ("image/jpeg", 10_000, 700_000, False),
        ("image/webp", 2400, 500, False),
        ("image/webp", 9000, 7000, True),
        ("image/avif", 9000, 7000, True),
        ("image/heic", 8064, 3_000_000, False),
    ],
)
def test_large_pictures_need_bytes(mime: str, side: int, weight: int, refused: bool) -> None:
    assert (too_few_bytes(Inline(b"\1" * weight, mime), (side, side)) is not None) is refused


def test_a_large_scan_in_black_and_white_is_no_bomb() -> None:
    scan = encoded(Pillow.new("1", (9934, 14_043), 1), "TIFF", compression="group4")
    assert too_few_bytes(inline(scan, "TIFF"), (9934, 14_043)) is None
    page = encoded(Pillow.new("1", (9934, 14_043), 1), "PNG")
    assert too_few_bytes(inline(page, "PNG"), (9934, 14_043)) is None


def test_a_jpeg_of_countless_passes_is_never_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    data = encoded(corner((64, 64)), "JPEG", progressive=True)
    at = data.rindex(b"\xff\xda")
    bomb = data[:at] + data[at:-2] * 1000 + data[-2:]
    assert convert(Inline(bomb, "image/jpeg"), PNG_ONLY).obstacle is None
    monkeypatch.setattr("prompt_adapters.media.rules._MOST_PAINTED", 100 * 64 * 64)
    found = convert(Inline(bomb, "image/jpeg"), PNG_ONLY).obstacle
    assert found is not None
    assert "passes" in found.reason
    assert convert(Inline(data, "image/jpeg"), PNG_ONLY).obstacle is None


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_broken_exif_data_warn_nobody(kind: str) -> None:
    """Warnings are errors here, so a reader of Pillow's that warned would make the picture one that cannot be read."""
    exif = b"Exif\0\0II*\0\x08\0\0\0\3\0" + struct.pack("<HHII", 271, 2, 9000, 9000) * 3
    data = encoded(corner(), kind, exif=exif)
    if kind == "JPEG":  # without the header of JFIF, where the reader would look for the density
        length = int.from_bytes(data[4:6], "big")
        data = data[:2] + data[4 + length :]
    result = convert(inline(data, kind), max_side=20)
    assert result.obstacle is None
    assert "the image was stripped of its EXIF and XMP data" in result.said
    assert b"Exif" not in result.inline.data


def icon(width: int, height: int) -> bytes:
    """An icon that is listed as 16 x 16, and whose bitmap says another size."""
    bitmap = struct.pack("<IiiHHIIiiII", 40, width, 2 * height, 1, 24, 0, 0, 0, 0, 0, 0) + bytes(900)
    return b"\0\0\1\0\1\0" + struct.pack("<BBBBHHII", 16, 16, 0, 0, 1, 24, len(bitmap), 22) + bitmap


def gif(width: int, height: int) -> bytes:
    """A GIF of 10 x 10 pixels with a frame of another size."""
    frame = b"\x21\xfe\3abc\0\x2c" + struct.pack("<HHHH", 0, 0, width, height) + b"\0\2\2\x44\1\0\x3b"
    return b"GIF89a\x0a\0\x0a\0\x80\0\0" + b"\0\0\0\xff\xff\xff" + frame


@pytest.mark.parametrize("side", [9000, 12_000, 30_000])
@pytest.mark.parametrize(("mime", "make"), [("image/x-icon", icon), ("image/gif", gif)])
def test_sizes_that_stand_deeper_in_a_file_are_seen_first(
    mime: str, make: Callable[[int, int], bytes], side: int
) -> None:
    """Pillow would warn of a bomb, or decode it."""
    assert image_size(Inline(make(side, side - 1), mime)) == (side, side - 1)
    obstacle = convert(Inline(make(side, side - 1), mime), PNG_ONLY).obstacle
    assert obstacle is not None
    assert obstacle.too_large


def test_the_picture_in_an_icon_has_its_own_size() -> None:
    data = encoded(corner((32, 16)), "ICO", sizes=[(32, 16)])
    wrong = data[:6] + b"\x40\x40" + data[8:]
    result = convert(Inline(wrong, "image/x-icon"), PNG_ONLY)
    assert opened(result.inline.data).size == image_size(Inline(wrong, "image/x-icon")) == (32, 16)


@pytest.mark.parametrize("counts", [[0], [3, 3], [2**31 + 1]])
def test_odd_counts_of_frames_warn_nobody(counts: list[int]) -> None:
    data = animated("PNG")
    at = data.index(b"acTL") - 4
    odd = b"".join(chunk(b"acTL", struct.pack(">II", count, 0)) for count in counts)
    result = convert(Inline(data[:at] + odd + data[at + 20 :], "image/png"), JPEG_ONLY)
    assert result.obstacle is None
    assert opened(result.inline.data).size == (24, 24)


@pytest.mark.parametrize("big", [False, True])
def test_broken_fields_of_a_tiff_warn_nobody(big: bool) -> None:
    data = encoded(corner(), "TIFF", description="a description of some length", big_tiff=big)
    field = data.index(struct.pack("<HH", 270, 2)) + 4
    size = 8 if big else 4
    broken = data[:field] + (10**6).to_bytes(size, "little") + data[field + size :]
    result = convert(inline(broken, "TIFF"), PNG_ONLY)
    assert result.obstacle is None
    assert opened(result.inline.data).size == corner().size


def test_a_lower_limit_of_pillow_is_no_obstacle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pillow, "MAX_IMAGE_PIXELS", 10)
    result = convert(inline(encoded(photo((600, 500)), "JPEG", quality=95), "JPEG"), max_bytes=20_000)
    assert result.obstacle is None
    assert len(result.inline.data) <= 20_000


@pytest.mark.parametrize("mime", ["image/jxl", "image/tiff", "image/avif", "image/jp2"])
def test_what_cannot_be_read_is_refused_with_a_reason_and_a_remedy(mime: str) -> None:
    image = Image(Inline(b"nothing that anybody could read, mdat \xff\xd9", mime))
    with pytest.raises(UnsupportedContentError) as caught:
        fit_messages((Message("user", [image]),), WEB, style="s")
    assert caught.value.reason.startswith("T takes image/jpeg, image/png and image/webp; ")
    assert ("check that the file" in caught.value.remedy) or (
        mime == "image/jxl" and "convert it" in caught.value.remedy
    )
    with pytest.raises(UnsupportedContentError, match="convert it to image/jpeg, image/png or image/webp"):
        fit_messages((Message("user", [image]),), WEB, on_limit="error", style="s")


def test_a_picture_that_must_be_turned_and_cannot_be_read_is_refused() -> None:
    data = turned(corner(), "PNG", 6)
    at = data.index(b"IDAT") + 4
    broken = Image(data[:at] + bytes(20) + data[at + 20 :])
    with pytest.raises(
        UnsupportedContentError, match=r"it cannot be read as image/png \(.*check that the file is whole"
    ):
        fit_messages((Message("user", [broken]),), Limits("T", ""), style="s")


def test_heic_without_its_library_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    image = Image(heic(corner()))
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    with pytest.raises(UnsupportedContentError) as caught:
        fit_messages((Message("user", [image]),), WEB, style="s")
    assert "image/heic is converted by pillow-heif, which is not installed" in caught.value.reason
    assert "pip install 'prompt-adapters[heif]'" in caught.value.remedy
    taken = Limits("T", "", image_types=frozenset({"image/heic"}))
    assert fit_messages((Message("user", [image]),), taken, style="s")[1] == ()


def test_avif_without_its_library_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    source = inline(encoded(corner(), "AVIF"), "AVIF")
    monkeypatch.setattr("PIL.features.check", lambda feature: False)
    result = convert(source)
    assert result.obstacle is not None
    assert "pip install --upgrade 'pillow" in result.obstacle.remedy


def test_nothing_is_registered_with_pillow() -> None:
    code = """
import sys
from PIL import Image as Pillow
from pictures import corner, heic
data = heic(corner())
from prompt_adapters.content.source import Inline
from prompt_adapters.media.convert import convert_image
from prompt_adapters.media.rules import Bounds
from prompt_adapters.targets import Limits
limits = Limits("T", "", image_types=frozenset({"image/png"}))
assert convert_image(Inline(data, "image/heic"), limits, Bounds()).inline.mime == "image/png"
assert "HEIF" not in Pillow.OPEN and Pillow.MAX_IMAGE_PIXELS == 89_478_485
"""
    path = str(__import__("pictures").__file__).rpartition("/")[0]
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": path})


def test_pillow_is_imported_only_when_something_has_to_change() -> None:
    code = """
import sys
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Document, Image
from prompt_adapters.content.source import Inline
from prompt_adapters.media.fit import OnLimit, fit_messages
from prompt_adapters.targets import route
gif = Inline(bytes.fromhex("47494638396101000100800000ffffff0000002c00000000010001000002024401003b"), "image/gif")
pdf = Document(b"%PDF-1.4 << /Type /Page >> %%EOF")
messages = (Message("user", ["Look:", Image(gif), pdf]),)
assert fit_messages(messages, route("claude-opus-5").limits, style="s") == (messages, ())
assert not {"PIL", "pypdf", "litellm", "langchain_core", "pydantic"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True)
