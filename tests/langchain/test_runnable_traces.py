"""What LangChain's Runnables say of themselves, and what tracers see of them, for templates and for `AdapterRunnable`.

`astream_events` of version 3 is for chat models and compiled graphs: LangChain's core refuses it for every other
Runnable, its own prompts among them.
"""

import asyncio
import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.load import dumpd, dumps
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import (
    RunnableConfig,
    RunnableLambda,
    RunnablePassthrough,
)
from langchain_core.tracers.base import BaseTracer
from langchain_core.tracers.schemas import Run

from prompt_adapters import Image, Prompt
from prompt_adapters.errors import MissingVariableError
from prompt_adapters.langchain import AdapterRunnable, load
from runnable_cases import CASES, LANGCHAINS, PROMPT, Case, name_of, results, values_for


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    return CASES[request.param]


@pytest.fixture
def values(photo: Image) -> dict[str, Any]:
    return values_for(photo)


@pytest.fixture
def expected(case: Case, photo: Image) -> Any:
    return results(photo)[name_of(case)]


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
    names = ["word", "tone"] if "string" in name_of(case) else ["tone", "word", "photo"]
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
    assert runnable.get_output_jsonschema()["additionalProperties"] is True
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
    field = "style" if "adapter" in name_of(case) else "prompts"
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
    assert seen.count(payload) == (0 if "string" in name_of(case) else 1)
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
    theirs = ChatPromptTemplate([("human", "{word}")])
    for runnable in (theirs, case.make()):
        with pytest.raises(NotImplementedError, match="only supported on Runnable subclasses"):
            await runnable.astream_events(values, version="v3")


@LANGCHAINS
async def test_logs(case: Case, values: Any, expected: Any) -> None:
    state: Any = None
    async for patch in case.make().astream_log(values):
        state = patch if state is None else state + patch
    assert case.described(state.state["final_output"]) == expected
