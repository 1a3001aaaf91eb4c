"""Texts of files below a folder, which no name leads out of."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from prompt_adapters.errors import PromptFormatError

if TYPE_CHECKING:
    from pathlib import Path

_OPEN = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
# Drive letters, streams, UNC and Windows separators, which mean one thing on one system and another on the next.
_FOREIGN = ("\\", ":", "\0")


class OutsideError(ValueError):
    """A name leads out of its folder."""


def text_below(folder: Path, name: str, most: int) -> str:
    """The text of a file, in UTF-8, its line breaks as they are and without a byte-order mark.

    Args:
        folder: The folder.
        name: The file's path in it, with ``/`` between its parts. A link counts as what it leads to.
        most: Characters that it may have at the most.

    Raises:
        OutsideError: The name is absolute, or leads out of the folder.
        PromptFormatError: There is no such file, or it is no text.
    """
    from pathlib import PurePosixPath

    parts = PurePosixPath(name).parts
    if not parts or any(sign in name for sign in _FOREIGN) or name.startswith("/") or ".." in parts:
        raise OutsideError
    root = folder.resolve()
    try:
        path = root.joinpath(*parts).resolve(strict=True)
    except (OSError, RuntimeError):  # links that lead in circles
        raise PromptFormatError(None, None, f"there is no file {name!r} in the folder of includes") from None
    if not path.is_relative_to(root):
        raise OutsideError
    return _text(path, name, most)


def _text(path: Path, name: str, most: int) -> str:
    try:
        handle = os.open(path, _OPEN)
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise PromptFormatError(None, None, f"{name!r} in the folder of includes is no file")
            with os.fdopen(handle, "rb", closefd=False) as file:
                data = file.read(4 * most + 1)
        finally:
            os.close(handle)
    except OSError as error:
        raise PromptFormatError(None, None, f"the file {name!r} cannot be read: {error.strerror}") from None
    text = data.decode("utf-8-sig", "replace")
    if len(data) > 4 * most or len(text) > most:
        raise PromptFormatError(None, None, f"the file {name!r} has more than {most} characters")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise PromptFormatError(None, None, f"the file {name!r} is no text in UTF-8") from None
