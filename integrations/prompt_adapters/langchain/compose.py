"""Prompts that follow one another: what `+` and lists of mixed formats make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from prompt_adapters.content.message import Message
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.langchain.chosen import Chosen
from prompt_adapters.prompt import History, Prompt, Turn, Variable
from prompt_adapters.templates.formats import slot
from prompt_adapters.turns import Entry

_SETTINGS = ("model", "parameters", "name", "version", "metadata")


class Settings(NamedTuple):
    """What prompts ask for beside their messages; plain data."""

    model: str | None = None
    parameters: dict[str, Any] = {}  # noqa: RUF012 - a default that is only read
    name: str | None = None
    version: str | None = None
    metadata: dict[str, Any] = {}  # noqa: RUF012 - a default that is only read

    @classmethod
    def of(cls, prompts: Iterable[Prompt]) -> Settings:
        """The settings of all prompts together; name and version are the first prompt's that has a name.

        Raises:
            PromptFormatError: (a ``ValueError``) Two prompts ask for different models, or for different values of a
                parameter.
        """
        settings = cls()
        for prompt in prompts:
            models = {model for model in (settings.model, prompt.model) if model}
            if len(models) > 1:
                raise _disagreement(f"models {' and '.join(sorted(map(repr, models)))}")
            parameters, given = settings.parameters, prompt.parameters
            for name in parameters.keys() & given.keys():
                if parameters[name] != given[name]:
                    raise _disagreement(f"values of {name!r}, {parameters[name]!r} and {given[name]!r}")
            named = settings if settings.name else prompt
            settings = cls(
                model=settings.model or prompt.model,
                parameters=parameters | given,
                name=named.name,
                version=named.version,
                metadata=prompt.metadata | settings.metadata,
            )
        return settings

    def kept(self) -> dict[str, Any]:
        """What is not left open, as plain data."""
        return {name: value for name, value in self._asdict().items() if value}

    @staticmethod
    def restored(prompt: Prompt, kept: Mapping[str, Any]) -> Prompt:
        """The prompt with the settings that were `kept`; words of another meaning are left out."""
        return prompt.replace(**{name: kept[name] for name in _SETTINGS if name in kept})

    def literal(self, messages: tuple[Message, ...]) -> Prompt:
        """A prompt of finished messages that asks for the same."""
        return Prompt(messages=messages, syntax="none", **self._asdict())


class Composition(NamedTuple):
    """What a list of messages holds.

    Attributes:
        prompts: Prompts whose messages follow one another.
        partial: Values that the templates among them brought along.
    """

    prompts: tuple[Prompt, ...]
    partial: dict[str, Any]

    def followed_by(self, other: Composition) -> Composition:
        """Both, one after the other.

        Raises:
            PromptFormatError: (a ``ValueError``) A variable has two different partial values, or their settings
                contradict each other.
        """
        other = apart(self, other)
        for name in self.partial.keys() & other.partial.keys():
            if self.partial[name] is not other.partial[name] and self.partial[name] != other.partial[name]:
                raise PromptFormatError(None, None, f"the variable {name!r} has two different partial values")
        return Composition(joined([*self.prompts, *other.prompts]), {**self.partial, **other.partial})


def apart(first: Composition, second: Composition) -> Composition:
    """The second one, its slots that templates fill under names that the first one has not."""
    taken = {*first.partial, *(variable.name for prompt in first.prompts for variable in prompt.variables)}
    renamed: dict[str, str] = {}
    for name, value in second.partial.items():
        if isinstance(value, Chosen) and name in taken and first.partial.get(name) != value:
            renamed[name] = next(free for n in range(1, len(taken) + 2) if (free := f"chosen_{n}") not in taken)
            taken.add(renamed[name])
    if not renamed:
        return second
    prompts = tuple(_renamed(prompt, renamed) for prompt in second.prompts)
    return Composition(prompts, {renamed.get(name, name): value for name, value in second.partial.items()})


def _renamed(prompt: Prompt, names: Mapping[str, str]) -> Prompt:
    """The prompt with other names for slots that this package has named itself."""
    entries: list[Entry] = []
    for entry in prompt.messages:
        if isinstance(entry, History) and entry.name in names:
            entries.append(entry.replace(name=names[entry.name]))
        elif isinstance(entry, Turn) and isinstance(entry.content, str):
            text = entry.content
            for old, new in names.items():
                text = text.replace(slot(old, prompt.syntax), slot(new, prompt.syntax))
            entries.append(entry.replace(content=text))
        else:
            entries.append(entry)
    return prompt.replace(messages=entries)


def _disagreement(what: str) -> PromptFormatError:
    return PromptFormatError(
        None, None, f"prompts that are put together ask for different {what}; leave one of them out"
    )


def joined(prompts: Iterable[Prompt]) -> tuple[Prompt, ...]:
    """The same prompts, neighbours made one wherever that changes nothing.

    Raises:
        PromptFormatError: (a ``ValueError``) Their settings contradict each other.
    """
    result: list[Prompt] = []
    for prompt in _in_runs(prompts):
        both = _as_one(result[-1], prompt) if result else None
        if both is None:
            result.append(prompt)
        else:
            result[-1] = both
    Settings.of(result)
    return tuple(result)


def _in_runs(prompts: Iterable[Prompt]) -> Iterator[Prompt]:
    """The same prompts, neighbours that say nothing but messages made one at once: pair by pair takes ever longer."""
    run: list[Prompt] = []
    syntax: str | None = None
    for prompt in prompts:
        plain = prompt.few_shot is None and not prompt.declared and not _has_settings(prompt)
        own = prompt.syntax if any(isinstance(entry, Turn) for entry in prompt.messages) else None
        if run and not (plain and (None in (own, syntax) or own == syntax)):
            yield _of_run(run, syntax)
            run, syntax = [], None
        if plain:
            run.append(prompt)
            syntax = syntax or own
        else:
            yield prompt
    if run:
        yield _of_run(run, syntax)


def _of_run(run: list[Prompt], syntax: str | None) -> Prompt:
    if len(run) == 1:
        return run[0]
    messages = [entry for prompt in run for entry in prompt.messages]
    return run[0].replace(messages=messages, syntax=syntax or run[0].syntax)


def _as_one(first: Prompt, second: Prompt) -> Prompt | None:
    syntaxes = {prompt.syntax for prompt in (first, second) if any(isinstance(e, Turn) for e in prompt.messages)}
    if len(syntaxes) > 1 or first.few_shot is not None or second.few_shot is not None:
        return None
    if _has_settings(first) and _has_settings(second):
        return None
    variables = _declared_by_both(first, second)
    if variables is None:
        return None
    base = second if _has_settings(second) else first
    syntax = next(iter(syntaxes), first.syntax)
    return base.replace(messages=(*first.messages, *second.messages), variables=variables, syntax=syntax)


def _has_settings(prompt: Prompt) -> bool:
    return any(getattr(prompt, name) for name in _SETTINGS)


def _declared_by_both(first: Prompt, second: Prompt) -> tuple[Variable, ...] | None:
    """The declarations of both, or None when one prompt's would change how the other takes its variables."""
    declared = {variable.name: variable for variable in first.declared}
    for variable in second.declared:
        if declared.setdefault(variable.name, variable) != variable:
            return None
    for prompt in (first, second):
        own = {variable.name for variable in prompt.declared}
        if any(variable.name in declared and variable.name not in own for variable in prompt.variables):
            return None
    return tuple(declared.values())
