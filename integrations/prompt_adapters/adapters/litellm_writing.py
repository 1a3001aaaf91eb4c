"""How media are written for LiteLLM, by what it makes of them on the way, and the provider's own messages.

Media are OpenAI's parts where these arrive. Elsewhere each function here says what has to be written instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, assert_never

from prompt_adapters.adapters.anthropic import AnthropicStylePromptAdapter
from prompt_adapters.adapters.bedrock import FORMATS
from prompt_adapters.adapters.chat_turns import joined
from prompt_adapters.adapters.google import GoogleGenAIStylePromptAdapter
from prompt_adapters.adapters.spots import Spot
from prompt_adapters.content.encoded import base64_of, data_url_of
from prompt_adapters.content.parts import Audio, Document, Image, MediaPart, Part, Text, Video
from prompt_adapters.content.source import Inline, Link, Uploaded

if TYPE_CHECKING:
    from prompt_adapters.adapters.litellm import LiteLLMStylePromptAdapter

    Encode: TypeAlias = Callable[[LiteLLMStylePromptAdapter, MediaPart, Spot], dict[str, Any]]

Wire: TypeAlias = dict[str, Any]
_FILES_API = "https://generativelanguage.googleapis.com/"


def as_openai(adapter: LiteLLMStylePromptAdapter, part: MediaPart, spot: Spot) -> Wire:
    """OpenAI's parts."""
    return adapter.as_openai(part, spot)


def as_claude(adapter: LiteLLMStylePromptAdapter, part: MediaPart, spot: Spot) -> Wire:
    """OpenAI's images, and Anthropic's documents, which LiteLLM passes on as they are.

    As OpenAI's files, documents would lose their title, and plain text would go out as if it were a PDF. Uploaded ones
    are OpenAI's files all the same: for these alone LiteLLM sends the header without which Anthropic knows no files.
    """
    match part:
        case Image(source=Uploaded() as source) | Document(source=Uploaded() as source):
            # The type tells LiteLLM an image from a document; without it, the file goes to code execution.
            usual = "image/png" if isinstance(part, Image) else "application/pdf"
            return {"type": "file", "file": {"file_id": source.uri, "format": source.mime or usual}}
        case Document() if isinstance(adapter.native, AnthropicStylePromptAdapter):
            return adapter.native._part(part, spot, ends_prefix=False)
    return adapter.as_openai(part, spot)


def as_gemini(adapter: LiteLLMStylePromptAdapter, part: MediaPart, spot: Spot) -> Wire:
    """OpenAI's images, and all else as files, under Google's own rules.

    A link goes to Vertex AI as a link. For the Gemini API LiteLLM downloads it, under its own rules, and sends the
    bytes, so links to web pages are not among those that arrive there.
    """
    native = adapter.native
    if not isinstance(native, GoogleGenAIStylePromptAdapter):
        return adapter.as_openai(part, spot)
    encoded = native.part(part, spot, wire=False, tool_names={})
    file: Wire
    match part.source:
        case Inline() if isinstance(part, Image):
            return adapter.as_openai(part, spot)
        case Inline() as source:
            file = {"file_data": data_url_of(source)}
        case Uploaded(uri=uri) if not uri.startswith((_FILES_API, "gs://")):
            remedy = f"give its URI, as '{_FILES_API}v1beta/files/abc'"
            adapter.refuse(part, spot, "LiteLLM passes on files of Google's Files API and Cloud Storage only", remedy)
        case Link() as source:
            adapter.reach(part, source, spot)
            file = {"file_id": encoded["file_data"]["file_uri"], "format": encoded["file_data"]["mime_type"]}
        case Uploaded():
            file = {"file_id": encoded["file_data"]["file_uri"], "format": encoded["file_data"]["mime_type"]}
        case _:
            assert_never(part.source)
    clip = {"video_metadata": encoded["video_metadata"]} if "video_metadata" in encoded else {}
    return {"type": "file", "file": file | clip}


# Converse's word for it is another one than LiteLLM's.
_LOST_FORMATS = frozenset({"three_gp"})


def as_converse(adapter: LiteLLMStylePromptAdapter, part: MediaPart, spot: Spot) -> Wire:
    """OpenAI's images, and documents and video as files.

    LiteLLM takes the second half of a media type for Converse's word of the format, so that word is written there.
    """
    match part.source:
        case Inline() as source:
            pass
        case Link() | Uploaded():
            adapter.refuse(part, spot, "LiteLLM passes on bytes only to Bedrock", adapter.instead())
        case _:
            assert_never(part.source)
    match part:
        case Image():
            return adapter.as_openai(part, spot)
        case Document():
            return {"type": "file", "file": {"file_data": data_url_of(source)}}
        case Video():
            word = FORMATS["video"].get(source.mime)
            if word is None or word in _LOST_FORMATS:
                adapter.refuse(part, spot, f"LiteLLM does not pass on {source.mime} to Bedrock", adapter.instead())
            return {"type": "file", "file": {"file_data": f"data:video/{word};base64,{base64_of(source)}"}}
        case Audio():
            adapter.refuse(part, spot, "LiteLLM drops audio on its way to Bedrock", adapter.instead())
    assert_never(part)


# The provider's own messages


def as_it_is(message: Wire) -> Wire:
    """A message that LiteLLM passes on as it is, but for the role developer, which it calls system."""
    return message | {"role": "system"} if message["role"] == "developer" else message


def with_files_wrapped(message: Wire) -> Wire:
    """A message in whose content Mistral's uploaded files are written as OpenAI has them: LiteLLM unwraps them."""
    content = message.get("content")
    if not isinstance(content, list):
        return message
    return message | {"content": [_wrapped(chunk) for chunk in content]}


def _wrapped(chunk: Wire) -> Wire:
    return {"type": "file", "file": {"file_id": chunk["file_id"]}} if chunk["type"] == "file" else chunk


def in_one_text(message: Wire, *, beside_media: bool) -> Wire:
    """A message whose texts are one, since LiteLLM joins them, and without a line break between.

    Args:
        message: A message in OpenAI's or a like shape.
        beside_media: Whether LiteLLM does so where there are other parts as well, which come first then.
    """
    content = message.get("content")
    if not isinstance(content, list):
        return message
    texts = [part["text"] for part in content if part["type"] == "text"]
    others = [part for part in content if part["type"] != "text"]
    if len(texts) < 1 or (others and not beside_media):
        return message
    text = joined(texts)
    return message | {"content": [*others, {"type": "text", "text": text}] if others else text}


def run_together(parts: Sequence[Part]) -> bool:
    """Whether there are only texts, and where one ends cannot be told once they are one."""
    texts = [part.text for part in parts if isinstance(part, Text)]
    return len(texts) == len(parts) and joined(texts) != "".join(texts)
