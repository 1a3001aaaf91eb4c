"""A LangGraph state: as messages, when it has nothing to say but its ``messages``, and as values of variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from langchain_core.messages import BaseMessage
from langchain_core.prompt_values import PromptValue
from pydantic import BaseModel

# What LangGraph and its agents keep beside the messages for themselves.
_OWN = frozenset({"messages", "remaining_steps", "is_last_step", "jump_to"})


def is_state(value: Mapping[Any, Any]) -> bool:
    """Whether its messages are all that it says."""
    return isinstance(value.get("messages"), list | tuple) and not others(value)


def others(value: Mapping[Any, Any]) -> list[str]:
    """Names of what it says beside its messages."""
    return [str(name) for name, held in value.items() if name not in _OWN and held is not None]


def fields_of(state: Any) -> dict[str, Any] | None:
    """The fields of a state that is a pydantic model or a dataclass, by name; None for anything else."""
    if isinstance(state, BaseModel) and not isinstance(state, BaseMessage | PromptValue):
        return {name: getattr(state, name) for name in type(state).model_fields}
    if is_dataclass(state) and not isinstance(state, type):
        return {field.name: getattr(state, field.name) for field in fields(state)}
    return None
