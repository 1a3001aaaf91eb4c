"""Several files of one directory, replaced together or not at all, and read together or not at all.

A directory that is not there yet is built beside its place and renamed. In one that is there, other files survive:

1. the new files are written under temporary names and flushed to the disk;
2. a journal that says which temporary file becomes which file, and which files go, is renamed into place: from here on
   the new files are the valid ones;
3. the files are renamed and removed as the journal says, and then the journal goes.

Whoever reads finds the valid files with the journal's help, whatever step a killed writer has reached; the next writer
follows a journal that it finds to its end. A reader keeps what it has read only if nothing has changed meanwhile: it
holds the files open, so that no new file can have the identity of an old one, and looks again at the end.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

from prompt_adapters.errors import PromptFormatError, PromptNotFoundError
from prompt_adapters.formats.files import (
    JOURNAL,
    TEMPORARY,
    disk_error,
    is_there,
    locked,
    make_directory,
    new_name,
    open_file,
    read_file,
    reading,
    refuse_no_file,
    remove,
    sweep,
    sync,
    write_new,
    writing,
)

_ATTEMPTS = 200
_LONGEST_PAUSE = 0.02  # seconds

_Identity = tuple[int, int, int, int, int]


class _Journal(NamedTuple):
    """What is still to be done: file names by their temporary names' owners, and the names that go."""

    rename: Mapping[str, str]
    delete: Collection[str]

    def text(self) -> bytes:
        return json.dumps({"rename": dict(self.rename), "delete": list(self.delete)}).encode()

    @classmethod
    def read(cls, data: bytes, path: Path, names: Collection[str]) -> _Journal:
        """A journal, which may only name files of the set and temporary files beside them."""
        try:
            content = json.loads(data)
            journal = cls({str(k): str(v) for k, v in content["rename"].items()}, [str(n) for n in content["delete"]])
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise PromptFormatError(path, None, "the journal of an interrupted save is broken; remove it") from None
        for name in (*journal.rename, *journal.delete):
            if name not in names:
                raise PromptFormatError(path, None, f"the journal names {name!r}, which no save of this kind writes")
        for name in journal.rename.values():
            if not TEMPORARY.fullmatch(name):
                raise PromptFormatError(path, None, f"the journal names {name!r}, which is no temporary file")
        return journal


# Reading


def read_set(directory: Path, names: Collection[str]) -> dict[str, bytes]:
    """The files of a set that are there, as one save has left them.

    Args:
        directory: Where they are.
        names: Every name that the set can have.

    Raises:
        PromptNotFoundError: (a ``FileNotFoundError``) There is no such directory.
        PromptFormatError: It is no directory; one of the names is one, a pipe or a device, or a link that leads out of
            it; its journal is broken; or it does not come to rest.
        PromptDiskError: (an ``OSError``) The disk refuses.
    """
    with reading(directory):
        return _read_set(directory, names)


def _read_set(directory: Path, names: Collection[str]) -> dict[str, bytes]:
    if not directory.is_dir():
        if directory.exists():
            raise PromptFormatError(directory, None, "this is a file, not a directory")
        raise PromptNotFoundError(directory, None, "there is no such directory")
    pause = 0.0005
    for _ in range(_ATTEMPTS):
        with _Look(directory) as look:
            files = _valid_files(look, names)
            if look.is_still_true():
                return files
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)
    raise PromptFormatError(directory, None, "its files are being changed all the time; load it again later")


def _valid_files(look: _Look, names: Collection[str]) -> dict[str, bytes]:
    text = look.read(JOURNAL)
    journal = _Journal({}, ()) if text is None else _Journal.read(text, look.directory / JOURNAL, names)
    files = {}
    for name in names:
        data = look.read(journal.rename[name]) if name in journal.rename else None
        if data is None and name not in journal.delete:
            data = look.read(name)
        if data is not None:
            files[name] = data
    return files


