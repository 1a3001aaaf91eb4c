"""Message lists in the style of OpenAI, in JSON or YAML.

    [{"role": "system", "content": "Be brief."},          each object is a message; see `message_words`
     {"role": "user", "content": [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,…"}}]}]

    {"model": "gpt-4o",                  a request: model ─► model
     "messages": […],                    messages ─► the list
     "temperature": 0,                   every other key ─► parameters
     "prompt_adapters": {"syntax": "jinja"}}                 the syntax of the templates; "none" for literal texts

A list says its syntax, or a syntax is given: ``load(path, syntax="braces")`` reads ``{key}`` as a slot, and
``syntax="jinja"`` ``{{ key }}``. Without either it is literal (syntax ``none``), unless a text looks like a template:
that is not guessed, and such a file is refused.

Saving gives the list back when there is nothing beside it, and a request otherwise. Media stand in it as data URLs and
base64. What has no word here is refused on saving, and `held` leaves it out: name, version and metadata, what is
declared of variables, slots for earlier messages, and few-shot examples as such: they become the turns, or the text,
that they render. Saving keeps values, not comments and spelling.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.files import errors_named, read_text, write_text
from prompt_adapters.formats.holding import Holding, Placed, read_back, whole
from prompt_adapters.formats.json_text import format_json, parse_json
from prompt_adapters.formats.message_words import Words, read_entry, write_entry
from prompt_adapters.prompt import Prompt
from prompt_adapters.templates.likeness import Likeness, likeness
from prompt_adapters.turn_content import texts_in

__all__ = ["detect", "dump", "held", "load", "parse", "parse_data", "save"]

YAML_SUFFIXES = (".yaml", ".yml")
SYNTAX = "none"
_WHAT = "a message list"
_EXTENSION = "prompt_adapters"
_LONGEST = 60  # characters of a placeholder that an error shows
_SYSTEM = "system"  # of a request in another shape, where it is no parameter but what the system says
_RESERVED = ("messages", "model", _EXTENSION, _SYSTEM)
# Texts whatever they look like in YAML, as the content 1.10.
_TEXTS = ("role", "content", "text", "name", "model", "tool_call_id", "id", "variable")
# How a list of JSON begins, also with the statements of promptfoo in it, and how an object with a role does.
_OPENINGS = ("[", "{%", "{#", "{{")
_OBJECT = re.compile(r"""\{\s{0,99}["']?role["']?\s{0,9}:""")
_OF_PROMPTFOO = "; for a chat of promptfoo, give format='promptfoo'"
# Of a saved directory: its examples, which are no prompt by themselves.
_OTHERS = ("few_shot.json",)
# What tells the other formats of these suffixes.
_FOREIGN = ("user_prompt", "system_prompt", "user_prompt_component", "system_prompt_component", "lc", "prompts")


def detect(path: Path) -> bool:
    """Whether a JSON or YAML file holds a list of objects with a role, or such a list under ``messages``."""
    if not path.is_file() or path.name in _OTHERS:
        return False
    suffix = path.suffix.lower()
    try:
        text = read_text(path)
        if "role" not in text or (suffix not in (".json", *YAML_SUFFIXES) and text.lstrip()[:1] not in ("[", "{")):
            return False
        data = read_data(text, path)
    except PromptFormatError:  # which the formats that these suffixes belong to first will tell
        return False
    if isinstance(data, dict):
        return not any(key in data for key in _FOREIGN) and is_list(data.get("messages"))
    return is_list(data)


def with_remedy(error: PromptFormatError, text: str) -> PromptFormatError:
    """What is wrong with a text that is no data, and what helps where statements of promptfoo stand in a list."""
    is_chat = text.lstrip().startswith(_OPENINGS) and _OBJECT.search(text) is not None
    found = likeness(text) if is_chat and _OF_PROMPTFOO not in error.reason else None
    if found is None or found.syntax != "jinja":
        return error
    return PromptFormatError(error.path, error.line, f"{error.reason}{_OF_PROMPTFOO}")


def is_list(data: object) -> bool:
    """Whether plain data are a list of messages by their looks."""
    return (
        isinstance(data, list)
        and bool(data)
        and all(isinstance(item, dict) and isinstance(item.get("role"), str) and "parts" not in item for item in data)
    )


def read_data(text: str, path: Path, numbers: Collection[str] | None = None) -> Any:
    """The plain data of a JSON or YAML text; for `numbers` see `parse_yaml`, errors are as for `load`."""
    if path.suffix.lower() not in YAML_SUFFIXES and (
        path.suffix.lower() == ".json" or text.lstrip()[:1] in ("[", "{", "")
    ):
        return parse_json(text, path)
    from prompt_adapters.formats.yaml_text import read_yaml  # PyYAML takes long to import

    return read_yaml(text, path, texts=_TEXTS, numbers=numbers, lists=True)


def load(path: str | os.PathLike[str], *, syntax: str | None = None) -> Prompt:
    """Read a message list.

    Args:
        path: The file.
        syntax: The placeholder syntax, where the file does not say; ``none`` for literal texts, as it is for None.

    Raises:
        PromptNotFoundError: (a ``FileNotFoundError``) There is no such file.
        PromptFormatError: It is neither JSON nor YAML, or a message is malformed (its number is named), or holds what
            no prompt can keep; or a text looks like a template, and nothing says its syntax.
    """
    file = Path(path)
    return parse(read_text(file), file, syntax=syntax)


def parse(text: str, path: Path, *, syntax: str | None = None) -> Prompt:
    """The prompt that the text of a file means; errors as for `load`."""
    try:
        data = read_data(text, path)
    except PromptFormatError as error:
        raise with_remedy(error, text) from None
    return parse_data(data, path, syntax=syntax)


def parse_data(data: object, path: Path, *, syntax: str | None = None) -> Prompt:
    """The prompt that plain data mean; errors as for `load`."""
    body = dict(data) if isinstance(data, Mapping) else {"messages": data}
    items = body.pop("messages", None)
    if not isinstance(items, list) or not items:
        raise PromptFormatError(path, None, "a message list is a list of objects with 'role' and 'content'")
    if _SYSTEM in body:
        reason = "'system' beside 'messages' is of Anthropic's requests; make it the first message"
        raise PromptFormatError(path, None, reason)
    syntax = _syntax(body.pop(_EXTENSION, {}), path) or syntax
    model = body.pop("model", None)
    if not isinstance(model, str | None):
        raise PromptFormatError(path, None, f"'model' is a text, not {type(model).__name__}")
    words = Words(syntax or SYNTAX)
    with errors_named(path):
        try:
            if syntax is None and (found := _unsaid(items)) is not None:
                raise _refused(path, *found, alone=isinstance(data, list))
            entries = [read_entry(item, f"message {number}", words) for number, item in enumerate(items, 1)]
            return Prompt(messages=entries, syntax=words.syntax, model=model, parameters=body)
        except RecursionError:
            raise PromptFormatError(path, None, "a message is nested too deeply") from None


def _syntax(extension: object, path: Path) -> str | None:
    if not isinstance(extension, Mapping) or extension.keys() - {"syntax"}:
        raise PromptFormatError(path, None, f"{_EXTENSION!r} is an object with 'syntax' alone")
    syntax = extension.get("syntax")
    if not isinstance(syntax, str | None):
        raise PromptFormatError(path, None, f"{_EXTENSION}: 'syntax' is a text, not {type(syntax).__name__}")
    return syntax


def _unsaid(items: list[Any]) -> tuple[int, Likeness] | None:
    """The first text that looks like a template, with the number of its message."""
    for number, item in enumerate(items, 1):
        if isinstance(item, Mapping) and "syntax" not in item:
            for text in texts_in(item.get("content")):
                if (found := likeness(text)) is not None:
                    return number, found
    return None


def _refused(path: Path, number: int, found: Likeness, *, alone: bool) -> PromptFormatError:
    shown = found.text if len(found.text) <= _LONGEST else f"{found.text[:_LONGEST]}…"
    remedy = f"give syntax={found.syntax!r}, or syntax='none' for literal texts, or say so in the file"
    theirs = _OF_PROMPTFOO if alone and found.syntax == "jinja" else ""
    reason = f"message {number}: {shown!r} reads like {found.reads}, and nothing says the syntax of this file"
    said = json.dumps({_EXTENSION: {"syntax": found.syntax}})[1:-1]
    return PromptFormatError(path, None, f"{reason}; {remedy}, by {said} beside 'messages'{theirs}")


def save(prompt: Prompt, path: str | os.PathLike[str]) -> None:
    """Write a message list, whole or not at all: YAML for a path that ends so, JSON for every other.

    Raises:
        PromptFormatError: The prompt has something that a message list cannot hold; all of it is named.
        PromptDiskError: (an ``OSError``) The disk refuses; the old file is still there.
    """
    file = Path(path)
    write_text(file, dump(prompt, file))


def dump(prompt: Prompt, path: Path) -> str:
    """The text that holds a prompt; errors as for `save`."""
    prompt = whole(prompt, held, _WHAT, path)
    data = _data(prompt)
    if path.suffix.lower() in YAML_SUFFIXES:
        from prompt_adapters.formats.yaml_text import write_yaml  # PyYAML takes long to import

        text = write_yaml(data)
    else:
        text = format_json(data)
    return read_back(text, parse(text, path), prompt, _WHAT, path)


def _data(prompt: Prompt) -> list[Any] | dict[str, Any]:
    words = Words(prompt.syntax)
    items = [item for entry in prompt.messages for item in write_entry(entry, "a message", words).items]
    head = {} if prompt.model is None else {"model": prompt.model}
    said = prompt.syntax != SYNTAX or _unsaid(items) is not None
    tail = prompt.parameters | ({_EXTENSION: {"syntax": prompt.syntax}} if said else {})
    return {**head, "messages": items, **tail} if head or tail else items


def held(prompt: Prompt) -> tuple[Prompt, tuple[str, ...]]:
    """The nearest prompt that a message list holds whole, and what of the given one it cannot hold.

    Raises:
        PromptFormatError: No message is left.
    """
    holding = Holding(prompt, _WHAT)
    holding.examples_to_messages()
    words = Words(prompt.syntax)
    kept: list[Placed] = []
    for place, entry in holding.entries:
        items, losses = write_entry(entry, place, words)
        holding.losses += losses
        kept += [Placed(place, read_entry(item, place, words)) for item in items]
    holding.entries = kept
    holding.without_declarations()
    holding.without("name", "version")
    holding.only_keys("parameters", lambda key: key not in _RESERVED)
    holding.only_keys("metadata", lambda _: False)
    return holding.result()
