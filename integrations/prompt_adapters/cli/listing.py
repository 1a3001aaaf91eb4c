"""What there is: the variables of a prompt, and the wire shapes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from inspect import getdoc

from prompt_adapters.adapters import PROMPT_ADAPTER_REGISTRY
from prompt_adapters.formats import load_prompt
from prompt_adapters.variables import Variable


def variables_as_text(path: str, format_: str | None = None) -> str:
    """One line a variable: name, whether it must be given, type, description."""
    variables = load_prompt(path, format_).variables
    if not variables:
        return "the prompt has no variables\n"
    return _table((v.name, _need(v), v.type or "", v.description or "") for v in variables)


def variables_as_json(path: str, format_: str | None = None) -> str:
    """The variables as a JSON list of objects."""
    data = [variable.to_data() for variable in load_prompt(path, format_).variables]
    return f"{json.dumps(data, ensure_ascii=True, indent=2)}\n"


def _need(variable: Variable) -> str:
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
    """Rows as aligned columns."""
    lines = list(rows)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() + "\n" for line in lines
    )
