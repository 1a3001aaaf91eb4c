"""Before anything is encoded: no empty text, no empty turn, and blank text with the text that it touches.

===============================================  =====================================================================
empty text                                       left out; nothing is lost
blank text (whitespace only) beside text         becomes part of that text, so separators of a block list do too
blank text between media                         kept, or left out with a note where the provider refuses it
two texts side by side                           stay two
a text that ends a cacheable prefix              stays by itself
a system turn without anything                   left out with a note
another turn without anything                    an error: a variable was blank, or a model's answer was
===============================================  =====================================================================

Whitespace inside a text that says something is never touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from prompt_adapters.adapters.spots import Spot
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, Text, ToolResult
from prompt_adapters.content.position import position
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.media.notes import Note

SYSTEM_ROLES = ("system", "developer")
BLANK = "a text of only whitespace, which the provider refuses, is left out"


def tidy(
    messages: Sequence[Message], *, blank_text: bool, system_alone: bool = False
) -> tuple[tuple[Message, ...], list[Note]]:
    """The messages without anything empty.

    Args:
        messages: The messages.
        blank_text: Whether the provider takes a text that is only whitespace.
        system_alone: Whether system text may stand alone, because it is sent as the user's.

    Returns:
        The messages, untouched ones as they were, and a note for everything left out that was not empty.

    Raises:
        PromptFormatError: (a ``ValueError``) A turn is empty, or the conversation is.
    """
    notes: list[Note] = []
    kept = []
    for number, message in enumerate(messages):
        tidied = _message(message, number, blank_text, notes)
        if tidied.parts:
            kept.append(tidied)
        elif message.role in SYSTEM_ROLES:
            notes.append(Note(position(number, message.role), "the system text is empty, so it is left out"))
        else:
            raise _empty(number, message)
    if not (system_alone and kept):
        _check_turns(kept)
    return tuple(kept), notes


def without_empty(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages without empty texts and empty system turns, everything else as it was.

    Raises:
        PromptFormatError: (a ``ValueError``) A turn is empty, or the conversation is.
    """
    kept = []
    for number, message in enumerate(messages):
        parts = tuple(part for part in message.parts if not (isinstance(part, Text) and not part.text))
        if parts:
            kept.append(message if len(parts) == len(message.parts) else message.replace(parts=parts))
        elif message.role not in SYSTEM_ROLES:
            raise _empty(number, message)
    _check_turns(kept)
    return tuple(kept)


def _empty(number: int, message: Message) -> PromptFormatError:
    reason = "a variable was probably blank; give it a text, or leave the message out"
    if message.role == "assistant":
        reason = (
            "an answer that says nothing and calls no tool cannot be sent; leave the message out, or give it a text "
            "(in a template, a variable was probably blank)"
        )
    return PromptFormatError(None, None, f"{position(number, message.role)} is empty: {reason}")


def _check_turns(messages: Sequence[Message]) -> None:
    if not messages:
        raise PromptFormatError(None, None, "there is no message to send: a user turn is missing")
    if all(message.role in SYSTEM_ROLES for message in messages):
        raise PromptFormatError(
            None, None, "there is only a system text: the user turn is missing; add one, as user='...'"
        )


def _message(message: Message, number: int, blank_text: bool, notes: list[Note]) -> Message:
    parts = message.parts
    if len(parts) == 1 and isinstance(only := parts[0], Text) and only.text and not only.text.isspace():
        return message
    tidied = joined_blanks(parts)
    if not blank_text and any(_is_blank(part) for part in tidied):
        notes += [
            Note(position(number, message.role, index), BLANK) for index, part in enumerate(tidied) if _is_blank(part)
        ]
        tidied = _without_blank(tidied)
    tidied = tuple(
        _result(part, Spot(number, message.role, index), blank_text, notes) if isinstance(part, ToolResult) else part
        for index, part in enumerate(tidied)
    )
    return message if tidied == parts else message.replace(parts=tidied)


def _result(result: ToolResult, spot: Spot, blank_text: bool, notes: list[Note]) -> ToolResult:
    """What a tool gave may be blank as a whole; among other parts, blank text is treated as everywhere."""
    if len(result.parts) < 2:
        return result
    parts = joined_blanks(result.parts)
    if not blank_text and (said := _without_blank(parts)) and said != parts:
        notes += [Note(str(spot._replace(inner=inner)), BLANK) for inner, part in enumerate(parts) if _is_blank(part)]
        parts = said
    return result if parts == result.parts else result.replace(parts=parts)


def _is_blank(part: Part) -> bool:
    return isinstance(part, Text) and part.text.isspace()


def _without_blank(parts: Iterable[Part]) -> tuple[Part, ...]:
    kept: list[Part] = []
    for part in parts:
        if not _is_blank(part):
            kept.append(part)
        elif part.cache and kept:
            kept[-1] = kept[-1].replace(cache=True)
    return tuple(kept)


def joined_blanks(parts: Iterable[Part]) -> tuple[Part, ...]:
    """The parts without empty text, and with blank text joined to the text that it touches."""
    kept: list[Part] = []
    run: list[Text] = []
    for part in parts:
        if not isinstance(part, Text):
            kept += [*_glued(run), part]
            run = []
        elif part.text:
            run.append(part)
        elif part.cache and run:
            run[-1] = run[-1].replace(cache=True)
        elif part.cache and kept:
            kept[-1] = kept[-1].replace(cache=True)
    return (*kept, *_glued(run))


def _glued(run: Iterable[Text]) -> list[Text]:
    """Texts side by side: a blank one joins its neighbours; a text that ends a prefix takes nothing that follows."""
    texts: list[Text] = []
    after_blank = False
    for text in run:
        blank = text.text.isspace()
        if texts and not texts[-1].cache and (blank or after_blank):
            texts[-1] = Text(texts[-1].text + text.text, cache=text.cache)
        else:
            texts.append(text)
        after_blank = blank
    if len(texts) > 1 and _is_blank(texts[-1]):
        texts[-2:] = [Text(texts[-2].text + texts[-1].text, cache=True)]
    return texts
