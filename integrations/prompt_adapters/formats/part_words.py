"""Parts as blocks of an OpenAI-style message, read back by `content.read_blocks`.

============  ==========================================================================================================
part          block: the first of these that is read back equal
============  ==========================================================================================================
text          ``{"type": "text", "text": …}``
image         ``image_url`` with a data URL or link, and ``detail``; LangChain's ``image``
audio         ``input_audio`` with base64 and ``format``; ``audio_url``; LangChain's ``audio``
video         ``video_url``; LangChain's ``video``; ``media`` with ``video_metadata`` for a clip
document      ``file`` with ``filename`` and ``file_data`` or ``file_id``; LangChain's ``file`` or ``document``
tool call     ``{"type": "tool_call", "id", "name", "args"}``, where it cannot stand in ``tool_calls``
tool result   ``{"type": "tool_result", "tool_use_id", "content", "is_error"}``, where it is no message of its own
============  ==========================================================================================================

The end of a cacheable prefix is ``"cache_control": {"type": "ephemeral"}``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, assert_never

from prompt_adapters.content.encoded import base64_of
from prompt_adapters.content.parts import (
    Audio,
    Document,
    Image,
    MediaPart,
    Part,
    Text,
    ToolCall,
    ToolResult,
    Video,
)
from prompt_adapters.content.read import read_part
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.errors import PromptAdapterError

MARK = {"cache_control": {"type": "ephemeral"}}
_EXTRAS = ("name", "title", "start", "end", "fps", "detail")  # what a part can do without
_AUDIO_FORMATS = {"audio/wav": "wav", "audio/mpeg": "mp3"}


def block_of_part(part: Part) -> dict[str, Any] | None:
    """A block that is read back as an equal part; None when there is none."""
    for block in _candidates(part):
        block |= MARK if part.cache else {}
        try:
            if read_part(block) == part:
                return block
        except PromptAdapterError:  # the next may say it
            continue
    return None


def nearest_block(part: Part) -> tuple[dict[str, Any] | None, str | None]:
    """A block for a part, and what of it no block can say; no block at all when that is everything."""
    if (block := block_of_part(part)) is not None:
        return block, None
    extras = [name for name in _EXTRAS if getattr(part, name, None) is not None]
    if extras and (block := block_of_part(part.replace(**dict.fromkeys(extras)))) is not None:
        return block, f"the {', '.join(extras)} of {_shown(part)}"
    return None, _shown(part)


def _shown(part: Part) -> str:
    return (
        f"{part.kind.replace('_', ' ')} content" if isinstance(part, MediaPart) else f"a {part.kind.replace('_', ' ')}"
    )


def tool_call_entry(call: ToolCall) -> dict[str, Any]:
    """A call of a tool as it stands in ``tool_calls``."""
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments_json}}


def content_of(parts: tuple[Text | MediaPart, ...]) -> Any | None:
    """The content that parts make: a text, or a list of blocks; None when a part has no block."""
    match parts:
        case (Text(text=text, cache=False),):
            return text
    blocks = [block_of_part(part) for part in parts]
    return None if None in blocks else blocks


def _candidates(part: Part) -> Iterator[dict[str, Any]]:
    match part:
        case Text():
            yield {"type": "text", "text": part.text}
        case ToolCall():
            yield {"type": "tool_call", "id": part.id, "name": part.name, "args": part.arguments}
        case ToolResult():
            if (content := content_of(part.parts)) is not None:
                failed = {"is_error": True} if part.error else {}
                yield {"type": "tool_result", "tool_use_id": part.id, "content": content, **failed}
        case Image():
            yield from _image(part)
            yield _standard("image", part, extras={"detail": part.detail})
        case Audio():
            yield from _audio(part)
            yield _standard("audio", part)
        case Video():
            yield from _video(part)
        case Document():
            yield from _document(part)
        case _:
            assert_never(part)


def _url(part: MediaPart) -> str | None:
    """A link, or a data URL with the label that the bytes had."""
    match part.source:
        case Inline() as source:
            return f"data:{source.declared or source.mime};base64,{base64_of(source)}"
        case Link(url=url):
            return url
        case Uploaded():
            return None
    assert_never(part.source)


def _image(part: Image) -> Iterator[dict[str, Any]]:
    if (url := _url(part)) is not None:
        detail = {"detail": part.detail} if part.detail else {}
        mime = {"format": part.source.mime} if isinstance(part.source, Link) and part.source.mime else {}
        yield {"type": "image_url", "image_url": {"url": url, **detail, **mime}}


def _audio(part: Audio) -> Iterator[dict[str, Any]]:
    if isinstance(source := part.source, Inline):
        mime = source.declared or source.mime
        sound = {"data": base64_of(source), "format": _AUDIO_FORMATS.get(mime, mime)}
        yield {"type": "input_audio", "input_audio": sound}
    if (url := _url(part)) is not None:
        yield {"type": "audio_url", "audio_url": {"url": url}}


def _video(part: Video) -> Iterator[dict[str, Any]]:
    if (url := _url(part)) is not None:
        yield {"type": "video_url", "video_url": {"url": url}}
    yield _standard("video", part)
    clip: dict[str, Any] = {
        f"{name}_offset": f"{value}s" for name in ("start", "end") if (value := getattr(part, name)) is not None
    }
    clip |= {"fps": part.fps} if part.fps is not None else {}
    media: dict[str, Any] = {"type": "media", "mime_type": part.source.mime}
    match part.source:
        case Inline() as source:
            media["data"] = base64_of(source)
        case Link(url=url) | Uploaded(uri=url):
            media["file_uri"] = url
        case _:
            assert_never(part.source)
    yield media | {"video_metadata": clip}


def _document(part: Document) -> Iterator[dict[str, Any]]:
    name = {"filename": part.name} if part.name is not None else {}
    match part.source:
        case Inline():
            yield {"type": "file", "file": {**name, "file_data": _url(part)}}
        case Uploaded(uri=uri, mime=mime):
            yield {"type": "file", "file": {**name, "file_id": uri, **({"format": mime} if mime else {})}}
        case Link():
            pass
        case _:
            assert_never(part.source)
    for word in ("file", "document"):
        yield _standard(word, part, extras={"filename": part.name}, title=part.title)


def _standard(word: str, part: MediaPart, *, extras: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    """A media block of LangChain."""
    block: dict[str, Any] = {"type": word}
    match part.source:
        case Inline() as source:
            block |= {"base64": base64_of(source), "mime_type": source.declared or source.mime}
        case Link(url=url, mime=mime):
            block |= {"url": url, **({"mime_type": mime} if mime else {})}
        case Uploaded(uri=uri, mime=mime):
            block |= {"file_id": uri, **({"mime_type": mime} if mime else {})}
        case _:
            assert_never(part.source)
    block |= {name: value for name, value in fields.items() if value is not None}
    kept = {name: value for name, value in (extras or {}).items() if value is not None}
    return block | ({"extras": kept} if kept else {})
