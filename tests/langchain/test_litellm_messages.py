"""LangChain's messages that langchain-litellm turns into what LiteLLM passes on."""

import base64
from typing import Any

import pytest

from chat_packages import FILES, MEDIA
from prompt_adapters import Document, Message, Text, ToolCall, ToolResult, Video, get_adapter
from prompt_adapters.langchain.litellm_messages import litellm_messages, tool_names

GEMINI, CLAUDE, GPT = (
    get_adapter("litellm_style", model=name)
    for name in ("gemini/gemini-2.5-flash", "anthropic/claude-haiku-4-5", "openai/gpt-4o")
)
CLIP = MEDIA["a clip"]
assert isinstance(CLIP, Video)


def made(message: Message, adapter: Any) -> list[Any]:
    return list(litellm_messages(message, adapter, {}))


BLOCKS: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "an image": (MEDIA["a PNG"], GPT, {"type": "image_url", "image_url": {"url": MEDIA["a PNG"].as_data_url()}}),
    "a clip": (
        CLIP,
        GEMINI,
        {
            "type": "file",
            "base64": base64.b64encode(CLIP.as_bytes()).decode(),
            "mime_type": "video/mp4",
            "extras": {
                "filename": "document.mp4", "file_video_metadata": {"start_offset": "1s", "end_offset": "2s"}
            },
        },
    ),
    "an upload": (
        Document.from_uploaded(FILES, mime="application/pdf"),
        GEMINI,
        {"type": "file", "file": {"file_id": FILES, "format": "application/pdf"}},
    ),
    "a marked text": (
        Text("t", cache=True), CLAUDE, {"type": "text", "text": "t", "cache_control": {"type": "ephemeral"}}
    ),
}  # fmt: skip


@pytest.mark.parametrize(("part", "adapter", "block"), BLOCKS.values(), ids=BLOCKS)
def test_a_part_becomes_this_block(part: Any, adapter: Any, block: dict[str, Any]) -> None:
    (message,) = made(Message("user", ["a", part]), adapter)
    assert message.content == [{"type": "text", "text": "a"}, block]


def test_every_role_becomes_its_message(caplog: pytest.LogCaptureFixture) -> None:
    (system,) = made(Message("developer", ["a", "b"]), GPT)
    assert (system.type, len(system.content)) == ("system", 2)
    (user,) = made(Message("user", ["a", "b"], name="ann"), GPT)
    assert (user.type, user.name, user.additional_kwargs) == ("human", "ann", {"name": "ann"})
    (answer,) = made(Message("assistant", ["a", ToolCall("1", "f", {"x": [1]})]), GPT)
    assert (answer.type, answer.content) == ("ai", "a")
    assert [(call["id"], call["name"], call["args"]) for call in answer.tool_calls] == [("1", "f", {"x": [1]})]
    results = made(Message("tool", [ToolResult("1", "r", name="f"), ToolResult("2", "")]), GPT)
    assert [result.tool_call_id for result in results] == ["1", "2"]
    assert results[1].content == ""
    with caplog.at_level("INFO", "prompt_adapters"):
        made(Message("tool", [ToolResult("1", "", cache=True)]), CLAUDE)
    assert "langchain-litellm does not pass on 'cache_control'" in caplog.text


def test_google_gets_the_names_of_tools_from_their_calls() -> None:
    messages = [Message("assistant", ToolCall("1", "look", {})), Message("tool", ToolResult("1", "r"))]
    assert tool_names(messages) == {"1": "look"}
    (result,) = litellm_messages(messages[1], GEMINI, tool_names(messages))
    assert result.content == [{"type": "text", "text": "r"}]
