import base64
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    HumanMessageChunk,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.prompt_values import ChatPromptValue, StringPromptValue
from openai.types.chat import ChatCompletionMessage

from ids import named
from prompt_adapters import Audio, Document, Image, Message, Text, ToolCall, ToolResult, Video
from prompt_adapters.content.parts import Part
from prompt_adapters.content.read import read_message, read_messages, read_part, read_parts
from prompt_adapters.errors import MediaError, PromptAdapterError, PromptFormatError, UnknownMediaTypeError
from strategies import MP4, PDF, PNG, WAV, messages

PHOTO = Image(PNG)
URL = "https://example.org/a.png"


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def data_url(data: bytes, mime: str) -> str:
    return f"data:{mime};base64,{b64(data)}"


# Messages


@given(given_messages=st.lists(messages(), max_size=3))
def test_own_messages_pass_as_they_are(given_messages: list[Message]) -> None:
    assert read_messages(given_messages) == read_messages(tuple(given_messages)) == tuple(given_messages)
    for message in given_messages:
        assert read_messages(message) == (message,)


CALL = {"id": "1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
CALLED = ToolCall("1", "f", {"a": 1})


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (("user", "a"), Message("user", "a")),
        (["human", "a"], Message("user", "a")),
        (("ai", ["a", PHOTO]), Message("assistant", ["a", PHOTO])),
        (("model", PHOTO), Message("assistant", PHOTO)),
        (("developer", ""), Message("developer", "")),
        ({"role": "user", "content": "a"}, Message("user", "a")),
        ({"role": "user", "content": "a", "name": "Ada"}, Message("user", "a", name="Ada")),
        ({"role": "user", "content": ["a", {"type": "text", "text": "b"}]}, Message("user", ["a", "b"])),
        ({"role": "user", "content": "a", "cache": True}, Message("user", "a", cache=True)),
        (
            {"role": "user", "content": "a", "cache_control": {"type": "ephemeral"}},
            Message("user", "a", cache=True),
        ),
        (
            {"role": "user", "content": "a", "cache_control": {"type": "ephemeral", "ttl": "5m"}},
            Message("user", "a", cache=True),
        ),
        ({"role": "user", "content": "a", "cache_control": None, "cache": True}, Message("user", "a", cache=True)),
        ({"role": "assistant", "content": None, "tool_calls": [CALL]}, Message("assistant", [CALLED])),
        ({"role": "assistant", "content": "x", "tool_calls": (CALL,)}, Message("assistant", ["x", CALLED])),
        ({"role": "assistant", "tool_calls": [CALLED]}, Message("assistant", [CALLED])),
        ({"role": "assistant", "content": "x", "tool_calls": None}, Message("assistant", "x")),
        ({"role": "assistant", "content": "x", "function_call": None, "refusal": None}, Message("assistant", "x")),
        ({"role": "assistant", "content": "x", "reasoning_content": "hm"}, Message("assistant", "x")),
        (
            {"role": "tool", "content": "x", "tool_call_id": "1", "name": "f"},
            Message("tool", [ToolResult("1", "x", name="f")]),
        ),
        (
            {"role": "function", "content": [PHOTO], "tool_call_id": "1", "cache": True},
            Message("tool", [ToolResult("1", PHOTO)], cache=True),
        ),
    ],
    ids=lambda value: str(value)[:70],
)
def test_pairs_and_dictionaries(value: object, expected: Message) -> None:
    assert read_message(value) == expected
    assert read_messages([value]) == (expected,)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (HumanMessage("a"), Message("user", "a")),
        (HumanMessage("a", name="Ada"), Message("user", "a", name="Ada")),
        (SystemMessage("a"), Message("system", "a")),
        (SystemMessage("a", additional_kwargs={"__openai_role__": "developer"}), Message("developer", "a")),
        (AIMessage("a"), Message("assistant", "a")),
        (ChatMessage(content="a", role="assistant"), Message("assistant", "a")),
        (HumanMessageChunk(content="a"), Message("user", "a")),
        (AIMessageChunk(content="a") + AIMessageChunk(content="b"), Message("assistant", "ab")),
        (
            HumanMessage([{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {"url": URL}}]),
            Message("user", ["a", Image(URL)]),
        ),
        (
            AIMessage("", tool_calls=[{"id": "1", "name": "f", "args": {"a": 1}}]),
            Message("assistant", ["", CALLED]),
        ),
        (
            AIMessage(
                [{"type": "text", "text": "x"}, {"type": "tool_use", "id": "1", "name": "f", "input": {"a": 1}}],
                tool_calls=[{"id": "1", "name": "f", "args": {"a": 1}}],
            ),
            Message("assistant", ["x", CALLED]),
        ),
        (
            AIMessage(
                "x",
                additional_kwargs={"function_call": {"name": "f", "arguments": "{}"}, "reasoning_content": "hm"},
                tool_calls=[{"id": "1", "name": "f", "args": {"a": 1}}],
            ),
            Message("assistant", ["x", CALLED]),
        ),
        (ToolMessage("x", tool_call_id="1"), Message("tool", [ToolResult("1", "x")])),
        (
            ToolMessage("x", tool_call_id="1", name="f", status="error"),
            Message("tool", [ToolResult("1", "x", name="f", error=True)]),
        ),
        (
            ToolMessage([{"type": "image", "base64": b64(PNG), "mime_type": "image/png"}], tool_call_id="1"),
            Message("tool", [ToolResult("1", PHOTO)]),
        ),
    ],
    ids=lambda value: repr(value)[:60],
)
def test_messages_of_langchain(value: BaseMessage, expected: Message) -> None:
    assert read_message(value) == expected
    assert read_messages(value) == (expected,)
    assert read_messages(ChatPromptValue(messages=[value])) == (expected,)


