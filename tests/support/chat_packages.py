"""LangChain's chat-model packages against a server on this machine, and the media that are sent through them."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from langchain_anthropic import ChatAnthropic
from langchain_aws import ChatBedrockConverse
from langchain_core.language_models import BaseChatModel
from langchain_google_genai import ChatGoogleGenerativeAI
from langchain_mistralai import ChatMistralAI
from langchain_ollama import ChatOllama
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from prompt_adapters import Audio, Document, Image, Message, ToolCall, ToolResult, Video
from prompt_adapters.content.parts import MediaPart

KEY = SecretStr("test")
URL = "https://example.org/a"
FILES = "https://generativelanguage.googleapis.com/v1beta/files/abc"


def _conversations() -> ModuleType:
    """The table of conversations that every shape is measured by."""
    path = Path(__file__).parents[1] / "contract" / "conversations.py"
    spec = importlib.util.spec_from_file_location("contract_conversations", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(spec.name, module)
    spec.loader.exec_module(module)
    return module


TABLE = _conversations()


def _openai(url: str, model: str, **options: Any) -> BaseChatModel:
    return ChatOpenAI(model=model, api_key=KEY, base_url=f"{url}/v1", max_retries=0, **options)


def _anthropic(url: str, model: str) -> BaseChatModel:
    return ChatAnthropic(model_name=model, api_key=KEY, base_url=url, timeout=None, stop=None, max_retries=0)


def _google(url: str, model: str) -> BaseChatModel:
    return ChatGoogleGenerativeAI(model=model, api_key=KEY, base_url=url, max_retries=1)


def _bedrock(url: str, model: str) -> BaseChatModel:
    fields: dict[str, Any] = {"aws_access_key_id": KEY, "aws_secret_access_key": KEY, "endpoint_url": url}
    return ChatBedrockConverse(model=model, region_name="us-east-1", **fields)


def _mistral(url: str, model: str) -> BaseChatModel:
    fields: dict[str, Any] = {"endpoint": f"{url}/v1", "max_retries": 0}
    return ChatMistralAI(model_name=model, api_key=KEY, **fields)


# From a wire shape to LiteLLM's name of the provider and what makes the chat model.
CHAT_MODELS: Mapping[str, tuple[str, Callable[[str, str], BaseChatModel]]] = {
    "openai_style": ("openai", _openai),
    "openai_responses_style": (
        "openai/responses",
        lambda url, model: _openai(url, model, use_responses_api=True),
    ),
    "anthropic_style": ("anthropic", _anthropic),
    "google_style": ("gemini", _google),
    "bedrock_style": ("bedrock", _bedrock),
    "mistral_style": ("mistral", _mistral),
    "ollama_style": ("ollama_chat", lambda url, model: ChatOllama(model=model, base_url=url)),
}


def chat_model(style: str, url: str, model: str) -> BaseChatModel:
    """The chat model of a shape, by LiteLLM's name of the model."""
    provider, make = CHAT_MODELS[style]
    return make(url, model.removeprefix(f"{provider}/"))


def tool(name: str) -> dict[str, Any]:
    """A tool of this name, as chat models are bound to it."""
    parameters = {"type": "object", "properties": {}}
    return {"type": "function", "function": {"name": name, "description": "It does.", "parameters": parameters}}


MEDIA: Mapping[str, MediaPart] = {
    "a PNG": Image(TABLE.RED),
    "a JPEG": Image(TABLE.JPEG),
    "a PNG with detail": Image(TABLE.RED, detail="low"),
    "an image by a link": Image(f"{URL}.png"),
    "an image by an http link": Image("http://example.org/a.png"),
    "an image in a gs bucket": Image("gs://bucket/a.png"),
    "an image in an s3 bucket": Image("s3://bucket/a.png"),
    "an uploaded image": Image.from_uploaded("file-1", mime="image/png"),
    "an image of Google's Files API": Image.from_uploaded(FILES, mime="image/png"),
    "a WAV": Audio(TABLE.WAV),
    "an MP3": Audio(TABLE.MP3),
    "audio by a link": Audio(f"{URL}.mp3"),
    "uploaded audio": Audio.from_uploaded("file-1", mime="audio/wav"),
    "audio in an s3 bucket": Audio("s3://bucket/a.wav"),
    "a video": Video(TABLE.MP4),
    "a clip": Video(TABLE.MP4, start=1, end=2),
    "a video by a link": Video(f"{URL}.mp4"),
    "a video in an s3 bucket": Video("s3://bucket/a.mp4"),
    "a video of Google's Files API": Video.from_uploaded(FILES, mime="video/mp4"),
    "a PDF": Document(TABLE.PDF, name="my.plan.pdf", title="My plan"),
    "a PDF without a name": Document(TABLE.PDF),
    "a PDF by a link": Document(f"{URL}.pdf"),
    "an uploaded PDF": Document.from_uploaded("file-1", mime="application/pdf"),
    "a PDF of Google's Files API": Document.from_uploaded(FILES, mime="application/pdf"),
    "a PDF in an s3 bucket": Document("s3://bucket/a.pdf"),
    "a text": Document("Grüße".encode(), name="n.txt"),
    "a CSV": Document(b"a,b\n1,2\n", name="n.csv", mime="text/csv"),
}
_CALL = "abcdefghi"  # nine letters, as Mistral has them
PLACES: Mapping[str, Callable[[MediaPart], list[Message]]] = {
    "user": lambda part: [Message("user", ["before", part, "after"])],
    "alone": lambda part: [Message("user", [part])],
    "result": lambda part: [
        Message("user", "q"),
        Message("assistant", ToolCall(_CALL, "f", {"x": 1})),
        Message("tool", ToolResult(_CALL, ["before", part, "after"], name="f")),
    ],
    "system": lambda part: [Message("system", ["before", part]), Message("user", "q")],
    "assistant": lambda part: [Message("user", "q"), Message("assistant", ["before", part]), Message("user", "r")],
}
