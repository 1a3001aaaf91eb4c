"""Running the command: every command is registered here, and an error becomes one line."""

from __future__ import annotations

import io
import sys
import traceback
from collections.abc import Sequence

import typer

from prompt_adapters.cli import file_commands, request_commands  # noqa: F401 - registers the commands
from prompt_adapters.cli.printing import remark
from prompt_adapters.cli.root import app
from prompt_adapters.errors import PromptAdapterError

# typer's base class of everything that is wrong with the arguments; typer has kept it in two places so far.
_Misused: type[Exception] = typer.BadParameter.__mro__[2]


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command; arguments and result as for `prompt_adapters.cli.main`."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in given
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that lacks a character shows its number
    try:
        command = typer.main.get_command(app)
        status = command.main([a for a in given if a != "--debug"], "prompt-adapters", standalone_mode=False)
    except (PromptAdapterError, OSError, typer.Abort, _Misused) as error:
        if debug:
            traceback.print_exc()
        return _failed(error)
    return status if isinstance(status, int) else 0


def _failed(error: BaseException) -> int:
    from prompt_adapters.cli.sentences import sentence

    remark("error", sentence(error))
    return 2
