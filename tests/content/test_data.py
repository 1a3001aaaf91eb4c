import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from prompt_adapters import Audio, Document, Image, Message, Text, ToolCall, ToolResult, Video
from prompt_adapters.content.data import message_from_data, message_to_data, part_from_data, part_to_data
from prompt_adapters.content.parts import Part
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.errors import MediaError, PromptAdapterError, PromptFormatError
from strategies import GIF, MP4, PDF, PNG, WAV, messages, parts

B64 = Image(PNG).as_data_url().partition(",")[2]


@given(part=parts())
def test_a_part_survives(part: Part) -> None:
    data = json.loads(json.dumps(part_to_data(part)))
    assert part_from_data(data) == part
    assert part_to_data(part_from_data(data)) == data


@given(message=messages())
def test_a_message_survives(message: Message) -> None:
    data = json.loads(json.dumps(message_to_data(message), ensure_ascii=False))
    assert message_from_data(data) == message
    assert message_to_data(message_from_data(data)) == data


@pytest.mark.parametrize(
    ("part", "data"),
    [
        (Text("a"), {"type": "text", "text": "a"}),
        (Text("\uffff\r\n\x00", cache=True), {"type": "text", "text": "\uffff\r\n\x00", "cache": True}),
        (
            Image(PNG, detail="low", cache=True),
            {"type": "image", "mime": "image/png", "base64": B64, "detail": "low", "cache": True},
        ),
        (
            Image.from_bytes(PNG, mime="image/jpeg"),
            {"type": "image", "mime": "image/png", "base64": B64, "declared": "image/jpeg"},
        ),
        (Audio.from_url("gs://bucket/a"), {"type": "audio", "url": "gs://bucket/a"}),
        (
            Video("https://example.org/a.mp4", start=1, end=2.5, fps=3),
            {
                "type": "video",
                "url": "https://example.org/a.mp4",
                "mime": "video/mp4",
                "start": 1,
                "end": 2.5,
                "fps": 3,
            },
        ),
        (
            Document.from_uploaded("file-1", mime="application/pdf", name="a.pdf", title="A"),
            {"type": "document", "uri": "file-1", "mime": "application/pdf", "name": "a.pdf", "title": "A"},
        ),
        (
            ToolCall("1", "f", {"a": [None]}),
            {"type": "tool_call", "id": "1", "name": "f", "arguments": {"a": [None]}},
        ),
        (
            ToolResult("1", ["a"], name="f", error=True),
            {
                "type": "tool_result",
                "id": "1",
                "parts": [{"type": "text", "text": "a"}],
                "name": "f",
                "error": True,
            },
        ),
    ],
    ids=lambda value: str(value)[:30],
)
def test_the_form_of_the_data(part: Part, data: dict[str, Any]) -> None:
    assert part_to_data(part) == data
    assert part_from_data(data) == part


def test_a_wrong_label_is_kept_for_the_report() -> None:
    for label in ("image/jpeg", "image/gif"):
        source = part_from_data(part_to_data(Image.from_bytes(PNG, mime=label))).source  # type: ignore[union-attr]  # an image
        assert isinstance(source, Inline)
        assert (source.mime, source.declared) == ("image/png", label)


