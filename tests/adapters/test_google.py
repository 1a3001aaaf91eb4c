"""Google's generateContent: every kind of content, as tables, and the block contract with Google's own types."""

from __future__ import annotations

import base64
import builtins
from typing import Any

import pytest
from google.genai import types
from google.genai._transformers import t_contents

from prompt_adapters.adapters import adapter_for, get_adapter
from prompt_adapters.adapters.google import GoogleGenAIStylePromptAdapter
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, Text, ToolCall, ToolResult, Video
from prompt_adapters.errors import MissingDependencyError, UnsupportedContentError
from prompt_adapters.few_shot import FewShot
from prompt_adapters.prompt import Prompt

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00\xff\xd9"
PDF = b"%PDF-1.4\n%%EOF\n"
WAV = b"RIFF\x24\x00\x00\x00WAVEfmt " + bytes(28)
MP4 = b"\x00\x00\x00\x1cftypisom\x00\x00\x02\x00isomiso2avc1"
IMG = Image(PNG)
FILES = "https://generativelanguage.googleapis.com/v1beta/files/abc"


def inline(mime: str, data: bytes, **more: Any) -> dict[str, Any]:
    """A part in the client's words."""
    return {"inline_data": {"mime_type": mime, "data": data}, **more}


def file(mime: str, uri: str, **more: Any) -> dict[str, Any]:
    return {"file_data": {"mime_type": mime, "file_uri": uri}, **more}


def say(*roles_and_parts: Any) -> tuple[Message, ...]:
    return tuple(Message(role, parts) for role, parts in roles_and_parts)


# Parts, target, and each in the client's words and on the wire.
ENCODED: list[tuple[str, list[Any], str, list[Any], list[Any]]] = [
    ("text", ["A", "B"], "gemini/g", [{"text": "A"}, {"text": "B"}], [{"text": "A"}, {"text": "B"}]),
    (
        "image",
        [IMG],
        "gemini/g",
        [inline("image/png", PNG)],
        [{"inlineData": {"mimeType": "image/png", "data": base64.b64encode(PNG).decode()}}],
    ),
    (
        "audio",
        [Audio(WAV)],
        "gemini/g",
        [inline("audio/wav", WAV)],
        [{"inlineData": {"mimeType": "audio/wav", "data": base64.b64encode(WAV).decode()}}],
    ),
    (
        "document",
        [Document(PDF)],
        "gemini/g",
        [inline("application/pdf", PDF)],
        [{"inlineData": {"mimeType": "application/pdf", "data": base64.b64encode(PDF).decode()}}],
    ),
    (
        "clipped video",
        [Video(MP4, start=1, end=2.5, fps=3)],
        "gemini/g",
        [inline("video/mp4", MP4, video_metadata={"start_offset": "1s", "end_offset": "2.5s", "fps": 3.0})],
        [
            {
                "inlineData": {"mimeType": "video/mp4", "data": base64.b64encode(MP4).decode()},
                "videoMetadata": {"startOffset": "1s", "endOffset": "2.5s", "fps": 3.0},
            }
        ],
    ),
    (
        "video from zero",
        [Video(FILES, start=0, mime="video/mp4")],
        "gemini/g",
        [file("video/mp4", FILES, video_metadata={"start_offset": "0s"})],
        [{"fileData": {"mimeType": "video/mp4", "fileUri": FILES}, "videoMetadata": {"startOffset": "0s"}}],
    ),
    (
        "uploaded file",
        [Video.from_uploaded(FILES, mime="video/mp4")],
        "gemini/g",
        [file("video/mp4", FILES)],
        [{"fileData": {"mimeType": "video/mp4", "fileUri": FILES}}],
    ),
    (
        "link",
        [Image("https://e.com/a.png")],
        "gemini/g",
        [file("image/png", "https://e.com/a.png")],
        [{"fileData": {"mimeType": "image/png", "fileUri": "https://e.com/a.png"}}],
    ),
    (
        "link with a given type",
        [Image("https://e.com/a", mime="image/webp")],
        "gemini/g",
        [file("image/webp", "https://e.com/a")],
        [{"fileData": {"mimeType": "image/webp", "fileUri": "https://e.com/a"}}],
    ),
    (
        "youtube",
        [Video("https://www.youtube.com/watch?v=9hE5-98ZeCg")],
        "gemini/g",
        [file("video/mp4", "https://www.youtube.com/watch?v=9hE5-98ZeCg")],
        [{"fileData": {"mimeType": "video/mp4", "fileUri": "https://www.youtube.com/watch?v=9hE5-98ZeCg"}}],
    ),
    (
        "bucket on Vertex",
        [Document("gs://b/a.pdf")],
        "vertex_ai/gemini-2.5-pro",
        [file("application/pdf", "gs://b/a.pdf")],
        [{"fileData": {"mimeType": "application/pdf", "fileUri": "gs://b/a.pdf"}}],
    ),
]


