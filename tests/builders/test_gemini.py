"""OpenAI messages as Gemini contents."""

import base64
import copy
import warnings
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopback import Loopback
from prompt_adapters import Audio, Document, Image, SimplePrompt, Video, convert_messages_to_gemini
from prompt_adapters.errors import (
    MediaReadError,
    PromptAdapterError,
    PromptFormatError,
    UnknownMediaTypeError,
    UnsupportedContentError,
)
from strategies import GIF, MP4, PDF, PNG, WAV, texts

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # what google-genai's own imports deprecate is none of ours
    from google import genai
    from google.genai import types

PNG64 = base64.b64encode(PNG).decode()
PNG_ITEM: dict[str, Any] = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG64}"}}
PNG_PART = {"inline_data": {"mime_type": "image/png", "data": PNG64}}


def base64_of(data: bytes) -> str:
    return base64.b64encode(data).decode()


def inline(mime: str, data: bytes) -> dict[str, Any]:
    return {"inline_data": {"mime_type": mime, "data": base64_of(data)}}


def data_url(mime: str, data: bytes) -> str:
    return f"data:{mime};base64,{base64_of(data)}"


def image_url(url: Any, **more: Any) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": url, **more}}


def file(**fields: Any) -> dict[str, Any]:
    return {"type": "file", "file": fields}


def linked(mime: str, uri: str) -> dict[str, Any]:
    return {"fileData": {"mimeType": mime, "fileUri": uri}}


UPLOADED = "https://generativelanguage.googleapis.com/v1beta/files/a"
WAV_ITEM = {"type": "input_audio", "input_audio": {"data": base64_of(WAV), "format": "wav"}}

ITEMS: dict[str, tuple[Any, Any]] = {
    "text": ({"type": "text", "text": "hi"}, {"text": "hi"}),
    "blank text": ({"type": "text", "text": "\n"}, {"text": "\n"}),
    "image": (PNG_ITEM, PNG_PART),
    "image, bare URL": ({"type": "image_url", "image_url": data_url("image/png", PNG)}, PNG_PART),
    "image with detail": (image_url(data_url("image/png", PNG), detail="low"), PNG_PART),
    "image/jpg": (image_url(data_url("image/jpg", PNG)), PNG_PART),
    "image, wrong label": (image_url(data_url("image/png", GIF)), inline("image/gif", GIF)),
    "image, no label": (image_url(data_url("", PNG)), PNG_PART),
    "image, broken lines": (image_url(f"data:image/png;base64,{PNG64[:9]}\n {PNG64[9:]}"), PNG_PART),
    "image link": (image_url("https://example.org/a.jpg"), linked("image/jpeg", "https://example.org/a.jpg")),
    "link of a named type": (image_url("gs://bucket/a", format="image/webp"), linked("image/webp", "gs://bucket/a")),
    "audio": (WAV_ITEM, inline("audio/wav", WAV)),
    "audio URL": ({"type": "audio_url", "audio_url": {"url": data_url("audio/wav", WAV)}}, inline("audio/wav", WAV)),
    "video": ({"type": "video_url", "video_url": {"url": data_url("video/mp4", MP4)}}, inline("video/mp4", MP4)),
    "PDF": (file(filename="a.pdf", file_data=data_url("application/pdf", PDF)), inline("application/pdf", PDF)),
    "text file": (file(file_data=data_url("text/plain", b"notes")), inline("text/plain", b"notes")),
    "uploaded file": (file(file_id=UPLOADED, format="application/pdf"), linked("application/pdf", UPLOADED)),
}


@pytest.mark.parametrize(("item", "part"), ITEMS.values(), ids=ITEMS)
def test_items(item: Any, part: Any) -> None:
    message = {"role": "user", "content": ["before", item, {"type": "text", "text": "after"}]}
    contents, system = convert_messages_to_gemini([message])
    assert contents == [{"role": "user", "parts": [{"text": "before"}, part, {"text": "after"}]}]
    assert system is None


CONVERSATIONS: dict[str, tuple[list[Any], list[Any], Any]] = {
    "string": ([("user", "hi")], [("user", [{"text": "hi"}])], None),
    "empty system": ([("system", ""), ("user", "hi")], [("user", [{"text": "hi"}])], None),
    "blank system": ([("system", " \n"), ("user", "hi")], [("user", [{"text": "hi"}])], None),
    "one of two systems empty": (
        [("system", ""), ("developer", "d"), ("user", "hi")],
        [("user", [{"text": "hi"}])],
        {"parts": [{"text": "d"}]},
    ),
    "an empty text among others": ([("user", ["", "hi", PNG_ITEM])], [("user", [{"text": "hi"}, PNG_PART])], None),
    "an empty system in mid-conversation": (
        [("user", "a"), ("system", ""), ("assistant", "b")],
        [("user", [{"text": "a"}]), ("model", [{"text": "b"}])],
        None,
    ),
    "system and developer": (
        [("system", "s"), ("developer", [{"type": "text", "text": "d"}]), ("user", "hi")],
        [("user", [{"text": "hi"}])],
        {"parts": [{"text": "s"}, {"text": "d"}]},
    ),
    "assistant": (
        [("user", "a"), ("assistant", "b"), ("user", [PNG_ITEM])],
        [("user", [{"text": "a"}]), ("model", [{"text": "b"}]), ("user", [PNG_PART])],
        None,
    ),
}


