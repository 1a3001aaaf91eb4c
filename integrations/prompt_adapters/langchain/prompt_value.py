"""`AdapterPromptValue`: what a template gives, as messages for any chat model and as any provider's request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Self

from langchain_core.messages import BaseMessage, get_buffer_string
from langchain_core.prompt_values import ChatPromptValue
from pydantic import PrivateAttr

from prompt_adapters.adapters import MessageAdapter
from prompt_adapters.content.message import Message
from prompt_adapters.content.read import read_messages
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.langchain.compose import Settings
from prompt_adapters.langchain.messages import described, langchain_messages
from prompt_adapters.langchain.readable import readable
from prompt_adapters.langchain.resolve import resolve, styled
from prompt_adapters.langchain.short import shortened
from prompt_adapters.prompt import Prompt

# These say how a prompt is rendered, and here it is rendered already.
_SPENT_OPTIONS = ("separators", "extra")


class _Origin(NamedTuple):
    """Where a value comes from.

    Attributes:
        native: The rendered messages.
        settings: What the prompt asks for beside them.
        options: The options of the template's adapter.
        sent: The content of the LangChain messages that were made of them.
    """

    native: tuple[Message, ...]
    settings: Settings
    options: Mapping[str, Any]
    sent: tuple[Any, ...]


class AdapterPromptValue(ChatPromptValue):
    """The messages of a rendered prompt.

    `to_messages` gives LangChain's messages, for any chat model; `to_request` the request of any provider, made from
    the prompt's own messages when it is asked for. Media are held once: neither dumps nor traces repeat them, and the
    ``repr`` shows them in short form.

    Attributes:
        messages: LangChain's messages.
        style: The wire shape that `to_request` gives without being told; None for none.
    """

    style: str | None = None
    _origin: _Origin | None = PrivateAttr(default=None)

    @classmethod
    def rendered(
        cls,
        native: tuple[Message, ...],
        settings: Settings = Settings(),  # noqa: B008 - an immutable value
        adapter: MessageAdapter | None = None,
        options: Mapping[str, Any] | None = None,
        made: list[BaseMessage] | None = None,
    ) -> Self:
        """The value of rendered messages.

        Args:
            native: The messages.
            settings: What their prompt asks for beside them.
            adapter: The adapter of the target, when that is fixed.
            options: Its options.
            made: LangChain's messages, where they are made of them already.

        Raises:
            UnsupportedContentError: (a ``ValueError``) The target cannot take something.
        """
        messages = langchain_messages(native, adapter) if made is None else made
        value = cls(messages=messages, style=None if adapter is None else adapter.style)
        value._origin = _Origin(native, settings, dict(options or {}), _content(messages))
        return value

    @classmethod
    def get_lc_namespace(cls) -> list[str]:
        """Where the class is, which is not where it inherits from."""
        return cls.__module__.split(".")

    @property
    def native(self) -> tuple[Message, ...]:
        """The messages as this package has them.

        Raises:
            PromptFormatError: (a ``ValueError``) A message was put in by hand that cannot be read.
        """
        if self._origin is not None and self._origin.sent == _content(self.messages):
            return self._origin.native
        return read_messages(readable(list(self.messages)), reasoning="drop")

    @property
    def prompt(self) -> Prompt:
        """The messages as a prompt without variables, with the model and parameters that its author asked for."""
        settings = Settings() if self._origin is None else self._origin.settings
        return settings.literal(self.native)

    def to_string(self) -> str:
        """The messages as text; media are named, as ``[image: image/png, 70 bytes]``."""
        return get_buffer_string(described(self.native))

    def to_request(self, style_or_model: str | None = None, /, **options: Any) -> dict[str, Any]:
        """The keyword arguments of a provider's official client.

        Args:
            style_or_model: As ``"google_style"``, or ``"anthropic/claude-opus-5"``, which also binds the model. None
                for the value's own style, or the model that the prompt names.
            options: The adapter's options, as ``model``, ``parameters`` and ``on_limit``.

        Returns:
            A new dict each time.

        Raises:
            PromptAdapterError: The provider cannot take it.
            UnknownAdapterError: (a ``KeyError``) There is no such style, or the model's provider cannot be told.
            TypeError: There is no such option.
        """
        prompt = self.prompt
        return self._adapter(style_or_model, prompt.model, options).build_request(prompt)

    async def ato_request(self, style_or_model: str | None = None, /, **options: Any) -> dict[str, Any]:
        """`to_request` that does not block the event loop."""
        prompt = self.prompt
        return await self._adapter(style_or_model, prompt.model, options).abuild_request(prompt)

    def _adapter(self, target: str | None, model: str | None, options: Mapping[str, Any]) -> MessageAdapter:
        if spent := [name for name in _SPENT_OPTIONS if name in options]:
            raise TypeError(f"the option {spent[0]!r} comes too late: the prompt is rendered; give it to an adapter")
        if target is not None:
            return resolve(target, options)
        if self.style is not None:
            own = {} if self._origin is None else self._origin.options
            return styled(self.style, model, {**own, **options})
        if model is not None:
            return resolve(model, options)
        raise PromptFormatError(
            None, None, "say what the request is for: to_request('openai_style'), or to_request('openai/gpt-5')"
        )

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        yield "messages", [shortened(message) for message in self.messages]
        if self.style is not None:
            yield "style", self.style


def _content(messages: Any) -> tuple[Any, ...]:
    """What tells whether messages are still those that were made: cheap to take, and equal after a copy."""
    contents = [getattr(message, "content", None) for message in messages]
    return (*map(type, messages), *[text if type(text) is str else _items(text) for text in contents])


def _items(content: Any) -> Any:
    return tuple(content) if isinstance(content, list) else content
