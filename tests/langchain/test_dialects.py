"""The block that each medium becomes, per package."""

import base64
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import pytest
from langchain_core.language_models._utils import _normalize_messages
from langchain_core.messages import HumanMessage
from langchain_core.messages.block_translators.openai import convert_to_openai_data_block

from prompt_adapters import (
    PROMPT_ADAPTER_REGISTRY,
    Audio,
    Document,
    Image,
    Message,
    ToolCall,
    ToolResult,
    Video,
    adapter_for,
    get_adapter,
)
from prompt_adapters.adapters.spots import Spot
from prompt_adapters.content.read import read_part
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.langchain.dialects import DIALECTS, PORTABLE, Dialect, default_name, dialect_of
from prompt_adapters.langchain.messages import langchain_messages

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
PDF = b"%PDF-1.4\n%%EOF\n"
WAV = b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x80\x3e\0\0\2\0\x10\0data\0\0\0\0"
MP3 = b"ID3\4\0\0\0\0\0\0" + b"\xff\xfb\x90\0" + bytes(413)
MP4 = b"\0\0\0\x18ftypisom\0\0\2\0isomiso2" + b"\0\0\0\x08free"


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


ANTHROPIC, GOOGLE, OPENAI, RESPONSES, BEDROCK, MISTRAL = (
    dialect_of(get_adapter(f"{name}_style"))
    for name in ("anthropic", "google", "openai", "openai_responses", "bedrock", "mistral")
)
VLLM = dialect_of(adapter_for("hosted_vllm/Qwen/Qwen2.5-VL-7B-Instruct"))
DATA_URL = f"data:image/png;base64,{b64(PNG)}"
URL = "https://example.org/a"

