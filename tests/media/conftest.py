"""Small media files, made when they are asked for."""

from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image as Pillow

import pictures


def _picture(kind: str = "PNG", size: tuple[int, int] = (32, 16), mode: str = "RGB", **options: Any) -> bytes:
    """A picture whose upper left quarter is red."""
    image = pictures.corner(size, mode)
    if mode == "RGBA":
        image.putalpha(200)
    return pictures.encoded(image, kind, **options)


def _noise(kind: str, size: tuple[int, int], **options: Any) -> bytes:
    return pictures.encoded(Pillow.effect_noise(size, 90).convert("RGB"), kind, **options)


def _turned(kind: str, orientation: int) -> bytes:
    return pictures.turned(pictures.corner(), kind, orientation)


@pytest.fixture(scope="session")
def picture() -> Callable[..., bytes]:
    return _picture


@pytest.fixture(scope="session")
def noise() -> Callable[..., bytes]:
    return _noise


@pytest.fixture(scope="session")
def animated() -> Callable[[str], bytes]:
    return pictures.animated


@pytest.fixture(scope="session")
def turned() -> Callable[[str, int], bytes]:
    return _turned


@pytest.fixture(scope="session")
def claimed_png() -> Callable[[int, int], bytes]:
    return pictures.claimed_png
