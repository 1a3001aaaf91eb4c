"""How the rows of what LiteLLM passes on of a call's parameters are written, and read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from prompt_adapters.targets import Route
from prompt_adapters.targets.cost_map import Info, model_info

_UNKNOWN: Info = MappingProxyType({})
# LiteLLM looks some facts up by a model's name alone.
_ALSO = MappingProxyType({"azure": "openai", "gemini": "vertex_ai"})


class Call(NamedTuple):
    """What the rules look at.

    Attributes:
        target: Where the model is.
        info: Its row in LiteLLM's table; empty when it has none.
        parameters: All parameters of the call.
    """

    target: Route
    info: Info
    parameters: Mapping[str, Any]

    def says(self, field: str) -> bool:
        """Whether the table says yes."""
        return self._said(field) is True

    def denies(self, field: str) -> bool:
        """Whether the table says no."""
        return self._said(field) is False

    def _said(self, field: str) -> Any:
        """What it says of the model, there or where LiteLLM looks as well."""
        if field in self.info:
            return self.info[field]
        other = _ALSO.get(self.target.provider)
        return (model_info(other, self.target.model) or _UNKNOWN).get(field) if other else None


# What LiteLLM takes for its own, wherever a call goes: https://docs.litellm.ai/docs/observability/custom_callback
KEPT: Mapping[str, str] = MappingProxyType({"metadata": "LiteLLM keeps it for its logs"})

When: TypeAlias = Callable[[Call], bool]
# Why a value does not arrive; None when it does.
Check: TypeAlias = Callable[[Any, Call], str | None]


class Lack(NamedTuple):
    """Parameters that LiteLLM does not pass on to some models of a target.

    Attributes:
        names: The parameters.
        models: The models, by their whole name.
        when: Whether a call is concerned; always when None.
    """

    names: frozenset[str]
    models: re.Pattern[str] = re.compile(r".*")
    when: When | None = None

    def concerns(self, call: Call) -> bool:
        """Whether it is such a call."""
        return self.models.fullmatch(call.target.model) is not None and (self.when is None or self.when(call))


class Passing(NamedTuple):
    """The parameters that arrive at one kind of target.

    Attributes:
        takes: Their names; None where LiteLLM itself refuses what it does not pass on.
        lacks: What some models do not get of them.
        checks: What is said against values of some of them.
    """

    takes: frozenset[str] | None
    lacks: tuple[Lack, ...] = ()
    checks: Mapping[str, Check] = MappingProxyType({})

    def objections(self, call: Call) -> Iterator[tuple[str, str]]:
        """The parameters that would not arrive as they are, with the reasons; without those that never arrive."""
        here = f"{call.target.provider}/{call.target.model}"
        given = call.parameters.keys()
        lacks = (lack for lack in self.lacks if not lack.names.isdisjoint(given) and lack.concerns(call))
        lacking = {name for lack in lacks for name in lack.names}
        for name, value in call.parameters.items():
            if name in KEPT:
                continue
            if name in lacking or (self.takes is not None and name not in self.takes):
                yield name, f"LiteLLM does not pass it on to {here}"
            elif (check := self.checks.get(name)) and (reason := check(value, call)):
                yield name, reason


def info_of(target: Route) -> Info:
    """A model's row in LiteLLM's table; empty when it has none."""
    return model_info(target.provider, target.model) or _UNKNOWN
