"""Where the content of a media part is: bytes at hand, a link, or a file that a provider already holds."""

from __future__ import annotations

import re
from typing import Any, ClassVar, TypeAlias

from prompt_adapters.content.value import Value, arguments
from prompt_adapters.errors import MediaReadError

LINK_SCHEMES = ("http", "https", "gs", "s3")
# Google Cloud Storage and Amazon S3: what follows the bucket is the object's name, character by character. Encoding it
# would name another object. https://cloud.google.com/storage/docs/objects#naming
# https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html
BUCKET_SCHEMES = ("gs", "s3")

_HOST = re.compile(r"[a-z0-9]+://(?:[^/?#@]*@)?+[^/?#@:]")
_BUCKET = re.compile(r"(?:gs|s3)://[^/\s]")
_ANY_USER = re.compile(r"//[^/?#]*@")
_DATA = re.compile(r"\A\s*data:[^,]{0,80},|;base64,", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


class Inline(Value):
    """Bytes at hand.

    Attributes:
        data: The bytes as they were given, never base64.
        mime: Their type, told from the bytes themselves.
        declared: The type that a label (a file name, a data URL) claimed, when it disagreed with the bytes.
    """

    __slots__ = ("__weakref__", "_kept", "data", "declared", "mime")
    _compared: ClassVar = ("data", "mime")
    _carried: ClassVar = ("declared",)
    data: bytes
    mime: str
    declared: str | None
    _kept: dict[Any, Any]

    def __init__(self, data: bytes, mime: str, *, declared: str | None = None) -> None:
        self._set(data=data, mime=mime, declared=declared)
        self._check()

    def _check(self) -> None:
        if not isinstance(self.data, bytes):
            raise TypeError(f"inline data must be bytes, not {type(self.data).__name__}")
        if not self.data:
            raise MediaReadError(f"there are no bytes: an empty {self.mime} cannot be sent")

    @property
    def kept(self) -> dict[Any, Any]:
        """What was made of the bytes or found out about them, by whom that concerns.

        It lives as long as this very value; neither equality, copies nor pickles see it.
        """
        try:
            return self._kept
        except AttributeError:
            self._set(_kept={})
        return self._kept

    @property
    def digest(self) -> str:
        """The SHA-256 of the bytes, in hexadecimal."""
        from hashlib import sha256  # OpenSSL is a twentieth of the import time, and most values are never described

        return sha256(self.data).hexdigest()

    def _describe(self) -> str:
        return f"{self.mime}, {len(self.data)} bytes, sha256 {self.digest[:8]}"


def shown(address: str, most: int = 80) -> str:
    """An address as errors show it: without user, password, query, fragment and data, and short.

    Args:
        address: A link, a path, a data URL, or what was taken for one.
        most: Characters that are shown.
    """
    data = _DATA.search(address)
    text = f"{address[: data.end()]}…" if data else address
    if not is_in_bucket(text):
        text = re.split(r"[?#]", text, maxsplit=1)[0] if "//" in text else text
        text = _ANY_USER.sub("//", text)
    return text if len(text) <= most else f"{text[: most - 3]}..."


def is_in_bucket(uri: str) -> bool:
    """Whether a URI names an object of Google Cloud Storage or Amazon S3, whose name is verbatim."""
    scheme, separator, _ = uri.partition("://")
    return bool(separator) and scheme.lower() in BUCKET_SCHEMES


def _odd_character(uri: str) -> str | None:
    """The first character that a link or an id cannot hold: in names of objects, only control characters."""
    if is_in_bucket(uri):
        found = _CONTROL.search(uri)
        return found[0] if found else None
    return next((c for c in uri if c.isspace() or not c.isprintable()), None)


class Link(Value):
    """A link that stays a link: http, https, gs or s3.

    Attributes:
        url: The link, its scheme in lower case. The object's name in a gs or s3 link is verbatim, blanks, ``#`` and
            ``?`` included; blanks in a web link are percent-encoded by who writes it.
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
        url = changes["url"].lstrip()
        scheme, colon, rest = (url if is_in_bucket(url) else url.rstrip()).partition(":")
        return changes | {"url": scheme.lower() + colon + rest}

    def _check(self) -> None:
        start = _BUCKET if self.scheme in BUCKET_SCHEMES else _HOST
        if self.scheme not in LINK_SCHEMES or not start.match(self.url):
            raise MediaReadError(f"{shown(self.url)!r} is not a link; use http(s)://, gs:// or s3://")
        if (odd := _odd_character(self.url)) is not None:
            if self.scheme in BUCKET_SCHEMES:
                raise MediaReadError(f"the name of the object {self.url[:80]!r} holds {odd!r}; remove that character")
            raise MediaReadError(f"the link {shown(self.url)!r} holds a blank or control character; percent-encode it")

    @property
    def scheme(self) -> str:
        """The scheme, in lower case."""
        return self.url.partition(":")[0]

    def _describe(self) -> str:
        return shown(self.url)


class Uploaded(Value):
    """A file that a provider already holds, by the id or URI that it gave.

    Attributes:
        uri: ``file-abc123``, ``file_011C…``, a Files API URI, or a gs or s3 URI with the object's name verbatim.
        mime: Its type, when that is known.
    """

    __slots__ = ("mime", "uri")
    _compared: ClassVar = ("uri", "mime")
    _asdict = arguments
    uri: str
    mime: str | None

    def __init__(self, uri: str, mime: str | None = None) -> None:
        self._set(uri=uri, mime=mime)
        self._check()

    def _check(self) -> None:
        if not isinstance(self.uri, str) or not self.uri or _odd_character(self.uri) is not None:
            raise MediaReadError(f"{shown(str(self.uri))!r} is not the id of an uploaded file")

    def _describe(self) -> str:
        return f"uploaded {shown(self.uri)}"


Source: TypeAlias = Inline | Link | Uploaded
