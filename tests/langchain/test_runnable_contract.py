"""Everything that LangChain's Runnables can do, for templates and for `AdapterRunnable`; each with real results.

`astream_events` of version 3 is for chat models and compiled graphs: LangChain's core refuses it for every other
Runnable, its own prompts among them.
"""

import asyncio
import copy
import json
import pickle
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.load import dumpd, dumps
from langchain_core.prompts import ChatPromptTemplate, PromptTemplate
from langchain_core.runnables import (
    ConfigurableField,
    ConfigurableFieldSpec,
    Runnable,
    RunnableConfig,
    RunnableGenerator,
    RunnableLambda,
    RunnablePassthrough,
)
from langchain_core.tracers.base import BaseTracer
from langchain_core.tracers.schemas import Run

from prompt_adapters import Image, Message, Prompt, get_adapter
from prompt_adapters.errors import MissingVariableError, UnknownAdapterError, UnsupportedContentError
from prompt_adapters.langchain import (
    AdapterPromptTemplate,
    AdapterRunnable,
    AdapterStringPromptTemplate,
    GoogleStylePromptTemplate,
    load,
)

PROMPT = Prompt(system="Be {{ tone }}.", user="{{ word }} {{ photo }}", name="judge", version="v3")
TEXT = Prompt(user="{{ word }}, {{ tone }}")
# LangChain warns of functions of its own that are in beta, or that it has given up.
LANGCHAINS = pytest.mark.filterwarnings(
    "ignore::langchain_core._api.LangChainBetaWarning", "ignore::langchain_core._api.LangChainDeprecationWarning"
)


class Case(NamedTuple):
    """One class.

    Attributes:
        make: Makes the Runnable.
        kind: What tracers call it.
        described: A result as data that can be compared with ``==``.
        schema: The title of its output's schema.
    """

    make: Callable[..., Any]
    kind: str
    described: Callable[[Any], Any]
    schema: str


def messages(value: Any) -> Any:
    return [(message.type, message.content) for message in value.to_messages()]


CASES: dict[str, Case] = {
    "template": Case(
        lambda **fields: AdapterPromptTemplate.from_prompt(PROMPT, **fields), "prompt", messages, "AdapterPromptValue"
    ),
    "template of a style": Case(
        lambda **fields: GoogleStylePromptTemplate.from_prompt(PROMPT, **fields), "prompt", messages, "AdapterPromptValue"
    ),
    "adapter": Case(
        lambda **fields: AdapterRunnable("openai_style", prompt=PROMPT, **fields), "chain", lambda made: made, "AdapterRunnableOutput"
    ),
    "string template": Case(
        lambda **fields: AdapterStringPromptTemplate.from_prompt(TEXT, **fields), "prompt", lambda made: made.to_string(), "AdapterStringPromptTemplateOutput"
    ),
}  # fmt: skip


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    return CASES[request.param]


@pytest.fixture
def values(photo: Image) -> dict[str, Any]:
    return {"tone": "kind", "word": "yes", "photo": photo, "more": 1}


@pytest.fixture
def expected(case: Case, photo: Image) -> Any:
    """The result, from the prompt alone."""
    return _results(photo)[_name_of(case)]


def _name_of(case: Case) -> str:
    return next(name for name, other in CASES.items() if other is case)


def _results(photo: Image) -> dict[str, Any]:
    given = (Message("system", "Be kind."), Message("user", ["yes ", photo]))
    text = {"type": "text", "text": "yes "}
    data = photo.as_data_url().partition(",")[2]
    return {
        "template": [
            ("system", "Be kind."),
            ("human", [text, {"type": "image_url", "image_url": {"url": photo.as_data_url()}}]),
        ],
        "template of a style": [
            ("system", "Be kind."),
            ("human", [text, {"type": "media", "mime_type": "image/png", "data": data}]),
        ],
        "adapter": get_adapter("openai_style").build_request(given),
        "string template": "yes, kind",
    }


