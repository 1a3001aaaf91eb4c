"""A LangGraph state as messages: a dictionary with nothing to say but its ``messages``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# What LangGraph and its agents keep beside the messages for themselves.
_OWN = frozenset({"messages", "remaining_steps", "is_last_step", "jump_to"})


def is_state(value: Mapping[Any, Any]) -> bool:
    """Whether its messages are all that it says."""
    return isinstance(value.get("messages"), list | tuple) and not others(value)


def others(value: Mapping[Any, Any]) -> list[str]:
    """Names of what it says beside its messages."""
    return [str(name) for name, held in value.items() if name not in _OWN and held is not None]
