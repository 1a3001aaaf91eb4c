"""Base64 of inline media, made once per media value and form however many requests carry it.

The texts are kept with their values, where neither equality nor pickles nor traces see them, and go when these go. What
all of them hold together is bounded.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterator
from operator import attrgetter
from threading import Lock
from typing import TypeAlias

import pybase64

from prompt_adapters.content.source import Inline

MAX_CACHED_CHARACTERS = 128 * 1024 * 1024
_CHUNKS = 32  # so at most a thirtieth of a text is held twice
_SMALLEST_CHUNK = 3 * 1024

_Key: TypeAlias = tuple[int, str]


class _Entry(weakref.ref[Inline]):
    """Who keeps a text, and how long it is; the identity of a value that is gone may be another one's later."""

    __slots__ = ("key", "size")
    key: _Key
    size: int


class _Base64Cache:
    """What values keep, the least recently used given up first when it exceeds `limit` characters in all."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._size = 0
        self._entries: OrderedDict[_Key, _Entry] = OrderedDict()
        self._lock = Lock()

    def get(self, inline: Inline, prefix: str) -> str:
        text: str | None = inline.kept.get(prefix)
        if text is None:
            text = _encoded(inline.data, prefix)
            if len(text) <= self._limit:
                self._keep(inline, prefix, text)
            return text
        with self._lock:
            if (key := (id(inline), prefix)) in self._entries:
                self._entries.move_to_end(key)
        return text

    def _keep(self, inline: Inline, prefix: str, text: str) -> None:
        entry = _Entry(inline, self._forget)
        entry.key, entry.size = (id(inline), prefix), len(text)
        with self._lock:
            inline.kept[prefix] = text
            if (old := self._entries.pop(entry.key, None)) is not None:
                self._size -= old.size
            self._entries[entry.key] = entry
            self._size += entry.size
            while self._size > self._limit:
                _, oldest = self._entries.popitem(last=False)
                self._size -= oldest.size
                if (value := oldest()) is not None:
                    value.kept.pop(oldest.key[1], None)

    def _forget(self, entry: _Entry) -> None:
        # Runs whenever the collector pleases. While this thread holds the lock nothing can be dropped; that goes with
        # the least recently used. And at the end of the interpreter no name of a module means anything any more.
        if not self._lock.acquire(blocking=False):
            return
        try:
            if self._entries.get(entry.key) is entry:
                del self._entries[entry.key]
                self._size -= entry.size
        finally:
            self._lock.release()


def _encoded(data: bytes, prefix: str) -> str:
    """The text, in which the base64 is not copied behind the prefix: it grows where it stands, chunk by chunk."""
    if not prefix:
        return pybase64.b64encode_as_string(data)
    text = prefix
    view = memoryview(data)
    size = max(_SMALLEST_CHUNK, len(data) // _CHUNKS // 3 * 3)  # three bytes make four characters, without padding
    for start in range(0, len(data), size):
        text += pybase64.b64encode_as_string(view[start : start + size])
    return text


_cache = _Base64Cache(MAX_CACHED_CHARACTERS)


def base64_of(inline: Inline) -> str:
    """The bytes as bare base64: standard alphabet, padded, one line."""
    return _cache.get(inline, "")


def data_url_of(inline: Inline) -> str:
    """The bytes as a data URL with their own type."""
    return _cache.get(inline, _prefix(inline))


def _prefix(inline: Inline) -> str:
    return f"data:{inline.mime};base64,"


_BYTES: Callable[[Inline], bytes] = attrgetter("data")


def forms_of(inline: Inline) -> Iterator[tuple[object, Callable[[Inline], object]]]:
    """The bytes, and the texts that are kept of them just now, each with what gives it for any value."""
    yield inline.data, _BYTES
    for prefix, form in (("", base64_of), (_prefix(inline), data_url_of)):
        if (text := inline.kept.get(prefix)) is not None:
            yield text, form