WAYS: dict[str, Callable[[Any, Any], Any]] = {
    "invoke": lambda r, v: r.invoke(v),
    "batch": lambda r, v: r.batch([v, v])[1],
    "batch_as_completed": lambda r, v: dict(r.batch_as_completed([v, v]))[1],
    "stream": lambda r, v: _only(list(r.stream(v))),
    "transform": lambda r, v: _only(list(r.transform(iter([v])))),
    "with_config": lambda r, v: r.with_config(tags=["t"], run_name="n", configurable={"a": 1}).invoke(v),
    "with_retry": lambda r, v: r.with_retry(stop_after_attempt=2).invoke(v),
    "with_fallbacks": lambda r, v: r.with_fallbacks([r]).invoke(v),
    "with_listeners": lambda r, v: r.with_listeners(on_end=lambda run: None).invoke(v),
    "with_types": lambda r, v: r.with_types(input_type=dict).invoke(v),
    "bind": lambda r, v: r.bind().invoke(v),
    "map": lambda r, v: r.map().invoke([v, v])[1],
    "assign": lambda r, v: RunnablePassthrough.assign(made=r).invoke(v)["made"],
    "pick": lambda r, v: ({"made": r, "other": RunnableLambda(len)} | RunnablePassthrough()).pick("made").invoke(v),
    "pipe": lambda r, v: r.pipe(RunnableLambda(lambda made: made)).invoke(v),
    "after a function": lambda r, v: (RunnableLambda(lambda given: given) | r).invoke(v),
    "after a dictionary": lambda r, v: ({name: RunnableLambda(lambda g, n=name: g[n]) for name in v} | r).invoke(v),
    "after a generator": lambda r, v: (RunnableGenerator(_parts) | r).invoke(v),
    "as_tool": lambda r, v: r.as_tool(name="t", description="d").invoke(v),
}
ASYNC_WAYS: dict[str, Callable[[Any, Any], Any]] = {
    "ainvoke": lambda r, v: r.ainvoke(v),
    "abatch": lambda r, v: _second(r.abatch([v, v])),
    "abatch_as_completed": lambda r, v: _completed(r.abatch_as_completed([v, v])),
    "astream": lambda r, v: _streamed(r.astream(v)),
    "atransform": lambda r, v: _streamed(r.atransform(_stream_of(v))),
    "with_retry": lambda r, v: r.with_retry().ainvoke(v),
    "with_fallbacks": lambda r, v: r.with_fallbacks([r]).ainvoke(v),
    "map": lambda r, v: _second(r.map().ainvoke([v, v])),
    "pipe": lambda r, v: (r | RunnableLambda(lambda made: made)).ainvoke(v),
    "as_tool": lambda r, v: r.as_tool(name="t", description="d").ainvoke(v),
}


def _parts(parts: Iterator[Any]) -> Iterator[Any]:
    yield from parts


def _only(items: list[Any]) -> Any:
    (item,) = items
    return item


async def _second(made: Any) -> Any:
    return (await made)[1]


async def _completed(made: Any) -> Any:
    return {number: result async for number, result in made}[1]


async def _streamed(made: Any) -> Any:
    return _only([item async for item in made])


async def _stream_of(value: Any) -> Any:
    yield value


@LANGCHAINS
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_every_way_of_calling(way: Callable[[Any, Any], Any], case: Case, values: Any, expected: Any) -> None:
    before = dict(values)
    assert case.described(way(case.make(), values)) == expected
    assert values == before


@LANGCHAINS
@pytest.mark.parametrize("way", ASYNC_WAYS.values(), ids=ASYNC_WAYS)
async def test_every_way_of_awaiting(way: Callable[[Any, Any], Any], case: Case, values: Any, expected: Any) -> None:
    assert case.described(await way(case.make(), values)) == expected


# Errors, retries and fallbacks


def test_a_failure_in_a_batch_is_returned_in_its_place(case: Case, values: Any, expected: Any) -> None:
    results = case.make().batch([values, {"tone": "kind"}, values], return_exceptions=True)
    assert isinstance(results[1], MissingVariableError)
    assert "word" in str(results[1])
    assert [case.described(results[n]) for n in (0, 2)] == [expected, expected]


