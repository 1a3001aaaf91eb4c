"""From a model string to its provider, its wire shape and its facts.

The rules, in this order:

1. A provider that is given explicitly decides.
2. A provider's prefix decides, whatever the name behind it: ``gemini/gpt-4o`` is Gemini's, and
   ``openrouter/anthropic/claude`` is OpenRouter's. Only the first ``/`` separates; prefixes may be written in capitals.
   For this no table is read.
3. The address of a known server decides.
4. Names that tell their vendor: ``gpt-…``, ``o4-mini`` (an o and a digit), ``claude-…``, ``gemini-…``, Bedrock's
   ``us.anthropic.…``. A bare ``gemini-…`` is the Gemini API's (Google's own prefix there is ``models/``); Vertex is
   asked for with ``vertex_ai/``. A bare ``claude-…@date`` is Vertex's spelling. Such names are lower case
   everywhere, so ``GPT-4o`` is ``gpt-4o``; the id of a fine-tuned model keeps its case.
5. Bare names that LiteLLM's table gives to one provider.
6. At any other address there is a server that speaks OpenAI's shape, of whose models nothing is known.
7. Everything else is an error with suggestions. Nothing is taken for OpenAI's because it has no prefix.

LiteLLM's own names for whatever model is the latest, as ``claude-opus-latest``, become the name of that model.
"""

from __future__ import annotations

from functools import lru_cache

from prompt_adapters.content.frozen import frozen
from prompt_adapters.errors import NoChatModelError, UnknownModelError
from prompt_adapters.targets.capabilities import Capabilities, capabilities_of
from prompt_adapters.targets.cost_map import alias_of, mode_of, provider_of
from prompt_adapters.targets.endpoints import Endpoint, endpoint_at
from prompt_adapters.targets.hosts import provider_at
from prompt_adapters.targets.limits import Limits, limits_for
from prompt_adapters.targets.names import ALIASES, BARE_NAMES, MODES, NOT_CHAT, NOT_CHAT_WORDS
from prompt_adapters.targets.providers import PROVIDERS, Provider
from prompt_adapters.targets.suggestions import suggestions

# The row of a server about which nothing is known but its address.
_ANY_SERVER = "custom_openai"


@frozen()
class Route:
    """Where a model is and what it speaks.

    Attributes:
        provider: LiteLLM's name of the provider, as ``"vertex_ai"``.
        model: The model as the provider's own client wants it, without prefix.
        style: The registry key of its wire shape, as ``"anthropic_style"``.
        api: The API, where the model string named another one than its provider has for the shape; see `endpoint`.
    """

    provider: str
    model: str
    style: str
    api: str | None = None

    @property
    def endpoint(self) -> Endpoint:
        """The server and the API that is called there, as ``"chat/completions"`` or ``"converse"``."""
        return endpoint_at(self.provider, self.style, self.api)

    @property
    def capabilities(self) -> Capabilities:
        """What the model can do, as far as it is known; LiteLLM's table is read when it is asked for."""
        return capabilities_of(self.provider, self.model)

    @property
    def limits(self) -> Limits:
        """What the provider takes, narrowed by what is known of the model; read when it is asked for."""
        return limits_for(self.style, self.provider, self.model)


@lru_cache(maxsize=4096)
def route(model: str, *, api_base: str | None = None, provider: str | None = None) -> Route:
    """Tell a model's provider, wire shape and facts from its name, with or without LiteLLM's prefix.

    Args:
        model: As ``"gpt-4o"``, ``"anthropic/claude-opus-5"`` or ``"vertex_ai/gemini-2.5-pro"``.
        api_base: The address that is called, as LiteLLM's argument of that name. A known host tells the provider. A
            name that tells nothing is, at any other address, a model of a server that speaks OpenAI's shape.
        provider: LiteLLM's name of the provider, as its argument ``custom_llm_provider``; it wins over the name.

    Raises:
        NoChatModelError: (a ``KeyError``) The name is known, and it is no chat model's.
        UnknownModelError: (a ``KeyError``) No provider can be told; the error suggests names.
        TypeError: An argument is no string.
    """
    for what, value in (("a model", model), ("an api_base", api_base or ""), ("a provider", provider or "")):
        if not isinstance(value, str):
            raise TypeError(f"{what} is named by a string, not by {type(value).__name__}")
    name = model.strip()
    if provider:
        return _explicit(name, provider.strip())
    prefix, slash, rest = name.partition("/")
    if slash and (row := _row(prefix.strip(), name)) is not None:
        if rest.strip():
            return _routed(row, rest.strip())
        raise UnknownModelError(name)
    if not name.strip("/ "):
        raise UnknownModelError(name)
    if api_base and (home := provider_at(api_base.strip())) is not None:
        return _routed(PROVIDERS[home], name)
    if (found := _bare(name)) is not None:
        return found
    if api_base:
        return _routed(PROVIDERS[_ANY_SERVER], name)
    raise UnknownModelError(name, suggestions=suggestions(name))


def _explicit(name: str, provider: str) -> Route:
    """The model of a provider that is given; its own prefix may stand in front."""
    row = _row(provider, f"{provider}/{name}")
    if row is None:
        from difflib import get_close_matches

        close = get_close_matches(provider.lower(), PROVIDERS, n=3, cutoff=0.7)
        raise UnknownModelError(f"{provider}/{name}", suggestions=[f"{near}/{name}" for near in close])
    prefix, slash, rest = name.partition("/")
    # OpenRouter lists models of its own under its own name: https://openrouter.ai/openrouter/auto
    own = row.name == "openrouter" and "/" not in rest
    if slash and not own and prefix.strip().lower() in (row.name, provider.lower()):
        name = rest.strip()
    if not name:
        raise UnknownModelError(f"{provider}/")
    return _routed(row, name)


def _row(prefix: str, name: str) -> Provider | None:
    """The provider that a prefix names, if any.

    Raises:
        NoChatModelError: (a ``KeyError``) It has no chat models.
    """
    lower = prefix.lower()
    if (serves := NOT_CHAT.get(lower)) is not None:
        raise NoChatModelError(name, serves)
    return PROVIDERS.get(ALIASES.get(lower, lower))


def _bare(name: str) -> Route | None:
    lower = name.lower()
    for rule in BARE_NAMES:
        if match := rule.pattern.fullmatch(lower):
            if NOT_CHAT_WORDS.search(lower):
                _refuse_by_mode(name, lower)
            start = match.start("model")
            kept = name if rule.keeps_case else lower
            return _routed(PROVIDERS[rule.provider], kept[start:])
    if "/" in name:
        return None
    home = provider_of(lower) or ""
    if (serves := NOT_CHAT.get(home)) is not None:
        raise NoChatModelError(name, serves)
    _refuse_by_mode(name, lower)
    row = PROVIDERS.get(home)
    return None if row is None else _routed(row, lower)


def _refuse_by_mode(name: str, lower: str) -> None:
    """Refuse a name that LiteLLM's table has for something else than chat.

    Raises:
        NoChatModelError: (a ``KeyError``) It does.
    """
    if (serves := MODES.get(mode_of(lower) or "")) is not None:
        raise NoChatModelError(name, serves)


def _routed(row: Provider, model: str) -> Route:
    if model.lower().endswith("latest") and not row.own_names:
        model = alias_of(row.name, model)
    style, api, given = row.style, None, model
    for rule in row.rules:
        if match := rule.pattern.match(model):
            style, api = rule.style or style, rule.api or api
            model = model[match.end() :] if rule.strip else model
            if not model:  # words that say how it is called, and no name
                raise UnknownModelError(f"{row.name}/{given}")
    return Route(row.name, model, style, api)
