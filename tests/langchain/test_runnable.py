"""`AdapterRunnable`: from any LangChain prompt to a provider's request."""

import asyncio
import copy
import pickle
import threading
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.prompt_values import StringPromptValue
from langchain_core.prompts import ChatPromptTemplate, PromptTemplate
from langchain_core.runnables import ConfigurableField, RunnableConfig, RunnableLambda, RunnablePassthrough
from langchain_core.tracers.base import BaseTracer
from langchain_core.tracers.schemas import Run

from prompt_adapters import (
    History,
    Image,
    Message,
    Prompt,
    adapter_for,
    get_adapter,
)
from prompt_adapters.errors import (
    MissingVariableError,
    PromptFormatError,
    UnknownAdapterError,
    UnknownModelError,
    UnsupportedContentError,
)
from prompt_adapters.langchain import AdapterPromptTemplate, AdapterRunnable

STYLES = ("openai_style", "anthropic_style", "google_style")
MESSAGES = (Message("system", "s"), Message("user", "q"))
OPENAI = {"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "q"}]}
LANGCHAIN = [SystemMessage("s"), HumanMessage("q")]
WORD = Prompt(system="s", user="{{ word }}")
ALONE = {"messages": [{"role": "user", "content": "q"}]}


@pytest.fixture
def runnable() -> AdapterRunnable:
    return AdapterRunnable("openai_style")


INPUTS: dict[str, tuple[Any, Any]] = {
    "our prompt value": (AdapterPromptTemplate.from_messages([("system", "s"), "q"]).invoke({}), OPENAI),
    "their prompt value": (ChatPromptTemplate([("system", "s"), "q"]).invoke({}), OPENAI),
    "a string prompt value": (StringPromptValue(text="q"), ALONE),
    "messages": (LANGCHAIN, OPENAI),
    "a tuple of messages": (tuple(LANGCHAIN), OPENAI),
    "dictionaries": ([{"role": "system", "content": "s"}, {"role": "user", "content": "q"}], OPENAI),
    "pairs": ([("system", "s"), ("human", "q")], OPENAI),
    "messages of this package": (list(MESSAGES), OPENAI),
    "mixed": ([SystemMessage("s"), "q"], OPENAI),
    "a message": (HumanMessage("q"), ALONE),
    "a message of this package": (Message("user", "q"), ALONE),
    "a dictionary": ({"role": "user", "content": "q"}, ALONE),
    "a pair": (("user", "q"), ALONE),
    "a text": ("q", ALONE),
    "a prompt": (Prompt(system="s", user="q"), OPENAI),
    "a state": ({"messages": LANGCHAIN}, OPENAI),
    "a state of LangGraph's agents": (
        {
            "messages": LANGCHAIN,
            "remaining_steps": 24,
            "is_last_step": False,
            "jump_to": None,
            "structured_response": None,
        },
        OPENAI,
    ),
    "a state of dictionaries": ({"messages": [{"role": "system", "content": "s"}, ("user", "q")]}, OPENAI),
}


@pytest.mark.parametrize(("value", "expected"), INPUTS.values(), ids=INPUTS)
async def test_an_input_becomes_a_request(value: Any, expected: Any, runnable: AdapterRunnable) -> None:
    assert runnable.invoke(value) == expected
    assert await runnable.ainvoke(value) == expected


WRONG: dict[str, Any] = {
    "a number": 7,
    "none": None,
    "variables without a prompt": {"q": "x"},
    "bytes": b"q",
}


@pytest.mark.parametrize("value", WRONG.values(), ids=WRONG)
def test_another_input_is_refused_by_name(value: Any, runnable: AdapterRunnable) -> None:
    for call in (runnable.invoke, lambda given: asyncio.run(runnable.ainvoke(given))):
        with pytest.raises(TypeError, match="AdapterRunnable takes a prompt value, messages") as caught:
            call(value)
        assert type(value).__name__ in str(caught.value)
        assert ("bind the prompt with prompt=" in str(caught.value)) == isinstance(value, dict)


@pytest.mark.parametrize("value", [{"messages": LANGCHAIN, "question": "q"}, {"messages": [], "a": 0}], ids=repr)
def test_a_state_that_says_more_is_refused(value: Any, runnable: AdapterRunnable) -> None:
    with pytest.raises(TypeError, match=r"not dict with '(question|a)' beside its messages; give the messages alone"):
        runnable.invoke(value)


def test_with_a_bound_prompt_messages_are_a_variable() -> None:
    runnable = AdapterRunnable("openai_style", prompt=Prompt(messages=[History("messages"), ("user", "{{ q }}")]))
    assert runnable.invoke({"messages": LANGCHAIN[:1], "q": "q"}) == OPENAI


def test_what_is_no_message_is_refused_by_number(runnable: AdapterRunnable) -> None:
    with pytest.raises(PromptFormatError, match="message 2 is int"):
        runnable.invoke([HumanMessage("q"), 7])


# Chains


@pytest.mark.parametrize("style", STYLES)
def test_any_langchain_prompt_leads_into_it(style: str, photo_url: str, photo: Image) -> None:
    block = {"type": "image_url", "image_url": {"url": "{photo}"}}
    prompt = ChatPromptTemplate([("system", "s"), ("human", [{"type": "text", "text": "{q}"}, block])])
    seen: list[Any] = []
    chain = prompt | AdapterRunnable(style) | RunnableLambda(seen.append)
    chain.invoke({"q": "what?", "photo": photo_url})
    messages = (Message("system", "s"), Message("user", ["what?", photo]))
    assert seen == [get_adapter(style).build_request(messages)]


@pytest.mark.parametrize("style", STYLES)
def test_a_template_of_ours_leads_into_it_whole(style: str, photos: list[Image]) -> None:
    prompt = Prompt(system="s", user="{{ q }} {{ photos }}", parameters={"max_tokens": 3})
    values = {"q": "what?", "photos": photos}
    chain = AdapterPromptTemplate.from_prompt(prompt) | AdapterRunnable(style)
    assert chain.invoke(values) == get_adapter(style).build_request(prompt, values)


def test_a_string_prompt_leads_into_it(runnable: AdapterRunnable) -> None:
    assert (PromptTemplate.from_template("{q}") | runnable).invoke({"q": "q"}) == ALONE


VALUES = {"word": "q"}


def bound() -> AdapterRunnable:
    return AdapterRunnable("openai_style", prompt=Prompt(system="s", user="{{ word }}"))


MORE: dict[Any, Any] = {**VALUES, "other": 1, 7: "no name"}

WAYS: dict[str, Callable[[Any], Any]] = {
    "invoke": lambda chain: chain.invoke(VALUES),
    "extra keys": lambda chain: chain.invoke(MORE),
    "a bare value": lambda chain: chain.invoke("q"),
    "batch": lambda chain: chain.batch([VALUES])[0],
    "batch_as_completed": lambda chain: next(iter(chain.batch_as_completed([VALUES])))[1],
    "stream": lambda chain: list(chain.stream(VALUES))[0],  # noqa: RUF015 - all of the stream is read
    "transform": lambda chain: list(chain.transform(iter([VALUES])))[0],  # noqa: RUF015 - all of the stream is read
    "ainvoke": lambda chain: asyncio.run(chain.ainvoke(VALUES)),
    "abatch": lambda chain: asyncio.run(chain.abatch([VALUES]))[0],
    "with_config": lambda chain: chain.with_config(tags=["t"]).invoke(VALUES),
    "with_retry": lambda chain: chain.with_retry().invoke(VALUES),
    "bind": lambda chain: chain.bind().invoke(VALUES),
    "map": lambda chain: chain.map().invoke([VALUES])[0],
    "pick": lambda chain: {"messages": chain.pick("messages").invoke(VALUES)},
    "assign": lambda chain: RunnablePassthrough.assign(request=chain).invoke(VALUES)["request"],
    "as_tool": lambda chain: chain.as_tool(name="t", description="d").invoke(VALUES),
}


@pytest.mark.filterwarnings("ignore::langchain_core._api.LangChainBetaWarning")
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_every_way_of_calling_gives_the_same(way: Callable[[Any], Any]) -> None:
    assert way(bound()) == OPENAI


async def test_it_streams_as_async_too() -> None:
    assert [request async for request in bound().astream(VALUES)] == [OPENAI]


def test_a_fallback_takes_over(sound: Any) -> None:
    chain = AdapterRunnable("anthropic_style").with_fallbacks([AdapterRunnable("google_style")])
    assert chain.invoke(Message("user", sound))["contents"]


def test_many_threads_at_once() -> None:
    found = bound().batch([{"word": str(n)} for n in range(64)], {"max_concurrency": 16})
    assert [request["messages"][1]["content"] for request in found] == [str(n) for n in range(64)]


def test_a_batch_has_the_threads_of_langchain_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    def started(runnable: Any, *, config: RunnableConfig) -> int:
        found: list[threading.Thread] = []

        def counted(thread: threading.Thread) -> None:
            found.append(thread)
            start(thread)

        monkeypatch.setattr(threading.Thread, "start", counted)
        runnable.batch([{"word": str(n)} for n in range(6)], config)
        monkeypatch.setattr(threading.Thread, "start", start)
        return len(found)

    start = threading.Thread.start
    assert started(AdapterRunnable("openai_style", prompt=WORD), config={"max_concurrency": 1}) == 1
    assert 0 < started(AdapterRunnable("openai_style", prompt=WORD), config={"max_concurrency": 3}) <= 3


async def test_an_abatch_has_the_tasks_of_langchain_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    async def tasks(runnable: Any) -> list[str]:
        made: list[str] = []

        def counted(loop: asyncio.AbstractEventLoop, work: Any, **more: Any) -> asyncio.Task[Any]:
            made.append(work.__qualname__)
            return asyncio.Task(work, loop=loop, **more)

        loop = asyncio.get_running_loop()
        loop.set_task_factory(counted)
        try:
            await runnable.abatch([{"word": str(n)} for n in range(6)])
        finally:
            loop.set_task_factory(None)
        return made

    async def alone(value: Any) -> Any:
        return value

    def refused(thread: threading.Thread) -> None:
        raise AssertionError(f"{thread} was started")

    theirs = await tasks(RunnableLambda(alone))
    monkeypatch.setattr(threading.Thread, "start", refused)
    ours = await tasks(AdapterRunnable("openai_style", prompt=WORD))
    assert 0 < len(ours) <= len(theirs)


# A bound prompt


def test_a_bound_prompt_takes_media_and_histories(photo: Image, photo_url: str) -> None:
    prompt = Prompt(messages=[History("h"), ("user", ["{{ q }}", {"type": "image", "variable": "photo"}])])
    values = {"h": [HumanMessage("a"), AIMessage("b")], "q": "c", "photo": photo}
    expected = get_adapter("google_style").build_request(prompt, values)
    runnable = AdapterRunnable("google_style", prompt=prompt)
    assert runnable.invoke(values) == expected
    data = {"base64": photo_url.partition(",")[2]}
    assert asyncio.run(runnable.ainvoke({**values, "photo": data})) == expected


def test_a_bound_prompt_needs_its_variables() -> None:
    with pytest.raises(MissingVariableError) as caught:
        bound().invoke({})
    assert caught.value.names == ("word",)
    runnable = AdapterRunnable("openai_style", prompt=Prompt(user="{{ a }}{{ b }}"))
    with pytest.raises(TypeError, match="takes a dictionary with 'a', 'b', not AIMessage"):
        runnable.invoke(AIMessage("x"))


def test_extra_keys_may_be_forbidden() -> None:
    runnable = AdapterRunnable("openai_style", prompt=Prompt(user="{{ word }}"), extra="forbid")
    with pytest.raises(KeyError, match="wrod"):
        runnable.invoke({"word": "x", "wrod": "y"})


def test_blocks_are_separated_as_asked(photos: list[Image]) -> None:
    prompt = Prompt(user=[{"type": "image", "variable": "a"}, {"type": "image", "variable": "b"}])
    values = {"a": photos[0], "b": photos[1]}
    chosen: list[dict[str, Any]] = [{}, {"separators": {("image", "image"): " | "}}]
    for options in chosen:
        expected = get_adapter("openai_style", **options).build_request(prompt, values)
        assert AdapterRunnable("openai_style", prompt=prompt, **options).invoke(values) == expected


# Which adapter


def test_a_model_chooses_the_style_and_is_bound() -> None:
    runnable = AdapterRunnable(model="anthropic/claude-opus-5")
    assert runnable.invoke("q") == adapter_for("anthropic/claude-opus-5").build_request(Message("user", "q"))
    assert runnable.adapter.style == "anthropic_style"


def test_a_style_takes_a_model_as_well() -> None:
    assert AdapterRunnable("anthropic_style", model="anthropic/claude-opus-5").invoke("q")["model"] == "claude-opus-5"
    assert AdapterRunnable("openai_style", model="my-deployment").invoke("q")["model"] == "my-deployment"
    assert (
        AdapterRunnable("openai_style", model="anthropic/claude-opus-5").invoke("q")["model"]
        == "anthropic/claude-opus-5"
    )


def test_a_bound_prompt_may_name_the_model() -> None:
    runnable = AdapterRunnable(prompt=Prompt(user="{{ q }}", model="gemini/gemini-2.5-flash"))
    assert runnable.invoke({"q": "q"})["model"] == "gemini-2.5-flash"


def test_a_prompts_model_of_another_shape_is_not_bound() -> None:
    prompt = Prompt(user="{{ q }}", model="anthropic/claude-opus-5")
    expected = get_adapter("openai_style").build_request(prompt, q="q")
    assert AdapterRunnable("openai_style", prompt=prompt).invoke({"q": "q"}) == expected == ALONE


def test_options_reach_the_adapter() -> None:
    runnable = AdapterRunnable("openai_style", parameters={"temperature": 0.5}, unknown_parameters="drop")
    assert runnable.invoke("q")["temperature"] == 0.5
    options: dict[str, Any] = {"parameters": {"seed": 1}}
    runnable = AdapterRunnable("openai_style", options=options)
    options["parameters"]["seed"] = 2
    assert runnable.invoke("q")["seed"] == 1
    assert runnable.options == {"parameters": {"seed": 1}}


@pytest.mark.parametrize(
    ("make", "error", "reason"),
    [
        (
            lambda: AdapterRunnable("anthropic/claude-sonnet-4-5"),
            UnknownAdapterError,
            r"did you mean \"AdapterRunnable\(model='anthropic/claude-sonnet-4-5'\)\"",
        ),
        (lambda: AdapterRunnable("gpt-4o"), UnknownAdapterError, r"did you mean \"AdapterRunnable\(model='gpt-4o'\)\""),
        (lambda: AdapterRunnable("gogle_style"), UnknownAdapterError, "did you mean 'google_style'"),
        (lambda: AdapterRunnable(model="my-own-model"), UnknownModelError, "cannot tell the provider"),
        (lambda: AdapterRunnable(), TypeError, "say what the requests are for"),
        (lambda: AdapterRunnable("openai_style", tempo=1), TypeError, "no option 'tempo'"),
        (lambda: AdapterRunnable("openai_style", on_limit="maybe"), ValueError, "on_limit is one of"),
        (lambda: AdapterRunnable("openai_style", prompt=7), TypeError, "prompt= takes a Prompt, not int"),  # type: ignore[arg-type]  # the point of the test
    ],
    ids=[
        "a routed model",
        "a model",
        "style",
        "model",
        "nothing",
        "option",
        "choice",
        "prompt",
    ],
)
def test_a_mistake_shows_when_it_is_made(make: Callable[[], object], error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        make()


def test_what_the_provider_cannot_take_is_refused(sound: Any) -> None:
    with pytest.raises(UnsupportedContentError, match="anthropic_style cannot take audio"):
        AdapterRunnable("anthropic_style").invoke(Message("user", sound))


def test_style_and_model_are_configurable() -> None:
    runnable = AdapterRunnable("openai_style", parameters={"max_tokens": 3}).configurable_fields(
        style=ConfigurableField(id="style"), model=ConfigurableField(id="model")
    )
    assert runnable.invoke("q") == {
        **ALONE,
        **get_adapter("openai_style", parameters={"max_tokens": 3}).build_request(Message("user", "q")),
    }
    config: RunnableConfig = {"configurable": {"style": "anthropic_style", "model": "claude-x"}}
    assert runnable.invoke("q", config) == {**ALONE, "model": "claude-x", "max_tokens": 3}
    chain = AdapterRunnable("openai_style").configurable_alternatives(
        ConfigurableField(id="to"), default_key="openai", google=AdapterRunnable("google_style")
    )
    assert "contents" in chain.invoke("q", {"configurable": {"to": "google"}})


# What it says of itself, and what traces see


def test_schemas() -> None:
    assert bound().get_input_jsonschema()["required"] == ["word"]
    assert AdapterRunnable("openai_style").get_input_jsonschema()["anyOf"]
    assert AdapterRunnable("openai_style").get_output_jsonschema()["type"] == "object"
    assert bound().get_name() == "AdapterRunnable"
    assert "prompt" in AdapterRunnable.model_json_schema()["properties"]
    assert AdapterRunnable("openai_style", name="mine").get_name() == "mine"
    assert "AdapterRunnable" in (bound() | RunnableLambda(str)).get_graph().draw_mermaid()


@pytest.mark.filterwarnings("ignore::langchain_core._api.LangChainBetaWarning")
def test_it_survives_copies_pickles_and_dumps() -> None:
    from langchain_core.load import dumpd, load

    runnable = AdapterRunnable("openai_style", prompt=Prompt(user="{{ word }}"), parameters={"seed": 1})
    allowed: dict[str, Any] = {"allowed_objects": [AdapterRunnable], "valid_namespaces": ["prompt_adapters"]}
    for twin in (pickle.loads(pickle.dumps(runnable)), copy.deepcopy(runnable), load(dumpd(runnable), **allowed)):
        assert twin == runnable
        assert hash(twin) == hash(runnable)
        assert twin.invoke(VALUES) == runnable.invoke(VALUES)
    with pytest.raises(ValueError, match="frozen"):
        runnable.style = "google_style"


class Tracer(BaseTracer):
    def __init__(self) -> None:
        super().__init__()
        self.runs: list[Run] = []

    def _persist_run(self, run: Run) -> None:
        self.runs.append(run)


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_traces_see_it_and_hold_media_once(mode: str, photo: Image) -> None:
    from langsmith._internal._serde import dumps_json

    large = Image(photo.as_bytes() + bytes(500))
    payload = large.as_data_url().partition(",")[2].encode()
    chain = AdapterPromptTemplate.from_template("{q} {photo}") | AdapterRunnable("openai_style")
    tracer = Tracer()
    config: Any = {"callbacks": [tracer], "tags": ["mine"]}
    values = {"q": "what?", "photo": large}
    request = chain.invoke(values, config) if mode == "sync" else asyncio.run(chain.ainvoke(values, config))
    (run,) = tracer.runs
    prompt, adapter = run.child_runs
    assert (prompt.run_type, adapter.name, adapter.tags) == ("prompt", "AdapterRunnable", ["seq:step:2", "mine"])
    assert adapter.outputs == request
    assert dumps_json({"in": adapter.inputs, "out": adapter.outputs}).count(payload) == 1
    assert b"what?" in dumps_json(adapter.inputs)
    assert dumps_json({"in": prompt.inputs, "out": prompt.outputs, "self": prompt.serialized}).count(payload) == 1


def test_errors_are_traced_too(runnable: AdapterRunnable) -> None:
    tracer = Tracer()
    with pytest.raises(TypeError):
        runnable.invoke(7, {"callbacks": [tracer]})
    assert "AdapterRunnable takes" in str(tracer.runs[0].error)


async def test_events_show_input_and_request() -> None:
    events = [event async for event in bound().astream_events(VALUES, version="v2")]
    assert events[0]["data"]["input"] == VALUES
    assert events[-1]["data"]["output"] == OPENAI


def test_inputs_are_not_changed(photo_url: str, runnable: AdapterRunnable) -> None:
    messages = [HumanMessage([{"type": "image_url", "image_url": {"url": photo_url}}])]
    before = copy.deepcopy(messages)
    request = runnable.invoke(messages)
    request["messages"][0]["content"].clear()
    assert messages == before
