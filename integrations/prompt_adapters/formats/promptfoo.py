"""promptfoo's prompts: chat files, text files, and the configurations that name them.

=============================================  =========================================================================
file                                           prompt
=============================================  =========================================================================
``.json``, ``.yaml``: a list of objects with   the messages, as in `message_words`; texts are Jinja templates of what
role and content                               Nunjucks shares with it, see `nunjucks`
a loop over ``_conversation``, or a list       a slot for earlier messages, see `promptfoo_text`; a ``.yaml`` file with
                                               one is JSON, too, which Nunjucks can fill in
``.txt``, ``.md``, ``.j2``                     one user turn; in ``.txt`` a line ``---`` stands between prompts
``promptfooconfig.yaml``                       the prompt that it names, or the one after ``#``: see `promptfoo_config`
=============================================  =========================================================================

The structure is read before anything is filled in, so a quote or a line break in a value, or a role in one, cannot
break out of its text; promptfoo itself takes care of that only in files that are JSON by themselves.

Chat files are told from other message lists by nothing, so they are loaded with ``format="promptfoo"``; configurations
are told by their keys. A chat file is what is saved. What has no word in it is refused on saving, and `held` leaves it
out: model, parameters, name, version, metadata, what is declared of variables, templates that Nunjucks does not have,
slots for media other than an image, and examples as such, which become turns or text.

https://www.promptfoo.dev/docs/configuration/chat/, https://www.promptfoo.dev/docs/configuration/prompts/
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from prompt_adapters.errors import PromptFormatError, TemplateError
from prompt_adapters.formats.files import errors_named, read_text, write_text
from prompt_adapters.formats.holding import Holding, Kept, Placed, read_back, whole
from prompt_adapters.formats.json_text import format_json
from prompt_adapters.formats.message_words import Words, read_entry, write_entry
from prompt_adapters.formats.messages import YAML_SUFFIXES, read_data
from prompt_adapters.formats.nunjucks import check_shared
from prompt_adapters.formats.places import parted
from prompt_adapters.formats.promptfoo_config import (
    CHAT_SUFFIXES,
    NUMBERS,
    TEXT_SUFFIXES,
    Chosen,
    checked_default,
    choose,
    is_config,
    meant,
    rows,
)
from prompt_adapters.formats.promptfoo_text import CONVERSATION, read_chat, write_chat
from prompt_adapters.prompt import Prompt
from prompt_adapters.templates import Slot, compile_template
from prompt_adapters.turn_content import texts_in
from prompt_adapters.turns import Entry, History, Turn
from prompt_adapters.variables import Variable

SYNTAX = "jinja"
_WHAT = "a promptfoo chat"
_WORDS = Words(SYNTAX, own=False)
_DELIMITER = "---"
_SET = re.compile(r"\{%-?\s*(?:end)?set\b")


def detect(path: Path) -> bool:
    """Whether a JSON or YAML file is a configuration of promptfoo."""
    if path.suffix.lower() not in CHAT_SUFFIXES or not path.is_file():
        return False
    try:
        text = read_text(path)
        return "prompts" in text and is_config(read_data(text, path), path)
    except PromptFormatError:  # which the formats that these suffixes belong to first will tell
        return False


def load(path: str | os.PathLike[str], *, syntax: str | None = None) -> Prompt:
    """Read a prompt of promptfoo.

    Args:
        path: The file; ``#2`` or ``#label`` at its end chooses one of several prompts.
        syntax: ``jinja``, which it is anyway; others do not stand in such files.

    Raises:
        PromptNotFoundError: (a ``FileNotFoundError``) There is no such file.
        PromptFormatError: It is malformed, holds several prompts of which none is chosen, names what would have to be
            run or lies outside its folder, or a template holds what only Nunjucks has.
    """
    file, choice = parted(Path(path))
    if syntax not in (None, SYNTAX):
        raise PromptFormatError(file, None, f"the prompts of promptfoo are written in Nunjucks, not in {syntax!r}")
    text = read_text(file)
    if file.suffix.lower() in CHAT_SUFFIXES and "prompts" in text:
        data = _data(text, file)
        if is_config(data, file):
            data = read_data(text, file, NUMBERS)
            found = rows(data, file)
            return _of_config(meant(data, found, choose([row.label for row in found], choice, file), file), file)
    return _of_file(text, file, choice)


def load_parts(path: Path) -> Iterator[tuple[Path, Prompt | PromptFormatError]]:
    """Each prompt of a configuration with the path that chooses it, or the error that loading it raises.

    Raises:
        PromptNotFoundError: (a ``FileNotFoundError``) There is no such file.
        PromptFormatError: The configuration is malformed.
    """
    data = read_data(read_text(path), path, NUMBERS)
    found = rows(data, path)
    for number in range(len(found)):
        place = path if len(found) == 1 else path.with_name(f"{path.name}#{number + 1}")
        try:
            yield place, _of_config(meant(data, found, number, path), path)
        except PromptFormatError as error:
            yield place, error.with_traceback(None)


def _data(text: str, path: Path) -> Any:
    """The plain data of a file; None for a chat in which statements stand round the texts."""
    try:
        return read_data(text, path)
    except PromptFormatError:
        if "{%" in text or "{{" in text:
            return None
        raise


def _of_config(found: Chosen, path: Path) -> Prompt:
    match found.source:
        case Path() as file:
            prompt = _of_file(read_text(file), file, None)
        case str() as text:
            prompt = _of_text(text, path)
        case items:
            prompt = _of_items(items, path)
    names = [variable.name for variable in prompt.variables]
    defaults = [Variable(n, default=checked_default(n, found.defaults[n], path)) for n in names if n in found.defaults]
    with errors_named(path):
        return prompt.replace(name=found.label, parameters=found.config, variables=defaults)


def _of_file(text: str, path: Path, choice: str | None) -> Prompt:
    suffix = path.suffix.lower()
    texts = _sections(text) if suffix == ".txt" else [text]
    text = texts[choose([None] * len(texts), choice, path)]
    if suffix in TEXT_SUFFIXES:
        return _of_text(text, path)
    return _of_items(_listed(text, path), path)


def _listed(text: str, path: Path) -> Any:
    """The list of a chat file; one in YAML may have statements round its texts when it is JSON but for these."""
    if path.suffix.lower() not in YAML_SUFFIXES:
        return read_chat(text, path)
    try:
        return read_data(text, path)
    except PromptFormatError:
        if text.lstrip()[:1] not in ("[", "{") or not any(mark in text for mark in ("{%", "{{")):
            raise
        return read_chat(text, path)


def _sections(text: str) -> list[str]:
    """The prompts of a text file, as promptfoo takes them apart."""
    sections: list[list[str]] = [[]]
    for line in text.replace("\r\n", "\n").split("\n"):
        if line.strip() == _DELIMITER:
            sections.append([])
        else:
            sections[-1].append(line)
    return [found for lines in sections if (found := "\n".join(lines).strip())]


def _of_text(text: str, path: Path) -> Prompt:
    """A user turn, or a chat that is written as a text."""
    if text.lstrip().startswith("[") and '"role"' in text:
        return _of_items(read_chat(text, path), path)
    return _made([Turn("user", text)], path)


def _of_items(items: object, path: Path) -> Prompt:
    if not isinstance(items, list) or not items:
        raise PromptFormatError(path, None, "a chat of promptfoo is a list of objects with 'role' and 'content'")
    with errors_named(path):
        try:
            entries = [_entry(item, f"message {number}") for number, item in enumerate(items, 1)]
        except RecursionError:
            raise PromptFormatError(path, None, "a message is nested too deeply") from None
    return _made(entries, path)


def _entry(item: object, where: str) -> Entry:
    return item if isinstance(item, History) else read_entry(item, where, _WORDS)


def _made(entries: list[Entry], path: Path) -> Prompt:
    for number, entry in enumerate(entries, 1):
        try:
            for template in _templates(entry):
                check_shared(template)
        except TemplateError as error:
            raise PromptFormatError(path, None, f"message {number}: {error}") from None
    with errors_named(path):
        return Prompt(messages=entries, syntax=SYNTAX)


def _templates(entry: Entry) -> Iterable[str]:
    """The templates of an entry."""
    if not isinstance(entry, Turn):
        return
    for block in entry.blocks:
        if block.template is not None:
            yield block.template
        elif block.pattern is not None:
            yield from texts_in(block.pattern.data)


def save(prompt: Prompt, path: str | os.PathLike[str]) -> None:
    """Write a chat file, whole or not at all: YAML for a path that ends so, JSON for every other.

    With a slot for earlier messages it is JSON in either, as nothing else could be filled in.

    Raises:
        PromptFormatError: The prompt has something that a chat file cannot hold, all of which is named.
        PromptDiskError: (an ``OSError``) The disk refuses; the old file is still there.
    """
    file = Path(path)
    write_text(file, dump(prompt, file))


def dump(prompt: Prompt, path: Path) -> str:
    """The text that holds a prompt; errors as for `save`."""
    prompt = whole(prompt, held, _WHAT, path)
    items: list[dict[str, Any] | History] = []
    for entry in prompt.messages:
        items += [entry] if isinstance(entry, History) else write_entry(entry, "a message", _WORDS).items
    if any(isinstance(item, History) for item in items):
        text = write_chat(items)
    elif path.suffix.lower() in YAML_SUFFIXES:
        from prompt_adapters.formats.yaml_text import write_yaml  # PyYAML takes long to import

        text = write_yaml(items)
    else:
        text = format_json(items)
    return read_back(text, _of_items(_listed(text, path), path), prompt, _WHAT, path)


def held(prompt: Prompt) -> tuple[Prompt, tuple[str, ...]]:
    """The nearest prompt that a chat file holds whole, and what of the given one it cannot hold.

    Raises:
        PromptFormatError: No message is left.
    """
    holding = Holding(prompt, _WHAT)
    holding.examples_to_messages()
    holding.to_syntax(SYNTAX)
    holding.literals_to_turns()
    holding.each(_shared)
    if any(isinstance(entry, History) for _, entry in holding.entries):
        holding.each(_without_set)
    kept: list[Placed] = []
    for place, entry in holding.entries:
        if isinstance(entry, History):
            kept.append(Placed(place, entry))
            continue
        items, losses = write_entry(entry, place, _WORDS)
        holding.losses += losses
        kept += [Placed(place, read_entry(item, place, _WORDS)) for item in items]
    holding.entries = kept
    _keep_histories(holding)
    holding.without_declarations()
    holding.without("model", "name", "version")
    holding.only_keys("parameters", lambda _: False)
    holding.only_keys("metadata", lambda _: False)
    return holding.result()


def _shared(entry: Entry, place: str) -> Kept:
    """An entry without what Nunjucks does not have."""
    if not isinstance(entry, Turn):
        return entry, ()
    if isinstance(entry.content, str):
        try:
            check_shared(entry.content)
        except TemplateError as error:
            return None, [f"{place}: {error}"]
        return entry, ()
    blocks, losses = [], []
    for number, block in enumerate(entry.content, 1):
        try:
            for template in _templates(Turn("user", [block])):
                check_shared(template)
            blocks.append(block)
        except TemplateError as error:
            losses.append(f"{place}, block {number}: {error}")
    return (entry.replace(content=blocks) if blocks or not entry.content else None), losses


def _without_set(entry: Entry, place: str) -> Kept:
    """An entry that can be captured: its text is set, which would end at a set of its own."""
    if any(_SET.search(template) for template in _templates(entry)):
        return None, [f"{place}: {{% set %}} beside a slot for earlier messages"]
    return entry, ()


def _keep_histories(holding: Holding) -> None:
    """Keep of the slots for earlier messages what a loop over them says."""
    alone = all(isinstance(entry, History) for _, entry in holding.entries)
    kept: list[Placed] = []
    for place, entry in holding.entries:
        if isinstance(entry, History):
            if alone and kept:
                holding.losses.append(f"{place}, as only one slot can stand without a message")
                continue
            if not _can_loop(entry.name):
                holding.losses.append(f"{place}, whose name is no variable there")
                continue
            holding.losses += _history_losses(entry, place)
            entry = History(entry.name, required=entry.name != CONVERSATION)
        kept.append(Placed(place, entry))
    holding.entries = kept


def _can_loop(name: str) -> bool:
    try:
        return compile_template(f"{{{{ {name} }}}}", SYNTAX).variables == (Slot(name, required=True),)
    except TemplateError:
        return False


def _history_losses(history: History, place: str) -> list[str]:
    losses = [] if history.last is None else [f"{place}: that it takes the last {history.last} messages"]
    if history.required != (history.name != CONVERSATION):
        losses.append(f"{place}: that it {'must be given' if history.required else 'may be left out'}")
    return losses
