"""What a target refuses, as questions to one media part: each answers with the reason and the remedy, or with None.

The same rules say what has to be converted and, afterwards, what is still to be refused.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, assert_never

from prompt_adapters.content.parts import Audio, Document, Image, MediaPart, Video
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.media.header import channel_bits, image_size, is_animated, page_count

if TYPE_CHECKING:
    from prompt_adapters.targets.limits import Limits

# What Pillow reads only with the help of pillow-heif.
HEIF = frozenset({"image/heic", "image/heif"})
SVG = "image/svg+xml"
# Text under another label, besides the types that begin with "text/".
_TEXTUAL = frozenset({"application/json", "application/xml"})
# What nearly everybody takes, and so what pictures become for a target whose types are not documented.
COMMON_IMAGES = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})
# What is decoded at most: where Pillow itself refuses to. JPEG cannot pack as much into few bytes as other types.
MAX_PIXELS = 178_956_970
MAX_JPEG_PIXELS = 2**28
# An icon has no more by far, and its pictures say so only once they are opened.
MAX_ICON_PIXELS = 2**24
# Beyond so many pixels a picture must have a byte for so many of them: what is photographed has one for each ten, what
# is drawn one for each fifty, a page of one colour in PNG one for 350, and what was made to fill the memory one for
# thousands. The second is where Pillow warns of a bomb.
_PIXELS_A_BYTE = ((25_000_000, 500), (89_478_485, 150))
# What is held several times while it is decoded.
_COSTLY = frozenset({"image/webp", "image/avif", "image/heic", "image/heif", "image/jp2"})
# Pixels that a progressive JPEG may paint, all its passes taken together.
_MOST_PAINTED = 2**32
# Who reads links that the others do not.
_READERS = {"gs": "Gemini on Vertex AI reads gs://", "s3": "Bedrock reads s3://"}


class Refusal(NamedTuple):
    """Why a target cannot take a part, and what to do instead; `too_large` where a number exceeds a limit."""

    reason: str
    remedy: str
    too_large: bool = False


class Bounds(NamedTuple):
    """How large one picture of a request may be.

    Attributes:
        max_side: Its longer side, in pixels.
        max_pixels: Its pixels.
        max_bytes: The bytes of its file.
        sides_word: Whose limit on sides or pixels that is, as ``"T takes sides of at most 100"``.
        bytes_word: Whose limit on bytes.
    """

    max_side: int | None = None
    max_pixels: int | None = None
    max_bytes: int | None = None
    sides_word: str = ""
    bytes_word: str = ""

    def within(self, size: tuple[int, int]) -> tuple[int, int]:
        """The largest size of the same shape within the bounds."""
        factor = 1.0
        if self.max_side is not None:
            factor = min(factor, self.max_side / max(size))
        if self.max_pixels is not None:
            factor = min(factor, math.sqrt(self.max_pixels / (size[0] * size[1])))
        if factor == 1.0:
            return size
        return max(1, int(size[0] * factor + 1e-6)), max(1, int(size[1] * factor + 1e-6))

    def too_heavy(self, data: bytes) -> bool:
        """Whether a file has too many bytes."""
        return self.max_bytes is not None and len(data) > self.max_bytes


def bounds_of(limits: Limits, *, many: bool = False) -> Bounds:
    """The bounds that a target's limits set.

    Args:
        limits: The limits.
        many: Whether the request holds so many images that each must be smaller.
    """
    side = limits.max_side_many if many and limits.max_side_many is not None else limits.max_side
    sides = [f"sides of at most {side}"] if side is not None else []
    sides += [f"at most {limits.max_pixels} pixels"] if limits.max_pixels is not None else []
    in_base64 = limits.image_bytes_counted == "base64"
    most = limits.max_image_bytes
    return Bounds(
        side,
        limits.max_pixels,
        most // 4 * 3 if in_base64 and most is not None else most,
        f"{limits.name} takes {' and '.join(sides)}",
        f"{limits.name} takes {most} bytes{' as base64' if in_base64 else ''}",
    )


def too_many_pixels(mime: str, size: tuple[int, int]) -> Refusal | None:
    """Why a picture of this size is never decoded, if it is not: such a file is small and fills the memory."""
    most = {"image/jpeg": MAX_JPEG_PIXELS, "image/x-icon": min(MAX_ICON_PIXELS, MAX_PIXELS)}.get(mime, MAX_PIXELS)
    if size[0] * size[1] <= most:
        return None
    reason = f"it has {size[0]} x {size[1]} pixels, and no more than {most} are ever decoded"
    return Refusal(reason, "scale it down", too_large=True)


def too_few_bytes(inline: Inline, size: tuple[int, int]) -> Refusal | None:
    """Why a large picture is not decoded whose file is too small to hold what is worth it, if it is not."""
    pixels, weight = size[0] * size[1], len(inline.data)
    for unsuspected, most in _PIXELS_A_BYTE if not _is_grey(inline) else ():
        if pixels > max(unsuspected // (4 if inline.mime in _COSTLY else 1), weight * most):
            reason = f"its {size[0]} x {size[1]} pixels have {weight} bytes, and at most {most} a byte are decoded"
            return Refusal(reason, "scale it down", too_large=True)
    if inline.mime == "image/jpeg" and (passes := inline.data.count(b"\xff\xda")) * pixels > _MOST_PAINTED:
        reason = (
            f"its {size[0]} x {size[1]} pixels come in {passes} passes, and no more than {_MOST_PAINTED} are painted"
        )
        return Refusal(reason, "save it anew", too_large=True)
    return None


def _is_grey(inline: Inline) -> bool:
    """Whether its pixels take a byte each and no more: scans in black and white pack well, and are no bombs."""
    if inline.mime == "image/tiff":
        return channel_bits(inline) == 1
    return inline.mime == "image/png" and inline.data[25:26] == b"\0"


def is_textual(mime: str) -> bool:
    """Whether a document of this type is text, which can be sent as plain text without a change."""
    return mime.startswith("text/") or mime in _TEXTUAL


def takes_image(limits: Limits, mime: str) -> bool:
    """Whether a target takes pictures of a type; where its types are not documented, what nearly everybody takes."""
    return takes(COMMON_IMAGES if limits.image_types is None else limits.image_types, mime)


def takes(types: frozenset[str] | None, mime: str) -> bool:
    """Whether a type is among those that a target takes; ``text/*`` stands for a family, None for anything."""
    return types is None or mime in types or f"{mime.partition('/')[0]}/*" in types


def types_of(part: MediaPart, limits: Limits) -> frozenset[str] | None:
    """The types that a target takes of this kind of part."""
    match part:
        case Image():
            return limits.image_types
        case Audio():
            return limits.audio_types
        case Video():
            return limits.video_types
        case Document():
            return limits.document_types
        case _:
            assert_never(part)


def base64_size(data: bytes) -> int:
    """The length of the base64 text of bytes, without making it."""
    return (len(data) + 2) // 3 * 4


def counted_size(inline: Inline, limits: Limits) -> int:
    """The size of an image as the target's limit counts it."""
    return base64_size(inline.data) if limits.image_bytes_counted == "base64" else len(inline.data)


def refusal(part: MediaPart, limits: Limits, bounds: Bounds) -> Refusal | None:
    """The first reason why a target cannot take a part, if there is one.

    Args:
        part: The part.
        limits: The target's limits.
        bounds: How large an image may be, given how many there are.
    """
    if (types := types_of(part, limits)) is not None and not types:
        return Refusal(f"{limits.name} takes no {part.kind}", f"leave it out, or choose a model that takes {part.kind}")
    match part.source:
        case Inline():
            return _inline_refusal(part, part.source, limits, bounds)
        case Link():
            return _link_refusal(part.source, limits)
        case Uploaded():
            return None
        case _:
            assert_never(part.source)


def _inline_refusal(part: MediaPart, inline: Inline, limits: Limits, bounds: Bounds) -> Refusal | None:
    types = types_of(part, limits)
    if inline.mime == SVG and not (types is not None and takes(types, SVG)):
        return Refusal(
            "an SVG is a text that draws, and no model sees it", "export it as PNG, or send its text as text"
        )
    if (several := several_pages(inline)) is not None:
        return several
    if types is not None and not takes(types, inline.mime):
        return Refusal(f"{limits.name} takes {listed(types)}", _other_type(part, inline.mime, types))
    match part:
        case Image():
            return _image_refusal(inline, limits, bounds)
        case Audio():
            return _too_many_bytes(len(inline.data), limits.max_audio_bytes, limits)
        case Video():
            return _too_many_bytes(base64_size(inline.data), limits.max_video_bytes, limits, " as base64")
        case Document():
            return _too_many_bytes(len(inline.data), limits.max_document_bytes, limits)
        case _:
            assert_never(part)


def _other_type(part: MediaPart, mime: str, types: frozenset[str]) -> str:
    remedy = f"convert it to {listed(types, ' or ')}"
    return f"{remedy}, or send its text as text" if isinstance(part, Document) and is_textual(mime) else remedy


def _image_refusal(inline: Inline, limits: Limits, bounds: Bounds) -> Refusal | None:
    if inline.mime in limits.still_types and is_animated(inline):
        return Refusal(f"{limits.name} takes no animated {inline.mime}", "give one frame of it, as a PNG")
    if (size := image_size(inline)) is not None:
        if bounds.within(size) != size:
            reason = f"it has {size[0]} x {size[1]} pixels and {bounds.sides_word}"
            return Refusal(reason, "scale it down", too_large=True)
        if (bomb := too_many_pixels(inline.mime, size)) is not None:
            return bomb
    how = " as base64" if limits.image_bytes_counted == "base64" else ""
    return _too_many_bytes(counted_size(inline, limits), limits.max_image_bytes, limits, how)


def several_pages(inline: Inline) -> Refusal | None:
    """Why a picture of several pages is not taken, if it is one: each page but the first would be lost."""
    if (count := page_count(inline)) == 1:
        return None
    return Refusal(f"it has {count} pages", "give each page as an image of its own, or all as a PDF document")


def _too_many_bytes(size: int, limit: int | None, limits: Limits, how: str = "") -> Refusal | None:
    if limit is None or size <= limit:
        return None
    return Refusal(
        f"it has {size} bytes{how} and {limits.name} takes at most {limit}", "make it smaller", too_large=True
    )


def _link_refusal(link: Link, limits: Limits) -> Refusal | None:
    if limits.links is None or link.scheme in limits.links:
        return None
    reads = f"reads {listed(limits.links)} links only" if limits.links else "reads no links"
    reader = f" ({_READERS[link.scheme]})" if link.scheme in _READERS else ""
    return Refusal(f"{limits.name} {reads}", f"give the file or its bytes instead{reader}")


def listed(names: frozenset[str], last: str = " and ") -> str:
    """Names in a sentence, in a stable order."""
    *most, end = sorted("text of any kind" if name == "text/*" else name for name in names)
    return f"{', '.join(most)}{last}{end}" if most else end
