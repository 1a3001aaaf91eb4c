"""Amazon Bedrock's Converse, for the models of every vendor there.

=====================  =============================================================================================
what a message holds   what it becomes
=====================  =============================================================================================
system, developer      top-level ``system``: a list of text blocks
user, tool             a message of role ``user``; consecutive ones become one
assistant              a message of role ``assistant``; likewise
text                   ``{"text": …}``
image                  ``{"image": {"format": "png", "source": {"bytes"}}}``
audio, video           ``{"audio": …}``, ``{"video": …}``, likewise
document               ``{"document": {"format", "name", "source"}}``, in a message that has a text as well
s3:// link             ``"source": {"s3Location": {"uri"}}``; other links are refused
tool call              ``{"toolUse": {"toolUseId", "name", "input"}}``
tool result            ``{"toolResult": {"toolUseId", "content", "status"?: "error"}}``
cache=True             ``{"cachePoint": {"type": "default"}}`` behind it, the last four
=====================  =============================================================================================

boto3 takes media as bytes, the wire has them as base64. With tool calls in the history Bedrock asks for the parameter
``toolConfig``.

Converse: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
Messages: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html
Blocks: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html
Tools: https://docs.aws.amazon.com/bedrock/latest/userguide/tool-use.html
Caching: https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, assert_never

from prompt_adapters.adapters.accepted import EVERYTHING, Sources
from prompt_adapters.adapters.base import MessageAdapter
from prompt_adapters.adapters.bedrock_names import Named, document_names
from prompt_adapters.adapters.bedrock_parameters import BEDROCK_TABLE, table_for
from prompt_adapters.adapters.bedrock_turns import arranged
from prompt_adapters.adapters.marks import ends_prefix
from prompt_adapters.adapters.nested_parameters import folded
from prompt_adapters.adapters.parameters import NO_PARAMETERS, Table
from prompt_adapters.adapters.registry import PROMPT_ADAPTER_REGISTRY
from prompt_adapters.adapters.roles import leading_systems, system_texts
from prompt_adapters.adapters.spots import Spot, holds_media, holds_tools, only_text
from prompt_adapters.adapters.survey import IMAGE, TEXT
from prompt_adapters.adapters.tidy import SYSTEM_ROLES
from prompt_adapters.adapters.turn_checks import ToolRules, check_tool_turn
from prompt_adapters.content.encoded import base64_of
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, MediaPart, Part, Text, ToolCall, ToolResult, Video
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.media.notes import Note

_OFFICE = "application/vnd.openxmlformats-officedocument"
# Bedrock's words for media types, by kind of part:
# https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ImageBlock.html and its neighbours.
FORMATS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "image": MappingProxyType(
            {"image/png": "png", "image/jpeg": "jpeg", "image/gif": "gif", "image/webp": "webp"},
        ),
        "audio": MappingProxyType(
            {
                "audio/mpeg": "mp3",
                "audio/wav": "wav",
                "audio/aac": "aac",
                "audio/flac": "flac",
                "audio/mp4": "mp4",
                "audio/ogg": "ogg",
                "audio/x-matroska": "mka",
                "audio/pcm": "pcm",
                "audio/webm": "webm",
            }
        ),
        "video": MappingProxyType(
            {
                "video/mp4": "mp4",
                "video/quicktime": "mov",
                "video/x-matroska": "mkv",
                "video/webm": "webm",
                "video/x-flv": "flv",
                "video/mpeg": "mpeg",
                "video/x-ms-wmv": "wmv",
                "video/3gpp": "three_gp",
            }
        ),
        "document": MappingProxyType(
            {
                "application/pdf": "pdf",
                "text/csv": "csv",
                "application/msword": "doc",
                f"{_OFFICE}.wordprocessingml.document": "docx",
                "application/vnd.ms-excel": "xls",
                f"{_OFFICE}.spreadsheetml.sheet": "xlsx",
                "text/html": "html",
                "text/plain": "txt",
                "text/markdown": "md",
            }
        ),
    }
)
_SPEAKERS = frozenset({"user", "assistant"})  # whose names are the same there
_CACHE_POINT = MappingProxyType({"type": "default"})
# https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_S3Location.html and API_runtime_ToolUseBlock.html
_S3 = re.compile(r"s3://[a-z0-9][.\-a-z0-9]{1,61}[a-z0-9](/.*)?")
_TOOL_ID = re.compile(r"[a-zA-Z0-9_.:-]{1,64}")


class _Writing(NamedTuple):
    """What is the same for all parts of a request."""

    names: Mapping[Spot, Named]
    wire: bool


@PROMPT_ADAPTER_REGISTRY.register("bedrock_style")
class BedrockStylePromptAdapter(MessageAdapter):
    """Builds requests for Amazon Bedrock's Converse.

    A payload is the list of messages, media as bytes. It has no system role, so the first text takes in the system
    prompt. A separator is part of the text that it touches, and is left out between two images, because Bedrock refuses
    blank text.
    """

    style: ClassVar[str] = "bedrock_style"
    table: ClassVar[Table] = BEDROCK_TABLE
    blank_text: ClassVar[bool] = False
    system_in_list: ClassVar[bool] = False
    carries: ClassVar[frozenset[str]] = frozenset({"cache", "title", "error"})
    takes: ClassVar[Sources] = EVERYTHING
    # https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html
    tools: ClassVar[ToolRules] = ToolRules("next_turn", longest_name=64)
    as_is: ClassVar[frozenset[str]] = frozenset({TEXT, IMAGE})
    moulded: ClassVar[bool] = True

    def encode(self, messages: Sequence[Message]) -> dict[str, Any]:
        """``{"system"?: […], "messages": […]}``, media as bytes."""
        return self._encoded(messages, wire=False)

    def encode_body(self, messages: Sequence[Message]) -> dict[str, Any]:
        """The same, media as base64."""
        return self._encoded(messages, wire=True)

    def arrange(self, messages: tuple[Message, ...]) -> tuple[tuple[Message, ...], list[Note]]:
        """The rules on turns: where system text stands, who begins, who ends, and how many prefixes are marked."""
        return arranged(messages, self)

    def document_name(self, document: Document) -> str | None:
        """Its title, or else its name; what the rules change of it is noted where it is named."""
        return document.title or document.name

    def parameter_table(self) -> Table:
        """The parameters of the bound model."""
        return table_for(self.model)

    def default_parameters(
        self, parameters: Mapping[str, Any], messages: Sequence[Message]
    ) -> tuple[Mapping[str, Any], list[Note]]:
        """Bedrock wants ``toolConfig`` where the history holds calls of tools, and only the caller knows the tools."""
        if "toolConfig" in parameters or not holds_tools(messages):
            return NO_PARAMETERS, []
        return NO_PARAMETERS, [Note("parameters", "with tool calls in the history Bedrock asks for 'toolConfig'")]

    def place_in_request(self, encoded: dict[str, Any], parameters: dict[str, Any]) -> dict[str, Any]:
        """The client's keywords; it calls the model ``modelId``."""
        bound = {} if self.model is None else {"modelId": self.model}
        return {**bound, **encoded, **folded(parameters)}

    def place_in_body(self, encoded: dict[str, Any], parameters: dict[str, Any]) -> dict[str, Any]:
        """The fields of the wire; the model is in the address."""
        return encoded | folded(parameters)

    def _encoded(self, messages: Sequence[Message], *, wire: bool) -> dict[str, Any]:
        first = leading_systems(messages)
        systems: list[dict[str, Any]] = []
        for number, message in enumerate(messages[:first]):
            if (only := only_text(message)) is not None:
                systems.append({"text": only})
                continue
            for index, text in enumerate(system_texts(message, self.style, number)):
                systems += _marked({"text": text.text}, ends_prefix(message, index))
        names = document_names(messages) if holds_media(messages) else {}
        turns = self._turns(messages, first, _Writing(names, wire))
        return {"system": systems, "messages": turns} if systems else {"messages": turns}

    def _turns(self, messages: Sequence[Message], first: int, writing: _Writing) -> list[dict[str, Any]]:
        """The messages from an index on; turns of one role that follow each other become one."""
        turns: list[dict[str, Any]] = []
        documents: list[tuple[dict[str, Any], Document, Spot]] = []
        for number in range(first, len(messages)):
            message = messages[number]
            role: str = message.role
            if role not in _SPEAKERS:
                role = self._role(Spot(number, role))
            if not turns or turns[-1]["role"] != role:
                turns.append({"role": role, "content": []})
            if (text := only_text(message)) is not None:
                turns[-1]["content"].append({"text": text})
                continue
            for index, part in enumerate(message.parts):
                spot = Spot(number, message.role, index)
                turns[-1]["content"] += _marked(self._part(part, spot, writing), _ends_prefix(message, index))
                if isinstance(part, Document):
                    documents.append((turns[-1], part, spot))
        for turn, document, spot in documents:
            if not any("text" in block for block in turn["content"]):
                self.refuse(document, spot, "Bedrock wants a text beside a document", "add a text to the message")
        return turns

    def _role(self, spot: Spot) -> str:
        if spot.role in SYSTEM_ROLES:
            reason = "Bedrock has system text before the conversation only"
            self.refuse("a system message in mid-conversation", spot, reason, "put it first")
        return "assistant" if spot.role == "assistant" else "user"

    def _part(self, part: Part, spot: Spot, writing: _Writing) -> dict[str, Any]:
        match part:
            case Text():
                return {"text": part.text}
            case Image() | Audio() | Video() | Document():
                if spot.role == "assistant":
                    self.refuse(part, spot, "Bedrock takes media from the user only", "move it to a user turn")
                return {part.kind: self._media(part, spot, writing)}
            case ToolCall():
                return {"toolUse": self._call(part, spot)}
            case ToolResult():
                return {"toolResult": self._result(part, spot, writing)}
        assert_never(part)

    def _media(self, part: MediaPart, spot: Spot, writing: _Writing) -> dict[str, Any]:
        source = self._source(part, spot, writing.wire)
        named = {"name": writing.names[spot].name} if isinstance(part, Document) else {}
        return {"format": self._format(part, spot)} | named | {"source": source}

    def _format(self, part: MediaPart, spot: Spot) -> str:
        formats = FORMATS[part.kind]
        mime = part.source.mime
        if mime is None:
            example = next(iter(formats))
            self.refuse(part, spot, f"Bedrock asks for the {part.kind}'s format", f"give it, as mime={example!r}")
        if mime not in formats:
            known = ", ".join(formats.values())
            self.refuse(part, spot, f"Bedrock takes {part.kind} as {known}, not {mime}", "convert it to one of these")
        return formats[mime]

    def _source(self, part: MediaPart, spot: Spot, wire: bool) -> dict[str, Any]:
        match part.source:
            case Inline() as source:
                return {"bytes": base64_of(source) if wire else source.data}
            case Link() as source:
                return self._s3(part, self.reach(part, source, spot), spot)
            case Uploaded() as source:
                return self._s3(part, source.uri, spot)
        assert_never(part.source)

    def _s3(self, part: MediaPart, uri: str, spot: Spot) -> dict[str, Any]:
        if not _S3.fullmatch(uri) or len(uri) > 1024:
            self.refuse(part, spot, "Bedrock reads files by addresses such as s3://bucket/key only", "give the bytes")
        return {"s3Location": {"uri": uri}}

    def _call(self, call: ToolCall, spot: Spot) -> dict[str, Any]:
        check_tool_turn(call, spot, self)
        return {"toolUseId": self._tool_id(call, spot), "name": call.name, "input": call.arguments}

    def _tool_id(self, part: ToolCall | ToolResult, spot: Spot) -> str:
        if not _TOOL_ID.fullmatch(part.id):
            reason = f"Bedrock takes ids of up to 64 letters, digits, '_', '.', ':' and '-', not {part.id!r}"
            self.refuse(part, spot, reason, "give the call and its result another id")
        return part.id

    def _result(self, result: ToolResult, spot: Spot, writing: _Writing) -> dict[str, Any]:
        check_tool_turn(result, spot, self)
        content = []
        for inner, part in enumerate(result.parts):
            here = spot._replace(inner=inner)
            if isinstance(part, Audio):
                self.refuse(part, here, "Bedrock takes no audio from a tool", "send a transcript as text")
            content.append(self._part(part, here, writing))
        status = {"status": "error"} if result.error else {}
        return {"toolUseId": self._tool_id(result, spot), "content": content} | status


def _ends_prefix(message: Message, index: int) -> bool:
    """What a tool gave has no place for marks inside, so they stand behind it."""
    part = message.parts[index]
    inside = isinstance(part, ToolResult) and any(item.cache for item in part.parts)
    return inside or ends_prefix(message, index)


def _marked(block: dict[str, Any], ends: bool) -> list[dict[str, Any]]:
    return [block, {"cachePoint": dict(_CACHE_POINT)}] if ends else [block]