async def test_a_failure_is_raised_in_every_way(case: Case, values: Any) -> None:
    lacking = {"tone": "kind", "photo": values["photo"]}
    runnable = case.make()
    for call in (runnable.invoke, lambda v: list(runnable.stream(v)), lambda v: runnable.batch([v])):
        with pytest.raises(MissingVariableError, match="word"):
            call(lacking)
    for start in (runnable.ainvoke, lambda v: _streamed(runnable.astream(v)), lambda v: runnable.abatch([v])):
        with pytest.raises(MissingVariableError, match="word"):
            await start(lacking)


def test_it_is_called_again_and_then_somebody_else(case: Case, values: Any, expected: Any) -> None:
    tries: list[int] = []

    def sometimes(given: Any) -> Any:
        tries.append(1)
        if len(tries) < 3:
            raise ValueError("not yet")
        return given

    chain = (RunnableLambda(sometimes) | case.make()).with_retry(stop_after_attempt=3, wait_exponential_jitter=False)
    assert case.described(chain.invoke(values)) == expected
    assert len(tries) == 3
    lacking = {"tone": "kind", "word": "yes"} if "string" not in _name_of(case) else {"tone": "kind"}
    fallback = case.make().with_fallbacks([RunnableLambda(lambda _: "instead")], exceptions_to_handle=(KeyError,))
    assert fallback.invoke(lacking) == "instead"


# Choosing at run time


class Choice(NamedTuple):
    make: Callable[[], Runnable[Any, Any]]
    chosen: dict[str, Any]
    usual: Callable[[Any], Any]
    other: Callable[[Any], Any]


def _contents(made: Any) -> Any:
    return sorted(made)


CHOICES: dict[str, Choice] = {
    "a template's partial variables": Choice(
        lambda: CASES["template"].make().partial(tone="kind").configurable_fields(
            partial_variables=ConfigurableField(id="given")
        ),
        {"given": {"tone": "firm"}},
        lambda made: made.to_messages()[0].content == "Be kind.",
        lambda made: made.to_messages()[0].content == "Be firm.",
    ),
    "a template's options": Choice(
        lambda: CASES["template of a style"].make().configurable_fields(
            options=ConfigurableField(id="options"), model=ConfigurableField(id="model")
        ),
        {"options": {"parameters": {"temperature": 0.5}}, "model": "gemini/gemini-2.5-flash"},
        lambda made: "model" not in made.to_request(),
        lambda made: (made.to_request()["model"], made.to_request()["config"]["temperature"]) == ("gemini-2.5-flash", 0.5),
    ),
    "an adapter's style": Choice(
        lambda: CASES["adapter"].make().configurable_fields(style=ConfigurableField(id="style")),
        {"style": "google_style"},
        lambda made: _contents(made) == ["messages"],
        lambda made: _contents(made) == ["config", "contents"],
    ),
    "an adapter's model": Choice(
        lambda: CASES["adapter"].make().configurable_fields(
            style=ConfigurableField(id="style"), model=ConfigurableField(id="model")
        ),
        {"style": "anthropic_style", "model": "anthropic/claude-opus-5"},
        lambda made: "model" not in made,
        lambda made: made["model"] == "claude-opus-5" and made["system"] == "Be kind.",
    ),
    "a string template's partial variables": Choice(
        lambda: CASES["string template"].make().partial(tone="kind").configurable_fields(
            partial_variables=ConfigurableField(id="given")
        ),
        {"given": {"tone": "firm"}},
        lambda made: made.to_string() == "yes, kind",
        lambda made: made.to_string() == "yes, firm",
    ),
}  # fmt: skip


@pytest.mark.parametrize("choice", CHOICES.values(), ids=CHOICES)
async def test_fields_can_be_configured(choice: Choice, values: Any) -> None:
    runnable = choice.make()
    given = {name: value for name, value in values.items() if name != "tone" or "adapter" in str(choice.make())}
    config: RunnableConfig = {"configurable": choice.chosen}
    given = {**given, "tone": "kind"} if "tone" in runnable.get_input_jsonschema().get("required", []) else given
    assert choice.usual(runnable.invoke(given))
    assert choice.other(runnable.invoke(given, config))
    assert choice.other(await runnable.ainvoke(given, config))
    assert choice.other(runnable.with_config(config).batch([given])[0])
    assert {spec.id for spec in runnable.config_specs} >= set(choice.chosen)
    assert all(isinstance(spec, ConfigurableFieldSpec) for spec in runnable.config_specs)


