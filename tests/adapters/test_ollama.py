"""Ollama's chat: every kind of content, as a table, under the official client's models made strict."""

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
GIF = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==")
PDF = b"%PDF-1.4\n%%EOF\n"
WAV = b"RIFF\x24\x00\x00\x00WAVEfmt " + bytes(28)
MP4 = b"\x00\x00\x00\x1cftypisom\x00\x00\x02\x00isomiso2avc1"
IMG = Image(PNG)
B64 = base64.b64encode(PNG).decode()
MODEL = "ollama_chat/llama3.2-vision"
UNSURE = "whether llama3.2-vision takes images is not known; sent all the same"
MOVED = "the image is sent before the text of its message"


def say(*roles_and_parts: Any) -> tuple[Message, ...]:
    """Messages from pairs."""
    return tuple(Message(role, parts) for role, parts in roles_and_parts)


# Parts, content, images, and the parts whose place is noted as lost.
ENCODED: list[tuple[str, list[Any], str, list[str], list[int]]] = [
    ("one text", ["A"], "A", [], []),
    ("two texts", ["A", "B"], "A\nB", [], []),
    ("image", [IMG], "", [B64], []),
    ("image before text", [IMG, "A"], "A", [B64], []),
    ("blank text, image, text", ["\n", IMG, "A"], "\nA", [B64], []),
    ("image after text", ["A", IMG], "A", [B64], [2]),
    ("image between texts", ["A", IMG, "B"], "A\nB", [B64], [2]),
    ("separators", ["A", "\n", IMG, "\n\n", "B"], "A\n\n\nB", [B64], [2]),
    ("images between texts", [IMG, "A", IMG, "B", IMG], "A\nB", [B64, B64, B64], [3, 5]),
    ("whitespace stays", ["  A ", IMG, " B\t"], "  A \n B\t", [B64], [2]),
]


@pytest.mark.parametrize("role", ["user", "system", "assistant"])
@pytest.mark.parametrize(
    ("parts", "content", "images", "moved"), [row[1:] for row in ENCODED], ids=[row[0] for row in ENCODED]
)
def test_content_is_one_text_with_images_beside_it(
    role: str, parts: list[Any], content: str, images: list[str], moved: list[int]
) -> None:
    messages = (Message(role, parts), Message("user", "q"))
    for adapter in (get_adapter("ollama_style", model="llama3.2-vision"), adapter_for(MODEL)):
        assert built(adapter, messages) == {
            "model": "llama3.2-vision",
            "messages": [
                {"role": role, "content": content} | ({"images": images} if images else {}),
                {"role": "user", "content": "q"},
            ],
            "stream": False,
        }
        notes = [note for note in adapter.prepare(messages).notes if MOVED in note.text]
        assert [note.position for note in notes] == [f"message 1 ({role}), part {number}" for number in moved]


def test_images_keep_their_order() -> None:
    body = built(adapter_for(MODEL, on_limit="send"), Message("user", [Image(GIF), "A", IMG]))
    assert body["messages"][0]["images"] == [base64.b64encode(GIF).decode(), B64]


def test_a_conversation() -> None:
    messages = say(("developer", "D"), ("user", "a"), ("system", ["S", "T"]), ("assistant", "b"), ("user", "c"))
    assert built(adapter_for(MODEL), messages)["messages"] == [
        {"role": "system", "content": "D"},
        {"role": "user", "content": "a"},
        {"role": "system", "content": "S\nT"},
        {"role": "assistant", "content": "b"},
        {"role": "user", "content": "c"},
    ]
    notes = [str(note) for note in adapter_for(MODEL).prepare(messages).notes]
    assert notes == ["message 3 (system): its 2 texts are sent as one: Ollama has one text for a message"]


def test_streaming_is_the_caller_s_choice() -> None:
    adapter = adapter_for(MODEL, parameters={"stream": True})
    assert adapter.build_request(Message("user", "q"))["stream"] is True
    assert adapter.build_body(Message("user", "q"))["stream"] is True


# Tools


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"function": {"name": name, "arguments": arguments}}


