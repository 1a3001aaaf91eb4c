"""Mistral's chat completions.

=====================  =============================================================================================
what a message holds   what it becomes
=====================  =============================================================================================
system, developer      a message of role ``system`` before the conversation
user                   a message of role ``user``
assistant              a message of role ``assistant``; at the end it is continued, with ``"prefix": true``
one text               ``"content": "…"``; several parts are a list of chunks
text                   ``{"type": "text", "text": …}``
image                  ``{"type": "image_url", "image_url": data URL or link}``, or ``{"url", "detail"}`` in its place
audio                  ``{"type": "input_audio", "input_audio": base64 or link}``
document               ``{"type": "document_url", "document_url": data URL or link, "document_name"?}``
uploaded file          ``{"type": "file", "file_id"}``
video                  refused: there is no such chunk
tool call              ``"tool_calls": [{"id", "type": "function", "function": {"name", "arguments": JSON text}}]``
tool result            a message of its own: ``{"role": "tool", "tool_call_id", "name"?, "content"}``; text only
=====================  =============================================================================================

Messages and chunks: https://docs.mistral.ai/api/endpoint/chat
Images: https://docs.mistral.ai/capabilities/vision
Audio: https://docs.mistral.ai/capabilities/audio_transcription
Documents: https://docs.mistral.ai/studio-api/document-processing/document_qna
Functions: https://docs.mistral.ai/capabilities/function_calling
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, assert_never

from prompt_adapters.adapters.accepted import Sources, sources
from prompt_adapters.adapters.base import MessageAdapter
from prompt_adapters.adapters.chat_turns import Piece, function_call, pieces, result_content
from prompt_adapters.adapters.mistral_parameters import MISTRAL_TABLE
from prompt_adapters.adapters.mistral_turns import arranged
from prompt_adapters.adapters.parameters import Table
from prompt_adapters.adapters.preparing import payload_messages
from prompt_adapters.adapters.registry import PROMPT_ADAPTER_REGISTRY
from prompt_adapters.adapters.spots import Spot
from prompt_adapters.adapters.survey import IMAGE, TEXT
from prompt_adapters.adapters.turn_checks import ToolRules, refuse_media
from prompt_adapters.content.encoded import base64_of, data_url_of
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, MediaPart, Text, ToolResult, Video
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.media.notes import Note

# https://docs.mistral.ai/api/endpoint/files
_FILE = "497f6eca-6276-4993-bfeb-53cbbbba6f09"


@PROMPT_ADAPTER_REGISTRY.register("mistral_style")
class MistralStylePromptAdapter(MessageAdapter):
    """Builds requests for Mistral's chat completions.

    A payload is the list of messages: an optional system message, and one user message whose content is a list of
    chunks. Between two blocks stands their separator, a chunk of its own.
    """

    style: ClassVar[str] = "mistral_style"
    table: ClassVar[Table] = MISTRAL_TABLE
    carries: ClassVar[frozenset[str]] = frozenset({"detail"})
    as_is: ClassVar[frozenset[str]] = frozenset({TEXT, IMAGE})
    moulded: ClassVar[bool] = True
    takes: ClassVar[Sources] = sources(
        image="inline link uploaded", audio="inline link", document="inline link uploaded"
    )

    # https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py
    tools: ClassVar[ToolRules] = ToolRules("next")

    def payload(self, template: Any, values: Mapping[str, Any]) -> list[Any]:
        """The messages; user content is a list of chunks."""
        return self._messages(payload_messages(self, template, values), listed=True)

    def encode(self, messages: Sequence[Message]) -> dict[str, Any]:
        """``{"messages": […]}``."""
        return {"messages": self._messages(messages)}

    def arrange(self, messages: tuple[Message, ...]) -> tuple[tuple[Message, ...], list[Note]]:
        """The rules on turns: where system text stands, what follows a tool's result, and the ids of calls."""
        return arranged(messages, self)

    def document_name(self, document: Document) -> str | None:
        """Its name; an uploaded one has it already."""
        return None if isinstance(document.source, Uploaded) else document.name

    def _messages(self, messages: Sequence[Message], *, listed: bool = False) -> list[dict[str, Any]]:
        """The messages of the wire; `listed` makes a user's content a list even when it is one text."""
        encoded = [self._message(piece, listed and piece.role == "user") for piece in pieces(messages, self)]
        if encoded and encoded[-1]["role"] == "assistant":
            encoded[-1]["prefix"] = True
        return encoded

    def _message(self, piece: Piece, listed: bool) -> dict[str, Any]:
        if piece.result is not None:
            return self._tool_message(piece.result, piece.spot)
        message: dict[str, Any] = {"role": piece.role}
        if len(piece.content) == 1 and isinstance(only := piece.content[0][0], Text) and not listed:
            message["content"] = only.text
        elif piece.content:
            message["content"] = [self._part(part, spot) for part, spot in piece.content]
        if piece.calls:
            message["tool_calls"] = [function_call(call) for call in piece.calls]
        return message

    def _part(self, part: Text | MediaPart, spot: Spot) -> dict[str, Any]:
        if not isinstance(part, Text) and spot.role != "user":
            refuse_media(part, spot, self, "Mistral")
        match part:
            case Text():
                return {"type": "text", "text": part.text}
            case Image() | Document():
                return self._file(part, spot)
            case Audio():
                return {"type": "input_audio", "input_audio": self._sound(part, spot)}
            case Video():
                self.refuse(part, spot, "Mistral takes no video", "send single frames as images")
        assert_never(part)

    def _file(self, part: Image | Document, spot: Spot) -> dict[str, Any]:
        match part.source:
            case Inline() as source:
                url = data_url_of(source)
            case Link() as source:
                url = self.reach(part, source, spot)
            case Uploaded() as source:
                return {"type": "file", "file_id": self.file_id(part, source, spot, _FILE)}
            case _:
                assert_never(part.source)
        match part:
            case Image():
                return {"type": "image_url", "image_url": {"url": url, "detail": part.detail} if part.detail else url}
            case Document():
                name = self.document_name(part)
                return {"type": "document_url", "document_url": url} | ({"document_name": name} if name else {})
        assert_never(part)

    def _sound(self, part: Audio, spot: Spot) -> str:
        match part.source:
            case Inline() as source:
                return base64_of(source)
            case Link() as source:
                return self.reach(part, source, spot)
            case Uploaded():
                remedy = "give the bytes, or the link that files.get_signed_url gives"
                self.refuse(part, spot, "Mistral takes uploaded audio by a link only", remedy)
        assert_never(part.source)

    def _tool_message(self, result: ToolResult, spot: Spot) -> dict[str, Any]:
        name = {"name": result.name} if result.name else {}
        return {"role": "tool", "tool_call_id": result.id} | name | {"content": result_content(result, spot, self)}
