"""Known servers by their address.

Source: ``openai_compatible_endpoints`` in https://github.com/BerriAI/litellm/blob/main/litellm/constants.py, and
OpenAI's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# A host, or a host and the beginning of a path, and the provider behind it.
HOSTS: Mapping[str, str] = MappingProxyType(
    {
        "ai-gateway.helicone.ai": "helicone",
        "ai-gateway.vercel.sh/v1": "vercel_ai_gateway",
        "api-inference.modelscope.cn/v1": "modelscope",
        "api.aiand.com/v1": "aiand",
        "api.clarifai.com/v2/ext/openai/v1": "clarifai",
        "api.clfaigateway.dev/v1": "clf_ai_gateway",
        "api.cognition.ai/v1": "cognition",
        "api.cortecs.ai/v1": "cortecs",
        "api.deepinfra.com/v1/openai": "deepinfra",
        "api.deepseek.com/v1": "deepseek",
        "api.edenai.run/v3": "edenai",
        "api.featherless.ai/v1": "featherless_ai",
        "api.friendli.ai/serverless/v1": "friendliai",
        "api.galadriel.ai/v1": "galadriel",
        "api.getnadir.com/v1": "nadir",
        "api.groq.com/openai/v1": "groq",
        "api.hyperbolic.xyz/v1": "hyperbolic",
        "api.inceptionlabs.ai/v1": "inception",
        "api.inference.wandb.ai/v1": "wandb",
        "api.lambda.ai/v1": "lambda_ai",
        "api.libertai.io/v1": "libertai",
        "api.llama.com/compat/v1": "meta_llama",
        "api.meta.ai/v1": "meta",
        "api.mistral.ai/v1": "mistral",
        "api.moonshot.ai/v1": "moonshot",
        "api.morphllm.com/v1": "morph",
        "api.openai.com": "openai",
        "api.openinfer.ai/v1": "openinfer",
        "api.perplexity.ai": "perplexity",
        "api.poe.com/v1": "poe",
        "api.prisminference.com/v1": "prism",
        "api.publicai.co/v1": "publicai",
        "api.reka.ai/v1": "reka",
        "api.sailresearch.com/v1": "sail",
        "api.sambanova.ai/v1": "sambanova",
        "api.scx.ai/v1": "scx-ai",
        "api.stima.tech/v1": "apertis",
        "api.studio.nebius.ai/v1": "nebius",
        "api.synthetic.new/openai/v1": "synthetic",
        "api.together.ai/v1": "together_ai",
        "api.together.xyz/v1": "together_ai",
        "api.v0.dev/v1": "v0",
        "api.x.ai/v1": "xai",
        "app.empower.dev/api/v1": "empower",
        "codestral.mistral.ai/v1/chat/completions": "codestral",
        "codestral.mistral.ai/v1/fim/completions": "text-completion-codestral",
        "dashscope-intl.aliyuncs.com/compatible-mode/v1": "dashscope",
        "dashscope.aliyuncs.com/compatible-mode/v1": "dashscope",
        "gigachat.devices.sberbank.ru/api/v1": "gigachat",
        "inference.api.nscale.com/v1": "nscale",
        "inference.coralbricks.ai/v1": "coralbricks",
        "inference.runanywhere.ai/v1": "wally",
        "integrate.api.nvidia.com/v1": "nvidia_nim",
        "llm.chutes.ai/v1": "chutes",
        "nano-gpt.com/api/v1": "nano-gpt",
        "ollama.com": "ollama",
        "pinstripes.io/v1": "pinstripes",
        "serverless.tensormesh.ai/v1": "tensormesh",
        "vanchin.streamlake.ai/api/gateway/v1/endpoints": "streamlake",
    }
)


def provider_at(api_base: str) -> str | None:
    """The provider at an address, or None for an unknown one.

    The host must be the whole host, and the path may go on behind the known one: an address that only mentions a
    provider is somebody else's.

    Args:
        api_base: As ``"https://api.groq.com/openai/v1"``; without a scheme, https is meant.
    """
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(api_base if "://" in api_base else f"https://{api_base}")
        host = (parts.hostname or "").lower()
    except ValueError:
        return None
    place = f"{host}/{parts.path.strip('/')}".rstrip("/") + "/"
    return next((provider for known, provider in HOSTS.items() if place.startswith(f"{known}/")), None)
