"""Real LiteLLM, real HTTP, no provider: a server on the loopback that answers as OpenAI, Anthropic and Google do."""

import asyncio
import inspect
import json
import logging
import os
import select
import socket
import sys
import threading
import time
import warnings
from collections.abc import AsyncIterator, Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from falling_back import CLAUDE, GPT, row
from managing import GREET, LOOK

# Before LiteLLM is imported: otherwise it asks GitHub for its table of models, and for one of Anthropic's headers.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
os.environ["LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS"] = "True"

ANSWER = ("Hel", "lo")
PATIENCE = 10.0


class Call(NamedTuple):
    """A request as it arrived."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]


class Provider:
    """A server that keeps what it is asked and answers ``Hello``.

    Streams come in two pieces. With `hold`, the second one is sent only after `release` was called, so that a test can
    show that the first arrives by itself; so is an answer that is no stream. `gone` is set when the client hangs up
    meanwhile. With `breaks`, a stream breaks off after the first piece.
    """

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.hold = False
        self.status = 200
        self.breaks = False
        self.gone = threading.Event()
        self._second = threading.Event()
        handler = type("Handler", (_Handler,), {"provider": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    @property
    def call(self) -> Call:
        """The only request."""
        assert len(self.calls) == 1, [call.path for call in self.calls]
        return self.calls[0]

    def release(self) -> None:
        self._second.set()

    def wait(self, client: socket.socket) -> bool:
        """Whether the client is still there when it is time to go on."""
        until = time.monotonic() + PATIENCE
        while self.hold and not self._second.wait(0.02):
            assert time.monotonic() < until, "nobody took the first piece"
            if select.select([client], [], [], 0)[0] and _hung_up(client):
                self.gone.set()
                return False
        return True

    def reset(self) -> None:
        self.calls.clear()
        self.hold, self.breaks, self.status = False, False, 200
        self.gone.clear()
        self._second.clear()

    def close(self) -> None:
        self._second.set()
        self._server.shutdown()
        self._server.server_close()


def _hung_up(client: socket.socket) -> bool:
    try:
        return not client.recv(1, socket.MSG_PEEK)
    except ConnectionError:
        return True


class _Handler(BaseHTTPRequestHandler):
    provider: Provider

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.provider.calls.append(Call(self.path, body, {k.lower(): v for k, v in self.headers.items()}))
        shape = next(shape for mark, shape in _SHAPES.items() if mark in self.path)
        if self.provider.status != 200:
            self._send("application/json", json.dumps({"error": {"message": "no such luck", "type": "bad"}}).encode())
        elif body.get("stream") or "streamGenerateContent" in self.path:
            self._stream(shape(True))
        elif self.provider.wait(self.connection):
            self._send("application/json", json.dumps(shape(False)[0]).encode())

    def do_GET(self) -> None:
        """Nobody has anything to fetch here; who tries is among the calls."""
        self.provider.calls.append(Call(f"GET {self.path}", {}, {k.lower(): v for k, v in self.headers.items()}))
        self.send_response(404)
        self.send_header("content-length", "0")
        self.end_headers()

    def _send(self, kind: str, data: bytes) -> None:
        self.send_response(self.provider.status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, events: list[Any]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        for event in events:
            if json.dumps(ANSWER[1]) in json.dumps(event) and (
                self.provider.breaks or not self.provider.wait(self.connection)
            ):
                return
            name = f"event: {event['type']}\n" if isinstance(event, dict) and "type" in event else ""
            data = event if isinstance(event, str) else json.dumps(event)
            try:
                self.wfile.write(f"{name}data: {data}\n\n".encode())
            except ConnectionError:
                self.provider.gone.set()
                return

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class calls it so
        pass


def _openai(stream: bool) -> list[Any]:
    if not stream:
        choice = {"index": 0, "message": {"role": "assistant", "content": "".join(ANSWER)}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        return [
            {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
            | {"service_tier": "default"}  # which LiteLLM takes for granted of Groq
        ]
    deltas = [({"role": "assistant", "content": ANSWER[0]}, None), ({"content": ANSWER[1]}, None), ({}, "stop")]
    common = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return [
        *(common | {"choices": [{"index": 0, "delta": delta, "finish_reason": end}]} for delta, end in deltas),
        "[DONE]",
    ]


def _responses(stream: bool) -> list[Any]:
    text = {"type": "output_text", "text": "".join(ANSWER), "annotations": []}
    message = {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [text]}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    common = {"id": "r", "object": "response", "created_at": 1, "model": "m", "status": "completed"}
    return [common | {"output": [message], "usage": usage}]


def _anthropic(stream: bool) -> list[Any]:
    message = {"id": "m", "type": "message", "role": "assistant", "model": "c", "stop_reason": None}
    usage = {"input_tokens": 1, "output_tokens": 1}
    if not stream:
        content = [{"type": "text", "text": "".join(ANSWER)}]
        return [message | {"content": content, "stop_reason": "end_turn", "usage": usage}]
    return [
        {"type": "message_start", "message": message | {"content": [], "usage": usage}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *(
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}
            for text in ANSWER
        ),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
        {"type": "message_stop"},
    ]


def _google(stream: bool) -> list[Any]:
    def event(text: str, end: bool) -> dict[str, Any]:
        content = {"role": "model", "parts": [{"text": text}]}
        candidate = {"index": 0, "content": content} | ({"finishReason": "STOP"} if end else {})
        usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
        return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "g"}

    if not stream:
        return [event("".join(ANSWER), True)]
    return [event(ANSWER[0], False), event(ANSWER[1], True)]


def _converse(stream: bool) -> list[Any]:
    assert not stream
    message = {"role": "assistant", "content": [{"text": "".join(ANSWER)}]}
    usage = {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}
    return [{"output": {"message": message}, "stopReason": "end_turn", "usage": usage, "metrics": {"latencyMs": 1}}]


def _cohere(stream: bool) -> list[Any]:
    assert not stream
    message = {"role": "assistant", "content": [{"type": "text", "text": "".join(ANSWER)}]}
    usage = {"tokens": {"input_tokens": 1, "output_tokens": 1}}
    return [{"id": "c", "finish_reason": "COMPLETE", "message": message, "usage": usage}]


def _ollama(stream: bool) -> list[Any]:
    assert not stream
    message = {"role": "assistant", "content": "".join(ANSWER)}
    return [{"model": "m", "created_at": "2024-01-01T00:00:00Z", "message": message, "done": True, "eval_count": 1}]


_SHAPES = {
    "/publishers/mistralai/": _openai,
    "/publishers/ai21/": _openai,
    "/text/chat": _openai,
    "/converse": _converse,
    "/invoke": _anthropic,
    "/v2/chat": _cohere,
    "/api/": _ollama,
    "/chat/completions": _openai,
    "/responses": _responses,
    "/messages": _anthropic,
    "awPredict": _anthropic,
    "enerateContent": _google,
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            for warning in _THEIR_WARNINGS:
                item.add_marker(pytest.mark.filterwarnings(warning))


# What LiteLLM's own modules cause, when they are first used and when its clients are thrown away.
# Its logger has a task in each loop that it was used in, which nobody awaits when the next one comes.
_THEIR_WARNINGS = (
    "ignore:Items? .* using the `ReadOnly` qualifier:UserWarning",
    "ignore:coroutine 'LoggingWorker._worker_loop' was never awaited:RuntimeWarning",
)


@pytest.fixture(scope="session")
def litellm() -> Any:
    """The real thing, imported once."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import litellm
    return litellm


