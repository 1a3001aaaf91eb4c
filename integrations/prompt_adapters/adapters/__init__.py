"""From messages to a provider's request: one file per wire shape, and the registry that finds them."""

from prompt_adapters.adapters.base import BasePromptAdapter, MessageAdapter, Prepared
from prompt_adapters.adapters.registry import PROMPT_ADAPTER_REGISTRY, adapter_for, get_adapter

__all__ = [
    "PROMPT_ADAPTER_REGISTRY",
    "BasePromptAdapter",
    "MessageAdapter",
    "Prepared",
    "adapter_for",
    "get_adapter",
]
