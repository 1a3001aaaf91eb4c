"""Facts as data: which provider a model string means, what it speaks, what it can do and what it takes."""

from prompt_adapters.targets.capabilities import Capabilities, capabilities_of
from prompt_adapters.targets.cost_map import model_info
from prompt_adapters.targets.endpoints import Endpoint, endpoint_at, endpoint_of
from prompt_adapters.targets.limits import Limits, limits_for
from prompt_adapters.targets.providers import PROVIDERS, Provider
from prompt_adapters.targets.routes import Route, route
from prompt_adapters.targets.turn_rules import TurnRule, turn_rule

__all__ = [
    "PROVIDERS",
    "Capabilities",
    "Endpoint",
    "Limits",
    "Provider",
    "Route",
    "TurnRule",
    "capabilities_of",
    "endpoint_at",
    "endpoint_of",
    "limits_for",
    "model_info",
    "route",
    "turn_rule",
]
