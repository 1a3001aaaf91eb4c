import subprocess
import sys
import timeit
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompt_adapters.errors import NoChatModelError, UnknownAdapterError, UnknownModelError
from prompt_adapters.targets import PROVIDERS, Route, route
from prompt_adapters.targets.capabilities import UNKNOWN
from prompt_adapters.targets.names import NOT_CHAT


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
        (
            "vertex_ai/projects/p/locations/us-east5/endpoints/123",
            "vertex_ai",
            "projects/p/locations/us-east5/endpoints/123",
            "google_style",
        ),
        (
            "projects/P/locations/l/publishers/google/models/gemini-2.5-pro",
            "vertex_ai",
            "projects/P/locations/l/publishers/google/models/gemini-2.5-pro",
            "google_style",
        ),
        (
            "vertex_ai/projects/p/locations/l/publishers/anthropic/models/claude-opus-5",
            "vertex_ai",
            "claude-opus-5",
            "anthropic_style",
        ),
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
        # Names that tell whose model it is, and not who serves it.
        ("command-r", "cohere_chat/command-r"),
        ("grok-99", "xai/grok-99"),
        ("Pixtral-12B", "mistral/Pixtral-12B"),
        ("accounts/fireworks/models/x", "fireworks_ai/accounts/fireworks/models/x"),
        # As Ollama has them.
        ("llama3", "ollama_chat/llama3"),
        ("qwen2.5-coder:7b-instruct-q4_K_M", "ollama_chat/qwen2.5-coder:7b-instruct-q4_K_M"),
        ("hf.co/org/Model-GGUF:Q4", "ollama_chat/hf.co/org/Model-GGUF:Q4"),
        ("org/model:latest", "ollama/org/model:latest"),
        # Names of repositories; capitals count there.
        ("meta-llama/Llama-3-8B", "hosted_vllm/meta-llama/Llama-3-8B"),
        ("bar/baz", "openrouter/bar/baz"),
        ("Antropic/Claude-Mine", "anthropic/Claude-Mine"),
        ("gpt", "gpt-5"),
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


@pytest.mark.parametrize(
    "model",
    [
        "openai/responses/",
        "azure/responses/",
        "bedrock/converse/",
        "bedrock/invoke/",
        "bedrock/us-east-1/",
        "bedrock/converse/us-east-1/",
        "vertex_ai/google/",
        "vertex_ai/publishers/anthropic/models/",
        "gemini/models/",
    ],
)
def test_words_in_front_of_no_name_are_no_model(model: str) -> None:
    with pytest.raises(UnknownModelError, match=f"'{model}'"):
        route(model)


@pytest.mark.parametrize("model", [None, 4, b"gpt-4o"])
def test_a_name_is_a_string(model: str) -> None:
    with pytest.raises(TypeError, match="named by a string"):
        route(model)


@pytest.mark.parametrize(
    ("model", "api_base", "found"),
    [
        ("my-model", "http://localhost:8000/v1", Route("custom_openai", "my-model", "openai_style")),
        ("meta-llama/Llama-3-8B", "localhost:8000/v1", Route("custom_openai", "meta-llama/Llama-3-8B", "openai_style")),
        ("My-Model", "https://api.groq.com/openai/v1", Route("groq", "My-Model", "openai_style")),
        ("org/m", " HTTPS://API.GROQ.COM/openai/v1/ ", Route("groq", "org/m", "openai_style")),
        ("gpt-4o", "https://api.groq.com/openai/v1/chat/completions", Route("groq", "gpt-4o", "openai_style")),
        ("m", "https://api.mistral.ai/v1", Route("mistral", "m", "mistral_style")),
        ("my-model", "https://api.openai.com/v1", Route("openai", "my-model", "openai_style")),
        # Somebody else's address that only mentions a provider.
        ("m", "https://evil.example/api.groq.com/openai/v1", Route("custom_openai", "m", "openai_style")),
        ("m", "https://api.groq.com.evil.example/openai/v1", Route("custom_openai", "m", "openai_style")),
        ("m", "https://api.groq.com/openai/v10", Route("custom_openai", "m", "openai_style")),
        ("m", "http://[broken", Route("custom_openai", "m", "openai_style")),
        # What the name tells holds at any address that is not known.
        ("gpt-4o", "http://localhost:8000/v1", Route("openai", "gpt-4o", "openai_style")),
        ("claude-opus-5", "http://localhost:8000", Route("anthropic", "claude-opus-5", "anthropic_style")),
        ("azure/dep", "https://api.groq.com/openai/v1", Route("azure", "dep", "openai_style")),
        ("gpt-4o", "", Route("openai", "gpt-4o", "openai_style")),
    ],
)
def test_an_address_tells_where_names_do_not(model: str, api_base: str, found: Route) -> None:
    assert route(model, api_base=api_base) == found


