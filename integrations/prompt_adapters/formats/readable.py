"""What people can read of a prompt in two texts and a list of examples.

Most prompts are just that: a system text, a user text, examples. Of the others the texts show the leading system turns
and the last user turn, with slots and media in a short form; the whole prompt then travels elsewhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from prompt_adapters.blocks import Block
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, Text
from prompt_adapters.few_shot import Example, FewShot
from prompt_adapters.prompt import Prompt
from prompt_adapters.turns import History, Turn


def part_text(part: Part) -> str:
    """A part as text to read: media and tool parts in their short form."""
    return part.text if isinstance(part, Text) else f"[{part.describe()}]"


def parts_text(parts: Iterable[Part]) -> str:
    """Parts as text to read."""
    return "".join(map(part_text, parts))


def system_entries(prompt: Prompt) -> list[Turn | Message]:
    """The system and developer turns that the prompt begins with."""
    entries: list[Turn | Message] = []
    for entry in prompt.messages:
        if isinstance(entry, History) or entry.role not in ("system", "developer"):
            break
        entries.append(entry)
    return entries


def user_entries(prompt: Prompt) -> list[Turn | Message]:
    """All user turns."""
    return [entry for entry in prompt.messages if not isinstance(entry, History) and entry.role == "user"]


def shown_system(prompt: Prompt) -> str | None:
    """The leading system turns as text to read, or None when there are none."""
    entries = system_entries(prompt)
    return "\n\n".join(map(_entry_text, entries)) if entries else None


def shown_user(prompt: Prompt) -> str | None:
    """The last user turn as text to read, or None when there is none."""
    entries = user_entries(prompt)
    return _entry_text(entries[-1]) if entries else None


def _entry_text(entry: Turn | Message) -> str:
    if isinstance(entry, Message):
        return parts_text(entry.parts)
    return entry.content if isinstance(entry.content, str) else "\n".join(map(_block_text, entry.content))


def _block_text(block: Block) -> str:
    if block.template is not None:
        return block.template
    if block.part is not None:
        return part_text(block.part)
    if block.pattern is not None:
        return block.pattern.describe()
    return f"[{block.type}: {block.variable}{'' if block.index is None else f'[{block.index}]'}]"


def plain_turns(system: str | None, user: str | None) -> tuple[Turn, ...]:
    """The turns that two texts alone mean; an empty system text means none."""
    turns = (Turn("system", system),) if system else ()
    return turns if user is None else (*turns, Turn("user", user))


def plain_examples(few_shot: FewShot) -> FewShot:
    """The examples with each input and output as one text."""
    examples = [Example(parts_text(example.input), parts_text(example.output)) for example in few_shot.examples]
    return FewShot(examples, few_shot.format)


def digest(text: str) -> str:
    """The SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
