"""Blocks that are no OpenAI or LangChain standard; those are in `test_read`."""

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.prompts.image import ImagePromptTemplate

from prompt_adapters import Audio, Document, History, Image, Message, Prompt, Text, ToolCall, ToolResult, Video
from prompt_adapters.content.parts import Part
from prompt_adapters.content.read import read_message, read_messages, read_part, read_parts
from prompt_adapters.content.read_blocks import kind_of_block
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.errors import MediaError, PromptAdapterError, PromptFormatError, UnknownMediaTypeError
from prompt_adapters.langchain import AdapterRunnable, GoogleStylePromptTemplate
from strategies import MP4, PDF, PNG, WAV, media

PHOTO = Image(PNG)
URL = "https://example.org/a.png"
CALLED = ToolCall("1", "f", {"a": 1})
FILES_API = "https://generativelanguage.googleapis.com/v1beta/files/abc"


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


PNG_SOURCE = {"type": "base64", "media_type": "image/png", "data": b64(PNG)}
PDF_SOURCE = {"type": "base64", "media_type": "application/pdf", "data": b64(PDF)}
RESULT = {
    "type": "tool_result",
    "tool_use_id": "1",
    "content": [{"type": "text", "text": "x"}, {"type": "image", "source": PNG_SOURCE}],
    "is_error": True,
}
CLIP = {"start_offset": "1.5s", "end_offset": "3s", "fps": 2}

