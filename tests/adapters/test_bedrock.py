"""Bedrock's Converse: every kind of content and every rule on turns, as tables, under the strict service model."""

from __future__ import annotations

import base64
import copy
from typing import Any

import pytest

from converse_model import built, stock_report
from prompt_adapters.adapters import adapter_for, get_adapter
from prompt_adapters.adapters.bedrock import FORMATS
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, Text, ToolCall, ToolResult, Video
from prompt_adapters.content.source import Inline, Link
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.prompt import Prompt
from prompt_adapters.targets import limits_for

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
PDF = b"%PDF-1.4\n%%EOF\n"
WAV = b"RIFF\x24\x00\x00\x00WAVEfmt " + bytes(28)
MP4 = b"\x00\x00\x00\x1cftypisom\x00\x00\x02\x00isomiso2avc1"
IMG = Image(PNG)
DOC = Document(PDF)
S3 = "s3://bucket-x/k/cat.png"
POINT = {"cachePoint": {"type": "default"}}
CLAUDE = "bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0"
NOVA = "bedrock/amazon.nova-lite-v1:0"
PREFILL_REFUSED = "bedrock/anthropic.claude-opus-4-6-v1"
BLOCK = {"image": {"format": "png", "source": {"bytes": PNG}}}


def say(*roles_and_parts: Any) -> tuple[Message, ...]:
    """Messages from pairs."""
    return tuple(Message(role, parts) for role, parts in roles_and_parts)


def at_s3(kind: str, uri: str) -> dict[str, Any]:
    return {"format": kind, "source": {"s3Location": {"uri": uri}}}


# A user's parts and the content they become.
ENCODED: list[tuple[str, list[Any], list[dict[str, Any]]]] = [
    ("one text", ["A"], [{"text": "A"}]),
    ("two texts", ["A", "B"], [{"text": "A"}, {"text": "B"}]),
    ("image alone", [IMG], [BLOCK]),
    ("image of s3", [Image(S3)], [{"image": at_s3("png", S3)}]),
    ("uploaded to s3", [Image.from_uploaded(S3, mime="image/png")], [{"image": at_s3("png", S3)}]),
    (
        "type of an s3 link",
        [Image("s3://bucket-x/cat", mime="image/jpg")],
        [{"image": at_s3("jpeg", "s3://bucket-x/cat")}],
    ),
    ("audio", [Audio(WAV)], [{"audio": {"format": "wav", "source": {"bytes": WAV}}}]),
    ("video", [Video(MP4)], [{"video": {"format": "mp4", "source": {"bytes": MP4}}}]),
    ("video of s3", [Video("s3://bucket-x/a.3gp")], [{"video": at_s3("three_gp", "s3://bucket-x/a.3gp")}]),
    (
        "document",
        [Document(PDF, name="paper.pdf"), "q"],
        [{"document": {"format": "pdf", "name": "paper", "source": {"bytes": PDF}}}, {"text": "q"}],
    ),
    (
        "document without a name",
        [DOC, "q"],
        [{"document": {"format": "pdf", "name": "document-1", "source": {"bytes": PDF}}}, {"text": "q"}],
    ),
    (
        "the title is the name",
        [Document(PDF, name="a.pdf", title="The paper"), "q"],
        [{"document": {"format": "pdf", "name": "The paper", "source": {"bytes": PDF}}}, {"text": "q"}],
    ),
    (
        "text document",
        ["q", Document("Grüße".encode(), name="a.md")],
        [{"text": "q"}, {"document": {"format": "md", "name": "a", "source": {"bytes": "Grüße".encode()}}}],
    ),
    ("cache", [Text("A", cache=True), "B"], [{"text": "A"}, POINT, {"text": "B"}]),
    ("cached image", ["A", Image(PNG, cache=True)], [{"text": "A"}, BLOCK, POINT]),
]


@pytest.mark.parametrize(("parts", "content"), [row[1:] for row in ENCODED], ids=[row[0] for row in ENCODED])
def test_every_kind_of_content_takes_its_documented_shape(parts: list[Any], content: Any) -> None:
    adapter = get_adapter("bedrock_style")
    message = Message("user", parts)
    assert built(adapter, message) == {"messages": [{"role": "user", "content": content}]}
    assert adapter.encode((message,)) == adapter.build_request(message)
    assert adapter.encode_body((message,)) == adapter.build_body(message)


@pytest.mark.parametrize("kind", FORMATS)
def test_every_type_within_the_limits_has_a_format(kind: str) -> None:
    types = getattr(limits_for("bedrock_style", "bedrock"), f"{kind}_types")
    assert types == FORMATS[kind].keys()
    cls: Any = {"image": Image, "audio": Audio, "video": Video, "document": Document}[kind]
    for mime, word in FORMATS[kind].items():
        parts = ["q", cls(Link("s3://bucket-x/file", mime))]
        block = built(get_adapter("bedrock_style"), Message("user", parts))["messages"][0]["content"][1]
        assert block[kind]["format"] == word


