"""Ids and versions of prompts as names of files: none leads out of the folder that prompts are kept in."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from prompt_adapters.errors import PromptFormatError

# What no file system has, what could lead elsewhere, what some file systems drop, and half of a surrogate pair.
_UNSAFE = re.compile(r"[\x00-\x1f\x7f/\\:\ud800-\udfff]|^[. ]*$|^\s|[\s.]$")
_LONGEST = 200  # bytes of a name; file systems take 255
_DIGITS = re.compile(r"(\d+)")


def path_inside(root: Path, segments: Iterable[str]) -> Path:
    """A path below the root, also after links are followed.

    Raises:
        PromptFormatError: (a ``ValueError``) A link leads out of it.
    """
    path = root.joinpath(*segments)
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root)):
        raise PromptFormatError(path, None, "this leads out of the store's root")
    return path


def segments_of(name: object, what: str) -> list[str]:
    """The segments of an id, each of which is a name that stays where it is put.

    Args:
        name: The id, as ``vlm/judge/pairwise``.
        what: What an error calls it.

    Raises:
        PromptFormatError: (a ``ValueError``) It is no text, too long, or could lead elsewhere.
    """
    if not isinstance(name, str):
        raise PromptFormatError(None, None, f"a {what} is a text, not {type(name).__name__}")
    segments = name.split("/")
    if any(_UNSAFE.search(segment) for segment in segments):
        raise leads_out(name, what)
    if any(len(segment.encode()) > _LONGEST for segment in segments):
        raise PromptFormatError(None, None, f"the {what} {name[:40]!r} is too long for a file name")
    return segments


def leads_out(name: str, what: str) -> PromptFormatError:
    """The error for a name that could lead elsewhere."""
    return PromptFormatError(
        None, None, f"{name!r} is no {what}: it could lead out of the store's root; use names with '/' between them"
    )


def natural_order(version: str) -> tuple[list[tuple[int, int, str]], str]:
    """A key that sorts versions by the numbers in them: v10 comes after v9."""
    pieces = enumerate(_DIGITS.split(version))  # every second piece is a number
    return [(1, int(piece), "") if number % 2 else (0, 0, piece) for number, piece in pieces if piece], version
