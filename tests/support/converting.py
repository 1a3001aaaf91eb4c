"""Pictures on their way through `convert_image`, and what is seen afterwards."""

from __future__ import annotations

from typing import Any

from pictures import mime_of, opened
from prompt_adapters.content.source import Inline
from prompt_adapters.media.convert import Converted, convert_image
from prompt_adapters.media.rules import bounds_of
from prompt_adapters.targets import Limits

WEB_TYPES = frozenset({"image/png", "image/jpeg", "image/webp"})
WEB = Limits("T", "", image_types=WEB_TYPES)
JPEG_ONLY = Limits("T", "", image_types=frozenset({"image/jpeg"}))
PNG_ONLY = Limits("T", "", image_types=frozenset({"image/png"}))


def convert(source: Inline, limits: Limits = WEB, **changes: Any) -> Converted:
    return convert_image(source, limits, bounds_of(limits)._replace(**changes))


def inline(data: bytes, kind: str) -> Inline:
    return Inline(data, mime_of(kind))


def pixel(source: Inline, at: tuple[int, int] = (4, 4)) -> tuple[int, ...]:
    value = opened(source.data).convert("RGB").getpixel(at)
    assert isinstance(value, tuple)
    return value


def near(found: Any, colour: tuple[float, ...], by: int = 6) -> bool:
    return all(abs(a - b) <= by for a, b in zip(found, colour, strict=False))
