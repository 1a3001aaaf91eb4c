"""Texts and tags written as Handlebars: what is read back is what was written."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prompt_adapters.formats.handlebars import Block, Node, Tag, Text, parse
from prompt_adapters.formats.handlebars_text import Piece, Written, write
from strategies import TRICKY

X = Written("x")
ROWS: dict[str, tuple[list[Piece], str]] = {
    "text and tags": (["a ", X, " b"], "a {{x}} b"),
    "two braces": (["a {{x}}"], "a \\{{x}}"),
    "three braces": (["{{{"], "\\{{{"),
    "after a backslash": (["\\{{"], "\\{ {{~!}}{"),
    "a brace before a tag": (["{", X], "{ {{~x}}"),
    "a brace after a tag": ([X, "}"], "{{x}}{{!}}}"),
    "backslashes before a tag": (["\\", X], "\\\\{{x}}"),
    "a block alone on its line": (
        ["a\n", Written("#if x", is_block=True), "\nb", Written("/if", is_block=True)], "a\n{{#if x}}{{!}}\nb{{/if}}"),
    "neighbours": (["a", "{", "{"], "a\\{{"),
}  # fmt: skip


@pytest.mark.parametrize(("pieces", "text"), ROWS.values(), ids=ROWS)
def test_what_is_written(pieces: list[Piece], text: str) -> None:
    assert write(pieces) == text


LITERALS = st.lists(st.sampled_from(["{", "}", "\\", "\n", "\r\n", " ", "a", *TRICKY]), min_size=1, max_size=4).map(
    "".join
)
LEAVES: st.SearchStrategy[list[Piece]] = st.lists(LITERALS | st.just(X), max_size=4)


def _block(parts: tuple[list[Piece], list[Piece], list[Piece], bool]) -> list[Piece]:
    before, body, other, has_other = parts
    middle: list[Piece] = [Written("else", is_block=True), *other] if has_other else []
    return [*before, Written("#if x", is_block=True), *body, *middle, Written("/if", is_block=True)]


PIECES = st.recursive(LEAVES, lambda inner: st.tuples(inner, inner, inner, st.booleans()).map(_block), max_leaves=6)


def flat(nodes: tuple[Node, ...]) -> list[Piece]:
    """The texts and tags that a tree holds, neighbouring texts as one."""
    found: list[Piece] = []
    for node in nodes:
        match node:
            case Text(text=text):
                found.append(text)
            case Tag():
                found.append(X)
            case Block():
                other: list[Piece] = [Written("else", is_block=True), *flat(node.other)] if node.other else []
                opened, closed = Written("#if x", is_block=True), Written("/if", is_block=True)
                found += [opened, *flat(node.body), *other, closed]
    return joined(found)


def joined(pieces: list[Piece]) -> list[Piece]:
    found: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, str) and found and isinstance(found[-1], str):
            found[-1] += piece
        elif piece != "":
            found.append(piece)
    return found


def without_empty_else(pieces: list[Piece]) -> list[Piece]:
    """The pieces without an ``else`` that nothing stands behind."""
    end = Written("/if", is_block=True)
    return [
        piece
        for piece, after in pairwise([*pieces, ""])
        if not (piece == Written("else", is_block=True) and after == end)
    ]


@settings(max_examples=200)
@given(pieces=PIECES)
def test_what_is_written_is_read_back(pieces: list[Piece]) -> None:
    assert flat(parse(write(pieces))) == without_empty_else(joined(pieces))
