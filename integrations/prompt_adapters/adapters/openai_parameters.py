"""Where OpenAI and the servers that speak its shape have the parameters of a call."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from prompt_adapters.adapters.parameters import EXTRA_BODY, SHARED, Table, names

# https://platform.openai.com/docs/api-reference/chat/create
_OWN = names(
    "audio extra_body frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens "
    "metadata modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key "
    "prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier "
    "stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity "
    "web_search_options"
)
# Where OpenAI's own models are, or may be when only the shape is known: there `max_tokens` is deprecated in favour of
# `max_completion_tokens`, and `developer` is a role.
OPENAI_PLATFORMS = (None, "openai", "azure")

OPENAI_TABLE = Table(
    shared=MappingProxyType(
        {name: name for name in SHARED if name != "top_k"} | {"max_tokens": "max_completion_tokens"}
    ),
    own=_OWN,
    source="https://platform.openai.com/docs/api-reference/chat/create",
)

_VLLM = frozenset({"top_k", "min_p", "repetition_penalty", "length_penalty", "min_tokens", "stop_token_ids"})
# What servers take beyond OpenAI's parameters. The official client has no keyword for these.
MORE_PARAMETERS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        # https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html#extra-parameters
        "hosted_vllm": _VLLM,
        "vllm": _VLLM,
        # https://openrouter.ai/docs/api/reference/parameters
        "openrouter": frozenset({"top_k", "min_p", "top_a", "repetition_penalty"}),
        # https://docs.together.ai/reference/chat-completions-1
        "together_ai": frozenset({"top_k", "min_p", "repetition_penalty"}),
        # https://docs.fireworks.ai/api-reference/post-chatcompletions
        "fireworks_ai": frozenset({"top_k", "min_p", "repetition_penalty"}),
    }
)


@lru_cache(maxsize=64)
def table_for(provider: str | None) -> Table:
    """The table of a provider.

    Args:
        provider: LiteLLM's name of it; None when only the shape is known.
    """
    if provider in OPENAI_PLATFORMS:
        return OPENAI_TABLE
    more = MORE_PARAMETERS.get(provider or "", frozenset())
    shared = dict(OPENAI_TABLE.shared) | {"max_tokens": "max_tokens"}
    return OPENAI_TABLE._replace(shared=MappingProxyType(shared), own=_OWN | more)


def needs_extra_body(name: str) -> bool:
    """Whether the official client has no keyword for a parameter."""
    return name not in _OWN and name != EXTRA_BODY