@pytest.mark.parametrize(("messages", "contents", "system"), CONVERSATIONS.values(), ids=CONVERSATIONS)
def test_roles(messages: list[Any], contents: list[Any], system: Any) -> None:
    given = [{"role": role, "content": content} for role, content in messages]
    expected = [{"role": role, "parts": parts} for role, parts in contents]
    assert convert_messages_to_gemini(given) == (expected, system)


def test_tools() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"at": "sea"}'}}
    contents, _ = convert_messages_to_gemini(
        [
            {"role": "user", "content": "Look."},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": "two boats"},
        ]
    )
    response = {"id": "c1", "name": "look", "response": {"output": "two boats"}}
    assert contents[1:] == [
        {"role": "model", "parts": [{"function_call": {"id": "c1", "name": "look", "args": {"at": "sea"}}}]},
        {"role": "user", "parts": [{"function_response": response}]},
    ]
    assert [types.Content.model_validate(content).role for content in contents] == ["user", "model", "user"]


def user(*items: Any) -> list[dict[str, Any]]:
    return [{"role": "user", "content": list(items)}]


def image(url: Any) -> list[dict[str, Any]]:
    return user({"type": "text", "text": "a"}, image_url(url))


SYSTEM_IN_THE_MIDDLE = [{"role": "user", "content": "a"}, {"role": "system", "content": "b"}]
REFUSED: dict[str, tuple[Any, type[PromptAdapterError], str]] = {
    "no comma": (image("data:;base64"), MediaReadError, "message 1, block 2: .*no comma"),
    "no base64": (image("data:image/png;base64,!"), MediaReadError, "message 1, block 2: .*not base64"),
    "nothing in it": (image("data:image/png;base64,"), MediaReadError, "message 1, block 2: .*empty"),
    "no image in it": (
        image(data_url("image/png", b"hello")),
        UnknownMediaTypeError,
        "message 1, block 2: .*text/plain",
    ),
    "a path": (image("/etc/passwd"), MediaReadError, "message 1, block 2: .*neither a URL nor a data URL"),
    "no text": (image(3), MediaReadError, "message 1, block 2: 3 is neither a URL"),
    "link of no type": (
        image("https://a.example/b"),
        UnsupportedContentError,
        r"\(user\), part 2: .*type of a linked file",
    ),
    "no URL": (user({"type": "image_url"}), PromptFormatError, "message 1, block 1 is a malformed 'image_url'"),
    "unknown item": (user({"type": "picture"}), PromptFormatError, "message 1, block 1 is of type 'picture'"),
    "item without type": (user({"words": "a"}), PromptFormatError, "message 1, block 1"),
    "number": (user(3), PromptFormatError, "message 1, block 1 is int"),
    "no content": ([{"role": "user"}], PromptFormatError, "message 1 has no 'content'"),
    "empty content": (user(), PromptFormatError, r"message 1 \(user\) is empty"),
    "empty text": ([{"role": "user", "content": ""}], PromptFormatError, r"message 1 \(user\) is empty"),
    "empty texts": (user("", {"type": "text", "text": ""}), PromptFormatError, r"message 1 \(user\) is empty"),
    "blank text": (user(" ", "\n"), PromptFormatError, r"message 1 \(user\) is only whitespace"),
    "empty answer": (
        [*user("a"), {"role": "assistant", "content": ""}],
        PromptFormatError,
        r"message 2 \(assistant\) is empty",
    ),
    "no message": ([], PromptFormatError, "there is no message: the user turn is missing"),
    "only system": ([{"role": "system", "content": "s"}], PromptFormatError, "only a system text: the user turn is"),
    "unknown key": (
        [*user("a"), {"role": "user", "content": "b", "foo": 1}],
        PromptFormatError,
        "message 2 has the unknown key 'foo'; the known ones are role, content, name",
    ),
    "unknown key of one message": (
        {"role": "user", "content": "b", "foo": 1},
        PromptFormatError,
        "message 1 has .*'foo'",
    ),
    "refusal": ([{"role": "assistant", "content": "a", "refusal": "no"}], PromptFormatError, "holds 'refusal'"),
    "after an empty system": (
        [{"role": "system", "content": ""}, *image("https://a.example/b")],
        UnsupportedContentError,
        r"message 2 \(user\), part 2",
    ),
    "no role": ([{"content": "a"}], PromptFormatError, "message 1 has no 'role'"),
    "unknown role": ([{"role": "narrator", "content": "a"}], PromptFormatError, "message 1: 'narrator' is not a role"),
    "no list": ("hello", PromptFormatError, "must be a list of messages, not str"),
    "system in the middle": (SYSTEM_IN_THE_MIDDLE, UnsupportedContentError, r"conversation at message 2 \(system\)"),
    "system picture": (
        [{"role": "system", "content": [PNG_ITEM]}, *user("a")],
        UnsupportedContentError,
        r"\(system\), part 1",
    ),
}


