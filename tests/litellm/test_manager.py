"""Calls of LiteLLM that name a prompt by its id, in the SDK and by a Router: what arrives at the provider."""

import asyncio
import base64
import copy
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from managing import ASKED, GREET, MINE, ONCE, PICTURE, WAVE, Body, access, router_of, said
from prompt_adapters import History, Image, Prompt
from prompt_adapters.errors import PromptFormatError, UnsupportedContentError
from strategies import PNG

# Once


def test_the_prompt_and_then_the_callers_messages(greeting: Any, provider: Any, litellm: Any) -> None:
    mine = copy.deepcopy(MINE)
    litellm.completion(**ASKED, messages=mine, **access(provider))
    assert said(provider) == ONCE
    assert mine == MINE


def test_by_a_router(greeting: Any, provider: Any, litellm: Any) -> None:
    router = router_of(litellm, provider, "openai/gpt-4o")
    router.completion(model="alias-0", messages=MINE, **ASKED)
    assert said(provider) == ONCE


def test_streamed(greeting: Any, provider: Any, litellm: Any) -> None:
    provider.hold = True
    stream = litellm.completion(**ASKED, messages=MINE, stream=True, **access(provider))
    pieces = (chunk.choices[0].delta.content or "" for chunk in stream)
    first = next(filter(None, pieces))
    provider.release()
    assert (first, "".join(pieces)) == ("Hel", "lo")
    assert said(provider) == ONCE


def test_retried(greeting: Any, provider: Any, litellm: Any) -> None:
    provider.status = 500
    with pytest.raises(litellm.InternalServerError):
        litellm.completion(**ASKED, messages=MINE, num_retries=1, max_retries=0, **access(provider))
    assert [call.body["messages"] for call in provider.calls] == [ONCE] * len(provider.calls)
    assert len(provider.calls) >= 2


Way = Callable[[Any, Any], Awaitable[Any]]


async def _by_router(litellm: Any, provider: Any) -> Any:
    router = router_of(litellm, provider, "openai/gpt-4o")
    return await router.acompletion(model="alias-0", messages=MINE, **ASKED)


async def _streamed(litellm: Any, provider: Any) -> Any:
    stream = await litellm.acompletion(**ASKED, messages=MINE, stream=True, **access(provider))
    assert "".join([chunk.choices[0].delta.content or "" async for chunk in stream]) == "Hello"


def _place(provider: Any) -> Body:
    return {"api_base": provider.url, "api_key": "fake"}


# Every way on which `acompletion` comes to its messages.
ASYNCHRONOUS: dict[str, Way] = {
    "named": lambda litellm, p: litellm.acompletion(**ASKED, messages=MINE, **access(p)),
    "by position": lambda litellm, p: litellm.acompletion("openai/gpt-4o", MINE, **ASKED, **_place(p)),
    "model by position": lambda litellm, p: litellm.acompletion("openai/gpt-4o", messages=MINE, **ASKED, **_place(p)),
    "router": _by_router,
    "streamed": _streamed,
    "fallbacks": lambda litellm, p: litellm.acompletion(
        **ASKED, messages=MINE, fallbacks=["openai/gpt-4o-mini"], **access(p)
    ),
    "context window fallbacks": lambda litellm, p: litellm.acompletion(
        **ASKED, messages=MINE, context_window_fallback_dict={"openai/gpt-4o": "openai/gpt-4.1"}, **access(p)
    ),
    "retries": lambda litellm, p: litellm.acompletion(**ASKED, messages=MINE, num_retries=2, **access(p)),
}
EVERY_WAY = pytest.mark.parametrize("way", ASYNCHRONOUS.values(), ids=ASYNCHRONOUS)


@EVERY_WAY
async def test_once_asynchronously(way: Way, greeting: Any, provider: Any, litellm: Any, closing: None) -> None:
    mine = copy.deepcopy(MINE)
    await way(litellm, provider)
    assert said(provider) == ONCE
    assert mine == MINE


@EVERY_WAY
async def test_parameters_take_effect_asynchronously(
    way: Way,
    managed: Callable[..., Any],
    provider: Any,
    litellm: Any,
    closing: None,
    caplog: pytest.LogCaptureFixture,
) -> None:
    managed({"greet": GREET.replace(parameters={"temperature": 0.25, "max_tokens": 7})})
    await way(litellm, provider)
    assert "without effect" not in caplog.text
    assert {name: provider.call.body[name] for name in ("temperature", "max_tokens")} == {
        "temperature": 0.25,
        "max_tokens": 7,
    }


