from typing import Any

import pytest
from PIL import Image as Pillow
from PIL import ImageCms

from converting import JPEG_ONLY, PNG_ONLY, convert, inline, near, pixel
from pictures import (
    corner,
    encoded,
    opened,
    png,
    profile,
)
from prompt_adapters.content.source import Inline
from prompt_adapters.targets import Limits


def test_transparency_is_laid_on_white_only_where_nothing_keeps_it() -> None:
    clear = corner((32, 32), "RGBA")
    clear.putalpha(Pillow.new("L", (32, 32), 0))
    clear.paste((0, 0, 255, 255), (16, 16, 32, 32))
    source = inline(encoded(clear, "PNG"), "PNG")
    result = convert(source, JPEG_ONLY)
    assert result.said[0] == "the image was laid on white, since no type that T takes keeps its transparency"
    assert near(pixel(result.inline, (4, 4)), (255, 255, 255))
    assert near(pixel(result.inline, (28, 28)), (0, 0, 255))
    kept = convert(source, Limits("T", "", image_types=frozenset({"image/webp"}))).inline
    assert opened(kept.data).mode == "RGBA"


@pytest.mark.parametrize("mode", ["LA", "PA", "RGBA"])
def test_half_transparent_grey_and_palettes_keep_their_transparency(mode: str) -> None:
    picture = Pillow.new("LA", (16, 16), (0, 128)).convert("RGBA").convert("LA" if mode == "LA" else "RGBA")
    source = inline(encoded(picture.convert("PA") if mode == "PA" else picture, "TIFF"), "TIFF")
    assert opened(convert(source).inline.data).convert("RGBA").getpixel((3, 3)) == (0, 0, 0, 128)
    assert near(pixel(convert(source, JPEG_ONLY).inline), (127, 127, 127))


@pytest.mark.parametrize("transparency", [1, b"\xff\x00"], ids=["index", "table"])
def test_transparent_colours_of_a_palette_stay_transparent(transparency: Any) -> None:
    palette = Pillow.new("P", (8, 8), 1)
    palette.putpalette([255, 0, 0, 0, 255, 0])
    palette.putpixel((0, 0), 0)
    result = convert(inline(encoded(palette, "PNG", transparency=transparency), "PNG"), max_side=4)
    assert opened(encoded(palette, "PNG", transparency=transparency)).mode == "P"
    assert opened(result.inline.data).mode == "RGBA"
    gif = convert(inline(encoded(palette, "GIF", transparency=1), "GIF"))
    after = opened(gif.inline.data)
    assert (after.getpixel((0, 0)), after.getpixel((5, 5))[3]) == ((255, 0, 0, 255), 0)  # type: ignore[index]  # four numbers in mode RGBA


@pytest.mark.parametrize("mode", ["1", "L", "RGB"])
def test_a_colour_that_is_transparent_is_so_afterwards(mode: str) -> None:
    white: Any = (255, 255, 255) if mode == "RGB" else 255 if mode == "L" else 1
    picture = Pillow.new(mode, (32, 32), white)
    picture.paste(0, (0, 0, 16, 16))
    result = convert(inline(encoded(picture, "PNG", transparency=white), "PNG"), max_side=16)
    alpha = opened(result.inline.data).convert("RGBA").getchannel("A")
    assert (alpha.getpixel((2, 2)), alpha.getpixel((14, 14))) == (255, 0)


def test_an_alpha_channel_that_hides_nothing_is_no_transparency() -> None:
    result = convert(inline(encoded(corner((32, 32), "RGBA"), "PNG"), "PNG"), JPEG_ONLY)
    assert result.said == ("the image was converted from image/png, which T does not take, to image/jpeg",)


@pytest.mark.parametrize("kind", ["JPEG", "TIFF"])
def test_cmyk_keeps_its_colour(kind: str) -> None:
    """In a JPEG the inks are stored inverted, as Adobe does, and in a TIFF as they are."""
    source = inline(encoded(Pillow.new("CMYK", (16, 16), (255, 0, 0, 0)), kind), kind)
    assert (b"Adobe" in source.data) is (kind == "JPEG")
    result = convert(source, PNG_ONLY)
    assert near(pixel(result.inline), (0, 255, 255))
    assert "the image was converted from CMYK to RGB" in result.said