BLOCKS: dict[str, tuple[dict[str, object], Part]] = {
    "anthropic image": ({"type": "image", "source": PNG_SOURCE}, PHOTO),
    "anthropic image, cached": (
        {"type": "image", "source": PNG_SOURCE, "cache_control": {"type": "ephemeral"}},
        Image(PNG, cache=True),
    ),
    "anthropic link": ({"type": "image", "source": {"type": "url", "url": URL}}, Image(URL)),
    "anthropic file": ({"type": "image", "source": {"type": "file", "file_id": "f_1"}}, Image.from_uploaded("f_1")),
    "anthropic document": (
        {"type": "document", "source": PDF_SOURCE, "title": "T", "context": None, "citations": {"enabled": False}},
        Document(PDF, title="T"),
    ),
    "anthropic text document": (
        {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "<html>"}},
        Document(Inline(b"<html>", "text/plain")),
    ),
    "anthropic call": ({"type": "tool_use", "id": "1", "name": "f", "input": {"a": 1}}, CALLED),
    "anthropic call, empty": ({"type": "tool_use", "id": "1", "name": "f", "input": {}}, ToolCall("1", "f")),
    "anthropic result": (RESULT, ToolResult("1", ["x", PHOTO], error=True)),
    "anthropic result, empty": ({"type": "tool_result", "tool_use_id": "1"}, ToolResult("1")),
    "langchain call": ({"type": "tool_call", "id": "1", "name": "f", "args": {"a": 1}}, CALLED),
    "responses call": (
        {"type": "function_call", "id": "fc_9", "call_id": "1", "name": "f", "arguments": '{"a": 1}'},
        CALLED,
    ),
    "google base64": ({"type": "media", "mime_type": "image/png", "data": b64(PNG)}, PHOTO),
    "google bytes": ({"type": "media", "mime_type": "application/pdf", "data": PDF}, Document(PDF)),
    "google upload": (
        {"type": "media", "mime_type": "image/png", "file_uri": FILES_API},
        Image.from_uploaded(FILES_API, mime="image/png"),
    ),
    "google bucket": (
        {"type": "media", "mime_type": "video/mp4", "file_uri": "gs://b/my film #1.mp4"},
        Video("gs://b/my film #1.mp4"),
    ),
    "google link": ({"type": "media", "file_uri": URL}, Image(URL)),
    "google clip": (
        {"type": "media", "mime_type": "video/mp4", "data": b64(MP4), "video_metadata": CLIP},
        Video(MP4, start=1.5, end=3, fps=2),
    ),
    "gemini data": ({"inline_data": {"mime_type": "image/png", "data": b64(PNG)}}, PHOTO),
    "gemini data on the wire": ({"inlineData": {"mimeType": "image/png", "data": b64(PNG)}}, PHOTO),
    "gemini bytes": (
        {"inline_data": {"mime_type": "application/pdf", "data": PDF, "display_name": None}},
        Document(PDF),
    ),
    "gemini file": (
        {"file_data": {"mime_type": "image/png", "file_uri": FILES_API}},
        Image.from_uploaded(FILES_API, mime="image/png"),
    ),
    "gemini bucket": ({"fileData": {"mimeType": "video/mp4", "fileUri": "gs://b/a.mp4"}}, Video("gs://b/a.mp4")),
    "gemini clip": (
        {"inlineData": {"mimeType": "video/mp4", "data": b64(MP4)}, "videoMetadata": {"startOffset": "1.5s", "fps": 2}},
        Video(MP4, start=1.5, fps=2),
    ),
    "gemini call": ({"function_call": {"id": "1", "name": "f", "args": {"a": 1}}}, CALLED),
    "gemini call without an id": ({"functionCall": {"name": "f"}}, ToolCall("f", "f")),
    "gemini result": (
        {"function_response": {"id": "1", "name": "f", "response": {"output": "x"}}},
        ToolResult("1", "x", name="f"),
    ),
    "gemini failure": (
        {"functionResponse": {"name": "f", "response": {"error": "x"}}},
        ToolResult("f", "x", name="f", error=True),
    ),
    "gemini data as a result": (
        {"functionResponse": {"id": "1", "name": "f", "response": {"a": "é"}}},
        ToolResult("1", '{"a": "é"}', name="f"),
    ),
    "responses text": ({"type": "input_text", "text": "a"}, Text("a")),
    "responses answer": ({"type": "output_text", "text": "a", "annotations": []}, Text("a")),
    "responses image": ({"type": "input_image", "image_url": PHOTO.as_data_url(), "detail": "auto"}, PHOTO),
    "responses link": ({"type": "input_image", "image_url": URL, "detail": "low"}, Image(URL, detail="low")),
    "responses upload": ({"type": "input_image", "file_id": "file-1"}, Image.from_uploaded("file-1")),
    "responses file": (
        {"type": "input_file", "filename": "a.pdf", "file_data": f"data:application/pdf;base64,{b64(PDF)}"},
        Document(PDF, name="a.pdf"),
    ),
    "responses file link": (
        {"type": "input_file", "file_url": "https://example.org/a.pdf"},
        Document("https://example.org/a.pdf"),
    ),
    "responses file upload": (
        {"type": "input_file", "file_id": "file-1", "filename": "a.pdf"},
        Document.from_uploaded("file-1", name="a.pdf"),
    ),
    "mistral document": (
        {"type": "document_url", "document_url": "https://example.org/a.pdf", "document_name": "a.pdf"},
        Document("https://example.org/a.pdf", name="a.pdf"),
    ),
    "mistral document as data": (
        {"type": "document_url", "document_url": {"url": f"data:application/pdf;base64,{b64(PDF)}"}},
        Document(PDF),
    ),
    "mistral sound": ({"type": "input_audio", "input_audio": b64(WAV)}, Audio(WAV)),
    "mistral sound as a link": (
        {"type": "input_audio", "input_audio": "https://example.org/a.mp3"},
        Audio("https://example.org/a.mp3"),
    ),
    "mistral sound as a data URL": (
        {"type": "input_audio", "input_audio": f"data:audio/wav;base64,{b64(WAV)}"},
        Audio(WAV),
    ),
    "langchain's wrapper": ({"type": "non_standard", "value": {"type": "image", "source": PNG_SOURCE}}, PHOTO),
    "langchain text file, first version": (
        {"type": "file", "source_type": "text", "mime_type": "text/plain", "text": "a"},
        Document(Inline(b"a", "text/plain")),
    ),
    "langchain cache mark": (
        {"type": "text", "text": "a", "extras": {"cache_control": {"type": "ephemeral"}}},
        Text("a", cache=True),
    ),
    "bedrock text": ({"text": "a"}, Text("a")),
    "bedrock image": ({"image": {"format": "png", "source": {"bytes": PNG}}}, PHOTO),
    "bedrock image, typed": ({"type": "image", "image": {"format": "png", "source": {"bytes": b64(PNG)}}}, PHOTO),
    "bedrock bucket": (
        {"image": {"format": "png", "source": {"s3Location": {"uri": "s3://b/my photo"}}}},
        Image("s3://b/my photo", mime="image/png"),
    ),
    "bedrock video": (
        {"video": {"format": "three_gp", "source": {"s3Location": {"uri": "s3://b/a"}}}},
        Video("s3://b/a", mime="video/3gpp"),
    ),
    "bedrock document": (
        {"document": {"format": "pdf", "name": "report", "source": {"bytes": PDF}}},
        Document(PDF, name="report.pdf"),
    ),
    "bedrock text document": (
        {"document": {"format": "md", "name": "n", "source": {"text": "# A"}}},
        Document(Inline(b"# A", "text/markdown"), name="n.md"),
    ),
    "bedrock call": ({"toolUse": {"toolUseId": "1", "name": "f", "input": {"a": 1}}}, CALLED),
    "bedrock result": (
        {"toolResult": {"toolUseId": "1", "content": [{"json": {"é": 1}}, {"text": "x"}], "status": "error"}},
        ToolResult("1", ['{"é": 1}', "x"], error=True),
    ),
    "image prompt": ({"url": URL, "detail": "low"}, Image(URL, detail="low")),
    "image prompt, data": ({"url": f"data:image/png;base64,{b64(PNG)}"}, PHOTO),
    "image without type": ({"image_url": {"url": URL}}, Image(URL)),
    "file of an image": (
        {"type": "file", "file": {"file_id": "file-1", "format": "image/png"}},
        Image.from_uploaded("file-1", mime="image/png"),
    ),
    "file of an image link": ({"type": "file", "file": {"file_data": URL}}, Image(URL)),
    "file of a sound": ({"type": "file", "url": "https://e.example/a.mp3"}, Audio("https://e.example/a.mp3")),
    "file of a picture": ({"type": "file", "base64": b64(PNG), "mime_type": "image/png"}, PHOTO),
}


