"""Halves of surrogate pairs in a prompt, which no file can hold, named by their place in the prompt."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from prompt_adapters.content.characters import half_pair
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.prompt import Prompt

_Path: TypeAlias = tuple[str | int, ...]


def refuse_half_pairs(prompt: Prompt, path: str | Path | None) -> None:
    """Refuse a prompt with half of a surrogate pair in a text.

    Args:
        prompt: The prompt, whose examples are fixed.
        path: The file that is to be written.

    Raises:
        PromptFormatError: There is one; its place, the character and its position are named.
    """
    data = prompt.to_json()
    for place, text in _texts(data, ()):
        if (reason := half_pair(text)) is not None:
            raise PromptFormatError(path, None, f"{_said(data, place)} {reason}")


def _texts(data: Any, place: _Path) -> Iterator[tuple[_Path, str]]:
    match data:
        case str():
            yield place, data
        case dict():
            for key, value in data.items():
                yield (*place, key), key
                yield from _texts(value, (*place, key))
        case list():
            for number, value in enumerate(data):
                yield from _texts(value, (*place, number))


def _said(data: dict[str, Any], place: _Path) -> str:
    match place:
        case ("messages", int(number), *rest):
            where = f"message {number + 1} ({data['messages'][number].get('role', 'history')})"
            inner = [step for step in rest if isinstance(step, int)]
            return f"{where}, block {inner[0] + 1}" if inner else where
        case ("few_shot", "examples", int(number), *_):
            return f"few-shot example {number + 1}"
        case ("variables", int(number), *_):
            return f"variable {data['variables'][number]['name']!r}"
        case (("parameters" | "metadata") as field, key, *_):
            return f"{'parameter' if field == 'parameters' else field} {key!r}"
    return f"the {place[0]}"
