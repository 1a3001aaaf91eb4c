"""The body of a dotprompt file as entries of a prompt.

====================================================  ==================================================================
in the body                                           in the prompt
====================================================  ==================================================================
text before any role                                  a user turn
``{{role "system"}}``, ``user``, ``model``            a turn of that role begins; ``model`` is ``assistant``
``{{history}}``                                       ``History("history", required=False)``; what follows without a
                                                      role of its own is the model's
``{{x}}`` ``{{{x}}}`` ``{{&x}}``                      ``{{ x }}``
``{{json x}}`` ``{{json x indent=2}}``                ``{{ x | tojson }}`` ``{{ x | tojson(2) }}``
``{{media url=x}}``                                   a block whose URL is ``{{ x }}``, of the kind that its value has
``{{media url=x contentType="image/png"}}``           such a block of this kind and type
``{{media url="https://…"}}``                         a fixed part
``{{#each xs}}{{media url=this}}{{/each}}``           a block for each element, where the schema says ``xs(array)``
``{{#if x}}…{{media url=x}}…{{/if}}``                 such a block, and the text round it as a condition; ``x`` may be
                                                      left out
``{{#if}}`` ``{{#unless}}`` ``{{#each}}``             Jinja; see `dotprompt_expressions`
``{{#ifEquals a b}}`` ``{{#unlessEquals a b}}``       ``{% if a == b %}``, ``{% if a != b %}``
blanks alone between two tags of these kinds          nothing
====================================================  ==================================================================

Refused by name and line: sections, the role ``tool``, roles and histories inside blocks, other helpers, ``{{#with}}``.
Where Handlebars prints nothing for a missing value, a prompt says which is missing. Lists, objects and truth values are
printed as this package prints them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from prompt_adapters.content.parts import Part
from prompt_adapters.content.read import read_part
from prompt_adapters.errors import MediaError, PromptFormatError
from prompt_adapters.formats.dotprompt_expressions import Expression, Loop, Scope, loop_name
from prompt_adapters.formats.handlebars import Argument, Block, Call, Literal, Node, Path, Tag, Text, parse, refused
from prompt_adapters.formats.picoschema import Schema, inner, kind_of
from prompt_adapters.patterns import Pattern
from prompt_adapters.prompt import Block as TurnBlock
from prompt_adapters.templates.formats import escaped
from prompt_adapters.turns import Entry, History, Turn

HISTORY = "history"
ROLES: Mapping[str, str] = {"system": "system", "user": "user", "model": "assistant"}
HELPERS = frozenset({"history", "ifEquals", "json", "media", "role", "section", "unlessEquals", "lookup", "log"})
_BLOCKS = ("if", "unless", "each", "ifEquals", "unlessEquals")
_FAMILIES = frozenset({"image", "audio", "video"})
# What Google's library writes into the rendered text in place of these tags, and finds there again.
MARKER = "<<<dotprompt:"
_WORDS = re.compile(r"(?<![@\w])[A-Za-z_]\w*")


class RoleMark(NamedTuple):
    """Where a role begins."""

    role: str


class PastMark(NamedTuple):
    """Where earlier messages stand."""


class Medium(NamedTuple):
    """A fixed part, or a block whose URL is a variable's.

    Attributes:
        content: The part or the block.
        optional: The variable, where it may be left out.
    """

    content: Part | Pattern
    optional: str | None = None


Piece: TypeAlias = str | RoleMark | PastMark | Medium


class Said(NamedTuple):
    """What stands under one role: texts and media."""

    role: str
    content: list[str | Medium]


class Body(NamedTuple):
    """What a body says.

    Attributes:
        entries: The entries of the prompt.
        optional: Variables that may be left out, as the template tests for them before it shows their media.
    """

    entries: tuple[Entry, ...]
    optional: frozenset[str]


def read_body(source: str, schema: Schema | None) -> Body:
    """The entries that a body means.

    Args:
        source: The template.
        schema: The JSON Schema of its variables.

    Raises:
        PromptFormatError: (a ``ValueError``) It is malformed, or holds something that a prompt has no word for; the
            line in the body is named.
    """
    if (place := source.find(MARKER)) >= 0:
        line = source.count("\n", 0, place) + 1
        raise refused(f"{MARKER!r} is what Google's library marks roles and media with; write {{{{role …}}}}", line)
    reader = _Reader(frozenset(_WORDS.findall(source)))
    pieces = list(reader.top(parse(source), Scope(schema)))
    optional = frozenset(piece.optional for piece in pieces if isinstance(piece, Medium) and piece.optional)
    return Body(tuple(map(_entry, grouped(pieces))), optional)


def grouped(pieces: Iterable[Piece]) -> Iterator[Said | PastMark]:
    """What is said under each role: a role's tag begins a turn, but for one in which nothing stands yet."""
    said = Said("user", [])
    for piece in pieces:
        match piece:
            case RoleMark(role=role):
                if said.content:
                    yield said
                said = Said(role, [])
            case PastMark():
                if said.content:
                    yield said
                yield piece
                said = Said("assistant", [])
            case str() if not piece.strip():
                pass
            case str() | Medium():
                said.content.append(piece)
    if said.content:
        yield said


