"""Short forms: media named instead of shown, for text, logs and traces."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from inspect import Parameter, Signature
from itertools import islice
from typing import Any, assert_never

from langchain_core.messages import BaseMessage
from langchain_core.prompt_values import ChatPromptValue

from prompt_adapters.content.parts import Document, MediaPart
from prompt_adapters.content.source import Inline, Link, Uploaded

# Longer ones are shown by their length.
_MOST_CHARACTERS = 64
_MOST_ITEMS = 20_000
_DEEPEST = 50
# Where content blocks and requests keep base64 that is not part of a data URL.
_BASE64_KEYS = frozenset({"base64", "data", "file_data", "bytes", "input_audio"})
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]++={0,2}")
_DATA_URL = re.compile(r"data:[^,\s]{0,200};base64,")


def short(part: MediaPart) -> str:
    """A medium in a few words, as ``[document: report.pdf, application/pdf, 1200 bytes]``."""
    match part.source:
        case Inline() as source:
            where = f"{source.mime}, {len(source.data)} bytes"
        case Link() | Uploaded() as source:
            where = source.describe()
        case _:
            assert_never(part.source)
    name = f"{part.name}, " if isinstance(part, Document) and part.name else ""
    return f"[{part.kind}: {name}{where}]"


def shortened(value: Any) -> Any:
    """Plain data, messages or a prompt value with its media in short form; everything else is as it was.

    What is nested too deeply, or goes on without end, is cut: a trace shows a value, and does not judge it.

    Args:
        value: The value; it is not changed.
    """
    return _Shortening().of(value, None, 0)


class _Shortening:
    def __init__(self) -> None:
        self._left = _MOST_ITEMS

    def of(self, value: Any, key: str | None, depth: int) -> Any:
        self._left -= 1
        if self._left < 0 or depth > _DEEPEST:
            return "[…]"
        match value:
            case str() if issubclass(type(value), str):
                return _shortened_text(value, key)
            case bytes() | bytearray():
                return f"[{len(value)} bytes]"
            case {"type": "text-plain", "text": str() as text} if len(text) > _MOST_CHARACTERS:
                return {**value, "text": f"[{len(text)} characters]"}
            case Mapping() if issubclass(type(value), Mapping):
                items = islice(value.items(), self._left + 1)
                return {name: self.of(item, name if isinstance(name, str) else None, depth + 1) for name, item in items}
            case list():
                return [self.of(item, key, depth + 1) for item in islice(value, self._left + 1)]
            case tuple() if not hasattr(value, "_fields"):
                return tuple(self.of(item, key, depth + 1) for item in islice(value, self._left + 1))
            case BaseMessage() if isinstance(value.content, list):
                return value.model_copy(update={"content": self.of(value.content, None, depth + 1)})
            case ChatPromptValue():
                return value.model_copy(update={"messages": [self.of(m, None, depth + 1) for m in value.messages]})
        return value


def _shortened_text(text: str, key: str | None) -> str:
    if len(text) <= _MOST_CHARACTERS:
        return text
    if _DATA_URL.match(text):
        head, _, rest = text.partition(",")
        return f"{head},[{len(rest)} characters]"
    return f"[{len(text)} characters]" if key in _BASE64_KEYS and _BASE64.fullmatch(text) else text


# LangChain asks on every call which arguments a function takes; told like this, it need not find out.
_SIGNATURE = Signature([Parameter("shown", Parameter.POSITIONAL_ONLY)])


def called_with(func: Callable[[Any], Any], value: Any) -> Callable[[Any], Any]:
    """A function for LangChain to call with what traces show, which calls another one with the value itself."""

    def call(_: Any, /) -> Any:
        return func(value)

    call.__signature__ = _SIGNATURE  # type: ignore[attr-defined]  # which functions may have
    return call


def awaited_with(func: Callable[[Any], Awaitable[Any]], value: Any) -> Callable[[Any], Coroutine[Any, Any, Any]]:
    """`called_with`, for a function that is awaited."""

    async def call(_: Any, /) -> Any:
        return await func(value)

    call.__signature__ = _SIGNATURE  # type: ignore[attr-defined]  # likewise
    return call