def test_tools_take_their_documented_shape() -> None:
    messages = say(
        ("user", "Look."),
        (
            "assistant",
            ["Looking.", ToolCall("c1", "look", {"a": [1, None]}), ToolCall("c2", "see"), ToolCall("c3", "see")],
        ),
        ("tool", [ToolResult("c1", "42")]),
        ("tool", [ToolResult("c2", ["gone", IMG, DOC, Video(MP4)], error=True), ToolResult("c3")]),
        ("user", "And?"),
    )
    assert built(get_adapter("bedrock_style"), messages)["messages"] == [
        {"role": "user", "content": [{"text": "Look."}]},
        {
            "role": "assistant",
            "content": [
                {"text": "Looking."},
                {"toolUse": {"toolUseId": "c1", "name": "look", "input": {"a": [1, None]}}},
                {"toolUse": {"toolUseId": "c2", "name": "see", "input": {}}},
                {"toolUse": {"toolUseId": "c3", "name": "see", "input": {}}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"toolResult": {"toolUseId": "c1", "content": [{"text": "42"}]}},
                {
                    "toolResult": {
                        "toolUseId": "c2",
                        "content": [
                            {"text": "gone"},
                            BLOCK,
                            {"document": {"format": "pdf", "name": "document-1", "source": {"bytes": PDF}}},
                            {"video": {"format": "mp4", "source": {"bytes": MP4}}},
                        ],
                        "status": "error",
                    }
                },
                {"toolResult": {"toolUseId": "c3", "content": []}},
                {"text": "And?"},
            ],
        },
    ]


# The leading system messages and what the top-level field becomes.
SYSTEMS: list[tuple[str, tuple[Message, ...], Any]] = [
    ("one", say(("system", "S")), [{"text": "S"}]),
    ("developer", say(("developer", "D")), [{"text": "D"}]),
    (
        "several in order",
        say(("system", ["A", "B"]), ("developer", "C")),
        [{"text": "A"}, {"text": "B"}, {"text": "C"}],
    ),
    ("cached", (Message("system", "S", cache=True),), [{"text": "S"}, POINT]),
    ("cached part", say(("system", [Text("A", cache=True), "B"])), [{"text": "A"}, POINT, {"text": "B"}]),
]


@pytest.mark.parametrize(("systems", "field"), [row[1:] for row in SYSTEMS], ids=[row[0] for row in SYSTEMS])
def test_system_text_leads(systems: tuple[Message, ...], field: Any) -> None:
    request = built(get_adapter("bedrock_style"), (*systems, Message("user", "q")))
    assert request == {"system": field, "messages": [{"role": "user", "content": [{"text": "q"}]}]}


@pytest.mark.parametrize("blank", ["", " \n"])
def test_an_empty_system_text_is_left_out(blank: str) -> None:
    adapter = get_adapter("bedrock_style")
    messages = say(("system", blank), ("user", "q"))
    assert built(adapter, messages).keys() == {"messages"}
    assert adapter.prepare(messages).notes


def test_turns_of_one_role_become_one() -> None:
    messages = say(("user", "a"), ("user", [DOC]), ("assistant", "one"), ("assistant", "two"), ("user", "r"))
    turns = built(get_adapter("bedrock_style"), messages)["messages"]
    assert [(turn["role"], len(turn["content"])) for turn in turns] == [("user", 2), ("assistant", 2), ("user", 1)]


def test_system_text_in_the_middle_is_refused_or_marked_user_text() -> None:
    messages = say(("user", "a"), ("system", "S"), ("assistant", "b"), ("user", "c"))
    with pytest.raises(UnsupportedContentError, match="a system message in mid-conversation") as caught:
        get_adapter("bedrock_style").build_request(messages)
    assert caught.value.position == "message 2 (system)"
    with pytest.raises(UnsupportedContentError, match="a system message in mid-conversation"):
        get_adapter("bedrock_style").encode(messages)
    marking = get_adapter("bedrock_style", system_in_middle="user")
    assert built(marking, messages)["messages"][0]["content"] == [{"text": "a"}, {"text": "<system>\nS\n</system>"}]
    assert [note.position for note in marking.prepare(messages).notes] == ["message 2 (system)"]


def test_the_first_turn_is_the_user_s() -> None:
    with pytest.raises(UnsupportedContentError, match="begin with the user") as caught:
        get_adapter("bedrock_style").build_request(say(("system", "s"), ("assistant", "Hello"), ("user", "q")))
    assert caught.value.position == "message 2 (assistant)"


