"""A server on this machine that keeps what clients send, and answers as Gemini does."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Self

ANSWER = {
    "candidates": [{"content": {"role": "model", "parts": [{"text": "a harbour"}]}, "finishReason": "STOP"}],
    "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
}


class Loopback:
    """A context that serves.

    Attributes:
        url: Its address.
        calls: Path and JSON body of every request.
    """

    def __init__(self) -> None:
        calls: list[tuple[str, Any]] = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                calls.append((self.path, json.loads(self.rfile.read(int(self.headers["content-length"])))))
                data = json.dumps(ANSWER).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name in http.server
                return

        self.calls = calls
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._server.shutdown()
        self._server.server_close()
