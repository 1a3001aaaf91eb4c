"""What has a place at one provider only: it arrives there, through LiteLLM, as that provider has it."""

import base64
import io
from typing import Any

import pytest
from PIL import Image as Pillow

from litellm_access import access
from prompt_adapters import Document, Image, Message, Text, ToolCall, ToolResult, Video, get_adapter
from prompt_adapters.litellm import LiteLLMBridge

Body = dict[str, Any]


def photo() -> bytes:
    buffer = io.BytesIO()
    Pillow.new("RGB", (8, 4), "navy").save(buffer, "PNG")
    return buffer.getvalue()


PHOTO = photo()
B64 = base64.b64encode(PHOTO).decode()
FILM = b"\0\0\0\x14ftypisom\0\0\0\0isom" + b"\0\0\0\x0cmdatfilm" + b"\0\0\0\x08moov"
TOOL_SETUP: Body = {"tools": [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]}


def film(brand: bytes) -> Video:
    return Video(b"\0\0\0\x14ftyp" + brand + b"\0\0\0\0" + brand + b"\0\0\0\x0cmdatfilm\0\0\0\x08moov")


PREFILL = (Message("user", "Give JSON."), Message("assistant", '{"a": '))
FILM_URL = f"data:video/mp4;base64,{base64.b64encode(FILM).decode()}"
PARTS: dict[str, tuple[str, tuple[Message, ...], Any]] = {
    "vLLM continues by flags": (
        "hosted_vllm/Qwen/Qwen3",
        PREFILL,
        {"continue_final_message": True, "add_generation_prompt": False},
    ),
    "DeepSeek continues by a mark": (
        "deepseek/deepseek-chat",
        PREFILL,
        {"role": "assistant", "content": '{"a": ', "prefix": True},
    ),
    "Mistral continues by a mark": (
        "mistral/mistral-medium-latest",
        PREFILL,
        {"role": "assistant", "content": '{"a": ', "prefix": True},
    ),
    "vLLM gets video": (
        "hosted_vllm/Qwen/Qwen2.5-VL",
        (Message("user", [Video(FILM), "What?"]),),
        {"type": "video_url", "video_url": {"url": FILM_URL}},
    ),
    "OpenRouter gets documents by link": (
        "openrouter/google/gemini-2.5-pro",
        (Message("user", [Document("https://example.org/a.pdf", name="a.pdf"), "What?"]),),
        {"type": "file", "file": {"filename": "a.pdf", "file_data": "https://example.org/a.pdf"}},
    ),
    "OpenAI gets breakpoints": (
        "openai/gpt-5.6",
        (Message("user", [Text("Long.", cache=True), "What?"]),),
        {"type": "text", "text": "Long.", "prompt_cache_breakpoint": {"mode": "explicit"}},
    ),
    "OpenRouter gets marks of a cache": (
        "openrouter/anthropic/claude-sonnet-4.5",
        (Message("user", [Text("Long.", cache=True), "What?"]),),
        {"type": "text", "text": "Long.", "cache_control": {"type": "ephemeral"}},
    ),
    "Bedrock gets marks of a cache": (
        "bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0",
        (Message("user", [Text("Long.", cache=True), "What?"]),),
        {"cachePoint": {"type": "default"}},
    ),
    "Bedrock gets a film of Apple's": (
        "bedrock/amazon.nova-lite-v1:0",
        (Message("user", [film(b"qt  "), "What?"]),),
        {"format": "mov", "source": {"bytes": base64.b64encode(film(b"qt  ").as_bytes()).decode()}},
    ),
    "Bedrock gets a document in a result": (
        "bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0",
        (
            Message("user", "What?"),
            Message("assistant", [ToolCall("c1", "look")]),
            Message("tool", [ToolResult("c1", ["See: ", Document(b"words", mime="text/plain")])]),
        ),
        {"text": "See: "},
    ),
    "Mistral gets what was uploaded": (
        "mistral/mistral-medium-latest",
        (Message("user", [Document.from_uploaded("abc"), "What?"]),),
        {"type": "file", "file_id": "abc"},
    ),
    "Cohere gets its plan": (
        "cohere_chat/command-a-03-2025",
        (
            Message("user", "What?"),
            Message("assistant", ["I look.", ToolCall("c1", "look")]),
            Message("tool", [ToolResult("c1", "A lamp.")]),
        ),
        {
            "role": "assistant",
            "tool_plan": "I look.",
            "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}],
        },
    ),
    "a DeepSeek that LiteLLM lists as seeing gets images": (
        "deepseek/deepseek-v4-flash-vision-exp",
        (Message("user", [Image(PHOTO), "What?"]),),
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{B64}"}},
    ),
    "Ollama gets images of any turn": (
        "ollama_chat/llava",
        (Message("user", "Draw."), Message("assistant", ["Here.", Image(PHOTO)]), Message("user", "More.")),
        {"role": "assistant", "content": "Here.", "images": [B64]},
    ),
}


def holds(value: Any, wanted: Any) -> bool:
    """Whether something with these fields and values is in JSON data."""
    match value:
        case dict():
            same = isinstance(wanted, dict) and all(value.get(key) == item for key, item in wanted.items())
            return same or any(holds(item, wanted) for item in value.values())
        case list():
            return any(holds(item, wanted) for item in value)
    return False


@pytest.mark.parametrize("name", PARTS)
def test_what_a_provider_has_a_place_for_arrives(name: str, provider: Any, litellm: Any) -> None:
    model, messages, wanted = PARTS[name]
    tools = TOOL_SETUP if any(message.role == "tool" for message in messages) else {}
    LiteLLMBridge(model).completion(messages, **access(model, provider.url), **tools)
    bodies = [call.body for call in provider.calls if not call.path.endswith("/api/show")]
    assert len(bodies) == 1
    assert holds(bodies[0], wanted), bodies


def test_texts_that_litellm_joins_are_noted() -> None:
    two = Message("user", ["One.", "Two."])
    for model, joins in (
        ("mistral/mistral-medium-latest", True),
        ("azure_ai/mistral-large", True),
        ("deepseek/deepseek-chat", True),
        ("openai/gpt-4o", False),
    ):
        adapter = get_adapter("litellm_style", model=model)
        content = adapter.build_request(two)["messages"][0]["content"]
        assert (content == "One.\nTwo.") == joins
        assert any("its 2 texts are sent as one" in str(note) for note in adapter.prepare(two).notes) == joins
