"""The objects of a dump of LangChain as a prompt; which classes are read, and how, tells `langchain`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple

from prompt_adapters.content.message import ROLES, Message
from prompt_adapters.content.read import ROLE_ALIASES, read_message
from prompt_adapters.errors import TemplateError
from prompt_adapters.formats.holding import Holding
from prompt_adapters.formats.langchain_objects import Dumped, only, opened, plain, refused
from prompt_adapters.partial_values import Partials
from prompt_adapters.prompt import Prompt
from prompt_adapters.templates.formats import syntax_of
from prompt_adapters.templates.pieces import to_piece
from prompt_adapters.turn_content import DEVELOPER, SETTINGS_KEY, response_format, said_in
from prompt_adapters.turns import Entry, History, Turn
from prompt_adapters.variables import Variable, variable_from_data

# What a template's text is written in where the dump does not say.
_DEFAULT = "f-string"
_ROLES = {"SystemMessage": "system", "HumanMessage": "user", "AIMessage": "assistant"}
# What LangChain derives from the rest.
_DERIVED = ("input_variables", "optional_variables", "input_types", "validate_template", "type")
_OF_PROMPTS = (*_DERIVED, "partial_variables", "metadata", "tags", "name")
# What a model's answer says of itself, which is no part of a prompt.
_OF_ANSWERS = ("id", "response_metadata", "usage_metadata", "example", "type")
_OF_MESSAGES = (
    "content", "name", "additional_kwargs", "tool_calls", "invalid_tool_calls", "tool_call_id", "status", "role",
)  # fmt: skip
# OpenAI's own spelling of `tool_calls`, and what `read_message` looks for.
_ASIDE = ("tool_calls", "function_call", "audio", "refusal", *DEVELOPER)
_IDENTITY = ("prompt_digest", "prompt_name", "prompt_version")
_SETTINGS = ("model", "parameters", "name", "version", "metadata", "variables")


class _Placed(NamedTuple):
    """An entry and the syntax of its templates."""

    entry: Entry
    syntax: str


def read_dump(data: object) -> Prompt:
    """The prompt that a dump means.

    Raises:
        PromptFormatError: (a ``ValueError``) It is no dump, or holds something that no prompt can keep.
        TemplateError: (a ``ValueError``) A template cannot be compiled.
        MediaError: (a ``ValueError``) A block's media are broken.
    """
    reader = _Reader()
    fields = reader.root(opened(data, "the dump"))
    return _with_partials(_one_prompt(reader.placed, fields), reader.partials.values)


def read_entries(items: Iterable[Mapping[str, Any]]) -> list[Entry]:
    """The entries that objects mean; errors as for `read_dump`."""
    reader = _Reader()
    for number, item in enumerate(items, 1):
        reader.add(opened(item, f"message {number}"), f"message {number}")
    return [entry for entry, _ in reader.placed]


class _Reader:
    def __init__(self) -> None:
        self.placed: list[_Placed] = []
        self.partials = Partials()

    def root(self, item: Dumped) -> dict[str, Any]:
        """Read the object that was dumped; the fields of the prompt beside its messages."""
        fields: dict[str, Any] = {}
        if item.name in ("ChatPromptTemplate", "StructuredPrompt", "PromptTemplate"):
            fields = _settings(item.fields)
            item = item._replace(fields={k: v for k, v in item.fields.items() if k not in ("metadata", "tags", "name")})
        if item.name == "StructuredPrompt":
            only({"structured_output_kwargs": item.fields.get("structured_output_kwargs")}, (), "the dump")
            form = plain(item.fields.get("schema_"), "the form of the answer")
            if not isinstance(form, dict):
                raise refused("the dump: 'schema_' is an object")
            fields["parameters"] = {"response_format": response_format(form), **fields.get("parameters", {})}
            item = Dumped("ChatPromptTemplate", {k: v for k, v in item.fields.items() if k != "schema_"})
        if item.name == "AdapterPromptTemplate":
            return self._own(item.fields, "the dump")
        self.add(item, "the message" if item.name != "ChatPromptTemplate" else "the dump")
        self.partials.check(set(_names(placed)) for placed in self.placed)
        return fields

    def add(self, item: Dumped, where: str) -> None:
        """Read one object."""
        match item.name:
            case "ChatPromptTemplate":
                self._chat(item.fields, where)
            case "MessagesPlaceholder":
                self._placeholder(item.fields, where)
            case "PromptTemplate":
                text, syntax = self._text(item, where)
                self._place(Turn("user", text), syntax, where)
            case "ImagePromptTemplate" | "DictPromptTemplate":
                self._blocks("user", [item], where)
            case "AdapterPromptTemplate":
                raise refused(f"{where} is a template of this package inside another one; save it by itself")
            case name if name.endswith("MessagePromptTemplate"):
                self._message_template(item, where)
            case _:
                self._place(_message(item, where), "none", where)

    def _place(self, entry: Entry, syntax: str, where: str) -> None:
        if isinstance(entry, Turn):
            try:
                entry.slots(syntax)
            except TemplateError as error:
                raise error.at(f"{where} ({entry.role})") from error.__cause__
        self.placed.append(_Placed(entry, syntax))

    def _chat(self, fields: Mapping[str, Any], where: str) -> None:
        only(fields, (*_DERIVED, "messages", "partial_variables"), where)
        messages = fields.get("messages")
        if not isinstance(messages, list):
            raise refused(f"{where}: 'messages' is a list")
        lead = "" if where == "the dump" else f"{where}, "
        for number, message in enumerate(messages, 1):
            place = f"{lead}message {number}"
            self.add(opened(message, place), place)
        optional = fields.get("optional_variables")
        optional = optional if isinstance(optional, list) else []
        values = _partial_values(fields, where)
        # LangChain keeps an empty list for each optional placeholder.
        kept = {name: value for name, value in values.items() if name not in optional or value != []}
        self.partials.fill(kept, where)

    def _placeholder(self, fields: Mapping[str, Any], where: str) -> None:
        only(fields, ("variable_name", "optional", "n_messages", "type"), where)
        optional = fields.get("optional", False)
        if not isinstance(optional, bool):
            raise refused(f"{where}: 'optional' is true or false")
        name, last = fields.get("variable_name"), fields.get("n_messages")
        self._place(History(name, required=not optional, last=last), "none", where)  # type: ignore[arg-type]  # it checks

    def _message_template(self, item: Dumped, where: str) -> None:
        only(item.fields, ("prompt", "role", "additional_kwargs", *_DERIVED), where)
        role = _role(item, where)
        prompt = item.fields.get("prompt")
        if isinstance(prompt, list):
            blocks = [opened(block, f"{where}, block {number}") for number, block in enumerate(prompt, 1)]
            self._blocks(role, blocks, where)
            return
        text, syntax = self._text(opened(prompt, f"{where}, its text"), where)
        self._place(Turn(role, text), syntax, where)

    def _blocks(self, role: str, items: list[Dumped], where: str) -> None:
        blocks: list[tuple[str, Any]] = []
        for number, item in enumerate(items, 1):
            here = f"{where}, block {number}"
            if item.name == "PromptTemplate":
                text, syntax = self._text(item, here)
                blocks.append((syntax, {"type": "text", "text": text}))
                continue
            if item.name not in ("ImagePromptTemplate", "DictPromptTemplate"):
                raise refused(f"{here}: {item.name} is no template of a text, an image or a dictionary")
            only(item.fields, (*_OF_PROMPTS, "template", "template_format"), here)
            template = plain(item.fields.get("template"), here)
            if not isinstance(template, dict):
                raise refused(f"{here}: 'template' is an object")
            syntax = _syntax(item.fields, here)
            image = item.name == "ImagePromptTemplate"
            blocks.append((syntax, {"type": "image_url", "image_url": template} if image else template))
            self.partials.fill(_partial_values(item.fields, here), here, local=True)
        entry, syntax = said_in(role, blocks, where, _DEFAULT)
        self._place(entry, syntax, where)

    def _text(self, item: Dumped, where: str) -> tuple[str, str]:
        """The text of a ``PromptTemplate`` as it renders, and its syntax."""
        if item.name != "PromptTemplate":
            raise refused(f"{where}: {item.name} is no template of a text")
        known = (*_DERIVED, "partial_variables", "template", "template_format", "name")
        only(item.fields, known, where)
        syntax, text = _syntax(item.fields, where), item.fields.get("template")
        if not isinstance(text, str):
            raise refused(f"{where}: 'template' is a text")
        self.partials.fill(_partial_values(item.fields, where), where, local=True)
        # LangChain's Jinja takes one line break off the end.
        return (text.removesuffix("\n") if syntax == "jinja" else text), syntax

    def _own(self, fields: Mapping[str, Any], where: str) -> dict[str, Any]:
        """Read a template of this package, which keeps its prompt whole."""
        known = (*_OF_PROMPTS, "prompts", "schema_", "template", "template_format")
        only(fields, known, where)
        prompts = fields.get("prompts")
        if not isinstance(prompts, list) or not prompts:
            raise refused(f"{where}: 'prompts' is a list of prompts")
        if len(prompts) > 1:
            raise refused(
                f"{where} holds {len(prompts)} prompts, which are written in several syntaxes or have settings of "
                "their own; save each by itself"
            )
        (prompt,) = (Prompt.from_json(plain(data, where)) for data in prompts)
        metadata = _mapping(fields, "metadata", where)
        more = _beside({name: value for name, value in metadata.items() if name not in _IDENTITY}, fields)
        self.placed += [_Placed(entry, prompt.syntax) for entry in prompt.messages]
        self.partials.fill(_partial_values(fields, where), where)
        kept = {name: getattr(prompt, name) for name in ("few_shot", "model", "parameters", "name", "version")}
        return {**kept, "variables": prompt.declared, "metadata": _merged(prompt.metadata, more)}


def _names(placed: _Placed) -> Iterator[str]:
    match placed.entry:
        case Turn() as turn:
            yield from (slot.name for slot in turn.slots(placed.syntax))
        case History(name=name):
            yield name
        case Message():
            pass


def _syntax(fields: Mapping[str, Any], where: str) -> str:
    name = fields.get("template_format", _DEFAULT)
    if name not in ("f-string", "jinja2", "mustache"):
        raise refused(f"{where}: {name!r:.40} is no template format of LangChain: f-string, jinja2, mustache")
    return syntax_of(name)


def _role(item: Dumped, where: str) -> str:
    given = item.fields.get("additional_kwargs") or {}
    if item.name == "SystemMessagePromptTemplate" and given == DEVELOPER:
        return "developer"
    if given:
        raise refused(f"{where} has 'additional_kwargs', which a template cannot keep")
    role: Any = _ROLES.get(item.name.removesuffix("PromptTemplate"), item.fields.get("role"))
    role = ROLE_ALIASES.get(role, role) if isinstance(role, str) else None
    if role not in ROLES:
        raise refused(f"{where} has no known role; the roles are {', '.join(ROLES)}")
    return str(role)


def _message(item: Dumped, where: str) -> Message:
    """A literal message."""
    only(item.fields, (*_OF_MESSAGES, *_OF_ANSWERS), where)
    fields = {name: plain(item.fields[name], where) for name in _OF_MESSAGES if name in item.fields}
    aside = fields.get("additional_kwargs") or {}
    if not isinstance(aside, dict):
        raise refused(f"{where}: 'additional_kwargs' is an object")
    only(aside, _ASIDE, f"{where}, 'additional_kwargs'")
    if not isinstance(fields.get("content"), str | list):
        raise refused(f"{where}: 'content' is a text or a list of blocks")
    kind = {"ToolMessage": "tool", "ChatMessage": "chat", **_ROLES}[item.name]
    return read_message(SimpleNamespace(type=kind, **fields), where)


# Beside the messages


def _mapping(fields: Mapping[str, Any], key: str, where: str) -> dict[str, Any]:
    value = fields.get(key)
    value = {} if value is None else plain(value, f"{where}, {key!r}")
    if not isinstance(value, dict):
        raise refused(f"{where}: {key!r} is an object")
    return value


def _partial_values(fields: Mapping[str, Any], where: str) -> dict[str, Any]:
    values = _mapping(fields, "partial_variables", where)
    for name, value in values.items():
        if value is None:
            raise refused(f"{where}: the partial value of {name!r} is null, which is none")
    return values


def _settings(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a prompt that LangChain's metadata carry, and its own name, tags and metadata."""
    metadata = _mapping(fields, "metadata", "the dump")
    kept = metadata.pop(SETTINGS_KEY, {})
    if not isinstance(kept, dict) or kept.keys() - set(_SETTINGS):
        raise refused(f"the dump: the metadata {SETTINGS_KEY!r} hold only {', '.join(_SETTINGS)}")
    found = dict(kept)
    variables = found.get("variables", [])
    if not isinstance(variables, list):
        raise refused(f"the dump: {SETTINGS_KEY!r} holds 'variables', a list")
    found["variables"] = [variable_from_data(item) for item in variables]
    own = found.get("metadata") or {}
    if not isinstance(own, dict):
        raise refused(f"the dump: {SETTINGS_KEY!r} holds 'metadata', an object")
    found["metadata"] = _merged(own, _beside(metadata, fields))
    return found


