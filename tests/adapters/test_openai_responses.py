"""OpenAI's Responses API: every kind of content, as a table, under the official client's types made strict."""

from __future__ import annotations

import base64
import copy
from typing import Any

import pytest

from official import built_responses as built
from prompt_adapters.adapters import adapter_for, get_adapter
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, Text, ToolCall, ToolResult, Video
from prompt_adapters.content.source import Inline
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.few_shot import FewShot
from prompt_adapters.prompt import Prompt

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
PDF = b"%PDF-1.4\n%%EOF\n"
WAV = b"RIFF\x24\x00\x00\x00WAVEfmt " + bytes(28)
MP4 = b"\x00\x00\x00\x1cftypisom\x00\x00\x02\x00isomiso2avc1"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
IMG = Image(PNG)
WEB = "https://example.com/a.png"
MARK = {"prompt_cache_breakpoint": {"mode": "explicit"}}
MODEL = "openai/responses/gpt-5.6"


def data_url(data: bytes, mime: str) -> str:
    return f"data:{mime};base64,{base64.b64encode(data).decode()}"


def text(value: str, **more: Any) -> dict[str, Any]:
    return {"type": "input_text", "text": value, **more}


ITEM = {"type": "input_image", "image_url": data_url(PNG, "image/png"), "detail": "auto"}
FILE = {"type": "input_file", "filename": "document.pdf", "file_data": data_url(PDF, "application/pdf")}


def say(*roles_and_parts: Any) -> tuple[Message, ...]:
    """Messages from pairs."""
    return tuple(Message(role, parts) for role, parts in roles_and_parts)


# A user's parts and the content they become.
ENCODED: list[tuple[str, list[Any], Any]] = [
    ("one text", ["A"], "A"),
    ("two texts", ["A", "B"], [text("A"), text("B")]),
    ("image", [IMG], [ITEM]),
    ("detail", [Image(PNG, detail="original")], [ITEM | {"detail": "original"}]),
    ("image link", ["A", Image(WEB)], [text("A"), {"type": "input_image", "image_url": WEB, "detail": "auto"}]),
    (
        "uploaded image",
        [Image.from_uploaded("file-img", detail="low")],
        [{"type": "input_image", "file_id": "file-img", "detail": "low"}],
    ),
    ("pdf", [Document(PDF, name="a.pdf"), "A"], [FILE | {"filename": "a.pdf"}, text("A")]),
    ("pdf without a name", [Document(PDF)], [FILE]),
    ("file link", [Document("https://e.com/a.pdf")], [{"type": "input_file", "file_url": "https://e.com/a.pdf"}]),
    ("uploaded file", [Document.from_uploaded("file-1")], [{"type": "input_file", "file_id": "file-1"}]),
    (
        "csv",
        [Document(b"a,b\n", name="a.csv")],
        [{"type": "input_file", "filename": "a.csv", "file_data": data_url(b"a,b\n", "text/csv")}],
    ),
    (
        "plain text",
        [Document(b"a")],
        [{"type": "input_file", "filename": "document.txt", "file_data": data_url(b"a", "text/plain")}],
    ),
    ("cache", ["A", Text("B", cache=True)], [text("A"), text("B", **MARK)]),
    ("a cached text is a part", [Text("A", cache=True)], [text("A", **MARK)]),
    ("a cached image", [Image(PNG, cache=True)], [ITEM | MARK]),
    ("a cached file", [Document(PDF, cache=True)], [FILE | MARK]),
    ("whitespace", [" \n", IMG], [text(" \n"), ITEM]),
]


@pytest.mark.parametrize(("parts", "content"), [row[1:] for row in ENCODED], ids=[row[0] for row in ENCODED])
def test_every_kind_of_content_takes_its_documented_shape(parts: list[Any], content: Any) -> None:
    message = Message("user", parts)
    for adapter in (get_adapter("openai_responses_style", model="gpt-5.6"), adapter_for(MODEL)):
        assert built(adapter, message) == {"model": "gpt-5.6", "input": [{"role": "user", "content": content}]}
    assert get_adapter("openai_responses_style").encode((message,)) == {"input": [{"role": "user", "content": content}]}


