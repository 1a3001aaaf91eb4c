"""Rules on turns that several shapes share."""

from __future__ import annotations

from typing import Any

import pytest

from prompt_adapters.adapters import adapter_for, get_adapter
from prompt_adapters.adapters.spots import Spot, documents_in
from prompt_adapters.adapters.turn_checks import (
    alternating,
    check_first,
    check_tool_turn,
    final_turn,
    prefilled,
    refuse_media,
    systems_lead,
)
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Document, ToolCall, ToolResult
from prompt_adapters.content.source import Uploaded
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
    body = adapter_for(model).encode(
        say(("user", "q"), ("assistant", ["a", CALL]), ("assistant", [ToolCall("d", "look")]), ("user", "r"))
    )
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user"]
    assert body["messages"][1]["content"] == [{"type": "text", "text": "a"}]
    assert [call["id"] for call in body["messages"][1]["tool_calls"]] == ["c", "d"]


RESULT = ToolResult("c", "1")
# The shapes that refuse it, what is called out, and the messages after the user's question.
EVERY = ("openai_style", "openai_responses_style", "anthropic_style", "bedrock_style", "google_style", "cohere_style")
ORDERED = tuple(style for style in EVERY if style != "openai_responses_style")
PAIRS: dict[str, tuple[tuple[str, ...], str, tuple[Message, ...]]] = {
    "answered": ((), "", say(("assistant", CALL), ("tool", RESULT), ("user", "r"))),
    "answered by the user, results first": ((), "", say(("assistant", CALL), ("user", [RESULT, "r"]))),
    "the last turn": ((), "", say(("assistant", ["a", CALL, "b"]))),
    "never answered": (EVERY, "it is never answered", say(("assistant", CALL), ("user", "r"))),
    "one of two answered": (
        EVERY,
        "it is never answered",
        say(("assistant", [CALL, ToolCall("d", "look")]), ("tool", RESULT)),
    ),
    "no call": (EVERY, "no call before it has this id", say(("tool", RESULT), ("assistant", "a"), ("user", "r"))),
    "the call comes later": (EVERY, "no call before it", say(("tool", RESULT), ("assistant", CALL))),
    "one id twice": (EVERY, "an earlier call has the same id 'c'", say(("assistant", [CALL, CALL]), ("tool", RESULT))),
    "one id again, once answered": (
        ("anthropic_style",),
        "an earlier call has the same id 'c'",
        say(
            ("assistant", CALL),
            ("tool", RESULT),
            ("assistant", "a"),
            ("user", "r"),
            ("assistant", CALL),
            ("tool", RESULT),
        ),
    ),
    "a turn between": (ORDERED, "between the tool call 'c'", say(("assistant", CALL), ("user", "r"), ("tool", RESULT))),
    "text before the result": (ORDERED, "between the tool call", say(("assistant", CALL), ("user", ["r", RESULT]))),
    "turns of the assistant": (
        ("openai_style", "google_style", "cohere_style"),
        "between the tool call",
        say(("assistant", CALL), ("assistant", "b"), ("tool", RESULT)),
    ),
}


@pytest.mark.parametrize("style", EVERY)
@pytest.mark.parametrize(("refusing", "reason", "turns"), PAIRS.values(), ids=PAIRS)
def test_calls_and_results_belong_together(
    style: str, refusing: tuple[str, ...], reason: str, turns: tuple[Message, ...]
) -> None:
    messages = (Message("user", "q"), *turns)
    if style not in refusing:
        assert get_adapter(style).build_body(messages)
        return
    with pytest.raises(UnsupportedContentError, match=reason) as caught:
        get_adapter(style).build_body(messages)
    assert caught.value.remedy


def test_ollama_has_no_ids_to_look_at() -> None:
    assert get_adapter("ollama_style").build_body(say(("user", "q"), ("tool", ToolResult("c", "1", name="look"))))


@pytest.mark.parametrize(
    ("style", "name"),
    [("openai_responses_style", "previous_response_id"), ("google_style", "cached_content")],
)
def test_a_call_may_be_elsewhere(style: str, name: str) -> None:
    messages = say(("tool", ToolResult("c", "1", name="look")), ("user", "q"))
    assert get_adapter(style, parameters={name: "x"}).build_body(messages)


