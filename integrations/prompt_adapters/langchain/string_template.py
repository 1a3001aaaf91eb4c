"""`AdapterStringPromptTemplate`: a text-only prompt wherever LangChain wants a string prompt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from langchain_core.load.serializable import SerializedConstructor, SerializedNotImplemented
from langchain_core.prompt_values import PromptValue, StringPromptValue
from langchain_core.prompts import PromptTemplate
from pydantic import model_validator

from prompt_adapters.content.parts import Text
from prompt_adapters.errors import PromptFormatError, TemplateError
from prompt_adapters.langchain.base import PromptTemplateBase
from prompt_adapters.langchain.compose import joined
from prompt_adapters.langchain.doubled import check_doubled_braces
from prompt_adapters.prompt import Prompt, Turn
from prompt_adapters.templates.formats import format_of, syntax_of


class AdapterStringPromptTemplate(PromptTemplateBase, PromptTemplate):
    """A prompt of one text, for completion models and wherever LangChain takes a ``PromptTemplate``; immutable.

    It stands in ``HumanMessagePromptTemplate(prompt=…)``, as the ``example_prompt`` of few-shot templates, and before
    completion models. With ``+`` it takes a text, or another string template in the same syntax. It is loaded as an
    `AdapterPromptTemplate` is.

    Attributes:
        prompts: The prompt: one user template, without few-shot examples.
        template: Its text.
        template_format: LangChain's name of its syntax, or this package's where LangChain has none.

    Raises:
        MissingVariableError: (a ``KeyError``) Rendering lacks a required variable.
        TemplateError: (a ``ValueError``) A value is no text.
    """

    template: str = ""
    template_format: str = ""  # type: ignore[assignment]  # this package has more formats

    def __init__(self, *args: Any, **fields: Any) -> None:
        super().__init__(*args, **fields)

    @classmethod
    def from_template(cls, template: str, template_format: str = "f-string", **fields: Any) -> Self:
        """The string template of a text.

        Args:
            template: The text.
            template_format: ``"f-string"``, ``"jinja2"``, ``"mustache"``, or one of this package's syntaxes.
            fields: Fields of LangChain's templates.

        Raises:
            TemplateError: (a ``ValueError``) It cannot be compiled.
        """
        return cls.from_prompt(_checked(template, template_format), **fields)

    @classmethod
    def _as_fields(cls, args: tuple[Any, ...], fields: dict[str, Any]) -> dict[str, Any]:
        """The fields; a text may be given as to ``PromptTemplate``, with its ``template_format``."""
        if "template" in fields and "prompts" not in fields:
            template_format, template = fields.pop("template_format", "f-string"), fields.pop("template")
            fields = {**fields, "prompts": (_checked(template, template_format),)}
        return super()._as_fields(args, fields)

    @model_validator(mode="before")
    @classmethod
    def pre_init_validation(cls, values: Any) -> Any:
        """Nothing: LangChain would tell the variables from the text, and here the prompt knows them."""
        return values

    @classmethod
    def _derived(cls, prompts: tuple[Prompt, ...]) -> dict[str, Any]:
        return {"template": _turn(prompts).content, "template_format": format_of(prompts[0].syntax)}

    @property
    def turn(self) -> Turn:
        """The one turn."""
        return _turn(self.prompts)

    @property
    def lc_attributes(self) -> dict[str, Any]:
        """What a dump keeps beside the fields: nothing."""
        return {}

    def to_json(self) -> SerializedConstructor | SerializedNotImplemented:
        """What ``dumpd`` keeps: the prompt, which says the text."""
        dumped = super().to_json()
        for name in ("template", "template_format"):
            dumped.get("kwargs", {}).pop(name, None)  # type: ignore[attr-defined]  # a dictionary, if anything
        return dumped

    def __add__(self, other: Any) -> Self:
        """This text and another one: a plain text, in this template's syntax, or a string template.

        Raises:
            PromptFormatError: (a ``ValueError``) The other is written in another syntax, or both fill a variable.
            TypeError: It is neither.
        """
        own = self.prompt
        match other:
            case str():
                second, partial = _prompt(other, own.syntax), {}
            case AdapterStringPromptTemplate():
                second, partial = other.prompt, dict(other.partial_variables)
            case PromptTemplate():
                second, partial = _prompt(other.template, other.template_format), dict(other.partial_variables)
            case _:
                raise TypeError(
                    f"a string template takes a text or a string template after +, not {type(other).__name__}"
                )
        return self._changed(
            prompts=(_together(own, second),), partial_variables=_filled(self.partial_variables, partial)
        )

    @property
    def _prompt_type(self) -> str:
        return "prompt_adapters_string"

    def pretty_repr(self, html: bool = False) -> str:  # noqa: ARG002 - a text has no title to print bold
        """The template."""
        return self.turn.template

    def format_prompt(self, /, **kwargs: Any) -> PromptValue:
        """The prompt value for these values."""
        return StringPromptValue(text=self.format(**kwargs))

    async def aformat_prompt(self, /, **kwargs: Any) -> PromptValue:
        """`format_prompt`, for callers that await."""
        return StringPromptValue(text=await self.aformat(**kwargs))

    def format(self, /, **kwargs: Any) -> str:
        """The text for these values."""
        return self._text(self.values_from(kwargs))

    async def aformat(self, /, **kwargs: Any) -> str:
        """`format`, for callers that await."""
        return self._text(await self.avalues_from(kwargs))

    def _text(self, values: Mapping[str, Any]) -> str:
        (message,) = self.prompt.render_messages(values, extra="ignore")
        texts = []
        for part in message.parts:
            if not isinstance(part, Text):
                raise TemplateError(
                    f"a string prompt holds text only, not {part.describe()}: use AdapterPromptTemplate"
                )
            texts.append(part.text)
        return "".join(texts)


def _turn(prompts: tuple[Prompt, ...]) -> Turn:
    match prompts:
        case (Prompt(messages=(Turn(role="user", content=str()) as turn,), few_shot=None),):
            return turn
    raise PromptFormatError(
        None, None, "a string prompt is one user template without examples; use AdapterPromptTemplate"
    )


def _prompt(text: str, template_format: str) -> Prompt:
    return Prompt(messages=[("user", text)], syntax=syntax_of(template_format))


def _checked(text: str, template_format: str) -> Prompt:
    prompt = _prompt(text, template_format)
    check_doubled_braces([prompt])
    return prompt


def _together(first: Prompt, second: Prompt) -> Prompt:
    whole = joined([first, second])
    if len(whole) > 1:
        raise PromptFormatError(
            None,
            None,
            f"texts in {first.syntax!r} and {second.syntax!r}, or with settings that differ, make no one string prompt",
        )
    return whole[0].replace(messages=[Turn("user", "".join(turn.content for turn in whole[0].messages))])  # type: ignore[union-attr,misc]  # both are turns of one text


def _filled(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    for name in first.keys() & second.keys():
        if first[name] is not second[name] and first[name] != second[name]:
            raise PromptFormatError(None, None, f"the variable {name!r} has two different partial values")
    return {**first, **second}
