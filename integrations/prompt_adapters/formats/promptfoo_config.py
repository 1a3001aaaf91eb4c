"""Which prompt of a promptfoo configuration, or of a text file with several, is meant.

================================================================  ======================================================
under ``prompts``                                                 what it is
================================================================  ======================================================
``file://prompts/chat.json``                                      that file, when it is under the configuration's folder
``prompts/chat.json``                                             likewise: one word that ends like a file is one
``Translate {{ text }}``                                          a text
a list of objects with a role                                     a chat
``{id or raw: one of these, label: …, config: …}``                the same; label ─► name, config ─► parameters
``{"prompts/chat.json": label}``                                  the old form of that
``defaultTest: {vars: {text: …}}``                                defaults of the variables that the prompt uses
================================================================  ======================================================

With several prompts one is chosen after ``#``: ``promptfooconfig.yaml#2`` or ``promptfooconfig.yaml#label``. Nothing is
run, and nothing is read outside the folder: functions, scripts, patterns of names and ``langfuse://`` and its like are
refused by name, when they are the prompt that is meant.

https://www.promptfoo.dev/docs/configuration/prompts/
"""

from __future__ import annotations

import os
import re
import reprlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.places import as_in_a_path, is_hidden, path_inside

TEXT_SUFFIXES = (".txt", ".md", ".j2")
CHAT_SUFFIXES = (".json", ".yaml", ".yml")
NUMBERS = ("prompts",)  # values of variables stay as they are written
_FILE = "file://"
_OTHER_SCHEME = re.compile(r"(exec|langfuse|portkey|helicone|https?|package|huggingface):")
# A text with a line break, or a slot, is no path.
_NO_PATH = re.compile(r"[\n\r{}*?\0]")
_LONGEST_PATH = 1024
# One word that ends like a file that promptfoo reads or runs, with the name of a function after it or not.
_LIKE_A_FILE = re.compile(
    r"^\S+\.(?:txt|md|j2|json|jsonl|ya?ml|csv|py|[cm]?js|ts|sh|bash|rb|pl|exe|bat|cmd|ps1)(?::\w+)?$"
)


class Row(NamedTuple):
    """A prompt as a configuration lists it: its source, label and config."""

    source: object
    label: str | None
    config: object


class Chosen(NamedTuple):
    """A prompt of a configuration.

    Attributes:
        source: The file that holds it, or its text, or its list of objects.
        label: What it is called.
        config: Parameters of the call.
        defaults: Values of variables.
    """

    source: Path | str | list[Any]
    label: str | None = None
    config: Mapping[str, Any] = {}
    defaults: Mapping[str, Any] = {}


def is_config(data: object, path: Path) -> bool:
    """Whether plain data are a configuration of promptfoo."""
    if not isinstance(data, dict) or not isinstance(data.get("prompts"), str | list | dict):
        return False
    others = ("providers", "targets", "tests", "defaultTest", "scenarios")
    return path.name.startswith("promptfooconfig") or any(key in data for key in others)


def meant(data: Mapping[str, Any], listed: Sequence[Row], number: int, path: Path) -> Chosen:
    """One prompt of a configuration.

    Args:
        data: The configuration.
        listed: What `rows` gives for it.
        number: The index of the prompt.
        path: The file of the configuration.

    Raises:
        PromptFormatError: It cannot be read.
    """
    source, label, config = listed[number]
    if not isinstance(config, Mapping):
        _refuse(path, f"prompt {number + 1}: 'config' is an object, not {type(config).__name__}")
    return Chosen(_source(source, path, number), label, config, _defaults(data.get("defaultTest"), path))


def choose(labels: Sequence[str | None], choice: str | None, path: Path) -> int:
    """The index of the prompt that is meant.

    Args:
        labels: What the prompts of a file are called.
        choice: A number, counted from 1, or a label; None when there is only one prompt.
        path: The file.

    Raises:
        PromptFormatError: None is meant, or several could be; they are listed.
    """
    listed = ", ".join(f"#{n}{f' ({label:.40})' if label else ''}" for n, label in enumerate(labels[:20], 1))
    if not labels:
        _refuse(path, "there is no prompt in this file")
    if choice is None:
        if len(labels) > 1:
            _refuse(path, f"this file holds {len(labels)} prompts, {listed}; say which, as {path.name}#1")
        return 0
    named = [n for n, label in enumerate(labels) if label == choice]
    named = named or [n for n, label in enumerate(labels) if label and as_in_a_path(label) == as_in_a_path(choice)]
    if len(named) == 1:
        return named[0]
    if choice.isascii() and choice.isdigit() and len(choice) < 9 and 0 < int(choice) <= len(labels):
        return int(choice) - 1
    what = "several prompts are" if named else "no prompt is"
    raise PromptFormatError(path, None, f"{what} called {choice!r:.60} in this file, which holds {listed}")


