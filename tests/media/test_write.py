from typing import Any, Literal

import pytest
from PIL import Image as Pillow

from pictures import encoded, opened, photo, screenshot
from prompt_adapters.content.source import Inline
from prompt_adapters.media.convert import Converted, convert_image
from prompt_adapters.media.header import image_size
from prompt_adapters.media.likeness import likeness, sample
from prompt_adapters.media.pixels import resized
from prompt_adapters.media.rules import base64_size, bounds_of
from prompt_adapters.targets import Limits
from ssim import ssim

WEB_TYPES = frozenset({"image/png", "image/jpeg", "image/webp"})


def convert(
    data: bytes, kind: str, most: int | None = None, *, taken: frozenset[str] = WEB_TYPES, **more: Any
) -> Converted:
    limits = Limits("T", "", image_types=taken, max_image_bytes=most, **more)
    return convert_image(Inline(data, f"image/{kind.lower()}"), limits, bounds_of(limits))


def alike(result: Converted, original: Pillow.Image) -> float:
    """How alike the result is to the original scaled down to its size."""
    found = opened(result.inline.data)
    return ssim(found, original.resize(found.size, Pillow.Resampling.LANCZOS))


@pytest.mark.parametrize("noise", [0, 4, 40])
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "BMP"])
@pytest.mark.parametrize("most", [40_000, 8_000])
def test_a_photo_stays_alike_whatever_it_must_lose(kind: str, noise: float, most: int) -> None:
    original = photo((200, 150), noise)
    data = encoded(original, kind, **({"quality": 98} if kind in ("JPEG", "WEBP") else {}))
    result = convert(data, kind, most)
    assert len(result.inline.data) <= most
    if len(data) > most:
        assert f"compressed from {len(data)} to {len(result.inline.data)} bytes" in result.said[-1] or kind == "BMP"
    assert alike(result, original) >= 0.95


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF", "AVIF"])
def test_a_photo_stays_alike_when_it_is_scaled_or_converted(kind: str) -> None:
    data = encoded(photo((200, 150)), kind, **({"quality": 95} if kind in ("JPEG", "WEBP", "AVIF") else {}))
    original = opened(data).convert("RGB")
    for result in (convert(data, kind, max_side=100), convert(data, kind, taken=frozenset({"image/jpeg"}))):
        assert result.inline.data != data or kind == "JPEG"
        assert alike(result, original) >= 0.95


def test_a_photo_of_the_same_weight_keeps_as_many_pixels_as_it_can() -> None:
    original = photo((320, 240), 8)
    result = convert(encoded(original, "PNG"), "PNG", 30_000)
    assert 20_000 < len(result.inline.data) <= 30_000
    assert f"{image_size(result.inline)[0]} x " in result.said[-1]  # type: ignore[index]  # it has a size


@pytest.mark.parametrize("counted", ["raw", "base64"])
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_bytes_are_counted_as_the_target_counts_them(kind: str, counted: Literal["raw", "base64"]) -> None:
    data = encoded(photo((160, 120), 30), kind)
    for most in (8_001, 8_003):
        result = convert(data, kind, most, image_bytes_counted=counted)
        weight = len(result.inline.data) if counted == "raw" else base64_size(result.inline.data)
        assert weight <= most
        assert f"T takes {most} bytes{' as base64' if counted == 'base64' else ''}" in result.said[-1]


@pytest.mark.parametrize("kind", ["PNG", "TIFF", "BMP", "GIF"])
def test_a_screenshot_stays_as_it_is_while_it_fits(kind: str) -> None:
    original = screenshot((500, 300))
    result = convert(encoded(original, kind), kind, 60_000)
    assert result.inline.mime == "image/png"
    assert opened(result.inline.data).convert("RGB").tobytes() == original.tobytes()


def test_a_screenshot_too_heavy_for_png_is_kept_without_loss_as_webp() -> None:
    original = screenshot((800, 600))
    data = encoded(original, "PNG")
    result = convert(data, "PNG", len(data) - 1)
    assert result.inline.mime == "image/webp"
    assert opened(result.inline.data).convert("RGB").tobytes() == original.tobytes()
    assert result.said[0] == "the image was converted from image/png to image/webp"
    assert len(result.said) == 2


