"""A provider of our own in one file, written as `CONTRIBUTING.md` says; the tests run the whole table against it.

=====================  ============================================================================
what a message holds   what it becomes
=====================  ============================================================================
system, developer      a line of the speaker ``rules``
user, assistant, tool  a line of that speaker
text                   ``{"say": …}``
image                  ``{"show": base64 or link}``
audio, video,          refused
document
tool call, result      ``{"call": name, "with": arguments, "id"}``, ``{"answers": id, "say": […]}``
=====================  ============================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, assert_never

from prompt_adapters.adapters import PROMPT_ADAPTER_REGISTRY, MessageAdapter
from prompt_adapters.adapters.accepted import Sources, sources
from prompt_adapters.adapters.parameters import Table
from prompt_adapters.adapters.spots import Spot
from prompt_adapters.content.encoded import base64_of
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, Part, Text, ToolCall, ToolResult, Video
from prompt_adapters.content.source import Inline, Link, Uploaded

SPEAKERS = {"system": "rules", "developer": "rules"}


@PROMPT_ADAPTER_REGISTRY.register("toy_style")
class ToyStylePromptAdapter(MessageAdapter):
    """Builds requests for the toy provider."""

    table: ClassVar[Table] = Table(
        {"temperature": "heat", "max_tokens": "length"}, frozenset({"heat", "length"}), "https://example.org/toy"
    )
    takes: ClassVar[Sources] = sources(image="inline link")

    def encode(self, messages: Sequence[Message]) -> dict[str, Any]:
        """``{"messages": [{"who", "what"}]}``."""
        return {
            "messages": [
                {
                    "who": SPEAKERS.get(message.role, message.role),
                    "what": [self._part(part, Spot(n, message.role, i)) for i, part in enumerate(message.parts)],
                }
                for n, message in enumerate(messages)
            ]
        }

    def _part(self, part: Part, spot: Spot) -> dict[str, Any]:
        match part:
            case Text():
                return {"say": part.text}
            case Image():
                return {"show": self._source(part, spot)}
            case Audio() | Video() | Document():
                self.refuse(part, spot, f"the toy takes no {part.kind}", "describe it in words")
            case ToolCall():
                return {"call": part.name, "with": part.arguments, "id": part.id}
            case ToolResult():
                held = [self._part(item, spot._replace(inner=inner)) for inner, item in enumerate(part.parts)]
                return {"answers": part.id, "say": held}
        assert_never(part)

    def _source(self, image: Image, spot: Spot) -> str:
        match image.source:
            case Inline() as source:
                return base64_of(source)
            case Link() as source:
                return self.reach(image, source, spot)
            case Uploaded():
                self.refuse(image, spot, "the toy keeps no files", "give the bytes")
        assert_never(image.source)
