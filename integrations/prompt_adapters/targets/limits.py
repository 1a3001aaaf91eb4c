"""The limits that hold for a wire shape, a provider and a model.

The rows are in `limit_rows`; here the right one is found, and narrowed by what is known of the model.
"""

from __future__ import annotations

from functools import lru_cache, reduce
from typing import Any

from prompt_adapters.content.frozen import names_of, replaced
from prompt_adapters.targets.capabilities import Capabilities, capabilities_of
from prompt_adapters.targets.limit_rows import LIMITS, MODEL_LIMITS, NONE, PDF, STYLE_TARGETS, Limits
from prompt_adapters.targets.providers import PROVIDERS

__all__ = ["Limits", "limits_for"]


@lru_cache(maxsize=1024)
def limits_for(style: str, provider: str | None = None, model: str | None = None) -> Limits:
    """What a target takes.

    Args:
        style: The wire shape, as ``"google_style"``.
        provider: LiteLLM's name of the provider. Without one, the loosest documented limit of those whose own shape it
            is.
        model: The model without prefix, whose known facts narrow the provider's limits.

    Returns:
        The limits; where nothing is documented, they refuse nothing.
    """
    limits = _of_style(style) if provider is None else _of_provider(style, provider)
    if model is None:
        return limits
    home = provider or next(iter(STYLE_TARGETS.get(style, ("",))))
    abilities = capabilities_of(home, model)
    for row in MODEL_LIMITS:
        small = row.context is None or (abilities.max_input_tokens or row.context + 1) <= row.context
        if small and row.style == style and row.provider in (None, home) and row.models.match(model):
            limits = replaced(limits, **row.changes, source=row.source, read=row.read)
    return _without_inabilities(limits, model, abilities)


def _of_style(style: str) -> Limits:
    rows = [LIMITS[provider, style] for provider in STYLE_TARGETS.get(style, ())]
    return reduce(_looser, rows) if rows else Limits(style, "", links=None, local=True)


def _of_provider(style: str, provider: str) -> Limits:
    if (limits := LIMITS.get((provider, style))) is not None:
        return limits
    row = PROVIDERS.get(provider)
    if row is None:
        return Limits(provider, "", links=None, local=True)
    return Limits(provider, row.source, local=row.own_names, read=row.read)


def _looser(one: Limits, other: Limits) -> Limits:
    """For every field the looser of two."""
    loose: dict[str, Any] = {}
    for name in names_of(Limits):
        a, b = getattr(one, name), getattr(other, name)
        match name:
            case "name":
                loose[name] = f"{a} or {b}"
            case "source" | "read" | "image_bytes_counted" | "type_names":
                loose[name] = a
            case "still_types":
                loose[name] = a & b
            case "many_counts_documents":
                loose[name] = a and b
            case "local" | "encrypted_documents":
                loose[name] = a or b
            case _ if a is None or b is None:
                loose[name] = None
            case _:
                loose[name] = a | b if isinstance(a, frozenset) else max(a, b)
    return Limits(**loose)


def _without_inabilities(limits: Limits, model: str, abilities: Capabilities) -> Limits:
    """Narrowed by what the model is known not to take; what is unknown narrows nothing."""
    changes: dict[str, Any] = {}
    for kind in ("image", "audio", "video"):
        if getattr(abilities, kind) is False and getattr(limits, f"{kind}_types") != NONE:
            changes[f"{kind}_types"] = NONE
    if abilities.document is False and limits.document_types is not None and limits.document_types & PDF:
        changes["document_types"] = limits.document_types - PDF
    return replaced(limits, **changes, name=f"{model} ({limits.name})") if changes else limits
