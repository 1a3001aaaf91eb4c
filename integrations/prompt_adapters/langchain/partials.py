"""Partial variables in dumps: media as plain data under a key of their own, everything else as LangChain keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prompt_adapters.content.data import part_from_data, part_to_data
from prompt_adapters.content.parts import as_part

_KEY = "prompt_adapters.part"


def kept(value: Any) -> Any:
    """A partial value as a dump keeps it."""
    if isinstance(value, list | tuple):
        return [kept(item) for item in value]
    part = None if isinstance(value, str) or callable(value) else as_part(value)
    return value if part is None else {_KEY: part_to_data(part)}


def revived(value: Any) -> Any:
    """A partial value from what a dump kept.

    Raises:
        PromptFormatError: (a ``ValueError``) The data are not those of a part.
    """
    if isinstance(value, list):
        return [revived(item) for item in value]
    return (
        part_from_data(value[_KEY], "the partial value") if isinstance(value, Mapping) and [*value] == [_KEY] else value
    )
