"""The providers as rows: name, wire shape, and where that is written down.

A provider that speaks another's shape is a row here and nothing else. Names are LiteLLM's, since those are what people
write: https://docs.litellm.ai/docs/providers. A row's rules look at the model behind the prefix, in order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from prompt_adapters.targets.sources import READ


class Rule(NamedTuple):
    """What the beginning of a model's name changes: the shape, the name, or both.

    Attributes:
        pattern: What the name begins with.
        style: The wire shape from then on; None leaves it.
        strip: Whether the matched text is no part of the model's name.
    """

    pattern: re.Pattern[str]
    style: str | None
    strip: bool


class Provider(NamedTuple):
    """One provider.

    Attributes:
        name: LiteLLM's name, which is the prefix.
        style: The wire shape that it speaks.
        source: Where that is documented.
        own_names: Whether model names are the owner's own (deployments, aliases) and tell nothing of the model.
        rules: Exceptions by the model's name.
        read: When the source was read.
    """

    name: str
    style: str
    source: str
    own_names: bool = False
    rules: tuple[Rule, ...] = ()
    read: str = READ


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


def _word(pattern: str, style: str | None = None) -> Rule:
    return Rule(re.compile(pattern, re.IGNORECASE), style, strip=True)


def _family(pattern: str, style: str) -> Rule:
    return Rule(re.compile(pattern, re.IGNORECASE), style, strip=False)


_LITELLM = "https://docs.litellm.ai/docs/providers"
# LiteLLM's word for the Responses API: https://docs.litellm.ai/docs/response_api
_RESPONSES = _word("responses/", "openai_responses_style")
# A Bedrock id: an optional geographic profile of any name, a vendor, the model.
_BEDROCK_VENDORS = (
    "ai21|amazon|anthropic|cohere|deepseek|google|luma|meta|minimax|mistral|moonshot|moonshotai|nvidia|openai|qwen|"
    "stability|twelvelabs|writer|xai|zai"
)

_OWN_SHAPES = (
    Provider("openai", "openai_style", "https://platform.openai.com/docs/api-reference/chat", rules=(_RESPONSES,)),
    Provider("anthropic", "anthropic_style", "https://platform.claude.com/docs/en/api/messages"),
    Provider("gemini", "google_style", "https://ai.google.dev/api/generate-content", rules=(_word("models/"),)),
    Provider(
        "vertex_ai",
        "google_style",
        "https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference",
        rules=(
            _word("publishers/(?:google|anthropic|mistralai)/models/"),
            _word("(?:google|anthropic|mistralai)/"),
            # Models of other publishers and self-deployed ones: the OpenAI-compatible endpoint.
            _family(r"(?!gemini/)[\w.-]+/|jamba-", "openai_style"),
            _family("claude-", "anthropic_style"),
            _family("(?:mistral|ministral|codestral|devstral)-", "mistral_style"),
        ),
    ),
    Provider(
        "bedrock",
        "bedrock_style",
        "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html",
        rules=(
            # InvokeModel takes the vendor's own body, so Claude behind it is spoken to as Anthropic's API is; the other
            # families are all to be had through Converse.
            _word(r"invoke/(?=(?:[a-z]{2}(?:-[a-z]+)+-\d/)?(?:[\w-]+\.)?anthropic\.)", "anthropic_style"),
            _word("(?:converse|converse_like|invoke)/"),
            _word(r"[a-z]{2}(?:-[a-z]+)+-\d/"),
        ),
    ),
    Provider("mistral", "mistral_style", "https://docs.mistral.ai/api"),
    Provider("codestral", "mistral_style", "https://docs.mistral.ai/api"),
    Provider("cohere", "cohere_style", "https://docs.cohere.com/reference/chat"),
    Provider("cohere_chat", "cohere_style", "https://docs.cohere.com/reference/chat"),
    Provider("ollama", "ollama_style", "https://docs.ollama.com/api/chat"),
    Provider("ollama_chat", "ollama_style", "https://docs.ollama.com/api/chat"),
)

_VLLM = "https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html"
_AZURE = "https://learn.microsoft.com/en-us/azure/ai-foundry/openai/reference"
# Vendors first, then clouds, then servers of one's own: suggestions come in this order.
_OPENAI_SHAPED = (
    Provider("xai", "openai_style", "https://docs.x.ai/docs/api-reference"),
    Provider("deepseek", "openai_style", "https://api-docs.deepseek.com"),
    Provider("perplexity", "openai_style", f"{_LITELLM}/perplexity"),
    Provider("groq", "openai_style", "https://console.groq.com/docs/openai"),
    Provider("together_ai", "openai_style", "https://docs.together.ai/docs/openai-api-compatibility"),
    Provider("fireworks_ai", "openai_style", "https://docs.fireworks.ai/tools-sdks/openai-compatibility"),
    Provider("openrouter", "openai_style", "https://openrouter.ai/docs/api-reference/overview"),
    Provider("azure", "openai_style", _AZURE, own_names=True, rules=(_RESPONSES,)),
    Provider("azure_ai", "openai_style", f"{_LITELLM}/azure_ai", rules=(_family("claude-", "anthropic_style"),)),
    Provider("hosted_vllm", "openai_style", _VLLM, own_names=True),
    Provider("vllm", "openai_style", _VLLM, own_names=True),
    Provider("litellm_proxy", "openai_style", f"{_LITELLM}/litellm_proxy", own_names=True),
    Provider("lm_studio", "openai_style", f"{_LITELLM}/lm_studio", own_names=True),
    Provider("llamafile", "openai_style", f"{_LITELLM}/llamafile", own_names=True),
    Provider("docker_model_runner", "openai_style", f"{_LITELLM}/docker_model_runner", own_names=True),
    Provider("xinference", "openai_style", f"{_LITELLM}/xinference", own_names=True),
    Provider("lemonade", "openai_style", f"{_LITELLM}/lemonade", own_names=True),
    Provider("openai_like", "openai_style", f"{_LITELLM}/openai_compatible", own_names=True),
    Provider("custom_openai", "openai_style", f"{_LITELLM}/openai_compatible", own_names=True),
)

# LiteLLM documents each of these, under its own name, as an OpenAI-compatible chat endpoint.
_OPENAI_SHAPED_BY_LITELLM = [
    "aiml",
    "ai21_chat",
    "baseten",
    "bedrock_mantle",
    "cerebras",
    "cometapi",
    "compactifai",
    "dashscope",
    "databricks",
    "deepinfra",
    "featherless_ai",
    "friendliai",
    "galadriel",
    "github",
    "github_copilot",
    "gradient_ai",
    "heroku",
    "hyperbolic",
    "lambda_ai",
    "meta_llama",
    "minimax",
    "moonshot",
    "morph",
    "nebius",
    "novita",
    "nscale",
    "nvidia_nim",
    "ovhcloud",
    "sambanova",
    "scaleway",
    "v0",
    "vercel_ai_gateway",
    "volcengine",
    "wandb",
    "zai",
]

PROVIDERS: Mapping[str, Provider] = MappingProxyType(
    {row.name: row for row in (*_OWN_SHAPES, *_OPENAI_SHAPED)}
    | {name: Provider(name, "openai_style", f"{_LITELLM}/{name}") for name in _OPENAI_SHAPED_BY_LITELLM}
)

BARE_NAMES: tuple[BareName, ...] = (
    BareName(re.compile(r"(?P<model>ft:.+)"), "openai", keeps_case=True),
    # gpt-oss is nobody's in particular: its weights are open.
    BareName(re.compile(r"(?P<model>(?:gpt-(?!oss)|chatgpt-|codex-|computer-use-)[^/]+)"), "openai"),
    BareName(re.compile(r"(?P<model>o\d+(?:-[^/]+)?)"), "openai"),
    BareName(re.compile(r"(?P<model>claude-[^/@]+@[^/@]+)"), "vertex_ai"),
    BareName(re.compile(r"(?P<model>claude-[^/@]+)"), "anthropic"),
    BareName(re.compile(r"(?:models/)?(?P<model>gemini-[^/]+)"), "gemini"),
    BareName(re.compile(rf"(?P<model>(?:[a-z]+(?:-[a-z]+)*\.)?(?:{_BEDROCK_VENDORS})\.[^/]+)"), "bedrock"),
    BareName(re.compile(r"(?P<model>arn:aws[a-z-]*:bedrock:.+)"), "bedrock", keeps_case=True),
)

# Prefixes of other libraries, and slips, with what they may mean here.
MISTAKEN_PREFIXES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "google": ("gemini", "vertex_ai"),
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
        "huggingface": ("hosted_vllm", "together_ai"),
    }
)
