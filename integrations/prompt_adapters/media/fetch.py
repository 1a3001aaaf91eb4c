"""Downloading what a link leads to: never unasked, and under guards.

A link may come from anybody, so each of these holds on every hop of a redirect:

- https, or http where it is allowed; no user and password in the address; hosts by the lists of the fetcher.
- Every address of the host is public (or allowed), and it is the checked address that is connected to.
- One time limit for everything, one size limit that is held while bytes arrive, a number of redirects.
- Nothing of the caller is sent: no cookie, no credential, no referrer; proxies of the environment are not used.
- The answer comes as it is: a compressed one is refused, so that none grows when it is unpacked.

Errors name the host and the path. What a server answered is never repeated in them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, runtime_checkable
from urllib.parse import SplitResult, urljoin, urlsplit

from prompt_adapters.content.mime import normalize_mime
from prompt_adapters.content.source import Link, shown
from prompt_adapters.errors import FetchRefusedError, MediaReadError
from prompt_adapters.media.addresses import AddressRules, HostRules, normal_host

if TYPE_CHECKING:
    import ssl

    import httpcore

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
# What a path may hold as it is: https://www.rfc-editor.org/rfc/rfc3986#section-3.3
_KEPT: Final = "/%:@!$&'()*+,;=~"
_PORTS: Final[Mapping[str, int]] = {"http": 80, "https": 443}


class Fetched(NamedTuple):
    """What a link led to.

    Attributes:
        data: The bytes, as they came.
        mime: The type that the server claimed; None when it claimed none that says something.
    """

    data: bytes
    mime: str | None


@runtime_checkable
class Fetcher(Protocol):
    """What an adapter downloads links with; `HttpFetcher` is one."""

    concurrency: int

    def fetch(self, url: str) -> Fetched:
        """Download a link.

        Raises:
            FetchRefusedError: It may not be downloaded.
            MediaReadError: It cannot be.
        """

    async def afetch(self, url: str) -> Fetched:
        """`fetch` that does not block the event loop."""


class _Target(NamedTuple):
    """One hop: where to connect to, and what to ask for."""

    url: str
    scheme: str
    host: str
    port: int
    path: str

    def request(self) -> httpcore.URL:
        import httpcore

        return httpcore.URL(
            scheme=self.scheme.encode(), host=self.host.encode(), port=self.port, target=self.path.encode()
        )


class HttpFetcher:
    """Downloads http and https links under guards.

    Give it to an adapter, as ``get_adapter("bedrock_style", fetcher=HttpFetcher())``: links that the target does not
    read itself are then downloaded. It holds no connection and no cookie, and may be shared between threads and tasks.

    Args:
        timeout: Seconds that a download may take, redirects and the look-up of names included.
        max_bytes: Bytes that it may have.
        max_total_bytes: Bytes that all downloads of one request may have together.
        max_redirects: Redirects that are followed.
        allow_http: Whether links without encryption are followed too.
        allow_hosts: The only hosts that are asked, as ``["example.com", "*.example.org"]``; None for all.
        deny_hosts: Hosts that are not asked; these win.
        allow_private: Whether addresses of the own machine and network are asked: True, False, or the networks that
            are, as ``["10.1.0.0/16"]``. Link-local addresses have to be listed.
        concurrency: Downloads of one request that run at the same time.
        ssl_context: How certificates are checked; None for the authorities that the package certifi lists.

    Raises:
        ValueError: A number is not positive, or a network or host is none.
        TypeError: A list is a single text.
    """

    def __init__(
        self,
        *,
        timeout: float = 20.0,
        max_bytes: int = 50_000_000,
        max_total_bytes: int = 200_000_000,
        max_redirects: int = 3,
        allow_http: bool = False,
        allow_hosts: Collection[str] | None = None,
        deny_hosts: Collection[str] = (),
        allow_private: bool | Collection[str] = False,
        concurrency: int = 8,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        for name, value, least in (
            ("timeout", timeout, 0),
            ("max_bytes", max_bytes, 0),
            ("max_total_bytes", max_total_bytes, 0),
            ("max_redirects", max_redirects, -1),
            ("concurrency", concurrency, 0),
        ):
            if not value > least:
                raise ValueError(f"{name} is {value}, and must be more than {least}")
        self.timeout = timeout
        self.max_bytes = max_bytes
        self.max_total_bytes = max_total_bytes
        self.max_redirects = max_redirects
        self.allow_http = allow_http
        self.concurrency = concurrency
        self._hosts = HostRules(allow_hosts, deny_hosts)
        self._addresses = AddressRules(allow_private)
        self._ssl_context = ssl_context

    def check(self, url: str) -> None:
        """Refuse an address by what it says; its host is not looked up.

        Raises:
            FetchRefusedError: Its scheme or host is not allowed, or it holds credentials.
        """
        self._target(url)

    def fetch(self, url: str) -> Fetched:
        """Download a link.

        Raises:
            FetchRefusedError: It, or what it redirects to, may not be downloaded, or is larger than allowed.
            MediaReadError: It cannot be: nobody answers, not in time, or with an error.
        """
        import httpcore

        from prompt_adapters.media.connections import Deadline, GuardedBackend

        deadline = Deadline(self.timeout)
        backend = GuardedBackend(self._addresses, deadline)
        with (
            _explained(url, self.timeout),
            httpcore.ConnectionPool(self._tls(), network_backend=backend, retries=0) as pool,
        ):
            target = self._target(url)
            for _ in range(self.max_redirects + 1):
                timeouts = dict.fromkeys(("connect", "read", "write", "pool"), self.timeout)
                with pool.stream(
                    "GET", target.request(), headers=_headers(), extensions={"timeout": timeouts}
                ) as response:
                    onward = self._onward(target, response)
                    if onward is None:
                        return self._fetched(response, b"".join(self._limited(response.iter_stream())))
                target = onward
        raise self._too_many(url)

    async def afetch(self, url: str) -> Fetched:
        """`fetch` that does not block the event loop; errors as there."""
        import anyio
        import httpcore

        from prompt_adapters.media.connections import AsyncGuardedBackend

        backend = AsyncGuardedBackend(self._addresses)
        with _explained(url, self.timeout), anyio.fail_after(self.timeout):
            async with httpcore.AsyncConnectionPool(self._tls(), network_backend=backend, retries=0) as pool:
                target = self._target(url)
                for _ in range(self.max_redirects + 1):
                    async with pool.stream("GET", target.request(), headers=_headers()) as response:
                        onward = self._onward(target, response)
                        if onward is None:
                            chunks = [chunk async for chunk in self._alimited(response.aiter_stream())]
                            return self._fetched(response, b"".join(chunks))
                    target = onward
        raise self._too_many(url)

    def _tls(self) -> ssl.SSLContext:
        return self._ssl_context or _default_tls()

    def _target(self, url: str) -> _Target:
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            raise FetchRefusedError(f"{_shown(url)!r} is no address") from None
        if parts.scheme not in ("https", "http"):
            raise FetchRefusedError(f"only https links are downloaded, not {parts.scheme or _shown(url)[:20]!r}")
        if parts.scheme == "http" and not self.allow_http:
            raise FetchRefusedError(f"{_shown(url)!r} is not encrypted; give https, or allow_http=True")
        if parts.username is not None or parts.password is not None:
            raise FetchRefusedError(f"{_shown(url)!r} holds credentials, which are not sent; take them out")
        host = normal_host(parts.hostname or "")
        if not host:
            raise FetchRefusedError(f"{_shown(url)!r} has no host")
        self._hosts.check(host)
        return _Target(url, parts.scheme, host, port or _PORTS[parts.scheme], _path(parts))

    def _onward(self, target: _Target, response: httpcore.Response) -> _Target | None:
        """The next hop, or None where the answer is the content."""
        headers = _named(response)
        if response.status in _REDIRECTS and "location" in headers:
            try:
                onward = urljoin(target.url, headers["location"])
            except ValueError:
                raise FetchRefusedError("it redirects to what is no address") from None
            return self._target(onward)
        if response.status != 200:
            raise MediaReadError(f"the server answered with status {response.status}")
        if headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
            raise FetchRefusedError("the server sent it compressed, though it was asked not to")
        length = headers.get("content-length", "")
        if length.isdigit() and int(length) > self.max_bytes:
            raise FetchRefusedError(f"it has {length} bytes, and max_bytes is {self.max_bytes}")
        return None

    def _limited(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        count = self._counter()
        for chunk in chunks:
            count(chunk)
            yield chunk

    async def _alimited(self, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        count = self._counter()
        async for chunk in chunks:
            count(chunk)
            yield chunk

    def _counter(self) -> Callable[[bytes], None]:
        total = 0

        def count(chunk: bytes) -> None:
            nonlocal total
            total += len(chunk)
            if total > self.max_bytes:
                raise FetchRefusedError(f"it has more than {self.max_bytes} bytes, which is max_bytes")

        return count

    def _fetched(self, response: httpcore.Response, data: bytes) -> Fetched:
        if not data:
            raise MediaReadError("there is nothing in it")
        return Fetched(data, normalize_mime(_named(response).get("content-type", "")))

    def _too_many(self, url: str) -> FetchRefusedError:
        return FetchRefusedError(f"cannot download {_shown(url)}: it redirects more than {self.max_redirects} times")


@contextmanager
def _explained(url: str, timeout: float) -> Iterator[None]:
    """Errors on the way that say which link it was, and nothing of what came back."""
    import httpcore

    try:
        yield
    except (FetchRefusedError, MediaReadError) as error:
        raise type(error)(f"cannot download {_shown(url)}: {error}") from None
    except (httpcore.TimeoutException, TimeoutError):
        raise MediaReadError(f"cannot download {_shown(url)}: it takes more than {timeout:g} seconds") from None
    except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol, OSError) as error:
        raise MediaReadError(f"cannot download {_shown(url)}: {type(error).__name__}") from None


def _shown(url: str) -> str:
    """A link without what may be secret in it."""
    try:
        return Link(url).describe()
    except MediaReadError:
        return shown(url)


def _path(parts: SplitResult) -> str:
    from urllib.parse import quote

    path = quote(parts.path or "/", safe=_KEPT)
    return f"{path}?{quote(parts.query, safe=_KEPT + '?')}" if parts.query else path


def _headers() -> list[tuple[str, str]]:
    return [("User-Agent", "prompt-adapters"), ("Accept", "*/*"), ("Accept-Encoding", "identity")]


def _named(response: httpcore.Response) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}


@lru_cache(maxsize=1)
def _default_tls() -> Any:
    import httpcore

    return httpcore.default_ssl_context()
