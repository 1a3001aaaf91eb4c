"""What commands print: their result on the standard output, and remarks about it on the standard error stream."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

import typer


def say(text: str, *, end: str = "\n") -> None:
    """Print to the standard output; when its reader has closed it, as ``| head`` does, end without a word."""
    try:
        sys.stdout.write(f"{text}{end}")
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(1) from None


def remark(kind: str, text: str) -> None:
    """Print one line to the standard error stream.

    Args:
        kind: What it is, as ``error`` or ``note``.
        text: The line.
    """
    from prompt_adapters.cli.sentences import shown

    sys.stderr.write(f"{kind}: {shown(text)}\n")


def listed(kind: str, text: str, items: Iterable[str]) -> None:
    """Print one line to the standard error stream, and one more for each item."""
    from prompt_adapters.cli.sentences import shown

    remark(kind, text)
    sys.stderr.writelines(f"  - {shown(item)}\n" for item in items)
