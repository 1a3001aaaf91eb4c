from typing import Any

import pytest
from PIL import Image as Pillow
from PIL import ImageOps

from converting import JPEG_ONLY, PNG_ONLY, WEB, WEB_TYPES, convert, inline, near, pixel
from pictures import (
    animated,
    corner,
    encoded,
    heic,
    mime_of,
    opened,
    pages,
    photo,
    stored,
    turned,
)
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Image
from prompt_adapters.content.source import Inline
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.media.convert import turn_image
from prompt_adapters.media.fit import OnLimit, fit_messages
from prompt_adapters.media.header import image_size, is_animated, orientation
from prompt_adapters.media.rules import Bounds
from prompt_adapters.targets import Limits, route


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_what_fits_keeps_its_bytes(kind: str) -> None:
    source = inline(encoded(corner(), kind, exif=Pillow.Exif()), kind)
    for result in (convert(source, max_side=64), turn_image(source, Bounds())):
        assert (result.said, result.obstacle) == ((), None)
        assert result.inline is source


@pytest.mark.parametrize("value", range(1, 9))
@pytest.mark.parametrize(
    ("kind", "options"), [("PNG", {}), ("WEBP", {"lossless": True}), ("JPEG", {"quality": 95}), ("WEBP", {})], ids=str
)
def test_all_orientations_give_the_same_picture(kind: str, options: dict[str, Any], value: int) -> None:
    upright = photo((64, 48))
    source = inline(turned(upright, kind, value, **options), kind)
    results = convert(source), turn_image(source, Bounds())
    for result in results:
        assert result.said == (() if value == 1 else (f"the image was turned upright (EXIF orientation {value})",))
        assert (result.inline is source) is (value == 1)
        after = opened(result.inline.data)
        assert after.size == upright.size
        assert orientation(result.inline) == after.getexif().get(0x0112, 1) == 1
        assert result.inline.mime == source.mime
        seen = ImageOps.exif_transpose(opened(source.data)).convert("RGB").tobytes()
        difference = max(abs(a - b) for a, b in zip(after.convert("RGB").tobytes(), seen, strict=True))
        assert difference <= (5 if kind == "JPEG" else 0)
        if kind == "PNG" or "lossless" in options:
            assert after.convert("RGB").tobytes() == upright.tobytes()


@pytest.mark.parametrize("value", range(2, 9))
def test_tiff_and_avif_are_turned_as_well(value: int) -> None:
    for kind in ("TIFF", "AVIF"):
        result = convert(inline(turned(corner(), kind, value), kind), PNG_ONLY)
        assert image_size(result.inline) == (64, 32), kind
        assert near(pixel(result.inline), (255, 0, 0), 16)
        assert near(pixel(result.inline, (56, 24)), (255, 255, 255), 16)
        assert f"the image was turned upright (EXIF orientation {value})" in result.said


def test_heic_is_turned_by_its_own_property_and_not_by_exif_too() -> None:
    exif = Pillow.Exif()
    exif[0x0112] = 6
    result = convert(Inline(heic(stored(corner(), 6), exif=exif.tobytes()), "image/heic"))
    assert image_size(result.inline) == (64, 32)
    assert near(pixel(result.inline), (255, 0, 0), 16)


@pytest.mark.parametrize("on_limit", ["convert", "error"])
def test_orientation_is_applied_whatever_the_limits(on_limit: Any) -> None:
    messages = (Message("user", [Image(turned(corner(), "JPEG", 6))]),)
    fitted, notes = fit_messages(messages, Limits("T", ""), on_limit=on_limit, style="s")
    assert [note.text for note in notes] == ["the image was turned upright (EXIF orientation 6)"]
    part = fitted[0].parts[0]
    assert isinstance(part, Image)
    assert isinstance(part.source, Inline)
    assert image_size(part.source) == (64, 32)
    assert fit_messages(messages, Limits("T", ""), on_limit="send", style="s") == (messages, ())


