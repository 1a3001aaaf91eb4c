import subprocess
import sys
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from PIL import Image as Pillow

from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Image
from prompt_adapters.content.source import Inline
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.media.convert import convert_image, turn_image
from prompt_adapters.media.fit import fit_messages
from prompt_adapters.media.header import image_size, orientation
from prompt_adapters.targets import Limits, route

WEB_TYPES = frozenset({"image/png", "image/jpeg", "image/webp"})
WEB = Limits("T", "", image_types=WEB_TYPES)


def inline(data: bytes, kind: str) -> Inline:
    return Inline(data, f"image/{kind.lower()}")


def opened(source: Inline) -> Pillow.Image:
    with Pillow.open(BytesIO(source.data)) as read:
        read.load()
        assert read.format == source.mime.removeprefix("image/").upper()
        return read


def near(pixel: Any, colour: tuple[int, ...], by: int = 40) -> bool:
    return all(abs(a - b) <= by for a, b in zip(pixel, colour, strict=False))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_what_fits_keeps_its_bytes(picture: Callable[..., bytes], kind: str) -> None:
    source = inline(picture(kind), kind)
    assert convert_image(source, WEB, 100) == (source, ())
    assert convert_image(source, WEB, 100)[0] is source
    assert turn_image(source)[0] is source


@pytest.mark.parametrize("value", range(2, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_pictures_are_made_upright(turned: Callable[[str, int], bytes], kind: str, value: int) -> None:
    source = inline(turned(kind, value), kind)
    for result, notes in (convert_image(source, WEB, None), turn_image(source)):
        assert notes == (f"the image was turned upright (EXIF orientation {value})",)
        upright = opened(result)
        assert upright.size == (64, 32)
        assert upright.getexif().get(0x0112, 1) == 1
        assert orientation(result) == 1
        assert near(upright.convert("RGB").getpixel((8, 8)), (255, 0, 0))
        assert near(upright.convert("RGB").getpixel((56, 24)), (255, 255, 255))


@pytest.mark.parametrize("on_limit", ["convert", "error"])
def test_orientation_is_applied_whatever_the_limits(turned: Callable[[str, int], bytes], on_limit: Any) -> None:
    messages = (Message("user", [Image(turned("JPEG", 6))]),)
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
        ("AVIF", "RGB", "image/jpeg"),
        ("AVIF", "RGBA", "image/png"),
        ("JPEG2000", "RGB", "image/jpeg"),
        ("TIFF", "RGB", "image/png"),
        ("TIFF", "CMYK", "image/png"),
        ("BMP", "RGB", "image/png"),
        ("GIF", "P", "image/png"),
        ("ICO", "RGBA", "image/png"),
    ],
)
def test_types_that_the_target_does_not_take_are_converted(
    picture: Callable[..., bytes], kind: str, mode: str, mime: str
) -> None:
    source = Image(picture(kind, (32, 32), mode)).source
    assert isinstance(source, Inline)
    result, notes = convert_image(source, WEB, None)
    assert result.mime == mime
    assert notes == (f"the image was converted from {source.mime}, which T does not take, to {mime}",)
    assert near(opened(result).convert("RGB").getpixel((4, 4)), (255, 0, 0))


@pytest.mark.parametrize(
    ("taken", "mode", "mime"),
    [
        ({"image/webp"}, "RGB", "image/webp"),
        ({"image/jpeg"}, "RGB", "image/jpeg"),
        ({"image/webp", "image/jpeg"}, "RGBA", "image/webp"),
    ],
)
def test_the_type_written_is_one_that_is_taken(
    picture: Callable[..., bytes], taken: set[str], mode: str, mime: str
) -> None:
    source = inline(picture("PNG", (32, 16), mode), "PNG")
    assert convert_image(source, Limits("T", "", image_types=frozenset(taken)), None)[0].mime == mime


def test_transparency_is_never_lost(picture: Callable[..., bytes]) -> None:
    source = inline(picture("PNG", (32, 16), "RGBA"), "PNG")
    limits = Limits("T", "", image_types=frozenset({"image/jpeg"}))
    assert convert_image(source, limits, None) == (source, ())
    with pytest.raises(UnsupportedContentError, match="convert it to image/jpeg"):
        fit_messages((Message("user", [Image(source)]),), limits, style="s")
    palette = Pillow.new("P", (8, 8), 1)
    palette.info["transparency"] = 1
    buffer = BytesIO()
    palette.save(buffer, "GIF", transparency=1)
    assert opened(convert_image(inline(buffer.getvalue(), "GIF"), WEB, None)[0]).mode == "RGBA"


@pytest.mark.parametrize("kind", ["GIF", "WEBP"])
def test_an_animation_becomes_its_first_frame_where_only_stills_are_taken(
    animated: Callable[[str], bytes], kind: str
) -> None:
    mime = f"image/{kind.lower()}"
    limits = Limits("T", "", image_types=WEB_TYPES | {"image/gif"}, still_types=frozenset({mime}))
    result, notes = convert_image(inline(animated(kind), kind), limits, None)
    assert notes[0] == "the image was reduced to the first of its frames"
    first = opened(result)
    assert getattr(first, "n_frames", 1) == 1
    assert near(first.convert("RGB").getpixel((5, 5)), (255, 0, 0))


