"""Answers without anything, which agents leave in their histories and no provider takes back."""

from __future__ import annotations

import logging
from typing import Any

from langchain_core.messages import AIMessage

from prompt_adapters.content.parts import Text
from prompt_adapters.content.read import read_parts
from prompt_adapters.errors import PromptAdapterError

_log = logging.getLogger("prompt_adapters")
# What some answers say outside their content.
_ASIDE = ("audio", "function_call", "refusal")


def without_silent(value: Any) -> Any:
    """A list of messages without LangChain's answers that say nothing and call no tool; each is noted.

    Thoughts are not sent, so an answer that holds only these says nothing either.

    Args:
        value: The list; anything else comes back as it is.
    """
    if not isinstance(value, list | tuple):
        return value
    silent = {number for number, message in enumerate(value, 1) if _is_silent(message)}
    for number in sorted(silent):
        _log.info("langchain: message %d (assistant): it says nothing, so it is left out", number)
    return [message for number, message in enumerate(value, 1) if number not in silent] if silent else value


def _is_silent(message: object) -> bool:
    if not isinstance(message, AIMessage) or message.tool_calls or message.invalid_tool_calls:
        return False
    if any(message.additional_kwargs.get(key) for key in _ASIDE):
        return False
    content = message.content
    if isinstance(content, str) or not content:
        return not content
    try:
        parts = read_parts(content, reasoning="drop")
    except PromptAdapterError:
        return False  # reading the message says what is wrong, and where
    return all(isinstance(part, Text) and not part.text for part in parts)
