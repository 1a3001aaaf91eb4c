"""LangChain's messages before they are read: answers that say nothing left out, and every block in known words.

==================================================  ==================================================================
what comes                                          what is read
==================================================  ==================================================================
an answer without content and calls, or with        nothing, with a line in the log: agents leave these in their
thoughts only                                       histories, and no provider takes them back
``document_url``, ``input_audio`` as a text         Mistral's chunks, which templates for it have, as LangChain's
                                                    blocks
``input_image``                                     the image of OpenAI's Responses, likewise
==================================================  ==================================================================
"""

from __future__ import annotations

import logging
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

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
        message = _in_known_words(item)
        if _is_silent(message):
            _log.info("langchain: message %d (assistant): it says nothing, so it is left out", number)
        else:
            kept.append(message)
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


def _in_known_words(message: Any) -> Any:
    if not isinstance(message, BaseMessage) or not isinstance(message.content, list):
        return message
    blocks = [_known(block) for block in message.content]
    return message if blocks == message.content else message.model_copy(update={"content": blocks})


def _known(block: Any) -> Any:
    match block:
        case {"type": "document_url", "document_url": str() as url, **rest}:
            name = {"filename": rest["document_name"]} if rest.get("document_name") else {}
            if url.startswith("data:"):
                return {"type": "file", "file": {"file_data": url, **name}}
            return {"type": "file", "url": url, "extras": name}
        case {"type": "input_audio", "input_audio": str() as sound}:
            return {"type": "audio", "url" if "://" in sound else "base64": sound}
        case {"type": "input_image", "file_id": str() as file_id, **rest}:
            return {"type": "image", "file_id": file_id, "extras": {"detail": rest.get("detail")}}
        case {"type": "input_image", "image_url": str() as url, **rest}:
            detail = {"detail": rest["detail"]} if rest.get("detail") else {}
            return {"type": "image_url", "image_url": {"url": url, **detail}}
    return block