def test_tools() -> None:
    messages = say(
        ("user", "Look."),
        ("assistant", ["Looking.", ToolCall("c1", "look", {"a": ["ü", 1]}), ToolCall("c2", "see")]),
        ("tool", [ToolResult("c2", ["gone", "away"]), ToolResult("c1", [IMG, "42"])]),
        ("user", ["And?", ToolResult("c9", name="other"), "So?"]),
        ("assistant", [ToolCall("c1", "see")]),
        ("tool", [ToolResult("c1", "x")]),
    )
    assert built(adapter_for(MODEL), messages)["messages"] == [
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": "Looking.", "tool_calls": [call("look", a=["ü", 1]), call("see")]},
        {"role": "tool", "tool_name": "see", "content": "gone\naway"},
        {"role": "tool", "tool_name": "look", "content": "42", "images": [B64]},
        {"role": "user", "content": "And?"},
        {"role": "tool", "tool_name": "other", "content": ""},
        {"role": "user", "content": "So?"},
        {"role": "assistant", "content": "", "tool_calls": [call("see")]},
        {"role": "tool", "tool_name": "see", "content": "x"},
    ]
    assert [str(note) for note in adapter_for(MODEL).prepare(messages).notes] == [
        UNSURE,
        "message 3 (tool), part 1: its 2 texts are sent as one: Ollama has one text for a message",
        "the ids of tool calls are not sent: Ollama tells results by the tool's name and their order",
    ]


TWO_CALLS = Message("assistant", [ToolCall("c1", "look", {"a": 1}), ToolCall("c2", "look", {"a": 2})])


def test_several_calls_of_a_tool_are_answered_in_their_order() -> None:
    results = [ToolResult("c1", "one"), ToolResult("c2", "two")]
    body = built(adapter_for(MODEL), (Message("user", "q"), TWO_CALLS, Message("tool", results)))
    assert [message["content"] for message in body["messages"][2:]] == ["one", "two"]
    with pytest.raises(UnsupportedContentError) as caught:
        adapter_for(MODEL).build_request((Message("user", "q"), TWO_CALLS, Message("tool", results[::-1])))
    assert caught.value.position == "message 3 (tool), part 1"
    assert "Ollama would take it for the result of 'c1'" in caught.value.reason


def test_a_call_that_was_never_answered_is_not_waited_for_in_the_next_round() -> None:
    messages = (
        Message("user", "q"),
        TWO_CALLS,
        Message("tool", [ToolResult("c1", "one")]),
        Message("assistant", [ToolCall("c3", "look")]),
        Message("tool", [ToolResult("c3", "three")]),
    )
    assert len(built(adapter_for(MODEL), messages)["messages"]) == 5


# Refusals

REFUSED: list[tuple[str, str, list[Any], str, str]] = [
    ("audio", "user", [Audio(WAV)], "part 1", "audio (audio/wav)"),
    ("video", "user", ["a", Video(MP4)], "part 2", "video (video/mp4)"),
    ("document", "user", [Document(PDF)], "part 1", "document (application/pdf)"),
    ("text document", "user", [Document(b"a")], "part 1", "document (text/plain)"),
    ("image link", "user", [Image("https://e.com/a.png")], "part 1", "image (https:// link)"),
    ("private link", "user", [Image("http://127.0.0.1/a.png")], "part 1", "image (http:// link)"),
    ("uploaded image", "user", [Image.from_uploaded("f")], "part 1", "image (uploaded)"),
    ("text of a tool", "tool", ["a"], "part 1", "text"),
    ("call by the user", "user", [ToolCall("c", "look")], "part 1", "a call of tool 'look'"),
    ("result of the assistant", "assistant", [ToolResult("c", "1")], "part 1", "a result of tool call 'c'"),
    ("result without a name", "tool", [ToolResult("c", "1")], "part 1", "a result of tool call 'c'"),
    ("audio of a tool", "tool", [ToolResult("c", [Audio(WAV)], name="t")], "part 1, item 1", "audio (audio/wav)"),
]