def test_a_prefill_is_sent_without_trailing_whitespace_and_noted_or_refused() -> None:
    messages = say(("user", "Give JSON"), ("assistant", "{ \n"))
    for adapter in (adapter_for(CLAUDE), adapter_for(NOVA), get_adapter("bedrock_style")):
        assert built(adapter, messages)["messages"][-1] == {"role": "assistant", "content": [{"text": "{"}]}
        assert [note.position for note in adapter.prepare(messages).notes] == ["message 2 (assistant)"]
        assert adapter.prepare(say(("user", "Give JSON"), ("assistant", " {"))).notes == ()
    with pytest.raises(UnsupportedContentError, match="does not continue it") as caught:
        adapter_for(PREFILL_REFUSED).build_request(messages)
    assert caught.value.position == "message 2 (assistant)"


def test_whitespace_inside_a_conversation_stays() -> None:
    messages = say(("user", " a "), ("assistant", " b \n"), ("user", "\nc\n"))
    turns = built(get_adapter("bedrock_style"), messages)["messages"]
    assert [turn["content"][0]["text"] for turn in turns] == [" a ", " b \n", "\nc\n"]


def test_blank_text_is_left_out_with_a_note() -> None:
    messages = say(
        ("user", [IMG, "\n\n", IMG]), ("assistant", [ToolCall("c", "look")]), ("tool", [ToolResult("c", " \n")])
    )
    adapter = get_adapter("bedrock_style")
    turns = built(adapter, messages)["messages"]
    assert turns[0]["content"] == [BLOCK, BLOCK]
    assert turns[2]["content"] == [{"toolResult": {"toolUseId": "c", "content": []}}]
    places = [note.position for note in adapter.prepare(messages).notes]
    assert places == ["message 1 (user), part 2", "message 3 (tool), part 1", "parameters"]


def test_at_most_four_prefixes_are_marked_the_last_ones() -> None:
    messages = (
        Message("system", "s", cache=True),
        Message("user", [Text(f"t{n}", cache=True) for n in range(2)], cache=True),
        Message("assistant", [ToolCall("c1", "look", cache=True)]),
        Message("tool", [ToolResult("c1", [Text("x", cache=True), "y"], cache=True)], cache=True),
        Message("user", [Text("z", cache=True)]),
    )
    before = copy.deepcopy(messages)
    adapter = get_adapter("bedrock_style")
    request = built(adapter, messages)
    assert str(request).count("cachePoint") == 4
    assert request["system"] == [{"text": "s"}]
    assert request["messages"][0]["content"] == [{"text": "t0"}, {"text": "t1"}, POINT]
    assert request["messages"][2]["content"] == [
        {"toolResult": {"toolUseId": "c1", "content": [{"text": "x"}, {"text": "y"}]}},
        POINT,
        {"text": "z"},
        POINT,
    ]
    assert "2 of 6 cache marks are left out: Bedrock takes 4" in str(adapter.prepare(messages).notes)
    assert messages == before


def test_a_model_that_caches_nothing_gets_no_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    from prompt_adapters.targets import Capabilities

    adapter = get_adapter("bedrock_style", model="amazon.titan-text-v1")
    monkeypatch.setattr(type(adapter), "capabilities", Capabilities(prompt_caching=False))
    message = Message("user", [Text("a", cache=True)], cache=True)
    assert adapter.build_request(message)["messages"] == [{"role": "user", "content": [{"text": "a"}]}]
    assert "not marked" in str(adapter.prepare(message).notes)


# A user's parts, the place, and the part as the error names it.
REFUSED: list[tuple[str, str, list[Any], str, str, str]] = [
    ("document without text", "user", [DOC], "part 1", "document (application/pdf)", "a text beside"),
    ("web link", "user", [Image("https://e.com/a.png")], "part 1", "image (https:// link)", "s3"),
    ("gs link", "user", ["a", Image("gs://b/a.png")], "part 2", "image (gs:// link)", "s3"),
    ("uploaded id", "user", [Image.from_uploaded("file_1")], "part 1", "image (uploaded)", "s3://bucket/key"),
    ("no bucket's name", "user", [Image("s3://B/a.png")], "part 1", "image (s3:// link)", "s3://bucket/key"),
    ("s3 link of no type", "user", [Image("s3://bucket-x/a")], "part 1", "image (s3:// link)", "asks for the image's"),
    ("s3 link of a strange type", "user", [Image("s3://bucket-x/a.tiff")], "part 1", "image", "png, jpeg, gif, webp"),
    ("bitmap", "user", [Image(Inline(b"BM" + bytes(60), "image/tiff"))], "part 1", "image (image/tiff)", "image"),
    ("image of the system", "system", [IMG], "part 1", "image (image/png)", "only text"),
    ("image of the assistant", "assistant", [IMG], "part 1", "image (image/png)", "from the user only"),
    ("call by the user", "user", [ToolCall("c", "look")], "part 1", "a call of tool 'look'", "assistant turns"),
    ("result of the assistant", "assistant", [ToolResult("c", "1")], "part 1", "a result of", "tool turns"),
    ("id", "assistant", [ToolCall("a b", "look")], "part 1", "a call of tool 'look'", "ids of up to 64"),
    ("id of a result", "user", [ToolResult("x" * 65, "1")], "part 1", "a result of", "ids of up to 64"),
    ("audio in a result", "tool", [ToolResult("c", ["a", Audio(WAV)])], "part 1, item 2", "audio (audio/wav)", "audio"),
]


