"""Templates one after another: what is joined gives what they give by themselves, and the rest is refused in words."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompt_adapters import FewShot, Message, Prompt, Text
from prompt_adapters.errors import TemplateError
from prompt_adapters.formats import held_by
from prompt_adapters.formats.holding import Holding, as_text
from prompt_adapters.formats.joining import Joining, closed
from prompt_adapters.templates import SYNTAXES, compile_template
from prompt_adapters.turns import Turn
from strategies import NAMES, templates

SLOTS = {"jinja": "{{ x }}", "plain": "{{ x }}", "mustache": "{{x}}", "percent": "%x%", "braces": "{x}", "none": "x"}
SIGNS = (
    "{",
    "}",
    "%",
    "#",
    "{#",
    "-",
    "%}",
    "\n",
    " ",
    "x",
    "{{ x -}}",
    "{{- x }}",
    "{% set y = 1 %}",
    "{{ y }}",
    "{#-",
)
MUSTACHE = ("{", "}", "\n", " ", "x", "{{x}}", "{{{x}}}", "{{#x}}\n{{/x}}", "{{! a }}", "{{^x}}b{{/x}}\n")
VALUES: Mapping[str, object] = {**dict.fromkeys(NAMES, "v"), "y": "w"}


def rendered(text: str, syntax: str) -> str:
    return "".join(part.text for part in compile_template(text, syntax).render(VALUES) if isinstance(part, Text))


def pieces(syntax: str) -> st.SearchStrategy[str]:
    signs = {"jinja": SIGNS, "mustache": MUSTACHE}.get(
        syntax, ("{", "}", "{{", "}}", "%", "%%", "x", " ", SLOTS.get(syntax, "{x}"))
    )
    return templates(syntax) | st.lists(st.sampled_from(signs), max_size=4).map("".join).filter(
        lambda t: compiles(t, syntax)
    )


def compiles(text: str, syntax: str) -> bool:
    try:
        compile_template(text, syntax)
    except TemplateError:
        return False
    return True


@pytest.mark.parametrize("syntax", SYNTAXES)
@given(data=st.data())
def test_joined_templates_give_what_they_give_by_themselves(syntax: str, data: st.DataObject) -> None:
    joining, kept = Joining(syntax), []
    for text in data.draw(st.lists(pieces(syntax), max_size=5)):
        before = joining.text
        if joining.add(text) is None:
            kept.append(text)
        else:
            assert joining.text == before
    assert rendered(joining.text, syntax) == "".join(rendered(text, syntax) for text in kept)


@pytest.mark.parametrize(("syntax", "texts", "expected"), [
    ("jinja", ["a {", "# b #}"], "a {{ '{' }}# b #}"),
    ("jinja", ["a {", "", "{{ x }}"], "a {{ '{' }}{{ x }}"),
    ("jinja", ["{{ x -}}", " {{- x }}"], "{{ x }} {{- x }}"),
    ("jinja", [" a ", "{%- if x %}b{% endif -%}", " c"], " a {% if x %}b{% endif %} c"),
    ("jinja", ["a {#", "b"], "a b"),
    ("percent", ["50%", "0%"], "50%%0%%"),
    ("percent", ["50%", "x% b %x%"], "50%%x%% b %x%"),
    ("percent", ["50% %x%"], "50% %x%"),
    ("braces", ["{x}", "{", "{x}", "}"], "{x}{{x}}"),
    ("plain", ["{{ x }}", "{", "{{ x }}"], "{{ x }}{{{ x }}"),
    ("f-string", ["{{", "{x}", "}}"], "{{{x}}}"),
    ("none", ["{", "{ x }}"], "{{ x }}"),
    ("mustache", ["{{#x}}a{{/x}}"], "{{#x}}a{{/x}}"),
], ids=repr)  # fmt: skip
def test_joined(syntax: str, texts: list[str], expected: str) -> None:
    joining = Joining(syntax)
    assert [joining.add(text) for text in texts] == [None] * len(texts)
    assert joining.text == expected


@pytest.mark.parametrize(("syntax", "first", "second", "reason"), [
    ("braces", "a {", "x} b", "that would be read as a slot with what stands before it"),
    ("plain", "{{ x", " }}", "that would be read as a slot with what stands before it"),
    ("plain", "{{ x }", "}", "that would be read as a slot with what stands before it"),
    ("braces", "{x} {", "x}", "that would be read as a slot with what stands before it"),
    ("mustache", "{", "{{x}}", "that would be read as a slot with what stands before it"),
    ("mustache", "a", "{{#x}}b{{/x}}", "with sections beside others"),
    ("mustache", "{{! a }}", "b", "with sections beside others"),
    ("jinja", "{% set x = 1 %}", "a {{ x }}", "that needs 'x', which a text before it sets"),
    ("jinja", "{% macro x() %}{% endmacro %}", "{{ x }}", "that needs 'x', which a text before it sets"),
], ids=repr)  # fmt: skip
def test_what_cannot_stand_beside_another_is_left_out(syntax: str, first: str, second: str, reason: str) -> None:
    joining = Joining(syntax)
    assert joining.add(first) is None
    assert joining.add(second) == reason
    assert joining.text == first


def test_a_separator_is_written_with_its_text_or_not_at_all() -> None:
    joining = Joining("jinja")
    joining.add("a {")
    assert joining.add("{{ b }}", between="{%") is None
    assert rendered(joining.text.replace("b", "x"), "jinja") == "a {{%v"
    joining.add("{% set c = 1 %}", between="\n")
    before = joining.text
    assert joining.add("{{ c }}", between="\n") is not None
    assert joining.text == before


@pytest.mark.parametrize(("text", "expected"), [("a{", "a{{ '{' }}"), ("a", "a"), ("", "")])
def test_a_brace_at_the_end(text: str, expected: str) -> None:
    assert closed(text) == expected


# In the steps that formats have in common


@pytest.mark.parametrize("text", ["Hi {#", "Hi {", "Hi {#-", "{{ x -}}", "Hi\n{%- if x %}\n{% endif -%}"])
@pytest.mark.parametrize("format_", ["simple_prompt", "asset", "messages", "promptfoo", "prompty", "banks"])
def test_examples_stand_after_a_text_however_it_ends(text: str, format_: str) -> None:
    prompt = Prompt("S", text, few_shot=FewShot([("a {", "# b #}")], "append_to_user_prompt"))
    kept, losses = held_by(prompt, format_)
    assert any("examples" in loss for loss in losses)
    if format_ != "simple_prompt" or "{%" not in text:  # which has no logic
        values = {variable.name: "v" for variable in prompt.variables}
        assert kept.render(values)[-1].text.strip() == prompt.render(values)[-1].text.strip()


def test_examples_after_sections_are_blocks_of_their_own() -> None:
    prompt = Prompt(
        None, "{{#x}}\na\n{{/x}}", few_shot=FewShot([("q", "r")], "append_to_user_prompt"), syntax="mustache"
    )
    holding = Holding(prompt, "a file")
    holding.examples_to_messages()
    kept, _ = holding.result()
    assert (
        "".join(part.text for part in kept.render(x=True)[0].parts if isinstance(part, Text))
        == prompt.render(x=True)[0].text
    )


@pytest.mark.parametrize(("blocks", "expected", "losses"), [
    (["a {", "# x"], "a {{ '{' }}# x", ["turn: the bounds between its blocks"]),
    (["{% set x = 1 %}", "{{ x }}"], "{% set x = 1 %}",
     ["turn, block 2: a text that needs 'x', which a text before it sets"]),
])  # fmt: skip
def test_blocks_as_one_text(blocks: list[str], expected: str, losses: list[str]) -> None:
    assert as_text(Turn("user", blocks, spaced=False), "turn", "jinja") == (Turn("user", expected), losses)


def test_parts_of_a_message_as_one_text() -> None:
    message = Message("user", [Text("a {"), Text("{ b }}"), Text("{"), Text("#")])
    turn, _ = as_text(message, "message", "jinja")
    assert isinstance(turn, Turn)
    assert rendered(turn.template, "jinja") == "a {{ b }}{#"
