import timeit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompt_adapters.errors import UnknownAdapterError, UnknownModelError
from prompt_adapters.targets import PROVIDERS, Route, route


@pytest.mark.parametrize(
    ("model", "provider", "name", "style"),
    [
        ("openai/gpt-4o", "openai", "gpt-4o", "openai_style"),
        ("gpt-4o", "openai", "gpt-4o", "openai_style"),
        ("GPT-4o", "openai", "gpt-4o", "openai_style"),
        ("  gpt-4o\n", "openai", "gpt-4o", "openai_style"),
        ("OpenAI/My-Model", "openai", "My-Model", "openai_style"),
        ("openai/ gpt-4o", "openai", "gpt-4o", "openai_style"),
        ("chatgpt-4o-latest", "openai", "chatgpt-4o-latest", "openai_style"),
        ("chat-latest", "openai", "chat-latest", "openai_style"),
        ("gpt-99-unheard-of", "openai", "gpt-99-unheard-of", "openai_style"),
        ("openai/responses/gpt-5", "openai", "gpt-5", "openai_responses_style"),
        ("anthropic/claude-3-opus", "anthropic", "claude-3-opus", "anthropic_style"),
        ("Claude-Sonnet-4-5", "anthropic", "claude-sonnet-4-5", "anthropic_style"),
        ("claude-3-5-sonnet-20241022", "anthropic", "claude-3-5-sonnet-20241022", "anthropic_style"),
        ("claude-sonnet-9-9", "anthropic", "claude-sonnet-9-9", "anthropic_style"),
        ("claude-opus-4-5@20251101", "vertex_ai", "claude-opus-4-5@20251101", "anthropic_style"),
        ("gemini/gemini-2.0-flash", "gemini", "gemini-2.0-flash", "google_style"),
        ("gemini/models/gemini-2.0-flash", "gemini", "gemini-2.0-flash", "google_style"),
        ("models/gemini-2.5-pro", "gemini", "gemini-2.5-pro", "google_style"),
        ("gemini-1.5-pro", "gemini", "gemini-1.5-pro", "google_style"),
        ("vertex_ai/1234567890", "vertex_ai", "1234567890", "google_style"),
        ("vertex_ai/gemini/1234567890", "vertex_ai", "gemini/1234567890", "google_style"),
        ("vertex_ai/meta/llama-4-scout", "vertex_ai", "meta/llama-4-scout", "openai_style"),
        ("vertex_ai/publishers/anthropic/models/claude-opus-5", "vertex_ai", "claude-opus-5", "anthropic_style"),
        ("vertex_ai/mistral-large", "vertex_ai", "mistral-large", "mistral_style"),
        ("azure_ai/claude-opus-5", "azure_ai", "claude-opus-5", "anthropic_style"),
        ("azure_ai/grok-4", "azure_ai", "grok-4", "openai_style"),
        ("azure/responses/dep", "azure", "dep", "openai_responses_style"),
        ("openrouter/anthropic/claude-3.5-sonnet", "openrouter", "anthropic/claude-3.5-sonnet", "openai_style"),
        ("hosted_vllm/Qwen/Qwen2-VL", "hosted_vllm", "Qwen/Qwen2-VL", "openai_style"),
        ("litellm_proxy/gemini/x", "litellm_proxy", "gemini/x", "openai_style"),
        ("bedrock/us-east-1/meta.llama3-8b-instruct-v1:0", "bedrock", "meta.llama3-8b-instruct-v1:0", "bedrock_style"),
        ("bedrock/invoke/meta.llama3-8b-instruct-v1:0", "bedrock", "meta.llama3-8b-instruct-v1:0", "bedrock_style"),
        ("bedrock/invoke/us.anthropic.claude-x", "bedrock", "us.anthropic.claude-x", "anthropic_style"),
        ("amazon.nova-pro-v1:0", "bedrock", "amazon.nova-pro-v1:0", "bedrock_style"),
        ("us-gov.anthropic.claude-sonnet-5", "bedrock", "us-gov.anthropic.claude-sonnet-5", "bedrock_style"),
        (
            "arn:aws:bedrock:us-east-1:1:inference-profile/Us.Amazon.x",
            "bedrock",
            "arn:aws:bedrock:us-east-1:1:inference-profile/Us.Amazon.x",
            "bedrock_style",
        ),
        ("mistral/mistral-large-latest", "mistral", "mistral-large-latest", "mistral_style"),
        ("cohere/command-r", "cohere", "command-r", "cohere_style"),
        ("command-a-03-2025", "cohere_chat", "command-a-03-2025", "cohere_style"),
        ("deepseek-chat", "deepseek", "deepseek-chat", "openai_style"),
    ],
)
def test_names_lead_to_provider_and_shape(model: str, provider: str, name: str, style: str) -> None:
    assert route(model) == Route(provider, name, style)


