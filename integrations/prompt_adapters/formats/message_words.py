"""Turns and messages as the objects of an OpenAI-style message list, and back.

==========================================================  ============================================================
object                                                      entry
==========================================================  ============================================================
``{"role", "content": text}``                               a turn with this template
``{"role", "content": [block, …]}`` with placeholders       a turn of blocks: texts are templates, the others patterns
``{"role", "content": [block, …]}`` without                 a literal message
blocks as ``{"type": "image", "variable": "photo"}``        this package's own: media that a variable brings
``tool_calls``, ``tool_call_id``, ``name``,                 a literal message; braces in its texts are escaped as in a
``cache_control`` beside these                              template
``"syntax": "none"`` beside these                           a literal message whose texts are verbatim
``"spaced": true`` beside ``role`` and ``content``          a turn of blocks with separators between them, as this
                                                            package's own blocks have them anyway
==========================================================  ============================================================

Unknown keys that hold something are refused, since no part of a prompt could keep them.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, assert_never

from prompt_adapters.blocks import Block
from prompt_adapters.content.message import ROLES, Message
from prompt_adapters.content.parts import Part, Text, ToolCall, ToolResult
from prompt_adapters.content.read import ROLE_ALIASES, read_message
from prompt_adapters.errors import PromptFormatError, TemplateError
from prompt_adapters.formats.holding import EMPTY, block_word, template_of
from prompt_adapters.formats.part_words import MARK, nearest_block, tool_call_entry
from prompt_adapters.templates import compile_template
from prompt_adapters.turn_content import each_text, literal, said
from prompt_adapters.turns import Entry, History, Turn

_SYNTAX = "syntax"
_SPACED = "spaced"
_KNOWN = frozenset(
    {"role", "content", "name", "tool_calls", "tool_call_id", "cache_control", "error", _SYNTAX, _SPACED}
)
# What messages of a client hold as nothing, or as what the parts say already.
_IDLE = ("refusal", "function_call", "audio", "annotations", "reasoning_content", "reasoning", "tool_calls")
_TEMPLATED = frozenset({"role", "content"})


class Words(NamedTuple):
    """How a format writes the objects.

    Attributes:
        syntax: The syntax of the templates.
        own: Whether it has this package's own words: slots for media, ``"syntax": "none"`` and ``"spaced": true``.
    """

    syntax: str
    own: bool = True


# Objects to entries


def read_entry(item: object, where: str, words: Words) -> Entry:
    """The entry that an object of a list means.

    Args:
        item: The object.
        where: What an error calls it.
        words: How it is written.

    Raises:
        PromptFormatError: (a ``ValueError``) It is malformed.
        TemplateError: (a ``ValueError``) A template cannot be compiled.
        MediaError: (a ``ValueError``) A block's media are broken.
    """
    if not isinstance(item, Mapping) or not isinstance(role := item.get("role"), str):
        shown = "has no 'role', a text" if isinstance(item, Mapping) else f"is {type(item).__name__}, not an object"
        raise PromptFormatError(None, None, f"{where} {shown}")
    if (meant := ROLE_ALIASES.get(role, role)) not in ROLES:
        shown = reprlib.repr(role)
        raise PromptFormatError(None, None, f"{where}: {shown} is not a role; the roles are {', '.join(ROLES)}")
    item = {key: value for key, value in item.items() if key in _TEMPLATED or not _is_idle(key, value)}
    if unknown := sorted(map(str, item.keys() - _KNOWN)):
        raise PromptFormatError(None, None, f"{where} has {unknown[0]!r}, which no prompt can keep; leave it out")
    if not words.own and (own := item.keys() & {_SYNTAX, _SPACED}):
        raise PromptFormatError(None, None, f"{where} has the unknown key {min(own)!r}")
    if _SYNTAX in item:
        if (syntax := item.pop(_SYNTAX)) != "none":
            shown = reprlib.repr(syntax)
            raise PromptFormatError(None, None, f"{where}: the syntax of one message can only be 'none', not {shown}")
        exact = read_message(item, where)
        return _unmarked(item, exact, words) or exact
    if _SPACED in item:
        return _spaced(item, where, words.syntax)
    if item.keys() == _TEMPLATED and meant != "tool":
        _check_content(item["content"], where)
        return said(role, item["content"], where, words.syntax)
    return read_message(item | {"content": literal(item.get("content"), where, words.syntax)}, where)


def _is_idle(key: str, value: object) -> bool:
    """Whether a key of a message says nothing, as those of a client's own messages often do."""
    return value is None or (key in _IDLE and not value)


