"""Media of a request, with the place in errors: from bytes, base64, an address or a file id; never from a path."""

from __future__ import annotations

import re
from typing import Any

from prompt_adapters.adapters.reading.fields import Fields, at, refuse
from prompt_adapters.content import linked
from prompt_adapters.content.parts import Part

_FILES_API = "https://generativelanguage.googleapis.com/"
_SECONDS = re.compile(r"\d{1,9}(\.\d{1,9})?s")


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
    if not isinstance(data, str | bytes | bytearray | memoryview):
        refuse(where, f"has {type(data).__name__} where bytes or base64 belong")
    with at(where):
        return linked.from_content(kind, data, mime, **fields)


def from_address(kind: str, url: str, where: str, *, mime: str | None = None, **fields: Any) -> Part:
    """A part from a data URL or a link, which stays a link.

    Raises:
        PromptFormatError: (a ``ValueError``) A field is malformed.
        MediaError: (a ``ValueError``) It is neither, or broken.
    """
    with at(where):
        return linked.from_url(kind, url, mime, **fields)


def from_upload(kind: str, uri: str, where: str, *, mime: str | None = None, **fields: Any) -> Part:
    """A part by the id or URI of a file that the provider holds.

    Raises:
        MediaError: (a ``ValueError``) It is no such id.
    """
    with at(where):
        return linked.from_upload(kind, uri, mime, **fields)


def from_uri(kind: str, uri: str, where: str, mime: str | None) -> Part:
    """A part by a URI in Google's manner: a file of the Files API, or a link.

    Raises:
        MediaError: (a ``ValueError``) It is neither.
    """
    if "://" not in uri or uri.startswith(_FILES_API):
        return from_upload(kind, uri, where, mime=mime)
    return from_address(kind, uri, where, mime=mime)


def clip(video: Part, metadata: Fields) -> Part:
    """A video with the part of it that is looked at: ``{"start_offset": "1s", "end_offset": "5.5s", "fps": 2}``.

    Raises:
        PromptFormatError: (a ``ValueError``) It is no video, or the times are none.
    """
    if video.kind != "video":
        refuse(metadata.where, f"stands beside {video.kind}, and only videos have it")
    with metadata, at(metadata.where):
        times = {field: _seconds(metadata, f"{field}_offset") for field in ("start", "end")}
        fps = metadata.take("fps")
        if isinstance(fps, bool) or not isinstance(fps, int | float | None):
            refuse(metadata.where, f"has {type(fps).__name__} as 'fps', not a number")
        return video.replace(**times, fps=fps)


def _seconds(metadata: Fields, name: str) -> float | None:
    if (text := metadata.maybe_text(name)) is None:
        return None
    if not _SECONDS.fullmatch(text):
        refuse(metadata.where, f"has {text!r:.40} as {name!r}, not seconds such as '1.5s'")
    return float(text.removesuffix("s"))
