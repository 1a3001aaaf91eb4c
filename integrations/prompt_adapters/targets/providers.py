"""The providers as rows: name, wire shape, and where that is written down.

A provider that speaks another's shape is a row here and nothing else. Names are LiteLLM's, since those are what people
write: https://docs.litellm.ai/docs/providers. A row's rules look at the model behind the prefix, in order. Providers
whose protocol none of the shapes speaks have ``litellm_style``: only LiteLLM translates for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from prompt_adapters.targets.sources import READ


class Rule(NamedTuple):
    """What the beginning of a model's name changes: the shape, the name, the API, or several of them.

    Attributes:
        pattern: What the name begins with.
        style: The wire shape from then on; None leaves it.
        strip: Whether the matched text is no part of the model's name.
        api: The API that is called then; None for the one that the provider has for the shape.
    """

    pattern: re.Pattern[str]
    style: str | None
    strip: bool
    api: str | None = None


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


def _word(pattern: str, style: str | None = None, api: str | None = None) -> Rule:
    return Rule(re.compile(pattern, re.IGNORECASE), style, strip=True, api=api)


def _family(pattern: str, style: str) -> Rule:
    return Rule(re.compile(pattern, re.IGNORECASE), style, strip=False)


_LITELLM = "https://docs.litellm.ai/docs/providers"
_RESPONSES_STYLE = "openai_responses_style"
# LiteLLM's word for the Responses API: https://docs.litellm.ai/docs/response_api
_RESPONSES = _word("responses/", _RESPONSES_STYLE)
# Models that have no other API: https://platform.openai.com/docs/models
_RESPONSES_ONLY = _family(
    r"(?:gpt-\d+(?:\.\d+)?|o\d+)-(?:pro|codex)(?![a-z])|codex-mini|o\d+(?:-mini)?-deep-research|computer-use-preview"
    r"|gpt-daybreak-",
    _RESPONSES_STYLE,
)

# Before an id of Bedrock: a region as LiteLLM has it, the path of an ARN, a geographic profile of any name.
_REGION = r"[a-z]{2}(?:-[a-z]+)+-\d/"
_BEFORE = rf"(?:{_REGION})?(?:arn:[^/]+/)?(?:[\w-]+\.)?"
_BEDROCK = (
    _word(_REGION),
    # The clouds beside bedrock-runtime: https://docs.aws.amazon.com/bedrock/latest/userguide/bedrock-mantle.html
    _word(rf"(?:claude_platform/|mantle/(?={_BEFORE}anthropic\.))", "anthropic_style", "messages"),
    _word("mantle/|chat_completions/", "openai_style", "chat/completions"),
    # Imported models that take OpenAI's body: https://docs.litellm.ai/docs/providers/bedrock_imported
    _word("openai/(?=arn:)", "openai_style"),
    # InvokeModel takes the vendor's own body: Claude's is Anthropic's, that of OpenAI's open models and of Kimi is
    # OpenAI's. That of the other families is one text, or what Converse takes: they are spoken to through Converse.
    # https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters.html
    _word(rf"invoke/(?={_BEFORE}anthropic\.)", "anthropic_style"),
    _word(rf"invoke/(?={_BEFORE}(?:openai\.gpt-oss|moonshot(?:ai)?\.))", "openai_style"),
    _word("(?:converse|converse_like|invoke)/"),
    # LiteLLM's words for the architecture of a custom model.
    _word("(?:nova|nova-2|llama|deepseek_r1|qwen2|qwen3)/(?=arn:)"),
    # Agents have a protocol of their own, and asynchronous calls leave their answer in S3.
    _family("(?:agent|agentcore|async_invoke)/", "litellm_style"),
    _word(_REGION),
    _word(r"\d+-month-commitment/"),
)

# Google's names of resources. Those of its own models and of endpoints are names to its client as they are.
# https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference
_RESOURCE = "projects/[^/]+/locations/[^/]+/"
_OWN_RESOURCE = rf"{_RESOURCE}(?:publishers/google/models|endpoints)/"
_VERTEX = (
    _word(rf"(?:{_RESOURCE})?publishers/(?:anthropic|mistralai)/models/|publishers/google/models/"),
    # Gemma as a service is Google's, and spoken to as other publishers' models are.
    _word("google/(?!gemma-)|(?:anthropic|mistralai)/"),
    _word(r"openai/(?=\d+$)", "openai_style"),
    # A model garden's Gemma, BGE and agents: LiteLLM wraps what they take.
    _family("(?:gemma|bge|agent_engine)/", "litellm_style"),
    # Models of other publishers and self-deployed ones: the OpenAI-compatible endpoint.
    _family(
        rf"(?!gemini/|(?:gemma|bge|agent_engine)/|{_OWN_RESOURCE})[\w.-]+/|(?:jamba|llama|qwen|deepseek|gpt-oss)-?",
        "openai_style",
    ),
    _family("claude-", "anthropic_style"),
    _family("(?:mistral|ministral|codestral|devstral)[-@]", "mistral_style"),
)

_OWN_SHAPES = (
    Provider(
        "openai",
        "openai_style",
        "https://platform.openai.com/docs/api-reference/chat",
        rules=(_RESPONSES, _RESPONSES_ONLY),
    ),
    Provider("anthropic", "anthropic_style", "https://platform.claude.com/docs/en/api/messages"),
    Provider("gemini", "google_style", "https://ai.google.dev/api/generate-content", rules=(_word("models/"),)),
    Provider(
        "vertex_ai",
        "google_style",
        "https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference",
        rules=_VERTEX,
    ),
    Provider(
        "bedrock",
        "bedrock_style",
        "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html",
        rules=_BEDROCK,
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
_PERPLEXITY = (
    _RESPONSES,
    # Presets and the models of other vendors: https://docs.perplexity.ai/docs/agent-api/models
    _family("[a-z]+/", _RESPONSES_STYLE),
)
_MANTLE = (_word(_REGION), _RESPONSES, _family(r"anthropic\.", "anthropic_style"))
_FOUNDRY = (_RESPONSES, _family(".*claude", "anthropic_style"), _RESPONSES_ONLY)
# Vendors first, then clouds, then servers of one's own: suggestions come in this order.
_OPENAI_SHAPED = (
    Provider("xai", "openai_style", "https://docs.x.ai/docs/api-reference", rules=(_RESPONSES,)),
    Provider("deepseek", "openai_style", "https://api-docs.deepseek.com"),
    Provider("perplexity", "openai_style", f"{_LITELLM}/perplexity", rules=_PERPLEXITY),
    Provider("groq", "openai_style", "https://console.groq.com/docs/openai"),
    Provider("together_ai", "openai_style", "https://docs.together.ai/docs/openai-api-compatibility"),
    Provider("fireworks_ai", "openai_style", "https://docs.fireworks.ai/tools-sdks/openai-compatibility"),
    Provider("openrouter", "openai_style", "https://openrouter.ai/docs/api-reference/overview", rules=(_RESPONSES,)),
    Provider("azure", "openai_style", _AZURE, own_names=True, rules=(_RESPONSES,)),
    Provider("azure_ai", "openai_style", f"{_LITELLM}/azure_ai", rules=_FOUNDRY),
    Provider("bedrock_mantle", "openai_style", f"{_LITELLM}/bedrock_mantle", rules=_MANTLE),
    Provider("chatgpt", _RESPONSES_STYLE, f"{_LITELLM}/chatgpt"),
    Provider("manus", _RESPONSES_STYLE, f"{_LITELLM}/manus"),
    Provider("hosted_vllm", "openai_style", _VLLM, own_names=True, rules=(_RESPONSES,)),
    Provider("vllm", "openai_style", _VLLM, own_names=True),
)

# LiteLLM documents each of these, under its own name, as an OpenAI-compatible server whose models the owner names.
_OPENAI_SHAPED_OWN_NAMES = (
    "litellm_proxy lm_studio llamafile docker_model_runner xinference lemonade openai_like custom_openai oobabooga "
    "aiohttp_openai datarobot ragflow sagemaker_chat sagemaker_nova gdc"
)

# LiteLLM documents each of these, under its own name, as an OpenAI-compatible chat endpoint.
_OPENAI_SHAPED_BY_LITELLM = (
    "ai21_chat aiml amazon_nova baseten bigmodel cerebras clarifai clf_ai_gateway cloudflare cometapi compactifai "
    "dashscope databricks deepinfra edenai empower featherless_ai friendliai galadriel github github_copilot "
    "gradient_ai heroku huggingface hyperbolic inception lambda_ai maritalk meta_llama minimax modelscope moonshot "
    "morph nadir nebius novita nscale nvidia_nim opencode_go ovhcloud qwen_ai_platform qwencloud sambanova snowflake "
    "tencent v0 vercel_ai_gateway volcengine wandb watsonx zai"
)

_LISTED = "https://github.com/BerriAI/litellm/blob/main/litellm/llms/openai_like/providers.json"
# LiteLLM's list of OpenAI-compatible endpoints that need no code.
_OPENAI_SHAPED_AS_LISTED = (
    "abliteration aiand aihubmix apertis assemblyai charity_engine chutes cognition coralbricks cortecs crusoe "
    "darkbloom empiriolabs gmi helicone hostinger_router inferenceapis kyma libertai llamagate meta nano-gpt "
    "neosantara openinfer parasail pinstripes poe prism publicai refuseless reka sail sarvam scaleway scx-ai "
    "streamlake synthetic tensormesh veniceai wally xiaomi_mimo zerogpu"
)

# A protocol of their own, plain completions, or a word of LiteLLM's that stands for no provider.
_THROUGH_LITELLM = (
    "a2a anthropic_text azure_text bytez databricks_agent fal_ai gigachat langflow langgraph microsoft_365_copilot "
    "nlp_cloud oci petals predibase replicate sap scaledown text-completion-codestral text-completion-inception "
    "text-completion-openai watsonx_text"
)
_THROUGH_LITELLM_OWN_NAMES = "auto_router custom dotprompt humanloop langfuse litellm_agent sagemaker triton"


def _rows(names: str, style: str, source: str, *, own_names: bool = False) -> Iterable[Provider]:
    rules = (_RESPONSES,) if style == "openai_style" else ()
    return (Provider(name, style, source.format(name=name), own_names, rules) for name in names.split())


_PAGE = f"{_LITELLM}/{{name}}"
PROVIDERS: Mapping[str, Provider] = MappingProxyType(
    {
        row.name: row
        for row in (
            *_OWN_SHAPES,
            *_OPENAI_SHAPED,
            *_rows(_OPENAI_SHAPED_OWN_NAMES, "openai_style", _PAGE, own_names=True),
            *_rows(_OPENAI_SHAPED_BY_LITELLM, "openai_style", _PAGE),
            *_rows(_OPENAI_SHAPED_AS_LISTED, "openai_style", _LISTED),
            *_rows(_THROUGH_LITELLM, "litellm_style", _LITELLM),
            *_rows(_THROUGH_LITELLM_OWN_NAMES, "litellm_style", _LITELLM, own_names=True),
        )
    }
)
