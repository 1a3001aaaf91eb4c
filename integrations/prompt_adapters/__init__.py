"""One prompt, written once and kept in files, becomes the exact request that each model provider wants.

The public names are resolved on first use, so that importing the package imports no provider's library::

    from prompt_adapters import Image, Prompt, adapter_for

    prompt = Prompt(system="Be brief.", user="What is this? {{ photo }}")
    request = adapter_for("anthropic/claude-sonnet-4-5").build_request(prompt, photo=Image("photo.jpg"))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_adapters.lazy import on_first_use

if TYPE_CHECKING:
    from prompt_adapters.adapters import PROMPT_ADAPTER_REGISTRY as PROMPT_ADAPTER_REGISTRY
    from prompt_adapters.adapters import BasePromptAdapter as BasePromptAdapter
    from prompt_adapters.adapters import MessageAdapter as MessageAdapter
    from prompt_adapters.adapters import Prepared as Prepared
    from prompt_adapters.adapters import adapter_for as adapter_for
    from prompt_adapters.adapters import from_request as from_request
    from prompt_adapters.adapters import get_adapter as get_adapter
    from prompt_adapters.adapters.anthropic import AnthropicStylePromptAdapter as AnthropicStylePromptAdapter
    from prompt_adapters.adapters.bedrock import BedrockStylePromptAdapter as BedrockStylePromptAdapter
    from prompt_adapters.adapters.cohere import CohereStylePromptAdapter as CohereStylePromptAdapter
    from prompt_adapters.adapters.google import GoogleGenAIStylePromptAdapter as GoogleGenAIStylePromptAdapter
    from prompt_adapters.adapters.mistral import MistralStylePromptAdapter as MistralStylePromptAdapter
    from prompt_adapters.adapters.ollama import OllamaStylePromptAdapter as OllamaStylePromptAdapter
    from prompt_adapters.adapters.openai import OpenAIStylePromptAdapter as OpenAIStylePromptAdapter
    from prompt_adapters.adapters.openai_responses import (
        OpenAIResponsesStylePromptAdapter as OpenAIResponsesStylePromptAdapter,
    )
    from prompt_adapters.builders.asset_store import PromptAssetStore as PromptAssetStore
    from prompt_adapters.builders.format_prompt import format_prompt as format_prompt
    from prompt_adapters.builders.gemini import convert_messages_to_gemini as convert_messages_to_gemini
    from prompt_adapters.builders.simple_prompt import SimplePrompt as SimplePrompt
    from prompt_adapters.builders.text_adapter import TextPromptAdapter as TextPromptAdapter
    from prompt_adapters.content.message import Message as Message
    from prompt_adapters.content.parts import Audio as Audio
    from prompt_adapters.content.parts import Document as Document
    from prompt_adapters.content.parts import Image as Image
    from prompt_adapters.content.parts import ImageWrapper as ImageWrapper
    from prompt_adapters.content.parts import Text as Text
    from prompt_adapters.content.parts import ToolCall as ToolCall
    from prompt_adapters.content.parts import ToolResult as ToolResult
    from prompt_adapters.content.parts import Video as Video
    from prompt_adapters.content.sniff import parse_data_url as parse_data_url
    from prompt_adapters.errors import PromptAdapterError as PromptAdapterError
    from prompt_adapters.formats import load_prompt as load_prompt
    from prompt_adapters.formats import save_prompt as save_prompt
    from prompt_adapters.prompt import FewShot as FewShot
    from prompt_adapters.prompt import History as History
    from prompt_adapters.prompt import Prompt as Prompt
    from prompt_adapters.prompt import Variable as Variable
    from prompt_adapters.targets import route as route
    from prompt_adapters.templates.separators import SEPARATOR_RULES as SEPARATOR_RULES
    from prompt_adapters.templates.separators import get_separator as get_separator

_HOMES = {
    "adapters": (
        "BasePromptAdapter",
        "MessageAdapter",
        "PROMPT_ADAPTER_REGISTRY",
        "Prepared",
        "adapter_for",
        "from_request",
        "get_adapter",
    ),
    "adapters.anthropic": ("AnthropicStylePromptAdapter",),
    "adapters.bedrock": ("BedrockStylePromptAdapter",),
    "adapters.cohere": ("CohereStylePromptAdapter",),
    "adapters.google": ("GoogleGenAIStylePromptAdapter",),
    "adapters.mistral": ("MistralStylePromptAdapter",),
    "adapters.ollama": ("OllamaStylePromptAdapter",),
    "adapters.openai": ("OpenAIStylePromptAdapter",),
    "builders.asset_store": ("PromptAssetStore",),
    "builders.format_prompt": ("format_prompt",),
    "builders.gemini": ("convert_messages_to_gemini",),
    "builders.simple_prompt": ("SimplePrompt",),
    "builders.text_adapter": ("TextPromptAdapter",),
    "adapters.openai_responses": ("OpenAIResponsesStylePromptAdapter",),
    "content.message": ("Message",),
    "content.parts": ("Audio", "Document", "Image", "ImageWrapper", "Text", "ToolCall", "ToolResult", "Video"),
    "content.sniff": ("parse_data_url",),
    "errors": ("PromptAdapterError",),
    "formats": ("load_prompt", "save_prompt"),
    "prompt": ("FewShot", "History", "Prompt", "Variable"),
    "targets": ("route",),
    "templates.separators": ("SEPARATOR_RULES", "get_separator"),
}

__version__ = "0.1.0"
_names, __getattr__, __dir__ = on_first_use(__name__, _HOMES)
__all__ = [*_names, "__version__"]
