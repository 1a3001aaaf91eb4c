"""What arrives of each kind of part that LiteLLM drops, moves or rewrites when it is written as OpenAI has it."""

import base64
import io
import wave
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image as Pillow

from prompt_adapters import Audio, Document, Image, Message, Prompt, Text, ToolCall, ToolResult, Video
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.litellm import LiteLLMBridge

Body = dict[str, Any]
MODELS = {
    "openai": "openai/gpt-4o",
    "anthropic": "anthropic/claude-sonnet-4-5",
    "gemini": "gemini/gemini-2.5-flash",
}


def photo() -> bytes:
    buffer = io.BytesIO()
    Pillow.new("RGB", (8, 4), "navy").save(buffer, "PNG")
    return buffer.getvalue()


def sound() -> bytes:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setparams((1, 2, 8000, 8, "NONE", ""))
        file.writeframes(b"\0\1" * 8)
    return buffer.getvalue()


PHOTO = photo()
SOUND = sound()
PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
FILM = b"\0\0\0\x14ftypisom\0\0\0\0isom" + b"\0\0\0\x0cmdatfilm" + b"\0\0\0\x08moov"
B64 = base64.b64encode(PHOTO).decode()
_BLOB = {"inline_data": {"data": B64, "mime_type": "image/png"}}


def anthropic_image(data: str) -> Body:
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}


def text(value: str) -> Body:
    return {"type": "text", "text": value}


def blocks(body: Body) -> list[Any]:
    """What the last turn holds, in the provider's shape."""
    turns = body["contents"] if "contents" in body else body["messages"]
    return list(turns[-1].get("parts") or turns[-1]["content"])


def sent(kind: str, message: Message | tuple[Message, ...], provider: Any) -> Body:
    LiteLLMBridge(MODELS[kind]).completion(message, api_base=provider.url, api_key="fake")
    body: Body = provider.call.body
    return body


def test_audio_reaches_gemini_and_openai(provider: Any, litellm: Any) -> None:
    data = base64.b64encode(SOUND).decode()
    message = Message("user", [Audio(SOUND), "What is it?"])
    assert blocks(sent("gemini", message, provider))[0] == {"inline_data": {"data": data, "mime_type": "audio/wav"}}
    provider.reset()
    assert blocks(sent("openai", message, provider))[0]["input_audio"] == {"data": data, "format": "wav"}


@pytest.mark.parametrize(
    ("kind", "document", "expected"),
    [
        (
            "anthropic",
            lambda: Document(PDF, title="Report"),
            {
                "type": "document",
                "source": {
                    "type": "base64",
                    "media_type": "application/pdf",
                    "data": base64.b64encode(PDF).decode(),
                },
                "title": "Report",
            },
        ),
        (
            "anthropic",
            lambda: Document(b"plain words", mime="text/plain", name="note.txt"),
            {
                "type": "document",
                "source": {"type": "text", "media_type": "text/plain", "data": "plain words"},
                "title": "note.txt",
            },
        ),
        (
            "gemini",
            lambda: Document(PDF),
            {"inline_data": {"data": base64.b64encode(PDF).decode(), "mime_type": "application/pdf"}},
        ),
        (
            "gemini",
            lambda: Document(b"plain words", mime="text/plain"),
            {"inline_data": {"data": base64.b64encode(b"plain words").decode(), "mime_type": "text/plain"}},
        ),
        (
            "openai",
            lambda: Document(PDF, name="report.pdf"),
            {
                "type": "file",
                "file": {
                    "filename": "report.pdf",
                    "file_data": f"data:application/pdf;base64,{base64.b64encode(PDF).decode()}",
                },
            },
        ),
    ],
    ids=["claude-pdf", "claude-text", "gemini-pdf", "gemini-text", "openai-pdf"],
)
def test_documents_arrive_as_the_provider_has_them(
    kind: str, document: Callable[[], Document], expected: Body, provider: Any, litellm: Any
) -> None:
    assert blocks(sent(kind, Message("user", [document(), "Sum it up."]), provider)) == [
        expected,
        {"text": "Sum it up."} if kind == "gemini" else text("Sum it up."),
    ]


def test_an_image_of_the_model_reaches_gemini(provider: Any, litellm: Any) -> None:
    turns = (Message("user", "Draw."), Message("assistant", ["Here: ", Image(PHOTO)]), Message("user", "Again."))
    body = sent("gemini", turns, provider)
    assert body["contents"][1] == {"role": "model", "parts": [{"text": "Here: "}, _BLOB]}


