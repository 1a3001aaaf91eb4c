"""OpenAI's chat completions: every kind of content, as a table, and the block contract word for word."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from prompt_adapters.adapters import adapter_for, get_adapter
from prompt_adapters.adapters.openai import OpenAIStylePromptAdapter
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, Text, ToolCall, ToolResult, Video
from prompt_adapters.content.source import Inline
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.few_shot import FewShot
from prompt_adapters.prompt import Prompt

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
DU1 = "data:image/png;base64," + base64.b64encode(PNG).decode()
WAV = b"RIFF\x24\x00\x00\x00WAVEfmt " + bytes(28)
MP3 = b"\xff\xfb\x90\x00" + bytes(413)
PDF = b"%PDF-1.4\n%%EOF\n"
MP4 = b"\x00\x00\x00\x1cftypisom\x00\x00\x02\x00isomiso2avc1"
IMG = Image(PNG)
WEB = "https://example.com/a.png"
SEP = {"type": "text", "text": "\n"}
SEP2 = {"type": "text", "text": "\n\n"}
ITEM = {"type": "image_url", "image_url": {"url": DU1}}


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def text(value: str) -> dict[str, str]:
    return {"type": "text", "text": value}


class Template:
    def __init__(self, blocks: list[Any], system_prompt: str | None) -> None:
        self.system_prompt = system_prompt
        self.blocks = [{"type": "text" if isinstance(block, str) else block.kind, "content": block} for block in blocks]

    def render_blocks(self, **kwargs: Any) -> list[dict[str, Any]]:
        return self.blocks


# The block contract: blocks, system prompt, payload.
CONTRACT: list[tuple[list[Any], str | None, list[dict[str, Any]]]] = [
    (["A"], "S", [{"role": "system", "content": "S"}, {"role": "user", "content": [text("A")]}]),
    (["A"], "", [{"role": "user", "content": [text("A")]}]),
    (["A"], None, [{"role": "user", "content": [text("A")]}]),
    (["A", IMG], "S", [{"role": "system", "content": "S"}, {"role": "user", "content": [text("A"), SEP, ITEM]}]),
    ([IMG, "A"], None, [{"role": "user", "content": [ITEM, SEP2, text("A")]}]),
    ([IMG, IMG], None, [{"role": "user", "content": [ITEM, SEP2, ITEM]}]),
    (["A", "B"], None, [{"role": "user", "content": [text("A"), SEP, text("B")]}]),
    (["A", IMG, "B"], None, [{"role": "user", "content": [text("A"), SEP, ITEM, SEP2, text("B")]}]),
    ([IMG], None, [{"role": "user", "content": [ITEM]}]),
    ([IMG], "S", [{"role": "system", "content": "S"}, {"role": "user", "content": [ITEM]}]),
]


@pytest.mark.parametrize(("blocks", "system", "payload"), CONTRACT)
def test_the_payload_is_the_documented_one(
    blocks: list[Any], system: str | None, payload: list[dict[str, Any]]
) -> None:
    template = Template(blocks, system)
    adapter = OpenAIStylePromptAdapter()
    assert adapter.build_payload(template) == payload
    assert adapter.build_payload(template) == payload, "an adapter keeps nothing"


async def test_the_payload_can_be_awaited() -> None:
    template = Template(["A", IMG], "S")
    adapter = get_adapter("openai_style")
    assert await adapter.abuild_payload(template) == adapter.build_payload(template)


def test_a_prompt_s_payload_has_its_system_text_rendered_and_its_turns() -> None:
    prompt = Prompt(
        system="Be {{ how }}.",
        user=[{"type": "text", "content": "Is {{ x }} in it?"}, {"type": "image", "variable": "photo"}],
        few_shot=FewShot([{"input": "q", "output": "a"}]),
    )
    assert get_adapter("openai_style").build_payload(prompt, how="brief", x="a cat", photo=IMG) == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [text("q")]},
        {"role": "assistant", "content": "a"},
        {"role": "user", "content": [text("Is a cat in it?"), SEP, ITEM]},
    ]


def test_payloads_are_never_fitted() -> None:
    big = Image(Inline(b"BM" + bytes(60), "image/bmp"))
    (user,) = get_adapter("openai_style").build_payload(Template([big], None))
    assert user["content"][0]["image_url"]["url"].startswith("data:image/bmp;base64,")


# Messages, target, wire messages.
ENCODED: list[tuple[str, Any, str, Any]] = [
    ("one text", Message("user", "A"), "gpt-4o", [{"role": "user", "content": "A"}]),
    (
        "two texts",
        Message("user", [Text("A"), Text("B")]),
        "gpt-4o",
        [{"role": "user", "content": [text("A"), text("B")]}],
    ),
    ("name", Message("user", "A", name="Ann"), "gpt-4o", [{"role": "user", "content": "A", "name": "Ann"}]),
    ("developer", Message("developer", "D"), "gpt-4o", [{"role": "developer", "content": "D"}]),
    ("developer elsewhere", Message("developer", "D"), "groq/llama-3", [{"role": "system", "content": "D"}]),
    (
        "system texts",
        Message("system", [Text("A"), Text("B")]),
        "gpt-4o",
        [{"role": "system", "content": [text("A"), text("B")]}],
    ),
    ("image", Message("user", [IMG]), "gpt-4o", [{"role": "user", "content": [ITEM]}]),
    (
        "detail",
        Message("user", [Image(PNG, detail="low")]),
        "gpt-4o",
        [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": DU1, "detail": "low"}}]}],
    ),
    (
        "image link",
        Message("user", [Image(WEB)]),
        "gpt-4o",
        [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": WEB}}]}],
    ),
    (
        "wav",
        Message("user", [Audio(WAV)]),
        "gpt-audio",
        [{"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": b64(WAV), "format": "wav"}}]}],
    ),
    (
        "mp3",
        Message("user", [Audio(MP3)]),
        "gpt-audio",
        [{"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": b64(MP3), "format": "mp3"}}]}],
    ),
    (
        "pdf",
        Message("user", [Document(PDF, name="a.pdf")]),
        "gpt-4o",
        [
            {
                "role": "user",
                "content": [
                    {
                        "type": "file",
                        "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64," + b64(PDF)},
                    }
                ],
            }
        ],
    ),
    (
        "pdf without a name",
        Message("user", [Document(PDF)]),
        "gpt-4o",
        [
            {
                "role": "user",
                "content": [
                    {
                        "type": "file",
                        "file": {"filename": "document.pdf", "file_data": "data:application/pdf;base64," + b64(PDF)},
                    }
                ],
            }
        ],
    ),
    (
        "uploaded file",
        Message("user", [Document.from_uploaded("file-abc")]),
        "gpt-4o",
        [{"role": "user", "content": [{"type": "file", "file": {"file_id": "file-abc"}}]}],
    ),
    (
        "video for vLLM",
        Message("user", [Video(MP4)]),
        "hosted_vllm/qwen-vl",
        [
            {
                "role": "user",
                "content": [{"type": "video_url", "video_url": {"url": "data:video/mp4;base64," + b64(MP4)}}],
            }
        ],
    ),
    (
        "audio link for vLLM",
        Message("user", [Audio("https://example.com/a.flac")]),
        "hosted_vllm/qwen-audio",
        [{"role": "user", "content": [{"type": "audio_url", "audio_url": {"url": "https://example.com/a.flac"}}]}],
    ),
    (
        "document link for OpenRouter",
        Message("user", [Document("https://example.com/a.pdf", name="a.pdf")]),
        "openrouter/x/y",
        [
            {
                "role": "user",
                "content": [{"type": "file", "file": {"filename": "a.pdf", "file_data": "https://example.com/a.pdf"}}],
            }
        ],
    ),
    (
        "tool call",
        Message("assistant", [Text("Let me look."), ToolCall("c1", "look", {"b": 1, "a": "é"})]),
        "gpt-4o",
        [
            {
                "role": "assistant",
                "content": "Let me look.",
                "tool_calls": [
                    {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"b": 1, "a": "é"}'}}
                ],
            }
        ],
    ),
    (
        "tool call alone",
        Message("assistant", [ToolCall("c1", "look")]),
        "gpt-4o",
        [
            {
                "role": "assistant",
                "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}],
            }
        ],
    ),
    (
        "tool results",
        Message("tool", [ToolResult("c1", "42"), ToolResult("c2", ["a", "b"]), ToolResult("c3")]),
        "gpt-4o",
        [
            {"role": "tool", "tool_call_id": "c1", "content": "42"},
            {"role": "tool", "tool_call_id": "c2", "content": [text("a"), text("b")]},
            {"role": "tool", "tool_call_id": "c3", "content": ""},
        ],
    ),
    (
        "a tool result before the user's text",
        Message("user", [ToolResult("c1", "42"), Text("and now?")]),
        "gpt-4o",
        [{"role": "tool", "tool_call_id": "c1", "content": "42"}, {"role": "user", "content": "and now?"}],
    ),
    (
        "text before a tool result keeps its place",
        Message("user", [Text("here:"), ToolResult("c1", "42"), Text("and now?")]),
        "gpt-4o",
        [
            {"role": "user", "content": "here:"},
            {"role": "tool", "tool_call_id": "c1", "content": "42"},
            {"role": "user", "content": "and now?"},
        ],
    ),
]


@pytest.mark.parametrize(("message", "model", "wire"), [row[1:] for row in ENCODED], ids=[row[0] for row in ENCODED])
def test_every_kind_of_content_takes_its_documented_shape(message: Message, model: str, wire: Any) -> None:
    messages = (message, Message("user", "end"))
    expected = [*wire, {"role": "user", "content": "end"}]
    assert adapter_for(model).encode(messages) == {"messages": expected}
    called = [ToolCall(part.id, "look") for part in message.parts if isinstance(part, ToolResult)]
    answers = [ToolResult(part.id, "42") for part in message.parts if isinstance(part, ToolCall)]
    around = (Message("assistant", called), message, Message("tool", answers), Message("user", "end"))
    whole = tuple(turn for turn in around if turn.parts)
    adapter = adapter_for(model)
    wanted = {"model": adapter.model} | adapter.encode(whole)
    if [part.kind for part in message.parts][:2] == ["text", "tool_result"]:
        with pytest.raises(UnsupportedContentError, match="stands between the tool call"):
            adapter.build_body(whole)
    else:
        assert adapter.build_body(whole) == wanted == adapter.build_request(whole)


@pytest.mark.parametrize("model", ["openai/gpt-4o", "azure/gpt-4o", None])
def test_at_most_four_stops(model: str | None) -> None:
    def adapter(stops: Any) -> Any:
        options: dict[str, Any] = {"parameters": {"stop": stops}}
        return adapter_for(model, **options) if model else get_adapter("openai_style", **options)

    for stops in ("abcdef", ["a", "b", "c", "d"]):
        assert adapter(stops).build_body(Message("user", "q"))["stop"] == stops
    with pytest.raises(UnsupportedContentError, match=r"'stop' at parameters: .*OpenAI takes at most 4 texts, not 5"):
        adapter(list("abcde")).build_body(Message("user", "q"))
    server = adapter_for("hosted_vllm/some", parameters={"stop": list("abcde")})
    assert server.build_body(Message("user", "q"))["stop"] == list("abcde")


# Role, parts, target, and what the error says of place and part.
REFUSED: list[tuple[str, str, list[Any], str, str, str]] = [
    ("video", "user", [Video(MP4)], "gpt-4o", "part 1", "video (video/mp4)"),
    ("video for Groq", "user", ["a", Video(MP4)], "groq/llama-3", "part 2", "video (video/mp4)"),
    ("flac", "user", [Audio(b"fLaC" + bytes(99))], "gpt-audio", "part 1", "audio (audio/flac)"),
    ("audio link", "user", [Audio("https://e.com/a.wav")], "gpt-audio", "part 1", "audio (https:// link)"),
    ("gs image", "user", [Image("gs://b/a.png")], "gpt-4o", "part 1", "image (gs:// link)"),
    ("s3 image", "user", [Image("s3://b/a.png")], "gpt-4o", "part 1", "image (s3:// link)"),
    ("uploaded image", "user", [Image.from_uploaded("file-1")], "gpt-4o", "part 1", "image (uploaded)"),
    ("text document", "user", [Document(b"a,b\n1,2\n", name="a.csv")], "gpt-4o", "part 1", "document (text/csv)"),
    ("document link", "user", [Document("https://e.com/a.pdf")], "gpt-4o", "part 1", "document (https:// link)"),
    ("id", "user", [Document.from_uploaded("gs://b/f")], "gpt-4o", "part 1", "document (uploaded)"),
    ("image of the system", "system", [IMG], "gpt-4o", "part 1", "image (image/png)"),
    ("image of the assistant", "assistant", ["a", IMG], "gpt-4o", "part 2", "image (image/png)"),
    ("call by the user", "user", [ToolCall("c", "look")], "gpt-4o", "part 1", "a call of tool 'look'"),
    ("text of a tool", "tool", ["42"], "gpt-4o", "part 1", "text"),
    ("result of the assistant", "assistant", [ToolResult("c", "1")], "gpt-4o", "part 1", "a result of tool call 'c'"),
    ("image in a result", "tool", [ToolResult("c", ["a", IMG])], "gpt-4o", "part 1, item 2", "image (image/png)"),
]


@pytest.mark.parametrize(
    ("role", "parts", "model", "place", "part"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
@pytest.mark.parametrize("how", ["encode", "build_request", "send"])
def test_what_has_no_place_is_refused_by_name(
    role: str, parts: list[Any], model: str, place: str, part: str, how: str
) -> None:
    adapter = adapter_for(model, on_limit="send" if how == "send" else "convert")
    build = adapter.encode if how == "encode" else adapter.build_request
    calls = [ToolCall(one.id, "look") for one in parts if isinstance(one, ToolResult) and role == "tool"]
    before = (Message("assistant", calls),) if calls else ()
    with pytest.raises(UnsupportedContentError) as caught:
        build((*before, Message(role, parts), Message("user", "end")))
    position = f"message {len(before) + 1} ({role}), {place}"
    assert (caught.value.adapter, caught.value.position) == ("openai_style", position)
    assert caught.value.part.split()[0] == part.split()[0]
    if how != "build_request":
        assert caught.value.part == part
    assert caught.value.reason
    assert caught.value.remedy
    assert "\n" not in str(caught.value)


def test_what_the_shape_cannot_say_is_noted() -> None:
    messages = (
        Message("user", [Text("q", cache=True), Document(PDF, name="a.pdf", title="Paper")]),
        Message("assistant", [ToolCall("c1", "look"), Text("after")]),
        Message("tool", [ToolResult("c1", "no", error=True)]),
        Message("assistant", "so far"),
    )
    notes = [str(note) for note in adapter_for("gpt-4o").prepare(messages).notes]
    assert notes == [
        "message 2 (assistant): the text after a tool call is sent before it",
        "message 4 (assistant): OpenAI answers a final assistant turn with a new one and does not continue it",
        "message 1 (user), part 1: the end of the cacheable prefix is not marked, which changes the cost and not the "
        "answer: only GPT-5.6 and later take explicit breakpoints, and gpt-4o is bound",
        "message 1 (user), part 2: the title 'Paper' is not sent: there is no field for it",
        "message 3 (tool), part 1: that the tool failed is not marked: there is no field for it",
    ]


def test_separators_are_part_of_the_text_that_they_touch() -> None:
    body = get_adapter("openai_style").build_body(Template(["A", IMG, IMG, "B"], "S"))
    assert body["messages"] == [
        {"role": "system", "content": "S"},
        {"role": "user", "content": [text("A\n"), ITEM, SEP2, ITEM, text("\n\nB")]},
    ]
    assert get_adapter("openai_style").build_body(Template(["A", "B"], ""))["messages"][0]["content"] == "A\nB"


def test_system_text_may_stand_anywhere() -> None:
    messages = (Message("user", "a"), Message("system", "S"), Message("assistant", "b"), Message("user", "c"))
    roles = [message["role"] for message in get_adapter("openai_style").build_body(messages)["messages"]]
    assert roles == ["user", "system", "assistant", "user"]
