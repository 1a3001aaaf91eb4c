"""LiteLLM's table of models, read as a file: importing LiteLLM takes seconds, reading its table some 50 ms.

The file is read when the first fact is asked for, once. Where LiteLLM is not installed, or its file is not what it was,
nothing is known, and nothing is ever refused for that.

Source: ``model_prices_and_context_window_backup.json`` of https://github.com/BerriAI/litellm. Beside the models it
holds patterns: what all models of a family have in common that no row names, and what rows of theirs leave out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

_FILE = "model_prices_and_context_window_backup.json"
_PATTERNS = "fallback_generalizations"
_NOT_MODELS = ("sample_spec", _PATTERNS)
_KEPT = ("supports_", "supported_modalities", "max_", "mode", "litellm_provider", "default_reasoning_effort")
_CHAT_MODES = frozenset({"chat", "responses"})
# Rows of prices for models of some size, and not of a model.
_PRICE_CLASS = re.compile(r"(?:together-ai|fireworks-ai)-[\w.-]*\d+b(?:-.*)?|\*.*|.*/\*")

Info = Mapping[str, Any]


class _Pattern(NamedTuple):
    """What models have in common.

    Attributes:
        names: The models, by a part of their name.
        facts: Their facts.
        fills: The providers whose rows it completes, as the table names them.
    """

    names: re.Pattern[str]
    facts: Info
    fills: frozenset[str]


class _Table(NamedTuple):
    """The file.

    Attributes:
        rows: The models; aliases among them are rows that name another one.
        patterns: What families have in common.
        homes: The providers of families, by a part of the name.
    """

    rows: Mapping[str, Info]
    patterns: tuple[_Pattern, ...] = ()
    homes: tuple[tuple[re.Pattern[str], str], ...] = ()

    def row(self, name: str) -> Info | None:
        """A model's row, aliases resolved."""
        row = self.rows.get(name)
        owner = None if row is None else row.get("alias_of")
        if owner is None:
            return row
        target = self.rows.get(owner) if isinstance(owner, str) else None
        return None if target is None or "alias_of" in target else target


_NOTHING = _Table(MappingProxyType({}))


@lru_cache(maxsize=4096)
def model_info(provider: str, model: str) -> Info | None:
    """What the table says about a model, or None when it does not know it.

    Only rows of that very provider count: a model of the same name elsewhere may have other limits. One that has rows
    with and without the prefix is known by both. A model that has no
    row anywhere may match patterns. They tell what its family can do, and not how many tokens this very model takes.

    Args:
        provider: LiteLLM's name of the provider, as ``"vertex_ai"``.
        model: The model without that prefix.

    Returns:
        The fields ``supports_*``, ``supported_modalities``, ``max_*``, ``mode``, ``litellm_provider`` and
        ``default_reasoning_effort`` of its row.
    """
    table = _table()
    names = tuple(_spellings(provider, model))
    for with_prefix, bare in zip(names[::2], names[1::2], strict=True):
        facts = {**_facts(table, provider, bare), **_facts(table, provider, with_prefix)}
        if facts:
            return MappingProxyType(facts)
    if any(name in table.rows for name in names):
        return None
    common = _common(table, names, None)
    return MappingProxyType({**common, "litellm_provider": provider}) if common else None


def _facts(table: _Table, provider: str, name: str) -> dict[str, Any]:
    """A row, and what it leaves out of its family; nothing when it is another provider's."""
    row = table.row(name)
    if row is None or not _same_provider(provider, said := row.get("litellm_provider")):
        return {}
    missing = _common(table, (name,), said) if row.get("mode", "chat") in _CHAT_MODES else {}
    return {**missing, **_kept(row)}


def alias_of(provider: str, model: str) -> str:
    """The model that LiteLLM means by one of its own names, as ``claude-opus-latest``; other names come back.

    Args:
        provider: LiteLLM's name of the provider.
        model: The model without that prefix.
    """
    table = _table()
    for name in (f"{provider}/{model}", model):
        row = table.rows.get(name)
        target = table.row(name)
        if row is None or target is None or not isinstance(owner := row.get("alias_of"), str):
            continue
        if name != model or _same_provider(provider, target.get("litellm_provider")):
            return owner.removeprefix(f"{provider}/")
    return model


def provider_of(name: str) -> str | None:
    """The provider to which the table gives a name that carries no prefix; None for names that are no chat model."""
    table = _table()
    row = table.row(name)
    if row is None:
        return next((provider for names, provider in table.homes if names.search(name)), None)
    if row.get("mode") not in _CHAT_MODES or _PRICE_CLASS.fullmatch(name):
        return None
    return _plain_provider(row.get("litellm_provider"))


def mode_of(name: str) -> str | None:
    """What the table says a name without prefix is for, as ``"chat"`` or ``"embedding"``."""
    mode = (_table().row(name) or {}).get("mode")
    return mode if isinstance(mode, str) else None


