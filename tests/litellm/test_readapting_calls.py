"""What a call that may go on to another model does to the process, and each of its steps by itself."""

import asyncio
import gc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falling_back import CLAUDE, GEMINI, GPT, PDF, PROMPT, VALUES, fallbacks, heard, row
from managing import GREET
from prompt_adapters import Document, Image, Message, Prompt, ToolCall, ToolResult
from prompt_adapters.errors import PromptAdapterError, PromptNotFoundError
from prompt_adapters.litellm import LiteLLMBridge, completion
from prompt_adapters.litellm import readapting as module
from prompt_adapters.litellm.readapting import Readapted
from strategies import PNG

pytestmark = pytest.mark.usefixtures("own_callbacks")


def test_only_such_calls_register_a_manager_and_it_leaves_others_alone(
    litellm: Any, router: Any, provider: Any, backup: Any
) -> None:
    access = {"api_base": backup.url, "api_key": "fake"}
    completion(Prompt(user="Hi"), model=CLAUDE, **access)
    assert not [callback for callback in litellm.callbacks if "Readapter" in type(callback).__name__]
    LiteLLMBridge("main", router=router).completion(PROMPT, VALUES)
    LiteLLMBridge("main", router=router).completion(PROMPT, VALUES)
    assert [type(callback).__name__ for callback in litellm.callbacks].count("PromptReadapter") == 1
    marks = {"cache_control_injection_points": [{"location": "message", "role": "user"}]}
    for more in ({}, {"prompt_id": "somebody else's"}, marks):
        backup.reset()
        litellm.completion(model=CLAUDE, messages=[{"role": "user", "content": "Mine"}], **access, **more)
        (part,) = backup.call.body["messages"][0]["content"]
        assert part["text"] == "Mine"
        assert ("cache_control" in part) is (more is marks)


def test_managers_that_claim_everything_come_second(litellm: Any, router: Any, provider: Any, backup: Any) -> None:
    from litellm.integrations.custom_prompt_management import CustomPromptManagement

    class Greedy(CustomPromptManagement):
        def get_chat_completion_prompt(
            self, model: Any, messages: Any, non_default_params: Any, *_: Any, **__: Any
        ) -> Any:
            return model, [{"role": "user", "content": "greedy"}], non_default_params

    litellm.callbacks.append(Greedy())
    assert heard(LiteLLMBridge("main", router=router).completion(PROMPT, VALUES)) == "Hello"
    assert "greedy" not in str([provider.call.body, backup.call.body])


@pytest.mark.parametrize("first", ["the manager", "the bridge"])
async def test_an_unknown_prompt_is_still_an_error(
    first: str, litellm: Any, provider: Any, backup: Any, managed: Any, closing: None
) -> None:
    """As without such calls: LiteLLM asks the first manager for an id that nobody claims, and that is ours."""
    if first == "the manager":
        managed({"greet": GREET})
    LiteLLMBridge(GPT).completion(PROMPT, VALUES, **fallbacks(provider, backup))
    if first == "the bridge":
        managed({"greet": GREET})
    provider.reset()
    there = {"api_base": provider.url, "api_key": "fake", "messages": [{"role": "user", "content": "Mine"}]}
    router = litellm.Router(model_list=[row("main", GPT, provider)], num_retries=0)
    asked = {"prompt_id": "gret", "prompt_variables": {"name": "Ada"}}
    said = "prompt 'gret': there is no such prompt; did you mean 'greet'"
    with pytest.raises(PromptNotFoundError, match=said):
        litellm.completion(model=GPT, **there, **asked)
    with pytest.raises(PromptNotFoundError, match=said):
        await litellm.acompletion(model=GPT, **there, **asked)
    with pytest.raises(PromptNotFoundError, match=said):
        router.completion(model="main", messages=there["messages"], **asked)
    assert provider.calls == []
    litellm.completion(model=GPT, **there, **(asked | {"prompt_id": "greet"}))
    assert [message["content"] for message in provider.call.body["messages"]] == ["Be brief.", "Greet Ada.", "Mine"]


async def test_an_id_of_nobodys_comes_to_the_next_manager(
    litellm: Any, provider: Any, backup: Any, closing: None
) -> None:
    from litellm.integrations.custom_prompt_management import CustomPromptManagement

    seen: list[str] = []

    class Modest(CustomPromptManagement):
        def should_run_prompt_management(self, *_: Any, **__: Any) -> bool:
            return False

        def get_chat_completion_prompt(  # type: ignore[override]  # LiteLLM calls it by keywords
            self, **asked: Any
        ) -> Any:
            seen.append(f"sync {asked['prompt_id']}")
            return asked["model"], [{"role": "user", "content": "modest"}], asked["non_default_params"]

        async def async_get_chat_completion_prompt(  # type: ignore[override]  # LiteLLM calls it by keywords
            self, **asked: Any
        ) -> Any:
            seen.append(f"async {asked['prompt_id']}")
            asked["non_default_params"].pop("prompt_id")
            return asked["model"], [{"role": "user", "content": "modest"}], asked["non_default_params"]

    LiteLLMBridge(GPT).completion(PROMPT, VALUES, **fallbacks(provider, backup))
    litellm.callbacks.append(Modest())
    provider.reset()
    there = {"api_base": provider.url, "api_key": "fake", "messages": [{"role": "user", "content": "Mine"}]}
    litellm.completion(model=GPT, prompt_id="one", **there)
    await litellm.acompletion(model=GPT, prompt_id="two", **there)
    assert seen == ["sync one", "async two"]
    assert all(call.body["messages"] == [{"role": "user", "content": "modest"}] for call in provider.calls)


