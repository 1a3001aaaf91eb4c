"""Templates with a fixed target: their messages are in the dialect of its LangChain package, fitted to its limits."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, ClassVar, Self

from langchain_core.messages import BaseMessage
from pydantic import AfterValidator, Field, model_validator

from prompt_adapters.adapters import MessageAdapter
from prompt_adapters.adapters.spots import holds_media
from prompt_adapters.content.message import Message
from prompt_adapters.errors import PromptFormatError, UnknownAdapterError
from prompt_adapters.langchain.compose import Settings
from prompt_adapters.langchain.dialects import Dialect, dialect_of, mark_prefill
from prompt_adapters.langchain.messages import langchain_messages
from prompt_adapters.langchain.profiles import refuse_lacking
from prompt_adapters.langchain.prompt_value import AdapterPromptValue
from prompt_adapters.langchain.resolve import own_options, styled
from prompt_adapters.langchain.template import AdapterPromptTemplate


class StylePromptTemplate(AdapterPromptTemplate):
    """An `AdapterPromptTemplate` for one wire shape; what its provider cannot take is refused when it is rendered.

    Attributes:
        style: The wire shape.
        model: The model, as ``"anthropic/claude-opus-5"``, before the one that the prompt names; of another shape it is
            refused.
        options: The adapter's options, as ``parameters`` and ``on_limit``; a model among them is bound by the client's
            own name.
        lacks: What the chat model is known not to take, as its profile says; piping fills it in.
    """

    style: ClassVar[str]
    model: str | None = None
    options: Annotated[dict[str, Any], AfterValidator(own_options)] = Field(default_factory=dict)
    lacks: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _check_options(self) -> Self:
        adapter = styled(self.style, self.model, self.options)
        if self.model is not None and adapter.model is None:
            raise PromptFormatError(
                None,
                None,
                f"the model {self.model!r} does not speak {self.style}; write template.for_model({self.model!r})",
            )
        return self

    @cached_property
    def _settings(self) -> Settings:
        settings = Settings.of(self.prompts)
        return settings if self.model is None else settings._replace(model=self.model)

    def _speaking_to(self, runnable: Any) -> Self:  # noqa: ARG002 - the target is fixed
        return self

    @cached_property
    def _adapter(self) -> MessageAdapter:
        return styled(self.style, self._settings.model, self.options)

    @property
    def _options(self) -> Mapping[str, Any]:
        return self.options

    def format_messages(self, /, **kwargs: Any) -> list[BaseMessage]:
        """The messages for these values, new ones each time."""
        native = self._rendered(kwargs)
        made = langchain_messages(native, self._adapter)
        self._refuse_lacking(native)
        return made

    def _value(self, native: tuple[Message, ...]) -> AdapterPromptValue:
        value = super()._value(native)
        self._refuse_lacking(native)  # what the provider itself refuses was refused before
        mark_prefill(value.messages, self._dialect)
        return value

    def _refuse_lacking(self, native: tuple[Message, ...]) -> None:
        refuse_lacking(native, self.lacks, self._dialect.package, self.style)

    @cached_property
    def _dialect(self) -> Dialect:
        return dialect_of(self._adapter)

    async def aformat_messages(self, /, **kwargs: Any) -> list[BaseMessage]:
        """`format_messages`, for callers that await."""
        return (await self.aformat_prompt(**kwargs)).to_messages()

    async def aformat_prompt(self, /, **kwargs: Any) -> AdapterPromptValue:
        """`format_prompt` that does not block the event loop: fitting media takes long enough for a thread."""
        native = await self._arendered(kwargs)
        if holds_media(native):
            return await asyncio.to_thread(self._value, native)
        return self._value(native)

    def format_request(self, /, **values: Any) -> dict[str, Any]:
        """The keyword arguments of the provider's official client for these values."""
        return self.format_prompt(**values).to_request()

    async def aformat_request(self, /, **values: Any) -> dict[str, Any]:
        """`format_request` that does not block the event loop."""
        return await (await self.aformat_prompt(**values)).ato_request()


class OpenAIStylePromptTemplate(StylePromptTemplate):
    """For OpenAI's chat completions, and langchain-openai."""

    style: ClassVar[str] = "openai_style"


class OpenAIResponsesStylePromptTemplate(StylePromptTemplate):
    """For OpenAI's Responses, and langchain-openai with ``use_responses_api=True``."""

    style: ClassVar[str] = "openai_responses_style"


class AnthropicStylePromptTemplate(StylePromptTemplate):
    """For Anthropic's Messages API, and langchain-anthropic."""

    style: ClassVar[str] = "anthropic_style"


class GoogleStylePromptTemplate(StylePromptTemplate):
    """For Google's generateContent, and langchain-google-genai."""

    style: ClassVar[str] = "google_style"


class BedrockStylePromptTemplate(StylePromptTemplate):
    """For Amazon Bedrock's Converse, and ``ChatBedrockConverse`` of langchain-aws."""

    style: ClassVar[str] = "bedrock_style"


class MistralStylePromptTemplate(StylePromptTemplate):
    """For Mistral's chat completions, and langchain-mistralai."""

    style: ClassVar[str] = "mistral_style"


class CohereStylePromptTemplate(StylePromptTemplate):
    """For Cohere's chat, version 2; its messages are in the portable form."""

    style: ClassVar[str] = "cohere_style"


class OllamaStylePromptTemplate(StylePromptTemplate):
    """For Ollama's own chat, and langchain-ollama."""

    style: ClassVar[str] = "ollama_style"


class LiteLLMStylePromptTemplate(StylePromptTemplate):
    """For ``litellm.completion``, and ``ChatLiteLLM`` of langchain-litellm, and the provider behind it."""

    style: ClassVar[str] = "litellm_style"


STYLE_TEMPLATES: tuple[type[StylePromptTemplate], ...] = (
    OpenAIStylePromptTemplate,
    OpenAIResponsesStylePromptTemplate,
    AnthropicStylePromptTemplate,
    GoogleStylePromptTemplate,
    BedrockStylePromptTemplate,
    MistralStylePromptTemplate,
    CohereStylePromptTemplate,
    OllamaStylePromptTemplate,
    LiteLLMStylePromptTemplate,
)
_BY_STYLE = {cls.style: cls for cls in STYLE_TEMPLATES}


def class_for(style: str) -> type[StylePromptTemplate]:
    """The class of templates for a wire shape.

    Raises:
        UnknownAdapterError: (a ``KeyError``) There is none.
    """
    if style not in _BY_STYLE:
        raise UnknownAdapterError(style, known=_BY_STYLE)
    return _BY_STYLE[style]
