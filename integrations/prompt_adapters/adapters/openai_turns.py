"""The rules on turns of the servers that speak OpenAI's chat completions, read from their rows and their models'.

* What a template demands of system text and of turns: `targets.turn_rules`.
* A final assistant turn: OpenAI answers it with a new turn; some servers continue it, with a mark, with flags, or as it
  is (`targets.endpoints`).
* Cacheable prefixes are marked where the server has a field for that, at most as often as it allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from prompt_adapters.adapters.accepted import Sources, sources
from prompt_adapters.adapters.chat_turns import texts_after_calls
from prompt_adapters.adapters.marks import Mark, few_marks, placed_marks
from prompt_adapters.adapters.turn_checks import alternating, final_turn
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import ToolResult
from prompt_adapters.media.notes import Note
from prompt_adapters.targets.endpoints import CacheMark, Endpoint

if TYPE_CHECKING:
    from prompt_adapters.adapters.openai import OpenAIStylePromptAdapter


def arranged(
    messages: tuple[Message, ...], adapter: OpenAIStylePromptAdapter
) -> tuple[tuple[Message, ...], list[Note]]:
    """The messages under all rules, as many as before, and what was changed or cannot be said.

    Raises:
        UnsupportedContentError: (a ``ValueError``) A rule is broken and nothing harmless mends it.
    """
    notes = texts_after_calls(messages)
    rule = adapter.turn_rule(messages)
    if rule is not None and rule.alternate:
        notes += alternating(messages, adapter, f"{adapter.model} wants the user and the assistant in turn")
    if place := final_turn(messages):
        notes += [Note(place, said) for said in (_prefill(adapter.endpoint),) if said]
    cache = adapter.endpoint.cache
    if cache is not None:
        messages, unmarked = placed_marks(messages, lambda found, mark: _objection(found, mark, cache, adapter.model))
        messages, many = few_marks(messages, cache.most, adapter.endpoint.name)
        notes += [*unmarked, *many]
    return messages, notes


def merged(encoded: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Messages of the wire, those of the user or the assistant that follow each other as one."""
    turns: list[dict[str, Any]] = []
    for message in encoded:
        if turns and message["role"] == turns[-1]["role"] and message["role"] in ("user", "assistant"):
            host = turns[-1]
            for field in ("content", "tool_calls"):
                if found := [*_listed(host.get(field)), *_listed(message.get(field))]:
                    host[field] = found
        else:
            turns.append(message)
    return turns


def _listed(content: str | list[dict[str, Any]] | None) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content or []


def _prefill(endpoint: Endpoint) -> str | None:
    """What is said of a final assistant turn; nothing when the server continues it and that is all."""
    match endpoint.prefill:
        case "answered":
            return "OpenAI answers a final assistant turn with a new one and does not continue it"
        case None:
            return f"{endpoint.name} is not known to continue a final assistant turn"
        case "continued" | "prefix" | "flags":
            return f"{endpoint.name} continues this turn: {needs}" if (needs := endpoint.prefill_needs) else None


def _objection(messages: Sequence[Message], mark: Mark, cache: CacheMark, model: str | None) -> str | None:
    """Why a cacheable prefix cannot be marked there."""
    if cache.models is not None and not (model and cache.models.match(model)):
        return f"only {cache.which} take explicit breakpoints, and {model or 'no model'} is bound"
    message = messages[mark.message]
    part = message.parts[mark.part]
    if message.role not in cache.roles:
        return f"{'an' if message.role == 'assistant' else 'a'} {message.role} turn has no field for it"
    if isinstance(part, ToolResult):
        return None if part.parts else "an empty result has no field for it"
    return None if part.kind in cache.kinds else f"{part.kind} has no field for it"


@lru_cache(maxsize=64)
def parts_taken(parts: frozenset[str]) -> Sources:
    """The media that a server takes, by the names of its parts."""

    def named(**places: str) -> str:
        return " ".join(place for place, names in places.items() if set(names.split()) & parts)

    return sources(
        image=named(inline="image_url", link="image_url"),
        audio=named(inline="input_audio audio_url", link="audio_url"),
        video=named(inline="video_url", link="video_url"),
        document=named(inline="file", link="file_url", uploaded="file_id"),
    )
