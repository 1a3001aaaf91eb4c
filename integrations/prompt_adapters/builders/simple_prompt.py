"""`SimplePrompt`: a ``.prompt`` file that becomes OpenAI messages, with images, audio, video and documents."""

from __future__ import annotations

import asyncio
import copy
import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

from prompt_adapters.adapters.losses import losses
from prompt_adapters.adapters.openai import OpenAIStylePromptAdapter
from prompt_adapters.builders.resources import ResourceCache
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, MediaPart, Part, Video, as_part
from prompt_adapters.content.position import position
from prompt_adapters.content.read import read_part
from prompt_adapters.content.sniff import is_data_url
from prompt_adapters.content.source import Inline, Link
from prompt_adapters.errors import (
    FetchRefusedError,
    MediaError,
    PromptFormatError,
    UnknownMediaTypeError,
    UnsupportedContentError,
)
from prompt_adapters.formats import simple_prompt
from prompt_adapters.formats.files import read_text
from prompt_adapters.prompt import Prompt
from prompt_adapters.targets import Limits

IMAGE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp")
# What media are given under, in the order in which they stand in the message.
MEDIA_ARGUMENTS: Mapping[str, type[MediaPart]] = MappingProxyType(
    {"images": Image, "audio": Audio, "video": Video, "documents": Document}
)


_log = logging.getLogger("prompt_adapters")

_FORM_NAME = "the OpenAI form"


class _OpenAIForm(OpenAIStylePromptAdapter):
    """The OpenAI form as a form between layers: all media have a place in it, whoever takes them in the end.

    Marks of cacheable prefixes are each server's own, so it has none.
    """

    @property
    def limits(self) -> Limits:
        return Limits(_FORM_NAME, "", links=None)

    @property
    def carries(self) -> frozenset[str]:  # type: ignore[override]  # as in the base, where it depends on the server
        return frozenset({"name", "detail"})

    def is_marked(self, _part: Part) -> bool:
        return False

    def marked(self, encoded: dict[str, Any], _part: Part) -> dict[str, Any]:
        return encoded

    def _takes(self, _kind: str) -> bool:
        return True


_FORM = _OpenAIForm()
_SHARED_CACHE = ResourceCache()


