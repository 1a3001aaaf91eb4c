"""Anthropic's rules on turns, in the order in which they are applied.

* System text in mid-conversation stands after a user turn and before an assistant turn or the end, and only some models
  take it: https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages
* The first turn is the user's: https://platform.claude.com/docs/en/api/messages
* A final assistant turn is continued by some models only, and must not end in whitespace:
  https://platform.claude.com/docs/en/api/errors#prefill-not-supported
* At most four prefixes are marked: https://platform.claude.com/docs/en/build-with-claude/prompt-caching
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from prompt_adapters.adapters.marks import few_marks
from prompt_adapters.adapters.roles import leading_systems, settle_systems
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Text
from prompt_adapters.content.position import position
from prompt_adapters.media.notes import Note

if TYPE_CHECKING:
    from prompt_adapters.adapters.anthropic import AnthropicStylePromptAdapter

_MOST_MARKS = 4


def arranged(
    messages: tuple[Message, ...], adapter: AnthropicStylePromptAdapter
) -> tuple[tuple[Message, ...], list[Note]]:
    """The messages under all rules, as many as before, and what was changed.

    Raises:
        UnsupportedContentError: (a ``ValueError``) A rule is broken and nothing harmless mends it.
    """

    def objection(messages: Sequence[Message], start: int, end: int) -> str | None:
        kept = adapter.capabilities.mid_conversation_system
        if not kept:
            what = adapter.model or "the model"
            return (
                f"{what} is not known to take system text after the first turn"
                if kept is None
                else f"{what} takes none"
            )
        follows = messages[start - 1].role in ("user", "tool")
        precedes = end == len(messages) or messages[end].role == "assistant"
        return None if follows and precedes else "there it must follow a user turn and precede an assistant turn"

    messages, notes = settle_systems(messages, adapter.style, adapter.options.system_in_middle, objection)
    _check_first(messages, adapter)
    messages, more = _prefill(messages, adapter)
    messages, marks = few_marks(messages, _MOST_MARKS, "Claude")
    return messages, [*notes, *more, *marks]


def _check_first(messages: Sequence[Message], adapter: AnthropicStylePromptAdapter) -> None:
    first = leading_systems(messages)
    if first < len(messages) and messages[first].role == "assistant":
        adapter.refuse(
            "an assistant turn as the first one",
            position(first, "assistant"),
            "Claude's conversations begin with the user",
            "put a user turn before it",
        )


def _prefill(
    messages: tuple[Message, ...], adapter: AnthropicStylePromptAdapter
) -> tuple[tuple[Message, ...], list[Note]]:
    """A final assistant turn: refused for models that do not continue it, and without whitespace at its end."""
    last = messages[-1]
    if last.role != "assistant":
        return messages, []
    place = position(len(messages) - 1, "assistant")
    if adapter.capabilities.prefill is False:
        adapter.refuse(
            "a final assistant turn",
            place,
            f"{adapter.model} does not continue it",
            "end with a user turn, or choose a model that continues, such as claude-haiku-4-5",
        )
    end = last.parts[-1]
    if not isinstance(end, Text) or end.text == end.text.rstrip():
        return messages, []
    trimmed = last.replace(parts=(*last.parts[:-1], end.replace(text=end.text.rstrip())))
    note = Note(place, "the whitespace at the end of the final assistant turn, which Claude refuses, is left out")
    return (*messages[:-1], trimmed), [note]
