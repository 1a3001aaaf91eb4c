"""Requests for LiteLLM's native routes: the provider's own shape, under the names of LiteLLM's functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NoReturn, assert_never

from prompt_adapters.adapters.base import MessageAdapter
from prompt_adapters.adapters.litellm import LiteLLMStylePromptAdapter
from prompt_adapters.adapters.parameters import EXTRA_BODY
from prompt_adapters.adapters.registry import get_adapter
from prompt_adapters.adapters.spots import Spot
from prompt_adapters.adapters.tidy import SYSTEM_ROLES
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, Part, Text, ToolCall, ToolResult, Video
from prompt_adapters.content.source import Inline
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.litellm.argument_names import check_names
from prompt_adapters.litellm.arguments import merged
from prompt_adapters.litellm.building import Built, Values, abuild_body, build_body
from prompt_adapters.litellm.metadata import NATIVE_FIELD, identity, with_identity
from prompt_adapters.litellm.native_routes import NATIVE_ROUTES, RELAYED, RESPONSES, NativeRoute
from prompt_adapters.prompt import Prompt
from prompt_adapters.targets import Route

_STREAM = "stream"
_CONFIG = "config"


class NativeJob(NamedTuple):
    """A call by a native route, read but not yet built.

    Attributes:
        name: The route.
        model: The model as the caller names it, or a Router's alias.
        speakers: The `litellm_style` adapters of every model that the call may reach, the first one first.
        arguments: The arguments of the call.
    """

    name: str
    model: str
    speakers: tuple[LiteLLMStylePromptAdapter, ...]
    arguments: Mapping[str, Any]

    @property
    def route(self) -> NativeRoute:
        """What is known of the route."""
        return NATIVE_ROUTES[self.name]

    def build(self, prompt: Any, values: Values) -> dict[str, Any]:
        """The keyword arguments for LiteLLM's function.

        Raises:
            UnsupportedContentError: (a ``ValueError``) The provider does not speak the route's shape, or LiteLLM would
                lose something.
            TypeError: An argument is misspelt, or holds what the prompt makes.
        """
        bodies = []
        for speaker in self.speakers:
            adapter = self._adapter(speaker, prompt)
            if self._is_relayed(speaker):
                messages = _relayed_messages(speaker, speaker.prepare(prompt, values).messages)
                bodies.append(_relayed(speaker, build_body(adapter, messages, None)))
            else:
                bodies.append(build_body(adapter, prompt, values))
        return self._arguments(bodies, prompt)

    async def abuild(self, prompt: Any, values: Values) -> dict[str, Any]:
        """`build` that does not block the event loop."""
        bodies = []
        for speaker in self.speakers:
            adapter = self._adapter(speaker, prompt)
            if self._is_relayed(speaker):
                messages = _relayed_messages(speaker, (await speaker.aprepare(prompt, values)).messages)
                bodies.append(_relayed(speaker, await abuild_body(adapter, messages, None)))
            else:
                bodies.append(await abuild_body(adapter, prompt, values))
        return self._arguments(bodies, prompt)

    # The adapter

    def _is_relayed(self, speaker: LiteLLMStylePromptAdapter) -> bool:
        """Whether LiteLLM makes a call of chat completions of it."""
        return self.name == RESPONSES and _target(speaker).provider not in ("openai", "azure")

    def _adapter(self, speaker: LiteLLMStylePromptAdapter, prompt: Any) -> MessageAdapter:
        """The adapter of the route's shape, with the parameters of the call."""
        target, style = _target(speaker), self.route.style
        if self.name != RESPONSES and target.style != style:
            self._refuse_provider(speaker)
        adapter, options = get_adapter(style), speaker.options
        check_names(self.arguments, prompt, _names(adapter))
        # A relayed prompt comes as messages, which have no parameters.
        mine = prompt.parameters if self._is_relayed(speaker) and isinstance(prompt, Prompt) else {}
        parameters = {**mine, **(options.parameters or {}), **self._parameters(adapter)}
        bound = get_adapter(style, **options._replace(model=None, parameters=parameters)._asdict())
        return bound.bound(target if target.style == style else Route(target.provider, target.model, style))

    def _parameters(self, adapter: MessageAdapter) -> dict[str, Any]:
        """What of the arguments is a parameter of the provider, by its own name or one that all share."""
        table, config = adapter.parameter_table(), self.arguments.get(_CONFIG)
        named = {name: value for name, value in self.arguments.items() if table.names_for(name)}
        named.pop(_STREAM, None)
        named.pop(EXTRA_BODY, None)
        return {**(config if isinstance(config, Mapping) else {}), **named}

    def _refuse_provider(self, speaker: LiteLLMStylePromptAdapter) -> NoReturn:
        style = _target(speaker).style
        other = next((name for name, row in NATIVE_ROUTES.items() if row.style == style), "completion")
        raise UnsupportedContentError(
            self.route.style,
            f"a call to {speaker.model}",
            self.name,
            f"LiteLLM's {self.name} is for providers that speak this shape, and this one speaks {style}",
            f"use the bridge's {other}",
        )

    # The arguments

    def _arguments(self, bodies: Sequence[Built], prompt: Any) -> dict[str, Any]:
        fields = [{name: value for name, value in body.request.items() if name != "model"} for body in bodies]
        for speaker, other in zip(self.speakers, fields, strict=True):
            if other != fields[0]:
                raise UnsupportedContentError(
                    self.route.style,
                    f"a call through {self.model!r}",
                    self.name,
                    f"the Router sends the same request to each of its models, and {speaker.model} needs another than "
                    f"{self.speakers[0].model}",
                    "use completion, or a Router's alias for one provider",
                )
        if lost := sorted(self.route.lost & fields[0].keys()):
            raise UnsupportedContentError(
                self.route.style,
                f"parameter {lost[0]!r}",
                "parameters",
                f"LiteLLM's {self.name} does not pass it on",
                "leave it out, or use the provider's own client",
            )
        request = {"model": self.model} | self.route.given(fields[0])
        adapter = get_adapter(self.route.style)
        placed = self._parameters(adapter).keys() | {_CONFIG}
        rest = {name: value for name, value in self.arguments.items() if name not in placed}
        made = [name for name in self.route.content if name in request or name == self.route.content[0]]
        if isinstance(beside := rest.get(EXTRA_BODY), Mapping):
            rest[EXTRA_BODY] = {**request.get(EXTRA_BODY, {}), **beside}
        notes = list(map(str, bodies[0].notes))
        return with_identity(merged(request, rest, made), identity(prompt, notes), NATIVE_FIELD)


