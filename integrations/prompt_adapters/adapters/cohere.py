"""Cohere's chat, version 2 of the API.

=====================  =============================================================================================
what a message holds   what it becomes
=====================  =============================================================================================
system, developer      a message of role ``system``, wherever it stands
user, assistant        a message of that role
one text               ``"content": "…"``; several parts are a list
text                   ``{"type": "text", "text": …}``; beside tool calls it is their ``"tool_plan"``
image                  ``{"type": "image_url", "image_url": {"url": data URL or link, "detail"?}}``
document               refused: its text goes into the parameter ``documents``
audio, video           refused: there is no such part
tool call              ``"tool_calls": [{"id", "type": "function", "function": {"name", "arguments": JSON text}}]``
tool result            a message of its own: ``{"role": "tool", "tool_call_id", "content"}``; text only
=====================  =============================================================================================

Messages: https://docs.cohere.com/reference/chat
Images: https://docs.cohere.com/docs/image-inputs
Documents: https://docs.cohere.com/docs/retrieval-augmented-generation-rag
Tools: https://docs.cohere.com/docs/tool-use
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NoReturn, assert_never

from prompt_adapters.adapters.accepted import Sources, sources
from prompt_adapters.adapters.base import MessageAdapter
from prompt_adapters.adapters.chat_turns import (
    Piece,
    function_call,
    joined,
    joined_notes,
    pieces,
    result_content,
    texts_after_calls,
    with_details,
)
from prompt_adapters.adapters.cohere_parameters import COHERE_TABLE
from prompt_adapters.adapters.parameters import Table
from prompt_adapters.adapters.preparing import payload_messages
from prompt_adapters.adapters.registry import PROMPT_ADAPTER_REGISTRY
from prompt_adapters.adapters.spots import Spot
from prompt_adapters.adapters.survey import IMAGE, TEXT
from prompt_adapters.adapters.turn_checks import ToolRules, final_turn
from prompt_adapters.content.encoded import data_url_of
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, MediaPart, Text, ToolResult, Video
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.media.notes import Note

# https://docs.cohere.com/docs/image-inputs
_DETAILS = ("auto", "low", "high")


@PROMPT_ADAPTER_REGISTRY.register("cohere_style")
class CohereStylePromptAdapter(MessageAdapter):
    """Builds requests for version 2 of Cohere's chat.

    A payload is the list of messages: an optional system message, and one user message whose content is a list of
    parts. Between two blocks stands their separator, a part of its own.
    """

    style: ClassVar[str] = "cohere_style"
    table: ClassVar[Table] = COHERE_TABLE
    carries: ClassVar[frozenset[str]] = frozenset({"detail"})
    takes: ClassVar[Sources] = sources(image="inline link")
    tools: ClassVar[ToolRules] = ToolRules("next")  # https://docs.cohere.com/docs/tool-use-overview
    as_is: ClassVar[frozenset[str]] = frozenset({TEXT, IMAGE})
    moulded: ClassVar[bool] = True

    def payload(self, template: Any, values: Mapping[str, Any]) -> list[Any]:
        """The messages; user content is a list of parts."""
        return self._messages(payload_messages(self, template, values), listed=True)

    def encode(self, messages: Sequence[Message]) -> dict[str, Any]:
        """``{"messages": […]}``."""
        return {"messages": self._messages(messages)}

    def arrange(self, messages: tuple[Message, ...]) -> tuple[tuple[Message, ...], list[Note]]:
        """Nothing is moved; what the shape cannot say is noted, and documents are refused with a way to send them."""
        for piece in pieces(messages, self):
            for part, spot in piece.content:
                if isinstance(part, Document):
                    self._refuse_document(part, spot)
        messages, notes = with_details(messages, _DETAILS, "Cohere")
        notes += texts_after_calls(messages)
        plans = ((piece.spot, [part for part, _ in piece.content]) for piece in pieces(messages, self) if piece.calls)
        notes += joined_notes(plans, "Cohere has one text beside tool calls")
        if place := final_turn(messages):
            notes.append(Note(place, "Cohere does not say that it continues a final assistant turn"))
        return messages, notes

    def _messages(self, messages: Sequence[Message], *, listed: bool = False) -> list[dict[str, Any]]:
        """The messages of the wire; `listed` makes a user's content a list even when it is one text."""
        return [self._message(piece, listed and piece.role == "user") for piece in pieces(messages, self)]

    def _message(self, piece: Piece, listed: bool) -> dict[str, Any]:
        if piece.result is not None:
            return self._tool_message(piece.result, piece.spot)
        content = [self._part(part, spot) for part, spot in piece.content]
        if piece.calls:
            return {"role": piece.role} | _plan(content) | {"tool_calls": [function_call(call) for call in piece.calls]}
        if len(content) == 1 and content[0]["type"] == "text" and not listed:
            return {"role": piece.role, "content": content[0]["text"]}
        return {"role": piece.role, "content": content}

    def _part(self, part: Text | MediaPart, spot: Spot) -> dict[str, Any]:
        match part:
            case Text():
                return {"type": "text", "text": part.text}
            case Image():
                if spot.role != "user":
                    reason = "Cohere takes images from the user only"
                    self.refuse(part, spot, reason, "move it to a user turn")
                image = {"url": self._url(part, spot)}
                return {"type": "image_url", "image_url": image | ({"detail": part.detail} if part.detail else {})}
            case Document():
                self._refuse_document(part, spot)
            case Audio():
                self.refuse(part, spot, "Cohere takes no audio", "send a transcript as text")
            case Video():
                self.refuse(part, spot, "Cohere takes no video", "send single frames as images")
        assert_never(part)

    def _refuse_document(self, part: Document, spot: Spot) -> NoReturn:
        remedy = "send its text as text, or by the parameter documents, as {'documents': ['…']}"
        self.refuse(part, spot, "Cohere takes no documents in messages", remedy)

    def _url(self, part: Image, spot: Spot) -> str:
        match part.source:
            case Inline() as source:
                return data_url_of(source)
            case Link() as source:
                return self.reach(part, source, spot)
            case Uploaded():
                self.refuse(part, spot, "Cohere takes no uploaded images", "give the bytes or a link")
        assert_never(part.source)

    def _tool_message(self, result: ToolResult, spot: Spot) -> dict[str, Any]:
        return {"role": "tool", "tool_call_id": result.id, "content": result_content(result, spot, self)}


def _plan(content: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What the assistant says beside its calls: the API takes no text content there."""
    return {"tool_plan": joined(part["text"] for part in content)} if content else {}
