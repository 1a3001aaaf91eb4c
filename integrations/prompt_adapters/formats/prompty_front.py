"""The front matter of a prompty.

=============================================================  =========================================================
in the front matter                                            in the prompt
=============================================================  =========================================================
``name``; ``metadata.version``, in Prompty 1 ``version``       name and version
``model: {id: …}`` or ``model: …``; in Prompty 1               the model; ``azure/`` before it where it is one of Azure
``configuration.azure_deployment``, ``name`` or ``model``      or Foundry
``model.options``, with its ``additionalProperties``           parameters; ``maxOutputTokens`` is ``max_tokens`` etc.
``model.parameters`` (Prompty 1)                               parameters
``inputs``, with ``default``; ``sample`` (Prompty 1)           declared variables. ``string`` is text, ``image`` and
                                                               ``audio`` are such, ``file`` is a document, ``thread`` is
                                                               messages; a plain value is a default
``template``: jinja2 or mustache                               the syntax: jinja or mustache
``metadata``, ``description``, ``displayName``, ``outputs``,   metadata, under their names
``tools``, ``authors``, ``tags`` and all other keys
the rest of ``model``, ``inputs`` and ``template``             metadata, under ``prompty``
``base``, ``inputSchema``, ``outputSchema``                    refused: another file, and words of an unfinished version
``api`` completion, embedding, image                           refused: no messages
=============================================================  =========================================================

Where something of Prompty 1 stands beside something of Prompty 2, the file is of Prompty 2.
https://prompty.ai/
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.inline import is_link
from prompt_adapters.formats.prompty_body import Slots
from prompt_adapters.formats.prompty_references import Folder
from prompt_adapters.variables import Variable

TEXTS = ("name", "version", "description", "displayName", "model", "model.id")
NUMBERS = ("model", "outputs", "tools")  # elsewhere, as in defaults, a number stays as it is written
_NUMERIC = frozenset({"integer", "float", "number"})  # kinds of inputs
LEFTOVERS = "prompty"
PLAIN = ("displayName", "description", "outputs", "tools")  # keys of their own that are metadata here
TYPES: Mapping[str, str | None] = {
    "string": "text",
    "image": "image",
    "audio": "audio",
    "file": "document",
    "thread": "messages",
    "any": None,
}
OPTIONS: Mapping[str, str] = {
    "temperature": "temperature",
    "topP": "top_p",
    "topK": "top_k",
    "maxOutputTokens": "max_tokens",
    "stopSequences": "stop",
    "seed": "seed",
    "presencePenalty": "presence_penalty",
    "frequencyPenalty": "frequency_penalty",
    "reasoningEffort": "reasoning_effort",
    "allowMultipleToolCalls": "parallel_tool_calls",
}
MORE_OPTIONS = "additionalProperties"
_AZURE = frozenset({"azure", "foundry", "azure_openai", "azure_openai_beta"})
PREFIX = "azure/"
_MEDIA = frozenset({"image", "audio", "document"})
SYNTAXES: Mapping[str, str] = {"jinja2": "jinja", "mustache": "mustache"}  # by the format of the template
_APIS = frozenset({"completion", "embedding", "image"})
_COUNTS = ("name", "version", "inputs", "sample", "template")  # elsewhere references stay as they are written
_REFUSED = {
    "base": "another file that this one builds on, which is not read; write everything here",
    "inputSchema": "a word of an unfinished version; write 'inputs'",
    "outputSchema": "a word of an unfinished version; write 'outputs'",
}


class Front(NamedTuple):
    """What a front matter says.

    Attributes:
        fields: Fields of the prompt.
        variables: Its inputs.
        syntax: How its templates are written; None when it does not say.
        legacy: Whether it is of Prompty 1.
    """

    fields: dict[str, Any]
    variables: tuple[Variable, ...]
    syntax: str | None
    legacy: bool

    @property
    def slots(self) -> Slots:
        """The inputs that are more than text."""
        kinds = {variable.name: variable.type for variable in self.variables}
        return Slots(
            {variable.name: variable.required is True for variable in self.variables if variable.type == "messages"},
            {name: kind for name, kind in kinds.items() if kind in _MEDIA},
            frozenset(variable.name for variable in self.variables if is_link(variable.default)),
        )

    def with_places(self, pictures: Collection[str], histories: Iterable[str]) -> Front:
        """The same, with what the places in the body tell of variables.

        Args:
            pictures: Variables that are images; of their defaults only links stay.
            histories: Variables that are messages.
        """
        declared = {variable.name: variable for variable in self.variables}
        for name in histories:
            declared[name] = declared.get(name, Variable(name)).replace(type="messages")
        if not pictures:
            return self._replace(variables=tuple(declared.values()))
        left: dict[str, Any] = dict(_mapping(self.fields["metadata"].get(LEFTOVERS), f"metadata.{LEFTOVERS}"))
        inputs = dict(_mapping(left.get("inputs"), f"metadata.{LEFTOVERS}.inputs"))
        for name in pictures:
            variable = declared.get(name, Variable(name)).replace(type="image")
            if variable.has_default and not is_link(variable.default):
                inputs[name] = {"default": variable.default} | inputs.get(name, {})
                variable = variable.replace(default=None)
            declared[name] = variable
        left |= {"inputs": inputs} if inputs else {}
        metadata = self.fields["metadata"] | ({LEFTOVERS: left} if left else {})
        return self._replace(fields=self.fields | {"metadata": metadata}, variables=tuple(declared.values()))


def read_front(data: Mapping[str, Any], folder: Folder) -> Front:
    """What the data of a front matter mean.

    Args:
        data: The front matter.
        folder: Where files that it names are read.

    Raises:
        PromptFormatError: A key is malformed, or has no place in a prompt.
    """
    for key, why in _REFUSED.items():
        if key in data:
            raise _malformed(f"{key!r} is {why}")
    rest = {key: folder.resolved(value, key) if key in _COUNTS else value for key, value in data.items()}
    rest["inputs"] = _listed(rest.get("inputs"))
    legacy = _is_legacy(rest)
    left: dict[str, Any] = {}
    fields: dict[str, Any] = {"name": _text(rest.pop("name", None), "name")}
    fields["model"], fields["parameters"], left["model"] = _model(rest.pop("model", None), folder)
    variables, left["inputs"] = _inputs(rest.pop("inputs", None), rest.pop("sample", None))
    syntax, left["template"] = _template(rest.pop("template", None))
    version = _text(rest.pop("version", None), "version")
    metadata = dict(_mapping(rest.pop("metadata", None), "metadata"))
    if version is None and isinstance(metadata.get("version"), str):
        version = _text(folder.resolved(metadata.pop("version"), "metadata.version"), "metadata.version")
    rest |= {LEFTOVERS: kept} if (kept := {key: value for key, value in left.items() if value}) else {}
    if twice := sorted(rest.keys() & metadata.keys()):
        raise _malformed(f"'metadata' has the key {twice[0]!r}, which the front matter has as well; rename it")
    fields |= {"version": version, "metadata": metadata | rest}
    return Front(fields, variables, syntax, legacy)


def _listed(inputs: Any) -> Any:
    """The inputs without the ``properties`` round their list, which Prompty's own specification also writes."""
    found = inputs.get("properties") if isinstance(inputs, dict) and len(inputs) == 1 else None
    named = isinstance(found, list) and all(isinstance(item, dict) and "name" in item for item in found)
    return found if named else inputs