@pytest.mark.parametrize(
    ("model", "longest"),
    [
        ("openai/gpt-4o", 64),
        ("openai/responses/gpt-5.6", 64),
        ("anthropic/claude-haiku-4-5", 128),
        ("bedrock/amazon.nova-lite-v1:0", 64),
        ("hosted_vllm/some", None),
    ],
)
def test_names_of_tools(model: str, longest: int | None) -> None:
    for name, taken in (("n" * (longest or 200), True), ("n" * (longest or 0) + "n", longest is None), ("näme", None)):
        messages = say(("user", "q"), ("assistant", ["a", ToolCall("c", name)]))
        if taken or longest is None:
            assert adapter_for(model).prepare(messages).messages == messages
            continue
        with pytest.raises(UnsupportedContentError, match=f"up to {longest} letters.*; rename the tool"):
            adapter_for(model).prepare(messages)


def test_bedrock_asks_for_tool_config_and_that_is_said() -> None:
    messages = say(("user", "q"), ("assistant", ["a", CALL]))
    model = "bedrock/amazon.nova-lite-v1:0"
    assert "'toolConfig'" in str(adapter_for(model).prepare(messages).notes)
    tools = {"tools": [{"toolSpec": {"name": "look", "inputSchema": {"json": {}}}}]}
    assert adapter_for(model, parameters={"toolConfig": tools}).prepare(messages).notes == ()
    assert adapter_for(model).prepare(messages[:1]).notes == ()


@pytest.mark.parametrize(
    ("part", "role", "reason"),
    [
        (CALL, "assistant", None),
        (CALL, "user", "tools are called in assistant turns"),
        (CALL, "tool", "tools are called in assistant turns"),
        (ToolResult("c", "a"), "tool", None),
        (ToolResult("c", "a"), "user", None),
        (ToolResult("c", "a"), "assistant", "tool results stand in tool turns"),
    ],
)
def test_calls_and_results_stand_in_their_turns(part: ToolCall | ToolResult, role: str, reason: str | None) -> None:
    spot = Spot(0, role, 0)
    if reason is None:
        check_tool_turn(part, spot, ADAPTER)
        return
    with pytest.raises(UnsupportedContentError) as caught:
        check_tool_turn(part, spot, ADAPTER)
    assert (caught.value.reason, caught.value.position) == (reason, str(spot))


@pytest.mark.parametrize(("role", "turn"), [("assistant", "an assistant message"), ("system", "a system message")])
def test_media_are_the_user_s(role: str, turn: str) -> None:
    with pytest.raises(UnsupportedContentError, match=f"an image at .*: X takes only text in {turn}; move it"):
        refuse_media("an image", Spot(0, role, 0), ADAPTER, "X")


def test_system_text_that_leads() -> None:
    messages = say(("system", "S"), ("user", "q"), ("system", "T"))
    with pytest.raises(UnsupportedContentError, match=r"at message 3 \(system\): it leads; put it first"):
        systems_lead(messages, ADAPTER, "it leads")
    found, notes = systems_lead(messages, get_adapter("openai_style", system_in_middle="user"), "it leads")
    assert found == (*messages[:2], Message("user", "<system>\nT\n</system>"))
    assert len(notes) == 1


def test_documents_are_found_in_results_too() -> None:
    one, other = Document(b"%PDF-1.4\n"), Document.from_uploaded("f")
    messages = (Message("user", ["a", one]), Message("tool", [ToolResult("c", ["a", other])]))
    assert list(documents_in(messages)) == [(Spot(0, "user", 1), one), (Spot(1, "tool", 0, 1), other)]


def test_an_uploaded_file_has_an_id() -> None:
    part, spot = Document.from_uploaded("f-1"), Spot(0, "user", 0)
    assert ADAPTER.file_id(part, Uploaded("f-1"), spot, "f-9") == "f-1"
    with pytest.raises(UnsupportedContentError, match="called by its id, as 'f-9'; give the id"):
        ADAPTER.file_id(part, Uploaded("gs://b/f"), spot, "f-9")
