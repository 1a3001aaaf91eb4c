"""Media of a block that somebody else wrote: from base64, bytes, a URL or a file id, and never from a path.

A message from elsewhere may not choose what is read from this machine.
"""

from __future__ import annotations

import reprlib
from typing import Any

from prompt_adapters.content.mime import mime_from_name, normalize_mime
from prompt_adapters.content.parts import MEDIA_PARTS, MediaPart
from prompt_adapters.content.sniff import is_data_url
from prompt_adapters.errors import MediaReadError


def kind_of(mime: str | None, url: str | None = None) -> str:
    """The kind of part for a media type, or for what a URL claims: image, audio or video, and document for the rest."""
    if not mime and url is not None and is_data_url(url):
        mime = url.lstrip()[5:].removeprefix("//").partition(",")[0]
    known = (normalize_mime(mime) if mime else None) or (mime_from_name(url) if url else None)
    family = (known or "").partition("/")[0]
    return family if family in ("image", "audio", "video") else "document"


def from_url(kind: str, url: object, mime: str | None = None, **fields: Any) -> MediaPart:
    """Media from a URL or data URL.

    Raises:
        MediaError: It is neither, or not of this kind.
    """
    part = MEDIA_PARTS[kind]
    if isinstance(url, str) and is_data_url(url):
        return part.from_data_url(url, mime=mime, **fields)
    if not isinstance(url, str) or "://" not in url:
        raise MediaReadError(f"{reprlib.repr(url)} is neither a URL nor a data URL")
    return part.from_url(url, mime=mime, **fields)


def from_content(kind: str, content: object, mime: str | None = None, **fields: Any) -> MediaPart:
    """Media from base64, or from bytes, as clients have them.

    Raises:
        TypeError: It is neither.
        MediaError: It is broken, or not of this kind.
    """
    if isinstance(content, bytes | bytearray | memoryview):
        return MEDIA_PARTS[kind].from_bytes(bytes(content), mime=mime, **fields)
    if not isinstance(content, str):
        raise TypeError("media are base64 or bytes")
    return MEDIA_PARTS[kind].from_base64(content, mime=mime, **fields)


def from_upload(kind: str, uri: object, mime: str | None = None, **fields: Any) -> MediaPart:
    """A file that a provider holds.

    Raises:
        TypeError: Its id is no text.
        MediaError: It is no id, or the type is not of this kind.
    """
    if not isinstance(uri, str):
        raise TypeError("the id of a file is a text")
    return MEDIA_PARTS[kind].from_uploaded(uri, mime=mime, **fields)


def named(kind: str, **fields: Any) -> dict[str, Any]:
    """The fields that a kind of part has; only documents have a name and a title."""
    return fields if kind == "document" else {}
