"""Where the system turns and the user's own turn stand among a prompt's entries, and others put in their places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from prompt_adapters.turns import Entry, History

_KEPT: Any = object()


def leading(entries: Sequence[Entry]) -> int:
    """How many entries at the beginning are system turns, or a developer's."""
    others = (n for n, e in enumerate(entries) if not (_is_turn_of("system", e) or _is_turn_of("developer", e)))
    return next(others, len(entries))


def last_user(entries: Sequence[Entry]) -> int:
    """The index of the last user turn; -1 where there is none."""
    return max((n for n, entry in enumerate(entries) if _is_turn_of("user", entry)), default=-1)


def with_turns(entries: Sequence[Entry], system: Any = _KEPT, user: Any = _KEPT) -> list[Any]:
    """The entries with another system turn in place of the leading ones, or another last user turn.

    Args:
        entries: A prompt's entries.
        system: The content of the system turn: a template, or a list of blocks; None and an empty one for no turn.
        user: That of the user turn, likewise.
    """
    changed: list[Any] = list(entries)
    if user is not _KEPT:
        last = last_user(entries) % (len(changed) + 1)  # behind all others where there is none
        changed[last : last + 1] = [("user", user)] if _is_given(user) else []
    if system is not _KEPT:
        count = leading(changed)
        role = changed[0].role if count else "system"
        changed[:count] = [(role, system)] if _is_given(system) else []
    return changed


def _is_turn_of(role: str, entry: Any) -> bool:
    return not isinstance(entry, History | tuple) and entry.role == role


def _is_given(content: Any) -> bool:
    return content is not None and not (isinstance(content, str | list | tuple) and not content)
