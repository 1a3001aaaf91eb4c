"""LangChain's template formats: their names, and texts that are written in a syntax or taken apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompt_adapters.content.parts import Text
from prompt_adapters.errors import PromptFormatError, TemplateError
from prompt_adapters.templates import Slot, compile_template
from prompt_adapters.templates.formats import escaped, format_of, segments, slot, syntax_of


def rendered(template: str, syntax: str) -> str:
    return "".join(
        part.text for part in compile_template(template, syntax).render({"x": "X"}) if isinstance(part, Text)
    )


@pytest.mark.parametrize("syntax", ["f-string", "jinja", "percent"])
@given(text=st.text(alphabet=st.sampled_from([*"{}%#ab -\n'\\"])))
def test_an_escaped_text_is_that_very_text(syntax: str, text: str) -> None:
    assert rendered(escaped(text, syntax), syntax) == text
    assert rendered(escaped(text, syntax) + slot("x", syntax), syntax) == f"{text}X"
    assert not compile_template(escaped(text, syntax), syntax).variables


@pytest.mark.parametrize(("syntax", "text"), [("plain", "a {{ x }}"), ("braces", "{x}"), ("mustache", "{{x}}")])
def test_a_syntax_that_cannot_escape_says_so(syntax: str, text: str) -> None:
    assert escaped("{ 7 }", syntax) == "{ 7 }"
    with pytest.raises(TemplateError, match="would be read as a placeholder"):
        escaped(text, syntax)


@pytest.mark.parametrize("syntax", ["f-string", "braces", "jinja", "plain", "percent", "mustache"])
def test_a_slot_is_written_as_the_syntax_has_it(syntax: str) -> None:
    assert compile_template(slot("x", syntax), syntax).variables == (Slot("x", required=True),)
    assert segments(f"a {slot('x', syntax)} b{slot('x', syntax)}", syntax) == [
        "a ", Slot("x", required=True), " b", Slot("x", required=True)
    ]  # fmt: skip


LOGIC = ["{% if x %}a{% endif %}", "{{ x | upper }}", "{# note #}{{ x }}", "{{ x.y }}", "{{ 'a' ~ x }}"]


@pytest.mark.parametrize("text", LOGIC)
def test_logic_is_not_taken_apart(text: str) -> None:
    assert segments(text, "jinja") is None


def test_text_that_jinja_writes_as_an_expression_is_text() -> None:
    assert segments("{{ '{' }}{% raw %}{{ x }}{% endraw %} {{ x }}", "jinja") == ["{{{ x }} ", Slot("x", required=True)]
    assert segments("a {#- note -#} b{{- x }}", "jinja", comments=True) == ["ab", Slot("x", required=True)]


def test_what_looks_like_logic_elsewhere_is_text() -> None:
    assert segments("{% if %} {{ a.b }}", "plain") == ["{% if %} {{ a.b }}"]
    assert segments("", "jinja") == []


FORMATS = {"f-string": "f-string", "jinja2": "jinja", "mustache": "mustache", "jinja": "jinja", "plain": "plain"}


@pytest.mark.parametrize(("name", "syntax"), FORMATS.items(), ids=FORMATS)
def test_formats_have_a_syntax(name: str, syntax: str) -> None:
    assert syntax_of(name) == syntax
    assert name == "jinja" or format_of(syntax) == name


@pytest.mark.parametrize("name", ["handlebars", "", None, ["jinja2"]], ids=repr)
def test_an_unknown_format_is_refused(name: str) -> None:
    with pytest.raises(PromptFormatError, match="cannot be read; the formats are 'jinja2', 'jinja', 'plain'"):
        syntax_of(name)


@pytest.mark.parametrize("text", ["{{#x}}a{{/x}}", "{{x.y}}", "{{x}}{{! note }}", "{{#x}}{{.}}{{/x}}"])
def test_logic_of_mustache_is_not_taken_apart(text: str) -> None:
    assert segments(text, "mustache") is None


@pytest.mark.parametrize("text", ["{x:>3}", "{x!r}", "a{x!s:5}b"])
def test_a_format_is_not_taken_apart(text: str) -> None:
    assert segments(text, "f-string") is None


def test_a_brace_before_a_mustache_slot_cannot_be_written() -> None:
    assert escaped("{ 7 }}", "mustache") == "{ 7 }}"
    with pytest.raises(TemplateError, match="would be read as a placeholder"):
        escaped("a {", "mustache")
