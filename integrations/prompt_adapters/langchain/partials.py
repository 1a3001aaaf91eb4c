"""Partial variables in dumps: media and messages of this package as plain data under keys of their own.

Everything else is as LangChain keeps it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from prompt_adapters.content.data import message_from_data, message_to_data, part_from_data, part_to_data
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import as_part

_PART = "prompt_adapters.part"
_MESSAGE = "prompt_adapters.message"
_READERS: Mapping[str, Callable[[Any, str], Any]] = {_PART: part_from_data, _MESSAGE: message_from_data}


def kept(value: Any) -> Any:
    """A partial value as a dump keeps it."""
    if isinstance(value, list | tuple):
        return [kept(item) for item in value]
    if isinstance(value, Message):
        return {_MESSAGE: message_to_data(value)}
    part = None if isinstance(value, str) or callable(value) else as_part(value)
    return value if part is None else {_PART: part_to_data(part)}


def revived(value: Any) -> Any:
    """A partial value from what a dump kept.

    Raises:
        PromptFormatError: (a ``ValueError``) The data are not those of a part or message.
    """
    if isinstance(value, list):
        return [revived(item) for item in value]
    if isinstance(value, Mapping) and len(value) == 1:
        ((key, data),) = value.items()
        if (read := _READERS.get(key)) is not None:
            return read(data, "the partial value")
    return value
