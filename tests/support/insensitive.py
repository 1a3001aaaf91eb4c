"""File systems that take names of another case, or composed otherwise, for one: as macOS and Windows have them."""

import os
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest

_OF_ONE = ("open", "stat", "lstat", "listdir", "scandir", "mkdir", "rmdir", "unlink", "readlink", "chmod", "access")
_OF_TWO = ("rename", "replace", "link")


class Insensitive:
    """Lets every call of the system below a folder find what only differs by case or by composition.

    Args:
        patch: What undoes it.
        root: The folder.
        form: In which form the disk keeps new names: as they are given (APFS, NTFS), or decomposed (HFS+).
    """

    def __init__(self, patch: pytest.MonkeyPatch, root: Path, form: Literal["given", "NFD"] = "given") -> None:
        self._root = os.path.realpath(root)
        self._form = form
        self._listdir, self._lstat = os.listdir, os.lstat
        for name in _OF_ONE:
            patch.setattr(os, name, self._of_one(getattr(os, name)))
        for name in _OF_TWO:
            patch.setattr(os, name, self._of_two(getattr(os, name)))

    def _of_one(self, call: Callable[..., Any]) -> Callable[..., Any]:
        return lambda path=".", *args, **kwargs: call(self.found(path), *args, **kwargs)

    def _of_two(self, call: Callable[..., Any]) -> Callable[..., Any]:
        return lambda path, other, **kwargs: call(self.found(path), self.found(other), **kwargs)

    def found(self, path: Any) -> Any:
        """The path as the disk has it; what is not there, as it would be kept."""
        if not isinstance(path, str | os.PathLike):
            return path
        text = os.fspath(path)
        if not text.startswith(f"{self._root}/"):
            return path
        place = self._root
        for name in text.removeprefix(self._root).strip("/").split("/"):
            place = f"{place}/{self._entry(place, name)}"
        return place

    def _entry(self, folder: str, name: str) -> str:
        try:
            entries = self._listdir(folder)
        except OSError:
            entries = []
        kept = unicodedata.normalize("NFD", name) if self._form == "NFD" else name
        return next((entry for entry in entries if _key(entry) == _key(name)), kept)


def _key(name: str) -> str:
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", name).casefold())
