"""`TextPromptAdapter`: system and user text, variables and examples, adapted to the standardized prompt format."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn, Self

from prompt_adapters.content.parts import Text
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.few_shot import FewShot
from prompt_adapters.formats import standardized
from prompt_adapters.formats.files import read_text
from prompt_adapters.formats.sections import read_few_shot
from prompt_adapters.prompt import Prompt, Turn, Variable
from prompt_adapters.templates import compile_template

_log = logging.getLogger("prompt_adapters")

SYNTAX = "plain"
# The names that few-shot formats went by in files of this system's first program.
_FORMAT_ALIASES = {"user_prompt": "append_to_user_prompt", "system_prompt": "append_to_system_prompt"}


class TextPromptAdapter:
    """Builds a text prompt step by step and keeps it in the standardized format.

    Every setter gives the adapter back, so that calls chain::

        adapter = (
            TextPromptAdapter()
            .set_system_prompt(file_path="system_prompt.txt")
            .set_user_prompt(content="Classify: {{ review }}", variables={"review"})
            .add_few_shot([{"input": "Lovely.", "output": "positive"}])
            .adapt()
        )
        adapter.save("optimized_prompt/")

    A placeholder is ``{{ name }}``; everything else in a text is literal. Once adapted, later changes are part of the
    standardized prompt at once, so that what is shown and what is saved are always the same.
    """

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._variables: dict[str, tuple[str, ...]] = {}
        self._few_shot: FewShot | None = None
        self._adapted = False

    def set_system_prompt(
        self,
        content: str | None = None,
        file_path: str | os.PathLike[str] | None = None,
        variables: Iterable[str] | None = None,
    ) -> Self:
        """Set the system prompt.

        Args:
            content: Its text, or
            file_path: the file that holds it (UTF-8).
            variables: Names of its variables, as a set, list, tuple or dictionary; those in the text are found anyway.

        Raises:
            PromptFormatError: (a ``ValueError``) Neither or both of content and file are given.
            PromptNotFoundError: (a ``FileNotFoundError``) There is no such file.
        """
        return self._set("system", content, file_path, variables)

    def set_user_prompt(
        self,
        content: str | None = None,
        file_path: str | os.PathLike[str] | None = None,
        variables: Iterable[str] | None = None,
    ) -> Self:
        """Set the user prompt; as `set_system_prompt`."""
        return self._set("user", content, file_path, variables)

    def _set(self, role: str, content: Any, file_path: Any, variables: Iterable[str] | None) -> Self:
        if content is None and file_path is None:
            _refuse(f"{role} prompt: Either content or file_path must be provided")
        if content is not None and file_path is not None:
            _refuse(f"{role} prompt: content and file_path are both given; give one of them")
        text = content if file_path is None else read_text(Path(file_path).expanduser())
        if not isinstance(text, str):
            _refuse(f"{role} prompt: the content is a text, not {type(text).__name__}")
        self._texts[role], self._variables[role] = text, _names(variables)
        return self

    def add_few_shot(self, examples: Iterable[Any], format_type: str = "converse") -> Self:
        """Add examples after those that are there; the format holds for all of them.

        Args:
            examples: Dictionaries with ``input`` and ``output``, or messages that alternate user and assistant.
            format_type: ``converse``, ``append_to_user_prompt`` or ``append_to_system_prompt``.

        Raises:
            PromptFormatError: (a ``ValueError``) The format is unknown, or an example malformed; its number and key are
                named, and nothing is added.
        """
        name = _FORMAT_ALIASES.get(format_type, format_type) if isinstance(format_type, str) else format_type
        added = FewShot(examples, name)
        before = () if self._few_shot is None else self._few_shot.examples
        self._few_shot = FewShot((*before, *added.examples), added.format)
        return self

    def load_few_shot(self, file_path: str | os.PathLike[str], format_type: str = "converse") -> Self:
        """Add the examples of a JSON file: input/output dictionaries, or messages that alternate user and assistant.

        Args:
            file_path: The file.
            format_type: As `add_few_shot`; ``user_prompt`` and ``system_prompt`` are older names of the append formats.

        Raises:
            PromptFormatError: (a ``ValueError``) It is not JSON, holds no example, or one is malformed.
            PromptNotFoundError: (a ``FileNotFoundError``) There is no such file.
        """
        path = Path(file_path).expanduser()
        examples = read_few_shot(read_text(path), path).examples
        if not examples:
            raise PromptFormatError(path, None, "there are no few-shot examples in the file")
        return self.add_few_shot(examples, format_type)

    def adapt(self) -> Self:
        """Bring everything that was set into the standardized format.

        Raises:
            PromptFormatError: (a ``ValueError``) Nothing was set, or a system prompt without a user prompt.
        """
        if not self._texts.get("user"):
            if self._texts.get("system"):
                _refuse("User Input cannot be empty when system prompt is set; call set_user_prompt() first")
            _refuse("No prompts have been set; call set_user_prompt() first")
        self._adapted = True
        return self

    def _require(self, verb: str) -> None:
        if not self._adapted:
            _refuse(f"No prompt to {verb}. Call adapt() first.")
        self.adapt()

    @property
    def standardized_prompt(self) -> dict[str, Any]:
        """The prompt in the standardized format, a copy; empty before `adapt`."""
        return self.fetch() if self._adapted else {}

    @property
    def few_shot_examples(self) -> list[dict[str, Any]]:
        """The examples, a copy."""
        return [] if self._few_shot is None else self._few_shot.to_data()["examples"]

    @property
    def few_shot_format(self) -> str | None:
        """The examples' format; None when there are none."""
        return None if self._few_shot is None or not self._few_shot.examples else self._few_shot.format

    def fetch(self) -> dict[str, Any]:
        """The prompt in the standardized format, a new dictionary each time.

        Raises:
            PromptFormatError: (a ``ValueError``) Before `adapt`.
        """
        self._require("fetch")
        data = {f"{role}_prompt_component": self._component(role) for role in ("user", "system")}
        if self._few_shot is not None and self._few_shot.examples:
            data["few_shot"] = self._few_shot.to_data()
        return data

    def _component(self, role: str) -> dict[str, Any]:
        text = self._texts.get(role, "")
        names = dict.fromkeys((*self._variables.get(role, ()), *_slots(text)))
        return {"variables": list(names), "template": text, "metadata": {"format": self.get_format()}}

    def fetch_user_template(self) -> str:
        """The user prompt's template, without examples.

        Raises:
            PromptFormatError: (a ``ValueError``) Before `adapt`.
        """
        self._require("fetch")
        return self._texts["user"]

    def fetch_system_template(self) -> str:
        """The system prompt's template, without examples; empty when none was set.

        Raises:
            PromptFormatError: (a ``ValueError``) Before `adapt`.
        """
        self._require("fetch")
        return self._texts.get("system", "")

    def show(self) -> Self:
        """Print the standardized prompt as JSON.

        Raises:
            PromptFormatError: (a ``ValueError``) Before `adapt`.
        """
        self._require("show")
        print(json.dumps(self.fetch(), indent=2, ensure_ascii=False))  # noqa: T201 - what this method is for
        return self

    def save(self, directory_path: str | os.PathLike[str] = "./prompts") -> Self:
        """Write ``user_prompt.txt``, ``system_prompt.txt`` if there is one, and for converse ``few_shot.json``.

        The append formats write the examples at the end of the text that they belong to. All files are replaced at
        once, and one of an earlier save that is not written now is removed. What these files cannot say is logged: a
        declared variable that no text uses, or examples that cannot be told from text again. `save_prompt` keeps all.

        Raises:
            PromptFormatError: (a ``ValueError``) Before `adapt`, or an example holds media; nothing is written then.
        """
        self._require("save")
        for number, example in enumerate(() if self._few_shot is None else self._few_shot.examples, 1):
            if other := [part for part in (*example.input, *example.output) if not isinstance(part, Text)]:
                what = f"few-shot example {number} holds {other[0].describe()}"
                _refuse(f"{what}, which text files cannot; use save_prompt(adapter.to_prompt(), path)")
        directory = Path(directory_path).expanduser()
        standardized.write_documented_files(standardized.documented_files(self.to_prompt()), directory)
        for loss in self._losses(directory):
            _log.warning("%s: when it is loaded again, %s; save_prompt keeps everything", directory, loss)
        return self

    def _losses(self, directory: Path) -> list[str]:
        """What is different in a saved directory when it is loaded."""
        try:
            again = type(self).load(directory).fetch()
        except PromptFormatError as error:
            return [f"there is an error ({error.reason})"]
        fetched, losses = self.fetch(), []
        for key in ("user_prompt_component", "system_prompt_component"):
            if lost := [name for name in fetched[key]["variables"] if name not in again[key]["variables"]]:
                losses.append(f"{key} lacks the unused variables {', '.join(lost)}")
            if fetched[key]["template"] != again[key]["template"]:
                losses.append(f"{key} has another template")
        if fetched.get("few_shot") != again.get("few_shot"):
            losses.append("the examples cannot be told from text as they were")
        return losses

    @classmethod
    def load(cls, directory_path: str | os.PathLike[str] = "./prompts") -> Self:
        """The adapter of a saved directory, adapted.

        Raises:
            PromptFormatError: (a ``ValueError``) A file is malformed, or the prompt has more than this system can hold.
            PromptNotFoundError: (a ``FileNotFoundError``) There is no such directory.
        """
        return cls.from_prompt(standardized.load(Path(directory_path).expanduser()))

    def to_prompt(self) -> Prompt:
        """The prompt as a `Prompt`, to be rendered and sent.

        Raises:
            PromptFormatError: (a ``ValueError``) Before `adapt`.
        """
        self._require("convert")
        names = dict.fromkeys(name for role in ("system", "user") for name in self._variables.get(role, ()))
        return Prompt(
            system=self._texts.get("system") or None,
            user=self._texts["user"],
            few_shot=self._few_shot,
            variables=list(names),
            syntax=SYNTAX,
        )

    @classmethod
    def from_prompt(cls, prompt: Prompt) -> Self:
        """An adapter, adapted, from a `Prompt` of one system text and one user text.

        Another placeholder syntax is fine as long as the texts mean the same in this one.

        Raises:
            PromptFormatError: (a ``ValueError``) The prompt has something that this system has no place for.
        """
        texts = _texts_of(prompt)
        extras = [key for key in ("model", "parameters", "name", "version", "metadata") if getattr(prompt, key)]
        extras += [f"what is said of variable {v.name!r}" for v in prompt.declared if v != Variable(v.name)]
        if extras:
            _refuse(f"a TextPromptAdapter has no place for {', '.join(extras)}; use Prompt")
        adapter = cls()
        used = {role: _slots(text) for role, text in texts.items()}
        for role, text in texts.items():
            # A name that no text uses is the user prompt's.
            others = {name for other, names in used.items() if other != role for name in names}
            mine = [
                v.name for v in prompt.declared if v.name in used[role] or (role == "user" and v.name not in others)
            ]
            adapter._set(role, text, None, mine)
        adapter._few_shot = prompt.few_shot
        return adapter.adapt()

    def get_format(self) -> str:
        """``text``, the format that the components name in their metadata."""
        return "text"

    def get_file_extension(self) -> str:
        """``.txt``, the suffix of the template files."""
        return ".txt"

    def __repr__(self) -> str:
        state = "adapted" if self._adapted else "not adapted"
        count = 0 if self._few_shot is None else len(self._few_shot.examples)
        return f"TextPromptAdapter({state}, prompts={sorted(self._texts)}, examples={count})"


