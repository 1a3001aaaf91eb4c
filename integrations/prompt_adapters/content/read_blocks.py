"""The blocks of a message, in the forms that people already have.

=============================================================================  ====================================
block                                                                          whose
=============================================================================  ====================================
``text`` ``image_url`` ``input_audio`` ``file``                                OpenAI
``input_text`` ``output_text`` ``input_image`` ``input_file``                  OpenAI's Responses
``audio_url`` ``video_url``                                                    OpenAI-compatible servers
``image`` ``audio`` ``video`` ``file`` ``text-plain`` with ``base64``,         LangChain
``url`` or ``file_id``; ``tool_call``, ``function_call``; ``non_standard``
``image`` ``document`` with ``source``; ``tool_use`` ``tool_result``           Anthropic
``media``                                                                      LangChain's packages for Google
``{"text": …}`` ``{"image": …}`` ``{"toolUse": …}`` … without a type           Bedrock
``{"inline_data": …}`` ``{"file_data": …}`` ``{"function_call": …}`` …         Gemini, in both spellings
``document_url``, and ``input_audio`` as a text                                Mistral
``{"url": …, "detail": …}`` or ``{"image_url": …}`` without a type             LangChain's image prompts
=============================================================================  ====================================

Links stay links, and nothing is read from disk. What is none of these is refused by name.
"""

from __future__ import annotations

import json
import reprlib
from collections.abc import Callable, Iterable, Mapping, Set
from typing import Any, Literal, TypeAlias

from prompt_adapters.content.linked import from_content, from_upload, from_url, kind_of, named
from prompt_adapters.content.native import (
    bedrock_media,
    document_url,
    gemini_call,
    gemini_media,
    gemini_result,
    google_media,
    input_file,
    input_image,
    sourced,
)
from prompt_adapters.content.parts import MEDIA_PARTS, Audio, Part, Text, ToolCall, ToolResult, as_part
from prompt_adapters.errors import MediaError, PromptFormatError

Reasoning: TypeAlias = Literal["refuse", "drop"]

# What a model thought: Anthropic's and Mistral's words, LangChain's and OpenAI's, langchain-aws's, and Bedrock's key.
_THOUGHTS = frozenset({"thinking", "redacted_thinking", "reasoning", "reasoning_content", "reasoningContent"})
_MARKS = frozenset({"cache", "cache_control"})


def _log_left_out(place: str) -> None:
    from logging import getLogger  # which takes long to import, and few conversations need

    getLogger("prompt_adapters").info("%s: what the model thought is left out", place)


def read_parts(content: object, where: str = "the content", *, reasoning: Reasoning = "refuse") -> tuple[Part, ...]:
    """A message's content in any of the known forms: None, a string, a part, a block, or a list of these.

    Args:
        content: The content.
        where: What an error calls it.
        reasoning: What becomes of blocks of what a model thought; see `read_messages`.

    Raises:
        PromptFormatError: Something is neither text nor a known block.
        MediaError: A block's media are broken.
    """
    if content is None:
        return ()
    blocks: Iterable[tuple[str, object]]
    if isinstance(content, str | Mapping) or as_part(content) is not None:
        blocks = ((where, content),)
    elif isinstance(content, Iterable) and not isinstance(content, bytes | bytearray | Set):
        blocks = (
            (f"{where}, block {number}", block) for number, block in enumerate(content, 1)
        )  # one wrong one ends it
    else:
        raise PromptFormatError(None, None, f"{where} is {type(content).__name__}, neither text nor a list of blocks")
    parts: list[Part] = []
    for place, block in blocks:
        if reasoning == "drop" and thinking_word(block) is not None:
            _log_left_out(place)
        elif isinstance(block, Mapping) and "cachePoint" in block and parts:
            parts[-1] = parts[-1].replace(cache=True)
        else:
            parts.append(read_part(block, place))
    return tuple(parts)