@pytest.mark.parametrize("provider", ["groq", "xai", "together_ai", "fireworks_ai", "lm_studio", "llamafile", "vllm"])
def test_a_provider_of_openais_shape_is_a_row_only(provider: str) -> None:
    assert route(f"{provider}/anthropic/claude") == Route(provider, "anthropic/claude", "openai_style")


@pytest.mark.parametrize(
    ("model", "suggested"),
    [
        ("gtp-4o", "gpt-4o"),
        ("gpt4o", "gpt-4o"),
        ("claud-opus-5", "claude-opus-5"),
        ("gemni-2.5-pro", "gemini-2.5-pro"),
        ("antropic/claude-opus-5", "anthropic/claude-opus-5"),
        ("opena/gpt-4o", "openai/gpt-4o"),
        ("openai:gpt-4o", "openai/gpt-4o"),
        ("google_genai:gemini-2.5-pro", "gemini/gemini-2.5-pro"),
        ("google_vertexai/gemini-2.5-pro", "vertex_ai/gemini-2.5-pro"),
        ("bedrock_converse/anthropic.claude-x", "bedrock/anthropic.claude-x"),
        ("mistral-large-latest", "mistral/mistral-large-latest"),
        ("gpt-oss-20b", "groq/openai/gpt-oss-20b"),
    ],
)
def test_typos_and_words_of_other_libraries_get_a_suggestion(model: str, suggested: str) -> None:
    with pytest.raises(UnknownModelError, match="did you mean") as caught:
        route(model)
    assert suggested in caught.value.suggestions
    assert f"'{model}'" in str(caught.value)
    assert isinstance(caught.value, UnknownAdapterError)


@pytest.mark.parametrize("model", ["", "  ", "/", "openai/", "openai/  ", "/gpt-4o", "llama3", "bar/baz", "gpt-", "o"])
def test_names_that_tell_nothing_are_refused(model: str) -> None:
    with pytest.raises(UnknownModelError, match="write the provider in front"):
        route(model)


@pytest.mark.parametrize("model", [None, 4, b"gpt-4o"])
def test_a_name_is_a_string(model: str) -> None:
    with pytest.raises(TypeError, match="named by a string"):
        route(model)


@given(st.sampled_from(sorted(PROVIDERS)), st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1))
def test_a_prefix_always_decides(provider: str, model: str) -> None:
    found = route(f"{provider}/{model}")
    assert found.provider == provider
    assert model.endswith(found.model)
    assert found.model


@given(st.text(max_size=30))
def test_every_string_is_a_route_or_an_unknown_model(model: str) -> None:
    try:
        found = route(model)
    except UnknownModelError as error:
        assert "\n" not in str(error)  # noqa: PT017 - either outcome is right, and each is checked
    else:
        assert found.provider in PROVIDERS


def test_a_suggestion_is_itself_a_route() -> None:
    for model in ("gtp-4o", "mistral-large-latest", "antropic/claude-opus-5", "google/gemini-2.5-flash"):
        with pytest.raises(UnknownModelError) as caught:
            route(model)
        assert all(route(name) for name in caught.value.suggestions)


def test_rows_are_named_by_their_key_and_have_a_source() -> None:
    assert all(row.name == key for key, row in PROVIDERS.items())
    assert all(row.source.startswith("https://") for row in PROVIDERS.values())
    assert all(row.style.endswith("_style") for row in PROVIDERS.values())


def test_a_known_route_takes_microseconds_and_the_cache_is_bounded() -> None:
    route("openai/gpt-4o")
    best = min(timeit.repeat(lambda: route("openai/gpt-4o"), number=2000, repeat=5)) / 2000
    assert best < 5e-6
    assert route.cache_info().maxsize is not None
