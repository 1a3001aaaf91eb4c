"""Values that a template of LangChain gives from the other ones: examples that are chosen for each rendering.

They are partial values of a template of this package. What they give is data, a text or messages, and is never rendered
a second time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from prompt_adapters.errors import MissingVariableError
from prompt_adapters.prompt import Prompt
from prompt_adapters.variables import check_values


@dataclass(frozen=True, repr=False)
class Chosen:
    """What a template of LangChain gives for the other values.

    Attributes:
        template: The template: of messages, or of one text.
    """

    template: Any

    def __repr__(self) -> str:
        return f"{type(self).__name__}({type(self.template).__name__})"  # its examples may hold media

    @property
    def names(self) -> tuple[str, ...]:
        """The variables that it is made of."""
        return tuple(self.template.input_variables)

    def seen(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Those of the values that it is made of, and all texts, which selectors look at.

        Raises:
            MissingVariableError: (a ``KeyError``) One is missing.
        """
        if missing := [name for name in self.names if values.get(name) is None]:
            raise MissingVariableError(missing)
        return {name: value for name, value in values.items() if name in self.names or isinstance(value, str)}

    def give(self, values: Mapping[str, Any]) -> Any:
        """The value."""
        template, seen = self.template, self.seen(values)
        return template.format_messages(**seen) if _gives_messages(template) else template.format(**seen)

    async def agive(self, values: Mapping[str, Any]) -> Any:
        """`give`, for callers that await."""
        template, seen = self.template, self.seen(values)
        return await (template.aformat_messages(**seen) if _gives_messages(template) else template.aformat(**seen))


@dataclass(frozen=True, repr=False)
class ChosenExamples(Chosen):
    """The text of the examples that a `FewShotPromptTemplate` chooses, without what stands before and after them.

    LangChain's own renders each example a second time, as a part of the whole text; here it is data.

    Attributes:
        lead: What stands before each example.
        trail: What stands after each.
    """

    lead: str = ""
    trail: str = ""

    def give(self, values: Mapping[str, Any]) -> str:
        """The text."""
        return self._written(self.template._get_examples(**self.seen(values)))

    async def agive(self, values: Mapping[str, Any]) -> str:
        """`give`, for callers that await."""
        return self._written(await self.template._aget_examples(**self.seen(values)))

    def _written(self, examples: Iterable[Mapping[str, Any]]) -> str:
        written = [f"{self.lead}{text}{self.trail}" for text in example_texts(self.template, examples)]
        if self.lead or self.trail:
            return "".join(written)
        separator: str = self.template.example_separator
        return separator.join(written)


def example_texts(template: Any, examples: Iterable[Mapping[str, Any]]) -> list[str]:
    """The examples of a `FewShotPromptTemplate`, each rendered once."""
    prompt = template.example_prompt
    return [prompt.format(**{name: example[name] for name in prompt.input_variables}) for example in examples]


def _gives_messages(template: Any) -> bool:
    return callable(getattr(template, "format_messages", None))


def settled(values: dict[str, Any], known: Collection[str]) -> dict[str, Any]:
    """The values, with those that are chosen in place of what chooses them.

    Args:
        values: The values.
        known: The names of the variables; what chooses is not shown other values.
    """
    chosen, given = _apart(values, known)
    return values | {name: value.give(given) for name, value in chosen.items()} if chosen else values


async def asettled(values: dict[str, Any], known: Collection[str]) -> dict[str, Any]:
    """`settled`, for callers that await."""
    chosen, given = _apart(values, known)
    return values | {name: await value.agive(given) for name, value in chosen.items()} if chosen else values


def _apart(values: Mapping[str, Any], known: Collection[str]) -> tuple[dict[str, Chosen], dict[str, Any]]:
    chosen = {name: value for name, value in values.items() if isinstance(value, Chosen)}
    return chosen, {name: values[name] for name in known if name in values and name not in chosen} if chosen else {}


async def with_examples(prompt: Prompt, values: Mapping[str, Any]) -> Prompt:
    """The prompt with the examples that its selector chooses for these values; without one, the prompt itself.

    Raises:
        MissingVariableError: (a ``KeyError``) A required variable is missing.
    """
    if prompt.few_shot is None or prompt.few_shot.selector is None:
        return prompt
    given, _ = check_values(prompt.variables, values, "ignore")
    return prompt.replace(few_shot=await prompt.few_shot.achosen(given, prompt.variables))
