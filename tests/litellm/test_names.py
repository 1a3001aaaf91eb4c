"""The name that LiteLLM is given leads it to the provider and the API that the request is written for."""

from typing import Any

import pytest

from prompt_adapters import Message
from prompt_adapters.adapters.litellm import LiteLLMStylePromptAdapter
from prompt_adapters.errors import PromptAdapterError
from prompt_adapters.litellm import LiteLLMBridge

# Names of ours for providers that LiteLLM splits, and the other way round.
SAME = {("cohere", "cohere_chat"), ("azure", "openai")}
# LiteLLM asks for a login as soon as it hears these names.
LOGIN = ("github_copilot", "chatgpt")
BARE = (
    "gpt-4o",
    "GPT-4o",
    " gpt-4o ",
    "gpt-4o-audio-preview",
    "gpt-9-unknown",
    "ft:gpt-4o-mini-2024-07-18:acme::AbC123",
    "o3-pro",
    "claude-3-5-sonnet-20241022",
    "claude-sonnet-9-9",
    "claude-sonnet-4-5@20250929",
    "gemini-2.5-pro",
    "gemini-1.5-pro",
    "models/gemini-2.5-pro",
    "us.anthropic.claude-haiku-4-5-20251001-v1:0",
    "amazon.nova-pro-v1:0",
    "OpenAI/gpt-4o",
    "ANTHROPIC/claude-haiku-4-5",
    "ollama/llama3.2:1b",
)


def led(litellm: Any, model: str) -> tuple[str, str, str]:
    """Where a name leads, by our route and by LiteLLM, and what LiteLLM is given."""
    adapter = LiteLLMStylePromptAdapter(model=model)
    assert adapter.route is not None
    sent = adapter.build_request(Message("user", "Hi"))["model"]
    return adapter.route.provider, litellm.get_llm_provider(sent)[1], sent


@pytest.mark.parametrize("model", BARE)
def test_a_name_leads_litellm_to_the_provider_that_is_meant(model: str, litellm: Any) -> None:
    meant, found, sent = led(litellm, model)
    assert found == {"ollama": "ollama_chat"}.get(meant, meant), sent


def test_so_does_every_chat_model_of_litellms_table(litellm: Any) -> None:
    wrong: dict[str, Any] = {}
    seen = 0
    for model, row in litellm.model_cost.items():
        if row.get("mode") not in ("chat", "responses") or model.startswith(LOGIN):
            continue
        try:
            meant, found, sent = led(litellm, model)
        except PromptAdapterError:
            continue
        except litellm.BadRequestError as error:
            wrong[model] = str(error)[:200]
            continue
        seen += 1
        if meant != found and (meant, found) not in SAME and meant != "ollama":
            wrong[model] = (meant, found, sent)
    assert seen > 2000
    assert not wrong, "\n".join(f"{model}: {said}" for model, said in wrong.items())


def test_bedrock_is_called_by_the_api_that_is_meant(litellm: Any) -> None:
    from litellm.llms.bedrock.common_utils import BedrockModelInfo

    names = [name for name, row in litellm.model_cost.items() if str(row.get("litellm_provider")).startswith("bedrock")]
    names += [
        "bedrock/mistral.mistral-7b-instruct-v0:2",
        "bedrock/us-east-1/anthropic.claude-v2:1",
        "bedrock/arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-5-v1:0",
        "bedrock/arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc",
        "bedrock/xai.grok-9",
        "bedrock/openai.gpt-5.6",
        "bedrock/unknown.model-v1:0",
    ]
    wrong, seen = {}, 0
    for name in names:
        try:
            adapter = LiteLLMStylePromptAdapter(model=name if name.startswith("bedrock/") else f"bedrock/{name}")
        except PromptAdapterError:
            continue
        assert adapter.route is not None
        if adapter.route.style not in ("bedrock_style", "anthropic_style") or adapter.route.api is not None:
            continue
        seen += 1
        sent = adapter.sent.name
        meant = "invoke" if adapter.route.style == "anthropic_style" else "converse"
        found = BedrockModelInfo.get_bedrock_route(sent.removeprefix("bedrock/"))
        if found not in (meant, f"{meant}_like"):
            wrong[name] = (sent, found)
    assert seen > 100
    assert not wrong, wrong


@pytest.mark.parametrize(
    ("model", "path"),
    [
        ("gemini-2.5-pro", "/models/gemini-2.5-pro:generateContent"),
        ("ollama/llama3.2:1b", "/api/chat"),
        ("bedrock/mistral.mistral-7b-instruct-v0:2", "/model/mistral.mistral-7b-instruct-v0%3A2/converse"),
        ("openai/gpt-9-codex", "/responses"),
        ("gpt-4o", "/chat/completions"),
    ],
)
def test_the_call_goes_there(model: str, path: str, provider: Any, litellm: Any) -> None:
    bridge = LiteLLMBridge(model)
    keys = {"api_base": provider.url, "api_key": "fake"}
    if model.startswith("bedrock/"):
        secret = {"aws_access_key_id": "fake", "aws_secret_access_key": "fake", "aws_region_name": "us-east-1"}
        keys = {"aws_bedrock_runtime_endpoint": provider.url} | secret
    bridge.completion(Message("user", "Hi"), **keys)
    assert [call.path for call in provider.calls if not call.path.endswith("/api/show")] == [path]


def test_a_name_that_means_something_else_to_litellm_is_noted() -> None:
    def notes(model: str) -> list[str]:
        return [str(note) for note in LiteLLMStylePromptAdapter(model=model).prepare(Message("user", "Hi")).notes]

    assert any(
        "for a model of vertex_ai" in note and "'gemini/gemini-2.5-pro'" in note for note in notes("gemini-2.5-pro")
    )
    assert any("'ollama_chat/llama3.2'" in note for note in notes("ollama/llama3.2"))
    for model in ("gpt-4o", "gemini/gemini-2.5-pro", "ollama_chat/llama3.2", "claude-3-5-sonnet-20241022"):
        assert notes(model) == []


def test_a_routers_alias_is_left_alone(litellm: Any, provider: Any) -> None:
    keys = {"api_base": provider.url, "api_key": "fake"}
    router = litellm.Router([{"model_name": "fast", "litellm_params": {"model": "ollama_chat/llama3.2", **keys}}])
    assert LiteLLMBridge("fast", router=router).request(Message("user", "Hi"))["model"] == "fast"
