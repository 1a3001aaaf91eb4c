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

from collections.abc import Sequence
from typing import Any, ClassVar, assert_never

from prompt_adapters.adapters.accepted import Sources, sources
from prompt_adapters.adapters.base import MessageAdapter
from prompt_adapters.adapters.chat_turns import Piece, pieces, result_texts
from prompt_adapters.adapters.mistral_parameters import MISTRAL_TABLE
from prompt_adapters.adapters.mistral_turns import arranged
from prompt_adapters.adapters.parameters import Table
from prompt_adapters.adapters.registry import PROMPT_ADAPTER_REGISTRY
from prompt_adapters.adapters.spots import Spot
from prompt_adapters.content.encoded import base64_of, data_url_of
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, MediaPart, Text, ToolCall, ToolResult, Video
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.media.notes import Note


@PROMPT_ADAPTER_REGISTRY.register("mistral_style")
class MistralStylePromptAdapter(MessageAdapter):
    """Builds requests for Mistral's chat completions."""

    style: ClassVar[str] = "mistral_style"
    table: ClassVar[Table] = MISTRAL_TABLE
    carries: ClassVar[frozenset[str]] = frozenset({"detail"})
    takes: ClassVar[Sources] = sources(
        image="inline link uploaded", audio="inline link", document="inline link uploaded"
    )

    def build_payload(self, template: Any, **kwargs: Any) -> list[Any]:
        """The messages: an optional system message, and one user message whose content is a list of chunks.

        Between two blocks stands their separator, a chunk of its own. A `Prompt` gives its earlier turns as well.

        Args:
            template: A `Prompt`, or anything with ``system_prompt`` and ``render_blocks(**kwargs)``.
            kwargs: The variables' values.

        Raises:
            UnsupportedContentError: (a ``ValueError``) A block has no place in this shape.
            PromptFormatError: (a ``ValueError``) There is nothing to say.
            TypeError: It is no template, or a block holds what its type does not say.
        """
        return self._messages(self.payload_messages(template, kwargs), listed=True)

    def encode(self, messages: Sequence[Message]) -> dict[str, Any]:
        """``{"messages": […]}``."""
        return {"messages": self._messages(messages)}

    def arrange(self, messages: tuple[Message, ...]) -> tuple[tuple[Message, ...], list[Note]]:
        """The rules on turns: where system text stands, what follows a tool's result, and the ids of calls."""
        return arranged(messages, self)

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
            message["tool_calls"] = [_call(call) for call in piece.calls]
        return message

    def _part(self, part: Text | MediaPart, spot: Spot) -> dict[str, Any]:
        if not isinstance(part, Text) and spot.role != "user":
            article = "an" if spot.role == "assistant" else "a"
            reason = f"Mistral takes only text in {article} {spot.role} message"
            self.refuse(part, spot, reason, "move it to a user turn")
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
                if "://" in source.uri:
                    self.refuse(part, spot, "an uploaded file is called by its id", "give the id that the upload gave")
                return {"type": "file", "file_id": source.uri}
            case _:
                assert_never(part.source)
        match part:
            case Image():
                return {"type": "image_url", "image_url": {"url": url, "detail": part.detail} if part.detail else url}
            case Document():
                name = {"document_name": part.name} if part.name else {}
                return {"type": "document_url", "document_url": url} | name
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
        texts = result_texts(result, spot, self)
        content = "".join(texts) if len(texts) < 2 else [{"type": "text", "text": text} for text in texts]
        name = {"name": result.name} if result.name else {}
        return {"role": "tool", "tool_call_id": result.id} | name | {"content": content}


def _call(call: ToolCall) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments_json}}
