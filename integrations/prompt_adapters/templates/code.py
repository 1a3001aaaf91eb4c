"""How templates are read and compiled: line breaks as written, pieces in place of strings, everything counted.

What is counted in the text: the names, numbers and signs in its tags, and how deep they stand inside one another. What
is written into the code: that each loop, macro, block and call block pays for its body each time round, and that
operators on values whose size is not known ask the environment.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame, operators, optimizeconst
from jinja2.environment import Environment
from jinja2.lexer import (
    TOKEN_DATA,
    TOKEN_LBRACE,
    TOKEN_LBRACKET,
    TOKEN_LPAREN,
    TOKEN_RBRACE,
    TOKEN_RBRACKET,
    TOKEN_RPAREN,
    TOKEN_STRING,
    Lexer,
    Token,
    _Rule,
    integer_re,
    newline_re,
    string_re,
)
from jinja2.nativetypes import NativeCodeGenerator

from prompt_adapters.templates.filters import EACH, TICK
from prompt_adapters.templates.limits import budget, current_limits
from prompt_adapters.templates.template import Slot

_OPENING = frozenset({TOKEN_LPAREN, TOKEN_LBRACKET, TOKEN_LBRACE})
_CLOSING = frozenset({TOKEN_RPAREN, TOKEN_RBRACKET, TOKEN_RBRACE})
_CALLABLE = (nodes.Macro, nodes.CallBlock, nodes.Block)
_PARTS_PER_STEP = 4
_WITH_BLANKS = 8
# Jinja's patterns of strings and whole numbers, with possessive repetition.
_FRUGAL = {
    string_re.pattern: re.compile(r"('([^'\\]*+(?:\\.[^'\\]*+)*+)'" + r'|"([^"\\]*+(?:\\.[^"\\]*+)*+)")', re.DOTALL),
    integer_re.pattern: re.compile(
        r"(0b(_?[0-1])++|0o(_?[0-7])++|0x(_?[\da-f])++|[1-9](_?\d)*+|0(_?0)*+)", re.IGNORECASE
    ),
}


class VerbatimLexer(Lexer):
    """Jinja's lexer, which reads every line break as a line feed, with the breaks of the source put back.

    A token's line number says how many breaks precede it, so the breaks inside it are the next ones of the source.
    """

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        self.rules = {state: [_frugal(rule) for rule in rules] for state, rules in self.rules.items()}

    def tokeniter(
        self, source: str, name: str | None, filename: str | None = None, state: str | None = None
    ) -> Iterator[tuple[int, str, str]]:
        """Jinja's tokens, with the breaks of the source.

        Raises:
            TemplateLimitError: They are too many, comments and blanks among them.
        """
        tokens = _not_too_many(super().tokeniter(source, name, filename, state))
        return _with_breaks(tokens, newline_re.findall(source)) if "\r" in source else tokens

    def wrap(
        self, stream: Iterable[tuple[int, str, str]], name: str | None = None, filename: str | None = None
    ) -> Iterator[Token]:
        """Jinja's tokens for its parser, within limits.

        Raises:
            TemplateLimitError: They are too many, or nested too deeply.
        """
        limits = current_limits()
        count = depth = 0
        for token in super().wrap(stream, name, filename):
            if token.type != TOKEN_DATA:
                count += 1
                depth += (token.type in _OPENING) - (token.type in _CLOSING)
                if count > limits.tokens:
                    raise limits.exceeded("tokens", count, token.lineno)
                if depth > limits.nesting:
                    raise limits.exceeded("nesting", depth, token.lineno)
            yield token
        budget().tokens = count

    def _normalize_newlines(self, value: str) -> str:
        return value


def _frugal(rule: _Rule) -> _Rule:
    """A rule whose pattern does not remember each character of a long string or number."""
    pattern = _FRUGAL.get(rule.pattern.pattern)
    return rule if pattern is None else rule._replace(pattern=pattern)


def _not_too_many(tokens: Iterable[tuple[int, str, str]]) -> Iterator[tuple[int, str, str]]:
    limits = current_limits()
    for count, token in enumerate(tokens):
        if count > _WITH_BLANKS * limits.tokens:
            raise limits.exceeded("tokens", count, token[0])
        yield token


def _with_breaks(tokens: Iterable[tuple[int, str, str]], breaks: list[str]) -> Iterator[tuple[int, str, str]]:
    for line, token, value in tokens:
        if token in (TOKEN_DATA, TOKEN_STRING) and "\n" in value:
            first, *rest = value.split("\n")
            own = breaks[line - 1 : line - 1 + len(rest)]
            yield line, token, first + "".join(mark + text for mark, text in zip(own, rest, strict=True))
        else:
            yield line, token, value


def check_nesting(tree: nodes.Template) -> None:
    """Refuse a template whose parts stand too deep inside one another.

    Raises:
        TemplateLimitError: They do.
    """
    limits = current_limits()
    level: list[nodes.Node] = [tree]
    depth = 0
    while level:
        depth += 1
        if depth > limits.nesting:
            raise limits.exceeded("nesting", depth, level[0].lineno)
        level = [child for node in level for child in node.iter_child_nodes()]


def prepared(tree: nodes.Template, variables: tuple[Slot, ...], environment: Environment) -> nodes.Template:
    """The tree as it is compiled: it looks its variables up before anything else, and pays for what it repeats.

    Jinja takes a name that is set anywhere at the top for the template's own even in a loop that comes before that.
    """
    for node in [*tree.find_all((nodes.For, *_CALLABLE))]:
        if isinstance(node, nodes.For):
            weight = _weight(node)
            node.iter = _filter(EACH, node.iter, nodes.Const(weight, lineno=node.lineno))
            if node.recursive:  # called with other items, it pays for each of them in its body
                node.body.insert(0, _tick(weight, node.lineno))
        elif isinstance(node, _CALLABLE):
            node.body.insert(0, _tick(_weight(node), node.lineno))
    tree.body[:0] = [nodes.ExprStmt(nodes.Name(slot.name, "load", lineno=1), lineno=1) for slot in variables]
    return tree.set_environment(environment)  # type: ignore[return-value]  # the same tree


def _weight(node: nodes.Node) -> int:
    """The steps of one time round, without those of loops and macros in it, which pay for themselves."""
    parts = 0
    left = list(node.iter_child_nodes(exclude=("iter",)))
    while left:
        child = left.pop()
        parts += 1
        skipped = ("body",) if isinstance(child, (nodes.For, *_CALLABLE)) else ()
        left += child.iter_child_nodes(exclude=skipped)
    return 1 + parts // _PARTS_PER_STEP


def _tick(weight: int, line: int) -> nodes.Node:
    return nodes.ExprStmt(_filter(TICK, nodes.Const(weight, lineno=line)), lineno=line)


def _filter(name: str, value: nodes.Node, *args: nodes.Expr) -> nodes.Filter:
    return nodes.Filter(value, name, list(args), [], None, None, lineno=value.lineno)


def _unless_counting(visit: Callable[..., None], sign: str) -> Callable[..., None]:
    """An operator of the environment's, except where one side is a number: then the result is hardly larger."""

    def visit_operator(self: PieceGenerator, node: nodes.BinExpr, frame: Frame) -> None:
        if not any(isinstance(side, nodes.Const) and _is_number(side.value) for side in (node.left, node.right)):
            visit(self, node, frame)
            return
        self.write("(")
        self.visit(node.left, frame)
        self.write(f" {sign} ")
        self.visit(node.right, frame)
        self.write(")")

    return visit_operator