async def test_a_failed_attempt_is_retried_with_the_prompt_once(
    greeting: Any, provider: Any, litellm: Any, closing: None
) -> None:
    provider.status = 500
    with pytest.raises(litellm.InternalServerError):
        await litellm.acompletion(**ASKED, messages=MINE, num_retries=1, max_retries=0, **access(provider))
    assert [call.body["messages"] for call in provider.calls] == [ONCE] * len(provider.calls)
    assert len(provider.calls) >= 2


async def test_callbacks_of_one_call_are_answered_by_the_prompt_hook(
    provider: Any, litellm: Any, closing: None
) -> None:
    """LiteLLM does not ask such a callback before the call begins, but twice in it."""
    from prompt_adapters.litellm import PromptAdaptersManager

    manager = PromptAdaptersManager({"greet": GREET})
    try:
        await litellm.acompletion(**ASKED, messages=MINE, callbacks=[manager], **access(provider))
    finally:
        manager.unregister()
    assert said(provider) == ONCE


def test_messages_may_be_left_out(greeting: Any, provider: Any, litellm: Any) -> None:
    litellm.completion(**ASKED, **access(provider))
    litellm.completion(**ASKED, messages=[], **access(provider))
    assert [call.body["messages"] for call in provider.calls] == [ONCE[:2]] * 2


async def test_many_calls_at_a_time(managed: Callable[..., Any], provider: Any, litellm: Any, closing: None) -> None:
    managed({"greet": GREET, "say": Prompt(user="Say {{ name }}.")})
    ids = ("greet", "say")
    asked = [{"prompt_id": ids[n % 2], "prompt_variables": {"name": f"N{n}"}} for n in range(12)]
    await asyncio.gather(*(litellm.acompletion(**call, **access(provider)) for call in asked))
    ends = sorted(call.body["messages"][-1]["content"] for call in provider.calls)
    assert ends == sorted(f"{'Say' if n % 2 else 'Greet'} N{n}." for n in range(12))
    assert sorted(len(call.body["messages"]) for call in provider.calls) == [1] * 6 + [2] * 6


# The caller's messages


def test_a_history_takes_the_callers_messages(managed: Callable[..., Any], provider: Any, litellm: Any) -> None:
    prompt = Prompt(messages=[("system", "Be brief."), History("chat"), ("user", "Go on about {{ topic }}.")])
    managed({"chat": prompt})
    chat = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]
    asked = {"prompt_id": "chat", "prompt_variables": {"topic": "tea"}}
    litellm.completion(**asked, messages=chat, **access(provider))
    litellm.completion(**asked, messages=[], **access(provider))
    given = {"prompt_id": "chat", "prompt_variables": {"topic": "tea", "chat": chat}}
    litellm.completion(**given, messages=MINE, **access(provider))
    ends = {"role": "user", "content": "Go on about tea."}
    assert [call.body["messages"][1:] for call in provider.calls] == [[*chat, ends], [ends], [*chat, ends, *MINE]]


def test_a_system_text_alone_goes_before_the_callers_messages(
    managed: Callable[..., Any], provider: Any, litellm: Any
) -> None:
    managed({"rules": Prompt(system="Speak {{ language }}.")})
    asked: Body = {"prompt_id": "rules", "prompt_variables": {"language": "French"}}
    litellm.completion(**asked, messages=MINE, **access(provider, "anthropic/claude-sonnet-4-5"))
    assert provider.call.body["system"] == [{"type": "text", "text": "Speak French."}]
    assert provider.call.body["messages"] == [{"role": "user", "content": [{"type": "text", "text": "And now?"}]}]
    with pytest.raises(PromptFormatError, match=r"prompt 'rules'.*user turn is missing"):
        litellm.completion(**asked, messages=[], **access(provider))


