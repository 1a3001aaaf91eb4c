"""What becomes of colours: every mode of pixels in 8 bits a channel, and colour profiles as sRGB."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from prompt_adapters.content.source import Inline
from prompt_adapters.media.header import channel_bits

if TYPE_CHECKING:
    from PIL.Image import Image as PILImage
    from PIL.ImageCms import ImageCmsProfile

_WHITE_16 = 65535
_KEPT = ("L", "LA", "RGB", "RGBA", "CMYK")
# By the colours that a profile describes: the mode in which it reads pixels, and the modes that may be brought to that.
_OF_PROFILES = {"GRAY": ("L", ("L", "LA")), "RGB": ("RGB", ("L", "LA", "RGB", "RGBA")), "CMYK": ("CMYK", ("CMYK",))}


def eight_bits(pixels: PILImage, inline: Inline) -> tuple[PILImage, list[str]]:
    """Pixels in one of the modes L, LA, RGB, RGBA and CMYK, and what was changed that the eye could see.

    Args:
        pixels: As they were read; they are given back to memory where others take their place.
        inline: The file that they are from.

    Raises:
        ValueError: Its numbers have no white and no black.
    """
    said = [f"reduced from {bits} to 8 bits a channel"] if (bits := channel_bits(inline)) > 8 else []
    mode = pixels.mode
    if mode == "F" or mode.startswith("I"):
        return _scaled_grey(pixels, bits), said
    if pixels.has_transparency_data and mode not in ("LA", "RGBA"):
        new = pixels.convert("LA" if mode == "La" else "RGBA")
    elif mode in _KEPT:
        return _without_full_alpha(pixels), said
    elif mode == "1":
        new = pixels.convert("L")
    else:
        new = pixels.convert("RGB")
    pixels.close()
    return _without_full_alpha(new), said


def _scaled_grey(pixels: PILImage, bits: int) -> PILImage:
    """Grey of more than 8 bits, which Pillow's own conversion would clip instead of scaling."""
    from PIL import ImageMath

    if pixels.mode == "F":
        raise ValueError("numbers with a fraction have no white and no black")
    white = 2**bits - 1 if 8 < bits < 16 else _WHITE_16
    whole = pixels.convert("I")
    transparent = pixels.info.get("transparency")
    pixels.close()
    low, high = whole.getextrema()
    if not (isinstance(low, int | float) and isinstance(high, int | float) and low >= 0 and high <= white):
        raise ValueError(f"grey values from {low} to {high} have no white and no black")
    grey = whole.point(lambda value: value * (255 / white) + 0.5).convert("L")
    if isinstance(transparent, int):
        grey.putalpha(ImageMath.lambda_eval(lambda of: of["convert"]((of["x"] != transparent) * 255, "L"), x=whole))
    whole.close()
    return grey


def _without_full_alpha(pixels: PILImage) -> PILImage:
    """Without an alpha channel that hides nothing."""
    if pixels.mode not in ("LA", "RGBA") or pixels.getextrema()[-1] != (255, 255):
        return pixels
    plain = pixels.convert(pixels.mode[:-1])
    pixels.close()
    return plain


def on_white(pixels: PILImage) -> PILImage:
    """A picture with transparency, laid on white; it is given back to memory."""
    from PIL import Image

    alpha, mode = pixels.getchannel("A"), pixels.mode[:-1]
    white = Image.new(mode, pixels.size, "white")
    white.paste(pixels.convert(mode), mask=alpha)
    pixels.close()
    return white


def in_srgb(pixels: PILImage, profile: bytes | None) -> tuple[PILImage, bytes | None, list[str]]:
    """Pixels in sRGB, the profile if it could not be applied, and what was changed.

    Args:
        pixels: In one of the modes of `eight_bits`; they are given back to memory where others take their place.
        profile: The ICC profile of the file.
    """
    from PIL import ImageCms

    is_cmyk = pixels.mode == "CMYK"
    said = ["converted from CMYK to RGB"] if is_cmyk else []
    try:
        if profile:
            source = ImageCms.ImageCmsProfile(BytesIO(profile))
            name = " ".join(ImageCms.getProfileDescription(source).split())
            if is_cmyk or "sRGB" not in name:
                pixels = _transformed(pixels, source)
                said.append(f"converted from the colours of {name!r} to sRGB")
            profile = None
    except (ImageCms.PyCMSError, ImportError, OSError, TypeError, ValueError):
        profile = None if is_cmyk else profile
    if pixels.mode == "CMYK":
        plain = pixels.convert("RGB")
        pixels.close()
        return plain, None, said
    return pixels, profile, said


def _transformed(pixels: PILImage, source: ImageCmsProfile) -> PILImage:
    """Pixels in sRGB.

    Raises:
        PyCMSError: (or another) The profile is none of such pixels.
    """
    from PIL import ImageCms

    wanted, modes = _OF_PROFILES.get(source.profile.xcolor_space.strip(), ("", ()))
    if pixels.mode not in modes:
        raise TypeError("the profile is for other pixels")
    alpha = pixels.getchannel("A") if pixels.mode in ("LA", "RGBA") else None
    colours = pixels if pixels.mode == wanted else pixels.convert(wanted)
    transform = ImageCms.buildTransform(source, ImageCms.createProfile("sRGB"), wanted, "RGB")
    new = ImageCms.applyTransform(colours, transform, inPlace=wanted == "RGB") or colours
    if alpha is not None:
        new.putalpha(alpha)
    for old in {id(item): item for item in (pixels, colours) if item is not new}.values():
        old.close()
    return new
