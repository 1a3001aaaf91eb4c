"""Jinja templates as Handlebars: what `dotprompt_body` reads, written again.

What it reads back must be the same template: text, slots, ``tojson``, conditions on one value, comparisons of two, and
loops. A condition ``{% if x %}`` differs from ``{{#if x}}`` for an empty object, and ``{% for x in xs %}`` from
``{{#each xs}}`` for any object, unless the schema says that there is none; this difference is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from jinja2 import nodes
from jinja2.visitor import NodeTransformer

from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.dotprompt_body import HELPERS
from prompt_adapters.formats.dotprompt_expressions import Expression, is_attribute, variable
from prompt_adapters.formats.handlebars import is_name
from prompt_adapters.formats.handlebars_text import Piece, Written
from prompt_adapters.formats.picoschema import Schema, inner, kind_of
from prompt_adapters.templates.environment import ENVIRONMENT
from prompt_adapters.templates.logic import construct_of
from prompt_adapters.templates.pieces import to_piece

# Words that Handlebars takes for something else where a name stands alone.
_WORDS = HELPERS | {"if", "unless", "each", "with", "else", "true", "false", "null", "undefined", "as"}
_PATHS = (nodes.Name, nodes.Getattr, nodes.Getitem)
_POSITIONS = {"index0": ("@index", "integer"), "first": ("@first", "boolean"), "last": ("@last", "boolean")}


class _Loop(NamedTuple):
    """A loop round a place: its item, and the name of its key."""

    item: Expression
    key: str | None


class _Way(NamedTuple):
    """A value, as Handlebars and as Jinja write it."""

    path: str
    expression: Expression


class HandlebarsWriter:
    """Writes one template; `differences` tells afterwards where the meaning is not quite the same.

    Args:
        schema: The JSON Schema of the variables.
    """

    def __init__(self, schema: Schema | None) -> None:
        self.differences: list[str] = []
        self._schema = schema

    def pieces(self, text: str) -> list[Piece]:
        """The text and tags of a Jinja template.

        Raises:
            PromptFormatError: (a ``ValueError``) Handlebars has no word for something; it is named with its line.
        """
        return list(self._body(ENVIRONMENT.parse(text).body, ()))

    def _body(self, body: Sequence[nodes.Node], loops: tuple[_Loop, ...]) -> Iterator[Piece]:
        for node in body:
            match node:
                case nodes.Output():
                    for expression in node.nodes:
                        yield self._output(expression, loops)
                case nodes.If():
                    yield from self._if(node, loops)
                case nodes.For():
                    yield from self._for(node, loops)
                case _:
                    raise _no_word(node)

    def _output(self, node: nodes.Node, loops: tuple[_Loop, ...]) -> Piece:
        match node:
            case nodes.TemplateData(data=text):
                return str(text)
            case nodes.Const(value=value):
                return str(to_piece(value))
            case nodes.Filter(name="tojson", node=nodes.Expr() as value, args=args, kwargs=[]) if len(args) <= 1:
                return Written(f"json {self._way(value, loops).path}{_indent(args)}")
            case nodes.Expr() if isinstance(node, _PATHS):
                return Written(self._way(node, loops).path)
        raise _no_word(node)

    def _if(self, node: nodes.If, loops: tuple[_Loop, ...]) -> Iterator[Piece]:
        name, args = self._test(node.test, loops)
        yield Written(f"#{name} {args}", is_block=True)
        yield from self._body(node.body, loops)
        open_blocks = [name]
        for branch in node.elif_:
            inner_name, inner_args = self._test(branch.test, loops)
            if inner_name in ("if", "unless"):
                yield Written(f"else {inner_name} {inner_args}", is_block=True)
            else:
                yield Written("else", is_block=True)
                yield Written(f"#{inner_name} {inner_args}", is_block=True)
                open_blocks.append(inner_name)
            yield from self._body(branch.body, loops)
        if node.else_:
            yield Written("else", is_block=True)
            yield from self._body(node.else_, loops)
        for opened in reversed(open_blocks):
            yield Written(f"/{opened}", is_block=True)

    def _for(self, node: nodes.For, loops: tuple[_Loop, ...]) -> Iterator[Piece]:
        if node.test is not None or node.recursive:
            raise _no_word(node)
        match node.target:
            case nodes.Name(name=str() as item):
                way, about = self._iterated(node, loops, ""), None
                if kind_of(way.expression.schema) == "array":
                    about = inner(way.expression.schema)
                params, loop = item, _Loop(Expression(item, about), None)
            case nodes.Tuple(items=[nodes.Name(name=str() as key), nodes.Name(name=str() as item)]):
                way = self._iterated(node, loops, ".items()")
                params, loop = f"{item} {key}", _Loop(Expression(item), key)
            case _:
                raise _no_word(node)
        yield Written(f"#each {way.path} as |{params}|", is_block=True)
        yield from self._body(node.body, (*loops, loop))
        if node.else_:
            yield Written("else", is_block=True)
            yield from self._body(node.else_, loops)
        yield Written("/each", is_block=True)

    def _iterated(self, node: nodes.For, loops: tuple[_Loop, ...], method: str) -> _Way:
        """What a loop goes through."""
        for way in self._ways(node.iter, loops):
            expression = way.expression
            if method:
                if kind_of(expression.schema) == "object" and node.iter == _expression(expression.text + method):
                    return way
            elif node.iter == _expression(expression.items):
                return way
        if not method and isinstance(node.iter, _PATHS):
            way = self._way(node.iter, loops)
            if kind_of(way.expression.schema) is None:
                self.differences.append(
                    f"that {{% for %}} on line {node.lineno} goes through the keys of an object, and Handlebars "
                    f"through its values, as no input schema says that {way.expression.text!r} is an array"
                )
                return way
        raise _no_word(node)

    # Conditions

    def _test(self, test: nodes.Node, loops: tuple[_Loop, ...]) -> tuple[str, str]:
        """The block and its arguments for a condition."""
        match test:
            case nodes.Not(node=inside):
                name, args = self._test(inside, loops)
                if name == "if":
                    return "unless", args
                raise _no_word(test)
            case nodes.Compare(expr=first, ops=[nodes.Operand(op="eq" | "ne" as op, expr=second)]):
                name = "ifEquals" if op == "eq" else "unlessEquals"
                return name, f"{self._operand(first, loops)} {self._operand(second, loops)}"
        for way in self._ways(test, loops):
            if test == _expression(way.expression.test):
                return "if", way.path
        if isinstance(test, _PATHS):
            way = self._way(test, loops)
            self.differences.append(
                f"that {{% if %}} on line {test.lineno} is false for an empty object, or an error for a missing field, "
                f"as no input schema says what {way.expression.text!r} is"
            )
            return "if", way.path
        raise _no_word(test)

    def _operand(self, node: nodes.Expr, loops: tuple[_Loop, ...]) -> str:
        match node:
            case nodes.Const(value=str() as text) if '"' not in text and "}}" not in text and "\\" not in text:
                return f'"{text}"'
            case nodes.Const(value=bool() as truth):
                return "true" if truth else "false"
            case nodes.Const(value=int() | float() as number) if abs(number) < 10**15 and "e" not in str(number):
                return str(number)
            case nodes.Neg(node=nodes.Const(value=int() | float() as number)) if "e" not in str(number):
                return f"-{number}"
        return self._way(node, loops).path

    # Ways to values

    def _ways(self, node: nodes.Node, loops: tuple[_Loop, ...]) -> Iterator[_Way]:
        """The ways to values that stand in an expression."""
        for found in (node, *node.find_all(_PATHS)):
            if isinstance(found, _PATHS):
                try:
                    yield self._way(found, loops)
                except PromptFormatError:  # as the method of `xs.values()`
                    continue

    def _way(self, node: nodes.Expr, loops: tuple[_Loop, ...]) -> _Way:
        line = node.lineno
        match node:
            case nodes.Name(name=str() as name):
                return self._name(name, loops, line)
            case nodes.Getattr(node=nodes.Name(name="loop"), attr=word) if loops and word in _POSITIONS:
                path, kind = _POSITIONS[word]
                return _Way(path, Expression(f"loop.{word}", {"type": kind}))
            case nodes.Getattr(node=base, attr=str() as name):
                way = self._way(base, loops)
            case nodes.Getitem(node=base, arg=nodes.Const(value=str() | int() as name)) if not isinstance(name, bool):
                way = self._way(base, loops)
            case _:
                raise _no_word(node)
        found = way.expression.field(name, line)
        if isinstance(name, int):
            return _Way(f"{way.path}.[{name}]", found) if name >= 0 else _refuse(node)
        return _Way(f"{way.path}.{_segment(name, node)}", found)

    def _name(self, name: str, loops: tuple[_Loop, ...], line: int) -> _Way:
        for loop in reversed(loops):
            if name == loop.item.text:
                return _Way(name, loop.item)
        if loops and name == loops[-1].key:
            return _Way("@key", Expression(name, {"type": "string"}))
        if any(name == loop.key for loop in loops) or name in ("loop", "this"):
            raise PromptFormatError(None, line, f"the name {name!r} on line {line}")
        found = variable(name, self._schema, line)
        if loops:
            return _Way(f"@root.{_segment(name)}", found)
        return _Way(f"this.{_segment(name)}" if name in _WORDS else name, found)


def _indent(args: Sequence[nodes.Expr]) -> str:
    match list(args):
        case []:
            return ""
        case [nodes.Const(value=int() as indent)] if not isinstance(indent, bool) and 0 < indent <= 100:
            return f" indent={indent}"
    raise _no_word(args[0])


def _segment(name: str, node: nodes.Node | None = None) -> str:
    if is_name(name) and name not in _WORDS and name != "this":
        return name
    if name in ("this", ".", "..") or any(mark in name for mark in "[]{}\"'") or not name.isprintable() or not name:
        raise PromptFormatError(None, None, f"the name {name!r}") if node is None else _no_word(node)
    return f"[{name}]"


def _expression(text: str) -> Any:
    """The syntax tree of an expression."""
    body: Any = ENVIRONMENT.parse(f"{{% if {text} %}}{{% endif %}}").body
    return body[0].test


def _no_word(node: nodes.Node) -> PromptFormatError:
    found = construct_of(node)
    return PromptFormatError(None, found.line, f"{found.name} on line {found.line}")


def _refuse(node: nodes.Node) -> Any:
    raise _no_word(node)


def shape(text: str) -> Any:
    """A Jinja template as something that is equal for templates that say the same in other spellings."""
    return _shape(_Dotted().visit(ENVIRONMENT.parse(text)).body)


class _Dotted(NodeTransformer):
    """Writes ``a["b"]`` as ``a.b`` where that is the same."""

    def visit_Getitem(self, node: nodes.Getitem) -> nodes.Node:  # noqa: N802 - the name Jinja dispatches on
        self.generic_visit(node)
        match node.arg:
            case nodes.Const(value=str() as name) if is_attribute(name):
                return nodes.Getattr(node.node, name, node.ctx, lineno=node.lineno)
        return node


def _shape(body: Sequence[nodes.Node]) -> list[Any]:
    found: list[Any] = []

    def add(text: str) -> None:
        if found and isinstance(found[-1], str):
            found[-1] += text
        elif text:
            found.append(text)

    for node in body:
        match node:
            case nodes.Output():
                for item in node.nodes:
                    match item:
                        case nodes.TemplateData(data=text):
                            add(text)
                        case nodes.Const(value=value):
                            add(str(to_piece(value)))
                        case _:
                            found.append(item)
            case nodes.If():
                branches = [(branch.test, _shape(branch.body)) for branch in (node, *node.elif_)]
                found.append(("if", branches, _shape(node.else_)))
            case nodes.For():
                found.append(("for", node.target, node.iter, _shape(node.body), _shape(node.else_)))
            case _:
                found.append(node)
    return found
