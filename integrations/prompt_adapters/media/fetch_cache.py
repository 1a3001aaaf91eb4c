"""Downloads kept on disk: one file for each content, and one small note for each link that led to it.

Under the directory stand ``contents/<first two digits>/<SHA-256 of the bytes>`` and ``links/<first two
digits>/<SHA-256 of the link>.json``. Links may hold secrets, so their text is not kept. Contents are compared with
their name whenever they are read. Several processes may share a directory: files appear whole or not at all.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from prompt_adapters.errors import MediaReadError
from prompt_adapters.media.fetch import Fetched, Fetcher

_DAY: Final = 24 * 60 * 60.0


class CachingFetcher:
    """A fetcher that keeps on disk what another one downloaded.

    The guards of the other fetcher hold for what is kept as well: a link that it would refuse by name is not read from
    disk either.

    Args:
        fetcher: What downloads, as an `HttpFetcher`.
        directory: Where files are kept; it is made, for the user alone.
        max_age: Seconds for which a link is not asked again.
        max_bytes: Bytes that all contents together may have; the oldest go first.

    Raises:
        ValueError: A number is negative.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        directory: str | os.PathLike[str],
        *,
        max_age: float = _DAY,
        max_bytes: int = 1_000_000_000,
    ) -> None:
        for name, value in (("max_age", max_age), ("max_bytes", max_bytes)):
            if value < 0:
                raise ValueError(f"{name} is {value}, and must not be negative")
        self._fetcher = fetcher
        self._root = Path(directory)
        self._max_age = max_age
        self._max_bytes = max_bytes

    @property
    def concurrency(self) -> int:
        """As of the fetcher that downloads."""
        return self._fetcher.concurrency

    @property
    def max_total_bytes(self) -> int:
        """As of the fetcher that downloads."""
        return int(getattr(self._fetcher, "max_total_bytes", 200_000_000))

    def check(self, url: str) -> None:
        """As the fetcher that downloads.

        Raises:
            FetchRefusedError: The link is not allowed.
        """
        if (check := getattr(self._fetcher, "check", None)) is not None:
            check(url)

    def fetch(self, url: str) -> Fetched:
        """What a link leads to, from disk where it is known.

        Raises:
            FetchRefusedError: It may not be downloaded.
            MediaReadError: It cannot be, or the directory cannot be written.
        """
        self.check(url)
        if (kept := self._kept(url)) is not None:
            return kept
        fetched = self._fetcher.fetch(url)
        self._keep(url, fetched)
        return fetched

    async def afetch(self, url: str) -> Fetched:
        """`fetch` that does not block the event loop; errors as there."""
        import anyio.to_thread

        self.check(url)
        if (kept := await anyio.to_thread.run_sync(self._kept, url)) is not None:
            return kept
        fetched = await self._fetcher.afetch(url)
        await anyio.to_thread.run_sync(self._keep, url, fetched)
        return fetched

    def _link(self, url: str) -> Path:
        digest = hashlib.sha256(url.encode("utf-8", "surrogatepass")).hexdigest()
        return self._root / "links" / digest[:2] / f"{digest}.json"

    def _content(self, digest: str) -> Path:
        return self._root / "contents" / digest[:2] / digest

    def _kept(self, url: str) -> Fetched | None:
        link = self._link(url)
        try:
            age = time.time() - link.stat().st_mtime
            if age > self._max_age:
                return None
            noted = json.loads(link.read_bytes())
            digest, mime = noted["sha256"], noted["mime"]
            if not (isinstance(digest, str) and len(digest) == 64 and digest.isalnum()):
                return None
            data = self._content(digest).read_bytes()
        except (OSError, ValueError, KeyError, TypeError):
            return None
        if hashlib.sha256(data).hexdigest() != digest or not isinstance(mime, str | None):
            return None
        return Fetched(data, mime)

    def _keep(self, url: str, fetched: Fetched) -> None:
        digest = hashlib.sha256(fetched.data).hexdigest()
        try:
            _write(self._content(digest), fetched.data)
            _write(self._link(url), json.dumps({"sha256": digest, "mime": fetched.mime}).encode())
            self._shrink()
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise MediaReadError(f"cannot keep downloads in {str(self._root)!r}: {reason}") from None

    def _shrink(self) -> None:
        """Forget the oldest contents until the rest fits."""
        sizes = sorted(_files(self._root / "contents"))
        total = sum(size for _, size, _ in sizes)
        for _, size, path in sizes:
            if total <= self._max_bytes:
                return
            with suppress(FileNotFoundError):
                path.unlink()
            total -= size

    def __repr__(self) -> str:
        return f"CachingFetcher({self._fetcher!r}, {str(self._root)!r})"


def _files(folder: Path) -> Iterator[tuple[float, int, Path]]:
    for path in folder.glob("*/[!.]*"):  # those with a dot are being written
        with suppress(FileNotFoundError):
            status = path.stat()
            yield status.st_mtime, status.st_size, path


def _write(path: Path, data: bytes) -> None:
    """Put a file in its place at once."""
    for folder in reversed(path.parents[:3]):
        folder.mkdir(mode=0o700, parents=folder == path.parents[2], exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