def test_nothing_is_known_of_a_model_at_an_unknown_address() -> None:
    found = route("my-model", api_base="http://localhost:8000/v1")
    assert found.capabilities == UNKNOWN
    assert found.limits.image_types != frozenset()


@pytest.mark.parametrize(
    ("model", "provider", "found"),
    [
        ("my-finetune", "openai", Route("openai", "my-finetune", "openai_style")),
        ("my-model", " Custom_OpenAI ", Route("custom_openai", "my-model", "openai_style")),
        ("openai/gpt-4o", "openai", Route("openai", "gpt-4o", "openai_style")),
        ("anthropic/claude-x", "openrouter", Route("openrouter", "anthropic/claude-x", "openai_style")),
        ("openrouter/auto", "openrouter", Route("openrouter", "openrouter/auto", "openai_style")),
        ("claude-opus-5", "vertex_ai", Route("vertex_ai", "claude-opus-5", "anthropic_style")),
        ("vertex_ai_beta/gemini-x", "vertex_ai_beta", Route("vertex_ai", "gemini-x", "google_style")),
        ("gpt-4o", "gemini", Route("gemini", "gpt-4o", "google_style")),
        ("responses/gpt-5", "openai", Route("openai", "gpt-5", "openai_responses_style")),
    ],
)
def test_an_explicit_provider_wins(model: str, provider: str, found: Route) -> None:
    assert route(model, provider=provider, api_base="https://api.groq.com/openai/v1") == found


@pytest.mark.parametrize(
    ("model", "provider", "said"),
    [("m", "opnai", "did you mean 'openai/m'"), ("", "openai", "'openai/'"), ("openai/", "openai", "'openai/'")],
)
def test_an_explicit_provider_must_exist_and_a_model_be_named(model: str, provider: str, said: str) -> None:
    with pytest.raises(UnknownModelError, match=said):
        route(model, provider=provider)


@pytest.mark.parametrize("argument", ["api_base", "provider"])
def test_the_other_arguments_are_strings_too(argument: str) -> None:
    with pytest.raises(TypeError, match=r"named by a string, not by int"):
        route("gpt-4o", **{argument: 4})


@pytest.mark.parametrize("prefix", sorted(NOT_CHAT))
def test_providers_without_chat_are_refused_by_name(prefix: str) -> None:
    for model, provider in ((f"{prefix}/some-model", None), ("some-model", prefix)):
        with pytest.raises(NoChatModelError, match=f"'{prefix}/some-model' is for {NOT_CHAT[prefix]}") as caught:
            route(model, provider=provider)
        assert caught.value.serves == NOT_CHAT[prefix]
        assert isinstance(caught.value, UnknownModelError)


@pytest.mark.parametrize(
    ("model", "serves"),
    [
        ("text-embedding-3-large", "embeddings"),
        ("gpt-image-1", "images"),
        ("whisper-1", "speech"),
        ("gpt-4o-mini-tts", "speech"),
        ("gpt-4o-transcribe", "speech"),
        ("gpt-realtime", "socket"),
        ("omni-moderation-latest", "moderation"),
        ("gemini-embedding-001", "embeddings"),
        ("us.cohere.embed-v4:0", "embeddings"),
        ("amazon.nova-2-sonic-v1:0", "socket"),
        ("amazon.rerank-v1:0", "ranking"),
        ("stability.sd3-5-large-v1:0", "images"),
    ],
)
def test_names_that_the_table_has_for_something_else_are_refused(model: str, serves: str) -> None:
    with pytest.raises(NoChatModelError, match=serves):
        route(model)


