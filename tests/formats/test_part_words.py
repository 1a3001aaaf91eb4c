"""Parts as blocks of a message list: each has a block that is read back equal, or says what is lost."""

import pytest
from hypothesis import given

from prompt_adapters import Audio, Document, Image, Text, ToolCall, ToolResult, Video
from prompt_adapters.content.parts import Part
from prompt_adapters.content.read import read_part
from prompt_adapters.formats.part_words import block_of_part, nearest_block, tool_call_entry
from strategies import MP4, PDF, PNG, WAV, parts

MARK = {"type": "ephemeral"}
DATA = {part.kind: part.as_data_url() for part in (Image(PNG), Audio(WAV), Video(MP4), Document(PDF))}

WORDS: dict[str, tuple[Part, dict[str, object]]] = {
    "text": (Text("a"), {"type": "text", "text": "a"}),
    "marked text": (Text("a", cache=True), {"type": "text", "text": "a", "cache_control": MARK}),
    "image": (
        Image(PNG, detail="low"),
        {"type": "image_url", "image_url": {"url": DATA["image"], "detail": "low"}},
    ),
    "link": (Image("https://a.org/b"), {"type": "image_url", "image_url": {"url": "https://a.org/b"}}),
    "link with a type": (
        Image.from_url("https://a.org/b", mime="image/webp"),
        {"type": "image_url", "image_url": {"url": "https://a.org/b", "format": "image/webp"}},
    ),
    "uploaded image": (Image.from_uploaded("file-1"), {"type": "image", "file_id": "file-1"}),
    "wrong label": (
        Image.from_bytes(PNG, mime="image/jpeg"),
        {"type": "image_url", "image_url": {"url": DATA["image"].replace("png", "jpeg", 1)}},
    ),
    "sound": (
        Audio(WAV),
        {"type": "input_audio", "input_audio": {"data": DATA["audio"].partition(",")[2], "format": "wav"}},
    ),
    "linked sound": (
        Audio("https://a.org/b"),
        {"type": "audio_url", "audio_url": {"url": "https://a.org/b"}},
    ),
    "film": (Video(MP4), {"type": "video_url", "video_url": {"url": DATA["video"]}}),
    "clip": (
        Video(MP4, start=1.5, fps=2),
        {
            "type": "media",
            "mime_type": "video/mp4",
            "data": DATA["video"].partition(",")[2],
            "video_metadata": {"start_offset": "1.5s", "fps": 2},
        },
    ),
    "document": (
        Document(PDF, name="a.pdf"),
        {"type": "file", "file": {"filename": "a.pdf", "file_data": DATA["document"]}},
    ),
    "uploaded document": (
        Document.from_uploaded("file-1"),
        {"type": "file", "file": {"file_id": "file-1"}},
    ),
    "titled document": (
        Document("https://a.org/b.pdf", title="T"),
        {"type": "file", "url": "https://a.org/b.pdf", "mime_type": "application/pdf", "title": "T"},
    ),
    "call": (ToolCall("c", "f", {"a": 1}), {"type": "tool_call", "id": "c", "name": "f", "args": {"a": 1}}),
    "result": (
        ToolResult("c", "7", error=True),
        {"type": "tool_result", "tool_use_id": "c", "content": "7", "is_error": True},
    ),
}


@pytest.mark.parametrize(("part", "block"), WORDS.values(), ids=WORDS)
def test_the_words_of_a_part(part: Part, block: dict[str, object]) -> None:
    assert block_of_part(part) == block
    assert read_part(block) == part


@given(part=parts())
def test_every_part_is_read_back_equal_or_says_what_is_lost(part: Part) -> None:
    block, lost = nearest_block(part)
    if lost is None:
        assert block is not None
        assert read_part(block) == part
    elif block is not None:
        assert read_part(block) != part
        assert read_part(block).kind == part.kind
    if not isinstance(part, ToolResult):
        assert lost is None


def test_what_is_lost_is_named() -> None:
    block, lost = nearest_block(ToolResult("c", "7", name="f"))
    assert (block, lost) == ({"type": "tool_result", "tool_use_id": "c", "content": "7"}, "the name of a tool result")
    block, lost = nearest_block(Video.from_uploaded("file-1", start=1, fps=2))
    assert (block, lost) == ({"type": "video", "file_id": "file-1"}, "the start, fps of video content")


def test_calls_stand_beside_the_content() -> None:
    assert tool_call_entry(ToolCall("c", "f", {"a": "é"})) == {
        "id": "c", "type": "function", "function": {"name": "f", "arguments": '{"a": "é"}'}
    }  # fmt: skip
