from collections.abc import Callable
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image as Pillow

from prompt_adapters.content.source import Inline
from prompt_adapters.media.complete import check_complete
from prompt_adapters.media.header import gif_frames, image_size, is_animated, orientation

TYPES = ["image/jpeg", "image/png", "image/gif", "image/webp", "image/bmp", "image/avif", "image/tiff", "video/mp4"]


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
    ],
    ids=str,
)
def test_the_size_is_in_the_header(
    picture: Callable[..., bytes], kind: str, options: dict[str, object], size: tuple[int, int]
) -> None:
    data = picture(kind, size, **options)
    assert image_size(Inline(data, f"image/{kind.lower()}")) == size


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
