"""LangChain's template formats as syntaxes of this package."""

from datetime import datetime
from typing import Any

import pytest
from langchain_core.load import dumpd
from langchain_core.messages import HumanMessage, SystemMessage
from langchain_core.prompts import ChatPromptTemplate, HumanMessagePromptTemplate

from prompt_adapters import Image, Message
from prompt_adapters.errors import MissingVariableError, TemplateError
from prompt_adapters.langchain import AdapterPromptTemplate, AdapterStringPromptTemplate, load, to_langchain

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


LOGIC: dict[str, tuple[str, dict[str, Any]]] = {
    "a list": ("{{#xs}}- {{{name}}}: {{{n}}}\n{{/xs}}end", {"xs": [{"name": "a", "n": 1}, {"name": "b"}]}),
    "an empty list": ("{{#xs}}- {{{name}}}\n{{/xs}}{{^xs}}none{{/xs}}", {"xs": []}),
    "texts": ("{{#xs}}{{{.}}},{{/xs}}", {"xs": ["a", 2, 1.5]}),
    "a flag": ("{{#on}}yes {{{x}}}{{/on}}{{^on}}no {{{x}}}{{/on}}", {"on": True, "x": "1"}),
    "a false flag": ("{{#on}}yes {{{x}}}{{/on}}{{^on}}no {{{x}}}{{/on}}", {"on": False, "x": "1"}),
    "an object": ("{{#user}}{{{name}}} in {{{city}}}{{/user}}", {"user": {"name": "A"}, "city": "B"}),
    "dots": ("{{{user.name}}} {{{user.home.city}}}", {"user": {"name": "A", "home": {"city": "B"}}}),
    "lines of their own": ("Items:\n{{#xs}}\n- {{{.}}}\n{{/xs}}\nDone", {"xs": ["a", "b"]}),
    "a comment": ("a{{! no }}b\n{{! no }}\nc", {}),
    "inside one another": ("{{#a}}{{#b}}{{{x}}}{{{y}}}{{/b}}{{/a}}", {"a": [{"b": [{"y": 1}, {"y": 2}]}], "x": "0"}),
    "items by number": ("{{{xs.0}}} {{{xs.1}}}", {"xs": ["a", "b"]}),
}


@pytest.mark.parametrize(("text", "values"), LOGIC.values(), ids=LOGIC)
def test_mustache_with_logic_gives_what_langchain_gives(text: str, values: dict[str, Any]) -> None:
    theirs = ChatPromptTemplate([("user", text), "x"], template_format="mustache")
    ours = AdapterPromptTemplate.from_messages([("user", text), "x"], template_format="mustache")
    expected = theirs.invoke(values).to_messages()
    assert ours.invoke(values).to_messages() == expected
    assert AdapterPromptTemplate.from_messages([theirs]).invoke(values).to_messages() == expected
    assert load(dumpd(ours)).invoke(values).to_messages() == expected
    assert to_langchain(ours).invoke(values).to_messages() == expected
    string = AdapterStringPromptTemplate.from_template(text, "mustache")
    assert string.format(**values) == expected[0].content


def test_media_stay_whole_in_sections(photo: Image, photos: list[Image]) -> None:
    template = AdapterPromptTemplate.from_template(
        "{{#photos}}[{{.}}]{{/photos}}{{^photos}}none{{/photos}}", "mustache"
    )
    assert template.invoke({"photos": [photos[0], photo]}).native == (
        Message("user", ["[", photos[0], "][", photo, "]"]),
    )
    assert template.invoke({}).native == (Message("user", "none"),)
    assert (template.input_variables, template.optional_variables) == ([], ["photos"])


FORMATTED: dict[str, dict[str, Any]] = {
    "{a:>10}|{a:<5}|{a:^7}|{a!r}": {"a": "x'y"},
    "{n:.2f} {n:e} {n:+}": {"n": 3.14159},
    "{n:05d} {n:,} {n:x} {n!s:>4}": {"n": 1234567},
    "{d:%Y-%m-%d %H:%M}": {"d": datetime(2024, 1, 2, 3, 4)},
    "{p:.1%} {a} {{b}}": {"p": 0.256, "a": "{c}"},
    "{l!r} {d!s}": {"l": [1, "x"], "d": {"k": 1}},
}


@pytest.mark.parametrize(("text", "values"), FORMATTED.items(), ids=FORMATTED)
def test_formats_of_f_strings_give_what_langchain_gives(text: str, values: dict[str, Any]) -> None:
    theirs = ChatPromptTemplate([("user", text)])
    ours = AdapterPromptTemplate([("user", text)])
    expected = theirs.invoke(values).to_messages()
    assert ours.invoke(values).to_messages() == expected
    assert sorted(ours.input_variables) == sorted(theirs.input_variables)
    assert AdapterPromptTemplate.from_messages([theirs]).invoke(values).to_messages() == expected
    assert load(dumpd(ours)).invoke(values).to_messages() == expected
    assert to_langchain(ours).invoke(values).to_messages() == expected


REFUSED = ["{{>x}}", "{{=<% %>=}}", "{{.}}", "{{#.}}{{/.}}", "{{a b}}", "{{}}", "{{x", "{{{x}}", "{{#x}}", "{{/x}}"]


@pytest.mark.parametrize("tag", REFUSED)
def test_what_mustache_lacks_here_is_refused_by_name(tag: str) -> None:
    with pytest.raises(TemplateError, match=r"message 1 \(user\), line 1: "):
        AdapterPromptTemplate.from_messages([f"Hi {tag}"], template_format="mustache")


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
    assert AdapterPromptTemplate.from_messages([logic]).invoke({"x": True}).to_messages() == [logic.format(x=True)]
