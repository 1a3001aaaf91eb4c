"""What is sent: kept as readable files, valid under the official types, and carried unchanged by the official clients.

``EXPECTED=write pytest tests/contract`` writes the files anew; look at the difference before you keep it.
"""

from __future__ import annotations

import base64
import copy
import hashlib
import json
import os
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

import pytest

import converse_model
from clients import CLIENTS, OWN, send_anthropic
from prompt_adapters.errors import PromptAdapterError, UnsupportedContentError

_LONG = re.compile(r"(?:data:[\w/+.-]+;base64,)?[A-Za-z0-9+/]{48,}={0,2}")


def made(case: Any, form: str) -> dict[str, Any] | PromptAdapterError:
    try:
        result: dict[str, Any] = getattr(case.adapter, f"build_{form}")(case.conversation.messages)
    except PromptAdapterError as error:
        return error
    return result


def shortened(value: Any) -> Any:
    """The same data with every long base64 text as its size and digest, so that a person can read it."""
    if isinstance(value, dict):
        return {key: shortened(item) for key, item in value.items()}
    if isinstance(value, list):
        return [shortened(item) for item in value]
    if isinstance(value, str) and _LONG.fullmatch(value):
        prefix, _, text = value.rpartition(",")
        data = base64.b64decode(text, validate=True)
        digest = hashlib.sha256(data).hexdigest()[:16]
        return f"{prefix}{',' if prefix else ''}<base64 of {len(data)} bytes, sha256 {digest}>"
    return value


def what_is_refused(error: PromptAdapterError) -> str:
    """What and where; the reason's wording is tested where it is made."""
    return f"{error.part} at {error.position}" if isinstance(error, UnsupportedContentError) else str(error)


def test_the_result_is_the_expected_one(case: Any) -> None:
    body = made(case, "body")
    if isinstance(body, PromptAdapterError):
        result: dict[str, Any] = {"refused": what_is_refused(body)}
    else:
        notes = [str(note) for note in case.adapter.prepare(case.conversation.messages).notes]
        result = {"notes": notes, "body": shortened(body)}
    if os.environ.get("EXPECTED") == "write":
        case.expected.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(result, ensure_ascii=False, indent=2) + "\n"
        case.expected.write_text(text, encoding="utf-8", newline="\n")
    assert result == json.loads(case.expected.read_text(encoding="utf-8"))


def test_no_expected_file_is_left_over(request: pytest.FixtureRequest) -> None:
    here = request.path.parent
    conftest = request.config.pluginmanager.get_plugin(str(here / "conftest.py"))
    assert conftest is not None
    kept = set((here / "expected").rglob("*.json"))
    assert kept == {case.expected for case in conftest.CASES}
    assert len(conftest.CONVERSATIONS) >= 60


def test_the_body_is_valid_under_the_official_types(case: Any, strict: Any) -> None:
    body = made(case, "body")
    if not isinstance(body, PromptAdapterError):
        assert strict.BODY_FAULTS[case.style](body) == []
        assert json.loads(json.dumps(body)) == body


def test_google_s_request_is_valid_in_the_client_s_own_words(case: Any, strict: Any) -> None:
    request = made(case, "request")
    if case.style == "google_style" and isinstance(request, dict):
        assert strict.google_request_faults(request) == []


def test_bedrock_s_request_is_valid_with_raw_bytes(case: Any) -> None:
    request = made(case, "request")
    if case.style == "bedrock_style" and isinstance(request, dict):
        assert converse_model.request_faults(request) == []
        assert converse_model.stock_report(request) == ""


def test_requests_and_bodies_are_refused_alike(case: Any) -> None:
    request, body = made(case, "request"), made(case, "body")
    assert type(request) is type(body)
    if isinstance(request, PromptAdapterError):
        assert str(request) == str(body)


# The official clients


def test_the_official_client_sends_what_build_body_says(case: Any, loopback: Any) -> None:
    request = made(case, "request")
    if isinstance(request, PromptAdapterError):
        return
    before = copy.deepcopy(request)
    send, arrived, path = CLIENTS[case.style]
    send(loopback.url, request)
    assert arrived(loopback.body) == made(case, "body")
    assert unquote(loopback.path.partition("?")[0]) == path.format(model=case.adapter.model)
    assert request == before


def test_anthropic_s_client_takes_the_model_s_own_maximum(loopback: Any) -> None:
    from prompt_adapters import Message, adapter_for

    adapter = adapter_for("anthropic/claude-opus-5")
    send_anthropic(loopback.url, adapter.build_request(Message("user", "Hi")))
    assert loopback.body == adapter.build_body(Message("user", "Hi"))
    assert loopback.body["max_tokens"] == 128_000