@pytest.mark.parametrize("kind", ["PNG", "TIFF", "JPEG2000"])
@pytest.mark.parametrize("value", [0, 100, 40_000, 65_535])
def test_sixteen_bits_are_scaled_and_not_clipped(kind: str, value: int) -> None:
    source = inline(encoded(Pillow.new("I;16", (32, 32), value), kind), kind)
    result = convert(source, JPEG_ONLY)
    assert near(pixel(result.inline), (value / 257,) * 3, 1)
    assert ("the image was reduced from 16 to 8 bits a channel" in result.said) is (kind != "JPEG2000")


def test_other_ways_of_holding_sixteen_bits_are_scaled_too() -> None:
    for mode in ("I", "I;16B"):
        source = inline(encoded(Pillow.new(mode, (8, 8), 40_000), "TIFF"), "TIFF")
        assert near(pixel(convert(source, JPEG_ONLY).inline), (156, 156, 156), 1)
    value = (40_000).to_bytes(2, "big")
    for colours, channels in ((2, 3), (4, 2), (6, 4)):  # RGB, grey and alpha, RGB and alpha
        row = b"\0" + (value * (channels - (channels % 2 == 0)) + (b"\xff\xff" if channels % 2 == 0 else b"")) * 4
        source = Inline(png(4, 4, row * 4, 16, colours), "image/png")
        result = convert(source, JPEG_ONLY)
        assert near(pixel(result.inline, (2, 2)), (156, 156, 156), 1)
        assert result.said[0] == "the image was reduced from 16 to 8 bits a channel"


def test_a_transparent_grey_of_sixteen_bits_stays_transparent() -> None:
    picture = Pillow.new("I;16", (8, 8), 40_000)
    picture.putpixel((1, 1), 7)
    result = convert(
        inline(encoded(picture, "PNG", transparency=7), "PNG"), Limits("T", "", image_types=frozenset({"image/webp"}))
    )
    after = opened(result.inline.data).convert("RGBA")
    assert after.getpixel((1, 1))[3] == 0  # type: ignore[index]  # four numbers in mode RGBA
    assert after.getpixel((5, 5)) == (156, 156, 156, 255)


@pytest.mark.parametrize(("mode", "value"), [("F", 0.5), ("I", 70_000), ("I", -1)])
def test_numbers_without_black_and_white_are_refused(mode: str, value: float) -> None:
    result = convert(inline(encoded(Pillow.new(mode, (8, 8), value), "TIFF"), "TIFF"))
    assert result.obstacle is not None
    assert "no white and no black" in result.obstacle.reason


@pytest.mark.parametrize(
    ("kind", "mode"), [("TIFF", "RGB"), ("PNG", "RGBA"), ("WEBP", "RGB"), ("JPEG", "RGB"), ("TIFF", "LA")]
)
def test_colours_of_a_profile_become_srgb(kind: str, mode: str) -> None:
    picture = corner((200, 200), mode)
    if "A" in mode:
        picture.putalpha(180)
    source = inline(
        encoded(picture, kind, icc_profile=profile(), **({"lossless": True} if kind == "WEBP" else {})), kind
    )
    result = convert(source, max_side=100)
    assert "the image was converted from the colours of 'other colours' to sRGB" in result.said
    after = opened(result.inline.data)
    assert "icc_profile" not in after.info
    assert after.mode.endswith("A") is ("A" in mode)
    if mode != "LA":
        assert near(pixel(result.inline, (20, 20)), (0, 0, 255))


def test_a_profile_of_srgb_is_left_out_and_one_that_cannot_be_applied_stays() -> None:
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    for given, kept in ((srgb, None), (b"no profile at all", b"no profile at all")):
        result = convert(inline(encoded(corner((200, 200)), "PNG", icc_profile=given), "PNG"), max_side=100)
        assert opened(result.inline.data).info.get("icc_profile") == kept
        assert len(result.said) == 1
