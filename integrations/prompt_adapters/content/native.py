"""Media blocks in the providers' own words, which stand in LangChain messages and are passed on as they are.

=======================================================================  ==========  ==============================
block                                                                    whose       what it becomes
=======================================================================  ==========  ==============================
``{"type": "image", "source": {"type": "base64" | "url" | "file", …}}``  Anthropic   `Image`
``{"type": "document", "source": {…, also "text"}, "title": …}``         Anthropic   `Document`
``{"type": "media", "mime_type": …, "data" | "file_uri": …}``            Google      what the type says
``{"image" | "video" | "document": {"format": …, "source": …}}``         Bedrock     `Image`, `Video`, `Document`
``{"inline_data": {…}}`` ``{"file_data": {…}}``                          Gemini      what the type says
``{"function_call": {…}}`` ``{"function_response": {…}}``                Gemini      `ToolCall`, `ToolResult`
``input_image`` ``input_file``                                           OpenAI      `Image`, what the type says
``document_url``                                                         Mistral     `Document`
=======================================================================  ==========  ==============================

https://platform.claude.com/docs/en/api/messages,
https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html; ``media`` is the word of
langchain-google-genai and langchain-google-vertexai; https://ai.google.dev/api/caching#Part,
https://platform.openai.com/docs/api-reference/responses/create, https://docs.mistral.ai/api/.
"""

from __future__ import annotations

import json
import re
import reprlib
from collections.abc import Collection, Mapping
from typing import Any

from prompt_adapters.content.linked import from_content, from_upload, from_url, kind_of, named
from prompt_adapters.content.mime import normalize_mime
from prompt_adapters.content.parts import Document, Part, Text, ToolCall, ToolResult, Video
from prompt_adapters.content.source import Inline
from prompt_adapters.errors import PromptFormatError

_FILES_API = "https://generativelanguage.googleapis.com/"
_CAPITAL = re.compile("(?<=[a-z0-9])[A-Z]")
_SECONDS = re.compile(r"\d{1,9}(?:\.\d{1,9})?s")
# Bedrock's words for types that are no file suffix.
_BEDROCK_FORMATS = {"three_gp": "video/3gpp"}


def refuse_fields(block: Mapping[str, Any], names: Collection[str]) -> None:
    """Refuse what a block says and no part can hold.

    Raises:
        PromptFormatError: One of these fields is there and not empty.
    """
    for name in names:
        if block.get(name) not in (None, "", {}, [], {"enabled": False}):
            raise PromptFormatError(None, None, f"{name!r} cannot be kept, for no part has such a field; leave it out")


def sourced(kind: str, block: Mapping[str, Any]) -> Part:
    """An image or document of Anthropic.

    Raises:
        KeyError, TypeError: It is malformed.
        PromptFormatError: It says what no part can hold.
        MediaError: Its media are broken.
    """
    refuse_fields(block, ("context", "citations"))
    fields = named(kind, title=block.get("title"))
    source = block["source"]
    match source["type"]:
        case "base64":
            return from_content(kind, source["data"], source.get("media_type"), **fields)
        case "url":
            return from_url(kind, source["url"], **fields)
        case "file":
            return from_upload(kind, source["file_id"], **fields)
        case "text" if kind == "document":
            return Document(Inline(source["data"].encode(), "text/plain"), **fields)
    raise PromptFormatError(
        None, None, f"a source of type {reprlib.repr(source['type'])} cannot be read; give base64, url or file"
    )


def google_media(block: Mapping[str, Any]) -> Part:
    """A ``media`` block.

    Raises:
        KeyError, TypeError: It is malformed.
        MediaError: Its media are broken.
    """
    mime, uri = block.get("mime_type"), block.get("file_uri")
    if not isinstance(mime, str | None) or not isinstance(uri, str | None):
        raise TypeError("a type and a URI are texts")
    kind = kind_of(mime, uri)
    if uri is None:
        if not mime:
            raise KeyError("mime_type")
        part = from_content(kind, block["data"], mime)
    elif "://" not in uri or uri.startswith(_FILES_API):
        part = from_upload(kind, uri, mime)
    else:
        part = from_url(kind, uri, mime)
    clip = block.get("video_metadata")
    return part if not clip else _clipped(part, clip)


def _clipped(part: Part, clip: Mapping[str, Any]) -> Part:
    if not isinstance(part, Video):
        raise PromptFormatError(None, None, f"'video_metadata' stands beside {part.kind}, and only videos have it")
    if unknown := sorted(clip.keys() - {"start_offset", "end_offset", "fps"}):
        raise PromptFormatError(None, None, f"'video_metadata' has the unknown key {unknown[0]!r:.60}")
    return part.replace(start=_seconds(clip, "start_offset"), end=_seconds(clip, "end_offset"), fps=clip.get("fps"))


