"""How alike two pictures are, by the definition and with nothing but Pillow and arithmetic: for small pictures.

https://ece.uwaterloo.ca/~z70wang/publications/ssim.pdf, over every window of 8 x 8 pixels of their lightness.
"""

from __future__ import annotations

from itertools import accumulate

from PIL.Image import Image

_SIDE = 8
_C1, _C2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2


def _sums(rows: list[list[int]]) -> list[list[int]]:
    """The sum of each window, by its upper left pixel."""
    wide = []
    for row in rows:
        running = [0, *accumulate(row)]
        wide.append([running[x + _SIDE] - running[x] for x in range(len(row) - _SIDE + 1)])
    columns = []
    for column in zip(*wide, strict=True):
        running = [0, *accumulate(column)]
        columns.append([running[y + _SIDE] - running[y] for y in range(len(column) - _SIDE + 1)])
    return columns


def ssim(one: Image, other: Image) -> float:
    """The mean structural similarity of two pictures of the same size; 1 for the same."""
    assert one.size == other.size
    width, height = one.size
    lights = [list(picture.convert("L").tobytes()) for picture in (one, other)]
    x, y = ([light[row * width : (row + 1) * width] for row in range(height)] for light in lights)

    def products(a: list[list[int]], b: list[list[int]]) -> list[list[int]]:
        return _sums([[p * q for p, q in zip(r, s, strict=True)] for r, s in zip(a, b, strict=True)])

    n = _SIDE * _SIDE
    found = []
    for columns in zip(_sums(x), _sums(y), products(x, x), products(y, y), products(x, y), strict=True):
        for sx, sy, sxx, syy, sxy in zip(*columns, strict=True):
            mx, my = sx / n, sy / n
            vx, vy, cov = sxx / n - mx * mx, syy / n - my * my, sxy / n - mx * my
            found.append((2 * mx * my + _C1) * (2 * cov + _C2) / ((mx * mx + my * my + _C1) * (vx + vy + _C2)))
    return sum(found) / len(found)
