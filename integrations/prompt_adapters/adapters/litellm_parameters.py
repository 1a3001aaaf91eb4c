"""Which parameters of a call LiteLLM passes on whole, by kind of target and family of model.

A row says what was seen to arrive, over HTTP, with litellm 1.110. What a row does not name is dropped by LiteLLM,
kept for itself (`metadata`), refused by it, or sent under a name that the provider does not have. Where that depends on
the model, it depends on its name or on LiteLLM's table of models, as it does in LiteLLM:
https://docs.litellm.ai/docs/completion/input
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from prompt_adapters.adapters.litellm_passing import Call, Check, Lack, Passing, When
from prompt_adapters.adapters.openai_parameters import OPENAI_TABLE, table_for
from prompt_adapters.adapters.parameters import Table, names
from prompt_adapters.targets.cost_map import provider_of

_OWN = OPENAI_TABLE.own | {"thinking", "cached_content", "safety_settings"}
PARAMETERS = Table(
    MappingProxyType(dict(OPENAI_TABLE.shared) | {"max_tokens": "max_tokens"}),
    _OWN,
    "https://docs.litellm.ai/docs/completion/input",
)
# LiteLLM passes top_k on to everybody, and OpenAI refuses it.
PARAMETERS_WITH_TOP_K = PARAMETERS._replace(own=_OWN | {"top_k"})


@lru_cache(maxsize=256)
def parameters_at(provider: str | None) -> Table:
    """LiteLLM's names, and those of a server that speaks OpenAI's shape.

    Args:
        provider: LiteLLM's name of it.
    """
    return PARAMETERS._replace(own=_OWN | table_for(provider).own)


def goes_to_responses(call: Call) -> bool:
    """Whether LiteLLM sends a call of chat completions to OpenAI's Responses API.

    It does for models that its table lists under that API, and since GPT-5.4 for tools together with reasoning.
    """
    if call.target.provider not in ("openai", "azure") or call.target.style != "openai_style":
        return False
    if call.info.get("mode") == "responses":
        return True
    version = re.match(r"gpt-([56])(?:\.(\d+))?(?=[.-]|$)", call.target.model.rpartition("/")[2])
    if version is None or (int(version[1]), int(version[2] or 0)) < (5, 4):
        return False
    return bool(call.parameters.get("tools")) and _effort(call.parameters) not in (None, "none")


# OpenAI

_REASONING = re.compile(r"(?!.*gpt-5-chat).*gpt-[56].*")
_O_SERIES = re.compile(r"(?:.*/)?o\d.*")
_XHIGH = "supports_xhigh_reasoning_effort"
_PENALTIES = names("presence_penalty frequency_penalty")
_LOGPROBS = names("logprobs top_logprobs")
_SEARCH_TAKES = names(
    "max_tokens max_completion_tokens stream stream_options web_search_options service_tier safety_identifier "
    "response_format user store verbosity"
)


def _effort(parameters: Mapping[str, Any]) -> Any:
    value = parameters.get("reasoning_effort")
    return value.get("effort") if isinstance(value, Mapping) else value


def unlisted(call: Call) -> bool:
    """Whether OpenAI's own models do not have the name; fine-tuned ones do not."""
    return call.target.model.startswith("ft:") or provider_of(call.target.model) != "openai"


def _listed(call: Call) -> bool:
    return not unlisted(call)


def _denied(field: str) -> When:
    return lambda call: call.denies(field)


def _not_said(field: str) -> When:
    return lambda call: not call.says(field)


def _plain(call: Call) -> bool:
    """Whether LiteLLM takes a model for one that does not reason."""
    return not _REASONING.fullmatch(call.target.model) and not _is_o_series(call)


def _is_o_series(call: Call) -> bool:
    if call.target.provider == "azure":
        return any(mark in call.target.model for mark in ("o1", "o3", "o4", "o_series/"))
    return _O_SERIES.fullmatch(call.target.model) is not None and _listed(call)


def _o_series_without(field: str) -> When:
    return lambda call: _is_o_series(call) and not call.says(field)


def _reasons(call: Call) -> bool:
    """Whether a GPT-5 or later one reasons in this call."""
    if not _REASONING.fullmatch(call.target.model):
        return False
    effort = _effort(call.parameters)
    return (effort if effort is not None else call.info.get("default_reasoning_effort")) != "none"


def _openai_temperature(value: Any, call: Call) -> str | None:
    if value != 1 and (_is_o_series(call) or _reasons(call)):
        return f"while {call.target.model} reasons, LiteLLM takes no other temperature than 1"
    return None


def _while_not_reasoning(value: Any, call: Call) -> str | None:  # noqa: ARG001 - whatever the value is
    if _reasons(call):
        return f"LiteLLM passes it on to {call.target.model} only with reasoning_effort='none'"
    return None


