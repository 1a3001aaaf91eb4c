"""Variables that are declared and not used, or used and not declared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from prompt_adapters.lint.rules import Fault
from prompt_adapters.lint.texts import PlacedText
from prompt_adapters.prompt import History, Prompt

_FEW = 200  # variables, among which looking for names that are alike takes no time


def undeclared_variables(prompt: Prompt, _: Iterable[PlacedText]) -> Iterator[Fault]:
    """Variables that the declarations lack, in a prompt that declares some; a history declares itself."""
    declared = [variable.name for variable in prompt.declared]
    if not declared:
        return
    known = {*declared, *(entry.name for entry in prompt.messages if isinstance(entry, History))}
    unused = sorted(set(declared) - _used(prompt))
    few = len(prompt.variables) <= _FEW
    for variable in prompt.variables:
        if variable.name not in known:
            close = get_close_matches(variable.name, [*unused, *declared], 1) if few else ()
            meant = f"; did you mean {close[0]!r}?" if close else ""
            yield Fault("undeclared-variable", f"the variable {variable.name!r} is used, but not declared{meant}")


def unused_variables(prompt: Prompt, _: Iterable[PlacedText]) -> Iterator[Fault]:
    """Variables that no template uses."""
    used = _used(prompt) if prompt.declared else ()
    for variable in prompt.declared:
        if variable.name not in used:
            yield Fault("unused-variable", f"the variable {variable.name!r} is declared, but no template uses it")


def _used(prompt: Prompt) -> set[str]:
    return {variable.name for variable in prompt.replace(variables=None).variables}