@pytest.mark.parametrize(
    ("mime", "suffix"),
    [
        (DOCX, "docx"),
        (PPTX, "pptx"),
        ("application/vnd.ms-excel", "xls"),
        ("text/html", "html"),
        ("text/x-python", "txt"),
    ],
)
def test_files_of_other_types_get_a_name_that_tells_their_type(mime: str, suffix: str) -> None:
    document = Document(Inline(b"PK\x03\x04PK\x05\x06" + bytes(18), mime))
    (item,) = built(adapter_for(MODEL), Message("user", ["q", document]))["input"]
    assert item["content"][1]["filename"] == f"document.{suffix}"
    assert item["content"][1]["file_data"].startswith(f"data:{mime};base64,")


CALLED = [ToolCall(f"c{number}", "see") for number in (2, 3, 4)]


def test_tools_are_items_in_the_order_in_which_they_were_written() -> None:
    messages = say(
        ("user", "Look."),
        ("assistant", ["Looking.", ToolCall("c1", "look", {"a": "ü"}), "And:", *CALLED]),
        ("tool", [ToolResult("c1", "42")]),
        ("tool", [ToolResult("c2", ["gone", IMG, Document(PDF)], error=True), ToolResult("c3")]),
        ("user", ["And?", ToolResult("c4", [IMG]), "So?"]),
    )
    assert built(adapter_for(MODEL), messages)["input"] == [
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": "Looking."},
        {"type": "function_call", "call_id": "c1", "name": "look", "arguments": '{"a": "ü"}'},
        {"role": "assistant", "content": "And:"},
        *({"type": "function_call", "call_id": call.id, "name": "see", "arguments": "{}"} for call in CALLED),
        {"type": "function_call_output", "call_id": "c1", "output": "42"},
        {"type": "function_call_output", "call_id": "c2", "output": [text("gone"), ITEM, FILE]},
        {"type": "function_call_output", "call_id": "c3", "output": ""},
        {"role": "user", "content": "And?"},
        {"type": "function_call_output", "call_id": "c4", "output": [ITEM]},
        {"role": "user", "content": "So?"},
    ]
    places = [note.position for note in adapter_for(MODEL).prepare(messages).notes]
    assert places == ["message 4 (tool), part 1"], "that a tool failed has no field"


# Messages, `instructions`, and the items before the user's.
SYSTEMS: list[tuple[str, tuple[Message, ...], str | None, list[Any]]] = [
    ("one", say(("system", "S")), "S", []),
    ("developer", say(("developer", "D")), None, [{"role": "developer", "content": "D"}]),
    (
        "several",
        say(("system", "A"), ("developer", "B")),
        None,
        [{"role": "system", "content": "A"}, {"role": "developer", "content": "B"}],
    ),
    ("texts", say(("system", ["A", "B"])), None, [{"role": "system", "content": [text("A"), text("B")]}]),
    (
        "cached",
        (Message("system", "S", cache=True),),
        None,
        [{"role": "system", "content": [text("S", **MARK)]}],
    ),
    ("empty", say(("system", "")), None, []),
]


@pytest.mark.parametrize(
    ("systems", "instructions", "items"), [row[1:] for row in SYSTEMS], ids=[row[0] for row in SYSTEMS]
)
def test_system_text_is_read_first_and_nothing_of_it_is_lost(
    systems: tuple[Message, ...], instructions: str | None, items: list[Any]
) -> None:
    body = built(adapter_for(MODEL), (*systems, Message("user", "q")))
    assert body.get("instructions") == instructions
    assert body["input"] == [*items, {"role": "user", "content": "q"}]


def test_system_text_stays_in_mid_conversation() -> None:
    messages = say(("system", "S"), ("user", "a"), ("system", "T"), ("developer", "U"), ("assistant", "b"))
    body = built(adapter_for(MODEL), messages)
    assert body["instructions"] == "S"
    assert [item["role"] for item in body["input"]] == ["user", "system", "developer", "assistant"]