BAD: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "a style that does not exist": ({"style": "gogle_style"}, UnknownAdapterError, "did you mean 'google_style'"),
    "a model in the place of a style": ({"style": "gpt-4o"}, UnknownAdapterError, "AdapterRunnable"),
    "a style that is no text": ({"style": 7}, UnknownAdapterError, "no adapter is called '7'"),
    "a model that is no text": ({"model": 7}, TypeError, "model"),
}


@pytest.mark.parametrize(("chosen", "error", "said"), BAD.values(), ids=BAD)
def test_a_bad_choice_is_an_error_that_says_so(chosen: Any, error: type[Exception], said: str, values: Any) -> None:
    runnable = CASES["adapter"].make().configurable_fields(
        style=ConfigurableField(id="style"), model=ConfigurableField(id="model")
    )  # fmt: skip
    with pytest.raises(error, match=said) as caught:
        runnable.invoke(values, {"configurable": chosen})
    assert "\n" not in str(caught.value)


def test_alternatives_can_be_chosen(case: Case, values: Any, expected: Any) -> None:
    runnable = case.make().configurable_alternatives(
        ConfigurableField(id="which"), default_key="ours", other=RunnableLambda(lambda _: "other")
    )
    assert case.described(runnable.invoke(values)) == expected
    assert runnable.invoke(values, {"configurable": {"which": "other"}}) == "other"
    assert case.described(runnable.invoke(values, {"configurable": {"which": "ours"}})) == expected


# What it says of itself


def test_names_and_graphs(case: Case) -> None:
    runnable = case.make()
    assert runnable.get_name() == type(runnable).__name__
    assert runnable.get_name("Input") == f"{type(runnable).__name__}Input"
    assert case.make(name="mine").get_name() == "mine"
    chain = runnable | RunnableLambda(str)
    graph = chain.get_graph()
    assert type(runnable).__name__ in graph.draw_mermaid()
    assert len(graph.nodes) == 4
    assert [node.name for node in runnable.get_graph().nodes.values()][1] == type(runnable).__name__


def test_prompts_are_found_in_chains() -> None:
    template = CASES["template"].make()
    text = CASES["string template"].make()
    assert (template | RunnableLambda(str)).get_prompts() == [template]
    assert {type(p) for p in ({"a": template, "b": text} | RunnableLambda(str)).get_prompts()} <= {
        type(template), type(text)
    }  # fmt: skip
    assert (AdapterRunnable("openai_style") | RunnableLambda(str)).get_prompts() == []


def test_schemas(case: Case, values: Any, expected: Any) -> None:
    runnable = case.make()
    schema = runnable.get_input_jsonschema()
    names = ["word", "tone"] if "string" in _name_of(case) else ["tone", "word", "photo"]
    assert (schema["required"], sorted(schema["properties"])) == (names, sorted(names))
    checked = runnable.get_input_schema()(**{name: values[name] for name in names})
    assert case.described(runnable.invoke(checked.model_dump())) == expected
    assert runnable.get_output_jsonschema()["title"] == case.schema
    assert runnable.input_schema.model_json_schema() == schema
    assert runnable.config_schema().model_json_schema()["type"] == "object"


def test_an_adapter_without_a_prompt_describes_messages() -> None:
    runnable = AdapterRunnable("openai_style")
    schema = runnable.get_input_jsonschema()
    assert {
        "AdapterRunnableState",
        "StringPromptValue",
        "ChatPromptValueConcrete",
        "HumanMessage",
        "ToolMessage",
    } <= set(schema["$defs"])
    assert runnable.get_output_jsonschema() == {"title": "AdapterRunnableOutput", "type": "object", "additionalProperties": True}  # fmt: skip
    state = {"messages": [{"type": "human", "content": "q"}]}
    described: Any = runnable.get_input_schema()
    read = described.model_validate_json(json.dumps(state))
    assert runnable.invoke(read.root) == {"messages": [{"role": "user", "content": "q"}]}
    value = ChatPromptTemplate([("human", "{q}")]).invoke({"q": "q"})
    for given in (value, value.to_messages(), state, Prompt(user="q"), "q"):
        assert described.model_validate(given).root is given


