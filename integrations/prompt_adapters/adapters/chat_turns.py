"""Turns in the shapes that have messages of their own for what a tool gave, and tool calls beside the text.

What the chat shapes of Mistral, Cohere and Ollama share: a turn in pieces, and what is said about it in notes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, assert_never

from prompt_adapters.adapters.part_changes import changed
from prompt_adapters.adapters.spots import Spot
from prompt_adapters.adapters.tidy import SYSTEM_ROLES
from prompt_adapters.adapters.turn_checks import check_tool_turn
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, MediaPart, Part, Text, ToolCall, ToolResult, Video
from prompt_adapters.content.position import position
from prompt_adapters.media.notes import Note

if TYPE_CHECKING:
    from prompt_adapters.adapters.base import MessageAdapter


class Piece(NamedTuple):
    """What becomes one message of the wire.

    Attributes:
        role: system, user, assistant or tool.
        spot: The turn's place; the result's when there is one.
        content: Texts and media in order, with their places.
        calls: The tool calls.
        result: What a tool gave; then there is nothing else.
    """

    role: str
    spot: Spot
    content: tuple[tuple[Text | MediaPart, Spot], ...] = ()
    calls: tuple[ToolCall, ...] = ()
    result: ToolResult | None = None


def pieces(messages: Iterable[Message], adapter: MessageAdapter) -> Iterator[Piece]:
    """The messages of the wire: each result of a tool is one by itself, and what stands between results another.

    Args:
        messages: The messages.
        adapter: Who refuses what stands in a turn where it does not belong.

    Raises:
        UnsupportedContentError: (a ``ValueError``) A call is not the assistant's, or a result not a tool's or user's,
            or a tool says something else.
    """
    for number, message in enumerate(messages):
        spot = Spot(number, message.role)
        content: list[tuple[Text | MediaPart, Spot]] = []
        calls: list[ToolCall] = []
        for index, part in enumerate(message.parts):
            here = spot._replace(part=index)
            match part:
                case ToolResult():
                    check_tool_turn(part, here, adapter)
                    if content or calls:
                        yield _said(spot, content, calls)
                        content, calls = [], []
                    yield Piece("tool", here, result=part)
                case ToolCall():
                    check_tool_turn(part, here, adapter)
                    calls.append(part)
                case Text() | Image() | Audio() | Video() | Document():
                    if message.role == "tool":
                        adapter.refuse(part, here, "a tool turn holds tool results", "use ToolResult(...)")
                    content.append((part, here))
                case _:
                    assert_never(part)
        if content or calls:
            yield _said(spot, content, calls)


def _said(spot: Spot, content: Sequence[tuple[Text | MediaPart, Spot]], calls: Sequence[ToolCall]) -> Piece:
    role = "system" if spot.role in SYSTEM_ROLES else spot.role
    return Piece(role, spot, tuple(content), tuple(calls))


def result_texts(result: ToolResult, spot: Spot, adapter: MessageAdapter) -> list[str]:
    """The texts that a tool gave, where it may give nothing else.

    Raises:
        UnsupportedContentError: (a ``ValueError``) It gave something else.
    """
    for inner, part in enumerate(result.parts):
        if not isinstance(part, Text):
            remedy = "put it into a user turn after the result"
            adapter.refuse(part, spot._replace(inner=inner), "a tool result is text only", remedy)
    return [part.text for part in result.parts if isinstance(part, Text)]


def result_content(result: ToolResult, spot: Spot, adapter: MessageAdapter) -> str | list[dict[str, Any]]:
    """What a tool gave as content: one text, or a list of several; errors as for `result_texts`."""
    texts = result_texts(result, spot, adapter)
    return "".join(texts) if len(texts) < 2 else [{"type": "text", "text": text} for text in texts]


def function_call(call: ToolCall) -> dict[str, Any]:
    """A tool call as OpenAI's chat completions have it, and others after them."""
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments_json}}


def joined(texts: Iterable[str]) -> str:
    """Several texts as one: a line break stands between two that would otherwise run together."""
    whole = ""
    for text in texts:
        apart = whole.endswith("\n") or text.startswith("\n")
        whole += text if apart or not whole else f"\n{text}"
    return whole


def joined_notes(turns: Iterable[tuple[Spot, Sequence[Part]]], why: str) -> list[Note]:
    """A note for each place whose texts are sent as one, so that nobody can tell where one ended.

    Args:
        turns: Places, and the parts whose texts are joined there.
        why: The reason.
    """
    counted = ((spot, sum(isinstance(part, Text) for part in parts)) for spot, parts in turns)
    return [Note(str(spot), f"its {many} texts are sent as one: {why}") for spot, many in counted if many > 1]


def texts_after_calls(messages: Iterable[Message]) -> list[Note]:
    """A note for each turn in which text follows a tool call, since calls stand in a field of their own."""
    notes: list[Note] = []
    for number, message in enumerate(messages):
        kinds = [isinstance(part, ToolCall) for part in message.parts]
        if True in kinds and False in kinds[kinds.index(True) :]:
            notes.append(Note(position(number, message.role), "the text after a tool call is sent before it"))
    return notes


def with_details(
    messages: tuple[Message, ...], taken: Collection[str], name: str
) -> tuple[tuple[Message, ...], list[Note]]:
    """The messages without a `detail` that the provider has no word for, and a note for each.

    Args:
        messages: The messages.
        taken: The provider's words.
        name: The provider, for the notes.
    """

    def change(part: Part, spot: Spot) -> tuple[Part, Iterable[Note]]:
        if not isinstance(part, Image) or part.detail is None or part.detail in taken:
            return part, ()
        note = Note(str(spot), f"detail={part.detail!r} is not sent: {name} has {', '.join(taken)}")
        return part.replace(detail=None), (note,)

    return changed(messages, change)