@pytest.mark.parametrize(
    ("kind", "mode", "mime"),
    [
        ("TIFF", "RGB", "image/png"),
        ("TIFF", "CMYK", "image/png"),
        ("TIFF", "1", "image/png"),
        ("TIFF", "LAB", "image/png"),
        ("TIFF", "YCbCr", "image/png"),
        ("BMP", "RGB", "image/png"),
        ("BMP", "1", "image/png"),
        ("BMP", "P", "image/png"),
        ("GIF", "P", "image/png"),
        ("ICO", "RGBA", "image/png"),
        ("AVIF", "RGB", "image/png"),
        ("JPEG2000", "RGB", "image/png"),
    ],
)
def test_types_that_the_target_does_not_take_are_converted(kind: str, mode: str, mime: str) -> None:
    source = inline(encoded(corner((32, 32), mode), kind), kind)
    result = convert(source)
    assert result.inline.mime == mime
    assert result.said[-1] == f"the image was converted from {source.mime}, which T does not take, to {mime}"
    assert len(result.said) == (2 if mode == "CMYK" else 1)
    wanted = (255, 255, 255) if mode == "1" else (255, 0, 0)
    assert near(pixel(result.inline, (20, 20) if mode == "1" else (4, 4)), wanted, 16)


@pytest.mark.parametrize("kind", ["TIFF", "BMP", "AVIF", "JPEG2000", "HEIC"])
def test_photos_become_jpeg(kind: str) -> None:
    data = heic(photo()) if kind == "HEIC" else encoded(photo(), kind)
    result = convert(inline(data, kind))
    assert result.inline.mime == "image/jpeg"
    assert opened(result.inline.data).format == "JPEG"


@pytest.mark.parametrize(
    ("taken", "mode", "mime"),
    [
        ({"image/webp"}, "RGB", "image/webp"),
        ({"image/jpeg"}, "RGB", "image/jpeg"),
        ({"image/webp", "image/jpeg"}, "RGBA", "image/webp"),
    ],
)
def test_the_type_written_is_one_that_is_taken(taken: set[str], mode: str, mime: str) -> None:
    picture = corner((32, 16), mode)
    if mode == "RGBA":
        picture.putalpha(100)
    result = convert(inline(encoded(picture, "PNG"), "PNG"), Limits("T", "", image_types=frozenset(taken)))
    assert result.inline.mime == mime


def test_where_types_are_not_documented_rare_ones_become_common() -> None:
    unknown = Limits("T", "")
    for kind in ("PNG", "JPEG", "GIF", "WEBP"):
        source = inline(encoded(corner(), kind), kind)
        assert convert(source, unknown).inline is source
    assert convert(inline(encoded(corner(), "TIFF"), "TIFF"), unknown).inline.mime == "image/png"
    unreadable = Inline(b"\xff\x0a of JPEG XL", "image/jxl")
    messages = (Message("user", [Image(unreadable)]),)
    assert fit_messages(messages, unknown, style="s") == (messages, ())


@pytest.mark.parametrize("kind", ["GIF", "WEBP"])
def test_an_animation_becomes_its_first_frame_where_only_stills_are_taken(kind: str) -> None:
    mime = mime_of(kind)
    limits = Limits("T", "", image_types=WEB_TYPES | {"image/gif"}, still_types=frozenset({mime}))
    result = convert(inline(animated(kind), kind), limits)
    assert result.said[0] == "the image was reduced to the first of its frames"
    assert not is_animated(result.inline)
    assert near(pixel(result.inline), (255, 0, 0), 16)


@pytest.mark.parametrize("kind", ["AVIF", "PNG", "WEBP", "GIF"])
def test_an_animation_that_is_converted_says_that_it_loses_frames(kind: str) -> None:
    source = inline(animated(kind), kind)
    assert is_animated(source)
    result = convert(source, JPEG_ONLY)
    assert result.said[0] == "the image was reduced to the first of its frames"
    assert near(pixel(result.inline), (255, 0, 0), 16)


