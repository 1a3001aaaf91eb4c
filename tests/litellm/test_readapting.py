"""A call that goes on to another provider's model takes the prompt there in that provider's form."""

import asyncio
import gc
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from falling_back import AT_ANTHROPIC, AT_OPENAI, CLAUDE, GEMINI, GPT, PROMPT, VALUES, fallbacks, heard, pieces, row
from prompt_adapters import Prompt, Video
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.litellm import LiteLLMBridge, acompletion, completion
from prompt_adapters.litellm import readapting as module

pytestmark = pytest.mark.usefixtures("own_callbacks")


def arrived(provider: Any, backup: Any) -> None:
    """Each provider got the prompt in its own form, whole."""
    assert provider.calls
    assert all(call.body["messages"] == AT_OPENAI for call in provider.calls)
    assert backup.call.body["messages"] == AT_ANTHROPIC
    assert backup.call.body["system"] == [{"type": "text", "text": "Be brief."}]
    assert {provider.calls[0].body["max_tokens"], backup.call.body["max_tokens"]} == {9}
    if module._under_way:  # a stream is gone when the collector has come by, which takes a while here
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # LiteLLM lets go of clients with open sockets
            gc.collect()
    assert module._under_way == {}


Way = Callable[[Any], str]
WAYS: dict[str, Way] = {
    "bridge": lambda router: heard(LiteLLMBridge("main", router=router).completion(PROMPT, VALUES)),
    "router of a call": lambda router: heard(
        LiteLLMBridge(GPT).completion(PROMPT, VALUES, router=router, model="main")
    ),
    "function": lambda router: heard(completion(PROMPT, model="main", variables=VALUES, router=router)),
    "stream": lambda router: pieces(LiteLLMBridge("main", router=router).stream(PROMPT, VALUES)),
    "stream=True": lambda router: pieces(
        completion(PROMPT, model="main", variables=VALUES, router=router, stream=True)
    ),
    "batch": lambda router: heard(LiteLLMBridge("main", router=router).batch_completion(PROMPT, [VALUES])[0]),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_router_falls_back(way: Way, router: Any, provider: Any, backup: Any) -> None:
    assert way(router) == "Hello"
    arrived(provider, backup)


async def _astream(router: Any) -> str:
    return pieces([chunk async for chunk in LiteLLMBridge("main", router=router).astream(PROMPT, VALUES)])


async def _astream_true(router: Any) -> str:
    chunks = await acompletion(PROMPT, model="main", variables=VALUES, router=router, stream=True)
    return pieces([chunk async for chunk in chunks])


async def _abatch(router: Any) -> str:
    return heard((await LiteLLMBridge("main", router=router).abatch_completion(PROMPT, [VALUES]))[0])


async def _acompletion(router: Any) -> str:
    return heard(await LiteLLMBridge("main", router=router).acompletion(PROMPT, VALUES))


@pytest.mark.parametrize("way", [_acompletion, _astream, _astream_true, _abatch], ids=lambda way: way.__name__)
async def test_a_router_falls_back_asynchronously(
    way: Any, router: Any, provider: Any, backup: Any, closing: None
) -> None:
    assert await way(router) == "Hello"
    arrived(provider, backup)


def test_litellms_own_fallbacks(provider: Any, backup: Any) -> None:
    assert heard(completion(PROMPT, model=GPT, variables=VALUES, **fallbacks(provider, backup))) == "Hello"
    arrived(provider, backup)


async def test_litellms_own_fallbacks_asynchronously(provider: Any, backup: Any, closing: None) -> None:
    answer = await acompletion(PROMPT, model=GPT, variables=VALUES, **fallbacks(provider, backup))
    assert heard(answer) == "Hello"
    arrived(provider, backup)


def test_one_alias_with_several_providers(litellm: Any, provider: Any, backup: Any) -> None:
    """Where calls are spread over providers, each call goes out in the form of the one that gets it."""
    rows = [row("both", GPT, provider), row("both", CLAUDE, backup)]
    bridge = LiteLLMBridge("both", router=litellm.Router(model_list=rows, num_retries=0))
    for _ in range(12):
        assert heard(bridge.completion(PROMPT, VALUES)) == "Hello"
    assert len(provider.calls) + len(backup.calls) == 12
    assert all(call.body["messages"] == AT_OPENAI for call in provider.calls)
    assert all(call.body["messages"] == AT_ANTHROPIC for call in backup.calls)


def test_provider_beside_the_model(litellm: Any, provider: Any, backup: Any) -> None:
    provider.status = 500
    rows = [
        row("main", "my-model", provider, custom_llm_provider="openai"),
        row("spare", "claude-mine", backup, custom_llm_provider="anthropic"),
    ]
    router = litellm.Router(model_list=rows, fallbacks=[{"main": ["spare"]}], num_retries=0)
    assert heard(LiteLLMBridge("main", router=router).completion(PROMPT, VALUES)) == "Hello"
    arrived(provider, backup)


@pytest.mark.filterwarnings("ignore:Accessing the 'model_:DeprecationWarning")  # LiteLLM does
def test_an_answer_that_breaks_off_is_continued(litellm: Any, provider: Any, backup: Any, closing: None) -> None:
    """LiteLLM puts what was said so far after the messages; it stays there."""
    provider.breaks = True
    rows = [row("main", GPT, provider), row("spare", CLAUDE, backup)]
    router = litellm.Router(
        model_list=rows, fallbacks=[{"main": ["spare"]}], num_retries=0, enable_mid_stream_fallback_continuation=True
    )

    async def listen() -> str:
        return pieces([chunk async for chunk in LiteLLMBridge("main", router=router).astream(PROMPT, VALUES)])

    assert asyncio.run(listen()).startswith("Hel")
    sent = backup.call.body["messages"]
    assert sent[:1] == AT_ANTHROPIC
    assert [message["role"] for message in sent[1:]] == ["assistant"]
    assert "Hel" in str(sent[-1]["content"])


# What cannot be taken along


FILM = Prompt(user="What happens? {{ film }}")
MOVING = {"film": Video(b"\0\0\0\x18ftypmp42" + bytes(16))}


def test_a_model_that_may_be_called_and_cannot_take_the_prompt(litellm: Any, provider: Any, backup: Any) -> None:
    """Which of an alias's models is called is left to chance: whether the prompt is refused is not."""
    both = litellm.Router(model_list=[row("both", GEMINI, provider), row("both", GPT, backup)], num_retries=0)
    with pytest.raises(
        UnsupportedContentError, match=rf"video \(video/mp4\) at .*: the call may go to {GPT}, and Open"
    ):
        LiteLLMBridge("both", router=both).completion(FILM, MOVING)
    alone = litellm.Router(model_list=[row("main", GPT, provider)], fallbacks=[{"main": ["main"]}], num_retries=0)
    with pytest.raises(UnsupportedContentError, match=r"at message 1 \(user\), part 2: OpenAI takes no video"):
        LiteLLMBridge("main", router=alone).completion(FILM, MOVING)
    bridge = LiteLLMBridge("both", router=both, unknown_parameters="drop")
    uneven = litellm.Router(model_list=[row("both", GPT, provider), row("both", CLAUDE, backup)], num_retries=0)
    with pytest.raises(UnsupportedContentError, match="parameter 'seed' at parameters: LiteLLM sends the same param"):
        bridge.completion(Prompt(user="Hi", parameters={"seed": 3}), router=uneven)
    assert provider.calls == backup.calls == []


def test_the_error_says_who_could_not(litellm: Any, provider: Any, backup: Any) -> None:
    provider.status = 500
    rows = [row("main", GEMINI, provider), row("spare", GPT, backup)]
    router = litellm.Router(model_list=rows, fallbacks=[{"main": ["spare"]}], num_retries=0)
    film = Prompt(user="What happens? {{ film }}")
    with pytest.raises(
        litellm.InternalServerError, match="Fallback to spare also failed: litellm_style cannot take video"
    ):
        LiteLLMBridge("main", router=router).completion(film, {"film": Video(b"\0\0\0\x18ftypmp42" + bytes(16))})
    assert backup.calls == []


def test_one_set_of_parameters_for_all(litellm: Any, router: Any, provider: Any, backup: Any) -> None:
    """LiteLLM sends the same ones to each model, so that none is dropped for one of them in silence."""
    prompt = PROMPT.replace(parameters={"seed": 3, "max_tokens": 9})
    bridge = LiteLLMBridge("main", router=router, unknown_parameters="drop")
    with pytest.raises(litellm.InternalServerError, match=r"cannot take parameter 'seed'.*same parameters to every"):
        bridge.completion(prompt, VALUES)
    assert provider.call.body["seed"] == 3
    assert backup.calls == []


def test_a_name_that_loses_roles_is_refused(litellm: Any, provider: Any, backup: Any) -> None:
    provider.status = 500
    rows = [row("main", GPT, provider), row("spare", "ollama/llama3", backup)]
    router = litellm.Router(model_list=rows, fallbacks=[{"main": ["spare"]}], num_retries=0)
    with pytest.raises(litellm.InternalServerError, match="write the model there as 'ollama_chat/llama3'"):
        LiteLLMBridge("main", router=router).completion(Prompt(system="S", user="U"))
    assert backup.calls == []
    alone = litellm.Router(model_list=[row("main", "ollama/llama3", backup)], num_retries=0)
    with pytest.raises(UnsupportedContentError, match="write the model there as 'ollama_chat/llama3'"):
        LiteLLMBridge("main", router=alone).completion(Prompt(system="S", user="U"))
    own = LiteLLMBridge("ollama/llama3")._outgoing(Prompt(user="U"), None, {"fallbacks": [GPT]})
    assert own.request["model"] == "ollama_chat/llama3"
    assert backup.calls == []


def test_messages_that_a_callback_changed_are_not_sent_in_another_form(
    litellm: Any, router: Any, provider: Any, backup: Any, closing: None
) -> None:
    from litellm.integrations.custom_logger import CustomLogger

    class Masks(CustomLogger):
        async def async_pre_call_deployment_hook(self, kwargs: Any, call_type: Any) -> Any:
            return kwargs | {"messages": [{"role": "user", "content": "masked"}]}

    litellm.callbacks.append(Masks())
    with pytest.raises(litellm.InternalServerError, match="messages were changed on the way to anthropic/"):
        asyncio.run(LiteLLMBridge("main", router=router).acompletion(PROMPT, VALUES))
    assert provider.call.body["messages"] == [{"role": "user", "content": "masked"}]
    assert backup.calls == []


def test_a_prompt_of_litellms_own_does_not_go_together(router: Any) -> None:
    with pytest.raises(TypeError, match="prompt_id is LiteLLM's word for a prompt of its own"):
        LiteLLMBridge("main", router=router).completion(PROMPT, VALUES, prompt_id="other")
