"""Cohere's chat: every kind of content, as a table, under the official client's models made strict."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from official import built
from prompt_adapters.adapters import adapter_for, get_adapter
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, ToolCall, ToolResult, Video
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.few_shot import FewShot
from prompt_adapters.prompt import Prompt

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
PDF = b"%PDF-1.4\n%%EOF\n"
WAV = b"RIFF\x24\x00\x00\x00WAVEfmt " + bytes(28)
MP4 = b"\x00\x00\x00\x1cftypisom\x00\x00\x02\x00isomiso2avc1"
IMG = Image(PNG)
WEB = "https://example.com/a.png"
MODEL = "cohere_chat/command-a-vision-07-2025"
UNSURE = "whether command-a-vision-07-2025 takes images is not known; sent all the same"
CALL = ToolCall("c1", "look")


def text(value: str) -> dict[str, Any]:
    return {"type": "text", "text": value}


URL = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
ITEM = {"type": "image_url", "image_url": {"url": URL}}


def say(*roles_and_parts: Any) -> tuple[Message, ...]:
    """Messages from pairs."""
    return tuple(Message(role, parts) for role, parts in roles_and_parts)


# A user's parts and the content they become.
ENCODED: list[tuple[str, list[Any], Any]] = [
    ("one text", ["A"], "A"),
    ("two texts", ["A", "B"], [text("A"), text("B")]),
    ("image", [IMG], [ITEM]),
    ("image link", ["A", Image(WEB)], [text("A"), {"type": "image_url", "image_url": {"url": WEB}}]),
    ("detail", [Image(PNG, detail="low")], [{"type": "image_url", "image_url": {"url": URL, "detail": "low"}}]),
    ("a detail without a word", [Image(PNG, detail="original")], [ITEM]),
    ("whitespace", [" \n", IMG], [text(" \n"), ITEM]),
]


@pytest.mark.parametrize(("parts", "content"), [row[1:] for row in ENCODED], ids=[row[0] for row in ENCODED])
def test_every_kind_of_content_takes_its_documented_shape(parts: list[Any], content: Any) -> None:
    for adapter in (get_adapter("cohere_style", model="command-a-vision-07-2025"), adapter_for(MODEL)):
        assert built(adapter, Message("user", parts)) == {
            "model": "command-a-vision-07-2025",
            "messages": [{"role": "user", "content": content}],
        }


def test_a_conversation() -> None:
    messages = say(
        ("developer", "D"),
        ("user", "a"),
        ("assistant", ["b", "c"]),
        ("system", ["S", "T"]),
        ("user", ["d", IMG]),
    )
    assert built(adapter_for(MODEL), messages)["messages"] == [
        {"role": "system", "content": "D"},
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": [text("b"), text("c")]},
        {"role": "system", "content": [text("S"), text("T")]},
        {"role": "user", "content": [text("d"), ITEM]},
    ]
    assert [str(note) for note in adapter_for(MODEL).prepare(messages).notes] == [UNSURE]


def call(key: str, name: str, arguments: str) -> dict[str, Any]:
    return {"id": key, "type": "function", "function": {"name": name, "arguments": arguments}}


def test_tools_and_what_is_said_beside_calls() -> None:
    messages = say(
        ("user", "Look."),
        ("assistant", ["I look,", ToolCall("c1", "look", {"a": "ü"}), "I see.", ToolCall("c2", "see")]),
        ("tool", [ToolResult("c1", "42"), ToolResult("c2", ["gone", "away"])]),
        ("assistant", [ToolCall("c3", "see")]),
        ("user", [ToolResult("c3"), "And?"]),
    )
    assert built(adapter_for(MODEL), messages)["messages"] == [
        {"role": "user", "content": "Look."},
        {
            "role": "assistant",
            "tool_plan": "I look,\nI see.",
            "tool_calls": [call("c1", "look", '{"a": "ü"}'), call("c2", "see", "{}")],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "42"},
        {"role": "tool", "tool_call_id": "c2", "content": [text("gone"), text("away")]},
        {"role": "assistant", "tool_calls": [call("c3", "see", "{}")]},
        {"role": "tool", "tool_call_id": "c3", "content": ""},
        {"role": "user", "content": "And?"},
    ]


# Role, parts, place, the part as the error names it, and a word of the remedy.
REFUSED: list[tuple[str, str, list[Any], str, str, str]] = [
    ("document", "user", ["a", Document(PDF)], "part 2", "document (application/pdf)", "documents"),
    ("document link", "user", [Document("https://e.com/a.pdf")], "part 1", "document (https:// link)", "documents"),
    ("uploaded document", "user", [Document.from_uploaded("f")], "part 1", "document (uploaded)", "documents"),
    ("audio", "user", [Audio(WAV)], "part 1", "audio (audio/wav)", ""),
    ("video", "user", [Video(MP4)], "part 1", "video (video/mp4)", ""),
    ("uploaded image", "user", [Image.from_uploaded("f")], "part 1", "image (uploaded)", "bytes"),
    ("gs image", "user", [Image("gs://b/a.png")], "part 1", "image (gs:// link)", "bytes"),
    ("image of the system", "system", [IMG], "part 1", "image (image/png)", "user turn"),
    ("image of the assistant", "assistant", ["a", IMG], "part 2", "image (image/png)", "user turn"),
    ("image beside calls", "assistant", [CALL, IMG], "part 2", "image (image/png)", "user turn"),
    ("image of a tool", "tool", [ToolResult("c1", ["a", IMG])], "part 1, item 2", "image (image/png)", "user turn"),
]


@pytest.mark.parametrize(
    ("role", "parts", "place", "part", "remedy"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_what_has_no_place_is_refused_by_name(role: str, parts: list[Any], place: str, part: str, remedy: str) -> None:
    adapter = get_adapter("cohere_style", on_limit="send")
    before = (Message("user", "q"), *([Message("assistant", CALL)] if role == "tool" else []))
    messages = (*before, Message(role, parts))
    for build in (adapter.encode, adapter.build_request, get_adapter("cohere_style").build_body):
        with pytest.raises(UnsupportedContentError) as caught:
            build(messages)
        assert caught.value.adapter == "cohere_style"
        assert caught.value.position == f"message {len(messages)} ({role}), {place}"
        assert caught.value.part == part
        assert caught.value.remedy
        assert remedy in caught.value.remedy


def test_texts_that_become_one_plan_are_noted() -> None:
    messages = (Message("user", "q"), Message("assistant", ["a", "b", CALL]))
    assert [str(note) for note in get_adapter("cohere_style").prepare(messages).notes] == [
        "message 2 (assistant): its 2 texts are sent as one: Cohere has one text beside tool calls"
    ]


def test_what_the_shape_cannot_say_is_noted() -> None:
    messages = (
        Message("user", ["q", Image(PNG, detail="original", cache=True)], name="Ann"),
        Message("assistant", [CALL, "Looking."]),
        Message("tool", [ToolResult("c1", "no", error=True)]),
        Message("assistant", "It is"),
    )
    unmarked = "the end of the cacheable prefix is not marked: this changes the cost, not the answer"
    assert [str(note) for note in adapter_for(MODEL).prepare(messages).notes] == [
        UNSURE,
        "message 1 (user), part 2: detail='original' is not sent: Cohere has auto, low, high",
        "message 2 (assistant): the text after a tool call is sent before it",
        "message 4 (assistant): Cohere does not say that it continues a final assistant turn",
        "message 1 (user): the participant's name 'Ann' is not sent: there is no field for it",
        f"message 1 (user), part 2: {unmarked}",
        "message 3 (tool), part 1: that the tool failed is not marked: there is no field for it",
    ]


SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({"temperature": 0.5, "max_tokens": 9, "seed": 1}, {"temperature": 0.5, "max_tokens": 9, "seed": 1}),
        ({"top_p": 0.9, "top_k": 40}, {"p": 0.9, "k": 40}),
        ({"p": 0.9, "k": 0}, {"p": 0.9, "k": 0}),
        ({"stop": "END"}, {"stop_sequences": ["END"]}),
        ({"stop_sequences": ["A", "B"]}, {"stop_sequences": ["A", "B"]}),
        ({"presence_penalty": 1, "frequency_penalty": 0.0}, {"presence_penalty": 1, "frequency_penalty": 0.0}),
        ({"response_format": {"type": "text"}}, {"response_format": {"type": "text"}}),
        ({"response_format": {"type": "json_object"}}, {"response_format": {"type": "json_object"}}),
        (
            {"response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": SCHEMA}}},
            {"response_format": {"type": "json_object", "json_schema": SCHEMA}},
        ),
        (
            {"response_format": {"type": "json_object", "json_schema": SCHEMA}},
            {"response_format": {"type": "json_object", "json_schema": SCHEMA}},
        ),
        (
            {"documents": ["one", {"id": "d", "data": {"text": "two"}}], "safety_mode": "STRICT"},
            {"documents": ["one", {"id": "d", "data": {"text": "two"}}], "safety_mode": "STRICT"},
        ),
    ],
)
def test_parameters_take_cohere_s_names(given: dict[str, Any], sent: dict[str, Any]) -> None:
    body = built(adapter_for(MODEL, parameters=given), Message("user", "q"))
    assert {name: value for name, value in body.items() if name not in ("model", "messages")} == sent


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"n": 2}, "parameter 'n'"),
        ({"stream": True}, "parameter 'stream'"),
        ({"top_p": 1}, "Cohere takes a number from 0.01 to 0.99, not 1"),
        ({"top_k": 501}, "Cohere takes a number from 0 to 500, not 501"),
        ({"presence_penalty": -0.5}, "Cohere takes a number from 0 to 1, not -0.5"),
        ({"stop": list("abcdef")}, "Cohere takes at most 5 texts, not 6"),
        ({"response_format": {"type": "xml"}}, "a response_format is"),
    ],
)
def test_parameters_without_a_place_are_refused_or_dropped(given: dict[str, Any], reason: str) -> None:
    message = Message("user", "q")
    with pytest.raises(UnsupportedContentError) as caught:
        adapter_for(MODEL, parameters=given).build_request(message)
    assert reason in str(caught.value)
    dropping = adapter_for(MODEL, parameters=given, unknown_parameters="drop")
    assert built(dropping, message).keys() == {"model", "messages"}
    assert "is left out" in str(dropping.prepare(message).notes)


def test_the_same_parameter_twice_is_an_error() -> None:
    with pytest.raises(ValueError, match="parameters 'top_p' and 'p' mean the same"):
        adapter_for(MODEL, parameters={"top_p": 0.5, "p": 0.6}).build_request(Message("user", "q"))


class Template:
    def __init__(self, blocks: list[Any], system_prompt: str | None) -> None:
        self.system_prompt = system_prompt
        self.blocks = [{"type": "text" if isinstance(b, str) else "image", "content": b} for b in blocks]

    def render_blocks(self, **kwargs: Any) -> list[dict[str, Any]]:
        return self.blocks


@pytest.mark.parametrize("system", ["S", "", None])
def test_a_payload_is_the_list_of_messages_with_separators(system: str | None) -> None:
    assert get_adapter("cohere_style").build_payload(Template(["A", IMG, IMG, "B"], system)) == [
        *([{"role": "system", "content": "S"}] if system else []),
        {
            "role": "user",
            "content": [text("A"), text("\n"), ITEM, text("\n\n"), ITEM, text("\n\n"), text("B")],
        },
    ]


def test_a_prompt_s_payload_has_its_turns() -> None:
    prompt = Prompt(system="Be {{ how }}.", user="{{ x }}", few_shot=FewShot([{"input": "q", "output": "a"}]))
    assert get_adapter("cohere_style").build_payload(prompt, how="brief", x="y") == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [text("q")]},
        {"role": "assistant", "content": "a"},
        {"role": "user", "content": [text("y")]},
    ]
