"""The official clients' types, made strict, for tests outside of `tests/contract`."""

from __future__ import annotations

import importlib.util
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any


@lru_cache(maxsize=1)
def strict_types() -> ModuleType:
    """The module that makes them strict, which lies beside the tests of the contract."""
    path = Path(__file__).parent.parent / "contract" / "strict.py"
    spec = importlib.util.spec_from_file_location("official_strict", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def built_responses(adapter: Any, messages: Any) -> dict[str, Any]:
    """The body, valid under the client's types, as is the request, which says the same."""
    from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming

    body: dict[str, Any] = adapter.build_body(messages)
    assert strict_types().Strict().faults(body, ResponseCreateParamsNonStreaming) == []
    assert adapter.build_request(messages) == body
    return body


def built(adapter: Any, messages: Any) -> dict[str, Any]:
    """The body, valid under the client's types, as is the request, which says the same."""
    body: dict[str, Any] = adapter.build_body(messages)
    assert strict_types().BODY_FAULTS[adapter.style](body) == []
    # On Ollama's wire an answer streams unless that is declined; its client declines it by itself.
    quiet = {"stream": False} if adapter.style == "ollama_style" else {}
    assert quiet | adapter.build_request(messages) == body
    return body
