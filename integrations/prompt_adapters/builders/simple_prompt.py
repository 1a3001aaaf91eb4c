"""`SimplePrompt`: a ``.prompt`` file that becomes OpenAI messages, with images, audio, video and documents."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from prompt_adapters.adapters.openai import OpenAIStylePromptAdapter
from prompt_adapters.builders.resources import ResourceCache
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import MEDIA_PARTS, Audio, Document, Image, MediaPart, Video
from prompt_adapters.content.read import read_part
from prompt_adapters.content.sniff import is_data_url
from prompt_adapters.content.source import Inline, Link
from prompt_adapters.errors import FetchRefusedError, PromptFormatError, UnknownMediaTypeError
from prompt_adapters.formats import simple_prompt
from prompt_adapters.formats.files import read_text
from prompt_adapters.prompt import Prompt

IMAGE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp")
MEDIA_ARGUMENTS: Mapping[str, type[MediaPart]] = {
    "images": Image,
    "audio": Audio,
    "video": Video,
    "documents": Document,
}


class _OpenAIForm(OpenAIStylePromptAdapter):
    """The OpenAI form as a form between layers: every kind of media has a place, whoever takes it in the end."""

    def _takes(self, kind: str) -> bool:
        return True


_FORM = _OpenAIForm()
_SHARED_CACHE = ResourceCache()


class SimplePrompt:
    """A prompt in a ``.prompt`` file: optional frontmatter, ``$system$``, ``$user$``, ``$assistant$``, ``%variables%``.

    Args:
        path: The file.
        base_dir: Where relative media paths start; the current directory by default.
        allow_urls: Whether http(s) links may be given as media; they stay links.
        cache: Keeps media files that were read; give a `ResourceCache` to share one, or None for none.

    Attributes:
        prompt: The prompt as a `Prompt`.
        metadata: The whole frontmatter.

    Raises:
        PromptFormatError: (a ``ValueError``) The file is malformed.
        PromptNotFoundError: (a ``FileNotFoundError``) There is no such file.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        base_dir: str | os.PathLike[str] | None = None,
        allow_urls: bool = False,
        cache: ResourceCache | None = _SHARED_CACHE,
    ) -> None:
        file = Path(path).expanduser()
        self._setup(read_text(file), file, base_dir, allow_urls, cache)

    @classmethod
    def from_string(
        cls,
        text: str,
        *,
        base_dir: str | os.PathLike[str] | None = None,
        allow_urls: bool = False,
        cache: ResourceCache | None = _SHARED_CACHE,
    ) -> SimplePrompt:
        """A prompt from the text of a ``.prompt`` file."""
        made = cls.__new__(cls)
        made._setup(text, None, base_dir, allow_urls, cache)
        return made

    def _setup(self, text: str, path: Path | None, base_dir: Any, allow_urls: bool, cache: ResourceCache | None) -> None:
        self.path = path
        self.metadata: dict[str, Any] = simple_prompt.split_frontmatter(text, path)[0]
        self.prompt: Prompt = simple_prompt.parse(text, path)
        self._base = Path(base_dir).expanduser() if base_dir is not None else Path()
        self._allow_urls = allow_urls
        self._cache = cache
        for variable in self.prompt.variables:
            if variable.name in MEDIA_ARGUMENTS:
                raise PromptFormatError(path, None, f"%{variable.name}% is reserved for media; call the variable otherwise")

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
        self, /, images: Any = None, audio: Any = None, video: Any = None, documents: Any = None, **context: Any
    ) -> list[dict[str, Any]]:
        """The messages in OpenAI's form.

        The content of a message is a string; the last user message becomes a list when media are given: its text first,
        then images, audio, video and documents, each in the given order. Unknown names in the context are ignored.

        Args:
            images: One image or a list of them: paths, data URLs, bytes, PIL images or `Image`; PNG, JPEG, GIF, WebP.
            audio: Likewise for audio.
            video: Likewise for video.
            documents: Likewise for documents.
            context: The variables' values.

        Raises:
            MissingVariableError: A variable is not given.
            MediaError: (a ``ValueError``) Media cannot be read, or are of no supported type.
            FetchRefusedError: (a ``ValueError``) A link is given without ``allow_urls``.
        """
        media = [
            self._part(kind, item)
            for kind, given in zip(MEDIA_ARGUMENTS.values(), (images, audio, video, documents), strict=True)
            for item in _listed(given)
        ]
        messages = list(self.prompt.render_messages(context, extra="ignore"))
        if media:
            last = max((n for n, message in enumerate(messages) if message.role == "user"), default=None)
            if last is None:
                messages.append(Message("user", media))
            else:
                messages[last] = messages[last].replace(parts=(*messages[last].parts, *media))
        encoded: list[dict[str, Any]] = _FORM.encode(messages)["messages"]
        return encoded

    async def abuild_messages(
        self, /, images: Any = None, audio: Any = None, video: Any = None, documents: Any = None, **context: Any
    ) -> list[dict[str, Any]]:
        """`build_messages` without blocking the event loop: files are read and encoded in a thread."""
        return await asyncio.to_thread(
            self.build_messages, images=images, audio=audio, video=video, documents=documents, **context
        )

    def build_image_content(self, image: Any) -> dict[str, Any]:
        """One image as an OpenAI content item, ``{"type": "image_url", "image_url": {"url": data URL}}``.

        Raises:
            MediaError: (a ``ValueError``) It cannot be read, or is not PNG, JPEG, GIF or WebP.
        """
        content: dict[str, Any] = _FORM.encode([Message("user", (self._part(Image, image),))])["messages"][0]["content"][0]
        return content

    _build_image_content = build_image_content

    def _part(self, kind: type[MediaPart], item: Any) -> MediaPart:
        part = self._read(kind, item)
        source = part.source
        if isinstance(source, Link) and not (self._allow_urls and source.scheme in ("http", "https")):
            raise FetchRefusedError(f"{source.describe()} is a link; give a file path or data URL, or set allow_urls=True")
        if kind is Image and isinstance(source, Inline) and source.mime not in IMAGE_TYPES:
            raise UnknownMediaTypeError(f"{source.mime} is not supported: an image must be PNG, JPEG, GIF or WebP")
        return part

    def _read(self, kind: type[MediaPart], item: Any) -> MediaPart:
        if isinstance(item, Mapping):
            item = read_part(item, f"the {kind.kind} item")
        if isinstance(item, tuple(MEDIA_PARTS.values())):
            if not isinstance(item, kind):
                raise PromptFormatError(None, None, f"{item.describe()} is given where {kind.kind} content is expected")
            return item
        is_path = isinstance(item, os.PathLike) or (isinstance(item, str) and not is_data_url(item) and "://" not in item)
        if not is_path:
            return kind(item)
        path = self._base / Path(item).expanduser()
        return kind.from_path(path) if self._cache is None else self._cache.get(kind, path)

    def to_prompt(self) -> Prompt:
        """The prompt as a `Prompt`."""
        return self.prompt

    def __repr__(self) -> str:
        where = "from a string" if self.path is None else repr(str(self.path))
        return f"SimplePrompt({where}, variables={list(self.variables)})"


def _listed(media: Any) -> Iterable[Any]:
    if media is None:
        return ()
    return media if isinstance(media, list | tuple) else (media,)
