"""What any adapter builds is read back, for conversations of all kinds."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import merging
import strategies
from prompt_adapters import Message, Text, ToolCall, ToolResult, from_request, get_adapter
from prompt_adapters.adapters import MessageAdapter
from prompt_adapters.content.parts import Document, Part
from prompt_adapters.content.source import Inline
from prompt_adapters.errors import PromptAdapterError

STYLES = sorted(merging.ALSO_CARRIED)
# No deadline: the first media of a run import Pillow.
LAW = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


@cache
def takes(adapter: MessageAdapter, role: str, part: Part) -> bool:
    """Whether a shape has a place for a part by itself, in a turn of this role."""
    turn = Message(role, [Text("x"), part])
    before = () if role == "user" else (Message("user", "x"),)
    try:
        body = adapter.build_body((*before, turn, Message("user", "x")))
    except PromptAdapterError:
        return False
    # A text document of nothing but a byte order mark is sent as an empty text, which nobody takes.
    bare = (
        isinstance(part, Document) and isinstance(part.source, Inline) and not part.source.data.strip(b"\xef\xbb\xbf")
    )
    return bool(body) and not bare


@st.composite
def conversations(draw: st.DrawFn, adapter: MessageAdapter) -> tuple[Message, ...]:
    """Conversations that a shape can carry: system texts, turns of all lengths, media, calls and their results."""
    # A blank text that ends a prefix stands alone, and beside its neighbours where the mark is not carried.
    texts = st.builds(Text, strategies.texts(2), cache=st.booleans()).map(
        lambda text: text if text.text.strip() else text.replace(cache=False)
    )
    systems = st.builds(lambda role, text: Message(role, ["S.", text]), st.sampled_from(["system", "developer"]), texts)
    messages = draw(st.lists(systems, max_size=2))
    for number in range(draw(st.integers(1, 3))):
        parts = draw(st.lists(texts | strategies.media(), min_size=1, max_size=4))
        kept = [Text("Q."), *(part for part in parts if takes(adapter, "user", part))]
        name, cache = draw(st.sampled_from([None, "ann"])), draw(st.booleans())
        messages += [Message("user", kept, name=name, cache=cache)] * draw(st.sampled_from([1, 1, 2]))
        said = draw(st.lists(texts, max_size=2))
        names = draw(st.lists(st.sampled_from(["search", "look"]), max_size=2))
        calls = [ToolCall(f"id_{number}_{index}", tool, draw(strategies.objects())) for index, tool in enumerate(names)]
        messages.append(Message("assistant", [*said, Text("A."), *calls]))
        for call in calls:
            given_back = draw(st.lists(texts | strategies.media(), max_size=2))
            result = ToolResult(
                call.id, given_back, name=draw(st.sampled_from([None, call.name])), error=draw(st.booleans())
            )
            messages.append(Message("tool", [result if in_order(adapter, call, result) else ToolResult(call.id, "r")]))
        if calls:
            messages.append(Message("assistant", "B."))
    return (*messages, Message("user", draw(st.sampled_from(["Last?", "{{ x }}"]))))


@cache
def in_order(adapter: MessageAdapter, call: ToolCall, result: ToolResult) -> bool:
    """Whether a shape has a place for this result."""
    history = (Message("user", "x"), Message("assistant", [call]), Message("tool", [result]))
    try:
        return bool(adapter.build_body(history))
    except PromptAdapterError:
        return False


@pytest.mark.parametrize("style", STYLES)
@LAW
@given(data=st.data())
def test_messages_come_back_and_go_out_again_as_they_were(style: str, data: st.DataObject) -> None:
    adapter = get_adapter(style)
    messages = data.draw(conversations(adapter))
    try:
        sent = adapter.prepare(messages).messages
        built: dict[str, Any] = {"request": adapter.build_request(messages), "body": adapter.build_body(messages)}
    except PromptAdapterError:
        assume(False)
    for form, request in built.items():
        found = from_request(style, request)
        assert merging.merged(found, adapter) == merging.merged(sent, adapter)
        assert getattr(adapter, f"build_{form}")(found) == request
    assert from_request(style, json.loads(json.dumps(built["body"]))) == from_request(style, built["body"])


def outcome(style: str, request: Any) -> tuple[Message, ...] | PromptAdapterError:
    """The messages of a request, or the named error; any other error goes through."""
    try:
        return from_request(style, request)
    except PromptAdapterError as error:
        return error


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.binary(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def places(value: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places of all values in JSON data."""
    found = [here] if here else []
    if isinstance(value, dict):
        found += [place for key, item in value.items() for place in places(item, (*here, key))]
    elif isinstance(value, list):
        found += [place for index, item in enumerate(value) for place in places(item, (*here, index))]
    return found


def changed(value: Any, place: tuple[Any, ...], new: Any) -> Any:
    """A copy with another value at a place; none at all when it is `KeyError`."""
    copied = json.loads(json.dumps(value))
    holder = copied
    for step in place[:-1]:
        holder = holder[step]
    if new is KeyError:
        del holder[place[-1]]
    else:
        holder[place[-1]] = new
    return copied


@pytest.mark.parametrize("style", STYLES)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(data=st.data())
def test_whatever_is_malformed_is_refused_by_a_named_error(style: str, data: st.DataObject) -> None:
    adapter = get_adapter(style)
    try:
        body = adapter.build_body(data.draw(conversations(adapter)))
    except PromptAdapterError:
        assume(False)
    new = data.draw(st.just(KeyError) | JUNK)
    broken = changed(body, data.draw(st.sampled_from(places(body))), new)
    found = outcome(style, broken)
    if isinstance(found, PromptAdapterError):
        assert "\n" not in str(found)
    else:
        assert all(isinstance(message, Message) for message in found)


@pytest.mark.parametrize("style", STYLES)
@given(junk=JUNK)
@settings(max_examples=60)
def test_junk_is_refused_by_a_named_error(style: str, junk: Any) -> None:
    for request in (junk, {"messages": junk}, {"contents": junk}, {"input": junk}, {"messages": [junk]}):
        assert isinstance(outcome(style, request), tuple | PromptAdapterError)