def _spaced(item: Mapping[str, Any], where: str, syntax: str) -> Entry:
    if item[_SPACED] is not True or item.keys() != _TEMPLATED | {_SPACED} or not isinstance(item["content"], list):
        raise PromptFormatError(None, None, f"{where}: 'spaced' is true, and stands beside a list of blocks alone")
    match said(item["role"], item["content"], where, syntax):
        case Turn() as turn:
            return turn.replace(content=turn.blocks, spaced=True)
        case Message(role=role, parts=parts):
            return Turn(role, parts)
        case entry:
            return entry


def _check_content(content: object, where: str) -> None:
    if not isinstance(content, str | list | None):
        raise PromptFormatError(
            None, None, f"{where}: its content is {type(content).__name__}, neither a text nor a list of blocks"
        )


# Entries to objects


class Written(NamedTuple):
    """What an entry becomes.

    Attributes:
        items: The objects; none when nothing of it can be written.
        losses: What is lost of it.
    """

    items: list[dict[str, Any]]
    losses: list[str]


def write_entry(entry: Entry, place: str, words: Words) -> Written:
    """The objects for an entry; several for one with several results of tools."""
    match entry:
        case History():
            return Written([], [f"{place}, a slot for earlier messages"])
        case Turn(content=str() as template):
            return Written([{"role": entry.role, "content": template}], [])
        case Turn():
            return _turn(entry, place, words)
        case Message(role="tool"):
            return _tool_message(entry, place, words)
        case Message():
            return _message(entry, place, words)
        case _:
            assert_never(entry)


def _turn(turn: Turn, place: str, words: Words) -> Written:
    has_slot = any(block.variable is not None for block in turn.blocks)
    spaced = words.own and (turn.spaced or has_slot)
    losses: list[str] = []
    if len(turn.blocks) > 1 and spaced != turn.spaced:
        losses.append(f"{place}: that {'nothing stands' if spaced else 'separators stand'} between its blocks")
    items: list[dict[str, Any]] = []
    for number, block in enumerate(turn.blocks, 1):
        if block.template == "" and not spaced:
            continue  # which gives nothing, and an empty text would be a part
        item, lost = _block(block, spaced, words)
        losses += [f"{place}, block {number}: {loss}" for loss in lost]
        items += [] if item is None else [item]
    own = any("variable" in item or ("content" in item and item["type"] == "text") for item in items)
    mark = {_SPACED: True} if spaced and items and not own else {}
    return Written([{"role": turn.role, "content": items, **mark}] if items or not losses else [], losses)


def _block(block: Block, spaced: bool, words: Words) -> tuple[dict[str, Any] | None, list[str]]:
    if block.template is not None:
        if spaced:
            return {"type": "text", "content": block.template, **({"cache": True} if block.cache else {})}, []
        return {"type": "text", "text": block.template, **(MARK if block.cache else {})}, []
    if block.variable is not None:
        return _slot(block, words)
    if block.pattern is not None:
        return block.pattern.data, ["the end of a cacheable prefix"] if block.cache else []
    return _fixed(block, spaced, words)


def _slot(block: Block, words: Words) -> tuple[dict[str, Any] | None, list[str]]:
    if words.own:
        index = {} if block.index is None else {"index": block.index}
        mark = {"cache": True} if block.cache else {}
        return {"type": block.type, "variable": block.variable, **index, **mark}, []
    lost = [block_word(block)]
    if block.type != "image" or block.index is not None or block.variable is None:
        return None, lost
    url = f"{{{{ {block.variable} }}}}"
    if [slot.name for slot in compile_template(url, words.syntax).variables] != [block.variable]:
        return None, lost
    return {"type": "image_url", "image_url": {"url": url}}, ["the end of a cacheable prefix"] if block.cache else []


