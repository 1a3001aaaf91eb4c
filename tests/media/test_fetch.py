from __future__ import annotations

import asyncio
import gzip
import logging
import socket
import time
from collections.abc import Callable
from typing import Any

import pytest

from prompt_adapters.errors import FetchRefusedError, MediaReadError
from prompt_adapters.media import Fetched, HttpFetcher
from web_server import WebServer, answer, redirect, slow

PNG = b"\x89PNG\r\n\x1a\n" + b"p" * 2000
LOOPBACK = ["127.0.0.1/32"]


def fetcher(**options: Any) -> HttpFetcher:
    """One that may talk to this machine, and to nothing else that is private."""
    allowed: dict[str, Any] = {"allow_http": True, "allow_private": LOOPBACK, "timeout": 5.0}
    return HttpFetcher(**allowed | options)


def sync(tool: HttpFetcher, url: str) -> Fetched:
    return tool.fetch(url)


def in_a_loop(tool: HttpFetcher, url: str) -> Fetched:
    return asyncio.run(tool.afetch(url))


both = pytest.mark.parametrize("fetch", [sync, in_a_loop])
Fetch = Callable[[HttpFetcher, str], Fetched]


@both
def test_the_bytes_come_with_the_type_that_the_server_claims(fetch: Fetch) -> None:
    with WebServer({"/a": answer(PNG, headers={"Content-Type": "image/PNG; charset=x"})}) as server:
        assert fetch(fetcher(), f"{server.url}/a?k=1") == (PNG, "image/png")
    assert server.asked[0].startswith("GET /a?k=1 HTTP/1.1")


@both
@pytest.mark.parametrize("claimed", ["application/octet-stream", "binary/octet-stream", "", "nonsense"])
def test_a_type_that_says_nothing_is_none(fetch: Fetch, claimed: str) -> None:
    with WebServer({"/a": answer(PNG, headers={"Content-Type": claimed})}) as server:
        assert fetch(fetcher(), f"{server.url}/a").mime is None


@both
def test_nothing_of_the_caller_is_sent(fetch: Fetch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with WebServer({"/a": redirect("/b"), "/b": answer(PNG)}) as server:
        fetch(fetcher(), f"{server.url}/a")
    names = {line.partition(":")[0].lower() for head in server.asked for line in head.split("\r\n")[1:] if line}
    assert names == {"host", "user-agent", "accept", "accept-encoding"}


@both
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed(fetch: Fetch, status: int) -> None:
    with WebServer({"/a": redirect("b", status), "/b": answer(PNG)}) as server:
        assert fetch(fetcher(), f"{server.url}/a").data == PNG


@both
def test_redirects_are_counted(fetch: Fetch) -> None:
    with WebServer({"/a": redirect("/b"), "/b": redirect("/c"), "/c": answer(PNG)}) as server:
        assert fetch(fetcher(max_redirects=2), f"{server.url}/a").data == PNG
        with pytest.raises(FetchRefusedError, match="more than 1 times"):
            fetch(fetcher(max_redirects=1), f"{server.url}/a")
        with pytest.raises(FetchRefusedError, match="more than 0 times"):
            fetch(fetcher(max_redirects=0), f"{server.url}/a")


@both
def test_a_loop_of_redirects_ends(fetch: Fetch) -> None:
    with WebServer({"/a": redirect("/b"), "/b": redirect("/a")}) as server:
        with pytest.raises(FetchRefusedError, match="redirects more than 3 times"):
            fetch(fetcher(), f"{server.url}/a")
        assert len(server.asked) == 4


@both
@pytest.mark.parametrize(
    ("location", "said"),
    [
        ("http://10.0.0.1/secret", "not a public address"),
        ("http://127.0.0.2/secret", "not a public address"),
        ("http://169.254.169.254/latest/meta-data/", "not a public address"),
        ("http://[::1]/x", "not a public address"),
        ("http://[::ffff:10.0.0.1]/x", "not a public address"),
        ("http://2130706434/x", "not a public address"),
        ("file:///etc/passwd", "only https links"),
        ("gopher://127.0.0.1/x", "only https links"),
        ("ftp://127.0.0.1/x", "only https links"),
        ("data:text/plain,hello", "only https links"),
        ("http://user:secret@127.0.0.1/x", "credentials"),
        ("http://denied.example/x", "deny_hosts"),
        ("http://127.0.0.1:99999/x", "no address"),
        ("http://[::1/x", "no address"),
    ],
)
def test_a_redirect_is_checked_like_the_first_address(fetch: Fetch, location: str, said: str) -> None:
    with WebServer({"/a": redirect(location)}) as server:
        with pytest.raises(FetchRefusedError, match=said) as caught:
            fetch(fetcher(deny_hosts=["denied.example"]), f"{server.url}/a")
        assert "secret" not in str(caught.value).replace("/secret", "")
        assert len(server.asked) == 1


@both
def test_a_redirect_to_http_needs_its_permission(fetch: Fetch) -> None:
    tool = HttpFetcher(allow_private=LOOPBACK)
    with pytest.raises(FetchRefusedError, match="not encrypted"):
        fetch(tool, "http://127.0.0.1:9/a")


@both
@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://127.0.0.1:9/a", "not a public address"),
        ("http://localhost:9/a", "not a public address"),
        ("http://127.1:9/a", "not a public address"),
        ("http://0x7f000001:9/a", "not a public address"),
        ("http://[::ffff:127.0.0.1]:9/a", "not a public address"),
        ("file:///etc/passwd", "only https links"),
        ("s3://bucket/key", "only https links"),
        ("https://user:secret@example.com/a", "credentials"),
        ("https://secret@example.com/a", "credentials"),
        ("https://user:secret@[::1/a", "no address"),
    ],
)
def test_an_address_is_refused_without_being_asked(fetch: Fetch, url: str, said: str) -> None:
    with pytest.raises(FetchRefusedError, match=said) as caught:
        fetch(HttpFetcher(allow_http=True), url)
    assert "secret" not in str(caught.value)


