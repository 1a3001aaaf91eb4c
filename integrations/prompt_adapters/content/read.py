"""Messages in the forms that people already have: pairs, role/content dictionaries, LangChain messages.

    ("user", "Hi")                                          a pair
    {"role": "user", "content": "Hi" or [block, …]}         an OpenAI message
    HumanMessage(…) and its kin                             a LangChain message, told by its `type` and `content`

Blocks are OpenAI's content parts (``text``, ``image_url``, ``input_audio``, ``file``) with ``audio_url`` and
``video_url`` of OpenAI-compatible servers, LangChain's standard content blocks (``image``, ``audio``, ``video``,
``file``, ``text-plain``, with ``base64``, ``url`` or ``file_id``), and this package's own parts. What is none of these
is refused by name. Links stay links, and nothing is read from disk.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import (
    MEDIA_PARTS,
    Audio,
    Document,
    Image,
    Part,
    Text,
    ToolCall,
    ToolResult,
    Video,
    as_part,
)
from prompt_adapters.content.sniff import is_data_url
from prompt_adapters.errors import MediaReadError, PromptFormatError

ROLE_ALIASES: Mapping[str, str] = {"human": "user", "ai": "assistant", "model": "assistant", "function": "tool"}


def read_messages(value: object, where: str = "the messages") -> tuple[Message, ...]:
    """A list of messages in any of the known forms, or one message alone.

    Args:
        value: The messages.
        where: What an error calls them.

    Raises:
        PromptFormatError: Something is not a message; its number is named.
        MediaError: A block's media are broken.
    """
    to_messages = getattr(value, "to_messages", None)
    if callable(to_messages):
        value = to_messages()
    if _is_one(value):
        return (read_message(value, where),)
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise PromptFormatError(None, None, f"{where} must be a list of messages, not {type(value).__name__}")
    return tuple(read_message(item, f"{where}, message {number}") for number, item in enumerate(value, 1))


def _is_one(value: object) -> bool:
    if isinstance(value, Message) or (isinstance(value, Mapping) and "role" in value):
        return True
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str):
        return True
    return _is_langchain(value)


def _is_langchain(value: object) -> bool:
    return hasattr(value, "content") and isinstance(getattr(value, "type", None), str)


def read_message(value: object, where: str = "the message") -> Message:
    """One message in any of the known forms.

    Raises:
        PromptFormatError: It is not a message.
        MediaError: A block's media are broken.
    """
    match value:
        case Message():
            return value
        case (str() as role, content):
            return _message(role, content, {}, where)
        case Mapping():
            if not isinstance(value.get("role"), str):
                raise PromptFormatError(None, None, f"{where} has no 'role'")
            return _message(value["role"], value.get("content"), value, where)
    if _is_langchain(value):
        return _langchain(value, where)
    raise PromptFormatError(
        None, None, f"{where} is {type(value).__name__}, not a message; give a role and a content, as ('user', 'Hi')"
    )


def _langchain(value: Any, where: str) -> Message:
    role = str(value.role) if value.type == "chat" else value.type
    extra = getattr(value, "additional_kwargs", None) or {}
    fields = {
        "name": getattr(value, "name", None),
        "tool_calls": getattr(value, "tool_calls", None),
        "tool_call_id": getattr(value, "tool_call_id", None),
        "error": getattr(value, "status", None) == "error",
    }
    return _message(extra.get("__openai_role__", role), value.content, fields, where)


def _message(role: str, content: object, fields: Mapping[str, Any], where: str) -> Message:
    role = ROLE_ALIASES.get(role, role)
    parts = read_parts(content, where)
    name = fields.get("name")
    if role == "tool":
        call_id = fields.get("tool_call_id")
        if not isinstance(call_id, str):
            raise PromptFormatError(None, None, f"{where}: a tool message needs 'tool_call_id'")
        result = ToolResult(call_id, parts, name=name, error=bool(fields.get("error")))
        return Message("tool", (result,))
    calls = tuple(_tool_call(call, where) for call in fields.get("tool_calls") or ())
    cache = _cache(fields, where)
    try:
        return Message(role, (*parts, *calls), name=name, cache=cache)
    except PromptFormatError as error:
        raise PromptFormatError(None, None, f"{where}: {error.reason}") from None


def _tool_call(call: Any, where: str) -> ToolCall:
    match call:
        case ToolCall():
            return call
        case {"function": {"name": str() as name, "arguments": arguments}, "id": str() as call_id}:
            pass
        case {"name": str() as name, "args": arguments, "id": str() as call_id}:
            pass
        case _:
            raise PromptFormatError(None, None, f"{where}: a tool call needs an id, a name and arguments")
    try:
        data = json.loads(arguments or "{}") if isinstance(arguments, str) else arguments
    except ValueError:
        raise PromptFormatError(None, None, f"{where}: the arguments of tool call {name!r} are not JSON") from None
    if not isinstance(data, Mapping):
        raise PromptFormatError(None, None, f"{where}: the arguments of tool call {name!r} are not an object")
    return ToolCall(call_id, name, data)


def read_parts(content: object, where: str = "the content") -> tuple[Part, ...]:
    """A message's content in any of the known forms: None, a string, a part, a block, or a list of these.

    Raises:
        PromptFormatError: Something is neither text nor a known block.
        MediaError: A block's media are broken.
    """
    if content is None:
        return ()
    if isinstance(content, str | Mapping) or as_part(content) is not None:
        return (read_part(content, where),)
    if isinstance(content, Iterable) and not isinstance(content, bytes | bytearray):
        return tuple(read_part(item, f"{where}, block {number}") for number, item in enumerate(content, 1))
    raise PromptFormatError(None, None, f"{where} is {type(content).__name__}, neither text nor a list of blocks")


def read_part(block: object, where: str = "the block") -> Part:
    """One block as a part.

    Raises:
        PromptFormatError: It is not a known block.
        MediaError: Its media are broken.
    """
    if isinstance(block, str):
        return Text(block)
    if (part := as_part(block)) is not None:
        return part
    if not isinstance(block, Mapping):
        raise PromptFormatError(
            None, None, f"{where} is {type(block).__name__}, neither text nor a block; wrap media, as Image(...)"
        )
    read = _READERS.get(str(block.get("type")))
    if read is None:
        raise PromptFormatError(
            None, None, f"{where} is of type {block.get('type')!r}; the known ones are {', '.join(_READERS)}"
        )
    try:
        part = read(block)
    except (KeyError, TypeError, AttributeError):
        raise PromptFormatError(None, None, f"{where} is a malformed {block['type']!r} block") from None
    except MediaReadError as error:
        raise MediaReadError(f"{where}: {error}") from None
    return part.replace(cache=True) if _cache(block, where) else part


def _cache(block: Mapping[str, Any], where: str) -> bool:
    match block.get("cache_control", block.get("cache")):
        case None | False:
            return False
        case True | {"type": "ephemeral"}:
            return True
        case other:
            raise PromptFormatError(None, None, f"{where}: {other!r} is not a cache marker; write cache=True")


def _text(block: Mapping[str, Any]) -> Part:
    return Text(block["text"])


def _image_url(block: Mapping[str, Any]) -> Part:
    image = block["image_url"]
    if isinstance(image, str):
        image = {"url": image}
    return Image(_linked(image["url"]), detail=image.get("detail"), mime=image.get("format"))


def _audio_url(block: Mapping[str, Any]) -> Part:
    return Audio(_linked(block["audio_url"]["url"]))


def _video_url(block: Mapping[str, Any]) -> Part:
    return Video(_linked(block["video_url"]["url"]))


def _linked(url: str) -> str:
    """A URL or data URL; a bare string would be read as a path, which a message from elsewhere may not ask for."""
    if not isinstance(url, str) or not (is_data_url(url) or "://" in url):
        raise MediaReadError(f"{str(url)[:60]!r} is neither a URL nor a data URL")
    return url


def _input_audio(block: Mapping[str, Any]) -> Part:
    audio = block["input_audio"]
    return Audio.from_base64(audio["data"], mime=audio.get("format"))


def _file(block: Mapping[str, Any]) -> Part:
    if "file" not in block:
        return _standard(block)
    file = block["file"]
    name, mime = file.get("filename"), file.get("format")
    if (data := file.get("file_data")) is not None:
        return _any_media(_linked(data), mime, name)
    return Document.from_uploaded(file["file_id"], mime=mime, name=name)


def _any_media(url: str, mime: str | None, name: str | None) -> Part:
    """A file block may hold any medium; the label decides, since all four kinds travel as files."""
    label = (mime or (url.lstrip()[5:].partition(",")[0] if is_data_url(url) else "")).strip().lower()
    kind = label.partition("/")[0]
    if kind in ("image", "audio", "video"):
        return MEDIA_PARTS[kind](url, mime=mime)
    return Document(url, mime=mime, name=name)


def _standard(block: Mapping[str, Any]) -> Part:
    kind = {"file": "document", "text-plain": "document"}.get(block["type"], block["type"])
    part, mime = MEDIA_PARTS[kind], block.get("mime_type")
    fields: dict[str, Any] = {}
    extras = block.get("extras") or {}
    if kind == "document":
        fields["name"] = extras.get("filename") or extras.get("name") or block.get("filename")
        fields["title"] = block.get("title")
    elif kind == "image":
        fields["detail"] = extras.get("detail")
    if (data := block.get("base64", block.get("data"))) is not None:
        return part.from_base64(data, mime=mime, **fields)
    if (url := block.get("url")) is not None:
        return part(_linked(url), mime=mime, **fields)
    if block["type"] == "text-plain" and (text := block.get("text")) is not None:
        return part.from_bytes(text.encode(), mime=mime or "text/plain", **fields)
    return part.from_uploaded(block["file_id"] if "file_id" in block else block["id"], mime=mime, **fields)


_READERS = {
    "text": _text,
    "image_url": _image_url,
    "input_audio": _input_audio,
    "audio_url": _audio_url,
    "video_url": _video_url,
    "file": _file,
    "image": _standard,
    "audio": _standard,
    "video": _standard,
    "text-plain": _standard,
}
