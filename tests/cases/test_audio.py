"""Failures that people reported with sounds, each as a small input of its kind; and what each target calls a sound."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from official import strict_types
from prompt_adapters import Audio, Message, adapter_for
from prompt_adapters.errors import MediaError, UnsupportedContentError


def box(kind: bytes, body: bytes) -> bytes:
    return (8 + len(body)).to_bytes(4, "big") + kind + body


SOUNDS = {
    "wav": b"RIFF" + (36).to_bytes(4, "little") + b"WAVEfmt " + bytes(28),
    "mp3": b"\xff\xfb\x90\x00" + bytes(413),
    "id3": b"ID3\x03\0\0\0\0\0\x04" + bytes(4) + b"\xff\xfb\x90\x00" + bytes(413),
    "flac": b"fLaC\0\0\0\x22" + bytes(34),
    "ogg": b"OggS\0\2" + bytes(20) + b"\x01\x08" + b"\x01vorbis\0",
    "opus": b"OggS\0\2" + bytes(20) + b"\x01\x08" + b"OpusHead",
    "aac": b"\xff\xf1\x50\x80" + bytes(20),
    "m4a": box(b"ftyp", b"M4A \0\0\0\0M4A mp42") + box(b"moov", bytes(20)) + box(b"mdat", bytes(20)),
    "mp4": box(b"ftyp", b"isom\0\0\0\0isommp42") + box(b"moov", bytes(20)) + box(b"mdat", bytes(20)),
    "webm": b"\x1aE\xdf\xa3\x87\x42\x82\x84webm" + bytes(20),
    "aiff": b"FORM" + (20).to_bytes(4, "big") + b"AIFF" + bytes(16),
}
OPENAI = "openai/gpt-audio"
GEMINI = "gemini/gemini-2.5-pro"
VERTEX = "vertex_ai/gemini-2.5-pro"
NOVA = "bedrock/amazon.nova-sonic-v1:0"
MISTRAL = "mistral/voxtral-small-latest"
# What each target calls a sound; the others are refused.
CALLED: dict[str, dict[str, str]] = {
    OPENAI: {"wav": "wav", "mp3": "mp3", "id3": "mp3"},
    GEMINI: {
        "wav": "audio/wav",
        "mp3": "audio/mp3",
        "id3": "audio/mp3",
        "flac": "audio/flac",
        "ogg": "audio/ogg",
        "opus": "audio/ogg",
        "aac": "audio/aac",
        "aiff": "audio/aiff",
    },
    VERTEX: {
        "wav": "audio/wav",
        "mp3": "audio/mp3",
        "id3": "audio/mp3",
        "flac": "audio/flac",
        "ogg": "audio/ogg",
        "opus": "audio/ogg",
        "aac": "audio/x-aac",
        "m4a": "audio/mp4",
        "mp4": "audio/mp4",
        "webm": "audio/webm",
    },
}


def content(model: str, audio: Audio, **options: Any) -> dict[str, Any]:
    adapter = adapter_for(model, **options)
    body = adapter.build_body(Message("user", ["Listen.", audio]))
    assert strict_types().BODY_FAULTS[adapter.style](body) == []
    turn = (body.get("messages") or body["contents"])[0]
    part: dict[str, Any] = (turn.get("content") or turn["parts"])[1]
    return part


def called(model: str, audio: Audio) -> tuple[str, bytes]:
    part = content(model, audio)
    sound = part.get("input_audio") or part["inlineData"]
    return sound.get("format") or sound["mimeType"], base64.b64decode(sound["data"])


@pytest.mark.parametrize("kind", SOUNDS)
@pytest.mark.parametrize("model", CALLED)
def test_a_sound_is_called_as_the_target_calls_it_or_refused_with_what_is_taken(model: str, kind: str) -> None:
    """MSG-31: zouharvi/last-translation-benchmark#201. 'mpeg' and 'x-wav' are no formats."""
    audio = Audio(SOUNDS[kind])
    if kind in CALLED[model]:
        assert called(model, audio) == (CALLED[model][kind], SOUNDS[kind])
        assert adapter_for(model).limits.audio_types is not None
        return
    with pytest.raises(UnsupportedContentError) as caught:
        content(model, audio)
    assert caught.value.position == "message 1 (user), part 2"
    for mime in adapter_for(model).limits.audio_types or ():
        assert mime in caught.value.reason
        assert mime in caught.value.remedy


@pytest.mark.parametrize(
    "label", ["audio/mpeg", "audio/mp3", "audio/x-mp3", "audio/mpga", "mp3", "application/octet-stream"]
)
def test_every_label_of_mp3_is_mp3(label: str) -> None:
    assert called(OPENAI, Audio(SOUNDS["mp3"], mime=label))[0] == "mp3"
    assert called(GEMINI, Audio(SOUNDS["mp3"], mime=label))[0] == "audio/mp3"


@pytest.mark.parametrize("label", ["audio/x-wav", "audio/wave", "audio/vnd.wave", "audio/wav", "wav"])
def test_every_label_of_wav_is_wav(label: str) -> None:
    assert called(OPENAI, Audio(SOUNDS["wav"], mime=label))[0] == "wav"
    assert called(GEMINI, Audio(SOUNDS["wav"], mime=label))[0] == "audio/wav"


def test_bytes_beat_the_name(tmp_path: Path) -> None:
    path = tmp_path / "wav_named.mp3"
    path.write_bytes(SOUNDS["wav"])
    assert called(OPENAI, Audio(path))[0] == "wav"
    notes = adapter_for(OPENAI).prepare(Message("user", [Audio(path)])).notes
    assert "its label said audio/mpeg" in str(notes)


@pytest.mark.parametrize("name", ["zero.wav", "zero.mp3"])
def test_an_empty_sound_is_refused_with_its_path(name: str, tmp_path: Path) -> None:
    """IMG-33: anthropics/claude-code#12750. An empty file is sent."""
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(ValueError, match=f"{name}.* is empty"):
        Audio(tmp_path / name)


@pytest.mark.parametrize(("kind", "model"), [("wav", OPENAI), ("m4a", VERTEX), ("aiff", GEMINI), ("ogg", GEMINI)])
def test_a_sound_that_is_cut_off_is_refused(kind: str, model: str) -> None:
    with pytest.raises(MediaError, match=r"message 1 \(user\), part 2: the audio .*cut off"):
        content(model, Audio(SOUNDS[kind][:-5]))


@pytest.mark.parametrize("model", ["anthropic/claude-opus-5", "cohere/command-a-03-2025", "ollama_chat/llava"])
def test_a_target_that_hears_nothing_says_so(model: str) -> None:
    with pytest.raises(UnsupportedContentError, match="takes no audio"):
        adapter_for(model).build_body(Message("user", ["Listen.", Audio(SOUNDS["wav"])]))


def test_mistral_takes_a_sound_without_a_format() -> None:
    body = adapter_for(MISTRAL).build_body(Message("user", ["Listen.", Audio(SOUNDS["mp3"])]))
    assert base64.b64encode(SOUNDS["mp3"]).decode() in str(body)
    assert "mpeg" not in str(body)


@pytest.mark.parametrize(
    ("kind", "word"),
    [("mp3", "mp3"), ("wav", "wav"), ("aac", "aac"), ("m4a", "mp4"), ("opus", "ogg"), ("webm", "webm")],
)
def test_converse_has_words_of_its_own(kind: str, word: str) -> None:
    body = adapter_for(NOVA).build_body(Message("user", ["Listen.", Audio(SOUNDS[kind])]))
    assert body["messages"][0]["content"][1]["audio"]["format"] == word