@pytest.mark.parametrize(
    ("parts", "model", "client", "wire"), [row[1:] for row in ENCODED], ids=[row[0] for row in ENCODED]
)
def test_every_kind_of_content_takes_its_documented_shape(
    parts: list[Any], model: str, client: list[Any], wire: list[Any]
) -> None:
    message = Message("user", parts)
    adapter = adapter_for(model)
    assert adapter.encode((message,)) == {"contents": [{"role": "user", "parts": client}]}
    assert adapter.build_request(message) == {"model": adapter.model, "contents": [{"role": "user", "parts": client}]}
    assert adapter.build_body(message) == {"contents": [{"role": "user", "parts": wire}]}


def test_roles_and_system_text() -> None:
    messages = say(("system", "A"), ("developer", "B"), ("user", "q"), ("assistant", "a"), ("user", "r"))
    adapter = get_adapter("google_style", model="g")
    contents = [
        {"role": "user", "parts": [{"text": "q"}]},
        {"role": "model", "parts": [{"text": "a"}]},
        {"role": "user", "parts": [{"text": "r"}]},
    ]
    both = {"parts": [{"text": "A"}, {"text": "B"}]}
    assert adapter.build_request(messages) == {
        "model": "g",
        "contents": contents,
        "config": {"system_instruction": both},
    }
    assert adapter.build_body(messages) == {"systemInstruction": both, "contents": contents}
    one = messages[1:]
    assert adapter.build_request(one)["config"] == {"system_instruction": "B"}
    assert adapter.build_body(one)["systemInstruction"] == {"parts": [{"text": "B"}]}
    assert "config" not in adapter.build_request(messages[2:])


def test_tools_take_their_documented_shape() -> None:
    messages = say(
        ("user", "Look."),
        ("assistant", [ToolCall("c1", "look_up", {"a_b": {"c_d": 1}}), ToolCall("c2", "see")]),
        ("tool", [ToolResult("c1", ["42", " left"])]),
        ("tool", [ToolResult("c2", ["gone", IMG], error=True)]),
        ("user", "And?"),
    )
    adapter = get_adapter("google_style")
    assert adapter.build_request(messages)["contents"] == [
        {"role": "user", "parts": [{"text": "Look."}]},
        {
            "role": "model",
            "parts": [
                {"function_call": {"id": "c1", "name": "look_up", "args": {"a_b": {"c_d": 1}}}},
                {"function_call": {"id": "c2", "name": "see", "args": {}}},
            ],
        },
        {
            "role": "user",
            "parts": [
                {"function_response": {"id": "c1", "name": "look_up", "response": {"output": "42 left"}}},
                {
                    "function_response": {
                        "id": "c2",
                        "name": "see",
                        "response": {"error": "gone"},
                        "parts": [inline("image/png", PNG)],
                    }
                },
            ],
        },
        {"role": "user", "parts": [{"text": "And?"}]},
    ]
    body = adapter.build_body(messages)["contents"]
    assert body[1]["parts"][0] == {"functionCall": {"id": "c1", "name": "look_up", "args": {"a_b": {"c_d": 1}}}}
    assert body[2]["parts"][1]["functionResponse"]["parts"][0]["inlineData"]["mimeType"] == "image/png"


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (["a"], []),
        (["a", IMG], []),
        (["a", "b"], ["its 2 texts are sent as one"]),
        ([IMG, "a"], ["its text is sent before its files"]),
        (["a", IMG, "b"], ["its 2 texts are sent as one", "its text is sent before its files"]),
    ],
)
def test_what_a_tool_gave_that_is_sent_in_another_order_is_noted(parts: list[Any], said: list[str]) -> None:
    messages = say(("user", "q"), ("assistant", ToolCall("c", "look")), ("tool", ToolResult("c", parts)))
    notes = get_adapter("google_style").prepare(messages).notes
    assert [note.text.partition(":")[0] for note in notes] == said
    assert {note.position for note in notes} <= {"message 3 (tool), part 1"}


def test_consecutive_user_turns_stay_apart() -> None:
    contents = get_adapter("google_style").build_body(say(("user", "a"), ("user", "b")))["contents"]
    assert [content["parts"] for content in contents] == [[{"text": "a"}], [{"text": "b"}]]