BLOCKS: dict[str, tuple[Any, Dialect, Mapping[str, Any]]] = {
    "portable image": (Image(PNG), PORTABLE, {"type": "image_url", "image_url": {"url": DATA_URL}}),
    "portable image, detail": (
        Image(PNG, detail="low"), PORTABLE, {"type": "image_url", "image_url": {"url": DATA_URL, "detail": "low"}}
    ),
    "portable image, link": (Image(f"{URL}.png"), PORTABLE, {"type": "image_url", "image_url": {"url": f"{URL}.png"}}),
    "portable image, bucket": (
        Image("gs://b/a.png"), PORTABLE, {"type": "image", "url": "gs://b/a.png", "mime_type": "image/png"}
    ),
    "portable image, uploaded": (Image.from_uploaded("file-1"), PORTABLE, {"type": "image", "file_id": "file-1"}),
    "portable WAV": (Audio(WAV), PORTABLE, {"type": "audio", "base64": b64(WAV), "mime_type": "audio/wav"}),
    "portable MP3": (Audio(MP3), PORTABLE, {"type": "audio", "base64": b64(MP3), "mime_type": "audio/mp3"}),
    "portable video": (Video(MP4), PORTABLE, {"type": "video", "base64": b64(MP4), "mime_type": "video/mp4"}),
    "portable PDF": (
        Document(PDF, name="a.pdf", title="T"),
        PORTABLE,
        {
            "type": "file",
            "base64": b64(PDF),
            "mime_type": "application/pdf",
            "title": "T",
            "extras": {"filename": "a.pdf"},
        },
    ),
    "portable PDF without a name": (
        Document(PDF),
        PORTABLE,
        {"type": "file", "base64": b64(PDF), "mime_type": "application/pdf", "extras": {"filename": "document.pdf"}},
    ),
    "portable document, link": (
        Document(f"{URL}.pdf"), PORTABLE, {"type": "file", "url": f"{URL}.pdf", "mime_type": "application/pdf"}
    ),
    "OpenAI image": (Image(PNG), OPENAI, {"type": "image_url", "image_url": {"url": DATA_URL}}),
    "OpenAI WAV": (Audio(WAV), OPENAI, {"type": "input_audio", "input_audio": {"data": b64(WAV), "format": "wav"}}),
    "OpenAI MP3": (Audio(MP3), OPENAI, {"type": "input_audio", "input_audio": {"data": b64(MP3), "format": "mp3"}}),
    "a server's video, link": (
        Video(f"{URL}.mp4"), VLLM, {"type": "video_url", "video_url": {"url": f"{URL}.mp4"}}
    ),
    "Anthropic image": (Image(PNG), ANTHROPIC, {"type": "image", "base64": b64(PNG), "mime_type": "image/png"}),
    "Anthropic image, cached": (
        Image(PNG, cache=True),
        ANTHROPIC,
        {"type": "image", "base64": b64(PNG), "mime_type": "image/png", "cache_control": {"type": "ephemeral"}},
    ),
    "Anthropic PDF": (
        Document(PDF, name="a.pdf"),
        ANTHROPIC,
        {
            "type": "file",
            "base64": b64(PDF),
            "mime_type": "application/pdf",
            "extras": {"filename": "a.pdf"},
            "title": "a.pdf",
        },
    ),
    "Anthropic text": (
        Document("\ufeffé".encode(), name="a.txt", title="T"),
        ANTHROPIC,
        {"type": "text-plain", "mime_type": "text/plain", "text": "é", "title": "T"},
    ),
    "Google image": (Image(PNG), GOOGLE, {"type": "media", "mime_type": "image/png", "data": b64(PNG)}),
    "Google MP3": (Audio(MP3), GOOGLE, {"type": "media", "mime_type": "audio/mp3", "data": b64(MP3)}),
    "Google link": (Image(f"{URL}.png"), GOOGLE, {"type": "media", "mime_type": "image/png", "file_uri": f"{URL}.png"}),
    "Google upload": (
        Document.from_uploaded("https://g/files/1", mime="application/pdf"),
        GOOGLE,
        {"type": "media", "mime_type": "application/pdf", "file_uri": "https://g/files/1"},
    ),
    "Google clip": (
        Video(MP4, start=1.5, end=3, fps=2),
        GOOGLE,
        {
            "type": "media",
            "mime_type": "video/mp4",
            "data": b64(MP4),
            "video_metadata": {"start_offset": "1.5s", "end_offset": "3s", "fps": 2},
        },
    ),
    "Responses image": (
        Image(PNG, detail="low"), RESPONSES, {"type": "image_url", "image_url": {"url": DATA_URL, "detail": "low"}}
    ),
    "Responses text, uploaded image": (
        Image.from_uploaded("file-1", mime="image/png", detail="low"),
        RESPONSES,
        {"type": "input_image", "file_id": "file-1", "detail": "low"},
    ),
    "Responses upload": (Document.from_uploaded("file-1"), RESPONSES, {"type": "file", "file_id": "file-1"}),
    "Bedrock image": (Image(PNG), BEDROCK, {"type": "image_url", "image_url": {"url": DATA_URL}}),
    "Bedrock WAV": (Audio(WAV), BEDROCK, {"audio": {"format": "wav", "source": {"bytes": WAV}}}),
    "Bedrock video": (Video(MP4), BEDROCK, {"type": "video", "base64": b64(MP4), "mime_type": "video/mp4"}),
    "Bedrock bucket": (
        Video("s3://bucket/a.mp4"), BEDROCK, {"video": {"format": "mp4", "source": {"s3Location": {"uri": "s3://bucket/a.mp4"}}}}
    ),
    "Bedrock PDF": (
        Document(PDF, name="a"),
        BEDROCK,
        {"type": "file", "base64": b64(PDF), "mime_type": "application/pdf", "extras": {"name": "a"}},
    ),
    "Mistral image": (Image(PNG), MISTRAL, {"type": "image_url", "image_url": DATA_URL}),
    "Mistral text, audio": (Audio(WAV), MISTRAL, {"type": "input_audio", "input_audio": b64(WAV)}),
    "Mistral text, PDF": (
        Document(PDF, name="a.pdf"),
        MISTRAL,
        {
            "type": "document_url",
            "document_url": f"data:application/pdf;base64,{b64(PDF)}",
            "document_name": "a.pdf",
        },
    ),
}  # fmt: skip


