from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from prompt_adapters.errors import FetchRefusedError, MediaReadError
from prompt_adapters.media import CachingFetcher, Fetched, HttpFetcher
from web_server import WebServer, answer


class Counting:
    """A fetcher without a network, that counts."""

    concurrency = 3

    def __init__(self, contents: dict[str, bytes]) -> None:
        self.contents = contents
        self.asked: list[str] = []

    def fetch(self, url: str) -> Fetched:
        self.asked.append(url)
        return Fetched(self.contents[url], "image/png")

    async def afetch(self, url: str) -> Fetched:
        return self.fetch(url)


Fetch = Callable[[CachingFetcher, str], Fetched]


def sync(tool: CachingFetcher, url: str) -> Fetched:
    return tool.fetch(url)


def in_a_loop(tool: CachingFetcher, url: str) -> Fetched:
    return asyncio.run(tool.afetch(url))


both = pytest.mark.parametrize("fetch", [sync, in_a_loop])
A, B = "https://example.com/a?token=hidden", "https://example.com/b"


@both
def test_a_link_is_asked_once(fetch: Fetch, tmp_path: Path) -> None:
    plain = Counting({A: b"aaa", B: b"bbb"})
    tool = CachingFetcher(plain, tmp_path / "kept")
    for url, data in ((A, b"aaa"), (B, b"bbb"), (A, b"aaa")):
        assert fetch(tool, url) == (data, "image/png")
    assert fetch(CachingFetcher(plain, tmp_path / "kept"), A).data == b"aaa"
    assert plain.asked == [A, B]
    assert tool.concurrency == 3


def test_one_content_is_kept_once_and_no_link_by_its_text(tmp_path: Path) -> None:
    tool = CachingFetcher(Counting({A: b"same", B: b"same"}), tmp_path)
    tool.fetch(A)
    tool.fetch(B)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len([path for path in files if "contents" in path.parts]) == 1
    assert len(files) == 3
    assert not any(b"hidden" in path.read_bytes() or "hidden" in str(path) for path in files)
    assert (tmp_path / "contents").stat().st_mode & 0o077 == 0


@both
def test_an_old_link_is_asked_again(fetch: Fetch, tmp_path: Path) -> None:
    plain = Counting({A: b"aaa"})
    tool = CachingFetcher(plain, tmp_path, max_age=100)
    fetch(tool, A)
    (link,) = tmp_path.glob("links/*/*.json")
    os.utime(link, (link.stat().st_atime, link.stat().st_mtime - 101))
    fetch(tool, A)
    assert plain.asked == [A, A]


@pytest.mark.parametrize("damage", ["content", "gone", "link", "no json", "path", "type"])
def test_what_is_damaged_is_asked_again(damage: str, tmp_path: Path) -> None:
    plain = Counting({A: b"aaa"})
    tool = CachingFetcher(plain, tmp_path)
    tool.fetch(A)
    (link,), (content,) = tmp_path.glob("links/*/*.json"), tmp_path.glob("contents/*/*")
    noted = json.loads(link.read_text())
    match damage:
        case "content":
            content.write_bytes(b"abb")
        case "gone":
            content.unlink()
        case "link":
            link.write_text("[]")
        case "no json":
            link.write_bytes(b"\xff\x00")
        case "path":
            link.write_text(json.dumps(noted | {"sha256": "../../../../../../etc/passwd"}))
        case "type":
            link.write_text(json.dumps(noted | {"mime": 3}))
    assert tool.fetch(A) == (b"aaa", "image/png")
    assert plain.asked == [A, A]
    assert tool.fetch(A).data == b"aaa"
    assert len(plain.asked) == 2


def test_the_oldest_go_first(tmp_path: Path) -> None:
    urls = [f"https://example.com/{n}" for n in range(5)]
    plain = Counting({url: bytes([n]) * 100 for n, url in enumerate(urls)})
    tool = CachingFetcher(plain, tmp_path, max_bytes=250)
    for n, url in enumerate(urls):
        tool.fetch(url)
        for path in tmp_path.glob("contents/*/*"):
            os.utime(path, (0, path.read_bytes()[0]))
        assert len(list(tmp_path.glob("contents/*/*"))) == min(n + 1, 2)
    plain.asked.clear()
    assert tool.fetch(urls[4]).data == bytes([4]) * 100
    assert not plain.asked


def test_the_guards_hold_for_what_is_kept(tmp_path: Path) -> None:
    with WebServer({"/a": answer(b"aaa")}) as server:
        url = f"{server.url}/a"
        open_to_all = HttpFetcher(allow_http=True, allow_private=["127.0.0.1/32"])
        CachingFetcher(open_to_all, tmp_path).fetch(url)
        strict = HttpFetcher(allow_http=True, allow_hosts=["example.com"])
        with pytest.raises(FetchRefusedError, match="allow_hosts"):
            CachingFetcher(strict, tmp_path).fetch(url)
        with pytest.raises(FetchRefusedError, match="not encrypted"):
            asyncio.run(CachingFetcher(HttpFetcher(), tmp_path).afetch(url))
        assert len(server.asked) == 1


def test_errors_are_not_kept(tmp_path: Path) -> None:
    with WebServer({}) as server:
        tool = CachingFetcher(HttpFetcher(allow_http=True, allow_private=["127.0.0.1/32"]), tmp_path)
        for _ in range(2):
            with pytest.raises(MediaReadError, match="404"):
                tool.fetch(f"{server.url}/a")
        assert len(server.asked) == 2
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_directory_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(MediaReadError, match="cannot keep downloads"):
        CachingFetcher(Counting({A: b"aaa"}), tmp_path / "file").fetch(A)


def test_threads_share_a_directory(tmp_path: Path) -> None:
    urls = [f"https://example.com/{n}" for n in range(20)]
    plain = Counting({url: url.encode() * 50 for url in urls})
    tool = CachingFetcher(plain, tmp_path, max_bytes=5000)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda url: tool.fetch(url).data, urls * 10))
    assert found == [plain.contents[url] for url in urls * 10]
    assert sum(path.stat().st_size for path in tmp_path.glob("contents/*/*")) <= 5000
    assert not list(tmp_path.glob("*/*/.*"))


@pytest.mark.parametrize("option", [{"max_age": -1}, {"max_bytes": -1}])
def test_an_impossible_option_is_refused(option: dict[str, int], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="negative"):
        CachingFetcher(Counting({}), tmp_path, **option)
