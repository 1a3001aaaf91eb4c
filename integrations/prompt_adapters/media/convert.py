"""Changing media so that a target takes them: images by Pillow, text documents by their label.

Only what a limit asks for is done, and what nothing asks for keeps its bytes. A picture is decoded only when it has no
more pixels than Pillow's own guard against decompression bombs allows (``PIL.Image.MAX_IMAGE_PIXELS``).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from importlib import import_module
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from prompt_adapters.content.source import Inline
from prompt_adapters.media.header import image_size, is_animated, orientation
from prompt_adapters.media.rules import HEIF, counted_size, takes
from prompt_adapters.targets.limits import Limits

if TYPE_CHECKING:
    from PIL.Image import Image as PILImage

_FORMATS = {"image/png": "PNG", "image/jpeg": "JPEG", "image/webp": "WEBP"}
_PHOTOS = frozenset({"image/jpeg", "image/avif", "image/jp2", "image/jxl"}) | HEIF
_OTHER_COLORS = frozenset({"CMYK", "YCbCr", "LAB", "HSV"})
_QUALITY = 92
_QUALITIES = (85, 70, 55)
_SHRINK = 0.8
_SMALLEST_SIDE = 32
# Text in other clothes: sent as plain text, nothing of it changes.
_TEXTUAL = frozenset({"application/json", "application/xml"})

Converted = tuple[Inline, tuple[str, ...]]


def convert_document(inline: Inline, limits: Limits) -> Converted:
    """A text document as plain text, for a target that knows text by that type only."""
    textual = inline.mime.startswith("text/") or inline.mime in _TEXTUAL
    types = limits.document_types
    if not textual or types is None or takes(types, inline.mime) or not takes(types, "text/plain"):
        return inline, ()
    note = f"the document is sent as text/plain, since {limits.name} does not know {inline.mime}"
    return Inline(inline.data, "text/plain"), (note,)


def turn_image(inline: Inline) -> Converted:
    """A picture made upright, where its EXIF data say that it is not."""
    return _changed(inline, Limits("", ""), None) if orientation(inline) != 1 else (inline, ())


def convert_image(inline: Inline, limits: Limits, max_side: int | None) -> Converted:
    """A picture as the target takes it, and what was changed.

    Args:
        inline: The picture.
        limits: The target's limits.
        max_side: The longest side that it takes, in pixels.

    Returns:
        The picture and one sentence a change; the very picture where nothing has to change, and where it cannot be
        decoded or made to fit, which is for the caller to refuse.
    """
    if not limits.image_types and limits.image_types is not None:
        return inline, ()
    size = image_size(inline)
    fits = (
        takes(limits.image_types, inline.mime)
        and orientation(inline) == 1
        and not (inline.mime in limits.still_types and is_animated(inline))
        and not (max_side is not None and size is not None and max(size) > max_side)
        and not _too_heavy(inline, limits)
    )
    return (inline, ()) if fits else _changed(inline, limits, max_side)


class _Picture(NamedTuple):
    """A decoded picture: upright, in one of the modes L, LA, RGB and RGBA."""

    pixels: PILImage
    turned: int
    profile: bytes | None

    @property
    def opaque(self) -> bool:
        return self.pixels.mode in ("L", "RGB")


def _changed(inline: Inline, limits: Limits, max_side: int | None) -> Converted:
    picture = _decoded(inline)
    mime = None if picture is None else _target_type(inline, picture, limits)
    if picture is None or mime is None:
        return inline, ()
    said: list[str] = []
    if is_animated(inline):
        said.append("reduced to the first of its frames")
    if picture.turned != 1:
        said.append(f"turned upright (EXIF orientation {picture.turned})")
    width, height = picture.pixels.size
    if max_side is not None and max(width, height) > max_side:
        picture = _scaled(picture, max_side / max(width, height))
        new = "{} x {}".format(*picture.pixels.size)
        said.append(f"scaled from {width} x {height} to {new} pixels ({limits.name} takes sides of {max_side})")
    if mime != inline.mime:
        why = "" if takes(limits.image_types, inline.mime) else f", which {limits.name} does not take,"
        said.append(f"converted from {inline.mime}{why} to {mime}")
    result = Inline(_written(picture, mime, _QUALITY), mime)
    if _too_heavy(result, limits):
        smaller = _squeezed(picture, mime, limits)
        if smaller is None:
            return inline, ()
        result, pixels = smaller
        said.append(
            f"compressed from {len(inline.data)} to {len(result.data)} bytes, {pixels[0]} x {pixels[1]} pixels as "
            f"{result.mime} ({limits.name} takes {limits.max_image_bytes} bytes)"
        )
    return result, tuple(f"the image was {text}" for text in said)


def _too_heavy(inline: Inline, limits: Limits) -> bool:
    return limits.max_image_bytes is not None and counted_size(inline, limits) > limits.max_image_bytes


def _target_type(inline: Inline, picture: _Picture, limits: Limits) -> str | None:
    """The type to write: its own where that serves, else JPEG for opaque photos and PNG for the rest."""
    own = (inline.mime,) if inline.mime in _FORMATS else ()
    wanted = ("image/jpeg", "image/png") if picture.opaque and inline.mime in _PHOTOS else ("image/png", "image/webp")
    last = ("image/jpeg",) if picture.opaque else ()
    return next((mime for mime in (*own, *wanted, *last) if takes(limits.image_types, mime)), None)


def _decoded(inline: Inline) -> _Picture | None:
    """The picture, or None where it has too many pixels or Pillow cannot read it."""
    from PIL import Image, ImageOps

    most = Image.MAX_IMAGE_PIXELS
    size = image_size(inline)
    if size is not None and most is not None and size[0] * size[1] > most:
        return None
    if inline.mime in HEIF:
        _register_heif()
    try:
        with Image.open(BytesIO(inline.data)) as opened:
            if most is not None and opened.width * opened.height > most:
                return None
            opened.load()
            turned = orientation(inline)
            profile = None if opened.mode in _OTHER_COLORS else opened.info.get("icc_profile")
            return _Picture(_plain_mode(ImageOps.exif_transpose(opened)), turned, profile)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        return None
    except (OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError, struct.error):
        return None  # what Pillow's readers raise on files that they do not know or that are broken


def _register_heif() -> None:
    try:
        import_module("pillow_heif").register_heif_opener()
    except ImportError:
        return  # then Pillow cannot read it, and the picture is refused with a remedy that names the extra


def _plain_mode(pixels: PILImage) -> PILImage:
    if pixels.mode.startswith("I"):  # 16 bits a pixel, which convert() would clip instead of scaling
        return pixels.point(lambda value: value * (1 / 257)).convert("L")
    if "transparency" in pixels.info or pixels.mode in ("PA", "RGBa", "La", "LA", "RGBA"):
        return pixels if pixels.mode in ("LA", "RGBA") else pixels.convert("RGBA")
    if pixels.mode in ("1", "L"):
        return pixels.convert("L")
    return pixels if pixels.mode == "RGB" else pixels.convert("RGB")


def _scaled(picture: _Picture, factor: float) -> _Picture:
    from PIL import Image

    width, height = (max(1, int(side * factor)) for side in picture.pixels.size)
    return picture._replace(pixels=picture.pixels.resize((width, height), Image.Resampling.LANCZOS))


def _written(picture: _Picture, mime: str, quality: int) -> bytes:
    buffer = BytesIO()
    pixels = picture.pixels.copy()
    pixels.info.clear()  # what the file said of itself (comments, transparency, EXIF) no longer holds
    options: dict[str, Any] = {"icc_profile": picture.profile} if picture.profile else {}
    if mime != "image/png":
        options["quality"] = quality
    pixels.save(buffer, _FORMATS[mime], **options)
    return buffer.getvalue()


def _squeezed(picture: _Picture, mime: str, limits: Limits) -> tuple[Inline, tuple[int, int]] | None:
    """The picture within the limit of bytes, at the best quality and then the largest size that gets there."""
    lossy = "image/jpeg" if picture.opaque else "image/webp"
    kind = lossy if takes(limits.image_types, lossy) else mime
    for smaller in _ever_smaller(picture):
        for quality in _QUALITIES if kind != "image/png" else _QUALITIES[:1]:
            result = Inline(_written(smaller, kind, quality), kind)
            if not _too_heavy(result, limits):
                return result, smaller.pixels.size
    return None


def _ever_smaller(picture: _Picture) -> Iterator[_Picture]:
    factor = 1.0
    while min(picture.pixels.size) * factor >= _SMALLEST_SIDE or factor == 1.0:
        yield picture if factor == 1.0 else _scaled(picture, factor)
        factor *= _SHRINK
