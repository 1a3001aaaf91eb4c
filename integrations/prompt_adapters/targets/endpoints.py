"""The servers: which API is called there, and what one that speaks OpenAI's chat completions takes beyond OpenAI.

A server is a row, and no code knows its name: an adapter asks the row. What no page says is left as OpenAI has it, so
nothing is refused because nobody wrote it down. What servers of other shapes take, the adapters of these shapes know.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, TypeAlias

from prompt_adapters.content.frozen import frozen, replaced
from prompt_adapters.targets.sources import Source

Prefill: TypeAlias = Literal["answered", "continued", "prefix", "flags"]

OPENAI_PARTS = frozenset({"image_url", "input_audio", "file", "file_id"})
_IMAGES = frozenset({"image_url"})


@frozen()
class CacheMark:
    """How the end of a cacheable prefix is marked on a part.

    Attributes:
        field: The name of the field.
        value: What stands there.
        most: How many a request may have.
        kinds: The kinds of parts that have the field.
        roles: The roles in whose messages it counts.
        models: What the names of the models that take it begin with; None for all.
        which: These models, in words.
    """

    field: str
    value: Mapping[str, str]
    most: int
    kinds: frozenset[str]
    roles: frozenset[str] = frozenset({"system", "developer", "user", "tool"})
    models: re.Pattern[str] | None = None
    which: str = ""


@frozen()
class Endpoint:
    """One server.

    Attributes:
        name: The server as people call it.
        sources: The pages that say so.
        api: The API that is called: the end of its path, or its operation, as ``"chat/completions"``, ``"messages"``,
            ``"generateContent"`` or ``"converse"``.
        parts: The parts of OpenAI's shape that it takes beside text: ``image_url``, ``input_audio``, ``audio_url``,
            ``video_url``, ``file`` (bytes), ``file_id`` (uploaded) and ``file_url`` (by address). Empty where another
            shape is spoken.
        developer: Whether ``developer`` is a role; otherwise it is ``system``.
        max_tokens: Its name for the most tokens of an answer.
        prefill: What becomes of a final assistant turn: ``"answered"`` by a new turn, ``"continued"`` as it is, or
            continued with a mark on the message (``"prefix"``) or with flags beside the messages (``"flags"``); None
            when no page says.
        prefill_needs: What the caller has to do for that, as a sentence; empty for nothing.
        cache: How cacheable prefixes are marked; None when they cannot be.
        parameters: The parameters that it takes beyond OpenAI's.
        most_stops: How many texts it takes as ``stop``; None when no page says.
        longest_tool_name: How many letters, digits, ``_`` and ``-`` the name of a tool has at most; None when no page
            says.
    """

    name: str
    sources: tuple[Source, ...]
    api: str = "chat/completions"
    parts: frozenset[str] = OPENAI_PARTS
    developer: bool = False
    max_tokens: str = "max_tokens"
    prefill: Prefill | None = None
    prefill_needs: str = ""
    cache: CacheMark | None = None
    parameters: frozenset[str] = frozenset()
    most_stops: int | None = None
    longest_tool_name: int | None = None


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# The first models that take explicit breakpoints are GPT-5.6:
# https://developers.openai.com/api/docs/guides/prompt-caching. An assistant's turn cannot carry one.
BREAKPOINTS = CacheMark(
    "prompt_cache_breakpoint",
    MappingProxyType({"mode": "explicit"}),
    most=4,
    kinds=frozenset({"text", "image", "audio", "document"}),
    models=re.compile(r"(?:ft:)?gpt-(?:5\.(?:[6-9]|[1-9]\d)|[6-9]|[1-9]\d)(?!\w)"),
    which="GPT-5.6 and later",
)
_OPENAI = Endpoint(
    "OpenAI",
    (
        Source("https://platform.openai.com/docs/api-reference/chat/create", "2026-08-21"),
        Source("https://developers.openai.com/api/docs/guides/prompt-caching"),
    ),
    developer=True,
    max_tokens="max_completion_tokens",
    prefill="answered",
    cache=BREAKPOINTS,
    most_stops=4,
    longest_tool_name=64,
)
_VLLM = Endpoint(
    "vLLM",
    (
        Source("https://docs.vllm.ai/en/latest/features/multimodal_inputs.html"),
        Source("https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html"),
    ),
    parts=OPENAI_PARTS | {"audio_url", "video_url"},
    prefill="flags",
    parameters=_words(
        "top_k min_p repetition_penalty length_penalty min_tokens stop_token_ids continue_final_message "
        "add_generation_prompt chat_template_kwargs mm_processor_kwargs"
    ),
)

ENDPOINTS: Mapping[str, Endpoint] = MappingProxyType(
    {
        "openai": _OPENAI,
        # The same bodies; nothing is said about breakpoints.
        "azure": replaced(
            _OPENAI,
            name="Azure OpenAI",
            sources=(Source("https://learn.microsoft.com/en-us/azure/ai-foundry/openai/reference"),),
            cache=None,
        ),
        "hosted_vllm": _VLLM,
        "vllm": _VLLM,
        "groq": Endpoint("Groq", (Source("https://console.groq.com/docs/vision"),), parts=_IMAGES),
        "xai": Endpoint("xAI", (Source("https://docs.x.ai/docs/guides/image-understanding"),)),
        "deepseek": Endpoint(
            "DeepSeek",
            (
                Source("https://api-docs.deepseek.com/guides/vision", "2026-08"),
                Source("https://api-docs.deepseek.com/guides/chat_prefix_completion"),
            ),
            parts=_IMAGES,
            prefill="prefix",
            prefill_needs="it does so at its base URL https://api.deepseek.com/beta only",
        ),
        "together_ai": Endpoint(
            "Together",
            (
                Source("https://docs.together.ai/docs/inference/vision/inputs"),
                Source("https://docs.together.ai/reference/chat-completions-1"),
            ),
            parts=OPENAI_PARTS | {"video_url"},
            parameters=_words("top_k min_p repetition_penalty"),
        ),
        "fireworks_ai": Endpoint(
            "Fireworks",
            (
                Source("https://docs.fireworks.ai/guides/querying-vision-language-models"),
                Source("https://docs.fireworks.ai/api-reference/post-chatcompletions"),
            ),
            parameters=_words("top_k min_p repetition_penalty"),
        ),
        "openrouter": Endpoint(
            "OpenRouter",
            (
                Source("https://openrouter.ai/docs/guides/overview/multimodal/pdfs"),
                Source("https://openrouter.ai/docs/guides/overview/multimodal/videos"),
                Source("https://openrouter.ai/docs/guides/best-practices/prompt-caching"),
                Source("https://openrouter.ai/docs/api/reference/parameters"),
            ),
            parts=OPENAI_PARTS | {"video_url", "file_url"},
            prefill="continued",
            cache=CacheMark(
                "cache_control",
                MappingProxyType({"type": "ephemeral"}),
                most=4,
                kinds=frozenset({"text"}),
                roles=frozenset({"system", "developer", "user", "assistant", "tool"}),
            ),
            parameters=_words("top_k min_p top_a repetition_penalty plugins provider models transforms"),
        ),
        "lm_studio": Endpoint(
            "LM Studio",
            (
                Source("https://lmstudio.ai/docs/developer/openai-compat"),
                Source("https://lmstudio.ai/docs/developer/openai-compat/chat-completions", "2026-04-30"),
            ),
            parts=_IMAGES,
            parameters=_words("top_k repeat_penalty"),
        ),
        # A llamafile is llama.cpp's server and a model in one file.
        "llamafile": Endpoint(
            "llama.cpp's server",
            (Source("https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md"),),
            parts=frozenset({"image_url", "input_audio"}),
            prefill="continued",
            parameters=_words("top_k min_p typical_p repeat_penalty repeat_last_n mirostat grammar cache_prompt"),
        ),
    }
)


def endpoint_of(provider: str | None) -> Endpoint:
    """The row of a provider; OpenAI's own when only the shape is known.

    Args:
        provider: LiteLLM's name of it. One without a row is as OpenAI's shape is spoken everywhere.
    """
    if provider is None:
        return ENDPOINTS["openai"]
    row = ENDPOINTS.get(provider)
    if row is None:
        from prompt_adapters.targets.providers import PROVIDERS

        known = PROVIDERS.get(provider)
        row = Endpoint(provider, (Source(known.source, known.read),) if known else ())
    return row


# What is called, by shape.
_APIS: Mapping[str, str] = MappingProxyType(
    {
        "openai_style": "chat/completions",
        "openai_responses_style": "responses",
        "anthropic_style": "messages",
        "google_style": "generateContent",
        "bedrock_style": "converse",
        "mistral_style": "chat/completions",
        "cohere_style": "v2/chat",
        "ollama_style": "api/chat",
        "litellm_style": "litellm.completion",
    }
)
# Where a cloud has another call for the same body.
_CALLS: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        # https://docs.cloud.google.com/vertex-ai/docs/reference/rest/v1/projects.locations.publishers.models/rawPredict
        ("vertex_ai", "anthropic_style"): "rawPredict",
        ("vertex_ai", "mistral_style"): "rawPredict",
        # https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html
        ("bedrock", "anthropic_style"): "invoke",
        ("bedrock", "openai_style"): "invoke",
        # https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_runtime_InvokeEndpoint.html
        ("sagemaker_chat", "openai_style"): "invocations",
        ("sagemaker_nova", "openai_style"): "invocations",
    }
)


@lru_cache(maxsize=1024)
def endpoint_at(provider: str, style: str, api: str | None = None) -> Endpoint:
    """The server of a provider and the API that is called there.

    Args:
        provider: LiteLLM's name of it.
        style: The wire shape.
        api: The API, where it is not the one that the provider has for the shape.
    """
    row = endpoint_of(provider)
    called = api or _CALLS.get((provider, style)) or _APIS.get(style, style)
    if style == "openai_style":
        return replaced(row, api=called)
    return Endpoint(row.name, row.sources, called, frozenset())
