"""The LiteLLM face: a prompt becomes the arguments of ``litellm.completion``, or the call itself.

    from prompt_adapters.litellm import LiteLLMBridge, completion

    answer = completion("prompts/describe_photo", model="anthropic/claude-sonnet-4-5", variables={"photo": photo})

    bridge = LiteLLMBridge("gemini/gemini-2.5-flash")
    request = bridge.request(prompt, {"photo": photo})      # for litellm.completion(**request), or a Router

Neither this nor `LiteLLMBridge(...)` imports LiteLLM; the first call does, which takes some seconds.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prompt_adapters.litellm.bridge import LiteLLMBridge as LiteLLMBridge
    from prompt_adapters.litellm.calls import acompletion as acompletion
    from prompt_adapters.litellm.calls import completion as completion

_MODULES = {"LiteLLMBridge": "bridge", "acompletion": "calls", "completion": "calls"}

__all__ = ["LiteLLMBridge", "acompletion", "completion"]


def __getattr__(name: str) -> Any:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
