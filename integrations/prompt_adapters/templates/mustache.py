"""``mustache``: the logic-less templates that many languages share, as far as a prompt can have them.

====================================  ==================================================================================
tag                                   what it gives
====================================  ==================================================================================
``{{x}}`` ``{{{x}}}`` ``{{&x}}``      the value, as every slot does; nothing is escaped as HTML
``{{a.b.c}}``                         the item ``b`` of the value of ``a``, and so on; in lists ``0`` is the first item
``{{#x}}…{{/x}}``                     the text for each item of a list; once, for any other true value; inside, names
                                      are looked up in the item first, then outside, and ``{{.}}`` is the item
``{{^x}}…{{/x}}``                     the text where the value is absent, false, zero or empty
``{{! … }}``                          nothing
====================================  ==================================================================================

A section, its end or a comment alone on its line takes the line with it. What is asked for outside of sections must be
given; a section copes without its value, and an item that a dictionary lacks is empty. Only dictionaries and lists have
items. Partials, other delimiters, and ``{{.}}`` outside of sections are refused.
https://mustache.github.io/mustache.5.html
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeAlias, assert_never

from prompt_adapters.content.parts import Part
from prompt_adapters.content.value import rendering
from prompt_adapters.errors import PromptFormatError, TemplateError, TemplateLimitError
from prompt_adapters.templates.limits import Budget, current_limits, shared_budget, spending
from prompt_adapters.templates.pieces import merge, to_piece
from prompt_adapters.templates.records import Record
from prompt_adapters.templates.scan import line_of
from prompt_adapters.templates.template import Construct, Slot, Template, blamed, gather

_TAG = re.compile(
    r"\{\{(?:(!).*?\}\}|\{([^{}]*+)\}\}\}|([#^/&>=]?)([^{}]*+)\}\})|\{\{",
    re.DOTALL,
)
_REST_OF_LINE = re.compile(r"[ \t]*+(?:\r?\n|\Z)")
_NAME = re.compile(r"[^\s.]+(?:\.[^\s.]+)*")
_REMEDY = "write {{name}}, {{a.b}} or a section, or use template_format='jinja2'"

Path: TypeAlias = tuple[str, ...]


class Tag(NamedTuple):
    """A tag that gives a value.

    Attributes:
        path: The name and the keys after it; nothing for the item itself.
        line: Its 1-based line.
    """

    path: Path
    line: int


class Section(NamedTuple):
    """A part of the template that a value repeats, or leaves out.

    Attributes:
        path: As of a `Tag`.
        inverted: Whether it is there for what is absent or false.
        body: What stands in it.
        line: Its 1-based line.
    """

    path: Path
    inverted: bool
    body: tuple[Node, ...]
    line: int


Node: TypeAlias = "str | Tag | Section"


class _Output:
    """What a render has made, each step of it paid for: sections multiply each other.

    Attributes:
        pieces: The pieces.
    """

    def __init__(self, budget: Budget) -> None:
        self.pieces: list[Any] = []
        self._budget = budget

    def put(self, piece: Any) -> None:
        """Add a piece."""
        self._budget.take(1)
        if isinstance(piece, str):
            self._budget.make(len(piece))
        self.pieces.append(piece)

    def step(self, node: Tag | Section, scopes: Sequence[Any]) -> None:
        """Look a name up, or go round a section once more: the deeper, the more work."""
        self._budget.take(1 + ((len(node.path) + len(scopes)) >> 3))


class _Token(NamedTuple):
    """A literal text and the tag after it; ``sign`` is None at the end of the template."""

    literal: str
    sign: str | None
    name: str = ""
    line: int = 1


def compile_mustache(text: str) -> Template:
    """Compile a template in Mustache.

    Raises:
        TemplateError: A tag is none, or is not supported; a section is not closed.
        TemplateLimitError: Sections stand too deep inside one another, or there are too many tags.
    """
    limits = current_limits()
    tokens = tuple(islice(_tokens(text), limits.tokens // 3 + 2))
    limits.check("tokens", 3 * (len(tokens) - 1))
    comments = tuple(Construct("a comment {{! … }}", token.line) for token in tokens if token.sign == "!")
    return MustacheTemplate(text, _Reader(tokens).nodes(), comments, 3 * (len(tokens) - 1))


def unescaped(text: str) -> str:
    """The template with three braces round each value, for engines that escape values as HTML."""

    def written(tag: re.Match[str]) -> str:
        return f"{{{{{{{tag[4].strip()}}}}}}}" if tag[4] is not None and tag[3] in ("", "&") else tag[0]

    return _TAG.sub(written, text)


# Reading


def _tokens(text: str) -> Iterator[_Token]:
    start, line = 0, 1
    while tag := _TAG.search(text, start):
        name = tag[2] if tag[2] is not None else tag[4]
        sign = tag[1] or tag[3] or ""
        here = line + line_of(text[start : tag.start()], tag.start() - start) - 1
        if name is None and sign != "!":
            raise TemplateError(f"{text[tag.start() : tag.start() + 40]!r} is no mustache tag; {_REMEDY}", line=here)
        first, last = tag.span()
        if sign in ("#", "^", "/", "!") and (alone := _line_of_its_own(text, start, tag)) is not None:
            first, last = alone
        yield _Token(text[start:first], sign, "" if name is None else name.strip(), here)
        line = here + line_of(text[tag.start() : last], last - tag.start()) - 1
        start = last
    yield _Token(text[start:], None)


def _line_of_its_own(text: str, start: int, tag: re.Match[str]) -> tuple[int, int] | None:
    """Where the line of a tag begins and ends, when nothing else stands on it."""
    first = text.rfind("\n", start, tag.start()) + 1
    if not first:
        first = start
        if start and text[start - 1] != "\n":
            return None
    after = _REST_OF_LINE.match(text, tag.end())
    return None if after is None or text[first : tag.start()].strip(" \t") else (first, after.end())


class _Reader:
    def __init__(self, tokens: Sequence[_Token]) -> None:
        self._tokens = iter(tokens)
        self._nesting = current_limits().nesting

    def nodes(self, opener: _Token | None = None, items: int = 0, depth: int = 0) -> tuple[Node, ...]:
        """What stands in a section, or in the whole template.

        Args:
            opener: The tag that opens the section.
            items: In how many sections that have an item it stands, itself among them.
            depth: In how many sections at all.
        """
        if opener is not None and depth > self._nesting:
            raise current_limits().exceeded("nesting", depth, line=opener.line)
        nodes: list[Node] = []
        for token in self._tokens:
            if token.literal:
                nodes.append(token.literal)
            match token.sign:
                case None:
                    if opener is not None:
                        raise TemplateError(f"the section {opener.name!r} is not closed", line=opener.line)
                    break
                case "" | "&":
                    nodes.append(Tag(_path(token, items), token.line))
                case "#" | "^":
                    path, inverted = _path(token, items), token.sign == "^"
                    body = self.nodes(token, items + (not inverted), depth + 1)
                    nodes.append(Section(path, inverted, body, token.line))
                case "/":
                    if opener is None or opener.name != token.name:
                        expected = "" if opener is None else f", and {opener.name!r} is open"
                        raise TemplateError(f"{{{{/{token.name}}}}} closes no section{expected}", line=token.line)
                    break
                case "!":
                    pass
                case sign:
                    raise TemplateError(
                        f"the mustache tag '{{{{{sign}{token.name[:40]}}}}}' is not supported; {_REMEDY}",
                        line=token.line,
                    )
        return tuple(nodes)


def _path(token: _Token, items: int) -> Path:
    if token.name == "." and items:
        return ()
    path = tuple(token.name.split("."))
    # Outside of sections a name is a variable of the prompt.
    if not _NAME.fullmatch(token.name) or not (items or path[0].isidentifier()):
        raise TemplateError(
            f"the mustache tag '{{{{{token.sign}{token.name[:40]}}}}}' names nothing; {_REMEDY}", line=token.line
        )
    return path


# Rendering


class MustacheTemplate(Template):
    """A template in Mustache.

    Args:
        text: The source.
        nodes: What it is made of.
        comments: Its comments.
        tokens: How many names and signs it has.
    """

    __slots__ = ("_comments", "_nodes", "_tokens")
    _nodes: tuple[Node, ...]
    _comments: tuple[Construct, ...]
    _tokens: int

    def __init__(
        self, text: str, nodes: tuple[Node, ...], comments: tuple[Construct, ...] = (), tokens: int = 0
    ) -> None:
        found: dict[str, bool] = {}
        for name, required in _names(nodes):
            found[name] = found.get(name, False) or required
        slots = tuple(Slot(*item) for item in found.items())
        super().__init__(text, "mustache", slots, _nodes=nodes, _comments=comments, _tokens=tokens)

    @property
    def is_literal(self) -> bool:
        """Whether it has no slot."""
        return not self.variables

    @property
    def computes(self) -> bool:
        """See `Template.computes`."""
        return any(isinstance(node, Section) for node in self._nodes)

    @property
    def tokens(self) -> int:
        """See `Template.tokens`."""
        return self._tokens

    @property
    def logic(self) -> tuple[Construct, ...]:
        """See `Template.logic`."""
        found = [
            Construct(_shown(node), node.line)
            for node in self._nodes
            if isinstance(node, Section) or (isinstance(node, Tag) and len(node.path) > 1)
        ]
        return tuple(sorted((*found, *self._comments), key=lambda construct: construct.line))

    def render(self, values: Mapping[str, object], *, absent: Collection[str] = ()) -> tuple[Part, ...]:
        """See `Template.render`."""
        given = gather(self.variables, values, absent)
        spent = shared_budget() or Budget(current_limits())
        spent.allow(len(self.text) + sum(len(value) for value in given.values() if isinstance(value, str)))
        output = _Output(spent)
        with rendering(), spending(spent):
            _render(self._nodes, (given,), output)
        try:
            return merge(output.pieces)
        except PromptFormatError as error:
            raise blamed(error, given) from None


def _names(nodes: Sequence[Node], *, asked: bool = True) -> Iterator[tuple[str, bool]]:
    """The names that may be variables, and whether each must be given where it stands."""
    for node in nodes:
        match node:
            case Tag(path=path) if path and path[0].isidentifier():
                yield path[0], asked
            case Section(path=path, body=body):
                if path and path[0].isidentifier():
                    yield path[0], False
                yield from _names(body, asked=False)


def _shown(node: Tag | Section) -> str:
    name = ".".join(node.path) or "."
    sign = "" if isinstance(node, Tag) else "^" if node.inverted else "#"
    return f"{{{{{sign}{name}}}}}"


def _render(nodes: Sequence[Node], scopes: tuple[Any, ...], output: _Output) -> None:
    for node in nodes:
        match node:
            case str():
                output.put(node)
            case Tag():
                output.step(node, scopes)
                value = _looked_up(node, scopes)
                output.put("" if value is None else _printed(value, node))
            case Section():
                output.step(node, scopes)
                for inner in _scopes_inside(node, _looked_up(node, scopes), scopes):
                    output.step(node, inner)
                    _render(node.body, inner, output)
            case _:
                assert_never(node)


def _scopes_inside(node: Section, value: Any, scopes: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """The scopes of a section's text, once for each time that it is there."""
    if node.inverted:
        if not value:
            yield scopes
    elif isinstance(value, list | tuple | range):
        for item in value:
            yield (*scopes, item)
    elif value:
        yield (*scopes, value)