def read_part(block: object, where: str = "the block") -> Part:
    """One block as a part.

    Raises:
        PromptFormatError: It is not a known block.
        MediaError: Its media are broken.
    """
    if not isinstance(block, str | Mapping):
        if (part := as_part(block)) is not None:
            return part
        raise PromptFormatError(
            None, None, f"{where} is {type(block).__name__}, neither text nor a block; wrap media, as Image(...)"
        )
    read: Callable[[Any], Part] = _text_alone if isinstance(block, str) else _reader(block, where)
    try:
        part = read(block)
        return part.replace(cache=True) if isinstance(block, Mapping) and _ends_prefix(block) else part
    except (KeyError, TypeError, AttributeError, UnicodeError):
        shown = block.get("type") or next(iter(block), None) if isinstance(block, Mapping) else "text"
        raise PromptFormatError(None, None, f"{where} is a malformed {shown!r:.60} block") from None
    except MediaError as error:
        raise type(error)(f"{where}: {error}") from None
    except PromptFormatError as error:
        raise PromptFormatError(None, None, f"{where}: {error.reason}") from None


def thinking_word(block: object) -> str | None:
    """The word by which a block is what a model thought, if it is."""
    if not isinstance(block, Mapping):
        return None
    if "type" not in block:
        return "thought" if block.get("thought") is True else next((key for key in block if key in _THOUGHTS), None)
    kind = block["type"]
    return kind if isinstance(kind, str) and kind in _THOUGHTS else None


def _reader(block: Mapping[str, Any], where: str) -> Callable[[Mapping[str, Any]], Part]:
    if (thought := thinking_word(block)) is not None:
        raise PromptFormatError(
            None,
            None,
            f"{where}: this {thought!r} block is what a model thought, which other models do not take; leave it out, "
            "or give the message as part of a History(...), which leaves it out",
        )
    kind, known = block.get("type"), ", ".join(word for word in _READERS if word not in _OTHERS)
    if kind is not None:
        if (read := _READERS.get(kind) if isinstance(kind, str) else None) is None:
            raise PromptFormatError(None, None, f"{where} is of type {reprlib.repr(kind)}; the known ones are {known}")
        return read
    keys = block.keys() - _MARKS - {"type"}
    found = [read for key, read in _TYPELESS.items() if key in keys and keys <= {key, *_BESIDE.get(key, ())}]
    if not found:
        held = f"holds {', '.join(sorted(map(reprlib.repr, keys)))[:60]}" if keys else "is empty"
        raise PromptFormatError(None, None, f"{where} has no type and {held}; the known types are {known}")
    return found[0]


def _ends_prefix(block: Mapping[str, Any]) -> bool:
    extras = block.get("extras")
    return cache_mark(block) or (isinstance(extras, Mapping) and cache_mark(extras))


def cache_mark(block: Mapping[str, Any], where: str | None = None) -> bool:
    """Whether a message or block is marked as the end of a cacheable prefix.

    Raises:
        PromptFormatError: The mark says more than that.
    """
    marker = block.get("cache_control")
    match block.get("cache") if marker is None else marker:
        case None | False:
            return False
        case True:
            return True
        case {"type": "ephemeral", **rest} if rest in ({}, {"ttl": "5m"}):
            return True
        case other:
            lead = "" if where is None else f"{where}: "
            shown = reprlib.repr(other)
            raise PromptFormatError(None, None, f"{lead}{shown} is no known cache marker; write cache=True")


# Calls of tools


def read_call(call: object, where: str) -> ToolCall:
    """A call of a tool, in the form of OpenAI or of LangChain.

    Raises:
        PromptFormatError: It is malformed.
    """
    match call:
        case ToolCall():
            return call
        case {"function": {"name": str() as name, "arguments": arguments}, "id": str() as call_id}:
            pass
        case {"name": str() as name, "args": arguments, "id": str() as call_id}:
            pass
        case _:
            raise PromptFormatError(None, None, f"{where} needs an id, a name and arguments")
    try:
        data = json.loads(arguments or "{}") if isinstance(arguments, str) else arguments
    except (ValueError, RecursionError):
        raise PromptFormatError(None, None, f"{where}: the arguments of {name!r} are not JSON") from None
    if not isinstance(data, Mapping):
        raise PromptFormatError(None, None, f"{where}: the arguments of {name!r} are not an object")
    try:
        return ToolCall(call_id, name, data)
    except PromptFormatError as error:
        raise PromptFormatError(None, None, f"{where}: {error.reason}") from None


