"""What the templates of some models make of system text and of turns, as rows.

Behind a server of one's own a model's chat template decides: some raise an error at a system message, some at the
second one, some at two turns of one role.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple, TypeAlias

from prompt_adapters.targets.sources import READ

SystemRule: TypeAlias = Literal["fold", "one"]

# Servers that run the template which a model brings along.
_TEMPLATED = frozenset({"hosted_vllm", "vllm", "openai_like", "custom_openai"})


class TurnRule(NamedTuple):
    """A rule for some models.

    Attributes:
        style: The wire shape.
        providers: LiteLLM's names of the providers.
        models: What occurs in the name of the model.
        system: ``"fold"``: there is no system role, so the first text of the user takes the system text in;
            ``"one"``: there is one system message only.
        source: The page that says so.
        read: When it was read.
        alternate: Whether turns of the user and of the assistant alternate, the user's first.
        with_images: Whether the rule holds only when there are images.
    """

    style: str
    providers: frozenset[str]
    models: re.Pattern[str]
    system: SystemRule
    source: str
    read: str = READ
    alternate: bool = False
    with_images: bool = False


def _named(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|[/._-]){pattern}", re.IGNORECASE)


TURN_RULES: tuple[TurnRule, ...] = (
    # "System role not supported", and turns alternate: Gemma 1 and 2 and their kin.
    TurnRule(
        "openai_style",
        _TEMPLATED,
        _named(r"(?:code)?gemma-(?:1\.1-|2-)?\d+b"),
        "fold",
        "https://huggingface.co/google/gemma-2-9b-it",
        alternate=True,
    ),
    TurnRule(
        "openai_style",
        _TEMPLATED,
        _named(r"mi(?:stral-7b|xtral-8x7b)-instruct-v0\.[12]"),
        "fold",
        "https://huggingface.co/mistralai/Mistral-7B-Instruct-v0.2",
        alternate=True,
    ),
    # Its template puts the first system text before the first user text, and takes a second one for a turn.
    TurnRule(
        "openai_style",
        _TEMPLATED,
        _named("gemma-3n?-"),
        "one",
        "https://huggingface.co/google/gemma-3-27b-it",
        alternate=True,
    ),
    TurnRule(
        "openai_style",
        frozenset({"groq"}),
        _named(r"llama-3\.2-\d+b-vision"),
        "fold",
        "https://github.com/BerriAI/litellm/issues/6569",
        "2024-11-04",
        with_images=True,
    ),
    # "Developer instruction is not enabled for models/gemma-3-27b-it"
    TurnRule(
        "google_style",
        frozenset({"gemini"}),
        _named("gemma-3n?-"),
        "fold",
        "https://github.com/google/adk-python/issues/3900",
        "2025-12-12",
    ),
    TurnRule(
        "bedrock_style",
        frozenset({"bedrock"}),
        _named(r"(?:amazon\.titan-text|mistral\.mi(?:stral-7b|xtral-8x7b)-instruct)"),
        "fold",
        "https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference-supported-models-features.html",
    ),
)


def turn_rule(style: str, provider: str, model: str, *, images: bool) -> TurnRule | None:
    """The rule of a model, if there is one.

    Args:
        style: The wire shape.
        provider: LiteLLM's name of the provider.
        model: The model without that prefix.
        images: Whether there are images in the conversation.
    """
    for rule in TURN_RULES:
        here = rule.style == style and provider in rule.providers and (images or not rule.with_images)
        if here and rule.models.search(model):
            return rule
    return None
