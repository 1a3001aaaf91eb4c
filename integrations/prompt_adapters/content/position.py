"""Where something stands in a conversation, said the way people count."""

from __future__ import annotations


def position(message: int, role: str, part: int | None = None, inner: int | None = None) -> str:
    """The place of a message or part, as ``"message 2 (user), part 1"``.

    Args:
        message: The message's index, from 0.
        role: The message's role.
        part: The part's index in the message, from 0; None for the message itself.
        inner: The index, from 0, of a part that stands inside that part, as in a tool result.
    """
    place = f"message {message + 1} ({role})"
    if part is not None:
        place += f", part {part + 1}"
    return place if inner is None else f"{place}, item {inner + 1}"
