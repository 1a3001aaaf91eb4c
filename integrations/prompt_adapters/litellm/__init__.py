"""The LiteLLM face: a prompt becomes the arguments of ``litellm.completion``, or the call itself.

    from prompt_adapters.litellm import LiteLLMBridge, completion

    answer = completion("prompts/describe_photo", model="anthropic/claude-sonnet-4-5", variables={"photo": photo})

    bridge = LiteLLMBridge("gemini/gemini-2.5-flash")
    request = bridge.request(prompt, {"photo": photo})      # for litellm.completion(**request), or a Router

Neither this nor `LiteLLMBridge(...)` imports LiteLLM; the first call does, which takes some seconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_adapters.lazy import on_first_use

if TYPE_CHECKING:
    from prompt_adapters.litellm.bridge import LiteLLMBridge as LiteLLMBridge
    from prompt_adapters.litellm.calls import acompletion as acompletion
    from prompt_adapters.litellm.calls import completion as completion
    from prompt_adapters.litellm.manager import PromptAdaptersManager as PromptAdaptersManager

_HOMES = {"bridge": ("LiteLLMBridge",), "manager": ("PromptAdaptersManager",), "calls": ("acompletion", "completion")}

__all__, __getattr__, __dir__ = on_first_use(__name__, _HOMES)
