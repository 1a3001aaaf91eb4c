"""A template for several chat models at once, as a model with fallbacks of another provider."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NoReturn, Self

from langchain_core.messages import BaseMessage

from prompt_adapters.adapters import MessageAdapter
from prompt_adapters.adapters.roles import leading_systems
from prompt_adapters.adapters.spots import Spot, holds_media
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import MediaPart, ToolResult
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.langchain.base import DERIVED
from prompt_adapters.langchain.chat_models import Target, Targets
from prompt_adapters.langchain.dialects import PORTABLE, Dialect, dialect_of, kind_of, where_of
from prompt_adapters.langchain.messages import langchain_messages
from prompt_adapters.langchain.profiles import refuse_lacking
from prompt_adapters.langchain.prompt_value import AdapterPromptValue
from prompt_adapters.langchain.resolve import styled
from prompt_adapters.langchain.template import AdapterPromptTemplate


class SharedPromptTemplate(AdapterPromptTemplate):
    """An `AdapterPromptTemplate` whose messages several chat models may get; piping into such a model makes one.

    They are in the portable form, and fitted to what each of the providers takes. What one of them cannot take, or what
    its package does not pass on in this form, is refused when the template is rendered.

    Attributes:
        targets: The wire shapes and models that are known.
        lacks: What a model of another package is known not to take, as its profile says.
    """

    targets: tuple[Target, ...] = ()
    lacks: tuple[str, ...] = ()

    def _speaking_to(self, runnable: Any) -> Self:  # noqa: ARG002 - the targets are fixed
        return self

    @cached_property
    def _adapters(self) -> tuple[MessageAdapter, ...]:
        return tuple(styled(target.style, target.model or self._settings.model) for target in self.targets)

    @cached_property
    def _dialects(self) -> tuple[Dialect, ...]:
        return tuple(dialect_of(adapter) for adapter in self._adapters)

    @cached_property
    def _common(self) -> Dialect:
        """The portable form, with every reserve that one of the packages has."""
        return PORTABLE._replace(
            package=" or ".join(dict.fromkeys(dialect.package for dialect in self._dialects)) or PORTABLE.package,
            carries=PORTABLE.carries.intersection(*(dialect.carries for dialect in self._dialects)),
            system_leads=any(dialect.system_leads for dialect in self._dialects),
            text_beside_calls=all(dialect.text_beside_calls for dialect in self._dialects),
            answers=frozenset() if len(self._dialects) > 1 else None,
        )

    def format_messages(self, /, **kwargs: Any) -> list[BaseMessage]:
        """The messages for these values, new ones each time."""
        return self._messages(self._rendered(kwargs))

    async def aformat_messages(self, /, **kwargs: Any) -> list[BaseMessage]:
        """`format_messages`, for callers that await."""
        return (await self.aformat_prompt(**kwargs)).to_messages()

    async def aformat_prompt(self, /, **kwargs: Any) -> AdapterPromptValue:
        """`format_prompt` that does not block the event loop: fitting media takes long enough for a thread."""
        native = await self._arendered(kwargs)
        if holds_media(native):
            return await asyncio.to_thread(self._value, native)
        return self._value(native)

    def _value(self, native: tuple[Message, ...]) -> AdapterPromptValue:
        return AdapterPromptValue.rendered(native, self._settings, made=self._messages(native))

    def _messages(self, native: tuple[Message, ...]) -> list[BaseMessage]:
        given = native
        if leading_systems(native) < len(native):
            for adapter in self._adapters:
                native = adapter.prepare(native).messages
            for adapter in self._adapters:
                adapter.encode(native)  # refuses what the provider has no place for
        refuse_lacking(given, self.lacks, "the chat model", None)
        for target, dialect in zip(self.targets, self._dialects, strict=True):
            refuse_lacking(given, target.lacks, dialect.package, target.style)
        for dialect in self._dialects:
            _check_form(native, dialect)
        return langchain_messages(native, common=self._common)


def _check_form(messages: Sequence[Message], dialect: Dialect) -> None:
    for number, message in enumerate(messages):
        for index, part in enumerate(message.parts):
            spot = Spot(number, message.role, index)
            if isinstance(part, MediaPart):
                _check_part(part, spot, dialect)
            if isinstance(part, ToolResult):
                for inner, item in enumerate(part.parts):
                    if isinstance(item, MediaPart):
                        _check_part(item, spot._replace(inner=inner), dialect)


def _check_part(part: MediaPart, spot: Spot, dialect: Dialect) -> None:
    if where_of(part) not in dialect.portable.get(kind_of(part), ()):
        _refuse(part, spot, dialect)


def _refuse(part: MediaPart, spot: Spot, dialect: Dialect) -> NoReturn:
    style = "" if dialect.adapter is None else repr(dialect.adapter.style)
    raise UnsupportedContentError(
        dialect.package,
        f"{part.kind} ({part.source.describe()})",
        str(spot),
        "it does not pass this on in the form that all chat models are given which may be called here",
        "pipe the template into each model, as (template | model).with_fallbacks([template | other]), "
        f"or use AdapterRunnable({style}) and the provider's own client",
    )


def for_several(template: AdapterPromptTemplate, targets: Targets) -> AdapterPromptTemplate:
    """The template for all of these targets; itself where nothing is known of them."""
    if not targets.known and not targets.lacks:
        return template
    state = {name: getattr(template, name) for name in AdapterPromptTemplate.model_fields.keys() - DERIVED}
    return SharedPromptTemplate(**state, targets=targets.known, lacks=targets.lacks)
