"""The rules of conversations, rule by adapter: what is sent, what is noted, and what is refused by name."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from prompt_adapters.adapters import MessageAdapter, adapter_for
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Document, Image, Text, ToolCall, ToolResult
from prompt_adapters.errors import PromptFormatError, UnsupportedContentError

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
IMAGE, PDF = Image(PNG), Document(b"%PDF-1.4\n%%EOF\n")

MODELS = {
    "openai": "openai/gpt-4o",
    "responses": "openai/responses/gpt-5.6",
    "anthropic": "anthropic/claude-haiku-4-5",
    "google": "gemini/gemini-2.5-pro",
    "bedrock": "bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0",
    "mistral": "mistral/mistral-medium-latest",
    "cohere": "cohere_chat/command-a-vision-07-2025",
    "ollama": "ollama_chat/llama3.2-vision",
}
ALL = tuple(MODELS)


class Sent(NamedTuple):
    """It is sent.

    Attributes:
        turns: The roles and the texts, as `outline` tells them.
        note: What a note says; None when there is none.
    """

    turns: str
    note: str | None = None


class Refused(NamedTuple):
    """It is refused, and the error says this."""

    words: str


class Rule(NamedTuple):
    """One rule.

    Attributes:
        messages: A conversation that shows it.
        usual: What becomes of it in most shapes.
        others: What becomes of it in the others.
        options: The adapter's options.
    """

    messages: tuple[Message, ...]
    usual: Sent | Refused
    others: Mapping[str, Sent | Refused] = {}
    options: Mapping[str, Any] = {}


def say(*roles_and_parts: Any) -> tuple[Message, ...]:
    return tuple(Message(role, parts) for role, parts in roles_and_parts)


MARKED = "<system>\nS\n</system>"
MIDDLE = say(("user", "a"), ("system", "S"), ("user", "b"))
CALLS = (
    *say(("user", "q"), ("assistant", ["Let me see.", ToolCall("abcdefghi", "look")])),
    Message("tool", [ToolResult("abcdefghi", "seen")]),
)

RULES: dict[str, Rule] = {
    "where system text goes": Rule(
        say(("system", "S"), ("user", "q")),
        Sent("system: S | user: q"),
    ),
    "a developer is a system where there is none": Rule(
        say(("developer", "S"), ("user", "q")),
        Sent("system: S | user: q"),
        {"openai": Sent("developer: S | user: q"), "responses": Sent("developer: S | user: q")},
    ),
    "several system texts all count, in order": Rule(
        say(("system", "S"), ("system", "T"), ("user", "q")),
        Sent("system: S | system: T | user: q"),
        {
            "anthropic": Sent("system: S, T | user: q"),
            "google": Sent("system: S, T | user: q"),
            "bedrock": Sent("system: S, T | user: q"),
        },
    ),
    "several system texts as one, on request": Rule(
        say(("system", "S"), ("system", "T"), ("user", "q")),
        Sent("system: S\n\nT | user: q", "2 system texts are sent as one"),
        options={"system": "one"},
    ),
    "system text folded into the user's, on request": Rule(
        say(("system", "S"), ("system", "T"), ("user", "q")),
        Sent("user: S\n\nT\n\nq", "sent before the first user text"),
        options={"system": "fold"},
    ),
    "system text in mid-conversation": Rule(
        MIDDLE,
        Refused("a system message in mid-conversation at message 2"),
        dict.fromkeys(("openai", "responses", "cohere", "ollama"), Sent("user: a | system: S | user: b")),
    ),
    "system text in mid-conversation as marked user text": Rule(
        MIDDLE,
        Sent(f"user: a | user: {MARKED} | user: b", "sent as marked user text"),
        {
            **dict.fromkeys(("openai", "responses", "cohere", "ollama"), Sent("user: a | system: S | user: b")),
            **dict.fromkeys(("anthropic", "bedrock"), Sent(f"user: a, {MARKED}, b", "sent as marked user text")),
        },
        options={"system_in_middle": "user"},
    ),
    "turns of one role": Rule(
        say(("user", "a"), ("user", "b"), ("assistant", "c"), ("assistant", "d"), ("user", "e")),
        Sent("user: a | user: b | assistant: c | assistant: d | user: e"),
        dict.fromkeys(("anthropic", "bedrock"), Sent("user: a, b | assistant: c, d | user: e")),
    ),
    "an assistant that speaks first": Rule(
        say(("assistant", "a"), ("user", "q")),
        Sent("assistant: a | user: q"),
        dict.fromkeys(("anthropic", "bedrock"), Refused("an assistant turn as the first one at message 1")),
    ),
    "a final assistant turn": Rule(
        say(("user", "q"), ("assistant", "{")),
        Sent("user: q | assistant: {"),
        {
            **dict.fromkeys(("openai", "responses"), Sent("user: q | assistant: {", "does not continue it")),
            "google": Sent("user: q | assistant: {", "does not say that it continues"),
            "cohere": Sent("user: q | assistant: {", "does not say that it continues"),
        },
    ),
    "whitespace at the end of a final assistant turn": Rule(
        say(("user", "q"), ("assistant", "{ \n")),
        Sent("user: q | assistant: { \n"),
        {
            **dict.fromkeys(("openai", "responses"), Sent("user: q | assistant: { \n", "does not continue it")),
            "google": Sent("user: q | assistant: { \n", "does not say"),
            "cohere": Sent("user: q | assistant: { \n", "does not say"),
            **dict.fromkeys(("anthropic", "bedrock"), Sent("user: q | assistant: {", "whitespace at the end")),
        },
    ),
    "whitespace at the end of another turn is the author's": Rule(
        say(("user", "q "), ("assistant", "a\n"), ("user", "r")),
        Sent("user: q  | assistant: a\n | user: r"),
    ),
    "blank text beside text joins it": Rule(
        say(("user", ["a", "\n", "b"])),
        Sent("user: a\nb"),
    ),
    "blank text between media": Rule(
        say(("user", ["a", IMAGE, "\n\n", IMAGE])),
        Sent("user: a, (medium), \n\n, (medium)"),
        {
            **dict.fromkeys(("anthropic", "bedrock"), Sent("user: a, (medium), (medium)", "only whitespace")),
            "ollama": Sent("user: a\n\n, (medium), (medium)", "sent before the text"),
        },
    ),
    "a blank turn": Rule(
        say(("user", "q"), ("assistant", " "), ("user", "r")),
        Sent("user: q | assistant:   | user: r"),
        dict.fromkeys(("anthropic", "bedrock"), Refused(r"message 2 \(assistant\) is empty")),
    ),
    "an empty turn": Rule(say(("user", "q"), ("assistant", ""), ("user", "r")), Refused(r"message 2 \(assistant\) is")),
    "an empty text": Rule(say(("user", ["", "q", ""])), Sent("user: q")),
    "only system text": Rule(say(("system", "S")), Refused("the user turn is missing")),
    "media in a system turn": Rule(
        say(("system", ["S", IMAGE]), ("user", "q")),
        Refused(r"image \(image/png\) at message 1 \(system\), part 2"),
        {"ollama": Sent("system: S, (medium) | user: q", "sent before the text")},
    ),
    "media in an assistant turn": Rule(
        say(("user", "q"), ("assistant", ["a", IMAGE]), ("user", "r")),
        Refused(r"image \(image/png\) at message 2 \(assistant\), part 2"),
        {
            "anthropic": Sent("user: q | assistant: a, (medium) | user: r"),
            "google": Sent("user: q | assistant: a, (medium) | user: r"),
            "ollama": Sent("user: q | assistant: a, (medium) | user: r", "sent before the text"),
        },
    ),
    "an image without text": Rule(say(("user", [IMAGE])), Sent("user: (medium)")),
    "a document without text": Rule(
        say(("user", [PDF])),
        Sent("user: (medium)"),
        {
            "bedrock": Refused("wants a text beside a document"),
            **dict.fromkeys(
                ("cohere", "ollama"), Refused(r"document \(application/pdf\) at message 1 \(user\), part 1")
            ),
        },
    ),
    "an image before its text keeps its place": Rule(
        say(("user", [IMAGE, "a"])),
        Sent("user: (medium), a"),
        {"ollama": Sent("user: a, (medium)")},
    ),
    "an image after its text keeps its place, or it is noted": Rule(
        say(("user", ["a", IMAGE])),
        Sent("user: a, (medium)"),
        {"ollama": Sent("user: a, (medium)", "Ollama does not keep its place")},
    ),
    "a call and its result": Rule(
        CALLS,
        Sent("user: q | assistant: Let me see., (call) | tool: seen"),
        {
            "responses": Sent("user: q | assistant: Let me see. | (call) | tool: seen"),
            "anthropic": Sent("user: q | assistant: Let me see., (call) | user: seen"),
            "google": Sent("user: q | assistant: Let me see., (call) | user: seen"),
            "bedrock": Sent("user: q | assistant: Let me see., (call) | user: seen", "asks for 'toolConfig'"),
            "ollama": Sent("user: q | assistant: Let me see., (call) | tool: seen", "ids of tool calls are not sent"),
        },
    ),
    "a user turn after a tool's result": Rule(
        (*CALLS, Message("user", "r")),
        Sent("user: q | assistant: Let me see., (call) | tool: seen | user: r"),
        {
            "responses": Sent("user: q | assistant: Let me see. | (call) | tool: seen | user: r"),
            "anthropic": Sent("user: q | assistant: Let me see., (call) | user: seen, r"),
            "google": Sent("user: q | assistant: Let me see., (call) | user: seen | user: r"),
            "bedrock": Sent("user: q | assistant: Let me see., (call) | user: seen, r", "asks for 'toolConfig'"),
            "mistral": Refused("a user turn after a tool's result at message 4"),
            "ollama": Sent("user: q | assistant: Let me see., (call) | tool: seen | user: r", "ids of tool calls"),
        },
    ),
    "a final turn with calls": Rule(
        CALLS[:2],
        Sent("user: q | assistant: Let me see., (call)"),
        {
            "responses": Sent("user: q | assistant: Let me see. | (call)"),
            "bedrock": Sent("user: q | assistant: Let me see., (call)", "asks for 'toolConfig'"),
            "mistral": Refused("a final turn with tool calls at message 2"),
            "ollama": Sent("user: q | assistant: Let me see., (call)", "ids of tool calls"),
            "cohere": Sent("user: q | assistant: Let me see., (call)", None),
        },
    ),
    "a call in a user turn": Rule(
        (Message("user", [Text("q"), ToolCall("abcdefghi", "look")]),), Refused("a call of tool 'look' at message 1")
    ),
    "a result in an assistant turn": Rule(
        (*CALLS[:2], Message("assistant", [ToolResult("abcdefghi", "x")])),
        Refused("a result of tool call 'abcdefghi' at message 3"),
    ),
}


def adapter_of(shape: str, options: Mapping[str, Any]) -> MessageAdapter:
    demanded: dict[str, Any] = {"parameters": {"max_tokens": 9}} if shape == "anthropic" else {}
    return adapter_for(MODELS[shape], **demanded, **options)


def said(part: Any) -> list[str]:
    """A part of a body, in a word."""
    if isinstance(part, str):
        return [part]
    if isinstance(part, list):
        return [word for item in part for word in said(item)]
    for holder in ("text", "output", "result"):
        if isinstance(part.get(holder), str):
            return [part[holder]]
    for holder in ("toolResult", "function_response", "functionResponse"):
        if holder in part:
            return said(part[holder].get("content", part[holder].get("response")))
    if part.get("type") == "tool_result":
        return said(part["content"])
    if part.keys() & {"toolUse", "functionCall"} or part.get("type") == "tool_use":
        return ["(call)"]
    return ["(medium)"]


def turn(message: dict[str, Any]) -> str:
    """A turn of a body: its role, and what it holds."""
    if message.get("type") == "function_call":
        return "(call)"
    role = "tool" if message.get("type") == "function_call_output" else message["role"]
    held = said([message.get(name) or [] for name in ("tool_plan", "content", "parts", "output")])
    held += ["(medium)"] * len(message.get("images", ())) + ["(call)"] * len(message.get("tool_calls", ()))
    held = [word for word in held if word or not message.get("images")]
    return f"{'assistant' if role == 'model' else role}: {', '.join(held)}"


def outline(body: dict[str, Any]) -> str:
    """A body in one line: its turns, system text first where it stands by itself."""
    system = body.get("system") or body.get("instructions") or body.get("systemInstruction", {}).get("parts")
    turns = body.get("messages") or body.get("input") or body["contents"]
    head = [f"system: {', '.join(said(system))}"] if system else []
    return " | ".join([*head, *map(turn, turns)])


@pytest.mark.parametrize("shape", ALL)
@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_rules(rule: Rule, shape: str) -> None:
    adapter = adapter_of(shape, rule.options)
    expected = rule.others.get(shape, rule.usual)
    if isinstance(expected, Refused):
        with pytest.raises((UnsupportedContentError, PromptFormatError), match=expected.words) as caught:
            adapter.build_body(rule.messages)
        assert "\n" not in str(caught.value)
        return
    body = adapter.build_body(rule.messages)
    assert outline(json.loads(json.dumps(body))) == expected.turns
    notes = [str(note) for note in adapter.prepare(rule.messages).notes]
    notes = [note for note in notes if "is not known; sent all the same" not in note]  # of the model, and no rule
    if expected.note is None:
        assert notes == []
    else:
        assert any(expected.note in note for note in notes), notes


def test_every_exception_is_a_shape() -> None:
    assert all(rule.others.keys() <= MODELS.keys() for rule in RULES.values())
