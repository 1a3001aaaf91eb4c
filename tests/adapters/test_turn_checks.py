"""Rules on turns that several shapes share."""

from __future__ import annotations

from typing import Any

import pytest

from prompt_adapters.adapters import adapter_for, get_adapter
from prompt_adapters.adapters.turn_checks import alternating, check_first, final_turn, prefilled
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import ToolCall
from prompt_adapters.errors import UnsupportedContentError

ADAPTER = get_adapter("openai_style")
CALL = ToolCall("c", "look")


def say(*roles_and_parts: Any) -> tuple[Message, ...]:
    return tuple(Message(role, parts) for role, parts in roles_and_parts)


@pytest.mark.parametrize(
    ("messages", "place"),
    [
        (say(("user", "q"), ("assistant", "a")), "message 2 (assistant)"),
        (say(("user", "q"), ("assistant", "a"), ("user", ())), "message 2 (assistant)"),
        (say(("user", "q")), None),
        (say(("user", "q"), ("assistant", ["a", CALL])), None),
        (say(("system", ())), None),
        ((), None),
    ],
)
def test_a_final_assistant_turn(messages: tuple[Message, ...], place: str | None) -> None:
    assert final_turn(messages) == place


def test_who_speaks_first() -> None:
    check_first(say(("system", "S"), ("user", "q"), ("assistant", "a")), ADAPTER, "no")
    check_first(say(("system", "S")), ADAPTER, "no")
    with pytest.raises(UnsupportedContentError, match=r"at message 2 \(assistant\): no; put a user turn"):
        check_first(say(("system", "S"), ("assistant", "a")), ADAPTER, "no")


@pytest.mark.parametrize(
    ("model", "text", "sent"),
    [("claude-haiku-4-5", "{ \n", "{"), ("claude-haiku-4-5", "{", "{"), ("claude-opus-5", "{", None)],
)
def test_a_prefill(model: str, text: str, sent: str | None) -> None:
    adapter, messages = adapter_for(model), say(("user", "q"), ("assistant", text))
    if sent is None:
        with pytest.raises(UnsupportedContentError, match=r"claude-opus-5 does not continue it.*such as m"):
            prefilled(messages, adapter, "Claude", "m")
        return
    found, notes = prefilled(messages, adapter, "Claude", "m")
    assert found == say(("user", "q"), ("assistant", sent))
    assert len(notes) == (text != sent)
    assert prefilled(messages[:1], adapter, "Claude", "m") == (messages[:1], [])


def test_turns_of_one_role_are_noted() -> None:
    messages = (
        *say(("system", "S"), ("user", "a"), ("user", "b")),
        Message("user", "c", name="Ann"),
        *say(("assistant", ["d", CALL]), ("tool", ()), ("assistant", "e"), ("user", "f")),
    )
    notes = [str(note) for note in alternating(messages, ADAPTER, "why")]
    assert notes == [
        "message 3 (user): the turn is sent as one with the turn before it: why",
        "message 4 (user): the turn is sent as one with the turn before it: why",
        "message 4 (user): the participant's name 'Ann' is not sent with it",
        "message 7 (assistant): the turn is sent as one with the turn before it: why",
    ]


def test_calls_of_turns_that_are_one_stand_together() -> None:
    model = "hosted_vllm/google/gemma-2-9b-it"
    body = adapter_for(model).build_body(
        say(("user", "q"), ("assistant", ["a", CALL]), ("assistant", [ToolCall("d", "look")]), ("user", "r"))
    )
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user"]
    assert body["messages"][1]["content"] == [{"type": "text", "text": "a"}]
    assert [call["id"] for call in body["messages"][1]["tool_calls"]] == ["c", "d"]


def test_bedrock_asks_for_tool_config_and_that_is_said() -> None:
    messages = say(("user", "q"), ("assistant", ["a", CALL]))
    model = "bedrock/amazon.nova-lite-v1:0"
    assert "'toolConfig'" in str(adapter_for(model).prepare(messages).notes)
    tools = {"tools": [{"toolSpec": {"name": "look", "inputSchema": {"json": {}}}}]}
    assert adapter_for(model, parameters={"toolConfig": tools}).prepare(messages).notes == ()
    assert adapter_for(model).prepare(messages[:1]).notes == ()
