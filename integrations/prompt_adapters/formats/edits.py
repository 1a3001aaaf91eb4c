"""What a person has edited in the text files beside a ``prompt.json``.

A file whose digest is not the one in ``prompt.json`` was edited, and wins:

    user_prompt.txt, system_prompt.txt   the text replaces the one template that it shows; an examples section at its
                                         end is read again; a declared variable goes with its last use
    few_shot.json                        the examples replace those of a prompt that shows them as turns
    a file that prompt.json has not      adds what the prompt has not: a turn, or the examples

Everything else is an error that names both files: the text and what ``prompt.json`` has in its place were both edited;
the text shows more than one template, or media; the examples can no longer be told apart; a file is gone. Removing
``prompt.json`` makes the text files the prompt.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

from prompt_adapters.errors import PromptFormatError
from prompt_adapters.few_shot import FewShot
from prompt_adapters.formats.documented import (
    FEW_SHOT_FILE,
    PROMPT_FILE,
    SYSTEM_FILE,
    USER_FILE,
    documented_files,
)
from prompt_adapters.formats.files import errors_named
from prompt_adapters.formats.readable import digest, plain_examples, plain_turns, system_entries, user_entries
from prompt_adapters.formats.sections import (
    converse_data,
    looks_like_section,
    read_few_shot,
    section_text,
    split_section,
)
from prompt_adapters.prompt import Prompt
from prompt_adapters.templates import compile_template
from prompt_adapters.turns import Turn

_PLACES = {USER_FILE: "append_to_user_prompt", SYSTEM_FILE: "append_to_system_prompt"}


def with_edits(prompt: Prompt, digests: Mapping[str, object], texts: Mapping[str, str], directory: Path) -> Prompt:
    """The prompt as the text files have it.

    Args:
        prompt: The prompt in ``prompt.json``.
        digests: The digest of each text file when it was written.
        texts: The text files as they are.
        directory: Where they are, for errors.

    Raises:
        PromptFormatError: An edit cannot be reconciled, or a file is gone; both files are named.
    """
    shown, before = documented_files(prompt), prompt
    for name in (SYSTEM_FILE, USER_FILE, FEW_SHOT_FILE):
        text, path = texts.get(name), directory / name
        if text is None:
            if name in digests:
                _refuse(path, f"this file is gone, but {PROMPT_FILE} knows it: bring it back")
        elif digest(text) != digests.get(name) and text != shown.get(name):
            if name in shown and digest(shown[name]) != digests.get(name):
                _refuse(path, f"this file and {PROMPT_FILE} say different things: make them agree")
            if name == FEW_SHOT_FILE:
                prompt = _with_examples(prompt, text, path)
            else:
                prompt = _with_text(prompt, name, text, shown.get(name), path)
    return prompt if prompt is before else _without_unused(prompt, before)


def _refuse(path: Path, reason: str) -> NoReturn:
    raise PromptFormatError(path, None, f"{reason}, or remove {PROMPT_FILE} if the text files are the prompt")


def _with_examples(prompt: Prompt, text: str, path: Path) -> Prompt:
    known = prompt.few_shot
    if known is not None and known.format != "converse":
        _refuse(path, f"the examples of {PROMPT_FILE} are appended to a prompt, so edit them there")
    if known is not None and known != FewShot(converse_data(known)):
        _refuse(path, f"this file was edited, but the examples of {PROMPT_FILE} hold more than text: edit them there")
    return prompt.replace(few_shot=read_few_shot(text, path))


def _with_text(prompt: Prompt, name: str, text: str, shown: str | None, path: Path) -> Prompt:
    """The prompt with the one turn that a text file shows replaced, or added where there is none."""
    template, few_shot = _split(prompt.few_shot, name, text, shown, path)
    entries = list(prompt.messages)
    match user_entries(prompt) if name == USER_FILE else system_entries(prompt):
        case [] if name == USER_FILE:
            entries += plain_turns(None, template)
        case []:
            entries[:0] = plain_turns(template, None)
        case [Turn(role=role, content=str()) as turn]:
            place = entries.index(turn)
            entries[place : place + 1] = [Turn(role, template)] if template or name == USER_FILE else []
        case _:
            _refuse(path, f"this file was edited, but it is not the one template of {PROMPT_FILE}: edit it there")
    with errors_named(path):
        compile_template(template or "", prompt.syntax)  # so that an error has its line of this file
        return prompt.replace(messages=entries, few_shot=few_shot)


def _split(
    known: FewShot | None, name: str, text: str, shown: str | None, path: Path
) -> tuple[str | None, FewShot | None]:
    """The template and the examples in an edited text.

    Args:
        known: The examples that the prompt has so far.
        name: The file.
        text: Its text.
        shown: Its text as it was written.
        path: The file, for errors.
    """
    place, alone = _PLACES[name], name == SYSTEM_FILE
    if known is not None and known.format != place:
        return text, known
    if known is None and shown is not None and split_section(shown, alone=alone) is not None:
        return text, None  # it looked like examples before, and was none
    if known is not None:
        section = section_text(known)
        if alone and text == section:
            return None, known
        if text.endswith(gap := f"\n\n{section}"):
            return text.removesuffix(gap), known
    found = split_section(text, alone=alone)
    if known is not None and (looks_like_section(text) if found is None else known != plain_examples(known)):
        _refuse(path, f"its examples were edited and cannot be told from text: edit them in {PROMPT_FILE}")
    return (text, None) if found is None else (found[0], FewShot(found[1], place))


def _without_unused(prompt: Prompt, before: Prompt) -> Prompt:
    """The prompt without the declared variables whose last use was edited away."""
    gone = _used(before) - _used(prompt)
    return prompt.replace(variables=[variable for variable in prompt.declared if variable.name not in gone])


def _used(prompt: Prompt) -> set[str]:
    return {variable.name for variable in prompt.replace(variables=None).variables}
