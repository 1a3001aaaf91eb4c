"""The table of conversations that every shape is measured by."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, Text, ToolCall, ToolResult, Video


def _png(red: int, green: int, blue: int) -> bytes:
    """A picture of one pixel in this colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    # Stored, not compressed: the bytes are the same with every zlib.
    row = bytes((0, red, green, blue))
    stored = (
        b"\x78\x01\x01" + struct.pack("<HH", len(row), len(row) ^ 0xFFFF) + row + struct.pack(">I", zlib.adler32(row))
    )
    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", stored) + chunk(b"IEND", b"")


RED, GREEN, BLUE = _png(255, 0, 0), _png(0, 255, 0), _png(0, 0, 255)
JPEG = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQ"
    "CgwSExIQEw8QEBD/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8A"
    "VN//2Q=="
)
WAV = (
    b"RIFF\x28\x00\x00\x00WAVEfmt "
    + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8)
    + b"data\x04\x00\x00\x00"
    + bytes(4)
)
MP3 = b"\xff\xfb\x90\x00" + bytes(413)
MP4 = b"\x00\x00\x00\x1cftypisom\x00\x00\x02\x00isomiso2avc1"
PDF = b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n"
FILES = "https://generativelanguage.googleapis.com/v1beta/files/abc"
SCHEMA = {"type": "object", "properties": {"is_cat": {"type": "boolean"}}, "required": ["is_cat"]}


class Conversation(NamedTuple):
    """One row.

    Attributes:
        messages: What is said.
        parameters: The parameters of the call.
        options: The adapter's options.
        models: Models other than the usual ones, by style.
    """

    messages: tuple[Message, ...]
    parameters: Mapping[str, Any] = {}
    options: Mapping[str, Any] = {}
    models: Mapping[str, str] = {}


def say(*roles_and_parts: Any) -> tuple[Message, ...]:
    """Messages from pairs."""
    return tuple(Message(role, parts) for role, parts in roles_and_parts)


_TOOL_HISTORY = say(
    ("user", "What is the weather in Paris and Rome?"),
    (
        "assistant",
        [
            "I look it up.",
            ToolCall("call_1", "weather", {"city_name": "Paris", "days": [1, 2]}),
            ToolCall("call_2", "weather", {"city_name": "Rome"}),
        ],
    ),
    ("tool", [ToolResult("call_1", "17 °C")]),
    ("tool", [ToolResult("call_2", "no such city", error=True)]),
)

