"""Files and prompts: one module a format, each with the same four names.

``detect(path)`` tells whether a path holds this format, by its content and its name; ``load(path, syntax=None)`` gives
the prompt; ``save(prompt, path)`` writes it; ``held(prompt)`` tells what the format keeps of a prompt. A new format is
one file here and one row in `FORMATS`.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol, cast

from prompt_adapters.errors import PromptFormatError, PromptNotFoundError
from prompt_adapters.formats.places import parted, place_of
from prompt_adapters.prompt import Prompt
from prompt_adapters.templates import includes_from, one_prompt

__all__ = [
    "FORMATS",
    "Format",
    "PromptFormat",
    "check_format",
    "claims_on",
    "file_of",
    "format_for",
    "format_of",
    "held_by",
    "load_prompt",
    "save_prompt",
]


class PromptFormat(Protocol):
    """What every format's module offers."""

    def detect(self, path: Path) -> bool:
        """Whether a path that exists holds this format.

        Raises:
            PromptFormatError: The path can only be of this format, and is malformed.
        """

    def load(self, path: Path, *, syntax: str | None = None) -> Prompt:
        """The prompt in a file or directory; `syntax` is for those that do not say theirs."""

    def save(self, prompt: Prompt, path: Path) -> None:
        """Write a prompt, whole or not at all; refuse one of which `held` says that something is lost."""

    def held(self, prompt: Prompt) -> tuple[Prompt, tuple[str, ...]]:
        """The nearest prompt that the format holds whole, and a phrase for each thing that it cannot hold.

        Raises:
            PromptFormatError: Nothing reasonable is left.
        """


class PromptFormatOfParts(PromptFormat, Protocol):
    """What the module of a format with several prompts in a file offers besides."""

    def load_parts(self, path: Path) -> Iterator[tuple[Path, Prompt | PromptFormatError]]:
        """Each prompt of a file with the path that chooses it, or the error that loading it raises.

        Raises:
            PromptFormatError: The file itself is malformed.
        """


class Format(NamedTuple):
    """A row of the table of formats.

    Attributes:
        module: Where its four names are, under this package.
        suffixes: The suffixes that a new path of this format has; the empty one is that of a directory.
        parts: Whether a file may hold several prompts, of which ``path#2`` or ``path#label`` means one.
    """

    module: str
    suffixes: tuple[str, ...] = ()
    parts: bool = False


FORMATS: Mapping[str, Format] = {
    "standardized": Format("standardized", ("",)),
    "standardized_json": Format("standardized_json", (".json",)),
    "simple_prompt": Format("simple_prompt", (".prompt",)),
    "asset": Format("asset", (".yaml", ".yml")),
    "messages": Format("messages"),
    "langchain": Format("langchain"),
    "dotprompt": Format("dotprompt"),
    "prompty": Format("prompty", (".prompty",)),
    "banks": Format("banks", (".jinja",)),
    "promptfoo": Format("promptfoo", parts=True),
}

# These tell nothing by themselves.
_OF_A_DIRECTORY = ("user_prompt.txt", "system_prompt.txt", "few_shot.json")


@one_prompt()
def load_prompt(
    path: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002 - the public name
    syntax: str | None = None,
    *,
    includes: str | os.PathLike[str] | None = None,
) -> Prompt:
    """Read a prompt from a file or directory.

    Args:
        path: The file or directory; ``~`` is expanded. In formats whose files may hold several prompts, ``#2`` or
            ``#label`` after it chooses one.
        format: The name of its format; None tells it from the content and the name.
        syntax: The placeholder syntax, where the files do not say theirs.
        includes: The folder from which Jinja templates may include and import; see `Prompt`. Without one they cannot.

    Raises:
        PromptNotFoundError: (a ``FileNotFoundError``) There is nothing at this path.
        PromptFormatError: (a ``ValueError``) No format, or more than one, can be told; or the file is malformed.
    """
    place = place_of(path, "read")
    file, choice = file_of(place), parted(place)[1]
    with includes_from(includes):
        name = format or _detected(file)
        module = _module(name, place)
        if choice is not None and not FORMATS[name].parts:
            raise PromptNotFoundError(place, None, f"a file of the format {name!r} holds one prompt, {file}")
        prompt = module.load(place, syntax=syntax)
    if includes is not None and prompt.syntax != "jinja":
        raise PromptFormatError(place, None, f"includes are for Jinja templates, and these are in {prompt.syntax!r}")
    return prompt


def format_of(path: str | os.PathLike[str]) -> str:
    """The name of the format of a file or directory, as `load_prompt` tells it; errors as there."""
    return _detected(file_of(path))


def file_of(path: str | os.PathLike[str]) -> Path:
    """The file or directory of a path, which may choose one of several prompts in it; errors as for `load_prompt`."""
    place = place_of(path, "read")
    file, _ = parted(place)
    if not file.exists():
        raise PromptNotFoundError(place, None, "there is no such file or directory")
    return file


