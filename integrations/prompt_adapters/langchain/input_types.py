"""The types that people give variables: LangChain's ``input_types``, which its own dumps lose.

``Image``, ``Audio``, ``Video`` and ``Document``, and lists of them, become the types of the prompts' variables, so they
stay with the prompts. Python's plain types are kept by name. Any other type lasts as long as the object, as in
LangChain.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args, get_origin

from prompt_adapters.content.parts import MEDIA_PARTS
from prompt_adapters.prompt import Prompt, Variable

_PLAIN: Mapping[str, type] = {cls.__name__: cls for cls in (str, int, float, bool, list, dict)}
_KINDS: Mapping[Any, str] = {cls: kind for kind, cls in MEDIA_PARTS.items()}


def type_named(given: Any) -> Any:
    """A type from what a dump keeps of it; every other value is left as it is."""
    return _PLAIN.get(given, given) if isinstance(given, str) else given


def names_of_types(types: Mapping[str, Any]) -> dict[str, str]:
    """What a dump keeps of types: the plain ones."""
    names = {cls: name for name, cls in _PLAIN.items()}
    return {name: names[cls] for name, cls in types.items() if isinstance(cls, type) and cls in names}


def with_types(prompts: tuple[Prompt, ...], types: Mapping[str, Any]) -> tuple[Prompt, ...]:
    """The prompts, with those of the types that are media as the types of their variables."""
    kinds = {name: kind for name, given in types.items() if (kind := _kind(given)) is not None}
    return tuple(_typed(prompt, kinds) for prompt in prompts) if kinds else prompts


def _kind(given: Any) -> str | None:
    if get_origin(given) is list:
        given = next(iter(get_args(given)), None)
    return _KINDS.get(given) if isinstance(given, type) else None


def _typed(prompt: Prompt, kinds: Mapping[str, str]) -> Prompt:
    if not any(v.name in kinds and v.type is None for v in prompt.variables):
        return prompt
    declared = {variable.name: variable for variable in prompt.declared}
    # All of them are declared, since declared ones come first and the order is to stay.
    variables = [declared.get(v.name, Variable(v.name)) for v in prompt.variables]
    return prompt.replace(
        variables=[v.replace(type=kinds[v.name]) if v.name in kinds and v.type is None else v for v in variables]
    )
