"""Prompts that say in which form the model shall answer."""

import pickle
from typing import Any

import pytest
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.load import dumps
from langchain_core.messages import AIMessage
from langchain_core.prompts.structured import StructuredPrompt
from langchain_core.runnables import Runnable, RunnableLambda
from pydantic import BaseModel

from prompt_adapters.langchain import (
    AdapterPromptTemplate,
    StructuredAdapterPromptTemplate,
    from_langchain,
    load,
    to_langchain,
)

pytestmark = pytest.mark.filterwarnings("ignore::langchain_core._api.LangChainBetaWarning")


class Verdict(BaseModel):
    """A verdict on a photo."""

    boats: int


FORM = {
    "title": "Verdict",
    "description": "A verdict on a photo.",
    "type": "object",
    "properties": {"boats": {"type": "integer"}},
    "required": ["boats"],
}


class Asked(GenericFakeChatModel):
    """A chat model that gives what it is asked for."""

    def with_structured_output(self, schema: Any, **kwargs: Any) -> Runnable[Any, Any]:
        return RunnableLambda(lambda value: (schema, kwargs, value.to_messages()[0].content))


def template(schema: Any = FORM) -> StructuredAdapterPromptTemplate:
    made = from_langchain(StructuredPrompt([("human", "How many boats, {who}?")], schema, method="json_schema"))
    assert isinstance(made, StructuredAdapterPromptTemplate)
    return made


@pytest.mark.parametrize("schema", [FORM, Verdict], ids=["JSON schema", "model"])
def test_a_chat_model_is_asked_for_the_form(schema: Any) -> None:
    model = Asked(messages=iter([AIMessage("x")]))
    expected = (schema, {"method": "json_schema"}, "How many boats, Ada?")
    assert (template(schema) | model).invoke({"who": "Ada"}) == expected
    assert template(schema).partial(who="Ada").pipe(model, RunnableLambda(lambda found: found)).invoke({}) == expected
    assert (template(schema) | RunnableLambda(lambda value: value.to_string())).invoke(
        "Ada"
    ) == "Human: How many boats, Ada?"


@pytest.mark.parametrize("schema", [FORM, Verdict], ids=["JSON schema", "model"])
def test_a_provider_is_asked_for_it_as_well(schema: Any) -> None:
    value = template(schema).invoke({"who": "Ada"})
    form = value.to_request("openai_style")["response_format"]["json_schema"]
    assert form["name"] == "Verdict"
    assert form["schema"]["properties"] == FORM["properties"]
    assert value.to_request("google_style")["config"]["response_json_schema"]["properties"] == FORM["properties"]


def test_it_is_kept() -> None:
    own = template()
    assert load(dumps(own)) == own
    assert pickle.loads(pickle.dumps(own)) == own
    assert load(dumps(template(Verdict))).schema_["properties"] == FORM["properties"]
    assert template(Verdict).schema_ is Verdict


def test_it_goes_back() -> None:
    back = to_langchain(template(Verdict))
    assert isinstance(back, StructuredPrompt)
    assert (back.schema_, back.structured_output_kwargs) == (Verdict, {"method": "json_schema"})
    assert back.metadata is None
    assert template(Verdict) == from_langchain(back)


@pytest.mark.parametrize("schema", [FORM, Verdict], ids=["JSON schema", "model"])
def test_a_template_for_one_model_asks_for_the_form(schema: Any) -> None:
    aimed = template(schema).for_model("openai/gpt-4o")
    model = Asked(messages=iter([AIMessage("x")]))
    expected = (schema, {"method": "json_schema"}, "How many boats, Ada?")
    assert (aimed | model).invoke("Ada") == expected
    assert aimed.pipe(model, lambda answer: answer[2]).invoke("Ada") == expected[2]
    assert ({"who": lambda _: "Ada"} | aimed | model).invoke({}) == expected
    assert aimed.format_request(who="Ada")["response_format"]["json_schema"]["schema"]["title"] == "Verdict"
    assert load(dumps(aimed)).schema_ == FORM


def test_only_a_form_is_asked_for() -> None:
    plain = AdapterPromptTemplate.from_template("{x}")
    model = Asked(messages=iter([AIMessage("x")]))
    assert (plain | model).invoke("1").content == "x"
