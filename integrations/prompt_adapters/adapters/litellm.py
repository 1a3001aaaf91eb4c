"""LiteLLM: the OpenAI dialect that LiteLLM passes on whole to the provider of the bound model.

=====================  =============================================================================================
what a message holds   what it becomes
=====================  =============================================================================================
system, developer      ``{"role": "system", "content": …}``
one text               ``"content": "…"``; several parts are a list, or one text where LiteLLM would join them
text                   ``{"type": "text", "text": …}``
image                  ``image_url``, as for OpenAI; a file that the provider holds is a ``file``
document               ``file`` for OpenAI, Gemini and Bedrock, Anthropic's own ``document`` for Claude
audio                  ``input_audio`` for OpenAI's shape, ``file`` for Gemini
video                  ``file`` for Gemini (with ``video_metadata``) and Bedrock, ``video_url`` for vLLM and its like
tool call, result      as for OpenAI; images stand in a result where they arrive
cache=True             ``"cache_control": {"type": "ephemeral"}`` for Claude and Bedrock, OpenAI's and OpenRouter's own
=====================  =============================================================================================

Servers that speak OpenAI's shape, Mistral and Cohere get the very messages that their own adapter makes, since LiteLLM
passes these on (`litellm_dialects`).

The provider's own rules on turns and its limits hold as in its native adapter. On top of them stands what LiteLLM would
drop, download or change on the way: it is refused, and the native adapter is the remedy. Where nobody tried what
arrives, only text is passed on.

Parameters keep the names that ``litellm.completion`` has. What says where a call goes (``api_base``, ``api_key`` and
their like) is no parameter of a prompt. The model goes out under a name by which LiteLLM finds the provider that the
request is written for (`litellm_names`).

Messages and parameters: https://docs.litellm.ai/docs/completion/input
Images: https://docs.litellm.ai/docs/completion/vision
Documents: https://docs.litellm.ai/docs/completion/document_understanding
Audio and video for Gemini: https://docs.litellm.ai/docs/providers/gemini
Caching: https://docs.litellm.ai/docs/completion/prompt_caching
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import Any, ClassVar, Self, assert_never

from prompt_adapters.adapters.accepted import Sources
from prompt_adapters.adapters.base import MessageAdapter
from prompt_adapters.adapters.blocks import Foreign, Item
from prompt_adapters.adapters.chat_turns import joined_notes, pieces, texts_after_calls
from prompt_adapters.adapters.litellm_checks import (
    check_links,
    check_media,
    check_medium,
    check_role,
    check_tools,
    check_turns,
    declares_tools,
    is_detour,
    remarks,
)
from prompt_adapters.adapters.litellm_dialects import ANYWHERE, TELLING, Dialect, carried, dialect_of
from prompt_adapters.adapters.litellm_names import SentName, full_name, sent_name
from prompt_adapters.adapters.litellm_parameters import PARAMETERS_WITH_TOP_K, parameters_at
from prompt_adapters.adapters.litellm_passing import KEPT, Call, info_of
from prompt_adapters.adapters.litellm_writing import in_one_text, run_together
from prompt_adapters.adapters.marks import marks_in, parts_with_mark, without_marks
from prompt_adapters.adapters.openai import OpenAIStylePromptAdapter
from prompt_adapters.adapters.parameters import NO_PARAMETERS, Table
from prompt_adapters.adapters.preparing import Given
from prompt_adapters.adapters.registry import PROMPT_ADAPTER_REGISTRY
from prompt_adapters.adapters.roles import settle_systems
from prompt_adapters.adapters.spots import Spot
from prompt_adapters.adapters.survey import IMAGE, TEXT
from prompt_adapters.adapters.turn_checks import ToolRules, final_turn
from prompt_adapters.content.frozen import replaced
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, Part, Text, ToolCall, ToolResult, Video
from prompt_adapters.media.notes import Note
from prompt_adapters.targets import Limits, Route, TurnRule, limits_for, route


@PROMPT_ADAPTER_REGISTRY.register("litellm_style")
class LiteLLMStylePromptAdapter(OpenAIStylePromptAdapter):
    """Builds the keyword arguments of ``litellm.completion``, for the provider of the bound model.

    Args:
        options: As for every adapter; `model` is a LiteLLM model string, prefix included, and stays as it is given.

    Attributes:
        native: The adapter of the provider's own shape; None without a model, or where there is none.

    Raises:
        UnknownModelError: (a ``KeyError``) No provider can be told from the model.
    """

    style: ClassVar[str] = "litellm_style"
    native: MessageAdapter | None = None
    _call: Mapping[str, Any] = NO_PARAMETERS
    _row: Dialect | None = None  # it is asked for a dozen times in a request

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        if self.model is not None:
            self._aim(route(self.model))

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_row": None}  # rows hold functions, and are found again

    def _aim(self, target: Route) -> None:
        self._route = target
        self._row = self.native = None
        if target.style != self.style and target.style in PROMPT_ADAPTER_REGISTRY:
            cls = PROMPT_ADAPTER_REGISTRY.get(target.style)
            if issubclass(cls, MessageAdapter):
                self.native = cls(**self._options._replace(model=None)._asdict()).bound(target)

    def _bound_to(self, model: str, target: Route) -> Self:
        adapter = copy(self)
        adapter._options = self._options._replace(model=model)
        adapter._aim(target)
        return adapter

    def bound(self, target: Route) -> Self:
        """A copy that is bound to a routed model, under LiteLLM's name for it."""
        return self._bound_to(full_name(target), target)

    def beside(self, arguments: Mapping[str, Any]) -> Self:
        """A copy for one call that has these arguments of ``litellm.completion`` as well: they say where it goes."""
        adapter = copy(self)
        adapter._call = {**self._call, **arguments}
        adapter._row = None
        return adapter

    def _job(self, prompt: Any, values: Any, more: Mapping[str, Any]) -> tuple[MessageAdapter, Given]:
        adapter, given = super()._job(prompt, values, more)
        layers = (given[1], self._options.parameters or {}, self._call)
        telling = {name: layer[name] for layer in layers for name in TELLING if name in layer}
        if telling and telling != self._call and isinstance(adapter, LiteLLMStylePromptAdapter):
            adapter = adapter.beside(telling)
        return adapter, given

    def _for_model_of(self, model: str | None) -> tuple[MessageAdapter, tuple[Note, ...]]:
        if model is None or self.model is not None:
            return self, ()
        return self._bound_to(model, route(model)), ()

    # What holds for the target

    @property
    def dialect(self) -> Dialect:
        """What LiteLLM passes on whole to the bound model; without one, what it passes on everywhere."""
        if self._row is None:
            self._row = ANYWHERE if self._route is None else dialect_of(self._route, self._call)
        return self._row

    @property
    def sent(self) -> SentName:
        """The model string that LiteLLM is given.

        Raises:
            TypeError: No model is bound.
        """
        if self.model is None or self._route is None:
            raise TypeError("no model is bound")
        return sent_name(self.model, self._route)

    @property
    def limits(self) -> Limits:
        """What the bound model's provider takes, and the links that LiteLLM leaves alone."""
        known = limits_for("openai_style") if self._route is None else self._route.limits
        if (links := self.dialect.links) is not None:
            known = replaced(
                known,
                name=f"{known.name} through LiteLLM",
                links=links if known.links is None else links & known.links,
            )
        return self._options.limited(known)

    @property
    def blank_text(self) -> bool:  # type: ignore[override]  # here it depends on the model
        """Whether a text of only whitespace arrives; for Claude LiteLLM puts a sentence of its own in its place."""
        row = self.dialect
        return row.tried and row.blank_text and (self.native is None or self.native.blank_text)

    @property
    def as_is(self) -> frozenset[str]:  # type: ignore[override]  # here it depends on the model
        """What the provider's own shape leaves as it is, where LiteLLM leaves it so as well."""
        row, target = self.dialect, self._route
        if target is not None and (self.sent.reason or is_detour(target)):
            return frozenset()
        left = frozenset({TEXT, IMAGE}) if self.native is None or not row.tried else self.native.as_is
        return left - {IMAGE} if row.joins or "media" in row.remarks else left

    def document_name(self, document: Document) -> str | None:
        """What the provider calls it in the end, since LiteLLM goes by the provider's own shape."""
        if not self.dialect.named:
            return None
        return super().document_name(document) if self.native is None else self.native.document_name(document)

    @property
    def carries(self) -> frozenset[str]:  # type: ignore[override]  # here it depends on the model
        """Which of name, cache, detail, title and clip arrive."""
        by_provider: frozenset[str] = frozenset() if self.native is None else self.native.carries
        return carried(self.dialect, by_provider, self._route)

    @property
    def takes(self) -> Sources:  # type: ignore[override]  # here it depends on the model
        """The media that arrive."""
        row = self.dialect
        declared = row.takes or (super().takes if self.native is None else self.native.takes)
        return {kind: declared.get(kind, frozenset()) for kind in row.kinds}

    def accepts(self, kind: str, where: str = "inline") -> bool:
        """As for every adapter; where tool turns are lost without tools, these have to be among the parameters."""
        parameters = {**(self._options.parameters or {}), **self._call}
        if kind in ("tool_call", "tool_result") and self.dialect.tool_turns and not declares_tools(parameters):
            return False
        return super().accepts(kind, where)

    @property
    def tools(self) -> ToolRules:  # type: ignore[override]  # here it depends on the model
        """What the provider's own shape demands of tool calls; where none is known, nothing."""
        return ToolRules() if self.native is None else self.native.tools

    def parameter_table(self) -> Table:
        """The names of ``litellm.completion``."""
        if self._route is None or self._route.style != "openai_style":
            return PARAMETERS_WITH_TOP_K
        return parameters_at(self.provider)

    def settle_parameters(self, parameters: dict[str, Any]) -> tuple[dict[str, Any], list[Note]]:
        """Only what arrives as it is; the rest is refused, or dropped with a note."""
        objections = [(name, reason) for name, reason in KEPT.items() if name in parameters]
        target, passing = self._route, self.dialect.passing
        if target is not None and passing is not None:
            objections += passing.objections(Call(target, info_of(target), parameters))
        notes: list[Note] = []
        for name, reason in objections:
            if self._options.unknown_parameters == "refuse":
                self.refuse(f"parameter {name!r}", "parameters", reason, self._without(name))
            notes.append(Note("parameters", f"{name!r} is left out: {reason}"))
            parameters = {other: value for other, value in parameters.items() if other != name}
        return parameters, notes

    def _without(self, name: str) -> str:
        remedy = "leave it out, set the adapter's option unknown_parameters='drop'"
        if self.native is not None and self.native.parameter_table().names_for(name):
            return f"{remedy}, or {self.instead()}"
        return remedy.replace(", set", ", or set")

    def place_in_request(self, encoded: dict[str, Any], parameters: dict[str, Any]) -> dict[str, Any]:
        """LiteLLM takes every parameter as a keyword."""
        request = MessageAdapter.place_in_request(self, encoded, parameters)
        return request if self.model is None else request | {"model": self.sent.name}

    def instead(self) -> str:
        """The remedy for what LiteLLM does not pass on."""
        if self._route is None:
            return "bind a model, as get_adapter('litellm_style', model='gemini/gemini-2.5-flash')"
        return f"use adapter_for({self.model!r}) and the provider's own client"

    # Turns

    def arrange(self, messages: tuple[Message, ...]) -> tuple[tuple[Message, ...], list[Note]]:
        """The provider's own rules on turns, and then what LiteLLM would change."""
        notes: list[Note] = []
        if not self.dialect.tried:
            reason = "for some providers LiteLLM moves it, or makes it the user's"
            messages, notes = settle_systems(messages, self.style, self._options.system_in_middle, lambda *_: reason)
            if place := final_turn(messages):
                notes.append(Note(place, "LiteLLM is not known to pass on that a final assistant turn is continued"))
        elif self.native is not None:
            messages, notes = self.native.arrange(messages)
        if self._route is not None:
            check_turns(messages, self, self._route)
            check_links(messages, self)
            notes += self._on_the_way(messages, self._route)
        said = set(notes)
        return messages, [*notes, *(note for note in texts_after_calls(messages) if note not in said)]

    def _on_the_way(self, messages: Sequence[Message], target: Route) -> Iterator[Note]:
        """What LiteLLM makes of it that is no loss of content."""
        if reason := self.sent.reason:
            yield Note("", reason)
        row = self.dialect
        yield from remarks(messages, row)
        if not row.joins or row.joins_beside_media or self.native is None:
            return
        turns = [(piece, [part for part, _ in piece.content]) for piece in pieces(messages, self)]
        turns = [(piece, parts if piece.result is None else list(piece.result.parts)) for piece, parts in turns]
        yield from joined_notes(
            ((piece.spot, parts) for piece, parts in turns if piece.role in row.joins and run_together(parts)),
            f"LiteLLM makes one of them on the way to {target.provider}",
        )

    def default_parameters(
        self, parameters: Mapping[str, Any], messages: Sequence[Message]
    ) -> tuple[Mapping[str, Any], list[Note]]:
        """LiteLLM fills in what a provider demands, and passes on the flags by which a server continues a turn."""
        notes = check_tools(messages, self, {**parameters, **self._call})
        if self.dialect.own is None or self.native is None:
            return NO_PARAMETERS, notes
        flags, more = self.native.default_parameters({**parameters, **self._call}, messages)
        return flags, [*notes, *more]

    def turn_rule(self, messages: Sequence[Message]) -> TurnRule | None:
        """That of the provider's own shape."""
        return None if self.native is None else self.native.turn_rule(messages)

    # Encoding

    def encode(self, messages: Sequence[Message]) -> dict[str, Any]:
        """``{"messages": […]}``."""
        row = self.dialect
        if row.own is not None and "cache" not in self.carries and (marks := marks_in(messages)):
            messages = without_marks(tuple(messages), marks)
        own = None if self.native is None else self.native.encode(messages)  # what the provider refuses, it says there
        check_media(messages, self)
        if own is not None and row.own is not None:
            encoded = [self._passed(row.own(message)) for message in own["messages"]]
        else:
            encoded = [
                one
                for number, message in enumerate(messages)
                for one in self._messages(parts_with_mark(message), Spot(number, message.role), self._name(message))
            ]
        beside = row.joins_beside_media
        return {
            "messages": [
                in_one_text(message, beside_media=beside) if message["role"] in row.joins else message
                for message in encoded
            ]
        }

    def _passed(self, message: dict[str, Any]) -> dict[str, Any]:
        """One of the provider's own messages without a name that would not arrive; a tool keeps its own."""
        if "name" not in message or "name" in self.carries or message["role"] == "tool":
            return message
        return {field: value for field, value in message.items() if field != "name"}

    def _name(self, message: Message) -> str | None:
        return message.name if "name" in self.carries else None

    def _role(self, spot: Spot, items: Sequence[tuple[Item, Spot]]) -> str:
        role = super()._role(spot, items)
        return "system" if role == "developer" else role

    def _item(self, item: Item, spot: Spot) -> dict[str, Any]:
        if isinstance(item, Foreign):
            check_role("an image", spot, self)
            return {"type": "image_url", "image_url": {"url": item.image.as_data_url()}}
        return self.marked(self._part(item, spot), item)

    def _part(self, part: Part, spot: Spot) -> dict[str, Any]:
        match part:
            case Text():
                return {"type": "text", "text": part.text}
            case Image() | Audio() | Video() | Document():
                check_medium(part, spot, self)
                return self.dialect.encode(self, part, spot)
            case ToolCall() | ToolResult():
                self.refuse(part, spot, f"it does not belong into a {spot.role} turn", "put it into a turn of its own")
        assert_never(part)

    def as_openai(self, part: Part, spot: Spot) -> dict[str, Any]:
        """A part as OpenAI's chat completions have it, without a detail that would not arrive.

        Raises:
            UnsupportedContentError: (a ``ValueError``) They have no place for it.
        """
        if isinstance(part, Image) and "detail" not in self.carries:
            part = part.replace(detail=None)
        return super()._part(part, spot)

    def _tool_call(self, call: ToolCall, spot: Spot) -> dict[str, Any]:
        return self.marked(super()._tool_call(call, spot), call)

    def _tool_message(self, result: ToolResult, spot: Spot) -> dict[str, Any]:
        """A call's result as a message.

        Content is a list, since LiteLLM makes an image of a single string that is written like a data URL; but blank
        text is a string, since LiteLLM sends Claude a list as it is, and Anthropic refuses blank text in one.
        """
        if spot.role not in ("tool", "user"):
            self.refuse(result, spot, "tool results stand in tool turns", "put it into a tool turn")
        content: str | list[dict[str, Any]]
        text = "".join(part.text for part in result.parts if isinstance(part, Text))
        if all(isinstance(part, Text) for part in result.parts) and not text.strip():
            content = text if text or not self.dialect.bare_results else []
        else:
            content = [self._in_result(part, spot._replace(inner=inner)) for inner, part in enumerate(result.parts)]
        named = {"name": result.name} if result.name else {}
        message = {"role": "tool", "tool_call_id": result.id} | named | {"content": content}
        ending = next((p for p in result.parts if isinstance(content, str) and self.is_marked(p)), result)
        return self.marked(message, ending)

    def _in_result(self, part: Part, spot: Spot) -> dict[str, Any]:
        return self.marked(self._part(part, spot), part)

    def is_marked(self, part: Part) -> bool:
        """Whether the end of a cacheable prefix is marked on a part."""
        return part.cache and "cache" in self.carries

    def marked(self, encoded: dict[str, Any], part: Part) -> dict[str, Any]:
        """An encoded part with LiteLLM's mark, when a cacheable prefix ends with it."""
        return encoded | {"cache_control": {"type": "ephemeral"}} if self.is_marked(part) else encoded
