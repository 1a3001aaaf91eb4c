"""What all adapters share: reading what they are given, preparing it, and the async forms.

    a prompt, messages or a template ─ messages ─ tidy ─ arrange ─ fit ─► Prepared ─ encode ─► request
                                      blocks.py   tidy.py  (adapter) media/           (adapter)

A wire shape says how its messages are arranged and encoded and where its parameters go; everything else is here.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from copy import copy
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Never, NoReturn, Self, TypeAlias

from prompt_adapters.adapters.accepted import NOTHING, Sources, accepted, check_words
from prompt_adapters.adapters.blocks import Extra, Origin, Separators, is_prompt, merged_values
from prompt_adapters.adapters.bound_model import abilities_of, limits_of, rule_of, spoken, told, unprefixed
from prompt_adapters.adapters.contract import BasePromptAdapter, Prepared
from prompt_adapters.adapters.moulds import Moulds
from prompt_adapters.adapters.options import Fetch, OnLimit, Options, refuse_unknown
from prompt_adapters.adapters.parameters import EXTRA_BODY, NO_PARAMETERS, Table, UnknownParameters
from prompt_adapters.adapters.preparing import Given, Ready, announce, aside, payload_messages, prepared
from prompt_adapters.adapters.reading import ReadsRequests
from prompt_adapters.adapters.roles import SystemInMiddle, SystemText
from prompt_adapters.adapters.spots import Spot, holds_media, name_of
from prompt_adapters.adapters.survey import IMAGE, TEXT
from prompt_adapters.adapters.turn_checks import ToolRules
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Document, Part
from prompt_adapters.content.source import Link, Uploaded
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.media.notes import Note

if TYPE_CHECKING:
    from prompt_adapters.targets import Capabilities, Limits, Route, TurnRule

__all__ = ["BasePromptAdapter", "MessageAdapter", "Prepared", "Values"]

_MESSAGES = (Message, tuple, list)  # a union written at the place of its use is made anew at each call
Values: TypeAlias = Mapping[str, Any] | None


class MessageAdapter(ReadsRequests, BasePromptAdapter):
    """An adapter for a wire shape: from messages to the request of a provider.

    Adapters are immutable: they may be shared between threads and used as often as one likes.

    Args:
        model: The model, as the provider's own client wants it; it is put into the request. LiteLLM's prefix is taken
            off where its provider speaks this shape, and its limits hold. A name that a catalogue may list so, as
            ``openai/gpt-4o`` in the OpenAI shapes, and one whose provider speaks another shape, are sent as they are
            given, with a note; ``openrouter/openai/gpt-4o`` and ``adapter_for`` leave no doubt.
        parameters: Parameters of the call, such as temperature; these win over the prompt's.
        on_limit: What becomes of media that the provider would refuse: ``"convert"`` makes them fit, ``"error"``
            refuses them, ``"send"`` sends them as they are.
        fetcher: What downloads links that the provider does not read itself, as an `HttpFetcher`; None for nothing.
        fetch: Which links the fetcher downloads: ``"needed"``, or ``"always"`` for all http and https links.
        system_in_middle: What becomes of a system message in mid-conversation where the provider takes none:
            ``"refuse"``, or ``"user"`` to send it as marked user text.
        system: Where leading system text goes: ``"auto"`` as the model is known to want it, ``"keep"`` as the shape has
            it, ``"one"`` joined into one system text, ``"fold"`` into the first user text.
        limits: Limits that are other than documented, as ``{"max_images": 500}``; the names are those of `Limits`.
        separators: What stands between blocks of a block list, by the types of both; None for the documented rules.
        unknown_parameters: What becomes of a parameter that the provider lacks: ``"refuse"`` or ``"drop"``.
        extra: What becomes of a value that the prompt has no variable for: ``"forbid"`` or ``"ignore"``.

    Attributes:
        style: The registry key of the wire shape.
        table: Where the provider has its parameters.
        blank_text: Whether the provider takes a text that is only whitespace.
        system_in_list: Whether system text stands in the list of messages.
        payload_key: Where `encode` puts that list.
        carries: Which of name, cache, detail, title, clip and error the shape has fields for.
        takes: From the kinds of media to where their content may be: ``"inline"``, ``"link"`` and ``"uploaded"``.
        tools: What the provider demands of tool calls and their results.
        as_is: In which plain talk (`survey`) `arrange` changes and notes nothing: ``"text"`` alone, with ``"image"``. A
            class that overrides `arrange` says it anew.
        moulded: Whether two requests of plain talk with the same roles and types differ in nothing but their texts and
            pictures, each of which stands there as it is (`moulds`). A class says it for itself, not for its heirs.

    Raises:
        TypeError: There is no such option, or it has the wrong type.
        ValueError: An option has an impossible value.
    """

    style: ClassVar[str] = ""
    table: ClassVar[Table] = Table(MappingProxyType({}), frozenset(), "")
    blank_text: ClassVar[bool] = True
    system_in_list: ClassVar[bool] = True
    payload_key: ClassVar[str] = "messages"
    carries: ClassVar[frozenset[str]] = frozenset()
    takes: ClassVar[Sources] = NOTHING
    tools: ClassVar[ToolRules] = ToolRules()
    as_is: ClassVar[frozenset[str]] = frozenset({TEXT, IMAGE})
    moulded: ClassVar[bool] = False
    _route: Route | None = None

    def __init__(
        self,
        *,
        model: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        on_limit: OnLimit = "convert",
        fetcher: Any = None,
        system_in_middle: SystemInMiddle = "refuse",
        separators: Separators | None = None,
        unknown_parameters: UnknownParameters = "refuse",
        extra: Extra = "forbid",
        system: SystemText = "auto",
        limits: Mapping[str, Any] | None = None,
        fetch: Fetch = "needed",
        **unknown: Never,
    ) -> None:
        if unknown:
            refuse_unknown(type(self), unknown)
        self._options = Options(
            model,
            parameters,
            on_limit,
            fetcher,
            system_in_middle,
            separators,
            unknown_parameters,
            extra,
            system,
            limits,
            fetch,
        ).checked()
        self._moulds = Moulds()
        if (target := unprefixed(self._options.model, self.style)) is not None:
            self._bind(target)

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        if "arrange" in vars(cls) and "as_is" not in vars(cls):
            cls.as_is = frozenset()
        if "moulded" not in vars(cls):
            cls.moulded = False

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_moulds": Moulds()}  # a copy may be bound to another model

    @property
    def options(self) -> Options:
        """The options, and the caller's to keep."""
        return self._options.copied()

    @property
    def model(self) -> str | None:
        """The bound model, as the provider's own client wants it."""
        return self._options.model

    @property
    def route(self) -> Route | None:
        """Where the bound model is, when that was told from a model string."""
        return self._route

    @property
    def provider(self) -> str | None:
        """LiteLLM's name of the provider; None when only the shape is known."""
        return None if self._route is None else self._route.provider

    @property
    def capabilities(self) -> Capabilities:
        """What the bound model can do, as far as that is known."""
        return abilities_of(self._route or told(self.model), self.style)

    @property
    def limits(self) -> Limits:
        """What the target takes; without a provider, the loosest that is documented for the shape."""
        return self._options.limited(limits_of(self._route, self.style, self.model))

    def accepts(self, kind: str, where: str = "inline") -> bool:
        """Whether a user's turn may hold a part of this kind; the others are refused by name.

        Args:
            kind: text, image, audio, video, document, tool_call (in an assistant's turn) or tool_result.
            where: Where a medium's content is: ``"inline"``, ``"http"``, ``"https"``, ``"gs"``, ``"s3"`` or
                ``"uploaded"``. Of the types that bytes may have, `limits` tells more.

        Raises:
            ValueError: There is no such kind or place.
        """
        check_words(kind, where)
        if kind in ("text", "tool_call", "tool_result"):
            return where == "inline"
        return accepted(kind, where, self.takes, self.limits, fitted=self._options.on_limit != "send")

    def bound(self, target: Route) -> Self:
        """A copy that is bound to a routed model."""
        adapter = copy(self)
        adapter._bind(target)
        return adapter

    def _bind(self, target: Route) -> None:
        self._options = self._options._replace(model=target.model)
        self._route = target

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return (self._options, self._route) == (other._options, other._route)

    def __hash__(self) -> int:
        return hash((type(self), self._options.key(), self._route))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._options!r})"

    def build_payload(self, template: Any, **kwargs: Any) -> list[Any]:
        """The list of messages, separators included and media as they are, as the shape's class describes it.

        A `Prompt` gives its earlier turns as well. Where the list has no system role, the first text takes in the
        system text, with a blank line between.

        Args:
            template: A `Prompt`, or anything with ``system_prompt`` and ``render_blocks(**kwargs)``.
            kwargs: The variables' values.

        Raises:
            UnsupportedContentError: (a ``ValueError``) A block has no place in this shape.
            PromptFormatError: (a ``ValueError``) There is nothing to say.
            TypeError: It is no template, or a block holds what its type does not say.
        """
        return self.payload(template, kwargs)

    def payload(self, template: Any, values: Mapping[str, Any]) -> list[Any]:
        """What `build_payload` gives; arguments and errors as there."""
        payload: list[Any] = self.encode(payload_messages(self, template, values))[self.payload_key]
        return payload

    def build_request(self, prompt: Any, values: Values = None, /, **more: Any) -> dict[str, Any]:
        """The keyword arguments of the provider's official Python client.

        Args:
            prompt: A `Prompt`, a `Message`, a tuple or list of them, or a template of the block contract.
            values: The variables' values.
            more: More of them.

        Returns:
            A new dict, ``model`` included when one is bound.

        Raises:
            PromptAdapterError: The prompt cannot be rendered, or the provider cannot take it; the error says what and
                where, and what to do instead.
            TypeError: A name is given twice, or what is given is no prompt.
        """
        adapter, given = self._job(prompt, values, more)
        return adapter._made(given, wire=False)

    def build_body(self, prompt: Any, values: Values = None, /, **more: Any) -> dict[str, Any]:
        """The JSON body as it goes over the wire; arguments and errors as for `build_request`."""
        adapter, given = self._job(prompt, values, more)
        return adapter._made(given, wire=True)

    def prepare(self, prompt: Any, values: Values = None, /, **more: Any) -> Prepared:
        """The messages as they would be sent, and every change; arguments and errors as for `build_request`."""
        adapter, given = self._job(prompt, values, more)
        return Prepared(*adapter._prepared(given)[:2])

    async def abuild_request(self, prompt: Any, values: Values = None, /, **more: Any) -> dict[str, Any]:
        """`build_request` that does not block the event loop."""
        adapter, given = self._job(prompt, values, more)
        return await aside(adapter, partial(adapter._made, wire=False), given)

    async def abuild_body(self, prompt: Any, values: Values = None, /, **more: Any) -> dict[str, Any]:
        """`build_body` that does not block the event loop."""
        adapter, given = self._job(prompt, values, more)
        return await aside(adapter, partial(adapter._made, wire=True), given)

    async def aprepare(self, prompt: Any, values: Values = None, /, **more: Any) -> Prepared:
        """`prepare` that does not block the event loop."""
        adapter, given = self._job(prompt, values, more)
        return Prepared(*(await aside(adapter, adapter._prepared, given))[:2])

    async def abuild_payload(self, template: Any, **kwargs: Any) -> list[Any]:
        """`build_payload`, for callers that await; nothing is fitted, so there is nothing to wait for."""
        return self.build_payload(template, **kwargs)

    @abstractmethod
    def encode(self, messages: Sequence[Message]) -> dict[str, Any]:
        """The part of a request that carries these messages. Pure: no file, no network, no vendor's library.

        Args:
            messages: The messages, as `prepare` gives them.

        Raises:
            UnsupportedContentError: (a ``ValueError``) The provider has no place for a part.
        """

    def encode_body(self, messages: Sequence[Message]) -> dict[str, Any]:
        """Like `encode`, as JSON over the wire; the same unless the client's words differ."""
        return self.encode(messages)

    def arrange(self, messages: tuple[Message, ...]) -> tuple[tuple[Message, ...], list[Note]]:
        """Apply the provider's rules on turns; as many messages come back."""
        return messages, []

    def parameter_table(self) -> Table:
        """Where the provider has its parameters."""
        return self.table

    def settle_parameters(self, parameters: dict[str, Any]) -> tuple[dict[str, Any], list[Note]]:
        """Look at the parameters together, once they have the provider's names; refuse some, or leave them out."""
        return parameters, []

    def default_parameters(
        self,
        parameters: Mapping[str, Any],  # noqa: ARG002 - overrides read it
        messages: Sequence[Message],  # noqa: ARG002 - overrides read it
    ) -> tuple[Mapping[str, Any], list[Note]]:
        """What the provider demands for these messages and is not among these parameters."""
        return NO_PARAMETERS, []

    def place_in_request(self, encoded: dict[str, Any], parameters: dict[str, Any]) -> dict[str, Any]:
        """The request from its two halves."""
        if (model := self._options.model) is None:
            return {**encoded, **parameters}
        return {"model": model, **encoded, **parameters}

    def place_in_body(self, encoded: dict[str, Any], parameters: dict[str, Any]) -> dict[str, Any]:
        """The body from its two halves; what the client takes as `extra_body` stands beside the rest."""
        if not parameters:
            return MessageAdapter.place_in_request(self, encoded, parameters)
        extra = parameters.pop(EXTRA_BODY, NO_PARAMETERS)
        if not isinstance(extra, Mapping):
            self.refuse("parameter 'extra_body'", "parameters", f"it is {type(extra).__name__}", "give a mapping")
        return MessageAdapter.place_in_request(self, encoded, parameters) | dict(extra)

    def origin(self) -> Origin:
        """How this adapter reads what it is given."""
        return Origin(self._options.extra, self._options.separators, self.style)

    def refuse(self, part: Part | str, spot: Spot | str, reason: str, remedy: str) -> NoReturn:
        """Refuse something by name.

        Raises:
            UnsupportedContentError: (a ``ValueError``) Always.
        """
        what = part if isinstance(part, str) else name_of(part)
        raise UnsupportedContentError(self.style, what, str(spot), reason, remedy)

    def reach(self, part: Part, link: Link, spot: Spot) -> str:
        """The address of a link that the provider reads itself.

        Raises:
            UnsupportedContentError: (a ``ValueError``) It does not read such links.
        """
        limits = self.limits
        if limits.links is not None and link.scheme not in limits.links:
            reads = f"it reads {', '.join(sorted(limits.links))} links only" if limits.links else "it reads no links"
            self.refuse(part, spot, f"{limits.name}: {reads}", "give the bytes, as from a file")
        return link.url

    def file_id(self, part: Part, source: Uploaded, spot: Spot, example: str) -> str:
        """The id of an uploaded file, for shapes that call it by one.

        Raises:
            UnsupportedContentError: (a ``ValueError``) It has an address in its place.
        """
        if "://" in source.uri:
            self.refuse(part, spot, f"an uploaded file is called by its id, as {example!r}", "give the id")
        return source.uri

    def document_name(self, document: Document) -> str | None:  # noqa: ARG002 - overrides read it
        """What a document is called in the request; None where the shape has no field for it."""
        return None

    def _job(self, prompt: Any, values: Values, more: Mapping[str, Any]) -> tuple[MessageAdapter, Given]:
        given = merged_values(values, more)
        if isinstance(prompt, _MESSAGES) or not is_prompt(prompt):
            return self, (self.origin().messages(prompt, given), NO_PARAMETERS, ())
        options = self._options
        messages = prompt.render_messages(given, extra=options.extra, separators=options.separators)
        if (model := prompt.model) is None:
            return self, (messages, prompt.parameters, ())
        adapter, notes = self._for_model_of(model)
        return adapter, (messages, prompt.parameters, notes)

    def _for_model_of(self, model: str | None) -> tuple[MessageAdapter, tuple[Note, ...]]:
        """This adapter, bound to the prompt's own model where none is bound and the shape is right."""
        if model is None or self.model is not None:
            return self, ()
        target = told(model)
        if target is None:
            adapter = copy(self)
            adapter._options = self._options._replace(model=model)
            return adapter, ()
        if (same := spoken(target, self.style)) is not None:
            return self.bound(same), ()
        return self, (
            Note("", f"the prompt's model {model!r} is not bound: it speaks {target.style}, not {self.style}"),
        )

    def turn_rule(self, messages: Sequence[Message]) -> TurnRule | None:
        """What the bound model is known to make of system text and of turns."""
        if (target := self._route or told(self._options.model)) is None:
            return None
        return rule_of(target.style, target.provider, target.model, images=holds_media(messages))

    def _prepared(self, given: Given) -> Ready:
        ready = prepared(self, given)
        if ready[1]:
            announce(self.style, ready[1])
        return ready

    def _placed(self, ready: Ready, *, wire: bool) -> dict[str, Any]:
        messages, _, parameters = ready
        if wire:
            return self.place_in_body(self.encode_body(messages), parameters)
        return self.place_in_request(self.encode(messages), parameters)

    def _made(self, given: Given, *, wire: bool) -> dict[str, Any]:
        request = self._moulds.request(self, given, wire=wire) if self.moulded else None
        return self._placed(self._prepared(given), wire=wire) if request is None else request