def _entry(said: Said | PastMark) -> Entry:
    if isinstance(said, PastMark):
        return History(HISTORY, required=False)
    match said.content:
        case [str() as text]:
            return Turn(said.role, text)
    blocks = [
        TurnBlock("text", template=piece) if isinstance(piece, str) else TurnBlock.read(piece.content, "")
        for piece in said.content
    ]
    return Turn(said.role, blocks, spaced=False)


class _Reader:
    """Reads nodes.

    Args:
        words: Every word of the template, none of which the loops that are made here may be called by.
    """

    def __init__(self, words: frozenset[str]) -> None:
        self._words = words

    # At the top, where roles, histories and media stand

    def top(self, nodes: Iterable[Node], scope: Scope) -> Iterator[Piece]:
        run: list[Node] = []
        for node in nodes:
            found = list(self._standing(node, scope))
            if not found:
                run.append(node)
                continue
            yield self.text(run, scope)
            run = []
            yield from found
        yield self.text(run, scope)

    def _standing(self, node: Node, scope: Scope) -> Iterator[Piece]:
        match node:
            case Tag(call=Call(name=Path(text="role")) as call, line=line):
                yield RoleMark(_role(call, line))
            case Tag(call=Call(name=Path(text="history")) as call, line=line):
                if not call.is_plain:
                    raise refused("{{history}} takes no arguments", line)
                yield PastMark()
            case Tag(call=Call(name=Path(text="media")) as call, line=line):
                yield Medium(_medium(call, scope, line))
            case Block() if any(_is_media(inside) for inside in node.body):
                yield from self._media_block(node, scope)
            case _:
                pass

    def _media_block(self, node: Block, scope: Scope) -> Iterator[Piece]:
        """Media that depend on their own variable alone."""
        name, args = node.call.name.text, node.call.args
        subject = args[0] if len(args) == 1 and isinstance(args[0], Path) and not node.call.named else None
        if subject is None or node.other or name not in ("if", "each"):
            raise refused("media inside a block other than {{#if}} or {{#each}} of their own variable", node.line)
        found = scope.resolve(subject, node.line)
        if name == "each":
            yield self._media_of_each(node, found, scope)
            return
        if not found.is_root:
            raise refused(f"media under a condition on {subject.text!r}, which is not a variable by itself", node.line)
        for piece in self.top(node.body, scope):
            match piece:
                case Medium(content=Pattern() as pattern) if _url(pattern) == _slot(found.text):
                    yield Medium(pattern, found.text)
                case str():
                    yield f"{{% if {found.test} %}}{piece}{{% endif %}}" if piece else ""
                case _:
                    raise refused("media, roles and histories stand in a block only for its own variable", node.line)

    def _media_of_each(self, node: Block, found: Expression, scope: Scope) -> Medium:
        if kind_of(found.schema) != "array" or not found.is_root:
            what = f"whether {found.text!r} is a list only values tell; declare {found.text}(array) in input.schema"
            raise refused(f"media in a loop: {what}", node.line)
        inside = scope.inside(Loop(Expression(found.text, inner(found.schema)), "array", None, node.call.params))
        match node.body:
            case (Tag(call=call, line=line),) if call.args == ():
                medium = _medium(call, inside, line)
                if isinstance(medium, Pattern) and _url(medium) == _slot(found.text):
                    return Medium(medium)
        raise refused("in a loop over media, {{media url=this}} stands alone", node.line)

    # Text

    def text(self, nodes: Iterable[Node], scope: Scope) -> str:
        """Nodes as a Jinja template."""
        found: list[str] = []
        literal: list[str] = []

        def end_literal() -> None:
            found.append(escaped("".join(literal), "jinja"))
            literal.clear()

        for node in nodes:
            match node:
                case Text(text=text):
                    literal.append(text)
                    continue
                case Tag():
                    made = self._tag(node, scope)
                case Block():
                    made = self._block(node, scope)
            end_literal()
            found.append(made)
        end_literal()
        return "".join(found)

    def _tag(self, node: Tag, scope: Scope) -> str:
        call, line = node.call, node.line
        name = call.name.text
        if name in HELPERS or not call.is_plain:
            if name == "json":
                return _json(call, scope, line)
            if name in ("role", "history", "media"):
                raise refused(f"{{{{{name}}}}} inside a block, which values would switch on and off", line)
            raise refused(f"the helper {name!r:.60} has no place in a prompt", line)
        return _slot(scope.resolve(call.name, line).text)

    def _block(self, node: Block, scope: Scope) -> str:
        call, line = node.call, node.line
        if call.name.text not in _BLOCKS:
            raise refused(f"the block {{{{#{call.name.text[:60]}}}}} has no place in a prompt", line)
        if call.name.text == "each":
            return self._each(node, scope)
        if call.named or call.params:
            raise refused(f"{{{{#{call.name.text}}}}} takes no named arguments here", line)
        return self._if(node, _test(call, scope, line), scope)

    def _if(self, node: Block, test: str, scope: Scope) -> str:
        text = f"{{% if {test} %}}{self.text(node.body, scope)}"
        other = node.other
        while len(other) == 1 and isinstance(other[0], Block) and other[0].call.name.text in ("if", "unless"):
            inside = other[0]
            if inside.call.named or inside.call.params:
                break
            text += f"{{% elif {_test(inside.call, scope, inside.line)} %}}{self.text(inside.body, scope)}"
            other = inside.other
        if other:
            text += f"{{% else %}}{self.text(other, scope)}"
        return f"{text}{{% endif %}}"

    def _each(self, node: Block, scope: Scope) -> str:
        call, line = node.call, node.line
        if len(call.args) != 1 or not isinstance(call.args[0], Path) or call.named or len(call.params) > 2:
            raise refused("{{#each}} takes the name of one value", line)
        subject = scope.resolve(call.args[0], line)
        kind = kind_of(subject.schema)
        if kind == "scalar":
            raise refused(f"{{{{#each}}}} of {subject.text!r}, which the schema says is no list", line)
        used = self._words | {loop.item.text for loop in scope.loops}
        taken = {loop.item.text for loop in scope.loops} | {str(loop.key) for loop in scope.loops}
        taken |= {"loop"}
        wanted = call.params[0] if call.params else None
        item = loop_name(frozenset(used | taken) if wanted is None else frozenset(taken), "item", wanted, line)
        key, items = None, subject.items
        if kind == "object" and (_says(node.body, "@key") or len(call.params) == 2):
            wanted = call.params[1] if len(call.params) == 2 else None
            key = loop_name(frozenset({*(used if wanted is None else ()), *taken, item}), "key", wanted, line)
            items = f"{subject.text}.items()"
        about = inner(subject.schema) if kind == "array" else None
        loop = Loop(Expression(item, about), kind, key, call.params)
        head = f"{{% for {item if key is None else f'{key}, {item}'} in {items} %}}"
        other = f"{{% else %}}{self.text(node.other, scope)}" if node.other else ""
        return f"{head}{self.text(node.body, scope.inside(loop))}{other}{{% endfor %}}"


