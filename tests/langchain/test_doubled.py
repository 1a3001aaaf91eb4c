"""`{{ name }}` in f-string texts that have no slot is a slip; everywhere else doubled braces are what they are."""

from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langchain_core.prompts import ChatPromptTemplate, HumanMessagePromptTemplate

from prompt_adapters.errors import TemplateError
from prompt_adapters.langchain import AdapterPromptTemplate, AdapterStringPromptTemplate

SLIPS = ["Hi {{ x }}", "Hi {{x}}", "{{x}}", "{{ a }} and {{b}}", "({{ x }})", "a\n{{ größe }}\nb"]
MEANT = [
    'Answer as {{"name": "x"}}',
    'Answer as {{"a": {{"b": 1}}}}',
    "{{}}",
    r"\frac{{a}}{{b}}",
    "x^{{n}} and ${{HOME}}",
    "{x} and {{ x }}",
    "{{ x }} and {{ 'y' }}",
    "{{ x y }}",
    "{{{{ x }}}}",
    "no braces",
]


@pytest.mark.parametrize("text", SLIPS)
@pytest.mark.parametrize("cls", [AdapterPromptTemplate, AdapterStringPromptTemplate])
def test_a_slip_is_refused_when_the_template_is_made(text: str, cls: Any) -> None:
    with pytest.raises(TemplateError, match="is literal in the f-string format, and there is no variable: write") as e:
        cls.from_template(text)
    for remedy in ("template_format='jinja2' or 'mustache'", "template_format='none'"):
        assert remedy in str(e.value)


@pytest.mark.parametrize("text", MEANT)
@pytest.mark.parametrize("cls", [AdapterPromptTemplate, AdapterStringPromptTemplate])
def test_what_may_be_meant_is_taken_as_langchain_takes_it(text: str, cls: Any) -> None:
    expected = HumanMessagePromptTemplate.from_template(text).format(x="1").content
    made = cls.from_template(text).invoke({"x": "1"})
    assert made.to_messages()[0].content == expected


WAYS_OUT: dict[str, Any] = {"jinja2": "Hi 1", "mustache": "Hi 1", "plain": "Hi 1", "none": "Hi {{ x }}"}


@pytest.mark.parametrize(("template_format", "text"), WAYS_OUT.items(), ids=WAYS_OUT)
def test_the_remedies_work(template_format: str, text: str) -> None:
    template = AdapterPromptTemplate.from_template("Hi {{ x }}", template_format)
    assert template.invoke({"x": "1"}).to_messages() == [HumanMessage(text)]


MESSAGES: dict[str, Callable[[], object]] = {
    "beside a text": lambda: AdapterPromptTemplate.from_messages([("system", "Be brief."), ("user", "{{ x }}")]),
    "beside a history": lambda: AdapterPromptTemplate.from_messages([("placeholder", "{h}"), ("user", "{{ x }}")]),
    "a dictionary": lambda: AdapterPromptTemplate.from_messages([{"role": "user", "content": "{{ x }}"}]),
}


@pytest.mark.parametrize("make", MESSAGES.values(), ids=MESSAGES)
def test_all_texts_of_a_list_are_looked_at(make: Callable[[], object]) -> None:
    with pytest.raises(TemplateError, match="is literal in the f-string format"):
        make()


def test_a_slot_anywhere_shows_that_the_author_knows() -> None:
    template = AdapterPromptTemplate.from_messages([("system", "{tone}"), ("user", "{{ x }}")])
    assert template.invoke({"tone": "s"}).to_messages()[1].content == "{ x }"


def test_templates_that_are_made_already_are_taken_as_they_are() -> None:
    theirs = ChatPromptTemplate([("user", "Hi {{ x }}")])
    assert AdapterPromptTemplate.from_messages([theirs]).invoke({}).to_messages() == theirs.format_messages()
    assert (AdapterPromptTemplate.from_template("{a}") + "{{ x }}").invoke({"a": "1"}).to_string().endswith("{ x }")
