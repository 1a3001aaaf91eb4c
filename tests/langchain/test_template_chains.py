"""`AdapterPromptTemplate` in chains, in every way of calling."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.language_models.fake import FakeListLLM
from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel, GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.runnables import (
    ConfigurableField,
    RunnableConfig,
    RunnableLambda,
    RunnableParallel,
    RunnablePassthrough,
)

from prompt_adapters import Image, Prompt
from prompt_adapters.langchain import AdapterPromptTemplate, AdapterPromptValue

Texts = list[tuple[str, str]]
SAID: Texts = [("system", "Be kind."), ("human", "Say yes.")]
VALUES = {"tone": "kind", "word": "yes"}
# LangChain warns of functions of its own that are in beta.
BETA = pytest.mark.filterwarnings("ignore::langchain_core._api.LangChainBetaWarning")


def texts(messages: Any) -> Texts:
    found = messages.to_messages() if hasattr(messages, "to_messages") else messages
    return [(m.type, m.content) for m in found]


def test_a_chat_model_answers_it(template: AdapterPromptTemplate) -> None:
    chain = template | FakeMessagesListChatModel(responses=[AIMessage("hello")]) | StrOutputParser()
    assert chain.invoke(VALUES) == "hello"
    assert chain.batch([VALUES, VALUES]) == ["hello", "hello"]


def test_a_completion_model_answers_it(template: AdapterPromptTemplate) -> None:
    assert (template | FakeListLLM(responses=["hello"])).invoke(VALUES) == "hello"


async def test_it_streams_through_a_chat_model(template: AdapterPromptTemplate) -> None:
    chain = template | GenericFakeChatModel(messages=iter([AIMessage("one two"), AIMessage("one two")]))
    assert "".join(str(chunk.content) for chunk in chain.stream(VALUES)) == "one two"
    assert "".join([str(chunk.content) async for chunk in chain.astream(VALUES)]) == "one two"


MORE: dict[Any, Any] = {**VALUES, "other": 1, 7: "no name"}

WAYS: dict[str, Callable[[Any], Any]] = {
    "invoke": lambda chain: chain.invoke(VALUES),
    "batch": lambda chain: chain.batch([VALUES])[0],
    "batch_as_completed": lambda chain: next(iter(chain.batch_as_completed([VALUES])))[1],
    "stream": lambda chain: list(chain.stream(VALUES))[0],  # noqa: RUF015 - all of the stream is read
    "transform": lambda chain: list(chain.transform(iter([VALUES])))[0],  # noqa: RUF015 - all of the stream is read
    "ainvoke": lambda chain: asyncio.run(chain.ainvoke(VALUES)),
    "abatch": lambda chain: asyncio.run(chain.abatch([VALUES]))[0],
    "with_config": lambda chain: chain.with_config(tags=["t"], run_name="n").invoke(VALUES),
    "with_retry": lambda chain: chain.with_retry().invoke(VALUES),
    "with_fallbacks": lambda chain: chain.with_fallbacks([template_of("x")]).invoke(VALUES),
    "bind": lambda chain: chain.bind().invoke(VALUES),
    "map": lambda chain: chain.map().invoke([VALUES])[0],
    "pick and assign": lambda chain: (RunnablePassthrough.assign(word=lambda _: "yes") | chain).invoke(
        {"tone": "kind"}
    ),
    "as a branch": lambda chain: (RunnableParallel(said=chain) | RunnableLambda(lambda found: found["said"])).invoke(
        VALUES
    ),
    "extra keys": lambda chain: chain.invoke(MORE),
}


def template_of(text: str) -> AdapterPromptTemplate:
    return AdapterPromptTemplate.from_template(text)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_every_way_of_calling_gives_the_same_value(way: Callable[[Any], Any], template: AdapterPromptTemplate) -> None:
    value = way(template)
    assert isinstance(value, AdapterPromptValue)
    assert texts(value) == SAID
    assert value == template.invoke(VALUES)


def test_a_fallback_takes_over_when_a_variable_is_missing() -> None:
    chain = template_of("{missing}").with_fallbacks([template_of("instead")])
    assert texts(chain.invoke({})) == [("human", "instead")]


async def test_events_show_the_prompt_and_its_value(template: AdapterPromptTemplate) -> None:
    events = [event async for event in template.astream_events(VALUES, version="v2")]
    assert [event["event"] for event in events] == ["on_prompt_start", "on_prompt_end"]
    assert texts(events[-1]["data"]["output"]) == SAID


async def test_the_value_in_events_is_the_value_itself(photo: Image) -> None:
    template = AdapterPromptTemplate.from_template("{q} {photo}")
    events = [event async for event in template.astream_events({"q": "q", "photo": photo}, version="v2")]
    value = events[-1]["data"]["output"]
    assert type(value) is AdapterPromptValue
    assert value == template.invoke({"q": "q", "photo": photo})
    assert value.native[0].parts[1] == photo


def test_tags_and_metadata_reach_callbacks() -> None:
    from langchain_core.tracers.base import BaseTracer
    from langchain_core.tracers.schemas import Run

    class Tracer(BaseTracer):
        def __init__(self) -> None:
            super().__init__()
            self.runs: list[Run] = []

        def _persist_run(self, run: Run) -> None:
            self.runs.append(run)

    tracer = Tracer()
    prompt = Prompt(user="{{ x }}", name="judge", version="v3")
    template = AdapterPromptTemplate.from_prompt(prompt, tags=["ours"], metadata={"team": "a"})
    template.invoke({"x": "1"}, {"callbacks": [tracer], "tags": ["theirs"]})
    (run,) = tracer.runs
    assert run.run_type == "prompt"
    assert {"ours", "theirs"} <= set(run.tags or [])
    expected = {"team": "a", "prompt_name": "judge", "prompt_version": "v3", "prompt_digest": prompt.digest}
    assert expected.items() <= run.extra["metadata"].items()


def test_metadata_of_the_prompt_are_told_anew() -> None:
    named = AdapterPromptTemplate.from_prompt(Prompt(user="{{ x }}", name="judge"))
    for other in ("f {{ y }}" + named, named + AdapterPromptTemplate.from_template("{z}")):
        assert other.metadata is not None
        assert other.metadata["prompt_name"] == "judge"
        assert other.metadata["prompt_digest"] != named.metadata["prompt_digest"]  # type: ignore[index]  # it has them
    unnamed = AdapterPromptTemplate.from_template("{z}") + named
    assert "prompt_name" not in (unnamed.metadata or {})


def test_fields_can_be_configured(template: AdapterPromptTemplate) -> None:
    chain = template.partial(tone="kind").configurable_fields(partial_variables=ConfigurableField(id="given"))
    assert texts(chain.invoke({"word": "yes"})) == SAID
    config: RunnableConfig = {"configurable": {"given": {"tone": "firm"}}}
    assert texts(chain.invoke({"word": "yes"}, config)) == [("system", "Be firm."), SAID[1]]


@BETA
def test_it_serves_as_a_tool(template: AdapterPromptTemplate) -> None:
    tool = template.as_tool(name="prompt", description="says it")
    assert texts(tool.invoke(VALUES)) == SAID
