"""Small media files, made when they are asked for."""

import struct
import zlib
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from PIL import Image as Pillow


def _picture(kind: str = "PNG", size: tuple[int, int] = (32, 16), mode: str = "RGB", **options: Any) -> bytes:
    """A picture whose upper left quarter is red."""
    image = Pillow.new("RGB", size, "white")
    image.paste("red", (0, 0, size[0] // 2, size[1] // 2))
    image = image.convert(mode)
    if mode == "RGBA":
        image.putalpha(200)
    buffer = BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def _noise(kind: str, size: tuple[int, int], **options: Any) -> bytes:
    buffer = BytesIO()
    Pillow.effect_noise(size, 90).convert("RGB").save(buffer, kind, **options)
    return buffer.getvalue()


def _animated(kind: str) -> bytes:
    frames = [Pillow.new("RGB", (24, 24), colour) for colour in ("red", "green", "blue")]
    buffer = BytesIO()
    frames[0].save(buffer, kind, save_all=True, append_images=frames[1:], duration=100)
    return buffer.getvalue()


def _turned(kind: str, orientation: int) -> bytes:
    """The picture of `_picture`, stored turned as a camera does that was held so."""
    back = {
        2: Pillow.Transpose.FLIP_LEFT_RIGHT,
        3: Pillow.Transpose.ROTATE_180,
        4: Pillow.Transpose.FLIP_TOP_BOTTOM,
        5: Pillow.Transpose.TRANSPOSE,
        6: Pillow.Transpose.ROTATE_90,
        7: Pillow.Transpose.TRANSVERSE,
        8: Pillow.Transpose.ROTATE_270,
    }
    with Pillow.open(BytesIO(_picture("PNG", (64, 32)))) as upright:
        stored = upright.transpose(back[orientation]) if orientation in back else upright.copy()
    exif = Pillow.Exif()
    exif[0x0112] = orientation
    buffer = BytesIO()
    stored.save(buffer, kind, exif=exif)
    return buffer.getvalue()


def _claimed_png(width: int, height: int) -> bytes:
    """A PNG of a few bytes whose header claims any size."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\0" * 64)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


@pytest.fixture(scope="session")
def picture() -> Callable[..., bytes]:
    return _picture


@pytest.fixture(scope="session")
def noise() -> Callable[..., bytes]:
    return _noise


@pytest.fixture(scope="session")
def animated() -> Callable[[str], bytes]:
    return _animated


@pytest.fixture(scope="session")
def turned() -> Callable[[str, int], bytes]:
    return _turned


@pytest.fixture(scope="session")
def claimed_png() -> Callable[[int, int], bytes]:
    return _claimed_png
