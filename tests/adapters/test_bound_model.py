"""What the name of a bound model tells: prefixes that are taken off, names that are sent as given, and the notes."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from prompt_adapters.adapters import MessageAdapter, adapter_for, get_adapter
from prompt_adapters.adapters.bound_model import doubts, spoken, unprefixed
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, ToolCall, ToolResult
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.prompt import Prompt
from prompt_adapters.targets import Route, route

HI = Message("user", "Hi")
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
PDF = b"%PDF-1.4\n%%EOF\n"
WAV = b"RIFF$\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0@\x1f\0\0@\x1f\0\0\x01\0\x08\0data\0\0\0\0"

# A style, a model string, the provider, and the model as the provider's client wants it.
PREFIXED = [
    ("anthropic_style", "anthropic/claude-sonnet-4-5", "anthropic", "claude-sonnet-4-5"),
    ("anthropic_style", "Anthropic/claude-sonnet-4-5", "anthropic", "claude-sonnet-4-5"),
    ("anthropic_style", "vertex_ai/claude-sonnet-4-5@20250929", "vertex_ai", "claude-sonnet-4-5@20250929"),
    ("anthropic_style", "azure_ai/claude-sonnet-4-5", "azure_ai", "claude-sonnet-4-5"),
    (
        "anthropic_style",
        "bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "bedrock",
        "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    ),
    ("bedrock_style", "bedrock/amazon.nova-lite-v1:0", "bedrock", "amazon.nova-lite-v1:0"),
    (
        "bedrock_style",
        "bedrock/invoke/anthropic.claude-3-haiku-20240307-v1:0",
        "bedrock",
        "anthropic.claude-3-haiku-20240307-v1:0",
    ),
    ("google_style", "gemini/gemini-2.5-flash", "gemini", "gemini-2.5-flash"),
    ("google_style", "vertex_ai/gemini-2.5-flash", "vertex_ai", "gemini-2.5-flash"),
    ("mistral_style", "mistral/mistral-medium-latest", "mistral", "mistral-medium-latest"),
    ("cohere_style", "cohere/command-a-03-2025", "cohere", "command-a-03-2025"),
    ("ollama_style", "ollama_chat/llama3.2", "ollama_chat", "llama3.2"),
    ("openai_style", "groq/llama-3.3-70b-versatile", "groq", "llama-3.3-70b-versatile"),
    ("openai_style", "groq/openai/gpt-oss-20b", "groq", "openai/gpt-oss-20b"),
    ("openai_style", "openrouter/openai/gpt-4o", "openrouter", "openai/gpt-4o"),
    ("openai_style", "azure/my-deployment", "azure", "my-deployment"),
    ("openai_style", "hosted_vllm/meta-llama/Llama-3-8B", "hosted_vllm", "meta-llama/Llama-3-8B"),
    ("openai_responses_style", "openai/responses/gpt-5", "openai", "gpt-5"),
    ("openai_responses_style", "azure/my-deployment", "azure", "my-deployment"),
]


@pytest.mark.parametrize(("style", "given", "provider", "model"), PREFIXED, ids=[f"{r[0]}-{r[1]}" for r in PREFIXED])
def test_a_provider_s_prefix_is_no_part_of_the_name(style: str, given: str, provider: str, model: str) -> None:
    adapter = get_adapter(style, model=given, parameters={"max_tokens": 9})
    target = Route(provider, model, style)
    assert (adapter.model, adapter.provider, adapter.route) == (model, provider, target)
    assert (adapter.capabilities, adapter.limits) == (target.capabilities, target.limits)
    request = adapter.build_request(HI)
    assert request["modelId" if style == "bedrock_style" else "model"] == model
    assert not [note for note in adapter.prepare(HI).notes if "the model" in note.text]
    assert adapter == get_adapter(style, parameters={"max_tokens": 9}).bound(target)
    if route(given).style == style:
        assert adapter == adapter_for(given, parameters={"max_tokens": 9})


# Names that are sent as they are given, and what is said of that.
AS_GIVEN: list[tuple[str, str, str | None]] = [
    ("anthropic_style", "claude-sonnet-4-5", None),
    ("google_style", "models/gemini-2.5-flash", None),
    ("openai_style", "gpt-4o", None),
    ("openai_responses_style", "gpt-4o", None),
    ("openai_style", "my-model", None),
    ("openai_style", "meta-llama/Llama-3-8B", None),
    ("anthropic_style", "us.anthropic.claude-sonnet-4-5-20250929-v1:0", None),
    ("openai_style", "openai/gpt-4o", "as catalogues list it; for openai itself write 'gpt-4o'"),
    ("openai_style", "deepseek/deepseek-chat", "as catalogues list it; for deepseek itself write 'deepseek-chat'"),
    ("openai_responses_style", "openai/gpt-5", "as catalogues list it; for openai itself write 'gpt-5'"),
    ("google_style", "openai/gpt-4o", "openai speaks openai_style with it, not google_style"),
    ("google_style", "gpt-4o", "openai speaks openai_style with it, not google_style"),
    ("openai_style", "claude-opus-5", "anthropic speaks anthropic_style with it, not openai_style"),
    ("openai_style", "gemini/gemini-2.5-flash", "gemini speaks google_style with it, not openai_style"),
    ("anthropic_style", "bedrock/amazon.nova-lite-v1:0", "bedrock speaks bedrock_style with it, not anthropic_style"),
    ("anthropic_style", "vertex_ai/gemini-2.5-flash", "vertex_ai speaks google_style with it, not anthropic_style"),
    ("mistral_style", "openai/gpt-4o", "openai speaks openai_style with it, not mistral_style"),
]


@pytest.mark.parametrize(("style", "given", "said"), AS_GIVEN, ids=[f"{r[0]}-{r[1]}" for r in AS_GIVEN])
def test_other_names_are_sent_as_they_are_given(style: str, given: str, said: str | None) -> None:
    adapter = get_adapter(style, model=given, parameters={"max_tokens": 9})
    assert (adapter.model, adapter.route) == (given, None)
    if style != "bedrock_style":
        assert adapter.build_request(HI)["model"] == given
    notes = [(note.position, note.text) for note in adapter.prepare(HI).notes if "the model" in note.text]
    lead = f"the model {given!r} is sent as it is given"
    assert notes == ([] if said is None else [("", f"{lead}{', ' if said.startswith('as ') else ': '}{said}")])


@pytest.mark.parametrize("given", ["openai/gpt-4o", "gemini/gemini-2.5-flash", "anthropic/claude-opus-5"])
def test_litellm_s_own_names_stay_whole(given: str) -> None:
    adapter = get_adapter("litellm_style", model=given)
    assert adapter.build_request(HI)["model"] == given
    assert not [note for note in adapter.prepare(HI).notes if "the model" in note.text]
    assert unprefixed(given, "litellm_style") is None
    assert doubts(given, "litellm_style") == ()


def test_what_is_not_bound_is_not_doubted() -> None:
    assert doubts(None, "openai_style") == ()
    assert unprefixed(None, "openai_style") is None
    assert spoken(None, "openai_style") is None


def test_a_prompt_s_model_is_bound_in_every_shape_that_its_provider_speaks() -> None:
    prompt = Prompt(user="Hi", model="openai/gpt-5")
    assert get_adapter("openai_responses_style").build_request(prompt)["model"] == "gpt-5"
    assert get_adapter("openai_style").build_request(prompt)["model"] == "gpt-5"
    refused: Any = get_adapter("google_style").prepare(prompt).notes
    assert [note.text for note in refused] == [
        "the prompt's model 'openai/gpt-5' is not bound: it speaks openai_style, not google_style"
    ]


@pytest.mark.parametrize(
    ("adapter", "said"),
    [
        (adapter_for("gpt-4o"), ["audio"]),
        (adapter_for("azure/my-deployment"), ["images", "PDF documents", "audio"]),
        (adapter_for("my-model", api_base="http://localhost:8000/v1"), ["images", "PDF documents", "audio"]),
        (get_adapter("openai_style", model="my-model"), ["images", "PDF documents", "audio"]),
        (get_adapter("openai_style", model="gpt-4o"), ["audio"]),
        (get_adapter("openai_style"), []),
    ],
    ids=["known", "deployment", "address", "only a name", "a known name", "no model"],
)
def test_what_nobody_wrote_down_is_sent_and_noted(adapter: MessageAdapter, said: list[str]) -> None:
    messages = (Message("user", ["q", Image(PNG), Document(PDF), Audio(WAV)]),)
    prepared = adapter.prepare(messages)
    notes = [str(note) for note in prepared.notes if "not known" in note.text]
    assert notes == [f"whether {adapter.model} takes {words} is not known; sent all the same" for words in said]
    sent = json.dumps(adapter.build_body(messages))
    assert all(base64.b64encode(data).decode() in sent for data in (PNG, PDF, WAV))


def test_what_a_model_is_known_not_to_take_is_refused() -> None:
    with pytest.raises(UnsupportedContentError, match=r"image.*gpt-audio"):
        adapter_for("gpt-audio").build_request((Message("user", ["q", Image(PNG)]),))


def test_media_in_the_result_of_a_tool_count_as_well() -> None:
    call = Message("assistant", [ToolCall("toolu_1", "look")])
    result = Message("tool", [ToolResult("toolu_1", [Image(PNG)])])
    adapter = adapter_for("anthropic/claude-3-opus", parameters={"max_tokens": 9})
    notes = [str(note) for note in adapter.prepare((HI, call, result)).notes]
    assert "whether claude-3-opus takes images is not known; sent all the same" in notes


def test_an_explicit_provider_or_an_address_binds_as_well() -> None:
    assert adapter_for("my-model", provider="vertex_ai").style == "google_style"
    adapter = adapter_for("my-model", api_base="http://localhost:8000/v1", parameters={"max_tokens": 9})
    assert (adapter.style, adapter.provider, adapter.model) == ("openai_style", "custom_openai", "my-model")
    assert adapter.build_request(HI) == {
        "model": "my-model",
        "messages": [{"role": "user", "content": "Hi"}],
        "max_tokens": 9,
    }


@pytest.mark.parametrize("model", ["replicate/meta/llama-2-70b-chat", "text-completion-openai/gpt-3.5-turbo-instruct"])
def test_a_provider_with_a_protocol_of_its_own_is_spoken_to_through_litellm(model: str) -> None:
    adapter = adapter_for(model)
    assert adapter.style == "litellm_style"
    assert adapter.build_request(HI) == {"model": model, "messages": [{"role": "user", "content": "Hi"}]}
    assert adapter == get_adapter("litellm_style", model=model)
    with pytest.raises(UnsupportedContentError, match="LiteLLM is not known to pass it on"):
        adapter.build_request((Message("user", [Image(PNG)]),))


def test_names_of_catalogues_stay_whole_where_a_vendor_s_word_is_a_prefix() -> None:
    for model in ("meta/llama-3.1-70b-instruct", "ai21/jamba-large-1.7", "inception/mercury", "tencent/hunyuan-a13b"):
        adapter = get_adapter("openai_style", model=model)
        assert adapter.model == model
        assert "as catalogues list it" in " ".join(str(note) for note in adapter.prepare(HI).notes)
