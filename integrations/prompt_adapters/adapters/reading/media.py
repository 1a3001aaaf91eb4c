"""Media of a request: from bytes or base64, from a data URL or a link, or by the id of an uploaded file. Never a path."""

from __future__ import annotations

import reprlib
from typing import Any

from prompt_adapters.adapters.reading.fields import at, refuse
from prompt_adapters.content.parts import MEDIA_PARTS, Part
from prompt_adapters.content.sniff import is_data_url, normalize_mime


def from_data(kind: str, data: object, mime: str | None, where: str, **fields: Any) -> Part:
    """A part from raw bytes, as clients have them, or from base64, as the wire does.

    Args:
        kind: ``image``, ``audio``, ``video`` or ``document``.
        data: The bytes or the base64 text.
        mime: What the request calls their type; the bytes decide.
        where: The place, for errors.
        fields: Further fields of the part.

    Raises:
        PromptFormatError: (a ``ValueError``) It is neither.
        MediaError: (a ``ValueError``) The media are broken.
    """
    with at(where):
        match data:
            case bytes() | bytearray() | memoryview():
                return MEDIA_PARTS[kind].from_bytes(data, mime=mime, **fields)
            case str():
                return MEDIA_PARTS[kind].from_base64(data, mime=mime, **fields)
    refuse(where, f"has {type(data).__name__} where bytes or base64 belong")


def from_address(kind: str, url: str, where: str, *, mime: str | None = None, **fields: Any) -> Part:
    """A part from a data URL or a link, which stays a link.

    Raises:
        PromptFormatError: (a ``ValueError``) A field is malformed.
        MediaError: (a ``ValueError``) It is neither, or broken.
    """
    with at(where):
        make = MEDIA_PARTS[kind].from_data_url if is_data_url(url) else MEDIA_PARTS[kind].from_url
        return make(url, mime=mime, **fields)


def from_upload(kind: str, uri: str, where: str, *, mime: str | None = None, **fields: Any) -> Part:
    """A part by the id or URI of a file that the provider holds.

    Raises:
        MediaError: (a ``ValueError``) It is no such id.
    """
    with at(where):
        return MEDIA_PARTS[kind].from_uploaded(uri, mime=mime, **fields)


def kind_of(mime: str) -> str:
    """The kind of part for a media type."""
    family = (normalize_mime(mime) or "").partition("/")[0]
    return family if family in ("image", "audio", "video") else "document"


def clip(where: str, video: Part, **seconds: float | None) -> Part:
    """A video with the part of it that is looked at.

    Raises:
        PromptFormatError: (a ``ValueError``) It is no video, or runs backwards.
    """
    if video.kind != "video":
        refuse(where, f"has a clip on {reprlib.repr(video.kind)}, which only videos have")
    with at(where):
        return video.replace(**seconds)
