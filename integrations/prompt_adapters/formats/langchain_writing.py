"""A prompt and its entries as objects of a dump of LangChain; the opposite of `langchain_reading`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from prompt_adapters.blocks import Block, marked
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Text
from prompt_adapters.errors import PromptFormatError, TemplateError
from prompt_adapters.formats.holding import block_word
from prompt_adapters.formats.langchain_objects import escaped as escaped_data
from prompt_adapters.formats.langchain_objects import made
from prompt_adapters.formats.langchain_reading import stand_in
from prompt_adapters.formats.message_words import Words, write_entry
from prompt_adapters.formats.part_words import MARK, nearest_block
from prompt_adapters.patterns import Pattern
from prompt_adapters.prompt import Prompt
from prompt_adapters.templates import compile_template
from prompt_adapters.templates.formats import escaped, slot
from prompt_adapters.templates.mustache import unescaped
from prompt_adapters.templates.separators import get_separator
from prompt_adapters.turn_content import DEVELOPER, SETTINGS_KEY, each_text, response_format
from prompt_adapters.turns import Entry, History, Turn
from prompt_adapters.variables import Variable

_LITERAL = Words("none")
_MESSAGES: Mapping[str, tuple[str, str]] = {
    "system": ("SystemMessage", "system"),
    "developer": ("SystemMessage", "system"),
    "user": ("HumanMessage", "human"),
    "assistant": ("AIMessage", "ai"),
    "tool": ("ToolMessage", "tool"),
}
_NAMES = ("self", "stop")  # LangChain has them itself
_NO_BLOCK = "the end of a cacheable prefix"


class Dumps(NamedTuple):
    """What an entry becomes.

    Attributes:
        items: The objects; none when nothing of it can be written.
        losses: What is lost of it.
    """

    items: list[dict[str, Any]]
    losses: list[str]


# All of a prompt


def needed(prompt: Prompt) -> tuple[tuple[Variable, ...], list[str]]:
    """The declared variables with those required whose media LangChain does not leave out, and their names."""
    turns = (entry for entry in prompt.messages if isinstance(entry, Turn))
    blocks = [block for turn in turns for block in turn.blocks]
    media = {block.variable or (block.pattern and block.pattern.medium(prompt.syntax)) for block in blocks}
    names = [v.name for v in prompt.variables if v.name in media and not v.required and not v.has_default]
    return tuple(v.replace(required=True) if v.name in names else v for v in prompt.declared), names


def dump_prompt(prompt: Prompt) -> dict[str, Any]:
    """The object for a prompt that can be held whole."""
    items = [item for entry in prompt.messages for item in dump_entry(entry, "a message", prompt.syntax).items]
    histories = [entry for entry in prompt.messages if isinstance(entry, History)]
    absent = list(dict.fromkeys(entry.name for entry in histories if not entry.required))
    used = [variable.name for variable in prompt.replace(variables=None).variables]
    known = {variable.name: variable for variable in prompt.variables}
    texts = [name for name in used if all(entry.name != name for entry in histories)]
    partial = {name: stand_in(known[name]) for name in texts if not known[name].required}
    fields: dict[str, Any] = {
        "input_variables": sorted(name for name in used if name not in partial and name not in absent),
        "optional_variables": absent,
        "partial_variables": {**partial, **{name: [] for name in absent}},
        **_beside(prompt),
    }
    parameters, form = _form(prompt.parameters)
    fields["metadata"] = escaped_data(_metadata(prompt, parameters))
    more = {} if form is None else {"schema_": escaped_data(form)}
    fields = {key: value for key, value in fields.items() if value or key == "input_variables"}
    name = "ChatPromptTemplate" if form is None else "StructuredPrompt"
    return made(name, {**fields, "messages": items, **more}, named=True)


def _form(parameters: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The parameters without the form of the answer, and that form, where LangChain's words say it whole."""
    match parameters.get("response_format"):
        case {"json_schema": {"schema": {"title": str()} as form}} as asked if asked == response_format(form):
            return {key: value for key, value in parameters.items() if key != "response_format"}, form
    return parameters, None


