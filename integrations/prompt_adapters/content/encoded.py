"""Base64 of inline media, made once per media value however many requests carry it.

The texts live here and not on the values, so that neither equality nor pickles nor traces ever see them, and they go
when their value goes.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from threading import Lock

import pybase64

from prompt_adapters.content.source import Inline

MAX_CACHED_CHARACTERS = 128 * 1024 * 1024


class _Base64Cache:
    """Texts by media value, the least recently used going first when they exceed `limit` characters in all."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._size = 0
        self._texts: OrderedDict[tuple[str, weakref.ref[Inline]], str] = OrderedDict()
        self._lock = Lock()

    def get(self, inline: Inline, prefix: str) -> str:
        key = (prefix, weakref.ref(inline))
        with self._lock:
            if (text := self._texts.get(key)) is not None:
                self._texts.move_to_end(key)
                return text
        text = prefix + pybase64.b64encode(inline.data).decode("ascii")
        if len(text) <= self._limit:
            self._keep((prefix, weakref.ref(inline, self._forget)), text)
        return text

    def _keep(self, key: tuple[str, weakref.ref[Inline]], text: str) -> None:
        hash(key)  # a reference can be hashed later, when its value is gone, only if it was hashed before
        with self._lock:
            if key not in self._texts:
                self._texts[key] = text
                self._size += len(text)
            while self._size > self._limit:
                self._size -= len(self._texts.popitem(last=False)[1])

    def _forget(self, reference: weakref.ref[Inline]) -> None:
        # Runs whenever the collector pleases, also while this thread holds the lock: what cannot be dropped now goes
        # with the least recently used.
        if not self._lock.acquire(blocking=False):
            return
        try:
            for key in [key for key in self._texts if key[1] is reference]:
                self._size -= len(self._texts.pop(key))
        finally:
            self._lock.release()


_cache = _Base64Cache(MAX_CACHED_CHARACTERS)


def base64_of(inline: Inline) -> str:
    """The bytes as bare base64: standard alphabet, padded, one line."""
    return _cache.get(inline, "")


def data_url_of(inline: Inline) -> str:
    """The bytes as a data URL with their own type."""
    return _cache.get(inline, f"data:{inline.mime};base64,")
