"""OpenAI's chat completions as people write them, also in LiteLLM's dialect."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from openai.types.chat import ChatCompletionMessage

from prompt_adapters import Audio, Document, Image, Message, Text, ToolCall, ToolResult, Video, from_request
from prompt_adapters.adapters import read_request
from prompt_adapters.errors import MediaError, PromptFormatError
from strategies import MP4, PDF, PNG, WAV

B64 = base64.b64encode(PNG).decode()
PNG_URL = f"data:image/png;base64,{B64}"
PDF_URL = f"data:application/pdf;base64,{base64.b64encode(PDF).decode()}"
FILES = "https://generativelanguage.googleapis.com/v1beta/files/abc"


def user(*blocks: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": list(blocks)}]}


def text(**more: Any) -> dict[str, Any]:
    return user({"type": "text", "text": "a", **more})


READ: dict[str, tuple[dict[str, Any], tuple[Message, ...]]] = {
    "strings": (
        {"messages": [{"role": "developer", "content": "d"}, {"role": "user", "content": "{{ u }}", "name": "ann"}]},
        (Message("developer", "d"), Message("user", "{{ u }}", name="ann")),
    ),
    "image by its address alone": (user({"type": "image_url", "image_url": PNG_URL}), (Message("user", Image(PNG)),)),
    "image with a detail": (
        user({"type": "image_url", "image_url": {"url": "https://e.org/a.png", "detail": "auto"}}),
        (Message("user", Image("https://e.org/a.png", detail="auto")),),
    ),
    "sound": (
        user({"type": "input_audio", "input_audio": {"data": base64.b64encode(WAV).decode(), "format": "wav"}}),
        (Message("user", Audio(WAV)),),
    ),
    "files": (
        user(
            {"type": "file", "file": {"filename": "a.pdf", "file_data": PDF_URL}},
            {"type": "file", "file": {"file_id": "file-1"}},
            {"type": "file", "file": {"file_data": "https://e.org/a.pdf", "filename": "b.pdf"}},
        ),
        (
            Message(
                "user",
                [
                    Document(PDF, name="a.pdf"),
                    Document.from_uploaded("file-1"),
                    Document.from_url("https://e.org/a.pdf", name="b.pdf"),
                ],
            ),
        ),
    ),
    "media as files": (
        user(
            {
                "type": "file",
                "file": {
                    "file_data": f"data:video/mp4;base64,{base64.b64encode(MP4).decode()}",
                    "video_metadata": {"start_offset": "1.5s", "fps": 2},
                },
            },
            {"type": "file", "file": {"file_id": FILES, "format": "audio/wav"}},
            {"type": "file", "file": {"file_id": "gs://b/a.pdf", "format": "application/pdf"}},
        ),
        (
            Message(
                "user",
                [
                    Video(MP4, start=1.5, fps=2),
                    Audio.from_uploaded(FILES, mime="audio/wav"),
                    Document("gs://b/a.pdf"),
                ],
            ),
        ),
    ),
    "links of servers": (
        user(
            {"type": "video_url", "video_url": {"url": "https://e.org/a.mp4"}},
            {"type": "audio_url", "audio_url": {"url": "https://e.org/a.mp3"}},
        ),
        (Message("user", [Video("https://e.org/a.mp4"), Audio("https://e.org/a.mp3")]),),
    ),
    "Claude's document through LiteLLM": (
        user({"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "x"}, "title": "T"}),
        (Message("user", Document(b"x", title="T")),),
    ),
    "marks of both kinds": (
        user(
            {"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}},
            {"type": "text", "text": "b", "prompt_cache_breakpoint": {"mode": "explicit"}},
        ),
        (Message("user", [Text("a", cache=True), Text("b", cache=True)]),),
    ),
    "calls and results": (
        {
            "messages": [
                {
                    "role": "assistant",
                    "content": None,
                    "refusal": None,
                    "annotations": [],
                    "tool_calls": [
                        {"id": "1", "type": "function", "function": {"name": "f", "arguments": '{"a": [1]}'}},
                        {"id": "2", "function": {"name": "f", "arguments": ""}},
                    ],
                },
                {"role": "tool", "tool_call_id": "1", "content": "r"},
                {"role": "tool", "tool_call_id": "2", "content": [{"type": "text", "text": "s"}], "name": "f"},
            ]
        },
        (
            Message("assistant", [ToolCall("1", "f", {"a": [1]}), ToolCall("2", "f", {})]),
            Message("tool", ToolResult("1", "r")),
            Message("tool", ToolResult("2", "s", name="f")),
        ),
    ),
    "text beside calls": (
        {
            "messages": [
                {
                    "role": "assistant",
                    "content": "So:",
                    "tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
                }
            ]
        },
        (Message("assistant", ["So:", ToolCall("1", "f", {})]),),
    ),
}


@pytest.mark.parametrize(("request_", "messages"), READ.values(), ids=READ)
def test_what_people_write_is_read(request_: dict[str, Any], messages: tuple[Message, ...]) -> None:
    assert from_request("openai_style", request_) == messages
    assert from_request("litellm_style", request_) == messages


CALL = {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
PREFIXED = {"role": "assistant", "content": "a", "prefix": True}
REFUSED: dict[str, tuple[Any, str]] = {
    "no messages": ({}, "the request has no 'messages'"),
    "messages that are none": ({"messages": "hi"}, "the request, 'messages' is of type str, not a list"),
    "a message that is none": ({"messages": [{"role": "user", "content": "a"}, 3]}, "message 2 is of type int"),
    "an unknown top-level key": ({"messages": [], "mesages": []}, "the request has 'mesages', which has no place"),
    "no role": ({"messages": [{"content": "a"}]}, "message 1 has no 'role'"),
    "a role that is none": ({"messages": [{"role": "bot", "content": "a"}]}, "message 1 has the role 'bot'"),
    "no content": ({"messages": [{"role": "user"}]}, "message 1 (user) has no 'content'"),
    "a content that is none": ({"messages": [{"role": "user", "content": 3}]}, "message 1 (user), 'content' is of"),
    "an unknown key of a message": (
        {"messages": [{"role": "user", "content": "a", "mood": 1}]},
        "message 1 (user) has 'mood'",
    ),
    "a prefix in the middle": ({"messages": [PREFIXED, PREFIXED]}, "message 1 (assistant) has 'prefix', which belongs"),
    "a refusal": (
        {"messages": [{"role": "assistant", "content": "a", "refusal": "no"}]},
        "message 1 (assistant) has a 'refusal', 'no'",
    ),
    "a refusal alone": (
        {"messages": [{"role": "assistant", "content": None, "refusal": "no"}]},
        "message 1 (assistant) has a 'refusal', 'no', which messages have no word for; make it the 'content'",
    ),
    "thoughts": (
        {"messages": [{"role": "assistant", "content": "a", "reasoning_content": "b"}]},
        "'reasoning_content'",
    ),
    "calls of the user": ({"messages": [{"role": "user", "content": "a", "tool_calls": [CALL]}]}, "has 'tool_calls'"),
    "a result of nothing": ({"messages": [{"role": "tool", "content": "a"}]}, "message 1 (tool) has no 'tool_call_id'"),
    "an unknown block": (user({"type": "hologram"}), "message 1 (user), part 1 is of type 'hologram'"),
    "a block without type": (user({"text": "a"}), "message 1 (user), part 1 has no 'type'"),
    "a text that is none": (user({"type": "text", "text": 3}), "part 1 has of type int as 'text'"),
    "an unknown key of a block": (text(mood=1), "message 1 (user), part 1 has 'mood'"),
    "an unknown key of an image": (
        user({"type": "image_url", "image_url": {"url": PNG_URL, "size": 3}}),
        "message 1 (user), part 1 has 'size'",
    ),
    "an unknown detail": (
        user({"type": "image_url", "image_url": {"url": PNG_URL, "detail": "huge"}}),
        "message 1 (user), part 1: detail is one of",
    ),
    "a file of two kinds": (user({"type": "file", "file": {"file_id": "f", "file_data": PDF_URL}}), "at once"),
    "a file of none": (user({"type": "file", "file": {}}), "has none of file_data, file_id"),
    "a clip of a document": (
        user({"type": "file", "file": {"file_data": PDF_URL, "video_metadata": {"fps": 1}}}),
        "stands beside document",
    ),
    "a time that is none": (
        user(
            {"type": "file", "file": {"file_id": FILES, "format": "video/mp4", "video_metadata": {"start_offset": "x"}}}
        ),
        "not seconds such as '1.5s'",
    ),
    "a mark that lasts": (text(cache_control={"type": "ephemeral", "ttl": "1h"}), "'1h' as 'ttl'"),
    "another mark": (text(cache_control={"type": "forever"}), "part 1, 'cache_control' has no 'type'"),
    "arguments that are none": (
        {"messages": [{"role": "assistant", "tool_calls": [{**CALL, "function": {"name": "f", "arguments": "{"}}]}]},
        "message 1 (assistant), tool call 1: the arguments of 'f' is not JSON",
    ),
    "arguments of no object": (
        {"messages": [{"role": "assistant", "tool_calls": [{**CALL, "function": {"name": "f", "arguments": "[1]"}}]}]},
        "is of type list, not an object",
    ),
    "a call of another type": (
        {"messages": [{"role": "assistant", "tool_calls": [{**CALL, "type": "custom"}]}]},
        "tool call 1 has 'custom' as 'type'",
    ),
    "a call without id": (
        {"messages": [{"role": "assistant", "tool_calls": [{"function": CALL["function"]}]}]},
        "tool call 1 has no 'id'",
    ),
    "a call with an empty id": (
        {"messages": [{"role": "assistant", "tool_calls": [{**CALL, "id": ""}]}]},
        "tool call 1: a tool call needs 'id'",
    ),
}


@pytest.mark.parametrize(("request_", "said"), REFUSED.values(), ids=REFUSED)
def test_what_messages_cannot_say_is_refused_by_name_and_place(request_: Any, said: str) -> None:
    with pytest.raises(PromptFormatError) as caught:
        from_request("openai_style", request_)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "address", ["/etc/passwd", "photo.png", "file:///etc/passwd", "~/a.png", "C:\\a.png", "", "ftp://e.org/a.png", B64]
)
def test_no_request_names_a_path(address: str) -> None:
    for block in (
        {"type": "image_url", "image_url": {"url": address}},
        {"type": "file", "file": {"file_data": address}},
        {"type": "video_url", "video_url": {"url": address}},
    ):
        with pytest.raises(MediaError, match=r"^message 1 \(user\), part 1: "):
            from_request("openai_style", user(block))


def test_broken_media_are_named_with_their_place() -> None:
    for data in (
        "data:image/png;base64,@@",
        "data:image/png;base64,",
        f"data:image/png;base64,{base64.b64encode(PDF).decode()}",
    ):
        with pytest.raises(MediaError, match=r"^message 1 \(user\), part 2: "):
            from_request("openai_style", user({"type": "text", "text": "a"}, {"type": "image_url", "image_url": data}))


def test_extra_body_stands_beside_the_rest() -> None:
    request = {"messages": [], "extra_body": {"top_k": 3, "min_p": 0.1}, "model": "m", "max_completion_tokens": 5}
    found = read_request("openai_style", request)
    assert found.parameters == {"top_k": 3, "max_tokens": 5}
    assert found.own == {"min_p": 0.1}
    assert found.model == "m"


def test_answers_of_the_client_are_read_as_they_came() -> None:
    answer = ChatCompletionMessage(role="assistant", content="4", refusal=None)
    assert from_request("openai_style", {"messages": [answer]}) == (Message("assistant", "4"),)


def test_what_asks_a_server_to_continue_says_what_a_final_turn_says() -> None:
    assert from_request("openai_style", {"messages": [PREFIXED]}) == (Message("assistant", "a"),)
    flags = {"continue_final_message": True, "add_generation_prompt": False}
    last = {"messages": [{"role": "assistant", "content": "a"}]}
    assert read_request("openai_style", {**last, **flags}).own == {}
    assert read_request("openai_style", {**last, "extra_body": flags}).own == {}
    assert read_request("openai_style", {**text(), **flags}).own == flags
    other = {**flags, "add_generation_prompt": True}
    assert read_request("openai_style", {**last, **other}).own == other
