"""LangChain's messages before they are read: its other words for them, and answers that say nothing.

====================================================  ==================================================================
what LangChain takes for a message                    what it is here
====================================================  ==================================================================
a text                                                a user's message
``{"type": "human", "content": …}``, as its messages  the message
are written as JSON
``{"lc": 1, "type": "constructor", …}``, as dumped    the message; no class is looked up by its name
====================================================  ==================================================================

An answer without content and calls, or with thoughts only, says nothing: agents leave these in their histories, and no
provider takes them back. A line in the log says so.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, convert_to_messages

from prompt_adapters.content.message import ROLES
from prompt_adapters.content.parts import Text
from prompt_adapters.content.read import ROLE_ALIASES, read_parts
from prompt_adapters.errors import PromptAdapterError

_log = logging.getLogger("prompt_adapters")
_ROLES = frozenset({*ROLES, *ROLE_ALIASES})
# What some answers say outside their content.
_ASIDE = ("audio", "function_call", "refusal")


def readable(value: Any) -> Any:
    """A list of messages as it can be read.

    Args:
        value: The list; anything else comes back as it is, but one message that is written as JSON. It is not changed.
    """
    if isinstance(value, Mapping):
        return _as_message(value)
    if not isinstance(value, list | tuple) or _is_pair(value):
        return value
    kept = []
    for number, given in enumerate(value, 1):
        item = given if isinstance(given, BaseMessage) else _as_message(given)
        if _is_silent(item):
            _log.info("langchain: message %d (assistant): it says nothing, so it is left out", number)
        else:
            kept.append(item)
    return kept


def _is_pair(value: list[Any] | tuple[Any, ...]) -> bool:
    """Whether it is one message, a role and a content, and no list of two texts."""
    return isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str) and value[0] in _ROLES


def _as_message(item: Any) -> Any:
    """What LangChain alone takes for a message, as one; everything else as it is, for reading to say what is wrong."""
    if isinstance(item, str):
        return ("user", item)
    if not isinstance(item, Mapping) or "role" in item or not item.keys() & {"lc", "content"}:
        return item
    word = item.get("type")
    data = dict(item)
    if isinstance(word, str) and word.endswith("MessageChunk"):  # as "AIMessageChunk"
        data["type"] = word.removesuffix("MessageChunk").lower()
    try:
        return convert_to_messages([data])[0]
    except (ValueError, TypeError, KeyError, NotImplementedError):
        return {**data, "role": data["type"]} if data.get("type") in _ROLES else item


def _is_silent(message: object) -> bool:
    if not isinstance(message, AIMessage) or (type(message.content) is str and message.content):
        return False
    if message.tool_calls or message.invalid_tool_calls:
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
