"""What the address of a server tells of the provider, where the name of a model does not.

LiteLLM goes by the address of a known server before it looks at a name without prefix, and refuses names that tell
nothing: https://docs.litellm.ai/docs/providers/openai_compatible
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prompt_adapters.errors import NoChatModelError, UnknownModelError
from prompt_adapters.targets import route


def address_of(arguments: Mapping[str, Any]) -> str | None:
    """The address that a call names, by either of LiteLLM's words for it."""
    given = arguments.get("api_base") or arguments.get("base_url")
    return given if isinstance(given, str) else None


def provider_by(model: str, address: str | None) -> str | None:
    """The provider that an address decides; None where the name of the model does, or nothing is told.

    Args:
        model: The model string.
        address: The address of the server.

    Raises:
        NoChatModelError: (a ``KeyError``) The name is no chat model's.
    """
    if not address:
        return None
    try:
        named = route(model)
    except NoChatModelError:
        raise
    except UnknownModelError:
        named = None
    try:
        found = route(model, api_base=address)
    except UnknownModelError:
        return None
    return None if named is not None and found.provider == named.provider else found.provider


def is_known(model: str, arguments: Mapping[str, Any]) -> bool:
    """Whether a model of a call can be routed; what cannot may be an alias that LiteLLM was told of.

    Args:
        model: The model string.
        arguments: The other arguments of the call.
    """
    try:
        route(model, api_base=address_of(arguments), provider=arguments.get("custom_llm_provider"))
    except NoChatModelError:
        raise
    except UnknownModelError:
        return False
    return True