# Role, parts, target, and what the error says of place, part and remedy.
REFUSED: list[tuple[str, str, list[Any], str, str, str, str]] = [
    ("bucket on the Gemini API", "user", [Image("gs://b/a.png")], "gemini/g", "part 1", "image (gs:// link)", ""),
    ("s3", "user", ["a", Image("s3://b/a.png")], "vertex_ai/gemini-2.5-pro", "part 2", "image (s3:// link)", ""),
    ("link of no type", "user", [Image("https://e.com/a")], "gemini/g", "part 1", "image (https:// link)", "mime="),
    ("upload of no type", "user", [Audio.from_uploaded(FILES)], "gemini/g", "part 1", "audio (uploaded)", "mime="),
    ("file id", "user", [Document.from_uploaded("file-1")], "gemini/g", "part 1", "document (uploaded)", "URI"),
    ("fps", "user", [Video(MP4, fps=25)], "gemini/g", "part 1", "fps=25", "lower"),
    ("image of the system", "system", [IMG], "gemini/g", "part 1", "image (image/png)", "user turn"),
    ("call by the user", "user", [ToolCall("c", "look")], "gemini/g", "part 1", "a call of tool 'look'", ""),
    ("result of the model", "assistant", [ToolResult("c", "1", name="t")], "gemini/g", "part 1", "a result of", ""),
    ("result of no tool", "tool", [ToolResult("c", "1")], "gemini/g", "part 1", "a result of tool call 'c'", ""),
]


@pytest.mark.parametrize(
    ("role", "parts", "model", "place", "part", "remedy"), [row[1:] for row in REFUSED], ids=[r[0] for r in REFUSED]
)
def test_what_has_no_place_is_refused_by_name(
    role: str, parts: list[Any], model: str, place: str, part: str, remedy: str
) -> None:
    adapter = adapter_for(model, on_limit="send")
    messages = (Message(role, parts), Message("user", "q"))
    for build in (adapter.encode, adapter.encode_body, adapter.build_request):
        with pytest.raises(UnsupportedContentError) as caught:
            build(messages)
        assert caught.value.adapter == "google_style"
        assert caught.value.position == f"message 1 ({role}), {place}"
        assert caught.value.part.startswith(part)
        assert remedy in caught.value.remedy
    with pytest.raises(UnsupportedContentError):
        adapter_for(model).build_body(messages)


def test_a_bucket_without_a_known_platform_is_sent_and_noted() -> None:
    adapter = get_adapter("google_style")
    message = Message("user", ["q", Image("gs://b/a.png")])
    assert adapter.build_request(message)["contents"][0]["parts"][1] == file("image/png", "gs://b/a.png")
    assert [str(note) for note in adapter.prepare(message).notes] == [
        "message 1 (user), part 2: gs:// links are read by Vertex AI only"
    ]


def test_system_text_in_the_middle_is_refused_or_marked_user_text() -> None:
    messages = say(("user", "a"), ("assistant", "b"), ("system", "S"), ("user", "c"))
    with pytest.raises(UnsupportedContentError, match="one system instruction") as caught:
        get_adapter("google_style").build_request(messages)
    assert caught.value.position == "message 3 (system)"
    with pytest.raises(UnsupportedContentError, match="mid-conversation"):
        get_adapter("google_style").encode(messages)
    adapter = get_adapter("google_style", system_in_middle="user")
    assert adapter.build_request(messages)["contents"][2] == {
        "role": "user",
        "parts": [{"text": "<system>\nS\n</system>"}],
    }
    assert len(adapter.prepare(messages).notes) == 1


def test_what_the_shape_cannot_say_is_noted() -> None:
    message = Message(
        "user",
        [
            Text("q", cache=True),
            Image(PNG, detail="low"),
            Image(PNG, detail="auto"),
            Document(PDF, title="T", name="a.pdf"),
        ],
        name="Ann",
    )
    assert [note.position for note in get_adapter("google_style").prepare(message).notes] == [
        "message 1 (user)",
        "message 1 (user), part 1",
        "message 1 (user), part 2",
        "message 1 (user), part 4",
        "message 1 (user), part 4",
    ]


def test_blank_text_between_media_is_kept() -> None:
    parts = get_adapter("google_style").build_request(Message("user", [IMG, "\n\n", IMG]))["contents"][0]["parts"]
    assert parts[1] == {"text": "\n\n"}


