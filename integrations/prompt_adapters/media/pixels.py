"""Pictures as pixels: upright, 8 bits a channel, in sRGB, no larger than a target takes.

Each is opened by the reader of its own type, so no other reader is ever tried, nothing is registered with Pillow and
none of its settings is touched: what may be decoded is decided here, from the header, for every call by itself.

Memory: a picture is held once while it is decoded (4 bytes a pixel, 1 for a grey one), and beside it only what the
next step makes of it; each step lets go of what it was given.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from io import BytesIO
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from prompt_adapters.content.source import Inline
from prompt_adapters.media.colours import eight_bits, in_srgb
from prompt_adapters.media.header import (
    exif_of,
    image_size,
    is_animated,
    jpeg_exif,
    orientation,
    png_chunks,
    png_in_icon,
)
from prompt_adapters.media.rules import HEIF, Bounds, Refusal, too_few_bytes, too_many_pixels
from prompt_adapters.media.tiff import orientation_in, tags, without_broken_fields

if TYPE_CHECKING:
    from PIL.Image import Image as PILImage
    from PIL.ImageFile import ImageFile

# The readers, by module and class; those of HEIC come with pillow-heif.
_READERS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "image/jpeg": ("PIL.JpegImagePlugin", "JpegImageFile"),
        "image/png": ("PIL.PngImagePlugin", "PngImageFile"),
        "image/gif": ("PIL.GifImagePlugin", "GifImageFile"),
        "image/webp": ("PIL.WebPImagePlugin", "WebPImageFile"),
        "image/avif": ("PIL.AvifImagePlugin", "AvifImageFile"),
        "image/tiff": ("PIL.TiffImagePlugin", "TiffImageFile"),
        "image/bmp": ("PIL.BmpImagePlugin", "BmpImageFile"),
        "image/x-icon": ("PIL.IcoImagePlugin", "IcoImageFile"),
        "image/jp2": ("PIL.Jpeg2KImagePlugin", "Jpeg2KImageFile"),
        "image/heic": ("pillow_heif", "HeifImageFile"),
        "image/heif": ("pillow_heif", "HeifImageFile"),
    }
)
# Parts of Pillow that an installation may lack.
_FEATURES = {"image/webp": "webp", "image/avif": "avif", "image/jp2": "jpg_2000"}
# What Pillow's readers raise on files that are broken or that they do not know.
_BROKEN = (
    ArithmeticError, AttributeError, EOFError, LookupError, MemoryError, OSError, RuntimeError, SyntaxError, TypeError,
    ValueError, struct.error, zlib.error, Warning,
)  # fmt: skip
_BOXED = HEIF | {"image/avif"}
_TELLING_TEXTS = frozenset({"xmp", "XML:com.adobe.xmp", "Raw profile type exif"})
# EXIF fields that tell of the camera, the place or the person: description, make, model, software, date, artist,
# copyright, and the further directories of EXIF and GPS.
_TELLING = frozenset({270, 271, 272, 305, 306, 315, 33432, 34665, 34853})
_REDUCING_GAP = 3
_MOST_PROFILE = 4_000_000  # bytes; those of printing presses have up to three million
_DRAFT_GAP = 2


class Undecodable(Exception):  # noqa: N818 - it says what the picture is
    """A picture of which no pixels can be had; never leaves this room.

    Args:
        refusal: Why, and what to do instead.
    """

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


class Picture(NamedTuple):
    """A decoded picture, upright.

    Attributes:
        pixels: Its pixels, in one of the modes L, LA, RGB and RGBA.
        profile: A colour profile that could not be applied and so still belongs to it.
        sampling: How a JPEG stores its colours: 0 in full, 1 in half, 2 in a quarter.
        said: What was changed, in words that follow "the image was".
    """

    pixels: PILImage
    profile: bytes | None
    sampling: int
    said: tuple[str, ...]

    @property
    def opaque(self) -> bool:
        """Whether there is no transparency."""
        return self.pixels.mode in ("L", "RGB")


def decode(inline: Inline, bounds: Bounds) -> Picture:
    """The pixels of a picture, no larger than its bounds.

    Raises:
        Undecodable: It has too many pixels, cannot be read, or needs a library that is not installed.
    """
    if (size := image_size(inline)) is not None:
        _check_size(inline, size)
    opened = _opened(inline)
    _check_size(inline, opened.size)
    with _broken_files_told(inline.mime):
        return _decoded(opened, inline, bounds)


def _check_size(inline: Inline, size: tuple[int, int]) -> None:
    refusal = too_many_pixels(inline.mime, size) or too_few_bytes(inline, size)
    if refusal is not None:
        raise Undecodable(refusal)


def _opened(inline: Inline) -> ImageFile:
    if inline.mime == "image/x-icon" and (picture := png_in_icon(inline.data)):
        return _opened(Inline(picture, "image/png"))
    if (reader := _READERS.get(inline.mime)) is None:
        raise Undecodable(Refusal(f"{inline.mime} cannot be converted", "convert it to image/png or image/jpeg"))
    try:
        module = import_module(reader[0])
        if inline.mime in _FEATURES and not import_module("PIL.features").check(_FEATURES[inline.mime]):
            raise ImportError
    except ImportError:
        raise Undecodable(_not_installed(inline.mime)) from None
    with _broken_files_told(inline.mime):
        opened: ImageFile = getattr(module, reader[1])(BytesIO(_readable(inline)))
    return opened


def _readable(inline: Inline) -> bytes:
    """The file, without what its reader would warn of: broken fields of a TIFF, EXIF of a JPEG, counts of frames."""
    match inline.mime:
        case "image/tiff":
            return without_broken_fields(inline.data)
        case "image/jpeg":
            return _written_over(inline.data, {at: b"\0" for at, _ in jpeg_exif(inline.data)})
        case "image/png":
            changes = {}
            for kind, at, end in png_chunks(inline.data):
                if kind == b"acTL":  # a name that nobody knows, and the checksum that belongs to it
                    hidden = b"acTz" + inline.data[at : end - 4]
                    changes[at - 4] = hidden + zlib.crc32(hidden).to_bytes(4, "big")
            return _written_over(inline.data, changes)
    return inline.data


def _written_over(data: bytes, changes: Mapping[int, bytes]) -> bytes:
    if not changes:
        return data
    changed = bytearray(data)
    for at, new in changes.items():
        changed[at : at + len(new)] = new
    return bytes(changed[: len(data)])


def _not_installed(mime: str) -> Refusal:
    if mime in HEIF:
        install = "pip install 'prompt-adapters[heif]'"
        return Refusal(f"{mime} is converted by pillow-heif, which is not installed", f"run {install}, or convert it")
    reason = f"this installation of Pillow cannot read {mime}"
    return Refusal(reason, "run pip install --upgrade 'pillow>=11.3', or convert it to image/png or image/jpeg")


@contextmanager
def _broken_files_told(mime: str) -> Iterator[None]:
    """What the readers raise, as a refusal."""
    from PIL.Image import DecompressionBombError

    try:
        yield
    except (DecompressionBombError, *_BROKEN) as error:
        told = " ".join(str(error).split())[:120] or type(error).__name__
        refusal = Refusal(f"it cannot be read as {mime} ({told})", "check that the file is whole and opens in a viewer")
        raise Undecodable(refusal) from None


def _decoded(opened: ImageFile, inline: Inline, bounds: Bounds) -> Picture:
    said = ["reduced to the first of its frames"] if is_animated(inline) else []
    full, target = opened.size, bounds.within(opened.size)
    if inline.mime == "image/jpeg" and target != full:
        _read_smaller(opened, target)
    opened.load()
    turned = _still_turned(opened, inline)
    profile, metadata, sampling = opened.info.get("icc_profile"), _metadata(opened, inline), _sampling(opened)
    if profile and len(profile) > _MOST_PROFILE:
        said.append(f"stripped of its colour profile, which has {len(profile)} bytes")
        profile = None
    pixels, more = eight_bits(opened, inline)
    said += more
    if (was := orientation(inline) if turned == 1 else turned) != 1:
        said.append(f"turned upright (EXIF orientation {was})")
    if target != full:
        # Turned pictures are told as they are seen.
        old, new = (f"{w} x {h}" if was < 5 else f"{h} x {w}" for w, h in (full, target))
        said.append(f"scaled from {old} to {new} pixels ({bounds.sides_word})")
        pixels = resized(pixels, target)
    pixels = _upright(pixels, turned)
    pixels, profile, more = in_srgb(pixels, profile)
    said += more
    if metadata:
        said.append("stripped of its EXIF and XMP data")
    return Picture(pixels, profile, sampling, tuple(said))


def _read_smaller(opened: ImageFile, target: tuple[int, int]) -> None:
    """Let the JPEG reader skip detail that scaling would remove: twice the target's size is left of it."""
    opened.draft(None, (max(1, target[0] * _DRAFT_GAP), max(1, target[1] * _DRAFT_GAP)))


