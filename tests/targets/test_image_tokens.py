from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompt_adapters import route
from prompt_adapters.targets.image_tokens import claude_size, image_tokens

SIDES = st.integers(1, 30_000)

# The examples that the providers' own pages work out.
PUBLISHED = [
    ("anthropic/claude-sonnet-4-5", 1092, 1092, None, 1521),
    ("anthropic/claude-sonnet-4-5", 1000, 1000, None, 1296),
    ("anthropic/claude-sonnet-4-5", 200, 200, None, 64),
    ("anthropic/claude-sonnet-4-5", 1920, 1080, None, 1560),
    ("anthropic/claude-opus-4-8", 1920, 1080, None, 2691),
    ("openai/gpt-4o", 1024, 1024, None, 765),
    ("openai/gpt-4o", 2048, 4096, None, 1105),
    ("openai/gpt-4o", 4096, 8192, "low", 85),
    ("openai/gpt-4o-mini", 1024, 1024, None, 2833 + 4 * 5667),
    ("openai/o4-mini", 1024, 1024, None, 1762),
    ("openai/gpt-4.1-mini", 1024, 1024, None, 1659),
    ("openai/gpt-4.1-mini", 1800, 2400, None, 2353),
    ("gemini/gemini-2.5-flash", 384, 384, None, 258),
    ("gemini/gemini-2.5-flash", 960, 540, None, 1548),
    ("gemini/gemini-3-pro-preview", 4000, 3000, None, 1120),
]


@pytest.mark.parametrize(("model", "width", "height", "detail", "tokens"), PUBLISHED)
def test_published_examples(model: str, width: int, height: int, detail: str | None, tokens: int) -> None:
    found = image_tokens(route(model), width, height, detail)
    assert found is not None
    assert found.tokens == tokens
    assert found.source.startswith("https://")


@pytest.mark.parametrize(
    ("size", "fitted"), [((1920, 1080), (1456, 819)), ((1075, 1520), (924, 1307)), ((800, 500), (800, 500))]
)
def test_claude_scales_images_down(size: tuple[int, int], fitted: tuple[int, int]) -> None:
    assert claude_size(*size, 1568, 1568) == fitted


@pytest.mark.parametrize(
    "model",
    [
        "mistral/pixtral-large-latest",
        "cohere_chat/command-a-vision-07-2025",
        "ollama_chat/llava",
        "openai/gpt-3.5-turbo",
    ],
)
def test_without_a_published_formula_there_is_no_estimate(model: str) -> None:
    assert image_tokens(route(model), 800, 600) is None


@pytest.mark.parametrize(
    ("model", "detail", "known"),
    [
        ("openai/gpt-5.4", "original", True),
        ("openai/gpt-5-mini", "original", False),
        ("openai/gpt-5.6", "original", True),
        ("openai/gpt-5.6", "high", False),
    ],
)
def test_a_detail_that_the_page_does_not_give_for_a_model(model: str, detail: str, known: bool) -> None:
    assert (image_tokens(route(model), 800, 600, detail) is not None) is known


MODELS = [
    "anthropic/claude-sonnet-4-5",
    "anthropic/claude-opus-4-8",
    "bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0",
]
CAPS = {**dict.fromkeys(MODELS, 1568), "anthropic/claude-opus-4-8": 4784}


@given(width=SIDES, height=SIDES)
@pytest.mark.parametrize("model", MODELS)
def test_claude_never_counts_more_than_its_budget(model: str, width: int, height: int) -> None:
    found = image_tokens(route(model), width, height)
    assert found is not None
    assert 1 <= found.tokens <= CAPS[model]


@given(width=SIDES, height=SIDES)
@pytest.mark.parametrize(("model", "most"), [("openai/o4-mini", 1536 * 1.72), ("openai/gpt-5.4", 2500)])
def test_patches_stay_within_the_budget(model: str, most: float, width: int, height: int) -> None:
    found = image_tokens(route(model), width, height)
    assert found is not None
    assert 1 <= found.tokens <= most + 1


@given(width=SIDES, height=SIDES)
def test_turning_an_image_costs_nothing(width: int, height: int) -> None:
    for model in ("anthropic/claude-sonnet-4-5", "openai/gpt-4o", "gemini/gemini-2.5-flash"):
        assert image_tokens(route(model), width, height) == image_tokens(route(model), height, width)
