"""What chooses examples for each rendering, told by what it can do, whoever wrote it.

``select_examples(values)`` is LangChain's word for it; ``format_messages(**values)`` is what its few-shot templates
have. Both may have an asynchronous twin. What is chosen is data, as all examples are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from prompt_adapters.content.message import Message
from prompt_adapters.content.read import read_messages


def is_selector(value: object) -> bool:
    """Whether a value chooses examples."""
    if isinstance(value, type):
        return False
    return any(callable(getattr(value, name, None)) for name in ("select_examples", "format_messages"))


def choose(selector: Any, values: dict[str, Any]) -> Iterable[Any]:
    """The examples for some values: dictionaries, pairs or messages."""
    if callable(getattr(selector, "select_examples", None)):
        found: Iterable[Any] = selector.select_examples(values)
        return found
    return _told(selector, selector.format_messages(**values))


async def achoose(selector: Any, values: dict[str, Any]) -> Iterable[Any]:
    """`choose`, for callers that await; one without an asynchronous twin is asked in a thread."""
    if callable(getattr(selector, "select_examples", None)):
        found = getattr(selector, "aselect_examples", None)
        if callable(found):
            examples: Iterable[Any] = await found(values)
            return examples
    elif callable(found := getattr(selector, "aformat_messages", None)):
        return _told(selector, await found(**values))
    import asyncio  # which takes as long to import as a third of this package, and only a selector needs it

    return await asyncio.to_thread(choose, selector, values)


def _told(selector: object, messages: object) -> tuple[Message, ...]:
    return read_messages(messages, f"what {type(selector).__name__} gave")


def trimmed(example: Any) -> Any:
    """An example as it was chosen, without what a store keeps beside it."""
    if isinstance(example, Mapping) and "input" in example and "output" in example:
        return {"input": example["input"], "output": example["output"]}
    return example
