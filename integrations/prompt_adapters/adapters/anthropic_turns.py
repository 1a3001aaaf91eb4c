"""Anthropic's rules on turns, in the order in which they are applied.

* System text in mid-conversation stands after a user turn and before an assistant turn or the end, and only some models
  take it: https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages
* The first turn is the user's: https://platform.claude.com/docs/en/api/messages
* A final assistant turn is continued by some models only, and must not end in whitespace:
  https://platform.claude.com/docs/en/api/errors#prefill-not-supported
* The id of a call has letters, digits, ``_`` and ``-`` only: https://platform.claude.com/docs/en/api/messages
* At most four prefixes are marked: https://platform.claude.com/docs/en/build-with-claude/prompt-caching
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from prompt_adapters.adapters.marks import few_marks
from prompt_adapters.adapters.part_changes import with_ids
from prompt_adapters.adapters.roles import settle_systems
from prompt_adapters.adapters.turn_checks import check_first, prefilled
from prompt_adapters.content.message import Message
from prompt_adapters.media.notes import Note

if TYPE_CHECKING:
    from prompt_adapters.adapters.anthropic import AnthropicStylePromptAdapter

_MOST_MARKS = 4
_NOT_IN_IDS = re.compile("[^a-zA-Z0-9_-]")
_IDS = "Claude takes letters, digits, '_' and '-'"


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
    check_first(messages, adapter, "Claude's conversations begin with the user")
    messages, more = prefilled(messages, adapter, "Claude", "claude-haiku-4-5")
    messages, renamed = with_ids(messages, plain_id, _IDS)
    messages, marks = few_marks(messages, _MOST_MARKS, "Claude")
    return messages, [*notes, *more, *renamed, *marks]


def plain_id(given: str) -> str:
    """A call's id as Claude takes it: itself, or its plain characters and a digest that keeps different ids apart."""
    plain = _NOT_IN_IDS.sub("_", given)
    return given if plain == given else f"{plain}_{sha256(given.encode()).hexdigest()[:8]}"
