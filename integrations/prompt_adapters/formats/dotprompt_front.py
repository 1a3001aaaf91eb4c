"""The front matter of a dotprompt file.

====================================================  ==================================================================
in the front matter                                   in the prompt
====================================================  ==================================================================
``model``, ``name``, ``version``                      the fields of these names
``config: {temperature, maxOutputTokens, …}``         parameters; ``maxOutputTokens``, ``topP``, ``topK`` and
                                                      ``stopSequences`` are ``max_tokens``, ``top_p``, ``top_k`` and
                                                      ``stop``
``input.schema``, ``input.default``                   declared variables; see `picoschema`. A schema that says more than
                                                      these can stays as ``input.schema`` in the metadata
``my.namespace.key: 1``                               ``{"ext": {"my.namespace": {"key": 1}}}`` in the metadata
``output``, ``tools``, ``description``, other keys    metadata
====================================================  ==================================================================

https://google.github.io/dotprompt/reference/frontmatter/
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.picoschema import read_variables, write_schema
from prompt_adapters.prompt import Prompt
from prompt_adapters.templates.scan import line_of
from prompt_adapters.variables import Variable

if TYPE_CHECKING:
    from prompt_adapters.formats.yaml_text import YamlText

FIELDS = ("name", "model", "version")
RESERVED = frozenset({*FIELDS, "config", "input", "ext"})
# Words that only this format has there.
OWN_WORDS: Mapping[str, type] = {"config": dict, "input": dict, "output": dict, "tools": list, "toolDefs": list}
PARAMETERS: Mapping[str, str] = {
    "maxOutputTokens": "max_tokens",
    "topP": "top_p",
    "topK": "top_k",
    "stopSequences": "stop",
}

_FENCE = re.compile(r"---[ \t]*\Z")
_LINES = re.compile(r"([^\r\n]*)(\r\n|\r|\n|\Z)")


class Parts(NamedTuple):
    """A file in two.

    Attributes:
        data: The front matter.
        body: The template, without blanks round it where there is a front matter.
        line: The line on which the body begins.
        yaml: The front matter with its lines; None where there is none.
    """

    data: dict[str, Any]
    body: str
    line: int
    yaml: YamlText | None = None

    def line_of(self, *place: str) -> int | None:
        """The line on which something of the front matter stands."""
        return None if self.yaml is None else self.yaml.line(*place)


class _FaultError(ValueError):
    """Something in a front matter that is not what it is for.

    Attributes:
        reason: What is wrong.
        place: The keys that lead to it.
    """

    def __init__(self, reason: str, *place: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.place = place


class Front(NamedTuple):
    """What a front matter says.

    Attributes:
        fields: Model, name and version.
        parameters: The parameters.
        metadata: Everything else.
        schema: The input schema, as it is written; None for none.
        defaults: Default values by name.
    """

    fields: dict[str, Any]
    parameters: dict[str, Any]
    metadata: dict[str, Any]
    schema: Any
    defaults: dict[str, Any]


def split(text: str, path: str | Path | None) -> Parts:
    """The front matter, if there is one, and the body.

    Only blank lines and comments (``# …``) may stand before the line ``---`` that opens it.

    Raises:
        PromptFormatError: It is not closed, or not a YAML mapping; the line is named.
    """
    opening = closing = None
    position = 0
    while opening is None or closing is None:
        found = _LINES.match(text, position)
        assert found is not None, "every text begins with a line, if an empty one"  # noqa: S101
        if _FENCE.match(found[1]):
            opening, closing = (found, None) if opening is None else (opening, found)
        elif opening is None and found[1].strip() and not found[1].startswith("#"):
            return Parts({}, text, 1)
        if not found[2]:
            break
        position = found.end()
    if opening is None:
        return Parts({}, text, 1)
    if closing is None:
        line = line_of(text, opening.start())
        raise PromptFormatError(path, line, "the front matter that '---' opens here is not closed by a line '---'")
    from prompt_adapters.formats.yaml_text import parse_yaml_mapping  # PyYAML takes long to import

    first = line_of(text, opening.end())
    yaml = parse_yaml_mapping(text[opening.end() : closing.start()], path, first, texts=FIELDS)
    body = text[closing.end() :]
    blanks = len(body) - len(body.lstrip())
    return Parts(yaml.data, body.strip(), line_of(text, closing.end() + blanks), yaml)


def read(parts: Parts) -> Front:
    """What a front matter says.

    Raises:
        PromptFormatError: A key holds something else than it is for; its line is named.
    """
    try:
        return _read(parts.data)
    except _FaultError as fault:
        raise PromptFormatError(None, parts.line_of(*fault.place), fault.reason) from None


def _read(data: Mapping[str, Any]) -> Front:
    fields = {key: _text(data, key) for key in FIELDS if data.get(key) is not None}
    given = dict(_mapping(data, "input"))
    schema, defaults = given.pop("schema", None) or None, given.pop("default", None) or {}
    if not isinstance(defaults, Mapping):
        reason = f"'input.default' is a mapping of names to values, not {type(defaults).__name__}"
        raise _FaultError(reason, "input", "default")
    metadata = {key: value for key, value in data.items() if key not in RESERVED and "." not in key}
    metadata |= {"ext": ext} if (ext := _extensions(data)) else {}
    metadata |= {"input": given} if given else {}
    return Front(fields, _parameters(_mapping(data, "config")), metadata, schema, dict(defaults))


def _mapping(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = data.get(key)
    if isinstance(value, Mapping | None):
        return value or {}
    raise _FaultError(f"{key!r} is a mapping of names to values, not {type(value).__name__}", key)


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data[key]
    if isinstance(value, str):
        return value
    raise _FaultError(f"{key!r} is a text, not {type(value).__name__}", key)


def _parameters(config: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in config.items():
        name = PARAMETERS.get(key, key)
        if name in found:
            raise _FaultError(f"'config' has {name!r} in two spellings", "config", key)
        found[name] = value
    return found


def _extensions(data: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The keys with dots, by their namespaces."""
    found: dict[str, dict[str, Any]] = {}
    for space, fields in _mapping(data, "ext").items():
        if not isinstance(fields, Mapping):
            reason = f"'ext.{space}' is a mapping of names to values, not {type(fields).__name__}"
            raise _FaultError(reason, "ext", space)
        found |= {space: dict(fields)} if fields else {}
    for key, value in data.items():
        space, dot, name = key.rpartition(".")
        if not dot or key in RESERVED:
            continue
        fields = found.setdefault(space, {})
        if name in fields:
            raise _FaultError(f"{key!r} stands twice", key)
        fields[name] = value
    return found


# Variables


def declared(schema: Any, defaults: Mapping[str, Any], optional: Collection[str]) -> tuple[Variable, ...]:
    """The variables that a file declares.

    Args:
        schema: Its input schema.
        defaults: Its defaults.
        optional: Variables that its template can do without.

    Raises:
        PromptFormatError: The schema is none.
    """
    found = {variable.name: variable for variable in read_variables(schema, defaults)}
    for name in sorted(optional):
        variable = found.get(name, Variable(name))
        found[name] = variable if variable.has_default else variable.replace(required=False)
    return tuple(found.values())


def defaults_of(variables: Collection[Variable]) -> dict[str, Any]:
    """The default values of variables."""
    return {variable.name: variable.default for variable in variables if variable.has_default}


def own_schema(schema: Any, variables: tuple[Variable, ...]) -> Any:
    """A file's schema where the variables do not say all of it; None where they do."""
    return None if schema is None or _same(schema, write_schema(variables)) else schema


def _same(first: Any, second: Any) -> bool:
    """Whether plain data are equal, the order of their keys included, as it is the order of the variables."""
    return json.dumps(first) == json.dumps(second)


# Writing


def front_matter(prompt: Prompt) -> dict[str, Any]:
    """The front matter that says what a prompt holds beside its messages."""
    names = {own: name for name, own in PARAMETERS.items()}
    metadata = prompt.metadata
    given = metadata.pop("input", {})
    extensions = metadata.pop("ext", {})
    data: dict[str, Any] = {key: value for key in FIELDS if (value := getattr(prompt, key)) is not None}
    config = {names.get(key, key): value for key, value in prompt.parameters.items()}
    data |= {"config": config} if config else {}
    schema = given.pop("schema", None) or write_schema(prompt.declared)
    given = {**({"schema": schema} if schema else {}), **given}
    given |= {"default": defaults} if (defaults := defaults_of(prompt.declared)) else {}
    data |= {"input": given} if given else {}
    data |= metadata
    return data | {f"{space}.{name}": value for space, fields in extensions.items() for name, value in fields.items()}
