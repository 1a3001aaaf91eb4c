"""From a model string to its provider, its wire shape and its facts.

The rules, in this order:

1. A provider's prefix decides, whatever the name behind it: ``gemini/gpt-4o`` is Gemini's, and
   ``openrouter/anthropic/claude`` is OpenRouter's. Only the first ``/`` separates; prefixes may be written in capitals.
2. Names that tell their vendor: ``gpt-…``, ``o4-mini`` (an o and a digit), ``claude-…``, ``gemini-…``, Bedrock's
   ``us.anthropic.…``. A bare ``gemini-…`` is the Gemini API's (Google's own prefix there is ``models/``); Vertex is
   asked for with ``vertex_ai/``. A bare ``claude-…@date`` is Vertex's spelling. Such names are lower case
   everywhere, so ``GPT-4o`` is ``gpt-4o``; the id of a fine-tuned model keeps its case.
3. Bare names that LiteLLM's table gives to one provider.
4. Everything else is an error with suggestions. Nothing is taken for OpenAI's because it has no prefix.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

from prompt_adapters.errors import UnknownModelError
from prompt_adapters.targets.capabilities import Capabilities, capabilities_of
from prompt_adapters.targets.cost_map import chat_models, provider_of
from prompt_adapters.targets.limits import Limits, limits_for
from prompt_adapters.targets.providers import BARE_NAMES, MISTAKEN_PREFIXES, PROVIDERS, Provider


@dataclass(frozen=True, slots=True)
class Route:
    """Where a model is and what it speaks.

    Attributes:
        provider: LiteLLM's name of the provider, as ``"vertex_ai"``.
        model: The model as the provider's own client wants it, without prefix.
        style: The registry key of its wire shape, as ``"anthropic_style"``.
    """

    provider: str
    model: str
    style: str

    @property
    def capabilities(self) -> Capabilities:
        """What the model can do, as far as it is known; read when it is asked for."""
        return capabilities_of(self.provider, self.model)

    @property
    def limits(self) -> Limits:
        """What the provider takes; read when it is asked for."""
        return limits_for(self.style, self.provider, self.model)


@lru_cache(maxsize=4096)
def route(model: str) -> Route:
    """Tell a model's provider, wire shape and facts from its name, with or without LiteLLM's prefix.

    Args:
        model: As ``"gpt-4o"``, ``"anthropic/claude-opus-5"`` or ``"vertex_ai/gemini-2.5-pro"``.

    Raises:
        UnknownModelError: (a ``KeyError``) No provider can be told from it; the error suggests names.
    """
    if not isinstance(model, str):
        raise TypeError(f"a model is named by a string, not by {type(model).__name__}")
    name = model.strip()
    prefix, slash, rest = name.partition("/")
    row = PROVIDERS.get(prefix.strip().lower()) if slash else None
    if row is not None:
        if rest.strip():
            return _routed(row, rest.strip())
    elif (found := _bare(name)) is not None:
        return found
    raise UnknownModelError(name, suggestions=_suggestions(name))


def _bare(name: str) -> Route | None:
    lower = name.lower()
    for rule in BARE_NAMES:
        if match := rule.pattern.fullmatch(lower):
            start = match.start("model")
            kept = name if rule.keeps_case else lower
            return _routed(PROVIDERS[rule.provider], kept[start:])
    if "/" in name:
        return None
    row = PROVIDERS.get(provider_of(lower) or "")
    return None if row is None else _routed(row, lower)


def _routed(row: Provider, model: str) -> Route:
    style = row.style
    for rule in row.rules:
        if match := rule.pattern.match(model):
            style = rule.style or style
            model = model[match.end() :] if rule.strip and match.end() < len(model) else model
    return Route(row.name, model, style)


def _suggestions(name: str) -> tuple[str, ...]:
    """Names that may have been meant, best first, three at most."""
    lower = name.lower()
    head, separator, rest = lower.partition("/") if "/" in lower else lower.partition(":")
    if separator and rest:
        if meant := MISTAKEN_PREFIXES.get(head):
            return tuple(f"{prefix}/{rest}" for prefix in meant)
        if prefixes := [head] if head in PROVIDERS else get_close_matches(head, PROVIDERS, n=2, cutoff=0.75):
            return tuple(f"{prefix}/{rest}" for prefix in prefixes)
    known = [model for model in chat_models() if "/" not in model or model.partition("/")[0] in PROVIDERS]
    if elsewhere := [model for model in known if model.lower().endswith(f"/{lower}")]:
        order = list(PROVIDERS)
        return tuple(sorted(elsewhere, key=lambda model: order.index(model.partition("/")[0]))[:3])
    bare = [model for model in known if "/" not in model]
    return tuple(get_close_matches(lower, bare, n=3, cutoff=0.7))
