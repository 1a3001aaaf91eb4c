"""Messages for ``ChatLiteLLM``: what LiteLLM passes on whole to the bound model, as LangChain has it.

langchain-litellm makes LiteLLM's dictionaries of LangChain's messages. So the dictionaries that this package's own
adapter makes are written as the messages of which they become these dictionaries again.

LangChain takes every ``file`` with a data URL for a PDF, so such a file is a standard block of its own;
langchain-litellm puts the fields whose names start with ``file_`` back.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from prompt_adapters.adapters import MessageAdapter
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import ToolCall, ToolResult
from prompt_adapters.langchain.forms import Block, default_name

_log = logging.getLogger("prompt_adapters")
_PASSED_ON = frozenset({"role", "content", "name", "tool_calls", "tool_call_id"})


def tool_names(messages: Iterable[Message]) -> dict[str, str]:
    """The tools' names by the ids of their calls."""
    return {part.id: part.name for message in messages for part in message.parts if isinstance(part, ToolCall)}


def litellm_messages(message: Message, adapter: MessageAdapter, tools: Mapping[str, str]) -> Iterator[BaseMessage]:
    """The LangChain messages of one message: each tool result is one by itself.

    Args:
        message: The message, prepared by the adapter.
        adapter: The adapter, of ``litellm_style``.
        tools: The tools' names by the ids of their calls, which some providers ask for.

    Raises:
        UnsupportedContentError: (a ``ValueError``) LiteLLM would lose something on the way to the provider.
    """
    parts = [
        part.replace(name=part.name or tools.get(part.id)) if isinstance(part, ToolResult) else part
        for part in message.parts
    ]
    named = message.role != "tool" or any(isinstance(part, ToolResult) and part.name for part in message.parts)
    for encoded in adapter.encode([message.replace(parts=parts)])["messages"]:
        for lost in sorted(encoded.keys() - _PASSED_ON):
            _log.info("langchain: %s: langchain-litellm does not pass on %r", message.role, lost)
        yield _message(encoded if named else {key: value for key, value in encoded.items() if key != "name"})


def _message(encoded: Mapping[str, Any]) -> BaseMessage:
    content: Any = encoded.get("content") or ""
    if isinstance(content, list):
        content = [_block(block) for block in content]
    # The package looks for the name of who speaks there.
    named: dict[str, Any] = {}
    if name := encoded.get("name"):
        named = {"name": name, "additional_kwargs": {"name": name}}
    match encoded["role"]:
        case "system":
            return SystemMessage(content, **named)
        case "assistant":
            return AIMessage(content, tool_calls=[_call(call) for call in encoded.get("tool_calls") or ()], **named)
        case "tool":
            return ToolMessage(content, tool_call_id=encoded["tool_call_id"], **named)
    return HumanMessage(content, **named)


def _call(call: Mapping[str, Any]) -> Any:
    function = call["function"]
    return {"type": "tool_call", "id": call["id"], "name": function["name"], "args": json.loads(function["arguments"])}


def _block(block: Block) -> Block:
    if block.get("type") != "file" or "file_data" not in block["file"]:
        return block
    file = dict(block["file"])
    head, _, data = file.pop("file_data").partition(";base64,")
    mime = head.removeprefix("data:")
    extras = {"filename": file.pop("filename", None) or default_name(mime)}
    return {
        "type": "file",
        "base64": data,
        "mime_type": mime,
        "extras": extras | {f"file_{field}": value for field, value in file.items()},
    }
