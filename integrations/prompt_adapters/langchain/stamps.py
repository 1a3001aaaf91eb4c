"""LangChain's messages of one text, made as copies of one that its constructor made.

The constructors validate a text and a dozen defaults each time, which is most of what rendering a prompt with many
examples costs. A copy has containers of its own, so nothing that is done to it reaches another one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from pydantic import BaseModel

from prompt_adapters.adapters.spots import only_text
from prompt_adapters.content.message import Message

_CLASSES: Mapping[str, type[BaseMessage]] = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}
# The slots that every pydantic model has beside its fields.
_set_given, _set_extra, _set_private = (
    getattr(BaseModel, name).__set__
    for name in ("__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__")
)
_set_fields = vars(BaseModel)["__dict__"].__set__


def _stamp(cls: type[BaseMessage]) -> Callable[[str], BaseMessage]:
    """What makes messages of a class: `cls(text)`, and quicker."""
    model = cls("")
    fields, given, extra = dict(model.__dict__), model.__pydantic_fields_set__, model.__pydantic_extra__
    dicts = tuple(name for name, value in fields.items() if value == {})
    lists = tuple(name for name, value in fields.items() if value == [])
    held = [value for name, value in fields.items() if name not in (*dicts, *lists)]
    if any(isinstance(value, list | dict | set) for value in held) or extra or model.__pydantic_private__:
        return cls  # it holds more than empty lists and dictionaries, which a copy would share

    new = object.__new__

    def stamped(text: str) -> BaseMessage:
        message = new(cls)
        state = fields.copy()
        state["content"] = text
        for name in dicts:
            state[name] = {}
        for name in lists:
            state[name] = []
        _set_fields(message, state)
        _set_given(message, given.copy())
        _set_extra(message, None if extra is None else {})
        _set_private(message, None)
        return message

    return stamped


_STAMPS = {role: _stamp(cls) for role, cls in _CLASSES.items()}


def stamped(message: Message) -> BaseMessage | None:
    """The LangChain message of a message that is one text and nothing else; None for any other."""
    made = all_stamped((message,), blank=True)
    return None if made is None else made[0]


def all_stamped(messages: Sequence[Message], *, blank: bool = False) -> list[BaseMessage] | None:
    """The LangChain messages of messages that are one text each; None where any is more, or is blank.

    Args:
        messages: The messages.
        blank: Whether a text may be blank.
    """
    made = []
    for message in messages:
        stamp, text = _STAMPS.get(message.role), only_text(message)
        if stamp is None or text is None or (not blank and (not text or text.isspace())):
            return None
        made.append(stamp(text))
    return made