def _seconds(clip: Mapping[str, Any], name: str) -> float | None:
    if (text := clip.get(name)) is None:
        return None
    if not isinstance(text, str) or not _SECONDS.fullmatch(text):
        raise PromptFormatError(None, None, f"{name!r} is {reprlib.repr(text)}, not seconds such as '1.5s'")
    return float(text.removesuffix("s"))


def bedrock_media(kind: str, media: Mapping[str, Any]) -> Part:
    """What stands in an image, audio, video or document block of Bedrock's Converse.

    Raises:
        KeyError, TypeError: It is malformed.
        PromptFormatError: It says what no part can hold.
        MediaError: Its media are broken.
    """
    refuse_fields(media, ("context", "citations"))
    word, source, name = media["format"], media["source"], media.get("name")
    mime = _BEDROCK_FORMATS.get(word) or normalize_mime(word)
    fields = named(kind, name=f"{name}.{word}" if name else None)
    match source:
        case {"bytes": content, **rest} if not rest:
            return from_content(kind, content, mime, **fields)
        case {"s3Location": {"uri": uri, **rest}, **more} if not rest and not more:
            return from_url(kind, uri, mime, **fields)
        case {"text": str() as text, **rest} if not rest and kind == "document":
            return Document(Inline(text.encode(), mime or "text/plain"), **fields)
    shown = ", ".join(map(repr, source))
    raise PromptFormatError(
        None, None, f"a source with {shown:.80} cannot be read; give 'bytes', or 's3Location' with 'uri' alone"
    )


def gemini_media(block: Mapping[str, Any]) -> Part:
    """The data of a part of Gemini, in the wire's spelling or in its client's.

    Raises:
        KeyError, TypeError: It is malformed.
        MediaError: Its media are broken.
    """
    media = next(block[key] for key in ("inline_data", "inlineData", "file_data", "fileData") if key in block)
    clip = block.get("video_metadata") or block.get("videoMetadata") or {}
    words = {_CAPITAL.sub(lambda found: f"_{found[0].lower()}", key): value for key, value in media.items()}
    offsets = {_CAPITAL.sub(lambda found: f"_{found[0].lower()}", key): value for key, value in clip.items()}
    refuse_fields(words, words.keys() - {"mime_type", "data", "file_uri", "display_name"})
    return google_media({"video_metadata": offsets, **words})


def gemini_call(block: Mapping[str, Any]) -> Part:
    """A call of a function in a part of Gemini; without an id, the function's name is one."""
    call = block.get("function_call") or block["functionCall"]
    return ToolCall(call.get("id") or call["name"], call["name"], call.get("args") or {})


def gemini_result(block: Mapping[str, Any]) -> Part:
    """What a function gave, in a part of Gemini; without an id, it answers the call of its name."""
    result = block.get("function_response") or block["functionResponse"]
    match result.get("response"):
        case {"output": str() as text, **rest} if not rest:
            failed = False
        case {"error": str() as text, **rest} if not rest:
            failed = True
        case response:
            text, failed = json.dumps(response, ensure_ascii=False), False
    return ToolResult(result.get("id") or result["name"], Text(text), name=result["name"], error=failed)


def input_image(block: Mapping[str, Any]) -> Part:
    """An image of OpenAI's Responses; errors as for `sourced`."""
    detail = None if block.get("detail") == "auto" else block.get("detail")
    if block.get("image_url") is None:
        return from_upload("image", block["file_id"], detail=detail)
    return from_url("image", block["image_url"], detail=detail)


def input_file(block: Mapping[str, Any]) -> Part:
    """A file of OpenAI's Responses; errors as for `sourced`."""
    name, data, url = block.get("filename"), block.get("file_data"), block.get("file_url")
    if not isinstance(name, str | None) or not isinstance(data, str | None):
        raise TypeError("a name and data are texts")
    if data is None and url is None:
        return from_upload("document", block["file_id"], **named("document", name=name))
    kind = kind_of(None, data or url)
    return from_url(kind, data or url, **named(kind, name=name))


def document_url(block: Mapping[str, Any]) -> Part:
    """A document of Mistral: a link or a data URL, or an object that holds one; errors as for `sourced`."""
    url, name = block["document_url"], block.get("document_name")
    if isinstance(url, Mapping):
        url = url["url"]
    if not isinstance(name, str | None):
        raise TypeError("a name is a text")
    return from_url("document", url, name=name)
