"""The arguments and options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

Several = list[str] | None

PromptPath = Annotated[
    str, typer.Argument(metavar="PATH", help="The prompt: a directory or a file.", show_default=False)
]
PromptFormat = Annotated[str | None, typer.Option("--format", metavar="FORMAT", help="The prompt's format.")]
Syntax = Annotated[
    str | None, typer.Option(metavar="SYNTAX", help="How it writes placeholders, where it does not say so itself.")
]
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
AsJson = Annotated[bool, typer.Option("--json", help="Print it as JSON.")]
OnLimit = Annotated[
    str, typer.Option(metavar="convert|error|send", help="What becomes of media that the provider would refuse.")
]
Fetch = Annotated[
    bool, typer.Option("--fetch", help="Download links that the provider does not read itself, https only.")
]