@pytest.mark.parametrize(("part", "dialect", "block"), BLOCKS.values(), ids=BLOCKS)
def test_a_medium_becomes_this_block(part: Any, dialect: Dialect, block: Mapping[str, Any]) -> None:
    assert dialect.block(part, Spot(0, "user"), in_result=False) == block


@pytest.mark.parametrize("name", [name for name in BLOCKS if "Google" not in name and "text" not in name])
def test_blocks_are_read_back(name: str) -> None:
    part, dialect, block = BLOCKS[name]
    back = read_part(block)
    if isinstance(part, Document) and part.name is None and "base64" in block:
        part = part.replace(name="document.pdf")
    if dialect is ANTHROPIC and isinstance(part, Document):
        part = part.replace(title=part.title or part.name)
    assert back == part


def test_google_needs_the_type_of_a_link() -> None:
    for in_result in (False, True):
        with pytest.raises(UnsupportedContentError, match="Google asks for the type of a linked file"):
            GOOGLE.block(Image("https://example.org/photo"), Spot(0, "user", 0), in_result=in_result)


LACKING: dict[str, tuple[Any, Dialect, Spot, str]] = {
    "Mistral, an uploaded image": (
        Image.from_uploaded("file-1"),
        MISTRAL,
        Spot(0, "user", 0),
        "langchain-mistralai cannot take image (uploaded file-1) at message 1 (user), part 1: it has no form that goes "
        "through whole; give the bytes or a link, or use AdapterRunnable('mistral_style') and Mistral's own client",
    ),
    "OpenAI, a document by a link": (
        Document(f"{URL}.pdf"),
        OPENAI,
        Spot(0, "user", 1),
        f"langchain-openai cannot take document ({URL}.pdf) at message 1 (user), part 2: it has no form that goes "
        "through whole; give the bytes",
    ),
    "Anthropic, an image in a system text": (
        Image(PNG),
        ANTHROPIC,
        Spot(0, "system", 0),
        f"langchain-anthropic cannot take image ({Image(PNG).source.describe()}) at message 1 (system), part 1: a "
        "system text holds only text; move it to a user turn",
    ),
}


@pytest.mark.parametrize(("part", "dialect", "spot", "said"), LACKING.values(), ids=LACKING)
def test_a_cell_that_a_row_lacks_is_refused(part: Any, dialect: Dialect, spot: Spot, said: str) -> None:
    with pytest.raises(UnsupportedContentError) as caught:
        dialect.block(part, spot, in_result=False)
    assert str(caught.value) == said


def test_google_takes_links_in_tool_results_as_files() -> None:
    block = GOOGLE.block(Image(f"{URL}.png"), Spot(2, "tool", 0, 1), in_result=True)
    assert block == {"type": "image", "file_id": f"{URL}.png", "mime_type": "image/png"}


def test_bedrock_gives_every_document_a_name_of_its_own() -> None:
    call = Message("assistant", [ToolCall("1", "f", {})])
    result = Message("tool", ToolResult("1", ["see", Document(PDF, title="My: plan")]))
    first = Message("user", ["q", Document(PDF, name="my.plan.pdf"), Document(PDF, name="my plan.pdf")])
    adapter = get_adapter("bedrock_style")
    made: list[Any] = langchain_messages((first, call, result), adapter)
    blocks = [*made[0].content[1:], made[2].content[1]]
    assert [block["extras"]["name"] for block in blocks] == ["my plan", "my plan (2)", "My plan (3)"]
    sent = adapter.build_request([first, call, result])["messages"]
    documents = [*sent[0]["content"][1:], sent[2]["content"][0]["toolResult"]["content"][1]]
    assert [item["document"]["name"] for item in documents] == ["my plan", "my plan (2)", "My plan (3)"]


