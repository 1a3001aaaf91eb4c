"""What differs between two prompts, in whatever formats they are."""

from __future__ import annotations

import json

from prompt_adapters.cli.sentences import about, visible
from prompt_adapters.formats import format_of, load_prompt
from prompt_adapters.formats.comparable import Compared, differences


def compared(
    before: str,
    after: str,
    before_format: str | None,
    after_format: str | None,
    *,
    before_syntax: str | None = None,
    after_syntax: str | None = None,
) -> Compared:
    """What differs between what two prompts say.

    Args:
        before: Where the first prompt is.
        after: Where the second one is.
        before_format: The format of the first; it is told from the content and the name when it is None.
        after_format: Likewise of the second.
        before_syntax: The placeholder syntax of the first, where it does not say its own.
        after_syntax: Likewise of the second.

    Raises:
        PromptAdapterError: One of them cannot be read.
    """
    with about("--from", "--from-syntax"):
        first = load_prompt(before, before_format, before_syntax)
    with about("--to", "--to-syntax"):
        second = load_prompt(after, after_format, after_syntax)
    return differences(first, second)


def as_text(found: Compared, before: str, after: str, before_format: str | None, after_format: str | None) -> str:
    """The differences for people to read; nothing when there is none."""
    if not found.differences:
        return ""
    head = (
        f"--- {visible(before)} ({before_format or format_of(before)})",
        f"+++ {visible(after)} ({after_format or format_of(after)})",
    )
    return "".join(f"{line}\n" for line in (*head, *map(str, found.differences)))


def as_json(found: Compared) -> str:
    """The differences as a JSON list of objects."""
    return f"{json.dumps([one._asdict() for one in found.differences], indent=2)}\n"
