"""The application that commands are registered on, and what can be typed without one."""

from __future__ import annotations

from typing import Annotated

import typer

from prompt_adapters.cli.printing import say

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,  # noqa: ARG001 - read in run(), so that it may stand anywhere
) -> None:
    """One prompt, written once, becomes the exact request that each model provider wants."""
    if version:
        from importlib.metadata import version as version_of

        say(f"prompt-adapters {version_of('prompt-adapters')}")
    elif context.invoked_subcommand is None:
        say(context.get_help())
