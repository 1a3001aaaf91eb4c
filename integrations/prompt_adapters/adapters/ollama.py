"""Ollama's own chat.

=====================  =============================================================================================
what a message holds   what it becomes
=====================  =============================================================================================
system, developer      a message of role ``system``, wherever it stands
user, assistant        a message of that role
text                   ``"content": "…"``; several texts are one, with a line break where they would run together
image                  ``"images": [base64, …]`` beside the content; links are refused
audio, video,          refused: there is no such field
document
tool call              ``"tool_calls": [{"function": {"name", "arguments": object}}]``
tool result            a message of its own: ``{"role": "tool", "tool_name", "content", "images"?}``
=====================  =============================================================================================

Ollama puts a message's images before its text. So an image that stands after a text loses its place, which is noted;
where several are told apart by the text before each, number them in the text.

Messages: https://docs.ollama.com/api/chat
Images: https://docs.ollama.com/capabilities/vision
Tools: https://docs.ollama.com/capabilities/tool-calling
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, assert_never

from prompt_adapters.adapters.accepted import Sources, sources
from prompt_adapters.adapters.base import MessageAdapter
from prompt_adapters.adapters.chat_turns import Piece, joined, pieces, texts_after_calls
from prompt_adapters.adapters.nested_parameters import folded
from prompt_adapters.adapters.ollama_parameters import OLLAMA_TABLE
from prompt_adapters.adapters.ollama_turns import arranged
from prompt_adapters.adapters.parameters import Table
from prompt_adapters.adapters.registry import PROMPT_ADAPTER_REGISTRY
from prompt_adapters.adapters.spots import Spot
from prompt_adapters.adapters.survey import TEXT
from prompt_adapters.content.encoded import base64_of
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, MediaPart, Text, ToolCall, ToolResult, Video
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.media.notes import Note


@PROMPT_ADAPTER_REGISTRY.register("ollama_style")
class OllamaStylePromptAdapter(MessageAdapter):
    """Builds requests for Ollama's own chat.

    A payload is the list of messages. Content is one text: a separator is part of the texts around it, and images stand
    beside them.
    """

    style: ClassVar[str] = "ollama_style"
    table: ClassVar[Table] = OLLAMA_TABLE
    takes: ClassVar[Sources] = sources(image="inline")
    as_is: ClassVar[frozenset[str]] = frozenset({TEXT})
    moulded: ClassVar[bool] = True

    def encode(self, messages: Sequence[Message]) -> dict[str, Any]:
        """``{"messages": […]}``."""
        names: dict[str, str] = {}
        encoded = []
        for piece in pieces(messages, self):
            names |= {call.id: call.name for call in piece.calls}
            encoded.append(self._message(piece, names))
        return {"messages": encoded}

    def arrange(self, messages: tuple[Message, ...]) -> tuple[tuple[Message, ...], list[Note]]:
        """Nothing is moved; what the shape cannot say is noted, and results that would be taken for others refused."""
        return messages, [*texts_after_calls(messages), *arranged(messages, self)]

    def place_in_request(self, encoded: dict[str, Any], parameters: dict[str, Any]) -> dict[str, Any]:
        """The client's keywords."""
        return super().place_in_request(encoded, folded(parameters))

    def place_in_body(self, encoded: dict[str, Any], parameters: dict[str, Any]) -> dict[str, Any]:
        """The fields of the wire, on which an answer comes in pieces unless that is declined, as the client does."""
        return super().place_in_body(encoded, {"stream": False} | folded(parameters))

    def _message(self, piece: Piece, names: Mapping[str, str]) -> dict[str, Any]:
        if piece.result is not None:
            return self._tool_message(piece.result, piece.spot, names)
        calls = {"tool_calls": [_call(call) for call in piece.calls]} if piece.calls else {}
        return {"role": piece.role} | self._content(piece.content) | calls

    def _tool_message(self, result: ToolResult, spot: Spot, names: Mapping[str, str]) -> dict[str, Any]:
        name = result.name or names.get(result.id)
        if name is None:
            self.refuse(result, spot, "Ollama asks for the tool's name", "give it, as ToolResult(..., name='tool')")
        content = self._content((part, spot._replace(inner=inner)) for inner, part in enumerate(result.parts))
        return {"role": "tool", "tool_name": name} | content

    def _content(self, parts: Iterable[tuple[Text | MediaPart, Spot]]) -> dict[str, Any]:
        texts: list[str] = []
        images: list[str] = []
        for part, spot in parts:
            match part:
                case Text():
                    texts.append(part.text)
                case Image():
                    images.append(self._image(part, spot))
                case Audio():
                    self.refuse(part, spot, "Ollama takes no audio", "send a transcript as text")
                case Video():
                    self.refuse(part, spot, "Ollama takes no video", "send single frames as images")
                case Document():
                    self.refuse(part, spot, "Ollama takes no documents", "send its text as text, or pages as images")
                case _:
                    assert_never(part)
        return {"content": joined(texts)} | ({"images": images} if images else {})

    def _image(self, part: Image, spot: Spot) -> str:
        match part.source:
            case Inline() as source:
                return base64_of(source)
            case Link():
                self.refuse(part, spot, "Ollama reads no links", "give the bytes, as from a file")
            case Uploaded():
                self.refuse(part, spot, "Ollama keeps no uploaded files", "give the bytes, as from a file")
        assert_never(part.source)


def _call(call: ToolCall) -> dict[str, Any]:
    return {"function": {"name": call.name, "arguments": call.arguments}}
