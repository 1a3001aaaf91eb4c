"""Servers that speak OpenAI's shape: what each takes beyond OpenAI or short of it, as a table."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from official import strict_types
from prompt_adapters.adapters import adapter_for, get_adapter
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, Text, ToolCall, ToolResult, Video
from prompt_adapters.errors import UnsupportedContentError

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
WAV = b"RIFF\x24\x00\x00\x00WAVEfmt " + bytes(28)
MP4 = b"\x00\x00\x00\x1cftypisom\x00\x00\x02\x00isomiso2avc1"
PDF = b"%PDF-1.4\n%%EOF\n"
WEB = "https://example.com/"

MODELS = {
    "openai": "openai/gpt-4o",
    "azure": "azure/mine",
    "vllm": "hosted_vllm/qwen",
    "groq": "groq/llama-4",
    "xai": "xai/grok-4",
    "deepseek": "deepseek/deepseek-v4",
    "together": "together_ai/qwen",
    "fireworks": "fireworks_ai/kimi",
    "openrouter": "openrouter/anthropic/claude-sonnet-4.5",
    "lm_studio": "lm_studio/gemma",
    "llama.cpp": "llamafile/qwen",
    "elsewhere": "cerebras/llama",
}
# What each takes, a letter a part: i image, a audio, A audio by link, v video, V video by link, d document,
# D document by link, u uploaded document.
PARTS: dict[str, Any] = {
    "i": Image(PNG),
    "a": Audio(WAV),
    "A": Audio(f"{WEB}a.mp3"),
    "v": Video(MP4),
    "V": Video(f"{WEB}a.mp4"),
    "d": Document(PDF),
    "D": Document(f"{WEB}a.pdf"),
    "u": Document.from_uploaded("file-1"),
}
TAKEN = {
    "openai": "iadu",
    "azure": "iadu",
    "vllm": "iaAvVdu",
    "groq": "i",
    "xai": "iadu",
    "deepseek": "i",
    "together": "iavVdu",
    "fireworks": "iadu",
    "openrouter": "iavVdDu",
    "lm_studio": "i",
    "llama.cpp": "ia",
    "elsewhere": "iadu",
}


@pytest.mark.parametrize("letter", PARTS)
@pytest.mark.parametrize("server", MODELS)
def test_parts_are_taken_or_refused_by_name(server: str, letter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    adapter = adapter_for(MODELS[server], on_limit="send")  # the shape by itself, whatever its models see
    message = Message("user", ["Look.", PARTS[letter]])
    if letter in TAKEN[server]:
        content = adapter.build_body(message)["messages"][0]["content"]
        assert len(content) == 2
    else:
        with pytest.raises(UnsupportedContentError, match=r"at message 1 \(user\), part 2") as caught:
            adapter.build_body(message)
        assert PARTS[letter].kind in caught.value.part


DEVELOPER = {"openai", "azure"}


@pytest.mark.parametrize("server", MODELS)
def test_developer_is_a_role_or_system(server: str) -> None:
    body = adapter_for(MODELS[server]).build_body((Message("developer", "D"), Message("user", "q")))
    assert body["messages"][0]["role"] == ("developer" if server in DEVELOPER else "system")


@pytest.mark.parametrize("server", MODELS)
def test_the_most_tokens_have_their_name(server: str) -> None:
    body = adapter_for(MODELS[server], parameters={"max_tokens": 9}).build_body(Message("user", "q"))
    name = "max_completion_tokens" if server in DEVELOPER else "max_tokens"
    assert {key: value for key, value in body.items() if "tokens" in key} == {name: 9}


PREFILL = (Message("user", "Give JSON."), Message("assistant", "{"))
FLAGS = {"continue_final_message": True, "add_generation_prompt": False}
# The final message beside role and content, what stands beside the messages, and what is noted.
FINAL: dict[str, tuple[dict[str, Any], dict[str, Any], str | None]] = {
    "openai": ({}, {}, "answers a final assistant turn with a new one"),
    "azure": ({}, {}, "answers a final assistant turn with a new one"),
    "vllm": ({}, FLAGS, None),
    "groq": ({}, {}, "Groq is not known to continue"),
    "xai": ({}, {}, "xAI is not known to continue"),
    "deepseek": ({"prefix": True}, {}, "https://api.deepseek.com/beta only"),
    "together": ({}, {}, "Together is not known to continue"),
    "fireworks": ({}, {}, "Fireworks is not known to continue"),
    "openrouter": ({}, {}, None),
    "lm_studio": ({}, {}, "LM Studio is not known to continue"),
    "llama.cpp": ({}, {}, None),
    "elsewhere": ({}, {}, "cerebras is not known to continue"),
}


@pytest.mark.parametrize("server", MODELS)
def test_a_final_assistant_turn_is_continued_as_the_server_wants_it(server: str) -> None:
    adapter = adapter_for(MODELS[server])
    mark, beside, note = FINAL[server]
    body = adapter.build_body(PREFILL)
    assert body["messages"][-1] == {"role": "assistant", "content": "{"} | mark
    assert {key: value for key, value in body.items() if key not in ("model", "messages")} == beside
    request = adapter.build_request(PREFILL)
    assert request.get("extra_body", {}) == beside
    notes = [str(found) for found in adapter.prepare(PREFILL).notes]
    assert len(notes) == (note is not None)
    assert note is None or note in notes[0]


def test_flags_that_are_given_win_and_calls_are_not_continued() -> None:
    adapter = adapter_for("hosted_vllm/qwen", parameters={"add_generation_prompt": True})
    assert "continue_final_message" not in adapter.build_body(PREFILL)
    called = (Message("user", "q"), Message("assistant", [ToolCall("c", "look")]))
    assert adapter_for("hosted_vllm/qwen").build_body(called).keys() == {"model", "messages"}
    assert "prefix" not in adapter_for("deepseek/deepseek-chat").build_body(called)["messages"][-1]


CACHED = (
    Message("system", "Rules.", cache=True),
    Message("user", [Text("A", cache=True), Image(PNG, cache=True)]),
    Message("assistant", [Text("B", cache=True), ToolCall("c", "look", cache=True)]),
    Message("tool", [ToolResult("c", [Text("C"), Text("D")], cache=True)]),
    Message("user", "E"),
)
BREAK = {"prompt_cache_breakpoint": {"mode": "explicit"}}
CONTROL = {"cache_control": {"type": "ephemeral"}}


def marks_in(body: dict[str, Any]) -> list[str]:
    """The texts and kinds of parts that carry a mark."""
    return [
        part.get("text", part["type"])
        for message in body["messages"]
        if isinstance(message["content"], list)
        for part in message["content"]
        if part.keys() & {*BREAK, *CONTROL}
    ]


@pytest.mark.parametrize(
    ("model", "expected", "field"),
    [
        ("openai/gpt-5.6", ["Rules.", "A", "image_url", "D"], BREAK),
        ("openrouter/anthropic/claude-sonnet-4.5", ["Rules.", "A", "B", "D"], CONTROL),
        ("openai/gpt-4o", [], BREAK),
        ("groq/llama-4", [], BREAK),
        ("azure/gpt-5.6", [], BREAK),
    ],
)
def test_prefixes_are_marked_where_the_server_has_a_field(
    model: str, expected: list[str], field: dict[str, Any]
) -> None:
    adapter = adapter_for(model)
    body = adapter.build_body(CACHED)
    assert marks_in(body) == expected
    assert str(body).count(str(field)[1:-1]) == len(expected)
    notes = [str(note) for note in adapter.prepare(CACHED).notes if "cacheable prefix" in str(note)]
    assert len(notes) == 6 - len(expected), "every mark is sent or noted"
    if field is BREAK:
        assert strict_types().BODY_FAULTS["openai_style"](body) == []


def test_at_most_as_many_marks_as_the_server_takes() -> None:
    texts = Message("user", [Text(str(n), cache=True) for n in range(6)])
    for model in ("openai/gpt-5.6", "openrouter/x/y"):
        adapter = adapter_for(model)
        assert marks_in(adapter.build_body(texts)) == ["2", "3", "4", "5"]
        assert "2 of 6 cache marks are left out" in str(adapter.prepare(texts).notes)


def test_nothing_is_marked_without_a_model_nor_in_a_payload() -> None:
    body = get_adapter("openai_style").build_body(CACHED)
    assert marks_in(body) == []
    assert "prompt_cache_breakpoint" not in str(adapter_for("gpt-5.6").build_payload(list(CACHED)))


def test_parameters_beyond_openai_are_in_the_row() -> None:
    for model, name in (
        ("lm_studio/x", "repeat_penalty"),
        ("llamafile/x", "mirostat"),
        ("openrouter/x/y", "top_a"),
        ("hosted_vllm/x", "chat_template_kwargs"),
    ):
        request = adapter_for(model, parameters={name: 1}).build_request(Message("user", "q"))
        assert request["extra_body"] == {name: 1}
        with pytest.raises(UnsupportedContentError, match=f"parameter '{name}'"):
            adapter_for("cerebras/x", parameters={name: 1}).build_request(Message("user", "q"))
