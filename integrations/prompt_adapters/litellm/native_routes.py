"""LiteLLM's native routes: which shape each takes, and how a body of that shape is given to it.

=========================  ===========================  ==============================================================
route                      shape                        what arrives
=========================  ===========================  ==============================================================
``responses``              ``openai_responses_style``   all, at OpenAI and Azure; elsewhere LiteLLM makes a chat call
                                                        of it, and what `RELAYED` names arrives
``anthropic_messages``     ``anthropic_style``          all but ``diagnostics`` and ``extra_body``
``generate_content``       ``google_style``             all; LiteLLM keeps only ``extra_body`` as it is written
=========================  ===========================  ==============================================================

Seen over HTTP with litellm 1.110. https://docs.litellm.ai/docs/response_api,
https://docs.litellm.ai/docs/anthropic_unified and https://docs.litellm.ai/docs/generateContent
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from prompt_adapters.adapters.parameters import EXTRA_BODY, names

Body = Mapping[str, Any]

RESPONSES = "responses"
ANTHROPIC_MESSAGES = "anthropic_messages"
GENERATE_CONTENT = "generate_content"

# Of a call that LiteLLM makes a chat call of, what was seen to arrive.
RELAYED = names("max_output_tokens temperature top_p")
# What LiteLLM's `responses` has no argument for goes beside those that it has.
_RESPONSES_ARGUMENTS = names(
    "background context_management include input instructions max_output_tokens max_tool_calls metadata moderation "
    "parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention "
    "reasoning safety_identifier service_tier store temperature text tool_choice tools top_logprobs top_p truncation "
    "user"
)


class NativeRoute(NamedTuple):
    """One of them.

    Attributes:
        style: The registry key of the shape that it takes.
        content: Where the prompt stands in such a body; other arguments must not.
        given: From a body, without the model, to LiteLLM's arguments.
        lost: The fields of the body that LiteLLM drops.
    """

    style: str
    content: tuple[str, ...]
    given: Callable[[Body], dict[str, Any]]
    lost: frozenset[str] = frozenset()


def _responses(body: Body) -> dict[str, Any]:
    arguments = {name: value for name, value in body.items() if name in _RESPONSES_ARGUMENTS}
    beside = {name: value for name, value in body.items() if name not in _RESPONSES_ARGUMENTS}
    return arguments | ({EXTRA_BODY: beside} if beside else {})


def _google(body: Body) -> dict[str, Any]:
    """`config` is for LiteLLM's logs; `extra_body` is what is sent, letter for letter."""
    beside = {name: value for name, value in body.items() if name != "contents"}
    config = {"config": beside["generationConfig"]} if "generationConfig" in beside else {}
    return {"contents": body["contents"]} | config | ({EXTRA_BODY: beside} if beside else {})


NATIVE_ROUTES: Mapping[str, NativeRoute] = MappingProxyType(
    {
        RESPONSES: NativeRoute("openai_responses_style", ("input", "instructions"), _responses),
        ANTHROPIC_MESSAGES: NativeRoute(
            "anthropic_style", ("messages", "system"), dict, names("diagnostics extra_body")
        ),
        GENERATE_CONTENT: NativeRoute("google_style", ("contents", "systemInstruction", "system_instruction"), _google),
    }
)
