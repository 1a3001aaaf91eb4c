"""LangChain's template formats as syntaxes of this package."""

import pytest
from langchain_core.messages import HumanMessage, SystemMessage
from langchain_core.prompts import ChatPromptTemplate, HumanMessagePromptTemplate

from prompt_adapters import Image, Message
from prompt_adapters.errors import MissingVariableError, PromptFormatError, TemplateError
from prompt_adapters.langchain import AdapterPromptTemplate, AdapterStringPromptTemplate
from prompt_adapters.templates.formats import TemplateFormat, format_of

FORMATS = {
    "f-string": "f-string",
    "jinja2": "jinja",
    "mustache": "plain",
    "jinja": "jinja",
    "plain": "plain",
    "none": "none",
}


@pytest.mark.parametrize(("name", "syntax"), FORMATS.items(), ids=FORMATS)
def test_formats_have_a_syntax(name: str, syntax: str) -> None:
    assert TemplateFormat.named(name).syntax == syntax


@pytest.mark.parametrize("name", ["f-string", "jinja2", "mustache", "percent"])
def test_a_syntax_has_its_format(name: str) -> None:
    assert format_of(TemplateFormat.named(name).syntax) == name


@pytest.mark.parametrize("name", ["handlebars", "", None, ["jinja2"]], ids=repr)
def test_an_unknown_format_is_refused(name: str) -> None:
    with pytest.raises(PromptFormatError, match="cannot be read; the formats are 'jinja2', 'mustache', 'jinja'"):
        AdapterPromptTemplate.from_template("{{x}}", name)


MUSTACHE = [
    "Hi {{x}}",
    "Hi {{ x }} and {{ y }}",
    "{{{x}}}",
    "{{{ x }}}!",
    "{{&x}} {{& y }}",
    '{"a": {{x}}}',
    "{x} {%if%} }} { {",
    "no slot",
    "{ {{x}} }",
]


@pytest.mark.parametrize("text", MUSTACHE)
def test_logic_free_mustache_gives_what_langchain_gives(text: str) -> None:
    values = {"x": "1 {{y}}", "y": "2"}
    theirs = ChatPromptTemplate([("system", text), ("user", text)], template_format="mustache")
    ours = AdapterPromptTemplate.from_messages([("system", text), ("user", text)], template_format="mustache")
    assert ours.invoke(values).to_messages() == theirs.invoke(values).to_messages()
    assert sorted(ours.input_variables) == sorted(theirs.input_variables)
    string = AdapterStringPromptTemplate.from_template(text, "mustache")
    assert string.format(**values) == theirs.invoke(values).to_messages()[1].content


def test_values_are_not_escaped_as_html(photo: Image) -> None:
    template = AdapterPromptTemplate.from_template("{{x}}", template_format="mustache")
    assert template.invoke({"x": "a < b & c"}).to_messages() == [HumanMessage("a < b & c")]
    assert template.invoke({"x": photo}).native[0].parts == (photo,)


TAGS = ["{{#x}}a{{/x}}", "{{^x}}", "{{/x}}", "{{>x}}", "{{!c}}", "{{=<% %>=}}", "{{a.b}}", "{{.}}", "{{{a.b}}}"]


@pytest.mark.parametrize("tag", [*TAGS, "{{a b}}", "{{}}", "{{x"])
def test_more_than_a_slot_is_refused_by_name(tag: str) -> None:
    with pytest.raises(
        TemplateError, match=r"message 1: the mustache tag '\{\{.*' is more than a slot; write"
    ) as caught:
        AdapterPromptTemplate.from_messages([f"Hi {tag}"], template_format="mustache")
    assert "template_format='jinja2'" in str(caught.value)


def test_a_missing_variable_is_an_error_and_not_empty() -> None:
    with pytest.raises(MissingVariableError):
        AdapterPromptTemplate.from_template("{{x}}", "mustache").invoke({})


def test_mustache_in_blocks() -> None:
    template = AdapterPromptTemplate.from_messages(
        [("system", [{"type": "text", "text": "{{{x}}}"}]), ("user", [{"type": "text", "content": "{{&x}}"}])],
        template_format="mustache",
    )
    assert template.invoke({"x": "1"}).to_messages() == [SystemMessage("1"), HumanMessage("1")]
    block = {"type": "image_url", "image_url": {"url": "{{{x}}}"}}
    template = AdapterPromptTemplate.from_messages([("user", [block, "{{x}}"])], template_format="mustache")
    url = "https://example.org/a.png?b=<c>&d"
    assert template.invoke({"x": url}).native == (Message("user", [Image(url), url]),)


def test_langchains_own_mustache_templates_are_taken_over() -> None:
    theirs = HumanMessagePromptTemplate.from_template("Hi {{{x}}}", template_format="mustache")
    assert AdapterPromptTemplate.from_messages([theirs]).invoke({"x": "1"}).to_messages() == [theirs.format(x="1")]
    logic = HumanMessagePromptTemplate.from_template("{{#x}}a{{/x}}", template_format="mustache")
    with pytest.raises(TemplateError, match=r"message 1: the mustache tag '\{\{#x\}\}a\{\{/x\}\}' is more than a slot"):
        AdapterPromptTemplate.from_messages([logic])
