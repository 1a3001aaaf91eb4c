"""The texts of a prompt, each with its place and the syntax in which it is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, assert_never

from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, Text, ToolResult
from prompt_adapters.content.position import position
from prompt_adapters.prompt import History, Prompt, Turn
from prompt_adapters.turns import Entry

LITERAL = "none"


class PlacedText(NamedTuple):
    """A text of a prompt.

    Attributes:
        place: As ``message 2 (user), block 1``.
        text: The text.
        syntax: The syntax of its placeholders; ``none`` for a literal text.
        ends: Whether its message, or its side of an example, ends with it.
    """

    place: str
    text: str
    syntax: str
    ends: bool = True


def place_of(number: int, entry: Entry) -> str:
    """What an entry of a prompt is called; its number counts from 0."""
    return position(number, "history" if isinstance(entry, History) else entry.role)


def texts_of(prompt: Prompt) -> Iterator[PlacedText]:
    """Every text that a model may be sent, in order; those that stand for media are not among them."""
    for number, entry in enumerate(prompt.messages):
        yield from _of_entry(entry, place_of(number, entry), prompt.syntax)
    shots = prompt.few_shot
    if shots is not None and shots.selector is None:
        for number, example in enumerate(shots.examples, 1):
            yield from _of_parts(example.input, f"example {number}, input")
            yield from _of_parts(example.output, f"example {number}, output")


def _of_entry(entry: Entry, place: str, syntax: str) -> Iterator[PlacedText]:
    match entry:
        case History():
            pass
        case Message():
            yield from _of_parts(entry.parts, place)
        case Turn(content=str() as template):
            yield PlacedText(place, template, syntax)
        case Turn():
            for number, block in enumerate(entry.blocks, 1):
                where, ends = f"{place}, block {number}", number == len(entry.blocks)
                if block.template is not None:
                    yield PlacedText(where, block.template, syntax, ends)
                elif block.part is not None:
                    yield from _of_parts([block.part], where, ends=ends)
        case _:
            assert_never(entry)


def _of_parts(parts: Sequence[Part], place: str, *, ends: bool = True) -> Iterator[PlacedText]:
    for number, part in enumerate(parts, 1):
        last = ends and number == len(parts)
        if isinstance(part, Text):
            yield PlacedText(place, part.text, LITERAL, last)
        elif isinstance(part, ToolResult):
            yield from _of_parts(part.parts, place)
