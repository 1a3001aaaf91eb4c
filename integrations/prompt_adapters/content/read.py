"""Messages in the forms that people already have: pairs, role/content dictionaries, LangChain messages.

    ("user", "Hi")                                          a pair
    {"role": "user", "content": "Hi" or [block, …]}         an OpenAI message
    HumanMessage(…) and its kin                             a LangChain message, told by its `type` and `content`
    response.choices[0].message                             a pydantic message of a client, told by `role`

Blocks are OpenAI's content parts (``text``, ``image_url``, ``input_audio``, ``file``) with ``audio_url`` and
``video_url`` of OpenAI-compatible servers, LangChain's standard content blocks (``image``, ``audio``, ``video``,
``file``, ``text-plain``, with ``base64``, ``url`` or ``file_id``), and this package's own parts. What is none of these
is refused by name. Links stay links, and nothing is read from disk. What a model thought before it spoke is left out
when it stands beside the content (``reasoning_content``), since providers do not take it back there.
"""

from __future__ import annotations

import json
import reprlib
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any

from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import (
    MEDIA_PARTS,
    Audio,
    Part,
    Text,
    ToolCall,
    ToolResult,
    as_part,
)
from prompt_adapters.content.sniff import is_data_url
from prompt_adapters.errors import MediaError, MediaReadError, PromptFormatError

ROLE_ALIASES: Mapping[str, str] = {"human": "user", "ai": "assistant", "model": "assistant", "function": "tool"}
# What some messages say outside their content, and no part can hold.
_ASIDE = ("audio", "function_call", "refusal")
# What LangChain keeps in the content beside `tool_calls`, which says the same.
_CALL_BLOCKS = frozenset({"tool_use", "tool_call", "function_call"})


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
    # An iterator would be empty the second time, and a set has no order.
    if isinstance(value, str | bytes | bytearray | Mapping | Set | Iterator) or not isinstance(value, Iterable):
        raise PromptFormatError(None, None, f"{where} must be a list of messages, not {type(value).__name__}")
    return tuple(read_message(item, f"{where}, message {number}") for number, item in enumerate(value, 1))


def _is_one(value: object) -> bool:
    if isinstance(value, Message) or (isinstance(value, Mapping) and "role" in value):
        return True
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str):
        return True
    return _is_langchain(value) or _is_dumpable(value)


def _is_dumpable(value: object) -> bool:
    return isinstance(getattr(value, "role", None), str) and callable(getattr(value, "model_dump", None))


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
    if _is_dumpable(value):
        return read_message(value.model_dump(), where)  # type: ignore[attr-defined]  # checked by _is_dumpable
    raise PromptFormatError(
        None, None, f"{where} is {type(value).__name__}, not a message; give a role and a content, as ('user', 'Hi')"
    )


def _langchain(value: Any, where: str) -> Message:
    kind = value.type.removesuffix("MessageChunk").lower()  # as "AIMessageChunk", what streaming adds up to
    role = str(value.role) if kind == "chat" else kind
    extra = getattr(value, "additional_kwargs", None) or {}
    calls = getattr(value, "tool_calls", None) or []
    if getattr(value, "invalid_tool_calls", None):
        raise PromptFormatError(None, None, f"{where} holds tool calls whose arguments are not JSON; leave them out")
    fields = {
        "name": getattr(value, "name", None),
        "tool_calls": calls,
        "tool_call_id": getattr(value, "tool_call_id", None),
        "error": getattr(value, "status", None) == "error",
        **{key: extra[key] for key in _ASIDE if key in extra and not (key == "function_call" and calls)},
    }
    return _message(extra.get("__openai_role__", role), _without_calls(value.content, calls), fields, where)


def _without_calls(content: object, calls: Iterable[Mapping[str, Any]]) -> object:
    ids = {call.get("id") for call in calls}

    def is_call(block: object) -> bool:
        if not isinstance(block, Mapping) or block.get("type") not in _CALL_BLOCKS:
            return False
        return block.get("call_id") in ids or block.get("id") in ids

    return [block for block in content if not is_call(block)] if ids and isinstance(content, list) else content


def _message(role: str, content: object, fields: Mapping[str, Any], where: str) -> Message:
    role = ROLE_ALIASES.get(role, role)
    for key in _ASIDE:
        if fields.get(key):
            raise PromptFormatError(
                None, None, f"{where} holds {key!r}, which no part can hold; write it as content, or leave it out"
            )
    calls = _tool_calls(fields.get("tool_calls"), where)
    if content is None and not calls:
        raise PromptFormatError(None, None, f"{where} has no 'content'")
    parts, name, cache = read_parts(content, where), fields.get("name"), _cache(fields, where)
    if not isinstance(name, str | None):
        raise PromptFormatError(None, None, f"{where}: a name is a text, not {type(name).__name__}")
    try:
        if role == "tool":
            return Message("tool", (_tool_result(parts, fields, name),), cache=cache)
        return Message(role, (*parts, *calls), name=name, cache=cache)
    except PromptFormatError as error:
        raise PromptFormatError(None, None, f"{where}: {error.reason}") from None


