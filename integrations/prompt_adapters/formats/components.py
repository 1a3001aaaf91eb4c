"""A prompt as the standardized format's dictionary, and back.

    prompt                                      dictionary
    ------------------------------------------  ---------------------------------------------------------------------
    the leading system turns                    ``system_prompt_component``, always there, with its template
    the last user turn                          ``user_prompt_component``, where there is one
    variables                                   ``variables`` of the component that uses them: declared ones first, then
                                                those found in the template; what neither uses is the user's
    few-shot examples                           ``few_shot``, with ``input`` and ``output`` as text
    everything that has no word there           ``prompt_adapters``, the one extension key, present only when needed:
      a syntax other than ``plain``               ``syntax``
      model, parameters, name, version, metadata  the same
      declarations that a list of names loses     ``variables``
      other turns, block lists, histories, media  ``messages``: all of them; the templates above are for reading then
      parts in examples                           ``few_shot``: all of it; the texts above are for reading then
      what was there for reading                  ``digests``, so that an edit of it is noticed

Reading also takes ``user_prompt`` and ``system_prompt`` for the components' keys.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from prompt_adapters.content.message import Message
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.files import errors_named
from prompt_adapters.formats.readable import (
    digest,
    plain_examples,
    plain_turns,
    shown_system,
    shown_user,
    system_entries,
    user_entries,
)
from prompt_adapters.prompt import Prompt
from prompt_adapters.templates import compile_template
from prompt_adapters.turns import Turn

USER = "user_prompt_component"
SYSTEM = "system_prompt_component"
FEW_SHOT = "few_shot"
EXTENSION = "prompt_adapters"
DIGESTS = "digests"
SHORT_KEYS: Mapping[str, str] = {USER: "user_prompt", SYSTEM: "system_prompt"}
DEFAULT_SYNTAX = "plain"

_AS_IN_PROMPT = ("model", "parameters", "name", "version", "metadata")
_EXTENSION_KEYS = {"syntax", "messages", "few_shot", "variables", DIGESTS, *_AS_IN_PROMPT}


# Prompt to dictionary


def standardized_dict(prompt: Prompt, *, extension: bool = True) -> dict[str, Any]:
    """A prompt as the standardized format's dictionary.

    Args:
        prompt: The prompt.
        extension: Whether what the format has no word for goes along under the extension key; without it the
            dictionary is exactly the documented one, and may not be the whole prompt.
    """
    system, user = shown_system(prompt), shown_user(prompt)
    used_by_system = _used(system_entries(prompt), prompt.syntax)
    used_by_user = _used(user_entries(prompt)[-1:], prompt.syntax)
    declared = [variable.name for variable in prompt.declared]
    others = [variable.name for variable in prompt.variables if variable.name not in used_by_system]
    ours = [name for name in declared if name in used_by_user or name in others]
    data: dict[str, Any] = {}
    if user is not None:
        data[USER] = component(user, [*ours, *used_by_user, *others])
    data[SYSTEM] = component(system or "", [*(name for name in declared if name in used_by_system), *used_by_system])
    if prompt.few_shot is not None:
        data[FEW_SHOT] = plain_examples(prompt.few_shot).to_data()
    if extension and (extras := _extension(prompt, data)):
        data[EXTENSION] = extras
    return data


def component(template: str, variables: Iterable[str]) -> dict[str, Any]:
    """One component: its variables, each once, its template, and what the template is written in."""
    return {"variables": list(dict.fromkeys(variables)), "template": template, "metadata": {"format": "text"}}


def _used(entries: Iterable[Turn | Message], syntax: str) -> list[str]:
    return list(dict.fromkeys(slot.name for e in entries if isinstance(e, Turn) for slot in e.slots(syntax)))


def _extension(prompt: Prompt, data: Mapping[str, Any]) -> dict[str, Any]:
    whole = prompt.to_json()
    extras = {"syntax": prompt.syntax} if prompt.syntax != DEFAULT_SYNTAX else {}
    extras |= {key: whole[key] for key in _AS_IN_PROMPT if key in whole}
    digests: dict[str, str] = {}
    if prompt.messages != plain_turns(shown_system(prompt), shown_user(prompt)):
        extras["messages"] = whole["messages"]
        digests |= {key: digest(data[key]["template"]) for key in (USER, SYSTEM) if key in data}
    if [variable.to_data() for variable in prompt.declared] != _declarations(data, extras, prompt.syntax):
        extras["variables"] = whole.get("variables", [])
    if prompt.few_shot is not None and prompt.few_shot != plain_examples(prompt.few_shot):
        extras["few_shot"] = whole["few_shot"]
        digests[FEW_SHOT] = _few_shot_digest(data)
    return extras | ({DIGESTS: digests} if digests else {})


def _declarations(data: Mapping[str, Any], extras: Mapping[str, Any], syntax: str) -> list[Any]:
    """The declared variables that a dictionary means."""
    if "variables" in extras:
        return list(extras["variables"])
    if "messages" in extras:
        return []
    names = [name for key in (SYSTEM, USER) if key in data for name in _declared_names(data[key], syntax)]
    return [{"name": name} for name in dict.fromkeys(names)]


def _declared_names(part: Mapping[str, Any], syntax: str) -> list[str]:
    """The shortest beginning of a component's list that must have been declared: the template itself gives the rest."""
    listed = list(dict.fromkeys(part["variables"]))
    found = list(dict.fromkeys(slot.name for slot in compile_template(part["template"], syntax).variables))
    for count in range(len(listed)):
        declared = set(listed[:count])
        if listed[count:] == [name for name in found if name not in declared]:
            return listed[:count]
    return listed


