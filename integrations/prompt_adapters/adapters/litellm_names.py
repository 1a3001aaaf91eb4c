"""The name by which LiteLLM is given a model, so that a call reaches the provider and the API that it is written for.

=================================  =====================================================================================
``gpt-4o``                         itself where LiteLLM's table gives the name to the same provider
``gemini-2.5-pro``                 ``gemini/gemini-2.5-pro``: LiteLLM takes the bare name for Vertex AI's
a bare name that is not listed     with the provider's prefix: LiteLLM would refuse it
``OpenAI/gpt-4o``                  ``openai/gpt-4o``: LiteLLM knows prefixes in lower case only
``ollama/llama3.2``                ``ollama_chat/llama3.2``: for the other, LiteLLM writes all turns into one text
a model of Bedrock                 with ``converse/`` where LiteLLM would call InvokeModel, whose body is another
a model of the Responses API       with ``responses/`` where LiteLLM's table does not say that it is one
a resource of Vertex AI            its last word: LiteLLM has project and location in arguments of their own
=================================  =====================================================================================

Providers and prefixes: https://docs.litellm.ai/docs/providers
Bedrock: https://docs.litellm.ai/docs/providers/bedrock
Ollama: https://docs.litellm.ai/docs/providers/ollama#using-ollama-apichat
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from prompt_adapters.targets import Route
from prompt_adapters.targets.cost_map import model_info, provider_of
from prompt_adapters.targets.names import ALIASES

# Words of LiteLLM's for an API or the family of a custom model, in front of a model of Bedrock's.
_API_NAMED = re.compile(
    r"(?:converse(?:_like)?|invoke|claude_platform|mantle|chat_completions|openai|agent|agentcore|async_invoke"
    r"|nova|nova-2|llama|deepseek_r1|qwen2|qwen3)/",
    re.IGNORECASE,
)
# Those that LiteLLM may send to an API that is OpenAI's.
_ELSEWHERE = re.compile(r"(?:.*[./])?(?:openai\.|xai\.)", re.IGNORECASE)
# Providers whose models LiteLLM knows without a prefix, among those of its table.
_KNOWN_BARE = frozenset({"openai", "anthropic", "bedrock", "vertex_ai"})
# Providers of which LiteLLM's table tells the API, by model.
_TWO_APIS = frozenset({"openai", "azure", "azure_ai"})
# How LiteLLM is told the API when only the shape is known.
_API_WORDS: Mapping[tuple[str, str], str] = MappingProxyType({("bedrock", "anthropic_style"): "invoke/"})
# Google's names of its models and of endpoints.
_RESOURCE = re.compile(r"projects/[^/]+/locations/[^/]+/.+/")
_RESOURCE_REASON = (
    "LiteLLM takes no resource names, so {sent!r} is sent; give it the project and the location as vertex_project and "
    "vertex_location"
)
_TURNED: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "ollama": (
            "ollama_chat",
            "for 'ollama/' LiteLLM writes all turns into one text, which loses the roles and the model's own template, "
            "so the model is sent as {sent!r}; write it so to begin with",
        )
    }
)


class SentName(NamedTuple):
    """What LiteLLM is given.

    Attributes:
        name: The model string.
        reason: Why it is another one than was written, as a sentence; empty when the difference means nothing.
    """

    name: str
    reason: str = ""


def full_name(target: Route) -> str:
    """LiteLLM's name for a routed model, with all that says which API is meant."""
    word = _API_WORDS.get((target.provider, target.style), "")
    if target.style == "openai_responses_style":
        word = "responses/"
    return f"{target.provider}/{word}{target.model}"


@lru_cache(maxsize=1024)
def sent_name(given: str, target: Route) -> SentName:
    """What LiteLLM is given for a model string.

    Args:
        given: The model string as it was written.
        target: Where it leads.
    """
    name = given.strip()
    prefix, slash, rest = name.partition("/")
    if target.provider in _TURNED:
        provider, reason = _TURNED[target.provider]
        sent = f"{provider}/{target.model}"
        return SentName(sent, reason.format(sent=sent))
    if target.provider == "vertex_ai" and (resource := _RESOURCE.match(target.model)):
        sent = f"{target.provider}/{target.model[resource.end() :]}"
        return SentName(sent, _RESOURCE_REASON.format(sent=sent))
    if slash and prefix.strip().lower() == target.provider:
        return SentName(f"{target.provider}/{_pinned(rest.strip(), target)}")
    if slash and ALIASES.get(prefix) == target.provider:
        return SentName(name)
    if not slash and (home := provider_of(name)) is not None:
        plain = home == target.provider and home in _KNOWN_BARE and not name.startswith("ft:")
        if plain and _pinned(name, target) == name:
            return SentName(name)
        sent = f"{target.provider}/{_pinned(target.model, target)}"
        reason = (
            ""
            if home == target.provider
            else f"LiteLLM takes {name!r} for a model of {home}, so it is sent as {sent!r}"
        )
        return SentName(sent, reason)
    return SentName(full_name(target) if target.provider != "bedrock" else f"bedrock/{_pinned(name, target)}")


def _pinned(model: str, target: Route) -> str:
    """A model with the API in front, where LiteLLM would call another one than the request is written for."""
    said = (model_info(target.provider, target.model) or {}).get
    if target.style == "openai_responses_style":
        known = model.startswith("responses/") or said("mode") == "responses" or target.provider not in _TWO_APIS
        return model if known else f"responses/{model}"
    if target.provider != "bedrock" or target.style != "bedrock_style" or _API_NAMED.match(model):
        return model
    listed = said("litellm_provider") == "bedrock_converse" and "/" not in model and not _ELSEWHERE.match(model)
    return model if listed else f"converse/{model}"