def test_media_in_tool_results_keep_a_form_that_google_knows_for_media() -> None:
    message = Message("tool", ToolResult("1", ["see", Image(PNG)]))
    made = langchain_messages((Message("user", "q"), message), None)
    assert made[1].content == [{"type": "text", "text": "see"}, {"type": "image_url", "image_url": {"url": DATA_URL}}]
    assert GOOGLE.block(Image(PNG), Spot(0, "tool"), in_result=True)["type"] == "image_url"


def test_what_langchain_makes_of_audio_and_files_is_what_openai_knows() -> None:
    """Chat models normalize messages and translate standard blocks with these two functions."""
    parts = [Audio(MP3), Audio(WAV), Document(PDF, name="a.pdf")]
    for adapter in (None, get_adapter("openai_style")):
        (message,) = _normalize_messages(langchain_messages((Message("user", parts),), adapter))
        assert isinstance(message, HumanMessage)
        made = [convert_to_openai_data_block(block) for block in message.content if isinstance(block, dict)]
        assert made == get_adapter("openai_style").build_request(Message("user", parts))["messages"][0]["content"]


KINDS = {"image", "audio", "video", "document", "text"}


@pytest.mark.parametrize("style", DIALECTS)
def test_every_row_is_a_style_and_uses_the_words_of_the_table(style: str) -> None:
    row = DIALECTS[style]
    assert style in PROMPT_ADAPTER_REGISTRY
    for table in (row.forms, row.results, row.systems):
        assert {kind for kind, _ in table} <= KINDS
        assert {where for _, where in table} <= {"inline", "link", "uploaded"}
        assert table.keys() <= PORTABLE.forms.keys() | row.forms.keys()
    assert row.portable.keys() <= KINDS
    assert style == "litellm_style" or all(
        (kind, where) in row.forms for kind, places in row.portable.items() for where in places
    )


@pytest.mark.parametrize("style", DIALECTS)
def test_a_row_is_of_the_version_that_is_installed(style: str) -> None:
    """A newer one may pass on other things: look at it with `test_packages`, then write its version into the row."""
    row = DIALECTS[style]
    if style == "cohere_style":
        assert row.version == ""
        with pytest.raises(PackageNotFoundError):
            version(row.package)
        return
    assert version(row.package).split(".")[:2] == row.version.split(".")[:2]


def test_portable_documents_have_a_name_for_openai_and_one_for_bedrock() -> None:
    parts = [Document(PDF, name="my.plan.pdf"), Document(PDF, name="my plan.pdf"), Document(PDF)]
    (message,) = langchain_messages((Message("user", parts),))
    names = [(block["extras"]["filename"], block["extras"]["name"]) for block in message.content]  # type: ignore[index]  # they are blocks
    assert names == [
        ("my.plan.pdf", "my plan"), ("my plan.pdf", "my plan (2)"), ("document.pdf", "document-1")
    ]  # fmt: skip


def test_a_model_that_takes_system_text_in_the_middle_gets_it_there() -> None:
    """langchain-anthropic goes by its own table of models, which agrees with this package's."""
    from langchain_anthropic.data._profiles import _PROFILES

    for model, profile in _PROFILES.items():
        dialect = dialect_of(adapter_for(f"anthropic/{model}"))
        assert dialect.system_leads != bool(profile.get("mid_conversation_system_messages")), model


@pytest.mark.parametrize(
    ("mime", "name"),
    [
        ("application/pdf", "document.pdf"),
        ("text/csv", "document.csv"),
        ("application/x-y", "document.bin"),
        (None, "document.bin"),
    ],
)
def test_a_document_without_a_name_gets_a_neutral_one(mime: str | None, name: str) -> None:
    assert default_name(mime) == name
