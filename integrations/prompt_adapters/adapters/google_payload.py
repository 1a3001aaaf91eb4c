"""The payload of the block contract in Google's types: the only place that needs Google's library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from prompt_adapters.adapters.blocks import Foreign, Item, Turn
from prompt_adapters.adapters.roles import absorbed_turns
from prompt_adapters.adapters.spots import Spot
from prompt_adapters.adapters.tidy import SYSTEM_ROLES
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Text, ToolCall
from prompt_adapters.errors import MissingDependencyError

if TYPE_CHECKING:
    from prompt_adapters.adapters.google import GoogleGenAIStylePromptAdapter


def payload(adapter: GoogleGenAIStylePromptAdapter, template: object, values: Mapping[str, Any]) -> list[Any]:
    """What `GoogleGenAIStylePromptAdapter.build_payload` describes."""
    types = _types()
    turns = _settled(absorbed_turns(adapter.origin().turns(template, values), adapter.origin()), adapter)
    tool_names = {item.id: item.name for turn in turns for item in turn.items if isinstance(item, ToolCall)}

    def part(item: Item, spot: Spot) -> Any:
        if isinstance(item, Foreign):
            return types.Part.from_bytes(data=item.image.as_bytes(), mime_type=item.part.mime_type)
        encoded = adapter.part(item, spot, wire=False, tool_names=tool_names)
        if encoded.keys() == {"inline_data"}:
            return types.Part.from_bytes(**encoded["inline_data"])
        return types.Part.model_validate(encoded)

    if len(turns) == 1 and turns[0].role == "user":
        return [
            item.text if isinstance(item, Text) else part(item, Spot(0, "user", index))
            for index, item in enumerate(turns[0].items)
        ]
    return [
        types.Content(
            role=adapter.role(Spot(number, turn.role)),
            parts=[part(item, Spot(number, turn.role, index)) for index, item in enumerate(turn.items)],
        )
        for number, turn in enumerate(turns)
    ]


def _types() -> Any:
    try:
        from google.genai import types
    except ImportError as error:
        raise MissingDependencyError("google-genai", "google", "build_payload of google_style") from error
    return types


def _settled(turns: tuple[Turn, ...], adapter: GoogleGenAIStylePromptAdapter) -> tuple[Turn, ...]:
    """The turns without system text in mid-conversation; only a prompt's turns can hold any."""
    if all(turn.role not in SYSTEM_ROLES for turn in turns):
        return turns
    messages, _ = adapter.arrange(tuple(Message(turn.role, turn.items) for turn in turns))
    return tuple(Turn(message.role, message.parts) for message in messages)