def _exif(opened: ImageFile, inline: Inline) -> bytes | None:
    """EXIF data as they stand in the file; Pillow's own reader of them warns where they are broken."""
    if inline.mime not in _BOXED:
        return exif_of(inline)
    found = opened.info.get("exif")
    return found.removeprefix(b"Exif\0\0") if isinstance(found, bytes) else None


def _still_turned(opened: ImageFile, inline: Inline) -> int:
    """The orientation that the pixels still need: readers of TIFF and HEIC turn them, those of AVIF say it as EXIF."""
    exif = None if inline.mime == "image/tiff" else _exif(opened, inline)
    return orientation_in(exif) if exif else 1


def _metadata(opened: ImageFile, inline: Inline) -> bool:
    """Whether the file tells more of itself than its pixels, as where a photo was taken."""
    exif = _exif(opened, inline)
    return bool(exif and _TELLING & tags(exif)) or bool(_TELLING_TEXTS & opened.info.keys())


def _sampling(opened: ImageFile) -> int:
    """How the file stores its colours; the newer formats nearly always at a quarter of the pixels."""
    if opened.format in ("HEIF", "AVIF"):
        return 2
    if opened.format != "JPEG" or opened.mode == "CMYK":
        return 0
    found: int = import_module("PIL.JpegImagePlugin").get_sampling(opened)
    return max(found, 0)