@pytest.mark.parametrize(("block", "expected"), BLOCKS.values(), ids=BLOCKS)
def test_blocks_in_the_words_of_others(block: dict[str, object], expected: Part) -> None:
    before = repr(block)
    assert read_part(block) == expected
    assert read_message({"role": "user", "content": [block]}) == Message("user", expected)
    said = HumanMessage([block])
    assert read_messages([said]) == (Message("user", expected),)
    assert repr(block) == before


def test_a_cache_point_marks_what_stands_before_it() -> None:
    point = {"cachePoint": {"type": "default"}}
    assert read_parts([{"text": "a"}, point, {"text": "b"}]) == (Text("a", cache=True), Text("b"))
    with pytest.raises(PromptFormatError, match="block 1 has no type and holds 'cachePoint'"):
        read_parts([point, {"text": "a"}])


def test_an_image_prompt_of_langchain_is_read() -> None:
    prompt = ImagePromptTemplate(input_variables=["u"], template={"url": "{u}", "detail": "high"})
    assert read_messages(prompt.invoke({"u": URL})) == (Message("user", Image(URL, detail="high")),)
    with pytest.raises(UnknownMediaTypeError, match=r"message 1, block 1: .* is application/pdf, not an image"):
        read_messages(prompt.invoke({"u": "https://e.example/a.pdf"}))


@given(given_parts=st.lists(media(), min_size=1, max_size=3))
def test_what_google_s_package_is_given_is_read_back(given_parts: list[Part]) -> None:
    # Google calls files by URIs, and a link needs a type.
    sent = [part for part in given_parts if place_of(part)[1] != "file-abc123" and part.source.mime]  # type: ignore[union-attr]  # they are media
    template = GoogleStylePromptTemplate.from_messages([("user", "{x}")], options={"on_limit": "send"})
    (message,) = read_messages(template.invoke({"x": ["a", *sent]}).to_messages())
    said = [part for part in message.parts if not isinstance(part, Text)]
    assert list(map(place_of, said)) == list(map(place_of, sent))


