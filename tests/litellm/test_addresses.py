"""A call may name another model, a provider or an address: the prompt takes the form of where it goes in the end."""

from collections.abc import Callable
from typing import Any

import pytest

from prompt_adapters import Audio, Document, Image, Prompt
from prompt_adapters.errors import UnknownModelError, UnsupportedContentError
from prompt_adapters.litellm import LiteLLMBridge, acompletion, completion
from prompt_adapters.litellm.addresses import provider_by
from strategies import PNG

pytestmark = pytest.mark.usefixtures("own_callbacks")
GPT, CLAUDE, GEMINI = "openai/gpt-4o", "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash"
WAVE = b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\0\0\0\0"
PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
PROMPT = Prompt(system="Be brief.", user="Read: {{ it }}", parameters={"max_tokens": 9})
GROQ = "https://api.groq.com/openai/v1"


def heard(answer: Any) -> str:
    return str(answer.choices[0].message.content)


@pytest.fixture
def there(provider: Any) -> dict[str, Any]:
    return {"api_base": provider.url, "api_key": "fake"}


Call = Callable[[LiteLLMBridge, Any, dict[str, Any]], Any]
CALLS: dict[str, Call] = {
    "completion": lambda bridge, it, more: bridge.completion(PROMPT, {"it": it}, **more),
    "stream": lambda bridge, it, more: list(bridge.stream(PROMPT, {"it": it}, **more)),
    "batch": lambda bridge, it, more: bridge.batch_completion(PROMPT, [{"it": it}], **more),
    "fallbacks": lambda bridge, it, more: bridge.completion(PROMPT, {"it": it}, fallbacks=[CLAUDE], **more),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_the_prompt_is_adapted_to_the_model_of_a_call(call: Call, provider: Any, there: dict[str, Any]) -> None:
    call(LiteLLMBridge(GPT), Document(PDF, title="Mine"), {"model": CLAUDE, **there})
    body = provider.call.body
    assert body["system"] == [{"type": "text", "text": "Be brief."}]
    assert body["messages"][0]["content"][1]["title"] == "Mine"


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_what_the_model_of_a_call_does_not_take_is_refused(call: Call, provider: Any, there: dict[str, Any]) -> None:
    with pytest.raises(UnsupportedContentError, match="Anthropic takes no audio"):
        call(LiteLLMBridge(GPT), Audio(WAVE), {"model": CLAUDE, **there})
    assert provider.calls == []


async def test_so_it_is_asynchronously(provider: Any, there: dict[str, Any], closing: None) -> None:
    bridge, values = LiteLLMBridge(GPT), {"it": Audio(WAVE)}
    for call in (
        bridge.acompletion(PROMPT, values, model=CLAUDE, **there),
        acompletion(PROMPT, model=CLAUDE, variables=values, **there),
    ):
        with pytest.raises(UnsupportedContentError, match="Anthropic takes no audio"):
            await call
    with pytest.raises(UnsupportedContentError, match="Anthropic takes no audio"):
        await bridge.abatch_completion(PROMPT, [values], model=CLAUDE, **there)
    with pytest.raises(UnsupportedContentError, match="Anthropic takes no audio"):
        await bridge.astream(PROMPT, values, model=CLAUDE, **there)
    assert provider.calls == []


def test_the_model_of_a_call_goes_out_under_its_safe_name(provider: Any, there: dict[str, Any]) -> None:
    assert heard(LiteLLMBridge(GPT).completion(PROMPT, {"it": "x"}, model="gemini-2.5-flash", **there)) == "Hello"
    assert provider.call.path.endswith("models/gemini-2.5-flash:generateContent")


def test_the_native_routes_look_at_the_model_of_a_call(provider: Any, there: dict[str, Any]) -> None:
    bridge = LiteLLMBridge(GEMINI)
    bridge.generate_content(PROMPT, {"it": "x"}, model="gemini/gemini-2.0-flash", **there)
    assert provider.call.path.endswith("models/gemini-2.0-flash:generateContent")
    with pytest.raises(UnsupportedContentError, match=f"a call to {CLAUDE} at generate_content"):
        bridge.generate_content(PROMPT, {"it": "x"}, model=CLAUDE, **there)
    with pytest.raises(UnsupportedContentError, match=f"not known to pass it on to {GEMINI}"):
        LiteLLMBridge(GPT).responses(PROMPT, {"it": Audio(WAVE)}, model=GEMINI, **there)
    assert len(provider.calls) == 1


def test_a_request_keeps_its_form_under_another_name() -> None:
    request = LiteLLMBridge("bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0").request(
        PROMPT, {"it": "x"}, model="claude-mine"
    )
    assert request["model"] == "claude-mine"


def test_a_name_that_litellm_alone_knows_is_left_to_it(litellm: Any, provider: Any, there: dict[str, Any]) -> None:
    with pytest.raises(litellm.BadRequestError, match="LLM Provider NOT provided"):
        LiteLLMBridge(GPT).completion(PROMPT, {"it": "x"}, model="my-alias")
    assert provider.calls == []


# Servers of one's own


def test_the_address_of_an_unknown_server(provider: Any, there: dict[str, Any]) -> None:
    picture = {"it": Image(PNG)}
    calls: list[Callable[[], Any]] = [
        lambda: completion(PROMPT, model="my-model", variables=picture, **there),
        lambda: completion(PROMPT, model="my-model", variables=picture, base_url=provider.url, api_key="fake"),
        lambda: LiteLLMBridge("my-model", api_base=provider.url).completion(PROMPT, picture, api_key="fake"),
        lambda: LiteLLMBridge(GPT).completion(PROMPT, picture, model="my-model", **there),
    ]
    for call in calls:
        provider.reset()
        assert heard(call()) == "Hello"
        assert provider.call.path == "/chat/completions"
        assert provider.call.body["model"] == "my-model"
        assert provider.call.body["messages"][1]["content"][1]["type"] == "image_url"


async def test_the_address_of_an_unknown_server_asynchronously(
    provider: Any, there: dict[str, Any], closing: None
) -> None:
    assert heard(await acompletion(PROMPT, model="my-model", variables={"it": "x"}, **there)) == "Hello"
    bridge = LiteLLMBridge("org/My-Model", api_base=provider.url)
    assert heard(await bridge.acompletion(PROMPT, {"it": "x"}, api_key="fake")) == "Hello"
    assert [call.body["model"] for call in provider.calls] == ["my-model", "org/My-Model"]


def test_the_address_goes_along_and_the_calls_own_wins(provider: Any) -> None:
    bridge = LiteLLMBridge("my-model", api_base="http://127.0.0.1:1/v1", limits={"max_images": 3})
    assert bridge.request(PROMPT, {"it": "x"})["api_base"] == "http://127.0.0.1:1/v1"
    assert "api_base" not in bridge.request(PROMPT, {"it": "x"}, base_url=provider.url)
    assert bridge.request(PROMPT, {"it": "x"}, base_url=provider.url)["model"] == "custom_openai/my-model"
    assert "api_base='http://127.0.0.1:1/v1'" in repr(bridge)
    assert heard(bridge.completion(PROMPT, {"it": "x"}, api_base=provider.url, api_key="fake")) == "Hello"


@pytest.mark.parametrize(
    ("model", "address", "sent"),
    [
        ("gpt-4o", GROQ, "groq/gpt-4o"),
        ("my-model", GROQ, "groq/my-model"),
        ("gpt-4o", "https://api.openai.com/v1", "gpt-4o"),
        ("gpt-4o", "http://127.0.0.1:1", "gpt-4o"),
        ("azure/mine", GROQ, "azure/mine"),
        ("claude-haiku-4-5", "http://127.0.0.1:1", "claude-haiku-4-5"),
    ],
)
def test_litellm_goes_by_the_address_of_a_known_server(model: str, address: str, sent: str, litellm: Any) -> None:
    """And so do we: otherwise the request would be written for somebody else."""
    in_all = (
        LiteLLMBridge(model, api_base=address).request(PROMPT, {"it": "x"})["model"],
        LiteLLMBridge(GPT, api_base=address)._for(None, {"model": model})[0]._speaker.sent.name,
    )
    assert set(in_all) == {sent}
    name, provider, _, _ = litellm.get_llm_provider(sent, api_base=address)
    assert provider == LiteLLMBridge(model, api_base=address).route.provider
    if "/" not in model:
        assert litellm.get_llm_provider(sent)[1] == provider
    assert name


def test_another_address_of_a_call_is_another_provider() -> None:
    bridge = LiteLLMBridge("gpt-4o", api_base=GROQ)
    with pytest.raises(UnsupportedContentError, match="Groq takes no audio"):
        bridge.request(PROMPT, {"it": Audio(WAVE)})
    assert bridge.request(PROMPT, {"it": Audio(WAVE)}, api_base="https://api.openai.com/v1")["model"] == "gpt-4o"


def test_names_that_no_address_helps() -> None:
    assert provider_by("openai/", GROQ) is None
    assert provider_by("my-model", None) is None
    for model in ("openai/", "/", "//"):
        with pytest.raises(UnknownModelError):
            LiteLLMBridge(model, api_base="http://127.0.0.1:1")
    with pytest.raises(UnknownModelError, match="for embeddings"):
        LiteLLMBridge("text-embedding-3-small", api_base=GROQ + "/nowhere?")
    with pytest.raises(TypeError, match="deployments have addresses of their own"):
        LiteLLMBridge("main", router=object(), api_base=GROQ)


# Two prompts in one call


@pytest.mark.parametrize("name", ["request", "completion", "stream"])
def test_a_prompt_of_litellms_own_does_not_go_together(name: str) -> None:
    with pytest.raises(TypeError, match="prompt_id is LiteLLM's word for a prompt of its own"):
        getattr(LiteLLMBridge(GPT), name)(PROMPT, {"it": "x"}, prompt_id="other")
