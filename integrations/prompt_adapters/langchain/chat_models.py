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
langchain-litellm       litellm                     ``litellm_style``, for the provider that LiteLLM is to call
======================  ==========================  ==================================================================

Of any other model nothing is said, and the portable form of messages is for it. A model's ``profile`` says what it does
not take; see `profiles`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import RunnableParallel, RunnableSequence, RunnableWithFallbacks
from langchain_core.runnables.base import RunnableBindingBase
from langchain_core.runnables.configurable import RunnableConfigurableAlternatives, RunnableConfigurableFields

from prompt_adapters.errors import UnknownModelError
from prompt_adapters.langchain.profiles import RESULTS_WITHOUT_TOOLS, lacking
from prompt_adapters.targets import Capabilities, route


class Target(NamedTuple):
    """What a chat model speaks to.

    Attributes:
        style: The wire shape.
        model: The model, as LiteLLM writes it; None when it is not known to speak the shape.
        lacks: What the model is known not to take, in the words of `profiles`.
    """

    style: str
    model: str | None
    lacks: tuple[str, ...] = ()


class Targets(NamedTuple):
    """What everything speaks to that a runnable may call.

    Attributes:
        known: The targets that are told, one for each wire shape.
        lacks: What models of another package are known not to take.
        all_told: Whether there is nothing else.
    """

    known: tuple[Target, ...]
    lacks: tuple[str, ...]
    all_told: bool

    @property
    def only(self) -> Target | None:
        """The one target, where there is no other."""
        return self.known[0] if len(self.known) == 1 and self.all_told else None


class _Called(NamedTuple):
    """What is called at the heart of a runnable.

    Attributes:
        runnable: It.
        bound: The arguments that are bound to it.
        open: The names of its fields that may change at run time.
    """

    runnable: Any
    bound: Mapping[str, Any]
    open: frozenset[str] = frozenset()


# By class: the wire shape of its package, for the class and what derives from it, as AzureChatOpenAI.
_STYLES: Mapping[tuple[str, str], str] = {
    ("langchain_openai", "BaseChatOpenAI"): "openai_style",
    ("langchain_anthropic", "ChatAnthropic"): "anthropic_style",
    ("langchain_google_genai", "ChatGoogleGenerativeAI"): "google_style",
    ("langchain_aws", "ChatBedrockConverse"): "bedrock_style",
    ("langchain_mistralai", "ChatMistralAI"): "mistral_style",
    ("langchain_ollama", "ChatOllama"): "ollama_style",
    ("langchain_litellm", "ChatLiteLLM"): "litellm_style",
}
# From LangSmith's name of a provider to LiteLLM's; LiteLLM's own models have theirs in the name.
_PROVIDERS: Mapping[str, str] = {
    "openai": "openai",
    "azure": "azure",
    "anthropic": "anthropic",
    "google_genai": "gemini",
    "amazon_bedrock": "bedrock",
    "mistral": "mistral",
    "ollama": "ollama",
    "litellm": "",
}
# Fields that choose the model, and those that choose OpenAI's API.
_MODEL_FIELDS = frozenset({"model", "model_name", "model_id", "base_model_id", "deployment_name"})
_API_FIELDS = _MODEL_FIELDS | {"use_responses_api", "output_version"}
_BOTH_APIS = ("openai_style", "openai_responses_style")


def target_of(runnable: Any) -> Target | None:
    """The target of a chat model, bound, retried, with fallbacks or at the head of a chain; None when it is not told.

    Fallbacks count only where all of them speak to the same shape; the model is then the same one or left open.
    """
    return targets_of(runnable).only


def targets_of(runnable: Any) -> Targets:
    """The targets of everything that a runnable may call: fallbacks, alternatives, and branches side by side."""
    found: dict[str, Target] = {}
    unknown: list[_Called] = []
    for called in _called(runnable, {}):
        targets = _targets(called)
        if not targets:
            unknown.append(called)
        for target in targets:
            known = found.setdefault(target.style, target)
            model = known.model if known.model == target.model else None
            found[target.style] = Target(target.style, model, _union(known.lacks, target.lacks))
    lacks = [lacking(_profile(called)) for called in unknown if isinstance(called.runnable, BaseChatModel)]
    return Targets(tuple(found.values()), _union(*lacks), not unknown)


