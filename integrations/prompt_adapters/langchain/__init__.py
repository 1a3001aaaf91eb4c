"""The LangChain face: prompts and adapters as Runnables.

    from prompt_adapters.langchain import AdapterPromptTemplate, AdapterRunnable

    template = AdapterPromptTemplate.from_path("prompts/judge")
    chain = template | chat_model                                  # any chat model
    chain = template | AdapterRunnable("google_style") | call      # the provider's own client

Names are resolved on first use, so importing this module does not import LangChain.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prompt_adapters.langchain.prompt_value import AdapterPromptValue as AdapterPromptValue
    from prompt_adapters.langchain.runnable import AdapterRunnable as AdapterRunnable
    from prompt_adapters.langchain.string_template import AdapterStringPromptTemplate as AdapterStringPromptTemplate
    from prompt_adapters.langchain.styles import AnthropicStylePromptTemplate as AnthropicStylePromptTemplate
    from prompt_adapters.langchain.styles import GoogleStylePromptTemplate as GoogleStylePromptTemplate
    from prompt_adapters.langchain.styles import OpenAIStylePromptTemplate as OpenAIStylePromptTemplate
    from prompt_adapters.langchain.template import AdapterPromptTemplate as AdapterPromptTemplate

_HOMES = {
    "prompt_value": ("AdapterPromptValue",),
    "runnable": ("AdapterRunnable",),
    "string_template": ("AdapterStringPromptTemplate",),
    "styles": ("AnthropicStylePromptTemplate", "GoogleStylePromptTemplate", "OpenAIStylePromptTemplate"),
    "template": ("AdapterPromptTemplate",),
}
_MODULES = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [*_MODULES]


def __getattr__(name: str) -> Any:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
