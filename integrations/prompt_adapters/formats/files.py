"""Files read verbatim and written whole or not at all: what every format stands on.

Text is UTF-8. It is read as it stands (a byte order mark is removed, newlines are kept), and written as it stands.

A file is written under a temporary name beside its place, flushed to the disk, and renamed: who reads at that moment,
or after a crash, finds the old file or the new one. Temporary names look alike, and whoever writes into a directory
holds its lock, so each writer can clear away what a killed one has left. For several files at once see `file_set`.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from prompt_adapters.errors import (
    MediaError,
    PromptAdapterError,
    PromptDiskError,
    PromptFormatError,
    PromptNotFoundError,
    TemplateError,
)
from prompt_adapters.templates.scan import line_of

TEMPORARY = re.compile(r"\.prompt_adapters-[0-9a-f]{16}\.tmp")
JOURNAL = ".prompt_adapters.journal.json"

MAX_BYTES = 200_000_000
"""The most that a file of a prompt may have, media in it included."""

_CHUNK = 1_000_000
_BOM = b"\xef\xbb\xbf"
# UTF-32 begins with the mark of UTF-16, so it comes first.
_OTHER_MARKS = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}


def _unmarked(width: int) -> re.Pattern[bytes]:
    """Text without a mark in units of this width: eight characters of ASCII in a row, or a few and nothing else."""
    nuls = rb"\x00" * (width - 1)
    runs = rb"(?:(?:[\x01-\x7f]%b){%b}|(?:%b[\x01-\x7f]){%b})"
    few, many = (runs % (nuls, count, nuls, count) for count in (b"3,7", b"8"))
    return re.compile(rb"%b\Z|(?:.{%d})*?%b" % (few, width, many), re.DOTALL)


# It would pass as UTF-8, with NULs beside each character.
_UNMARKED = {"UTF-16": (2, _unmarked(2)), "UTF-32": (4, _unmarked(4))}
# Reading does not wait for who writes into a pipe.
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)

# Text


def decode(data: bytes, path: Path) -> str:
    """The text of a file, verbatim but for a byte order mark.

    Raises:
        PromptFormatError: It is UTF-16, UTF-32 or otherwise not UTF-8; the line and the offset in bytes are named.
    """
    for mark, encoding in _OTHER_MARKS.items():
        if data.startswith(mark):
            raise PromptFormatError(path, None, f"the file is {encoding}; save it as UTF-8")
    if (name := _looks_like(data)) is not None:
        raise PromptFormatError(path, None, f"the file is {name} without a byte order mark; save it as UTF-8")
    try:
        return data.removeprefix(_BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        start = error.start + (len(_BOM) if data.startswith(_BOM) else 0)
        line = line_of(data[:start].decode("utf-8"), start)
        raise PromptFormatError(
            path, line, f"byte 0x{data[start]:02x} at offset {start} is not UTF-8; save the file as UTF-8"
        ) from None


def _looks_like(data: bytes) -> str | None:
    """The encoding that bytes without a mark look like, when it is not UTF-8."""
    if b"\0" in data:
        for name, (width, pattern) in _UNMARKED.items():
            if len(data) % width == 0 and pattern.match(data):
                return name
    return None


def encode(text: str, path: Path) -> bytes:
    """The bytes of a text.

    Raises:
        PromptFormatError: Half of a surrogate pair is in it, which no file can hold; its position is named. Or there is
            a NUL beside each character, so that it would be taken for another encoding.
    """
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        line = line_of(text, error.start)
        code = ord(text[error.start])
        raise PromptFormatError(
            path, line, f"character {error.start} is U+{code:04X}, half of a surrogate pair; remove it"
        ) from None
    if (name := _looks_like(data)) is not None:
        reason = f"the text has NUL characters where {name} has them, for which it would be taken; remove them"
        raise PromptFormatError(path, None, reason)
    return data


def read_text(path: Path) -> str:
    """The text of a file, verbatim but for a byte order mark.

    Raises:
        PromptNotFoundError: (a ``FileNotFoundError``) There is no such file.
        PromptFormatError: It is a directory, a pipe or a device, or not UTF-8.
    """
    try:
        data = read_file(path)
    except (FileNotFoundError, NotADirectoryError):
        raise PromptNotFoundError(path, None, "there is no such file") from None
    except OSError as error:
        raise disk_error(path, "read", error) from error
    return decode(data, path)


def read_file(path: Path) -> bytes:
    """The bytes of a file.

    Raises:
        OSError: The system does not let it be read.
        PromptFormatError: It is a directory, a pipe or a device, or larger than `MAX_BYTES`.
    """
    with open_file(path) as file:
        size = os.fstat(file.fileno()).st_size
        data = b"" if size > MAX_BYTES else file.read(size + 1)
        while 0 < len(data) <= MAX_BYTES and (more := file.read(_CHUNK)):  # it grows, or tells no size
            data += more
    if max(size, len(data)) > MAX_BYTES:
        raise PromptFormatError(path, None, f"the file is larger than {MAX_BYTES} bytes")
    return data


def open_file(path: Path) -> BinaryIO:
    """A file, open to be read; errors as for `read_file`."""
    descriptor = os.open(path, _READ)
    try:
        _check_file(path, os.fstat(descriptor).st_mode)
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def refuse_no_file(path: Path) -> None:
    """Refuse to replace what is there and is no file.

    Raises:
        PromptFormatError: It is a directory, a pipe or a device, or a link to one.
    """
    with suppress(FileNotFoundError, NotADirectoryError):
        _check_file(path, os.stat(path).st_mode)  # noqa: PTH116 - of pathlib's, some swallow what the system says


def _check_file(path: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        what = next((word for is_it, word in _OTHERS.items() if is_it(mode)), "device")
        raise PromptFormatError(path, None, f"this is a {what}, not a file")


_OTHERS = {stat.S_ISDIR: "directory", stat.S_ISFIFO: "pipe", stat.S_ISSOCK: "socket"}


def disk_error(path: Path, deed: str, error: OSError) -> PromptDiskError:
    """The error for what the disk refuses, naming what was meant rather than a temporary file.

    Args:
        path: The file or directory that was to be read or written.
        deed: ``read`` or ``written``.
        error: What the system said.
    """
    return PromptDiskError(path, None, f"this cannot be {deed}: {error.strerror or error}")


def writing(path: Path) -> AbstractContextManager[None]:
    """What the system says while a path is written becomes a `PromptDiskError` that names it."""
    return _doing(path, "written")


def reading(path: Path) -> AbstractContextManager[None]:
    """What the system says while a path is read becomes a `PromptDiskError` that names it."""
    return _doing(path, "read")


@contextmanager
def _doing(path: Path, deed: str) -> Iterator[None]:
    try:
        yield
    except PromptAdapterError:
        raise
    except OSError as error:
        raise disk_error(path, deed, error) from error


def write_text(path: Path, text: str) -> None:
    """Replace a file, or make it, whole or not at all; the directory is made as well.

    Raises:
        PromptFormatError: The text cannot be written as UTF-8, or the path is a directory, a pipe or a device.
        PromptDiskError: (an ``OSError``) The disk refuses; the old file is still there.
    """
    data = encode(text, path)
    with writing(path):
        refuse_no_file(path)
        place = Path(os.path.realpath(path))
        make_directory(place.parent)
        with locked(place.parent):
            swap_in(place, data)


@contextmanager
def errors_named(path: Path | None, what: str | None = None) -> Iterator[None]:
    """Errors about the content of a file become a `PromptFormatError` that names it.

    Args:
        path: The file; None for a text that is in none.
        what: The template in it that is compiled; None when the file is the template, so that its lines are the file's.
    """
    try:
        yield
    except PromptFormatError as error:
        if error.path is not None:
            raise
        raise PromptFormatError(path, error.line, error.reason) from error
    except TemplateError as error:
        if what is None and error.place is None:
            raise PromptFormatError(path, error.line, error.reason) from error
        raise PromptFormatError(path, None, str(error) if what is None else f"{what}: {error}") from error
    except MediaError as error:
        raise PromptFormatError(path, None, str(error)) from error


# Pieces of writing


def is_there(path: Path) -> bool:
    """Whether something is called so, be it a link to nothing.

    Raises:
        OSError: That cannot be told, which `os.path.lexists` takes for no.
    """
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def make_directory(path: Path) -> None:
    """Make a directory, and those above it, where it is not there, and flush their names to the disk."""
    if not path.is_dir():
        make_directory(path.parent)
        path.mkdir(exist_ok=True)
        sync(path.parent)


def swap_in(place: Path, data: bytes) -> None:
    """Replace a file, or make it, whole or not at all; to be called by who holds the lock of its directory."""
    temporary = place.parent / new_name()
    try:
        write_new(temporary, data, like=place)
        temporary.replace(place)
    except BaseException:
        remove(temporary)
        raise
    sync(place.parent)


def put_in(place: Path, data: bytes) -> bool:
    """Make a file, whole or not at all; False when there is one, also where the system has no lock."""
    temporary = place.parent / new_name()
    try:
        write_new(temporary, data)
        _name(temporary, place)
    except FileExistsError:
        return False
    finally:
        remove(temporary)
    sync(place.parent)
    return True


def _name(temporary: Path, place: Path) -> None:
    """Give a file a name that nothing has.

    Raises:
        FileExistsError: Something has it.
    """
    try:
        os.link(temporary, place)
    except FileExistsError:
        raise
    except OSError:  # a disk without such links
        if is_there(place):
            raise FileExistsError from None
        temporary.rename(place)


def new_name() -> str:
    """A new temporary name."""
    return f".prompt_adapters-{secrets.token_hex(8)}.tmp"


def write_new(path: Path, data: bytes, *, like: Path | None = None) -> None:
    """Write a file that is not there yet and flush it to the disk; it gets the permissions of `like` if that exists."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        if like is not None and hasattr(os, "fchmod"):
            with suppress(OSError):
                os.fchmod(descriptor, like.stat().st_mode & 0o777)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove(path: Path) -> None:
    """Remove a temporary file or directory as far as that is possible; the next writer removes the rest."""
    with suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def sync(directory: Path) -> None:
    """Flush a directory's names to the disk, where the system can do that."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Hold a directory's lock, so that writers come one after another, and clear away what killed ones have left.

    Where the system has no such lock nothing is cleared away, since it could belong to a writer at work.
    """
    descriptor = _lock(directory)
    try:
        if descriptor is not None:
            sweep(directory)
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _lock(directory: Path) -> int | None:
    try:
        import fcntl
    except ImportError:
        return None
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except OSError:
        os.close(descriptor)
        return None
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def sweep(directory: Path) -> None:
    """Clear away temporary files that no writer will finish; to be called by who holds the lock.

    A journal means that its temporary files are the prompt, so they stay until it has been followed.
    """
    with os.scandir(directory) as entries:
        names = [entry.name for entry in entries]
    if JOURNAL not in names:
        for name in filter(TEMPORARY.fullmatch, names):
            remove(directory / name)