def test_arguments_of_a_call_that_is_over(litellm: Any, provider: Any) -> None:
    spent = LiteLLMBridge(GPT)._outgoing(PROMPT, VALUES, {"fallbacks": [CLAUDE]})
    assert spent.readapted is not None
    spent.readapted.begin(litellm)
    spent.readapted.end()
    with pytest.raises(PromptAdapterError, match="arguments of one call were used for another"):
        litellm.completion(**spent.request | {"fallbacks": None}, api_base=provider.url, api_key="fake")
    assert provider.calls == []


def test_a_call_that_fails_is_over(litellm: Any, router: Any, backup: Any) -> None:
    backup.status = 400
    with pytest.raises(litellm.InternalServerError):
        LiteLLMBridge("main", router=router).completion(PROMPT, VALUES)
    assert module._under_way == {}


def test_a_stream_ends_the_call_when_it_is_gone(litellm: Any) -> None:
    stream, call, other = (item for item in [1]), readapted(PROMPT, GPT), readapted(PROMPT, GPT)
    call.begin(litellm)
    other.begin(litellm)
    call.end_with(stream)
    other.end_with(["whole"])
    assert list(module._under_way) == [call.prompt_id]
    del stream
    gc.collect()
    assert module._under_way == {}


async def test_the_callers_notes_are_the_callers(litellm: Any, provider: Any, backup: Any, closing: None) -> None:
    seen: list[Any] = []

    class Keeps(litellm.integrations.custom_logger.CustomLogger):  # type: ignore[misc]  # LiteLLM is a fixture
        async def async_log_success_event(self, kwargs: Any, *_: Any, **__: Any) -> None:
            seen.append(kwargs["litellm_params"]["metadata"]["prompt_adapters"])

    litellm.callbacks.append(Keeps())
    mine = {"prompt_adapters": {"notes": ["mine"]}}
    bridge = LiteLLMBridge(GPT)
    await bridge.acompletion(PROMPT, VALUES, metadata=mine, **fallbacks(provider, backup))
    await bridge.acompletion(PROMPT, VALUES, **fallbacks(provider, backup))
    for _ in range(500):
        if len(seen) == 2:
            break
        await asyncio.sleep(0.01)
    assert mine == {"prompt_adapters": {"notes": ["mine"]}}
    assert seen[0] == {"notes": ["mine"]}
    assert "goes by its title" in seen[1]["notes"][-1]


# By itself


def readapted(prompt: Any, *models: str) -> Readapted:
    bridge = LiteLLMBridge(models[0])
    return Readapted(prompt, None, bridge._speaker, {}, {model: model for model in models})


TOOLS = (
    Message("system", "S"),
    Message("user", [Image(PNG), "look"]),
    Message("assistant", ["I look.", ToolCall("c1", "find", {"x": [1]})]),
    Message("tool", [ToolResult("c1", ["found", Image(PNG)])]),
    Message("user", "And?"),
)
MODELS = (CLAUDE, GEMINI, "vertex_ai/gemini-2.5-flash", "vertex_ai/claude-sonnet-4-5@20250929")


@pytest.mark.parametrize("begun", MODELS)
@pytest.mark.parametrize("other", MODELS)
@pytest.mark.parametrize("more", [0, 2])
def test_each_form_becomes_each_other(begun: str, other: str, more: int) -> None:
    call = readapted(TOOLS, begun)
    sent = call.first().request["messages"]
    after = [{"role": "assistant", "content": "so far"}, {"role": "user", "content": "go on"}][:more]
    there = call.messages_for(other, [*sent, *after])
    assert there == [*LiteLLMBridge(other).request(TOOLS)["messages"], *after]
    assert call.messages_for(begun, there) == [*sent, *after]


def test_messages_are_a_callers_own() -> None:
    call = readapted(TOOLS, CLAUDE)
    one = call.messages_for(CLAUDE, call.first().request["messages"])
    one[1]["content"].clear()
    assert call.messages_for(CLAUDE, call.first().request["messages"])[1]["content"]


@given(st.lists(st.sampled_from(["user", "assistant"]), max_size=5), st.text(max_size=5))
def test_what_is_not_of_the_call_is_never_swapped(roles: list[str], text: str) -> None:
    call = readapted((Message("user", [Document(PDF, title="T"), "look"]),), GPT)
    call.first()
    foreign = [{"role": role, "content": text} for role in roles]
    assert call.messages_for(GPT, foreign) == foreign
    with pytest.raises(PromptAdapterError, match="messages were changed"):
        call.messages_for(CLAUDE, foreign)
