"""Where Mistral has the parameters of a call."""

from __future__ import annotations

from types import MappingProxyType

from prompt_adapters.adapters.parameters import SHARED, Table, names

# https://docs.mistral.ai/api/endpoint/chat
MISTRAL_TABLE = Table(
    shared=MappingProxyType({name: name for name in SHARED} | {"seed": "random_seed"}),
    own=names(
        "guardrails logprobs metadata min_tokens parallel_tool_calls prediction prompt_cache_key prompt_logprobs "
        "prompt_mode random_seed reasoning_effort repetition_penalty safe_prompt service_tier stream tool_choice "
        "tools top_logprobs top_prompt_logprobs"
    ),
    source="https://docs.mistral.ai/api/endpoint/chat",
)
