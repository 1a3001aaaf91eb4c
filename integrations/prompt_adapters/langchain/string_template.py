"""`AdapterStringPromptTemplate`: a text-only prompt wherever LangChain wants a string prompt."""

from __future__ import annotations

from typing import Any, Self

from langchain_core.prompt_values import PromptValue, StringPromptValue
from langchain_core.prompts.string import StringPromptTemplate
from pydantic import model_validator

from prompt_adapters.content.parts import Text
from prompt_adapters.errors import PromptFormatError, TemplateError
from prompt_adapters.langchain.base import PromptTemplateBase
from prompt_adapters.langchain.entries import syntax_of
from prompt_adapters.prompt import Prompt, Turn


class AdapterStringPromptTemplate(PromptTemplateBase, StringPromptTemplate):
    """A prompt of one text, for completion models and inside message templates; immutable.

    Attributes:
        prompts: The prompt: one user template, without few-shot examples.

    Raises:
        MissingVariableError: (a ``KeyError``) Rendering lacks a required variable.
        TemplateError: (a ``ValueError``) A value is no text.
    """

    @classmethod
    def from_template(cls, template: str, template_format: str = "f-string", **fields: Any) -> Self:
        """The string template of a text.

        Args:
            template: The text.
            template_format: ``"f-string"``, ``"jinja2"``, or one of this package's syntaxes.
            fields: Fields of LangChain's templates.

        Raises:
            TemplateError: (a ``ValueError``) It cannot be compiled.
        """
        return cls.from_prompt(Prompt(messages=[("user", template)], syntax=syntax_of(template_format)), **fields)

    @model_validator(mode="after")
    def _check_text(self) -> Self:
        self.turn  # noqa: B018 - it refuses what is more than one text
        return self

    @property
    def turn(self) -> Turn:
        """The one turn.

        Raises:
            PromptFormatError: (a ``ValueError``) There is more.
        """
        match self.prompt.messages:
            case (Turn(role="user", content=str()) as turn,) if self.prompt.few_shot is None:
                return turn
        raise PromptFormatError(
            None, None, "a string prompt is one user template without examples; use AdapterPromptTemplate"
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
        return self.format_prompt(**kwargs)

    def format(self, /, **kwargs: Any) -> str:
        """The text for these values."""
        (message,) = self.prompt.render_messages(self.values_from(kwargs), extra="ignore")
        texts = []
        for part in message.parts:
            if not isinstance(part, Text):
                raise TemplateError(
                    f"a string prompt holds text only, not {part.describe()}: use AdapterPromptTemplate"
                )
            texts.append(part.text)
        return "".join(texts)

    async def aformat(self, /, **kwargs: Any) -> str:
        """`format`, for callers that await."""
        return self.format(**kwargs)
