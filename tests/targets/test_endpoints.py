"""Rows of servers that speak OpenAI's shape: every fact has its page, and what no page says is as OpenAI has it."""

from __future__ import annotations

import re

import pytest

from prompt_adapters.targets import PROVIDERS, endpoint_of
from prompt_adapters.targets.endpoints import BREAKPOINTS, ENDPOINTS, OPENAI_PARTS

WANTED = {
    "azure",
    "deepseek",
    "fireworks_ai",
    "groq",
    "hosted_vllm",
    "llamafile",
    "lm_studio",
    "openai",
    "openrouter",
    "together_ai",
    "vllm",
    "xai",
}
DATE = re.compile(r"20\d\d-(?:0[1-9]|1[0-2])(?:-\d\d)?")
PARTS = OPENAI_PARTS | {"audio_url", "video_url", "file_url"}


@pytest.mark.parametrize("provider", sorted(ENDPOINTS))
def test_every_row_has_its_pages_and_when_they_were_read(provider: str) -> None:
    row = ENDPOINTS[provider]
    assert row.name
    assert row.sources
    assert all(source.url.startswith("https://") and DATE.fullmatch(source.read) for source in row.sources)
    assert row.parts <= PARTS
    assert row.max_tokens in ("max_tokens", "max_completion_tokens")
    assert not (row.prefill_needs and row.prefill is None)
    assert row.cache is None or row.cache.most == 4


def test_the_documented_servers_are_rows_of_providers_that_speak_the_shape() -> None:
    assert ENDPOINTS.keys() == WANTED
    assert all(PROVIDERS[name].style == "openai_style" for name in ENDPOINTS)


@pytest.mark.parametrize("provider", [*PROVIDERS, "nobody"])
def test_a_provider_without_a_row_is_spoken_to_as_everywhere(provider: str) -> None:
    if provider in ENDPOINTS:
        assert endpoint_of(provider) is ENDPOINTS[provider]
        return
    row = endpoint_of(provider)
    assert (row.name, row.parts, row.max_tokens, row.developer) == (provider, OPENAI_PARTS, "max_tokens", False)
    assert (row.prefill, row.cache, row.parameters) == (None, None, frozenset())
    assert bool(row.sources) == (provider in PROVIDERS)


def test_the_shape_alone_is_openais() -> None:
    assert endpoint_of(None) is ENDPOINTS["openai"]


@pytest.mark.parametrize(
    ("model", "takes"),
    [
        ("gpt-5.6", True),
        ("gpt-5.6-mini", True),
        ("ft:gpt-5.6:org::x", True),
        ("gpt-5.10", True),
        ("gpt-6", True),
        ("gpt-10-nano", True),
        ("gpt-5.5", False),
        ("gpt-5", False),
        ("gpt-4o", False),
        ("gpt-4.1", False),
        ("o4-mini", False),
        ("chatgpt-6", False),
    ],
)
def test_explicit_breakpoints_begin_with_gpt_5_6(model: str, takes: bool) -> None:
    assert BREAKPOINTS.models is not None
    assert bool(BREAKPOINTS.models.match(model)) is takes