def _is_legacy(data: Mapping[str, Any]) -> bool:
    """Whether something is in Prompty 1's words, and nothing in Prompty 2's."""
    model, template, inputs = data.get("model"), data.get("template"), data.get("inputs")
    items = inputs if isinstance(inputs, list) else list(inputs.values()) if isinstance(inputs, Mapping) else []
    words = set(model) if isinstance(model, Mapping) else set()
    if words & {"id", "provider", "apiType"} or ("options" in words and "api" not in words):
        return False
    if isinstance(inputs, list):
        return False
    if isinstance(template, Mapping) and "format" in template:
        return False
    if any(isinstance(item, Mapping) and "kind" in item for item in items):
        return False
    old = data.keys() & {"sample", "authors", "tags", "version"} or words & {"api", "configuration", "parameters"}
    return bool(old or items or template is not None)


def _model(value: Any, folder: Folder) -> tuple[str | None, dict[str, Any], dict[str, Any]]:
    """The model, the parameters, and what is left."""
    if isinstance(value, str):
        value = folder.resolved(value, "model")
    model = {"id": value} if isinstance(value, str) else dict(_mapping(value, "model"))
    own = {key: folder.resolved(model.pop(key, None), f"model.{key}") for key in ("id", "options", "parameters")}
    for key in ("api", "apiType"):
        if model.get(key) in _APIS:
            raise _malformed(f"'model.{key}' is {model[key]!r}, which has no messages; a prompt is for chat")
    name = _text(own["id"], "model.id")
    if name is None:
        found = (_old_connection(model).get(key) for key in ("azure_deployment", "name", "model"))
        name = next((text for text in found if isinstance(text, str) and not text.startswith("${")), None)
    if name is not None and _is_azure(model):
        name = f"{PREFIX}{name}"
    parameters = _options(own["options"])
    given = _mapping(own["parameters"], "model.parameters")
    if twice := sorted(given.keys() & parameters.keys()):
        raise _malformed(f"the parameter {twice[0]!r} stands both in 'model.options' and in 'model.parameters'")
    return name, {**parameters, **given}, model


def _old_connection(model: Mapping[str, Any]) -> Mapping[str, Any]:
    """The connection in Prompty 1's words; in Prompty 2 one has a kind, and says nothing of the model."""
    place = model.get("configuration", model.get("connection"))
    return place if isinstance(place, dict) and "kind" not in place else {}


def _is_azure(model: Mapping[str, Any]) -> bool:
    words = (model.get("provider"), _old_connection(model).get("type"))
    return any(isinstance(word, str) and word in _AZURE for word in words)


