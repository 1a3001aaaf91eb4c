"""Ids and versions of prompts as names of files: none leads out of the folder that prompts are kept in.

Names are the same on every file system: those that only differ in how their characters are composed (NFC, NFD) are one,
and those that only differ in case are two, of which a folder has one, since some file systems take them for one.
"""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from prompt_adapters.errors import PromptFormatError, PromptNotFoundError
from prompt_adapters.formats.files import disk_error, is_there, reading

# What no file system has, what could lead elsewhere, what some file systems drop, and half of a surrogate pair.
_UNSAFE = re.compile(r"[\x00-\x1f\x7f/\\:\ud800-\udfff]|^[. ]*$|^\s|[\s.]$")
_LONGEST = 200  # bytes of a name; file systems take 255
_LONGEST_PATH = 1000  # bytes of an id; systems take some 4000 with the root
# What Windows has no files for, and what is hidden elsewhere.
_NOT_FOR_NEW = re.compile(
    r"""[<>"|?*]|^\.|^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])\s*(?:\.|$)""",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"(\d+)")


def place_of(path: str | os.PathLike[str], deed: str) -> Path:
    """The place that a path means, with ``~`` expanded, whether something is there or not.

    Args:
        path: The path.
        deed: What is to be done there, ``read`` or ``written``.

    Raises:
        PromptFormatError: (a ``ValueError``) No file can be called so.
        PromptDiskError: (an ``OSError``) The system does not let one look there, or a name is too long for it.
    """
    try:
        place = Path(path).expanduser()
    except RuntimeError as error:  # no such user
        raise PromptFormatError(os.fspath(path), None, f"the '~' cannot be expanded: {error}") from None
    try:
        os.stat(place)  # noqa: PTH116 - of pathlib's, some swallow what the system says
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as error:
        raise disk_error(place, deed, error) from error
    except ValueError as error:
        raise PromptFormatError(ascii(os.fspath(path)), None, f"no file can be called so: {error}") from None
    return place


def path_inside(root: Path, segments: Iterable[str]) -> Path:
    """A path below the root, also after links are followed.

    Raises:
        PromptFormatError: (a ``ValueError``) A link leads out of it.
    """
    path = root.joinpath(*segments)
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root)):
        raise PromptFormatError(path, None, "this leads out of the store's root")
    return path


def is_hidden(name: str) -> bool:
    """Whether a file that a prompt's own file names is hidden, or in a hidden folder: keys and settings are kept so."""
    return any(part.startswith(".") and part.strip(".") for part in re.split(r"[/\\]", name))


def composed(name: str) -> str:
    """A name with its characters composed (NFC), however they are."""
    return name if name.isascii() else unicodedata.normalize("NFC", name)


