"""Pictures that were found to fit together, which need not be looked at again.

What becomes of pictures depends on them, on their order, and on the limits alone. So when nothing had to be done, that
is kept with the first of them, and the next request with the very same ones costs no more than comparing who they are.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Text
from prompt_adapters.content.source import Inline
from prompt_adapters.targets.limits import Limits

_MOST = 8
_VERDICTS: Final = object()
_Verdict: TypeAlias = tuple[Limits, str, tuple[weakref.ref[Inline], ...]]


def known_to_fit(found: Sequence[Inline], limits: Limits, on_limit: str) -> bool:
    """Whether `fit_messages` is known to give the same messages and no note.

    Args:
        found: The pictures of messages that hold no other media, one at least.
        limits: What the target takes.
        on_limit: As for `fit_messages`.
    """
    verdicts: Sequence[_Verdict] = found[0].kept.get(_VERDICTS, ())
    for bounds, mode, together in verdicts:
        if bounds is limits and mode == on_limit and len(together) == len(found):
            for reference, inline in zip(together, found, strict=True):
                if reference() is not inline:
                    break
            else:
                return True
    return False


def remember(found: Sequence[Inline], limits: Limits, on_limit: str) -> None:
    """Keep that they fit as they are; arguments as for `known_to_fit`."""
    verdicts: Sequence[_Verdict] = found[0].kept.get(_VERDICTS, ())
    new: _Verdict = (limits, on_limit, tuple(map(weakref.ref, found)))
    found[0].kept[_VERDICTS] = (*verdicts[-_MOST + 1 :], new)


def pictures(messages: Iterable[Message]) -> list[Inline]:
    """The bytes of all pictures, in order."""
    return [
        source
        for message in messages
        for part in message.parts
        if type(part) is not Text and isinstance(source := getattr(part, "source", None), Inline)
    ]
