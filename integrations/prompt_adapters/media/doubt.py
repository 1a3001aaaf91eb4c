"""What a look at a file's structure may find besides nothing and a fault: a sign that something could be missing."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class Doubt(NamedTuple):
    """A file that ends where it may end, but that speaks of more; or one that was not read to its end.

    Such files play, and some writers make them, so they are sent, and the doubt is noted.

    Attributes:
        text: What is doubtful, in words that follow "the sound may be incomplete:".
    """

    text: str


# What is missing, what may be missing, or None for a file that is whole or of which nothing can be told.
Verdict: TypeAlias = str | Doubt | None