CONVERSATIONS: dict[str, Conversation] = {
    "text": Conversation(say(("user", "Hello."))),
    "system_and_text": Conversation(say(("system", "Be brief."), ("user", "2+2?"))),
    "developer": Conversation(say(("developer", "Be brief."), ("user", "2+2?"))),
    "several_systems": Conversation(say(("system", "Be brief."), ("developer", "Be kind."), ("user", "2+2?"))),
    "turns": Conversation(say(("system", "Add."), ("user", "2+2?"), ("assistant", "4"), ("user", "3+3?"))),
    "unicode_and_whitespace": Conversation(say(("user", "  Grüße,\r\n\t世界 🚀 {{ x }} %y% $z$ \u2028 end \n"))),
    "two_texts": Conversation(say(("user", ["First.", "Second."]))),
    "image": Conversation(say(("user", [Image(RED)]))),
    "text_image_text": Conversation(say(("user", ["Is it a cat?", "\n", Image(RED), "\n\n", "Answer yes or no."]))),
    "several_images": Conversation(say(("user", ["A:", Image(RED), "B:", Image(GREEN), "C:", Image(JPEG)]))),
    "images_side_by_side": Conversation(say(("user", ["Compare.", "\n", Image(RED), "\n\n", Image(BLUE)]))),
    "image_detail": Conversation(say(("user", ["Look closely.", Image(RED, detail="high")]))),
    "image_link": Conversation(say(("user", ["Describe.", Image("https://example.com/a.png")]))),
    "image_of_a_bucket": Conversation(
        say(("user", ["Describe.", Image("gs://bucket/a.png")])), models={"google_style": "vertex_ai/gemini-2.5-pro"}
    ),
    "image_of_s3": Conversation(say(("user", ["Describe.", Image("s3://bucket/a.png")]))),
    "few_shot_with_images": Conversation(
        say(
            ("system", "Name the colour."),
            ("user", ["This:", Image(RED)]),
            ("assistant", "red"),
            ("user", ["This:", Image(GREEN)]),
            ("assistant", "green"),
            ("user", ["This:", Image(BLUE)]),
        )
    ),
    "image_in_assistant_turn": Conversation(say(("user", "Draw."), ("assistant", [Image(RED)]), ("user", "Again."))),
    "image_in_system_turn": Conversation(say(("system", ["Like this:", Image(RED)]), ("user", "Draw."))),
    "pdf": Conversation(say(("user", [Document(PDF, name="paper.pdf", title="A paper"), "Summarise."]))),
    "pdf_without_name": Conversation(say(("user", [Document(PDF), "Summarise."]))),
    "pdf_link": Conversation(say(("user", [Document("https://example.com/a.pdf"), "Summarise."]))),
    "text_document": Conversation(say(("user", [Document("Grüße\n".encode(), name="a.txt"), "Translate."]))),
    "uploaded_openai": Conversation(say(("user", [Document.from_uploaded("file-abc"), "Summarise."]))),
    "uploaded_google": Conversation(
        say(("user", [Document.from_uploaded(FILES, mime="application/pdf"), "Summarise."]))
    ),
    "uploaded_image": Conversation(say(("user", [Image.from_uploaded("file_011abc"), "Describe."]))),
    "wav": Conversation(say(("user", ["Transcribe.", Audio(WAV)])), models={"openai_style": "openai/gpt-audio"}),
    "mp3": Conversation(say(("user", ["Transcribe.", Audio(MP3)])), models={"openai_style": "openai/gpt-audio"}),
    "video": Conversation(say(("user", ["Describe.", Video(MP4)]))),
    "clipped_video": Conversation(
        say(("user", ["Describe.", Video(FILES, start=1, end=5.5, fps=2, mime="video/mp4")]))
    ),
    "youtube": Conversation(say(("user", ["Describe.", Video("https://www.youtube.com/watch?v=9hE5-98ZeCg")]))),
    "tools": Conversation((*_TOOL_HISTORY, Message("user", "So?"))),
    "tools_last": Conversation(_TOOL_HISTORY),
    "image_in_tool_result": Conversation(
        say(
            ("user", "Draw."),
            ("assistant", [ToolCall("call_1", "draw", {})]),
            ("tool", [ToolResult("call_1", ["Here:", Image(RED)])]),
        )
    ),
    "consecutive_users": Conversation(say(("user", "One."), ("user", ["Two.", Image(RED)]), ("user", "Three."))),
    "consecutive_assistants": Conversation(
        say(("user", "q"), ("assistant", "one"), ("assistant", "two"), ("user", "r"))
    ),
    "assistant_first": Conversation(say(("assistant", "How can I help?"), ("user", "q"))),
    "prefill": Conversation(say(("user", "Give JSON."), ("assistant", '{"answer": \n'))),
    "prefill_for_a_model_without": Conversation(
        say(("user", "Give JSON."), ("assistant", "{")),
        models={"anthropic_style": "anthropic/claude-opus-5", "bedrock_style": "bedrock/anthropic.claude-opus-5"},
    ),
    "system_in_the_middle": Conversation(
        say(("user", "Hi."), ("system", "Be formal."), ("assistant", "Good day."), ("user", "How are you?"))
    ),
    "system_in_the_middle_for_a_model_with": Conversation(
        say(("user", "Hi."), ("system", "Be formal."), ("assistant", "Good day."), ("user", "How are you?")),
        models={"anthropic_style": "anthropic/claude-opus-5", "bedrock_style": "bedrock/anthropic.claude-opus-5"},
    ),
    "system_in_the_middle_as_user": Conversation(
        say(("user", "Hi."), ("assistant", "Hello."), ("system", "Be formal."), ("user", "How are you?")),
        options={"system_in_middle": "user"},
    ),
    "names": Conversation(
        (Message("user", "Hi.", name="ann"), Message("assistant", "Hello.", name="bot"), Message("user", "?"))
    ),
    "cache": Conversation(
        (
            Message("system", [Text("Long rules."), Text("More rules.", cache=True)]),
            Message("user", [Document(PDF, cache=True), Text("First question.")], cache=True),
            Message("assistant", "Answer."),
            Message("user", "Second question."),
        )
    ),
    "empty_texts": Conversation(say(("system", ""), ("user", ["", "Hi.", ""]))),
    "empty_turn": Conversation(say(("user", "Hi."), ("assistant", ""), ("user", "?"))),
    "only_system": Conversation(say(("system", "Write a haiku."))),
    "sampling": Conversation(say(("user", "Hi.")), {"temperature": 0.5, "top_p": 0.9, "stop": ["END", "STOP"]}),
    "top_k": Conversation(say(("user", "Hi.")), {"top_k": 40}),
    "penalties_and_seed": Conversation(
        say(("user", "Hi.")), {"presence_penalty": 0.5, "frequency_penalty": 0.25, "seed": 7, "n": 2}
    ),
    "json_schema": Conversation(
        say(("user", "Is it a cat?")),
        {"response_format": {"type": "json_schema", "json_schema": {"name": "verdict", "schema": SCHEMA}}},
    ),
    "json_object": Conversation(say(("user", "Is it a cat? JSON.")), {"response_format": {"type": "json_object"}}),
    "dropped_parameters": Conversation(
        say(("user", "Hi.")), {"seed": 7, "top_k": 40, "n": 1, "max_tokens": 9}, {"unknown_parameters": "drop"}
    ),
    "system_folded": Conversation(
        say(("system", "Be brief."), ("user", ["What is it?", Image(RED)])), options={"system": "fold"}
    ),
    "system_folded_before_an_image": Conversation(
        say(("system", "Describe."), ("user", [Image(RED)])), options={"system": "fold"}
    ),
    "system_folded_alone": Conversation(say(("system", "Write a haiku.")), options={"system": "fold"}),
    "systems_joined": Conversation(
        say(("system", "Be brief."), ("developer", ["Be ", "kind."]), ("user", "2+2?")), options={"system": "one"}
    ),
    "system_in_the_middle_when_one_is_wanted": Conversation(
        say(("system", "A."), ("user", "Hi."), ("system", "B."), ("user", "?")), options={"system": "one"}
    ),
    "model_without_system": Conversation(
        say(("system", "Add."), ("user", "2+2?"), ("assistant", "4"), ("user", "3+3?")),
        models={
            "openai_style": "hosted_vllm/google/gemma-2-9b-it",
            "google_style": "gemini/gemma-3-27b-it",
            "bedrock_style": "bedrock/mistral.mistral-7b-instruct-v0:2",
        },
    ),
    "model_with_one_system": Conversation(
        say(("system", "Be brief."), ("system", "Be kind."), ("user", "2+2?")),
        models={"openai_style": "hosted_vllm/google/gemma-3-27b-it"},
    ),
    "turns_of_one_role": Conversation(
        say(("user", "One."), ("user", ["Two.", "Three."]), ("assistant", "a"), ("assistant", "b"), ("user", "?"))
    ),
    "cache_with_breakpoints": Conversation(
        (
            Message("system", "Rules.", cache=True),
            Message("user", [Image(RED, cache=True), Text("First.", cache=True), Document(PDF, cache=True)]),
            Message("assistant", "Answer.", cache=True),
            Message("user", [Text("Second.", cache=True), "Third."]),
        ),
        models={"openai_style": "openai/gpt-5.6"},
    ),
    "blank_between_images": Conversation(say(("user", ["Compare.", Image(RED), "\n\n", Image(BLUE), "\n"]))),
    "blank_turn": Conversation(say(("user", "Hi."), ("assistant", " \n"), ("user", "?"))),
    "documents_of_one_name": Conversation(
        say(("user", [Document(PDF, name="a.pdf"), Document(PDF + b"\n", name="a.pdf"), "Compare."]))
    ),
    "document_alone": Conversation(say(("user", [Document(PDF)]))),
    "empty_tool_result": Conversation(
        say(("user", "Look."), ("assistant", [ToolCall("call_1", "look", {})]), ("tool", [ToolResult("call_1", "")]))
    ),
    "call_last": Conversation(say(("user", "Look."), ("assistant", ["So:", ToolCall("call_1", "look", {})]))),
    "audio_link": Conversation(say(("user", ["Transcribe.", Audio("https://example.com/a.mp3")]))),
    "limits_of_one_s_own": Conversation(
        say(("user", ["Compare.", Image(RED), Image(BLUE)])), options={"limits": {"max_images": 1}}
    ),
}

MODELS: Mapping[str, str] = {
    "openai_style": "openai/gpt-4o",
    "openai_responses_style": "openai/responses/gpt-5.6",
    "anthropic_style": "anthropic/claude-haiku-4-5",
    "google_style": "gemini/gemini-2.5-pro",
    "bedrock_style": "bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0",
    "mistral_style": "mistral/mistral-medium-latest",
    "cohere_style": "cohere_chat/command-a-vision-07-2025",
    "ollama_style": "ollama_chat/llama3.2-vision",
}
