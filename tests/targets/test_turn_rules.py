"""Which models want system text in one way only."""

from __future__ import annotations

import re

import pytest

from prompt_adapters.targets import PROVIDERS, turn_rule
from prompt_adapters.targets.turn_rules import TURN_RULES


@pytest.mark.parametrize("rule", TURN_RULES, ids=lambda rule: rule.models.pattern)
def test_every_row_has_its_page_and_when_it_was_read(rule: object) -> None:
    assert rule.source.startswith("https://")  # type: ignore[attr-defined]  # a TurnRule
    assert re.fullmatch(r"20\d\d-\d\d(-\d\d)?", rule.read)  # type: ignore[attr-defined]  # a TurnRule
    assert rule.providers <= PROVIDERS.keys()  # type: ignore[attr-defined]  # a TurnRule


@pytest.mark.parametrize(
    ("style", "provider", "model", "images", "system"),
    [
        ("openai_style", "hosted_vllm", "google/gemma-2-9b-it", False, "fold"),
        ("openai_style", "hosted_vllm", "google/gemma-7b-it", False, "fold"),
        ("openai_style", "vllm", "google/codegemma-1.1-7b-it", False, "fold"),
        ("openai_style", "hosted_vllm", "google/gemma-3-27b-it", False, "one"),
        ("openai_style", "hosted_vllm", "google/gemma-3n-E4B-it", False, "one"),
        ("openai_style", "custom_openai", "mistralai/Mistral-7B-Instruct-v0.2", False, "fold"),
        ("openai_style", "hosted_vllm", "mistralai/Mixtral-8x7B-Instruct-v0.1", False, "fold"),
        ("openai_style", "hosted_vllm", "mistralai/Mistral-7B-Instruct-v0.3", False, None),
        ("openai_style", "hosted_vllm", "Qwen/Qwen2-VL", True, None),
        ("openai_style", "hosted_vllm", "google/gemma-4-27b-it", False, None),
        ("openai_style", "groq", "llama-3.2-11b-vision-preview", True, "fold"),
        ("openai_style", "groq", "llama-3.2-11b-vision-preview", False, None),
        ("openai_style", "groq", "gemma2-9b-it", False, None),
        ("openai_style", "openai", "gpt-4o", True, None),
        ("google_style", "gemini", "gemma-3-27b-it", False, "fold"),
        ("google_style", "gemini", "gemini-2.5-pro", True, None),
        ("bedrock_style", "bedrock", "mistral.mistral-7b-instruct-v0:2", False, "fold"),
        ("bedrock_style", "bedrock", "us.amazon.titan-text-express-v1", False, "fold"),
        ("bedrock_style", "bedrock", "mistral.mistral-large-2402-v1:0", False, None),
    ],
)
def test_rules_by_the_name_of_the_model(
    style: str, provider: str, model: str, images: bool, system: str | None
) -> None:
    rule = turn_rule(style, provider, model, images=images)
    assert (rule and rule.system) == system