def alike(name: str) -> str:
    """What names have in common that a file system could take for one."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())


def located(root: Path, segments: Iterable[str]) -> Path:
    """A path below the root with each name as it stands on the disk; what is not there is composed.

    Raises:
        PromptNotFoundError: (a ``FileNotFoundError``) The file system takes a name of another case for this one.
        PromptFormatError: (a ``ValueError``) A link leads out of the root, or one name is there in two forms.
        PromptDiskError: (an ``OSError``) The disk refuses.
    """
    path = root
    for segment in map(composed, segments):
        try:
            os.fsencode(segment)
        except UnicodeEncodeError:
            reason = f"{segment!r} cannot be a file name here, where these are {sys.getfilesystemencoding()}"
            raise PromptFormatError(None, None, f"{reason}; start Python with PYTHONUTF8=1") from None
        path /= _entry(path, segment)
    return path_inside(root, path.relative_to(root).parts)


def _entry(folder: Path, name: str) -> str:
    """The entry of a folder with this name, or the name itself when there is none that is spelt like it."""
    decomposed = unicodedata.normalize("NFD", name)
    if name == decomposed and not (_stands(folder / name) and _stands(folder / name.swapcase())):
        return name
    found = [entry for entry in names_in(folder) if composed(entry) == name]
    if len(found) > 1:
        raise PromptFormatError(folder, None, f"{name!r} is there twice, composed and decomposed; remove one of them")
    if not found and _stands(folder / name):
        raise PromptNotFoundError(folder / name, None, "what is there differs from this name by case")
    return found[0] if found else name


def _stands(path: Path) -> bool:
    with reading(path):
        return is_there(path)


def names_in(folder: Path) -> list[str]:
    """The names in a folder; none when there is no such folder.

    Raises:
        PromptDiskError: (an ``OSError``) The disk refuses.
    """
    with reading(folder):
        try:
            return os.listdir(folder)  # noqa: PTH208 - names are all that is needed
        except (FileNotFoundError, NotADirectoryError):
            return []


def parted(path: Path) -> tuple[Path, str | None]:
    """A file, and which of its prompts is meant: what stands after a ``#`` in a path at which there is nothing itself.

    Args:
        path: The path, as ``promptfooconfig.yaml#2`` or ``promptfooconfig.yaml#judge/v2``.

    Returns:
        The file before the first ``#`` with which there is one, and the rest; or the path and None.
    """
    if not path.exists():
        text = str(path)
        for place, character in enumerate(text):
            if character == "#" and os.path.basename(text[:place]) and (file := Path(text[:place])).is_file():  # noqa: PTH119 - a name before the mark
                return file, text[place + 1 :]
    return path, None


def as_in_a_path(choice: str) -> str:
    """What a path has of a choice after its ``#``, where slashes that say nothing are left out."""
    return str(Path(f"#{choice}"))[1:]


def refuse_new(root: Path, segments: Iterable[str], what: str, suffix: str = "") -> None:
    """Refuse a name that not every file system can hold beside those which are there.

    Args:
        root: The folder below which it is to be made.
        segments: Its segments.
        what: What an error calls it.
        suffix: What the last segment has behind it as a file.

    Raises:
        PromptFormatError: (a ``ValueError``) Windows has no such names, it is hidden, or another differs by case only.
    """
    folder, names = root, list(segments)
    for number, segment in enumerate(names, 1):
        if _NOT_FOR_NEW.search(segment):
            reason = f"{segment!r} is no {what} to be written: not every file system has files of this name"
            raise PromptFormatError(None, None, f"{reason}; call it otherwise")
        name = composed(segment) + (suffix if number == len(names) else "")
        others = [entry for entry in names_in(folder) if alike(entry) == alike(name)]
        for other in others:
            if composed(other) != name:
                reason = f"{name!r} differs from {other!r}, which is there, by case only; some file systems have one"
                raise PromptFormatError(folder / other, None, f"{reason} of them; call it otherwise")
        folder /= others[0] if others else name


def segments_of(name: object, what: str) -> list[str]:
    """The segments of an id, each of which is a name that stays where it is put.

    Args:
        name: The id, as ``vlm/judge/pairwise``.
        what: What an error calls it.

    Raises:
        PromptFormatError: (a ``ValueError``) It is no text, too long, or could lead elsewhere.
    """
    if not isinstance(name, str):
        raise PromptFormatError(None, None, f"a {what} is a text, not {type(name).__name__}")
    segments = composed(name).split("/")
    if any(_UNSAFE.search(segment) for segment in segments):
        raise leads_out(name, what)
    if len("/".join(segments).encode()) > _LONGEST_PATH or any(
        len(segment.encode()) > _LONGEST for segment in segments
    ):
        raise PromptFormatError(None, None, f"the {what} {name[:40]!r} is too long for a file name")
    return segments


def leads_out(name: str, what: str) -> PromptFormatError:
    """The error for a name that could lead elsewhere."""
    return PromptFormatError(
        None, None, f"{name!r} is no {what}: it could lead out of the store's root; use names with '/' between them"
    )


def natural_order(version: str) -> tuple[list[tuple[int, int, str]], str]:
    """A key that sorts versions by the numbers in them, whatever the case of their letters: V10 comes after v9."""
    pieces = enumerate(_DIGITS.split(version.casefold()))  # every second piece is a number
    return [(1, int(piece), "") if number % 2 else (0, 0, piece) for number, piece in pieces if piece], version
