"""What a target refuses, as questions to one media part: each answers with the reason and the remedy, or with None.

The same rules say what has to be converted and, afterwards, what is still to be refused.
"""

from __future__ import annotations

from typing import NamedTuple, assert_never

from prompt_adapters.content.parts import Audio, Document, Image, MediaPart, Video
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.media.header import image_size, is_animated
from prompt_adapters.targets.limits import Limits

# What Pillow reads only with the help of pillow-heif.
HEIF = frozenset({"image/heic", "image/heif"})
# Who reads links that the others do not.
_READERS = {"gs": "Gemini on Vertex AI reads gs://", "s3": "Bedrock reads s3://"}


class Refusal(NamedTuple):
    """Why a target cannot take a part, and what to do instead; `too_large` where a number exceeds a limit."""

    reason: str
    remedy: str
    too_large: bool = False


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


def refusal(part: MediaPart, limits: Limits, max_side: int | None) -> Refusal | None:
    """The first reason why a target cannot take a part, if there is one.

    Args:
        part: The part.
        limits: The target's limits.
        max_side: The longest side that it takes, given how many images there are.
    """
    if (types := types_of(part, limits)) is not None and not types:
        return Refusal(f"{limits.name} takes no {part.kind}", f"leave it out, or choose a model that takes {part.kind}")
    match part.source:
        case Inline():
            return _inline_refusal(part, part.source, limits, max_side)
        case Link():
            return _link_refusal(part.source, limits)
        case Uploaded():
            return None
        case _:
            assert_never(part.source)


def _inline_refusal(part: MediaPart, inline: Inline, limits: Limits, max_side: int | None) -> Refusal | None:
    types = types_of(part, limits)
    if types is not None and not takes(types, inline.mime):
        helped = ", or install 'prompt-adapters[heif]', which lets it be converted" if inline.mime in HEIF else ""
        return Refusal(f"{limits.name} takes {listed(types)}", f"convert it to {listed(types, ' or ')}{helped}")
    match part:
        case Image():
            return _image_refusal(inline, limits, max_side)
        case Audio():
            return _too_many_bytes(len(inline.data), limits.max_audio_bytes, limits)
        case Video():
            return _too_many_bytes(base64_size(inline.data), limits.max_video_bytes, limits, " as base64")
        case Document():
            return _too_many_bytes(len(inline.data), limits.max_document_bytes, limits)
        case _:
            assert_never(part)


def _image_refusal(inline: Inline, limits: Limits, max_side: int | None) -> Refusal | None:
    if inline.mime in limits.still_types and is_animated(inline):
        return Refusal(f"{limits.name} takes no animated {inline.mime}", "give one frame of it, as a PNG")
    size = image_size(inline)
    if max_side is not None and size is not None and max(size) > max_side:
        return Refusal(
            f"it has {size[0]} x {size[1]} pixels and {limits.name} takes sides of at most {max_side}",
            "scale it down",
            too_large=True,
        )
    how = " as base64" if limits.image_bytes_counted == "base64" else ""
    return _too_many_bytes(counted_size(inline, limits), limits.max_image_bytes, limits, how)


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
