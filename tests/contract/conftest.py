"""The table of conversations as a parameter, the adapters for it, and a server that keeps what clients send."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import Any, NamedTuple

import pytest

import merging
from prompt_adapters.adapters import MessageAdapter, adapter_for
from prompt_adapters.adapters.reading import READERS

HERE = Path(__file__).parent
STYLES = (
    "openai_style",
    "openai_responses_style",
    "anthropic_style",
    "google_style",
    "bedrock_style",
    "mistral_style",
    "cohere_style",
    "ollama_style",
)


def _sibling(name: str) -> ModuleType:
    """A module beside this file, which is on no import path."""
    spec = importlib.util.spec_from_file_location(f"contract_{name}", HERE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


CONVERSATIONS: dict[str, Any] = _sibling("conversations").CONVERSATIONS
MODELS: dict[str, str] = sys.modules["contract_conversations"].MODELS


class Case(NamedTuple):
    """A conversation for one wire shape."""

    name: str
    style: str
    conversation: Any

    @property
    def adapter(self) -> MessageAdapter:
        """The adapter that this case is for; Anthropic demands `max_tokens`."""
        model = self.conversation.models.get(self.style, MODELS[self.style])
        demanded = {"max_tokens": 1024} if self.style == "anthropic_style" else {}
        return adapter_for(model, parameters={**demanded, **self.conversation.parameters}, **self.conversation.options)

    @property
    def expected(self) -> Path:
        """Where the expected result is kept."""
        return HERE / "expected" / self.style / f"{self.name}.json"


CASES = [Case(name, style, conversation) for style in STYLES for name, conversation in CONVERSATIONS.items()]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give each test that asks for `case` the whole table."""
    if "case" in metafunc.fixturenames:
        metafunc.parametrize("case", CASES, ids=lambda case: f"{case.style}-{case.name}")


@pytest.fixture(scope="session")
def strict() -> ModuleType:
    """The official types, made strict."""
    return _sibling("strict")


def missing(styles: Iterable[str]) -> list[str]:
    """A sentence for each table that has no row for one of these wire shapes."""
    from clients import CLIENTS

    tables: dict[str, Mapping[str, object]] = {
        "MODELS in tests/contract/conversations.py": MODELS,
        "BODY_FAULTS in tests/contract/strict.py": _sibling("strict").BODY_FAULTS,
        "MINIMAL in tests/contract/test_contract.py": _sibling("test_contract").MINIMAL,
        "CLIENTS in tests/support/clients.py": CLIENTS,
        "ALSO_CARRIED in tests/support/merging.py": merging.ALSO_CARRIED,
        "READERS in prompt_adapters/adapters/reading/__init__.py": READERS,
    }
    return [f"add {style!r} to {name}" for style in styles for name, table in tables.items() if style not in table]


@pytest.fixture(scope="session", autouse=True)
def tables() -> None:
    """Every shape has a row in every table, or it is said which one is missing."""
    if lacking := missing(STYLES):
        pytest.fail("; ".join(lacking), pytrace=False)


class Loopback:
    """A server on this machine that answers 400 and keeps the request.

    Attributes:
        url: Its address.
        path: The path of the last request.
        body: The last request's JSON body.
    """

    def __init__(self) -> None:
        loopback = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                loopback.path = self.path
                loopback.body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                answer = b'{"error": {"code": 400, "message": "kept", "status": "INVALID_ARGUMENT", "type": "kept"}}'
                self.send_response(400)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name in http.server
                return

        self.path = ""
        self.body: Any = None
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="session")
def loopback() -> Iterator[Loopback]:
    """A server that keeps what it is sent."""
    server = Loopback()
    yield server
    server.close()
