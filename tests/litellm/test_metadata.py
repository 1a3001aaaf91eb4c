"""Which prompt made a call is told to LiteLLM's loggers, and to no provider."""

import asyncio
import copy
import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from prompt_adapters import Document, Message, Prompt
from prompt_adapters.litellm import LiteLLMBridge, completion
from prompt_adapters.litellm.metadata import identity, is_named, notes_in, with_identity

PDF = b"%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF"
PROMPT = Prompt(user="Read {{ paper }}", name="reader", version="3")
VALUES = {"paper": Document(PDF, name="a.pdf", title="T")}
GPT, CLAUDE, GEMINI = "openai/gpt-4o", "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash"
NOTE = "message 1 (user), part 2: the title 'T' is not sent"
SOON = 5.0

Log = tuple[Any, Any]


@pytest.fixture
def logs(litellm: Any, monkeypatch: pytest.MonkeyPatch) -> list[Log]:
    """What a logger of LiteLLM's sees: the metadata of the call, and those in the standard payload."""
    from litellm.integrations.custom_logger import CustomLogger

    seen: list[Log] = []

    class Keeps(CustomLogger):
        def log_success_event(self, kwargs: Any, response_obj: Any, start_time: Any, end_time: Any) -> None:
            self.keep(kwargs)

        async def async_log_success_event(self, kwargs: Any, response_obj: Any, start_time: Any, end_time: Any) -> None:
            self.keep(kwargs)

        def log_failure_event(self, kwargs: Any, response_obj: Any, start_time: Any, end_time: Any) -> None:
            self.keep(kwargs)

        def keep(self, kwargs: Any) -> None:
            told = kwargs["litellm_params"]["metadata"]
            seen.append((copy.deepcopy(told), copy.deepcopy(kwargs["standard_logging_object"]["metadata"])))

    for name in ("callbacks", "input_callback", "success_callback", "failure_callback"):
        monkeypatch.setattr(litellm, name, [])
    for name in ("_async_success_callback", "_async_failure_callback"):
        monkeypatch.setattr(litellm, name, [])
    litellm.callbacks.append(Keeps())
    return seen


def seen(logs: list[Log]) -> Log:
    """The first log; loggers run in a thread of their own."""
    until = time.monotonic() + SOON
    while not logs:
        assert time.monotonic() < until, "nothing was logged"
        time.sleep(0.01)
    return logs[0]


async def aseen(logs: list[Log]) -> Log:
    return await asyncio.to_thread(seen, logs)


def access(provider: Any, **more: Any) -> dict[str, Any]:
    return {"api_base": provider.url, "api_key": "fake", "max_retries": 0, **more}


def check(log: Log) -> None:
    told, standard = log
    said = told["prompt_adapters"]
    assert {key: said[key] for key in ("name", "version", "digest")} == {
        "name": "reader",
        "version": "3",
        "digest": PROMPT.digest,
    }
    assert any(note.startswith(NOTE) for note in said["notes"]), said["notes"]
    assert json.loads(json.dumps(said)) == said
    assert standard["prompt_management_metadata"] == {
        "prompt_id": "reader",
        "prompt_variables": None,
        "prompt_integration": "prompt_adapters",
    }