def _union(*groups: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for group in groups for item in group))


def _called(runnable: Any, bound: Mapping[str, Any]) -> Iterator[_Called]:
    match runnable:
        case RunnableBindingBase():
            yield from _called(runnable.bound, {**runnable.kwargs, **bound})
        case RunnableWithFallbacks():
            for choice in (runnable.runnable, *runnable.fallbacks):
                yield from _called(choice, bound)
        case RunnableConfigurableAlternatives():
            for alternative in (runnable.default, *runnable.alternatives.values()):
                yield from _called(alternative, bound)
        case RunnableConfigurableFields():
            names = frozenset(runnable.fields)
            yield from (called._replace(open=called.open | names) for called in _called(runnable.default, bound))
        case RunnableSequence():
            yield from _called(runnable.first, bound)
        case RunnableParallel():
            for branch in runnable.steps__.values():
                yield from _called(branch, bound)
        case Mapping():
            for branch in runnable.values():
                yield from _called(branch, bound)
        case _:
            yield _Called(runnable, bound)


def _targets(called: _Called) -> tuple[Target, ...]:
    """The targets of one chat model: several where its API is chosen at run time."""
    model = called.runnable
    if not isinstance(model, BaseChatModel):
        return ()
    classes = [(cls.__module__.partition(".")[0], cls.__name__) for cls in type(model).__mro__]
    style = next((_STYLES[key] for key in classes if key in _STYLES), None)
    if style is None:
        return ()
    params = model._get_ls_params(**called.bound)
    provider = _PROVIDERS.get(params.get("ls_provider", ""))
    if provider is None:
        return ()
    if style == "openai_style" and called.open & _API_FIELDS:
        return tuple(Target(one, None) for one in _BOTH_APIS)
    if called.open & _MODEL_FIELDS:
        return (Target(style, None),)
    name = params.get("ls_model_name")
    if style == "litellm_style":
        return (_through_litellm(called, name),)
    if style == "openai_style" and _speaks_responses(model, called.bound):
        style, name = "openai_responses_style", name and f"responses/{name}"
    if getattr(model, "_use_vertexai", False) is True:
        provider = "vertex_ai"
    spelt = f"{provider}/{name}"
    known = spelt if name and _style_of(spelt) == style else None
    return (Target(style, known, _lacks(called, style, known)),)


def _through_litellm(called: _Called, name: str | None) -> Target:
    """The model as `ChatLiteLLM` gives it to LiteLLM; a Router's alias is none."""
    model = called.runnable
    if getattr(model, "router", None) is not None or not name:
        return Target("litellm_style", None)
    settings = {**(model.model_kwargs or {}), **called.bound}
    provider = settings.get("custom_llm_provider") or model.custom_llm_provider
    spelt = f"{provider}/{name}" if provider and not name.startswith(f"{provider}/") else name
    if settings.get("use_responses_api") or model.use_responses_api:
        first, slash, rest = spelt.partition("/")
        spelt = f"{first}/responses/{rest}" if slash else f"openai/responses/{first}"
    known = spelt if _style_of(spelt) is not None else None
    return Target("litellm_style", known, _lacks(called, "litellm_style", known))


def _lacks(called: _Called, style: str, model: str | None) -> tuple[str, ...]:
    capabilities = Capabilities() if model is None else route(model).capabilities
    untooled = style == "bedrock_style" and not called.bound.get("tools") and not called.bound.get("toolConfig")
    return _union(lacking(_profile(called), capabilities), [RESULTS_WITHOUT_TOOLS] if untooled else [])


def _profile(called: _Called) -> Mapping[str, Any]:
    profile = getattr(called.runnable, "profile", None)
    return profile if isinstance(profile, Mapping) else {}


def _speaks_responses(model: Any, bound: Mapping[str, Any]) -> bool:
    """langchain-openai decides by its settings, the model's name, and the arguments of the call, as built-in tools."""
    decide = getattr(model, "_use_responses_api", None)
    return bool(decide({**model._default_params, **bound})) if callable(decide) else False


def _style_of(model: str) -> str | None:
    try:
        return route(model).style
    except UnknownModelError:
        return None
