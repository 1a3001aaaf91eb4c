"""The LangChain face: prompts and adapters as Runnables.

    from prompt_adapters.langchain import AdapterPromptTemplate, AdapterRunnable

    template = AdapterPromptTemplate.from_path("prompts/judge")
    chain = template | chat_model                                  # any chat model
    chain = template | AdapterRunnable("google_style") | call      # the provider's own client
    template.for_model("anthropic/claude-opus-5").format_request(…)  # the same, without a chain
    from_langchain(their_prompt), to_langchain(template)           # both directions

Names are resolved on first use, so importing this module does not import LangChain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_adapters.lazy import on_first_use

if TYPE_CHECKING:
    from prompt_adapters.langchain.from_theirs import from_langchain as from_langchain
    from prompt_adapters.langchain.loading import load as load
    from prompt_adapters.langchain.middleware import PromptMiddleware as PromptMiddleware
    from prompt_adapters.langchain.nodes import checkpoint_types as checkpoint_types
    from prompt_adapters.langchain.nodes import prompt_node as prompt_node
    from prompt_adapters.langchain.prompt_value import AdapterPromptValue as AdapterPromptValue
    from prompt_adapters.langchain.runnable import AdapterRunnable as AdapterRunnable
    from prompt_adapters.langchain.string_template import AdapterStringPromptTemplate as AdapterStringPromptTemplate
    from prompt_adapters.langchain.structured import StructuredAdapterPromptTemplate as StructuredAdapterPromptTemplate
    from prompt_adapters.langchain.styles import AnthropicStylePromptTemplate as AnthropicStylePromptTemplate
    from prompt_adapters.langchain.styles import BedrockStylePromptTemplate as BedrockStylePromptTemplate
    from prompt_adapters.langchain.styles import CohereStylePromptTemplate as CohereStylePromptTemplate
    from prompt_adapters.langchain.styles import GoogleStylePromptTemplate as GoogleStylePromptTemplate
    from prompt_adapters.langchain.styles import LiteLLMStylePromptTemplate as LiteLLMStylePromptTemplate
    from prompt_adapters.langchain.styles import MistralStylePromptTemplate as MistralStylePromptTemplate
    from prompt_adapters.langchain.styles import OllamaStylePromptTemplate as OllamaStylePromptTemplate
    from prompt_adapters.langchain.styles import (
        OpenAIResponsesStylePromptTemplate as OpenAIResponsesStylePromptTemplate,
    )
    from prompt_adapters.langchain.styles import OpenAIStylePromptTemplate as OpenAIStylePromptTemplate
    from prompt_adapters.langchain.template import AdapterPromptTemplate as AdapterPromptTemplate
    from prompt_adapters.langchain.to_theirs import to_langchain as to_langchain

_HOMES = {
    "from_theirs": ("from_langchain",),
    "loading": ("load",),
    "middleware": ("PromptMiddleware",),
    "nodes": ("checkpoint_types", "prompt_node"),
    "prompt_value": ("AdapterPromptValue",),
    "runnable": ("AdapterRunnable",),
    "string_template": ("AdapterStringPromptTemplate",),
    "styles": (
        "AnthropicStylePromptTemplate",
        "BedrockStylePromptTemplate",
        "CohereStylePromptTemplate",
        "GoogleStylePromptTemplate",
        "LiteLLMStylePromptTemplate",
        "MistralStylePromptTemplate",
        "OllamaStylePromptTemplate",
        "OpenAIResponsesStylePromptTemplate",
        "OpenAIStylePromptTemplate",
    ),
    "structured": ("StructuredAdapterPromptTemplate",),
    "template": ("AdapterPromptTemplate",),
    "to_theirs": ("to_langchain",),
}

__all__, __getattr__, __dir__ = on_first_use(__name__, _HOMES)
