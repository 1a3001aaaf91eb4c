"""`ResourceCache`: media files by path, read once while they stand unchanged."""

from __future__ import annotations

import os
from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple, TypeAlias

from prompt_adapters.content.parts import MediaPart

_Key: TypeAlias = tuple[type[MediaPart], Path]
_READERS = 16  # how many files are read at a time


class _Entry(NamedTuple):
    stamp: tuple[int, int]
    part: MediaPart

    @property
    def size(self) -> int:
        return self.stamp[1]


class ResourceCache:
    """Keeps the parts made from files, so that a file is read and encoded once while its time and size stand.

    It may be shared between threads; several that ask for one file at a time read it once. A pickled cache is empty.

    Args:
        max_bytes: How many bytes of files it keeps; the least recently used go first. 0 switches it off.
    """

    def __init__(self, max_bytes: int = 64 * 1024 * 1024) -> None:
        self._limit = max_bytes
        self._size = 0
        self._entries: OrderedDict[_Key, _Entry] = OrderedDict()
        self._lock = Lock()
        self._reading = tuple(Lock() for _ in range(_READERS))

    def get(self, kind: type[MediaPart], path: str | os.PathLike[str]) -> MediaPart:
        """The part of a file.

        Args:
            kind: `Image`, `Audio`, `Video` or `Document`.
            path: The file.

        Raises:
            MediaError: The file cannot be read, or is not of this kind.
        """
        key = (kind, Path(os.fsdecode(path)).absolute())
        with self._reading[hash(key) % _READERS]:
            before = _stamp(key[1])
            if before is not None and (known := self._known(key, before)) is not None:
                return known
            part = kind.from_path(path)
            # A file that was changed while it was read is not kept: the next one to ask reads it again.
            if before is not None and before == _stamp(key[1]):
                self._keep(key, _Entry(before, part))
        return part

    def _known(self, key: _Key, stamp: tuple[int, int]) -> MediaPart | None:
        with self._lock:
            entry = self._entries.get(key)
            if entry is None or entry.stamp != stamp:
                return None
            self._entries.move_to_end(key)
            return entry.part

    def _keep(self, key: _Key, entry: _Entry) -> None:
        with self._lock:
            if (old := self._entries.pop(key, None)) is not None:
                self._size -= old.size
            if entry.size > self._limit:
                return
            self._entries[key] = entry
            self._size += entry.size
            while self._size > self._limit:
                self._size -= self._entries.popitem(last=False)[1].size

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._entries.clear()
            self._size = 0

    def __reduce__(self) -> tuple[Any, ...]:
        return ResourceCache, (self._limit,)

    def __repr__(self) -> str:
        return f"ResourceCache({len(self._entries)} files, {self._size} of {self._limit} bytes)"


def _stamp(path: Path) -> tuple[int, int] | None:
    """When a file was changed, in nanoseconds, and its size in bytes; None where reading it will say what is wrong."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size
