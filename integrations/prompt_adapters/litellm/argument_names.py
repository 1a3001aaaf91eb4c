"""Names of arguments: those of ``litellm.completion``, and what becomes of others.

What LiteLLM does not know it takes for a parameter of the provider, and some providers' bodies have no place for it: a
misspelt name would be lost without a word. So a name that is none of LiteLLM's and looks like one is an error. All
others are the caller's word to LiteLLM and pass: https://docs.litellm.ai/docs/completion/provider_specific_params
"""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches
from typing import Any

from prompt_adapters.adapters.litellm_parameters import PARAMETERS_WITH_TOP_K
from prompt_adapters.adapters.parameters import names
from prompt_adapters.prompt import Prompt
from prompt_adapters.targets.endpoints import ENDPOINTS

# Those of its signature, and of the many that it takes besides the ones that people write.
# https://docs.litellm.ai/docs/completion/input
COMPLETION = PARAMETERS_WITH_TOP_K.own | names(
    "api_base api_key api_version base_url cache caching client context_window_fallback_dict cooldown_time "
    "custom_llm_provider deployment_id disable_fallbacks drop_params allowed_openai_params additional_drop_params "
    "enable_json_schema_validation extra_headers fallbacks headers include_server_side_tool_invocations "
    "litellm_metadata max_retries max_workers metadata mock_response mock_tool_calls model model_list num_retries "
    "order prompt_id prompt_label prompt_variables prompt_version request_timeout retry_policy retry_strategy rpm "
    "shared_session stream_timeout stream_timeout_by_service_tier tags timeout timeout_by_service_tier tpm ttl"
)
# With these, a call may go on to another model.
REROUTING = ("fallbacks", "context_window_fallback_dict", "model_list")
_ALSO = frozenset().union(*(row.parameters for row in ENDPOINTS.values()))
_SIMILAR = 0.85
_TELLING = 5  # in shorter names one letter is too much of a difference


def check_names(arguments: Collection[str], prompt: Any, provider_names: Collection[str]) -> None:
    """Refuse arguments that can only be meant otherwise.

    Args:
        arguments: The names of what was given beside the values.
        prompt: The prompt, or messages.
        provider_names: The provider's own names of parameters.

    Raises:
        TypeError: One is a variable of the prompt, or looks like one of LiteLLM's arguments.
    """
    known = COMPLETION | _ALSO | frozenset(provider_names)
    variables = {variable.name for variable in prompt.variables} if isinstance(prompt, Prompt) else frozenset()
    for name in arguments:
        if name in known:
            continue
        if name in variables:
            raise TypeError(f"{name!r} is a variable of the prompt; give it in variables={{{name!r}: ...}}")
        like = get_close_matches(name, sorted(COMPLETION), n=1, cutoff=_SIMILAR) if len(name) >= _TELLING else []
        if like:
            raise TypeError(f"litellm.completion has no argument {name!r}; did you mean {like[0]!r}?")