def _tool_result(parts: tuple[Part, ...], fields: Mapping[str, Any], name: str | None) -> ToolResult:
    call_id = fields.get("tool_call_id")
    if not isinstance(call_id, str) or not call_id:
        raise PromptFormatError(None, None, "a tool message needs 'tool_call_id'")
    return ToolResult(call_id, parts, name=name, error=bool(fields.get("error")))


def _tool_calls(calls: object, where: str) -> tuple[ToolCall, ...]:
    if calls is None:
        return ()
    if not isinstance(calls, list | tuple):
        raise PromptFormatError(None, None, f"{where}: 'tool_calls' is {type(calls).__name__}, not a list")
    return tuple(_tool_call(call, f"{where}, tool call {number}") for number, call in enumerate(calls, 1))


def _tool_call(call: object, where: str) -> ToolCall:
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
    if isinstance(content, Iterable) and not isinstance(content, bytes | bytearray | Set):
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
        kind, known = block.get("type"), ", ".join(_READERS)
        raise PromptFormatError(None, None, f"{where} is of type {reprlib.repr(kind)}; the known ones are {known}")
    try:
        part = read(block)
    except (KeyError, TypeError, AttributeError, UnicodeError):
        raise PromptFormatError(None, None, f"{where} is a malformed {block['type']!r} block") from None
    except MediaError as error:
        raise type(error)(f"{where}: {error}") from None
    except PromptFormatError as error:
        raise PromptFormatError(None, None, f"{where}: {error.reason}") from None
    return part.replace(cache=True) if _cache(block, where) else part


def _cache(block: Mapping[str, Any], where: str) -> bool:
    marker = block.get("cache_control")
    match block.get("cache") if marker is None else marker:
        case None | False:
            return False
        case True:
            return True
        case {"type": "ephemeral", **rest} if rest in ({}, {"ttl": "5m"}):
            return True
        case other:
            shown = reprlib.repr(other)
            raise PromptFormatError(None, None, f"{where}: {shown} is no known cache marker; write cache=True")


def _text(block: Mapping[str, Any]) -> Part:
    return Text(block["text"])


def _image_url(block: Mapping[str, Any]) -> Part:
    image = block["image_url"]
    if isinstance(image, str):
        image = {"url": image}
    return _linked("image", image["url"], image.get("format"), detail=image.get("detail"))


def _audio_url(block: Mapping[str, Any]) -> Part:
    return _linked("audio", block["audio_url"]["url"])


def _video_url(block: Mapping[str, Any]) -> Part:
    return _linked("video", block["video_url"]["url"])


def _linked(kind: str, url: object, mime: str | None = None, **fields: Any) -> Part:
    """Media from a URL or data URL, and never from a path: a message from elsewhere may not choose what is read."""
    part = MEDIA_PARTS[kind]
    if isinstance(url, str) and is_data_url(url):
        return part.from_data_url(url, mime=mime, **fields)
    if not isinstance(url, str) or "://" not in url:
        raise MediaReadError(f"{reprlib.repr(url)} is neither a URL nor a data URL")
    return part.from_url(url, mime=mime, **fields)


def _check_texts(*texts: object) -> None:
    if not all(isinstance(text, str | None) for text in texts):
        raise TypeError("a type, name, title or detail is a text")


def _uploaded(kind: str, uri: object, mime: str | None, **fields: Any) -> Part:
    if not isinstance(uri, str):
        raise TypeError("the id of a file is a text")
    return MEDIA_PARTS[kind].from_uploaded(uri, mime=mime, **fields)


def _input_audio(block: Mapping[str, Any]) -> Part:
    audio = block["input_audio"]
    return Audio.from_base64(audio["data"], mime=audio.get("format"))


def _file(block: Mapping[str, Any]) -> Part:
    if "file" not in block:
        return _standard(block)
    file = block["file"]
    name, mime = file.get("filename"), file.get("format")
    _check_texts(name, mime)
    if (data := file.get("file_data")) is not None:
        return _any_media(data, mime, name)
    return _uploaded("document", file["file_id"], mime, name=name)


def _any_media(url: str, mime: str | None, name: str | None) -> Part:
    """A file block may hold any medium; the label decides, since all four kinds travel as files."""
    label = (mime or (url.lstrip()[5:].partition(",")[0] if is_data_url(url) else "")).strip().lower()
    kind = label.partition("/")[0]
    if kind in ("image", "audio", "video"):
        return _linked(kind, url, mime)
    return _linked("document", url, mime, name=name)


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
    _check_texts(mime, *fields.values())
    if (data := block.get("base64", block.get("data"))) is not None:
        return part.from_base64(data, mime=mime, **fields)
    if (url := block.get("url")) is not None:
        return _linked(kind, url, mime, **fields)
    if block["type"] == "text-plain" and (text := block.get("text")) is not None:
        return part.from_bytes(text.encode(), mime=mime or "text/plain", **fields)
    return _uploaded(kind, block["file_id"] if "file_id" in block else block["id"], mime, **fields)


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