# Copies


def test_copies_pickles_and_dumps(case: Case, values: Any, expected: Any) -> None:
    runnable = case.make()
    runnable.invoke(values)  # what is cached by a call is no part of it
    twins = [copy.copy(runnable), copy.deepcopy(runnable), pickle.loads(pickle.dumps(runnable))]
    twins += [load(dumpd(runnable)), load(dumps(runnable))]
    for twin in twins:
        assert type(twin) is type(runnable)
        assert twin == runnable
        assert hash(twin) == hash(runnable)
        assert case.described(twin.invoke(values)) == expected
    chain = pickle.loads(pickle.dumps(runnable | RunnablePassthrough()))
    assert case.described(chain.invoke(values)) == expected
    assert case.described(load(dumpd(runnable | RunnablePassthrough())).invoke(values)) == expected


def test_it_cannot_be_changed(case: Case) -> None:
    runnable = case.make()
    field = "style" if "adapter" in _name_of(case) else "prompts"
    with pytest.raises(ValueError, match="frozen"):
        setattr(runnable, field, None)


# Tracing


class Tracer(BaseTracer):
    def __init__(self) -> None:
        super().__init__()
        self.runs: list[Run] = []

    def _persist_run(self, run: Run) -> None:
        self.runs.append(run)


@pytest.mark.parametrize("mode", ["sync", "async", "batch", "stream"])
def test_a_tracer_sees_it(mode: str, case: Case, values: Any, expected: Any) -> None:
    tracer = Tracer()
    config: RunnableConfig = {
        "callbacks": [tracer], "tags": ["theirs"], "metadata": {"user": 7}, "run_name": "mine"
    }  # fmt: skip
    runnable = case.make()
    calls: dict[str, Callable[[], Any]] = {
        "sync": lambda: runnable.invoke(values, config),
        "async": lambda: asyncio.run(runnable.ainvoke(values, config)),
        "batch": lambda: runnable.batch([values], config),
        "stream": lambda: list(runnable.stream(values, config)),
    }
    calls[mode]()
    (run,) = tracer.runs
    assert (run.name, run.run_type, run.tags, run.error) == ("mine", case.kind, ["theirs"], None)
    assert run.extra["metadata"]["user"] == 7
    output = run.outputs if case.kind == "chain" else (run.outputs or {})["output"]
    assert case.described(output) == expected


def test_tags_and_metadata_of_a_template_are_traced(values: Any) -> None:
    tracer = Tracer()
    for name in ("template", "template of a style"):
        template = CASES[name].make(tags=["ours"], metadata={"team": "a"})
        template.invoke(values, {"callbacks": [tracer], "tags": ["theirs"]})
        run = tracer.runs.pop()
        assert set(run.tags or []) == {"ours", "theirs"}
        identity = {"team": "a", "prompt_name": "judge", "prompt_version": "v3", "prompt_digest": PROMPT.digest}
        assert identity.items() <= run.extra["metadata"].items()


def test_errors_are_traced(case: Case) -> None:
    tracer = Tracer()
    with pytest.raises(MissingVariableError):
        case.make().invoke({}, {"callbacks": [tracer]})
    assert "word" in str(tracer.runs[0].error)


def test_listeners_hear_it(case: Case, values: Any) -> None:
    heard: list[str] = []
    runnable = case.make().with_listeners(
        on_start=lambda run: heard.append(f"start {run.name}"), on_end=lambda run: heard.append(f"end {run.name}")
    )
    runnable.invoke(values)
    assert heard == [f"{when} {type(case.make()).__name__}" for when in ("start", "end")]


