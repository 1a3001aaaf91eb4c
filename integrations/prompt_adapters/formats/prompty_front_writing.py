"""The front matter of a prompty, written in the words of version 2; see `prompty_front`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prompt_adapters.errors import PromptAdapterError
from prompt_adapters.formats.holding import Holding
from prompt_adapters.formats.prompty_front import (
    LEFTOVERS,
    MORE_OPTIONS,
    OPTIONS,
    PLAIN,
    SYNTAXES,
    TYPES,
    model_id,
    read_front,
)
from prompt_adapters.formats.prompty_references import Folder, has_reference
from prompt_adapters.prompt import Prompt
from prompt_adapters.variables import Variable

_KINDS = {own: word for word, own in TYPES.items()}
_FORMATS = {syntax: word for word, syntax in SYNTAXES.items()}


def front_data(prompt: Prompt, inputs: list[Variable], holding: Holding) -> dict[str, Any]:
    """The data of the front matter.

    Args:
        prompt: The prompt.
        inputs: Its inputs, each with the type that it has in a prompty.
        holding: Where the syntax is told, and what is lost is put.
    """
    prompt, inputs = _without_references(prompt, inputs, holding)
    metadata = prompt.metadata
    if isinstance(metadata.get("version"), str) or (prompt.version is not None and "version" in metadata):
        lost = metadata.pop("version")
        holding.losses.append(f"the metadata 'version', {lost!r:.40}, since the prompt's version stands there")
    left = metadata.get(LEFTOVERS)
    data = _with_leftovers(prompt, inputs, left if isinstance(left, Mapping) else {}, holding.syntax)
    if left is not None and _reads_back(data, prompt, inputs, left):
        metadata.pop(LEFTOVERS)
    else:
        data = _with_leftovers(prompt, inputs, {}, holding.syntax)
    own = {key: metadata.pop(key) for key in PLAIN if _is_own(key, metadata.get(key))}
    version: dict[str, Any] = {} if prompt.version is None else {"version": prompt.version}
    rest = version | metadata
    first: dict[str, Any] = {
        "name": prompt.name,
        **{key: own.pop(key) for key in ("displayName", "description") if key in own},
    }
    found: dict[str, Any] = {**first, "metadata": rest or None, **data, **own}
    template = found.pop("template")
    return {key: value for key, value in found.items() if value is not None} | {"template": template}


def _without_references(prompt: Prompt, inputs: list[Variable], holding: Holding) -> tuple[Prompt, list[Variable]]:
    """The same, without texts that would be read as the names of files or of the environment."""
    word = "which would name something to be read"
    fields = [name for name in ("name", "version", "model") if has_reference(getattr(prompt, name))]
    holding.losses += [f"the {name} {getattr(prompt, name)!r}, {word}" for name in fields]
    parameters = prompt.parameters
    named = [key for key, value in parameters.items() if has_reference(value)]
    holding.losses += [f"the parameter {key!r}, {word}" for key in named]
    kept = {key: value for key, value in parameters.items() if key not in named}
    made = []
    for variable in inputs:
        lost = [key for key in ("default", "description") if has_reference(getattr(variable, key))]
        holding.losses += [f"variable {variable.name!r}: its {key}, {word}" for key in lost]
        made.append(variable.replace(**dict.fromkeys(lost)) if lost else variable)
    nothing: dict[str, Any] = dict.fromkeys(fields)
    return prompt.replace(parameters=kept, **nothing), made


def _is_own(key: str, value: Any) -> bool:
    return isinstance(value, str) if key in ("displayName", "description") else isinstance(value, list | dict)


def _with_leftovers(prompt: Prompt, inputs: list[Variable], left: Mapping[str, Any], syntax: str) -> dict[str, Any]:
    """The keys of the front matter to which leftovers belong."""
    parts = {key: value if isinstance(value := left.get(key), dict) else {} for key in ("model", "inputs", "template")}
    model = {"id": None if prompt.model is None else model_id(prompt.model, parts["model"]), **parts["model"]}
    model["options"] = _options(prompt.parameters) or None
    template = {"format": {"kind": _FORMATS[syntax]}, "parser": {"kind": "prompty"}}
    for key, value in parts["template"].items():
        template[key] = {**template[key], **value} if key in template and isinstance(value, dict) else value
    return {
        "model": {key: value for key, value in model.items() if value is not None} or None,
        "inputs": [_property(variable, parts["inputs"].get(variable.name)) for variable in inputs] or None,
        "template": template,
    }


def _options(parameters: Mapping[str, Any]) -> dict[str, Any]:
    words = {own: word for word, own in OPTIONS.items()}
    options = {words[key]: value for key, value in parameters.items() if key in words and value is not None}
    more = {key: value for key, value in parameters.items() if key not in words or value is None}
    return options | ({MORE_OPTIONS: more} if more else {})


def _property(variable: Variable, left: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"name": variable.name, "kind": _KINDS[variable.type]}
    found |= {"description": variable.description, "required": variable.required, "default": variable.default}
    return {key: value for key, value in found.items() if value is not None} | (left if isinstance(left, dict) else {})


def _reads_back(data: Mapping[str, Any], prompt: Prompt, inputs: list[Variable], left: Any) -> bool:
    """Whether leftovers in their old places are read back as they are, and change nothing else."""
    try:
        front = read_front({key: value for key, value in data.items() if value is not None}, Folder(None))
    except PromptAdapterError:
        return False
    same = front.variables == tuple(inputs) and front.fields["model"] == prompt.model and not front.legacy
    return same and front.fields["parameters"] == prompt.parameters and front.fields["metadata"] == {LEFTOVERS: left}
