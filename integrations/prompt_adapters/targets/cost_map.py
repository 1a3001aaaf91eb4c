"""LiteLLM's table of models, read as a file: importing LiteLLM takes seconds, reading its table some 50 ms.

The file is read when the first fact is asked for, once. Where LiteLLM is not installed, or its file is not what it was,
nothing is known, and nothing is ever refused for that.

Source: ``model_prices_and_context_window_backup.json`` of https://github.com/BerriAI/litellm.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any

_FILE = "model_prices_and_context_window_backup.json"
_NOT_MODELS = ("sample_spec", "fallback_generalizations")
_KEPT = ("supports_", "max_", "mode", "litellm_provider", "default_reasoning_effort")
_CHAT_MODES = frozenset({"chat", "responses"})

Info = Mapping[str, Any]
_NOTHING: Mapping[str, Info] = MappingProxyType({})


def model_info(provider: str, model: str) -> Info | None:
    """What the table says about a model, or None when it does not know it.

    Only rows of that very provider count: a model of the same name elsewhere may have other limits.

    Args:
        provider: LiteLLM's name of the provider, as ``"vertex_ai"``.
        model: The model without that prefix.

    Returns:
        The fields ``supports_*``, ``max_*``, ``mode``, ``litellm_provider`` and ``default_reasoning_effort`` of its
        row.
    """
    rows = _rows()
    for name in _spellings(provider, model):
        info = rows.get(name)
        if info is not None and _same_provider(provider, info.get("litellm_provider")):
            return info
    return None


def provider_of(name: str) -> str | None:
    """The provider to which the table gives a name that carries no prefix; None for names that are no chat model."""
    info = _rows().get(name)
    if info is None or info.get("mode") not in _CHAT_MODES:
        return None
    return _plain_provider(info.get("litellm_provider"))


def chat_models() -> Iterator[str]:
    """The names of all chat models in the table, as it spells them."""
    return (name for name, info in _rows().items() if info.get("mode") in _CHAT_MODES)


@lru_cache(maxsize=1)
def _rows() -> Mapping[str, Info]:
    path = _path()
    if path is None:
        return _NOTHING
    try:
        raw = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return _NOTHING
    if not isinstance(raw, dict):
        return _NOTHING
    return MappingProxyType(_expanded(raw))


def _path() -> Path | None:
    try:
        spec = find_spec("litellm")
    except (ImportError, ValueError):
        return None
    places = spec.submodule_search_locations if spec is not None else None
    return Path(next(iter(places))) / _FILE if places else None


def _expanded(raw: dict[str, Any]) -> dict[str, Info]:
    """The models of the file, aliases resolved, without the prices."""
    rows: dict[str, Info] = {
        name: MappingProxyType({key: value for key, value in row.items() if key.startswith(_KEPT)})
        for name, row in raw.items()
        if name not in _NOT_MODELS and isinstance(row, dict) and "alias_of" not in row
    }
    for name, row in raw.items():
        if isinstance(row, dict):
            aliases = [name] if (owner := row.get("alias_of")) else row.get("aliases") or ()
            for alias in aliases:
                if (target := rows.get(owner or name)) is not None:
                    rows.setdefault(alias, target)
    return rows


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
    if provider == "vertex_ai" and "@" in model:
        yield model.partition("@")[0]
    if provider == "bedrock" and model.count(".") > 1:  # a geographic inference profile: us.VENDOR.MODEL
        yield model.partition(".")[2]


def _same_provider(provider: str, said: object) -> bool:
    plain = _plain_provider(said)
    return plain == provider or {plain, provider} == {"cohere", "cohere_chat"}


def _plain_provider(said: object) -> str | None:
    """The prefix of a provider whose rows the table splits by vendor or interface, as ``vertex_ai-llama_models``."""
    if not isinstance(said, str):
        return None
    if said.startswith("vertex_ai"):
        return "vertex_ai"
    return "bedrock" if said.startswith("bedrock_converse") else said