def _openai_effort(value: Any, call: Call) -> str | None:
    if not _REASONING.fullmatch(call.target.model):
        return None
    if isinstance(value, Mapping) and set(value) != {"effort"} and not _by_responses(call):
        return "of its fields LiteLLM passes on only the effort"
    level = _effort(call.parameters)
    field = f"supports_{level}_reasoning_effort"
    if level != "max" and (call.denies(field) or (level == "xhigh" and not call.says(field))):
        return f"LiteLLM's table of models does not list {level!r} for {call.target.model}"
    return None


def _by_responses(call: Call) -> bool:
    return call.target.style == "openai_responses_style" or goes_to_responses(call)


def _enough_tokens(value: Any, call: Call) -> str | None:  # noqa: ARG001 - the same for every model
    if isinstance(value, int) and value < 16:
        return "LiteLLM makes it 16, the least that the Responses API takes"
    return None


_OPENAI_LACKS = (
    Lack(names("audio logit_bias modalities prediction stop") | _PENALTIES, _REASONING),
    Lack(names("web_search_options"), re.compile(rf"(?!.*search){_REASONING.pattern}")),
    Lack(names("top_p"), _REASONING, _not_said("supports_none_reasoning_effort")),
    Lack(OPENAI_TABLE.own - _SEARCH_TAKES, re.compile(r".*gpt-5.*search.*")),
    Lack(_LOGPROBS | _PENALTIES | {"top_p"}, when=_is_o_series),
    Lack(names("verbosity"), when=lambda call: not _REASONING.fullmatch(call.target.model)),
)
_OPENAI_CHECKS: Mapping[str, Check] = {
    "temperature": _openai_temperature,
    "top_p": _while_not_reasoning,
    "logprobs": _while_not_reasoning,
    "top_logprobs": _while_not_reasoning,
    "reasoning_effort": _openai_effort,
}
OPENAI = Passing(
    OPENAI_TABLE.own - {"metadata"},
    (
        *_OPENAI_LACKS,
        Lack(_LOGPROBS, _REASONING, _not_said("supports_none_reasoning_effort")),
        Lack(names("tool_choice"), _REASONING, _not_said("supports_tool_choice")),
        Lack(names("tools tool_choice functions function_call"), when=_o_series_without("supports_function_calling")),
        Lack(names("parallel_tool_calls"), when=_o_series_without("supports_parallel_function_calling")),
        Lack(names("response_format"), when=_o_series_without("supports_response_schema")),
        Lack(names("reasoning_effort"), when=lambda call: _plain(call) and _listed(call)),
        Lack(names("response_format"), re.compile(r"gpt-4|gpt-3\.5-turbo-16k")),
        Lack(names("user"), when=unlisted),
    ),
    MappingProxyType(_OPENAI_CHECKS),
)
# What LiteLLM has no place for on the way to the Responses API is gone when it arrives there.
RESPONSES = OPENAI._replace(
    takes=names(
        "max_completion_tokens max_tokens moderation parallel_tool_calls prompt_cache_key prompt_cache_options "
        "prompt_cache_retention reasoning_effort response_format safety_identifier service_tier store stream "
        "stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options"
    ),
    checks=MappingProxyType({**_OPENAI_CHECKS, "max_tokens": _enough_tokens, "max_completion_tokens": _enough_tokens}),
)
AZURE = Passing(
    OPENAI.takes,
    (
        *_OPENAI_LACKS,
        Lack(
            names("prompt_cache_retention reasoning_effort safety_identifier service_tier"),
            when=_plain,
        ),
        Lack(_LOGPROBS, re.compile(rf"(?!(?:.*/)?gpt-5\.[24]){_REASONING.pattern}")),
        Lack(names("user"), when=lambda call: not _plain(call) and unlisted(call)),
    ),
    OPENAI.checks,
)
AZURE_RESPONSES = AZURE._replace(takes=RESPONSES.takes, checks=RESPONSES.checks)


# Claude


def claude_format(value: Any, call: Call) -> str | None:  # noqa: ARG001 - the same for every model
    """JSON without a schema."""
    if isinstance(value, Mapping) and value.get("type") == "json_object":
        return "Anthropic has no JSON without a schema, and LiteLLM drops it; give a json_schema"
    return None


def _claude_tier(value: Any, call: Call) -> str | None:  # noqa: ARG001 - the same for every model
    if value not in ("auto", "default", "standard_only"):
        return "LiteLLM passes on 'auto', 'default' and 'standard_only' to Anthropic"
    return None


def claude_temperature(value: Any, call: Call) -> str | None:
    """A temperature for a model that takes none."""
    if value != 1 and call.denies("supports_sampling_params"):
        return f"{call.target.model} takes no sampling parameters, and LiteLLM no other temperature than 1"
    return None


# Since Claude 4.6, whether LiteLLM's table has the model or not.
_ADAPTIVE = re.compile(r".*claude-[a-z]+-(?:4[-._](?:[6-9]|[1-9]\d)(?!\d)|[5-9](?!\d)).*")