def _says(nodes: Iterable[Node], word: str) -> bool:
    """Whether a path stands anywhere in nodes."""
    for node in nodes:
        if isinstance(node, Text):
            continue
        paths = [node.call.name, *node.call.args, *node.call.named.values()]
        if any(isinstance(path, Path) and path.text == word for path in paths):
            return True
        if isinstance(node, Block) and (_says(node.body, word) or _says(node.other, word)):
            return True
    return False


def _is_media(node: Node) -> bool:
    if isinstance(node, Block):
        return any(map(_is_media, (*node.body, *node.other)))
    return isinstance(node, Tag) and node.call.name.text == "media"


def _slot(expression: str) -> str:
    return f"{{{{ {expression} }}}}"


def _role(call: Call, line: int) -> str:
    match call:
        case Call(args=(Literal(value=str() as role),), named=named, params=()) if not named and role in ROLES:
            return ROLES[role]
        case Call(args=(Literal(value=role),)):
            known = ", ".join(ROLES)
            raise refused(f"{role!r:.60} is no role of a turn; the roles are {known}", line)
    raise refused("{{role}} takes a text, as a value may not choose a role", line)


def _test(call: Call, scope: Scope, line: int) -> str:
    name, args = call.name.text, call.args
    if name in ("ifEquals", "unlessEquals"):
        if len(args) != 2:
            raise refused(f"{{{{#{name}}}}} compares two values", line)
        first, second = (scope.operand(argument, line) for argument in args)
        return f"{first} {'==' if name == 'ifEquals' else '!='} {second}"
    if len(args) != 1 or not isinstance(args[0], Path):
        raise refused(f"{{{{#{name}}}}} takes the name of one value", line)
    test = scope.resolve(args[0], line).test
    if name == "if":
        return test
    return f"not ({test})" if " " in test else f"not {test}"