def test_an_animation_stays_where_it_is_taken() -> None:
    source = inline(animated("GIF"), "GIF")
    assert convert(source, route("claude-opus-5").limits).inline is source
    assert convert(source, route("gpt-4o").limits).inline.mime == "image/png"
    assert convert(source, route("gemini-2.5-pro").limits).inline.mime == "image/png"
    moving_png = inline(animated("PNG"), "PNG")  # whose first frame every reader of stills shows
    assert convert(moving_png, route("gpt-4o").limits).inline is moving_png


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_long_sides_are_scaled_down(kind: str) -> None:
    source = inline(encoded(corner((300, 150)), kind), kind)
    result = convert(source, Limits("T", "", image_types=WEB_TYPES, max_side=100))
    assert image_size(result.inline) == (100, 50)
    assert result.inline.mime == source.mime
    assert result.said == ("the image was scaled from 300 x 150 to 100 x 50 pixels (T takes sides of at most 100)",)


def test_a_turned_picture_is_scaled_as_it_is_seen() -> None:
    source = inline(turned(corner((300, 150)), "JPEG", 6), "JPEG")
    result = convert(source, Limits("T", "", image_types=WEB_TYPES, max_side=100))
    assert image_size(source) == (150, 300)
    assert image_size(result.inline) == (100, 50)
    assert "the image was scaled from 300 x 150 to 100 x 50 pixels (T takes sides of at most 100)" in result.said


@pytest.mark.parametrize("size", [(400, 300), (4000, 3), (3, 4000), (123, 457)])
def test_the_number_of_pixels_is_a_limit_as_well(size: tuple[int, int]) -> None:
    limits = Limits("T", "", image_types=WEB_TYPES, max_pixels=10_000)
    result = convert(inline(encoded(corner(size), "PNG"), "PNG"), limits)
    width, height = image_size(result.inline) or (0, 0)
    assert 0 < width * height <= 10_000
    assert "T takes at most 10000 pixels" in result.said[0]


@pytest.mark.parametrize(
    ("size", "scaled"), [((1000, 1), (100, 1)), ((1, 20000), (1, 100)), ((101, 101), (100, 100)), ((1, 1), (1, 1))]
)
def test_odd_shapes_are_scaled_to_a_picture(size: tuple[int, int], scaled: tuple[int, int]) -> None:
    assert image_size(convert(inline(encoded(corner(size), "PNG"), "PNG"), max_side=100).inline) == scaled


def test_what_cannot_be_made_small_enough_is_refused() -> None:
    image = Image(encoded(photo((200, 200), 60), "PNG"))
    limits = Limits("T", "", max_image_bytes=20)
    with pytest.raises(UnsupportedContentError, match="takes at most 20"):
        fit_messages((Message("user", [image]),), limits, style="s")


def test_a_multi_picture_file_is_sent_as_the_jpeg_that_it_is() -> None:
    data = encoded(photo((200, 100)), "MPO", save_all=True, append_images=[corner((200, 100))])
    source = Image(data).source
    assert isinstance(source, Inline)
    assert source.mime == "image/jpeg"
    assert convert(source).inline is source
    scaled = convert(source, max_side=100)
    assert (scaled.inline.mime, image_size(scaled.inline)) == ("image/jpeg", (100, 50))
    assert all("frames" not in said for said in scaled.said)


@pytest.mark.parametrize("limits", [WEB, Limits("T", ""), route("gpt-4o").limits], ids=["web", "unknown", "gpt-4o"])
def test_a_tiff_of_several_pages_is_refused_with_a_remedy(limits: Limits) -> None:
    source = Inline(pages(3), "image/tiff")
    ways: tuple[OnLimit, ...] = ("convert", "error")
    for on_limit in ways:
        with pytest.raises(UnsupportedContentError, match="it has 3 pages; give each page as an image") as caught:
            fit_messages((Message("user", [Image(source)]),), limits, on_limit=on_limit, style="s")
        assert caught.value.position == "message 1 (user), part 1"
    assert convert(Inline(pages(1), "image/tiff"), limits).inline.mime == "image/png"


@pytest.mark.parametrize("limits", [WEB, Limits("T", "")], ids=["web", "unknown"])
def test_an_svg_is_refused_with_a_remedy(limits: Limits) -> None:
    image = Image(b'<svg xmlns="http://www.w3.org/2000/svg"><circle r="9"/></svg>')
    with pytest.raises(UnsupportedContentError, match=r"no model sees it.*export it as PNG, or send its text"):
        fit_messages((Message("user", [image]),), limits, style="s")
