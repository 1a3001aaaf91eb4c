import contextlib
import struct
from collections.abc import Callable
from io import BytesIO
from time import thread_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image as Pillow

from clock import soon
from pictures import corner, encoded, heic, mime_of, pages
from prompt_adapters.content.source import Inline
from prompt_adapters.errors import MediaReadError
from prompt_adapters.media.complete import check_complete
from prompt_adapters.media.header import (
    channel_bits,
    gif_frames,
    image_size,
    is_animated,
    is_lossless_webp,
    orientation,
    page_count,
)

TYPES = ["image/jpeg", "image/png", "image/gif", "image/webp", "image/bmp", "image/avif", "image/tiff", "video/mp4"]
TYPES += ["image/heic", "image/x-icon", "image/jp2", "audio/ogg", "audio/aiff"]


@pytest.mark.parametrize("size", [(1, 1), (32, 16), (257, 300)])
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("JPEG", {}),
        ("JPEG", {"progressive": True}),
        ("PNG", {}),
        ("GIF", {}),
        ("BMP", {}),
        ("WEBP", {}),
        ("WEBP", {"lossless": True}),
        ("WEBP", {"exif": b"Exif\0\0II*\0\x08\0\0\0\0\0\0\0"}),
        ("TIFF", {}),
        ("TIFF", {"big_tiff": True}),
        ("TIFF", {"compression": "jpeg"}),
        ("AVIF", {}),
        ("JPEG2000", {}),
        ("JPEG2000", {"no_jp2": True}),
    ],
    ids=str,
)
def test_the_size_is_in_the_header(
    picture: Callable[..., bytes], kind: str, options: dict[str, object], size: tuple[int, int]
) -> None:
    data = picture(kind, size, **options)
    assert image_size(Inline(data, mime_of(kind))) == size


@pytest.mark.parametrize("size", [(2, 2), (33, 17), (256, 256), (640, 480), (1001, 333)])
def test_the_size_of_a_heic_is_that_of_what_is_shown(size: tuple[int, int]) -> None:
    data = heic(corner(size))
    assert image_size(Inline(data, "image/heic")) == opened_heic(data) == size


def opened_heic(data: bytes) -> tuple[int, int]:
    import pillow_heif

    found = pillow_heif.open_heif(BytesIO(data)).size
    return int(found[0]), int(found[1])


@pytest.mark.parametrize("sizes", [[(16, 16)], [(16, 16), (48, 48)], [(256, 256)]])
def test_the_size_of_an_icon_is_that_of_its_largest_picture(sizes: list[tuple[int, int]]) -> None:
    for how in ("png", "bmp"):
        data = encoded(corner((256, 256)), "ICO", sizes=sizes, bitmap_format=how)
        assert image_size(Inline(data, "image/x-icon")) == max(sizes)


@pytest.mark.parametrize(("data", "count"), [(pages(1), 1), (pages(3), 3), (b"II*\0\x08\0\0\0", 1)])
def test_pages_of_a_tiff_are_counted(data: bytes, count: int) -> None:
    assert page_count(Inline(data, "image/tiff")) == count
    assert page_count(Inline(data, "image/png")) == 1


def test_thumbnails_and_masks_are_no_pages() -> None:
    data = bytearray(pages(2))
    second = int.from_bytes(data[4:8], "little")
    count = int.from_bytes(data[second : second + 2], "little")
    second = int.from_bytes(data[second + 2 + 12 * count : second + 6 + 12 * count], "little")
    # Its first field becomes the one that says what kind of picture this is: a smaller version of another.
    data[second + 2 : second + 14] = struct.pack("<HHII", 254, 4, 1, 1)
    assert page_count(Inline(bytes(data), "image/tiff")) == 1


@pytest.mark.parametrize(
    ("mode", "kind", "bits"),
    [("RGB", "PNG", 8), ("I;16", "PNG", 16), ("1", "PNG", 1), ("I;16", "TIFF", 16), ("L", "TIFF", 8)],
)
def test_bits_a_channel_are_in_the_header(mode: str, kind: str, bits: int) -> None:
    assert channel_bits(Inline(encoded(Pillow.new(mode, (8, 8)), kind), mime_of(kind))) == bits


@pytest.mark.parametrize("options", [{"lossless": True}, {"lossless": True, "exif": b"Exif\0\0II*\0"}, {}])
def test_webp_without_loss_is_told_from_webp_with_loss(options: dict[str, object]) -> None:
    found = is_lossless_webp(Inline(encoded(corner(), "WEBP", **options), "image/webp"))
    assert found is ("lossless" in options)


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "JPEG", "GIF", "BMP"])
def test_what_follows_a_picture_is_not_read(kind: str) -> None:
    data = encoded(corner(), kind) + bytes(30_000_000)
    with soon(1):
        inline = Inline(data, mime_of(kind))
        assert (image_size(inline), orientation(inline), is_animated(inline)) == ((64, 32), 1, False)


def test_a_bitmap_from_the_top_down_has_its_size(picture: Callable[..., bytes]) -> None:
    data = picture("BMP", (8, 4))
    flipped = data[:22] + (-4).to_bytes(4, "little", signed=True) + data[26:]
    assert image_size(Inline(flipped, "image/bmp")) == (8, 4)


