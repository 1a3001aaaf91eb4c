"""What a Jinja template does beyond holding text and bare slots, named with its line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from jinja2 import nodes
from jinja2.lexer import TOKEN_COMMENT_BEGIN

from prompt_adapters.templates.environment import ENVIRONMENT
from prompt_adapters.templates.template import Construct

_STATEMENTS: Mapping[type[nodes.Node], str] = {
    nodes.For: "{% for %}",
    nodes.If: "{% if %}",
    nodes.Assign: "{% set %}",
    nodes.AssignBlock: "{% set %}",
    nodes.Macro: "{% macro %}",
    nodes.CallBlock: "{% call %}",
    nodes.FilterBlock: "{% filter %}",
    nodes.With: "{% with %}",
    nodes.Block: "{% block %}",
    nodes.Scope: "{% autoescape %}",
}
# A bare name gives the value; a constant gives its own text.
_BARE = (nodes.TemplateData, nodes.Name, nodes.Const)


def constructs(text: str) -> tuple[Construct, ...]:
    """The statements and expressions of a template, in order; those inside others are not counted.

    Args:
        text: A Jinja template that compiles.
    """
    return tuple(_constructs(ENVIRONMENT.parse(text).body))


def comments(text: str) -> tuple[Construct, ...]:
    """The comments of a template, in order."""
    if "{#" not in text:
        return ()
    tokens = ENVIRONMENT.lex(text)
    return tuple(Construct("a comment {# … #}", line) for line, token, _ in tokens if token == TOKEN_COMMENT_BEGIN)


def _constructs(body: list[nodes.Node]) -> Iterator[Construct]:
    for node in body:
        if not isinstance(node, nodes.Output):
            yield construct_of(node)
            continue
        for expression in node.nodes:
            if not isinstance(expression, _BARE):
                yield construct_of(expression)


def construct_of(node: nodes.Node) -> Construct:
    """What a statement or an expression is called, and its line."""
    if isinstance(node, nodes.Expr):
        return Construct(_expression(node), node.lineno)
    return Construct(_STATEMENTS.get(type(node), f"the statement {type(node).__name__}"), node.lineno)


def _expression(node: nodes.Expr) -> str:
    match node:
        case nodes.Filter(name=name):
            return f"the filter {name!r}"
        case nodes.Test(name=name):
            return f"the test {name!r}"
        case nodes.Call(node=nodes.Name(name=name)):
            return f"the call of {name!r}"
        case nodes.Getattr(node=nodes.Name(name=name), attr=attribute):
            return f"the attribute {{{{ {name}.{attribute} }}}}"
        case nodes.Getitem(node=nodes.Name(name=name)):
            return f"an item of {name!r}"
        case nodes.CondExpr():
            return "the expression {{ … if … }}"
    return f"an expression ({type(node).__name__})"
