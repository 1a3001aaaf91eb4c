"""How many tokens an image costs, for the models whose makers publish a formula.

Estimates: what a provider bills is its own count. A model that no row names has no published formula, so no estimate.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import ceil, floor, sqrt
from typing import Final, NamedTuple, TypeAlias

from prompt_adapters.targets.routes import Route

_OPENAI = "https://developers.openai.com/api/docs/guides/images-vision"
_CLAUDE = "https://platform.claude.com/docs/en/build-with-claude/vision"
_GEMINI = "https://ai.google.dev/gemini-api/docs/image-understanding"
_GEMINI_3 = "https://ai.google.dev/gemini-api/docs/media-resolution"
_GROQ = "https://console.groq.com/docs/vision"

_PATCH_OPENAI: Final = 32
_PATCH_CLAUDE: Final = 28
_LOW_SIDE: Final = 512

# From width and height in pixels, and the detail that was asked for; None where the page says nothing of that detail.
Formula: TypeAlias = Callable[[int, int, str | None], int | None]


class ImageTokens(NamedTuple):
    """An estimate.

    Attributes:
        tokens: Tokens of input.
        source: The page with the formula.
    """

    tokens: int
    source: str


class _Row(NamedTuple):
    providers: frozenset[str]
    models: re.Pattern[str]
    formula: Formula
    source: str


def image_tokens(target: Route, width: int, height: int, detail: str | None = None) -> ImageTokens | None:
    """What an image costs a model.

    Args:
        target: Where the model is.
        width: In pixels, as it is sent.
        height: Likewise.
        detail: OpenAI's level of detail; None for the model's own choice.

    Returns:
        The estimate, or None where no formula is published.
    """
    for row in _ROWS:
        if target.provider in row.providers and row.models.search(target.model):
            tokens = row.formula(width, height, detail)
            return None if tokens is None else ImageTokens(tokens, row.source)
    return None


def _fitted(width: float, height: float, longest: float) -> tuple[float, float]:
    """Scaled down, with its proportions, until the longer side is that long."""
    scale = min(1.0, longest / max(width, height))
    return width * scale, height * scale


def _tiles(base: int, each: int) -> Formula:
    """OpenAI's tiles of 512 pixels: the image fits a box of 2048, then its shorter side becomes 768."""

    def formula(width: int, height: int, detail: str | None) -> int:
        if detail == "low":
            return base
        w, h = _fitted(width, height, 2048)
        scale = min(1.0, 768 / min(w, h))
        return base + each * ceil(round(w * scale, 6) / 512) * ceil(round(h * scale, 6) / 512)

    return formula


def _patches(budget: int, multiplier: float = 1.0, longest: int | None = None, original: bool = False) -> Formula:
    """OpenAI's patches of 32 pixels, as many as the budget has at most; `original` says that the page allows that."""

    def formula(width: int, height: int, detail: str | None) -> int | None:
        w, h = float(width), float(height)
        most, side = budget, longest
        if detail == "low":
            w, h = _fitted(w, h, _LOW_SIDE)
        elif detail == "original":
            if not original:
                return None
            most, side = 10_000, 6000
        if side is not None:
            w, h = _fitted(w, h, side)
        return ceil(_within(w, h, most) * multiplier)

    return formula


def _within(width: float, height: float, budget: int) -> int:
    """The number of patches, after the image is scaled down to the budget."""
    count = ceil(width / _PATCH_OPENAI) * ceil(height / _PATCH_OPENAI)
    if count <= budget:
        return count
    scale = sqrt(_PATCH_OPENAI**2 * budget / (width * height))
    columns, rows = width * scale / _PATCH_OPENAI, height * scale / _PATCH_OPENAI
    scale *= min(max(1, floor(columns)) / columns, max(1, floor(rows)) / rows)
    w, h = round(width * scale, 6), round(height * scale, 6)
    return min(budget, max(1, ceil(w / _PATCH_OPENAI)) * max(1, ceil(h / _PATCH_OPENAI)))


def _unlimited(width: int, height: int, detail: str | None) -> int | None:
    """OpenAI's patches of an image that is not scaled down."""
    if detail not in (None, "auto", "original"):
        return None
    return ceil(width / _PATCH_OPENAI) * ceil(height / _PATCH_OPENAI)


