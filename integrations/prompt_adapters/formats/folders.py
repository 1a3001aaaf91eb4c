"""All prompts below a folder, one after another: what `load_prompt` gives for each, or why it gives nothing.

What counts as one: a directory with the files of a saved prompt; a file with a suffix that formats write; a JSON or
YAML file that a format claims. Others of these two, which are as often something else, are passed over, and so is what
is hidden. Links to files are followed inside the folder. A link to a directory in it is not, as what it leads to stands
there anyway; one that leads out of it is an error.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from prompt_adapters.errors import PromptAdapterError, PromptFormatError, PromptNotFoundError
from prompt_adapters.formats import FORMATS, claims_on, load_parts, load_prompt
from prompt_adapters.formats.documented import NAMES
from prompt_adapters.formats.files import disk_error
from prompt_adapters.formats.places import place_of
from prompt_adapters.prompt import Prompt

_DATA = (".json", ".yaml", ".yml")
_SUFFIXES = frozenset({*_DATA, *(suffix for row in FORMATS.values() for suffix in row.suffixes if suffix)})

Found: TypeAlias = tuple[Path, Prompt | PromptAdapterError]


def iter_prompts(root: str | os.PathLike[str]) -> Iterator[Found]:
    """The prompts below a folder, in order of their names; each is loaded when its turn comes, and none is kept.

    Args:
        root: The folder, or one file or directory of a prompt; ``~`` is expanded.

    Returns:
        Pairs of a path and its prompt, or the error that loading it raises.

    Raises:
        PromptNotFoundError: (a ``FileNotFoundError``) There is nothing at this path.
    """
    place = place_of(root, "read")
    if not place.exists():
        raise PromptNotFoundError(place, None, "there is no such file or directory")
    return _below(place) if place.is_dir() else _of_file(place)


def _below(root: Path) -> Iterator[Found]:
    inside, folders = Path(os.path.realpath(root)), [root]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(folder) as entries:
                listed = sorted((entry.name, _is_directory(entry), entry.is_symlink()) for entry in entries)
            own = bool(claims_on(folder)[0])
        except OSError as error:
            yield folder, disk_error(folder, "read", error)
            continue
        if own:
            yield folder, _loaded(folder)
        more = []
        for name, is_directory, is_link in listed:
            path = folder / name
            if (
                name.startswith(".")
                or (own and name in NAMES)
                or not (is_directory or path.suffix.lower() in _SUFFIXES)
            ):
                continue
            if is_link and not Path(target := os.path.realpath(path)).is_relative_to(inside):
                yield path, PromptFormatError(path, None, f"this is a link that leads out of {root}, to {target}")
            elif not is_directory:
                yield from _claimed(path)
            elif not is_link:
                more.append(path)
        folders += reversed(more)


def _is_directory(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False


def _claimed(path: Path) -> Iterator[Found]:
    """What is in a file, unless it is one of data that no format claims."""
    claims, faults = claims_on(path)
    if claims or faults or path.suffix.lower() not in _DATA or not path.exists():
        yield from _of_file(path, claims[0] if len(claims) == 1 else None)


def _of_file(path: Path, name: str | None = None) -> Iterator[Found]:
    """The prompt of a file, or each of those that it holds."""
    claims = claims_on(path)[0] if name is None else [name]
    if len(claims) != 1 or not FORMATS[claims[0]].parts:
        yield path, _loaded(path, name)
        return
    try:
        yield from load_parts(path, claims[0])
    except PromptAdapterError as error:
        yield path, error.with_traceback(None)


def _loaded(path: Path, name: str | None = None) -> Prompt | PromptAdapterError:
    try:
        return load_prompt(path, name)
    except PromptAdapterError as error:
        return error.with_traceback(None)