@pytest.fixture(scope="session")
def _provider() -> Iterator[Provider]:
    provider = Provider()
    usual = sys.getswitchinterval()
    sys.setswitchinterval(
        0.0002
    )  # the server and LiteLLM are threads that wait for each other; it halves the tests' time
    yield provider
    sys.setswitchinterval(usual)
    provider.close()


@pytest.fixture
def provider(_provider: Provider, litellm: Any, monkeypatch: pytest.MonkeyPatch) -> Provider:
    """The server, without memories; Vertex AI asks nobody for a token."""
    from litellm.llms.vertex_ai.vertex_llm_base import VertexBase

    async def token(*args: Any, **kwargs: Any) -> tuple[str, str]:
        return "fake", "p"

    monkeypatch.setattr(VertexBase, "_ensure_access_token", lambda *args, **kwargs: ("fake", "p"))
    monkeypatch.setattr(VertexBase, "_ensure_access_token_async", token)
    _provider.reset()
    return _provider


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whoever leaves the machine is stopped, and the test fails even when that was swallowed."""
    strayed: list[Any] = []
    connect, resolve = socket.socket.connect, socket.getaddrinfo

    def guarded_connect(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX and address[0] not in ("127.0.0.1", "::1", "localhost"):
            strayed.append(address)
            raise ConnectionRefusedError(f"a test must not connect to {address}")
        connect(self, address)

    def guarded_resolve(host: Any, *args: Any, **kwargs: Any) -> Any:
        if host not in ("127.0.0.1", "::1", "localhost", None):
            strayed.append(host)
            raise socket.gaierror(f"a test must not look up {host}")
        return resolve(host, *args, **kwargs)

    monkeypatch.setattr(socket.socket, "connect", guarded_connect)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_resolve)
    yield
    assert strayed == []


@pytest.fixture(autouse=True)
def loop(request: pytest.FixtureRequest) -> Iterator[None]:
    """In synchronous code LiteLLM asks for a loop, and leaves the one that it gets open: give it ours."""
    if inspect.iscoroutinefunction(request.function):
        yield
        return
    own = asyncio.new_event_loop()
    asyncio.set_event_loop(own)
    yield
    asyncio.set_event_loop(None)
    own.close()


@pytest.fixture
async def closing(litellm: Any) -> AsyncIterator[None]:
    """LiteLLM keeps one asynchronous client a loop; close them before the loop ends."""
    yield
    await litellm.close_litellm_async_clients()


@pytest.fixture
def managed(litellm: Any) -> Iterator[Callable[..., Any]]:
    """Makes managers that are registered, and leaves none behind."""
    from prompt_adapters.litellm import PromptAdaptersManager

    made: list[Any] = []

    def make(prompts: Any, **options: Any) -> Any:
        made.append(PromptAdaptersManager(prompts, **options).register())
        return made[-1]

    yield make
    for manager in made:
        manager.unregister()


@pytest.fixture
def greeting(managed: Callable[..., Any]) -> Any:
    """The manager of two prompts."""
    return managed({"greet": GREET, "look": LOOK})


@pytest.fixture
def backup(provider: Provider) -> Iterator[Provider]:
    """A second provider."""
    other = Provider()
    yield other
    other.close()


@pytest.fixture
def router(litellm: Any, provider: Provider, backup: Provider) -> Any:
    """OpenAI fails, and Anthropic is asked."""
    provider.status = 500
    rows = [row("main", GPT, provider), row("spare", CLAUDE, backup)]
    return litellm.Router(model_list=rows, fallbacks=[{"main": ["spare"]}], num_retries=0)


@pytest.fixture
def own_callbacks(litellm: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """LiteLLM's lists are afterwards what they were before, and it keeps its failed attempts to itself."""
    for name, value in vars(litellm).items():
        if isinstance(value, list) and name.endswith(("callback", "callbacks")):
            monkeypatch.setattr(litellm, name, list(value))
    for name in ("LiteLLM", "LiteLLM Router"):
        monkeypatch.setattr(logging.getLogger(name), "disabled", True)