def test_what_the_assistant_said_is_plain_text() -> None:
    messages = say(("user", "a"), ("assistant", ["one", " two"]), ("assistant", "three"), ("user", "b"))
    assert built(adapter_for(MODEL), messages)["input"][1:4] == [
        {"role": "assistant", "content": "one"},
        {"role": "assistant", "content": " two"},
        {"role": "assistant", "content": "three"},
    ]
    prefill = adapter_for(MODEL).prepare(say(("user", "a"), ("assistant", "b")))
    assert "does not continue it" in str(prefill.notes)


def test_at_most_four_prefixes_are_marked_the_last_ones() -> None:
    messages = (
        Message("developer", "d", cache=True),
        Message("user", [Text(str(n), cache=True) for n in range(2)]),
        Message("assistant", [ToolCall("c", "look")]),
        Message("tool", [ToolResult("c", [Text("x", cache=True), "y"])], cache=True),
        Message("user", ["z"], cache=True),
    )
    before = copy.deepcopy(messages)
    body = built(adapter_for(MODEL), messages)
    assert str(body).count("prompt_cache_breakpoint") == 4
    assert body["input"][0] == {"role": "developer", "content": "d"}
    assert body["input"][1]["content"] == [text("0"), text("1", **MARK)]
    assert body["input"][3]["output"] == [text("x", **MARK), text("y", **MARK)]
    assert body["input"][4]["content"] == [text("z", **MARK)]
    assert messages == before


@pytest.mark.parametrize(
    ("message", "model", "place"),
    [
        (Message("assistant", "a", cache=True), "gpt-5.6", "message 1 (assistant), part 1"),
        (Message("user", "a", cache=True), "gpt-4o", "message 1 (user), part 1"),
        (Message("user", [Text("a", cache=True)]), "gpt-5.1", "message 1 (user), part 1"),
        (Message("user", [Text("a", cache=True)]), "o4-mini", "message 1 (user), part 1"),
    ],
)
def test_a_mark_without_a_place_is_noted(message: Message, model: str, place: str) -> None:
    adapter = adapter_for(f"openai/responses/{model}")
    messages = (message, Message("user", "q"))
    assert "breakpoint" not in str(built(adapter, messages))
    assert [(note.position, "not marked" in note.text) for note in adapter.prepare(messages).notes] == [(place, True)]


@pytest.mark.parametrize(("marked", "place"), [(0, "message 1 (assistant), part 1"), (1, "message 2 (tool), part 1")])
def test_a_mark_on_a_call_or_an_empty_result_is_noted(marked: int, place: str) -> None:
    adapter = adapter_for("openai/responses/gpt-5.6")
    parts = [ToolCall("c", "look", cache=not marked), ToolResult("c", cache=bool(marked))]
    messages = say(("assistant", parts[:1]), ("tool", parts[1:]), ("user", "q"))
    assert "breakpoint" not in str(built(adapter, messages))
    assert [(note.position, "not marked" in note.text) for note in adapter.prepare(messages).notes] == [(place, True)]


@pytest.mark.parametrize("model", ["gpt-5.6", "gpt-5.6-mini", "gpt-6-astra", "gpt-5.10", "ft:gpt-5.6:org::id"])
def test_newer_models_take_marks(model: str) -> None:
    body = built(adapter_for(f"openai/responses/{model}"), Message("user", [Text("a", cache=True)]))
    assert body["input"][0]["content"] == [text("a", **MARK)]


# A user's parts, the place, and the part as the error names it.
REFUSED: list[tuple[str, str, list[Any], str, str]] = [
    ("audio", "user", [Audio(WAV)], "part 1", "audio (audio/wav)"),
    ("video", "user", ["a", Video(MP4)], "part 2", "video (video/mp4)"),
    ("gs image", "user", [Image("gs://b/a.png")], "part 1", "image (gs:// link)"),
    ("s3 file", "user", [Document("s3://b/a.pdf")], "part 1", "document (s3:// link)"),
    ("address as id", "user", [Image.from_uploaded("https://e.com/f")], "part 1", "image (uploaded)"),
    ("image of the system", "system", [IMG], "part 1", "image (image/png)"),
    ("image of the assistant", "assistant", [IMG], "part 1", "image (image/png)"),
    ("text of a tool", "tool", ["a"], "part 1", "text"),
    ("call by the user", "user", [ToolCall("c", "look")], "part 1", "a call of tool 'look'"),
    ("result of the assistant", "assistant", [ToolResult("c", "1")], "part 1", "a result of tool call 'c'"),
    ("audio in a result", "tool", [ToolResult("c", ["a", Audio(WAV)])], "part 1, item 2", "audio (audio/wav)"),
]


