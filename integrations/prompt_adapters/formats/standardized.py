"""The standardized format as a directory.

    file                 holds                                          written
    -------------------  ---------------------------------------------  ------------------------------------------------
    user_prompt.txt      the last user turn, verbatim                   when there is one
    system_prompt.txt    the leading system turns, verbatim             when they are not empty
    few_shot.json        the examples, in Converse shape                when they are shown as turns (``converse``)
    prompt.json          the standardized dictionary, with everything   only when the three files alone would not be
                         that the three files cannot say, and a         read back as an equal prompt
                         digest of each of them

Examples that are appended to a prompt stand at the end of its text file. In the three files several user turns, block
lists, histories, literal messages and media are only shown: the last user turn, a block list as the lines of its
blocks, media in their short form; ``prompt.json`` holds the whole.

The three files alone are read with the syntax ``plain``. A text file that a person has edited wins over
``prompt.json``; see `edits`. The four names belong to this format: saving replaces all four together or none, and
leaves other files alone.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from prompt_adapters.errors import PromptAdapterError, PromptFormatError
from prompt_adapters.few_shot import FewShot
from prompt_adapters.formats import standardized_json
from prompt_adapters.formats.components import (
    DEFAULT_SYNTAX,
    DIGESTS,
    EXTENSION,
    read_standardized,
    standardized_dict,
)
from prompt_adapters.formats.documented import (
    DOCUMENTED,
    FEW_SHOT_FILE,
    NAMES,
    PROMPT_FILE,
    SYSTEM_FILE,
    USER_FILE,
    documented_files,
)
from prompt_adapters.formats.edits import with_edits
from prompt_adapters.formats.file_set import read_set, write_set
from prompt_adapters.formats.files import JOURNAL, decode, encode, errors_named, read_file
from prompt_adapters.formats.holding import Holding, whole
from prompt_adapters.formats.json_text import format_json, parse_json
from prompt_adapters.formats.readable import digest, plain_turns
from prompt_adapters.formats.sections import read_few_shot, split_section
from prompt_adapters.prompt import Prompt
from prompt_adapters.templates import compile_template

__all__ = ["detect", "documented_files", "held", "load", "save", "standardized_dict", "write_documented_files"]

_WHAT = "the standardized format"


def detect(path: Path) -> bool:
    """Whether a directory holds files of this format; a ``prompt.json`` alone may be of another one."""
    if not path.is_dir():
        return False
    if any((path / name).exists() for name in (USER_FILE, SYSTEM_FILE, JOURNAL)):
        return True
    try:
        return standardized_json.detect(path / PROMPT_FILE)
    except PromptFormatError:
        return True  # a broken one is hardly another's


def load(path: str | os.PathLike[str], *, syntax: str | None = None) -> Prompt:
    """Read a directory.

    Args:
        path: The directory.
        syntax: The placeholder syntax, where the files do not say; None for ``plain``.

    Raises:
        PromptNotFoundError: (a ``FileNotFoundError``) There is no such directory.
        PromptFormatError: A file is malformed, is not UTF-8, does not go with the others, or is missing.
    """
    directory = Path(path)
    return _read(read_set(directory, NAMES), directory, syntax)


def _read(files: Mapping[str, bytes], directory: Path, syntax: str | None = None) -> Prompt:
    texts = {name: decode(data, directory / name) for name, data in files.items()}
    if PROMPT_FILE not in texts:
        return _from_documented(texts, directory, syntax or DEFAULT_SYNTAX)
    data = parse_json(texts.pop(PROMPT_FILE), directory / PROMPT_FILE)
    prompt = read_standardized(data, directory / PROMPT_FILE, syntax)
    return with_edits(prompt, data.get(EXTENSION, {}).get(DIGESTS, {}), texts, directory)


def _from_documented(texts: Mapping[str, str], directory: Path, syntax: str) -> Prompt:
    """The prompt that the three files alone mean."""
    if USER_FILE not in texts:
        raise PromptFormatError(directory, None, f"{USER_FILE} is missing")
    user, system, few_shot = texts[USER_FILE], texts.get(SYSTEM_FILE), None
    if FEW_SHOT_FILE in texts:
        few_shot = read_few_shot(texts[FEW_SHOT_FILE], directory / FEW_SHOT_FILE)
    else:
        in_user, in_system = split_section(user), split_section(system or "", alone=True)
        if in_user is not None and in_system is None:
            user, few_shot = in_user[0] or "", FewShot(in_user[1], "append_to_user_prompt")
        elif in_system is not None and in_user is None:
            system, few_shot = in_system[0], FewShot(in_system[1], "append_to_system_prompt")
    for name, template in ((SYSTEM_FILE, system), (USER_FILE, user)):
        with errors_named(directory / name):
            compile_template(template or "", syntax)
    with errors_named(directory):
        return Prompt(messages=plain_turns(system, user), few_shot=few_shot, syntax=syntax)


def held(prompt: Prompt) -> tuple[Prompt, tuple[str, ...]]:
    """The prompt itself, which this format holds whole, but for examples that are chosen for each rendering."""
    holding = Holding(prompt, _WHAT)
    holding.without_selector()
    return holding.result()


def save(prompt: Prompt, path: str | os.PathLike[str]) -> None:
    """Write a directory, all its files or none.

    Raises:
        PromptFormatError: A text cannot be written, the path is a file, or something else is called ``prompt.json``.
        OSError: The disk refuses; what is there loads as before, or as the new prompt.
    """
    directory = Path(path)
    prompt = whole(prompt, held, _WHAT, directory)
    files = _encoded(documented_files(prompt), directory)
    if not _reads_back(files, prompt, directory):
        data = standardized_dict(prompt)
        digests = {name: digest(decode(content, directory / name)) for name, content in files.items()}
        extras = data.setdefault(EXTENSION, {})
        extras[DIGESTS] = {**extras.get(DIGESTS, {}), **digests}
        files |= _encoded({PROMPT_FILE: format_json(data)}, directory)
        if _read(files, directory) != prompt:
            raise PromptFormatError(directory, None, "the prompt was not saved, since it would not be read back equal")
    write_set(directory, files, NAMES, guard=_refuse_foreign)


def _reads_back(files: Mapping[str, bytes], prompt: Prompt, directory: Path) -> bool:
    try:
        return _read(files, directory) == prompt
    except PromptAdapterError:
        return False


def write_documented_files(files: Mapping[str, str], directory: str | os.PathLike[str]) -> None:
    """Write the documented files and nothing else, all or none; a ``prompt.json`` of an earlier save goes.

    Args:
        files: Texts by name: ``user_prompt.txt``, ``system_prompt.txt``, ``few_shot.json``; see `documented_files`.
        directory: Where they go; it is made when it is not there.

    Raises:
        PromptFormatError: A name or a text cannot be written, or something else is called ``prompt.json``.
        OSError: The disk refuses; what is there loads as before, or as the new files.
    """
    if unknown := sorted(files.keys() - DOCUMENTED):
        raise PromptFormatError(
            os.fspath(directory), None, f"{unknown[0]!r} is no documented file of the standardized format"
        )
    write_set(Path(directory), _encoded(files, Path(directory)), NAMES, guard=_refuse_foreign)


def _encoded(files: Mapping[str, str], directory: Path) -> dict[str, bytes]:
    return {name: encode(text, directory / name) for name, text in files.items()}


def _refuse_foreign(directory: Path) -> None:
    """``prompt.json`` is a common name: one that this format has not written is not replaced."""
    path = directory / PROMPT_FILE
    if path.is_file() and f'"{EXTENSION}"'.encode() not in read_file(path):
        raise PromptFormatError(
            path, None, "this file was not written by save_prompt and would be lost; move it, or save elsewhere"
        )
