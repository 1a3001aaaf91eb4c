"""The command ``prompt-adapters``: requests of prompts, prompts as files, and a demonstration."""

from __future__ import annotations

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        arguments: The arguments after the command's name; those of the process when None.

    Returns:
        The exit status: 0, or 2 after an error, which is one line on the standard error stream.
    """
    from prompt_adapters.cli.app import run

    return run(arguments)
