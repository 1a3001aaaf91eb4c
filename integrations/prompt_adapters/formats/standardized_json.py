"""The standardized format as one ``.json`` file: the dictionary of `components`."""

from __future__ import annotations

import os
from pathlib import Path

from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.components import SHORT_KEYS, read_standardized, standardized_dict
from prompt_adapters.formats.files import read_text, write_text
from prompt_adapters.formats.holding import Holding, whole
from prompt_adapters.formats.json_text import format_json, parse_json
from prompt_adapters.prompt import Prompt

_WHAT = "the standardized format"


def detect(path: Path) -> bool:
    """Whether a file holds a JSON object with a component of the standardized format, whatever its name.

    Raises:
        PromptFormatError: The file is called ``.json``, and is not JSON.
    """
    if not path.is_file():
        return False
    try:
        text = read_text(path)
        data = parse_json(text, path) if path.suffix.lower() == ".json" or text.lstrip()[:1] == "{" else None
    except PromptFormatError:
        if path.suffix.lower() == ".json":
            raise
        return False
    if not isinstance(data, dict):
        return False
    return any(key in data or isinstance(data.get(short), dict) for key, short in SHORT_KEYS.items())


def load(path: str | os.PathLike[str], *, syntax: str | None = None) -> Prompt:
    """Read a file.

    Args:
        path: The file.
        syntax: The placeholder syntax, where the file does not say; None for ``plain``.

    Raises:
        PromptNotFoundError: (a ``FileNotFoundError``) There is no such file.
        PromptFormatError: It is not the standardized format; the line or the key is named.
    """
    file = Path(path)
    return read_standardized(parse_json(read_text(file), file), file, syntax)


def held(prompt: Prompt) -> tuple[Prompt, tuple[str, ...]]:
    """The prompt itself, which this format holds whole, but for examples that are chosen for each rendering."""
    holding = Holding(prompt, _WHAT)
    holding.without_selector()
    return holding.result()


def save(prompt: Prompt, path: str | os.PathLike[str]) -> None:
    """Write a file, whole or not at all.

    Raises:
        PromptFormatError: A text cannot be written, or the path is a directory.
        PromptDiskError: (an ``OSError``) The disk refuses; the old file is still there.
    """
    file = Path(path)
    prompt = whole(prompt, held, _WHAT, file)
    text = format_json(standardized_dict(prompt))
    if read_standardized(parse_json(text, file), file) != prompt:
        raise PromptFormatError(file, None, "the prompt was not saved, since it would not be read back equal")
    write_text(file, text)
