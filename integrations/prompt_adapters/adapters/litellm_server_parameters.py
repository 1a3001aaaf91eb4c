"""Which parameters LiteLLM loses in silence, by server, where it refuses by itself what it does not pass on.

For these providers LiteLLM keeps lists of the parameters that each model takes, and raises ``UnsupportedParamsError``
for others before it sends anything: https://docs.litellm.ai/docs/completion/drop_params. So a row here names only what
its lists hold and what was still not seen to arrive, over HTTP, with litellm 1.110.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from prompt_adapters.adapters.litellm_parameters import (
    claude_effort,
    claude_format,
    claude_temperature,
    claude_thinking,
    unlisted,
)
from prompt_adapters.adapters.litellm_passing import Call, Check, Lack, Passing
from prompt_adapters.adapters.parameters import names

_NO_USER = (Lack(names("user"), when=unlisted),)
_NO_USER_AT_ALL = (Lack(names("user")),)
SERVERS_WITH_USER = Passing(None)
SERVERS = Passing(None, _NO_USER)


def _with(*lacks: Lack, **checks: Check) -> Passing:
    return Passing(None, (*_NO_USER, *lacks), MappingProxyType(checks))


def _no_fields(value: Any, call: Call) -> str | None:
    return f"LiteLLM passes on none of its fields to {call.target.model}; give {{}}" if value else None


def _no_budget(value: Any, call: Call) -> str | None:
    if value == {"type": "enabled"}:
        return None
    return f"LiteLLM passes on only {{'type': 'enabled'}} of it to {call.target.provider}"


def _vllm_thinking(value: Any, call: Call) -> str | None:  # noqa: ARG001 - whatever the value is
    return "LiteLLM makes a reasoning_effort of it, without the budget; give that"


def _xai_search(value: Any, call: Call) -> str | None:  # noqa: ARG001 - whatever the value is
    return "LiteLLM sends such a call to xAI's Responses API, and drops its fields"


def _mistral_effort(value: Any, call: Call) -> str | None:
    if "magistral" in call.target.model.lower():
        return "LiteLLM does not pass it on to a Magistral"
    return None if value == "high" else "LiteLLM makes 'high' of every effort for Mistral"


def _mistral_thinking(value: Any, call: Call) -> str | None:  # noqa: ARG001 - whatever the value is
    return "LiteLLM does not pass it on to a Magistral" if "magistral" in call.target.model.lower() else None


def _ollama_effort(value: Any, call: Call) -> str | None:  # noqa: ARG001 - whatever the value is
    if "gpt-oss" in call.target.model:
        return None
    return "LiteLLM makes think=true of low, medium and high, and think=false of all else"


def _no_json(value: Any, call: Call) -> str | None:
    if isinstance(value, Mapping) and value.get("type") == "json_object":
        return f"LiteLLM drops it on its way to {call.target.model}; give a json_schema"
    return None


def _no_schema(value: Any, call: Call) -> str | None:
    if isinstance(value, Mapping) and value.get("type") == "json_schema":
        return f"LiteLLM drops the schema on its way to {call.target.provider}"
    return None


def _databricks_format(value: Any, call: Call) -> str | None:
    return claude_format(value, call) if "claude" in call.target.model else None


def _adaptive(value: Any, call: Call) -> str | None:  # noqa: ARG001 - the same for every model
    if isinstance(value, Mapping) and value.get("type") == "adaptive":
        return "LiteLLM drops adaptive thinking on its way there"
    return None


# LiteLLM turns some values into its own, or drops the parameter although its lists hold it.
_EFFORT = Lack(names("reasoning_effort"))
_ROWS: Mapping[str, Passing] = MappingProxyType(
    {
        "aiml": _with(_EFFORT),
        "lemonade": _with(_EFFORT),
        "xinference": _with(_EFFORT),
        "deepseek": _with(thinking=_no_budget),
        "groq": _with(web_search_options=_no_fields),
        "hosted_vllm": _with(thinking=_vllm_thinking),
        "meta_llama": _with(response_format=_no_json),
        "volcengine": _with(thinking=_adaptive),
        "zai": _with(response_format=_no_schema),
        "databricks": Passing(None, _NO_USER_AT_ALL, MappingProxyType({"response_format": _databricks_format})),
        "xai": Passing(None, (), MappingProxyType({"web_search_options": _xai_search})),
        "mistral": Passing(
            None,
            _NO_USER_AT_ALL,
            MappingProxyType({"reasoning_effort": _mistral_effort, "thinking": _mistral_thinking}),
        ),
        "cohere_chat": Passing(None, _NO_USER_AT_ALL),
        "ollama_chat": Passing(None, _NO_USER_AT_ALL, MappingProxyType({"reasoning_effort": _ollama_effort})),
    }
)


def server(name: str) -> Passing:
    """The row of a provider."""
    return _ROWS.get(name, SERVERS)


# Bedrock's Converse

_CLAUDE_THERE = re.compile(r"(?:.*[./])?anthropic\..*")
_WITH_TOP_K = re.compile(r"(?:.*[./])?(?:anthropic\.|amazon\.nova).*")


def _is_claude(call: Call) -> bool:
    return _CLAUDE_THERE.fullmatch(call.target.model) is not None


def _of_claude(check: Check) -> Check:
    return lambda value, call: check(value, call) if _is_claude(call) else None


CONVERSE = Passing(
    None,
    (
        *_NO_USER_AT_ALL,
        Lack(names("parallel_tool_calls"), when=lambda call: not _is_claude(call)),
        Lack(names("top_k"), when=lambda call: _WITH_TOP_K.fullmatch(call.target.model) is None),
    ),
    MappingProxyType(
        {
            "response_format": _no_json,
            "reasoning_effort": _of_claude(claude_effort),
            "temperature": _of_claude(claude_temperature),
            "thinking": _of_claude(claude_thinking),
            "web_search_options": _no_fields,
        }
    ),
)
