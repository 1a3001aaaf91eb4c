"""What a call says beside its prompt's id decides what arrives: its tools, its provider, its address."""

from collections.abc import Callable
from typing import Any

import pytest

from litellm_access import access as access_of
from managing import GREET, Body, router_of
from prompt_adapters import Audio, Message, Prompt, ToolCall, ToolResult
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.litellm.prompt_call import Asked

NOVA, CLAUDE = "bedrock/amazon.nova-lite-v1:0", "bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0"
TOOLS = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}]
TURNS = Prompt(
    messages=[
        ("user", "Weather?"),
        Message("assistant", [ToolCall("c1", "look", {"at": "sky"})]),
        Message("tool", [ToolResult("c1", "sunny")]),
        ("user", "So, {{ name }}?"),
    ]
)
ASKED: Body = {"prompt_id": "turns", "prompt_variables": {"name": "Ada"}}
WAVE = Audio(b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\0\0\0\0")


def results(body: Any) -> list[Any]:
    """The results of tools in a request to Converse."""
    return [block["toolResult"] for turn in body["messages"] for block in turn["content"] if "toolResult" in block]


@pytest.mark.parametrize("model", [NOVA, CLAUDE])
async def test_tool_turns_arrive_in_a_call_that_has_tools(
    model: str, managed: Callable[..., Any], provider: Any, litellm: Any, closing: None
) -> None:
    managed({"turns": TURNS})
    await litellm.acompletion(model=model, **ASKED, tools=TOOLS, **access_of(model, provider.url))
    assert [result["toolUseId"] for result in results(provider.call.body)] == ["c1"]
    provider.reset()
    with pytest.raises(UnsupportedContentError, match=r"without 'tools' LiteLLM writes.*give the call its tools"):
        await litellm.acompletion(model=model, **ASKED, **access_of(model, provider.url))
    assert provider.calls == []


async def test_so_they_do_where_the_prompt_has_the_tools(
    managed: Callable[..., Any], provider: Any, litellm: Any, closing: None
) -> None:
    managed({"turns": TURNS.replace(parameters={"tools": TOOLS})})
    await litellm.acompletion(model=NOVA, **ASKED, **access_of(NOVA, provider.url))
    assert len(results(provider.call.body)) == 1
    assert provider.call.body["toolConfig"]["tools"]


async def test_so_they_do_where_the_model_stands_first(
    managed: Callable[..., Any], provider: Any, litellm: Any, closing: None
) -> None:
    """The messages come from the prompt hook then, which is told no more than the tools."""
    managed({"turns": TURNS})
    await litellm.acompletion(NOVA, **ASKED, tools=TOOLS, **access_of(NOVA, provider.url))
    assert len(results(provider.call.body)) == 1


@pytest.mark.parametrize("parameters", [{}, {"tools": TOOLS}], ids=["without tools", "with the prompt's own"])
def test_a_synchronous_call_cannot_tell_its_tools(
    parameters: Body, managed: Callable[..., Any], provider: Any, litellm: Any
) -> None:
    """Nor does LiteLLM take them from the prompt there."""
    managed({"turns": TURNS.replace(parameters=parameters)})
    with pytest.raises(UnsupportedContentError, match=r"tells a prompt manager nothing here; await litellm.acomp"):
        litellm.completion(model=NOVA, **ASKED, tools=TOOLS, **access_of(NOVA, provider.url))
    assert provider.calls == []
    litellm.completion(model="openai/gpt-4o", **ASKED, tools=TOOLS, **access_of("openai/gpt-4o", provider.url))
    assert [message["role"] for message in provider.call.body["messages"]] == ["user", "assistant", "tool", "user"]


def test_what_has_no_effect_is_said_and_not_refused(
    managed: Callable[..., Any], provider: Any, litellm: Any, caplog: pytest.LogCaptureFixture
) -> None:
    managed({"turns": GREET.replace(parameters={"temperature": 0.3, "seed": 1})}, parameters={"top_p": 0.5})
    model = "openai/gpt-5"  # which takes neither with LiteLLM
    litellm.completion(model=model, **ASKED, **access_of(model, provider.url))
    assert not {"temperature", "seed", "top_p"} & provider.call.body.keys()
    assert "its parameters are without effect (seed, temperature, top_p)" in caplog.text


async def test_reasoning_with_tools_takes_another_way(
    managed: Callable[..., Any], provider: Any, litellm: Any, closing: None
) -> None:
    """LiteLLM sends such calls to the Responses API, which has no place for audio."""
    model = "openai/gpt-5.6"
    managed({"turns": Prompt(user="Listen: {{ name }}")})
    asked: Body = {"prompt_id": "turns", "prompt_variables": {"name": WAVE}, "model": model}
    with pytest.raises(UnsupportedContentError, match="audio"):
        await litellm.acompletion(**asked, tools=TOOLS, reasoning_effort="low", **access_of(model, provider.url))
    assert provider.calls == []


async def test_by_a_router(managed: Callable[..., Any], provider: Any, litellm: Any, closing: None) -> None:
    managed({"turns": TURNS})
    router = router_of(litellm, provider, "openai/gpt-4o")
    await router.acompletion(model="alias-0", messages=[], **ASKED, tools=TOOLS)
    assert provider.call.body["messages"][2]["tool_call_id"] == "c1"


@pytest.mark.parametrize(
    ("model", "arguments", "provider", "place"),
    [
        ("mine", {"custom_llm_provider": "openai"}, "openai", "openai/mine"),
        ("gpt-4o", {"api_base": "https://api.groq.com/openai/v1"}, "groq", "groq/gpt-4o"),
        ("mine", {"base_url": "http://127.0.0.1:1"}, "custom_openai", "custom_openai/mine"),
        ("text-embedding-3-small", {"api_base": "http://127.0.0.1:1"}, None, "text-embedding-3-small"),
        ("openai/gpt-4o", {"api_base": "http://127.0.0.1:1"}, None, "openai/gpt-4o"),
        ("gpt-4o", {}, None, "gpt-4o"),
    ],
)
def test_where_a_call_goes(model: str, arguments: Body, provider: str | None, place: str) -> None:
    asked = Asked.by(arguments, model)
    assert (asked.provider, asked.place) == (provider, place)


def test_an_attempt_after_another_goes_by_its_own_name() -> None:
    before = {"custom_llm_provider": "openai"}
    assert Asked.hooked("p", None, [], "claude-haiku-4-5", {}, before).place == "claude-haiku-4-5"
    assert Asked.hooked("p", None, [], "mine", {}, before).place == "openai/mine"
