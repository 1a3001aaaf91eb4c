"""The command line itself: what can be typed, and what becomes of an error."""

from __future__ import annotations

import io
import os
import sys
import traceback
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from prompt_adapters.errors import PromptAdapterError

if TYPE_CHECKING:
    from prompt_adapters.cli.render import Rendered

# typer's base class of everything that is wrong with the arguments; typer has kept it in two places so far.
_Misused: type[Exception] = typer.BadParameter.__mro__[2]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)

Path_ = Annotated[str, typer.Argument(metavar="PATH", help="The prompt: a directory or a file.", show_default=False)]
Several = list[str] | None
Format_ = Annotated[str | None, typer.Option("--format", metavar="FORMAT", help="The prompt's format.")]
Models = Annotated[
    Several,
    typer.Option("--model", metavar="MODEL", help="The model, as anthropic/claude-sonnet-4-5. It may be repeated."),
]
Style = Annotated[
    str | None, typer.Option(metavar="STYLE", help="The wire shape; the model's own when it is left out.")
]
Var = Annotated[Several, typer.Option(metavar="NAME=TEXT", help="A variable's value.")]
VarFile = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="A JSON object of values; those of the command line win over it."),
]
ImagePaths = Annotated[
    Several, typer.Option(metavar="NAME=PATH", help="An image, by path or link. Several of one name make a list.")
]
DocumentPaths = Annotated[Several, typer.Option(metavar="NAME=PATH", help="A document, likewise.")]
AudioPaths = Annotated[Several, typer.Option(metavar="NAME=PATH", help="A sound, likewise.")]
VideoPaths = Annotated[Several, typer.Option(metavar="NAME=PATH", help="A film, likewise.")]
Output = Annotated[str | None, typer.Option("--output", "-o", metavar="FILE", help="Write it to a file, whole.")]
Full = Annotated[bool, typer.Option("--full", help="Print media whole.")]
OnLimit_ = Annotated[
    str, typer.Option(metavar="convert|error|send", help="What becomes of media that the provider would refuse.")
]
Fetch_ = Annotated[
    bool, typer.Option("--fetch", help="Download links that the provider does not read itself, https only.")
]


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

    _remark("error", sentence(error))
    return 2


def _remark(kind: str, text: str) -> None:
    """One line on the standard error stream."""
    from prompt_adapters.cli.sentences import shown

    sys.stderr.write(f"{kind}: {shown(text)}\n")


def _say(text: str, *, end: str = "\n") -> None:
    """Print to the standard output; when its reader has closed it, as ``| head`` does, end without a word."""
    try:
        sys.stdout.write(f"{text}{end}")
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(1) from None


def _show(rendered: Rendered, output: str | None, *, full: bool) -> None:
    """Print a request or write it to a file, its notes apart."""
    from prompt_adapters.cli.render import write

    for note in rendered.notes:
        _remark("note", note)
    if output is None:
        _say(rendered.whole() if full else rendered.shortened(), end="")
    else:
        write(rendered.whole(), output)


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,  # noqa: ARG001 - read in run(), so that it may stand anywhere
) -> None:
    """One prompt, written once, becomes the exact request that each model provider wants."""
    if version:
        from importlib.metadata import version as version_of

        _say(f"prompt-adapters {version_of('prompt-adapters')}")
    elif context.invoked_subcommand is None:
        _say(context.get_help())


@app.command(short_help="Print the request that a prompt becomes.")
def render(
    path: Path_,
    model: Models = None,
    style: Style = None,
    var: Var = None,
    var_file: VarFile = None,
    image: ImagePaths = None,
    document: DocumentPaths = None,
    audio: AudioPaths = None,
    video: VideoPaths = None,
    output: Output = None,
    full: Full = False,
    on_limit: OnLimit_ = "convert",
    fetch: Fetch_ = False,
    format_: Format_ = None,
) -> None:
    """Print the request that a prompt becomes: the JSON body as it goes over the wire, media shortened.

    What was changed to fit the provider is noted on the standard error stream.
    """
    from prompt_adapters.cli.render import render_prompt
    from prompt_adapters.cli.values import read_values

    values = read_values(var or (), var_file, _media(image, document, audio, video))
    rendered = render_prompt(path, model or (), style, values, format_=format_, on_limit=on_limit, fetch=fetch)
    _show(rendered, output, full=full)


@app.command(short_help="Say whether models take a prompt with its media.")
def check(
    path: Path_,
    model: Models = None,
    style: Style = None,
    var: Var = None,
    var_file: VarFile = None,
    image: ImagePaths = None,
    document: DocumentPaths = None,
    audio: AudioPaths = None,
    video: VideoPaths = None,
    on_limit: OnLimit_ = "convert",
    fetch: Fetch_ = False,
    json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
    format_: Format_ = None,
) -> None:
    """Say for each model whether it takes the prompt as it is, after changes (which), or refuses it (why).

    With about what its images cost, where a formula is published. Nothing is sent. The exit status is 0 when all take
    it, 1 when one does not, and 2 for an error.
    """
    from prompt_adapters.cli.check import as_json, as_text, check_prompt, status_of
    from prompt_adapters.cli.values import read_values

    values = read_values(var or (), var_file, _media(image, document, audio, video))
    results = check_prompt(path, model or (), style, values, format_=format_, on_limit=on_limit, fetch=fetch)
    _say(as_json(results) if json else as_text(results), end="")
    raise typer.Exit(status_of(results))


def _media(image: Several, document: Several, audio: Several, video: Several) -> dict[str, list[str] | tuple[str, ...]]:
    given = {"image": image, "document": document, "audio": audio, "video": video}
    return {kind: pairs or () for kind, pairs in given.items()}


@app.command("convert-request", short_help="Print a provider's request in another's shape.")
def convert_request(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The request, a JSON file.", show_default=False)],
    source: Annotated[str, typer.Option("--from", metavar="STYLE", help="Its wire shape.", show_default=False)],
    target: Annotated[str, typer.Option("--to", metavar="STYLE", help="The wanted one.", show_default=False)],
    model: Annotated[str | None, typer.Option(metavar="MODEL", help="The model that is wanted.")] = None,
    output: Output = None,
    full: Full = False,
) -> None:
    """Print a provider's request in the shape of another provider: the JSON body, media shortened.

    What the other provider cannot take is refused by name. What was changed is noted on the standard error stream.
    """
    from prompt_adapters.cli.convert import converted

    _show(converted(file, source, target, model), output, full=full)


@app.command("vars", short_help="Print the variables of a prompt.")
def variables(
    path: Path_,
    json: Annotated[bool, typer.Option("--json", help="Print them as JSON.")] = False,
    format_: Format_ = None,
) -> None:
    """Print the variables of a prompt: which are required, their defaults and types."""
    from prompt_adapters.cli.listing import variables_as_json, variables_as_text

    _say(variables_as_json(path, format_) if json else variables_as_text(path, format_), end="")


@app.command(short_help="Print the wire shapes.")
def adapters() -> None:
    """Print the wire shapes: the key of each, its class, and what it is for."""
    from prompt_adapters.cli.listing import adapters_as_text

    _say(adapters_as_text(), end="")


@app.command(short_help="Show it all, without key or network.")
def demo() -> None:
    """Show it all with a prompt and a photo of this package, without key or network."""
    from prompt_adapters.cli.demo import show

    show(_say)
