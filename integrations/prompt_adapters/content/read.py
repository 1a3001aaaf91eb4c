"""Messages in the forms that people already have: pairs, role/content dictionaries, LangChain messages.

    ("user", "Hi")                                          a pair
    {"role": "user", "content": "Hi" or [block, …]}         an OpenAI message; see `read_blocks` for the blocks
    HumanMessage(…) and its kin                             a LangChain message, told by its `type` and `content`
    response.choices[0].message                             a pydantic message of a client, told by `role`

What a model thought before it spoke is not sent to another one. Beside the content (``reasoning_content``) it is left
out, since providers do not take it back there. Blocks of it (``thinking``, ``reasoning``) are refused by name, or left
out with a line in the log where the caller chooses that, as the history of a prompt does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any

from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, ToolCall, ToolResult
from prompt_adapters.content.read_blocks import Reasoning, cache_mark, read_call, read_part, read_parts
from prompt_adapters.errors import PromptFormatError

__all__ = ["ROLE_ALIASES", "Reasoning", "read_message", "read_messages", "read_part", "read_parts"]

ROLE_ALIASES: Mapping[str, str] = {"human": "user", "ai": "assistant", "model": "assistant", "function": "tool"}
# What some messages say outside their content, and no part can hold.
_ASIDE = ("audio", "function_call", "refusal")
# What LangChain keeps in the content beside `tool_calls`, which says the same.
_CALL_BLOCKS = frozenset({"tool_use", "tool_call", "function_call"})


def read_messages(
    value: object, where: str = "the messages", *, reasoning: Reasoning = "refuse"
) -> tuple[Message, ...]:
    """A list of messages in any of the known forms, or one message alone.

    Args:
        value: The messages.
        where: What an error calls them.
        reasoning: What becomes of blocks of what a model thought: ``"refuse"``, or ``"drop"`` to leave them out and
            say so in the log.

    Raises:
        PromptFormatError: Something is not a message; its number is named.
        MediaError: A block's media are broken.
    """
    to_messages = getattr(value, "to_messages", None)
    if callable(to_messages):
        value = to_messages()
    if _is_one(value):
        return (read_message(value, where, reasoning=reasoning),)
    # An iterator would be empty the second time, and a set has no order.
    if isinstance(value, str | bytes | bytearray | Mapping | Set | Iterator) or not isinstance(value, Iterable):
        raise PromptFormatError(None, None, f"{where} must be a list of messages, not {type(value).__name__}")
    return tuple(
        read_message(item, f"{where}, message {number}", reasoning=reasoning) for number, item in enumerate(value, 1)
    )


def _is_one(value: object) -> bool:
    if isinstance(value, Message) or (isinstance(value, Mapping) and "role" in value):
        return True
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str):
        return True
    return _is_langchain(value) or _is_dumpable(value)


def _is_dumpable(value: object) -> bool:
    return isinstance(getattr(value, "role", None), str) and callable(getattr(value, "model_dump", None))


def _is_langchain(value: object) -> bool:
    return hasattr(value, "content") and isinstance(getattr(value, "type", None), str)


def read_message(value: object, where: str = "the message", *, reasoning: Reasoning = "refuse") -> Message:
    """One message in any of the known forms; the arguments are those of `read_messages`.

    Raises:
        PromptFormatError: It is not a message.
        MediaError: A block's media are broken.
    """
    match value:
        case Message():
            return value
        case (str() as role, content):
            return _message(role, content, {}, where, reasoning)
        case Mapping():
            if not isinstance(value.get("role"), str):
                raise PromptFormatError(None, None, f"{where} has no 'role'")
            return _message(value["role"], value.get("content"), value, where, reasoning)
    if _is_langchain(value):
        return _langchain(value, where, reasoning)
    if _is_dumpable(value):
        return read_message(value.model_dump(), where, reasoning=reasoning)  # type: ignore[attr-defined]  # checked by _is_dumpable
    raise PromptFormatError(
        None, None, f"{where} is {type(value).__name__}, not a message; give a role and a content, as ('user', 'Hi')"
    )


def _langchain(value: Any, where: str, reasoning: Reasoning) -> Message:
    kind = value.type.removesuffix("MessageChunk").lower()  # as "AIMessageChunk", what streaming adds up to
    role = str(value.role) if kind == "chat" else kind
    extra = getattr(value, "additional_kwargs", None) or {}
    calls = getattr(value, "tool_calls", None) or []
    if getattr(value, "invalid_tool_calls", None):
        raise PromptFormatError(None, None, f"{where} holds tool calls whose arguments are not JSON; leave them out")
    fields = {
        "name": getattr(value, "name", None),
        "tool_calls": calls,
        "tool_call_id": getattr(value, "tool_call_id", None),
        "error": getattr(value, "status", None) == "error",
        **{key: extra[key] for key in _ASIDE if key in extra and not (key == "function_call" and calls)},
    }
    role, content = extra.get("__openai_role__", role), _without_calls(value.content, calls)
    return _message(role, content, fields, where, reasoning)


def _without_calls(content: object, calls: Iterable[Mapping[str, Any]]) -> object:
    ids = {call.get("id") for call in calls}

    def is_call(block: object) -> bool:
        if not isinstance(block, Mapping) or block.get("type") not in _CALL_BLOCKS:
            return False
        return block.get("call_id") in ids or block.get("id") in ids

    return [block for block in content if not is_call(block)] if ids and isinstance(content, list) else content


def _message(role: str, content: object, fields: Mapping[str, Any], where: str, reasoning: Reasoning) -> Message:
    role = ROLE_ALIASES.get(role, role)
    for key in _ASIDE:
        if fields.get(key):
            raise PromptFormatError(
                None, None, f"{where} holds {key!r}, which no part can hold; write it as content, or leave it out"
            )
    calls = _tool_calls(fields.get("tool_calls"), where)
    if content is None and not calls:
        raise PromptFormatError(None, None, f"{where} has no 'content'")
    parts, name, cache = read_parts(content, where, reasoning=reasoning), fields.get("name"), cache_mark(fields, where)
    if not isinstance(name, str | None):
        raise PromptFormatError(None, None, f"{where}: a name is a text, not {type(name).__name__}")
    if content and not isinstance(content, str) and not parts and not calls:
        raise PromptFormatError(None, None, f"{where} holds only what the model thought; leave the message out")
    try:
        if role == "tool":
            return Message("tool", (_tool_result(parts, fields, name),), cache=cache)
        return Message(role, (*parts, *calls), name=name, cache=cache)
    except PromptFormatError as error:
        raise PromptFormatError(None, None, f"{where}: {error.reason}") from None


def _tool_result(parts: tuple[Part, ...], fields: Mapping[str, Any], name: str | None) -> ToolResult:
    call_id = fields.get("tool_call_id")
    if not isinstance(call_id, str) or not call_id:
        raise PromptFormatError(None, None, "a tool message needs 'tool_call_id'")
    return ToolResult(call_id, parts, name=name, error=bool(fields.get("error")))


def _tool_calls(calls: object, where: str) -> tuple[ToolCall, ...]:
    if calls is None:
        return ()
    if not isinstance(calls, list | tuple):
        raise PromptFormatError(None, None, f"{where}: 'tool_calls' is {type(calls).__name__}, not a list")
    return tuple(read_call(call, f"{where}, tool call {number}") for number, call in enumerate(calls, 1))