def save_prompt(prompt: Prompt, path: str | os.PathLike[str], format: str | None = None) -> None:  # noqa: A002 - the public name
    """Write a prompt to a file or directory, whole or not at all.

    Args:
        prompt: The prompt.
        path: The file or directory; ``~`` is expanded.
        format: The name of the format; None tells it from the path: a directory, or a path without a suffix, becomes a
            standardized directory, ``.json`` a standardized file, ``.prompt`` a simple prompt, ``.yaml`` an asset,
            ``.prompty`` a prompty, ``.jinja`` a template of banks.

    Raises:
        PromptFormatError: (a ``ValueError``) The format cannot be told or cannot hold the prompt.
        PromptDiskError: (an ``OSError``) The disk refuses; what was there is still there.
    """
    place = place_of(path, "written")
    if not isinstance(prompt, Prompt):
        raise PromptFormatError(place, None, f"only a Prompt can be saved, not {type(prompt).__name__}")
    _module(format or format_for(path), place).save(prompt, place)


def format_for(path: str | os.PathLike[str]) -> str:
    """The name of the format that a path to be written asks for, as `save_prompt` takes it; errors as there."""
    place = place_of(path, "written")
    directory = place.is_dir() or os.fspath(path).endswith(("/", os.sep))
    suffix = "" if directory else place.suffix.lower()
    for name, row in FORMATS.items():
        if suffix in row.suffixes:
            return name
    raise PromptFormatError(
        place, None, f"the suffix {suffix!r} tells no format; say which with format=: {_listed(FORMATS)}"
    )


def check_format(name: str) -> None:
    """Refuse a name that no format has.

    Raises:
        PromptFormatError: (a ``ValueError``) There is no such format; one that is called alike is named.
    """
    _module(name, None)


def held_by(prompt: Prompt, format: str) -> tuple[Prompt, tuple[str, ...]]:  # noqa: A002 - the public name
    """What a format keeps of a prompt.

    What renders the same in other words is no loss, as another placeholder syntax is.

    Args:
        prompt: The prompt.
        format: The name of the format.

    Returns:
        The nearest prompt that the format holds whole, which is saved without an error and loaded equal; and a phrase
        for each thing of the given prompt that it cannot hold. When there is none, the prompt itself can be saved.

    Raises:
        PromptFormatError: (a ``ValueError``) There is no such format, or nothing reasonable is left.
    """
    if not isinstance(prompt, Prompt):
        raise PromptFormatError(None, None, f"only a Prompt can be held, not {type(prompt).__name__}")
    return _module(format, None).held(prompt)


def _module(name: str, path: Path | None) -> PromptFormat:
    row = FORMATS.get(name)
    if row is None:
        close = difflib.get_close_matches(str(name), FORMATS, 1)
        meant = f"; did you mean {close[0]!r}?" if close else ""
        raise PromptFormatError(path, None, f"no format is called {name!r}{meant}; there are {_listed(FORMATS)}")
    return cast("PromptFormat", import_module(f"{__name__}.{row.module}"))


def load_parts(path: Path, format: str) -> Iterator[tuple[Path, Prompt | PromptFormatError]]:  # noqa: A002 - as above
    """What `PromptFormatOfParts.load_parts` gives for a format whose row in `FORMATS` has parts."""
    return cast("PromptFormatOfParts", _module(format, path)).load_parts(path)


def claims_on(path: Path) -> tuple[list[str], list[PromptFormatError]]:
    """The formats that claim a path, and what is wrong with it in the eyes of those that could claim it."""
    claims, faults = [], []
    for name in FORMATS:
        try:
            if _module(name, path).detect(path):
                claims.append(name)
        except PromptFormatError as error:
            faults.append(error)
    return claims, faults


def _detected(path: Path) -> str:
    """The one format that claims a path."""
    claims, faults = claims_on(path)
    if len(claims) == 1:
        return claims[0]
    if claims:
        raise PromptFormatError(path, None, f"this could be {' or '.join(map(repr, claims))}; say which with format=")
    if faults:
        raise _with_remedy(faults[0], path)
    if path.name in _OF_A_DIRECTORY and path.is_file():
        raise PromptFormatError(path, None, f"this is one file of a saved prompt; give its directory, {path.parent}")
    kind = "directory" if path.is_dir() else "file"
    reason = f"this {kind} is of no known format; the formats are {_listed(FORMATS)}, and format= says which"
    raise _with_remedy(PromptFormatError(path, None, reason), path)


def _with_remedy(error: PromptFormatError, path: Path) -> PromptFormatError:
    """An error that is raised as no format claims a path, and what helps if it is a chat of promptfoo."""
    from prompt_adapters.formats.files import read_text
    from prompt_adapters.formats.messages import with_remedy

    try:
        return with_remedy(error, read_text(path)) if path.is_file() else error
    except PromptFormatError:  # its bytes are no text, which is what the error says
        return error


def _listed(names: Mapping[str, object]) -> str:
    return ", ".join(map(repr, names))
