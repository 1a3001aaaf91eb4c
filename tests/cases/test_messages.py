"""Failures that people reported about the shape of messages, each as a small input of its kind."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from prompt_adapters.adapters import adapter_for, get_adapter
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, Text, Video
from prompt_adapters.errors import MediaError, PromptFormatError, UnsupportedContentError

PDF = b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"
WAV = b"RIFF\x24\x00\x00\x00WAVEfmt " + bytes(28)
MP3 = b"\xff\xfb\x90\x00" + bytes(413)
MP4 = b"\x00\x00\x00\x1cftypisom\x00\x00\x02\x00isomiso2avc1"

CLAUDE = {"model": "claude-sonnet-4-5", "parameters": {"max_tokens": 16}}
STYLES = ("openai_style", "anthropic_style", "google_style")


def say(*roles_and_parts: Any) -> tuple[Message, ...]:
    return tuple(Message(role, parts) for role, parts in roles_and_parts)


def test_turns_of_one_role_are_merged_for_a_strict_target() -> None:
    """MSG-02: lobehub/lobehub#1496. Two assistant turns in a row."""
    messages = say(("user", "q"), ("assistant", "one"), ("assistant", "two"), ("user", "r"))
    turns = get_adapter("anthropic_style").build_body(messages)["messages"]
    assert [turn["role"] for turn in turns] == ["user", "assistant", "user"]
    assert [block["text"] for block in turns[1]["content"]] == ["one", "two"]


def test_an_assistant_that_speaks_first_is_an_error_for_a_strict_target() -> None:
    """MSG-03: Aider-AI/aider#1920. A conversation that begins with the assistant."""
    messages = say(("system", "s"), ("assistant", "Hello, how can I help?"), ("user", "q"))
    with pytest.raises(UnsupportedContentError, match=r"message 2 \(assistant\).*put a user turn before it"):
        get_adapter("anthropic_style").build_body(messages)
    assert [turn["role"] for turn in get_adapter("openai_style").build_body(messages)["messages"]] == [
        "system",
        "assistant",
        "user",
    ]


@pytest.mark.parametrize("style", STYLES)
def test_an_empty_text_goes_and_an_empty_turn_is_named(style: str) -> None:
    """MSG-04: BerriAI/litellm#23835. An empty text part, and a turn with nothing else."""
    body = get_adapter(style).build_body(Message("user", [Text(""), Text("q")]))
    turn = (body.get("messages") or body["contents"])[0]
    assert turn.get("content", turn.get("parts")) in ("q", [{"text": "q"}])
    with pytest.raises(PromptFormatError, match=r"message 1 \(user\) is empty: a variable was probably blank"):
        get_adapter(style).build_body(Message("user", [Text(""), Text("")]))


@pytest.mark.parametrize(("model", "taken"), [("claude-opus-4-6", False), ("claude-opus-4-5", True)])
def test_a_prefill_follows_the_model_s_rule(model: str, taken: bool) -> None:
    """MSG-08: Skyvern-AI/skyvern#4795. A final assistant turn for Claude 4.6 and later."""
    messages = say(("user", "Give JSON"), ("assistant", "{"))
    adapter = adapter_for(model, parameters={"max_tokens": 16})
    if taken:
        assert adapter.build_body(messages)["messages"][-1] == {"role": "assistant", "content": "{"}
    else:
        with pytest.raises(UnsupportedContentError, match="claude-opus-4-6 does not continue it"):
            adapter.build_body(messages)


@pytest.mark.parametrize("style", STYLES)
def test_a_prompt_without_a_user_turn_is_an_error_that_says_so(style: str) -> None:
    """MSG-10: BerriAI/litellm#13769, langchain-ai/langchain-google#1298. Only a system text."""
    with pytest.raises(PromptFormatError, match="the user turn is missing"):
        get_adapter(style).build_body(Message("system", "Write a haiku."))


@pytest.mark.parametrize("style", STYLES)
def test_an_empty_user_turn_is_not_filled_in(style: str) -> None:
    """MSG-11: googleapis/python-genai#878. A system text and an empty user text."""
    with pytest.raises(PromptFormatError, match=r"message 2 \(user\) is empty"):
        get_adapter(style).build_body(say(("system", "s"), ("user", "")))


@pytest.mark.parametrize("style", STYLES)
def test_several_system_texts_all_count_and_keep_their_order(style: str) -> None:
    """MSG-12: microsoft/autogen#6118. Several system texts at the beginning."""
    body = get_adapter(style).build_body(say(("system", "A"), ("system", "B"), ("user", "q")))
    expected: Any = {
        "openai_style": [{"role": "system", "content": "A"}, {"role": "system", "content": "B"}],
        "anthropic_style": [{"type": "text", "text": "A"}, {"type": "text", "text": "B"}],
        "google_style": {"parts": [{"text": "A"}, {"text": "B"}]},
    }[style]
    found = body.get("system") or body.get("systemInstruction") or body["messages"][:2]
    assert found == expected