def test_marks_of_a_cache_reach_claude(provider: Any, litellm: Any) -> None:
    turns = (
        Message("system", [Text("Long.", cache=True)]),
        Message("user", [Image(PHOTO, cache=True), "Look."], cache=True),
    )
    body = sent("anthropic", turns, provider)
    mark = {"cache_control": {"type": "ephemeral"}}
    assert body["system"] == [text("Long.") | mark]
    assert blocks(body) == [anthropic_image(B64) | mark, text("Look.") | mark]


def test_blank_text_is_not_replaced_for_claude(provider: Any, litellm: Any) -> None:
    body = sent("anthropic", Message("user", [Image(PHOTO), "\n\n", Image(PHOTO), "Compare."]), provider)
    assert blocks(body) == [anthropic_image(B64), anthropic_image(B64), text("Compare.")]


TOOLS = (
    Message("user", "What is here?"),
    Message("assistant", ["Let me see.", ToolCall("c1", "look", {"at": 1}), ToolCall("c2", "look", {"at": 2})]),
    Message("tool", [ToolResult("c1", ["A lamp."]), ToolResult("c2", "data:image/png;base64,AAAA")]),
)
TOOL_SETUP: Body = {"tools": [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]}


def test_tool_turns_arrive_at_claude(provider: Any, litellm: Any) -> None:
    LiteLLMBridge(MODELS["anthropic"]).completion(TOOLS, api_base=provider.url, api_key="fake", **TOOL_SETUP)
    call = {"type": "tool_use", "name": "look"}
    assert provider.call.body["messages"][1:] == [
        {
            "role": "assistant",
            "content": [
                text("Let me see."),
                call | {"id": "c1", "input": {"at": 1}},
                call | {"id": "c2", "input": {"at": 2}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": [text("A lamp.")]},
                {"type": "tool_result", "tool_use_id": "c2", "content": [text("data:image/png;base64,AAAA")]},
            ],
        },
    ]


def test_tool_turns_arrive_at_gemini_and_text_stays_text(provider: Any, litellm: Any) -> None:
    LiteLLMBridge(MODELS["gemini"]).completion(TOOLS, api_base=provider.url, api_key="fake", **TOOL_SETUP)
    model, results = provider.call.body["contents"][1:]
    assert [part.get("function_call", {}).get("args") for part in model["parts"]] == [None, {"at": 1}, {"at": 2}]
    responses = [part["function_response"]["response"] for part in results["parts"]]
    assert responses == [{"content": "A lamp."}, {"content": "data:image/png;base64,AAAA"}]


def test_the_responses_route_keeps_a_system_text(provider: Any, litellm: Any) -> None:
    prompt = Prompt(system="Be brief.", user="{{ photo }}What?")
    bridge = LiteLLMBridge("openai/responses/o3")
    bridge.completion(prompt, {"photo": Image(PHOTO, detail="low")}, api_base=provider.url, api_key="fake")
    system, user = provider.call.body["input"]
    assert (system["role"], system["content"]) == ("system", [{"type": "input_text", "text": "Be brief."}])
    image = {"type": "input_image", "image_url": f"data:image/png;base64,{B64}", "detail": "low"}
    assert user["content"] == [image, {"type": "input_text", "text": "What?"}]


def test_video_reaches_gemini_with_its_clip(provider: Any, litellm: Any) -> None:
    body = sent("gemini", Message("user", [Video(FILM, start=1, end=2.5, fps=2), "What happens?"]), provider)
    assert blocks(body) == [
        {
            "inline_data": {"data": base64.b64encode(FILM).decode(), "mime_type": "video/mp4"},
            "video_metadata": {"startOffset": "1s", "endOffset": "2.5s", "fps": 2.0},
        },
        {"text": "What happens?"},
    ]


def test_files_that_the_provider_holds_are_named(provider: Any, litellm: Any) -> None:
    uri = "https://generativelanguage.googleapis.com/v1beta/files/abc"
    body = sent("gemini", Message("user", [Document.from_uploaded(uri, mime="application/pdf"), "Sum up."]), provider)
    assert blocks(body)[0] == {"file_data": {"file_uri": uri, "mime_type": "application/pdf"}}
    provider.reset()
    parts = [Image.from_uploaded("file_1"), Document.from_uploaded("file_2"), "Compare."]
    body = sent("anthropic", Message("user", parts), provider)
    assert blocks(body)[:2] == [
        {"type": "image", "source": {"type": "file", "file_id": "file_1"}},
        {"type": "document", "source": {"type": "file", "file_id": "file_2"}},
    ]
    provider.reset()
    for part in parts[:2]:  # each of them needs the header, by itself as well
        sent("anthropic", Message("user", [part, "Look."]), provider)
        assert "files-api-2025-04-14" in provider.call.headers["anthropic-beta"]
        provider.reset()
    body = sent("openai", Message("user", [Document.from_uploaded("file-3"), "Sum up."]), provider)
    assert blocks(body)[0] == {"type": "file", "file": {"file_id": "file-3"}}


def test_a_link_stays_a_link_for_claude_and_openai(provider: Any, litellm: Any) -> None:
    message = Message("user", [Image("https://example.org/lamp.png"), "What?"])
    body = sent("anthropic", message, provider)
    assert blocks(body)[0] == {"type": "image", "source": {"type": "url", "url": "https://example.org/lamp.png"}}
    provider.reset()
    assert blocks(sent("openai", message, provider))[0]["image_url"] == {"url": "https://example.org/lamp.png"}


def test_a_picture_in_a_tool_result_reaches_claude(provider: Any, litellm: Any) -> None:
    call, result = ToolCall("c1", "look"), ToolResult("c1", ["Here: ", Image(PHOTO)], cache=True)
    turns = (Message("user", "What?"), Message("assistant", [call]), Message("tool", [result]))
    LiteLLMBridge(MODELS["anthropic"]).completion(turns, api_base=provider.url, api_key="fake", **TOOL_SETUP)
    assert blocks(provider.call.body) == [
        {
            "type": "tool_result",
            "tool_use_id": "c1",
            "content": [text("Here: "), anthropic_image(B64)],
            "cache_control": {"type": "ephemeral"},
        }
    ]


def test_a_system_text_in_mid_conversation_stays_there(provider: Any, litellm: Any) -> None:
    roles = ["user", "system", "assistant", "user"]
    turns = tuple(Message(role, f"As {role}.") for role in roles)
    LiteLLMBridge("anthropic/claude-opus-5").completion(turns, api_base=provider.url, api_key="fake")
    assert [turn["role"] for turn in provider.call.body["messages"]] == roles
    assert "Operator note" not in str(provider.call.body)


@pytest.mark.parametrize("result", ["", " ", ["", Text("")]], ids=["empty", "blank", "empty parts"])
@pytest.mark.parametrize("kind", MODELS)
def test_a_blank_result_is_no_block_of_blank_text(kind: str, result: Any, provider: Any, litellm: Any) -> None:
    call = Message("assistant", [ToolCall("c1", "look")])
    turns = (Message("user", "What?"), call, Message("tool", [ToolResult("c1", result, cache=True)]))
    LiteLLMBridge(MODELS[kind]).completion(turns, api_base=provider.url, api_key="fake", **TOOL_SETUP)
    said = result if isinstance(result, str) else ""
    body = provider.call.body
    mark = {"cache_control": {"type": "ephemeral"}}
    if kind == "openai":
        assert body["messages"][-1] == {"role": "tool", "tool_call_id": "c1", "content": said}
    elif kind == "anthropic":
        assert blocks(body) == [{"type": "tool_result", "tool_use_id": "c1", "content": said} | mark]
    else:
        assert blocks(body)[0]["function_response"] == {"name": "look", "response": {"content": said}}


def test_a_model_of_the_responses_api_keeps_its_system_text_and_gets_no_sound(provider: Any, litellm: Any) -> None:
    bridge = LiteLLMBridge("openai/o3-pro")
    turns = (Message("system", "Be brief."), Message("user", "Hi"))
    bridge.completion(turns, api_base=provider.url, api_key="fake")
    assert provider.call.path.endswith("/responses")
    assert [(turn["role"], turn["content"][0]["text"]) for turn in provider.call.body["input"]] == [
        ("system", "Be brief."),
        ("user", "Hi"),
    ]
    with pytest.raises(UnsupportedContentError, match="audio"):
        bridge.request(Message("user", [Audio(SOUND), "What is it?"]))
