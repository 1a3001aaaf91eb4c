"""Where OpenAI and the servers that speak its shape have the parameters of a call."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from prompt_adapters.adapters.parameters import EXTRA_BODY, SHARED, Table, Translation, names, texts
from prompt_adapters.targets import endpoint_of
from prompt_adapters.targets.endpoints import ENDPOINTS

# https://platform.openai.com/docs/api-reference/chat/create
_OWN = names(
    "audio extra_body frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens "
    "metadata modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key "
    "prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier "
    "stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity "
    "web_search_options"
)
OPENAI_TABLE = Table(
    shared=MappingProxyType(
        {name: name for name in SHARED if name != "top_k"} | {"max_tokens": "max_completion_tokens"}
    ),
    own=_OWN,
    source="https://platform.openai.com/docs/api-reference/chat/create",
)

# What servers take beyond OpenAI's parameters; the official client has no keyword for these.
MORE_PARAMETERS: Mapping[str, frozenset[str]] = MappingProxyType(
    {name: row.parameters for name, row in ENDPOINTS.items() if row.parameters}
)


@lru_cache(maxsize=64)
def table_for(provider: str | None) -> Table:
    """The table of a provider; what it takes beyond OpenAI is in its row.

    Args:
        provider: LiteLLM's name of it; None when only the shape is known.
    """
    row = endpoint_of(provider)
    shared = dict(OPENAI_TABLE.shared) | {"max_tokens": row.max_tokens}
    if row.most_stops is not None:
        shared["stop"] = _few_stops(row.most_stops, row.name)
    return OPENAI_TABLE._replace(shared=MappingProxyType(shared), own=_OWN | row.parameters)


def _few_stops(most: int, name: str) -> Translation:
    def convert(value: Any) -> Mapping[str, Any]:
        if (count := len(texts(value))) > most:
            raise ValueError(f"{name} takes at most {most} texts, not {count}")
        return {"stop": deepcopy(value)}

    return Translation(("stop",), convert)


def needs_extra_body(name: str) -> bool:
    """Whether the official client has no keyword for a parameter."""
    return name not in _OWN and name != EXTRA_BODY
