r"""Handlebars as dotprompt files use it: text and tags, as a tree. It is read here, and never run.

====================================  ==================================================================================
written                               read
====================================  ==================================================================================
``{{x}}`` ``{{{x}}}`` ``{{&x}}``      a `Tag`; dotprompt escapes nothing, so they are the same
``{{name arg key=value}}``            a `Tag` with arguments
``{{#if x}}…{{else}}…{{/if}}``        a `Block`; ``{{else if y}}`` is a block in the other branch
``{{! … }}`` ``{{!-- … --}}``         a comment, left out
``\{{``                               the text ``{{``; of several backslashes before a tag one is taken away
``{{~ … ~}}``                         takes away the blanks beside the tag
a block tag or comment alone on       takes its line away with it
its line
====================================  ==================================================================================

Refused by name: partials, raw blocks, decorators, inverted sections and expressions in parentheses.
https://handlebarsjs.com/guide/
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import NamedTuple, NoReturn, TypeAlias

from prompt_adapters.errors import PromptFormatError

MAX_DEPTH = 50  # of blocks in blocks

_TAG = re.compile(r"(?<!\\)(\\*+)\{\{")
_LONG_COMMENT = re.compile(r"\{\{~?!--.*?--(?P<strip>~?)\}\}", re.DOTALL)
_ENDS = {"": re.compile(r"(?P<strip>~?)\}\}"), "{": re.compile(r"\}(?P<strip>~?)\}\}")}
_STRING = r""""(?:\\"|[^"])*+"|'(?:\\'|[^'])*+'"""
_PATH = r"""(?:[^\s"'()=|\[\]]|\[[^\]]*+\])++"""
_WORD = re.compile(rf"\s*+(?:(?P<key>[^\s\"'()=|\[\]]++)=)?(?P<value>{_STRING}|{_PATH})(?=\s|\Z)")
_PARAMS = re.compile(r"(?<!\s)\s++as\s++\|([^|]*+)\|\s*+\Z")
_SEGMENT = re.compile(r"\.\.(?=[/.]|\Z)|\.(?=[/]|\Z)|\[([^\]]*+)\]|[^./\[\]]++")
_ID = re.compile(r"[^\s!\"#%&'()*+,./;<=>@\[\\\]^`{|}~]++")
_LINE = re.compile(r"[ \t]*+\r?\n")  # the rest of one
_LAST_LINE = re.compile(r"[ \t]*+(?:\r?\n|\Z)")
_BREAK = re.compile(r"\r\n|\r|\n")


class Literal(NamedTuple):
    """A text, number or truth value in a tag."""

    value: str | int | float | bool


class Path(NamedTuple):
    """A way to a value.

    Attributes:
        up: How many contexts it climbs first.
        data: Whether it begins with ``@``.
        own: Whether it begins with ``this``.
        names: Names and indices.
        text: As it is written.
    """

    up: int
    data: bool
    own: bool
    names: tuple[str | int, ...]
    text: str


Argument: TypeAlias = Literal | Path


class Call(NamedTuple):
    """What a tag says.

    Attributes:
        name: The first word: a helper's name, or a value's path.
        args: The words after it.
        named: The words with a key.
        params: The names after ``as``.
    """

    name: Path
    args: tuple[Argument, ...] = ()
    named: Mapping[str, Argument] = {}
    params: tuple[str, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether it is one word."""
        return not self.args and not self.named and not self.params


class Text(NamedTuple):
    """Literal text."""

    text: str
    line: int


class Tag(NamedTuple):
    """A tag that gives something."""

    call: Call
    line: int


class Block(NamedTuple):
    """A block with its two branches."""

    call: Call
    body: tuple[Node, ...]
    other: tuple[Node, ...]
    line: int


Node: TypeAlias = Text | Tag | Block


class _Token(NamedTuple):
    """A text, or the inside of a tag."""

    text: str
    line: int
    is_tag: bool = False
    strip_before: bool = False
    strip_after: bool = False

    @property
    def takes_its_line(self) -> bool:
        """Whether the tag, alone on a line, takes the line with it."""
        return self.is_tag and (self.text[:1] in ("!", "#", "/", ">", "^") or _first(self.text) == "else")


def refused(reason: str, line: int | None) -> PromptFormatError:
    """The error for what cannot be read."""
    return PromptFormatError(None, line, reason)


def parse(source: str) -> tuple[Node, ...]:
    """The tree of a template.

    Raises:
        PromptFormatError: (a ``ValueError``) It is malformed, or holds what is not read here; the line in the template
            is named.
    """
    reader = _Reader(_without_lines(_stripped(_tokens(source))))
    nodes, end = reader.until(None, 0)
    if end is not None:
        raise refused(f"{{{{{end.text}}}}} closes no block", end.line)
    return nodes


def _first(text: str) -> str:
    return text.split(None, 1)[0] if text.strip() else ""


# Tokens


def _tokens(source: str) -> list[_Token]:
    breaks = [found.end() for found in _BREAK.finditer(source)]
    tokens: list[_Token] = []
    start = position = 0
    run: list[str] = []

    def end_run() -> None:
        if text := "".join(run):
            tokens.append(_Token(text, bisect_right(breaks, start) + 1))
        run.clear()

    while match := _TAG.search(source, position):
        run.append(source[position : match.start()])
        slashes = len(match[1])
        if slashes == 1:
            run.append("{{")
            position = match.end(1) + 2
            continue
        run.append(match[1][1:])
        end_run()
        token, position = _tag(source, match, bisect_right(breaks, match.end(1)) + 1)
        tokens.append(token)
        start = position
    run.append(source[position:])
    end_run()
    return tokens


def _tag(source: str, match: re.Match[str], line: int) -> tuple[_Token, int]:
    start = match.end(1)
    if source.startswith("{{{{", start):
        raise refused("a raw block {{{{…}}}} cannot be read; write \\{{ for literal braces", line)
    if comment := _LONG_COMMENT.match(source, start):
        strip_before = source.startswith("~", start + 2)
        return _Token("!", line, True, strip_before, bool(comment["strip"])), comment.end()
    if source.startswith(("{{!--", "{{~!--"), start):
        raise refused("a comment {{!-- is not closed by --}}", line)
    inside = start + 2
    strip_before = source.startswith("~", inside)
    inside += strip_before
    brace = "{" if source.startswith("{", inside) else ""
    inside += len(brace)
    end = _ENDS[brace].search(source, inside)
    if end is None:
        raise refused(f"a tag is not closed: {source[start : start + 40]!r}", line)
    text = source[inside : end.start()].strip()
    if brace and text[:1] in ("#", "/", "^", ">", "!", "&", "*"):
        raise refused(f"{source[start : end.end()]!r:.60} is no tag; write it with two braces", line)
    return _Token(text, line, True, strip_before, bool(end["strip"])), end.end()


def _stripped(tokens: Sequence[_Token]) -> list[_Token]:
    found = list(tokens)
    for number, token in enumerate(tokens):
        if token.strip_before and number and not found[number - 1].is_tag:
            found[number - 1] = found[number - 1]._replace(text=found[number - 1].text.rstrip())
        if token.strip_after and number + 1 < len(found) and not found[number + 1].is_tag:
            found[number + 1] = found[number + 1]._replace(text=found[number + 1].text.lstrip())
    return found


def _without_lines(tokens: list[_Token]) -> list[_Token]:
    """The tokens without the lines on which a block tag or comment stands alone."""
    starts: set[int] = set()  # texts that lose their first line's blanks and its end
    ends: set[int] = set()  # texts that lose their last line's blanks
    for number, token in enumerate(tokens):
        if not token.takes_its_line or not _begins_line(tokens, number):
            continue
        after = tokens[number + 1] if number + 1 < len(tokens) else None
        if after is not None and (after.is_tag or _end_of_line(tokens, number + 1) is None):
            continue
        ends.add(number - 1)
        starts.add(number + 1)
    found = list(tokens)
    for number in starts & set(range(len(tokens))):
        if (rest := _end_of_line(tokens, number)) is not None:
            found[number] = found[number]._replace(text=found[number].text[rest.end() :])
    for number in ends - {-1}:
        if not found[number].is_tag:
            text = found[number].text
            found[number] = found[number]._replace(text=text[: text.rfind("\n") + 1])
    return found


def _end_of_line(tokens: Sequence[_Token], number: int) -> re.Match[str] | None:
    """The blanks and the line break with which a text begins; at the end of the template the blanks alone."""
    return (_LAST_LINE if number == len(tokens) - 1 else _LINE).match(tokens[number].text)


def _begins_line(tokens: Sequence[_Token], number: int) -> bool:
    """Whether only blanks stand between the tag and the line break, or the beginning, before it."""
    if number == 0:
        return True
    before = tokens[number - 1]
    if before.is_tag:
        return False
    head, newline, last = before.text.rpartition("\n")
    if last.strip(" \t"):
        return False
    return bool(newline) or (number == 1 and not head)


# The tree


class _Reader:
    def __init__(self, tokens: Sequence[_Token]) -> None:
        self._tokens = tokens
        self._next = 0

    def until(self, opener: _Token | None, depth: int) -> tuple[tuple[Node, ...], _Token | None]:
        """The nodes up to the tag that closes a block or begins its other branch, and that tag."""
        if depth > MAX_DEPTH and opener is not None:
            raise refused(f"more than {MAX_DEPTH} blocks stand inside one another", opener.line)
        nodes: list[Node] = []
        while self._next < len(self._tokens):
            token = self._tokens[self._next]
            self._next += 1
            if not token.is_tag:
                nodes += [Text(token.text, token.line)] if token.text else []
            elif token.text[:1] == "/" or _first(token.text) == "else":
                return tuple(nodes), token
            elif token.text[:1] == "#":
                nodes.append(self._block(token, call_of(token.text[1:], token.line), depth))
            elif token.text[:1] != "!":
                nodes.append(Tag(call_of(token.text.removeprefix("&"), token.line), token.line))
        if opener is not None:
            raise refused(f"the block {{{{{opener.text}}}}} is not closed", opener.line)
        return tuple(nodes), None

    def _block(self, opener: _Token, call: Call, depth: int) -> Block:
        body, end = self.until(opener, depth + 1)
        other: tuple[Node, ...] = ()
        if end is not None and _first(end.text) == "else":
            rest = end.text.removeprefix("else").strip()
            if rest:
                inner = self._block_after_else(opener, end, rest, depth)
                return Block(call, body, (inner,), opener.line)
            other, end = self.until(opener, depth + 1)
        self._check_closed(opener, call, end)
        return Block(call, body, other, opener.line)

    def _block_after_else(self, opener: _Token, end: _Token, rest: str, depth: int) -> Block:
        """``{{else if y}}``: a block in the other branch, which the tag closes that closes the outer one."""
        call = call_of(rest, end.line)
        if call.name.text not in ("if", "unless"):
            raise refused(f"{{{{{end.text}}}}} cannot be read; write {{{{else if …}}}}", end.line)
        if depth > MAX_DEPTH:
            raise refused(f"more than {MAX_DEPTH} blocks stand inside one another", end.line)
        inner = self._block(opener, call, depth + 1)
        return inner._replace(line=end.line)

    def _check_closed(self, opener: _Token, call: Call, end: _Token | None) -> None:
        name = call_of(opener.text[1:], opener.line).name.text if opener.text[:1] == "#" else call.name.text
        if end is None or end.text[:1] != "/":
            shown = "the end" if end is None else f"{{{{{end.text}}}}}"
            raise refused(f"the block {{{{{opener.text}}}}} is not closed before {shown}", opener.line)
        if end.text[1:].strip() != name:
            raise refused(f"{{{{{end.text}}}}} does not close the block {{{{{opener.text}}}}}", end.line)


# What a tag says


def call_of(text: str, line: int) -> Call:
    """The words of a tag.

    Raises:
        PromptFormatError: It has none, or one that cannot be read.
    """
    _check_kind(text, line)
    params: tuple[str, ...] = ()
    if found := _PARAMS.search(text):
        params, text = tuple(found[1].split()), text[: found.start()]
    args: list[Argument] = []
    named: dict[str, Argument] = {}
    position = 0
    text = text.strip()
    while position < len(text):
        word = _WORD.match(text, position)
        if word is None:
            _unreadable(text, line)
        value = _argument(word["value"], line)
        if word["key"] is None:
            args.append(value)
        elif word["key"] in named:
            raise refused(f"{word['key']!r} stands twice in {{{{{text}}}}}", line)
        else:
            named[word["key"]] = value
        position = word.end()
    if not args or not isinstance(args[0], Path):
        raise refused(f"the tag {{{{{text[:60]}}}}} begins with no name", line)
    return Call(args[0], tuple(args[1:]), named, params)


def _check_kind(text: str, line: int) -> None:
    kinds = {">": "a partial", "^": "an inverted section", "*": "a decorator", "#": "a block"}
    if (kind := kinds.get(text[:1])) is not None:
        raise refused(f"{{{{{text[:60]}}}}}, {kind}, cannot be read", line)


def _unreadable(text: str, line: int) -> NoReturn:
    what = "an expression in parentheses" if "(" in text else "something that is no name, text or number"
    raise refused(f"{{{{{text[:60]}}}}} holds {what}, which cannot be read", line)


def _argument(word: str, line: int) -> Argument:
    if word[0] in "\"'":
        return Literal(word[1:-1].replace(f"\\{word[0]}", word[0]))
    if word in ("true", "false"):
        return Literal(word == "true")
    if re.fullmatch(r"-?[0-9]+(?:\.[0-9]+)?", word) and len(word) < 20:
        return Literal(float(word) if "." in word else int(word))
    return _path(word, line)


def is_name(word: str) -> bool:
    """Whether a word can stand in a path as it is."""
    return _ID.fullmatch(word) is not None and not word.isdecimal()


def _path(word: str, line: int) -> Path:
    data, rest = word.startswith("@"), word.removeprefix("@")
    up, own = 0, False
    names: list[str | int] = []
    position = 0
    while position < len(rest):
        segment = _SEGMENT.match(rest, position)
        if segment is None:
            raise refused(f"{word!r:.60} is no name", line)
        if segment[0] == ".." and not names and not own:
            up += 1
        elif segment[0] in (".", "this") and not names:
            own = True
        elif segment[1] is not None:
            names.append(int(segment[1]) if re.fullmatch(r"[0-9]{1,9}", segment[1]) else segment[1])
        elif is_name(segment[0]):
            names.append(segment[0])
        else:
            raise refused(f"{word!r:.60} is no name", line)
        position = segment.end()
        if rest[position : position + 1] in (".", "/"):
            position += 1
    if (not names and not up and not own) or (names and rest[-1] in "./"):
        raise refused(f"{word!r:.60} is no name", line)
    return Path(up, data, own, tuple(names), word)