def test_a_text_of_langchain_is_a_user_turn() -> None:
    assert read_messages(StringPromptValue(text="{{ a }}")) == (Message("user", "{{ a }}"),)


def test_the_message_of_a_client_s_response() -> None:
    message = ChatCompletionMessage.model_validate({"role": "assistant", "content": "x", "tool_calls": [CALL]})
    assert read_messages(message) == read_messages([message]) == (Message("assistant", ["x", CALLED]),)
    refused = ChatCompletionMessage(role="assistant", content=None, refusal="I cannot")
    with pytest.raises(PromptFormatError, match="message 1 holds 'refusal'"):
        read_messages([refused])


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (None, "is NoneType, not a message"),
        (5, "is int, not a message"),
        ("text", "is str, not a message"),
        (b"x" * 999, "is bytes, not a message"),
        ((), "is tuple, not a message"),
        (("user",), "is tuple, not a message"),
        (("user", "a", "b"), "is tuple, not a message"),
        ((5, "a"), "is tuple, not a message"),
        (object(), "is object, not a message"),
        ({}, "has no 'role'"),
        ({"role": None, "content": "a"}, "has no 'role'"),
        ({"role": "user"}, "has no 'content'"),
        ({"role": "user", "content": None}, "has no 'content'"),
        (("user", None), "has no 'content'"),
        ({"role": "user", "parts": [{"text": "a"}]}, "has no 'content'"),
        ({"role": "assistant", "content": None, "tool_calls": []}, "has no 'content'"),
        ({"role": "boss", "content": "a"}, "'boss' is not a role"),
        ({"role": "System", "content": "a"}, "'System' is not a role"),
        ({"role": "user", "content": 5}, "is int, neither text nor a list"),
        ({"role": "user", "content": b"x" * 999}, "is bytes, neither text nor a list"),
        ({"role": "user", "content": {"a"}}, "is set, neither text nor a list"),
        ({"role": "user", "content": ["a", None]}, "block 2 is NoneType"),
        ({"role": "user", "content": [["a"]]}, "block 1 is list"),
        ({"role": "user", "content": "a", "name": 5}, "a name is a text, not int"),
        ({"role": "user", "content": "a", "cache": "yes"}, "no known cache marker"),
        ({"role": "user", "content": "a", "cache_control": {"type": "ephemeral", "ttl": "1h"}}, "cache marker"),
        ({"role": "user", "content": "a", "cache_control": {"type": "persistent"}}, "cache marker"),
        ({"role": "assistant", "content": None, "function_call": {"name": "f"}}, "holds 'function_call'"),
        ({"role": "assistant", "content": None, "audio": {"id": "1"}}, "holds 'audio'"),
        ({"role": "assistant", "content": "a", "tool_calls": 5}, "'tool_calls' is int"),
        ({"role": "assistant", "content": "a", "tool_calls": "f"}, "'tool_calls' is str"),
        ({"role": "assistant", "content": "a", "tool_calls": [None]}, "tool call 1 needs an id"),
        ({"role": "assistant", "content": "a", "tool_calls": [{"name": "f", "args": {}, "id": None}]}, "needs an id"),
        (
            {"role": "assistant", "content": "a", "tool_calls": [{"name": "", "args": {}, "id": "1"}]},
            "tool call 1: a tool call needs 'name'",
        ),
        (
            {"role": "assistant", "content": "a", "tool_calls": [{"name": "f", "args": "{", "id": "1"}]},
            "arguments of 'f' are not JSON",
        ),
        (
            {"role": "assistant", "content": "a", "tool_calls": [{"name": "f", "args": "[1]", "id": "1"}]},
            "arguments of 'f' are not an object",
        ),
        (
            {"role": "assistant", "content": "a", "tool_calls": [{"name": "f", "args": '{"a": NaN}', "id": "1"}]},
            "tool call 1: the arguments of a tool call are not plain JSON",
        ),
        ({"role": "tool", "content": "a"}, "needs 'tool_call_id'"),
        ({"role": "tool", "content": "a", "tool_call_id": ""}, "needs 'tool_call_id'"),
        ({"role": "tool", "content": [ToolCall("1", "f")], "tool_call_id": "1"}, "holds text and media"),
        (RemoveMessage(id="1"), "'remove' is not a role"),
        (FunctionMessage(content="a", name="f"), "needs 'tool_call_id'"),
        (AIMessage("", additional_kwargs={"function_call": {"name": "f", "arguments": "{}"}}), "'function_call'"),
        (AIMessage("", additional_kwargs={"audio": {"id": "1"}}), "holds 'audio'"),
        (AIMessage([{"type": "thinking", "thinking": "hm"}]), "this 'thinking' block is what a model thought"),
        (
            AIMessage("", invalid_tool_calls=[{"id": "1", "name": "f", "args": "{", "error": None}]),
            "arguments are not JSON",
        ),
    ],
    ids=named,
)
def test_what_is_no_message_is_refused(value: object, reason: str) -> None:
    with pytest.raises(PromptFormatError, match=reason) as caught:
        read_message(value, "message 7")
    assert "message 7" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(
    "value",
    [None, 5, "text", b"x", bytearray(b"x"), {"a": 1}, object(), {Message("user", "a")}, iter([("user", "a")])],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_list_of_messages_is_refused(value: object) -> None:
    with pytest.raises(PromptFormatError, match="the chat must be a list of messages"):
        read_messages(value, "the chat")


def test_what_is_given_stays_as_it_is() -> None:
    value = [{"role": "assistant", "content": [{"type": "text", "text": "a"}], "tool_calls": [CALL], "cache": True}]
    before = json.dumps(value)
    (message,) = read_messages(value)
    assert json.dumps(value) == before
    value[0]["content"].append("b")  # type: ignore[attr-defined]  # it is a list
    assert message.text == "a"


# Blocks


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("a", Text("a")),
        (PHOTO, PHOTO),
        (Text("a", cache=True), Text("a", cache=True)),
        ({"type": "text", "text": "a"}, Text("a")),
        ({"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}, Text("a", cache=True)),
        ({"type": "image_url", "image_url": URL}, Image(URL)),
        ({"type": "image_url", "image_url": {"url": URL, "detail": "low"}}, Image(URL, detail="low")),
        ({"type": "image_url", "image_url": {"url": data_url(PNG, "image/png")}}, PHOTO),
        (
            {"type": "image_url", "image_url": {"url": data_url(PNG, "image/png")}, "cache": True},
            Image(PNG, cache=True),
        ),
        (
            {"type": "image_url", "image_url": {"url": "gs://b/a", "format": "image/webp"}},
            Image("gs://b/a", mime="image/webp"),
        ),
        ({"type": "input_audio", "input_audio": {"data": b64(WAV), "format": "wav"}}, Audio(WAV)),
        ({"type": "audio_url", "audio_url": {"url": data_url(WAV, "audio/wav")}}, Audio(WAV)),
        ({"type": "video_url", "video_url": {"url": "https://example.org/a.mp4"}}, Video("https://example.org/a.mp4")),
        ({"type": "video_url", "video_url": {"url": data_url(MP4, "video/mp4")}}, Video(MP4)),
        (
            {"type": "file", "file": {"file_data": data_url(PDF, "application/pdf"), "filename": "a.pdf"}},
            Document(PDF, name="a.pdf"),
        ),
        ({"type": "file", "file": {"file_id": "file-1"}}, Document.from_uploaded("file-1")),
        ({"type": "file", "file": {"file_data": data_url(PNG, "image/png")}}, PHOTO),
        ({"type": "file", "file": {"file_data": data_url(WAV, "AUDIO/wav")}}, Audio(WAV)),
        (
            {"type": "file", "file": {"file_data": "https://example.org/a", "format": "video/mp4"}},
            Video("https://example.org/a", mime="video/mp4"),
        ),
        ({"type": "image", "base64": b64(PNG), "mime_type": "image/png"}, PHOTO),
        ({"type": "image", "source_type": "base64", "data": b64(PNG), "mime_type": "image/png"}, PHOTO),
        ({"type": "image", "url": URL, "extras": {"detail": "high"}}, Image(URL, detail="high")),
        ({"type": "image", "url": data_url(PNG, "image/png")}, PHOTO),
        ({"type": "image", "file_id": "file-1"}, Image.from_uploaded("file-1")),
        ({"type": "image", "source_type": "id", "id": "file-1"}, Image.from_uploaded("file-1")),
        ({"type": "audio", "base64": b64(WAV), "mime_type": "audio/wav"}, Audio(WAV)),
        ({"type": "video", "base64": b64(MP4), "mime_type": "video/mp4"}, Video(MP4)),
        (
            {"type": "file", "base64": b64(PDF), "mime_type": "application/pdf", "extras": {"filename": "a.pdf"}},
            Document(PDF, name="a.pdf"),
        ),
        (
            {"type": "text-plain", "text": "héllo", "title": "T", "mime_type": "text/plain"},
            Document("héllo".encode(), title="T", mime="text/plain"),
        ),
    ],
    ids=lambda value: str(value)[:60],
)
def test_blocks(block: object, expected: Part) -> None:
    assert read_part(block) == expected
    assert read_parts([block, block]) == (expected, expected)


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        (None, "is NoneType, neither text nor a block"),
        (5, "is int"),
        (PNG, r"is bytes, neither text nor a block; wrap media, as Image\(...\)"),
        (Path("a.png"), r"wrap media, as Image\(...\)"),
        ([], "is list"),
        ({}, "has no type and is empty; the known types are text, image_url"),
        ({"text": "a", "image": {}}, "has no type and holds 'image', 'text'; the known types"),
        ({"type": "tool_use", "id": "1"}, "the tool call needs an id, a name and arguments"),
        ({"type": b"x" * 999}, "is of type b'xx"),
        ({"type": []}, r"is of type \[\]; the known ones"),
        ({"type": "text"}, "malformed 'text' block"),
        ({"type": "text", "text": None}, "malformed 'text' block"),
        ({"type": "text", "content": "a"}, "malformed 'text' block"),
        ({"type": "image_url"}, "malformed 'image_url' block"),
        ({"type": "image_url", "image_url": {}}, "malformed 'image_url' block"),
        ({"type": "image_url", "image_url": {"url": 5}}, "5 is neither a URL nor a data URL"),
        ({"type": "image_url", "image_url": {"url": "a.png"}}, "block 7: 'a.png' is neither a URL nor a data URL"),
        ({"type": "image_url", "image_url": {"url": URL, "detail": "huge"}}, "block 7: detail is one of"),
        ({"type": "image_url", "image_url": {"url": "data:image/png;base64,"}}, "block 7: .*empty"),
        ({"type": "image_url", "image_url": {"url": data_url(PDF, "image/png")}}, "block 7: .*application/pdf"),
        ({"type": "input_audio", "input_audio": {"format": "wav"}}, "malformed 'input_audio' block"),
        ({"type": "input_audio", "input_audio": {"data": "a.wav", "format": "wav"}}, "block 7: .*not base64"),
        ({"type": "file", "file": {}}, "malformed 'file' block"),
        ({"type": "file", "file": {"file_data": b64(PDF)}}, "neither a URL nor a data URL"),
        ({"type": "file", "file": {"file_id": 5}}, "malformed 'file' block"),
        ({"type": "file", "file": {"file_id": "file-1", "filename": 5}}, "malformed 'file' block"),
        ({"type": "image"}, "malformed 'image' block"),
        ({"type": "image", "path": "/etc/passwd"}, "malformed 'image' block"),
        ({"type": "image", "base64": 5}, "malformed 'image' block"),
        ({"type": "image", "file_id": {"a": 1}}, "malformed 'image' block"),
        ({"type": "file", "url": URL, "title": 5}, "malformed 'file' block"),
        ({"type": "text-plain", "text": "\ud800"}, "malformed 'text-plain' block"),
        ({"type": "text-plain", "text": ""}, "block 7: .*empty"),
        ({"type": "text", "text": "a", "cache_control": "yes"}, "no known cache marker"),
        ({"type": "text", "text": "a", "cache_control": b"x" * 999}, "no known cache marker"),
    ],
    ids=lambda value: str(value)[:60],
)
def test_broken_blocks_are_refused(block: object, reason: str) -> None:
    with pytest.raises(PromptAdapterError, match=reason) as caught:
        read_part(block, "block 7")
    assert "block 7" in str(caught.value)
    assert isinstance(caught.value, PromptFormatError | MediaError)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


