"""Prompty files, ``.prompty``: a front matter in YAML, and messages in Jinja or Mustache. Versions 1 and 2 are read.

    ---
    name: judge                                  see `prompty_front` for what becomes of each key
    model:
      id: gpt-4o
      options: {temperature: 0, maxOutputTokens: 100}
    inputs:
      - {name: question, kind: string, default: "Is it sharp?"}
      - {name: photo, kind: image}
      - {name: conversation, kind: thread}
    ---
    system:                                      see `prompty_body` for what becomes of the lines
    You compare pictures.

    {{ conversation }}

    user:
    {{ question }} {{ photo }}

Three things differ from Prompty's own library. A value can never begin a message, whatever it holds. A variable that is
not given is an error rather than an empty text. The author's blanks beside media stay, and so do blank lines that
statements leave at the ends of a message.

A prompt is saved in the words of version 2, in Jinja, or in Mustache where that is its syntax. A fixed image, sound or
document becomes an input whose default is its address. What has no word there is refused on saving, and `held` leaves
it out: media at a provider, elements of a list, video, marks of a cacheable prefix, tools' calls and results, few-shot
examples as such (they become messages), and text that reads like the beginning of a message.
Saving keeps values, not comments and spelling.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from prompt_adapters.errors import PromptFormatError, TemplateError
from prompt_adapters.formats.files import errors_named, read_text, write_text
from prompt_adapters.formats.holding import read_back, whole
from prompt_adapters.formats.prompty_body import entries_of
from prompt_adapters.formats.prompty_front import NUMBERS, TEXTS, Front, read_front
from prompt_adapters.formats.prompty_references import Folder
from prompt_adapters.formats.prompty_sections import Section, split_sections
from prompt_adapters.prompt import Prompt
from prompt_adapters.templates.scan import line_of
from prompt_adapters.turns import Entry, History

SUFFIX = ".prompty"
SYNTAX = "jinja"
_WHAT = "a prompty"
_OPENING = re.compile(r"---[ \t]*(?:\r\n|\r|\n|\Z)")
_CLOSING = re.compile(rf"(?<=[\r\n]){_OPENING.pattern}")
_WITHOUT_FENCE = re.compile(r"(?:\A|(?<=[\r\n]))instructions[ \t]*:")


def detect(path: Path) -> bool:
    """Whether a file has the suffix ``.prompty``, which is Prompty's alone."""
    return path.suffix.lower() == SUFFIX and path.is_file()


def load(path: str | os.PathLike[str], *, syntax: str | None = None) -> Prompt:
    """Read a prompty.

    Files that it names are read in its own folder only, and the environment is not.

    Args:
        path: The file.
        syntax: The placeholder syntax, where the file does not say; None for ``jinja``.

    Raises:
        PromptNotFoundError: (a ``FileNotFoundError``) There is no such file.
        PromptFormatError: Something is malformed, has no place in a prompt, or names what is not read; the line is
            named where there is one.
    """
    file = Path(path)
    return parse(read_text(file), file, syntax=syntax)


def parse(text: str, path: Path | None = None, *, syntax: str | None = None) -> Prompt:
    """The prompt that the text of a prompty means; errors as for `load`. Without a path no file is read."""
    data, body, line = _split(text, path)
    folder = Folder(None if path is None else path.parent)
    with errors_named(path):
        front = read_front(data, folder)
        form = front.syntax or syntax or SYNTAX
        sections = _sections(body, line, form, legacy=front.legacy)
        entries, pictured = entries_of(sections, front.slots, form, folder, legacy=front.legacy)
        entries += _unplaced(front, entries)
        if not entries:
            raise PromptFormatError(path, None, "there is no message; write some text below the front matter")
        front = front.with_places(pictured, [entry.name for entry in entries if isinstance(entry, History)])
        return Prompt(messages=entries, variables=front.variables, syntax=form, **front.fields)


def _split(text: str, path: Path | None) -> tuple[dict[str, Any], str, int]:
    """The front matter, the body, and the line on which the body begins.

    Raises:
        PromptFormatError: The front matter is not closed, or not a YAML mapping.
    """
    from prompt_adapters.formats.yaml_text import read_yaml_mapping  # PyYAML takes long to import

    blank = len(text) - len(text.lstrip())
    opening = _OPENING.match(text, blank)
    if opening is None:
        if _WITHOUT_FENCE.search(text) is None:
            return {}, text[blank:], line_of(text, blank)
        data = read_yaml_mapping(text, path, texts=TEXTS, numbers=NUMBERS)
        body = data.pop("instructions", None)
        if not isinstance(body, str):
            raise PromptFormatError(path, None, "'instructions' are the messages, a text")
        return data, body.lstrip(), 1
    first = line_of(text, blank)
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        raise PromptFormatError(path, first, "the front matter that '---' opens here is not closed by a line '---'")
    data = read_yaml_mapping(text[opening.end() : closing.start()], path, first + 1, texts=TEXTS, numbers=NUMBERS)
    if "instructions" in data:
        raise PromptFormatError(path, None, "'instructions' stand in the front matter and below it; write them below")
    start = len(text) - len(text[closing.end() :].lstrip())
    return data, text[start:], line_of(text, start)


def _sections(body: str, line: int, syntax: str, *, legacy: bool) -> list[Section]:
    try:
        return split_sections(body, line, syntax, legacy=legacy)
    except TemplateError as error:
        raise PromptFormatError(None, line + (error.line or 1) - 1, error.reason) from error


def _unplaced(front: Front, entries: list[Entry]) -> list[Entry]:
    """The histories that no message has a place for: they stand at the end."""
    placed = {entry.name for entry in entries if isinstance(entry, History)}
    threads = front.slots.threads
    return [History(name, required=required) for name, required in threads.items() if name not in placed]


def save(prompt: Prompt, path: str | os.PathLike[str]) -> None:
    """Write a prompty of version 2, whole or not at all.

    Raises:
        PromptFormatError: The prompt has something that this format cannot hold; all of it is named.
        PromptDiskError: (an ``OSError``) The disk refuses; the old file is still there.
    """
    file = Path(path)
    write_text(file, dump(prompt, file))


def dump(prompt: Prompt, path: str | Path | None = None) -> str:
    """The text of the prompty that holds a prompt; errors as for `save`."""
    from prompt_adapters.formats.prompty_writing import written  # which reading does not need

    prompt = whole(prompt, held, _WHAT, path)
    text, _ = written(prompt)
    return read_back(text, parse(text), prompt, _WHAT, path)


def held(prompt: Prompt) -> tuple[Prompt, tuple[str, ...]]:
    """The nearest prompt that a prompty holds whole, and what of the given one it cannot hold.

    Raises:
        PromptFormatError: No message is left.
    """
    from prompt_adapters.formats.prompty_writing import written  # which reading does not need

    text, losses = written(prompt)
    return parse(text), losses
