"""Mistral's chat completions: every kind of content, as a table, under the official client's types made strict."""

from __future__ import annotations

import base64
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from official import built
from prompt_adapters.adapters import adapter_for, get_adapter
from prompt_adapters.adapters.mistral_turns import short_id
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, Text, ToolCall, ToolResult, Video
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
MODEL = "mistral/mistral-medium-latest"


def base64_of(data: bytes) -> str:
    return base64.b64encode(data).decode()


def text(value: str) -> dict[str, Any]:
    return {"type": "text", "text": value}


URL = f"data:image/png;base64,{base64_of(PNG)}"
ITEM = {"type": "image_url", "image_url": URL}
FILE = {"type": "document_url", "document_url": f"data:application/pdf;base64,{base64_of(PDF)}"}


def say(*roles_and_parts: Any) -> tuple[Message, ...]:
    """Messages from pairs."""
    return tuple(Message(role, parts) for role, parts in roles_and_parts)


# A user's parts and the content they become.
ENCODED: list[tuple[str, list[Any], Any]] = [
    ("one text", ["A"], "A"),
    ("two texts", ["A", "B"], [text("A"), text("B")]),
    ("image", [IMG], [ITEM]),
    ("image link", ["A", Image(WEB)], [text("A"), {"type": "image_url", "image_url": WEB}]),
    ("detail", [Image(PNG, detail="low")], [{"type": "image_url", "image_url": {"url": URL, "detail": "low"}}]),
    (
        "detail of a link",
        [Image(WEB, detail="high")],
        [{"type": "image_url", "image_url": {"url": WEB, "detail": "high"}}],
    ),
    ("a detail without a word", [Image(PNG, detail="original")], [ITEM]),
    ("uploaded image", [Image.from_uploaded("f-1")], [{"type": "file", "file_id": "f-1"}]),
    ("pdf", [Document(PDF, name="a.pdf"), "A"], [FILE | {"document_name": "a.pdf"}, text("A")]),
    ("pdf without a name", [Document(PDF)], [FILE]),
    (
        "document link",
        [Document("https://e.com/a.pdf", name="b.pdf")],
        [{"type": "document_url", "document_url": "https://e.com/a.pdf", "document_name": "b.pdf"}],
    ),
    (
        "text document",
        [Document("ü\n".encode())],
        [{"type": "document_url", "document_url": "data:text/plain;base64,w7wK"}],
    ),
    ("uploaded document", [Document.from_uploaded("f-2")], [{"type": "file", "file_id": "f-2"}]),
    ("audio", [Audio(WAV)], [{"type": "input_audio", "input_audio": base64_of(WAV)}]),
    (
        "audio link",
        [Audio("https://e.com/a.mp3")],
        [{"type": "input_audio", "input_audio": "https://e.com/a.mp3"}],
    ),
    ("whitespace", [" \n", IMG], [text(" \n"), ITEM]),
]


@pytest.mark.parametrize(("parts", "content"), [row[1:] for row in ENCODED], ids=[row[0] for row in ENCODED])
def test_every_kind_of_content_takes_its_documented_shape(parts: list[Any], content: Any) -> None:
    for adapter in (get_adapter("mistral_style", model="mistral-medium-latest"), adapter_for(MODEL)):
        assert built(adapter, Message("user", parts)) == {
            "model": "mistral-medium-latest",
            "messages": [{"role": "user", "content": content}],
        }


def test_a_conversation() -> None:
    messages = say(
        ("developer", "D"),
        ("system", ["S", "T"]),
        ("user", "a"),
        ("assistant", ["b", "c"]),
        ("user", ["d", IMG]),
    )
    assert built(adapter_for(MODEL), messages)["messages"] == [
        {"role": "system", "content": "D"},
        {"role": "system", "content": [text("S"), text("T")]},
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": [text("b"), text("c")]},
        {"role": "user", "content": [text("d"), ITEM]},
    ]
    assert adapter_for(MODEL).prepare(messages).notes == ()


@pytest.mark.parametrize("end", ["{", '{"a": \n', ["a", "b "]])
def test_a_final_assistant_turn_is_continued(end: Any) -> None:
    messages = say(("user", "q"), ("assistant", "x"), ("assistant", end))
    body = built(adapter_for(MODEL), messages)
    assert [message.get("prefix") for message in body["messages"]] == [None, None, True]
    assert body["messages"][2]["content"] == (end if isinstance(end, str) else [text(part) for part in end])


# Tools


def call(key: str, name: str, arguments: str) -> dict[str, Any]:
    return {"id": key, "type": "function", "function": {"name": name, "arguments": arguments}}


