"""Bedrock's rules on turns, in the order in which they are applied.

* System text stands before the conversation, and the first turn is the user's:
  https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference-call.html
* A final assistant turn is continued by some models only, and must not end in whitespace:
  https://platform.claude.com/docs/en/api/errors#prefill-not-supported
* Blank text is refused, in what a tool gave as well.
* At most four prefixes are marked, and never inside of what a tool gave:
  https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from prompt_adapters.adapters.bedrock_names import renamed
from prompt_adapters.adapters.marks import Mark, few_marks, placed_marks
from prompt_adapters.adapters.roles import settle_systems
from prompt_adapters.adapters.turn_checks import check_first, prefilled
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, Text, ToolResult
from prompt_adapters.content.position import position
from prompt_adapters.media.notes import Note

if TYPE_CHECKING:
    from prompt_adapters.adapters.bedrock import BedrockStylePromptAdapter

_MOST_MARKS = 4
_ONE_SYSTEM = "Bedrock has system text before the conversation only"


def arranged(
    messages: tuple[Message, ...], adapter: BedrockStylePromptAdapter
) -> tuple[tuple[Message, ...], list[Note]]:
    """The messages under all rules, as many as before, and what was changed.

    Raises:
        UnsupportedContentError: (a ``ValueError``) A rule is broken and nothing harmless mends it.
    """
    mode = adapter.options.system_in_middle
    messages, notes = settle_systems(messages, adapter.style, mode, lambda *_: _ONE_SYSTEM)
    check_first(messages, adapter, "Bedrock's conversations begin with the user")
    messages, more = prefilled(messages, adapter, "Bedrock", "anthropic.claude-sonnet-4-5-20250929-v1:0")
    messages, blank = _results(messages)
    caches = adapter.capabilities.prompt_caching is not False

    def objection(_: Sequence[Message], __: Mark) -> str | None:
        return None if caches else f"{adapter.model} caches nothing"

    messages, unmarked = placed_marks(messages, objection)
    messages, marks = few_marks(messages, _MOST_MARKS, "Bedrock")
    return messages, [*notes, *more, *blank, *unmarked, *marks, *renamed(messages)]


def _results(messages: tuple[Message, ...]) -> tuple[tuple[Message, ...], list[Note]]:
    """Tool results without blank text, and with marks of their items moved to their ends."""
    notes: list[Note] = []
    settled = []
    for number, message in enumerate(messages):
        parts: list[Part] = []
        for index, part in enumerate(message.parts):
            if isinstance(part, ToolResult):
                part, blank = _result(part)
                if blank:
                    place = position(number, message.role, index)
                    notes.append(Note(place, "a text of only whitespace, which the provider refuses, is left out"))
            parts.append(part)
        same = all(new is old for new, old in zip(parts, message.parts, strict=True))
        settled.append(message if same else message.replace(parts=tuple(parts)))
    return tuple(settled), notes


def _result(result: ToolResult) -> tuple[ToolResult, bool]:
    said = tuple(part for part in result.parts if not (isinstance(part, Text) and not part.text.strip()))
    blank = any(isinstance(part, Text) and part.text.isspace() for part in result.parts)
    marked = any(part.cache for part in result.parts)
    if len(said) == len(result.parts) and not marked:
        return result, False
    parts = tuple(part.replace(cache=False) for part in said)
    return result.replace(parts=parts, cache=result.cache or marked), blank