def _printed(value: Any, node: Tag) -> Any:
    try:
        return to_piece(value)
    except TemplateLimitError:
        raise
    except TemplateError as error:
        raise TemplateError(f"{_shown(node)}: {error}", line=node.line) from error.__cause__


def _looked_up(node: Tag | Section, scopes: tuple[Any, ...]) -> Any:
    """The value that a node is about; None where there is none."""
    if not node.path:
        return scopes[-1]
    first, *rest = node.path
    value = None
    for scope in reversed(scopes):
        if isinstance(scope, Mapping) and first in scope:
            value = scope[first]
            break
    for key in rest:
        if value is None:
            break
        value = _item(value, key, node)
    return value


def _item(value: Any, key: str, node: Tag | Section) -> Any:
    if isinstance(value, Mapping):
        return value.get(key)
    if isinstance(value, list | tuple):
        return value[int(key)] if key.isdecimal() and len(key) < 10 and int(key) < len(value) else None
    what = value.describe() if isinstance(value, Part) else f"a value of type {_kind(value).__name__}"
    raise TemplateError(
        f"{_shown(node)} looks for {key!r} in {what}, which has no items; give a dictionary", line=node.line
    )


def _kind(value: Any) -> type:
    return type(value.value if isinstance(value, Record) else value)
