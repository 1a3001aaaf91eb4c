"""LangChain's messages of a history: what they hold beside their content stays with them on the way to a chat model.

==============================================  ======================================================================
id, artifact, usage and response metadata,      stay as they were
``additional_kwargs``, fields of one's own
what a model thought (``thinking``,             stays in its answer where nothing is known of the target, or where the
``reasoning`` …)                                same package gave the answer; other providers do not take it back
media                                           in the form that the target's package takes
==============================================  ======================================================================

So a graph knows its messages again by their ids, and a model that thinks gets back what it demands between the calls of
its tools. A provider's own request, as `AdapterPromptValue.to_request` makes it, has no place for any of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Any, ClassVar

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from prompt_adapters.content.characters import half_pair
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import MediaPart, Part, Text
from prompt_adapters.content.plain_data import check_plain
from prompt_adapters.content.read import read_message
from prompt_adapters.content.read_blocks import thinking_word
from prompt_adapters.content.value import setters
from prompt_adapters.langchain.dialects import Dialect
from prompt_adapters.langchain.readable import readable

# What `Message` has itself, or what the conversion decides.
_CONVERTED = frozenset(
    {
        *("content", "type", "name", "role", "status", "tool_calls", "invalid_tool_calls", "tool_call_id"),
        *("tool_call_chunks", "chunk_position"),
    }
)
_CONTAINERS = frozenset({dict, list, str})
_PLAIN = frozenset({str, int, float, bool, bytes, type(None)})
_TEXT_ROLES: Mapping[type[BaseMessage], str] = {HumanMessage: "user", AIMessage: "assistant", SystemMessage: "system"}
_KINDS = {"system": "system", "developer": "system", "user": "human", "assistant": "ai", "tool": "tool"}


class Carried(Message):
    """A message that was one of LangChain's; equal to a message of the same content.

    Attributes:
        origin: The other fields that it had; they are copied when they are given on.
        content: Its content, of an answer whose content is a list; None for any other.
        read: The parts that were read from it.
    """

    __slots__ = ("content", "origin", "read")
    _carried: ClassVar = ("origin", "content", "read")
    origin: dict[str, Any]
    content: Any
    read: tuple[Part, ...]

    @classmethod
    def of(cls, message: Message, origin: BaseMessage) -> Message:
        """The message with what its origin holds beside it; the message alone where that is nothing."""
        fields = _fields(origin)
        if not fields and type(origin.content) is str:
            return message
        content = (
            _copied(origin.content) if isinstance(origin, AIMessage) and isinstance(origin.content, list) else None
        )
        if not fields and not content:
            return message
        carried = cls(message.role, message.parts, name=message.name, cache=message.cache)
        _set_origin(carried, fields)
        _set_content(carried, content)
        _set_read(carried, message.parts)
        return carried

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Message) and self._key() == other._key())

    def __hash__(self) -> int:
        return hash((Message.__name__, self._key()))


_set_origin, _set_content, _set_read = setters(Carried, "origin", "content", "read")


def _fields(origin: BaseMessage) -> dict[str, Any]:
    """What a message holds beside what `Message` has itself."""
    kept = {}
    for name, value in origin.__dict__.items():
        # A field that is as it was without being given; an artifact may be anything, so it is not asked what it is.
        if value is None or value is False or (type(value) in _CONTAINERS and not value):
            continue
        if name not in _CONVERTED:
            kept[name] = value
            if type(value) in (dict, list) and name != "artifact":
                check_plain(value, f"the data in {name!r} of a message")
    return kept | extra if (extra := origin.__pydantic_extra__) else kept


def _copied_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The same fields, of their own; an artifact of a tool may be anything, and is not copied."""
    return {name: value if name == "artifact" else _copied(value) for name, value in fields.items()}


def _copied(value: Any) -> Any:
    kind = type(value)
    if kind is dict:
        return {key: _copied(item) for key, item in value.items()}
    if kind is list:
        return [_copied(item) for item in value]
    return value if kind in _PLAIN else deepcopy(value)


def history(value: Any, name: str) -> Any:
    """A history's value, its LangChain messages read.

    Args:
        value: The value of the variable; anything but a list is left to the prompt.
        name: The variable's name, for errors.

    Raises:
        PromptFormatError: (a ``ValueError``) A message cannot be read.
    """
    messages = readable(value)
    if not isinstance(messages, list):  # one message, or what is none
        return messages
    return [
        Carried.of(_text_message(item) or _read(item, name, number), item) if isinstance(item, BaseMessage) else item
        for number, item in enumerate(messages, 1)
    ]


def _read(item: BaseMessage, name: str, number: int) -> Message:
    return read_message(item, f"history {name!r}, message {number}", reasoning="drop")


def _text_message(item: BaseMessage) -> Message | None:
    """A message of one of LangChain's own classes that is a text and calls nothing; None for any other.

    Most messages are such, and the reader, which looks for many forms, takes several times as long.
    """
    role = _TEXT_ROLES.get(type(item))
    if role is None:
        return None
    fields = item.__dict__
    text = fields["content"]
    if type(text) is not str or not text or fields["additional_kwargs"] or fields["name"] is not None:
        return None
    if fields.get("tool_calls") or fields.get("invalid_tool_calls") or (not text.isascii() and half_pair(text)):
        return None
    return Message(role, (Text(text),))


def restored(made: Iterable[BaseMessage], message: Message, dialect: Dialect) -> Iterator[BaseMessage]:
    """The messages that were made of another one, with what that one carries.

    Where several were made of it, as of text and tool results, the first of its own kind has its id.

    Args:
        made: The messages in the dialect.
        message: What they were made of.
        dialect: The dialect.
    """
    if not isinstance(message, Carried):
        yield from made
        return
    first = True
    for one in made:
        if one.type != _KINDS[message.role]:
            yield one
            continue
        yield _restored(one, message, dialect, keep_id=first)
        first = False


def _restored(made: BaseMessage, message: Carried, dialect: Dialect, *, keep_id: bool) -> BaseMessage:
    if not message.origin and message.content is None:
        return made
    update = _copied_fields(message.origin)
    if not keep_id:
        update.pop("id", None)
    if made.additional_kwargs:
        update["additional_kwargs"] = {**update.get("additional_kwargs", {}), **made.additional_kwargs}
    metadata: Mapping[str, Any] = update.get("response_metadata", {})
    if isinstance(made, AIMessage):
        content = _with_thoughts(made, message) if dialect.takes_back(metadata.get("model_provider")) else made.content
        if content is made.content and "output_version" in metadata:
            update["response_metadata"] = {k: v for k, v in metadata.items() if k != "output_version"}
        update["content"] = content
    if not update.keys() <= made.__dict__.keys():
        return made.model_copy(update=update)
    made.__dict__.update(update)  # it was made for this, and nobody else has it; a copy would take longer
    made.__pydantic_fields_set__.update(update)
    return made


def _with_thoughts(made: AIMessage, message: Carried) -> Any:
    """The answer's own content where it is still the same, and otherwise the thoughts before what was made of it."""
    if not message.content:
        return made.content
    if message.parts == message.read and not any(isinstance(part, MediaPart) for part in message.parts):
        return _copied(message.content)
    thoughts = [_copied(block) for block in message.content if thinking_word(block)]
    said = [{"type": "text", "text": made.content}] if isinstance(made.content, str) and made.content else made.content
    return [*thoughts, *(said or [])]