@pytest.mark.parametrize(("messages", "error", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_is_named(messages: Any, error: type[PromptAdapterError], reason: str) -> None:
    with pytest.raises(error, match=reason) as caught:
        convert_messages_to_gemini(messages)
    assert type(caught.value) is error
    assert isinstance(caught.value, ValueError)


def test_what_gemini_has_no_field_for_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    marked = {"type": "text", "text": "b", "cache_control": {"type": "ephemeral"}}
    messages: list[dict[str, Any]] = [
        {"role": "user", "name": "ann", "content": [marked, image_url(data_url("image/png", PNG), detail="low")]},
        {"role": "assistant", "content": "c", "reasoning_content": "hm", "annotations": [], "audio": None, "foo": None},
        {"role": "user", "content": "d", "cache_control": {"type": "ephemeral"}},
        {"role": "user", "content": [file(filename="a.pdf", file_data=data_url("application/pdf", PDF))]},
    ]
    mark = "the end of the cacheable prefix is not marked: this changes the cost, not the answer"
    with caplog.at_level("INFO", logger="prompt_adapters"):
        convert_messages_to_gemini(messages)
    assert {record.levelname for record in caplog.records} == {"INFO"}
    assert [record.getMessage().removeprefix("convert_messages_to_gemini: ") for record in caplog.records] == [
        "message 2 (assistant): 'reasoning_content' is not sent: there is no field for it",
        "message 1 (user): the participant's name 'ann' is not sent: there is no field for it",
        f"message 1 (user), part 1: {mark}",
        "message 1 (user), part 2: detail='low' is not sent: there is no field for it",
        f"message 3 (user): {mark}",
        "message 4 (user), part 1: the document's name 'a.pdf' is not sent: there is no field for it",
    ]


def test_blank_system_text_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", logger="prompt_adapters"):
        convert_messages_to_gemini([{"role": "system", "content": "\n"}, *user("a")])
    assert [record.getMessage() for record in caplog.records] == [
        "convert_messages_to_gemini: message 1 (system): the system text is only whitespace, so it is left out"
    ]


def test_nothing_is_shared_or_changed() -> None:
    messages: list[dict[str, Any]] = [{"role": "system", "content": "s"}, *user("a", PNG_ITEM)]
    before = copy.deepcopy(messages)
    first = convert_messages_to_gemini(messages)
    second = convert_messages_to_gemini(messages)
    first[0][0]["parts"].clear()
    assert second == convert_messages_to_gemini(messages)
    assert messages == before


MEDIA = st.sampled_from([Image(PNG), Image(GIF), Audio(WAV), Video(MP4), Document(PDF)])


@given(values=st.lists(texts(2).filter(str.strip) | MEDIA, min_size=1, max_size=4))
def test_the_types_of_google_take_it_and_give_the_bytes_back(values: list[Any]) -> None:
    prompt = SimplePrompt.from_string("".join(f"%v{number}%" for number in range(len(values))))
    messages = prompt.build_messages(**{f"v{number}": value for number, value in enumerate(values)})
    (content,) = [types.Content.model_validate(content) for content in convert_messages_to_gemini(messages)[0]]
    parts = content.parts or []
    found = [part.inline_data.data for part in parts if part.inline_data is not None]
    assert found == [value.as_bytes() for value in values if not isinstance(value, str)]
    assert "".join(part.text or "" for part in parts) == "".join(value for value in values if isinstance(value, str))


def test_the_real_client_sends_the_bytes_of_the_image() -> None:
    prompt = SimplePrompt.from_string("$system$\nBe brief.\n$user$\nWhat is %thing%?")
    messages = prompt.build_messages(thing="this", images=[PNG, GIF])
    contents: Any
    contents, system = convert_messages_to_gemini(messages)
    config: Any = {"system_instruction": system}
    with Loopback() as server:
        options = types.HttpOptions(base_url=server.url)
        with genai.Client(api_key="no-key", http_options=options, vertexai=False) as client:
            answer = client.models.generate_content(model="gemini-2.5-flash", contents=contents, config=config)
    ((path, body),) = server.calls
    assert path.endswith("/models/gemini-2.5-flash:generateContent")
    assert body["systemInstruction"]["parts"] == [{"text": "Be brief."}]
    ((role, parts),) = [(content["role"], content["parts"]) for content in body["contents"]]
    assert (role, parts[0]) == ("user", {"text": "What is this?"})
    sent = [part["inlineData"] for part in parts[1:]]
    # The client writes this key in either spelling, and base64 in the URL-safe alphabet; Google reads them all.
    assert [media.get("mimeType") or media["mime_type"] for media in sent] == ["image/png", "image/gif"]
    assert [base64.b64decode(media["data"], altchars=b"-_") for media in sent] == [PNG, GIF]
    assert answer.text == "a harbour"
