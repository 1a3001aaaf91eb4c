"""A web server on this machine that answers as it is told, byte by byte, and keeps what was asked."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Self, TypeAlias

Answer: TypeAlias = "bytes | Callable[[socket.socket], None]"


def answer(
    body: bytes = b"", *, status: str = "200 OK", headers: dict[str, str] | None = None, length: int | None = None
) -> bytes:
    """An answer with its length, or with another one."""
    head = {"Content-Length": str(len(body) if length is None else length), "Connection": "close"} | (headers or {})
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    return f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + body


def redirect(location: str, status: int = 302) -> bytes:
    """An answer that leads elsewhere."""
    return answer(status=f"{status} Found", headers={"Location": location})


def slow(head: bytes, drop: bytes, pause: float, times: int) -> Callable[[socket.socket], None]:
    """A body that comes drop by drop."""

    def write(connection: socket.socket) -> None:
        connection.sendall(head)
        for _ in range(times):
            time.sleep(pause)
            connection.sendall(drop)

    return write


class WebServer:
    """A context that serves.

    Args:
        answers: What each path gets.

    Attributes:
        url: Its address.
        asked: The head of each request.
        at_once: The most requests that waited for an answer at one time.
    """

    def __init__(self, answers: dict[str, Answer], pause: float = 0.0) -> None:
        self._answers = answers
        self._pause = pause
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._lock = threading.Lock()
        self._standing = 0
        self.port: int = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.asked: list[str] = []
        self.at_once = 0

    def __enter__(self) -> Self:
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._socket.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._socket.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            if (text := self._head(connection)) is not None:
                found = self._answers.get(text.split(" ")[1].partition("?")[0], answer(status="404 Not Found"))
                if callable(found):
                    found(connection)
                else:
                    connection.sendall(found)

    def _head(self, connection: socket.socket) -> str | None:
        """The head of a request; it stands until here, since a client may ask anew before its answer is all sent."""
        with self._lock:
            self._standing += 1
            self.at_once = max(self.at_once, self._standing)
        try:
            head = b""
            while b"\r\n\r\n" not in head:
                received = connection.recv(4096)
                head += received
                if not received or head[:1] == b"\x16":  # of an encrypted connection, which is not spoken here
                    return None
            text = head.decode("latin-1")
            self.asked.append(text)
            time.sleep(self._pause)
            return text
        finally:
            with self._lock:
                self._standing -= 1
