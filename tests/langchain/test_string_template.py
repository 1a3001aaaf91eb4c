"""`AdapterStringPromptTemplate` where LangChain wants a string prompt."""

import asyncio
import copy
import pickle
from typing import Any

import pytest
from langchain_core.language_models.fake import FakeListLLM
from langchain_core.prompt_values import StringPromptValue
from langchain_core.prompts import (
    AIMessagePromptTemplate,
    ChatPromptTemplate,
    FewShotChatMessagePromptTemplate,
    FewShotPromptTemplate,
    FewShotPromptWithTemplates,
    HumanMessagePromptTemplate,
    PromptTemplate,
    SystemMessagePromptTemplate,
)

from prompt_adapters import FewShot, Image, Prompt
from prompt_adapters.errors import MissingVariableError, PromptFormatError, TemplateError
from prompt_adapters.langchain import AdapterStringPromptTemplate


@pytest.fixture
def template() -> AdapterStringPromptTemplate:
    return AdapterStringPromptTemplate.from_template('{{"a": {x}}} {y}')


def test_it_gives_text(template: AdapterStringPromptTemplate) -> None:
    expected = '{"a": {z}} 2'
    values = {"x": "{z}", "y": 2, "other": 1}
    assert template.format(**values) == expected
    assert template.invoke(values) == StringPromptValue(text=expected)
    assert asyncio.run(template.ainvoke(values)) == StringPromptValue(text=expected)
    assert asyncio.run(template.aformat(**values)) == expected
    assert template.input_variables == ["x", "y"]


def test_a_completion_model_answers_it(template: AdapterStringPromptTemplate) -> None:
    assert (template | FakeListLLM(responses=["a"])).invoke({"x": "1", "y": "2"}) == "a"


def test_it_stands_in_a_message_template(template: AdapterStringPromptTemplate) -> None:
    whole = ChatPromptTemplate([HumanMessagePromptTemplate(prompt=template), ("ai", "{x}")])
    assert whole.input_variables == ["x", "y"]
    assert [m.content for m in whole.invoke({"x": "1", "y": "2"}).to_messages()] == ['{"a": 1} 2', "1"]
    assert '{{"a": {x}}} {y}' in whole.pretty_repr()


def test_any_syntax_will_do() -> None:
    jinja = AdapterStringPromptTemplate.from_prompt(Prompt(user="{% for x in xs %}<{{ x }}>{% endfor %}"))
    assert jinja.format(xs=["a", "b"]) == "<a><b>"
    assert AdapterStringPromptTemplate.from_template('{"a": {x}}', "braces").format(x=1) == '{"a": 1}'


def test_partials_are_kept(template: AdapterStringPromptTemplate) -> None:
    partial = template.partial(x=lambda: "1")
    assert partial.input_variables == ["y"]
    assert partial.invoke("2") == StringPromptValue(text='{"a": 1} 2')  # type: ignore[arg-type]  # as LangChain allows


@pytest.mark.parametrize("name", ["self", "input", "value"])
def test_no_name_of_a_variable_is_in_the_way(name: str) -> None:
    assert AdapterStringPromptTemplate.from_template(f"{{{name}}}").invoke({name: "a"}).to_string() == "a"


def test_a_missing_variable_is_named(template: AdapterStringPromptTemplate) -> None:
    with pytest.raises(MissingVariableError) as caught:
        template.invoke({"x": "1"})
    assert caught.value.names == ("y",)


def test_media_are_refused(photo: Image, template: AdapterStringPromptTemplate) -> None:
    with pytest.raises(TemplateError, match=r"holds text only, not Image\(image/png"):
        template.format(x=photo, y="")


MORE: dict[str, Prompt] = {
    "two messages": Prompt(system="s", user="u"),
    "no user": Prompt(messages=[("system", "s")]),
    "blocks": Prompt(user=[{"type": "image", "variable": "p"}]),
    "examples": Prompt(user="u", few_shot=FewShot([("i", "o")])),
}


@pytest.mark.parametrize("prompt", MORE.values(), ids=MORE)
def test_more_than_one_text_is_refused(prompt: Prompt) -> None:
    with pytest.raises((PromptFormatError, ValueError), match="one user template without examples"):
        AdapterStringPromptTemplate.from_prompt(prompt)


@pytest.mark.filterwarnings("ignore::langchain_core._api.LangChainBetaWarning")
def test_it_survives_copies_pickles_and_dumps(template: AdapterStringPromptTemplate) -> None:
    from langchain_core.load import dumpd, load

    allowed: dict[str, Any] = {
        "allowed_objects": [AdapterStringPromptTemplate],
        "valid_namespaces": ["prompt_adapters"],
    }
    for twin in (pickle.loads(pickle.dumps(template)), copy.deepcopy(template), load(dumpd(template), **allowed)):
        assert twin == template
        assert hash(twin) == hash(template)
    assert template._prompt_type == "prompt_adapters_string"


# Wherever LangChain takes a PromptTemplate

EXAMPLES = [{"q": "2 + 2", "a": "4"}, {"q": "{brace}", "a": "{% x %}"}]


