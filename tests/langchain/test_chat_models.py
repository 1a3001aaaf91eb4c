"""From a chat model to what it speaks, and templates that are aimed at it."""

from collections.abc import Callable
from typing import Any

import pytest
from langchain_anthropic import ChatAnthropic
from langchain_aws import ChatBedrockConverse
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.runnables import ConfigurableField, RunnableLambda
from langchain_google_genai import ChatGoogleGenerativeAI
from langchain_mistralai import ChatMistralAI
from langchain_ollama import ChatOllama
from langchain_openai import AzureChatOpenAI, ChatOpenAI
from pydantic import SecretStr

from prompt_adapters import Audio, Image, Prompt, adapter_for, get_adapter
from prompt_adapters.errors import UnknownModelError, UnsupportedContentError
from prompt_adapters.langchain import (
    AdapterPromptTemplate,
    AdapterRunnable,
    AnthropicStylePromptTemplate,
    OpenAIStylePromptTemplate,
)
from prompt_adapters.langchain.chat_models import Target, target_of, targets_of
from prompt_adapters.langchain.shared import SharedPromptTemplate
from prompt_adapters.langchain.styles import STYLE_TEMPLATES, class_for

KEY = SecretStr("test")


def openai(model: str = "gpt-4o", **options: Any) -> ChatOpenAI:
    return ChatOpenAI(model=model, api_key=KEY, **options)


def anthropic() -> ChatAnthropic:
    return ChatAnthropic(model_name="claude-sonnet-4-5", api_key=KEY, timeout=None, stop=None)


def gemini() -> ChatGoogleGenerativeAI:
    return ChatGoogleGenerativeAI(model="gemini-2.5-flash", api_key=KEY)


def told(runnable: Any) -> Target | None:
    """The target, without what the model's profile says."""
    target = target_of(runnable)
    return target and target._replace(lacks=())


BEDROCK: dict[str, Any] = {"region_name": "us-east-1", "aws_access_key_id": KEY, "aws_secret_access_key": KEY}

MODELS: dict[str, Any] = {
    "OpenAI": (openai, Target("openai_style", "openai/gpt-4o")),
    "OpenAI Responses": (
        lambda: openai("gpt-5", use_responses_api=True), Target("openai_responses_style", "openai/responses/gpt-5")
    ),
    "a model that is for Responses": (
        lambda: openai("gpt-5-pro"), Target("openai_responses_style", "openai/responses/gpt-5-pro")
    ),
    "a tool that only Responses has": (
        lambda: openai("gpt-5").bind_tools([{"type": "web_search"}]).with_retry(),
        Target("openai_responses_style", "openai/responses/gpt-5"),
    ),
    "a tool": (
        lambda: openai().bind_tools([{"type": "function", "function": {"name": "f", "parameters": {}}}]),
        Target("openai_style", "openai/gpt-4o"),
    ),
    "Azure": (
        lambda: AzureChatOpenAI(
            azure_deployment="mine", azure_endpoint="http://127.0.0.1:9", api_version="1", api_key=KEY
        ),
        Target("openai_style", "azure/mine"),
    ),
    "another model for this call": (
        lambda: openai().bind(model="gpt-4o-mini"), Target("openai_style", "openai/gpt-4o-mini")
    ),
    "Anthropic": (anthropic, Target("anthropic_style", "anthropic/claude-sonnet-4-5")),
    "Gemini": (gemini, Target("google_style", "gemini/gemini-2.5-flash")),
    "Vertex AI": (
        lambda: ChatGoogleGenerativeAI(model="gemini-2.5-flash", api_key=KEY, vertexai=True),
        Target("google_style", "vertex_ai/gemini-2.5-flash"),
    ),
    "Bedrock": (
        lambda: ChatBedrockConverse(model="us.amazon.nova-pro-v1:0", **BEDROCK),
        Target("bedrock_style", "bedrock/us.amazon.nova-pro-v1:0"),
    ),
    "Mistral": (
        lambda: ChatMistralAI(model_name="mistral-large-latest", api_key=KEY),
        Target("mistral_style", "mistral/mistral-large-latest"),
    ),
    "Ollama": (lambda: ChatOllama(model="llava"), Target("ollama_style", "ollama/llava")),
}  # fmt: skip