# The checks themselves


def keys_of(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to every key that is not the author's own."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield (*path, key)
            if key not in OWN or isinstance(item, list):  # the list is the input of the Responses API
                yield from keys_of(item, (*path, key))
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from keys_of(item, (*path, index))


def misspelt(body: dict[str, Any], path: tuple[Any, ...]) -> dict[str, Any]:
    broken = copy.deepcopy(body)
    parent: Any = broken
    for step in path[:-1]:
        parent = parent[step]
    parent[f"{path[-1]}x"] = parent.pop(path[-1])
    return broken


def test_a_misspelt_key_is_caught_wherever_it_stands(case: Any, strict: Any) -> None:
    body = made(case, "body")
    if isinstance(body, PromptAdapterError):
        return
    faults = strict.BODY_FAULTS[case.style]
    # Ollama takes a JSON schema as it is.
    for path in (path for path in keys_of(body) if path[0] != "format" or path == ("format",)):
        assert faults(misspelt(body, path)), f"the slip in {path} is not seen"


MINIMAL: dict[str, dict[str, Any]] = {
    "openai_style": {"model": "m", "messages": [{"role": "user", "content": [{"type": "text", "text": "a"}]}]},
    "anthropic_style": {
        "model": "m",
        "max_tokens": 1,
        "messages": [{"role": "user", "content": [{"type": "text", "text": "a"}]}],
    },
    "google_style": {"contents": [{"role": "user", "parts": [{"text": "a"}]}], "generationConfig": {"topK": 1}},
    "openai_responses_style": {
        "model": "m",
        "input": [{"role": "user", "content": [{"type": "input_text", "text": "a"}]}],
    },
    "bedrock_style": {"messages": [{"role": "user", "content": [{"text": "a"}]}], "inferenceConfig": {"topP": 1}},
    "mistral_style": {"model": "m", "messages": [{"role": "user", "content": [{"type": "text", "text": "a"}]}]},
    "cohere_style": {"model": "m", "messages": [{"role": "user", "content": [{"type": "text", "text": "a"}]}]},
    "ollama_style": {"model": "m", "messages": [{"role": "user", "content": "a", "images": []}], "options": {}},
}


@pytest.mark.parametrize(
    ("style", "path", "value"),
    [
        ("openai_style", ("messages", 0, "content", 0, "text"), 3),
        ("openai_style", ("messages", 0, "content", 0), {"type": "file", "file": {}}),
        ("openai_style", ("messages", 0, "content", 0), {"type": "input_image", "image_url": "x"}),
        ("openai_style", ("messages", 0, "content"), None),
        ("openai_style", ("messages",), ()),
        ("openai_style", ("temperature",), "0.5"),
        ("openai_style", ("temperature",), True),
        ("openai_style", ("n",), 1.5),
        ("anthropic_style", ("messages", 0, "content", 0), {"type": "text", "text": "a", "citation": None}),
        (
            "anthropic_style",
            ("messages", 0, "content", 0),
            {"type": "image", "source": {"type": "base64", "data": "x"}},
        ),
        ("anthropic_style", ("messages", 0, "role"), "tool"),
        ("anthropic_style", ("max_tokens",), "1"),
        ("anthropic_style", ("temperature",), "1"),
        ("google_style", ("contents", 0, "parts", 0), {"inline_data": {"mime_type": "a/b", "data": ""}}),
        ("google_style", ("contents", 0, "parts", 0), {"inlineData": {"mimeType": "a/b", "data": "_-8="}}),
        ("google_style", ("contents", 0, "parts", 0), {"inlineData": {"data": "AAAA"}}),
        ("google_style", ("contents", 0, "parts", 0), {"fileData": {"fileUri": "gs://a/b"}}),
        ("google_style", ("generationConfig", "mediaResolution"), "HUGE"),
        ("google_style", ("generationConfig", "topK"), "1"),
        ("openai_responses_style", ("input", 0, "content", 0, "text"), 3),
        ("openai_responses_style", ("input", 0, "content", 0), {"type": "text", "text": "a"}),
        ("openai_responses_style", ("input", 0, "content", 0), {"type": "input_image", "image_url": {"url": "x"}}),
        ("openai_responses_style", ("input", 0, "content", 0), {"type": "input_audio", "input_audio": {}}),
        ("openai_responses_style", ("input", 0, "role"), "tool"),
        ("openai_responses_style", ("temperature",), True),
        ("bedrock_style", ("messages", 0, "content", 0), {"text": "a", "txt": "b"}),
        ("bedrock_style", ("messages", 0, "content", 0), {"image": {"format": "jpg", "source": {"bytes": "AAAA"}}}),
        ("bedrock_style", ("messages", 0, "content", 0), {"image": {"format": "png", "source": {"bytes": "_-8="}}}),
        ("bedrock_style", ("messages", 0, "content"), ({"text": "a"},)),
        ("mistral_style", ("messages", 0, "content", 0), {"type": "text", "text": "a", "texts": "b"}),
        ("mistral_style", ("messages", 0, "content", 0), {"type": "video_url", "video_url": "x"}),
        ("mistral_style", ("messages", 0, "content", 0), {"type": "input_audio", "input_audio": {"data": "AAAA"}}),
        (
            "mistral_style",
            ("messages", 0, "content", 0),
            {"type": "image_url", "image_url": {"url": "x", "detail": "original"}},
        ),
        ("mistral_style", ("messages", 0, "role"), "developer"),
        ("mistral_style", ("messages", 0, "name"), "ann"),
        ("mistral_style", ("seed",), 1),
        ("mistral_style", ("temperature",), "0.5"),
        ("cohere_style", ("messages", 0, "content", 0), {"type": "text", "text": "a", "texts": "b"}),
        ("cohere_style", ("messages", 0, "content", 0), {"text": "a"}),
        ("cohere_style", ("messages", 0, "content", 0), {"type": "image_url", "image_url": "x"}),
        (
            "cohere_style",
            ("messages", 0, "content", 0),
            {"type": "image_url", "image_url": {"url": "x", "detail": "original"}},
        ),
        ("cohere_style", ("messages", 0, "role"), "developer"),
        ("cohere_style", ("messages", 0, "name"), "ann"),
        ("cohere_style", ("top_p",), 0.5),
        ("cohere_style", ("k",), True),
        ("ollama_style", ("messages", 0, "content"), [{"type": "text", "text": "a"}]),
        ("ollama_style", ("messages", 0, "images"), ["data:image/png;base64,AAAA"]),
        ("ollama_style", ("messages", 0, "images"), ["https://example.com/a.png"]),
        ("ollama_style", ("messages", 0, "role"), "developer"),
        ("ollama_style", ("messages", 0, "name"), "ann"),
        ("ollama_style", ("options", "max_tokens"), 1),
        ("ollama_style", ("options", "temperature"), "0.5"),
        ("bedrock_style", ("messages", 0, "role"), "tool"),
        ("bedrock_style", ("inferenceConfig", "topP"), 2),
        ("bedrock_style", ("inferenceConfig", "topP"), True),
    ],
)
def test_what_the_stock_checkers_let_through_is_caught(
    style: str, path: tuple[Any, ...], value: Any, strict: Any
) -> None:
    broken = copy.deepcopy(MINIMAL[style])
    assert strict.BODY_FAULTS[style](broken) == []
    parent: Any = broken
    for step in path[:-1]:
        parent = parent[step]
    parent[path[-1]] = value
    assert strict.BODY_FAULTS[style](broken)


@pytest.mark.parametrize(
    ("style", "path"),
    [
        ("openai_style", ("model",)),
        ("openai_style", ("messages",)),
        ("openai_style", ("messages", 0, "role")),
        ("anthropic_style", ("max_tokens",)),
        ("anthropic_style", ("messages", 0, "content")),
        ("google_style", ("contents",)),
        ("openai_responses_style", ("model",)),
        ("openai_responses_style", ("input",)),
        ("openai_responses_style", ("input", 0, "content")),
        ("bedrock_style", ("messages", 0, "role")),
        ("mistral_style", ("messages", 0, "content")),
        ("mistral_style", ("messages", 0, "content", 0, "type")),
        ("cohere_style", ("messages",)),
        ("cohere_style", ("messages", 0, "content", 0, "type")),
        ("ollama_style", ("messages", 0, "role")),
        ("ollama_style", ("messages", 0, "content")),
    ],
)
def test_a_missing_field_is_caught(style: str, path: tuple[Any, ...], strict: Any) -> None:
    broken = copy.deepcopy(MINIMAL[style])
    parent: Any = broken
    for step in path[:-1]:
        parent = parent[step]
    del parent[path[-1]]
    assert any("missing" in fault for fault in strict.BODY_FAULTS[style](broken))
