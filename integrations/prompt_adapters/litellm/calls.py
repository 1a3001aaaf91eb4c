"""`completion` and `acompletion`: LiteLLM's functions of these names, with a prompt in place of messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prompt_adapters.errors import PromptFormatError
from prompt_adapters.litellm.addresses import address_of
from prompt_adapters.litellm.arguments import aread, read
from prompt_adapters.litellm.bridge import LiteLLMBridge

Values = Mapping[str, Any] | None


def completion(
    prompt: Any,
    *,
    model: str | None = None,
    variables: Values = None,
    prompt_variables: Values = None,
    router: Any = None,
    **arguments: Any,
) -> Any:
    """Call a model with a prompt, by ``litellm.completion``.

    Args:
        prompt: A `Prompt`, messages, or the path of a saved prompt.
        model: A LiteLLM model string, or the Router's alias; the prompt's own model when none is given.
        variables: The variables' values.
        prompt_variables: LiteLLM's word for the same.
        router: A ``litellm.Router`` that makes the call.
        arguments: Arguments of ``litellm.completion``, which win over the prompt's parameters.

    Returns:
        What LiteLLM returns: a ``ModelResponse``, or with ``stream=True`` an iterator of chunks as they come.

    Raises:
        PromptAdapterError: The prompt cannot be read or rendered, something would not arrive, or there is no model.
        TypeError: Both names of the values are given, or the arguments hold messages.
    """
    prompt = read(prompt)
    bridge = _bridge(prompt, model, router, arguments)
    return bridge.completion(prompt, variables, prompt_variables=prompt_variables, **arguments)


async def acompletion(
    prompt: Any,
    *,
    model: str | None = None,
    variables: Values = None,
    prompt_variables: Values = None,
    router: Any = None,
    **arguments: Any,
) -> Any:
    """`completion` by ``litellm.acompletion``; with ``stream=True`` an asynchronous iterator of chunks."""
    prompt = await aread(prompt)
    bridge = _bridge(prompt, model, router, arguments)
    return await bridge.acompletion(prompt, variables, prompt_variables=prompt_variables, **arguments)


def _bridge(prompt: Any, model: str | None, router: Any, arguments: Mapping[str, Any]) -> LiteLLMBridge:
    named = model or getattr(prompt, "model", None)
    if named is None:
        raise PromptFormatError(None, None, "the prompt names no model; give one, as model='openai/gpt-4o'")
    provider, address = arguments.get("custom_llm_provider"), address_of(arguments) if router is None else None
    return LiteLLMBridge(str(named), router=router, custom_llm_provider=provider, api_base=address)