def place_of(part: Part) -> tuple[str, object]:
    match part.source:  # type: ignore[union-attr]  # it is a medium
        case Inline() as source:
            return part.kind, source.data
        case Link() as source:
            return part.kind, source.url
        case source:
            assert isinstance(source, Uploaded)
            return part.kind, source.uri


# What a model thought

THOUGHTS: list[dict[str, object]] = [
    {"type": "thinking", "thinking": "hm", "signature": "x"},
    {"type": "redacted_thinking", "data": "x"},
    {"type": "reasoning", "reasoning": "hm"},
    {"type": "reasoning", "id": "rs_1", "summary": []},
    {"type": "reasoning_content", "reasoning_content": {"text": "hm", "signature": "x"}},
    {"reasoningContent": {"reasoningText": {"text": "hm"}}},
    {"text": "hm", "thought": True},
]


@pytest.mark.parametrize("block", THOUGHTS, ids=lambda value: str(value)[:50])
def test_what_a_model_thought_is_refused_or_dropped(block: dict[str, object], caplog: pytest.LogCaptureFixture) -> None:
    said = AIMessage([block, {"type": "text", "text": "x"}])
    with pytest.raises(
        PromptFormatError, match=r"chat, message 1, block 1: this '\w+' block is what a model tho"
    ) as caught:
        read_messages([said], "chat")
    assert "leave it out, or give the message as part of a History(...)" in str(caught.value)
    with caplog.at_level("INFO", "prompt_adapters"):
        assert read_messages([said], "chat", reasoning="drop") == (Message("assistant", "x"),)
    assert [record.getMessage() for record in caplog.records] == [
        "chat, message 1, block 1: what the model thought is left out"
    ]


def test_an_answer_of_thoughts_alone_is_refused() -> None:
    for content in ([THOUGHTS[0]], THOUGHTS[0]):
        with pytest.raises(PromptFormatError, match="message 1 holds only what the model thought; leave the me"):
            read_messages([{"role": "assistant", "content": content}], reasoning="drop")
    called = {"role": "assistant", "content": [THOUGHTS[0]], "tool_calls": [CALLED]}
    assert read_messages([called], reasoning="drop") == (Message("assistant", [CALLED]),)


def test_a_chat_with_a_reasoning_model_goes_on() -> None:
    call = {"type": "tool_use", "id": "1", "name": "f", "input": {"a": 1}}
    said = AIMessage(
        [THOUGHTS[0], {"type": "text", "text": "x"}, call],
        tool_calls=[{"id": "1", "name": "f", "args": {"a": 1}}],
    )
    prompt = Prompt(messages=[History("chat"), ("user", "go on")])
    assert prompt.render(chat=[("user", "q"), said]) == (
        Message("user", "q"),
        Message("assistant", ["x", CALLED]),
        Message("user", "go on"),
    )
    request = AdapterRunnable("openai_style").invoke([HumanMessage("q"), said, ToolMessage("y", tool_call_id="1")])
    assert [message["role"] for message in request["messages"]] == ["user", "assistant", "tool"]
    assert "hm" not in json.dumps(request)


