"""Every way of calling and choosing that LangChain's Runnables have, for templates and for `AdapterRunnable`."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.runnables import (
    ConfigurableField,
    ConfigurableFieldSpec,
    Runnable,
    RunnableConfig,
    RunnableGenerator,
    RunnableLambda,
    RunnablePassthrough,
)

from prompt_adapters import Image
from prompt_adapters.errors import MissingVariableError, UnknownAdapterError, UnsupportedContentError
from prompt_adapters.langchain import AdapterRunnable
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
    "after a dictionary": lambda r, v: ({name: _item(name) for name in v} | r).invoke(v),
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


def _item(name: str) -> Any:
    return RunnableLambda(lambda given: given[name])


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
    lacking = {"tone": "kind", "word": "yes"} if "string" not in name_of(case) else {"tone": "kind"}
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
        lambda made: made.to_request()["config"]["temperature"] == 0.5,
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
        next(iter(runnable.batch_as_completed([refused], return_exceptions=True)))[1], UnsupportedContentError
    )