def _json(call: Call, scope: Scope, line: int) -> str:
    match call:
        case Call(args=(Path() as path,), named=named, params=()) if named.keys() <= {"indent"}:
            match named.get("indent", Literal(0)):
                case Literal(value=int() as indent) if 0 <= indent <= 100:
                    more = f"({indent})" if indent else ""
                    return _slot(f"{scope.resolve(path, line).text} | tojson{more}")
    raise refused("{{json}} takes the name of one value, and an indent", line)


# Media


def _medium(call: Call, scope: Scope, line: int) -> Part | Pattern:
    named = call.named
    if call.args or call.params or not named.keys() <= {"url", "contentType"} or "url" not in named:
        raise refused("{{media}} takes url=…, and contentType=…", line)
    url, mime = named["url"], named.get("contentType")
    literal = mime.value if isinstance(mime, Literal) else None
    try:
        if isinstance(url, Literal) and not isinstance(mime, Path):
            return read_part(media_block(url.value, literal), "{{media}}")
        block = media_block(_template(url, scope, line), literal)
        return Pattern(block if mime is None else {**block, "mime_type": _template(mime, scope, line)})
    except MediaError as error:
        raise refused(str(error), line) from error
    except PromptFormatError as error:
        raise refused(error.reason, error.line or line) from error


def media_block(url: object, mime: object) -> dict[str, Any]:
    """A block of the kind that a media type tells; without one, a file of any kind."""
    family = str(mime).partition("/")[0]
    block = {"type": family if family in _FAMILIES else "file", "url": url}
    return block if mime is None else {**block, "mime_type": mime}


def _template(argument: Argument, scope: Scope, line: int) -> str:
    match argument:
        case Literal(value=value):
            return escaped(str(value), "jinja")
        case Path():
            return _slot(scope.resolve(argument, line).text)


def _url(pattern: Pattern) -> str:
    return str(pattern.data["url"])