def _beside(prompt: Prompt) -> dict[str, Any]:
    """LangChain's own tags and name, of the metadata that keep them."""
    metadata = prompt.metadata
    tags, name = metadata.get("langchain_tags"), metadata.get("langchain_name")
    found: dict[str, Any] = {}
    if isinstance(tags, list) and all(isinstance(tag, str) for tag in tags):
        found["tags"] = tags
    if isinstance(name, str):
        found["name"] = name
    return {key: value for key, value in found.items() if value}


def _metadata(prompt: Prompt, parameters: dict[str, Any]) -> dict[str, Any]:
    beside = {f"langchain_{key}" for key in _beside(prompt)}
    metadata = {key: value for key, value in prompt.metadata.items() if key not in beside}
    left = {SETTINGS_KEY: metadata.pop(SETTINGS_KEY)} if SETTINGS_KEY in metadata else {}
    kept = {
        "model": prompt.model,
        "parameters": parameters,
        "name": prompt.name,
        "version": prompt.version,
        "metadata": left,
        "variables": [variable.to_data() for variable in prompt.declared],
    }
    settings = {key: value for key, value in kept.items() if value not in (None, {}, [])}
    return {**metadata, **({SETTINGS_KEY: settings} if settings else {})}


def verbatim(text: str, syntax: str) -> str:
    """A template as it stands in a dump: LangChain escapes values as HTML where only two braces stand round a name."""
    return unescaped(text) if syntax == "mustache" else text


def dump_entry(entry: Entry, place: str, syntax: str) -> Dumps:
    """The objects for an entry.

    Args:
        entry: The entry, its templates in ``mustache`` or ``f-string``.
        place: What a loss calls it.
        syntax: Which of these.
    """
    match entry:
        case History():
            if entry.name in _NAMES:
                return Dumps([], [f"{place}: the name {entry.name!r}, which LangChain has itself"])
            fields: dict[str, Any] = {"variable_name": entry.name}
            fields |= {} if entry.required else {"optional": True}
            fields |= {} if entry.last is None else {"n_messages": entry.last}
            return Dumps([made("MessagesPlaceholder", fields)], [])
        case Turn():
            if named := [found.name for found in entry.slots(syntax) if found.name in _NAMES]:
                return Dumps([], [f"{place}: the variable {named[0]!r}, a name that LangChain has itself"])
            return _turn(entry, place, syntax)
        case Message():
            return _message(entry, place)


# Templates


def _turn(turn: Turn, place: str, syntax: str) -> Dumps:
    losses: list[str] = []
    prompt: Any
    if isinstance(turn.content, str):
        prompt = _text(turn.content, syntax)
    else:
        prompt = []
        for number, block in _unspaced(turn, syntax):
            where = f"{place}, block {number}"
            item, lost = _block(block, syntax)
            losses += [f"{where}: {loss}" for loss in lost]
            prompt += [] if item is None else [item]
        if turn.spaced and any(block.pattern is not None or block.variable is not None for block in turn.blocks):
            losses.append(f"{place}: what stands between media that one variable brings")
        if not prompt and losses:
            return Dumps([], losses)
    name = _MESSAGES[turn.role][0]
    more = {"additional_kwargs": dict(DEVELOPER)} if turn.role == "developer" else {}
    return Dumps([made(f"{name}PromptTemplate", {"prompt": prompt, **more})], losses)


def _unspaced(turn: Turn, syntax: str) -> list[tuple[int, Block]]:
    """The blocks by their numbers, with what stands before one as a block of its own."""
    found: list[tuple[int, Block]] = []
    before: Block | None = None
    for number, block in enumerate(turn.blocks, 1):
        if block.template == "":
            continue
        if turn.spaced and before is not None and (between := get_separator(before.type, block.type)):
            found.append((number, Block("text", template=escaped(between, syntax))))
        found.append((number, block))
        before = block
    return found


def _text(template: str, syntax: str) -> dict[str, Any]:
    names = sorted(found.name for found in compile_template(template, syntax).variables)
    fields = {"input_variables": names, "template": verbatim(template, syntax), "template_format": syntax}
    return made("PromptTemplate", fields, named=True)