def _is_number(value: Any) -> bool:
    return type(value) in (int, float)


class PieceGenerator(NativeCodeGenerator):
    """Code that yields what `PieceEnvironment.finalize` gives, without making strings of it."""

    visit_Add = _unless_counting(CodeGenerator.visit_Add, "+")  # noqa: N815 - the name Jinja dispatches on
    visit_Sub = _unless_counting(CodeGenerator.visit_Sub, "-")  # noqa: N815 - likewise
    visit_Div = _unless_counting(CodeGenerator.visit_Div, "/")  # noqa: N815 - likewise
    visit_FloorDiv = _unless_counting(CodeGenerator.visit_FloorDiv, "//")  # noqa: N815 - likewise

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802 - the name Jinja dispatches on
        """``~``, whose result is paid for."""
        self.write("environment.tilde((")
        for operand in node.nodes:
            self.visit(operand, frame)
            self.write(", ")
        self.write("))")

    @optimizeconst
    def visit_Compare(self, node: nodes.Compare, frame: Frame) -> None:  # noqa: N802 - likewise
        """Comparisons, in which what may be large is weighed."""
        sides = [node.expr, *(operand.expr for operand in node.ops)]
        small = len(sides) == 2 and node.ops[0].op not in ("in", "notin") and any(map(_is_const, sides))
        self.write("(")
        self._weighed(node.expr, frame, small=small)
        for operand in node.ops:
            self.write(f" {operators[operand.op]} ")
            self._weighed(operand.expr, frame, small=small)
        self.write(")")

    @optimizeconst
    def visit_Getitem(self, node: nodes.Getitem, frame: Frame) -> None:  # noqa: N802 - likewise
        """Items and slices, which the environment gives."""
        if not isinstance(node.arg, nodes.Slice):
            super().visit_Getitem(node, frame)
            return
        self.write("environment.cut(")
        self.visit(node.node, frame)
        for bound in (node.arg.start, node.arg.stop, node.arg.step):
            self.write(", ")
            self.visit(nodes.Const(None) if bound is None else bound, frame)
        self.write(")")

    def visit_Dict(self, node: nodes.Dict, frame: Frame) -> None:  # noqa: N802 - likewise
        """Dicts, whose keys are hashed."""
        self.write("{")
        for pair in node.items:
            self._weighed(pair.key, frame, small=False)
            self.write(": ")
            self.visit(pair.value, frame)
            self.write(", ")
        self.write("}")

    def _weighed(self, node: nodes.Expr, frame: Frame, *, small: bool) -> None:
        if small or _is_const(node):
            self.visit(node, frame)
        else:
            self.write("environment.weigh(")
            self.visit(node, frame)
            self.write(")")


def _is_const(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Const)