class SimplePrompt:
    """A prompt in a ``.prompt`` file: optional frontmatter, ``$system$``, ``$user$``, ``$assistant$``, ``%variables%``.

    Args:
        path: The file.
        base_dir: Where relative media paths start; the current directory by default.
        allow_urls: Whether http(s) links may be given as media; they stay links.
        cache: Keeps media files that were read; give a `ResourceCache` to have one of your own, or None for none.

    Attributes:
        path: The file; None for a prompt from a string.
        prompt: The prompt as a `Prompt`.

    Raises:
        PromptFormatError: (a ``ValueError``) The file is malformed, or a variable is called like a media argument.
        PromptNotFoundError: (a ``FileNotFoundError``) There is no such file.
    """

    path: Path | None
    prompt: Prompt

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        base_dir: str | os.PathLike[str] | None = None,
        allow_urls: bool = False,
        cache: ResourceCache | None = _SHARED_CACHE,
    ) -> None:
        self.path = Path(path).expanduser()
        self._setup(read_text(self.path), base_dir, allow_urls, cache)

    @classmethod
    def from_string(
        cls,
        text: str,
        *,
        base_dir: str | os.PathLike[str] | None = None,
        allow_urls: bool = False,
        cache: ResourceCache | None = _SHARED_CACHE,
    ) -> Self:
        """A prompt from the text of a ``.prompt`` file."""
        made = cls.__new__(cls)
        made.path = None
        made._setup(text, base_dir, allow_urls, cache)
        return made

    def _setup(self, text: str, base_dir: Any, allow_urls: bool, cache: ResourceCache | None) -> None:
        self.prompt = simple_prompt.parse(text, self.path)
        self._frontmatter = simple_prompt.split_frontmatter(text, self.path)[0]
        self._base = Path() if base_dir is None else Path(base_dir).expanduser()
        self._allow_urls = allow_urls
        self._cache = cache
        for name in self.variables:
            if name in MEDIA_ARGUMENTS:
                raise PromptFormatError(self.path, None, f"%{name}% is reserved for media; call the variable otherwise")

    @property
    def metadata(self) -> dict[str, Any]:
        """The whole frontmatter, a new dictionary each time."""
        return copy.deepcopy(self._frontmatter)

    @property
    def model(self) -> str | None:
        """The frontmatter's model; it is never applied by itself."""
        return self.prompt.model

    @property
    def parameters(self) -> dict[str, Any]:
        """The frontmatter's parameters, such as temperature; they are never applied by themselves."""
        return self.prompt.parameters

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables, in order of appearance."""
        return tuple(variable.name for variable in self.prompt.variables)

    def build_messages(
        self, /, *, images: Any = None, audio: Any = None, video: Any = None, documents: Any = None, **context: Any
    ) -> list[dict[str, Any]]:
        """The messages in OpenAI's form.

        The content of a message is a string; the last user message becomes a list when media are given: its text first,
        then images, audio, video and documents, each in the given order. Where no user message is, they make one.
        Names in the context that the prompt does not have are ignored, and a value is never read as a path. A prompt of
        system text alone gives that alone, for a conversation that the caller goes on with: no empty user message is
        made. What the form has no field for (``cache``, a document's title) is left out with a line in the log.

        Args:
            images: One image or a list of them: paths, data URLs, bytes, PIL images or `Image`; PNG, JPEG, GIF, WebP.
            audio: Likewise for audio.
            video: Likewise for video.
            documents: Likewise for documents.
            context: The variables' values.

        Raises:
            MissingVariableError: (a ``KeyError``) A variable is not given.
            MediaError: (a ``ValueError``) Media cannot be read, or are of no supported type; the argument and the
                number are named.
            FetchRefusedError: (a ``ValueError``) A link is given without ``allow_urls``.
            UnsupportedContentError: (a ``ValueError``) A video is to be cut; the form can only say the whole of it.
            PromptFormatError: (a ``ValueError``) A message would be empty.
        """
        given = {"images": images, "audio": audio, "video": video, "documents": documents}
        media = [part for name, items in given.items() for part in self._parts(name, items)]
        messages = list(self.prompt.render_messages(context, extra="ignore"))
        if media:
            last = max((n for n, message in enumerate(messages) if message.role == "user"), default=None)
            if last is None:
                messages.append(Message("user", media))
            else:
                messages[last] = messages[last].replace(parts=(*messages[last].parts, *media))
        return _encoded(self._without_empty(messages))

    async def abuild_messages(
        self, /, *, images: Any = None, audio: Any = None, video: Any = None, documents: Any = None, **context: Any
    ) -> list[dict[str, Any]]:
        """`build_messages` without blocking the event loop: files are read and encoded in a thread."""
        given = {"images": images, "audio": audio, "video": video, "documents": documents}
        return await asyncio.to_thread(self.build_messages, **given, **context)

    def build_image_content(self, image: Any) -> dict[str, Any]:
        """One image as an OpenAI content item, ``{"type": "image_url", "image_url": {"url": data URL}}``.

        Args:
            image: As one of the images of `build_messages`.

        Raises:
            MediaError: (a ``ValueError``) It cannot be read, or is not PNG, JPEG, GIF or WebP.
        """
        message = Message("user", (self._part(Image, image),))
        item: dict[str, Any] = _encoded([message])[0]["content"][0]
        return item

    _build_image_content = build_image_content

    def _without_empty(self, messages: list[Message]) -> list[Message]:
        """The messages without empty system texts; another empty message is an error, for no provider takes one."""
        for number, message in enumerate(messages):
            if not message.parts and message.role != "system":
                where = position(number, message.role)
                raise PromptFormatError(self.path, None, f"{where} is empty: a variable was probably blank")
        return [message for message in messages if message.parts]

    def _parts(self, name: str, given: Any) -> Iterator[MediaPart]:
        several = isinstance(given, list | tuple)
        for number, item in enumerate(given if several else () if given is None else (given,)):
            place = f"{name}[{number}]" if several else name
            try:
                yield self._part(MEDIA_ARGUMENTS[name], item)
            except MediaError as error:
                raise type(error)(f"{place}: {error}") from error.__cause__
            except PromptFormatError as error:
                raise PromptFormatError(None, None, f"{place}: {error.reason}") from None

    def _part(self, kind: type[MediaPart], item: Any) -> MediaPart:
        part = self._read(kind, item)
        source = part.source
        if isinstance(source, Link) and not (self._allow_urls and source.scheme in ("http", "https")):
            remedy = "give a file path or a data URL" + ("" if self._allow_urls else ", or set allow_urls=True")
            raise FetchRefusedError(f"{source.describe()} is a link; {remedy}")
        if kind is Image and isinstance(source, Inline) and source.mime not in IMAGE_TYPES:
            raise UnknownMediaTypeError(f"{source.mime} is not supported: an image must be PNG, JPEG, GIF or WebP")
        return part

    def _read(self, kind: type[MediaPart], item: Any) -> MediaPart:
        part = read_part(item, "the item") if isinstance(item, Mapping) else as_part(item)
        if part is not None:
            if not isinstance(part, kind):
                raise UnknownMediaTypeError(f"{part.describe()} is given where {kind.kind} content belongs")
            return part
        if not _is_path(item):
            return kind(item)
        path = self._base / os.path.expanduser(item)  # noqa: PTH111 - Path.expanduser raises for unknown users
        return kind.from_path(path) if self._cache is None else self._cache.get(kind, path)

    def to_prompt(self) -> Prompt:
        """The prompt as a `Prompt`."""
        return self.prompt

    def __repr__(self) -> str:
        where = "from a string" if self.path is None else repr(str(self.path))
        return f"SimplePrompt({where}, variables={list(self.variables)})"


def _encoded(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """The messages in OpenAI's form; what it has no field for is logged, and a cut that it cannot say is refused."""
    for number, message in enumerate(messages):
        for index, part in enumerate(message.parts):
            if isinstance(part, Video) and (clip := _clip(part)):
                raise UnsupportedContentError(
                    _FORM_NAME,
                    f"{part.describe()} with {clip}",
                    position(number, message.role, index),
                    "its video item is always the whole film",
                    "cut the film yourself, or send the prompt by get_adapter('google_style'), which has the fields",
                )
    for note in losses(messages, _FORM.carries, _FORM.document_name):
        _log.info("SimplePrompt: %s", note)
    encoded: list[dict[str, Any]] = _FORM.encode(messages)["messages"]
    return encoded


def _clip(video: Video) -> str:
    fields = ("start", "end", "fps")
    return " and ".join(f"{name}={value:g}" for name in fields if (value := getattr(video, name)) is not None)


def _is_path(item: object) -> bool:
    if isinstance(item, str):
        return bool(item) and not is_data_url(item) and "://" not in item
    return isinstance(item, os.PathLike)
