"""The arguments of a call: what the prompt says, what the caller says, and what belongs to whom."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from prompt_adapters.content.message import Message
from prompt_adapters.content.plain_data import check_plain
from prompt_adapters.errors import PromptAdapterError

_Values = TypeVar("_Values")

# Two names of one parameter: when the caller gives one, the prompt's other must not be sent beside it.
_SAME = (frozenset({"max_tokens", "max_completion_tokens"}),)


def chosen_values(*given: _Values | None) -> _Values | None:
    """The values of the variables, or rows of them, under our words for them or LiteLLM's.

    Raises:
        TypeError: They are given under two of them.
    """
    chosen = [values for values in given if values is not None]
    if len(chosen) > 1:
        raise TypeError("variables and prompt_variables are the same thing; give the values once")
    return chosen[0] if chosen else None


def rows_of(*given: Iterable[_Values] | None) -> Iterator[_Values]:
    """One mapping for each call.

    Raises:
        TypeError: It is one mapping and no list of them, they are given twice, or not at all.
    """
    rows = chosen_values(*given)
    if rows is None or isinstance(rows, Mapping):
        raise TypeError("batch_completion takes one mapping of values for each call; write variables=[{...}, ...]")
    return iter(rows)


@contextmanager
def in_row(number: int) -> Iterator[None]:
    """Say in an error in which row of a batch it arose.

    Args:
        number: Its number, from 1.
    """
    try:
        yield
    except (PromptAdapterError, TypeError) as error:
        error.args = (f"row {number}: {error}",)
        raise


def read(prompt: Any) -> Any:
    """A prompt as it is, or loaded from a path; messages stay messages.

    Raises:
        PromptFormatError: There is no prompt at the path, or it is malformed.
    """
    if isinstance(prompt, str | os.PathLike):
        from prompt_adapters.formats import load_prompt

        return load_prompt(prompt)
    return (prompt,) if isinstance(prompt, Message) else prompt


async def aread(prompt: Any) -> Any:
    """`read` that does not block the event loop."""
    return await asyncio.to_thread(read, prompt) if isinstance(prompt, str | os.PathLike) else read(prompt)


def merged(
    request: Mapping[str, Any], arguments: Mapping[str, Any], made: Collection[str] = ("messages",)
) -> dict[str, Any]:
    """A request with the caller's arguments, which win over the prompt's own parameters.

    Args:
        request: What the adapter made of the prompt.
        arguments: Any arguments of the call, but those that hold the prompt.
        made: The arguments that hold the prompt.

    Returns:
        A new dict. The caller's lists and dicts are copied, since LiteLLM writes into some of them.

    Raises:
        TypeError: The arguments hold what the prompt makes.
        PromptFormatError: (a ``ValueError``) One is nested too deeply.
    """
    for name in made:
        if name in arguments:
            raise TypeError(f"the prompt makes the {name}; for earlier turns, give it a History")
    for name, value in arguments.items():
        check_plain(value, f"the data in the argument {name!r}")
    outdone = {other for name in arguments for same in _SAME if name in same for other in same}
    kept = {name: value for name, value in request.items() if name not in outdone}
    return kept | {name: own(value) for name, value in arguments.items()}


def own(value: Any) -> Any:
    """A copy of plain containers; anything else, as a client or a callback, is the caller's on purpose."""
    if type(value) is dict:
        return {key: own(item) for key, item in value.items()}
    if type(value) is list:
        return [own(item) for item in value]
    return value