@both
def test_only_listed_hosts_are_asked(fetch: Fetch) -> None:
    with WebServer({"/a": answer(PNG)}) as server:
        assert fetch(fetcher(allow_hosts=["127.0.0.1"]), f"{server.url}/a").data == PNG
        with pytest.raises(FetchRefusedError, match="not in allow_hosts"):
            fetch(fetcher(allow_hosts=["example.com"]), f"{server.url}/a")
        assert len(server.asked) == 1


@both
def test_the_address_that_was_checked_is_the_one_that_is_asked(fetch: Fetch, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name server that answers differently each time finds no second question within one connection."""
    answers = iter(["127.0.0.1", "10.0.0.1", "10.0.0.1"])
    asked = []
    real = socket.getaddrinfo

    def changing(host: Any, port: Any, *more: Any, **options: Any) -> Any:
        if host in ("changing.example", b"changing.example"):
            asked.append(host)
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), port))]
        return real(host, port, *more, **options)

    monkeypatch.setattr(socket, "getaddrinfo", changing)
    with WebServer({"/a": answer(PNG), "/b": redirect("/a")}) as server:
        url = f"http://changing.example:{server.port}"
        assert fetch(fetcher(), f"{url}/a").data == PNG
        assert len(asked) == 1
        with pytest.raises(FetchRefusedError, match=r"leads to 10\.0\.0\.1"):
            fetch(fetcher(), f"{url}/a")
        assert len(server.asked) == 1


@both
def test_a_name_with_one_private_address_among_others_is_refused(fetch: Fetch, monkeypatch: pytest.MonkeyPatch) -> None:
    def two(host: Any, port: Any, *more: Any, **options: Any) -> Any:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in ("127.0.0.1", "192.168.0.1")]

    monkeypatch.setattr(socket, "getaddrinfo", two)
    with WebServer({"/a": answer(PNG)}) as server:
        with pytest.raises(FetchRefusedError, match=r"192\.168\.0\.1"):
            fetch(fetcher(), f"http://two.example:{server.port}/a")
        assert not server.asked


@both
def test_a_name_that_is_unknown_is_an_error(fetch: Fetch, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*host: Any, **options: Any) -> Any:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(MediaReadError, match="cannot be looked up"):
        fetch(HttpFetcher(), "https://unknown.example/a")


@both
def test_a_slow_name_server_is_not_waited_for(fetch: Fetch, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow_look_up(host: Any, port: Any, *more: Any, **options: Any) -> Any:
        time.sleep(0.8)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", slow_look_up)
    with pytest.raises(MediaReadError, match=r"in time|more than 0\.2 seconds"):
        fetch(fetcher(timeout=0.2), "http://slow.example:9/a")


@both
def test_a_slow_body_has_an_end(fetch: Fetch) -> None:
    """The limit is for the whole download, not for each drop."""
    drops = slow(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", b"x", 0.05, 200)
    with WebServer({"/a": drops}) as server:
        started = time.monotonic()
        with pytest.raises(MediaReadError, match=r"more than 0\.4 seconds"):
            fetch(fetcher(timeout=0.4), f"{server.url}/a")
        assert time.monotonic() - started < 5


@both
def test_slow_headers_have_an_end(fetch: Fetch) -> None:
    with (
        WebServer({"/a": slow(b"HTTP/1.1 200 OK\r\n", b"X: 1\r\n", 0.05, 200)}) as server,
        pytest.raises(MediaReadError, match=r"more than 0\.4 seconds"),
    ):
        fetch(fetcher(timeout=0.4), f"{server.url}/a")


@both
def test_an_endless_body_is_cut_off(fetch: Fetch) -> None:
    endless = slow(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", b"x" * 4096, 0.0, 2000)
    with WebServer({"/a": endless}) as server, pytest.raises(FetchRefusedError, match="more than 10000 bytes"):
        fetch(fetcher(max_bytes=10_000), f"{server.url}/a")


@both
def test_endless_headers_are_cut_off(fetch: Fetch) -> None:
    endless = slow(b"HTTP/1.1 200 OK\r\n", b"X-Y: " + b"x" * 4000 + b"\r\n", 0.0, 2000)
    with WebServer({"/a": endless}) as server, pytest.raises(MediaReadError, match="cannot download"):
        fetch(fetcher(), f"{server.url}/a")


@both
def test_a_body_that_is_announced_as_too_long_is_not_read(fetch: Fetch) -> None:
    with (
        WebServer({"/a": answer(b"x", length=10_001)}) as server,
        pytest.raises(FetchRefusedError, match="10001 bytes, and max_bytes is 10000"),
    ):
        fetch(fetcher(max_bytes=10_000), f"{server.url}/a")


@both
def test_a_body_of_just_the_limit_is_taken(fetch: Fetch) -> None:
    with WebServer({"/a": answer(PNG)}) as server:
        assert fetch(fetcher(max_bytes=len(PNG)), f"{server.url}/a").data == PNG
        with pytest.raises(FetchRefusedError, match="max_bytes"):
            fetch(fetcher(max_bytes=len(PNG) - 1), f"{server.url}/a")


@both
@pytest.mark.parametrize(("length", "sent"), [(5000, PNG), (0, b""), (10, b"")])
def test_a_wrong_length_is_an_error(fetch: Fetch, length: int, sent: bytes) -> None:
    with (
        WebServer({"/a": answer(sent, length=length)}) as server,
        pytest.raises(MediaReadError, match="cannot download"),
    ):
        fetch(fetcher(), f"{server.url}/a")


@both
@pytest.mark.parametrize("coding", ["gzip", "br", "deflate, gzip", "GZIP", "x-unknown"])
def test_a_compressed_body_is_refused(fetch: Fetch, coding: str) -> None:
    bomb = gzip.compress(b"\0" * 5_000_000)
    with (
        WebServer({"/a": answer(bomb, headers={"Content-Encoding": coding})}) as server,
        pytest.raises(FetchRefusedError, match="compressed"),
    ):
        fetch(fetcher(), f"{server.url}/a")


@both
@pytest.mark.parametrize("status", ["404 Not Found", "500 Oops", "204 No Content", "206 Partial", "304 Not Modified"])
def test_a_status_is_an_error_that_repeats_nothing_of_the_body(fetch: Fetch, status: str) -> None:
    with (
        WebServer({"/a": answer(b"TOPSECRET", status=status)}) as server,
        pytest.raises(MediaReadError, match=f"status {status[:3]}") as caught,
    ):
        fetch(fetcher(), f"{server.url}/a?token=hidden")
    assert "TOPSECRET" not in str(caught.value)
    assert "hidden" not in str(caught.value)
    assert caught.value.__cause__ is None


@both
def test_no_log_line_has_what_may_be_secret(fetch: Fetch, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    with WebServer({"/a": answer(PNG)}) as server:
        fetch(fetcher(), f"{server.url}/a?token=hidden")
    assert "hidden" not in caplog.text


@both
def test_nobody_answers(fetch: Fetch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(MediaReadError, match="cannot download"):
        fetch(fetcher(), f"http://127.0.0.1:{port}/a")


@both
@pytest.mark.parametrize(
    "garbage", [b"", b"garbage\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", b"\0" * 99]
)
def test_an_answer_that_is_no_http_is_an_error(fetch: Fetch, garbage: bytes) -> None:
    with WebServer({"/a": garbage}) as server, pytest.raises(MediaReadError, match="cannot download"):
        fetch(fetcher(), f"{server.url}/a")


@both
def test_a_certificate_is_checked(fetch: Fetch) -> None:
    with WebServer({}) as server, pytest.raises(MediaReadError, match="cannot download"):
        fetch(fetcher(), f"https://127.0.0.1:{server.port}/a")


async def test_a_cancelled_download_ends() -> None:
    with WebServer({"/a": slow(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n", b"x", 0.05, 100)}) as server:
        task = asyncio.create_task(fetcher().afetch(f"{server.url}/a"))
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


@pytest.mark.parametrize(
    "option", [{"timeout": 0}, {"timeout": -1}, {"max_bytes": 0}, {"max_redirects": -1}, {"concurrency": 0}]
)
def test_an_impossible_option_is_refused(option: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(option))):
        HttpFetcher(**option)


@both
def test_encryption_that_is_never_agreed_on_has_an_end(fetch: Fetch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        with pytest.raises(MediaReadError, match=r"more than 0\.3 seconds"):
            fetch(fetcher(timeout=0.3), f"https://127.0.0.1:{port}/a")
