"""Facts as data: which provider a model string means, what it speaks, what it can do and what it takes.

The tables are long; each is read when something of it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_adapters.lazy import on_first_use

if TYPE_CHECKING:
    from prompt_adapters.targets.capabilities import Capabilities as Capabilities
    from prompt_adapters.targets.capabilities import capabilities_of as capabilities_of
    from prompt_adapters.targets.cost_map import model_info as model_info
    from prompt_adapters.targets.endpoints import Endpoint as Endpoint
    from prompt_adapters.targets.endpoints import endpoint_at as endpoint_at
    from prompt_adapters.targets.endpoints import endpoint_of as endpoint_of
    from prompt_adapters.targets.limits import Limits as Limits
    from prompt_adapters.targets.limits import limits_for as limits_for
    from prompt_adapters.targets.providers import PROVIDERS as PROVIDERS
    from prompt_adapters.targets.providers import Provider as Provider
    from prompt_adapters.targets.routes import Route as Route
    from prompt_adapters.targets.routes import route as route
    from prompt_adapters.targets.turn_rules import TurnRule as TurnRule
    from prompt_adapters.targets.turn_rules import turn_rule as turn_rule

_HOMES = {
    "capabilities": ("Capabilities", "capabilities_of"),
    "cost_map": ("model_info",),
    "endpoints": ("Endpoint", "endpoint_at", "endpoint_of"),
    "limits": ("Limits", "limits_for"),
    "providers": ("PROVIDERS", "Provider"),
    "routes": ("Route", "route"),
    "turn_rules": ("TurnRule", "turn_rule"),
}

__all__, __getattr__, __dir__ = on_first_use(__name__, _HOMES)
