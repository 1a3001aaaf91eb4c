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
from prompt_adapters.adapters.spots import name_of
from prompt_adapters.adapters.tidy import SYSTEM_ROLES, tidy
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, Part, Text, ToolCall, ToolResult, Video
from prompt_adapters.content.position import position
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.few_shot import merged
from prompt_adapters.langchain.dialects import DIALECTS, PORTABLE, Block, Dialect
from prompt_adapters.langchain.short import short

_log = logging.getLogger("prompt_adapters")
_Placed = tuple[int, Part]


def langchain_messages(messages: tuple[Message, ...], adapter: MessageAdapter | None = None) -> list[BaseMessage]:
    """The messages as LangChain has them.

    Args:
        messages: The messages. They may be part of a conversation: only system text, or nothing.
        adapter: What is known of the target. With it media are fitted, what the provider cannot take is refused, and
            the dialect is that of its package; without it the form is the one that most packages take.

    Raises:
        UnsupportedContentError: (a ``ValueError``) Something has no place.
        PromptFormatError: (a ``ValueError``) A turn is empty.
    """
    dialect = PORTABLE if adapter is None else DIALECTS.get(adapter.style, PORTABLE)
    if leading_systems(messages) < len(messages):
        messages = _tidied(messages, dialect) if adapter is None else _prepared(messages, adapter)
    if dialect.system_leads:
        _check_systems(messages, dialect)
    return [converted for number, m in enumerate(messages) for converted in _converted(m, number, dialect)]


def _tidied(messages: tuple[Message, ...], dialect: Dialect) -> tuple[Message, ...]:
    tidied, notes = tidy(messages, blank_text=dialect.blank_text)
    for note in (*notes, *losses(tidied, dialect.carries)):
        _log.info("langchain: %s", note)
    return tidied


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
                position(number, messages[number].role),
                "it moves or drops such messages",
                "put it first, or set the option system_in_middle='user'",
            )


def _converted(message: Message, number: int, dialect: Dialect) -> Iterator[BaseMessage]:
    """The LangChain messages of one message: each tool result is one by itself."""
    rest: list[_Placed] = []
    for index, part in enumerate(message.parts):
        if isinstance(part, ToolResult):
            if rest:
                yield _turn(message, rest, number, dialect)
                rest = []
            yield _tool_message(message, part, (number, index), dialect)
        else:
            rest.append((index, part))
    if rest or not message.parts:
        yield _turn(message, rest, number, dialect)


def _turn(message: Message, placed: Sequence[_Placed], number: int, dialect: Dialect) -> BaseMessage:
    calls = [(index, part) for index, part in placed if isinstance(part, ToolCall)]
    content = _content([item for item in placed if item not in calls], message, number, dialect)
    name = message.name
    match message.role:
        case "system":
            made: BaseMessage = SystemMessage(content, name=name)
        case "developer":
            made = SystemMessage(content, name=name, additional_kwargs={"__openai_role__": "developer"})
        case "user":
            made = HumanMessage(content, name=name)
        case "assistant":
            if calls and content and not dialect.text_beside_calls:
                what = "text beside tool calls"
                remedy = "send the text as an assistant turn of its own"
                _refuse(dialect, what, position(number, message.role), "it drops such text", remedy)
            return AIMessage(content, name=name, tool_calls=[_call(part) for _, part in calls])
        case "tool":
            place = position(number, message.role, placed[0][0] if placed else None)
            what = name_of(placed[0][1]) if placed else "an empty tool message"
            _refuse(dialect, what, place, "a tool message holds tool results", "use ToolResult(...)")
        case _:
            assert_never(message.role)
    if calls:
        index, call = calls[0]
        place = position(number, message.role, index)
        _refuse(dialect, name_of(call), place, "tools are called in assistant turns", "put it into one")
    return made


def _call(call: ToolCall) -> Any:
    return {"type": "tool_call", "id": call.id, "name": call.name, "args": call.arguments}


def _content(
    placed: Sequence[_Placed], message: Message, number: int, dialect: Dialect
) -> str | list[str | dict[Any, Any]]:
    last = len(message.parts) - 1
    blocks = [
        _block(part, position(number, message.role, index), dialect, ends=message.cache and index == last)
        for index, part in placed
    ]
    return _plain(blocks)


def _plain(blocks: list[Block]) -> str | list[str | dict[Any, Any]]:
    """One text as a string, everything else as blocks."""
    if not blocks:
        return ""
    if len(blocks) == 1 and blocks[0].keys() == {"type", "text"}:
        return str(blocks[0]["text"])
    return [*blocks]


def _block(part: Part, place: str, dialect: Dialect, *, ends: bool = False, in_result: bool = False) -> Block:
    if ends and not part.cache:
        part = part.replace(cache=True)
    match part:
        case Text():
            mark = {"cache_control": {"type": "ephemeral"}} if part.cache and "cache" in dialect.carries else {}
            return {"type": "text", "text": part.text, **mark}
        case ToolCall() | ToolResult():
            _refuse(dialect, name_of(part), place, "it does not belong there", "put it into a turn of its own")
        case Image() | Audio() | Video() | Document():
            return dialect.block(part, place, in_result=in_result)
    assert_never(part)


def _tool_message(message: Message, result: ToolResult, spot: tuple[int, int], dialect: Dialect) -> ToolMessage:
    number, index = spot
    if message.role not in ("tool", "user"):
        place = position(number, message.role, index)
        _refuse(dialect, name_of(result), place, "tool results stand in tool turns", "put it into a tool turn")
    blocks = [
        _block(part, position(number, message.role, index, inner), dialect, in_result=True)
        for inner, part in enumerate(result.parts)
    ]
    if all(block.keys() == {"type", "text"} for block in blocks):
        content: Any = "".join(block["text"] for block in blocks)
    else:
        content = blocks
    status = "error" if result.error else "success"
    return ToolMessage(content, tool_call_id=result.id, name=result.name, status=status)


def _refuse(dialect: Dialect, what: str, place: str, reason: str, remedy: str) -> NoReturn:
    raise UnsupportedContentError(dialect.package, what, place, reason, remedy)


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
