"""OpenAI's Responses API.

=====================  =============================================================================================
what a message holds   what it becomes
=====================  =============================================================================================
one system text        top-level ``instructions``, when it leads and is the only one
system, developer      an item of that role, wherever it stands
user                   ``{"role": "user", "content": "…"}``; several parts are a list
assistant              ``{"role": "assistant", "content": "…"}``, an item for each text
text                   ``{"type": "input_text", "text"}``
image                  ``{"type": "input_image", "image_url": data URL or link, "detail"}``, or ``"file_id"``
document               ``{"type": "input_file", "filename", "file_data": data URL}``, or ``"file_url"``, ``"file_id"``
audio, video           refused: there is no such part
tool call              ``{"type": "function_call", "call_id", "name", "arguments": JSON text}``
tool result            ``{"type": "function_call_output", "call_id", "output"}``: a text, or a list of parts
cache=True             ``"prompt_cache_breakpoint": {"mode": "explicit"}`` on a part, the last four
=====================  =============================================================================================

Everything stands in the order in which it was written: what leads the conversation is read first, as `instructions`
are, and tool calls are items between the texts.

Items: https://platform.openai.com/docs/api-reference/responses/create
Images: https://developers.openai.com/api/docs/guides/images-vision
Files: https://developers.openai.com/api/docs/guides/file-inputs
Functions: https://developers.openai.com/api/docs/guides/function-calling
Caching: https://developers.openai.com/api/docs/guides/prompt-caching
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, assert_never

from prompt_adapters.adapters.accepted import Sources, sources
from prompt_adapters.adapters.base import MessageAdapter
from prompt_adapters.adapters.blocks import Foreign, Item
from prompt_adapters.adapters.marks import Mark, few_marks, placed_marks
from prompt_adapters.adapters.nested_parameters import folded
from prompt_adapters.adapters.openai_responses_parameters import RESPONSES_TABLE
from prompt_adapters.adapters.parameters import Table
from prompt_adapters.adapters.preparing import payload_turns
from prompt_adapters.adapters.registry import PROMPT_ADAPTER_REGISTRY
from prompt_adapters.adapters.roles import leading_systems
from prompt_adapters.adapters.spots import Spot
from prompt_adapters.adapters.survey import IMAGE, TEXT
from prompt_adapters.adapters.turn_checks import ToolRules, check_tool_turn, final_turn, refuse_media
from prompt_adapters.content.encoded import data_url_of
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, Part, Text, ToolCall, ToolResult, Video
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.media.notes import Note
from prompt_adapters.targets.endpoints import BREAKPOINTS

_TAKES_MARKS = BREAKPOINTS.models or re.compile("")
_FILE = "file-abc123"
_OFFICE = "application/vnd.openxmlformats-officedocument"
# The API tells a file's type from its name: https://developers.openai.com/api/docs/guides/file-inputs
_SUFFIXES: Mapping[str, str] = MappingProxyType(
    {
        "application/pdf": "pdf",
        "application/msword": "doc",
        "application/vnd.ms-excel": "xls",
        "application/vnd.ms-powerpoint": "ppt",
        f"{_OFFICE}.wordprocessingml.document": "docx",
        f"{_OFFICE}.spreadsheetml.sheet": "xlsx",
        f"{_OFFICE}.presentationml.presentation": "pptx",
        "application/rtf": "rtf",
        "application/json": "json",
        "application/xml": "xml",
        "text/csv": "csv",
        "text/html": "html",
        "text/markdown": "md",
    }
)
_INSTEAD: Mapping[str, str] = MappingProxyType(
    {"audio": "send it by openai_style, or a transcript as text", "video": "send single frames as images"}
)


@PROMPT_ADAPTER_REGISTRY.register("openai_responses_style")
class OpenAIResponsesStylePromptAdapter(MessageAdapter):
    """Builds requests for OpenAI's Responses API.

    A payload is the list of input items: an optional system item, and one user item whose content is a list of parts.
    Between two blocks stands their separator, a part of its own.
    """

    style: ClassVar[str] = "openai_responses_style"
    table: ClassVar[Table] = RESPONSES_TABLE
    payload_key: ClassVar[str] = "input"
    as_is: ClassVar[frozenset[str]] = frozenset({TEXT, IMAGE})
    moulded: ClassVar[bool] = True
    carries: ClassVar[frozenset[str]] = frozenset({"cache", "detail"})
    takes: ClassVar[Sources] = sources(image="inline link uploaded", document="inline link uploaded")
    # https://developers.openai.com/api/docs/guides/function-calling
    tools: ClassVar[ToolRules] = ToolRules(
        "anywhere", frozenset({"previous_response_id", "conversation", "prompt"}), longest_name=64
    )

    def payload(self, template: Any, values: Mapping[str, Any]) -> list[Any]:
        """The input items, everything in them as it was given."""
        return [
            item
            for number, turn in enumerate(payload_turns(self, template, values))
            for item in self._items(turn.items, Spot(number, turn.role), listed=turn.role == "user")
        ]

    def encode(self, messages: Sequence[Message]) -> dict[str, Any]:
        """``{"instructions"?: …, "input": […]}``."""
        instructions = _instructions(messages)
        items = [
            item
            for number in range(0 if instructions is None else leading_systems(messages), len(messages))
            for item in self._items(
                messages[number].parts, Spot(number, messages[number].role), ends_prefix=messages[number].cache
            )
        ]
        return ({} if instructions is None else {"instructions": instructions}) | {"input": items}

    def arrange(self, messages: tuple[Message, ...]) -> tuple[tuple[Message, ...], list[Note]]:
        """Nothing is moved; what the shape cannot say is noted, and marks without a place are taken off."""
        notes: list[Note] = []
        if place := final_turn(messages):
            notes.append(Note(place, "OpenAI answers a final assistant turn with a new one and does not continue it"))
        messages, unmarked = placed_marks(messages, self._objection)
        messages, marks = few_marks(messages, BREAKPOINTS.most, "OpenAI")
        return messages, [*notes, *unmarked, *marks]

    def place_in_request(self, encoded: dict[str, Any], parameters: dict[str, Any]) -> dict[str, Any]:
        """The client's keywords."""
        return super().place_in_request(encoded, folded(parameters))

    def place_in_body(self, encoded: dict[str, Any], parameters: dict[str, Any]) -> dict[str, Any]:
        """The fields of the wire."""
        return super().place_in_body(encoded, folded(parameters))

    def document_name(self, document: Document) -> str | None:
        """Its name, which is sent with its bytes only."""
        return document.name if isinstance(document.source, Inline) else None

    def _objection(self, messages: Sequence[Message], mark: Mark) -> str | None:
        """Why a cacheable prefix cannot be marked there."""
        # One that is not bound may take them: the shape is OpenAI's alone.
        if self.model is not None and not _TAKES_MARKS.match(self.model):
            return f"{self.model} is not known to take explicit breakpoints"
        message = messages[mark.message]
        part = message.parts[mark.part]
        if message.role == "assistant":
            return "an assistant turn has no field for it"
        return "an empty result has no field for it" if isinstance(part, ToolResult) and not part.parts else None

    def _items(
        self, items: Iterable[Item], spot: Spot, *, listed: bool = False, ends_prefix: bool = False
    ) -> Iterator[dict[str, Any]]:
        """The items of one turn, in order: a message for what stands together, tool calls and results by themselves.

        Args:
            items: What the turn holds.
            spot: The turn's place.
            listed: Whether content is a list even when it is one text.
            ends_prefix: Whether a cacheable prefix ends with the turn.
        """
        everything = tuple(items)
        content: list[dict[str, Any]] = []
        for index, item in enumerate(everything):
            here = spot._replace(part=index)
            ends = (not isinstance(item, Foreign) and item.cache) or (ends_prefix and index == len(everything) - 1)
            if isinstance(item, ToolCall | ToolResult):
                yield from _message(content, spot.role, listed)
                content = []
                yield self._call(item, here) if isinstance(item, ToolCall) else self._result(item, here, ends)
            else:
                content.append(self._content(item, here, ends))
        yield from _message(content, spot.role, listed)

    def _content(self, item: Item, spot: Spot, ends_prefix: bool) -> dict[str, Any]:
        what = "an image" if isinstance(item, Foreign) else item
        if spot.role == "tool":
            self.refuse(what, spot, "a tool turn holds tool results", "use ToolResult(...)")
        if not isinstance(item, Text) and spot.role != "user":
            refuse_media(what, spot, self, "OpenAI")
        if isinstance(item, Foreign):
            return {"type": "input_image", "image_url": item.image.as_data_url(), "detail": "auto"}
        return _marked(self._part(item, spot), ends_prefix)

    def _part(self, part: Part, spot: Spot) -> dict[str, Any]:
        match part:
            case Text():
                return {"type": "input_text", "text": part.text}
            case Image():
                return {"type": "input_image"} | self._image(part, spot) | {"detail": part.detail or "auto"}
            case Document():
                return {"type": "input_file"} | self._file(part, spot)
            case Audio() | Video():
                self.refuse(part, spot, f"the Responses API has no {part.kind} part", _INSTEAD[part.kind])
            case ToolCall() | ToolResult():
                self.refuse(part, spot, f"it does not belong into a {spot.role} turn", "put it into a turn of its own")
        assert_never(part)

    def _image(self, part: Image, spot: Spot) -> dict[str, str]:
        match part.source:
            case Inline() as source:
                return {"image_url": data_url_of(source)}
            case Link() as source:
                return {"image_url": self.reach(part, source, spot)}
            case Uploaded() as source:
                return {"file_id": self.file_id(part, source, spot, _FILE)}
        assert_never(part.source)

    def _file(self, part: Document, spot: Spot) -> dict[str, str]:
        match part.source:
            case Inline() as source:
                return {
                    "filename": self.document_name(part) or _default_name(source.mime),
                    "file_data": data_url_of(source),
                }
            case Link() as source:
                return {"file_url": self.reach(part, source, spot)}
            case Uploaded() as source:
                return {"file_id": self.file_id(part, source, spot, _FILE)}
        assert_never(part.source)

    def _call(self, call: ToolCall, spot: Spot) -> dict[str, Any]:
        check_tool_turn(call, spot, self)
        return {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.arguments_json}

    def _result(self, result: ToolResult, spot: Spot, ends_prefix: bool) -> dict[str, Any]:
        check_tool_turn(result, spot, self)
        last = len(result.parts) - 1
        parts = [
            _marked(self._part(part, spot._replace(inner=inner)), part.cache or (ends_prefix and inner == last))
            for inner, part in enumerate(result.parts)
        ]
        output = _text_or_list(parts) if parts else ""
        return {"type": "function_call_output", "call_id": result.id, "output": output}


