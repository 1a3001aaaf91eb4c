"""Where in its files a text of a prompt stands."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from prompt_adapters.errors import PromptAdapterError
from prompt_adapters.formats import file_of
from prompt_adapters.formats.documented import NAMES
from prompt_adapters.lint.texts import PlacedText

_SHORTEST = 4  # characters of a line that is looked for by itself


class Spot(NamedTuple):
    """A line of a file."""

    path: Path
    line: int


class Source:
    """A file of a prompt, as text.

    Args:
        path: The file.
        text: What is in it; what is not UTF-8 stands replaced.
    """

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.text = text
        self._breaks: list[int] | None = None
        self._lines: dict[str, int] | None = None

    def line_at(self, offset: int) -> int:
        """The 1-based line of an offset."""
        if self._breaks is None:
            self._breaks = [n for n, character in enumerate(self.text) if character == "\n"]
        return bisect_left(self._breaks, offset) + 1

    def line_of(self, line: str) -> int | None:
        """The 1-based number of a line that is there once, whatever blanks are around it."""
        if self._lines is None:
            self._lines = {}
            for number, found in enumerate(self.text.split("\n"), 1):
                key = found.strip()
                self._lines[key] = 0 if key in self._lines else number
        return self._lines.get(line) or None


def sources_of(path: Path) -> Iterator[Source]:
    """The files of a prompt that can be read."""
    for file in _files(path):
        try:
            data = file.read_bytes()
        except OSError:
            continue
        yield Source(file, data.decode("utf-8", "replace"))


def _files(path: Path) -> Iterable[Path]:
    if path.is_dir():
        return [file for name in NAMES if (file := path / name).is_file()]
    try:
        file = file_of(path)
    except PromptAdapterError:
        return []
    return [file] if file.is_file() else []  # a pipe would never end


class Locator:
    """The places of texts in some files, each looked for once.

    Args:
        sources: The files.
    """

    def __init__(self, sources: Iterable[Source]) -> None:
        self.sources = tuple(sources)
        self._found: dict[str, tuple[Source, int, bool] | None] = {}

    def spot(self, text: PlacedText, offset: int) -> Spot | None:
        """The line on which a character of a text stands, or None where that cannot be told for certain."""
        if text.text not in self._found:
            self._found[text.text] = self._search(text.text)
        found = self._found[text.text]
        if found is not None:
            source, start, verbatim = found
            return Spot(source.path, source.line_at(start + (offset if verbatim else 0)))
        begin = text.text.rfind("\n", 0, offset) + 1
        end = text.text.find("\n", offset)
        line = text.text[begin : end if end >= 0 else None].strip()
        if len(line) < _SHORTEST:
            return None
        spots = ((source.path, source.line_of(line)) for source in self.sources)
        return next((Spot(path, number) for path, number in spots if number is not None), None)

    def _search(self, text: str) -> tuple[Source, int, bool] | None:
        """Where the whole text stands: in which file, at which offset, and whether as it is or as JSON writes it."""
        if len(text) < _SHORTEST:
            return None
        forms = {text: True, _as_json(text, ascii_only=False): False, _as_json(text, ascii_only=True): False}
        for form, verbatim in forms.items():
            for source in self.sources:
                if (start := source.text.find(form)) >= 0:
                    return source, start, verbatim
        return None


def _as_json(text: str, *, ascii_only: bool) -> str:
    return json.dumps(text, ensure_ascii=ascii_only)[1:-1]
