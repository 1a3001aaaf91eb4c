"""Pictures that were found to fit together, which need not be looked at again.

What becomes of pictures depends on them, on their order, on the limits, and on how much text stands beside them. So
when nothing had to be done, that is kept with the first of them, and the next request with the very same ones, and no
more text than there was room for, costs no more than comparing who they are.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Text
from prompt_adapters.content.source import Inline
from prompt_adapters.media.rules import base64_size

if TYPE_CHECKING:
    from prompt_adapters.targets.limits import Limits

_MOST = 8
_VERDICTS: Final = object()
# The limits, what was to become of the rest, the pictures, and the bytes that are left for text.
_Verdict: TypeAlias = "tuple[Limits, str, tuple[weakref.ref[Inline], ...], int | None]"
_UTF8: Final = 4  # bytes that a character has at most


def known_to_fit(messages: Sequence[Message], found: Sequence[Inline], limits: Limits, on_limit: str) -> bool:
    """Whether `fit_messages` is known to give the same messages and no note.

    Args:
        messages: The messages, which hold texts and pictures only.
        found: Their pictures, one at least.
        limits: What the target takes.
        on_limit: As for `fit_messages`.
    """
    verdicts: Sequence[_Verdict] = found[0].kept.get(_VERDICTS, ())
    for bounds, mode, together, room in verdicts:
        if bounds is limits and mode == on_limit and len(together) == len(found):
            for reference, inline in zip(together, found, strict=True):
                if reference() is not inline:
                    break
            else:
                return room is None or _most_text(messages) <= room
    return False


def remember(found: Sequence[Inline], limits: Limits, on_limit: str) -> None:
    """Keep that they fit as they are; the other arguments are those of `known_to_fit`."""
    verdicts: Sequence[_Verdict] = found[0].kept.get(_VERDICTS, ())
    most = limits.max_request_bytes
    room = None if most is None else most - sum(base64_size(inline.data) for inline in found)
    new: _Verdict = (limits, on_limit, tuple(map(weakref.ref, found)), room)
    found[0].kept[_VERDICTS] = (*verdicts[-_MOST + 1 :], new)


def _most_text(messages: Iterable[Message]) -> int:
    """The bytes that all text has at most."""
    characters = 0
    for message in messages:
        for part in message.parts:
            if type(part) is Text:
                characters += len(part.text)
    return _UTF8 * characters


def pictures(messages: Iterable[Message]) -> list[Inline]:
    """The bytes of all pictures, in order."""
    return [
        source
        for message in messages
        for part in message.parts
        if type(part) is not Text and isinstance(source := getattr(part, "source", None), Inline)
    ]
