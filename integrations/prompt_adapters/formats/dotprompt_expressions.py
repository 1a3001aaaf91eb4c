"""What Handlebars paths, conditions and loops are in Jinja, where a schema and the blocks around them tell.

============================================  ==========================================================================
Handlebars                                    Jinja
============================================  ==========================================================================
``x`` ``this.x`` ``@root.x``                  ``x``
``a.b`` ``a.[0]``                             ``a.b`` ``a[0]``
in ``{{#each xs}}``: ``this`` ``b`` ``../x``  ``item`` ``item.b`` ``x``
``@index`` ``@first`` ``@last`` ``@key``      ``loop.index0`` ``loop.first`` ``loop.last`` ``key``
``{{#if x}}``                                 ``x is defined and (x or x is mapping)``, as an empty object is true in
                                              Handlebars; ``x`` where the schema says that it is no object
``{{#each xs}}``                              ``for item in (xs.values() if xs is mapping else xs)``; ``xs`` or
                                              ``xs.values()`` where the schema tells which
============================================  ==========================================================================
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from prompt_adapters.errors import TemplateError
from prompt_adapters.formats.handlebars import Argument, Literal, Path, refused
from prompt_adapters.formats.picoschema import Schema, inner, kind_of
from prompt_adapters.templates import compile_template

_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# A name that an object or a list has itself comes before a key, unless it is written as an item.
_OWN = frozenset((*dir(dict), *dir(list)))
_QUOTED = re.compile(r"[^\\'\"\x00-\x1f\x7f-\x9f\ud800-\udfff]*")


class Expression(NamedTuple):
    """A way to a value, in Jinja.

    Attributes:
        text: The expression.
        schema: What is known of the value.
        prefixes: What must be defined for the value to be looked for, itself included; nothing where it always is.
        is_root: Whether it is a variable of the prompt.
    """

    text: str
    schema: Schema | None = None
    prefixes: tuple[str, ...] = ()
    is_root: bool = False

    def field(self, name: str | int, line: int) -> Expression:
        """A field of an object, or an item of a list.

        Raises:
            PromptFormatError: The name cannot be written.
        """
        if isinstance(name, int):
            text, schema = f"{self.text}[{name}]", inner(self.schema)
        else:
            schema = inner(self.schema, name)
            text = f"{self.text}.{name}" if is_attribute(name) else f"{self.text}[{quoted(name, line)}]"
        return Expression(text, schema, (*self.prefixes, text))

    @property
    def test(self) -> str:
        """Whether Handlebars takes the value for true."""
        if kind_of(self.schema) in ("scalar", "array"):
            last, known = self.text, self.prefixes[:-1] if self.is_root else self.prefixes
        else:
            last, known = f"({self.text} or {self.text} is mapping)", self.prefixes
        return " and ".join([*(f"{prefix} is defined" for prefix in known), last])

    @property
    def items(self) -> str:
        """What a loop goes through."""
        match kind_of(self.schema):
            case "array":
                return self.text
            case "object":
                return f"{self.text}.values()"
            case _:
                return f"({self.text}.values() if {self.text} is mapping else {self.text})"


def variable(name: str, schema: Schema | None, line: int | None) -> Expression:
    """A variable of the prompt.

    Raises:
        PromptFormatError: Jinja has no variable of this name.
    """
    if not is_variable(name):
        raise refused(f"{name!r:.60} cannot be the name of a variable here; rename it", line)
    return Expression(name, inner(schema, name), (name,), is_root=True)


def is_attribute(name: str) -> bool:
    """Whether a key can be written after a dot."""
    return _PLAIN_NAME.fullmatch(name) is not None and name not in _OWN and not name.startswith("_")


@lru_cache(1024)
def is_variable(name: str) -> bool:
    """Whether Jinja takes a name for a variable."""
    if not name.isidentifier():
        return False
    try:
        return [slot.name for slot in compile_template(f"{{{{ {name} }}}}").variables] == [name]
    except TemplateError:
        return False


def quoted(text: str, line: int) -> str:
    """A text as Jinja writes it in an expression.

    Raises:
        PromptFormatError: It has quotes, backslashes or control characters.
    """
    if not _QUOTED.fullmatch(text):
        raise refused(f"the text {text!r:.60} has a quote, a backslash or a control character; leave that out", line)
    return f'"{text}"'


class Loop(NamedTuple):
    """A loop round a place.

    Attributes:
        item: The current item.
        kind: ``array`` or ``object``; None where only the values tell.
        key: The name of the current key, in a loop that has one.
        named: Names that the block gives to the item, and to the index or key.
    """

    item: Expression
    kind: str | None
    key: str | None
    named: tuple[str, ...] = ()


class Scope(NamedTuple):
    """What is known at a place of a template.

    Attributes:
        schema: That of the variables.
        loops: The loops round the place, the innermost last.
    """

    schema: Schema | None
    loops: tuple[Loop, ...] = ()

    def resolve(self, path: Path, line: int) -> Expression:
        """What a path leads to.

        Raises:
            PromptFormatError: It leads nowhere, or to what a prompt has no word for.
        """
        if path.data:
            return self._data(path, line)
        if path.up > len(self.loops):
            raise refused(f"{path.text!r:.60} climbs out of the template", line)
        loops = self.loops[: len(self.loops) - path.up]
        names = path.names
        if names and not path.up and not path.own and (found := self._named(names[0], line)) is not None:
            return _down(found, names[1:], line)
        if loops:
            return _down(loops[-1].item, names, line)
        return self._root(names, path, line)

    def _root(self, names: tuple[str | int, ...], path: Path, line: int) -> Expression:
        if not names or not isinstance(names[0], str):
            raise refused(f"{path.text!r:.60} means all the variables at once; name one", line)
        if any(names[0] in (loop.item.text, loop.key) for loop in self.loops):
            raise refused(f"{names[0]!r:.60} is a variable and the name of a loop's item; rename one", line)
        return _down(variable(names[0], self.schema, line), names[1:], line)

    def _named(self, name: str | int, line: int) -> Expression | None:
        """What a block of a loop calls by a name."""
        for depth, loop in enumerate(reversed(self.loops)):
            if name in loop.named[:1]:
                return loop.item
            if name in loop.named[1:]:
                return self._position("index" if loop.kind == "array" else "key", depth, line)
        return None

    def _data(self, path: Path, line: int) -> Expression:
        match path.names:
            case ("root", *names) if names:
                return self._root(tuple(names), path, line)
            case ("index" | "first" | "last" | "key" as word,) if not path.up:
                return self._position(word, 0, line)
        raise refused(f"the data variable {path.text!r:.60} has no place in a prompt; make it a variable", line)

    def _position(self, word: str, depth: int, line: int) -> Expression:
        if not self.loops or depth:
            raise refused(f"'@{word}' stands outside its loop", line)
        loop = self.loops[-1]
        if word != "key":
            name = {"index": "index0"}.get(word, word)
            return Expression(f"loop.{name}", {"type": "integer" if word == "index" else "boolean"})
        if loop.kind == "array":
            return Expression("loop.index0", {"type": "integer"})
        if loop.key is None:
            raise refused(
                "whether '@key' is a name or a number only values tell; declare the type in input.schema", line
            )
        return Expression(loop.key, {"type": "string"})

    def inside(self, loop: Loop) -> Scope:
        """The scope in the body of a loop."""
        return self._replace(loops=(*self.loops, loop))

    def operand(self, argument: Argument, line: int) -> str:
        """One side of a comparison.

        Raises:
            PromptFormatError: It cannot be written.
        """
        match argument:
            case Literal(value=str() as text):
                return quoted(text, line)
            case Literal(value=bool() as truth):
                return "true" if truth else "false"
            case Literal(value=number):
                return str(number)
            case Path():
                return self.resolve(argument, line).text


def _down(found: Expression, names: tuple[str | int, ...], line: int) -> Expression:
    for name in names:
        found = found.field(name, line)
    return found


def loop_name(taken: frozenset[str], word: str, wanted: str | None, line: int) -> str:
    """A name for the item of a loop, or for its key.

    Args:
        taken: Names that mean something else.
        word: What it is called where the block does not say.
        wanted: What the block says.
        line: Where it stands.

    Raises:
        PromptFormatError: The block's own name cannot be used.
    """
    if wanted is not None:
        if not is_variable(wanted) or wanted in taken:
            raise refused(f"{wanted!r:.60} cannot be the name of a loop's item here; rename it", line)
        return wanted
    numbers = range(2, len(taken) + 3)
    return next(name for name in (word, *(f"{word}_{number}" for number in numbers)) if name not in taken)