async def test_the_callers_messages_go_on_as_they_are(
    managed: Callable[..., Any], provider: Any, litellm: Any, closing: None
) -> None:
    """What only LiteLLM knows stays, as what a model thought before it called a tool."""
    managed({"rules": Prompt(system="Use tools.")})
    thought = {"type": "thinking", "thinking": "Hm.", "signature": "abc"}
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    mine = [
        {"role": "user", "content": "Go"},
        {"role": "assistant", "content": "", "thinking_blocks": [thought], "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "done"},
    ]
    before = copy.deepcopy(mine)
    tools = [{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}]
    model = access(provider, "anthropic/claude-sonnet-4-5")
    await litellm.acompletion(prompt_id="rules", messages=mine, tools=tools, max_tokens=2000, **model)
    assert provider.call.body["messages"][1]["content"][0] == thought
    assert mine == before


# The dialect


@pytest.mark.parametrize(
    ("model", "place", "expected"),
    [
        ("openai/gpt-4o", ("messages", 0, "content", 1), PICTURE),
        (
            "anthropic/claude-sonnet-4-5",
            ("messages", 0, "content", 1),
            {
                "type": "image",
                "source": {"type": "base64", "media_type": "image/png", "data": base64.b64encode(PNG).decode()},
            },
        ),
        (
            "gemini/gemini-2.5-flash",
            ("contents", 0, "parts", 1, "inline_data"),
            {"data": base64.b64encode(PNG).decode(), "mime_type": "image/png"},
        ),
    ],
)
def test_media_arrive_in_the_shape_of_the_called_model(
    model: str, place: tuple[Any, ...], expected: Any, greeting: Any, provider: Any, litellm: Any
) -> None:
    litellm.completion(prompt_id="look", prompt_variables={"photo": Image(PNG)}, **access(provider, model))
    found: Any = provider.call.body
    for key in place:
        found = found[key]
    assert found == expected


def test_what_litellm_would_drop_is_refused(managed: Callable[..., Any], provider: Any, litellm: Any) -> None:
    managed({"hear": Prompt(user="Hear: {{ sound }}")})
    asked = {"prompt_id": "hear", "prompt_variables": {"sound": WAVE}}
    with pytest.raises(UnsupportedContentError, match=r"prompt 'hear': .*audio") as caught:
        litellm.completion(**asked, **access(provider, "anthropic/claude-sonnet-4-5"))
    assert vars(caught.value)["status_code"] == 400
    assert provider.calls == []


async def test_a_fallback_gets_its_own_dialect(
    managed: Callable[..., Any], provider: Any, litellm: Any, closing: None
) -> None:
    managed({"hear": Prompt(user="Hear: {{ sound }}")})
    asked = {"prompt_id": "hear", "prompt_variables": {"sound": WAVE}}
    router = router_of(litellm, provider, "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash")
    await router.acompletion(model="alias-0", messages=[], **asked)
    assert "inline_data" in str(provider.call.body["contents"])
    provider.reset()
    models = access(provider, "anthropic/claude-sonnet-4-5")
    await litellm.acompletion(**asked, fallbacks=["gemini/gemini-2.5-flash"], **models)
    assert "inline_data" in str(provider.call.body["contents"])


async def test_a_model_with_a_longer_memory_gets_its_own_dialect(
    greeting: Any, provider: Any, litellm: Any, closing: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    handler = provider._server.RequestHandlerClass
    send = handler._send

    def forgetful(self: Any, kind: str, data: bytes) -> None:
        provider.status = 400 if self.path == "/chat/completions" else 200
        too_long = {"message": "This model's maximum context length is 7 tokens.", "code": "context_length_exceeded"}
        send(self, kind, json.dumps({"error": too_long}).encode() if provider.status == 400 else data)
        provider.status = 200

    monkeypatch.setattr(handler, "_send", forgetful)
    longer = {"openai/gpt-4o": "anthropic/claude-sonnet-4-5"}
    asked: Body = {"prompt_id": "look", "prompt_variables": {"photo": WAVE}}
    with pytest.raises(UnsupportedContentError, match="audio"):
        await litellm.acompletion(**asked, context_window_fallback_dict=longer, **access(provider))
    assert [call.path for call in provider.calls] == ["/chat/completions"]


def test_an_alias_of_the_callers_gets_text(greeting: Any, provider: Any, litellm: Any) -> None:
    """Of a name that tells no provider only LiteLLM knows where it goes: text arrives anywhere."""
    place = {**access(provider, "in-house"), "custom_llm_provider": "openai"}
    litellm.completion(**ASKED, messages=MINE, **place)
    assert said(provider) == ONCE
    with pytest.raises(UnsupportedContentError, match="every provider"):
        litellm.completion(prompt_id="look", prompt_variables={"photo": WAVE}, **place)


async def test_a_provider_beside_the_model_is_heeded(greeting: Any, provider: Any, litellm: Any, closing: None) -> None:
    place = {**access(provider, "in-house"), "custom_llm_provider": "openai"}
    await litellm.acompletion(prompt_id="look", prompt_variables={"photo": WAVE}, **place)
    assert said(provider)[0]["content"][1]["type"] == "input_audio"


# Parameters and model


def test_synchronous_calls_say_that_parameters_are_without_effect(
    managed: Callable[..., Any], provider: Any, litellm: Any, caplog: pytest.LogCaptureFixture
) -> None:
    managed({"greet": GREET.replace(parameters={"temperature": 0.25, "seed": 7})})
    for _ in range(2):
        litellm.completion(**ASKED, **access(provider))
    assert not {"temperature", "seed"} & {name for call in provider.calls for name in call.body}
    warned = [record.getMessage() for record in caplog.records if record.name == "prompt_adapters"]
    assert len(warned) == 1
    assert "prompt 'greet': its parameters are without effect (seed, temperature)" in warned[0]
    assert "prompt_adapters.litellm.completion(manager.prompt('greet')" in warned[0]


def test_which_the_function_of_the_same_name_sends(managed: Callable[..., Any], provider: Any, litellm: Any) -> None:
    from prompt_adapters.litellm import completion

    manager = managed({"greet": GREET.replace(parameters={"temperature": 0.25})})
    completion(manager.prompt("greet"), variables=ASKED["prompt_variables"], **access(provider))
    assert (provider.call.body["temperature"], said(provider)) == (0.25, ONCE[:2])


async def test_arguments_of_the_call_win(
    managed: Callable[..., Any], provider: Any, litellm: Any, closing: None
) -> None:
    managed({"greet": GREET.replace(parameters={"temperature": 0.25, "max_tokens": 7, "seed": 1})})
    await litellm.acompletion(**ASKED, temperature=0, max_completion_tokens=9, seed=None, **access(provider))
    body = provider.call.body
    assert {name: body.get(name) for name in ("temperature", "max_completion_tokens", "max_tokens", "seed")} == {
        "temperature": 0,
        "max_completion_tokens": 9,
        "max_tokens": None,
        "seed": 1,
    }


async def test_a_prompts_parameters_can_be_left_out(
    managed: Callable[..., Any], provider: Any, litellm: Any, closing: None
) -> None:
    prompt = GREET.replace(parameters={"temperature": 0.25}, model="openai/gpt-4.1")
    managed({"greet": prompt}, ignore_prompt_manager_optional_params=True, ignore_prompt_manager_model=True)
    await litellm.acompletion(**ASKED, **access(provider))
    assert "temperature" not in provider.call.body
    assert provider.call.body["model"] == "gpt-4o"


MODELLED = GREET.replace(model="anthropic/claude-sonnet-4-5", parameters={"max_tokens": 7})


def test_the_prompts_model_is_called(managed: Callable[..., Any], provider: Any, litellm: Any) -> None:
    managed({"greet": MODELLED})
    litellm.completion(**ASKED, **access(provider))
    assert (provider.call.path, provider.call.body["model"]) == ("/v1/messages", "claude-sonnet-4-5")


@pytest.mark.parametrize("extra", [{}, {"custom_llm_provider": "openai"}], ids=["alone", "over a provider"])
async def test_the_prompts_model_is_called_asynchronously(
    extra: Body, managed: Callable[..., Any], provider: Any, litellm: Any, closing: None
) -> None:
    managed({"greet": MODELLED})
    await litellm.acompletion(**ASKED, **access(provider), **extra)
    assert (provider.call.path, provider.call.body["model"]) == ("/v1/messages", "claude-sonnet-4-5")
    assert provider.call.body["max_tokens"] == 7


async def test_a_fallback_is_another_model_than_the_prompts(
    managed: Callable[..., Any], provider: Any, litellm: Any, closing: None, caplog: pytest.LogCaptureFixture
) -> None:
    managed({"greet": MODELLED})
    provider.status = 500
    with pytest.raises(Exception, match="All fallback attempts failed"):
        await litellm.acompletion(**ASKED, max_retries=0, fallbacks=["openai/gpt-4o-mini"], **access(provider))
    assert [call.body["model"] for call in provider.calls] == ["claude-sonnet-4-5", "gpt-4o-mini"]


def test_a_router_stays_with_its_deployment(
    managed: Callable[..., Any], provider: Any, litellm: Any, caplog: pytest.LogCaptureFixture
) -> None:
    managed({"greet": MODELLED})
    router = router_of(litellm, provider, "openai/gpt-4o")
    router.completion(model="alias-0", messages=[], **ASKED)
    assert (provider.call.path, provider.call.body["model"]) == ("/chat/completions", "gpt-4o")
    assert "its model 'anthropic/claude-sonnet-4-5' is not called" in caplog.text
    router.completion(model="alias-0", messages=MINE)
    provider.reset()
    litellm.completion(**ASKED, **access(provider))  # what the Router chose is forgotten once its call is on its way
    assert provider.call.path == "/v1/messages"


async def test_a_router_stays_with_its_deployment_asynchronously(
    managed: Callable[..., Any], provider: Any, litellm: Any, closing: None, caplog: pytest.LogCaptureFixture
) -> None:
    managed({"greet": MODELLED})
    router = router_of(litellm, provider, "openai/gpt-4o")
    await router.acompletion(model="alias-0", messages=[], **ASKED)
    assert (provider.call.path, provider.call.body["model"]) == ("/chat/completions", "gpt-4o")
    assert provider.call.body["max_tokens"] == 7
    assert "its model 'anthropic/claude-sonnet-4-5' is not called" in caplog.text