def test_a_type_that_the_bytes_deny_is_corrected() -> None:
    data = part_to_data(Image(PNG)) | {"mime": "image/gif"}
    image = part_from_data(data)
    assert image == Image(PNG)
    assert isinstance(image, Image)
    assert isinstance(image.source, Inline)
    assert image.source.declared == "image/gif"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", b"<?xml version='1.0'?><a/>"),
        ("a.md", b"<?xml version='1.0'?><a/>"),
        ("a.csv", b"a,b"),
        ("a.json", b"{}"),
        ("a.html", b"<html></html>"),
        ("a.xml", b"<a/>"),
        ("a.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)),
        ("a.pdf", PDF),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_documents_keep_the_type_that_their_name_told(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    document = Document(tmp_path / name)
    assert part_from_data(part_to_data(document)) == document


@pytest.mark.parametrize("part", [Image(PNG), Image(GIF), Audio(WAV), Video(MP4), Document(PDF)], ids=lambda p: p.kind)
def test_data_share_nothing_with_a_part(part: Part) -> None:
    data = part_to_data(part)
    data.clear()
    assert part_to_data(part)["type"] == part.kind


def test_the_data_that_are_read_stay_as_they_are() -> None:
    data = part_to_data(ToolResult("1", [Image(PNG)], name="f"))
    before = json.dumps(data)
    part_from_data(data)
    assert json.dumps(data) == before


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (None, "part 7 is NoneType, not an object"),
        ("text", "part 7 is str"),
        (["text"], "part 7 is list"),
        ({}, "part 7 is of unknown type None"),
        ({"type": "image_url"}, "unknown type 'image_url'"),
        ({"type": []}, "unknown type"),
        ({"type": b"x" * 999}, "unknown type"),
        ({"type": "text"}, "malformed 'text' part"),
        ({"type": "text", "text": 5}, "'text' is a text, not int"),
        ({"type": "text", "text": "a", "bold": True}, "malformed 'text' part"),
        ({"type": "text", "text": "a", "cache": "yes"}, "'cache' is true or false, not str"),
        ({"type": "text", "text": "a", "cache": None}, "'cache' is true or false"),
        ({"type": "image"}, "malformed 'image' part"),
        ({"type": "image", "path": "/etc/passwd"}, "malformed 'image' part"),
        ({"type": "image", "media": "/etc/passwd"}, "malformed 'image' part"),
        ({"type": "image", "source": "/etc/passwd", "url": "https://example.org"}, "malformed 'image' part"),
        ({"type": "audio", "url": "https://example.org", "kind": "image"}, "malformed 'audio' part"),
        ({"type": "audio", "url": "https://example.org", "loud": 1}, "malformed 'audio' part"),
        ({"type": "image", "url": "/etc/passwd"}, "part 7: '/etc/passwd' is not a link"),
        ({"type": "image", "url": "file:///etc/passwd"}, "is not a link"),
        ({"type": "image", "url": 5}, "'url' is a text"),
        ({"type": "image", "uri": ["a"]}, "'uri' is a text"),
        ({"type": "image", "uri": "a b"}, "not the id of an uploaded file"),
        ({"type": "image", "base64": 5}, "'base64' is a text"),
        ({"type": "image", "base64": ""}, "part 7: the image's base64 is empty"),
        ({"type": "image", "base64": "/etc/passwd.png"}, "part 7: the image's base64"),
        ({"type": "image", "base64": "AAAA"}, "part 7: the image's content"),
        ({"type": "audio", "base64": B64}, "part 7.*image/png"),
        ({"type": "image", "url": "https://example.org", "mime": 5}, "'mime' is a text"),
        ({"type": "image", "url": "https://example.org", "detail": "huge"}, "detail is one of"),
        ({"type": "video", "url": "https://example.org", "start": -1}, "cannot run from -1"),
        ({"type": "video", "url": "https://example.org", "start": "0"}, "malformed 'video' part"),
        ({"type": "document", "url": "https://example.org", "name": 5}, "'name' is a text"),
        ({"type": "tool_call", "id": "", "name": "f"}, "a tool call needs 'id'"),
        ({"type": "tool_call", "id": "1"}, "malformed 'tool_call' part"),
        ({"type": "tool_call", "id": "1", "name": "f", "arguments": "{}"}, "arguments of a tool call"),
        ({"type": "tool_result", "id": "1"}, "malformed 'tool_result' part"),
        ({"type": "tool_result", "id": "1", "parts": 5}, "malformed 'tool_result' part"),
        ({"type": "tool_result", "id": "1", "parts": "ab"}, "part 7, part 1 is str"),
        (
            {"type": "tool_result", "id": "1", "parts": [{"type": "tool_call", "id": "1", "name": "f"}]},
            "holds text and media, not ToolCall",
        ),
        ({"type": "tool_result", "id": "1", "parts": [], "error": 1}, "'error' is true or false"),
    ],
    ids=lambda value: str(value)[:60],
)
def test_broken_data_are_refused(data: object, reason: str) -> None:
    with pytest.raises(PromptAdapterError, match=reason) as caught:
        part_from_data(data, "part 7")
    assert isinstance(caught.value, PromptFormatError | MediaError)
    assert "\n" not in str(caught.value)
    assert "root:" not in str(caught.value)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (None, "is not an object with 'role' and 'parts'"),
        ({"role": "user"}, "is not an object"),
        ({"role": "user", "parts": "text"}, "is not an object"),
        ({"role": "user", "parts": None}, "is not an object"),
        ({"role": "user", "parts": [], "content": "a"}, "unknown key 'content'"),
        ({"parts": []}, "'' is not a role"),
        ({"role": "boss", "parts": []}, "message 7: 'boss' is not a role"),
        ({"role": 5, "parts": []}, "'role' is a text, not int"),
        ({"role": "user", "parts": [], "name": 5}, "'name' is a text"),
        ({"role": "user", "parts": [], "cache": "yes"}, "'cache' is true or false"),
        ({"role": "user", "parts": [{"type": "text", "text": "a"}, 5]}, "message 7, part 2 is int"),
    ],
    ids=lambda value: str(value)[:60],
)
def test_broken_messages_are_refused(data: object, reason: str) -> None:
    with pytest.raises(PromptFormatError, match=reason) as caught:
        message_from_data(data, "message 7")
    assert "message 7" in str(caught.value)


def test_no_data_read_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "photo.png").write_bytes(PNG)
    monkeypatch.chdir(tmp_path)
    paths = ["photo.png", "./photo.png", str(tmp_path / "photo.png"), (tmp_path / "photo.png").as_uri()]
    for path in paths:
        for field in ("url", "base64", "path", "source", "media", "data"):
            with pytest.raises(PromptAdapterError):
                part_from_data({"type": "image", field: path})
        uploaded = part_from_data({"type": "image", "uri": path})
        assert isinstance(uploaded, Image)
        assert isinstance(uploaded.source, Uploaded)
    assert isinstance(Image.from_url("https://example.org/photo.png").source, Link)