@pytest.mark.parametrize(
    ("role", "parts", "place", "part", "reason"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_what_has_no_place_is_refused_by_name(role: str, parts: list[Any], place: str, part: str, reason: str) -> None:
    number = 1 if role == "system" else 2
    rest = [Message("assistant", "a")] if role == "user" else [Message("user", "q")]
    messages = (Message(role, parts), *rest) if number == 1 else (*rest, Message(role, parts))
    sending = get_adapter("bedrock_style", on_limit="send")
    for build in (sending.encode, sending.encode_body):
        with pytest.raises(UnsupportedContentError) as caught:
            build(messages)
        assert caught.value.position == f"message {number} ({role}), {place}"
        assert caught.value.part.startswith(part)
        assert reason in caught.value.reason
        assert caught.value.remedy
    with pytest.raises(UnsupportedContentError) as refused:
        get_adapter("bedrock_style").build_request((Message("user", "q"), *messages) if role == "user" else messages)
    assert refused.value.remedy


def test_what_the_shape_cannot_say_is_noted() -> None:
    message = Message("user", ["q", Image(PNG, detail="high"), Video(MP4, start=1)], name="Ann")
    assert [str(note) for note in get_adapter("bedrock_style").prepare(message).notes] == [
        "message 1 (user): the participant's name 'Ann' is not sent: there is no field for it",
        "message 1 (user), part 2: detail='high' is not sent: there is no field for it",
        "message 1 (user), part 3: the video is sent whole, without start=1: there is no field for them",
    ]


class Template:
    def __init__(self, blocks: list[Any], system_prompt: str) -> None:
        self.system_prompt = system_prompt
        self.blocks = [{"type": "text" if isinstance(b, str) else b.kind, "content": b} for b in blocks]

    def render_blocks(self, **kwargs: Any) -> list[dict[str, Any]]:
        return self.blocks


# Blocks, system prompt, content.
PAYLOADS: list[tuple[list[Any], str, list[Any]]] = [
    (["A"], "", [{"text": "A"}]),
    (["A"], "S", [{"text": "S\n\nA"}]),
    (["A", IMG, "B"], "S", [{"text": "S\n\nA\n"}, BLOCK, {"text": "\n\nB"}]),
    ([IMG], "S", [{"text": "S\n"}, BLOCK]),
    ([IMG, IMG], "", [BLOCK, BLOCK]),
]


@pytest.mark.parametrize(("blocks", "system", "content"), PAYLOADS)
def test_a_payload_is_the_list_of_messages_and_absorbs_the_system_prompt(
    blocks: list[Any], system: str, content: list[Any]
) -> None:
    payload = get_adapter("bedrock_style").build_payload(Template(blocks, system))
    assert payload == [{"role": "user", "content": content}]


def test_a_prompt_s_payload_has_its_turns() -> None:
    prompt = Prompt(messages=[("system", "Be {{ how }}."), ("user", "q"), ("assistant", "a"), ("user", "{{ x }}")])
    assert get_adapter("bedrock_style").build_payload(prompt, how="brief", x="y") == [
        {"role": "user", "content": [{"text": "Be brief.\n\nq"}]},
        {"role": "assistant", "content": [{"text": "a"}]},
        {"role": "user", "content": [{"text": "y"}]},
    ]


def test_boto3_s_own_check_passes() -> None:
    messages = say(("system", "S"), ("user", ["q", IMG, DOC, Audio(WAV)]))
    assert stock_report(adapter_for(CLAUDE, parameters={"top_k": 5}).build_request(messages)) == ""


async def test_requests_can_be_awaited() -> None:
    adapter = adapter_for(CLAUDE)
    message = Message("user", ["q", IMG])
    assert await adapter.abuild_request(message) == adapter.build_request(message)
    assert await adapter.abuild_body(message) == adapter.build_body(message)