def test_a_huge_claim_is_only_read(claimed_png: Callable[[int, int], bytes]) -> None:
    assert image_size(Inline(claimed_png(20000, 20000), "image/png")) == (20000, 20000)


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
def test_animations_are_told_from_stills(
    animated: Callable[[str], bytes], picture: Callable[..., bytes], kind: str
) -> None:
    mime = f"image/{kind.lower()}"
    assert is_animated(Inline(animated(kind), mime))
    assert not is_animated(Inline(picture(kind), mime))


def test_frames_of_a_gif_are_counted(animated: Callable[[str], bytes], picture: Callable[..., bytes]) -> None:
    assert gif_frames(animated("GIF")) == (3, True)
    assert gif_frames(picture("GIF")) == (1, True)
    assert gif_frames(animated("GIF")[:-1])[1] is False


@pytest.mark.parametrize("value", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_the_orientation_is_read(turned: Callable[[str, int], bytes], kind: str, value: int) -> None:
    data = turned(kind, value)
    assert orientation(Inline(data, f"image/{kind.lower()}")) == value
    with Pillow.open(BytesIO(data)) as read:
        assert read.getexif().get(0x0112) == value


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF", "BMP"])
def test_without_exif_a_picture_is_upright(picture: Callable[..., bytes], kind: str) -> None:
    assert orientation(Inline(picture(kind), f"image/{kind.lower()}")) == 1


@pytest.mark.parametrize("value", [0, 9, 65535])
def test_an_orientation_that_there_is_not_is_upright(picture: Callable[..., bytes], value: int) -> None:
    exif = Pillow.Exif()
    exif[0x0112] = value
    assert orientation(Inline(picture("JPEG", exif=exif), "image/jpeg")) == 1


@given(st.sampled_from(TYPES), st.binary(min_size=1, max_size=120))
def test_no_bytes_break_the_readers(mime: str, data: bytes) -> None:
    starts = {
        "image/jpeg": b"\xff\xd8\xff",
        "image/png": b"\x89PNG\r\n\x1a\n",
        "image/gif": b"GIF89a",
        "image/bmp": b"BM",
        "image/tiff": b"II*\0\x08\0\0\0",
        "image/heic": b"\0\0\0\x0cftypheic\0\0\0\x40meta\0\0\0\0\0\0\0\x38iprp\0\0\0\x30ipco",
        "image/jp2": b"\0\0\0\x0cjP  \r\n\x87\n",
        "audio/ogg": b"OggS",
    }
    for start in (b"", starts.get(mime, b"RIFF\0\0\0\0WEBPVP8X")):
        inline = Inline(start + data, mime)
        size = image_size(inline)
        assert size is None or min(size) > 0
        assert 1 <= orientation(inline) <= 8
        assert is_animated(inline) in (True, False)
        try:
            check_complete(inline, "it")
        except ValueError as error:
            assert "cut off" in str(error)  # noqa: PT017 - either outcome is right, and each is checked


def box(kind: bytes, body: bytes) -> bytes:
    return (8 + len(body)).to_bytes(4, "big") + kind + body


def chained_tiff(count: int, fields: int) -> bytes:
    """Directories one after the other, each of which claims a million strips."""
    size = 2 + 12 * fields + 4
    data = bytearray(b"II*\0\x08\0\0\0")
    for index in range(count):
        data += struct.pack("<H", fields) + struct.pack("<HHII", 273, 4, 1_000_000, 8) * fields
        data += struct.pack("<I", 8 + (index + 1) * size)
    return bytes(data) + bytes(4_000_100)


HOSTILE = {
    "fill bytes": ("image/jpeg", b"\xff\xd8" + b"\xff" * 10**7),
    "empty segments": ("image/jpeg", b"\xff\xd8" + b"\xff\xe0\0\2" * 3 * 10**6),
    "markers that carry nothing": ("image/jpeg", b"\xff\xd8" + b"\xff\xd0" * 6 * 10**6),
    "empty chunks": ("image/png", b"\x89PNG\r\n\x1a\n" + b"\0\0\0\0tEXt\0\0\0\0" * 10**6),
    "small blocks": ("image/gif", b"GIF89a" + bytes(7) + b"\x21\xfe" + b"\1a" * 6 * 10**6),
    "padding": ("image/gif", b"GIF89a" + bytes(10**7)),
    "empty pieces": ("image/webp", b"RIFF\xff\xff\xff\0WEBP" + b"ABCD\0\0\0\0" * 10**6),
    "directories of many strips": ("image/tiff", chained_tiff(500, 2)),
    "directories of many fields": ("image/tiff", chained_tiff(5_000, 100)),
    "empty boxes": ("image/heic", b"\0\0\0\x0cftypheic" + box(b"meta", bytes(4) + b"\0\0\0\x08free" * 10**6)),
    "items": (
        "image/heic",
        box(b"meta", bytes(4) + box(b"pitm", bytes(4) + b"\xff\xff") + box(b"iprp", box(b"ipma", b"\1" * 10**7))),
    ),
    "boxes in boxes": ("video/mp4", b"".join((8 * left).to_bytes(4, "big") + b"moov" for left in range(10**6, 0, -1))),
    "icons": ("image/x-icon", b"\0\0\1\0\xff\xff" + b"\0\0\0\0\1\0\x20\0" * 2 * 65535),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_headers_are_read_within_bounds(name: str) -> None:
    mime, data = HOSTILE[name]
    started = thread_time()
    inline = Inline(data, mime)
    for read in (image_size, is_animated, orientation, page_count, channel_bits):
        read(inline)
    with contextlib.suppress(MediaReadError):
        check_complete(inline, "x")
    assert thread_time() - started < 3