@pytest.mark.parametrize("template_format", ["f-string", "jinja2", "mustache", "braces"])
def test_it_is_the_example_of_a_few_shot_prompt(template_format: str) -> None:
    slot = "{{{{ {} }}}}" if template_format in ("jinja2", "mustache") else "{{{}}}"
    text = f"Q: {slot.format('q')}\nA: {slot.format('a')}"
    example = AdapterStringPromptTemplate.from_template(text, template_format)
    shots: dict[str, Any] = {
        "examples": EXAMPLES[:1],
        "prefix": "Solve.",
        "suffix": "Q: {input}",
        "example_separator": "\n",
    }
    ours = FewShotPromptTemplate(example_prompt=example, input_variables=["input"], **shots)
    assert ours.input_variables == ["input"]
    assert ours.format(input="3 + 3") == "Solve.\nQ: 2 + 2\nA: 4\nQ: 3 + 3"
    assert asyncio.run(ours.ainvoke({"input": "3 + 3"})) == ours.invoke({"input": "3 + 3"})
    assert (ours | FakeListLLM(responses=["6"])).invoke({"input": "3 + 3"}) == "6"


def test_it_is_every_part_of_a_few_shot_prompt_with_templates() -> None:
    make = AdapterStringPromptTemplate.from_template
    ours = FewShotPromptWithTemplates(
        examples=EXAMPLES[:1], example_prompt=make("{q}={a}"), prefix=make("{tone}:"), suffix=make("{input}="),
        input_variables=["tone", "input"], example_separator="|",
    )  # fmt: skip
    assert ours.format(tone="brief", input="3") == "brief:|2 + 2=4|3="


def test_it_stands_in_few_shot_messages() -> None:
    def shots(make: Any) -> list[Any]:
        pair = HumanMessagePromptTemplate(prompt=make("{q}?")) + AIMessagePromptTemplate(prompt=make("{a}!"))
        return FewShotChatMessagePromptTemplate(examples=EXAMPLES, example_prompt=pair).format_messages()

    assert shots(AdapterStringPromptTemplate.from_template) == shots(PromptTemplate.from_template)


def test_one_gives_a_value_of_another() -> None:
    intro = AdapterStringPromptTemplate.from_template("You are {person}.")
    final = AdapterStringPromptTemplate.from_template("{intro}\n\n{question}")
    chain = {"intro": intro | (lambda value: value.to_string()), "question": lambda given: given["question"]} | final
    assert chain.invoke({"person": "Ada", "question": "{why}?"}).to_string() == "You are Ada.\n\n{why}?"


def test_it_is_the_text_of_a_system_message_with_partials() -> None:
    text = AdapterStringPromptTemplate.from_template("{a}{b}").partial(a="1")
    whole = ChatPromptTemplate([SystemMessagePromptTemplate(prompt=text), "{c}"])
    assert whole.input_variables == ["b", "c"]
    assert whole.invoke({"b": "2", "c": "3"}).to_messages()[0].content == "12"


def test_it_has_what_people_read_of_a_prompt_template(template: AdapterStringPromptTemplate) -> None:
    assert (template.template, template.template_format) == ('{{"a": {x}}} {y}', "f-string")
    assert AdapterStringPromptTemplate.from_prompt(Prompt(user="{{ x }}")).template_format == "jinja2"
    assert AdapterStringPromptTemplate.from_template("{x}", "braces").template_format == "braces"
    assert set(template.get_input_jsonschema()["required"]) == {"x", "y"}


def test_texts_are_put_together(template: AdapterStringPromptTemplate) -> None:
    more = AdapterStringPromptTemplate.from_template(" {z}").partial(z="3")
    for other in (" {z}", PromptTemplate.from_template(" {z}"), more):
        both = template + other
        assert type(both) is AdapterStringPromptTemplate
        assert both.template == '{{"a": {x}}} {y} {z}'
        assert both.partial(z="3").format(x=1, y=2) == '{"a": 1} 2 3'
    assert (template + more).input_variables == ["x", "y"]
    assert (template.partial(x="1") + " {z}").input_variables == ["y", "z"]


APART: dict[str, Any] = {
    "another syntax": (
        AdapterStringPromptTemplate.from_template("{{ z }}", "jinja2"),
        "texts in 'f-string' and 'jinja'",
    ),
    "another partial": (
        AdapterStringPromptTemplate.from_template("{x}").partial(x="2"),
        "'x' has two different partial",
    ),
}


@pytest.mark.parametrize(("other", "reason"), APART.values(), ids=APART)
def test_what_makes_no_one_text_is_refused(other: Any, reason: str, template: AdapterStringPromptTemplate) -> None:
    with pytest.raises(PromptFormatError, match=reason):
        template.partial(x="1") + other
    with pytest.raises(TypeError, match="takes a text or a string template after"):
        template + 7


def test_a_dump_keeps_the_prompt_alone(template: AdapterStringPromptTemplate) -> None:
    from langchain_core.load import dumpd

    assert not {"template", "template_format"} & dumpd(template)["kwargs"].keys()
