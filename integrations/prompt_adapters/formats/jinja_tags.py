"""The tags of a Jinja template and where they stand, for formats that take a template apart.

A template is lexed but not compiled, so tags that only another library knows are found as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias, assert_never

from jinja2 import nodes
from jinja2.exceptions import TemplateSyntaxError
from jinja2.lexer import TOKEN_DATA, TOKEN_WHITESPACE

from prompt_adapters.errors import TemplateError
from prompt_adapters.templates.environment import ENVIRONMENT
from prompt_adapters.templates.limits import current_limits

Kind: TypeAlias = Literal["statement", "expression", "comment", "raw"]

_BREAK = re.compile(r"\r\n|\r|\n")
_KINDS: dict[str, Kind] = {
    "block_begin": "statement",
    "variable_begin": "expression",
    "comment_begin": "comment",
    "raw_begin": "raw",
}
_ENDS = frozenset({"block_end", "variable_end", "comment_end", "raw_end"})
# Statements that hold others, until their end; ``set`` does when it has no ``=``.
_OPENERS = frozenset({"for", "if", "macro", "call", "filter", "with", "block", "autoescape", "set"})
_TRIMMING = type(ENVIRONMENT.lexer)(ENVIRONMENT.overlay(trim_blocks=True, lstrip_blocks=True))
_SIGNS = "+-"
_END_OF_RAW = re.compile(r"(?<=[\r\n])([^\S\r\n]+)\{%(\s*endraw)")


class Tag(NamedTuple):
    """A tag of a template; a ``raw`` block is one tag from its begin to its end.

    Attributes:
        kind: What it is.
        name: What an error calls it: ``{% for %}``, ``{{ x }}``.
        start: Where it begins in the template.
        end: Where it ends.
        line: Its 1-based line.
        words: What stands in it, without blanks: names, operators, texts with their quotes.
        inside: The statements that it stands in, from the outermost, by their names.
        after: Those that what follows it stands in.
    """

    kind: Kind
    name: str
    start: int
    end: int
    line: int
    words: tuple[str, ...]
    inside: tuple[str, ...]
    after: tuple[str, ...]


def tags(text: str, *, openers: Sequence[str] = ()) -> list[Tag]:
    """The tags of a template, in order.

    Args:
        text: The template.
        openers: Names of further statements that hold others, until ``end`` and the name.

    Raises:
        TemplateError: (a ``ValueError``) It cannot be taken apart, as where a comment is not closed, or statements
            stand in one another too deep; the line is named.
    """
    if "{" not in text:
        return []
    original = _Positions(text)
    found: list[Tag] = []
    inside: list[str] = []
    for kind, start, end, line, words in _spans(original.text):
        if kind == "statement" and words and words[0].startswith("end") and inside:
            inside.pop()
        stands = tuple(inside)
        if kind == "statement" and _opens(words, openers):
            inside.append(_name(kind, words))
            current_limits().check("nesting", len(inside))
        place = original.at(start), original.at(end), line
        found.append(Tag(kind, _name(kind, words), *place, words, stands, tuple(inside)))
    return found


def _name(kind: Kind, words: tuple[str, ...]) -> str:
    match kind:
        case "statement":
            return f"{{% {words[0] if words else ''} %}}"
        case "expression":
            return f"{{{{ {' '.join(words)[:40]} }}}}"
        case "comment":
            return "a comment {# … #}"
        case "raw":
            return "{% raw %}"
    assert_never(kind)


def _opens(words: tuple[str, ...], openers: Sequence[str]) -> bool:
    if not words or (words[0] not in _OPENERS and words[0] not in openers):
        return False
    if words[0] != "set":
        return True
    depth = 0
    for word in words:  # an argument of a filter has a sign of its own
        depth += (word in "([{") - (word in ")]}")
        if word == "=" and depth == 0:
            return False
    return True


class _Positions:
    """Places in a text, counted in the same text with other line breaks."""

    def __init__(self, text: str) -> None:
        self.text = _BREAK.sub("\n", text) if "\r" in text else text
        self._later = [found.end() for found in re.finditer("\r\n", text)]
        self._passed = 0

    def at(self, position: int) -> int:
        """The place in the text itself; to be asked from left to right."""
        while self._passed < len(self._later) and self._later[self._passed] - self._passed - 1 <= position:
            self._passed += 1
        return position + self._passed


def _spans(text: str) -> Iterator[tuple[Kind, int, int, int, tuple[str, ...]]]:
    """Kind, start, end, line and words of each tag of a text with plain line breaks."""
    kind: Kind = "statement"
    position = start = line = 0
    words: list[str] = []
    try:
        for number, token, value in ENVIRONMENT.lexer.tokeniter(text, None):
            position = text.index(value, position)  # blanks that '-' takes away are no token
            if token in _KINDS:
                kind, start, line, words = _KINDS[token], position, number, []
            elif token in _ENDS:
                yield kind, start, position + len(value.rstrip()), line, tuple(words)
            elif token not in (TOKEN_DATA, TOKEN_WHITESPACE) and kind != "comment":
                words.append(value)
            position += len(value)
    except TemplateSyntaxError as error:
        raise TemplateError(str(error.message).rstrip("."), line=error.lineno) from None


def untrimmed(text: str) -> str:
    """A template for Jinja with ``trim_blocks`` and ``lstrip_blocks``, as one that gives the same without these.

    No sign for blanks (``{%-``, ``+%}``) is left in it either.

    Raises:
        TemplateError: (a ``ValueError``) It cannot be taken apart; the line is named.
    """
    made: list[str] = []
    try:
        for _, kind, value in _TRIMMING.tokeniter(text, None):
            if kind in _KINDS:
                value = "{% raw %}" if kind == "raw_begin" else value.rstrip(_SIGNS)
            elif kind in _ENDS:
                value = "{% endraw %}" if kind == "raw_end" else value.strip().lstrip(_SIGNS)
            made.append(value)
    except TemplateSyntaxError as error:
        raise TemplateError(str(error.message).rstrip("."), line=error.lineno) from None
    return "".join(made)


def for_trimming(text: str) -> str:
    """The opposite of `untrimmed`: signs that keep the blanks and line breaks round statements and comments."""
    made: list[str] = []
    last = 0
    for tag in tags(text):
        before, source = text[last : tag.start], text[tag.start : tag.end]
        if tag.kind == "raw":
            source = _END_OF_RAW.sub(r"\1{%+\2", source)
        if tag.kind != "expression":
            line = before[max(before.rfind("\n"), before.rfind("\r")) + 1 :]
            if line.isspace() and (len(line) < len(before) or last == 0) and source[2] not in _SIGNS:
                source = f"{source[:2]}+{source[2:]}"
            if text[tag.end : tag.end + 1] in ("\r", "\n") and source[-3] not in _SIGNS:
                source = f"{source[:-2]}+{source[-2:]}"
        made += [before, source]
        last = tag.end
    return "".join([*made, text[last:]])


def set_names(text: str) -> frozenset[str]:
    """The names that a template sets for what follows it: by ``set`` and ``macro``, also in one branch of an ``if``.

    Args:
        text: A template that compiles.
    """
    return _set_in(ENVIRONMENT.parse(text).body) if "{%" in text else frozenset()


def _set_in(body: Sequence[nodes.Node]) -> frozenset[str]:
    names: set[str] = set()
    for node in body:
        match node:
            case nodes.Assign() | nodes.AssignBlock():
                targets = [node.target, *node.target.find_all(nodes.Name)]
                names |= {target.name for target in targets if isinstance(target, nodes.Name)}
            case nodes.Macro():
                names.add(node.name)
            case nodes.If():
                names |= _set_in([*node.body, *node.elif_, *node.else_])
    return frozenset(names)
