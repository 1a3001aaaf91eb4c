"""The adapters by name, and the two ways to get one: by wire shape and by model.

Three ways lead into the registry: the adapters of this package, which are imported when they are first asked for; the
decorator ``@PROMPT_ADAPTER_REGISTRY.register("key")``; and the entry-point group ``prompt_adapters.adapters`` of other
distributions, which is read when a name is missed or the names are listed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from prompt_adapters.adapters.base import BasePromptAdapter, MessageAdapter
from prompt_adapters.errors import PromptAdapterError, UnknownAdapterError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

AdapterClass = TypeVar("AdapterClass", bound=type[BasePromptAdapter])

ENTRY_POINTS = "prompt_adapters.adapters"
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")

# Registry keys and where their classes are.
_BUILT_IN: Mapping[str, str] = MappingProxyType(
    {
        "openai_style": "prompt_adapters.adapters.openai:OpenAIStylePromptAdapter",
        "anthropic_style": "prompt_adapters.adapters.anthropic:AnthropicStylePromptAdapter",
        "google_style": "prompt_adapters.adapters.google:GoogleGenAIStylePromptAdapter",
        "openai_responses_style": "prompt_adapters.adapters.openai_responses:OpenAIResponsesStylePromptAdapter",
        "bedrock_style": "prompt_adapters.adapters.bedrock:BedrockStylePromptAdapter",
        "mistral_style": "prompt_adapters.adapters.mistral:MistralStylePromptAdapter",
        "cohere_style": "prompt_adapters.adapters.cohere:CohereStylePromptAdapter",
        "ollama_style": "prompt_adapters.adapters.ollama:OllamaStylePromptAdapter",
        "litellm_style": "prompt_adapters.adapters.litellm:LiteLLMStylePromptAdapter",
    }
)


class AdapterRegistry:
    """Adapter classes by key; reads like a mapping, and what it does not know is an error that helps.

    Args:
        built_in: Keys and where their classes are, as ``"module:Class"``; they are imported when asked for.
        entry_points: The entry-point group that other distributions use.
    """

    def __init__(self, built_in: Mapping[str, str] = MappingProxyType({}), entry_points: str = ENTRY_POINTS) -> None:
        self._built_in = dict(built_in)
        self._group = entry_points
        self._classes: dict[str, type[BasePromptAdapter]] = {}
        self._found: dict[str, EntryPoint] | None = None

    def register(self, key: str) -> Callable[[AdapterClass], AdapterClass]:
        """A class decorator that makes an adapter known; a `MessageAdapter` without a style gets the key as its style.

        Args:
            key: What it is called: letters, digits, ``_``, ``.`` and ``-``, a letter first.

        Raises:
            ValueError: The key is malformed, or another class has it.
            TypeError: The class does not derive from `BasePromptAdapter`.
        """
        if not isinstance(key, str) or not _KEY.fullmatch(key):
            raise ValueError(f"{key!r} cannot be the key of an adapter: use letters, digits, '_', '.' and '-'")

        def keep(cls: AdapterClass) -> AdapterClass:
            self._keep(key, cls)
            return cls

        return keep

    def _keep(self, key: str, cls: type[BasePromptAdapter]) -> None:
        if not (isinstance(cls, type) and issubclass(cls, BasePromptAdapter)):
            raise TypeError(f"the adapter {key!r} must be a class that derives from BasePromptAdapter, not {cls!r}")
        holder: object = self._classes.get(key)
        if holder is None and self._built_in.get(key, place := f"{cls.__module__}:{cls.__qualname__}") != place:
            holder = self._built_in[key]
        if holder is not None and holder is not cls:
            raise ValueError(f"the key {key!r} is taken by {holder}; choose another key")
        self._classes[key] = cls
        if issubclass(cls, MessageAdapter) and not cls.style:
            cls.style = key

    def get(self, key: str) -> type[BasePromptAdapter]:
        """The adapter class of this name.

        Raises:
            UnknownAdapterError: (a ``KeyError``) There is none; the error suggests names and lists all.
            PromptAdapterError: Another distribution offers it, but it cannot be loaded.
        """
        found = self._classes.get(key) if isinstance(key, str) else None
        if found is None and isinstance(key, str) and key in self._built_in:
            module, _, name = self._built_in[key].partition(":")
            found = self._classes[key] = getattr(import_module(module), name)
        if found is None and isinstance(key, str) and key in self._offered():
            found = self._load(key)
        if found is None:
            raise self._unknown(key)
        return found

    __getitem__ = get

    def _unknown(self, key: object) -> UnknownAdapterError:
        from difflib import get_close_matches

        known = tuple(self)
        name = key if isinstance(key, str) else repr(key)
        return UnknownAdapterError(name, get_close_matches(name, known, n=2, cutoff=0.5), known=known)

    def _offered(self) -> dict[str, EntryPoint]:
        """What other distributions offer; only their names are read here, so that a broken one disturbs nobody."""
        if self._found is None:
            from importlib.metadata import entry_points

            self._found = {point.name: point for point in entry_points(group=self._group)}
        return self._found

    def _load(self, key: str) -> type[BasePromptAdapter]:
        point = self._offered()[key]
        try:
            cls = point.load()
            self._keep(key, cls)
        except Exception as error:  # a foreign module may fail in any way
            raise PromptAdapterError(
                f"the adapter {key!r} ({point.value}) cannot be loaded: {type(error).__name__}: {error}; "
                "mend or remove the distribution that offers it"
            ) from error
        return self._classes[key]

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and (key in self._classes or key in self._built_in or key in self._offered())

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self._built_in, *self._classes, *self._offered()]))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def keys(self) -> tuple[str, ...]:
        """The names of all adapters: those of this package, registered ones, and those that distributions offer."""
        return tuple(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {', '.join(self)}>"


PROMPT_ADAPTER_REGISTRY = AdapterRegistry(_BUILT_IN)


def get_adapter(key: str, **options: Any) -> MessageAdapter:
    """An adapter by the name of its wire shape.

    A registered class that derives from `BasePromptAdapter` alone is returned as well, and offers what it has.

    Args:
        key: As ``"openai_style"``, ``"anthropic_style"`` or ``"google_style"``.
        options: The adapter's options, as `MessageAdapter` describes them.

    Raises:
        UnknownAdapterError: (a ``KeyError``) There is no such adapter.
        TypeError: There is no such option.
        ValueError: An option has an impossible value.
    """
    return cast("MessageAdapter", PROMPT_ADAPTER_REGISTRY.get(key)(**options))


def adapter_for(
    model: str, *, api_base: str | None = None, provider: str | None = None, **options: Any
) -> MessageAdapter:
    """The adapter that a model needs, with the model bound.

    Args:
        model: As ``"gpt-4o"``, ``"anthropic/claude-opus-5"`` or ``"vertex_ai/gemini-2.5-pro"``.
        api_base: The address that is called, where the name alone does not tell the provider.
        provider: LiteLLM's name of the provider, which wins over the name.
        options: The adapter's options, without ``model``.

    Raises:
        UnknownModelError: (a ``KeyError``) No provider can be told.
        UnknownAdapterError: (a ``KeyError``) The provider is known, but there is no adapter for what it speaks.
        TypeError: There is no such option.
    """
    from prompt_adapters.targets.routes import route

    target = route(model, api_base=api_base, provider=provider)
    cls = PROMPT_ADAPTER_REGISTRY.get(target.style)
    if not issubclass(cls, MessageAdapter):
        raise TypeError(f"the adapter {target.style!r} cannot bind a model; make it with get_adapter({target.style!r})")
    return cls(**options).bound(target)