def _non_standard(block: Mapping[str, Any]) -> Part:
    """What LangChain wraps round a block that it does not know."""
    return read_part(block["value"], "its value")


def _tool_use(block: Mapping[str, Any]) -> Part:
    arguments = block.get("input", block.get("args", block.get("arguments")))
    # OpenAI's Responses have an id of the item beside that of the call.
    call = {"id": block.get("call_id", block.get("id")), "name": block.get("name"), "args": arguments or {}}
    return read_call(call, "the tool call")


def _tool_result(block: Mapping[str, Any]) -> Part:
    parts = read_parts(block.get("content"), "the result")
    return ToolResult(block["tool_use_id"], parts, error=bool(block.get("is_error")))


def _bedrock_call(block: Mapping[str, Any]) -> Part:
    call = block["toolUse"]
    return read_call({"id": call["toolUseId"], "name": call["name"], "args": call.get("input") or {}}, "the tool call")


def _bedrock_result(block: Mapping[str, Any]) -> Part:
    result = block["toolResult"]
    content = [{"text": _json(item["json"])} if "json" in item else item for item in result.get("content") or ()]
    parts = read_parts(content, "the result")
    return ToolResult(result["toolUseId"], parts, error=result.get("status") == "error")


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False)


# Text and media


def _text_alone(text: Any) -> Part:
    return Text(text)


def _text(block: Mapping[str, Any]) -> Part:
    return Text(block["text"])


def _image_url(block: Mapping[str, Any]) -> Part:
    image = block["image_url"]
    if isinstance(image, str):
        image = {"url": image}
    return from_url("image", image["url"], image.get("format"), detail=image.get("detail"))


def _bare_url(block: Mapping[str, Any]) -> Part:
    """What an `ImagePromptValue` of LangChain says."""
    return _image_url({"image_url": block})


def _audio_url(block: Mapping[str, Any]) -> Part:
    return from_url("audio", block["audio_url"]["url"])


def _video_url(block: Mapping[str, Any]) -> Part:
    return from_url("video", block["video_url"]["url"])


def _check_texts(*texts: object) -> None:
    if not all(isinstance(text, str | None) for text in texts):
        raise TypeError("a type, name, title or detail is a text")


def _input_audio(block: Mapping[str, Any]) -> Part:
    audio = block["input_audio"]
    if isinstance(audio, str):  # Mistral's: a link, a data URL or base64
        return from_url("audio", audio) if ":" in audio else from_content("audio", audio)
    return Audio.from_base64(audio["data"], mime=audio.get("format"))


def _file(block: Mapping[str, Any]) -> Part:
    """A file block may hold any medium: its type decides, since all four kinds travel as files."""
    if "file" not in block:
        return _standard(block)
    file = block["file"]
    name, mime = file.get("filename"), file.get("format")
    _check_texts(name, mime)
    if (data := file.get("file_data")) is not None:
        kind = kind_of(mime, data)
        return from_url(kind, data, mime, **named(kind, name=name))
    kind = kind_of(mime)
    return from_upload(kind, file["file_id"], mime, **named(kind, name=name))


