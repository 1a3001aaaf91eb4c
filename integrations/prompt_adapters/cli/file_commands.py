"""The commands about prompts as files: what is in them, how they differ, what is wrong with them."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from prompt_adapters.cli.options import AsJson, Full, Models, PromptFormat, PromptPath, Several, Syntax
from prompt_adapters.cli.printing import listed, remark, say
from prompt_adapters.cli.root import app

_From = Annotated[str | None, typer.Option("--from", metavar="FORMAT", help="The format of the first path.")]
_To = Annotated[str | None, typer.Option("--to", metavar="FORMAT", help="The format of the second path.")]


@app.command(short_help="Print what is in a prompt.")
def show(
    path: PromptPath, json: AsJson = False, full: Full = False, format_: PromptFormat = None, syntax: Syntax = None
) -> None:
    """Print what is in a prompt: its messages, variables, examples and parameters, media shortened."""
    from prompt_adapters.cli.show import shown_as_json, shown_as_text

    say(shown_as_json(path, format_, syntax, full=full) if json else shown_as_text(path, format_, syntax), end="")


@app.command("vars", short_help="Print the variables of a prompt.")
def variables(path: PromptPath, json: AsJson = False, format_: PromptFormat = None, syntax: Syntax = None) -> None:
    """Print the variables of a prompt: which are required, their defaults and types."""
    from prompt_adapters.cli.listing import variables_as_json, variables_as_text

    say(variables_as_json(path, format_, syntax) if json else variables_as_text(path, format_, syntax), end="")


@app.command("list", short_help="Print the prompts below a folder.")
def list_(
    root: Annotated[str, typer.Argument(metavar="ROOT", help="The folder.")] = ".",
    json: Annotated[bool, typer.Option("--json", help="Print each as a JSON object, one a line.")] = False,
) -> None:
    """Print the prompts below a folder, one a line: path, format, name and number of variables, with tabs between.

    The exit status is 1 when one cannot be read; it is named on the standard error stream.
    """
    from prompt_adapters.cli.listing import prompts_below

    failed = False
    for found in prompts_below(root):
        if found.error is not None:
            failed = True
            remark("error", found.error)
        else:
            say(found.as_json() if json else found.as_text())
    raise typer.Exit(int(failed))


@app.command(short_help="Write a prompt in another format.")
def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="The prompt: a directory or a file.", show_default=False)],
    target: Annotated[str, typer.Argument(metavar="OUT", help="Where it is written.", show_default=False)],
    from_: _From = None,
    to: _To = None,
    syntax: Syntax = None,
    lossy: Annotated[bool, typer.Option("--lossy", help="Leave out what the format cannot hold.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there already.")] = False,
) -> None:
    """Write a prompt in another format, which the name of OUT tells where --to does not.

    What the format cannot hold is listed, and nothing is written; with --lossy it is left out. Something that is there
    already is only replaced with --force. The exit status is 0 when OUT holds the prompt, 1 when the format cannot hold
    it, and 2 for an error.
    """
    from prompt_adapters.cli.convert import convert_prompt

    done = convert_prompt(source, target, from_format=from_, to_format=to, syntax=syntax, lossy=lossy, force=force)
    if done.written:
        for loss in done.losses:
            remark("note", f"left out: {loss}")
        say(f"{os.fspath(target)} holds it now, as {done.format}")
    elif done.refusal is not None:
        remark("error", f"{target} cannot be written, as {done.format}: {done.refusal}")
        raise typer.Exit(1)
    else:
        what, it = ("this", "it") if len(done.losses) == 1 else (f"{len(done.losses)} things", "them")
        said = f"{target}, as {done.format}, cannot hold {what} of {source}; --lossy leaves {it} out:"
        listed("error", said, done.losses)
        raise typer.Exit(1)


@app.command(short_help="Print what differs between two prompts.")
def diff(
    before: Annotated[str, typer.Argument(metavar="A", help="The first prompt.", show_default=False)],
    after: Annotated[str, typer.Argument(metavar="B", help="The second prompt.", show_default=False)],
    json: AsJson = False,
    from_: _From = None,
    to: _To = None,
    from_syntax: Annotated[
        str | None, typer.Option(metavar="SYNTAX", help="How A writes placeholders, where it does not say so itself.")
    ] = None,
    to_syntax: Annotated[str | None, typer.Option(metavar="SYNTAX", help="Likewise of B.")] = None,
) -> None:
    """Print what differs between what two prompts say, whatever their formats: messages, variables, parameters.

    The exit status is 0 when nothing differs, 1 when something does, and 2 for an error.
    """
    from prompt_adapters.cli.diff import as_json, as_text, compared

    found = compared(before, after, from_, to, before_syntax=from_syntax, after_syntax=to_syntax)
    if found.differences and found.syntax is not None:
        remark("note", f"the two are written in different syntaxes; their texts are compared as {found.syntax}")
    say(as_json(found) if json else as_text(found, before, after, from_, to), end="")
    raise typer.Exit(int(bool(found.differences)))


@app.command(short_help="Say what is wrong with prompts.")
def lint(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="Prompts, or folders.", show_default=False)],
    model: Models = None,
    ignore: Annotated[Several, typer.Option(metavar="RULE", help="Leave a rule out. It may be repeated.")] = None,
    format_: Annotated[
        str, typer.Option("--format", metavar="plain|sarif", help="How findings are printed.")
    ] = "plain",
    from_: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help="The format, when each PATH is one prompt.")
    ] = None,
    syntax: Syntax = None,
    strict: Annotated[bool, typer.Option("--strict", help="Fail for warnings and notes as well.")] = False,
) -> None:
    """Say what is wrong with prompts, without sending any: one line for each finding, or SARIF.

    A prompt is checked against its own model, or against those given by --model. The exit status is 0 when there are no
    errors (with --strict, no findings at all), 1 when there are, and 2 when the command cannot do what it was told.
    """
    from prompt_adapters.cli.lint import Report
    from prompt_adapters.cli.sentences import about
    from prompt_adapters.lint import lint_paths

    with about("--from"):
        linted = lint_paths(paths, model or (), format_=from_, syntax=syntax, without=ignore or ())
    report = Report(linted, strict=strict)
    for piece in report.pieces(format_):
        say(piece, end="")
    remark("note", report.summary())
    raise typer.Exit(int(report.failed))