def chat_models() -> Iterator[str]:
    """The names of all chat models in the table, as it spells them."""
    table = _table()
    known = ((name, table.row(name)) for name in table.rows if not _PRICE_CLASS.fullmatch(name))
    return (name for name, row in known if row is not None and row.get("mode") in _CHAT_MODES)


def forget() -> None:
    """Read the file again when the next fact is asked for."""
    _table.cache_clear()
    model_info.cache_clear()


@lru_cache(maxsize=1)
def _table() -> _Table:
    path = _path()
    if path is None:
        return _NOTHING
    try:
        raw = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return _NOTHING
    if not isinstance(raw, dict):
        return _NOTHING
    rows = {name: row for name, row in raw.items() if isinstance(row, dict) and name not in _NOT_MODELS}
    for name, row in tuple(rows.items()):
        for alias in row["aliases"] if isinstance(row.get("aliases"), list) else ():
            rows.setdefault(alias, {"alias_of": name})
    rules = tuple(_rules(raw.get(_PATTERNS)))
    homes = tuple((names, facts["litellm_provider"]) for names, facts, _ in rules if "litellm_provider" in facts)
    patterns = tuple(
        _Pattern(names, _without_counts(facts), fills)
        for names, facts, fills in rules
        if "litellm_provider" not in facts
    )
    return _Table(MappingProxyType(rows), patterns, homes)


def _path() -> Path | None:
    try:
        spec = find_spec("litellm")
    except (ImportError, ValueError):
        return None
    places = spec.submodule_search_locations if spec is not None else None
    return Path(next(iter(places))) / _FILE if places else None


def _rules(said: object) -> Iterator[_Pattern]:
    """The patterns, of which one that is malformed is left out, as LiteLLM does."""
    rules = said.get("rules") if isinstance(said, dict) else None
    for rule in rules if isinstance(rules, list) else ():
        if not isinstance(rule, dict) or "extends" in rule:
            continue
        names, facts, fills = rule.get("pattern"), rule.get("model_info"), rule.get("fill_missing_for_providers", [])
        if not (isinstance(names, str) and isinstance(facts, dict) and isinstance(fills, list)):
            continue
        home = facts.get("litellm_provider", "")
        if not isinstance(home, str) or (home and len(facts) > 1):
            continue
        try:
            compiled = re.compile(names, re.IGNORECASE)
        except re.error:
            continue
        yield _Pattern(compiled, facts, frozenset(name for name in fills if isinstance(name, str)))


def _without_counts(facts: Info) -> Info:
    """What a family can do. How many tokens its least member takes is no fact of any other."""
    return MappingProxyType({key: value for key, value in _kept(facts).items() if not key.startswith("max_")})


def _common(table: _Table, names: tuple[str, ...], completes: object) -> dict[str, Any]:
    """What the patterns say of the first name that one of them knows; later patterns win.

    Args:
        table: The table.
        names: The spellings of a model.
        completes: The provider of the row that is completed, as the table names it; None when there is no row.
    """
    patterns = [row for row in table.patterns if completes is None or completes in row.fills]
    for name in names:
        matching = [row.facts for row in patterns if row.names.search(name)]
        if matching:
            return {key: value for facts in matching for key, value in facts.items()}
    return {}


def _kept(row: Info) -> dict[str, Any]:
    """A row without the prices."""
    return {key: value for key, value in row.items() if key.startswith(_KEPT)}


def _spellings(provider: str, model: str) -> Iterator[str]:
    """The keys under which the table may hold a model, the most exact first."""
    for spelling in dict.fromkeys((model, model.lower())):
        for bare in dict.fromkeys(_bare_forms(provider, spelling)):
            yield f"{provider}/{bare}"
            yield bare


def _bare_forms(provider: str, model: str) -> Iterator[str]:
    yield model
    if model.startswith("ft:"):  # ft:BASE:organisation:name:id
        base = model.split(":")[1]
        yield f"ft:{base}"
        yield base
    if provider == "vertex_ai":
        if model.startswith("projects/"):  # a resource: projects/P/locations/L/publishers/google/models/NAME
            yield model.rpartition("/")[2]
        if "@" in model:
            yield model.partition("@")[0]
    if provider == "bedrock":
        name = model.rpartition("/")[2] if model.startswith("arn:") else model
        yield name
        if name.count(".") > 1:  # a geographic inference profile: us.VENDOR.MODEL
            yield name.partition(".")[2]
        yield f"claude_platform/{name}"  # Anthropic's own platform on AWS, without a vendor in the name


# One provider that has two names.
_SAME = {"cohere", "cohere_chat"}


def _same_provider(provider: str, said: object) -> bool:
    plain = _plain_provider(said)
    return plain == provider or {plain, provider} == _SAME


def _plain_provider(said: object) -> str | None:
    """The prefix of a provider whose rows the table splits by vendor or interface, as ``vertex_ai-llama_models``."""
    if not isinstance(said, str):
        return None
    if said.startswith("vertex_ai"):
        return "vertex_ai"
    if said == "ai21":  # the table's older name for what LiteLLM calls now
        return "ai21_chat"
    return "bedrock" if said.startswith("bedrock_converse") else said
