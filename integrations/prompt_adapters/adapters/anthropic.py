"""Anthropic's Messages API, also where Claude is served by others.

=====================  =============================================================================================
what a message holds   what it becomes
=====================  =============================================================================================
system, developer      top-level ``system``: a text, or a list of text blocks; in mid-conversation a message of role
                       ``system`` for the models that take it there
user, tool             a message of role ``user``; consecutive ones become one
assistant              a message of role ``assistant``; at the end it is continued by the models that do so
one text               ``"content": "…"``; several parts are a list of blocks
text                   ``{"type": "text", "text": …}``
image                  ``{"type": "image", "source": {"type": "base64", "media_type", "data"}}``, or ``url``, ``file``
document               ``{"type": "document", "source": …, "title"?}``: base64 PDF, plain text, ``url`` or ``file``
audio, video           refused: there is no such block
tool call              ``{"type": "tool_use", "id", "name", "input"}``
tool result            ``{"type": "tool_result", "tool_use_id", "content", "is_error"?}``
cache=True             ``"cache_control": {"type": "ephemeral"}``, the last four
=====================  =============================================================================================

Messages: https://platform.claude.com/docs/en/api/messages
Images: https://platform.claude.com/docs/en/build-with-claude/vision
Documents: https://platform.claude.com/docs/en/build-with-claude/pdf-support
Caching: https://platform.claude.com/docs/en/build-with-claude/prompt-caching
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, assert_never

from prompt_adapters.adapters.accepted import Sources, sources
from prompt_adapters.adapters.anthropic_parameters import ANTHROPIC_TABLE, IN_EXTRA_BODY, MOST_WITHOUT_TIMEOUT, TIMEOUT
from prompt_adapters.adapters.anthropic_turns import arranged
from prompt_adapters.adapters.base import MessageAdapter
from prompt_adapters.adapters.marks import ends_prefix as is_marked
from prompt_adapters.adapters.nested_parameters import folded
from prompt_adapters.adapters.parameters import EXTRA_BODY, NO_PARAMETERS, Table
from prompt_adapters.adapters.preparing import payload_messages
from prompt_adapters.adapters.registry import PROMPT_ADAPTER_REGISTRY
from prompt_adapters.adapters.roles import leading_systems, system_texts
from prompt_adapters.adapters.spots import Spot, only_text
from prompt_adapters.adapters.survey import IMAGE, TEXT
from prompt_adapters.adapters.tidy import SYSTEM_ROLES
from prompt_adapters.adapters.turn_checks import ToolRules, check_tool_turn
from prompt_adapters.content.encoded import base64_of
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, Part, Text, ToolCall, ToolResult, Video
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.media.notes import Note

TAKES = sources(image="inline link uploaded", document="inline link uploaded")
_WITHOUT_FILES = sources(image="inline link", document="inline link")
# The calls of Vertex AI and Bedrock, which do not have Anthropic's Files API:
# https://platform.claude.com/docs/en/build-with-claude/files
_CLOUD_CALLS = frozenset({"rawPredict", "invoke"})
_PDF = "application/pdf"
_ROLES: Mapping[str, str] = MappingProxyType(
    {"user": "user", "tool": "user", "assistant": "assistant", "system": "system", "developer": "system"}
)
_TIMEOUT_STATED = (
    f"timeout is 600, the client's default: for over {MOST_WITHOUT_TIMEOUT} max_tokens it wants one stated"
)


@PROMPT_ADAPTER_REGISTRY.register("anthropic_style")
class AnthropicStylePromptAdapter(MessageAdapter):
    """Builds requests for Anthropic's Messages API.

    A payload is the list of messages; user content is a list of blocks. It has no system role, so the first text block
    takes in the system prompt, with a blank line between; without a text block the system prompt becomes a first text
    block. A separator is part of the text that it touches, and is left out between two images, because Anthropic
    refuses blank text blocks.
    """

    style: ClassVar[str] = "anthropic_style"
    table: ClassVar[Table] = ANTHROPIC_TABLE
    blank_text: ClassVar[bool] = False
    system_in_list: ClassVar[bool] = False
    carries: ClassVar[frozenset[str]] = frozenset({"cache", "title", "error"})
    # https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use: results lead their turn.
    tools: ClassVar[ToolRules] = ToolRules("next_turn", longest_name=128, unique_ids=True)
    as_is: ClassVar[frozenset[str]] = frozenset({TEXT, IMAGE})
    moulded: ClassVar[bool] = True

    @property
    def takes(self) -> Sources:  # type: ignore[override]  # here it depends on who serves the model
        """Images and documents; uploaded ones only where Anthropic's Files API is."""
        return TAKES if self._has_files else _WITHOUT_FILES

    @property
    def _has_files(self) -> bool:
        return self._route is None or self._route.endpoint.api not in _CLOUD_CALLS

    def payload(self, template: Any, values: Mapping[str, Any]) -> list[Any]:
        """The messages; user content is a list of blocks."""
        return self._turns(payload_messages(self, template, values), 0, listed=True)

    def encode(self, messages: Sequence[Message]) -> dict[str, Any]:
        """``{"system"?, "messages": […]}``."""
        first = leading_systems(messages)
        if first == 1 and (only := only_text(messages[0])) is not None:
            return {"system": only, "messages": self._turns(messages, first)}
        systems = [
            self._text(text, is_marked(message, index))
            for number, message in enumerate(messages[:first])
            for index, text in enumerate(system_texts(message, self.style, number))
        ]
        system = {"system": _content(systems)} if systems else {}
        return system | {"messages": self._turns(messages, first)}

    def arrange(self, messages: tuple[Message, ...]) -> tuple[tuple[Message, ...], list[Note]]:
        """The rules on turns: where system text stands, who begins, who ends, and how many prefixes are marked."""
        return arranged(messages, self)

    def document_name(self, document: Document) -> str | None:
        """Its title, or else its name: there is one field for both."""
        return document.title or document.name

    def default_parameters(
        self,
        parameters: Mapping[str, Any],
        messages: Sequence[Message],  # noqa: ARG002 - other shapes read it
    ) -> tuple[Mapping[str, Any], list[Note]]:
        """``max_tokens`` is demanded; a bound model's own maximum stands in for it."""
        if self.model is None or "max_tokens" in parameters:
            return NO_PARAMETERS, []
        most = self.capabilities.max_output_tokens
        if most is None:
            return NO_PARAMETERS, [
                Note("parameters", f"max_tokens is left to the caller: the maximum of {self.model} is not known")
            ]
        # Beyond this the client asks for streaming unless a timeout is stated; the one stated is its own default.
        # https://platform.claude.com/docs/en/cli-sdks-libraries/sdks/python#long-requests
        notes = [Note("parameters", f"max_tokens is {most}, the maximum of {self.model}, since none was given")]
        if most <= MOST_WITHOUT_TIMEOUT or parameters.get("stream"):
            return {"max_tokens": most}, notes
        notes.append(Note("parameters", _TIMEOUT_STATED))
        return {"max_tokens": most, TIMEOUT: 600.0}, notes

    def place_in_request(self, encoded: dict[str, Any], parameters: dict[str, Any]) -> dict[str, Any]:
        """The client's keywords; what it has none for goes into ``extra_body``."""
        extra = (
            {name: parameters.pop(name) for name in tuple(parameters) if name in IN_EXTRA_BODY} if parameters else {}
        )
        if extra:
            parameters[EXTRA_BODY] = extra | dict(parameters.get(EXTRA_BODY, {}))
        return super().place_in_request(encoded, folded(parameters))

    def place_in_body(self, encoded: dict[str, Any], parameters: dict[str, Any]) -> dict[str, Any]:
        """The fields of the wire; what only the client reads is none."""
        parameters.pop(TIMEOUT, None)
        return super().place_in_body(encoded, folded(parameters))

    def _turns(self, messages: Sequence[Message], first: int, *, listed: bool = False) -> list[dict[str, Any]]:
        """The messages from an index on; turns of one role that follow each other become one, as the API would do."""
        turns: list[dict[str, Any]] = []
        for number in range(first, len(messages)):
            message = messages[number]
            role = _ROLES[message.role]
            follows = bool(turns) and turns[-1]["role"] == role
            text = only_text(message)
            if text is not None and not follows and not (listed and role == "user"):
                turns.append({"role": role, "content": text})
                continue
            blocks = [
                self._part(part, Spot(number, message.role, index), is_marked(message, index))
                for index, part in enumerate(message.parts)
            ]
            if follows:
                turns[-1]["content"] = _extended(turns[-1]["content"], blocks)
            else:
                turns.append({"role": role, "content": blocks})
        for turn in turns:
            if not (listed and turn["role"] == "user"):
                turn["content"] = _content(turn["content"])
        return turns

    def _part(self, part: Part, spot: Spot, ends_prefix: bool) -> dict[str, Any]:
        if type(part) is Text:
            return self._text(part, ends_prefix)
        if spot.role in SYSTEM_ROLES and not isinstance(part, Text):
            self.refuse(part, spot, "a system text holds only text", "move it to a user turn")
        block: dict[str, Any]
        match part:
            case Text():
                return self._text(part, ends_prefix)
            case Image():
                block = {"type": "image", "source": self._image_source(part, spot)}
            case Document():
                block = {"type": "document", "source": self._document_source(part, spot)}
                block |= {"title": title} if (title := self.document_name(part)) else {}
            case Audio() | Video():
                self.refuse(part, spot, f"Claude takes no {part.kind}", _INSTEAD[part.kind])
            case ToolCall():
                check_tool_turn(part, spot, self)
                block = {"type": "tool_use", "id": part.id, "name": part.name, "input": part.arguments}
            case ToolResult():
                block = self._result(part, spot)
            case _:
                assert_never(part)
        return _marked(block, ends_prefix)

    def _text(self, text: Text, marked: bool) -> dict[str, Any]:
        return _marked({"type": "text", "text": text.text}, marked)

    def _image_source(self, part: Image, spot: Spot) -> dict[str, Any]:
        match part.source:
            case Inline() as source:
                return {"type": "base64", "media_type": source.mime, "data": base64_of(source)}
            case Link() as source:
                return {"type": "url", "url": self.reach(part, source, spot)}
            case Uploaded() as source:
                return self._file(part, source, spot)
        assert_never(part.source)

    def _document_source(self, part: Document, spot: Spot) -> dict[str, Any]:
        match part.source:
            case Inline(mime=mime) as source if mime == _PDF:
                return {"type": "base64", "media_type": mime, "data": base64_of(source)}
            case Inline(mime=mime) as source if mime.startswith("text/"):
                return {"type": "text", "media_type": "text/plain", "data": self._decoded(part, source, spot)}
            case Link(mime=mime) as source if mime in (None, _PDF):
                return {"type": "url", "url": self.reach(part, source, spot)}
            case Inline() | Link():
                self.refuse(part, spot, "Claude takes PDF and plain text only", "convert it to one of these")
            case Uploaded() as source:
                return self._file(part, source, spot)
        assert_never(part.source)

    def _decoded(self, part: Document, source: Inline, spot: Spot) -> str:
        try:
            text = source.data.decode("utf-8-sig")
        except UnicodeDecodeError:
            self.refuse(part, spot, "a text document must be UTF-8", "convert it to UTF-8")
        if not text:
            self.refuse(part, spot, "a text document must not be empty, but for a byte order mark", "leave it out")
        return text

    def _file(self, part: Part, source: Uploaded, spot: Spot) -> dict[str, Any]:
        if not self._has_files:
            self.refuse(part, spot, f"Anthropic's Files API is not there on {self.limits.name}", "give the bytes")
        return {"type": "file", "file_id": self.file_id(part, source, spot, "file_011CNha8iCJcU1wXNR6q4V8w")}

    def _result(self, result: ToolResult, spot: Spot) -> dict[str, Any]:
        check_tool_turn(result, spot, self)
        blocks = [self._part(part, spot._replace(inner=inner), part.cache) for inner, part in enumerate(result.parts)]
        block = {"type": "tool_result", "tool_use_id": result.id, "content": _content(blocks) if blocks else ""}
        return block | ({"is_error": True} if result.error else {})


_INSTEAD: Mapping[str, str] = {"audio": "send a transcript as text", "video": "send single frames as images"}


def _marked(block: dict[str, Any], marked: bool) -> dict[str, Any]:
    return block | {"cache_control": {"type": "ephemeral"}} if marked else block


def _extended(content: str | list[dict[str, Any]], blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The content of a turn with more blocks behind it."""
    whole = [{"type": "text", "text": content}] if isinstance(content, str) else content
    whole += blocks
    return whole


def _content(blocks: str | list[dict[str, Any]]) -> str | list[dict[str, Any]]:
    """One plain text as a string, everything else as blocks."""
    if isinstance(blocks, str):
        return blocks
    if len(blocks) == 1 and blocks[0].keys() == {"type", "text"}:
        return str(blocks[0]["text"])
    return blocks
