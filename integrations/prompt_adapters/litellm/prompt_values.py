"""Values of variables as a client has them, who can only send JSON: which of them are media.

==========================================================  ===========================================================
value                                                       what it is
==========================================================  ===========================================================
a part, as ``Image(…)``; bytes or a picture                 itself
``{"type": "image", "url": …}`` (or ``base64``,             the medium; likewise audio, video, document
``file_id``), with ``mime_type``
``{"url": …}``, ``{"base64": …, "mime_type": …}``           the medium, of the variable's own kind or the type's
OpenAI's blocks, as ``{"type": "image_url", …}``            the medium
a data URL, where the prompt says that the variable holds   the medium
media (its declared type, or a media block)
any other string                                            text, wherever it stands
any other object or list                                    plain data
==========================================================  ===========================================================

A list is looked at element by element. Where the prompt declares a variable as text or messages, its value is left as
it is. Links stay links, under the rules of the model's provider; nothing is fetched here and no path is read.
"""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from typing import Any

from prompt_adapters.content.linked import from_content, from_upload, from_url, kind_of
from prompt_adapters.content.mime import mime_from_name
from prompt_adapters.content.parts import MEDIA_PARTS, MediaPart, Part
from prompt_adapters.content.read import read_part
from prompt_adapters.content.sniff import is_data_url, media_in_base64
from prompt_adapters.errors import MediaError, PromptFormatError, TemplateError
from prompt_adapters.prompt import History, Prompt, Turn

_SOURCES = ("url", "base64", "file_id")
_MIMES = ("mime_type", "mime")
_FIELDS = ("detail", "name", "title", "cache", "start", "end", "fps")
_WORDS = frozenset({"type", *_SOURCES, *_MIMES, *_FIELDS})
# An object without a type may be anybody's data; with no other words than these it can only be a medium.
_PLAIN_WORDS = frozenset({*_SOURCES, *_MIMES, "detail"})
# OpenAI's blocks, each with the key that holds its content.
_BLOCKS = frozenset({"image_url", "input_audio", "audio_url", "video_url", "file"})


def read_values(prompt: Prompt, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values, with the media among them as parts.

    Args:
        prompt: The prompt that they are for.
        values: The values, which are not changed.

    Raises:
        TemplateError: A variable that holds media has another value, or an object is no medium; it is named.
        MediaError: A medium is broken; its variable is named.
    """
    kinds = declared_kinds(prompt)
    return {name: _value(value, kinds.get(name), f"variable {name!r}") for name, value in values.items()}


def declared_kinds(prompt: Prompt) -> dict[str, str]:
    """What the prompt says of its variables: a kind of media, text or messages. Media blocks tell most."""
    kinds = {variable.name: variable.type for variable in prompt.variables if variable.type is not None}
    for entry in prompt.messages:
        match entry:
            case History():
                kinds[entry.name] = "messages"
            case Turn():
                kinds |= {block.variable: block.type for block in entry.blocks if block.variable is not None}
            case _:
                pass  # a literal message has no variables
    return kinds


def _value(value: Any, kind: str | None, where: str) -> Any:
    if kind in ("text", "messages"):
        return value
    if isinstance(value, list | tuple):
        return [_element(item, kind, f"{where}, element {number}") for number, item in enumerate(value)]
    return _element(value, kind, where)


def _element(value: Any, kind: str | None, where: str) -> Any:
    match value:
        case str() if kind is not None:
            return _from_text(value, kind, where)
        case Mapping():
            return _from_object(value, kind, where)
    return value


def _from_text(text: str, kind: str, where: str) -> MediaPart:
    if is_data_url(text):
        try:
            return from_url(kind, text)
        except MediaError as error:
            raise type(error)(f"{where}: {error}") from None
    raise TemplateError(
        f"{where} holds {kind} content, and {reprlib.repr(text)} is text; send a data URL, "
        f'{{"type": "{kind}", "url": "https://…"}} or {{"type": "{kind}", "base64": "…"}}'
    )


def _from_object(data: Mapping[str, Any], kind: str | None, where: str) -> Any:
    word = data.get("type")
    try:
        if isinstance(word, str) and word in _BLOCKS and word in data:
            return _of_kind(read_part(data, where), kind, where)
        if word is not None and (not isinstance(word, str) or word not in MEDIA_PARTS):
            return data
        sources = [name for name in _SOURCES if name in data]
        if not sources or (word is None and kind is None and data.keys() - _PLAIN_WORDS):
            return data
        if len(sources) > 1:
            raise TemplateError(f"{where} has both {sources[0]!r} and {sources[1]!r}; give one of them")
        if unknown := sorted(map(str, data.keys() - _WORDS)):
            raise TemplateError(f"{where}: a medium has no {unknown[0]!r}; it has {', '.join(sorted(_WORDS))}")
        return _of_kind(_medium(data, word or kind, where), kind, where)
    except MediaError as error:
        raise type(error)(str(error) if str(error).startswith(where) else f"{where}: {error}") from None
    except PromptFormatError as error:
        raise TemplateError(error.reason if error.reason.startswith(where) else f"{where}: {error.reason}") from None


def _medium(data: Mapping[str, Any], kind: str | None, where: str) -> MediaPart:
    mime = next((data[name] for name in _MIMES if data.get(name) is not None), None)
    url, content = data.get("url"), data.get("base64")
    if not isinstance(mime, str | None):
        raise TemplateError(f"{where}: a type is a text, as 'image/png', not {type(mime).__name__}")
    if kind is None:
        kind = _told(mime, url, content, where)
    fields = {name: data[name] for name in _FIELDS if data.get(name) is not None}
    try:
        if url is not None:
            return from_url(kind, url, mime, **fields)
        if content is not None:
            if not isinstance(content, str):
                raise TypeError
            return from_content(kind, content, mime, **fields)
        return from_upload(kind, data["file_id"], mime, **fields)
    except (TypeError, AttributeError):
        raise TemplateError(f"{where} is a malformed medium of kind {kind}") from None


def _told(mime: str | None, url: object, content: object, where: str) -> str:
    """The kind of a medium from its type, its data URL, its bytes or the name in its link."""
    link = url if isinstance(url, str) else None
    if mime is None and isinstance(content, str) and (found := media_in_base64(content)) is not None:
        return kind_of(found[1])
    if mime is not None or (link is not None and (is_data_url(link) or mime_from_name(link) is not None)):
        return kind_of(mime, link)
    raise TemplateError(
        f'{where}: it cannot be told what this is; add "type" (image, audio, video or document), or declare the '
        "variable's type in the prompt"
    )


def _of_kind(part: Part, kind: str | None, where: str) -> Part:
    if kind is not None and part.kind != kind:
        raise TemplateError(f"{where} holds {kind} content, not {part.kind}")
    return part
