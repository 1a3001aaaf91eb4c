"""Finding slots in literal text, from left to right and in one pass."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

Segments: TypeAlias = Iterator[tuple[str, str | None]]


def scan(pattern: re.Pattern[str], text: str, escapes: dict[str, str] | None = None) -> Segments:
    """Pairs of a literal text and the name of the slot after it, or None.

    Args:
        pattern: What may be a slot, its first group the name; without a name it is an escape. It is a slot only when
            the name is an identifier, in any script.
        text: The template.
        escapes: What the escapes stand for.
    """
    start = position = 0
    while match := pattern.search(text, position):
        name = match[1]
        if name is None and escapes is not None:
            yield text[start : match.start()] + escapes[match[0]], None
        elif name is not None and name.isidentifier():
            yield text[start : match.start()], name
        else:
            position = match.start() + 1  # the character that closes this one may open the next
            continue
        start = position = match.end()
    yield text[start:], None


def line_of(text: str, position: int) -> int:
    """The 1-based line of a position."""
    return len(re.findall(r"\r\n|\r|\n", text[:position])) + 1
