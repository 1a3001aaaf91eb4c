import subprocess
import sys
from typing import Any

import pytest
from PIL import Image as Pillow
from PIL import ImageCms, ImageOps

from pictures import (
    animated,
    claimed_png,
    corner,
    encoded,
    heic,
    mime_of,
    opened,
    pages,
    photo,
    png,
    profile,
    stored,
    turned,
)
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Image
from prompt_adapters.content.source import Inline
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.media.convert import Converted, convert_image, turn_image
from prompt_adapters.media.fit import OnLimit, fit_messages
from prompt_adapters.media.header import image_size, is_animated, orientation
from prompt_adapters.media.rules import MAX_JPEG_PIXELS, MAX_PIXELS, Bounds, bounds_of, too_many_pixels
from prompt_adapters.targets import Limits, route

WEB_TYPES = frozenset({"image/png", "image/jpeg", "image/webp"})
WEB = Limits("T", "", image_types=WEB_TYPES)
JPEG_ONLY = Limits("T", "", image_types=frozenset({"image/jpeg"}))
PNG_ONLY = Limits("T", "", image_types=frozenset({"image/png"}))


def convert(source: Inline, limits: Limits = WEB, **changes: Any) -> Converted:
    return convert_image(source, limits, bounds_of(limits)._replace(**changes))


def inline(data: bytes, kind: str) -> Inline:
    return Inline(data, mime_of(kind))


def pixel(source: Inline, at: tuple[int, int] = (4, 4)) -> tuple[int, ...]:
    value = opened(source.data).convert("RGB").getpixel(at)
    assert isinstance(value, tuple)
    return value


def near(found: Any, colour: tuple[float, ...], by: int = 6) -> bool:
    return all(abs(a - b) <= by for a, b in zip(found, colour, strict=False))


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