def _beside(metadata: dict[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """LangChain's own metadata with its tags and its name, which go into the metadata of a prompt."""
    more = {key: plain(value, f"the dump, {key!r}") for key in ("tags", "name") if (value := fields.get(key))}
    return _merged(metadata, {f"langchain_{key}": value for key, value in more.items()})


def _merged(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    for key in first.keys() & second.keys():
        if json.dumps(first[key], sort_keys=True) != json.dumps(second[key], sort_keys=True):
            raise refused(f"the dump: the metadata {key!r} are said twice, and differ")
    return {**first, **second}


def _one_prompt(placed: list[_Placed], fields: Mapping[str, Any]) -> Prompt:
    """One prompt of entries in one syntax; of several syntaxes that of Jinja, which can write the others."""
    syntaxes = {syntax for entry, syntax in placed if isinstance(entry, Turn)}
    if len(syntaxes) <= 1:
        return Prompt(messages=[entry for entry, _ in placed], syntax=next(iter(syntaxes), "jinja"), **fields)
    entries: list[Entry] = []
    for number, (entry, syntax) in enumerate(placed, 1):
        if isinstance(entry, Turn):
            holding = Holding(Prompt(messages=[entry], syntax=syntax), "a prompt in Jinja")
            holding.to_syntax("jinja")
            if holding.losses:
                reason = holding.losses[0].partition(": ")[2]
                raise refused(f"message {number} ({entry.role}), in a prompt of several template formats: {reason}")
            entries += [kept for _, kept in holding.entries]
        else:
            entries.append(entry)
    return Prompt(messages=entries, syntax="jinja", **fields)


def stand_in(variable: Variable) -> str:
    """What stands for an optional variable that is not given: its default as text, or nothing."""
    return str(to_piece(variable.default)) if variable.has_default else ""


def _with_partials(prompt: Prompt, values: Mapping[str, Any]) -> Prompt:
    """The prompt with partial values as defaults, but for those that stand for a value that may be left out."""
    known = {variable.name: variable for variable in prompt.variables}
    declared = {variable.name: variable for variable in prompt.declared}
    for name, value in values.items():
        found = known.get(name)
        if found is not None and not found.required and value == stand_in(found):
            continue
        variable = declared.get(name, Variable(name))
        required = None if variable.required else variable.required
        declared[name] = variable.replace(required=required).replace(default=value)
    return prompt.replace(variables=tuple(declared.values()))