def model_id(model: str, leftovers: Mapping[str, Any]) -> str:
    """The ``id`` of a model, beside what was left of ``model``."""
    return model.removeprefix(PREFIX) if _is_azure(leftovers) else model


def _options(value: Any) -> dict[str, Any]:
    options = _mapping(value, "model.options")
    own = {OPTIONS.get(key, key): item for key, item in options.items() if key != MORE_OPTIONS and item is not None}
    more = _mapping(options.get(MORE_OPTIONS), f"model.options.{MORE_OPTIONS}")
    if twice := sorted(own.keys() & more.keys()):
        raise _malformed(f"the parameter {twice[0]!r} stands twice in 'model.options'")
    return {**own, **more}


def _inputs(value: Any, sample: Any) -> tuple[tuple[Variable, ...], dict[str, Any]]:
    """The declared variables, and what is left of them by name."""
    samples = dict(_mapping(sample, "sample"))
    found: dict[str, Variable] = {}
    left: dict[str, Any] = {}
    for name, item in [*_items(value)]:
        if name in found:
            raise _malformed(f"the input {name!r} stands twice")
        found[name], rest = _input(name, item, samples.pop(name, None))
        left |= {name: rest} if rest else {}
    for name, default in samples.items():
        found[name], _ = _input(name, {}, default)
    return tuple(found.values()), left


def _items(value: Any) -> list[tuple[str, dict[str, Any]]]:
    """The inputs, from a list or from a mapping of names to plain values or properties."""
    if isinstance(value, Mapping):
        found = [(name, dict(item) if isinstance(item, Mapping) else {"default": item}) for name, item in value.items()]
        return [(name if item.get("name", name) == name else _renamed(name), item) for name, item in found]
    if not isinstance(value, list | None):
        raise _malformed(f"'inputs' are a list or a mapping, not {type(value).__name__}")
    items = []
    for number, item in enumerate(value or (), 1):
        if not isinstance(item, Mapping) or not isinstance(item.get("name"), str) or not item["name"]:
            raise _malformed(f"input {number} has no name")
        items.append((item["name"], dict(item)))
    return items


def _renamed(name: str) -> str:
    raise _malformed(f"the input {name!r} has another name inside; write one")


def _input(name: str, item: dict[str, Any], sample: Any) -> tuple[Variable, dict[str, Any]]:
    """A variable, and what is left of its input."""
    where = f"the input {name!r}"
    item.pop("name", None)
    kind = item.pop("kind", None) or item.pop("type", None)
    if not isinstance(kind, str | None):
        raise _malformed(f"{where}: its kind is a text, not {type(kind).__name__}")
    own = TYPES.get(kind or "any")
    left: dict[str, Any] = {"kind": kind} if kind is not None and kind not in TYPES else {}
    default = item.pop("default", None)
    for known in (item.pop("sample", None), sample):  # of Prompty 1, which fills in what is not given
        if default is None:
            default = known
        elif known is not None and known != default:
            left["sample"] = known
    if kind in _NUMERIC and isinstance(default, str):
        from prompt_adapters.formats.yaml_text import as_number  # PyYAML takes long to import

        default = as_number(default)
    if own in _MEDIA and default is not None and not is_link(default):
        left["default"], default = default, None
    required = item.pop("required", None)
    if not isinstance(required, bool | None):
        raise _malformed(f"{where}: 'required' is true or false, not {required!r:.40}")
    if required and default is not None:
        left["required"], required = True, None
    variable = Variable(
        name,
        required=required,
        default=default,
        type=own,
        description=_text(item.pop("description", None), f"{where}: its description"),
    )
    return variable, left | item


def _template(value: Any) -> tuple[str | None, dict[str, Any]]:
    """How templates are written, and what is left of ``template``."""
    template = {"format": value} if isinstance(value, str) else dict(_mapping(value, "template"))
    given = template.pop("type", None)
    left: dict[str, Any] = {}
    kinds: dict[str, str] = {}
    for key in ("format", "parser"):
        part = template.pop(key, None)
        part = {"kind": part} if isinstance(part, str) else dict(_mapping(part, f"template.{key}"))
        kinds[key] = _text(part.pop("kind", None), f"template.{key}.kind") or ""
        left |= {key: part} if part else {}
    kind = kinds["format"] or _text(given, "template.type") or ""
    if kind not in (*SYNTAXES, "", "*"):
        raise _malformed(f"the template format {kind!r} is not known; the formats are jinja2 and mustache")
    if kinds["parser"] not in ("prompty", "prompty.chat", "", "*"):
        raise _malformed(f"the parser {kinds['parser']!r} is not known; it is prompty")
    return SYNTAXES.get(kind), left | template


def _text(value: Any, what: str) -> str | None:
    if isinstance(value, str | None):
        return value
    raise _malformed(f"{what!r} is a text, not {type(value).__name__}; put quotes round it")


def _mapping(value: Any, what: str) -> Mapping[str, Any]:
    if value is None:
        return {}
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return value
    raise _malformed(f"{what!r} is a mapping of names to values, not {type(value).__name__}")


def _malformed(reason: str) -> PromptFormatError:
    return PromptFormatError(None, None, reason)