def test_tools() -> None:
    messages = say(
        ("user", "Look."),
        ("assistant", ["Looking.", ToolCall("abcDEF123", "look", {"a": "ü"}), ToolCall("000000001", "see")]),
        ("tool", [ToolResult("abcDEF123", "42", name="look"), ToolResult("000000001", ["gone", "away"])]),
        ("assistant", [ToolCall("000000002", "see")]),
        ("user", [ToolResult("000000002")]),
        ("assistant", "So."),
        ("user", "And?"),
    )
    assert built(adapter_for(MODEL), messages)["messages"] == [
        {"role": "user", "content": "Look."},
        {
            "role": "assistant",
            "content": "Looking.",
            "tool_calls": [call("abcDEF123", "look", '{"a": "ü"}'), call("000000001", "see", "{}")],
        },
        {"role": "tool", "tool_call_id": "abcDEF123", "name": "look", "content": "42"},
        {"role": "tool", "tool_call_id": "000000001", "content": [text("gone"), text("away")]},
        {"role": "assistant", "tool_calls": [call("000000002", "see", "{}")]},
        {"role": "tool", "tool_call_id": "000000002", "content": ""},
        {"role": "assistant", "content": "So."},
        {"role": "user", "content": "And?"},
    ]
    assert adapter_for(MODEL).prepare(messages).notes == ()


def test_foreign_ids_are_shortened_alike_in_calls_and_results() -> None:
    keys = ("call_PTLP8xhu3uwZk4l3nlnrrJha", "toolu_01A09q90qw90lq917835lq9")
    messages = say(
        ("user", "Look."),
        ("assistant", [ToolCall(key, "look") for key in keys]),
        ("tool", [ToolResult(key, key[:4]) for key in reversed(keys)]),
    )
    body = built(adapter_for(MODEL), messages)
    one, two = (found["id"] for found in body["messages"][1]["tool_calls"])
    assert [(m["tool_call_id"], m["content"]) for m in body["messages"][2:]] == [(two, "tool"), (one, "call")]
    assert one != two
    assert (one, two) == tuple(short_id(key) for key in keys)
    notes = adapter_for(MODEL).prepare(messages).notes
    assert [note.position for note in notes] == [
        f"message {n}, part {p}" for n in ("2 (assistant)", "3 (tool)") for p in (1, 2)
    ]
    assert str(notes[0]).endswith(f"the id {keys[0]!r} is sent as {one!r}: Mistral takes nine letters or digits")
    assert messages[1].parts[0] == ToolCall(keys[0], "look")


@given(st.text(min_size=1))
def test_short_ids_are_what_mistral_takes_and_stay_when_they_fit(key: str) -> None:
    short = short_id(key)
    assert re.fullmatch("[a-zA-Z0-9]{9}", short)
    assert short_id(short) == short == short_id(key)


# Refusals

CALL = ToolCall("000000001", "look")
GAVE = ToolResult("000000001", "1")
REFUSED: list[tuple[str, tuple[Message, ...], str, str]] = [
    ("video", say(("user", ["a", Video(MP4)])), "message 1 (user), part 2", "video (video/mp4)"),
    ("gs image", say(("user", [Image("gs://b/a.png")])), "message 1 (user), part 1", "image (gs:// link)"),
    ("uploaded audio", say(("user", [Audio.from_uploaded("f-1")])), "message 1 (user), part 1", "audio (uploaded)"),
    (
        "address as id",
        say(("user", [Document.from_uploaded("https://e.com/f")])),
        "message 1 (user), part 1",
        "document",
    ),
    ("image of the system", say(("system", [IMG]), ("user", "q")), "message 1 (system), part 1", "image (image/png)"),
    (
        "image of the assistant",
        say(("user", "q"), ("assistant", ["a", IMG]), ("user", "r")),
        "message 2 (assistant), part 2",
        "image (image/png)",
    ),
    (
        "document of a tool",
        say(("user", "q"), ("assistant", [CALL]), ("tool", [ToolResult("000000001", ["a", Document(PDF)])])),
        "message 3 (tool), part 1, item 2",
        "document (application/pdf)",
    ),
    (
        "the user after a result",
        say(("user", "q"), ("assistant", [CALL]), ("tool", [GAVE]), ("user", "r")),
        "message 4 (user)",
        "a user turn after a tool's result",
    ),
    (
        "the user after a result in one turn",
        say(("user", "q"), ("assistant", [CALL]), ("user", [GAVE, "r"])),
        "message 3 (user)",
        "a user turn after a tool's result",
    ),
    ("calls at the end", say(("user", "q"), ("assistant", ["a", CALL])), "message 2 (assistant)", "a final turn"),
    (
        "system in the middle",
        say(("user", "q"), ("assistant", "a"), ("developer", "S"), ("user", "r")),
        "message 3 (developer)",
        "a system message in mid-conversation",
    ),
]


