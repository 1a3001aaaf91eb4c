"""What there is: the variables of a prompt, the prompts below a folder, and the wire shapes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from inspect import getdoc
from typing import NamedTuple

from prompt_adapters.adapters import PROMPT_ADAPTER_REGISTRY
from prompt_adapters.cli.sentences import sentence, shown, visible
from prompt_adapters.formats import format_of, load_prompt
from prompt_adapters.formats.folders import iter_prompts
from prompt_adapters.prompt import Prompt
from prompt_adapters.variables import Variable


def variables_as_text(path: str, format_: str | None = None, syntax: str | None = None) -> str:
    """One line a variable: name, whether it must be given, type, description."""
    variables = load_prompt(path, format_, syntax).variables
    if not variables:
        return "the prompt has no variables\n"
    return _table((v.name, need(v), v.type or "", v.description or "") for v in variables)


def variables_as_json(path: str, format_: str | None = None, syntax: str | None = None) -> str:
    """The variables as a JSON list of objects."""
    data = [variable.to_data() for variable in load_prompt(path, format_, syntax).variables]
    return f"{json.dumps(data, ensure_ascii=True, indent=2)}\n"


def need(variable: Variable) -> str:
    """Whether a variable must be given, in words."""
    if variable.default is not None:
        return f"default {json.dumps(variable.default, ensure_ascii=False)}"
    return "required" if variable.required else "optional"


def adapters_as_text() -> str:
    """One line a wire shape: its key, its class, what it is for."""
    rows = []
    for key in PROMPT_ADAPTER_REGISTRY:
        cls = PROMPT_ADAPTER_REGISTRY.get(key)
        rows.append((key, cls.__name__, (getdoc(cls) or "").partition("\n")[0].replace("``", "")))
    return _table(rows)


def _table(rows: Iterable[tuple[str, ...]]) -> str:
    return "".join(f"{line}\n" for line in columns(rows))


def columns(rows: Iterable[tuple[str, ...]], *, indent: str = "") -> Iterator[str]:
    """Rows as lines with aligned columns."""
    lines = list(rows)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        yield indent + "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()


class Listed(NamedTuple):
    """A prompt below a folder, or what is wrong with it.

    Attributes:
        path: Where it is.
        format: Its format.
        name: Its name; None when it has none.
        variables: How many variables it has.
        error: Why it cannot be read, in which case nothing else is known.
    """

    path: str
    format: str | None = None
    name: str | None = None
    variables: int | None = None
    error: str | None = None

    def as_text(self) -> str:
        """One line, with tabs between path, format, name and the number of variables."""
        name = "-" if self.name is None else shown(self.name)
        return "\t".join((visible(self.path), self.format or "", name, str(self.variables)))

    def as_json(self) -> str:
        """One line, a JSON object."""
        return json.dumps({key: value for key, value in self._asdict().items() if value is not None})


def prompts_below(root: str) -> Iterator[Listed]:
    """The prompts below a folder, one after another.

    Raises:
        PromptNotFoundError: (a ``FileNotFoundError``) There is nothing at this path.
    """
    for path, found in iter_prompts(root):
        if isinstance(found, Prompt):
            yield Listed(os.fspath(path), format_of(path), found.name, len(found.variables))
        else:
            yield Listed(os.fspath(path), error=sentence(found))