def _instructions(messages: Sequence[Message]) -> str | None:
    """The system text, when it is one plain text that leads and nothing of it would be lost."""
    said = [message for message in messages[: leading_systems(messages)] if message.parts]
    if len(said) != 1 or said[0].role != "system" or len(said[0].parts) != 1:
        return None
    only = said[0].parts[0]
    return only.text if isinstance(only, Text) and not (only.cache or said[0].cache) else None


def _message(content: list[dict[str, Any]], role: str, listed: bool) -> Iterator[dict[str, Any]]:
    """The message items for parts that stand together; what the assistant said is text only."""
    if role == "assistant":
        # Text parts of an assistant's item would need the ids that the API gave them; a plain text needs none.
        yield from ({"role": role, "content": part["text"]} for part in content)
    elif content:
        yield {"role": role, "content": content if listed else _text_or_list(content)}


def _text_or_list(parts: list[dict[str, Any]]) -> str | list[dict[str, Any]]:
    """One plain text as a string, everything else as parts."""
    if len(parts) == 1 and parts[0].keys() == {"type", "text"}:
        return str(parts[0]["text"])
    return parts


def _marked(part: dict[str, Any], ends_prefix: bool) -> dict[str, Any]:
    return part | {BREAKPOINTS.field: dict(BREAKPOINTS.value)} if ends_prefix else part


def _default_name(mime: str) -> str:
    """A neutral file name for a document without one."""
    return f"document.{_SUFFIXES.get(mime, 'txt')}"
