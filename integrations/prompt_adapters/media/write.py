"""Pixels become a file again: as gently as the target's limit on bytes allows.

The steps, the gentlest first; the first that fits is taken:

==========================  ========================================================================================
drawings and transparency   PNG, then the same in WebP without loss, where that is taken
photos                      JPEG (WebP where that was the file's type, or for transparency), in falling quality
any                         the last of these on ever fewer pixels
==========================  ========================================================================================

Quality falls only as far as the picture stays alike: `likeness` (SSIM) on a sample of it is at least 0.97. What is
still too heavy then loses pixels rather than quality, since a model sees a smaller picture better than a smeared one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from prompt_adapters.content.source import Inline
from prompt_adapters.media.header import is_lossless_webp
from prompt_adapters.media.likeness import likeness, png_density, sample
from prompt_adapters.media.pixels import Picture, resized
from prompt_adapters.media.rules import Bounds, takes_image
from prompt_adapters.targets.limits import Limits

if TYPE_CHECKING:
    from PIL.Image import Image as PILImage

PNG, JPEG, WEBP = "image/png", "image/jpeg", "image/webp"
# The longest side that a format can hold: JPEG as libjpeg is built, WebP by its 14 bits.
_LONGEST = {PNG: 2**31 - 1, JPEG: 65_500, WEBP: 16_383}
_QUALITIES = (95, 90, 85, 80, 75)
_ALIKE = 0.97
# Where bytes do not matter yet, nothing is lost.
_SMALL, _SMALL_QUALITY = 1_000_000, 100
_QUARTER = 2  # JPEG that stores colours at a quarter of the pixels, which photos do not show
# What a photo needs in PNG is half a byte to three quarters a value, what is drawn or typeset less than a fifth.
_DRAWN = 1 / 3
# What full effort may leave of a PNG's bytes as estimated, and WebP without loss of them: no attempt is made beyond.
_PNG_SAVES, _WEBP_SAVES = 0.6, 0.35
_SMALLEST_SIDE = 32
_MARGIN = 0.97
# How often sides that became too short are made longer again, and how much longer they must become for that.
_MORE_TRIES, _WORTH = 2, 1.1
_HOPELESS = 2.0  # no file is written of which a sample says that it weighs so many times too much


class Written(NamedTuple):
    """A picture as a file.

    Attributes:
        inline: The file.
        size: Its width and height.
        squeezed: Whether it had to lose quality or pixels for the limit on bytes.
    """

    inline: Inline
    size: tuple[int, int]
    squeezed: bool


class _Way(NamedTuple):
    """A format, and its quality; None for without loss."""

    mime: str
    quality: int | None


def keeps_transparency(picture: Picture, limits: Limits) -> bool:
    """Whether the target takes a format in which a picture keeps its transparency."""
    return any(_can_be(mime, picture, limits) for mime in (PNG, WEBP))


def written(picture: Picture, own: Inline, limits: Limits, bounds: Bounds) -> Written | None:
    """The picture as a file within the bounds; None where no format that the target takes gets there.

    Args:
        picture: The picture, without transparency where no format that the target takes has any.
        own: The file that it is from, whose type it keeps where that serves.
        limits: What the target takes.
        bounds: How large it may be.
    """
    writer = _Writer(picture, own, limits, bounds)
    if not writer.taken:
        return None
    return writer.gently() or writer.squeezed()


def _can_be(mime: str, picture: Picture, limits: Limits) -> bool:
    fits = max(picture.pixels.size) <= _LONGEST[mime]
    return fits and takes_image(limits, mime) and (picture.opaque or mime != JPEG)


class _Writer:
    """The formats that come into question for one picture, and the attempts."""

    def __init__(self, picture: Picture, own: Inline, limits: Limits, bounds: Bounds) -> None:
        self.picture = picture
        self.bounds = bounds
        seen = sample(picture.pixels)
        density = png_density(seen)
        self.drawn = not picture.opaque or density < _DRAWN * len(seen.getbands())
        self.taken = [mime for mime in _wanted(own.mime, self.drawn) if _can_be(mime, picture, limits)]
        self.png_bytes = density * picture.pixels.width * picture.pixels.height
        self.own_is_lossless = own.mime != WEBP or is_lossless_webp(own)
        self.tried: dict[_Way, bytes] = {}

    def gently(self) -> Written | None:
        """The picture in its best format, or in another that keeps it as it is; None where they are too heavy."""
        first = self._first()
        ways = [first]
        if first.quality is None and WEBP in self.taken and first.mime == PNG:
            ways.append(_Way(WEBP, None))
        for way, saving in zip(ways, (_PNG_SAVES, _WEBP_SAVES), strict=False):
            hopeless = way.quality is None and self.png_bytes * saving > (self.bounds.max_bytes or math.inf)
            if hopeless and len(self.taken) > 1:
                continue
            data = self.tried[way] = self._bytes(self.picture.pixels, way)
            if not self.bounds.too_heavy(data):
                return Written(Inline(data, way.mime), self.picture.pixels.size, squeezed=False)
        return None

    def _first(self) -> _Way:
        mime = self.taken[0]
        small = self.picture.pixels.width * self.picture.pixels.height <= _SMALL
        if mime == PNG or (mime == WEBP and (self.own_is_lossless or small)):
            return _Way(mime, None)
        return _Way(mime, _SMALL_QUALITY if small else _QUALITIES[0])

    def squeezed(self) -> Written | None:
        """The picture with less quality, and then with fewer pixels."""
        mime, most = self._lossy(), self.bounds.max_bytes or 0
        found, weight = self._at(1.0, mime)
        factor, failed = 1.0, 1.0
        while found is None:
            failed = factor
            factor *= min(0.9, _smaller(most, weight))
            if max(self.picture.pixels.size) * factor < _SMALLEST_SIDE:
                return None
            found, weight = self._at(factor, mime)
        for _ in range(_MORE_TRIES):
            wider = min(math.sqrt(factor * failed), factor * _smaller(most, len(found.inline.data)))
            if wider < factor * _WORTH:
                break
            larger, _ = self._at(wider, mime)
            found, factor, failed = (found, factor, wider) if larger is None else (larger, wider, failed)
        return found

    def _at(self, factor: float, mime: str) -> tuple[Written | None, int]:
        """The picture on fewer pixels in the best quality that fits, if there is one, and the bytes of the last try."""
        whole = self.picture.pixels
        width, height = (max(1, int(side * factor)) for side in whole.size)
        pixels = whole if factor == 1.0 else resized(whole, (width, height), keep=True)
        weight = 0
        for quality, density in _qualities(pixels, mime):
            way = _Way(mime, quality)
            weight = int(density * width * height)
            if weight > _HOPELESS * (self.bounds.max_bytes or math.inf):
                continue
            data = (pixels is whole and self.tried.get(way)) or self._bytes(pixels, way)
            weight = len(data)
            if not self.bounds.too_heavy(data):
                return Written(Inline(data, mime), pixels.size, squeezed=True), weight
        return None, weight

    def _lossy(self) -> str:
        """The format that can lose quality; PNG, which cannot, where there is no other."""
        first = self.taken[0]
        return first if first != PNG else next((mime for mime in (JPEG, WEBP) if mime in self.taken), PNG)

    def _bytes(self, pixels: PILImage, way: _Way) -> bytes:
        quality = way.quality or 0
        coarse = quality < _QUALITIES[0] and not self.drawn
        sampling = 0 if quality > _QUALITIES[0] else _QUARTER if coarse else self.picture.sampling
        return _encoded(pixels, way, sampling, self.picture.profile)


def _smaller(most: int, weight: int) -> float:
    """How much shorter sides must be for a file to become as heavy as it may: bytes go nearly with pixels."""
    return math.sqrt(most / weight) * _MARGIN


def _wanted(own: str, drawn: bool) -> tuple[str, ...]:
    """Formats by content, the best first; the file's own goes before all, unless it cannot be written."""
    best = (PNG, WEBP, JPEG) if drawn else (JPEG, WEBP, PNG)
    return (own, *(mime for mime in best if mime != own)) if own in best else best


def _qualities(pixels: PILImage, mime: str) -> Iterator[tuple[int | None, float]]:
    """The qualities in which a picture stays alike, falling, and the bytes a pixel of each; at least the first."""
    seen = sample(pixels)
    for quality in _QUALITIES if mime != PNG else (None,):
        data = _encoded(seen, _Way(mime, quality), _QUARTER, None)
        if quality not in (None, _QUALITIES[0]) and likeness(seen, data) < _ALIKE:
            return
        yield quality, len(data) / (seen.width * seen.height)


def _encoded(pixels: PILImage, way: _Way, sampling: int, profile: bytes | None) -> bytes:
    buffer = BytesIO()
    pixels.info = {}  # what the file said of itself (comments, transparency, EXIF) no longer holds
    options: dict[str, Any] = {"icc_profile": profile} if profile else {}
    match way.mime:
        case "image/jpeg":
            options |= {"quality": way.quality, "subsampling": sampling}
        case "image/webp":
            options |= {"lossless": True, "method": 0} if way.quality is None else {"quality": way.quality}
    pixels.save(buffer, way.mime.removeprefix("image/").upper(), **options)
    return buffer.getvalue()
