"""Anthropic's Messages API: every kind of content and every rule on turns, as tables."""

from __future__ import annotations

import base64
import re
from typing import Any

import pytest

from prompt_adapters.adapters import adapter_for, get_adapter
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, Text, ToolCall, ToolResult, Video
from prompt_adapters.content.source import Inline
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.prompt import Prompt
from strategies import PNG

PDF = b"%PDF-1.4\n%%EOF\n"
WAV = b"RIFF\x24\x00\x00\x00WAVEfmt " + bytes(28)
MP4 = b"\x00\x00\x00\x1cftypisom\x00\x00\x02\x00isomiso2avc1"
IMG = Image(PNG)
WEB = "https://example.com/a.png"
MARK = {"cache_control": {"type": "ephemeral"}}
KEEPS_SYSTEM = "claude-opus-5"
CONTINUES = "claude-sonnet-4-5"
PREFILL_REFUSED = "claude-opus-4-6"


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def text(value: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": value, **more}


BLOCK = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": b64(PNG)}}


def say(*roles_and_parts: Any) -> tuple[Message, ...]:
    """Messages from pairs."""
    return tuple(Message(role, parts) for role, parts in roles_and_parts)


# A user's parts and the content they become.
ENCODED: list[tuple[str, list[Any], Any]] = [
    ("one text", ["A"], "A"),
    ("two texts", ["A", "B"], [text("A"), text("B")]),
    ("image", [IMG], [BLOCK]),
    ("image link", [Image(WEB)], [{"type": "image", "source": {"type": "url", "url": WEB}}]),
    (
        "uploaded image",
        [Image.from_uploaded("file_1")],
        [{"type": "image", "source": {"type": "file", "file_id": "file_1"}}],
    ),
    (
        "pdf",
        [Document(PDF, title="Paper", name="a.pdf")],
        [
            {
                "type": "document",
                "source": {"type": "base64", "media_type": "application/pdf", "data": b64(PDF)},
                "title": "Paper",
            }
        ],
    ),
    (
        "a file name is a title",
        [Document(PDF, name="a.pdf")],
        [
            {
                "type": "document",
                "source": {"type": "base64", "media_type": "application/pdf", "data": b64(PDF)},
                "title": "a.pdf",
            }
        ],
    ),
    (
        "plain text",
        [Document("\ufeffGrüße\r\n".encode())],
        [{"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "Grüße\r\n"}}],
    ),
    (
        "document link",
        [Document("https://e.com/a.pdf")],
        [{"type": "document", "source": {"type": "url", "url": "https://e.com/a.pdf"}}],
    ),
    (
        "uploaded document",
        [Document.from_uploaded("file_1")],
        [{"type": "document", "source": {"type": "file", "file_id": "file_1"}}],
    ),
    ("a cached text is a block", [Text("A", cache=True)], [text("A", **MARK)]),
    ("a cached image", ["A", Image(PNG, cache=True)], [text("A"), BLOCK | MARK]),
]


@pytest.mark.parametrize(("parts", "content"), [row[1:] for row in ENCODED], ids=[row[0] for row in ENCODED])
def test_every_kind_of_content_takes_its_documented_shape(parts: list[Any], content: Any) -> None:
    message = Message("user", parts)
    adapter = get_adapter("anthropic_style")
    assert adapter.encode((message,)) == {"messages": [{"role": "user", "content": content}]}
    assert adapter.build_body(message) == adapter.build_request(message) == adapter.encode((message,))


def test_tools_take_their_documented_shape() -> None:
    messages = say(
        ("user", "Look."),
        ("assistant", ["Looking.", ToolCall("c1", "look", {"a": 1}), ToolCall("c2", "see"), ToolCall("c3", "see")]),
        ("tool", [ToolResult("c1", "42")]),
        ("tool", [ToolResult("c2", ["gone", IMG], error=True), ToolResult("c3")]),
        ("user", "And?"),
    )
    assert get_adapter("anthropic_style").build_body(messages)["messages"] == [
        {"role": "user", "content": "Look."},
        {
            "role": "assistant",
            "content": [
                text("Looking."),
                {"type": "tool_use", "id": "c1", "name": "look", "input": {"a": 1}},
                {"type": "tool_use", "id": "c2", "name": "see", "input": {}},
                {"type": "tool_use", "id": "c3", "name": "see", "input": {}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": "42"},
                {"type": "tool_result", "tool_use_id": "c2", "content": [text("gone"), BLOCK], "is_error": True},
                {"type": "tool_result", "tool_use_id": "c3", "content": ""},
                text("And?"),
            ],
        },
    ]


# The leading system messages and what the top-level field becomes.
SYSTEMS: list[tuple[str, tuple[Message, ...], Any]] = [
    ("one", say(("system", "S")), "S"),
    ("developer", say(("developer", "D")), "D"),
    ("several in order", say(("system", "A"), ("developer", "B")), [text("A"), text("B")]),
    ("several texts", say(("system", ["A", "B"])), [text("A"), text("B")]),
    ("cached", (Message("system", "S", cache=True),), [text("S", **MARK)]),
    ("cached part", say(("system", [Text("A", cache=True), "B"])), [text("A", **MARK), text("B")]),
]


@pytest.mark.parametrize(("systems", "field"), [row[1:] for row in SYSTEMS], ids=[row[0] for row in SYSTEMS])
def test_system_text_leads(systems: tuple[Message, ...], field: Any) -> None:
    body = get_adapter("anthropic_style").build_body((*systems, Message("user", "q")))
    assert body == {"system": field, "messages": [{"role": "user", "content": "q"}]}


def test_an_empty_system_text_is_left_out() -> None:
    for blank in ("", " \n"):
        prepared = get_adapter("anthropic_style").prepare(say(("system", blank), ("user", "q")))
        assert prepared.messages == say(("user", "q"))
        assert prepared.notes
        assert "system" not in get_adapter("anthropic_style").build_body(say(("system", blank), ("user", "q")))


def test_turns_of_one_role_become_one() -> None:
    messages = say(("user", "a"), ("user", ["b", IMG]), ("assistant", "one"), ("assistant", "two"), ("user", "r"))
    assert get_adapter("anthropic_style").build_body(messages)["messages"] == [
        {"role": "user", "content": [text("a"), text("b"), BLOCK]},
        {"role": "assistant", "content": [text("one"), text("two")]},
        {"role": "user", "content": "r"},
    ]


def test_system_text_in_the_middle_is_kept_for_models_that_take_it() -> None:
    messages = say(
        ("user", "a"), ("system", "S"), ("system", "T"), ("assistant", "b"), ("user", "c"), ("developer", "U")
    )
    assert adapter_for(KEEPS_SYSTEM, parameters={"max_tokens": 1}).build_body(messages)["messages"] == [
        {"role": "user", "content": "a"},
        {"role": "system", "content": [text("S"), text("T")]},
        {"role": "assistant", "content": "b"},
        {"role": "user", "content": "c"},
        {"role": "system", "content": "U"},
    ]


MIDDLE: list[tuple[str, tuple[Message, ...], str, str]] = [
    ("unknown model", say(("user", "a"), ("system", "S"), ("user", "b")), "", "the model is not known to take"),
    ("older model", say(("user", "a"), ("system", "S"), ("user", "b")), CONTINUES, "not known to take"),
    ("not before a user", say(("user", "a"), ("system", "S"), ("user", "b")), KEEPS_SYSTEM, "must follow a user turn"),
    (
        "not after an assistant",
        say(("user", "a"), ("assistant", "b"), ("system", "S")),
        KEEPS_SYSTEM,
        "must follow a user turn and precede an assistant turn",
    ),
]


@pytest.mark.parametrize(("messages", "model", "reason"), [row[1:] for row in MIDDLE], ids=[row[0] for row in MIDDLE])
def test_system_text_in_the_middle_is_otherwise_refused_or_marked_user_text(
    messages: tuple[Message, ...], model: str, reason: str
) -> None:
    def adapter(**options: Any) -> Any:
        options["parameters"] = {"max_tokens": 1}
        return adapter_for(model, **options) if model else get_adapter("anthropic_style", **options)

    place = next(n for n, message in enumerate(messages, 1) if message.role == "system")
    with pytest.raises(UnsupportedContentError, match="a system message in mid-conversation") as caught:
        adapter().build_request(messages)
    assert caught.value.position == f"message {place} (system)"
    assert reason in caught.value.reason
    assert "system_in_middle='user'" in caught.value.remedy
    marking = adapter(system_in_middle="user")
    prepared = marking.prepare(messages)
    assert prepared.messages[place - 1] == Message("user", "<system>\nS\n</system>")
    assert [note.position for note in prepared.notes] == [f"message {place} (system)"]
    assert "<system>\\nS\\n</system>" in str(marking.build_body(messages))


def test_the_first_turn_is_the_user_s() -> None:
    with pytest.raises(UnsupportedContentError) as caught:
        get_adapter("anthropic_style").build_request(say(("system", "s"), ("assistant", "Hello"), ("user", "q")))
    assert caught.value.position == "message 2 (assistant)"
    assert "begin with the user" in caught.value.reason


def test_a_prefill_is_sent_without_trailing_whitespace_and_noted() -> None:
    messages = say(("user", "Give JSON"), ("assistant", "{ \n"))
    adapter = adapter_for(CONTINUES, parameters={"max_tokens": 1})
    assert adapter.build_body(messages)["messages"][-1] == {"role": "assistant", "content": "{"}
    assert [note.position for note in adapter.prepare(messages).notes] == ["message 2 (assistant)"]
    assert adapter.prepare(say(("user", "Give JSON"), ("assistant", " {"))).notes == ()
    calls = say(("user", "q"), ("assistant", ["a ", ToolCall("c", "look")]))
    assert adapter.prepare(calls).notes == ()
    assert adapter.build_body(calls)["messages"][-1]["content"][0] == text("a ")


def test_a_prefill_is_refused_for_models_that_do_not_continue() -> None:
    with pytest.raises(UnsupportedContentError) as caught:
        adapter_for(PREFILL_REFUSED).build_request(say(("user", "Give JSON"), ("assistant", "{")))
    assert (caught.value.part, caught.value.position) == ("a final assistant turn", "message 2 (assistant)")
    unknown = get_adapter("anthropic_style", model="my-claude")
    assert unknown.build_body(say(("user", "q"), ("assistant", "{")))["messages"][-1]["content"] == "{"


def test_whitespace_inside_a_conversation_stays() -> None:
    messages = say(("user", " a "), ("assistant", " b \n"), ("user", "\nc\n"))
    contents = [turn["content"] for turn in get_adapter("anthropic_style").build_body(messages)["messages"]]
    assert contents == [" a ", " b \n", "\nc\n"]


def test_blank_text_between_images_is_left_out_with_a_note() -> None:
    message = Message("user", [IMG, "\n\n", IMG])
    adapter = get_adapter("anthropic_style")
    assert adapter.build_body(message)["messages"][0]["content"] == [BLOCK, BLOCK]
    assert [note.position for note in adapter.prepare(message).notes] == ["message 1 (user), part 2"]


def test_at_most_four_prefixes_are_marked_the_last_ones() -> None:
    messages = (
        Message("system", "s", cache=True),
        Message("user", [Text(f"t{n}", cache=True) for n in range(2)], cache=True),
        Message("assistant", [ToolCall("c1", "look", cache=True)]),
        Message("tool", [ToolResult("c1", [Text("x", cache=True)], cache=True)], cache=True),
    )
    adapter = get_adapter("anthropic_style")
    body = adapter.build_body(messages)
    assert str(body).count("cache_control") == 4
    assert body["system"] == "s"
    assert body["messages"][0]["content"] == [text("t0"), text("t1", **MARK)]
    assert "2 of 6 cache marks are left out" in str(adapter.prepare(messages).notes)
    assert messages[0].cache, "nothing of the caller's is changed"


def test_marks_inside_results_count_and_go_first() -> None:
    results = [ToolResult(f"c{n}", [Text(str(n), cache=True), Text("x")]) for n in range(3)]
    called = say(("user", "q"), ("assistant", [ToolCall(f"c{n}", "look") for n in range(3)]), ("tool", results))
    messages = (*called, Message("user", ["a", Text("b", cache=True), "c"], cache=True))
    body = get_adapter("anthropic_style").build_body(messages)
    assert str(body).count("cache_control") == 4
    assert body["messages"][2]["content"][0]["content"] == [text("0"), text("x")]


# A user's parts, the place, and the part as the error names it.
REFUSED: list[tuple[str, str, list[Any], str, str]] = [
    ("audio", "user", [Audio(WAV)], "part 1", "audio (audio/wav)"),
    ("video", "user", ["a", Video(MP4)], "part 2", "video (video/mp4)"),
    ("office document", "user", [Document("https://e.com/a.docx")], "part 1", "document"),
    ("bom alone", "user", [Document(Inline(b"\xef\xbb\xbf", "text/plain"))], "part 1", "document (text/plain)"),
    ("latin-1", "user", [Document(Inline(b"\xfc", "text/plain"))], "part 1", "document (text/plain)"),
    ("gs image", "user", [Image("gs://b/a.png")], "part 1", "image (gs:// link)"),
    ("address as id", "user", [Image.from_uploaded("https://e.com/f")], "part 1", "image"),
    ("image of the system", "system", [IMG], "part 1", "image (image/png)"),
    ("call by the user", "user", [ToolCall("c", "look")], "part 1", "a call of tool 'look'"),
    ("result of the assistant", "assistant", [ToolResult("c", "1")], "part 1", "a result of tool call 'c'"),
    ("audio in a result", "tool", [ToolResult("c", ["a", Audio(WAV)])], "part 1, item 2", "audio (audio/wav)"),
]


@pytest.mark.parametrize(
    ("role", "parts", "place", "part"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_what_has_no_place_is_refused_by_name(role: str, parts: list[Any], place: str, part: str) -> None:
    adapter = get_adapter("anthropic_style", on_limit="send")
    before = {"system": (), "tool": say(("user", "q"), ("assistant", [ToolCall("c", "look")]))}
    messages = (*before.get(role, say(("user", "q"))), Message(role, parts), *say(("user", "q")))
    number = messages.index(Message(role, parts)) + 1
    for build in (adapter.encode, adapter.build_request, get_adapter("anthropic_style").build_request):
        with pytest.raises(UnsupportedContentError) as caught:
            build(messages)
        assert caught.value.adapter == "anthropic_style"
        assert caught.value.position == f"message {number} ({role}), {place}"
        assert caught.value.part.startswith(part)
        assert caught.value.remedy


@pytest.mark.parametrize(
    "model", ["vertex_ai/claude-sonnet-4-5@20250929", "bedrock/invoke/anthropic.claude-3-haiku-v1:0"]
)
def test_claude_in_a_cloud_takes_no_links_and_no_uploads(model: str) -> None:
    adapter = adapter_for(model, parameters={"max_tokens": 1})
    for build in (adapter.build_request, lambda m: adapter.encode((m,))):
        for part, said in ((Image(WEB), "link"), (Document.from_uploaded("file_1"), "Files API is not there")):
            with pytest.raises(UnsupportedContentError, match=said):
                build(Message("user", [part]))
    assert adapter.build_body(Message("user", [IMG]))["messages"][0]["content"] == [BLOCK]


def test_what_the_shape_cannot_say_is_noted() -> None:
    message = Message("user", ["q", Image(PNG, detail="high")], name="Ann")
    assert [str(note) for note in get_adapter("anthropic_style").prepare(message).notes] == [
        "message 1 (user): the participant's name 'Ann' is not sent: there is no field for it",
        "message 1 (user), part 2: detail='high' is not sent: there is no field for it",
    ]


class Template:
    def __init__(self, blocks: list[Any], system_prompt: str) -> None:
        self.system_prompt = system_prompt
        self.blocks = [{"type": "text" if isinstance(b, str) else b.kind, "content": b} for b in blocks]

    def render_blocks(self, **kwargs: Any) -> list[dict[str, Any]]:
        return self.blocks


# Blocks, system prompt, content.
PAYLOADS: list[tuple[list[Any], str, list[Any]]] = [
    (["A"], "", [text("A")]),
    (["A"], "S", [text("S\n\nA")]),
    (["A", "B"], "S", [text("S\n\nA\nB")]),
    (["A", IMG, "B"], "S", [text("S\n\nA\n"), BLOCK, text("\n\nB")]),
    ([IMG, "A"], "S", [BLOCK, text("\n\nS\n\nA")]),
    ([IMG], "S", [text("S\n"), BLOCK]),
    ([IMG, IMG], "", [BLOCK, BLOCK]),
]


@pytest.mark.parametrize(("blocks", "system", "content"), PAYLOADS)
def test_a_payload_is_the_list_of_messages_and_absorbs_the_system_prompt(
    blocks: list[Any], system: str, content: list[Any]
) -> None:
    payload = get_adapter("anthropic_style").build_payload(Template(blocks, system))
    assert payload == [{"role": "user", "content": content}]


def test_a_prompt_s_payload_has_its_turns() -> None:
    prompt = Prompt(messages=[("system", "Be {{ how }}."), ("user", "q"), ("assistant", "a"), ("user", "{{ x }}")])
    assert get_adapter("anthropic_style").build_payload(prompt, how="brief", x="y") == [
        {"role": "user", "content": [text("Be brief.\n\nq")]},
        {"role": "assistant", "content": "a"},
        {"role": "user", "content": [text("y")]},
    ]


def test_a_payload_loses_no_system_text_when_there_is_no_user_turn() -> None:
    payload = get_adapter("anthropic_style").build_payload(say(("system", "S"), ("tool", [ToolResult("c", "1")])))
    assert payload[0]["content"][0] == text("S")


def test_ids_of_calls_are_sent_as_claude_takes_them() -> None:
    ids = ["functions.get:0", "functions_get_0", "functions get 0", "call|x", "toolu_01A-b"]
    messages = say(
        ("user", "q"),
        ("assistant", [ToolCall(name, "get") for name in ids]),
        ("tool", [ToolResult(name, "a") for name in ids]),
    )
    adapter = get_adapter("anthropic_style")
    _, called, answered = adapter.build_body(messages)["messages"]
    sent = [block["id"] for block in called["content"]]
    assert sent == [block["tool_use_id"] for block in answered["content"]]
    assert all(re.fullmatch("[a-zA-Z0-9_-]+", name) for name in sent)
    assert len(set(sent)) == len(ids), "different calls stay different"
    assert (sent[1], sent[4]) == (ids[1], ids[4])
    assert adapter.build_body(messages)["messages"][1] == called, "the same on every run"
    notes = [str(note) for note in adapter.prepare(messages).notes]
    assert len(notes) == 6
    assert notes[0] == (
        f"message 2 (assistant), part 1: the id 'functions.get:0' is sent as {sent[0]!r}: "
        "Claude takes letters, digits, '_' and '-'"
    )
