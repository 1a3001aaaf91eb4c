"""The chats of Mistral, Cohere and Ollama as people write them."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from prompt_adapters import Audio, Document, Image, Message, ToolCall, ToolResult, from_request
from prompt_adapters.adapters import read_request
from prompt_adapters.errors import MediaError, PromptFormatError
from strategies import PNG, WAV

B64 = base64.b64encode(PNG).decode()
PNG_URL = f"data:image/png;base64,{B64}"


def user(*blocks: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": list(blocks)}]}


def call(**fields: Any) -> dict[str, Any]:
    return {"id": "1", "type": "function", "function": {"name": "f", "arguments": {"a": 1}, **fields}}


READ: dict[tuple[str, str], tuple[dict[str, Any], tuple[Message, ...]]] = {
    ("mistral_style", "chunks"): (
        user(
            {"type": "text", "text": "a"},
            {"type": "image_url", "image_url": PNG_URL},
            {"type": "image_url", "image_url": {"url": "https://e.org/a.png", "detail": "low"}},
            {"type": "document_url", "document_url": "https://e.org/a.pdf", "document_name": "a.pdf"},
            {"type": "input_audio", "input_audio": base64.b64encode(WAV).decode()},
            {"type": "input_audio", "input_audio": "https://e.org/a.mp3"},
            {"type": "file", "file_id": "f1"},
        ),
        (
            Message(
                "user",
                [
                    "a",
                    Image(PNG),
                    Image("https://e.org/a.png", detail="low"),
                    Document.from_url("https://e.org/a.pdf", name="a.pdf"),
                    Audio(WAV),
                    Audio("https://e.org/a.mp3"),
                    Document.from_uploaded("f1"),
                ],
            ),
        ),
    ),
    ("mistral_style", "calls, results and a prefix"): (
        {
            "messages": [
                {"role": "assistant", "content": "", "tool_calls": [call()], "prefix": False},
                {"role": "tool", "tool_call_id": "1", "name": "f", "content": "r"},
                {"role": "assistant", "content": "So", "prefix": True},
            ]
        },
        (
            Message("assistant", ["", ToolCall("1", "f", {"a": 1})]),
            Message("tool", ToolResult("1", "r", name="f")),
            Message("assistant", "So"),
        ),
    ),
    ("cohere_style", "a plan, its calls and what the tool gave"): (
        {
            "messages": [
                {"role": "system", "content": "S"},
                {
                    "role": "assistant",
                    "tool_plan": "I look.",
                    "tool_calls": [call(arguments='{"a": 1}')],
                    "citations": [],
                },
                {
                    "role": "tool",
                    "tool_call_id": "1",
                    "content": [
                        {"type": "document", "document": {"data": {"x": 1}}},
                        {"type": "document", "document": {"data": "y"}},
                        {"type": "text", "text": "z"},
                    ],
                },
            ]
        },
        (
            Message("system", "S"),
            Message("assistant", ["I look.", ToolCall("1", "f", {"a": 1})]),
            Message("tool", ToolResult("1", ['{"x": 1}', "y", "z"])),
        ),
    ),
    ("cohere_style", "an image"): (
        user({"type": "image_url", "image_url": {"url": PNG_URL, "detail": "auto"}}),
        (Message("user", Image(PNG, detail="auto")),),
    ),
    ("ollama_style", "images"): (
        {"messages": [{"role": "user", "content": "a", "images": [B64, PNG]}]},
        (Message("user", [Image(PNG), Image(PNG), "a"]),),
    ),
    ("ollama_style", "calls and results in order"): (
        {
            "messages": [
                {
                    "role": "assistant",
                    "content": "",
                    "tool_calls": [
                        {"function": {"name": "f", "arguments": {"a": 1}}},
                        {"function": {"index": 1, "name": "g", "arguments": {}}},
                        {"function": {"name": "f", "arguments": {}}},
                    ],
                },
                {"role": "tool", "tool_name": "g", "content": "1"},
                {"role": "tool", "tool_name": "f", "content": "2", "images": [B64]},
                {"role": "tool", "tool_name": "f", "content": "3"},
                {"role": "assistant", "tool_calls": [{"function": {"name": "f"}}]},
                {"role": "tool", "tool_name": "f", "content": ""},
            ]
        },
        (
            Message("assistant", [ToolCall("call_1", "f", {"a": 1}), ToolCall("call_2", "g"), ToolCall("call_3", "f")]),
            Message("tool", ToolResult("call_2", "1", name="g")),
            Message("tool", ToolResult("call_1", [Image(PNG), "2"], name="f")),
            Message("tool", ToolResult("call_3", "3", name="f")),
            Message("assistant", ToolCall("call_4", "f")),
            Message("tool", ToolResult("call_4", name="f")),
        ),
    ),
}


@pytest.mark.parametrize("key", READ, ids=lambda key: "-".join(key))
def test_what_people_write_is_read(key: tuple[str, str]) -> None:
    request, messages = READ[key]
    assert from_request(key[0], request) == messages


PREFIXED = {"role": "assistant", "content": "a", "prefix": True}
REFUSED: dict[tuple[str, str], tuple[dict[str, Any], str]] = {
    ("mistral_style", "a prefix in the middle"): (
        {"messages": [PREFIXED, {"role": "user", "content": "b"}]},
        "message 1 (assistant) has 'prefix', which belongs to a final turn",
    ),
    ("mistral_style", "a prefix of the user"): ({"messages": [{**PREFIXED, "role": "user"}]}, "has 'prefix'"),
    ("mistral_style", "thoughts"): (user({"type": "thinking", "thinking": []}), "part 1 is of type 'thinking'"),
    ("mistral_style", "a name"): ({"messages": [{"role": "user", "content": "a", "name": "b"}]}, "has 'name'"),
    ("mistral_style", "a role of OpenAI"): ({"messages": [{"role": "developer", "content": "a"}]}, "'developer'"),
    ("mistral_style", "an unknown parameter"): ({"messages": [], "sed": 1}, "the request has 'sed'"),
    ("cohere_style", "citations"): (
        {"messages": [{"role": "assistant", "content": "a", "citations": [{}]}]},
        "as 'citations', which messages have no word for",
    ),
    ("cohere_style", "a document with an id"): (
        {
            "messages": [
                {
                    "role": "tool",
                    "tool_call_id": "1",
                    "content": [{"type": "document", "document": {"data": {}, "id": "d"}}],
                }
            ]
        },
        "'document' has 'id'",
    ),
    ("cohere_style", "a result of nothing"): ({"messages": [{"role": "tool", "content": "a"}]}, "no 'tool_call_id'"),
    ("cohere_style", "two schemas"): (
        {"messages": [], "response_format": {"type": "json_object", "schema": {}, "json_schema": {}}},
        "at once",
    ),
    ("ollama_style", "content as blocks"): (user({"type": "text", "text": "a"}), "of type list as 'content'"),
    ("ollama_style", "thoughts"): (
        {"messages": [{"role": "assistant", "content": "a", "thinking": "b"}]},
        "message 1 (assistant) has 'thinking'",
    ),
    ("ollama_style", "a result of no tool"): ({"messages": [{"role": "tool", "content": "a"}]}, "no 'tool_name'"),
    ("ollama_style", "an unknown option"): (
        {"messages": [], "options": {"tempreature": 1}},
        "the request, 'options' has 'tempreature'",
    ),
    ("ollama_style", "an unknown format"): ({"messages": [], "format": "xml"}, "neither 'json' nor a schema"),
}


@pytest.mark.parametrize("key", REFUSED, ids=lambda key: "-".join(key))
def test_what_messages_cannot_say_is_refused_by_name_and_place(key: tuple[str, str]) -> None:
    request, said = REFUSED[key]
    with pytest.raises(PromptFormatError) as caught:
        from_request(key[0], request)
    assert said in str(caught.value)


@pytest.mark.parametrize("path", ["/etc/passwd", "photo.png", "file:///etc/passwd"])
def test_no_request_names_a_path(path: str) -> None:
    for style, request in {
        "mistral_style": user({"type": "document_url", "document_url": path}),
        "cohere_style": user({"type": "image_url", "image_url": {"url": path}}),
        "ollama_style": {"messages": [{"role": "user", "content": "a", "images": [path]}]},
    }.items():
        with pytest.raises(MediaError, match=r"^message 1 \(user\), (part|image) 1: "):
            from_request(style, request)


SCHEMA = {"type": "json_schema", "json_schema": {"name": "response", "schema": {"a": 1}}}
PARAMETERS: dict[str, tuple[str, dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "Mistral": ("mistral_style", {"random_seed": 1, "stop": "E", "tools": []}, {"seed": 1, "stop": "E"}, {"tools": []}),
    "Cohere": (
        "cohere_style",
        {"p": 0.5, "k": 3, "stop_sequences": ["E"], "documents": ["d"], "stream": True},
        {"top_p": 0.5, "top_k": 3, "stop": ["E"]},
        {"documents": ["d"], "stream": True},
    ),
    "a schema for Cohere": (
        "cohere_style",
        {"response_format": {"type": "json_object", "json_schema": {"a": 1}}},
        {"response_format": SCHEMA},
        {},
    ),
    "JSON for Cohere": (
        "cohere_style",
        {"response_format": {"type": "json_object"}},
        {"response_format": {"type": "json_object"}},
        {},
    ),
    "Ollama": (
        "ollama_style",
        {"options": {"num_predict": 5, "num_ctx": 9, "seed": 1}, "stream": False, "keep_alive": 3},
        {"max_tokens": 5, "seed": 1},
        {"options": {"num_ctx": 9}, "keep_alive": 3},
    ),
    "a schema for Ollama": ("ollama_style", {"format": {"a": 1}}, {"response_format": SCHEMA}, {}),
    "JSON for Ollama": ("ollama_style", {"format": "json"}, {"response_format": {"type": "json_object"}}, {}),
    "no format for Ollama": ("ollama_style", {"format": ""}, {}, {}),
}


@pytest.mark.parametrize(("style", "given", "shared", "own"), PARAMETERS.values(), ids=PARAMETERS)
def test_parameters_are_sorted(style: str, given: dict[str, Any], shared: dict[str, Any], own: dict[str, Any]) -> None:
    found = read_request(style, {"model": "m", "messages": [], **given})
    assert (found.model, found.parameters, found.own) == ("m", shared, own)
