"""The commands that make requests of prompts, and those that show what there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from prompt_adapters.cli.options import (
    AsJson,
    AudioPaths,
    DocumentPaths,
    Fetch,
    Full,
    ImagePaths,
    Models,
    OnLimit,
    Output,
    PromptFormat,
    PromptPath,
    Several,
    Style,
    Syntax,
    Var,
    VarFile,
    VideoPaths,
)
from prompt_adapters.cli.printing import remark, say
from prompt_adapters.cli.root import app

if TYPE_CHECKING:
    from prompt_adapters.cli.render import Rendered


@app.command(short_help="Print the request that a prompt becomes.")
def render(
    path: PromptPath,
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
    on_limit: OnLimit = "convert",
    fetch: Fetch = False,
    format_: PromptFormat = None,
    syntax: Syntax = None,
) -> None:
    """Print the request that a prompt becomes: the JSON body as it goes over the wire, media shortened.

    What was changed to fit the provider is noted on the standard error stream.
    """
    from prompt_adapters.cli.render import render_prompt
    from prompt_adapters.cli.values import read_values

    values = read_values(var or (), var_file, _media(image, document, audio, video))
    options = {"format_": format_, "syntax": syntax}
    rendered = render_prompt(path, model or (), style, values, **options, on_limit=on_limit, fetch=fetch)
    _print(rendered, output, full=full)


@app.command(short_help="Say whether models take a prompt with its media.")
def check(
    path: PromptPath,
    model: Models = None,
    style: Style = None,
    var: Var = None,
    var_file: VarFile = None,
    image: ImagePaths = None,
    document: DocumentPaths = None,
    audio: AudioPaths = None,
    video: VideoPaths = None,
    on_limit: OnLimit = "convert",
    fetch: Fetch = False,
    json: AsJson = False,
    format_: PromptFormat = None,
    syntax: Syntax = None,
) -> None:
    """Say for each model whether it takes the prompt as it is, after changes (which), or refuses it (why).

    With about what its images cost, where a formula is published. Nothing is sent. The exit status is 0 when all take
    it, 1 when one does not, and 2 for an error.
    """
    from prompt_adapters.cli.check import as_json, as_text, check_prompt, status_of
    from prompt_adapters.cli.values import read_values

    values = read_values(var or (), var_file, _media(image, document, audio, video))
    options = {"format_": format_, "syntax": syntax}
    results = check_prompt(path, model or (), style, values, **options, on_limit=on_limit, fetch=fetch)
    say(as_json(results) if json else as_text(results), end="")
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
    from prompt_adapters.cli.convert_request import converted

    _print(converted(file, source, target, model), output, full=full)


@app.command(short_help="Print the wire shapes.")
def adapters() -> None:
    """Print the wire shapes: the key of each, its class, and what it is for."""
    from prompt_adapters.cli.listing import adapters_as_text

    say(adapters_as_text(), end="")


@app.command(short_help="Show it all, without key or network.")
def demo() -> None:
    """Show it all with a prompt and a photo of this package, without key or network."""
    from prompt_adapters.cli.demo import show

    show(say)


def _print(rendered: Rendered, output: str | None, *, full: bool) -> None:
    """Print a request or write it to a file, its notes apart."""
    from prompt_adapters.cli.render import write

    for note in rendered.notes:
        remark("note", note)
    if output is None:
        say(rendered.whole() if full else rendered.shortened(), end="")
    else:
        write(rendered.whole(), output)