def _few_shot_digest(data: Mapping[str, Any]) -> str:
    return digest(json.dumps(data.get(FEW_SHOT), sort_keys=True))


# Dictionary to prompt


def read_standardized(data: object, path: Path, syntax: str | None = None) -> Prompt:
    """The prompt that a standardized dictionary means.

    Args:
        data: The dictionary, as plain JSON data.
        path: The file that it comes from, for errors.
        syntax: The placeholder syntax, where the dictionary does not say; None for ``plain``.

    Raises:
        PromptFormatError: It is not such a dictionary; the key is named.
    """
    components = _components(data, path)
    extras = components.get(EXTENSION, {})
    syntax = extras.get("syntax", syntax or DEFAULT_SYNTAX)
    with errors_named(path):
        if "messages" in extras:
            _refuse_edits(components, extras, path)
            messages = extras["messages"]
        else:
            messages = _messages(components, syntax, path)
        whole = {key: extras[key] for key in _AS_IN_PROMPT if key in extras}
        whole |= {"messages": messages, "syntax": syntax, "variables": _declarations(components, extras, syntax)}
        if FEW_SHOT in extras:
            _refuse_few_shot_edit(components, extras, path)
            whole[FEW_SHOT] = extras[FEW_SHOT]
        elif FEW_SHOT in components:
            whole[FEW_SHOT] = components[FEW_SHOT]
        return Prompt.from_json(whole)


def _components(data: object, path: Path) -> dict[str, Any]:
    """The dictionary under its documented keys, its components checked."""
    if not isinstance(data, Mapping):
        raise PromptFormatError(path, None, f"the standardized format is an object, not {type(data).__name__}")
    found = dict(data)
    for key, short in SHORT_KEYS.items():
        if key in found and short in found:
            raise PromptFormatError(path, None, f"{key!r} and {short!r} mean the same; keep one of them")
        if short in found:
            found[key] = found.pop(short)
        if key in found:
            found[key] = _component(found[key], key, path)
    _refuse_unknown(found, {USER, SYSTEM, FEW_SHOT, EXTENSION}, "the prompt", path)
    extras = found.get(EXTENSION, {})
    if not isinstance(extras, Mapping) or not isinstance(extras.get(DIGESTS, {}), Mapping):
        raise PromptFormatError(path, None, f"{EXTENSION!r} and its {DIGESTS!r} are objects")
    _refuse_unknown(extras, _EXTENSION_KEYS, EXTENSION, path)
    for key in ("messages", "variables"):
        if not isinstance(extras.get(key, []), list):
            raise PromptFormatError(path, None, f"{EXTENSION}: {key!r} is a list")
    return found


def _component(data: object, key: str, path: Path) -> dict[str, Any]:
    if not isinstance(data, Mapping) or not isinstance(data.get("template"), str):
        raise PromptFormatError(path, None, f"{key} needs 'template', a text")
    _refuse_unknown(data, {"variables", "template", "metadata"}, key, path)
    variables = data.get("variables", [])
    if not isinstance(variables, list) or not all(isinstance(name, str) and name for name in variables):
        raise PromptFormatError(path, None, f"{key}: 'variables' is a list of names")
    if data.get("metadata", {}) not in ({}, {"format": "text"}):
        raise PromptFormatError(path, None, f"{key}: the only 'metadata' known is {{'format': 'text'}}")
    return component(data["template"], variables)


def _refuse_unknown(data: Mapping[str, Any], known: set[str], what: str, path: Path) -> None:
    if unknown := sorted(data.keys() - known):
        raise PromptFormatError(path, None, f"{what} has the unknown key {unknown[0]!r}")


def _messages(components: Mapping[str, Any], syntax: str, path: Path) -> list[dict[str, Any]]:
    texts = {key: components[key]["template"] for key in (SYSTEM, USER) if key in components}
    for key, text in texts.items():
        with errors_named(path, f"{key}.template"):
            compile_template(text, syntax)
    return [turn.to_data() for turn in plain_turns(texts.get(SYSTEM), texts.get(USER))]


def _refuse_edits(components: Mapping[str, Any], extras: Mapping[str, Any], path: Path) -> None:
    """The templates beside ``messages`` are for reading, so an edit of one of them would be lost."""
    for key in (USER, SYSTEM):
        known = extras.get(DIGESTS, {}).get(key)
        found = digest(components[key]["template"]) if key in components else None
        if known != found:
            raise PromptFormatError(
                path,
                None,
                f"{key}.template was edited, but this prompt is written in {EXTENSION}.messages: edit it there, "
                f"or remove {EXTENSION}.messages if the templates are the prompt",
            )


def _refuse_few_shot_edit(components: Mapping[str, Any], extras: Mapping[str, Any], path: Path) -> None:
    if extras.get(DIGESTS, {}).get(FEW_SHOT) != _few_shot_digest(components):
        raise PromptFormatError(
            path,
            None,
            f"{FEW_SHOT} was edited, but these examples are written in {EXTENSION}.{FEW_SHOT}: edit them there, "
            f"or remove {EXTENSION}.{FEW_SHOT} if the texts are the examples",
        )
