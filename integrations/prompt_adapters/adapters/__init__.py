"""From messages to a provider's request: one file per wire shape, and the registry that finds them."""

from prompt_adapters.adapters.base import BasePromptAdapter, MessageAdapter, Prepared
from prompt_adapters.adapters.reading import Conversation
from prompt_adapters.adapters.registry import PROMPT_ADAPTER_REGISTRY, adapter_for, get_adapter
from prompt_adapters.adapters.reverse import from_request, read_request

__all__ = [
    "PROMPT_ADAPTER_REGISTRY",
    "BasePromptAdapter",
    "Conversation",
    "MessageAdapter",
    "Prepared",
    "adapter_for",
    "from_request",
    "get_adapter",
    "read_request",
]
