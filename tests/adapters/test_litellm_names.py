"""The names that LiteLLM is given, from the name that was written alone; LiteLLM's own view is tested beside it."""

import pytest

from prompt_adapters import route
from prompt_adapters.adapters.litellm_names import full_name, sent_name


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ("gpt-4o", "gpt-4o"),
        (" gpt-4o ", "gpt-4o"),
        ("GPT-4o", "openai/gpt-4o"),
        ("OpenAI/gpt-4o", "openai/gpt-4o"),
        ("gpt-99-unknown", "openai/gpt-99-unknown"),
        ("openai/responses/gpt-4o", "openai/responses/gpt-4o"),
        ("openai/gpt-99-codex", "openai/responses/gpt-99-codex"),
        ("claude-haiku-4-5", "claude-haiku-4-5"),
        ("claude-99-unknown", "anthropic/claude-99-unknown"),
        ("gemini-2.5-pro", "gemini/gemini-2.5-pro"),
        ("models/gemini-2.5-pro", "gemini/gemini-2.5-pro"),
        ("vertex_ai/gemini-2.5-pro", "vertex_ai/gemini-2.5-pro"),
        ("ollama/llama3.2:1b", "ollama_chat/llama3.2:1b"),
        ("ollama_chat/llama3.2:1b", "ollama_chat/llama3.2:1b"),
        ("bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0", "bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0"),
        ("bedrock/mistral.mistral-7b-instruct-v0:2", "bedrock/converse/mistral.mistral-7b-instruct-v0:2"),
        ("bedrock/invoke/anthropic.claude-v2:1", "bedrock/invoke/anthropic.claude-v2:1"),
        ("bedrock/unknown.model", "bedrock/converse/unknown.model"),
        ("openrouter/anthropic/claude-sonnet-4.5", "openrouter/anthropic/claude-sonnet-4.5"),
        ("azure/my-deployment", "azure/my-deployment"),
        ("projects/p/locations/l/endpoints/12", "vertex_ai/12"),
        ("vertex_ai/projects/p/locations/l/publishers/google/models/gemini-2.5-pro", "vertex_ai/gemini-2.5-pro"),
    ],
)
def test_the_name_that_is_sent(given: str, sent: str) -> None:
    assert sent_name(given, route(given)).name == sent
    again = sent_name(sent, route(sent))
    assert again.name == sent
    assert again.reason == ""


@pytest.mark.parametrize("given", ["ollama/llama3.2", "gemini-2.5-pro", "projects/p/locations/l/endpoints/12"])
def test_a_name_that_leads_elsewhere_has_its_reason(given: str) -> None:
    found = sent_name(given, route(given))
    assert found.name in found.reason
    assert "\n" not in found.reason


@pytest.mark.parametrize(
    "model",
    ["openai/gpt-4o", "openai/responses/gpt-4o", "bedrock/invoke/anthropic.claude-v2:1", "gemini/gemini-2.5-pro"],
)
def test_the_full_name_of_a_route_leads_to_it(model: str) -> None:
    assert full_name(route(model)) == model
    assert route(full_name(route(model))) == route(model)