@pytest.mark.parametrize("model", ["claude-opus-latest", "anthropic/claude-opus-latest", "bedrock/claude-opus-latest"])
def test_litellm_s_names_for_the_latest_become_those_of_models(model: str) -> None:
    found = route(model)
    assert not found.model.endswith("latest")
    assert "claude-opus-" in found.model
    assert found.capabilities.image is True


@pytest.mark.parametrize(
    "model", ["mistral/mistral-large-latest", "gemini/gemini-flash-latest", "azure/gpt-mini-latest"]
)
def test_other_names_for_the_latest_are_the_provider_s_own(model: str) -> None:
    assert route(model).model == model.partition("/")[2]


@pytest.mark.parametrize(
    ("model", "name", "api"),
    [
        ("gpt-4o", "OpenAI", "chat/completions"),
        ("gpt-5-pro", "openai", "responses"),
        ("groq/x", "Groq", "chat/completions"),
        ("claude-opus-5", "anthropic", "messages"),
        ("vertex_ai/claude-opus-5", "vertex_ai", "rawPredict"),
        ("gemini/x", "gemini", "generateContent"),
        ("bedrock/amazon.nova-lite-v1:0", "bedrock", "converse"),
        ("bedrock/invoke/anthropic.claude-x", "bedrock", "invoke"),
        ("bedrock/claude_platform/claude-opus-5", "bedrock", "messages"),
        ("command-a-03-2025", "cohere_chat", "v2/chat"),
        ("ollama/x", "ollama", "api/chat"),
        ("replicate/x/y", "replicate", "litellm.completion"),
    ],
)
def test_the_endpoint_is_the_server_and_its_api(model: str, name: str, api: str) -> None:
    found = route(model)
    endpoint = found.endpoint
    assert (endpoint.name.lower(), endpoint.api) == (name.lower(), api)
    assert endpoint.sources
    assert bool(endpoint.parts) == (found.style == "openai_style")


@given(st.sampled_from(sorted(PROVIDERS)), st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1))
def test_a_prefix_always_decides(provider: str, model: str) -> None:
    found = route(f"{provider}/{model}")
    assert found.provider == provider
    assert found.model
    assert model.endswith(found.model) or model.lower().endswith("latest")


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
    def best(ask: Callable[[], object]) -> float:
        ask()
        return min(timeit.repeat(ask, number=2000, repeat=5)) / 2000

    assert best(lambda: route("openai/gpt-4o")) < 5e-6
    assert best(lambda: route("my-model", api_base="http://localhost:8000/v1")) < 5e-6
    assert route.cache_info().maxsize is not None


COLD = """
import socket, sys, time
def refuse(*args, **kwargs): raise AssertionError("the network was asked")
socket.socket.connect = socket.getaddrinfo = refuse
from prompt_adapters.targets import route
start = time.perf_counter()
found = route(sys.argv[1])
took = time.perf_counter() - start
found.endpoint, found.capabilities, found.limits
for name in ("gtp-4o", "voyage/x", "bar/baz"):
    try: route(name)
    except KeyError: pass
assert not {name.partition(".")[0] for name in sys.modules} & {"litellm", "langchain_core", "httpx", "openai"}
sys.stderr.write(f"{took:.6f}")
"""


# The first name tells its vendor; for the other two LiteLLM's table has to be read.
@pytest.mark.parametrize("model", ["openai/gpt-4o", "command-a-03-2025", "anthropic/claude-opus-latest"])
def test_a_first_route_is_quick_and_silent_and_imports_nothing(model: str) -> None:
    took = 1.0
    for _ in range(5):  # another process may get in the way
        done = subprocess.run([sys.executable, "-c", COLD, model], capture_output=True, text=True, check=True)
        assert done.stdout == ""
        if (took := float(done.stderr)) < 0.1:
            break
    assert took < 0.1