def _fixed(block: Block, spaced: bool, words: Words) -> tuple[dict[str, Any] | None, list[str]]:
    """A fixed part, whose texts are written as templates that give them."""
    assert block.part is not None  # noqa: S101 - a block holds one of four things
    part = block.part.replace(cache=True) if block.cache else block.part
    if spaced and isinstance(part, Text) and not part.text:
        return None, [EMPTY]
    found, lost = nearest_block(part)
    if found is None:
        return None, [str(lost)]
    losses = [] if lost is None else [lost]
    try:
        return each_text(found, lambda text: _escaped(text, words.syntax)), losses
    except TemplateError as error:
        return None, [*losses, f"{block_word(block)}: {error.reason}"]


def _escaped(text: str, syntax: str) -> str:
    if "{" not in text and "%" not in text:
        return text
    if (template := template_of(text, syntax)) is None:
        raise TemplateError(f"the text {text[:40]!r} would be read as a slot")
    return template


def _message(message: Message, place: str, words: Words) -> Written:
    calls = [part for part in message.parts if isinstance(part, ToolCall)]
    last = message.parts[len(message.parts) - len(calls) :]
    beside = message.role == "assistant" and list(last) == calls and not any(call.cache for call in calls)
    content, losses = _content(message.parts[: -len(calls)] if beside and calls else message.parts, place)
    item: dict[str, Any] = {"role": message.role, "content": content}
    if beside and calls:
        item["content"] = None if content == [] else content
        item["tool_calls"] = [tool_call_entry(call) for call in calls]
    elif not content and message.parts and content != "":
        return Written([], losses)
    item |= {"name": message.name} if message.name is not None else {}
    item |= MARK if message.cache else {}
    return Written([_verbatim(item, words)], losses)


def _content(parts: tuple[Part, ...], place: str) -> tuple[Any, list[str]]:
    if len(parts) == 1 and isinstance(only := parts[0], Text) and not only.cache:
        return only.text, []
    blocks, losses = [], []
    for number, part in enumerate(parts, 1):
        block, lost = nearest_block(part)
        losses += [] if lost is None else [f"{place}, part {number}: {lost}"]
        blocks += [] if block is None else [block]
    return blocks, losses


def _verbatim(item: dict[str, Any], words: Words) -> dict[str, Any]:
    """The object of a literal message, said to be verbatim when its texts would mean something as templates."""
    if not words.own:
        return item | {"content": each_text(item["content"], lambda text: _escaped(text, words.syntax))}
    return item if _unmarked(item, read_message(item), words) else item | {_SYNTAX: "none"}


def _unmarked(item: Mapping[str, Any], exact: Message, words: Words) -> Entry | None:
    """What an object that is not said to be verbatim means, when that is always the same as a literal message."""
    try:
        found = read_entry(item, "the message", words)
        same = found == exact or (isinstance(found, Turn) and _says(found, exact, words.syntax))
    except (PromptFormatError, TemplateError):
        return None
    return found if same else None


def _says(turn: Turn, message: Message, syntax: str) -> bool:
    """Whether a turn of one text always gives a literal message."""
    if not isinstance(turn.content, str) or (turn.role, None, False) != (message.role, message.name, message.cache):
        return False
    template = compile_template(turn.content, syntax)
    return template.is_literal and "".join(_texts(template.render({}))) == message.text


def _texts(parts: tuple[Part, ...]) -> Iterator[str]:
    return (part.text for part in parts if isinstance(part, Text))


def _tool_message(message: Message, place: str, words: Words) -> Written:
    losses = [f"{place}: its name {message.name!r}"] if message.name is not None else []
    results = [part for part in message.parts if isinstance(part, ToolResult)]
    if len(results) < len(message.parts):
        losses.append(f"{place}: what is no result of a tool in it")
    if len(results) > 1:
        losses.append(f"{place}: that its {len(results)} results stand in one message")
    items = []
    for number, result in enumerate(results):
        mark = message.cache and number == len(results) - 1
        losses += [f"{place}: the end of a cacheable prefix after a result"] if result.cache else []
        content, lost = _content(result.parts, f"{place}, result {number + 1}")
        losses += lost
        item = {"role": "tool", "tool_call_id": result.id, "content": content}
        item |= {"name": result.name} if result.name is not None else {}
        item |= {"error": True} if result.error else {}
        items.append(_verbatim(item | (MARK if mark else {}), words))
    return Written(items, losses if items or losses else [f"{place}, which is empty"])
