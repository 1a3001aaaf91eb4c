"""Handlebars as a tree of texts, tags and blocks."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.handlebars import Block, Call, Literal, Path, Tag, Text, is_name, parse


def path(text: str, *names: str | int, up: int = 0, data: bool = False, own: bool = False) -> Path:
    return Path(up, data, own, names or (text,), text)


def tag(name: Path, *args: Literal | Path, line: int = 1, **named: Literal | Path) -> Tag:
    return Tag(Call(name, args, named), line)


X = tag(path("x"))
# the template: its tree
ROWS: dict[str, list[Any]] = {
    "": [],
    "a {b} }}": [Text("a {b} }}", 1)],
    "a{{x}}b": [Text("a", 1), X, Text("b", 1)],
    "{{{x}}}{{&x}}{{ x }}{{& x}}": [X, X, X, X],
    "{{a.b}}{{a/b}}": [tag(path("a.b", "a", "b")), tag(path("a/b", "a", "b"))],
    "{{a.[b c].[0]}}": [tag(path("a.[b c].[0]", "a", "b c", 0))],
    "{{../x}}{{this.x}}{{./x}}{{@index}}": [
        tag(path("../x", "x", up=1)),
        tag(path("this.x", "x", own=True)),
        tag(path("./x", "x", own=True)),
        tag(path("@index", "index", data=True)),
    ],
    "{{this}}{{.}}{{..}}": [
        tag(Path(0, False, True, (), "this")),
        tag(Path(0, False, True, (), ".")),
        tag(Path(1, False, False, (), "..")),
    ],
    "{{h \"a 'b'\" 'c' 1 -2.5 true false x k=\"v\"}}": [
        tag(
            path("h"), Literal("a 'b'"), Literal("c"), Literal(1), Literal(-2.5), Literal(True), Literal(False),
            path("x"), k=Literal("v"),
        )
    ],
    '{{h "a\\"b"}}': [tag(path("h"), Literal('a"b'))],
    "{{! c }}{{!-- }} --}}a": [Text("a", 1)],
    "\\{{x}} \\\\{{x}} \\\\\\{{x}}": [Text("{{x}} \\", 1), X, Text(" \\\\", 1), X],
    "a {{~x}} b {{x~}} c": [Text("a", 1), X, Text(" b ", 1), X, Text("c", 1)],
    "{{#if x}}a{{else}}b{{/if}}": [Block(Call(path("if"), (path("x"),)), (Text("a", 1),), (Text("b", 1),), 1)],
    "{{#if x}}a{{else if y}}b{{/if}}": [
        Block(
            Call(path("if"), (path("x"),)),
            (Text("a", 1),),
            (Block(Call(path("if"), (path("y"),)), (Text("b", 1),), (), 1),),
            1,
        )
    ],
    "{{#each xs as |x i|}}{{x}}{{/each}}": [Block(Call(path("each"), (path("xs"),), {}, ("x", "i")), (X,), (), 1)],
    "a\n{{#if x}}\nb\n{{/if}}\nc": [
        Text("a\n", 1), Block(Call(path("if"), (path("x"),)), (Text("b\n", 2),), (), 2), Text("c", 4)
    ],
    "a\n  {{! c }}  \r\nb": [Text("a\n", 1), Text("b", 2)],
    "a\n {{x}}\nb": [Text("a\n ", 1), tag(path("x"), line=2), Text("\nb", 2)],
    "{{#if x}}{{! c }}\n{{/if}}": [Block(Call(path("if"), (path("x"),)), (Text("\n", 1),), (), 1)],
}  # fmt: skip


@pytest.mark.parametrize(("source", "tree"), ROWS.items(), ids=ROWS)
def test_tree(source: str, tree: list[Any]) -> None:
    assert list(parse(source)) == tree


# the template: what the error says
FAULTS = {
    "{{x": "a tag is not closed: '{{x'",
    "{{{x}}": "a tag is not closed",
    "{{!-- a": "a comment {{!-- is not closed by --}}",
    "{{}}": "begins with no name",
    '{{"a"}}': "begins with no name",
    "{{1}}": "begins with no name",
    "{{x y": "a tag is not closed",
    "{{x (y)}}": "an expression in parentheses",
    "{{x ,}}": "is no name",
    "{{x 'a}}": "something that is no name, text or number",
    "{{a..b}}": "is no name",
    "{{a.}}": "is no name",
    "{{x.this..}}": "is no name",
    "{{@}}": "is no name",
    "{{x k=1 k=2}}": "'k' stands twice",
    "{{> p}}": "a partial, cannot be read",
    "{{^x}}{{/x}}": "an inverted section, cannot be read",
    "{{* d}}": "a decorator, cannot be read",
    "{{##x}}": "cannot be read",
    "{{{{r}}}} {{{{/r}}}}": "a raw block {{{{…}}}} cannot be read",
    "{{{#if x}}}": "is no tag; write it with two braces",
    "{{#if x}}": "the block {{#if x}} is not closed",
    "{{#if x}}{{else}}": "is not closed",
    "{{#if x}}{{/each}}": "{{/each}} does not close the block {{#if x}}",
    "{{#if x}}{{else}}{{else}}{{/if}}": "is not closed before {{else}}",
    "{{/if}}": "{{/if}} closes no block",
    "{{else}}": "{{else}} closes no block",
    "{{#if x}}{{else each y}}{{/if}}": "write {{else if …}}",
    "{{#if x}}" * 60 + "{{/if}}" * 60: "more than 50 blocks stand inside one another",
    "{{#if x}}" + "{{else if x}}" * 60 + "{{/if}}": "more than 50 blocks",
}


@pytest.mark.parametrize(("source", "reason"), FAULTS.items(), ids=range(len(FAULTS)))
def test_faults_name_the_line(source: str, reason: str) -> None:
    with pytest.raises(PromptFormatError) as caught:
        parse(f"one\r\ntwo\rthree\n{source}")
    assert reason in caught.value.reason
    assert caught.value.line == 4


@pytest.mark.parametrize(
    ("word", "known"), [("a", True), ("a_1", True), ("é", True), ("0", False), ("a b", False), ("", False)]
)
def test_names(word: str, known: bool) -> None:
    assert is_name(word) is known


PIECES = ["{{", "}}", "{", "}", "~", "#", "/", "!", "--", "&", "x", ".", "[", "]", " ", "\n", "\r\n", "if ", "else"]
PIECES += ["\\", '"', "=", "("]


@settings(max_examples=200)
@given(source=st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_any_text_is_a_tree_or_a_named_error(source: str) -> None:
    try:
        tree = parse(source)
    except PromptFormatError as error:
        assert error.line is not None  # noqa: PT017 - either is right here
        return
    assert all(isinstance(node, Text | Tag | Block) for node in tree)
