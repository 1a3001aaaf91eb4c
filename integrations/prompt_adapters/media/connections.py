"""Connections that are checked where they are made: the address that was checked is the one that is connected to.

A name is looked up once for each connection. So a name server that answers differently the second time is never asked a
second time, and a redirect is checked like the first address.
"""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterable
from threading import Thread
from typing import Any, Final

import anyio
import httpcore

from prompt_adapters.errors import MediaReadError
from prompt_adapters.media.addresses import AddressRules

_DNS_FAILED: Final = "its name cannot be looked up"
_SLOW_DNS: Final = "its name server does not answer in time"


class Deadline:
    """When a download must be over, however many steps it takes.

    Args:
        seconds: How long from now.
    """

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self, timeout: float | None = None) -> float:
        """The seconds that a step may take.

        Raises:
            httpcore.TimeoutException: There are none left.
        """
        left = self._end - time.monotonic()
        if left <= 0:
            raise httpcore.ReadTimeout("the time is over")
        return left if timeout is None else min(left, timeout)


class GuardedBackend(httpcore.NetworkBackend):
    """Connects to addresses that the rules allow, within the deadline."""

    def __init__(self, rules: AddressRules, deadline: Deadline) -> None:
        self._rules = rules
        self._deadline = deadline
        self._plain = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Look up a name, check all its addresses, and connect to one of them.

        Raises:
            FetchRefusedError: An address is not allowed.
            MediaReadError: The name cannot be looked up.
            httpcore.ConnectError: Nobody answers.
        """
        addresses = _looked_up(host, port, self._deadline.left(timeout))
        for address in addresses:
            self._rules.check(address, host)
        for last, address in enumerate(addresses, 1 - len(addresses)):
            try:
                stream = self._plain.connect_tcp(
                    address, port, self._deadline.left(timeout), local_address, socket_options
                )
            except httpcore.ConnectError:
                if last == 0:
                    raise
            else:
                return _GuardedStream(stream, self._deadline)
        raise MediaReadError(_DNS_FAILED)


class _GuardedStream(httpcore.NetworkStream):
    """A connection all of whose steps together stay within the deadline."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._deadline.left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._deadline.left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        encrypted = self._stream.start_tls(ssl_context, server_hostname, self._deadline.left(timeout))
        return _GuardedStream(encrypted, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class AsyncGuardedBackend(httpcore.AsyncNetworkBackend):
    """`GuardedBackend` for an event loop; the caller's time limit holds, so there is no deadline here."""

    def __init__(self, rules: AddressRules) -> None:
        self._rules = rules
        self._plain = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Look up a name, check all its addresses, and connect to one of them; errors as for `GuardedBackend`."""
        try:
            found = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            raise MediaReadError(_DNS_FAILED) from None
        addresses = _distinct(found)
        for address in addresses:
            self._rules.check(address, host)
        for last, address in enumerate(addresses, 1 - len(addresses)):
            try:
                stream = await self._plain.connect_tcp(address, port, timeout, local_address, socket_options)
            except httpcore.ConnectError:
                if last == 0:
                    raise
            else:
                return _ClosedStream(stream)
        raise MediaReadError(_DNS_FAILED)


class _ClosedStream(httpcore.AsyncNetworkStream):
    """A connection that is closed also when the time is over while encryption is agreed on."""

    def __init__(self, stream: httpcore.AsyncNetworkStream) -> None:
        self._stream = stream

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return await self._stream.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.AsyncNetworkStream:
        try:
            return await self._stream.start_tls(ssl_context, server_hostname, timeout)
        except BaseException:
            with anyio.CancelScope(shield=True):
                await self._stream.aclose()
            raise

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _looked_up(host: str, port: int, timeout: float) -> list[str]:
    """The addresses of a name. The system's look-up knows no time limit, so it has a thread of its own."""
    found: list[Any] = []
    failed: list[Exception] = []

    def look_up() -> None:
        try:
            found.extend(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            failed.append(error)

    thread = Thread(target=look_up, name="prompt-adapters-dns", daemon=True)
    thread.start()
    thread.join(timeout)
    if thread.is_alive():
        raise MediaReadError(_SLOW_DNS)
    if failed or not found:
        raise MediaReadError(_DNS_FAILED)
    return _distinct(found)


def _distinct(found: Iterable[Any]) -> list[str]:
    return list(dict.fromkeys(str(info[4][0]) for info in found))
