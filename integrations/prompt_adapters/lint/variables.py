"""Variables that are declared and not used, or used and not declared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from prompt_adapters.lint.rules import Fault
from prompt_adapters.lint.texts import PlacedText
from prompt_adapters.prompt import History, Prompt, Turn
from prompt_adapters.variables import Variable

_FEW = 200  # variables, among which looking for names that are alike takes no time


def undeclared_variables(prompt: Prompt, _: Iterable[PlacedText]) -> Iterator[Fault]:
    """Variables that the declarations lack, in a prompt that declares its variables; a history declares itself."""
    placed = _placed(prompt)
    if not any(_declares(variable, placed) for variable in prompt.declared):
        return
    declared = [variable.name for variable in prompt.declared]
    known = {*declared, *(entry.name for entry in prompt.messages if isinstance(entry, History))}
    unused = sorted(set(declared) - _used(prompt))
    few = len(prompt.variables) <= _FEW
    for variable in prompt.variables:
        if variable.name not in known:
            close = get_close_matches(variable.name, [*unused, *declared], 1) if few else ()
            meant = f"; did you mean {close[0]!r}?" if close else ""
            yield Fault("undeclared-variable", f"the variable {variable.name!r} is used, but not declared{meant}")


def _declares(variable: Variable, placed: set[str]) -> bool:
    """Whether a declaration is of what callers have to give, which makes it one of a list that should be whole.

    A default says only what is filled in, wherever it is from (LangChain's partial values, ``defaultTest`` of
    promptfoo, ``default`` of dotprompt, ``sample`` and fixed media of Prompty), and ``required: false`` only what may
    be left out: others are not lacking because one has such. The place of a medium or of a history says itself what
    goes there, so formats declare it by its place.
    """
    return not (variable.has_default or variable.required is False or variable.name in placed)


def _placed(prompt: Prompt) -> set[str]:
    """The variables that have a place of their own among the blocks or the messages."""
    names = {entry.name for entry in prompt.messages if isinstance(entry, History)}
    turns = (entry for entry in prompt.messages if isinstance(entry, Turn))
    return names | {block.variable for turn in turns for block in turn.blocks if block.variable is not None}


def unused_variables(prompt: Prompt, _: Iterable[PlacedText]) -> Iterator[Fault]:
    """Variables that no template uses."""
    used = _used(prompt) if prompt.declared else ()
    for variable in prompt.declared:
        if variable.name not in used:
            yield Fault("unused-variable", f"the variable {variable.name!r} is declared, but no template uses it")


def _used(prompt: Prompt) -> set[str]:
    return {variable.name for variable in prompt.replace(variables=None).variables}
