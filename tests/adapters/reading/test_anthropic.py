"""Anthropic's Messages as people write them."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from prompt_adapters import Document, Image, Message, Text, ToolCall, ToolResult, from_request
from prompt_adapters.adapters import read_request
from prompt_adapters.content.source import Inline
from prompt_adapters.errors import MediaError, PromptFormatError
from strategies import PDF, PNG

B64 = base64.b64encode(PNG).decode()
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": B64}}


def user(*blocks: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": list(blocks)}]}


def source(**fields: Any) -> dict[str, Any]:
    return user({"type": "document", "source": fields})


READ: dict[str, tuple[dict[str, Any], tuple[Message, ...]]] = {
    "system as a text": (
        {"system": "S", "messages": [{"role": "user", "content": "u"}]},
        (Message("system", "S"), Message("user", "u")),
    ),
    "system as blocks": (
        {
            "system": [
                {"type": "text", "text": "A"},
                {"type": "text", "text": "B", "cache_control": {"type": "ephemeral", "ttl": "5m"}},
            ],
            "messages": [],
        },
        (Message("system", [Text("A"), Text("B", cache=True)]),),
    ),
    "system in the middle": (
        {"messages": [{"role": "user", "content": "u"}, {"role": "system", "content": "S"}]},
        (Message("user", "u"), Message("system", "S")),
    ),
    "media of every source": (
        user(
            IMAGE,
            {"type": "image", "source": {"type": "url", "url": "https://e.org/a.png"}},
            {"type": "image", "source": {"type": "file", "file_id": "file_1"}},
            {
                "type": "document",
                "source": {
                    "type": "base64",
                    "media_type": "application/pdf",
                    "data": base64.b64encode(PDF).decode(),
                },
                "title": "A",
            },
            {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "%PDF-1.4 is a mark"}},
        ),
        (
            Message(
                "user",
                [
                    Image(PNG),
                    Image("https://e.org/a.png"),
                    Image.from_uploaded("file_1"),
                    Document(PDF, title="A"),
                    Document(Inline(b"%PDF-1.4 is a mark", "text/plain")),
                ],
            ),
        ),
    ),
    "calls, and results beside text": (
        {
            "messages": [
                {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "f", "input": {"a": 1}}]},
                {
                    "role": "user",
                    "content": [
                        {"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": "r"}, IMAGE]},
                        {"type": "tool_result", "tool_use_id": "2", "is_error": True},
                        {"type": "text", "text": "So?"},
                    ],
                },
            ]
        },
        (
            Message("assistant", ToolCall("1", "f", {"a": 1})),
            Message("tool", [ToolResult("1", ["r", Image(PNG)]), ToolResult("2", error=True)]),
            Message("user", "So?"),
        ),
    ),
}


@pytest.mark.parametrize(("request_", "messages"), READ.values(), ids=READ)
def test_what_people_write_is_read(request_: dict[str, Any], messages: tuple[Message, ...]) -> None:
    assert from_request("anthropic_style", request_) == messages


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no messages": ({"system": "S"}, "the request has no 'messages'"),
    "an image of the system": (
        {"system": [IMAGE], "messages": []},
        "the request, 'system', block 1 is of type 'image'",
    ),
    "a role of OpenAI": ({"messages": [{"role": "tool", "content": "a"}]}, "message 1 has the role 'tool'"),
    "no content": ({"messages": [{"role": "user"}]}, "message 1 (user) has no 'content'"),
    "thoughts": (
        {"messages": [{"role": "assistant", "content": [{"type": "thinking", "thinking": "t", "signature": "s"}]}]},
        "message 1 (assistant), part 1 is of type 'thinking'",
    ),
    "citations": (
        user({"type": "text", "text": "a"}, {"type": "text", "text": "a", "citations": []}),
        "message 1 (user), part 2 has 'citations'",
    ),
    "a source of blocks": (source(type="content", content=[]), "part 1 has a source of type 'content'"),
    "a text of another kind": (source(type="text", media_type="text/html", data="a"), "'text/html' as 'media_type'"),
    "an unknown key of a source": (source(type="url", url="https://e.org/a.pdf", etag="x"), "'source' has 'etag'"),
    "a text as an image": (
        user({"type": "image", "source": {"type": "text", "data": "a"}}),
        "has a source of type 'text', which is not known for images",
    ),
    "a call in a result": (
        user({"type": "tool_result", "tool_use_id": "1", "content": [{"type": "tool_use"}]}),
        "message 1 (user), part 1, item 1 is of type 'tool_use'",
    ),
    "an error that is no truth value": (
        user({"type": "tool_result", "tool_use_id": "1", "is_error": "yes"}),
        "part 1 has of type str as 'is_error', not true or false",
    ),
    "a long mark": (
        user({"type": "text", "text": "a", "cache_control": {"type": "ephemeral", "ttl": "1h"}}),
        "'cache_control' has '1h' as 'ttl'",
    ),
}


@pytest.mark.parametrize(("request_", "said"), REFUSED.values(), ids=REFUSED)
def test_what_messages_cannot_say_is_refused_by_name_and_place(request_: dict[str, Any], said: str) -> None:
    with pytest.raises(PromptFormatError) as caught:
        from_request("anthropic_style", request_)
    assert said in str(caught.value)


def test_no_request_names_a_path() -> None:
    for fields in ({"type": "url", "url": "/etc/passwd"}, {"type": "url", "url": "file:///etc/passwd"}):
        with pytest.raises(MediaError, match=r"^message 1 \(user\), part 1: "):
            from_request("anthropic_style", source(**fields))


def test_a_schema_is_the_shared_response_format() -> None:
    schema = {"type": "object"}
    request = {
        "messages": [],
        "model": "claude",
        "output_config": {"format": {"type": "json_schema", "schema": schema}, "effort": "low"},
        "extra_body": {"temperature": 0.5},
        "stop_sequences": ["END"],
        "tools": [{"name": "f"}],
        "stream": False,
    }
    found = read_request("anthropic_style", request)
    described = {"type": "json_schema", "json_schema": {"name": "response", "schema": schema}}
    assert found.parameters == {"response_format": described, "temperature": 0.5, "stop": ["END"]}
    assert found.own == {"output_config": {"effort": "low"}, "tools": [{"name": "f"}]}