@pytest.mark.parametrize(("make", "target"), MODELS.values(), ids=MODELS)
def test_a_chat_model_tells_its_target(make: Callable[[], Any], target: Target) -> None:
    model = make()
    template = AdapterPromptTemplate.from_template("{q}")
    assert told(model) == target
    aimed: Any = (template | model).first
    assert Target(aimed.style, aimed.model) == target
    assert aimed == template.pipe(model).first == template.for_model(model)
    if target.style != "litellm_style":
        assert aimed.model_copy(update={"lacks": ()}) == template.for_model(target.model or "")


WRAPPED: dict[str, Callable[[Any], Any]] = {
    "bound": lambda model: model.bind(stop=["x"]),
    "with_retry": lambda model: model.with_retry(),
    "with_config": lambda model: model.with_config(tags=["t"]),
    "with_fallbacks": lambda model: model.with_fallbacks([model]),
    "all of it": lambda model: model.bind(stop=["x"]).with_retry().with_fallbacks([model.with_config(tags=["t"])]),
    "before a parser": lambda model: model | StrOutputParser(),
}


@pytest.mark.parametrize("wrap", WRAPPED.values(), ids=WRAPPED)
def test_it_is_found_in_what_is_around_it(wrap: Callable[[Any], Any]) -> None:
    wrapped = wrap(anthropic())
    assert told(wrapped) == Target("anthropic_style", "anthropic/claude-sonnet-4-5")
    chain = AdapterPromptTemplate.from_template("{q}") | wrapped
    assert isinstance(chain.first, AnthropicStylePromptTemplate)


def test_for_model_takes_the_model_itself() -> None:
    template = AdapterPromptTemplate.from_template("{q}")
    assert template.for_model(gemini()) == template.for_model("gemini/gemini-2.5-flash")
    assert template.for_model(anthropic().bind(stop=["x"]).with_retry()) == template.for_model(anthropic())


def test_fallbacks_of_one_shape_leave_the_model_open() -> None:
    assert told(openai().with_fallbacks([openai("gpt-4o-mini")])) == Target("openai_style", None)


