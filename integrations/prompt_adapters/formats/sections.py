r"""Few-shot examples in files: as a section of text after a template, and as ``few_shot.json``.

    TEMPLATE                    the section is recognised again only when it is read back without doubt: an example
                                that holds ``\nOutput: `` or ``\n\nExample 2:`` makes it plain text
    **Examples**
    Example 1:                  what others write is recognised too: a blank line after the head and a newline at
    Input: …                    the end, and either of the two forms with ``\r\n``
    Output: …

``few_shot.json`` is a list in Converse shape, ``[{"role": "user", "content": [{"text": …}]}, …]``; contents may also
be plain strings, the list may hold ``{"input": …, "output": …}`` instead, and stand under the key ``examples``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from prompt_adapters.errors import PromptFormatError
from prompt_adapters.few_shot import SECTION_HEAD, FewShot
from prompt_adapters.formats.json_text import parse_json
from prompt_adapters.formats.readable import part_text, parts_text

_Pairs = list[tuple[str, str]]


class _Style(NamedTuple):
    """How a section is laid out."""

    newline: str
    spaced: bool  # a blank line after the head, and a newline at the end

    @property
    def head(self) -> str:
        return SECTION_HEAD.replace("\n", self.newline) + (self.newline if self.spaced else "")

    def section(self, pairs: _Pairs) -> str:
        examples = (
            f"Example {number}:{self.newline}Input: {given}{self.newline}Output: {wanted}"
            for number, (given, wanted) in enumerate(pairs, 1)
        )
        return self.head + (2 * self.newline).join(examples) + (self.newline if self.spaced else "")


_STYLES = tuple(_Style(newline, spaced) for newline in ("\n", "\r\n") for spaced in (False, True))


def section_text(few_shot: FewShot) -> str:
    """The section, as a prompt renders it."""
    return parts_text(few_shot.section())


def with_section(template: str | None, section: str) -> str:
    """A template and the section after it; the section alone where there is no template."""
    return section if template is None else f"{template}\n\n{section}"


def split_section(text: str, *, alone: bool = False) -> tuple[str | None, _Pairs] | None:
    """The template and the examples of a text that ends in a section, or None when there is no section without doubt.

    Args:
        text: The text.
        alone: Whether the section may be the whole text; the template is None then.
    """
    if _heads(text) != 1:
        return None
    for style in _STYLES:
        gap = 2 * style.newline + style.head
        if alone and text.startswith(style.head):
            template, between, body = None, "", text.removeprefix(style.head)
        elif gap in text:
            template, between, body = text.partition(gap)
        else:
            continue
        pairs = _pairs(body, style)
        if pairs and (template or "") + between.removesuffix(style.head) + style.section(pairs) == text:
            return template, pairs
    return None


def _heads(text: str) -> int:
    return sum(line == SECTION_HEAD.strip() for line in text.splitlines())


def _pairs(body: str, style: _Style) -> _Pairs | None:
    """The examples of a section's body, or None when it could be read in more than one way, or in none."""
    newline = style.newline
    start = rf"(?:\A|{newline}{newline})Example [0-9]+:"
    chunks = re.split(rf"{start}{newline}Input: ", body.removesuffix(newline) if style.spaced else body)
    if len(chunks) - 1 != len(re.findall(start, body)):
        return None
    pairs = [chunk.split(f"{newline}Output: ") for chunk in chunks[1:]]
    return [(pair[0], pair[1]) for pair in pairs] if all(len(pair) == 2 for pair in pairs) else None


def looks_like_section(text: str) -> bool:
    """Whether the head of a section stands somewhere in a text."""
    return _heads(text) > 0


def converse_data(few_shot: FewShot) -> list[dict[str, Any]]:
    """Examples in Converse shape; what is no text stands there in its short form."""
    return [
        {"role": message.role, "content": [{"text": part_text(part)} for part in message.parts]}
        for message in few_shot.turns()
    ]


def read_few_shot(text: str, path: Path) -> FewShot:
    """The examples of a ``few_shot.json``.

    Raises:
        PromptFormatError: It is not JSON or not a list of examples; the example's number and the key are named.
    """
    data = parse_json(text, path)
    try:
        if isinstance(data, Mapping):
            return FewShot.from_data(data)
        return FewShot(data)
    except PromptFormatError as error:
        raise PromptFormatError(path, None, error.reason) from None
