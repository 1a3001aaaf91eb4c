"""Where a fact is written down, and when that was read."""

from __future__ import annotations

from typing import NamedTuple

# When the pages were read, unless a row says otherwise.
READ = "2026-11"


class Source(NamedTuple):
    """One page.

    Attributes:
        url: Its address.
        read: The date of the copy that was read, as ``"2026-06-30"`` or ``"2026-11"``.
    """

    url: str
    read: str = READ