class _Look:
    """One look at a directory: the files read in it stay open until it ends."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._seen: dict[Path, _Identity | None] = {}
        self._open = ExitStack()

    def __enter__(self) -> _Look:
        return self

    def __exit__(self, *exception: object) -> None:
        self._open.close()

    def read(self, name: str) -> bytes | None:
        """The content of a file, or None when it is not there."""
        path = self.directory / name
        try:
            if path.is_symlink():
                _refuse_leading_out(path, self.directory)
            file = self._open.enter_context(open_file(path))
            self._seen[path] = _identity(os.fstat(file.fileno()))
            return file.read()
        except FileNotFoundError:
            self._seen[path] = None
            return None
        except OSError as error:
            raise disk_error(path, "read", error) from error

    def is_still_true(self) -> bool:
        """Whether every name still leads to what was read, unchanged."""
        return all(_identity_at(path) == identity for path, identity in self._seen.items())


def _refuse_leading_out(link: Path, directory: Path) -> None:
    """A file of the set may be a link, but only to what stands in its directory."""
    target = os.path.realpath(link)
    if not Path(target).is_relative_to(os.path.realpath(directory)):
        reason = f"this is a link that leads out of its directory, to {target}; put a copy there"
        raise PromptFormatError(link, None, reason)


def _identity(status: os.stat_result) -> _Identity:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _identity_at(path: Path) -> _Identity | None:
    try:
        return _identity(path.stat())
    except FileNotFoundError:
        return None


# Writing


def write_set(
    directory: Path,
    files: Mapping[str, bytes],
    names: Collection[str],
    *,
    guard: Callable[[Path], None] | None = None,
) -> None:
    """Replace the files of a set by these; names of the set that are not among them are removed.

    Args:
        directory: Where they are; it is made when it is not there.
        files: Contents by name.
        names: Every name that the set can have.
        guard: Looks at a directory that is there, at rest, and raises if nothing may be replaced in it.

    Raises:
        PromptFormatError: The directory is a file, or one of the names is a directory, a pipe or a device.
        PromptDiskError: (an ``OSError``) The disk refuses; what is there loads as before, or as the new files.
    """
    with writing(directory):
        _write_set(directory, files, names, guard)


def _write_set(
    directory: Path, files: Mapping[str, bytes], names: Collection[str], guard: Callable[[Path], None] | None
) -> None:
    if not directory.is_dir():
        if directory.exists():
            raise PromptFormatError(directory, None, "this is a file, not a directory")
        if _create(directory, files):
            return
    for name in names:
        refuse_no_file(directory / name)
    with locked(directory):
        _finish_interrupted(directory, names)
        if guard is not None:
            guard(directory)
        _replace(directory, files, names)


def _create(directory: Path, files: Mapping[str, bytes]) -> bool:
    """Make the directory with its files; False when somebody else has made it first."""
    parent = directory.parent
    make_directory(parent)
    with locked(parent):
        if directory.is_dir():
            return False
        temporary = parent / new_name()
        try:
            temporary.mkdir()
            for name, data in files.items():
                write_new(temporary / name, data)
            sync(temporary)
            temporary.rename(directory)
        except BaseException:
            remove(temporary)
            raise
        sync(parent)
    return True


def _replace(directory: Path, files: Mapping[str, bytes], names: Collection[str]) -> None:
    stale = [name for name in names if name not in files and is_there(directory / name)]
    journal = _Journal({name: new_name() for name in files}, stale)
    note = new_name()
    try:
        for name, temporary in journal.rename.items():
            write_new(directory / temporary, files[name], like=directory / name)
        write_new(directory / note, journal.text())
        sync(directory)
        (directory / note).replace(directory / JOURNAL)
    except BaseException:
        _give_up(directory, (note, *journal.rename.values()))
        raise
    sync(directory)
    _follow(directory, journal)


def _give_up(directory: Path, temporaries: Iterable[str]) -> None:
    """Clear away, unless the interruption came when the journal was already in place."""
    if not (directory / JOURNAL).exists():
        for name in temporaries:
            remove(directory / name)


def _follow(directory: Path, journal: _Journal) -> None:
    """Do what the journal says; what has been done already is passed over."""
    for name, temporary in journal.rename.items():
        with suppress(FileNotFoundError):
            (directory / temporary).replace(directory / name)
    for name in journal.delete:
        (directory / name).unlink(missing_ok=True)
    sync(directory)
    (directory / JOURNAL).unlink(missing_ok=True)
    sync(directory)


def _finish_interrupted(directory: Path, names: Collection[str]) -> None:
    path = directory / JOURNAL
    try:
        data = read_file(path)
    except FileNotFoundError:
        return
    _follow(directory, _Journal.read(data, path, names))
    sweep(directory)