class Template:
    def __init__(self, blocks: list[Any], system_prompt: str | None) -> None:
        self.system_prompt = system_prompt
        self.blocks = [{"type": "text" if isinstance(b, str) else b.kind, "content": b} for b in blocks]

    def render_blocks(self, **kwargs: Any) -> list[dict[str, Any]]:
        return self.blocks


PART = types.Part.from_bytes(data=PNG, mime_type="image/png")
# The block contract: blocks, system prompt, payload.
CONTRACT: list[tuple[list[Any], str | None, list[Any]]] = [
    (["A"], "S", ["S\n\nA"]),
    (["A", "B"], "S", ["S\n\nA", "\n", "B"]),
    (["A"], "", ["A"]),
    (["A"], None, ["A"]),
    ([IMG, "A"], "S", [PART, "\n\n", "S\n\nA"]),
    ([IMG], "", [PART]),
    (["A", IMG, "B"], "S", ["S\n\nA", "\n", PART, "\n\n", "B"]),
    ([IMG], "S", ["S", "\n", PART]),
    ([IMG, IMG], "S", ["S", "\n", PART, "\n\n", PART]),
    (["A", Image(JPEG)], "", ["A", "\n", types.Part.from_bytes(data=JPEG, mime_type="image/jpeg")]),
]


@pytest.mark.parametrize(("blocks", "system", "payload"), CONTRACT)
def test_the_payload_is_the_documented_one(blocks: list[Any], system: str | None, payload: list[Any]) -> None:
    adapter = GoogleGenAIStylePromptAdapter()
    assert adapter.build_payload(Template(blocks, system)) == payload
    assert all(type(item) in (str, types.Part) for item in adapter.build_payload(Template(blocks, system)))


def test_google_s_client_makes_one_user_turn_of_the_payload() -> None:
    payload = get_adapter("google_style").build_payload(Template(["A", IMG, "B"], "S"))
    (content,) = t_contents(payload)
    assert (content.role, len(content.parts or [])) == ("user", 5)


def test_a_payload_carries_links_clips_and_files() -> None:
    blocks = [Video(FILES, start=1, mime="video/mp4"), Document.from_uploaded(FILES, mime="application/pdf")]
    video, _, document = get_adapter("google_style").build_payload(Template(blocks, ""))
    assert (video.file_data.file_uri, video.video_metadata.start_offset) == (FILES, "1s")
    assert document.file_data.mime_type == "application/pdf"


def test_a_prompt_with_turns_gives_contents() -> None:
    prompt = Prompt(
        system="Be {{ how }}.",
        user=[{"type": "image", "variable": "photo"}, {"type": "text", "content": "{{ x }}?"}],
        few_shot=FewShot([{"input": "q", "output": "a"}]),
    )
    payload = get_adapter("google_style").build_payload(prompt, how="brief", x="a cat", photo=IMG)
    assert payload == [
        types.Content(role="user", parts=[types.Part(text="Be brief.\n\nq")]),
        types.Content(role="model", parts=[types.Part(text="a")]),
        types.Content(role="user", parts=[PART, types.Part(text="\n\n"), types.Part(text="a cat?")]),
    ]
    assert t_contents(payload) == payload
    flat = get_adapter("google_style").build_payload(prompt.replace(few_shot=None), how="brief", x="a cat", photo=IMG)
    assert flat == [PART, "\n\n", "Be brief.\n\na cat?"]


def test_a_payload_keeps_tools_and_marks_system_text_in_the_middle() -> None:
    messages = say(
        ("system", "S"),
        ("assistant", [ToolCall("c", "look")]),
        ("tool", [ToolResult("c", "1")]),
        ("system", "T"),
    )
    with pytest.raises(UnsupportedContentError, match="mid-conversation"):
        get_adapter("google_style").build_payload(messages)
    payload = get_adapter("google_style", system_in_middle="user").build_payload(messages)
    assert [content.role for content in payload] == ["user", "model", "user", "user"]
    assert payload[0].parts[0].text == "S"
    assert payload[2].parts[0].function_response.name == "look"
    assert payload[3].parts[0].text == "<system>\nT\n</system>"


def test_without_google_s_library_the_payload_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def absent(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.startswith("google"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", absent)
    adapter = get_adapter("google_style")
    with pytest.raises(MissingDependencyError, match=r"pip install 'prompt-adapters\[google\]'"):
        adapter.build_payload(Template(["A"], "S"))
    assert adapter.build_request(Template(["A", IMG], "S"))["config"] == {"system_instruction": "S"}
