"""What the name of a bound model tells: where it is, what is known of it, and whether its beginning is a prefix.

A vendor's own client wants the model without LiteLLM's prefix: ``claude-opus-5`` for ``anthropic/claude-opus-5``. The
OpenAI shapes are spoken by catalogues, too, whose own names begin with a vendor: ``openai/gpt-4o`` is a model at
OpenRouter, and no model at OpenAI.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from prompt_adapters.content.frozen import replaced
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Document, Part, ToolResult
from prompt_adapters.content.source import Inline
from prompt_adapters.errors import UnknownModelError
from prompt_adapters.media.notes import Note

# The tables of names are long: they are imported when a model is named.
if TYPE_CHECKING:
    from prompt_adapters.targets import Capabilities, Limits, Route, TurnRule

# LiteLLM's words for the shapes that a provider may speak beside the one that its models are routed to.
_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "openai_style": "",
        "openai_responses_style": "responses/",
        "anthropic_style": "invoke/",
        "bedrock_style": "converse/",
    }
)
# LiteLLM's own calls take its model strings whole.
_WHOLE = "litellm_style"
_OF_CATALOGUES = ("openai_style", "openai_responses_style")
# Vendors under which catalogues list models by the very word that is LiteLLM's prefix: https://openrouter.ai/models,
# https://vercel.com/ai-gateway/models, https://huggingface.co/models (the names that vLLM serves).
_VENDORS = frozenset(
    {
        "ai21",
        "cerebras",
        "databricks",
        "deepseek",
        "inception",
        "meta",
        "minimax",
        "morph",
        "openai",
        "perplexity",
        "snowflake",
        "tencent",
        "xai",
        "zai",
    }
)
_MEDIA = MappingProxyType({"image": "images", "document": "PDF documents", "audio": "audio", "video": "films"})


@cache
def _routed() -> frozenset[str]:
    """The shapes that models are routed to; of any other one a model's name tells nothing."""
    from prompt_adapters.targets.providers import PROVIDERS

    rows = PROVIDERS.values()
    return frozenset(style for row in rows for style in (row.style, *(rule.style for rule in row.rules)) if style) - {
        _WHOLE
    }


@lru_cache(maxsize=1024)
def told(model: str | None) -> Route | None:
    """Where a model is, when its name tells."""
    if model is None:
        return None
    from prompt_adapters.targets.routes import route

    try:
        return route(model)
    except UnknownModelError:
        return None


def abilities_of(target: Route | None, style: str) -> Capabilities:
    """What is known of a model in a shape; nothing, when it is not told, or routed to another shape."""
    from prompt_adapters.targets.capabilities import UNKNOWN

    return UNKNOWN if target is None or target.style != style else target.capabilities


def limits_of(target: Route | None, style: str, model: str | None) -> Limits:
    """What a target takes; without one, the loosest that is documented for the shape."""
    from prompt_adapters.targets.limits import limits_for

    return limits_for(style, None, model) if target is None else target.limits


@lru_cache(maxsize=1024)  # it compares a model's name with every rule
def rule_of(style: str, provider: str, model: str, *, images: bool) -> TurnRule | None:
    """What a model is known to make of system text and of turns."""
    from prompt_adapters.targets.turn_rules import turn_rule

    return turn_rule(style, provider, model, images=images)


def spoken(target: Route | None, style: str) -> Route | None:
    """The same model in a shape; None when its provider is not known to speak that with it."""
    if target is None or target.style == style:
        return target
    word = _WORDS.get(style)
    other = None if word is None else told(f"{target.provider}/{word}{target.model}")
    return replaced(target, style=style, api=None) if other is not None and other.style == style else None


def unprefixed(model: str | None, style: str) -> Route | None:
    """Where a model is that is named with a prefix, which is no part of its name; None for all other names.

    Args:
        model: The name.
        style: The wire shape in which it is spoken to.
    """
    if model is None or style == _WHOLE or _prefix(model) is None or _is_listed_so(model, style):
        return None
    return spoken(told(model), style)


def doubts(model: str | None, style: str) -> tuple[Note, ...]:
    """A note when a model that is sent as it is given may not be what was meant.

    Args:
        model: The name, as it is sent.
        style: The wire shape.
    """
    target = told(model) if model is not None and style in _routed() else None
    if model is None or target is None:
        return ()
    sent = f"the model {model!r} is sent as it is given"
    if spoken(target, style) is None:
        return (Note("", f"{sent}: {target.provider} speaks {target.style} with it, not {style}"),)
    if _prefix(model) and _is_listed_so(model, style):
        return (Note("", f"{sent}, as catalogues list it; for {target.provider} itself write {target.model!r}"),)
    return ()


def unsure(model: str | None, target: Route | None, style: str, messages: Iterable[Message]) -> tuple[Note, ...]:
    """A note for every kind of media of which nobody wrote down whether the bound model takes it; it is sent.

    Args:
        model: The model's name; None when none is bound.
        target: Where it is, when that was told.
        style: The wire shape.
        messages: What is sent.
    """
    kinds = {kind for message in messages for part in message.parts for kind in _kinds(part)} if model else ()
    if not kinds:
        return ()
    known = abilities_of(told(model), style) if target is None else target.capabilities
    return tuple(
        Note("", f"whether {model} takes {words} is not known; sent all the same")
        for kind, words in _MEDIA.items()
        if kind in kinds and getattr(known, kind) is None
    )


def _kinds(part: Part) -> Iterator[str]:
    """The abilities that a part, or what is in it, asks for; of documents only that for PDFs is ever written down."""
    if isinstance(part, ToolResult):
        for inner in part.parts:
            yield from _kinds(inner)
    elif isinstance(part, Document) and isinstance(part.source, Inline):
        if part.source.mime == "application/pdf":
            yield part.kind
    elif part.kind in _MEDIA:
        yield part.kind


def _prefix(model: str) -> str | None:
    """The provider's prefix with which a name begins."""
    prefix, slash, _ = model.strip().partition("/")
    if not slash:
        return None
    from prompt_adapters.targets.names import ALIASES
    from prompt_adapters.targets.providers import PROVIDERS

    prefix = prefix.strip().lower()
    return prefix if prefix in PROVIDERS or prefix in ALIASES else None


def _is_listed_so(model: str, style: str) -> bool:
    """Whether it may be a catalogue's own name; a word of LiteLLM's behind the prefix tells that it is none."""
    if style not in _OF_CATALOGUES or _prefix(model) not in _VENDORS:
        return False
    target = told(model)
    return target is not None and model.strip().partition("/")[2].strip() == target.model
