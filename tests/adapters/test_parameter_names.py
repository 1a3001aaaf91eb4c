"""Shared parameters, parameter by adapter: the name that each has for it, or its refusal, or a note."""

from __future__ import annotations

from typing import Any

import pytest

from prompt_adapters.adapters import MessageAdapter, adapter_for, get_adapter
from prompt_adapters.adapters.parameters import SHARED
from prompt_adapters.content.message import Message
from prompt_adapters.errors import UnsupportedContentError

HI = Message("user", "Hi")
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}
FORMAT = {"type": "json_schema", "json_schema": {"name": "x", "schema": SCHEMA}}
VALUES: dict[str, Any] = {
    "temperature": 0.5,
    "top_p": 0.5,
    "top_k": 4,
    "max_tokens": 9,
    "stop": ["A", "B"],
    "seed": 7,
    "presence_penalty": 0.5,
    "frequency_penalty": 0.25,
    "response_format": FORMAT,
    "n": 2,
}
MODELS = {
    "openai": "openai/gpt-4o",
    "vllm": "hosted_vllm/x",
    "responses": "openai/responses/gpt-4o",
    "anthropic": "anthropic/claude-haiku-4-5",
    "google": "gemini/gemini-2.5-pro",
    "claude on bedrock": "bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0",
    "nova on bedrock": "bedrock/amazon.nova-lite-v1:0",
    "llama on bedrock": "bedrock/meta.llama3-8b-instruct-v1:0",
    "mistral": "mistral/mistral-medium-latest",
    "cohere": "cohere_chat/command-a-vision-07-2025",
    "ollama": "ollama_chat/llava",
    "litellm": "litellm",
}
# Where each stands in the body, as a path; None: there is no such parameter. In the order of `SHARED`: temperature,
# top_p, top_k, max_tokens, stop, seed, presence_penalty, frequency_penalty, response_format, n.
_G = "generationConfig."
_I = "inferenceConfig."
_O = "options."
_BEDROCK = [f"{_I}maxTokens", f"{_I}stopSequences", None, None, None, "outputConfig.textFormat", None]
PLACES: dict[str, list[str | None]] = {
    "openai": ["temperature", "top_p", None, "max_completion_tokens", *SHARED[4:]],
    "vllm": [*SHARED],
    "responses": ["temperature", "top_p", None, "max_output_tokens", None, None, None, None, "text.format", None],
    "anthropic": [*SHARED[:4], "stop_sequences", None, None, None, "output_config.format", None],
    "google": [
        f"{_G}temperature",
        f"{_G}topP",
        f"{_G}topK",
        f"{_G}maxOutputTokens",
        f"{_G}stopSequences",
        f"{_G}seed",
        f"{_G}presencePenalty",
        f"{_G}frequencyPenalty",
        f"{_G}responseJsonSchema",
        f"{_G}candidateCount",
    ],
    "claude on bedrock": [f"{_I}temperature", f"{_I}topP", "additionalModelRequestFields.top_k", *_BEDROCK],
    "nova on bedrock": [
        f"{_I}temperature",
        f"{_I}topP",
        "additionalModelRequestFields.inferenceConfig.topK",
        *_BEDROCK,
    ],
    "llama on bedrock": [f"{_I}temperature", f"{_I}topP", None, *_BEDROCK],
    "mistral": [*SHARED[:5], "random_seed", *SHARED[6:]],
    "cohere": ["temperature", "p", "k", "max_tokens", "stop_sequences", *SHARED[5:9], None],
    "ollama": [
        f"{_O}temperature",
        f"{_O}top_p",
        f"{_O}top_k",
        f"{_O}num_predict",
        f"{_O}stop",
        f"{_O}seed",
        f"{_O}presence_penalty",
        f"{_O}frequency_penalty",
        "format",
        None,
    ],
    # For Claude: what LiteLLM does not pass on is refused.
    "litellm": [*SHARED[:5], None, None, None, "response_format", None],
}
CELLS = [(shape, name) for shape in MODELS for name in SHARED]


def adapter_of(shape: str, **options: Any) -> MessageAdapter:
    if shape == "litellm":
        return get_adapter("litellm_style", model=MODELS["anthropic"], **options)
    return adapter_for(MODELS[shape], **options)


def at(body: Any, path: str) -> Any:
    for step in path.split("."):
        body = body[step]
    return body


def expected(value: Any, path: str) -> Any:
    """The value under a provider's own name; only schemas are reshaped."""
    if path in ("format", f"{_G}responseJsonSchema"):
        return SCHEMA
    return value


@pytest.mark.parametrize(("shape", "name"), CELLS)
def test_a_parameter_has_its_name_or_is_refused_or_dropped(shape: str, name: str) -> None:
    place, value = PLACES[shape][SHARED.index(name)], VALUES[name]
    if place is None:
        with pytest.raises(UnsupportedContentError, match=f"parameter '{name}'.*unknown_parameters='drop'"):
            adapter_of(shape, parameters={name: value}).build_body(HI)
        adapter = adapter_of(shape, parameters={name: value}, unknown_parameters="drop")
        assert adapter.build_body(HI) == adapter_of(shape).build_body(HI)
        assert f"'{name}' is left out" in str(adapter.prepare(HI).notes)
        return
    adapter = adapter_of(shape, parameters={name: value})
    found = at(adapter.build_body(HI), place)
    if name == "response_format" and expected(value, place) is value:
        assert "'a'" in str(found) or '"a"' in str(found)
    else:
        assert found == expected(value, place)
    assert not any("is left out" in str(note) for note in adapter.prepare(HI).notes)


@pytest.mark.parametrize(("shape", "name"), CELLS)
def test_none_takes_a_parameter_away(shape: str, name: str) -> None:
    class Asked:
        model = None
        parameters = {name: VALUES[name]}  # noqa: RUF012 - as a prompt has it

        def render_messages(self, values: Any, **options: Any) -> tuple[Message, ...]:
            return (HI,)

    if PLACES[shape][SHARED.index(name)] is not None:
        assert adapter_of(shape, parameters={name: None}).build_body(Asked()) == adapter_of(shape).build_body(HI)


@pytest.mark.parametrize(
    ("shape", "given", "holder"),
    [
        ("claude on bedrock", {"top_k": 4}, "additionalModelRequestFields"),
        ("nova on bedrock", {"top_k": 4}, "additionalModelRequestFields"),
        ("nova on bedrock", {"temperature": 0.5, "max_tokens": 9}, "inferenceConfig"),
        ("ollama", {"temperature": 0.5, "seed": 7}, "options"),
        ("anthropic", {"response_format": FORMAT}, "output_config"),
        ("responses", {"response_format": FORMAT}, "text"),
    ],
)
def test_none_takes_a_whole_mapping_away(shape: str, given: dict[str, Any], holder: str) -> None:
    class Asked:
        model = None
        parameters = given

        def render_messages(self, values: Any, **options: Any) -> tuple[Message, ...]:
            return (HI,)

    assert holder in adapter_of(shape).build_body(Asked())
    assert holder not in adapter_of(shape, parameters={holder: None}).build_body(Asked())


def test_the_table_is_whole() -> None:
    assert PLACES.keys() == MODELS.keys()
    assert VALUES.keys() == set(SHARED)
    assert all(len(places) == len(SHARED) for places in PLACES.values())