def test_a_screenshot_in_a_lossy_type_becomes_png() -> None:
    data = encoded(screenshot((500, 300)), "AVIF", quality=90)
    result = convert(data, "AVIF")
    assert result.inline.mime == "image/png"
    assert opened(result.inline.data).convert("RGB").tobytes() == opened(data).convert("RGB").tobytes()


def test_transparency_is_kept_under_a_limit_on_bytes() -> None:
    picture = photo((160, 120), 20).copy()
    picture.putalpha(Pillow.linear_gradient("L").resize(picture.size))
    data = encoded(picture, "PNG")
    for taken, mime in ((WEB_TYPES, "image/webp"), (frozenset({"image/png", "image/jpeg"}), "image/png")):
        result = convert(data, "PNG", 12_000, taken=taken)
        assert result.inline.mime == mime
        assert len(result.inline.data) <= 12_000
        assert opened(result.inline.data).mode == "RGBA"


def test_colours_of_a_jpeg_are_stored_as_they_were() -> None:
    """Twice as many pixels of colour would be bytes for nothing, half as many a loss."""
    from PIL import JpegImagePlugin

    for sampling in (0, 2):
        data = encoded(photo((1200, 900)), "JPEG", quality=90, subsampling=sampling)
        result = convert(data, "JPEG", max_side=1190)
        assert JpegImagePlugin.get_sampling(opened_lazily(result.inline.data)) == sampling


def opened_lazily(data: bytes) -> Any:
    from io import BytesIO

    return Pillow.open(BytesIO(data))


@pytest.mark.parametrize("size", [(17_000, 8), (8, 66_000)])
def test_formats_that_cannot_hold_such_sides_are_not_tried(size: tuple[int, int]) -> None:
    data = encoded(photo(size, 9), "BMP")
    result = convert(data, "BMP")
    assert image_size(result.inline) == size
    assert result.inline.mime == ("image/jpeg" if max(size) < 65_500 else "image/png")
    lighter = convert(data, "BMP", len(result.inline.data) // 4)
    assert len(lighter.inline.data) <= len(result.inline.data) // 4


def test_what_no_format_can_hold_is_left_for_the_refusal() -> None:
    result = convert(encoded(Pillow.new("RGB", (2, 66_000)), "BMP"), "BMP", taken=frozenset({"image/jpeg"}))
    assert (result.inline.mime, result.said) == ("image/bmp", ())


def test_likeness_is_what_the_definition_says() -> None:
    picture = photo((192, 192), 10)
    for quality in (20, 60, 95):
        data = encoded(picture, "JPEG", quality=quality)
        assert abs(likeness(picture, data) - ssim(picture, opened(data))) < 0.02
    assert likeness(picture, encoded(picture, "PNG")) == pytest.approx(1)
    for size in ((1, 1), (3, 40), (9, 8)):
        small = photo(size)
        assert 0.5 < likeness(small, encoded(small, "JPEG")) <= 1.0001


@pytest.mark.parametrize("size", [(1, 1), (5, 3000), (3000, 5), (300, 200), (900, 700), (577, 100)])
def test_a_sample_is_small_and_of_the_picture(size: tuple[int, int]) -> None:
    found = sample(photo(size))
    assert found.width * found.height <= 576 * 576
    assert found.width <= size[0]
    assert found.height <= size[1]
    if max(size) <= 576:
        assert found.tobytes() == photo(size).tobytes()


@pytest.mark.parametrize("mode", ["L", "LA", "RGB", "RGBA"])
def test_scaling_in_two_steps_is_scaling(mode: str) -> None:
    picture = photo((200, 150)).convert(mode)
    if mode.endswith("A"):
        picture.putalpha(Pillow.linear_gradient("L").resize(picture.size))
    once = picture.resize((90, 60), Pillow.Resampling.LANCZOS)
    twice = resized(picture, (90, 60), keep=True)
    assert (twice.mode, twice.size) == (mode, (90, 60))
    assert max(abs(a - b) for a, b in zip(once.tobytes(), twice.tobytes(), strict=True)) <= 2
    assert picture.getpixel((0, 0)) is not None
    assert resized(picture, (20, 10)).size == (20, 10)
    with pytest.raises(Exception, match=r"closed|deferred|core"):
        picture.getpixel((0, 0))
