"""Where the content of a media part is: bytes at hand, a link, or a file that a provider already holds."""

from __future__ import annotations

import hashlib
import re
from typing import Any, ClassVar, TypeAlias

from prompt_adapters.content.value import Value
from prompt_adapters.errors import MediaReadError

LINK_SCHEMES = ("http", "https", "gs", "s3")

_HOST = re.compile(r"[a-z0-9]+://(?:[^/?#@]*@)?+[^/?#@:]")
_USER = re.compile(r"://[^/?#]*@")


class Inline(Value):
    """Bytes at hand.

    Attributes:
        data: The bytes as they were given, never base64.
        mime: Their type, told from the bytes themselves.
        declared: The type that a label (a file name, a data URL) claimed, when it disagreed with the bytes.
    """

    __slots__ = ("__weakref__", "data", "declared", "mime")
    _compared: ClassVar = ("data", "mime")
    _carried: ClassVar = ("declared",)
    data: bytes
    mime: str
    declared: str | None

    def __init__(self, data: bytes, mime: str, *, declared: str | None = None) -> None:
        self._set(data=data, mime=mime, declared=declared)
        self._check()

    def _check(self) -> None:
        if not isinstance(self.data, bytes):
            raise TypeError(f"inline data must be bytes, not {type(self.data).__name__}")
        if not self.data:
            raise MediaReadError(f"there are no bytes: an empty {self.mime} cannot be sent")

    @property
    def digest(self) -> str:
        """The SHA-256 of the bytes, in hexadecimal."""
        return hashlib.sha256(self.data).hexdigest()

    def _describe(self) -> str:
        return f"{self.mime}, {len(self.data)} bytes, sha256 {self.digest[:8]}"


class Link(Value):
    """A link that stays a link: http, https, gs or s3.

    Attributes:
        url: The link, its scheme in lower case.
        mime: The type of what it leads to, when that is known.
    """

    __slots__ = ("mime", "url")
    _compared: ClassVar = ("url", "mime")
    url: str
    mime: str | None

    def __init__(self, url: str, mime: str | None = None) -> None:
        self._set(**self._as_fields({"url": url}), mime=mime)
        self._check()

    @classmethod
    def _as_fields(cls, changes: dict[str, Any]) -> dict[str, Any]:
        if "url" not in changes:
            return changes
        scheme, colon, rest = changes["url"].strip().partition(":")
        return changes | {"url": scheme.lower() + colon + rest}

    def _check(self) -> None:
        if self.scheme not in LINK_SCHEMES or not _HOST.match(self.url):
            raise MediaReadError(f"{self.url[:80]!r} is not a link; use http(s)://, gs:// or s3://")
        if any(c.isspace() or not c.isprintable() for c in self.url):
            raise MediaReadError(f"the link {self.url[:80]!r} holds a blank or control character; percent-encode it")

    @property
    def scheme(self) -> str:
        """The scheme, in lower case."""
        return self.url.partition(":")[0]

    def _describe(self) -> str:
        shown = _USER.sub("://", self.url.partition("?")[0])
        return shown if len(shown) <= 80 else f"{shown[:77]}..."


class Uploaded(Value):
    """A file that a provider already holds, by the id or URI that it gave.

    Attributes:
        uri: ``file-abc123``, ``file_011C…``, or a Files API URI.
        mime: Its type, when that is known.
    """

    __slots__ = ("mime", "uri")
    _compared: ClassVar = ("uri", "mime")
    uri: str
    mime: str | None

    def __init__(self, uri: str, mime: str | None = None) -> None:
        self._set(uri=uri, mime=mime)
        self._check()

    def _check(self) -> None:
        if not isinstance(self.uri, str) or not self.uri or any(c.isspace() or not c.isprintable() for c in self.uri):
            raise MediaReadError(f"{self.uri!r:.80} is not the id of an uploaded file")

    def _describe(self) -> str:
        return f"uploaded {self.uri[:80]}"


Source: TypeAlias = Inline | Link | Uploaded
