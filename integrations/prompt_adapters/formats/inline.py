"""Blocks in the middle of a text, as formats write them that have no list of blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from prompt_adapters.blocks import Block
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, Part, Text, Video
from prompt_adapters.content.read import read_part
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.errors import MediaError, PromptFormatError
from prompt_adapters.formats.holding import EMPTY, block_of, block_word, literal_turn
from prompt_adapters.formats.joining import WITH_SECTIONS, Joining
from prompt_adapters.templates.formats import slot
from prompt_adapters.templates.separators import get_separator
from prompt_adapters.turns import Turn


def as_turn(entry: Turn | Message, syntax: str) -> Turn:
    """A turn, or a literal message as one, without its name and its mark."""
    if isinstance(entry, Turn):
        return entry
    bare = literal_turn(entry.replace(name=None, cache=False), syntax)
    if isinstance(bare, Turn):
        return bare
    return Turn(entry.role, [block_of(part, syntax) for part in entry.parts], spaced=False)


def joined(
    turn: Turn,
    place: str,
    syntax: str,
    write: Callable[[Block, str], str | None],
    lose: Callable[[str], None],
    *,
    marks: bool = False,
) -> str:
    """The blocks of a turn as one text.

    Args:
        turn: The turn.
        place: What it is called where something is lost.
        syntax: The syntax of the text.
        write: From a block, and what it is called, to its text; None when it has none.
        lose: What takes note of a loss.
        marks: Whether the text of a block tells that a cacheable prefix ends with it.
    """
    made = Joining(syntax)
    before: Block | None = None
    several = False
    for number, block in enumerate(turn.blocks, 1):
        where = f"{place}, block {number}"
        text = write(block, where)
        if text is None:
            lose(f"{where}: {block_word(block) if block.template is None else f'a text {WITH_SECTIONS}'}")
            continue
        if block.part == Text(""):
            lose(f"{where}: {EMPTY}")
        between = get_separator(before.type, block.type) if turn.spaced and before is not None else ""
        if (fault := made.add(text, between=between, template=_compilable(block, syntax))) is not None:
            lose(f"{where}: {'a text' if block.type == 'text' else block_word(block)} {fault}")
            continue
        marked = block.cache or (block.part is not None and block.part.cache)
        if marked and not (marks and block.type == "text"):
            lose(f"{where}: the end of a cacheable prefix")
        if before is not None:
            bare = before.type == block.type == "text" and not (marks and (marked or _is_marked(before)))
            several |= turn.spaced or bare
        before = block
    if several or (turn.spaced and before is not None and before.type != "text"):
        lose(f"{place}: the bounds between its blocks")
    return made.text


def _compilable(block: Block, syntax: str) -> str:
    """A template with the variables of a block, whatever words a file has for it."""
    if block.template is not None:
        return block.template
    return "".join(slot(found.name, syntax) for found in block.slots(syntax))


def _is_marked(block: Block) -> bool:
    return block.cache or (block.part is not None and block.part.cache)


def url_block(kind: str, url: str) -> dict[str, str]:
    """The block, in the words that `content.read_blocks` reads, of a medium that is given by its address."""
    return {"type": "document_url", "document_url": url} if kind == "document" else {"type": kind, "url": url}


def medium_at(address: str, kind: str) -> Part:
    """A medium of a kind from its link or its data URL.

    Raises:
        PromptFormatError: It is no such address.
        MediaError: The data are broken.
    """
    return read_part(url_block(kind, address))


def address_of(part: Part) -> str | None:
    """The link or the data URL of a medium that gives it back; None when none does."""
    if not isinstance(part, Image | Audio | Video | Document):
        return None
    match part.source:
        case Inline():
            address = part.as_data_url()
        case Link(url=address):
            pass
        case Uploaded():
            return None
        case _:
            assert_never(part.source)
    try:
        read = medium_at(address, part.kind)
    except (MediaError, PromptFormatError):
        return None
    return address if is_link(address) and getattr(read, "source", None) == part.source else None


def is_link(value: object) -> bool:
    """Whether a value is the address of a medium that is not on this machine."""
    return isinstance(value, str) and value.lower().startswith(("http://", "https://", "data:"))
