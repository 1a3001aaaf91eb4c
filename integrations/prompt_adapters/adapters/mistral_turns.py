"""Mistral's rules on turns, in the order in which they are applied.

* System text leads: https://docs.mistral.ai/capabilities/completion
* A tool's result is followed by the assistant or another result, and a conversation does not end with calls. The API
  says so in its errors ("Unexpected role 'user' after role 'tool'", code 3230), as its own checks do:
  https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py
* The id of a call has nine letters and digits (code 3280, the same checks).
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING

from prompt_adapters.adapters.chat_turns import pieces, texts_after_calls, with_details
from prompt_adapters.adapters.part_changes import with_ids
from prompt_adapters.adapters.turn_checks import systems_lead
from prompt_adapters.content.message import Message
from prompt_adapters.media.notes import Note

if TYPE_CHECKING:
    from prompt_adapters.adapters.mistral import MistralStylePromptAdapter

_ONE_SYSTEM = "Mistral's system text leads"
# https://docs.mistral.ai/api/endpoint/chat
_DETAILS = ("auto", "low", "high")
_IDS = "Mistral takes nine letters or digits"
_ID = re.compile(r"[a-zA-Z0-9]{9}")
_LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def arranged(
    messages: tuple[Message, ...], adapter: MistralStylePromptAdapter
) -> tuple[tuple[Message, ...], list[Note]]:
    """The messages under all rules, as many as before, and what was changed.

    Raises:
        UnsupportedContentError: (a ``ValueError``) A rule is broken and nothing harmless mends it.
    """
    messages, notes = systems_lead(messages, adapter, _ONE_SYSTEM)
    _check_order(messages, adapter)
    messages, renamed = with_ids(messages, short_id, _IDS)
    messages, details = with_details(messages, _DETAILS, "Mistral")
    return messages, [*notes, *texts_after_calls(messages), *renamed, *details]


def _check_order(messages: tuple[Message, ...], adapter: MistralStylePromptAdapter) -> None:
    previous = last = None
    for piece in pieces(messages, adapter):
        if previous == "tool" and piece.role == "user":
            adapter.refuse(
                "a user turn after a tool's result",
                piece.spot,
                "Mistral answers the result first",
                "put the assistant's turn between them",
            )
        previous, last = piece.role, piece
    if last is not None and last.calls:
        adapter.refuse(
            "a final turn with tool calls", last.spot, "Mistral waits for their results", "add a tool turn with these"
        )


def short_id(given: str) -> str:
    """A call's id as Mistral takes it: itself, or nine letters and digits that are always the same for the same id."""
    if _ID.fullmatch(given):
        return given
    number = int.from_bytes(sha256(given.encode()).digest())
    letters = []
    for _ in range(9):
        number, letter = divmod(number, len(_LETTERS))
        letters.append(_LETTERS[letter])
    return "".join(letters)