def _standard(block: Mapping[str, Any]) -> Part:
    word, mime, extras = block["type"], block.get("mime_type"), block.get("extras") or {}
    _check_texts(mime)
    if "source" in block:
        return sourced(word, block)
    if isinstance(block.get(word), Mapping):
        return _bedrock(word)(block)
    kind = {"text-plain": "document"}.get(word, word) if word != "file" else kind_of(mime, block.get("url"))
    name = extras.get("filename") or extras.get("name") or block.get("filename")
    title, detail = block.get("title"), extras.get("detail")
    _check_texts(name, title, detail)
    fields = {"detail": detail} if kind == "image" else named(kind, name=name, title=title)
    if (data := block.get("base64", block.get("data"))) is not None:
        return from_content(kind, data, mime, **fields)
    if (url := block.get("url")) is not None:
        return from_url(kind, url, mime, **fields)
    if (word == "text-plain" or block.get("source_type") == "text") and (text := block.get("text")) is not None:
        return MEDIA_PARTS[kind].from_bytes(text.encode(), mime=mime or "text/plain", **fields)
    return from_upload(kind, block["file_id"] if "file_id" in block else block["id"], mime, **fields)


def _bedrock(kind: str) -> Callable[[Mapping[str, Any]], Part]:
    return lambda block: bedrock_media(kind, block[kind])


_READERS: Mapping[str, Callable[[Mapping[str, Any]], Part]] = {
    "text": _text,
    "image_url": _image_url,
    "input_audio": _input_audio,
    "audio_url": _audio_url,
    "video_url": _video_url,
    "file": _file,
    "image": _standard,
    "audio": _standard,
    "video": _standard,
    "document": _standard,
    "text-plain": _standard,
    "media": google_media,
    "input_text": _text,
    "output_text": _text,
    "input_image": input_image,
    "input_file": input_file,
    "document_url": document_url,
    "non_standard": _non_standard,
    "tool_use": _tool_use,
    "tool_call": _tool_use,
    "function_call": _tool_use,
    "tool_result": _tool_result,
}
# Those that an error need not count up.
_OTHERS = frozenset({"input_text", "output_text", "input_image", "input_file", "document_url", "non_standard"})
# Blocks that are known by their only key.
_TYPELESS: Mapping[str, Callable[[Mapping[str, Any]], Part]] = {
    "text": _text,
    "url": _bare_url,
    "image_url": _image_url,
    **{kind: _bedrock(kind) for kind in MEDIA_PARTS},
    "toolUse": _bedrock_call,
    "toolResult": _bedrock_result,
    "inline_data": gemini_media,
    "inlineData": gemini_media,
    "file_data": gemini_media,
    "fileData": gemini_media,
    "function_call": gemini_call,
    "functionCall": gemini_call,
    "function_response": gemini_result,
    "functionResponse": gemini_result,
}
_CLIPS = ("video_metadata", "videoMetadata")
# What may stand beside these keys.
_BESIDE: Mapping[str, tuple[str, ...]] = {
    "url": ("detail",),
    **dict.fromkeys(("inline_data", "inlineData", "file_data", "fileData"), _CLIPS),
}
# The kind of part that a block gives, where its words tell it; a file, and Google's media, say it by their type.
_KINDS: Mapping[str, str] = {
    **dict.fromkeys(("text", "input_text", "output_text"), "text"),
    **dict.fromkeys(("image", "image_url", "input_image", "url"), "image"),
    **dict.fromkeys(("audio", "audio_url", "input_audio"), "audio"),
    **dict.fromkeys(("video", "video_url"), "video"),
    **dict.fromkeys(("document", "document_url", "text-plain"), "document"),
    **dict.fromkeys(("tool_use", "tool_call", "function_call", "toolUse", "functionCall"), "tool_call"),
    **dict.fromkeys(("tool_result", "toolResult", "function_response", "functionResponse"), "tool_result"),
}


def kind_of_block(block: Mapping[str, Any], where: str = "the block") -> str | None:
    """The kind of part that a block gives, told from its words alone; None where its media type tells it.

    Raises:
        PromptFormatError: It is not a known block.
    """
    _reader(block, where)
    word = block.get("type")
    return _KINDS.get(word) if isinstance(word, str) else next(_KINDS.get(key) for key in block if key in _TYPELESS)