OPEN: dict[str, tuple[Any, list[Target]]] = {
    "temperature": (
        lambda: openai().configurable_fields(temperature=ConfigurableField(id="t")),
        [Target("openai_style", "openai/gpt-4o")],
    ),
    "OpenAI's model": (
        lambda: openai().configurable_fields(model_name=ConfigurableField(id="m")),
        [Target("openai_style", None), Target("openai_responses_style", None)],
    ),
    "OpenAI's API": (
        lambda: openai().configurable_fields(use_responses_api=ConfigurableField(id="r")).with_retry(),
        [Target("openai_style", None), Target("openai_responses_style", None)],
    ),
    "Anthropic's model": (
        lambda: anthropic().configurable_fields(model=ConfigurableField(id="m")), [Target("anthropic_style", None)]
    ),
    "alternatives": (
        lambda: openai().configurable_alternatives(ConfigurableField(id="w"), claude=anthropic()),
        [Target("openai_style", "openai/gpt-4o"), Target("anthropic_style", "anthropic/claude-sonnet-4-5")],
    ),
    "side by side": (
        lambda: {"a": openai(), "b": gemini().bind(stop=["x"])},
        [Target("openai_style", "openai/gpt-4o"), Target("google_style", "gemini/gemini-2.5-flash")],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("make", "targets"), OPEN.values(), ids=OPEN)
def test_everything_that_may_be_called_counts(make: Callable[[], Any], targets: list[Target]) -> None:
    found = targets_of(make())
    assert [target._replace(lacks=()) for target in found.known] == targets
    assert found.all_told
    chain = AdapterPromptTemplate.from_template("{q}") | make()
    assert isinstance(chain.first, SharedPromptTemplate if len(targets) > 1 else class_for(targets[0].style))


UNKNOWN: dict[str, Any] = {
    "a fake": FakeListChatModel(responses=["a"]),
    "a function": RunnableLambda(lambda value: value),
    "a request": AdapterRunnable("openai_style"),
}


@pytest.mark.parametrize("make", UNKNOWN.values(), ids=UNKNOWN)
def test_for_anything_else_messages_stay_portable(make: Any) -> None:
    other = make() if callable(make) and not hasattr(make, "invoke") else make
    template = AdapterPromptTemplate.from_template("{q}")
    assert target_of(other) is None
    assert (template | other).first is template
    assert template.pipe(other).first is template


def test_a_server_that_speaks_anothers_shape_is_told_by_its_package() -> None:
    class ChatElsewhere(ChatOpenAI):
        """As packages derive from langchain-openai for a provider of their own."""

        def _get_ls_params(self, stop: list[str] | None = None, **kwargs: Any) -> Any:
            return {"ls_provider": "elsewhere", "ls_model_name": "m"}

    assert target_of(ChatElsewhere(model="m", api_key=KEY)) is None


def test_messages_are_in_the_dialect_and_fitted(photo: Image, sound: Audio) -> None:
    template = AdapterPromptTemplate.from_template("{q} {thing}")
    first = (template | gemini()).first
    value = first.invoke({"q": "what?", "thing": photo})
    assert [block["type"] for block in value.to_messages()[0].content] == ["text", "media"]
    with pytest.raises(UnsupportedContentError, match="anthropic_style cannot take audio"):
        (template | anthropic()).invoke({"q": "what?", "thing": sound})
    assert first.invoke({"q": "what?", "thing": sound}).to_messages()[0].content[1]["type"] == "media"


def test_what_the_template_had_is_kept() -> None:
    template = AdapterPromptTemplate.from_messages(
        [("system", "{a}"), ("user", "{b}")], partial_variables={"a": "1"}, tags=["t"], metadata={"k": "v"}
    )
    aimed = template.for_model("anthropic/claude-opus-5", parameters={"max_tokens": 3})
    assert type(aimed) is AnthropicStylePromptTemplate
    assert (aimed.prompts, aimed.partial_variables, aimed.tags) == (template.prompts, {"a": "1"}, ["t"])
    assert aimed.metadata == template.metadata
    expected = adapter_for("anthropic/claude-opus-5", parameters={"max_tokens": 3}).build_request(
        Prompt(system="1", user="2")
    )
    assert aimed.format_request(b="2") == aimed.invoke({"b": "2"}).to_request() == expected
    assert (aimed + "c").model == "anthropic/claude-opus-5"


def test_the_model_is_the_one_that_is_asked_for() -> None:
    template = AdapterPromptTemplate.from_prompt(Prompt(user="q", model="openai/gpt-4o"))
    assert template.for_model("gemini/gemini-2.5-flash").format_request()["model"] == "gemini-2.5-flash"
    again = template.for_model("gemini/gemini-2.5-flash", on_limit="error").for_model("openai/gpt-4o-mini")
    assert (type(again), again.options) == (OpenAIStylePromptTemplate, {"on_limit": "error"})
    assert again.format_request()["model"] == "gpt-4o-mini"


def test_a_template_that_is_aimed_stays_so() -> None:
    template = OpenAIStylePromptTemplate.from_template("{q}")
    assert (template | anthropic()).first is template


WRONG: dict[str, tuple[Any, type[Exception], str]] = {
    "an unknown model": ("my-own-model", UnknownModelError, "cannot tell the provider of model 'my-own-model'"),
    "an unknown chat model": (FakeListChatModel(responses=["a"]), UnknownModelError, "'FakeListChatModel'"),
    "no model": (7, TypeError, "for_model takes a model string or a chat model, not int"),
}


@pytest.mark.parametrize(("model", "error", "reason"), WRONG.values(), ids=WRONG)
def test_what_tells_no_target_is_refused(model: Any, error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        AdapterPromptTemplate.from_template("{q}").for_model(model)


def test_an_option_that_does_not_exist_is_refused() -> None:
    with pytest.raises(TypeError, match="no option 'tempo'"):
        AdapterPromptTemplate.from_template("{q}").for_model("openai/gpt-4o", tempo=1)


def test_every_shape_has_a_class() -> None:
    styles = {target.style for _, target in MODELS.values()}
    assert {cls.style for cls in STYLE_TEMPLATES} == styles | {"cohere_style", "litellm_style"}
    expected = get_adapter("cohere_style").build_request(Prompt(user="q"))
    assert class_for("cohere_style").from_template("q").format_request() == expected
    with pytest.raises(KeyError, match="'robot_style'"):
        class_for("robot_style")
