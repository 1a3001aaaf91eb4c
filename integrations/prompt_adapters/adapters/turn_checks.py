"""Rules on turns that several shapes share: who begins, who ends, that roles take turns, and what stands in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, NoReturn, TypeAlias

from prompt_adapters.adapters.roles import leading_systems, settle_systems
from prompt_adapters.adapters.spots import Spot
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, Text, ToolCall, ToolResult
from prompt_adapters.content.position import position
from prompt_adapters.media.notes import Note

if TYPE_CHECKING:
    from prompt_adapters.adapters.base import MessageAdapter

_NAME = re.compile("[a-zA-Z0-9_-]+")
ResultOrder: TypeAlias = Literal["free", "anywhere", "next", "next_turn"]


class ToolRules(NamedTuple):
    """What a provider demands of tool calls and their results.

    Attributes:
        order: Where the results of calls stand: ``"next"`` right behind the message with the calls, ``"next_turn"``
            likewise, where messages of one role that follow each other are one turn, ``"anywhere"`` behind it;
            ``"free"``: nothing is demanded, not even results.
        elsewhere: The parameters by which a part of the conversation, and so calls in it, is not among the messages.
        longest_name: How many letters, digits, ``_`` and ``-`` the name of a tool has at most; None for any name.
        unique_ids: Whether no two calls of the conversation may have one id; otherwise it may be used again once its
            call is answered, as servers do that count calls anew in each turn.
    """

    order: ResultOrder = "free"
    elsewhere: frozenset[str] = frozenset()
    longest_name: int | None = None
    unique_ids: bool = False


def check_calls(messages: Sequence[Message], adapter: MessageAdapter, parameters: Iterable[str]) -> None:
    """Refuse calls and results of tools that do not belong together as the provider demands.

    Args:
        messages: The messages.
        adapter: Whose rules hold.
        parameters: The names of the call's parameters.

    Raises:
        UnsupportedContentError: (a ``ValueError``) Two calls have one id, a result has no call before it, a call is not
            answered although the conversation goes on, or something stands between a call and its result.
    """
    rules = adapter.tools
    tools = [(part, spot) for part, spot in _spots(messages) if isinstance(part, ToolCall | ToolResult)]
    if not tools:
        return
    for part, spot in tools:
        check_tool_turn(part, spot, adapter)
    calls = [(part, spot) for part, spot in tools if isinstance(part, ToolCall)]
    for call, spot in calls:
        most = rules.longest_name
        if most is not None and not (_NAME.fullmatch(call.name) and len(call.name) <= most):
            reason = f"the name of a tool has up to {most} letters, digits, '_' and '-' there"
            adapter.refuse(call, spot, reason, "rename the tool")
    if rules.order == "free":
        return
    _check_ids(tools, adapter, elsewhere=not rules.elsewhere.isdisjoint(parameters), unique=rules.unique_ids)
    answered = {part.id for part, _ in tools if isinstance(part, ToolResult)}
    final = _final_run(messages, rules.order)
    for call, spot in calls:
        if call.id not in answered and spot.message < final:
            remedy = "add its result, as Message('tool', [ToolResult(id, ...)]), or leave the call out"
            adapter.refuse(call, spot, "the conversation goes on, and it is never answered", remedy)
    if rules.order != "anywhere":
        _check_between(messages, adapter)


def _spots(messages: Sequence[Message]) -> list[tuple[Part, Spot]]:
    return [
        (part, Spot(number, message.role, index))
        for number, message in enumerate(messages)
        for index, part in enumerate(message.parts)
    ]


def _check_ids(
    tools: Iterable[tuple[ToolCall | ToolResult, Spot]], adapter: MessageAdapter, *, elsewhere: bool, unique: bool
) -> None:
    called: set[str] = set()
    waiting: set[str] = set()
    for part, spot in tools:
        if isinstance(part, ToolCall):
            if part.id in (called if unique else waiting):
                reason = f"an earlier call has the same id {part.id!r}"
                adapter.refuse(part, spot, reason, "give each call, and its result, an id of its own")
            called.add(part.id)
            waiting.add(part.id)
        elif part.id in called:
            waiting.discard(part.id)
        elif not elsewhere:
            remedy = "put the assistant's turn with the call before it, or leave the result out"
            adapter.refuse(part, spot, "no call before it has this id", remedy)


def _final_run(messages: Sequence[Message], order: ResultOrder) -> int:
    """The index at which the last turn begins; what it calls may be answered later."""
    last = next((number for number in range(len(messages) - 1, -1, -1) if messages[number].parts), 0)
    while order == "next_turn" and last and messages[last].role == messages[last - 1].role == "assistant":
        last -= 1
    return last


def _check_between(messages: Sequence[Message], adapter: MessageAdapter) -> None:
    """Refuse what stands between a call and its result."""
    waiting: set[str] = set()
    before: Message | None = None
    for number, message in enumerate(messages):
        same = before is not None and before.role == message.role == "assistant" and adapter.tools.order == "next_turn"
        for index, part in enumerate(message.parts):
            if isinstance(part, ToolResult):
                waiting.discard(part.id)
            elif waiting and not same:
                reason = f"it stands between the tool call {min(waiting)!r} and its result"
                remedy = "put the results right behind the turn with the calls, and this behind them"
                adapter.refuse(part, Spot(number, message.role, index), reason, remedy)
        waiting |= {part.id for part in message.parts if isinstance(part, ToolCall)}
        before = message if message.parts else before


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
    last = len(messages) - 1
    while last >= 0 and not messages[last].parts:
        last -= 1
    if last < 0 or messages[last].role != "assistant":
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
