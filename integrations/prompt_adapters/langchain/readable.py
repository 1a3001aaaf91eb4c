"""LangChain's messages before they are read: answers that say nothing are left out.

An answer without content and calls, or with thoughts only, says nothing: agents leave these in their histories, and no
provider takes them back. A line in the log says so.
"""

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


def readable(value: Any) -> Any:
    """A list of messages as it can be read.

    Args:
        value: The list; anything else comes back as it is. It is not changed.
    """
    if not isinstance(value, list | tuple):
        return value
    kept = []
    for number, item in enumerate(value, 1):
        if _is_silent(item):
            _log.info("langchain: message %d (assistant): it says nothing, so it is left out", number)
        else:
            kept.append(item)
    return kept


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
