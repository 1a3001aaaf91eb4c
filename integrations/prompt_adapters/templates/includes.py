"""Jinja's ``include`` and ``import``, from one folder, as a part of the text.

A prompt is a value: it needs no file to render, and is the same when it is saved, sent or loaded elsewhere. So the
texts of other files take the place of the tags once, when the prompt is made, and what results is a template like
others. The roles are the prompt's; an included text stands in the turn that includes it.

====================================  ==================================================================================
tag                                   becomes
====================================  ==================================================================================
``{% include "a/rules.j2" %}``        the file's text, in a scope of its own; ``ignore missing`` may follow
``{% import "m.j2" as m %}``          the file's macros, and ``m`` with them as its attributes
``{% from "m.j2" import f, g as h %}``  the file's macros, and other names for those that get one
====================================  ==================================================================================

A name is written in the template, never taken from a value. It is a path below the folder, and neither ``..`` nor a
link leads out of that. A file that is imported holds macros, ``set`` and imports, and no text of its own; names of
macros are the prompt's, so two files that are imported cannot both have one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple

from prompt_adapters.content.folder import OutsideError, text_below
from prompt_adapters.errors import PromptFormatError, TemplateError, UnsafeTemplateError
from prompt_adapters.templates.limits import TemplateLimits, current_limits
from prompt_adapters.templates.whole import current_whole

if TYPE_CHECKING:
    from pathlib import Path

_STRING = r"""(?:"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+')"""
_RAW = r"\{%[-+]?\s*raw\s*[-+]?%\}.*?\{%[-+]?\s*endraw\s*[-+]?%\}"
_EXPRESSION = r"\{\{(?:" + _STRING + r"|(?!\}\}).)*+\}\}"
_STATEMENT = r"\{%(?P<open>[-+]?)\s*+(?P<word>\w*)(?P<rest>(?:" + _STRING + r"|(?![-+]?%\}).)*+)(?P<close>[-+]?)%\}"
_PIECE = re.compile(rf"(?P<skip>\{{#.*?#\}}|{_RAW}|{_EXPRESSION})|{_STATEMENT}", re.DOTALL)
_FILE = rf"\s*+(?P<file>{_STRING})"
_INCLUDE = re.compile(rf"{_FILE}\s*+(?P<missing>ignore\s++missing)?\s*+(?:with\s++context)?\s*+")
_IMPORT = re.compile(rf"{_FILE}\s++as\s++(?P<name>[^\W\d]\w*)\s*+(?:with(?:out)?\s++context)?\s*+")
_ONE = r"[^\W\d]\w*(?:\s++as\s++[^\W\d]\w*)?"
_FROM = re.compile(rf"{_FILE}\s++import\s++(?P<names>{_ONE}(?:\s*+,\s*+{_ONE})*+)\s*+(?:with(?:out)?\s++context)?\s*+")
_MACRO = re.compile(r"\s*+(\w+)")
_TOP = "the template"
_OPENING = re.compile(r"\{[{%#]")

_folder: ContextVar[Path | None] = ContextVar("prompt_adapters_includes", default=None)


@contextmanager
def includes_from(folder: str | os.PathLike[str] | None) -> Iterator[None]:
    """While this is entered, templates that are compiled, and prompts that are made or loaded, include from a folder.

    Args:
        folder: The folder; None leaves things as they are.

    Raises:
        PromptFormatError: There is no such folder.
    """
    if folder is None:
        yield
        return
    from pathlib import Path

    path = Path(folder)
    if not path.is_dir():
        raise PromptFormatError(path, None, "there is no such folder to include templates from")
    token = _folder.set(path)
    try:
        yield
    finally:
        _folder.reset(token)


def expanded(text: str) -> str:
    """A Jinja template with the texts of the files that it includes in their places.

    Outside of `includes_from` it is the text itself, whose tags are refused when it is compiled.

    Raises:
        UnsafeTemplateError: A name leads out of the folder, or is no text that is written in the template.
        TemplateError: A file is missing, includes itself, or cannot be imported.
        TemplateLimitError: Files include one another too deeply, or the text gets too long.
    """
    folder = _folder.get()
    if folder is None or "{%" not in text:
        return text
    prompt = current_whole()
    if prompt is not None and (known := prompt.expanded(text)) is not None:
        return known
    expansion = _Expansion(folder, current_limits())
    whole = expansion.of(text, ())
    expansion.check_names()
    if prompt is not None:
        prompt.includes(text, whole)
    return whole


class _Macros(NamedTuple):
    text: str
    names: tuple[str, ...]


class _Expansion:
    def __init__(self, folder: Path, limits: TemplateLimits) -> None:
        self._folder = folder
        self._limits = limits
        self._length = 0
        self._imported: dict[str, _Macros] = {}  # by file
        self._homes: dict[str, dict[str, None]] = {}  # where macros of each name stand, in order

    def of(self, text: str, files: tuple[str, ...]) -> str:
        """A text with what it includes.

        Args:
            text: The text.
            files: The files that it stands in, the outermost first.
        """
        if len(files) > self._limits.depth:
            raise self._limits.exceeded("depth", len(files))
        self._grow(len(text))
        pieces: list[str] = []
        start = 0
        for tag in _tags(text):
            if tag["word"] == "macro" and (name := _MACRO.match(tag["rest"])):
                self._homes.setdefault(name[1], {})[files[-1] if files else _TOP] = None
            if tag["skip"] is not None or tag["word"] not in ("include", "import", "from"):
                continue
            pieces.append(text[start : tag.start()])
            try:
                pieces.append(self._replaced(tag, files))
            except TemplateError as error:
                raise _in_file(error, files, text.count("\n", 0, tag.start()) + 1) from None
            start = tag.end()
        return "".join([*pieces, text[start:]])

    def check_names(self) -> None:
        """Refuse a macro that has the name of an imported one.

        Raises:
            TemplateError: There is one.
        """
        for name, homes in self._homes.items():
            if len(homes) > 1 and not self._imported.keys().isdisjoint(homes):
                raise TemplateError(f"{' and '.join(homes)} have a macro {name!r} each; give one of them another name")

    def _grow(self, length: int) -> None:
        self._length += length
        if self._length > self._limits.source:
            raise self._limits.exceeded("source", self._length)

    def _replaced(self, tag: re.Match[str], files: tuple[str, ...]) -> str:
        word, rest = tag["word"], tag["rest"]
        words = {"include": _INCLUDE, "import": _IMPORT, "from": _FROM}[word].fullmatch(rest)
        if words is None:
            raise UnsafeTemplateError(
                f"{{% {word} %}} names one file in quotation marks, which no variable chooses, as "
                '{% include "a.j2" %}, {% import "m.j2" as m %} or {% from "m.j2" import f %}'
            )
        file = words["file"][1:-1]
        if word == "include":
            inner = self._included(file, files, optional=words["missing"] is not None)
            return f"{{%{tag['open']} with %}}{inner}{{% endwith {tag['close']}%}}"
        macros = self._macros(file, files)
        made = _module(words["name"], macros) if word == "import" else _other_names(words["names"], macros, file)
        before = f"{{%{tag['open']} if true %}}{{% endif %}}" if tag["open"] else ""  # which trims as the tag did
        after = f"{{% if true %}}{{% endif {tag['close']}%}}" if tag["close"] else ""
        return f"{before}{macros.text}{made}{after}"

    def _included(self, file: str, files: tuple[str, ...], *, optional: bool) -> str:
        try:
            text = self._read(file, files)
        except _MissingError:
            if optional:
                return ""
            raise
        return self.of(text, (*files, file))

    def _macros(self, file: str, files: tuple[str, ...]) -> _Macros:
        """The macros of a file, in whose text they stand wherever it is imported, as each include is a scope."""
        if (known := self._imported.get(file)) is not None:
            self._grow(len(known.text))
            return known
        macros = _only_macros(self.of(self._read(file, files), (*files, file)), file)
        self._imported[file] = macros
        return macros

    def _read(self, file: str, files: tuple[str, ...]) -> str:
        if file in files:
            raise TemplateError(f"{file!r} includes itself: {' -> '.join([*files, file])}")
        try:
            return text_below(self._folder, file, self._limits.source)
        except OutsideError:
            raise UnsafeTemplateError(
                f"{file!r} leads out of the folder of includes; name a file below it, as 'parts/rules.j2'"
            ) from None
        except PromptFormatError as error:
            raise _MissingError(error.reason) from None


def _tags(text: str) -> Iterator[re.Match[str]]:
    """The tags of a text, up to the first that is not closed."""
    position = 0
    while opening := _OPENING.search(text, position):
        tag = _PIECE.match(text, opening.start())
        if tag is None:
            return
        yield tag
        position = tag.end()


class _MissingError(TemplateError):
    """A file that is not there, or cannot be read."""

    def __reduce__(self) -> tuple[type[TemplateError], tuple[str]]:
        return TemplateError, (self.reason,)


def _in_file(error: TemplateError, files: tuple[str, ...], line: int) -> TemplateError:
    if isinstance(error, _MissingError):
        error = TemplateError(error.reason)
    if files and error.place is None:
        return error.on(line).at(repr(files[-1]))
    return error.on(line)


def _only_macros(text: str, file: str) -> _Macros:
    """A text of macros without the blanks and comments between them."""
    kept: list[str] = []
    names: list[str] = []
    depth = start = 0
    for tag in _tags(text):
        between, start = text[start : tag.start()], tag.end()
        if depth:
            kept += [between, tag[0]]
        elif between.strip() or (tag["skip"] is not None and not tag[0].startswith("{#")):
            raise TemplateError(f"{file!r} is imported, so it holds macros and nothing else; include it for its text")
        elif tag["word"] in ("macro", "set", "if", "endif"):
            kept.append(tag[0])
        if tag["word"] == "macro":
            if depth == 0 and (name := _MACRO.match(tag["rest"])):
                names.append(name[1])
            depth += 1
        elif tag["word"] == "endmacro":
            depth -= 1
        elif not depth and tag["word"] not in (None, "set", "if", "endif"):
            raise TemplateError(f"{file!r} is imported, so it holds macros and nothing else; it has {tag[0][:40]!r}")
    if text[start:].strip() or depth:
        raise TemplateError(f"{file!r} is imported, so it holds macros and nothing else; include it for its text")
    return _Macros("".join(kept), tuple(names))


def _module(name: str, macros: _Macros) -> str:
    names = ", ".join(f"{macro}={macro}" for macro in macros.names)
    return f"{{% set {name} = namespace({names}) %}}"


def _other_names(names: str, macros: _Macros, file: str) -> str:
    made = []
    for one in names.split(","):
        name, *other = one.split()
        if name not in macros.names:
            raise TemplateError(
                f"{file!r} has no macro {name!r}; it has {', '.join(map(repr, macros.names)) or 'none'}"
            )
        made += [f"{{% set {other[1]} = {name} %}}"] if other else []
    return "".join(made)