WAYS: dict[str, Callable[[Any], Any]] = {
    "completion": lambda provider: LiteLLMBridge(GPT).completion(PROMPT, VALUES, **access(provider)),
    "stream": lambda provider: list(LiteLLMBridge(GPT).stream(PROMPT, VALUES, **access(provider))),
    "batch": lambda provider: LiteLLMBridge(GPT).batch_completion(PROMPT, [VALUES], **access(provider)),
    "function": lambda provider: completion(PROMPT, model=GPT, variables=VALUES, **access(provider)),
    "responses": lambda provider: LiteLLMBridge(GPT).responses(PROMPT, VALUES, **access(provider)),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_loggers_see_the_prompt_and_the_provider_does_not(way: Any, logs: list[Log], provider: Any) -> None:
    way(provider)
    check(seen(logs))
    assert PROMPT.digest not in str(provider.call.body)
    assert "metadata" not in provider.call.body


async def _acompletion(bridge: LiteLLMBridge, more: dict[str, Any]) -> None:
    await bridge.acompletion(PROMPT, VALUES, **more)


async def _astream(bridge: LiteLLMBridge, more: dict[str, Any]) -> None:
    assert [chunk async for chunk in bridge.astream(PROMPT, VALUES, **more)]


async def _aresponses(bridge: LiteLLMBridge, more: dict[str, Any]) -> None:
    await bridge.aresponses(PROMPT, VALUES, **more)


async def _abatch(bridge: LiteLLMBridge, more: dict[str, Any]) -> None:
    await bridge.abatch_completion(PROMPT, [VALUES], **more)


@pytest.mark.parametrize("way", [_acompletion, _astream, _aresponses, _abatch], ids=lambda way: way.__name__)
async def test_loggers_see_it_asynchronously(way: Any, logs: list[Log], provider: Any, closing: None) -> None:
    await way(LiteLLMBridge(GPT), access(provider))
    check(await aseen(logs))
    assert "metadata" not in provider.call.body


async def test_native_routes_tell_it_as_well(logs: list[Log], provider: Any, closing: None) -> None:
    await LiteLLMBridge(CLAUDE).anthropic_messages(PROMPT, VALUES, max_tokens=9, **access(provider))
    assert (await aseen(logs))[0]["prompt_adapters"]["digest"] == PROMPT.digest
    assert "metadata" not in provider.call.body
    logs.clear()
    await LiteLLMBridge(GEMINI).agenerate_content(PROMPT, VALUES, **access(provider))
    assert (await aseen(logs))[0]["prompt_adapters"]["digest"] == PROMPT.digest
    assert PROMPT.digest not in str(provider.calls[-1].body)


@pytest.mark.parametrize(
    "model", [GPT, CLAUDE, GEMINI, "groq/llama-3.3-70b-versatile", "litellm_proxy/mine", "azure/mine", "xai/grok-4"]
)
@pytest.mark.parametrize("preview", [False, True])
def test_no_provider_gets_it(
    model: str, preview: bool, litellm: Any, logs: list[Log], provider: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even where LiteLLM is told to pass metadata on to OpenAI, which takes texts only."""
    monkeypatch.setattr(litellm, "enable_preview_features", preview)
    more = {"api_version": "2024-10-21"} if model.startswith("azure") else {}
    LiteLLMBridge(model).completion(
        Prompt(user="Hi", name="reader"), metadata={"team": "a"}, **access(provider, **more)
    )
    assert not {"reader", "prompt_adapters"} & set(str(provider.call.body).split("'"))
    assert provider.call.body.get("metadata", {"team": "a"}) == {"team": "a"}
    assert seen(logs)[0]["prompt_adapters"]["name"] == "reader"


def test_the_callers_metadata_win_and_stay(logs: list[Log], provider: Any) -> None:
    mine: dict[str, Any] = {"trace": {"id": 1}, "prompt_adapters": {"notes": ["mine"]}}
    before = copy.deepcopy(mine)
    LiteLLMBridge(GPT).completion(PROMPT, VALUES, metadata=mine, **access(provider))
    told = seen(logs)[0]
    assert (told["trace"], told["prompt_adapters"]) == ({"id": 1}, {"notes": ["mine"]})
    assert told["prompt_management_metadata"]["prompt_id"] == "reader"
    assert mine == before


def test_failures_are_told_too(litellm: Any, logs: list[Log], provider: Any) -> None:
    provider.status = 400
    with pytest.raises(litellm.BadRequestError):
        LiteLLMBridge(GPT).completion(PROMPT, VALUES, **access(provider))
    check(seen(logs))


def test_after_a_fallback_the_notes_are_those_of_the_other_model(litellm: Any, logs: list[Log], provider: Any) -> None:
    spare = type(provider)()
    provider.status = 500
    rows = [
        {"model_name": alias, "litellm_params": {"model": model, "api_base": server.url, "api_key": "fake"}}
        for alias, model, server in (("main", GPT, provider), ("spare", CLAUDE, spare))
    ]
    router = litellm.Router(model_list=rows, fallbacks=[{"main": ["spare"]}], num_retries=0)
    mine = {"prompt_adapters": {"notes": ["mine"]}}
    LiteLLMBridge("main", router=router).completion(PROMPT, VALUES, max_tokens=9)
    LiteLLMBridge("main", router=router).completion(PROMPT, VALUES, metadata=mine, max_tokens=9)
    spare.close()
    until = time.monotonic() + SOON
    while sum("spare" in told["model_group"] for told, _ in logs) < 2:
        assert time.monotonic() < until
        time.sleep(0.01)
    answered = [told for told, _ in logs if told["model_group"] == "spare"]
    assert sorted(told["prompt_adapters"].get("digest", "") for told in answered) == ["", PROMPT.digest]
    for told in answered:
        notes = told["prompt_adapters"]["notes"]
        assert notes == ["mine"] or ("its title 'T'" in notes[-1] and not notes[-1].startswith(NOTE))


# By itself


def test_a_request_tells_of_prompts_that_are_called_something() -> None:
    bridge = LiteLLMBridge(GPT)
    assert "metadata" not in bridge.request(Prompt(user="Hi"))
    assert bridge.request(Prompt(user="Hi", version="1"))["metadata"]["prompt_adapters"]["version"] == "1"
    assert bridge.request(PROMPT, VALUES, metadata={"a": 1})["metadata"]["a"] == 1


@pytest.mark.parametrize(
    ("prompt", "said", "managed"),
    [
        (Prompt(user="Hi"), {"digest", "notes"}, True),
        (Prompt(user="Hi", name="n"), {"name", "digest", "notes"}, True),
        (Prompt(user="Hi", version="1"), {"version", "digest", "notes"}, True),
        ((Message("user", "Hi"),), {"notes"}, False),
    ],
    ids=["unnamed", "named", "version", "messages"],
)
def test_what_is_said(prompt: Any, said: set[str], managed: bool) -> None:
    told = identity(prompt, ["n"])
    assert set(told["prompt_adapters"]) == said
    assert ("prompt_management_metadata" in told) is managed
    if managed:
        assert told["prompt_management_metadata"]["prompt_id"] == (prompt.name or prompt.digest)
    assert is_named(prompt) is bool({"name", "version"} & said)


def test_metadata_that_are_none_or_no_mapping() -> None:
    told = {"a": 1}
    assert with_identity({"metadata": None, "x": 1}, told) == {"metadata": {"a": 1}, "x": 1}
    assert with_identity({"metadata": "odd"}, told) == {"metadata": "odd"}
    assert with_identity({"metadata": {"m": 1}}, told, "litellm_metadata") == {
        "metadata": {"m": 1},
        "litellm_metadata": {"a": 1},
    }


@pytest.mark.parametrize("metadata", [None, "odd", {}, {"prompt_adapters": None}, {"prompt_adapters": {"notes": "n"}}])
def test_no_notes_to_write_to(metadata: Any) -> None:
    assert notes_in(metadata) is None
