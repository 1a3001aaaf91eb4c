"""Rules on turns that several shapes share: who begins, who ends, that roles take turns, and what stands in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from prompt_adapters.adapters.roles import leading_systems, settle_systems
from prompt_adapters.adapters.spots import Spot
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, Text, ToolCall, ToolResult
from prompt_adapters.content.position import position
from prompt_adapters.media.notes import Note

if TYPE_CHECKING:
    from prompt_adapters.adapters.base import MessageAdapter


def check_first(messages: Sequence[Message], adapter: MessageAdapter, reason: str) -> None:
    """Refuse an assistant that speaks first.

    Raises:
        UnsupportedContentError: (a ``ValueError``) It does.
    """
    first = leading_systems(messages)
    if first < len(messages) and messages[first].role == "assistant":
        what = "an assistant turn as the first one"
        adapter.refuse(what, position(first, "assistant"), reason, "put a user turn before it")


def systems_lead(
    messages: tuple[Message, ...], adapter: MessageAdapter, reason: str
) -> tuple[tuple[Message, ...], list[Note]]:
    """System text in mid-conversation where a provider takes none: refused, or marked user text if the option says so.

    Raises:
        UnsupportedContentError: (a ``ValueError``) There is some, and the option refuses it.
    """
    return settle_systems(messages, adapter.style, adapter.options.system_in_middle, lambda *_: reason)


def check_tool_turn(part: ToolCall | ToolResult, spot: Spot, adapter: MessageAdapter) -> None:
    """Refuse a tool call that is not the assistant's, and a result that is neither a tool's nor the user's.

    Raises:
        UnsupportedContentError: (a ``ValueError``) It is in such a turn.
    """
    if isinstance(part, ToolCall) and spot.role != "assistant":
        adapter.refuse(part, spot, "tools are called in assistant turns", "put it into an assistant turn")
    if isinstance(part, ToolResult) and spot.role not in ("tool", "user"):
        adapter.refuse(part, spot, "tool results stand in tool turns", "put it into a tool turn")


def refuse_media(part: Part | str, spot: Spot, adapter: MessageAdapter, name: str) -> NoReturn:
    """Refuse media in a turn that is not the user's.

    Args:
        part: The part, or what errors call it.
        spot: Its place.
        adapter: Who refuses it.
        name: The provider.

    Raises:
        UnsupportedContentError: (a ``ValueError``) Always.
    """
    turn = f"{'an' if spot.role == 'assistant' else 'a'} {spot.role} message"
    adapter.refuse(part, spot, f"{name} takes only text in {turn}", "move it to a user turn")


def final_turn(messages: Sequence[Message]) -> str | None:
    """The place of a final assistant turn that could be continued; None when there is none."""
    last = next((number for number in range(len(messages) - 1, -1, -1) if messages[number].parts), None)
    if last is None or messages[last].role != "assistant":
        return None
    return None if any(isinstance(part, ToolCall) for part in messages[last].parts) else position(last, "assistant")


def prefilled(
    messages: tuple[Message, ...], adapter: MessageAdapter, name: str, example: str
) -> tuple[tuple[Message, ...], list[Note]]:
    """A final assistant turn: refused for models that do not continue it, and without whitespace at its end.

    Args:
        messages: The messages.
        adapter: Whose bound model it is.
        name: The provider, for the note.
        example: A model that continues one.

    Raises:
        UnsupportedContentError: (a ``ValueError``) The model does not continue it.
    """
    last = messages[-1]
    if last.role != "assistant":
        return messages, []
    place = position(len(messages) - 1, "assistant")
    if adapter.capabilities.prefill is False:
        remedy = f"end with a user turn, or choose a model that continues, such as {example}"
        adapter.refuse("a final assistant turn", place, f"{adapter.model} does not continue it", remedy)
    end = last.parts[-1]
    if not isinstance(end, Text) or end.text == end.text.rstrip():
        return messages, []
    trimmed = last.replace(parts=(*last.parts[:-1], end.replace(text=end.text.rstrip())))
    note = Note(place, f"the whitespace at the end of the final assistant turn, which {name} refuses, is left out")
    return (*messages[:-1], trimmed), [note]


def alternating(messages: Sequence[Message], adapter: MessageAdapter, why: str) -> list[Note]:
    """A note for each turn that is sent as one with the turn before it, so that the user and the assistant alternate.

    Args:
        messages: The messages.
        adapter: Who refuses an assistant that speaks first.
        why: The reason, for notes.

    Raises:
        UnsupportedContentError: (a ``ValueError``) The assistant speaks first.
    """
    check_first(messages, adapter, why)
    notes: list[Note] = []
    before: Message | None = None
    for number, message in enumerate(messages):
        if not message.parts:
            continue
        if before is not None and message.role == before.role and message.role in ("user", "assistant"):
            place = position(number, message.role)
            notes.append(Note(place, f"the turn is sent as one with the turn before it: {why}"))
            if message.name and message.name != before.name:
                notes.append(Note(place, f"the participant's name {message.name!r} is not sent with it"))
        else:
            before = message
    return notes