def test_the_class_of_a_media_error_stays() -> None:
    with pytest.raises(UnknownMediaTypeError):
        read_part({"type": "image", "base64": b64(PDF)})


@pytest.mark.parametrize("content", [None, [], ()], ids=repr)
def test_no_content(content: object) -> None:
    assert read_parts(content) == ()


# Nothing is read from disk

_DISK = [
    "media",
    "document",
    "image_url",
    "audio_url",
    "video_url",
    "input_audio",
    "file",
    "image",
    "audio",
    "video",
    "text-plain",
]


@pytest.fixture
def traps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Strings that name an existing file, in every way that a path can be written."""
    odd = tmp_path / "c:" / "x"
    odd.mkdir(parents=True)
    (tmp_path / "x:").mkdir()
    file = tmp_path / "photo.png"
    for path in (file, odd / "photo.png", tmp_path / "x:" / "photo.png"):
        path.write_bytes(PNG)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    return [
        "photo.png",
        "./photo.png",
        str(file),
        "~/photo.png",
        file.as_uri(),
        "FILE://photo.png",
        "c://x/photo.png",
        "x://photo.png",
        "./x://photo.png",
        f"{tmp_path}/x://photo.png",
        f" {file}",
    ]


@pytest.mark.parametrize("kind", _DISK)
def test_no_block_reads_a_file(traps: list[str], kind: str) -> None:
    assert any(Path(trap).exists() for trap in traps if "://" in trap)
    for trap in traps:
        for inner in (
            trap,
            {"url": trap},
            {"data": trap},
            {"file_data": trap},
            {"file_data": trap, "format": "image/png"},
            {"source": {"bytes": trap}, "format": "png"},
        ):
            for block in (
                {"type": kind, kind: inner},
                {kind: inner},
                {"type": kind, "url": trap},
                {"type": kind, "base64": trap},
                {"type": kind, "data": trap, "mime_type": "image/png"},
                {"type": kind, "source": {"type": "url", "url": trap}},
                {"type": kind, "source": {"type": "base64", "data": trap}},
            ):
                with pytest.raises(PromptAdapterError) as caught:
                    read_message({"role": "user", "content": [block]})
                assert "not found" not in str(caught.value)


def test_a_string_is_text_even_when_it_names_a_file(traps: list[str]) -> None:
    for trap in traps:
        assert read_messages([("user", trap), {"role": "user", "content": [trap]}]) == (Message("user", trap),) * 2