@pytest.mark.parametrize(
    ("role", "parts", "place", "part"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_what_has_no_place_is_refused_by_name(role: str, parts: list[Any], place: str, part: str) -> None:
    adapter = get_adapter("openai_responses_style", on_limit="send")
    before = say(("user", "q"), *([("assistant", [ToolCall("c", "look")])] if "item" in place else []))
    messages = (*before, Message(role, parts))
    for build in (adapter.encode, adapter.build_request, get_adapter("openai_responses_style").build_body):
        with pytest.raises(UnsupportedContentError) as caught:
            build(messages)
        assert caught.value.adapter == "openai_responses_style"
        assert caught.value.position == f"message {len(messages)} ({role}), {place}"
        assert caught.value.part.startswith(part)
        assert caught.value.remedy


def test_what_the_shape_cannot_say_is_noted() -> None:
    parts = ["q", Document("https://e.com/a.pdf", name="b.pdf"), Document(PDF, title="T")]
    assert [str(note) for note in adapter_for(MODEL).prepare(Message("user", parts, name="Ann")).notes] == [
        "message 1 (user): the participant's name 'Ann' is not sent: there is no field for it",
        "message 1 (user), part 3: the title 'T' is not sent: there is no field for it",
        "message 1 (user), part 2: the document's name 'b.pdf' is not sent: there is no field for it",
    ]


class Foreign:
    """An image of another library."""

    def as_data_url(self) -> str:
        return data_url(PNG, "image/png")

    def as_bytes(self) -> bytes:
        return PNG


class Template:
    def __init__(self, blocks: list[Any], system_prompt: str | None) -> None:
        self.system_prompt = system_prompt
        self.blocks = [{"type": "text" if isinstance(b, str) else "image", "content": b} for b in blocks]

    def render_blocks(self, **kwargs: Any) -> list[dict[str, Any]]:
        return self.blocks


SEP, SEP2 = text("\n"), text("\n\n")
SYSTEM = {"role": "system", "content": "S"}
# Blocks, system prompt, payload.
PAYLOADS: list[tuple[list[Any], str | None, list[Any]]] = [
    (["A"], "S", [SYSTEM, {"role": "user", "content": [text("A")]}]),
    (["A"], None, [{"role": "user", "content": [text("A")]}]),
    (["A", IMG, "B"], "", [{"role": "user", "content": [text("A"), SEP, ITEM, SEP2, text("B")]}]),
    ([Foreign(), IMG], "S", [SYSTEM, {"role": "user", "content": [ITEM, SEP2, ITEM]}]),
]


@pytest.mark.parametrize(("blocks", "system", "payload"), PAYLOADS)
def test_a_payload_is_the_list_of_items_with_separators(
    blocks: list[Any], system: str | None, payload: list[Any]
) -> None:
    assert get_adapter("openai_responses_style").build_payload(Template(blocks, system)) == payload


def test_a_prompt_s_payload_has_its_turns() -> None:
    prompt = Prompt(system="Be {{ how }}.", user="{{ x }}", few_shot=FewShot([{"input": "q", "output": "a"}]))
    assert get_adapter("openai_responses_style").build_payload(prompt, how="brief", x="y") == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [text("q")]},
        {"role": "assistant", "content": "a"},
        {"role": "user", "content": [text("y")]},
    ]


async def test_requests_can_be_awaited() -> None:
    adapter = adapter_for(MODEL)
    message = Message("user", ["q", IMG])
    assert await adapter.abuild_request(message) == adapter.build_request(message)


def test_a_payload_s_system_text_is_folded_when_the_option_says_so() -> None:
    payload = get_adapter("openai_responses_style", system="fold").build_payload(Template(["A"], "S"))
    assert payload == [{"role": "user", "content": [text("S\n\nA")]}]