def test_media_are_held_once_in_a_trace(case: Case, values: Any) -> None:
    from langsmith._internal._serde import dumps_json

    large = Image(values["photo"].as_bytes() + bytes(900))
    payload = large.as_data_url().partition(",")[2].encode()
    tracer = Tracer()
    chain = case.make() | RunnableLambda(lambda made: len(str(made)))
    chain.invoke({**values, "photo": large}, {"callbacks": [tracer]})
    (run,) = tracer.runs
    own = run.child_runs[0]
    seen = dumps_json({"in": own.inputs, "out": own.outputs, "self": own.serialized, "extra": own.extra})
    assert seen.count(payload) == (0 if "string" in _name_of(case) else 1)
    assert dumps_json({"in": run.inputs, "self": run.serialized}).count(payload) == 0


# Events


@LANGCHAINS
@pytest.mark.parametrize("version", ["v1", "v2"])
async def test_events(version: Any, case: Case, values: Any, expected: Any) -> None:
    events: list[Any] = [event async for event in case.make().astream_events(values, version=version)]
    kinds = [event["event"] for event in events]
    assert kinds[0] == f"on_{case.kind}_start"
    assert kinds[-1] == f"on_{case.kind}_end"
    assert case.described(events[-1]["data"]["output"]) == expected
    assert {event["name"] for event in events} == {type(case.make()).__name__}
    given = events[0]["data"]["input"]
    assert (given["tone"], given["word"]) == ("kind", "yes")
    chunks = [event["data"]["chunk"] for event in events if event["event"].endswith("_stream")]
    assert [case.described(chunk) for chunk in chunks] in ([], [expected])


async def test_events_within_a_chain(case: Case, values: Any, expected: Any) -> None:
    chain = case.make() | RunnableLambda(lambda made: made)
    events = [e async for e in chain.astream_events(values, version="v2", include_types=[case.kind])]
    ends = [e for e in events if e["event"] == f"on_{case.kind}_end" and e["name"] == type(case.make()).__name__]
    assert [case.described(event["data"]["output"]) for event in ends] == [expected]


async def test_events_of_the_third_version_are_for_models_and_graphs(case: Case, values: Any) -> None:
    theirs = ChatPromptTemplate([("human", "{word}")]) if "string" not in _name_of(case) else PromptTemplate.from_template("{word}")  # fmt: skip
    for runnable in (theirs, case.make()):
        with pytest.raises(NotImplementedError, match="only supported on Runnable subclasses"):
            await runnable.astream_events(values, version="v3")


@LANGCHAINS
async def test_logs(case: Case, values: Any, expected: Any) -> None:
    state: Any = None
    async for patch in case.make().astream_log(values):
        state = patch if state is None else state + patch
    assert case.described(state.state["final_output"]) == expected


# Many at once


def test_32_threads_at_once(case: Case, values: Any, expected: Any) -> None:
    runnable = case.make()
    gate = threading.Barrier(32)

    def call(number: int) -> Any:
        gate.wait(timeout=20)
        word = f"yes-{number % 4}"
        return word, case.described(runnable.invoke({**values, "word": word}))

    with ThreadPoolExecutor(32) as pool:
        found = list(pool.map(call, range(32)))
    plain = str(expected)
    assert all(str(made) == plain.replace("yes", word) for word, made in found)
    handler = BaseCallbackHandler()
    made = runnable.batch(
        [{**values, "word": str(n)} for n in range(64)], {"max_concurrency": 32, "callbacks": [handler]}
    )
    assert [str(case.described(one)) for one in made] == [plain.replace("yes", str(n)) for n in range(64)]


def test_what_a_provider_cannot_take_is_refused_in_every_way(values: Any, sound: Any) -> None:
    runnable = AdapterRunnable("anthropic_style", prompt=PROMPT)
    refused = {**values, "photo": sound}
    results = runnable.batch([refused, values], return_exceptions=True)
    assert isinstance(results[0], UnsupportedContentError)
    assert results[1]["system"] == "Be kind."
    assert isinstance(
        list(runnable.batch_as_completed([refused], return_exceptions=True))[0][1], UnsupportedContentError
    )  # noqa: RUF015 - there is one
