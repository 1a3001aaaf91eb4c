"""How alike two pictures are, and how well one compresses: measured on a sample, with Pillow alone."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image as PILImage

_TILE, _TILES = 192, 3
_WINDOW = 8
_PNG_ITSELF = 100  # bytes of a PNG that are no pixels
# The constants of the definition, for values up to 255: https://ece.uwaterloo.ca/~z70wang/publications/ssim.pdf
_C1, _C2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2


def sample(pixels: PILImage) -> PILImage:
    """Tiles from all over a picture, side by side at full resolution; a small picture whole."""
    from PIL import Image
    from PIL.Image import Resampling

    width, height = pixels.size
    across, down = (_TILES if side > _TILES * _TILE else 1 for side in (width, height))
    tile = (_TILE if across > 1 else min(width, _TILE * _TILES), _TILE if down > 1 else min(height, _TILE * _TILES))
    result = Image.new(pixels.mode, (tile[0] * across, tile[1] * down))
    for column in range(across):
        for row in range(down):
            left = (width - tile[0]) * column // max(1, across - 1)
            top = (height - tile[1]) * row // max(1, down - 1)
            # As `crop`, which heeds that limit as well.
            piece = pixels.resize(tile, Resampling.NEAREST, (left, top, left + tile[0], top + tile[1]))
            result.paste(piece, (column * tile[0], row * tile[1]))
    return result


def png_density(seen: PILImage) -> float:
    """The bytes a pixel that a sample needs as a PNG made in haste."""
    buffer = BytesIO()
    seen.save(buffer, "PNG", compress_level=1)
    return max(0, len(buffer.getbuffer()) - _PNG_ITSELF) / (seen.width * seen.height)


def likeness(seen: PILImage, encoded: bytes) -> float:
    """The structural similarity (SSIM) of the lightness of a picture and of the same once encoded; 1 for the same.

    Args:
        seen: The picture.
        encoded: Its file.
    """
    from PIL import ImageMath
    from PIL.JpegImagePlugin import JpegImageFile
    from PIL.PngImagePlugin import PngImageFile
    from PIL.WebPImagePlugin import WebPImageFile

    # Not by `Image.open`, which heeds Pillow's limit on all pictures, that is not ours to change.
    readers = {b"\xff\xd8": JpegImageFile, b"\x89P": PngImageFile}
    with readers.get(encoded[:2], WebPImageFile)(BytesIO(encoded)) as read:
        other = read.convert("L")
    x, y = seen.convert("L").convert("F"), other.convert("F")

    def mean(picture: PILImage) -> PILImage:
        # Windows that do not lie on the blocks of the encoder.
        half = min(_WINDOW // 2, picture.width - 1), min(_WINDOW // 2, picture.height - 1)
        return picture.reduce(_WINDOW, (*half, *picture.size))

    def of_products(a: PILImage, b: PILImage) -> PILImage:
        return mean(ImageMath.lambda_eval(lambda args: args["a"] * args["b"], a=a, b=b))

    found = ImageMath.lambda_eval(
        lambda args: (
            (args["x"] * args["y"] * 2 + _C1) * ((args["xy"] - args["x"] * args["y"]) * 2 + _C2)
            / (args["x"] * args["x"] + args["y"] * args["y"] + _C1)
            / (args["xx"] - args["x"] * args["x"] + args["yy"] - args["y"] * args["y"] + _C2)
        ),
        x=mean(x), y=mean(y), xx=of_products(x, x), yy=of_products(y, y), xy=of_products(x, y),
    )  # fmt: skip
    value = found.reduce(found.size).getpixel((0, 0))
    return float(value) if isinstance(value, int | float) else 0.0
