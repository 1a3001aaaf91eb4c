"""Blanks at the ends of lines, characters that nobody sees, and messages with nothing in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, Text
from prompt_adapters.lint.rules import Fault
from prompt_adapters.lint.texts import PlacedText, place_of
from prompt_adapters.prompt import History, Prompt

# Blanks before a line break stand before nothing; those at the end of a text may stand before what another block adds.
_BLANKS = re.compile(r"(?<![ \t])[ \t]++(?=[\r\n])")
_BLANKS_OR_LAST = re.compile(rf"{_BLANKS.pattern}|(?<=[^ \t\r\n])[ \t]++\Z")
# Control characters, what turns the direction of writing, what has no width, and letters of tags. The joiners U+200C
# and U+200D belong to Persian, to Indian scripts and to emoji; tags behind a black flag make it that of a region.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0e-\x1f\x7f\u200b\u2028-\u202e\u2060-\u2069\ufeff]"
    "|(?<!\U0001f3f4)(?<![\U000e0020-\U000e007f])[\U000e0000-\U000e007f]+"
)


def trailing_blanks(_: Prompt, texts: Iterable[PlacedText]) -> Iterator[Fault]:
    """Lines that end in blanks, once for each text; models answer worse to a text that ends in one."""
    for text in texts:
        found = (_BLANKS_OR_LAST if text.ends else _BLANKS).finditer(text.text)
        first = next(found, None)
        if first is not None:
            count = 1 + sum(1 for _ in found)
            said = "a line ends" if count == 1 else f"{count} lines end"
            yield Fault("trailing-blanks", f"{said} in blanks in {text.place}", text, first.start())


def hidden_characters(_: Prompt, texts: Iterable[PlacedText]) -> Iterator[Fault]:
    """Characters that nobody sees, once for each text."""
    for text in texts:
        found = _HIDDEN.finditer(text.text)
        first = next(found, None)
        if first is not None:
            more = sum(1 for _ in found)
            also = f", and {more} more like it" if more else ""
            said = f"the character U+{ord(first[0][0]):04X}, which nobody sees, stands in {text.place}{also}"
            yield Fault("hidden-character", said, text, first.start())


def empty_messages(prompt: Prompt, _: Iterable[PlacedText]) -> Iterator[Fault]:
    """Messages and examples with nothing in them, which most providers refuse."""
    for number, entry in enumerate(prompt.messages):
        if isinstance(entry, History):
            continue
        if isinstance(entry, Message):
            empty = _says_nothing(entry.parts)
        else:
            empty = all(block.template is not None and not block.template.strip() for block in entry.blocks)
        if empty:
            yield Fault("empty-message", f"{place_of(number, entry)} has nothing in it, which providers refuse")
    shots = prompt.few_shot
    if shots is None or shots.selector is not None:
        return
    for number, example in enumerate(shots.examples, 1):
        sides = [side for side in ("input", "output") if _says_nothing(getattr(example, side))]
        if sides:
            yield Fault("empty-message", f"example {number} has no {' and no '.join(sides)}")


def _says_nothing(parts: Iterable[Part]) -> bool:
    return all(isinstance(part, Text) and not part.text.strip() for part in parts)