def test_an_animation_stays_where_it_is_taken(animated: Callable[[str], bytes]) -> None:
    source = inline(animated("GIF"), "GIF")
    assert convert_image(source, route("claude-opus-5").limits, 8000)[0] is source
    assert convert_image(source, route("gpt-4o").limits, None)[0].mime == "image/png"
    assert convert_image(source, route("gemini-2.5-pro").limits, None)[0].mime == "image/png"


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_long_sides_are_scaled_down(picture: Callable[..., bytes], kind: str) -> None:
    source = inline(picture(kind, (300, 150)), kind)
    result, notes = convert_image(source, WEB, 100)
    assert image_size(result) == (100, 50)
    assert result.mime == source.mime
    assert notes == ("the image was scaled from 300 x 150 to 100 x 50 pixels (T takes sides of 100)",)


@pytest.mark.parametrize(("size", "scaled"), [((1000, 1), (100, 1)), ((1, 1000), (1, 100)), ((101, 101), (100, 100))])
def test_odd_shapes_are_scaled_to_a_picture(
    picture: Callable[..., bytes], size: tuple[int, int], scaled: tuple[int, int]
) -> None:
    assert image_size(convert_image(inline(picture("PNG", size), "PNG"), WEB, 100)[0]) == scaled


@pytest.mark.parametrize("counted", ["raw", "base64"])
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_too_many_bytes_are_compressed(noise: Callable[..., bytes], kind: str, counted: Any) -> None:
    source = inline(noise(kind, (300, 200)), kind)
    limits = Limits("T", "", image_types=WEB_TYPES, max_image_bytes=8_000, image_bytes_counted=counted)
    result, notes = convert_image(source, limits, None)
    assert len(result.data) <= (8_000 if counted == "raw" else 6_000)
    assert image_size(result) is not None
    assert f"compressed from {len(source.data)} to {len(result.data)} bytes" in notes[-1]
    assert "T takes 8000 bytes" in notes[-1]


def test_what_cannot_be_made_small_enough_is_refused(noise: Callable[..., bytes]) -> None:
    image = Image(noise("PNG", (200, 200)))
    limits = Limits("T", "", max_image_bytes=20)
    with pytest.raises(UnsupportedContentError, match="takes at most 20"):
        fit_messages((Message("user", [image]),), limits, style="s")


def test_cmyk_keeps_its_colour() -> None:
    buffer = BytesIO()
    Pillow.new("CMYK", (16, 16), (255, 0, 0, 0)).save(buffer, "JPEG")
    limits = Limits("T", "", image_types=frozenset({"image/png"}))
    result = convert_image(inline(buffer.getvalue(), "JPEG"), limits, None)[0]
    assert near(opened(result).getpixel((4, 4)), (0, 255, 255))


def test_sixteen_bits_are_scaled_and_not_clipped() -> None:
    buffer = BytesIO()
    Pillow.new("I;16", (16, 16), 40_000).save(buffer, "PNG")
    limits = Limits("T", "", image_types=frozenset({"image/jpeg"}))
    result = convert_image(inline(buffer.getvalue(), "PNG"), limits, None)[0]
    assert abs(opened(result).getpixel((4, 4)) - 156) <= 1  # type: ignore[operator]  # one number in mode L


def test_a_bomb_is_never_decoded(claimed_png: Callable[[int, int], bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*args: object, **kwargs: object) -> None:
        raise AssertionError("the picture was opened")

    monkeypatch.setattr(Pillow, "open", forbidden)
    bomb = inline(claimed_png(20_000, 20_000), "PNG")
    assert convert_image(bomb, WEB, 8000) == (bomb, ())


def test_a_bomb_whose_header_is_not_read_here_is_not_decoded_either(
    picture: Callable[..., bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = inline(picture("TIFF", (64, 32)), "TIFF")
    for most in (2000, 100):  # above half of it Pillow warns, above twice of it Pillow refuses
        monkeypatch.setattr(Pillow, "MAX_IMAGE_PIXELS", most)
        assert convert_image(source, WEB, None) == (source, ())


@pytest.mark.parametrize("mime", ["image/heic", "image/svg+xml", "image/jxl", "image/tiff"])
def test_what_pillow_cannot_read_is_refused_with_a_remedy(mime: str) -> None:
    image = Image(Inline(b"nothing that anybody could read, mdat", mime))
    heif = mime == "image/heic"
    with pytest.raises(UnsupportedContentError, match="convert it to image/jpeg, image/png or image/webp") as caught:
        fit_messages((Message("user", [image]),), WEB, on_limit="error", style="s")
    assert ("install 'prompt-adapters[heif]'" in str(caught.value)) is heif
    assert convert_image(Inline(b"nothing that anybody could read, mdat", mime), WEB, None)[1] == ()


def test_pillow_is_imported_only_when_something_has_to_change() -> None:
    code = """
import sys
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Image
from prompt_adapters.content.source import Inline
from prompt_adapters.media.fit import fit_messages
from prompt_adapters.targets import route
gif = Inline(bytes.fromhex("47494638396101000100800000ffffff0000002c00000000010001000002024401003b"), "image/gif")
messages = (Message("user", ["Look:", Image(gif)]),)
assert fit_messages(messages, route("claude-opus-5").limits, style="s") == (messages, ())
assert not {"PIL", "litellm", "langchain_core", "pydantic"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True)