def rows(data: Mapping[str, Any], path: Path) -> list[Row]:
    """The prompts that a configuration lists.

    Raises:
        PromptFormatError: They are no list, or a label is no text.
    """
    prompts = data["prompts"]
    if isinstance(prompts, str):
        prompts = [prompts]
    if isinstance(prompts, Mapping):
        return [Row(source, _label(label, path), {}) for source, label in prompts.items()]
    if not isinstance(prompts, list):
        _refuse(path, f"'prompts' is a list, not {type(prompts).__name__}")
    return [_row(item, path) for item in prompts]


def _row(item: object, path: Path) -> Row:
    if not isinstance(item, Mapping):
        return Row(item, None, {})
    return Row(item.get("raw") or item.get("id"), _label(item.get("label"), path), item.get("config") or {})


def _label(label: object, path: Path) -> str | None:
    if not isinstance(label, str | None):
        _refuse(path, f"a label is a text, not {type(label).__name__}")
    return label


def _source(source: object, path: Path, number: int) -> Path | str | list[Any]:
    where = f"prompt {number + 1}"
    if isinstance(source, list):
        return source
    if not isinstance(source, str) or not source.strip():
        _refuse(path, f"{where} is {reprlib.repr(source)}, neither a text, a file nor a list of messages")
    if found := _OTHER_SCHEME.match(source):
        _refuse(path, f"{where} comes from {found[0]!r}, which is neither run nor fetched; give its text or its file")
    if source.startswith(_FILE):
        return _file(source.removeprefix(_FILE), path, where)
    if _NO_PATH.search(source) or len(source) > _LONGEST_PATH:
        return source
    if _LIKE_A_FILE.search(source):
        return _file(source, path, where)
    return source


def _file(name: str, path: Path, where: str) -> Path:
    """A file under the folder of a configuration, also after links are followed."""
    if "*" in name or "\0" in name:
        _refuse(path, f"{where}, {name!r:.80}, is a pattern of names; name one file")
    try:
        file = path_inside(path.parent, [name])
        found = not Path(name).is_absolute() and file.is_file()
    except (PromptFormatError, OSError, ValueError):
        _refuse(path, f"{where}, {name!r:.80}, is not under the folder of this file")
    if Path(name).is_absolute():
        _refuse(path, f"{where}, {name!r:.80}, is not under the folder of this file; write its path from there")
    if file.suffix.lower() not in (*TEXT_SUFFIXES, *CHAT_SUFFIXES):
        known = ", ".join((*CHAT_SUFFIXES, *TEXT_SUFFIXES))
        _refuse(path, f"{where}, {name!r:.80}, would have to be run, or is no prompt: the files read are {known}")
    if is_hidden(name) or is_hidden(os.path.relpath(os.path.realpath(file), os.path.realpath(path.parent))):
        _refuse(path, f"{where}, {name!r:.80}, is hidden, and is not read")
    if not found:
        _refuse(path, f"{where}: there is no file {name!r:.80}")
    return file


def _defaults(test: object, path: Path) -> Mapping[str, Any]:
    """The values that every test has."""
    if test is None:
        return {}
    if not isinstance(test, Mapping):
        _refuse(path, "'defaultTest' is a file of its own; write it here, or load the prompt's own file")
    values = test.get("vars") or {}
    if not isinstance(values, Mapping):
        _refuse(path, "'defaultTest.vars' is a file of its own; write it here, or load the prompt's own file")
    return values


def checked_default(name: str, value: Any, path: Path) -> Any:
    """The default of a variable that the prompt uses.

    Raises:
        PromptFormatError: It is a list, from which promptfoo makes several tests, a file, or a template.
    """
    if isinstance(value, list):
        _refuse(path, f"'defaultTest.vars.{name}' is a list, of which each value is a test; write one value")
    if isinstance(value, str) and (value.startswith(_FILE) or "{{" in value or "{%" in value):
        _refuse(path, f"'defaultTest.vars.{name}' is a file or a template; write the value itself")
    return value


def _refuse(path: Path, reason: str) -> NoReturn:
    raise PromptFormatError(path, None, reason)
