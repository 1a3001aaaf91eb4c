"""From a prompt in one format to the same prompt in another."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from prompt_adapters.cli.sentences import about
from prompt_adapters.errors import PromptAdapterError, PromptFormatError
from prompt_adapters.formats import FORMATS, check_format, format_for, held_by, load_prompt, save_prompt
from prompt_adapters.formats.documented import NAMES
from prompt_adapters.formats.places import place_of
from prompt_adapters.prompt import Prompt


class Conversion(NamedTuple):
    """What became of a conversion.

    Attributes:
        format: The format of the target.
        losses: What that format cannot hold of the prompt.
        written: Whether the target holds the prompt now.
        refusal: Why nothing can be written, whatever is left out.
    """

    format: str
    losses: tuple[str, ...] = ()
    written: bool = False
    refusal: str | None = None


def convert_prompt(
    source: str,
    target: str,
    *,
    from_format: str | None = None,
    to_format: str | None = None,
    syntax: str | None = None,
    lossy: bool = False,
    force: bool = False,
) -> Conversion:
    """Write a prompt in another format, whole or not at all.

    Args:
        source: Where the prompt is.
        target: Where it is written.
        from_format: The source's format; it is told from the content and the name when it is None.
        to_format: The target's format; it is told from its name when it is None.
        syntax: The placeholder syntax, where the source does not say its own.
        lossy: Whether what the format cannot hold is left out. Otherwise nothing is written when there is such a thing.
        force: Whether something that is there already is replaced.

    Raises:
        PromptAdapterError: The source is no prompt, the target is there already, or the disk refuses.
    """
    if target in ("", "-"):
        raise PromptAdapterError(f"convert writes a file or a directory, so {target!r} is no target; give a path")
    with about("--to"):
        place = place_of(target, "written")
        name = to_format or format_for(target)
        check_format(name)
    with about("--from"):
        prompt = load_prompt(source, from_format, syntax)
    try:
        kept, losses = held_by(prompt, name)
    except PromptFormatError as error:
        return Conversion(name, refusal=error.reason)
    if losses and not lossy:
        return Conversion(name, losses)
    _refuse_devices(place)
    if not _holds(place, name, kept):
        if not force:
            _refuse_to_replace(place, name)
        save_prompt(kept, place, name)
    return Conversion(name, losses, written=True)


def _holds(place: Path, name: str, prompt: Prompt) -> bool:
    """Whether this very prompt stands there already."""
    try:
        return place.exists() and load_prompt(place, name) == prompt
    except PromptAdapterError:
        return False


def _refuse_to_replace(place: Path, name: str) -> None:
    if place.is_dir() and "" in FORMATS[name].suffixes:
        taken = [found for found in NAMES if os.path.lexists(place / found)]
        if not taken:
            return
        raise PromptFormatError(place, None, f"a prompt is there already ({taken[0]}); give --force to replace it")
    if os.path.lexists(place) and not place.is_dir():
        raise PromptFormatError(place, None, "this is there already; give --force to replace it")


def _refuse_devices(place: Path) -> None:
    """A device, a pipe or a dangling link is never replaced: who names one means something else."""
    if os.path.lexists(place) and not place.is_file() and not place.is_dir():
        raise PromptFormatError(place, None, "this is no file and no directory, so it is not replaced")