def _dictionary(block: dict[str, Any], syntax: str) -> dict[str, Any]:
    fields = {"template": escaped_data(block), "template_format": syntax}
    return made("DictPromptTemplate", fields, named=True)


def _block(block: Block, syntax: str) -> tuple[dict[str, Any] | None, list[str]]:
    if block.template is not None:
        if block.cache:
            return _dictionary({"type": "text", "text": verbatim(block.template, syntax), **MARK}, syntax), []
        return _text(block.template, syntax), []
    if block.pattern is not None:
        return _pattern(block.pattern, syntax, cache=block.cache)
    if block.variable is not None:
        losses = [f"{block_word(block)}: LangChain's slots take texts"]
        if block.type != "image" or block.index is not None:
            return None, losses
        pattern = Pattern({"type": "image_url", "image_url": {"url": slot(block.variable, syntax)}})
        found, more = _pattern(pattern, syntax, cache=block.cache)
        return found, [*losses, *more]
    return _fixed(block, syntax)


def _pattern(pattern: Pattern, syntax: str, *, cache: bool) -> tuple[dict[str, Any], list[str]]:
    data: dict[str, Any] = each_text(pattern.data, lambda text: verbatim(text, syntax))
    if isinstance(url := data.get("image_url"), str):  # which chat models take as an object only
        data["image_url"] = {"url": url}
    losses = [_NO_BLOCK] if cache and not data.keys() & {"cache", "cache_control"} else []
    return _dictionary(data, syntax), losses


def _fixed(block: Block, syntax: str) -> tuple[dict[str, Any] | None, list[str]]:
    """A fixed part, whose texts are written as templates that give them."""
    assert block.part is not None  # noqa: S101 - a block holds one of four things
    part = block.part.replace(cache=True) if block.cache else block.part
    found, lost = nearest_block(part)
    losses = [] if lost is None else [lost]
    if found is None:
        return None, losses
    try:
        data = each_text(found, lambda text: escaped(text, syntax) if "{" in text or "}" in text else text)
    except TemplateError as error:
        return None, [*losses, f"{block_word(block)}: {error.reason}"]
    return _dictionary(data, syntax), losses


# Literal messages


def _message(message: Message, place: str) -> Dumps:
    losses: list[str] = []
    if message.cache:
        losses.append(f"{place}: the cache mark of the message, which its last part has instead")
        message = message.replace(cache=False, parts=marked(message.parts) if message.parts else ())
    if len(message.parts) == 1 and isinstance(only := message.parts[0], Text) and not only.cache:
        fields: dict[str, Any] = {"role": message.role, "content": only.text}
        items = [fields | ({} if message.name is None else {"name": message.name})]
        if message.role != "tool":
            return Dumps([_of_message(item) for item in items], losses)
    written = write_entry(message, place, _LITERAL)
    return Dumps([_of_message(item) for item in written.items], [*losses, *written.losses])


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    """A tool call as LangChain has it, of one as OpenAI has it."""
    function = call["function"]
    arguments = escaped_data(json.loads(function["arguments"]))
    return {"type": "tool_call", "id": call["id"], "name": function["name"], "args": arguments}


def _of_message(item: Mapping[str, Any]) -> dict[str, Any]:
    """The object for a message of OpenAI's style."""
    name, kind = _MESSAGES[item["role"]]
    content = [] if item["content"] is None else item["content"]
    if content == "" and "tool_calls" in item:  # which says that there is no text
        content = [{"type": "text", "text": ""}]
    fields: dict[str, Any] = {"content": escaped_data(content)}
    fields |= {"additional_kwargs": dict(DEVELOPER)} if item["role"] == "developer" else {}
    fields["type"] = kind
    fields |= {"name": item["name"]} if "name" in item else {}
    if "tool_calls" in item:
        fields["tool_calls"] = [_call(call) for call in item["tool_calls"]]
    if kind == "tool":
        fields |= {"tool_call_id": item["tool_call_id"], "status": "error" if item.get("error") else "success"}
    if unknown := item.keys() - {"role", "content", "name", "tool_calls", "tool_call_id", "error", "syntax"}:
        raise PromptFormatError(None, None, f"a message has {min(unknown)!r}, which LangChain's messages have not")
    return made(name, fields)
