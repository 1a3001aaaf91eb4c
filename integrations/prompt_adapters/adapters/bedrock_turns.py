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

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from prompt_adapters.adapters.bedrock_names import renamed
from prompt_adapters.adapters.marks import Mark, few_marks, placed_marks
from prompt_adapters.adapters.part_changes import changed
from prompt_adapters.adapters.spots import Spot
from prompt_adapters.adapters.tidy import BLANK
from prompt_adapters.adapters.turn_checks import check_first, prefilled, systems_lead
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, Text, ToolResult
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
    messages, notes = systems_lead(messages, adapter, _ONE_SYSTEM)
    check_first(messages, adapter, "Bedrock's conversations begin with the user")
    messages, more = prefilled(messages, adapter, "Bedrock", "anthropic.claude-sonnet-4-5-20250929-v1:0")
    messages, blank = changed(messages, _whole_result)
    caches = adapter.capabilities.prompt_caching is not False

    def objection(_: Sequence[Message], __: Mark) -> str | None:
        return None if caches else f"{adapter.model} caches nothing"

    messages, unmarked = placed_marks(messages, objection)
    messages, marks = few_marks(messages, _MOST_MARKS, "Bedrock")
    return messages, [*notes, *more, *blank, *unmarked, *marks, *renamed(messages)]


def _whole_result(part: Part, spot: Spot) -> tuple[Part, Iterable[Note]]:
    """A tool's result without blank text, and with the marks of its items moved to its end."""
    if not isinstance(part, ToolResult):
        return part, ()
    said = tuple(item for item in part.parts if not (isinstance(item, Text) and not item.text.strip()))
    marked = any(item.cache for item in part.parts)
    if len(said) == len(part.parts) and not marked:
        return part, ()
    blank = any(isinstance(item, Text) and item.text.isspace() for item in part.parts)
    result = part.replace(parts=tuple(item.replace(cache=False) for item in said), cache=part.cache or marked)
    return result, (Note(str(spot), BLANK),) if blank else ()