@pytest.mark.parametrize(
    ("role", "parts", "place", "part"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_what_has_no_place_is_refused_by_name(role: str, parts: list[Any], place: str, part: str) -> None:
    adapter = get_adapter("ollama_style", on_limit="send")
    messages = (Message("user", "q"), Message(role, parts))
    for build in (adapter.encode, adapter.build_request, get_adapter("ollama_style").build_body):
        with pytest.raises(UnsupportedContentError) as caught:
            build(messages)
        assert caught.value.adapter == "ollama_style"
        assert caught.value.position == f"message 2 ({role}), {place}"
        assert caught.value.part == part
        assert caught.value.remedy


def test_what_the_shape_cannot_say_is_noted() -> None:
    messages = (
        Message("user", [Image(PNG, detail="high"), "q"], name="Ann", cache=True),
        Message("assistant", [ToolCall("c", "look"), "Looking."]),
        Message("tool", [ToolResult("c", ["Here:", IMG], error=True)]),
    )
    assert [str(note) for note in adapter_for(MODEL).prepare(messages).notes] == [
        UNSURE,
        "message 2 (assistant): the text after a tool call is sent before it",
        f"message 3 (tool), part 1, item 2: {MOVED}: Ollama does not keep its place after a text",
        "the ids of tool calls are not sent: Ollama tells results by the tool's name and their order",
        "message 1 (user): the participant's name 'Ann' is not sent: there is no field for it",
        "message 1 (user): the end of the cacheable prefix is not marked: this changes the cost, not the answer",
        "message 1 (user), part 1: detail='high' is not sent: there is no field for it",
        "message 3 (tool), part 1: that the tool failed is not marked: there is no field for it",
    ]


# Parameters

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({"temperature": 0.5, "top_p": 0.9, "top_k": 4}, {"options": {"temperature": 0.5, "top_p": 0.9, "top_k": 4}}),
        ({"max_tokens": 9, "seed": 1}, {"options": {"num_predict": 9, "seed": 1}}),
        ({"stop": "END"}, {"options": {"stop": ["END"]}}),
        ({"stop": ["A", "B"]}, {"options": {"stop": ["A", "B"]}}),
        (
            {"presence_penalty": 1, "frequency_penalty": 0.5},
            {"options": {"presence_penalty": 1, "frequency_penalty": 0.5}},
        ),
        ({"num_ctx": 4096, "options": {"num_predict": 5}}, {"options": {"num_ctx": 4096, "num_predict": 5}}),
        ({"options": {"mirostat": 1, "stop": ["x"]}}, {"options": {"mirostat": 1, "stop": ["x"]}}),
        ({"response_format": {"type": "json_object"}}, {"format": "json"}),
        ({"response_format": {"type": "text"}}, {}),
        (
            {"response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": SCHEMA}}},
            {"format": SCHEMA},
        ),
        ({"format": "json", "think": True, "keep_alive": "5m"}, {"format": "json", "think": True, "keep_alive": "5m"}),
    ],
)
def test_parameters_stand_where_ollama_has_them(given: dict[str, Any], sent: dict[str, Any]) -> None:
    body = built(adapter_for(MODEL, parameters=given), Message("user", "q"))
    assert {name: value for name, value in body.items() if name not in ("model", "messages", "stream")} == sent


def test_the_adapter_s_options_win_one_by_one() -> None:
    prompt = Prompt(user="q", parameters={"temperature": 0.1, "options": {"num_ctx": 100, "seed": 1}})
    request = adapter_for(MODEL, parameters={"temperature": 0.9, "max_tokens": 5}).build_request(prompt)
    assert request["options"] == {"temperature": 0.9, "num_ctx": 100, "seed": 1, "num_predict": 5}


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"n": 2}, "parameter 'n' at parameters: it has no such parameter"),
        ({"num_predicts": 2}, "parameter 'num_predicts' at parameters"),
        ({"options": {"max_tokens": 2}}, "it has no field 'max_tokens'"),
        ({"options": 3}, "it is a mapping"),
    ],
)
def test_parameters_without_a_place_are_refused(given: dict[str, Any], reason: str) -> None:
    with pytest.raises(UnsupportedContentError) as caught:
        adapter_for(MODEL, parameters=given).build_request(Message("user", "q"))
    assert reason in str(caught.value)


# Payloads


class Foreign:
    """An image of another library."""

    def as_data_url(self) -> str:
        return f"data:image/png;base64,{B64}"

    def as_bytes(self) -> bytes:
        return PNG


class Template:
    def __init__(self, blocks: list[Any], system_prompt: str | None) -> None:
        self.system_prompt = system_prompt
        self.blocks = [{"type": "text" if isinstance(b, str) else "image", "content": b} for b in blocks]

    def render_blocks(self, **kwargs: Any) -> list[dict[str, Any]]:
        return self.blocks


@pytest.mark.parametrize("system", ["S", "", None])
def test_a_payload_is_the_list_of_messages_with_separators_in_the_text(system: str | None) -> None:
    assert get_adapter("ollama_style").build_payload(Template(["A", IMG, Foreign(), "B"], system)) == [
        *([{"role": "system", "content": "S"}] if system else []),
        {"role": "user", "content": "A\n\n\n\n\nB", "images": [B64, B64]},
    ]


def test_a_prompt_s_payload_has_its_turns() -> None:
    prompt = Prompt(system="Be {{ how }}.", user="{{ x }}", few_shot=FewShot([{"input": "q", "output": "a"}]))
    assert get_adapter("ollama_style").build_payload(prompt, how="brief", x="y") == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": "a"},
        {"role": "user", "content": "y"},
    ]
