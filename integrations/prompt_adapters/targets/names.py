"""What names tell without a prefix, other words for a prefix, and prefixes behind which there is no chat model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class BareName(NamedTuple):
    """Names that tell their vendor.

    Attributes:
        pattern: The whole name, in lower case; the group ``model`` begins where the model's own name does.
        provider: The row that it means.
        keeps_case: Whether the name may hold ids in which capitals count.
    """

    pattern: re.Pattern[str]
    provider: str
    keeps_case: bool = False


# The vendors in ids of Bedrock: an optional geographic profile of any name, a vendor, the model.
# https://docs.aws.amazon.com/bedrock/latest/userguide/models-supported.html
_BEDROCK_VENDORS = (
    "ai21|amazon|anthropic|cohere|deepseek|google|luma|meta|minimax|mistral|moonshot|moonshotai|nvidia|openai|qwen|"
    "stability|twelvelabs|writer|xai|zai"
)
# Of OpenAI's, what is no chat model, and what is nobody's in particular: the weights of gpt-oss are open.
_GPT = r"gpt-(?!oss|image|realtime|live|.*-(?:transcribe|tts|realtime)(?!\w))"

BARE_NAMES: tuple[BareName, ...] = (
    # Models for plain completions.
    BareName(re.compile(r"(?P<model>gpt-3\.5-turbo-instruct.*|(?:davinci|babbage)-002)"), "text-completion-openai"),
    BareName(re.compile(r"(?P<model>ft:(?:davinci|babbage)-002.*)"), "text-completion-openai", keeps_case=True),
    BareName(re.compile(r"(?P<model>ft:.+)"), "openai", keeps_case=True),
    BareName(re.compile(rf"(?P<model>(?:{_GPT}|chatgpt-|codex-|computer-use-)[^/]+)"), "openai"),
    BareName(re.compile(r"(?P<model>o\d+(?:-[^/]+)?)"), "openai"),
    BareName(re.compile(r"(?P<model>claude-[^/@]+@[^/@]+)"), "vertex_ai"),
    # Bedrock's numbers of versions, of which LiteLLM knows one without its vendor.
    BareName(re.compile(r"(?P<model>claude-[^/@]+-v\d+:\d+)"), "bedrock"),
    BareName(re.compile(r"(?P<model>claude-[^/@]+)"), "anthropic"),
    BareName(re.compile(r"(?:models/)?(?P<model>gemini-[^/]+)"), "gemini"),
    BareName(re.compile(rf"(?P<model>(?:[a-z]+(?:-[a-z]+)*\.)?(?:{_BEDROCK_VENDORS})\.[^/]+)"), "bedrock"),
    BareName(re.compile(r"(?P<model>arn:aws[a-z-]*:bedrock:.+)"), "bedrock", keeps_case=True),
    # Google's own names of resources: https://docs.cloud.google.com/vertex-ai/generative-ai/docs/models/tune-gemini
    BareName(re.compile(r"(?P<model>projects/[^/]+/locations/[^/]+/(?:publishers|endpoints)/.+)"), "vertex_ai", True),
)
# Words in names of which one may be no chat model's, whoever the vendor is; LiteLLM's table knows.
NOT_CHAT_WORDS = re.compile(
    r"embed|rerank|titan-image|nova-canvas|sonic|[-.]live|native-audio|tts|transcribe|stability\.|chatgpt-image"
)

# Other prefixes of LiteLLM's for the same provider.
ALIASES: Mapping[str, str] = MappingProxyType({"ai21": "ai21_chat", "vertex_ai_beta": "vertex_ai"})

# Prefixes of other libraries, and slips, with what they may mean here.
MISTAKEN_PREFIXES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "google": ("gemini", "vertex_ai"),
        "googleai": ("gemini",),
        "google_genai": ("gemini",),
        "google-genai": ("gemini",),
        "google-gla": ("gemini",),
        "google_vertexai": ("vertex_ai",),
        "google-vertex": ("vertex_ai",),
        "vertex": ("vertex_ai",),
        "vertexai": ("vertex_ai",),
        "models": ("gemini",),
        "bedrock_converse": ("bedrock",),
        "aws": ("bedrock",),
        "azure_openai": ("azure",),
        "mistralai": ("mistral",),
        "together": ("together_ai",),
        "fireworks": ("fireworks_ai",),
        "x-ai": ("xai",),
    }
)


class Family(NamedTuple):
    """Models that are known by their vendor's name.

    Attributes:
        pattern: What their names begin with, in lower case.
        provider: Who serves them first of all.
    """

    pattern: re.Pattern[str]
    provider: str


FAMILIES: tuple[Family, ...] = tuple(
    Family(re.compile(pattern), provider)
    for pattern, provider in (
        ("(?:open-)?(?:mi[sx]tral|ministral|pixtral|codestral|devstral|magistral|voxtral)", "mistral"),
        ("command|c4ai|aya", "cohere_chat"),
        ("grok", "xai"),
        ("deepseek", "deepseek"),
        ("gemma", "gemini"),
        ("sonar", "perplexity"),
        ("kimi|moonshot", "moonshot"),
        ("glm", "zai"),
        ("jamba", "ai21_chat"),
        ("accounts/fireworks/", "fireworks_ai"),
        ("(?:code)?llama|llava|phi-?\\d|vicuna|qwen|qwq", "ollama_chat"),
    )
)
# As Ollama writes them, with a tag or from a repository: https://docs.ollama.com/api
TAGGED = re.compile(r"(?:hf\.co/.+|[\w.-]+(?:/[\w.-]+)?:[\w.-]+)")
# Who serves models by the names of repositories, or of the vendors in their catalogue.
SERVES_ANY = ("hosted_vllm", "openrouter", "together_ai")
# Organisations that publish models, some of whose names resemble those of providers.
VENDORS = frozenset({"deepseek-ai", "meta-llama"})

# LiteLLM's other providers, and what they are for: https://docs.litellm.ai/docs/providers
_SERVES = {
    "embeddings": "infinity jina_ai voyage",
    "search in documents": "milvus mongodb opensearch pg_vector s3_vectors valkey",
    "search on the web": "parallel_ai",
    "speech": "aws_polly azure_speech deepgram elevenlabs nvidia_riva soniox transcribe",
    "making images or films": "black_forest_labs recraft runwayml stability topaz",
    "reading documents": "aws_textract reducto",
    "judging answers": "bespoke eu_jev laya nace strands_decider typesafe",
    "running agents": "a2a_agent cursor",
}
NOT_CHAT: Mapping[str, str] = MappingProxyType(
    {name: what for what, names in _SERVES.items() for name in names.split()}
)
# What the modes of LiteLLM's table are for, but for chat.
MODES: Mapping[str, str] = MappingProxyType(
    {
        "audio_speech": "speech",
        "audio_transcription": "speech",
        "completion": "continuing a text",
        "embedding": "embeddings",
        "evaluation": "judging answers",
        "image_edit": "making images or films",
        "image_generation": "making images or films",
        "moderation": "moderation",
        "ocr": "reading documents",
        "realtime": "conversations over a socket",
        "rerank": "ranking documents",
        "search": "search on the web",
        "video_generation": "making images or films",
    }
)
