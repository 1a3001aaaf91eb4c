"""What Ollama's messages cannot say: the place of an image in the text, and the ids of tool calls.

* A message's images are put before its text: https://github.com/ollama/ollama/blob/main/server/prompt.go
* A tool's result names the tool, not the call: https://docs.ollama.com/capabilities/tool-calling
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from prompt_adapters.adapters.chat_turns import joined, joined_notes, pieces
from prompt_adapters.adapters.spots import Spot
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Image, Part, Text, ToolCall, ToolResult
from prompt_adapters.media.notes import Note

if TYPE_CHECKING:
    from prompt_adapters.adapters.ollama import OllamaStylePromptAdapter

_MOVED = "the image is sent before the text of its message: Ollama does not keep its place after a text"
_NO_IDS = "the ids of tool calls are not sent: Ollama tells results by the tool's name and their order"


def arranged(messages: Sequence[Message], adapter: OllamaStylePromptAdapter) -> list[Note]:
    """A note for everything that the messages cannot say.

    Raises:
        UnsupportedContentError: (a ``ValueError``) Several calls of a tool are not answered in their order.
    """
    notes: list[Note] = []
    for number, message in enumerate(messages):
        spot = Spot(number, message.role)
        notes += [Note(str(here), _MOVED) for here in _moved(message.parts, spot)]
        for index, part in enumerate(message.parts):
            if isinstance(part, ToolResult):
                inside = (here._replace(part=index, inner=here.part) for here in _moved(part.parts, spot))
                notes += [Note(str(here), _MOVED) for here in inside]
    notes += joined_notes(_joined_texts(messages, adapter), "Ollama has one text for a message")
    called = _check_results(messages, adapter)
    return [*notes, *([Note("", _NO_IDS)] if called else [])]


def _joined_texts(messages: Sequence[Message], adapter: OllamaStylePromptAdapter) -> Iterator[tuple[Spot, list[Part]]]:
    """The parts of each message whose texts are joined; in a turn, nothing is lost where a line break parts them."""
    for piece in pieces(messages, adapter):
        if piece.result is not None:
            yield piece.spot, list(piece.result.parts)
            continue
        texts = [part.text for part, _ in piece.content if isinstance(part, Text)]
        if joined(texts) != "".join(texts):
            yield piece.spot, [part for part, _ in piece.content]


def _moved(parts: Sequence[Part], spot: Spot) -> Iterator[Spot]:
    """The images that stand after a text; a result's parts are a text of their own."""
    after_text = False
    for index, part in enumerate(parts):
        if isinstance(part, Text) and not part.text.isspace():
            after_text = True
        elif isinstance(part, Image) and after_text:
            yield spot._replace(part=index)
        elif isinstance(part, ToolResult):
            after_text = False


def _check_results(messages: Sequence[Message], adapter: OllamaStylePromptAdapter) -> bool:
    """Whether there are calls, which are known to be answered in their order, each tool's by themselves."""
    waiting: list[ToolCall] = []
    called = answering = False
    for number, message in enumerate(messages):
        for index, part in enumerate(message.parts):
            if isinstance(part, ToolCall):
                waiting = [part] if answering else [*waiting, part]
                called, answering = True, False
            elif isinstance(part, ToolResult):
                answering = True
                call = next((call for call in waiting if call.id == part.id), None)
                if call is None:
                    continue
                first = next(other for other in waiting if other.name == call.name)
                if first is not call:
                    reason = f"Ollama would take it for the result of {first.id!r}, an earlier call of the same tool"
                    adapter.refuse(
                        part, Spot(number, message.role, index), reason, "give the results in the order of the calls"
                    )
                waiting.remove(call)
    return called
