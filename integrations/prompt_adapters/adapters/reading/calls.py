"""Tool calls and their results, as the shapes that follow OpenAI's write them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from prompt_adapters.adapters.reading.fields import Fields, as_list, at, json_object, refuse
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, Text, ToolCall, ToolResult


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
