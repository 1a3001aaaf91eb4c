"""OpenAI's Responses as people write them."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from prompt_adapters import Document, Image, Message, Text, ToolCall, ToolResult, from_request
from prompt_adapters.adapters import read_request
from prompt_adapters.errors import MediaError, PromptFormatError
from strategies import PDF, PNG

PNG_URL = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
PDF_URL = f"data:application/pdf;base64,{base64.b64encode(PDF).decode()}"
ANSWER = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "status": "completed",
    "content": [{"type": "output_text", "text": "one", "annotations": [], "logprobs": []}],
}
CALL = {"type": "function_call", "call_id": "1", "name": "f", "arguments": '{"a": 1}'}


def user(*parts: Any) -> dict[str, Any]:
    return {"input": [{"role": "user", "content": list(parts)}]}


READ: dict[str, tuple[dict[str, Any], tuple[Message, ...]]] = {
    "a text alone": ({"input": "hi"}, (Message("user", "hi"),)),
    "instructions": (
        {"instructions": "S", "input": [{"role": "developer", "content": "d"}, {"role": "user", "content": "u"}]},
        (Message("system", "S"), Message("developer", "d"), Message("user", "u")),
    ),
    "parts": (
        user(
            {"type": "input_text", "text": "a", "prompt_cache_breakpoint": {"mode": "explicit"}},
            {"type": "input_image", "image_url": PNG_URL, "detail": "auto"},
            {"type": "input_image", "file_id": "file-1", "detail": "high"},
            {"type": "input_file", "filename": "a.pdf", "file_data": PDF_URL},
            {"type": "input_file", "file_url": "https://e.org/a.pdf"},
        ),
        (
            Message(
                "user",
                [
                    Text("a", cache=True),
                    Image(PNG),
                    Image.from_uploaded("file-1", detail="high"),
                    Document(PDF, name="a.pdf"),
                    Document("https://e.org/a.pdf"),
                ],
            ),
        ),
    ),
    "an answer put back, its calls and their results": (
        {
            "input": [
                ANSWER,
                {**CALL, "id": "fc_1", "status": "completed"},
                {"role": "assistant", "content": "two"},
                {"type": "function_call_output", "call_id": "1", "output": "r"},
                {
                    "type": "function_call_output",
                    "call_id": "2",
                    "output": [{"type": "input_image", "image_url": PNG_URL}],
                },
                {"role": "user", "content": "x"},
                {"role": "user", "content": "y"},
            ]
        },
        (
            Message("assistant", ["one", ToolCall("1", "f", {"a": 1}), "two"]),
            Message("tool", [ToolResult("1", "r"), ToolResult("2", [Image(PNG)])]),
            Message("user", "x"),
            Message("user", "y"),
        ),
    ),
}


@pytest.mark.parametrize(("request_", "messages"), READ.values(), ids=READ)
def test_what_people_write_is_read(request_: dict[str, Any], messages: tuple[Message, ...]) -> None:
    assert from_request("openai_responses_style", request_) == messages


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "messages of chat completions": ({"messages": []}, "the request has 'messages', which has no place"),
    "an unknown item": ({"input": [{"type": "reasoning"}]}, "item 1 is of type 'reasoning'"),
    "an item of no role": ({"input": [{"content": "a"}]}, "item 1 has no 'role'"),
    "a tool's role": ({"input": [{"role": "tool", "content": "a"}]}, "item 1 has the role 'tool'"),
    "a part of chat completions": (user({"type": "text", "text": "a"}), "message 1 (user), part 1 is of type 'text'"),
    "a sound": (user({"type": "input_audio", "input_audio": {}}), "part 1 is of type 'input_audio'"),
    "a refusal": (
        {"input": [{"role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]}]},
        "part 1 is of type 'refusal'",
    ),
    "citations": (
        {"input": [{**ANSWER, "content": [{"type": "output_text", "text": "a", "annotations": [{"url": "u"}]}]}]},
        "as 'annotations', which messages have no word for",
    ),
    "an answer that broke off": ({"input": [{**ANSWER, "status": "incomplete"}]}, "'incomplete' as 'status'"),
    "arguments that are none": ({"input": [{**CALL, "arguments": "x"}]}, "the arguments of 'f' is not JSON"),
    "a result without output": ({"input": [{"type": "function_call_output", "call_id": "1"}]}, "has no 'output'"),
    "an unknown key of an item": ({"input": [{**CALL, "mood": 1}]}, "message 1 (assistant) has 'mood'"),
    "a file of two kinds": (user({"type": "input_file", "file_id": "a", "file_url": "b"}), "at once"),
}


@pytest.mark.parametrize(("request_", "said"), REFUSED.values(), ids=REFUSED)
def test_what_messages_cannot_say_is_refused_by_name_and_place(request_: dict[str, Any], said: str) -> None:
    with pytest.raises(PromptFormatError) as caught:
        from_request("openai_responses_style", request_)
    assert said in str(caught.value)


def test_no_request_names_a_path() -> None:
    for part in (
        {"type": "input_image", "image_url": "/etc/passwd"},
        {"type": "input_file", "file_url": "file:///etc/passwd"},
        {"type": "input_file", "file_data": "/etc/passwd"},
    ):
        with pytest.raises(MediaError, match=r"^message 1 \(user\), part 1: "):
            from_request("openai_responses_style", user(part))


@pytest.mark.parametrize(
    ("text", "shared", "own"),
    [
        ({"format": {"type": "json_object"}}, {"response_format": {"type": "json_object"}}, {}),
        (
            {"format": {"type": "json_schema", "name": "v", "schema": {}, "strict": True}, "verbosity": "low"},
            {"response_format": {"type": "json_schema", "json_schema": {"name": "v", "strict": True, "schema": {}}}},
            {"text": {"verbosity": "low"}},
        ),
        ({"format": {"type": "grammar", "x": 1}}, {}, {"text": {"format": {"type": "grammar", "x": 1}}}),
    ],
)
def test_the_format_of_the_answer_is_sorted(text: Any, shared: dict[str, Any], own: dict[str, Any]) -> None:
    found = read_request("openai_responses_style", {"input": "a", "text": text, "max_output_tokens": 5, "store": True})
    assert found.parameters == {"max_tokens": 5, **shared}
    assert found.own == {"store": True, **own}
