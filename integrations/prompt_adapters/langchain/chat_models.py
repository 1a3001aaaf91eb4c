"""Which wire shape and model a LangChain chat model speaks to, as far as that can be told.

======================  ==========================  ==================================================================
package                 provider in LangSmith       wire shape
======================  ==========================  ==================================================================
langchain-openai        openai, azure               ``openai_style``, or ``openai_responses_style`` when it is set to it
langchain-anthropic     anthropic                   ``anthropic_style``
langchain-google-genai  google_genai                ``google_style``
langchain-aws           amazon_bedrock              ``bedrock_style``, for `ChatBedrockConverse` only
langchain-mistralai     mistral                     ``mistral_style``
langchain-ollama        ollama                      ``ollama_style``
======================  ==========================  ==================================================================

Of any other model nothing is said, and the portable form of messages is for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import RunnableSequence, RunnableWithFallbacks
from langchain_core.runnables.base import RunnableBindingBase

from prompt_adapters.errors import UnknownModelError
from prompt_adapters.targets import route


class Target(NamedTuple):
    """What a chat model speaks to.

    Attributes:
        style: The wire shape.
        model: The model, as LiteLLM writes it; None when it is not known to speak the shape.
    """

    style: str
    model: str | None


# By class: the wire shape of its package, for the class and what derives from it, as AzureChatOpenAI.
_STYLES: Mapping[tuple[str, str], str] = {
    ("langchain_openai", "BaseChatOpenAI"): "openai_style",
    ("langchain_anthropic", "ChatAnthropic"): "anthropic_style",
    ("langchain_google_genai", "ChatGoogleGenerativeAI"): "google_style",
    ("langchain_aws", "ChatBedrockConverse"): "bedrock_style",
    ("langchain_mistralai", "ChatMistralAI"): "mistral_style",
    ("langchain_ollama", "ChatOllama"): "ollama_style",
}
# From LangSmith's name of a provider to LiteLLM's.
_PROVIDERS: Mapping[str, str] = {
    "openai": "openai",
    "azure": "azure",
    "anthropic": "anthropic",
    "google_genai": "gemini",
    "amazon_bedrock": "bedrock",
    "mistral": "mistral",
    "ollama": "ollama",
}


def target_of(runnable: Any) -> Target | None:
    """The target of a chat model, bound, retried, with fallbacks or at the head of a chain; None when it is not told.

    Fallbacks count only where all of them speak to the same shape; the model is then the same one or left open.
    """
    found = {_target(model, bound) for model, bound in _models(runnable, {})}
    if len({target and target.style for target in found}) != 1:
        return None
    first = next(iter(found))
    return first if len(found) == 1 or first is None else Target(first.style, None)


def _models(runnable: Any, bound: Mapping[str, Any]) -> Iterator[tuple[Any, Mapping[str, Any]]]:
    """What is called at the heart of a runnable, with the arguments that are bound to it."""
    match runnable:
        case RunnableBindingBase():
            yield from _models(runnable.bound, {**runnable.kwargs, **bound})
        case RunnableWithFallbacks():
            for choice in (runnable.runnable, *runnable.fallbacks):
                yield from _models(choice, bound)
        case RunnableSequence():
            yield from _models(runnable.first, bound)
        case _:
            yield runnable, bound


def _target(model: Any, bound: Mapping[str, Any]) -> Target | None:
    if not isinstance(model, BaseChatModel):
        return None
    classes = [(cls.__module__.partition(".")[0], cls.__name__) for cls in type(model).__mro__]
    style = next((_STYLES[key] for key in classes if key in _STYLES), None)
    if style is None:
        return None
    known = model._get_ls_params()
    provider = _PROVIDERS.get(known.get("ls_provider", ""))
    if provider is None:
        return None
    responses = style == "openai_style" and _speaks_responses(model, bound)
    name = known.get("ls_model_name")
    spelt = f"{provider}/responses/{name}" if responses else f"{provider}/{name}"
    style = "openai_responses_style" if responses else style
    return Target(style, spelt if name and _style_of(spelt) == style else None)


def _speaks_responses(model: Any, bound: Mapping[str, Any]) -> bool:
    """langchain-openai decides by its settings, the model's name, and the arguments of the call, as built-in tools."""
    decide = getattr(model, "_use_responses_api", None)
    return bool(decide({**model._default_params, **bound})) if callable(decide) else False


def _style_of(model: str) -> str | None:
    try:
        return route(model).style
    except UnknownModelError:
        return None
