"""Model strings from public bug reports: each must lead to the right provider, shape and facts."""

import pytest

from prompt_adapters.adapters import get_adapter
from prompt_adapters.content.message import Message
from prompt_adapters.errors import UnknownModelError
from prompt_adapters.targets import Route, route


@pytest.mark.parametrize(
    ("model", "provider", "name", "style"),
    [
        # RTE-05: no slash does not mean OpenAI.
        ("claude-opus-4-6", "anthropic", "claude-opus-4-6", "anthropic_style"),
        ("gemini-2.5-pro", "gemini", "gemini-2.5-pro", "google_style"),
        ("gpt-4o-2024-08-06", "openai", "gpt-4o-2024-08-06", "openai_style"),
        ("o4-mini", "openai", "o4-mini", "openai_style"),
        # RTE-06: Claude on Vertex keeps Anthropic's shape.
        (
            "vertex_ai/claude-3-5-sonnet-v2@20241022",
            "vertex_ai",
            "claude-3-5-sonnet-v2@20241022",
            "anthropic_style",
        ),
        ("vertex_ai/claude-sonnet-4-5@20250929", "vertex_ai", "claude-sonnet-4-5@20250929", "anthropic_style"),
        ("vertex_ai/gemini-2.5-pro", "vertex_ai", "gemini-2.5-pro", "google_style"),
        # RTE-08: any geographic profile of Bedrock, also one that does not exist yet.
        (
            "bedrock/us.anthropic.claude-sonnet-4-20250514-v1:0",
            "bedrock",
            "us.anthropic.claude-sonnet-4-20250514-v1:0",
            "bedrock_style",
        ),
        ("bedrock/apac.amazon.nova-lite-v1:0", "bedrock", "apac.amazon.nova-lite-v1:0", "bedrock_style"),
        (
            "global.anthropic.claude-opus-4-5-20251101-v1:0",
            "bedrock",
            "global.anthropic.claude-opus-4-5-20251101-v1:0",
            "bedrock_style",
        ),
        ("bedrock/jp.anthropic.claude-x-v1:0", "bedrock", "jp.anthropic.claude-x-v1:0", "bedrock_style"),
        # RTE-10: route words are no part of the model's name.
        (
            "bedrock/converse/us.anthropic.claude-sonnet-4-20250514-v1:0",
            "bedrock",
            "us.anthropic.claude-sonnet-4-20250514-v1:0",
            "bedrock_style",
        ),
        (
            "bedrock/invoke/anthropic.claude-3-haiku-20240307-v1:0",
            "bedrock",
            "anthropic.claude-3-haiku-20240307-v1:0",
            "anthropic_style",
        ),
        # RTE-11: the colons of a fine-tuned model are no prefix, and its id keeps its case.
        (
            "ft:gpt-4o-mini-2024-07-18:acme::AbC123",
            "openai",
            "ft:gpt-4o-mini-2024-07-18:acme::AbC123",
            "openai_style",
        ),
        # RTE-12: the name of an Azure deployment means nothing.
        ("azure/my-chat-deployment", "azure", "my-chat-deployment", "openai_style"),
        ("azure/claude-is-a-nickname", "azure", "claude-is-a-nickname", "openai_style"),
        # RTE-13
        ("ollama/llama3.2:1b", "ollama", "llama3.2:1b", "ollama_style"),
        ("ollama_chat/llama3.2:1b", "ollama_chat", "llama3.2:1b", "ollama_style"),
        # RTE-14: an explicit prefix beats the name.
        ("gemini/gpt-4o", "gemini", "gpt-4o", "google_style"),
        # RTE-16: an o and a digit, whichever it is.
        ("o1", "openai", "o1", "openai_style"),
        ("o3-mini", "openai", "o3-mini", "openai_style"),
        ("o9-preview", "openai", "o9-preview", "openai_style"),
        ("o12", "openai", "o12", "openai_style"),
    ],
)
def test_reported_names(model: str, provider: str, name: str, style: str) -> None:
    assert route(model) == Route(provider, name, style)


def test_rte_03_a_prefix_of_another_library_is_no_guess() -> None:
    with pytest.raises(UnknownModelError) as caught:
        route("google/gemini-2.5-flash")
    assert caught.value.suggestions == ("gemini/gemini-2.5-flash", "vertex_ai/gemini-2.5-flash")


@pytest.mark.parametrize("model", ["omni-moderation", "ollama-x", "o-mini", "opus"])
def test_rte_16_other_names_with_an_o_are_not_openais(model: str) -> None:
    with pytest.raises(UnknownModelError, match=f"cannot tell the provider of model '{model}'"):
        route(model)


def test_rte_06_claude_on_vertex_takes_no_links() -> None:
    assert route("vertex_ai/claude-sonnet-4-5@20250929").limits.links == frozenset()
    assert route("anthropic/claude-sonnet-4-5").limits.links == frozenset({"http", "https"})


def test_rte_11_a_fine_tuned_model_can_what_its_base_can() -> None:
    abilities = route("ft:gpt-4o-mini-2024-07-18:acme::AbC123").capabilities
    assert (abilities.document, abilities.max_output_tokens) == (True, 16384)
    assert abilities.image is not False


def test_rte_12_nothing_is_known_of_a_deployment_whatever_its_name() -> None:
    for model in ("azure/my-chat-deployment", "azure/gpt-4o", "litellm_proxy/claude-3-5-sonnet-20241022"):
        abilities = route(model).capabilities
        assert (abilities.image, abilities.document, abilities.prefill) == (None, None, None)
        assert route(model).limits.image_types != frozenset()


@pytest.mark.parametrize("style", ["ollama_style", "litellm_style"])
def test_rte_13_turns_for_ollama_keep_their_roles(style: str) -> None:
    assert route("ollama/llama3.2:1b").endpoint.api == route("ollama_chat/llama3.2:1b").endpoint.api == "api/chat"
    messages = (Message("system", "S"), Message("user", "Hi"))
    for model in ("ollama/llama3.2:1b", "ollama_chat/llama3.2:1b"):
        adapter = get_adapter(style, model=model)
        request = adapter.build_request(messages)
        assert [message["role"] for message in request["messages"]] == ["system", "user"]
        warned = "ollama_chat" in " ".join(str(note) for note in adapter.prepare(messages).notes)
        assert warned == (style == "litellm_style" and model.startswith("ollama/"))


def test_rte_15_the_spelling_of_a_name_does_not_change_what_the_model_can() -> None:
    spellings = ["anthropic.claude-3-opus-20240229-v1:0", "bedrock/anthropic.claude-3-opus-20240229-v1:0"]
    spellings += ["bedrock/converse/anthropic.claude-3-opus-20240229-v1:0"]
    assert len({route(model).capabilities for model in spellings}) == 1
    assert route(spellings[0]).capabilities.image is True
    assert route("litellm_proxy/claude-3-5-sonnet-20241022").capabilities.image is None
