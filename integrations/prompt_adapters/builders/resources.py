"""Media files by path, read once while they stand unchanged."""

from __future__ import annotations

import os
from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from prompt_adapters.content.parts import MediaPart
from prompt_adapters.content.source import Inline


class _Entry(NamedTuple):
    modified: int
    size: int
    part: MediaPart


class ResourceCache:
    """Keeps the parts made from files, so that a file is read and encoded once while its time and size stand.

    Args:
        max_bytes: How many bytes of files it keeps; the least recently used go first. 0 switches it off.
    """

    def __init__(self, max_bytes: int = 64 * 1024 * 1024) -> None:
        self._limit = max_bytes
        self._size = 0
        self._entries: OrderedDict[tuple[type[MediaPart], str], _Entry] = OrderedDict()
        self._lock = Lock()

    def get(self, kind: type[MediaPart], path: str | os.PathLike[str]) -> MediaPart:
        """The part of a file.

        Raises:
            MediaError: The file cannot be read, or is not of this kind.
        """
        key = (kind, os.path.abspath(os.fspath(path)))
        before = self._stamp(key[1])
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None and before == (entry.modified, entry.size):
                self._entries.move_to_end(key)
                return entry.part
        part = kind.from_path(path)
        if before is not None and before == self._stamp(key[1]):
            self._keep(key, _Entry(*before, part))
        return part

    @staticmethod
    def _stamp(path: str) -> tuple[int, int] | None:
        try:
            found = Path(path).stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size

    def _keep(self, key: tuple[type[MediaPart], str], entry: _Entry) -> None:
        if not isinstance(entry.part.source, Inline) or entry.size > self._limit:
            return
        with self._lock:
            if (old := self._entries.pop(key, None)) is not None:
                self._size -= old.size
            self._entries[key] = entry
            self._size += entry.size
            while self._size > self._limit:
                self._size -= self._entries.popitem(last=False)[1].size

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._entries.clear()
            self._size = 0
