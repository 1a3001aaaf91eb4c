"""What may have been meant by a model string that names no provider."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from prompt_adapters.targets.cost_map import chat_models
from prompt_adapters.targets.names import ALIASES, FAMILIES, MISTAKEN_PREFIXES, SERVES_ANY, TAGGED, VENDORS
from prompt_adapters.targets.providers import PROVIDERS

_MOST = 3


def suggestions(name: str) -> tuple[str, ...]:
    """Model strings that may have been meant, best first, three at most.

    Args:
        name: The model string, as it was written.
    """
    return tuple(islice(dict.fromkeys(_found(name)), _MOST))


def _found(name: str) -> Iterator[str]:
    head, separator, rest = name.partition("/") if "/" in name else name.partition(":")
    if not name.strip("/: "):
        return
    if separator and rest and (prefixes := tuple(_prefixes(head.lower()))):
        yield from (f"{prefix}/{rest}" for prefix in prefixes)
        return
    lower = name.lower()
    if TAGGED.fullmatch(lower):
        yield from (f"{prefix}/{name}" for prefix in ("ollama_chat", "ollama"))
        return
    yield from (f"{row.provider}/{name}" for row in FAMILIES if row.pattern.match(lower))
    known = [model for model in chat_models() if "/" not in model or model.partition("/")[0] in PROVIDERS]
    order = list(PROVIDERS)
    elsewhere = [model for model in known if model.lower().endswith(f"/{lower}")]
    yield from sorted(elsewhere, key=lambda model: order.index(model.partition("/")[0]))
    if "/" in name:  # a catalogue's name, or a repository's
        yield from (f"{prefix}/{name}" for prefix in SERVES_ANY if head)
        return
    bare = [model for model in known if "/" not in model]
    from difflib import get_close_matches

    yield from get_close_matches(lower, bare, n=_MOST, cutoff=0.7)
    yield from sorted((model for model in bare if model.startswith(lower)), key=lambda model: (len(model), model))


def _prefixes(head: str) -> Iterator[str]:
    """What a word in front may mean: a slip, another library's word, or a provider behind a colon."""
    if head in PROVIDERS or head in ALIASES:
        yield ALIASES.get(head, head)
    elif meant := MISTAKEN_PREFIXES.get(head):
        yield from meant
    elif head not in VENDORS:
        from difflib import get_close_matches

        yield from get_close_matches(head, PROVIDERS, n=2, cutoff=0.75)
