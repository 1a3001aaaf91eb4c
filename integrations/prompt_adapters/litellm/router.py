"""Reading a ``litellm.Router``: which deployments an alias may reach.

https://docs.litellm.ai/docs/routing
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from prompt_adapters.errors import UnknownModelError

_FALLBACKS = ("fallbacks", "context_window_fallbacks", "content_policy_fallbacks")


def deployed(router: Any, alias: str) -> dict[str, str]:
    """The models behind an alias, as LiteLLM calls them, in the Router's order.

    Args:
        router: A ``litellm.Router``.
        alias: What its calls name: a model group, an alias of one, a name that a wildcard covers, or a deployment's id.

    Returns:
        From the model of a deployment to the same with its provider in front.

    Raises:
        UnknownModelError: (a ``KeyError``) The Router knows no such alias.
        ValueError: One model is deployed with two providers, so that its name does not tell which is called.
    """
    found: dict[str, str] = {}
    for parameters in _parameters(router, alias):
        model = str(parameters["model"])
        named = with_provider(model, parameters.get("custom_llm_provider"))
        if found.setdefault(model, named) != named:
            raise ValueError(
                f"the Router's {alias!r} calls {model!r} as {found[model]!r} and as {named!r}; "
                "write the provider in front of the model of each deployment"
            )
    if not found:
        from difflib import get_close_matches

        names = sorted(set(_names(router)))
        like = get_close_matches(alias, names, n=3)
        raise UnknownModelError(alias, like, remedy="or add it to the Router's model_list")
    return found


def reachable(router: Any, alias: str, more: Iterable[Any] = ()) -> dict[str, str]:
    """The models behind an alias and behind those that the Router may fall back to.

    Args:
        router: A ``litellm.Router``.
        alias: As for `deployed`.
        more: Fallbacks that the call itself names.
    """
    found: dict[str, str] = {}
    waiting, seen = [alias, *filter(None, map(_group, more))], set()
    while waiting:
        group = waiting.pop(0)
        if group in seen:
            continue
        seen.add(group)
        found |= deployed(router, group)
        waiting += _fallbacks(router, group)
    return found


def _fallbacks(router: Any, group: str) -> Iterator[str]:
    settings = router.settings() if hasattr(router, "settings") else router
    for name in _FALLBACKS:
        for row in getattr(settings, name, None) or ():
            if isinstance(row, Mapping):
                yield from (other for key in (group, "*") for other in map(_group, row.get(key) or ()) if other)


def _group(fallback: Any) -> str | None:
    model = fallback.get("model") if isinstance(fallback, Mapping) else fallback
    return model if isinstance(model, str) else None


def _parameters(router: Any, alias: str) -> Iterator[Mapping[str, Any]]:
    for deployment in _deployments(router, alias) or ():
        parameters = deployment["litellm_params"]
        yield parameters if isinstance(parameters, Mapping) else parameters.model_dump(exclude_none=True)


def _deployments(router: Any, alias: str) -> Any:
    """As the Router's registry has them; where there is none, as older ones list them."""
    if not hasattr(router, "registry"):
        return router.get_model_list(model_name=alias)
    registry = router.registry()
    if found := registry.deployments(alias):
        return found
    by_id = registry.deployment_dict(alias)
    return [] if by_id is None else [by_id]


def _names(router: Any) -> Iterable[str]:
    names: Iterable[str] = router.registry().names() if hasattr(router, "registry") else router.get_model_names()
    return names


def with_provider(model: str, provider: str | None) -> str:
    """A model string with its provider in front, where LiteLLM is told it apart from the model."""
    return model if not provider or model.startswith(f"{provider}/") else f"{provider}/{model}"