def claude_thinking(value: Any, call: Call) -> str | None:
    """The kind of thinking that a model does not have."""
    kind = value.get("type") if isinstance(value, Mapping) else None
    adaptive = _ADAPTIVE.fullmatch(call.target.model) is not None or call.says("supports_adaptive_thinking")
    if kind == "enabled" and adaptive and not call.says("supports_legacy_thinking"):
        return f"for {call.target.model} LiteLLM turns the budget into adaptive thinking; write {{'type': 'adaptive'}}"
    if kind == "adaptive" and not adaptive:
        return f"for {call.target.model} LiteLLM makes a budget of it; write {{'type': 'enabled', 'budget_tokens': …}}"
    return None


_CLAUDE_EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")


def claude_effort(value: Any, call: Call) -> str | None:
    """An effort that LiteLLM does not know."""
    level = _effort(call.parameters)
    adaptive = _ADAPTIVE.fullmatch(call.target.model) is not None
    if level not in _CLAUDE_EFFORTS or (level == "xhigh" and adaptive and not call.says(_XHIGH)):
        return f"LiteLLM knows no effort {value!r} of {call.target.model}"
    return None


_CLAUDE_TAKES = names(
    "max_completion_tokens max_tokens parallel_tool_calls reasoning_effort response_format service_tier stop stream "
    "stream_options temperature thinking tool_choice tools top_k top_p user web_search_options"
)
CLAUDE = Passing(
    _CLAUDE_TAKES,
    (
        Lack(names("top_p top_k"), when=_denied("supports_sampling_params")),
        Lack(names("thinking reasoning_effort"), re.compile(r"claude-(?:3-(?!7)|2|instant).*")),
    ),
    MappingProxyType(
        {
            "reasoning_effort": claude_effort,
            "response_format": claude_format,
            "service_tier": _claude_tier,
            "temperature": claude_temperature,
            "thinking": claude_thinking,
        }
    ),
)
CLAUDE_ON_VERTEX = CLAUDE._replace(takes=_CLAUDE_TAKES - {"service_tier"})


# Gemini

# LiteLLM takes every other name for Gemini 3 or later.
_BEFORE_3 = re.compile(r"gemini-(?:[12](?:\.\d+)?|exp|(?:pro|flash)(?!-(?:lite-)?latest$))(?:-.*)?|gemma-.*|\d+")


def _before_3(call: Call) -> bool:
    return _BEFORE_3.fullmatch(call.target.model.lower()) is not None


def _gemini_tier(value: Any, call: Call) -> str | None:  # noqa: ARG001 - the same for every model
    return "LiteLLM makes 'priority' of it, which costs more" if value == "auto" else None


def _gemini_search(value: Any, call: Call) -> str | None:  # noqa: ARG001 - the same for every model
    return "LiteLLM passes on none of its fields to Google; give {}" if value else None


def _gemini_thinking(value: Any, call: Call) -> str | None:
    if not _before_3(call):
        return f"LiteLLM does not pass on its budget to {call.target.model}; give reasoning_effort"
    if not isinstance(value, Mapping) or value.get("type") != "enabled":
        return "LiteLLM drops all but {'type': 'enabled', 'budget_tokens': …}; give reasoning_effort='none' for none"
    return None


def _gemini_effort(value: Any, call: Call) -> str | None:
    if value in ("none", "disable") and not _before_3(call):
        return f"{call.target.model} always thinks, and LiteLLM makes the least level of it; give 'minimal'"
    if value not in ("none", "disable", "minimal", "low", "medium", "high"):
        return f"LiteLLM knows no effort {value!r} of {call.target.model}"
    return None


def _gemini_audio(value: Any, call: Call) -> str | None:  # noqa: ARG001 - the same for every model
    if not isinstance(value, Mapping) or value.get("format") != "pcm16":
        return "LiteLLM takes no other format than pcm16 for Gemini"
    return None


_GEMINI_TAKES = names(
    "audio cached_content extra_body frequency_penalty functions logprobs max_completion_tokens max_tokens modalities "
    "n presence_penalty reasoning_effort response_format safety_settings seed service_tier stop stream "
    "stream_options temperature thinking tool_choice tools top_k top_p web_search_options"
)
VERTEX_GEMINI = Passing(
    _GEMINI_TAKES | {"top_logprobs"},
    (
        Lack(_PENALTIES, when=lambda call: not _before_3(call)),
        Lack(_PENALTIES, re.compile(r"gemini-2\.5-pro-preview-06-05")),
        Lack(names("temperature top_p top_k"), when=_denied("supports_sampling_params")),
        Lack(
            names("thinking reasoning_effort"),
            when=lambda call: _before_3(call) and not call.says("supports_reasoning"),
        ),
    ),
    MappingProxyType(
        {
            "reasoning_effort": _gemini_effort,
            "service_tier": _gemini_tier,
            "web_search_options": _gemini_search,
            "thinking": _gemini_thinking,
            "audio": _gemini_audio,
        }
    ),
)
GEMINI = VERTEX_GEMINI._replace(
    takes=_GEMINI_TAKES, lacks=(*VERTEX_GEMINI.lacks, Lack(names("audio"), re.compile(r"(?!.*tts).*")))
)
