"""From a style or a model string to its adapter."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from difflib import get_close_matches
from typing import Any

from prompt_adapters.adapters import PROMPT_ADAPTER_REGISTRY, MessageAdapter, adapter_for, get_adapter
from prompt_adapters.adapters.options import Options
from prompt_adapters.errors import UnknownModelError
from prompt_adapters.targets import route

# How a routed model may be spelt.
_SPELLINGS = ("{0.provider}/{0.model}", "{0.model}", "{0.provider}/responses/{0.model}")


def own_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options as a dictionary of their own: what happens to the caller's afterwards changes nothing."""
    return {name: deepcopy(value) if isinstance(value, Mapping) else value for name, value in options.items()}


def resolve(target: str, options: Mapping[str, Any] | None = None) -> MessageAdapter:
    """The adapter for a style, as ``"google_style"``, or for a model, as ``"anthropic/claude-opus-5"``.

    Args:
        target: The style or model.
        options: The adapter's options.

    Raises:
        UnknownAdapterError: (a ``KeyError``) There is no such style, or no provider can be told from the model.
        TypeError: There is no such option.
        ValueError: An option has an impossible value.
    """
    if not isinstance(target, str):
        raise TypeError(f"give a style, as 'google_style', or a model, not {type(target).__name__}")
    if target in PROMPT_ADAPTER_REGISTRY or target.endswith("_style"):
        return get_adapter(target, **(options or {}))
    try:
        return adapter_for(target, **(options or {}))
    except UnknownModelError:
        if get_close_matches(target, PROMPT_ADAPTER_REGISTRY.keys(), 1, 0.8):
            return get_adapter(target, **(options or {}))
        raise


def styled(style: str, model: str | None, options: Mapping[str, Any] | None = None) -> MessageAdapter:
    """The adapter for a style; a model that speaks it is bound.

    Args:
        style: The style.
        model: The model that a prompt is meant for, if any.
        options: The adapter's options; a model among them is the one that counts.

    Raises:
        UnknownAdapterError: (a ``KeyError``) There is no such style.
        TypeError: There is no such option.
        ValueError: An option has an impossible value.
    """
    adapter = get_adapter(style, **(options or {}))
    if model is None or adapter.model is not None:
        return adapter
    try:
        target = route(model)
    except UnknownModelError:
        return adapter
    if style == "litellm_style":  # it speaks to every provider, under LiteLLM's names
        return get_adapter(style, **{**(options or {}), "model": model})
    return adapter.bound(target) if target.style == style else adapter


def shaped(style: str, model: str | None, options: Mapping[str, Any] | None = None) -> MessageAdapter:
    """The adapter for a style; a model of another shape may be had through a server that speaks this one.

    Such a model is bound under its own name; arguments and errors as for `styled`.
    """
    adapter = styled(style, model, options)
    return adapter if adapter.model or model is None else get_adapter(style, **{**(options or {}), "model": model})


def names_model(style: str) -> bool:
    """Whether what should be a style is the name of a model."""
    if not isinstance(style, str) or style in PROMPT_ADAPTER_REGISTRY or style.endswith("_style"):
        return False
    try:
        route(style)
    except UnknownModelError:
        return False
    return True


def told(adapter: MessageAdapter) -> tuple[str, str | None, dict[str, Any]]:
    """Style, model string and options that give this adapter.

    Raises:
        TypeError: There are none; its class is not registered, or it holds more.
    """
    defaults = Options._field_defaults
    options = {n: v for n, v in adapter.options._asdict().items() if v != defaults[n]}
    model = options.pop("model", None)
    routed = adapter.route
    names = [model] if routed is None else [spelling.format(routed) for spelling in _SPELLINGS]
    for name in names:
        if adapter.style in PROMPT_ADAPTER_REGISTRY and shaped(adapter.style, name, options) == adapter:
            return adapter.style, name, options
    raise TypeError(
        f"{adapter!r} cannot be told by its style, model and options, which a Runnable keeps; register its class, and "
        "give them by name"
    )