BROKEN: list[tuple[object, str]] = [
    ({"type": "image", "source": {"type": "content", "content": []}}, "a source of type 'content' cannot be read"),
    ({"type": "image", "source": {"type": "text", "data": "a"}}, "a source of type 'text' cannot be read"),
    ({"type": "image", "source": {}}, "malformed 'image' block"),
    ({"type": "image", "source": PDF_SOURCE}, "application/pdf"),
    ({"type": "document", "source": PDF_SOURCE, "context": "c"}, "'context' cannot be kept"),
    ({"type": "document", "source": PDF_SOURCE, "citations": {"enabled": True}}, "'citations' cannot be kept"),
    ({"type": "tool_result", "content": "x"}, "malformed 'tool_result' block"),
    ({"type": "tool_result", "tool_use_id": "1", "content": [5]}, "the result, block 1 is int"),
    ({"type": "media", "data": b64(PNG)}, "malformed 'media' block"),
    ({"type": "media", "mime_type": "image/png", "file_uri": 5}, "malformed 'media' block"),
    ({"type": "media", "mime_type": "image/png", "data": PNG, "video_metadata": {"fps": 1}}, "only videos have it"),
    ({"type": "media", "mime_type": "video/mp4", "data": MP4, "video_metadata": {"x": 1}}, "unknown key 'x'"),
    (
        {"type": "media", "mime_type": "video/mp4", "data": MP4, "video_metadata": {"start_offset": "1"}},
        "'start_offset' is '1', not seconds",
    ),
    ({"image": {"format": "png", "source": {}}}, "a source with .* cannot be read; give 'bytes'"),
    (
        {"image": {"format": "png", "source": {"s3Location": {"uri": "s3://b/a", "bucketOwner": "1"}}}},
        "a source with 's3Location' cannot be read",
    ),
    ({"image": {"source": {"bytes": PNG}}}, "malformed 'image' block"),
    ({"image": "photo.png"}, "malformed 'image' block"),
    ({"toolUse": {"name": "f"}}, "malformed 'toolUse' block"),
    ({"url": "a.png"}, "'a.png' is neither a URL nor a data URL"),
    ({"url": URL, "text": "a"}, "has no type and holds 'text', 'url'"),
    ({"type": "file", "url": URL, "title": 5}, "malformed 'file' block"),
    ("\ud83d", r"a text holds U\+D83D"),
    ({"type": "text", "text": "\ud83d"}, r"a text holds U\+D83D"),
]


@pytest.mark.parametrize(("block", "reason"), BROKEN, ids=lambda value: ascii(value)[:60])
def test_broken_blocks_are_refused(block: object, reason: str) -> None:
    with pytest.raises(PromptAdapterError, match=f"^block 7.*{reason}") as caught:
        read_part(block, "block 7")
    assert isinstance(caught.value, PromptFormatError | MediaError)
    assert len(str(caught.value)) < 250


KINDS = [
    ({"type": "image_url", "image_url": "{u}"}, "image"),
    ({"type": "input_audio", "input_audio": "{u}"}, "audio"),
    ({"type": "document_url", "document_url": "{u}"}, "document"),
    ({"type": "file", "base64": "{u}"}, None),
    ({"type": "media", "file_uri": "{u}"}, None),
    ({"image": {}}, "image"),
    ({"inline_data": {}}, None),
    ({"type": "tool_use"}, "tool_call"),
    ({"functionResponse": {}}, "tool_result"),
    ({"text": "{u}"}, "text"),
]


@pytest.mark.parametrize(("block", "kind"), KINDS, ids=str)
def test_the_kind_of_a_block_is_told_from_its_words(block: dict[str, object], kind: str | None) -> None:
    assert kind_of_block(block) == kind


def test_an_unknown_block_has_no_kind() -> None:
    with pytest.raises(PromptFormatError, match="'hologram'"):
        kind_of_block({"type": "hologram"})


@pytest.mark.parametrize(
    "block",
    [
        {"inline_data": {"data": "AAAA"}},
        {"file_data": {}},
        {"function_call": {"args": {}}},
        {"type": "input_image"},
        {"type": "input_file", "filename": 7, "file_id": "f"},
        {"type": "document_url", "document_url": "/etc/hostname"},
        {"type": "input_audio", "input_audio": "file:///etc/hostname"},
        {"type": "non_standard", "value": {"type": "hologram"}},
        {"inline_data": {"mime_type": "image/png", "data": "AAAA", "secret": 1}},
    ],
    ids=str,
)
def test_what_is_wrong_with_them_is_said(block: dict[str, object]) -> None:
    with pytest.raises((PromptFormatError, MediaError), match="block 3"):
        read_part(block, "block 3")
