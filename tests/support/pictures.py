"""Pictures made for tests: photos, screenshots, and files of every type and oddity."""

from __future__ import annotations

import random
import struct
import zlib
from functools import lru_cache
from io import BytesIO
from typing import Any

from PIL import Image as Pillow
from PIL import ImageChops, ImageDraw

MIMES = {"JPEG2000": "image/jp2", "ICO": "image/x-icon"}
# How a camera that was held so stores what it sees.
_STORED = {
    2: Pillow.Transpose.FLIP_LEFT_RIGHT,
    3: Pillow.Transpose.ROTATE_180,
    4: Pillow.Transpose.FLIP_TOP_BOTTOM,
    5: Pillow.Transpose.TRANSPOSE,
    6: Pillow.Transpose.ROTATE_90,
    7: Pillow.Transpose.TRANSVERSE,
    8: Pillow.Transpose.ROTATE_270,
}


def encoded(image: Pillow.Image, kind: str, **options: Any) -> bytes:
    buffer = BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def opened(data: bytes) -> Pillow.Image:
    with Pillow.open(BytesIO(data)) as read:
        read.load()
        return read


def mime_of(kind: str) -> str:
    return MIMES.get(kind, f"image/{kind.lower()}")


@lru_cache(maxsize=8)
def photo(size: tuple[int, int] = (320, 240), noise: float = 6) -> Pillow.Image:
    """Soft shapes, edges and the noise of a sensor."""
    rng = random.Random(7)
    small = Pillow.new("RGB", (size[0] // 24 + 2, size[1] // 24 + 2))
    for x in range(small.width):
        for y in range(small.height):
            small.putpixel((x, y), (rng.randrange(256), rng.randrange(256), rng.randrange(256)))
    image = small.resize(size, Pillow.Resampling.BICUBIC)
    draw = ImageDraw.Draw(image)
    for _ in range(12):
        left, top = rng.randrange(size[0]), rng.randrange(size[1])
        box = (left, top, left + size[0] // 8, top + size[1] // 8)
        draw.ellipse(box, (rng.randrange(256), rng.randrange(256), rng.randrange(256)))
    grain = Pillow.effect_noise(size, noise).convert("RGB")
    return ImageChops.add(image, grain, 1, -128)


def screenshot(size: tuple[int, int] = (320, 240)) -> Pillow.Image:
    image = Pillow.new("RGB", size, "white")
    draw = ImageDraw.Draw(image)
    for line, y in enumerate(range(4, size[1] - 10, 14)):
        draw.text((4, y), f"{line:3} The quick brown fox jumps over the lazy dog. " * (1 + size[0] // 250), "black")
    return image


def corner(size: tuple[int, int] = (64, 32), mode: str = "RGB") -> Pillow.Image:
    """White, its upper left quarter red."""
    image = Pillow.new("RGB", size, "white")
    image.paste("red", (0, 0, max(1, size[0] // 2), max(1, size[1] // 2)))
    return image.convert(mode)


def stored(image: Pillow.Image, orientation: int) -> Pillow.Image:
    return image.transpose(_STORED[orientation]) if orientation in _STORED else image.copy()


def turned(image: Pillow.Image, kind: str, orientation: int, **options: Any) -> bytes:
    """A picture, stored turned as a camera does that was held so."""
    exif = Pillow.Exif()
    exif[0x0112] = orientation
    return encoded(stored(image, orientation), kind, exif=exif, **options)


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(width: int, height: int, rows: bytes, depth: int = 8, colours: int = 2, *more: bytes) -> bytes:
    """A PNG of these rows, each with its filter byte; of any kind, also of those that Pillow does not write."""
    header = struct.pack(">IIBBBBB", width, height, depth, colours, 0, 0, 0)
    parts = (chunk(b"IHDR", header), *more, chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def claimed_png(width: int, height: int) -> bytes:
    """A PNG of a few bytes whose header claims any size."""
    return png(width, height, b"\0" * 64)


def animated(kind: str, mode: str = "RGB") -> bytes:
    frames = [Pillow.new("RGB", (24, 24), colour).convert(mode) for colour in ("red", "green", "blue")]
    return encoded(frames[0], kind, save_all=True, append_images=frames[1:], duration=100)


def pages(count: int) -> bytes:
    frames = [Pillow.new("RGB", (24, 24), (40 * page, 0, 0)) for page in range(count)]
    return encoded(frames[0], "TIFF", save_all=True, append_images=frames[1:])


def heic(image: Pillow.Image, **options: Any) -> bytes:
    import pillow_heif

    buffer = BytesIO()
    pillow_heif.from_pillow(image).save(buffer, quality=90, **options)
    return buffer.getvalue()


def profile(name: str = "other colours") -> bytes:
    """An ICC profile of other colours than sRGB: that of sRGB with red and blue exchanged."""
    from PIL import ImageCms

    data = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    count = int.from_bytes(data[128:132], "big")
    tags = {data[132 + 12 * at : 136 + 12 * at]: 132 + 12 * at for at in range(count)}
    red, blue = (data[tags[tag] + 4 : tags[tag] + 12] for tag in (b"rXYZ", b"bXYZ"))
    changed = bytearray(data)
    changed[tags[b"rXYZ"] + 4 : tags[b"rXYZ"] + 12] = blue
    changed[tags[b"bXYZ"] + 4 : tags[b"bXYZ"] + 12] = red
    old = "sRGB built-in"
    new = f"{name:{len(old)}.{len(old)}}"
    return bytes(changed).replace(old.encode("utf-16-be"), new.encode("utf-16-be")).replace(old.encode(), new.encode())
