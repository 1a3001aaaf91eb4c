"""What cannot be made or changed says so in one line, as an error of this package."""

from collections.abc import Callable
from typing import Any

import pytest

from prompt_adapters import Prompt
from prompt_adapters.errors import PromptAdapterError, PromptFormatError
from prompt_adapters.langchain import (
    AdapterPromptTemplate,
    AdapterRunnable,
    AdapterStringPromptTemplate,
    AnthropicStylePromptTemplate,
)

PROMPT = Prompt(user="{{ x }}")
MISTAKES: dict[str, tuple[Callable[[], object], str]] = {
    "a system turn as a string prompt": (
        lambda: AdapterStringPromptTemplate.from_prompt(Prompt(system="s")),
        "a string prompt is one user template without examples; use AdapterPromptTemplate",
    ),
    "no prompt": (
        lambda: AdapterPromptTemplate(input_variables=["x"]),
        "AdapterPromptTemplate is made with one of from_prompt, from_path, from_messages, from_template",
    ),
    "no text": (
        lambda: AdapterStringPromptTemplate(input_variables=["x"]),
        "AdapterStringPromptTemplate is made with one of from_prompt, from_template",
    ),
    "no prompt in prompts": (
        lambda: AdapterPromptTemplate(prompts=(7,)),
        "AdapterPromptTemplate: prompts.0: Input should be an instance of Prompt",
    ),
    "a field of a wrong type": (
        lambda: AdapterPromptTemplate.from_prompt(PROMPT, tags=3),
        "AdapterPromptTemplate: tags: Input should be a valid list",
    ),
    "partials of a wrong type": (
        lambda: AdapterPromptTemplate.from_prompt(PROMPT, partial_variables=3),
        "AdapterPromptTemplate: partial_variables: Input should be a valid dictionary",
    ),
    "a name that LangChain keeps": (
        lambda: AdapterPromptTemplate.from_template("{stop}"),
        "AdapterPromptTemplate: Value error, Cannot have an input variable named 'stop', as it is used internally",
    ),
    "a model of another shape": (
        lambda: AnthropicStylePromptTemplate.from_prompt(PROMPT, model="openai/gpt-4o"),
        "the model 'openai/gpt-4o' does not speak anthropic_style; write template.for_model('openai/gpt-4o')",
    ),
    "a runnable's name": (
        lambda: AdapterRunnable("openai_style", name=3),  # type: ignore[arg-type]  # the point of the test
        "AdapterRunnable: name: Input should be a valid string",
    ),
}


@pytest.mark.parametrize(("make", "sentence"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_one_line(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises(PromptAdapterError) as caught:
        make()
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)
    assert "pydantic" not in str(caught.value)


@pytest.mark.parametrize(
    ("thing", "field"),
    [
        (AdapterPromptTemplate.from_prompt(PROMPT), "prompts"),
        (AdapterStringPromptTemplate.from_prompt(PROMPT), "template"),
        (AdapterRunnable("openai_style"), "style"),
    ],
    ids=["chat", "string", "runnable"],
)
def test_nothing_is_changed_afterwards(thing: Any, field: str) -> None:
    before = getattr(thing, field)
    with pytest.raises(PromptFormatError, match=rf"^{type(thing).__name__}: {field}: Instance is frozen$"):
        setattr(thing, field, "other")
    assert getattr(thing, field) == before


def test_it_is_made_as_langchains_own_classes_are() -> None:
    messages = [("system", "Be {tone}."), ("human", "{x}")]
    expected = AdapterPromptTemplate.from_messages(messages, tags=["t"])
    made: Any = AdapterPromptTemplate
    styled: Any = AnthropicStylePromptTemplate
    for template in (
        made(messages, tags=["t"]),
        made(messages=messages, tags=["t"], input_variables=["tone", "x"]),
        made([("system", "Be {{ tone }}."), ("human", "{{ x }}")], template_format="jinja2", tags=["t"]),
    ):
        assert template.invoke({"tone": "kind", "x": "y"}) == expected.invoke({"tone": "kind", "x": "y"})
        assert template.tags == ["t"]
    assert made(messages, partial_variables={"tone": "kind"}).input_variables == ["x"]
    assert type(styled(messages)) is AnthropicStylePromptTemplate
    text: Any = AdapterStringPromptTemplate
    assert text(template="{x} {y}", input_variables=["x"], partial_variables={"y": "1"}).format(x="0") == "0 1"
    assert text(template="{{ x }}", template_format="jinja2").format(x="0") == "0"


def test_the_class_takes_one_list() -> None:
    made: Any = AdapterPromptTemplate
    with pytest.raises(TypeError, match="is made with one of"):
        made([("human", "x")], [("human", "y")])
    with pytest.raises(TypeError, match="has no field 'tag'"):
        made([("human", "x")], tag=["a"])
    with pytest.raises(PromptFormatError, match="messages are a list, not str"):
        made("x")
