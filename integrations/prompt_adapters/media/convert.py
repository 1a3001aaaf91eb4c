"""Changing media so that a target takes them: images by Pillow, text documents by their label.

Only what a limit asks for is done, and what nothing asks for keeps its bytes.
"""

from __future__ import annotations

from typing import NamedTuple

from prompt_adapters.content.source import Inline
from prompt_adapters.media.colours import on_white
from prompt_adapters.media.header import image_size, is_animated, orientation
from prompt_adapters.media.pixels import Picture, Undecodable, decode
from prompt_adapters.media.rules import SVG, Bounds, Refusal, is_textual, several_pages, takes, takes_image
from prompt_adapters.media.write import keeps_transparency, written
from prompt_adapters.targets.limits import Limits

_TURNABLE = frozenset({"image/jpeg", "image/png", "image/webp"})


class Converted(NamedTuple):
    """A medium as the target takes it.

    Attributes:
        inline: The medium; the very same where nothing was changed.
        said: One sentence a change.
        obstacle: Why what had to be changed could not be.
    """

    inline: Inline
    said: tuple[str, ...] = ()
    obstacle: Refusal | None = None


def convert_document(inline: Inline, limits: Limits) -> Converted:
    """A text document as plain text, for a target that knows text by that type only."""
    types = limits.document_types
    known = types is None or takes(types, inline.mime) or not takes(types, "text/plain")
    if known or not is_textual(inline.mime):
        return Converted(inline)
    note = f"the document is sent as text/plain, since {limits.name} does not know {inline.mime}"
    return Converted(Inline(inline.data, "text/plain"), (note,))


def turn_image(inline: Inline, bounds: Bounds) -> Converted:
    """A picture made upright, where its EXIF data say that it is not; its type stays.

    Args:
        inline: The picture.
        bounds: How heavy it may become.
    """
    if inline.mime not in _TURNABLE or orientation(inline) == 1:
        return Converted(inline)
    own = Limits("", "", image_types=frozenset({inline.mime}))
    return _changed(inline, own, bounds._replace(max_side=None, max_pixels=None))


def convert_image(inline: Inline, limits: Limits, bounds: Bounds) -> Converted:
    """A picture as the target takes it, and what was changed.

    Args:
        inline: The picture.
        limits: The target's limits.
        bounds: How large the picture may be.
    """
    if inline.mime == SVG or (limits.image_types is not None and not limits.image_types):
        return Converted(inline)  # which is refused whatever becomes of it
    size = image_size(inline)
    fits = (
        takes_image(limits, inline.mime)
        and (inline.mime not in _TURNABLE or orientation(inline) == 1)
        and not (inline.mime in limits.still_types and is_animated(inline))
        and (size is None or bounds.within(size) == size)
        and not bounds.too_heavy(inline.data)
    )
    if fits:
        return Converted(inline)
    several = several_pages(inline)
    return _changed(inline, limits, bounds) if several is None else Converted(inline, obstacle=several)


def _changed(inline: Inline, limits: Limits, bounds: Bounds) -> Converted:
    try:
        picture = decode(inline, bounds)
    except Undecodable as error:
        return Converted(inline, obstacle=error.refusal)
    said = [*picture.said]
    if not picture.opaque and not keeps_transparency(picture, limits):
        picture = Picture(on_white(picture.pixels), picture.profile, picture.sampling, picture.said)
        said.append(f"laid on white, since no type that {limits.name} takes keeps its transparency")
    before = picture.pixels.size
    if (result := written(picture, inline, limits, bounds)) is None:
        return Converted(inline)
    mime = result.inline.mime
    if mime != inline.mime:
        why = "" if takes_image(limits, inline.mime) else f", which {limits.name} does not take,"
        said.append(f"converted from {inline.mime}{why} to {mime}")
    if result.squeezed or bounds.too_heavy(inline.data):
        pixels = f", {result.size[0]} x {result.size[1]} pixels" if result.size != before else ""
        sizes = f"{len(inline.data)} to {len(result.inline.data)} bytes"
        said.append(f"compressed from {sizes}{pixels} as {mime} ({bounds.bytes_word})")
    return Converted(result.inline, tuple(f"the image was {text}" for text in said))
