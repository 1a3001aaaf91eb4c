"""What several shapes have in common: roles, texts, tool calls and their results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from prompt_adapters.adapters.reading.fields import Fields, as_list, at, json_object, refuse
from prompt_adapters.adapters.reading.media import from_address
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, Text, ToolCall, ToolResult
from prompt_adapters.content.position import position

_CHAT_ROLES = ("system", "user", "assistant", "tool")


def tool_call(call_id: str, name: str, arguments: object, where: str, *, cache: bool = False) -> ToolCall:
    """A call, its arguments an object or the JSON text of one.

    Raises:
        PromptFormatError: (a ``ValueError``) Something in it is malformed.
    """
    data = json_object(arguments, f"{where}: the arguments of {name!r:.60}")
    with at(where):
        return ToolCall(call_id, name, data, cache=cache)


def tool_result(call_id: str, parts: Iterable[Part], where: str, **fields: Any) -> ToolResult:
    """What a tool gave; an empty text is nothing.

    Raises:
        PromptFormatError: (a ``ValueError``) Something in it is malformed.
    """
    said = tuple(part for part in parts if not (isinstance(part, Text) and not part.text and not part.cache))
    with at(where):
        return ToolResult(call_id, said, **fields)


def message(role: str, parts: Iterable[Part], where: str, **fields: Any) -> Message:
    """A message.

    Raises:
        PromptFormatError: (a ``ValueError``) Something in it is malformed.
    """
    with at(where):
        return Message(role, tuple(parts), **fields)


def role_of(fields: Fields, roles: Iterable[str]) -> str:
    """The role of a message, one of these.

    Raises:
        PromptFormatError: (a ``ValueError``) It is another, or missing.
    """
    role = fields.text("role")
    if role not in roles:
        refuse(fields.where, f"has the role {role!r:.60}; the roles are {', '.join(roles)}")
    return role


def content_list(content: object, where: str) -> list[Any]:
    """The blocks of a content: a text alone is one."""
    if content is None:
        return []
    return [{"type": "text", "text": content}] if isinstance(content, str) else as_list(content, where)


def together(messages: Iterable[Message], roles: tuple[str, ...]) -> tuple[Message, ...]:
    """The messages, those of one of these roles that follow each other as one."""
    merged: list[Message] = []
    for item in messages:
        if merged and item.role in roles and merged[-1].role == item.role:
            merged[-1] = merged[-1].replace(parts=(*merged[-1].parts, *item.parts))
        else:
            merged.append(item)
    return tuple(merged)


def with_results_apart(role: str, parts: Iterable[Part], where: str) -> list[Message]:
    """The messages of a user's turn, in which tool results stand in turns of their own."""
    if role != "user":
        return [message(role, parts, where)]
    turns: list[tuple[str, list[Part]]] = []
    for part in parts:
        speaker = "tool" if isinstance(part, ToolResult) else "user"
        if not turns or turns[-1][0] != speaker:
            turns.append((speaker, []))
        turns[-1][1].append(part)
    return [message(speaker, said, where) for speaker, said in turns] or [message(role, (), where)]


def text_block(fields: Fields) -> Part:
    """``{"type": "text", "text": …}``."""
    return Text(fields.text("text"))


def image_url_block(fields: Fields) -> Part:
    """``{"type": "image_url", "image_url": {"url", "detail"?}}``, or the address by itself."""
    where = fields.where
    if isinstance(address := fields.need("image_url"), str):
        return from_address("image", address, where)
    with Fields(address, where) as image:
        detail, mime = image.maybe_text("detail"), image.maybe_text("format")
        return from_address("image", image.text("url"), where, mime=mime, detail=detail)


def function_calls(fields: Fields, *, own: Callable[[Fields], bool] = lambda _: False) -> list[ToolCall]:
    """``"tool_calls": [{"id", "type": "function", "function": {"name", "arguments"}}]``.

    Args:
        fields: The message.
        own: Takes what a shape has besides, and says whether a cacheable prefix ends with the call.
    """
    calls = []
    for number, item in enumerate(fields.items("tool_calls"), 1):
        with Fields(item, f"{fields.where}, tool call {number}") as call:
            call.only("type", "function")
            call_id, cache = call.text("id"), own(call)
            with call.inner("function") as function:
                name, arguments = function.text("name"), function.take("arguments", "")
            calls.append(tool_call(call_id, name, arguments, call.where, cache=cache))
    return calls


def chat_message(
    fields: Fields, number: int, known: Mapping[str, Callable[[Fields], Part]], *, before: Iterable[Part] = ()
) -> Message:
    """A message of the shapes that have tool calls beside the content and a message for each result.

    Args:
        fields: The message.
        number: Its index.
        known: What reads a block, by the block's type.
        before: What the message says before its content.

    Raises:
        PromptFormatError: (a ``ValueError``) Something in it is malformed, or a block is of a type that is not known.
        MediaError: (a ``ValueError``) Media are broken.
    """
    role = role_of(fields, _CHAT_ROLES)
    fields.where = where = position(number, role)
    if "content" not in fields and "tool_calls" not in fields:
        refuse(where, "has no 'content'")
    parts = list(before)
    for index, item in enumerate(content_list(fields.take("content"), f"{where}, 'content'")):
        with Fields(item, position(number, role, index)) as block:
            read_block = known.get(kind := block.text("type"))
            if read_block is None:
                refuse(block.where, f"is of type {kind!r:.60}; the known ones are {', '.join(known)}")
            parts.append(read_block(block))
    if role == "tool":
        name = fields.maybe_text("name")
        return message(role, (tool_result(fields.text("tool_call_id"), parts, where, name=name),), where)
    if role == "assistant":
        parts += function_calls(fields)
    return message(role, parts, where)


def check_prefix(fields: Fields, *, final: bool) -> None:
    """Take ``"prefix"``: it says what a final turn of the assistant is for anyway.

    Raises:
        PromptFormatError: (a ``ValueError``) The message is no such turn.
    """
    if fields.flag("prefix") and not final:
        refuse(fields.where, "has 'prefix', which belongs to a final turn of the assistant")
