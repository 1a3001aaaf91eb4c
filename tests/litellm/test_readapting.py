"""A call that goes on to another provider's model takes the prompt there in that provider's form."""

import asyncio
import base64
import gc
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompt_adapters import Document, Image, Message, Prompt, ToolCall, ToolResult, Video
from prompt_adapters.errors import PromptAdapterError, UnsupportedContentError
from prompt_adapters.litellm import LiteLLMBridge, acompletion, completion
from prompt_adapters.litellm import readapting as module
from prompt_adapters.litellm.readapting import Readapted

PDF = b"%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF"
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
B64, PDF64 = base64.b64encode(PNG).decode(), base64.b64encode(PDF).decode()
GPT, CLAUDE, GEMINI = "openai/gpt-4o", "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash"

# A title arrives at Anthropic only, and a name at OpenAI only: neither form would do for the other.
PROMPT = Prompt(
    system="Be brief.",
    user="First {{ photo }} then {{ paper }} and {{ word }}.",
    name="papers",
    version="2",
    parameters={"max_tokens": 9},
)
VALUES = {"photo": Image(PNG), "paper": Document(PDF, name="a.pdf", title="The title"), "word": "last"}
AT_OPENAI = [
    {"role": "system", "content": "Be brief."},
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "First "},
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{B64}"}},
            {"type": "text", "text": " then "},
            {"type": "file", "file": {"filename": "a.pdf", "file_data": f"data:application/pdf;base64,{PDF64}"}},
            {"type": "text", "text": " and last."},
        ],
    },
]
AT_ANTHROPIC = [
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "First "},
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": B64}},
            {"type": "text", "text": " then "},
            {
                "type": "document",
                "source": {"type": "base64", "media_type": "application/pdf", "data": PDF64},
                "title": "The title",
            },
            {"type": "text", "text": " and last."},
        ],
    }
]


@pytest.fixture
def backup(provider: Any) -> Iterator[Any]:
    """A second provider."""
    other = type(provider)()
    yield other
    other.close()


@pytest.fixture(autouse=True)
def callbacks(litellm: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """LiteLLM's own lists, as they were before each test."""
    for name in (
        "callbacks",
        "input_callback",
        "success_callback",
        "failure_callback",
        "_async_success_callback",
        "_async_failure_callback",
    ):
        monkeypatch.setattr(litellm, name, list(getattr(litellm, name)))
    for name in ("LiteLLM", "LiteLLM Router"):
        monkeypatch.setattr(logging.getLogger(name), "disabled", True)


def row(alias: str, model: str, server: Any, **more: Any) -> dict[str, Any]:
    return {"model_name": alias, "litellm_params": {"model": model, "api_base": server.url, "api_key": "fake"} | more}


@pytest.fixture
def router(litellm: Any, provider: Any, backup: Any) -> Any:
    """OpenAI fails, and Anthropic is asked."""
    provider.status = 500
    rows = [row("main", GPT, provider), row("spare", CLAUDE, backup)]
    return litellm.Router(model_list=rows, fallbacks=[{"main": ["spare"]}], num_retries=0)


def heard(answer: Any) -> str:
    return str(answer.choices[0].message.content)


def pieces(chunks: Any) -> str:
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks)


def arrived(provider: Any, backup: Any) -> None:
    """Each provider got the prompt in its own form, whole."""
    assert provider.calls
    assert all(call.body["messages"] == AT_OPENAI for call in provider.calls)
    assert backup.call.body["messages"] == AT_ANTHROPIC
    assert backup.call.body["system"] == [{"type": "text", "text": "Be brief."}]
    assert {provider.calls[0].body["max_tokens"], backup.call.body["max_tokens"]} == {9}
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


def fallbacks(provider: Any, backup: Any) -> dict[str, Any]:
    provider.status = 500
    spare = {"model": CLAUDE, "api_base": backup.url}
    return {"fallbacks": [spare], "api_base": provider.url, "api_key": "fake", "max_retries": 0}


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


# What else happens in the process


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
    arrived(provider, backup)


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