def _texts_of(prompt: Prompt) -> dict[str, str]:
    """The system and the user text, when a prompt is nothing else."""
    match prompt.messages:
        case (Turn(role="user", content=str() as user),):
            texts = {"user": user}
        case (Turn(role="system", content=str() as system), Turn(role="user", content=str() as user)):
            texts = {"system": system, "user": user}
        case _:
            _refuse("a TextPromptAdapter holds one system text and one user text, and nothing else; use Prompt")
    for role, text in texts.items():
        if not _means_the_same(text, prompt.syntax):
            _refuse(
                f"{role} prompt: a TextPromptAdapter's placeholders are {{{{ name }}}}, not those of {prompt.syntax!r}"
            )
    return texts


def _means_the_same(text: str, syntax: str) -> bool:
    """Whether a template of another syntax reads the same in this one, where all but ``{{ name }}`` stays as it is."""
    theirs, ours = compile_template(text, syntax), compile_template(text, SYNTAX)
    if theirs.variables != ours.variables:
        return False
    marks = {slot.name: f"<{slot.name}>" for slot in ours.variables}
    return syntax == SYNTAX or theirs.render(marks) == ours.render(marks)


def _slots(text: str) -> tuple[str, ...]:
    return tuple(slot.name for slot in compile_template(text, SYNTAX).variables)


def _names(variables: Iterable[str] | None) -> tuple[str, ...]:
    if isinstance(variables, str):
        _refuse(f"variables are names in a set, list, tuple or dictionary, not the text {variables!r}")
    items = list(variables or ())
    if not all(isinstance(name, str) and name for name in items):
        _refuse("variables are names, each a text")
    return tuple(dict.fromkeys(sorted(items) if isinstance(variables, set | frozenset) else items))


def _refuse(reason: str) -> NoReturn:
    raise PromptFormatError(None, None, reason)
