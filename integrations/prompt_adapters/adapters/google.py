"""Google's generateContent: the Gemini API, and Gemini on Vertex AI.

=====================  =============================================================================================
what a message holds   what it becomes (in the client's words; the wire says ``inlineData``)
=====================  =============================================================================================
system, developer      ``config.system_instruction``: a text, or a content of several parts
user, tool             a content of role ``user``
assistant              a content of role ``model``
text                   ``{"text": …}``
image, audio, video,   bytes: ``{"inline_data": {"mime_type", "data"}}``; a link or an uploaded file:
document               ``{"file_data": {"mime_type", "file_uri"}}``
start, end, fps        ``{"video_metadata": {"start_offset": "1s", "end_offset", "fps"}}`` beside a video
tool call              ``{"function_call": {"id", "name", "args"}}``
tool result            ``{"function_response": {"id", "name", "response": {"output"} or {"error"}, "parts"}}``
=====================  =============================================================================================

Contents and parts: https://ai.google.dev/api/caching#Content
Files and links: https://ai.google.dev/gemini-api/docs/file-input-methods
Video: https://ai.google.dev/gemini-api/docs/video-understanding
Functions: https://ai.google.dev/gemini-api/docs/function-calling
Vertex AI: https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, assert_never

from prompt_adapters.adapters.accepted import EVERYTHING, Sources
from prompt_adapters.adapters.base import MessageAdapter
from prompt_adapters.adapters.chat_turns import joined_notes
from prompt_adapters.adapters.google_parameters import GOOGLE_TABLE, body_from_config, camel
from prompt_adapters.adapters.google_payload import payload
from prompt_adapters.adapters.parameters import Table
from prompt_adapters.adapters.part_changes import changed
from prompt_adapters.adapters.registry import PROMPT_ADAPTER_REGISTRY
from prompt_adapters.adapters.roles import leading_systems, system_texts
from prompt_adapters.adapters.spots import Spot, only_text
from prompt_adapters.adapters.survey import IMAGE, TEXT
from prompt_adapters.adapters.turn_checks import ToolRules, check_tool_turn, final_turn, systems_lead
from prompt_adapters.content.encoded import base64_of
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, MediaPart, Part, Text, ToolCall, ToolResult, Video
from prompt_adapters.content.position import position
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.media.notes import Note

YOUTUBE = re.compile(r"https?://(?:(?:www|m)\.)?(?:youtube\.com|youtu\.be)/")
_MAX_FPS = 24
_SPEAKERS: Mapping[str, str] = MappingProxyType({"user": "user", "assistant": "model"})
# Names under which the author's own keys stand, which are nobody's to rename.
_AUTHORS = frozenset({"args", "response"})
# https://ai.google.dev/gemini-api/docs/text-generation#system-instructions
_ONE_SYSTEM = "Google has one system instruction, which leads"


@PROMPT_ADAPTER_REGISTRY.register("google_style")
class GoogleGenAIStylePromptAdapter(MessageAdapter):
    """Builds contents for Google's Gen AI client and the Gemini backends.

    A payload is a list of parts: texts as `str`, media as ``google.genai.types.Part``, separators between adjacent
    blocks; it needs ``google-genai``. The first text block takes in the system prompt, with a blank line between;
    without a text block the system prompt becomes a first text part, followed by its separator. A `Prompt` with
    assistant turns gives ``types.Content`` items, since a list of parts is one user turn.
    """

    style: ClassVar[str] = "google_style"
    table: ClassVar[Table] = GOOGLE_TABLE
    carries: ClassVar[frozenset[str]] = frozenset({"clip", "error"})
    takes: ClassVar[Sources] = EVERYTHING
    # https://ai.google.dev/gemini-api/docs/function-calling: a response comes right after the turn with its call.
    tools: ClassVar[ToolRules] = ToolRules("next", frozenset({"cached_content", "cachedContent"}))
    as_is: ClassVar[frozenset[str]] = frozenset({TEXT, IMAGE})
    moulded: ClassVar[bool] = True

    def payload(self, template: Any, values: Mapping[str, Any]) -> list[Any]:
        """The parts in Google's types.

        Raises:
            MissingDependencyError: (an ``ImportError``) ``google-genai`` is not installed.
        """
        return payload(self, template, values)

    def encode(self, messages: Sequence[Message]) -> dict[str, Any]:
        """``{"contents": […], "config"?: {"system_instruction"}}``, media as bytes."""
        systems, contents = self.contents(messages, wire=False)
        if not systems:
            return {"contents": contents}
        instruction = systems[0]["text"] if len(systems) == 1 else {"parts": systems}
        return {"contents": contents, "config": {"system_instruction": instruction}}

    def encode_body(self, messages: Sequence[Message]) -> dict[str, Any]:
        """``{"contents": […], "systemInstruction"?: {"parts"}}``, media as base64."""
        systems, contents = self.contents(messages, wire=True)
        body = {"systemInstruction": {"parts": systems}} if systems else {}
        wire = [content if _holds_texts(content) else camel(content, _AUTHORS) for content in contents]
        return body | {"contents": wire}

    def arrange(self, messages: tuple[Message, ...]) -> tuple[tuple[Message, ...], list[Note]]:
        """System text leads."""
        arranged, notes = systems_lead(messages, self, _ONE_SYSTEM)
        arranged, cut = changed(arranged, _without_clips)
        notes += [*cut, *_said_apart(arranged)]
        if place := final_turn(arranged):
            notes.append(Note(place, "Google does not say that it continues a final assistant turn"))
        if self.provider is None:
            notes += [
                Note(position(number, message.role, index), "gs:// links are read by Vertex AI only")
                for number, message in enumerate(arranged)
                for index, part in enumerate(message.parts)
                if isinstance(part, MediaPart) and isinstance(part.source, Link) and part.source.scheme == "gs"
            ]
        return arranged, notes

    def place_in_request(self, encoded: dict[str, Any], parameters: dict[str, Any]) -> dict[str, Any]:
        """Parameters stand in ``config``."""
        config = encoded.pop("config", {}) | parameters
        return super().place_in_request(encoded, {"config": config} if config else {})

    def place_in_body(self, encoded: dict[str, Any], parameters: dict[str, Any]) -> dict[str, Any]:
        """Parameters stand in ``generationConfig`` or beside it; the model is in the address, not in the body."""
        return encoded | body_from_config(parameters)

    def contents(self, messages: Sequence[Message], *, wire: bool) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """The system parts, and the contents, in the client's words.

        Args:
            messages: The messages; leading system messages make the system parts.
            wire: Whether media are base64, as on the wire, rather than bytes.

        Raises:
            UnsupportedContentError: (a ``ValueError``) There is no place for a part, or for a message's role.
        """
        first = leading_systems(messages)
        systems = [
            {"text": text.text}
            for number in range(first)
            for text in system_texts(messages[number], self.style, number)
        ]
        contents: list[dict[str, Any]] = []
        names: dict[str, str] = {}
        for number in range(first, len(messages)):
            message = messages[number]
            role = _SPEAKERS.get(message.role)
            if role is not None and (text := only_text(message)) is not None:
                contents.append({"role": role, "parts": [{"text": text}]})
                continue
            names |= {part.id: part.name for part in message.parts if isinstance(part, ToolCall)}
            parts = [
                self.part(part, Spot(number, message.role, index), wire=wire, tool_names=names)
                for index, part in enumerate(message.parts)
            ]
            # The results of parallel calls belong into one content.
            if message.role == "tool" and number > first and messages[number - 1].role == "tool":
                contents[-1]["parts"] += parts
            else:
                contents.append({"role": self.role(Spot(number, message.role)), "parts": parts})
        return systems, contents

    def role(self, spot: Spot) -> str:
        """Google's name of a role.

        Raises:
            UnsupportedContentError: (a ``ValueError``) It is a system message in mid-conversation.
        """
        if spot.role in ("system", "developer"):
            self.refuse("a system message in mid-conversation", spot, _ONE_SYSTEM, "put it first")
        return "model" if spot.role == "assistant" else "user"

    def part(self, part: Part, spot: Spot, *, wire: bool, tool_names: Mapping[str, str]) -> dict[str, Any]:
        """One part, in the client's words.

        Args:
            part: The part.
            spot: Its place.
            wire: Whether media are base64 rather than bytes.
            tool_names: The tools' names by the ids of their calls.

        Raises:
            UnsupportedContentError: (a ``ValueError``) There is no place for it.
        """
        match part:
            case Text():
                return {"text": part.text}
            case Video():
                return self._source(part, spot, wire) | self._clip(part, spot)
            case Image() | Audio() | Document():
                return self._source(part, spot, wire)
            case ToolCall():
                check_tool_turn(part, spot, self)
                return {"function_call": {"id": part.id, "name": part.name, "args": part.arguments}}
            case ToolResult():
                return {"function_response": self._response(part, spot, wire, tool_names)}
        assert_never(part)

    def _source(self, part: MediaPart, spot: Spot, wire: bool) -> dict[str, Any]:
        match part.source:
            case Inline() as source:
                data = base64_of(source) if wire else source.data
                return {"inline_data": {"mime_type": self.limits.type_name(source.mime), "data": data}}
            case Link() as source:
                uri = self.reach(part, source, spot)
            case Uploaded() as source:
                uri = source.uri
                if "://" not in uri:
                    remedy = "give the file's URI, as 'https://generativelanguage.googleapis.com/v1beta/files/abc'"
                    self.refuse(part, spot, "an uploaded file is called by its URI, not by an id", remedy)
            case _:
                assert_never(part.source)
        return {"file_data": {"mime_type": self._mime(part, spot, uri), "file_uri": uri}}

    def _mime(self, part: MediaPart, spot: Spot, uri: str) -> str:
        mime = part.source.mime or ("video/mp4" if isinstance(part, Video) and YOUTUBE.match(uri) else None)
        if mime is None:
            remedy = f"give it, as mime='{_EXAMPLES[part.kind]}'"
            self.refuse(part, spot, "Google asks for the type of a linked file", remedy)
        return self.limits.type_name(mime)

    def _clip(self, video: Video, spot: Spot) -> dict[str, Any]:
        if video.fps is not None and video.fps > _MAX_FPS:
            self.refuse(f"fps={video.fps:g}", spot, f"Google looks at {_MAX_FPS} frames per second at most", "lower it")
        clip: dict[str, Any] = {
            name: f"{seconds:.9f}".rstrip("0").rstrip(".") + "s"
            for name, seconds in (("start_offset", video.start), ("end_offset", video.end))
            if seconds is not None
        }
        clip |= {"fps": float(video.fps)} if video.fps is not None else {}
        return {"video_metadata": clip} if clip else {}

    def _response(self, result: ToolResult, spot: Spot, wire: bool, tool_names: Mapping[str, str]) -> dict[str, Any]:
        check_tool_turn(result, spot, self)
        name = result.name or tool_names.get(result.id)
        if name is None:
            self.refuse(result, spot, "Google asks for the tool's name", "give it, as ToolResult(..., name='tool')")
        text = "".join(part.text for part in result.parts if isinstance(part, Text))
        response: dict[str, Any] = {
            "id": result.id,
            "name": name,
            "response": {"error" if result.error else "output": text},
        }
        media = [
            self._source(part, spot._replace(inner=inner), wire)
            for inner, part in enumerate(result.parts)
            if not isinstance(part, Text)
        ]
        return response | ({"parts": media} if media else {})


def _holds_texts(content: Mapping[str, Any]) -> bool:
    """Whether there is nothing in a content whose name differs on the wire."""
    return all("text" in part for part in content["parts"])


def _without_clips(part: Part, spot: Spot) -> tuple[Part, Iterable[Note]]:
    """What a tool gave has no field for a clip: https://ai.google.dev/gemini-api/docs/function-calling."""
    if not (isinstance(part, ToolResult) and any(isinstance(item, Video) for item in part.parts)):
        return part, ()
    items = tuple(_whole(item) if isinstance(item, Video) else item for item in part.parts)
    notes = [
        Note(str(spot._replace(inner=inner)), "the video of a tool's result is sent whole")
        for inner, (old, new) in enumerate(zip(part.parts, items, strict=True))
        if old != new
    ]
    return (part.replace(parts=items), notes) if notes else (part, ())


def _said_apart(messages: Sequence[Message]) -> list[Note]:
    """What a tool gave is one text and, beside it, files: a note for each text that stands elsewhere."""
    results = [
        (Spot(number, message.role, index), part)
        for number, message in enumerate(messages)
        for index, part in enumerate(message.parts)
        if isinstance(part, ToolResult)
    ]
    notes = joined_notes(((spot, result.parts) for spot, result in results), "Google has one text for a tool's result")
    for spot, result in results:
        files = [isinstance(item, MediaPart) for item in result.parts]
        if True in files and False in files[files.index(True) :]:
            notes.append(Note(str(spot), "its text is sent before its files: Google keeps the two apart"))
    return notes


def _whole(video: Video) -> Video:
    return video.replace(start=None, end=None, fps=None)


_EXAMPLES: Mapping[str, str] = {
    "image": "image/jpeg",
    "audio": "audio/mpeg",
    "video": "video/mp4",
    "document": "application/pdf",
}
