r"""Text and tags as a Handlebars template that reads back as just these.

============================================  ==========================================================================
what would be read as something else          what is written
============================================  ==========================================================================
two braces in a text                          ``\{{``; after a backslash ``{ {{~!}}{``, whose blank the tag takes away
a brace before a tag                          ``{ {{~x}}``
backslashes before a tag                      one more
a closing brace after a tag                   ``{{x}}{{!}}}``
a block tag alone on its line                 ``{{#if x}}{{!}}``, as it would take the line with it
============================================  ==========================================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

_EMPTY = "{{!}}"
_BRACES = re.compile(r"(?<!\\)(\\*+)(\{{2,}+)")
_TRAILING = re.compile(r"(?<!\\)\\++\Z")
_BLANK_START = re.compile(r"[ \t]*+(?:\r?\n|\Z)")  # Google's Python reader takes blanks before a tag for a line's end


class Written(NamedTuple):
    """A tag that is to be written.

    Attributes:
        inside: What stands between the braces.
        is_block: Whether it opens, parts or closes a block.
    """

    inside: str
    is_block: bool = False


Piece: TypeAlias = str | Written


def write(pieces: Iterable[Piece]) -> str:
    """The template."""
    joined = list(_joined(pieces))
    found: list[str] = []
    for number, piece in enumerate(joined):
        after = joined[number + 1] if number + 1 < len(joined) else None
        if isinstance(piece, str):
            before_tag = isinstance(after, Written)
            follows_tag = number > 0
            found.append((_EMPTY if follows_tag and piece.startswith("}") else "") + _text(piece, before_tag))
            continue
        before = joined[number - 1] if number else None
        strip = "~" if isinstance(before, str) and before.endswith("{") else ""
        guard = _EMPTY if piece.is_block and _alone(joined, number) else ""
        found.append(f"{{{{{strip}{piece.inside}}}}}{guard}")
    return "".join(found)


def _joined(pieces: Iterable[Piece]) -> Iterator[Piece]:
    run = ""
    for piece in pieces:
        if isinstance(piece, str):
            run += piece
            continue
        if run:
            yield run
        run = ""
        yield piece
    if run:
        yield run


def _text(text: str, before_tag: bool) -> str:
    written = _BRACES.sub(_braces, text)
    if not before_tag:
        return written
    if text.endswith("{"):
        return f"{written} "
    return _TRAILING.sub(lambda found: found[0] + "\\", written)


def _braces(found: re.Match[str]) -> str:
    slashes, braces = found[1], found[2]
    if slashes:
        return slashes + " {{~!}}".join(braces)
    return "\\{{" * (len(braces) // 2) + braces[: len(braces) % 2]


def _alone(pieces: Sequence[Piece], number: int) -> bool:
    """Whether a tag stands alone on its line."""
    before = pieces[number - 1] if number else "\n"
    after = pieces[number + 1] if number + 1 < len(pieces) else "\n"
    if isinstance(before, Written) or isinstance(after, Written):
        return False
    line = before.rpartition("\n")[2]
    begins = not line.strip(" \t") and ("\n" in before or number <= 1)
    return begins and _BLANK_START.match(after) is not None