def _upright(pixels: PILImage, turned: int) -> PILImage:
    from PIL.Image import Transpose

    method = {
        2: Transpose.FLIP_LEFT_RIGHT,
        3: Transpose.ROTATE_180,
        4: Transpose.FLIP_TOP_BOTTOM,
        5: Transpose.TRANSPOSE,
        6: Transpose.ROTATE_270,
        7: Transpose.TRANSVERSE,
        8: Transpose.ROTATE_90,
    }.get(turned)
    return pixels if method is None else instead(pixels, pixels.transpose(method))


def instead(old: PILImage, new: PILImage) -> PILImage:
    """The new picture; the memory of the old one is given back."""
    if new is not old:
        old.close()
    return new


def resized(pixels: PILImage, size: tuple[int, int], *, keep: bool = False) -> PILImage:
    """A picture scaled down, by averaging whole blocks first where it becomes much smaller, then by a Lanczos filter.

    The filter runs over the rows and then over the columns, and what it read is given back in between: the pixels, what
    they become and what lies between are never held together.

    Args:
        pixels: The picture.
        size: The new width and height.
        keep: Whether the picture is needed afterwards.
    """
    from PIL.Image import Resampling

    mode, held = pixels.mode, pixels if keep else None

    def after(old: PILImage, new: PILImage) -> PILImage:
        return new if old is held else instead(old, new)

    if mode in ("LA", "RGBA"):  # colours count as much as they are seen
        pixels = after(pixels, pixels.convert("La" if mode == "LA" else "RGBa"))
    blocks = tuple(max(1, math.floor(old / new / _REDUCING_GAP)) for old, new in zip(pixels.size, size, strict=True))
    if blocks != (1, 1):
        pixels = after(pixels, pixels.reduce((blocks[0], blocks[1])))
    pixels = after(pixels, pixels.resize((size[0], pixels.height), Resampling.LANCZOS))
    pixels = after(pixels, pixels.resize(size, Resampling.LANCZOS))
    return after(pixels, pixels.convert(mode)) if pixels.mode != mode else pixels