def test_developer_is_system_except_for_openai() -> None:
    """MSG-15: router-for-me/CLIProxyAPI#3621. The role developer."""
    messages = say(("developer", "A"), ("user", "q"))
    assert adapter_for("gpt-4o").build_body(messages)["messages"][0]["role"] == "developer"
    assert adapter_for("deepseek/deepseek-chat").build_body(messages)["messages"][0]["role"] == "system"
    assert get_adapter("anthropic_style", **CLAUDE).build_body(messages)["system"] == "A"
    assert adapter_for("gemini/gemini-2.5-pro").build_body(messages)["systemInstruction"] == {"parts": [{"text": "A"}]}


def test_a_document_is_a_data_url_for_openai() -> None:
    """MSG-28: langchain-ai/langchainjs#9570. Bare base64 in file_data."""
    body = get_adapter("openai_style").build_body(Message("user", [Document(PDF)]))
    file = body["messages"][0]["content"][0]["file"]
    assert file["file_data"] == "data:application/pdf;base64," + base64.b64encode(PDF).decode()
    assert file["filename"]


def test_a_document_s_type_comes_from_its_bytes(tmp_path: Path) -> None:
    """MSG-30: langchain-ai/docs#2007. A document without a type."""
    path = tmp_path / "paper.bin"
    path.write_bytes(PDF)
    for document in (Document(path), Document(PDF), Document.from_base64(base64.b64encode(PDF).decode())):
        claude = get_adapter("anthropic_style").build_body(Message("user", [document]))
        assert claude["messages"][0]["content"][0]["source"]["media_type"] == "application/pdf"
        gemini = get_adapter("google_style").build_body(Message("user", [document]))
        assert gemini["contents"][0]["parts"][0]["inlineData"]["mimeType"] == "application/pdf"
    page = tmp_path / "not_a.pdf"
    page.write_bytes(b"<!DOCTYPE html><html><body>404</body></html>")
    with pytest.raises(MediaError, match="html"):
        Document(page)


@pytest.mark.parametrize(
    ("data", "name", "format_"),
    [(MP3, "silence.mp3", "mp3"), (WAV, "tone.wav", "wav"), (WAV, "wav_named.mp3", "wav")],
)
def test_audio_formats_have_openai_s_names(tmp_path: Path, data: bytes, name: str, format_: str) -> None:
    """MSG-31: zouharvi/last-translation-benchmark#201. 'mpeg' and 'x-wav' as audio formats."""
    path = tmp_path / name
    path.write_bytes(data)
    body = get_adapter("openai_style").build_body(Message("user", [Audio(path)]))
    assert body["messages"][0]["content"][0]["input_audio"]["format"] == format_


@pytest.mark.parametrize("label", ["audio/x-wav", "audio/wave", "audio/vnd.wave"])
def test_every_label_of_wav_is_wav(label: str) -> None:
    url = f"data:{label};base64," + base64.b64encode(WAV).decode()
    body = get_adapter("openai_style").build_body(Message("user", [Audio(url)]))
    assert body["messages"][0]["content"][0]["input_audio"]["format"] == "wav"


def test_a_video_is_a_video_for_vllm() -> None:
    """MSG-35: vllm-project/vllm#27071. A film as an image."""
    body = adapter_for("hosted_vllm/qwen-vl").build_body(Message("user", [Video(MP4)]))
    url = "data:video/mp4;base64," + base64.b64encode(MP4).decode()
    assert body["messages"][0]["content"] == [{"type": "video_url", "video_url": {"url": url}}]


def test_a_bucket_is_refused_by_the_gemini_api_and_read_by_vertex() -> None:
    """IMG-51: google-gemini/deprecated-generative-ai-python#357. A bucket's address for the Gemini API."""
    message = Message("user", [Image("gs://bucket-x/k/cat.png")])
    with pytest.raises(UnsupportedContentError, match="gs://"):
        adapter_for("gemini/gemini-2.5-flash").build_body(message)
    parts = adapter_for("vertex_ai/gemini-2.5-flash").build_body(message)["contents"][0]["parts"]
    assert parts == [{"fileData": {"mimeType": "image/png", "fileUri": "gs://bucket-x/k/cat.png"}}]


def test_links_stay_links() -> None:
    """IMG-54, IMG-55: BerriAI/litellm#6936, BerriAI/litellm#12899. Links that the provider reads are not downloaded."""
    film = Message("user", [Video("https://vid.example/a.mp4")])
    parts = adapter_for("vertex_ai/gemini-2.5-flash").build_body(film)["contents"][0]["parts"]
    assert parts == [{"fileData": {"mimeType": "video/mp4", "fileUri": "https://vid.example/a.mp4"}}]
    picture = Message("user", [Image("https://img.example/p/4mb.jpg")])
    content = get_adapter("anthropic_style").build_body(picture)["messages"][0]["content"]
    assert content == [{"type": "image", "source": {"type": "url", "url": "https://img.example/p/4mb.jpg"}}]


def test_the_prefix_beats_the_name() -> None:
    """RTE-14: BerriAI/litellm#36800. An explicit prefix or adapter beats the name."""
    request = adapter_for("gemini/gpt-4o").build_request(Message("user", "q"))
    assert request == {"model": "gpt-4o", "contents": [{"role": "user", "parts": [{"text": "q"}]}]}
    assert "messages" in get_adapter("openai_style", model="claude-opus-5").build_request(Message("user", "q"))
