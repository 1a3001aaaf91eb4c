"""Answers without anything, which agents leave in their histories and no provider takes back."""

from __future__ import annotations

import logging
from typing import Any

from langchain_core.messages import AIMessage

_log = logging.getLogger("prompt_adapters")


def without_silent(value: Any) -> Any:
    """A list of messages without LangChain's answers that hold neither content nor calls; each is noted.

    Args:
        value: The list; anything else comes back as it is.
    """
    if not isinstance(value, list | tuple) or not any(map(_is_silent, value)):
        return value
    for number, message in enumerate(value, 1):
        if _is_silent(message):
            _log.info("langchain: message %d (assistant): it is empty, so it is left out", number)
    return [message for message in value if not _is_silent(message)]


def _is_silent(message: object) -> bool:
    return (
        isinstance(message, AIMessage)
        and not message.content
        and not message.tool_calls
        and not message.invalid_tool_calls
        and not message.additional_kwargs
    )