@pytest.mark.parametrize(("messages", "place", "part"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_what_has_no_place_is_refused_by_name(messages: tuple[Message, ...], place: str, part: str) -> None:
    adapter = get_adapter("mistral_style", on_limit="send")
    for build in (adapter.build_request, get_adapter("mistral_style").build_body):
        with pytest.raises(UnsupportedContentError) as caught:
            build(messages)
        assert caught.value.adapter == "mistral_style"
        assert caught.value.position == place
        assert caught.value.part.startswith(part)
        assert caught.value.remedy


def test_system_text_in_the_middle_can_become_the_user_s() -> None:
    adapter = get_adapter("mistral_style", model="m", system_in_middle="user")
    messages = say(("system", "S"), ("user", "a"), ("system", "T"), ("assistant", "b"), ("user", "c"))
    assert built(adapter, messages)["messages"][2] == {"role": "user", "content": "<system>\nT\n</system>"}


def test_what_the_shape_cannot_say_is_noted() -> None:
    messages = (
        Message("user", ["q", Image(PNG, detail="original"), Document.from_uploaded("f-1", name="a.pdf")], name="Ann"),
        Message("assistant", [CALL, "Looking."]),
        Message("tool", [ToolResult("000000001", "no", error=True)]),
    )
    assert [str(note) for note in adapter_for(MODEL).prepare(messages).notes] == [
        "whether mistral-medium-latest takes PDF documents is not known; sent all the same",
        "message 2 (assistant): the text after a tool call is sent before it",
        "message 1 (user), part 2: detail='original' is not sent: Mistral has auto, low, high",
        "message 1 (user): the participant's name 'Ann' is not sent: there is no field for it",
        "message 3 (tool), part 1: that the tool failed is not marked: there is no field for it",
        "message 1 (user), part 3: the document's name 'a.pdf' is not sent: there is no field for it",
    ]


# Parameters


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({"temperature": 0.5, "top_p": 0.9, "max_tokens": 9}, {"temperature": 0.5, "top_p": 0.9, "max_tokens": 9}),
        ({"seed": 7}, {"random_seed": 7}),
        ({"random_seed": 7}, {"random_seed": 7}),
        ({"stop": "END"}, {"stop": "END"}),
        ({"stop": ["A", "B"]}, {"stop": ["A", "B"]}),
        ({"top_k": 4, "n": 2, "presence_penalty": 1, "frequency_penalty": -1}, None),
        ({"response_format": {"type": "json_object"}}, None),
        (
            {"response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": {}, "strict": True}}},
            None,
        ),
        ({"safe_prompt": True, "prompt_cache_key": "k", "parallel_tool_calls": False}, None),
    ],
)
def test_parameters_take_mistral_s_names(given: dict[str, Any], sent: dict[str, Any] | None) -> None:
    body = built(adapter_for(MODEL, parameters=given), Message("user", "q"))
    assert {name: value for name, value in body.items() if name not in ("model", "messages")} == (sent or given)


def test_an_unknown_parameter_is_refused() -> None:
    with pytest.raises(UnsupportedContentError, match="parameter 'max_completion_tokens' at parameters"):
        adapter_for(MODEL, parameters={"max_completion_tokens": 1}).build_request(Message("user", "q"))


# Payloads


class Foreign:
    """An image of another library."""

    def as_data_url(self) -> str:
        return URL

    def as_bytes(self) -> bytes:
        return PNG


class Template:
    def __init__(self, blocks: list[Any], system_prompt: str | None) -> None:
        self.system_prompt = system_prompt
        self.blocks = [{"type": "text" if isinstance(b, str) else "image", "content": b} for b in blocks]

    def render_blocks(self, **kwargs: Any) -> list[dict[str, Any]]:
        return self.blocks


SYSTEM = {"role": "system", "content": "S"}
PAYLOADS: list[tuple[list[Any], str | None, list[Any]]] = [
    (["A"], "S", [SYSTEM, {"role": "user", "content": [text("A")]}]),
    (["A"], None, [{"role": "user", "content": [text("A")]}]),
    (
        ["A", IMG, "B"],
        "",
        [{"role": "user", "content": [text("A"), text("\n"), ITEM, text("\n\n"), text("B")]}],
    ),
    ([Foreign(), IMG], "S", [SYSTEM, {"role": "user", "content": [ITEM, text("\n\n"), ITEM]}]),
]


@pytest.mark.parametrize(("blocks", "system", "payload"), PAYLOADS)
def test_a_payload_is_the_list_of_messages_with_separators(
    blocks: list[Any], system: str | None, payload: list[Any]
) -> None:
    assert get_adapter("mistral_style").build_payload(Template(blocks, system)) == payload


def test_a_prompt_s_payload_has_its_turns() -> None:
    prompt = Prompt(system="Be {{ how }}.", user="{{ x }}", few_shot=FewShot([{"input": "q", "output": "a"}]))
    assert get_adapter("mistral_style").build_payload(prompt, how="brief", x="y") == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [text("q")]},
        {"role": "assistant", "content": "a"},
        {"role": "user", "content": [text("y")]},
    ]


async def test_requests_can_be_awaited() -> None:
    adapter = adapter_for(MODEL)
    message = Message("user", [Text("q"), IMG])
    assert await adapter.abuild_request(message) == adapter.build_request(message)
