"""From `Message` to LangChain's messages.

======================  ==========================================================================================
what a message holds    what it becomes
======================  ==========================================================================================
system, developer       ``SystemMessage``; developer with LangChain's own mark for it
user, assistant         ``HumanMessage``, ``AIMessage``
one text                a plain string; several parts are a list of blocks
media                   a block in the form of the `Dialect`
tool call               ``AIMessage.tool_calls``
tool result             a ``ToolMessage`` of its own
======================  ==========================================================================================

Every call makes new messages, so nothing that is done to them reaches a template.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NoReturn, assert_never

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from prompt_adapters.adapters.base import MessageAdapter
from prompt_adapters.adapters.losses import losses
from prompt_adapters.adapters.roles import leading_systems
from prompt_adapters.adapters.spots import Spot, name_of
from prompt_adapters.adapters.tidy import SYSTEM_ROLES, tidy
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, Part, Text, ToolCall, ToolResult, Video
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.few_shot import merged
from prompt_adapters.langchain.carried import Carried, restored
from prompt_adapters.langchain.dialects import PORTABLE, Block, Dialect, dialect_of
from prompt_adapters.langchain.short import short
from prompt_adapters.langchain.stamps import all_stamped, stamped
from prompt_adapters.media.notes import Note

_log = logging.getLogger("prompt_adapters")
_Placed = tuple[Spot, Part]
_NOTABLE = frozenset({"name", "cache", "detail", "title", "clip", "error"})


def langchain_messages(
    messages: tuple[Message, ...], adapter: MessageAdapter | None = None, common: Dialect | None = None
) -> list[BaseMessage]:
    """The messages as LangChain has them.

    Args:
        messages: The messages. They may be part of a conversation: only system text, or nothing.
        adapter: What is known of the target. With it media are fitted, what the provider cannot take is refused, and
            the dialect is that of its package; without it the form is the one that most packages take.
        common: What holds for that form where several targets are known.

    Raises:
        UnsupportedContentError: (a ``ValueError``) Something has no place.
        PromptFormatError: (a ``ValueError``) A turn is empty.
    """
    if adapter is None and common is None and (made := all_stamped(messages)) is not None:
        # Nothing to tidy, and nothing that a form could lose.
        if Carried not in set(map(type, messages)):
            return made
        return [one for each, m in zip(made, messages, strict=True) for one in restored((each,), m, PORTABLE)]
    dialect = common or dialect_of(adapter)
    if leading_systems(messages) < len(messages):
        messages = _tidied(messages) if adapter is None else _prepared(messages, adapter)
        carried = frozenset() if adapter is None else _NOTABLE - adapter.carries  # what the adapter has noted itself
        _log_notes(losses(messages, dialect.carries | carried))
    dialect = dialect.naming(messages)
    if dialect.system_leads:
        _check_systems(messages, dialect)
    # A system message whose text another one took in is left as an empty one.
    said = [(number, m) for number, m in enumerate(messages) if m.parts or adapter is None]
    return [made for number, m in said for made in restored(_converted(m, number, dialect), m, dialect)]


def _tidied(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    tidied, notes = tidy(messages, blank_text=False)  # some providers take no blank text
    _log_notes(notes)
    return tidied


def _log_notes(notes: Iterable[Note]) -> None:
    for note in notes:
        _log.info("langchain: %s", note)


def _prepared(messages: tuple[Message, ...], adapter: MessageAdapter) -> tuple[Message, ...]:
    prepared = adapter.prepare(messages).messages
    if not all(isinstance(part, Text) for message in prepared for part in message.parts):
        adapter.encode(prepared)  # refuses what the provider has no place for
    return prepared


def _check_systems(messages: Sequence[Message], dialect: Dialect) -> None:
    for number in range(leading_systems(messages), len(messages)):
        if messages[number].role in SYSTEM_ROLES:
            raise UnsupportedContentError(
                dialect.package,
                "a system message in mid-conversation",
                str(Spot(number, messages[number].role)),
                "it moves or drops such messages",
                "put it first, or set the option system_in_middle='user'",
            )


def _converted(message: Message, number: int, dialect: Dialect) -> Iterator[BaseMessage]:
    """The LangChain messages of one message: each tool result is one by itself."""
    if (plain := stamped(message)) is not None:
        yield plain
        return
    if dialect.makes is not None and dialect.adapter is not None:
        yield from dialect.makes(message, dialect.adapter, dialect.tools)
        return
    spot = Spot(number, message.role)
    rest: list[_Placed] = []
    for index, part in enumerate(message.parts):
        here = spot._replace(part=index)
        if isinstance(part, ToolResult):
            if rest:
                yield _turn(message, rest, dialect, spot)
                rest = []
            yield _tool_message(part, dialect, here)
        else:
            ends_prefix = message.cache and index == len(message.parts) - 1 and not part.cache
            rest.append((here, part.replace(cache=True) if ends_prefix else part))
    if rest or not message.parts:
        yield from (_turn(message, group, dialect, spot) for group in _groups(rest, dialect, spot))


def _groups(placed: Sequence[_Placed], dialect: Dialect, spot: Spot) -> list[list[_Placed]]:
    """The parts that stand in one message; two groups where the package drops text beside tool calls."""
    calls = [item for item in placed if isinstance(item[1], ToolCall)]
    said = [item for item in placed if not isinstance(item[1], ToolCall)]
    if dialect.text_beside_calls or not calls or not said or spot.role != "assistant":
        return [list(placed)]
    reason = f"{dialect.package} drops text beside tool calls, so it is sent as a turn of its own, before them"
    _log_notes([Note(str(spot), reason)])
    return [said, calls]


def _turn(message: Message, placed: Sequence[_Placed], dialect: Dialect, spot: Spot) -> BaseMessage:
    calls = [(here, part) for here, part in placed if isinstance(part, ToolCall)]
    if message.role == "tool":
        here, what = (placed[0][0], name_of(placed[0][1])) if placed else (spot, "an empty tool message")
        _refuse(dialect, what, here, "a tool message holds tool results", "use ToolResult(...)")
    if calls and message.role != "assistant":
        _refuse(dialect, name_of(calls[0][1]), calls[0][0], "tools are called in assistant turns", "put it into one")
    content = _content([_block(part, dialect, here) for here, part in placed if not isinstance(part, ToolCall)])
    match message.role:
        case "system":
            return SystemMessage(content, name=message.name)
        case "developer":
            return SystemMessage(content, name=message.name, additional_kwargs={"__openai_role__": "developer"})
        case "user":
            return HumanMessage(content, name=message.name)
        case "assistant":
            _note_order(placed, spot)
            return AIMessage(content, name=message.name, tool_calls=[_call(part) for _, part in calls])
    assert_never(message.role)


def _note_order(placed: Sequence[_Placed], spot: Spot) -> None:
    """LangChain keeps calls in a field of their own, beside the content."""
    kinds = [isinstance(part, ToolCall) for _, part in placed]
    if True in kinds and False in kinds[kinds.index(True) :]:
        _log_notes([Note(str(spot), "the text after a tool call is sent before it")])


def _call(call: ToolCall) -> Any:
    return {"type": "tool_call", "id": call.id, "name": call.name, "args": call.arguments}


def _content(blocks: list[Block]) -> Any:
    """One text as a string, everything else as blocks."""
    if not blocks:
        return ""
    return blocks[0]["text"] if len(blocks) == 1 and _is_plain(blocks[0]) else blocks


def _is_plain(block: Block) -> bool:
    return block.keys() == {"type", "text"}


def _block(part: Part, dialect: Dialect, spot: Spot, *, in_result: bool = False) -> Block:
    match part:
        case Text():
            mark = {"cache_control": {"type": "ephemeral"}} if part.cache and "cache" in dialect.carries else {}
            return {"type": "text", "text": part.text, **mark}
        case ToolCall() | ToolResult():
            _refuse(dialect, name_of(part), spot, "it does not belong there", "put it into a turn of its own")
        case Image() | Audio() | Video() | Document():
            return dialect.block(part, spot, in_result=in_result)
    assert_never(part)


def _tool_message(result: ToolResult, dialect: Dialect, spot: Spot) -> ToolMessage:
    if spot.role not in ("tool", "user"):
        _refuse(dialect, name_of(result), spot, "tool results stand in tool turns", "put it into a tool turn")
    blocks = [
        _block(part, dialect, spot._replace(inner=inner), in_result=True) for inner, part in enumerate(result.parts)
    ]
    content: Any = "".join(block["text"] for block in blocks) if all(map(_is_plain, blocks)) else blocks
    status = "error" if result.error else "success"
    return ToolMessage(content, tool_call_id=result.id, name=result.name, status=status)


def _refuse(dialect: Dialect, what: str, spot: Spot, reason: str, remedy: str) -> NoReturn:
    raise UnsupportedContentError(dialect.package, what, str(spot), reason, remedy)


# Short forms


def described(messages: Iterable[Message]) -> list[BaseMessage]:
    """The messages with every medium named instead of shown, as ``[image: image/png, 70 bytes]``."""
    return [
        converted
        for number, message in enumerate(messages)
        for converted in _converted(message.replace(parts=_named(message.parts)), number, PORTABLE)
    ]


def _named(parts: Iterable[Part]) -> tuple[Part, ...]:
    """The same parts, each run of texts and media one text."""
    named: list[Part] = []
    for part in parts:
        match part:
            case ToolCall():
                named.append(part)
            case ToolResult():
                named.append(part.replace(parts=_named(part.parts)))
            case _:
                named.append(Text(part.text if isinstance(part, Text) else short(part)))
    return merged(named)