def _target(speaker: LiteLLMStylePromptAdapter) -> Route:
    target = speaker.route
    assert target is not None  # noqa: S101 - a model is bound, so it was routed
    return target


def _names(adapter: MessageAdapter) -> frozenset[str]:
    table = adapter.parameter_table()
    return table.own | table.shared.keys()


# What LiteLLM makes a call of chat completions of


def _relayed(speaker: LiteLLMStylePromptAdapter, body: Built) -> Built:
    """The same, when LiteLLM passes on its parameters."""
    for name in body.request.keys() - RELAYED - {"model", *NATIVE_ROUTES[RESPONSES].content}:
        speaker.refuse(
            f"parameter {name!r}",
            "parameters",
            f"LiteLLM's responses is not known to pass it on to {speaker.model}",
            "leave it out, or use completion",
        )
    return body


def _relayed_messages(speaker: LiteLLMStylePromptAdapter, messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """The messages as `litellm_style` would send them, when they arrive this way as well."""
    spoken = False
    for number, message in enumerate(messages):
        if message.role in SYSTEM_ROLES and message.parts and spoken:
            _refuse_relayed(speaker, "a system message", Spot(number, message.role))
        spoken = spoken or message.role not in SYSTEM_ROLES
        for index, part in enumerate(message.parts):
            _check_relayed(speaker, part, Spot(number, message.role, index))
    return messages


def _check_relayed(speaker: LiteLLMStylePromptAdapter, part: Part, spot: Spot) -> None:
    match part:
        case Text() | ToolCall():
            return
        case ToolResult():
            for inner, held in enumerate(part.parts):
                if not isinstance(held, Text):
                    _refuse_relayed(speaker, held, spot._replace(inner=inner))
        case Image(source=Inline()):
            return
        case Document(source=Inline(mime="application/pdf")):
            return
        case Image() | Document() | Audio() | Video():
            _refuse_relayed(speaker, part, spot)
        case _:
            assert_never(part)


def _refuse_relayed(speaker: LiteLLMStylePromptAdapter, part: Part | str, spot: Spot) -> NoReturn:
    reason = f"LiteLLM's responses is not known to pass it on to {speaker.model}"
    speaker.refuse(part, spot, reason, "use completion")
