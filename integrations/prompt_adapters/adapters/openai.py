"""OpenAI's chat completions, which many other servers speak as well.

=====================  ============================================================================================
what a message holds   what it becomes
=====================  ============================================================================================
system, developer      a message of that role, wherever it stands; `developer` is `system` for other servers
one text               ``"content": "…"``; several parts are a list
text                   ``{"type": "text", "text": …}``
image                  ``{"type": "image_url", "image_url": {"url": data URL or link, "detail"?}}``
audio                  ``{"type": "input_audio", "input_audio": {"data": base64, "format": "wav" or "mp3"}}``
document               ``{"type": "file", "file": {"filename", "file_data": data URL}}``, or ``{"file_id"}``; PDF only
video                  ``{"type": "video_url", "video_url": {"url"}}`` where the server has it
cache=True             ``"prompt_cache_breakpoint": {"mode": "explicit"}`` on a part, the last four; OpenRouter's
                       ``"cache_control": {"type": "ephemeral"}``
tool call              ``"tool_calls": [{"id", "type": "function", "function": {"name", "arguments": JSON text}}]``
tool result            a message of its own: ``{"role": "tool", "tool_call_id", "content"}``; text only
=====================  ============================================================================================

What a server takes beyond this, or short of it, is in its row (`targets.endpoints`): parts, the role developer, the
names of parameters, marks of cacheable prefixes, and what becomes of a final assistant turn.

Messages and parts: https://platform.openai.com/docs/api-reference/chat/create
Images: https://developers.openai.com/api/docs/guides/images-vision
Files: https://developers.openai.com/api/docs/guides/file-inputs
Audio: https://developers.openai.com/api/docs/guides/audio
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, assert_never

from prompt_adapters.adapters.accepted import Sources
from prompt_adapters.adapters.base import MessageAdapter
from prompt_adapters.adapters.blocks import Foreign, Item
from prompt_adapters.adapters.chat_turns import function_call, result_texts
from prompt_adapters.adapters.marks import parts_with_mark
from prompt_adapters.adapters.openai_parameters import OPENAI_TABLE, needs_extra_body, table_for
from prompt_adapters.adapters.openai_turns import arranged, merged, parts_taken
from prompt_adapters.adapters.parameters import EXTRA_BODY, NO_PARAMETERS, Table
from prompt_adapters.adapters.preparing import payload_turns
from prompt_adapters.adapters.registry import PROMPT_ADAPTER_REGISTRY
from prompt_adapters.adapters.spots import Spot, only_text
from prompt_adapters.adapters.survey import IMAGE, TEXT
from prompt_adapters.adapters.turn_checks import ToolRules, check_tool_turn, final_turn, refuse_media
from prompt_adapters.content.encoded import base64_of, data_url_of
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, Part, Text, ToolCall, ToolResult, Video
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.media.notes import Note
from prompt_adapters.targets import Endpoint, endpoint_of

_AUDIO_FORMATS: Mapping[str, str] = MappingProxyType({"audio/wav": "wav", "audio/mpeg": "mp3"})
_PDF = "application/pdf"
_BYTES = "give the bytes, as from a file"
_SPEAKERS = frozenset({"system", "user", "assistant"})  # whose names are the same for every server
_CARRIED = frozenset({"name", "detail"})
# With these vLLM continues a final assistant turn: https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html
_FLAGS: Mapping[str, Any] = MappingProxyType({"continue_final_message": True, "add_generation_prompt": False})


@PROMPT_ADAPTER_REGISTRY.register("openai_style")
class OpenAIStylePromptAdapter(MessageAdapter):
    """Builds OpenAI-style chat messages, for OpenAI-compatible APIs and vLLM.

    A payload is the list of messages: an optional system message, and one user message whose content is a list of
    items. Between two blocks stands their separator, an item of its own.
    """

    style: ClassVar[str] = "openai_style"
    table: ClassVar[Table] = OPENAI_TABLE
    as_is: ClassVar[frozenset[str]] = frozenset({TEXT, IMAGE})
    moulded: ClassVar[bool] = True

    @property
    def endpoint(self) -> Endpoint:
        """What is known of the server."""
        return endpoint_of(self.provider)

    @property
    def carries(self) -> frozenset[str]:  # type: ignore[override]  # here it depends on the server
        """Which of name, cache and detail the server has fields for."""
        return _CARRIED | ({"cache"} if self.endpoint.cache is not None else frozenset())

    @property
    def takes(self) -> Sources:  # type: ignore[override]  # here it depends on the server
        """The media that the server has parts for."""
        return parts_taken(self.endpoint.parts)

    @property
    def tools(self) -> ToolRules:  # type: ignore[override]  # here it depends on the server
        """What the server demands of tool calls and their results."""
        return ToolRules("next", longest_name=self.endpoint.longest_tool_name)

    def payload(self, template: Any, values: Mapping[str, Any]) -> list[Any]:
        """The messages, everything in them as it was given."""
        messages: list[Any] = []
        for number, turn in enumerate(payload_turns(self, template, values)):
            spot = Spot(number, turn.role)
            messages += self._messages(_unmarked(turn.items), spot, turn.name, listed=turn.role == "user")
        return messages

    def encode(self, messages: Sequence[Message]) -> dict[str, Any]:
        """``{"messages": […]}``."""
        encoded: list[dict[str, Any]] = []
        for number, message in enumerate(messages):
            role = message.role
            if role in _SPEAKERS and (text := only_text(message)) is not None:
                encoded.append({"role": role, "content": text})
            else:
                encoded += self._messages(parts_with_mark(message), Spot(number, role), message.name)
        rule = self.turn_rule(messages)
        if rule is not None and rule.alternate:
            encoded = merged(encoded)
        if final_turn(messages) and self.endpoint.prefill == "prefix":
            encoded[-1]["prefix"] = True
        return {"messages": encoded}

    def arrange(self, messages: tuple[Message, ...]) -> tuple[tuple[Message, ...], list[Note]]:
        """The rules of the server and of the model's template; what the shape cannot say is noted."""
        return arranged(messages, self)

    def default_parameters(
        self, parameters: Mapping[str, Any], messages: Sequence[Message]
    ) -> tuple[Mapping[str, Any], list[Note]]:
        """The flags with which some servers continue a final assistant turn."""
        if not final_turn(messages) or self.endpoint.prefill != "flags" or _FLAGS.keys() & parameters.keys():
            return NO_PARAMETERS, []
        return _FLAGS, []

    def parameter_table(self) -> Table:
        """The parameters of the provider that speaks this shape."""
        return table_for(self.provider)

    def place_in_request(self, encoded: dict[str, Any], parameters: dict[str, Any]) -> dict[str, Any]:
        """The client's keywords; what it has none for goes into ``extra_body``."""
        if not parameters:
            return super().place_in_request(encoded, parameters)
        extra = {name: parameters.pop(name) for name in tuple(parameters) if needs_extra_body(name)}
        if extra:
            parameters[EXTRA_BODY] = extra | dict(parameters.get(EXTRA_BODY, {}))
        return super().place_in_request(encoded, parameters)

    def document_name(self, document: Document) -> str | None:
        """Its name; an uploaded one has it already."""
        return None if isinstance(document.source, Uploaded) else document.name

    def _messages(
        self, items: Iterable[Item], spot: Spot, name: str | None, *, listed: bool = False
    ) -> Iterator[dict[str, Any]]:
        """The messages of one turn: each tool result is one by itself, and the rest another.

        Args:
            items: What the turn holds.
            spot: The turn's place.
            name: The participant's name.
            listed: Whether content is a list even when it is one text.
        """
        rest: list[tuple[Item, Spot]] = []
        for index, item in enumerate(items):
            here = Spot(spot.message, spot.role, index)
            if isinstance(item, ToolResult):
                if rest:
                    yield self._message(rest, spot, name, listed)
                    rest = []
                yield self._tool_message(item, here)
            else:
                rest.append((item, here))
        if rest:
            yield self._message(rest, spot, name, listed)

    def _message(
        self, items: Sequence[tuple[Item, Spot]], spot: Spot, name: str | None, listed: bool
    ) -> dict[str, Any]:
        message: dict[str, Any] = {"role": self._role(spot, items)}
        calls = [self._tool_call(item, here) for item, here in items if isinstance(item, ToolCall)]
        content = [(item, here) for item, here in items if not isinstance(item, ToolCall)] if calls else items
        if len(content) == 1 and isinstance(only := content[0][0], Text) and not (listed or self.is_marked(only)):
            message["content"] = only.text
        elif content:
            message["content"] = [self._item(item, here) for item, here in content]
        if calls:
            message["tool_calls"] = calls
        if name:
            message["name"] = name
        return message

    def _role(self, spot: Spot, items: Sequence[tuple[Item, Spot]]) -> str:
        if spot.role == "tool":
            item, here = items[0]
            self.refuse(_part_of(item), here, "a tool message holds tool results", "use ToolResult(...)")
        return "system" if spot.role == "developer" and not self.endpoint.developer else spot.role

    def _item(self, item: Item, spot: Spot) -> dict[str, Any]:
        if type(item) is Text and not item.cache:
            return {"type": "text", "text": item.text}
        if not isinstance(item, Text) and spot.role != "user":
            refuse_media(_part_of(item), spot, self, "OpenAI")
        if isinstance(item, Foreign):
            return {"type": "image_url", "image_url": {"url": item.image.as_data_url()}}
        return self.marked(self._part(item, spot), item)

    def is_marked(self, part: Part) -> bool:
        """Whether the end of a cacheable prefix is marked on a part."""
        return part.cache and self.endpoint.cache is not None

    def marked(self, encoded: dict[str, Any], part: Part) -> dict[str, Any]:
        """An encoded part with the server's mark, when a cacheable prefix ends with it."""
        if not part.cache or (cache := self.endpoint.cache) is None:
            return encoded
        return encoded | {cache.field: dict(cache.value)}

    def _part(self, part: Part, spot: Spot) -> dict[str, Any]:
        match part:
            case Text():
                return {"type": "text", "text": part.text}
            case Image():
                self._check_part("image_url", part, spot)
                image = {"url": self._url(part, spot)}
                return {"type": "image_url", "image_url": image | ({"detail": part.detail} if part.detail else {})}
            case Audio():
                return self._audio(part, spot)
            case Document():
                return {"type": "file", "file": self._file(part, spot)}
            case Video():
                if not self._takes("video_url"):
                    self.refuse(part, spot, "chat completions have no video part", "send single frames as images")
                return {"type": "video_url", "video_url": {"url": self._url(part, spot)}}
            case ToolCall() | ToolResult():
                self.refuse(part, spot, f"it does not belong into a {spot.role} turn", "put it into a turn of its own")
        assert_never(part)

    def _takes(self, name: str) -> bool:
        return name in self.endpoint.parts

    def _check_part(self, name: str, part: Part, spot: Spot) -> None:
        if not self._takes(name):
            reason = f"{self.endpoint.name} takes no {part.kind} there"
            self.refuse(part, spot, reason, f"leave it out, or choose a model that takes {part.kind}")

    def _url(self, part: Image | Video | Audio, spot: Spot) -> str:
        match part.source:
            case Inline():
                return data_url_of(part.source)
            case Link():
                return self.reach(part, part.source, spot)
            case Uploaded():
                self.refuse(part, spot, f"chat completions take no uploaded {part.kind}", "give the bytes or a link")
        assert_never(part.source)

    def _audio(self, part: Audio, spot: Spot) -> dict[str, Any]:
        match part.source:
            case Inline() as source if source.mime in _AUDIO_FORMATS and self._takes("input_audio"):
                sound = {"data": base64_of(source), "format": _AUDIO_FORMATS[source.mime]}
                return {"type": "input_audio", "input_audio": sound}
            case Inline() | Link() if self._takes("audio_url"):
                return {"type": "audio_url", "audio_url": {"url": self._url(part, spot)}}
            case Inline():
                self._check_part("input_audio", part, spot)
                self.refuse(part, spot, "chat completions take WAV and MP3 only", "convert it to one of these")
            case Link() | Uploaded():
                self.refuse(part, spot, "chat completions take audio as bytes only", _BYTES)
        assert_never(part.source)

    def _file(self, part: Document, spot: Spot) -> dict[str, str]:
        match part.source:
            case Inline() as source:
                self._check_part("file", part, spot)
                types = self.limits.document_types
                if types is not None and source.mime not in types:
                    remedy = "put the text into the prompt" if source.mime.startswith("text/") else "convert it to PDF"
                    self.refuse(part, spot, "chat completions take only PDF documents", remedy)
                return {
                    "filename": self.document_name(part) or _default_name(source.mime),
                    "file_data": data_url_of(source),
                }
            case Link() as source if self._takes("file_url"):
                url = self.reach(part, source, spot)
                return {"filename": self.document_name(part) or _default_name(source.mime or _PDF), "file_data": url}
            case Link():
                self.refuse(part, spot, "chat completions take no documents by link", _BYTES)
            case Uploaded() as source:
                self._check_part("file_id", part, spot)
                return {"file_id": self.file_id(part, source, spot, "file-abc123")}
        assert_never(part.source)

    def _tool_call(self, call: ToolCall, spot: Spot) -> dict[str, Any]:
        check_tool_turn(call, spot, self)
        return function_call(call)

    def _tool_message(self, result: ToolResult, spot: Spot) -> dict[str, Any]:
        check_tool_turn(result, spot, self)
        content: Any = "".join(result_texts(result, spot, self))
        texts = [part for part in parts_with_mark(result) if isinstance(part, Text)]
        if len(texts) > 1 or any(self.is_marked(text) for text in texts):
            content = [self.marked({"type": "text", "text": text.text}, text) for text in texts]
        return {"role": "tool", "tool_call_id": result.id, "content": content}


def _unmarked(items: Iterable[Item]) -> Iterator[Item]:
    """What a payload holds: marks of prefixes are a matter of requests, where it is known whom they are for."""
    return (item if isinstance(item, Foreign) or not item.cache else item.replace(cache=False) for item in items)


def _part_of(item: Item) -> Part | str:
    return "an image" if isinstance(item, Foreign) else item


def _default_name(mime: str) -> str:
    """A neutral file name for a document without one."""
    subtype = mime.partition("/")[2]
    return f"document.{subtype if subtype.isalnum() else 'bin'}"
