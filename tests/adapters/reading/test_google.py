"""Google's generateContent as people write it, in the client's words and in the wire's."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from google.genai import types

from prompt_adapters import Audio, Document, Image, Message, Text, ToolCall, ToolResult, Video, from_request
from prompt_adapters.adapters import read_request
from prompt_adapters.errors import MediaError, PromptFormatError
from strategies import PDF, PNG, WAV

B64 = base64.urlsafe_b64encode(PNG).decode()
FILES = "https://generativelanguage.googleapis.com/v1beta/files/abc"
YOUTUBE = "https://www.youtube.com/watch?v=9hE5-98ZeCg"


def user(*parts: Any) -> dict[str, Any]:
    return {"contents": [{"role": "user", "parts": list(parts)}]}


READ: dict[str, tuple[dict[str, Any], tuple[Message, ...]]] = {
    "the wire": (
        {
            "systemInstruction": {"parts": [{"text": "A"}, {"text": "B"}]},
            "contents": [
                {"parts": [{"inlineData": {"mimeType": "image/png", "data": B64}}]},
                {"role": "model", "parts": [{"text": "m"}]},
            ],
        },
        (Message("system", ["A", "B"]), Message("user", Image(PNG)), Message("assistant", "m")),
    ),
    "the client": (
        {
            "contents": [{"role": "user", "parts": [{"inline_data": {"mime_type": "audio/wav", "data": WAV}}]}],
            "config": {"system_instruction": ["A", {"text": "B"}]},
        },
        (Message("system", ["A", "B"]), Message("user", Audio(WAV))),
    ),
    "a text alone": ({"contents": "hi {{ x }}"}, (Message("user", "hi {{ x }}"),)),
    "texts and parts alone": (
        {
            "contents": ["a", {"text": "b"}, {"role": "model", "parts": ["c"]}, "d"],
            "config": {"systemInstruction": "S"},
        },
        (Message("system", "S"), Message("user", ["a", "b"]), Message("assistant", "c"), Message("user", "d")),
    ),
    "the client's own objects": (
        {
            "contents": [
                types.Content(role="user", parts=[types.Part.from_bytes(data=PNG, mime_type="image/png")]),
                types.Content(role="model", parts=[types.Part.from_text(text="m")]),
                types.Part.from_text(text="p"),
            ]
        },
        (Message("user", Image(PNG)), Message("assistant", "m"), Message("user", "p")),
    ),
    "files": (
        user(
            {"fileData": {"mimeType": "application/pdf", "fileUri": "gs://b/a"}},
            {"fileData": {"mimeType": "image/png", "fileUri": FILES}},
            {"fileData": {"fileUri": "https://e.org/a.pdf"}},
            {"fileData": {"fileUri": YOUTUBE}, "videoMetadata": {"startOffset": "1s", "endOffset": "2.5s", "fps": 1}},
            {"inlineData": {"mimeType": "application/pdf", "data": PDF, "displayName": "a.pdf"}},
        ),
        (
            Message(
                "user",
                [
                    Document.from_url("gs://b/a", mime="application/pdf"),
                    Image.from_uploaded(FILES, mime="image/png"),
                    Document("https://e.org/a.pdf"),
                    Video(YOUTUBE, start=1, end=2.5, fps=1),
                    Document(PDF, name="a.pdf"),
                ],
            ),
        ),
    ),
    "calls and responses without ids": (
        {
            "contents": [
                {
                    "role": "model",
                    "parts": [
                        {"functionCall": {"name": "f", "args": {"a_b": {"cD": 1}}}},
                        {"functionCall": {"name": "g"}},
                        {"functionCall": {"name": "f", "args": {}}},
                    ],
                },
                {
                    "role": "function",
                    "parts": [
                        {"functionResponse": {"name": "g", "response": {"output": "x"}}},
                        {"functionResponse": {"name": "f", "response": {"result": {"a_b": 1}}}},
                        {"functionResponse": {"name": "f", "response": {"error": "no"}}},
                    ],
                },
            ]
        },
        (
            Message(
                "assistant",
                [ToolCall("call_1", "f", {"a_b": {"cD": 1}}), ToolCall("call_2", "g"), ToolCall("call_3", "f")],
            ),
            Message(
                "tool",
                [
                    ToolResult("call_2", "x", name="g"),
                    ToolResult("call_1", '{"result": {"a_b": 1}}', name="f"),
                    ToolResult("call_3", "no", name="f", error=True),
                ],
            ),
        ),
    ),
    "a response with media, and text beside it": (
        user(
            {
                "functionResponse": {
                    "id": "i",
                    "name": "f",
                    "response": {},
                    "parts": [{"inlineData": {"mimeType": "image/png", "data": B64}}],
                }
            },
            {"text": "So?"},
        ),
        (Message("user", [ToolResult("i", [Image(PNG)], name="f"), Text("So?")]),),
    ),
}


@pytest.mark.parametrize(("request_", "messages"), READ.values(), ids=READ)
def test_what_people_write_is_read(request_: dict[str, Any], messages: tuple[Message, ...]) -> None:
    assert from_request("google_style", request_) == messages


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no contents": ({}, "the request has no 'contents'"),
    "a role of OpenAI": ({"contents": [{"role": "assistant", "parts": []}]}, "message 1 has the role 'assistant'"),
    "both spellings": ({"contents": [], "systemInstruction": "a", "system_instruction": "b"}, "which mean the same"),
    "system text twice": (
        {"contents": [], "systemInstruction": "a", "config": {"system_instruction": "b"}},
        "which mean the same",
    ),
    "an image of the system": (
        {"contents": [], "systemInstruction": {"parts": [{"inlineData": {}}]}},
        "'system_instruction', part 1 has no 'text'",
    ),
    "a part of nothing": (user({}), "message 1 (user), part 1 has none of text, inline_data"),
    "a part of two kinds": (user({"text": "a", "fileData": {}}), "part 1 has 'text' and 'file_data' at once"),
    "a thought": (user({"text": "a", "thought": True}), "message 1 (user), part 1 has 'thought'"),
    "a signature": (user({"text": "a", "thoughtSignature": "x"}), "part 1 has 'thoughtSignature', which has no place"),
    "a file of no type": (user({"fileData": {"fileUri": "https://e.org/a"}}), "has no 'mime_type', and its address"),
    "a clip of a text": (user({"text": "a", "videoMetadata": {}}), "'video_metadata' stands beside text"),
    "a rate that is none": (
        user({"fileData": {"fileUri": YOUTUBE}, "videoMetadata": {"fps": "fast"}}),
        "has str as 'fps', not a number",
    ),
    "a backward clip": (
        user({"fileData": {"fileUri": YOUTUBE}, "videoMetadata": {"startOffset": "3s", "endOffset": "2s"}}),
        "a video cannot run from 3.0 to 2.0",
    ),
    "a function of no name": (user({"functionCall": {}}), "'function_call' has no 'name'"),
    "an unknown parameter": (
        {"contents": [], "generationConfig": {"tempreature": 1}},
        "the request, 'generation_config' has 'tempreature'",
    ),
}


@pytest.mark.parametrize(("request_", "said"), REFUSED.values(), ids=REFUSED)
def test_what_messages_cannot_say_is_refused_by_name_and_place(request_: dict[str, Any], said: str) -> None:
    with pytest.raises(PromptFormatError) as caught:
        from_request("google_style", request_)
    assert said in str(caught.value)


def test_no_request_names_a_path() -> None:
    for data in ("/etc/passwd", "a.png"):
        with pytest.raises(MediaError, match=r"^message 1 \(user\), part 1: "):
            from_request("google_style", user({"inlineData": {"mimeType": "image/png", "data": data}}))
    with pytest.raises(MediaError, match=r"^message 1 \(user\), part 1: "):
        from_request("google_style", user({"fileData": {"mimeType": "image/png", "fileUri": "file:///etc/passwd"}}))


def test_results_right_after_results_stay_apart() -> None:
    result = {"functionResponse": {"id": "1", "name": "f", "response": {"output": "x"}}}
    found = from_request("google_style", {"contents": [{"role": "user", "parts": [result]}] * 2})
    assert [message.role for message in found] == ["tool", "user"]


FORMATS: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "schema": (
        {"responseMimeType": "application/json", "responseJsonSchema": {"a_b": 1}},
        {"response_format": {"type": "json_schema", "json_schema": {"name": "response", "schema": {"a_b": 1}}}},
        {},
    ),
    "json": ({"responseMimeType": "application/json"}, {"response_format": {"type": "json_object"}}, {}),
    "text": ({"responseMimeType": "text/plain"}, {"response_format": {"type": "text"}}, {}),
    "a schema of Google's own": (
        {"responseMimeType": "application/json", "responseSchema": {"type": "STRING"}},
        {},
        {"response_mime_type": "application/json", "response_schema": {"type": "STRING"}},
    ),
    "numbers": (
        {
            "topP": 0.5,
            "topK": 3,
            "maxOutputTokens": 9,
            "candidateCount": 2,
            "stopSequences": ["E"],
            "thinkingConfig": {},
        },
        {"top_p": 0.5, "top_k": 3, "max_tokens": 9, "n": 2, "stop": ["E"]},
        {"thinking_config": {}},
    ),
}


@pytest.mark.parametrize(("given", "shared", "own"), FORMATS.values(), ids=FORMATS)
def test_parameters_are_sorted(given: dict[str, Any], shared: dict[str, Any], own: dict[str, Any]) -> None:
    for key in ("generationConfig", "config"):
        found = read_request("google_style", {"contents": "a", key: given, "safetySettings": []})
        assert found.parameters == shared
        assert found.own == {**own, "safety_settings": []}
