"""What differs between what two prompts say, however each is written.

Formats write one prompt in different words: with another placeholder syntax, with a literal message for a template that
never changes, with blocks for slots in a text, with declarations that the templates make anyway, with an address for a
slot of media, with the default of a variable that the other prompt does not have for fixed media. None of that is a
difference. Two prompts are brought into the same words, Jinja's, which can write the text and slots of every syntax.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from prompt_adapters.blocks import Block
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import MEDIA_PARTS, ToolCall, ToolResult
from prompt_adapters.errors import PromptAdapterError
from prompt_adapters.formats.compare import Difference, compare
from prompt_adapters.formats.holding import literal_turn
from prompt_adapters.formats.inline import is_link
from prompt_adapters.formats.joining import Joining
from prompt_adapters.formats.translate import translated
from prompt_adapters.prompt import Prompt
from prompt_adapters.templates import Slot
from prompt_adapters.templates.formats import escaped, segments, slot
from prompt_adapters.templates.mustache import unescaped
from prompt_adapters.templates.separators import get_separator
from prompt_adapters.turn_content import each_text
from prompt_adapters.turns import Entry, History, Turn

_COMMON, _MUSTACHE = "jinja", "mustache"
_ADDRESS = "https://example.org/a"


class Compared(NamedTuple):
    """How two prompts differ.

    Attributes:
        differences: What differs; empty when they say the same.
        syntax: The syntax in which the texts of the differences are, where it is not that of both prompts.
    """

    differences: tuple[Difference, ...]
    syntax: str | None = None


def differences(before: Prompt, after: Prompt) -> Compared:
    """What differs between what two prompts say.

    Texts are shown as the prompts have them where both have one syntax, and otherwise as Jinja templates; a template
    that Jinja cannot write makes the syntax itself a difference.

    Args:
        before: The first prompt.
        after: The second.
    """
    before, after = (_with_slots(_with_fixed_media(one, other)) for one, other in ((before, after), (after, before)))
    try:
        common = _in_common_words(before), _in_common_words(after)
    except PromptAdapterError:
        same = before.syntax == after.syntax == _MUSTACHE and _unescaped(before) == _unescaped(after)
        return Compared(() if same else compare(before, after))
    if common[0] == common[1]:
        return Compared(())
    if before.syntax == after.syntax:
        return Compared(compare(_declared(before), _declared(after)) or compare(*common))
    return Compared(compare(*common), _COMMON)


# Media


def _with_fixed_media(prompt: Prompt, other: Prompt) -> Prompt:
    """A prompt whose media stand as such where they are defaults of variables that the other prompt does not have."""
    theirs = {variable.name for variable in other.variables}
    addresses = {
        variable.name: variable.default
        for variable in prompt.declared
        if variable.name not in theirs and is_link(variable.default) and variable.description is None
    }
    if not addresses:
        return prompt
    fixed = _with_blocks(prompt, lambda block: _fixed(block, prompt.syntax, addresses))
    kept = {variable.name for variable in fixed.replace(variables=None).variables}
    gone = addresses.keys() - kept
    return fixed.replace(variables=[variable for variable in prompt.declared if variable.name not in gone])


def _fixed(block: Block, syntax: str, addresses: Mapping[str, str]) -> Block:
    """A block of the medium at an address, for one with its variable."""
    if block.pattern is None or block.pattern.medium(syntax) not in addresses:
        return block
    try:
        (part,) = block.pattern.render(syntax, addresses, frozenset())
    except PromptAdapterError:  # it needs other values as well, or these are no such medium
        return block
    return Block(part.kind, part=part, cache=block.cache)


def _with_slots(prompt: Prompt) -> Prompt:
    """A prompt with a slot for each medium of which a block says no more than where its address goes."""
    return _with_blocks(prompt, lambda block: _slot(block, prompt.syntax))


def _slot(block: Block, syntax: str) -> Block:
    name = None if block.pattern is None else block.pattern.medium(syntax)
    if block.pattern is None or name is None or block.type not in MEDIA_PARTS:
        return block
    try:
        parts = block.pattern.render(syntax, {name: _ADDRESS}, frozenset())
    except PromptAdapterError:  # no address goes there, or other values as well
        return block
    bare = parts == (MEDIA_PARTS[block.type].from_url(_ADDRESS),)
    return Block(block.type, variable=name, cache=block.cache) if bare else block


def _with_blocks(prompt: Prompt, made: Callable[[Block], Block]) -> Prompt:
    """A prompt with what a function makes of each block in its lists."""
    entries = [
        entry.replace(content=[made(block) for block in entry.content])
        if isinstance(entry, Turn) and not isinstance(entry.content, str)
        else entry
        for entry in prompt.messages
    ]
    return prompt.replace(messages=entries)


# Words


def _declared(prompt: Prompt) -> Prompt:
    """A prompt that declares all its variables, by name, with the types that its entries give them."""
    types = {entry.name: "messages" for entry in prompt.messages if isinstance(entry, History)}
    for entry in prompt.messages:
        for block in entry.blocks if isinstance(entry, Turn) else ():
            if block.variable is not None:
                types.setdefault(block.variable, block.type)
    variables = [v if v.type is not None else v.replace(type=types.get(v.name)) for v in prompt.variables]
    return prompt.replace(variables=sorted(variables, key=lambda variable: variable.name))


def _in_common_words(prompt: Prompt) -> Prompt:
    """A prompt that renders the same, in words that are the same for all that do.

    Raises:
        PromptFormatError: A template cannot be written in Jinja.
    """
    syntax = prompt.syntax
    prompt = _with_texts(prompt, lambda template: _spelt(translated(template, syntax, _COMMON)), _COMMON)
    required = {variable.name: variable.required for variable in prompt.variables}
    entries = [
        entry.replace(required=required[entry.name]) if isinstance(entry, History) else _entry(entry)
        for entry in prompt.messages
    ]
    return _declared(prompt).replace(messages=entries)


def _unescaped(prompt: Prompt) -> Prompt:
    """A prompt of Mustache with each slot written in one way."""
    return _declared(_with_texts(prompt, unescaped, _MUSTACHE))


def _with_texts(prompt: Prompt, text: Callable[[str], str], syntax: str) -> Prompt:
    """A prompt with what a function makes of each of its templates, in a syntax."""
    entries: list[Entry] = []
    for entry in prompt.messages:
        if isinstance(entry, Turn) and isinstance(entry.content, str):
            entry = entry.replace(content=text(entry.content))
        elif isinstance(entry, Turn):
            entry = entry.replace(content=[_block(block, text) for block in entry.blocks])
        entries.append(entry)
    return prompt.replace(messages=entries, syntax=syntax)


def _spelt(template: str) -> str:
    """A template with each slot written in one way; one with logic stays as it is."""
    found = segments(template, _COMMON)
    if found is None:
        return template
    return "".join(slot(item.name, _COMMON) if isinstance(item, Slot) else escaped(item, _COMMON) for item in found)


def _entry(entry: Turn | Message) -> Entry:
    turn = literal_turn(entry, _COMMON)
    if not isinstance(turn, Turn):
        return turn
    turn = turn.replace(content=[block for block in turn.blocks if block.template != "" or block.cache])
    if len(turn.blocks) == 1 and turn.blocks[0].variable is None:
        turn = turn.replace(spaced=False)  # there is nothing to be between
    turn = _unspaced(turn)
    if any(isinstance(block.part, ToolCall | ToolResult) for block in turn.blocks):
        return _literal(turn)
    return _inline(turn)


def _unspaced(turn: Turn) -> Turn:
    """A turn with what stands between its blocks as blocks, where that is always the same."""
    if not turn.spaced or not all(map(_always_says_something, turn.blocks)):
        return turn
    found: list[Block] = []
    for block in turn.blocks:
        found += [Block("text", template=get_separator(found[-1].type, block.type))] if found else []
        found.append(block)
    return turn.replace(content=found, spaced=False)


def _literal(turn: Turn) -> Entry:
    """A turn of fixed parts as the message that it always is."""
    parts = [block.part.replace(cache=True) if block.cache else block.part for block in turn.blocks if block.part]
    return Message(turn.role, parts) if len(parts) == len(turn.blocks) and not turn.spaced else turn


def _block(block: Block, text: Callable[[str], str]) -> Block:
    if block.template is not None:
        return block.replace(template=text(block.template))
    if block.pattern is not None:
        return block.replace(pattern=type(block.pattern)(each_text(block.pattern.data, text)))
    return block


def _inline(turn: Turn) -> Turn:
    """A turn whose texts and slots beside each other are one text, and which is one text where it has nothing else."""
    if turn.spaced and len(turn.blocks) > 1:
        return turn
    blocks: list[Block] = []
    joining, run = Joining(_COMMON), False
    for block in turn.blocks:
        piece = _inline_text(block)
        if piece is not None and not run:
            joining = Joining(_COMMON)
        if piece is None or joining.add(piece) is not None:
            blocks.append(block)
            run = False
            continue
        blocks[len(blocks) - run :] = [Block("text", template=_spelt(joining.text))]
        run = True
    only = blocks[0].template if len(blocks) == 1 and not blocks[0].cache else None
    return Turn(turn.role, "" if not blocks else blocks if only is None else only, spaced=False)


def _always_says_something(block: Block) -> bool:
    """Whether no value makes a block empty, so that it always has its separators."""
    if block.part is not None:
        return True
    found = None if block.template is None else segments(block.template, _COMMON)
    return found is not None and any(isinstance(item, str) and item for item in found)


def _inline_text(block: Block) -> str | None:
    if block.cache:
        return None
    if block.variable is not None and block.index is None:
        return slot(block.variable, _COMMON)
    return block.template
