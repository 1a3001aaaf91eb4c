"""A server on this machine that keeps what clients send, and answers as the providers do: "a harbour"."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Self

SAID = "a harbour"
ANSWER = {
    "candidates": [{"content": {"role": "model", "parts": [{"text": SAID}]}, "finishReason": "STOP"}],
    "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
}
_CHAT = {
    "id": "x",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": SAID}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
}
_RESPONSE = {
    "id": "r",
    "object": "response",
    "created_at": 1,
    "model": "m",
    "status": "completed",
    "parallel_tool_calls": False,
    "tool_choice": "auto",
    "tools": [],
    "output": [
        {
            "type": "message",
            "id": "m",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": SAID, "annotations": []}],
        }
    ],
    "usage": {
        "input_tokens": 1,
        "output_tokens": 1,
        "total_tokens": 2,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    },
}
_MESSAGE = {
    "id": "m",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": [{"type": "text", "text": SAID}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 1},
}
_CONVERSE = {
    "output": {"message": {"role": "assistant", "content": [{"text": SAID}]}},
    "stopReason": "end_turn",
    "usage": {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2},
    "metrics": {"latencyMs": 1},
}
_OLLAMA = {
    "model": "m",
    "created_at": "2026-01-01T00:00:00Z",
    "message": {"role": "assistant", "content": SAID},
    "done": True,
    "done_reason": "stop",
}
_COHERE = {
    "id": "x",
    "finish_reason": "COMPLETE",
    "message": {"role": "assistant", "content": [{"type": "text", "text": SAID}]},
    "usage": {"tokens": {"input_tokens": 1, "output_tokens": 1}},
}
# By what the address holds; Google's holds none of these.
_ANSWERS: dict[str, Any] = {
    "/chat/completions": _CHAT,
    "/responses": _RESPONSE,
    "/messages": _MESSAGE,
    "/converse": _CONVERSE,
    "/api/chat": _OLLAMA,
    "/v2/chat": _COHERE,
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
                answer = next((answer for mark, answer in _ANSWERS.items() if mark in self.path), ANSWER)
                data = json.dumps(answer).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name in http.server
                return

        self.calls = calls
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    @property
    def body(self) -> Any:
        """The body of the last request."""
        return self.calls[-1][1]

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._server.shutdown()
        self._server.server_close()
