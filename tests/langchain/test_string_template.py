"""`AdapterStringPromptTemplate` where LangChain wants a string prompt."""

import asyncio
import copy
import pickle
from typing import Any

import pytest
from langchain_core.language_models.fake import FakeListLLM
from langchain_core.prompt_values import StringPromptValue
from langchain_core.prompts import ChatPromptTemplate, HumanMessagePromptTemplate

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
