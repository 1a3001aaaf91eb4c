"""What an adapter declares to take is what it takes: adapter by kind of part by where the content is."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from prompt_adapters.adapters import MessageAdapter, adapter_for, get_adapter
from prompt_adapters.adapters.accepted import KINDS, WHERES
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import MEDIA_PARTS, Audio, Document, Image, ToolCall, ToolResult, Video
from prompt_adapters.errors import UnsupportedContentError

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
WAV = b"RIFF\x24\x00\x00\x00WAVEfmt " + bytes(28)
MP4 = b"\x00\x00\x00\x1cftypisom\x00\x00\x02\x00isomiso2avc1"
PDF = b"%PDF-1.4\n%%EOF\n"
FILES = {"image": ("png", PNG), "audio": ("mp3", WAV), "video": ("mp4", MP4), "document": ("pdf", PDF)}
MIMES = {"image": "image/png", "audio": "audio/mpeg", "video": "video/mp4", "document": "application/pdf"}
GOOGLE_FILE = "https://generativelanguage.googleapis.com/v1beta/files/abc"

MODELS = [
    "openai/gpt-4o",
    "openai/gpt-audio",
    "openai/responses/gpt-5.6",
    "azure/mine",
    "azure/responses/mine",
    "hosted_vllm/qwen",
    "groq/llama-4",
    "xai/grok-4",
    "deepseek/deepseek-v4",
    "together_ai/qwen",
    "fireworks_ai/kimi",
    "openrouter/x/y",
    "lm_studio/gemma",
    "llamafile/qwen",
    "cerebras/llama",
    "anthropic/claude-haiku-4-5",
    "vertex_ai/claude-sonnet-4-5@20250929",
    "bedrock/invoke/anthropic.claude-x",
    "gemini/gemini-2.5-pro",
    "gemini/gemma-3-27b-it",
    "vertex_ai/gemini-2.5-pro",
    "bedrock/amazon.nova-lite-v1:0",
    "bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0",
    "mistral/mistral-medium-latest",
    "mistral/voxtral-small-latest",
    "cohere_chat/command-a-vision-07-2025",
    "ollama_chat/llava",
]
STYLES = [
    "openai_style",
    "openai_responses_style",
    "anthropic_style",
    "google_style",
    "bedrock_style",
    "mistral_style",
    "cohere_style",
    "ollama_style",
    "litellm_style",
]
ADAPTERS: dict[str, MessageAdapter] = {
    **{style: get_adapter(style) for style in STYLES},
    **{f"{style}, as it is": get_adapter(style, on_limit="send") for style in STYLES},
    **{model: adapter_for(model) for model in MODELS},
    **{f"litellm {model}": get_adapter("litellm_style", model=model) for model in MODELS},
}


def uploaded(adapter: MessageAdapter) -> str:
    """The name of an uploaded file, in the form that the provider gives it."""
    shape = getattr(adapter, "native", None) or adapter
    return {"google_style": GOOGLE_FILE, "bedrock_style": "s3://bucket/key"}.get(shape.style, "file-1")


def turns(adapter: MessageAdapter, kind: str, where: str) -> tuple[Message, ...] | None:
    """A conversation that holds such a part; None when there can be none."""
    call, result = ToolCall("abcdefghi", "look"), ToolResult("abcdefghi", "seen", name="look")
    if kind not in MEDIA_PARTS:
        asked = Message("user", "Look.")
        said = {"text": (asked,), "tool_call": (asked, Message("assistant", [call]), Message("tool", [result]))}
        return said.get(kind, said["tool_call"]) if where == "inline" else None
    suffix, data = FILES[kind]
    cls = MEDIA_PARTS[kind]
    if where == "inline":
        part = cls(data)
    elif where == "uploaded":
        part = cls.from_uploaded(uploaded(adapter), mime=MIMES[kind])
    else:
        part = cls(f"{where}://example.com/a.{suffix}", mime=MIMES[kind])
    return (Message("user", ["Look.", part]),)


def encodes(adapter: MessageAdapter, kind: str, where: str) -> bool:
    messages = turns(adapter, kind, where)
    if messages is None:
        return False
    try:
        body = adapter.build_body(messages)
    except UnsupportedContentError as error:
        assert "message " in error.position  # noqa: PT017 - either outcome is right, and each is checked
        return False
    assert body
    return True


@pytest.mark.parametrize("name", ADAPTERS)
def test_it_says_yes_exactly_when_encoding_does_not_raise(name: str) -> None:
    adapter = ADAPTERS[name]
    declared = {(kind, where): adapter.accepts(kind, where) for kind in KINDS for where in WHERES}
    assert declared == {(kind, where): encodes(adapter, kind, where) for kind, where in declared}


@pytest.mark.parametrize(
    ("name", "kind", "where", "expected"),
    [
        ("openai_style", "image", "https", True),
        ("openai_style", "audio", "inline", True),
        ("openai_style", "video", "inline", False),
        ("hosted_vllm/qwen", "video", "https", True),
        ("anthropic_style", "document", "uploaded", True),
        ("vertex_ai/claude-sonnet-4-5@20250929", "image", "https", False),
        ("vertex_ai/gemini-2.5-pro", "video", "gs", True),
        ("gemini/gemini-2.5-pro", "video", "gs", False),
        ("bedrock/amazon.nova-lite-v1:0", "video", "s3", True),
        ("ollama_style", "image", "https", False),
        ("cohere_style", "document", "inline", False),
    ],
)
def test_some_of_what_is_documented(name: str, kind: str, where: str, expected: bool) -> None:
    assert ADAPTERS[name].accepts(kind, where) is expected
    assert ADAPTERS[name].accepts("text")


@pytest.mark.parametrize(("kind", "where"), [("picture", "inline"), ("image", "ftp"), ("image", "")])
def test_words_that_mean_nothing_are_an_error(kind: str, where: str) -> None:
    with pytest.raises(ValueError, match="is none of"):
        get_adapter("openai_style").accepts(kind, where)


def test_every_kind_of_part_is_a_kind() -> None:
    parts: list[Any] = [Image, Audio, Video, Document, ToolCall, ToolResult]
    assert set(KINDS) == {"text", *(part.kind for part in parts)}


@pytest.mark.parametrize(
    ("model", "files"),
    [
        ("anthropic/claude-haiku-4-5", True),
        ("azure_ai/claude-haiku-4-5", True),
        ("bedrock/claude_platform/claude-opus-5", True),
        ("bedrock/invoke/anthropic.claude-haiku-4-5-20251001-v1:0", False),
        ("vertex_ai/claude-haiku-4-5", False),
    ],
)
def test_claude_takes_uploads_where_anthropics_files_are(model: str, files: bool) -> None:
    adapter = adapter_for(model)
    assert [adapter.accepts(kind, "uploaded") for kind in ("image", "document")] == [files, files]