def claude_size(width: int, height: int, longest: int, budget: int) -> tuple[int, int]:
    """The size that Claude scales an image to: the largest whose patches are within both limits.

    Args:
        width: In pixels.
        height: Likewise.
        longest: Pixels that the longer side may have, counted in whole patches.
        budget: Patches that there may be.
    """
    long, short = max(width, height), min(width, height)

    def shorter(side: int) -> int:
        return max(1, round(side * short / long))

    def fits(side: int) -> bool:
        columns, rows = ceil(side / _PATCH_CLAUDE), ceil(shorter(side) / _PATCH_CLAUDE)
        return columns * _PATCH_CLAUDE <= longest and columns * rows <= budget

    low, high = 1, long
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return (low, shorter(low)) if width >= height else (shorter(low), low)


def _claude(longest: int, budget: int) -> Formula:
    def formula(width: int, height: int, detail: str | None) -> int:  # noqa: ARG001 - Claude has no levels of detail
        w, h = claude_size(width, height, longest, budget)
        return ceil(w / _PATCH_CLAUDE) * ceil(h / _PATCH_CLAUDE)

    return formula


def _gemini_2(width: int, height: int, detail: str | None) -> int:  # noqa: ARG001 - as above, there are none
    if max(width, height) <= 384:
        return 258
    unit = max(1, floor(min(width, height) / 1.5))
    return 258 * ceil(width / unit) * ceil(height / unit)


def _always(tokens: int) -> Formula:
    return lambda width, height, detail: tokens  # noqa: ARG005 - each image costs the same


_OPENAI_PROVIDERS = frozenset({"openai", "azure", "azure_ai"})
_CLAUDE_PROVIDERS = frozenset({"anthropic", "bedrock", "vertex_ai", "azure_ai"})
_GEMINI_PROVIDERS = frozenset({"gemini", "vertex_ai"})


def _row(providers: frozenset[str], models: str, formula: Formula, source: str) -> _Row:
    return _Row(providers, re.compile(models), formula, source)


# The first row that names a model holds.
_ROWS: Final = (
    _row(_OPENAI_PROVIDERS, r"\bgpt-5\.6", _unlimited, _OPENAI),
    _row(_OPENAI_PROVIDERS, r"\b(gpt-5\.4|gpt-5|gpt-4\.1)-mini", _patches(1536, 1.62), _OPENAI),
    _row(_OPENAI_PROVIDERS, r"\b(gpt-5\.4|gpt-5|gpt-4\.1)-nano", _patches(1536, 2.46), _OPENAI),
    _row(_OPENAI_PROVIDERS, r"\bo4-mini", _patches(1536, 1.72), _OPENAI),
    _row(_OPENAI_PROVIDERS, r"\b(gpt-5\.2|gpt-5\.3-codex)", _patches(1536), _OPENAI),
    _row(_OPENAI_PROVIDERS, r"\bgpt-5\.[45](?![\d.])", _patches(2500, longest=2048, original=True), _OPENAI),
    _row(_OPENAI_PROVIDERS, r"\bgpt-4o-mini(?!-(audio|realtime|transcribe|tts))", _tiles(2833, 5667), _OPENAI),
    _row(_OPENAI_PROVIDERS, r"\bgpt-4(o|\.1|\.5)(?!-(audio|realtime|transcribe|tts))", _tiles(85, 170), _OPENAI),
    _row(_OPENAI_PROVIDERS, r"\b(o1|o3)(?!-mini)(-|$)", _tiles(75, 150), _OPENAI),
    _row(_OPENAI_PROVIDERS, r"\bgpt-5(-\d{4}|-chat|$)", _tiles(70, 140), _OPENAI),
    _row(_OPENAI_PROVIDERS, r"\bcomputer-use-preview", _tiles(65, 129), _OPENAI),
    _row(_CLAUDE_PROVIDERS, r"\bclaude-[a-z]+-(4-[7-9]|[5-9])(?!\d)", _claude(2576, 4784), _CLAUDE),
    _row(_CLAUDE_PROVIDERS, r"\bclaude-", _claude(1568, 1568), _CLAUDE),
    _row(_GEMINI_PROVIDERS, r"\bgemini-2[.-]", _gemini_2, _GEMINI),
    _row(_GEMINI_PROVIDERS, r"\bgemini-3", _always(1120), _GEMINI_3),
    _row(frozenset({"groq"}), r"", _always(2048), _GROQ),
)
