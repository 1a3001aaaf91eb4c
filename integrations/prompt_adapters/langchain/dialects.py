"""The form of a medium that each chat-model package passes on whole, as rows with the version that was looked at.

==========================  ============================================  ============================================
dialect                     for                                           media become
==========================  ============================================  ============================================
portable                    every chat model                              images ``image_url``, others standard blocks
``openai_style``            langchain-openai 1.7.4                        the same, audio ``input_audio``
``openai_responses_style``  langchain-openai 1.7.4, `use_responses_api`   as portable, uploaded images ``input_image``
``anthropic_style``         langchain-anthropic 1.7.10                    standard blocks, text documents ``text-plain``
``google_style``            langchain-google-genai 4.4.3                  ``media`` parts
``bedrock_style``           langchain-aws 1.9.1, `ChatBedrockConverse`    as portable; audio and S3 links Converse's own
``mistral_style``           langchain-mistralai 1.1.6                     Mistral's own chunks
``ollama_style``            langchain-ollama 1.1.0                        images ``image_url``; Ollama takes no others
==========================  ============================================  ============================================

A shape without a row, as ``cohere_style``, is spoken to in the portable form. langchain-ollama puts a line break before
each text of a message that is a list.

Inline images as ``image_url`` with a data URL are the one form that all packages take and that keeps ``detail``.
LangChain's standard blocks: https://docs.langchain.com/oss/python/langchain/messages
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias, assert_never

from prompt_adapters.adapters import get_adapter
from prompt_adapters.adapters.bedrock_names import document_names
from prompt_adapters.adapters.spots import Spot
from prompt_adapters.content.encoded import base64_of, data_url_of
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, MediaPart, Part, Text, ToolResult, Video
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.errors import UnsupportedContentError

Block: TypeAlias = dict[str, Any]
# From a medium, its place and the package to a block.
Form: TypeAlias = Callable[[MediaPart, Spot, str], Block]

# LangChain's names of the kinds.
_STANDARD = {"image": "image", "audio": "audio", "video": "video", "document": "file"}
# Packages make a format of the subtype; with these names it is the one that the providers know.
_MIME_NAMES = {"audio/mpeg": "audio/mp3"}
_AUDIO_FORMATS = {"audio/wav": "wav", "audio/mpeg": "mp3"}


def _standard(part: MediaPart, _spot: Spot, _package: str) -> Block:
    """LangChain's standard block, with what has no field of its own in ``extras``."""
    block: Block = {"type": _STANDARD[part.kind]}
    match part.source:
        case Inline() as source:
            block |= {"base64": base64_of(source), "mime_type": _MIME_NAMES.get(source.mime, source.mime)}
        case Link() as source:
            block |= {"url": source.url} | ({"mime_type": source.mime} if source.mime else {})
        case Uploaded() as source:
            block |= {"file_id": source.uri} | ({"mime_type": source.mime} if source.mime else {})
        case _:
            assert_never(part.source)
    title = {"title": part.title} if isinstance(part, Document) and part.title else {}
    return block | title | ({"extras": extras} if (extras := _extras(part)) else {})


def _extras(part: MediaPart) -> dict[str, Any]:
    if isinstance(part, Image):
        return {"detail": part.detail} if part.detail else {}
    if not isinstance(part, Document) or not isinstance(part.source, Inline):
        return {}
    # Where there is no name, langchain-openai makes one up, with a warning.
    return {"filename": part.name or default_name(part.mime_type)}


def default_name(mime: str | None) -> str:
    """A neutral file name for a document without one."""
    subtype = (mime or "").partition("/")[2]
    return f"document.{subtype if subtype.isalnum() else 'bin'}"


def _image_url(part: MediaPart, spot: Spot, package: str) -> Block:
    """OpenAI's ``image_url``; what a web server does not give is a standard block."""
    match part.source:
        case Inline() as source:
            url = data_url_of(source)
        case Link(scheme="http" | "https") as source:
            url = source.url
        case _:
            return _standard(part, spot, package)
    detail = {"detail": part.detail} if isinstance(part, Image) and part.detail else {}
    return {"type": "image_url", "image_url": {"url": url} | detail}


def _input_audio(part: MediaPart, spot: Spot, package: str) -> Block:
    source = part.source
    if isinstance(source, Inline) and source.mime in _AUDIO_FORMATS:
        return {
            "type": "input_audio",
            "input_audio": {"data": base64_of(source), "format": _AUDIO_FORMATS[source.mime]},
        }
    return _standard(part, spot, package)


def _text_plain(part: MediaPart, spot: Spot, package: str) -> Block:
    """A text document by its text: as base64, Anthropic takes only PDF."""
    block = _standard(part, spot, package)
    title = {"title": part.title or part.name} if isinstance(part, Document) and (part.title or part.name) else {}
    source = part.source
    if isinstance(source, Inline) and source.mime.startswith("text/"):
        return {"type": "text-plain", "mime_type": "text/plain", "text": source.data.decode("utf-8-sig"), **title}
    return block | title


def _media(part: MediaPart, spot: Spot, package: str) -> Block:
    """Google's ``media`` part: bytes and their type, or a link that Google reads itself."""
    block: Block = {"type": "media", "mime_type": part.mime_type}
    match part.source:
        case Inline() as source:
            block |= {"data": base64_of(source)}
        case Link() | Uploaded() as source:
            if not source.mime:
                raise UnsupportedContentError(
                    package,
                    f"{part.kind} ({source.describe()})",
                    str(spot),
                    "a link or uploaded file goes through only with its media type",
                    f"give it, as {type(part).__name__}(..., mime='{_EXAMPLES[part.kind]}')",
                )
            block |= {"file_uri": source.url if isinstance(source, Link) else source.uri}
        case _:
            assert_never(part.source)
    clip = _clip(part) if isinstance(part, Video) else {}
    return block | ({"video_metadata": clip} if clip else {})


_EXAMPLES = {"image": "image/png", "audio": "audio/wav", "video": "video/mp4", "document": "application/pdf"}


def _clip(video: Video) -> dict[str, Any]:
    offsets = {"start_offset": video.start, "end_offset": video.end}
    clip: dict[str, Any] = {name: f"{seconds:g}s" for name, seconds in offsets.items() if seconds is not None}
    return clip | ({"fps": video.fps} if video.fps is not None else {})


def _input_image(part: MediaPart, spot: Spot, package: str) -> Block:
    """An uploaded image by its id, which goes through as the Responses API has it."""
    if not isinstance(part.source, Uploaded):
        return _image_url(part, spot, package)
    detail = {"detail": part.detail} if isinstance(part, Image) and part.detail else {}
    return {"type": "input_image", "file_id": part.source.uri} | detail


def _converse(part: MediaPart, spot: Spot, package: str) -> Block:
    """What the package converts itself, and everything else in Converse's own form, which it passes on."""
    if not isinstance(part.source, Inline) or isinstance(part, Audio):
        return _own_block("bedrock_style", part)
    if isinstance(part, Document):
        return _standard(part, spot, package) | {"extras": {"name": part.name}}
    return _PORTABLE_FORMS[part.kind](part, spot, package)


def _chunk(part: MediaPart, spot: Spot, package: str) -> Block:
    """Mistral's own chunk; one that calls a file by its id would be rewritten on the way."""
    if isinstance(part.source, Uploaded):
        raise UnsupportedContentError(
            package,
            f"{part.kind} ({part.source.describe()})",
            str(spot),
            "it sends ids of uploaded files in a form that Mistral does not have",
            "give the bytes or a link, or use AdapterRunnable('mistral_style') and Mistral's own client",
        )
    return _own_block("mistral_style", part)


def _own_block(style: str, part: MediaPart) -> Block:
    """The block of the provider's own shape; what it has no place for was refused before."""
    before = Text("-")  # a message of one part may be written in another way
    (message,) = get_adapter(style).encode([Message("user", [before, part])])["messages"]
    block: Block = message["content"][1]
    return block


def _under_converse_names(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """The same messages, documents called what Bedrock lets them be called."""
    names = document_names(messages)

    def named(part: Part, spot: Spot) -> Part:
        if isinstance(part, ToolResult):
            return part.replace(parts=[named(p, spot._replace(inner=inner)) for inner, p in enumerate(part.parts)])
        return part.replace(name=names[spot].name, title=None) if isinstance(part, Document) else part

    return tuple(
        message.replace(parts=[named(p, Spot(number, message.role, index)) for index, p in enumerate(message.parts)])
        for number, message in enumerate(messages)
    )


class Dialect(NamedTuple):
    """What a chat-model package passes on whole.

    Attributes:
        package: Its name, for errors.
        forms: The form of each kind of medium.
        results: The form inside tool results.
        carries: Which of name, cache, detail, title, clip and error go through.
        system_leads: Whether it loses or moves a system message that does not lead.
        text_beside_calls: Whether the text of a message with tool calls goes through.
        named: What gives documents names that the provider takes.
    """

    package: str
    forms: Mapping[str, Form]
    results: Mapping[str, Form]
    carries: frozenset[str]
    system_leads: bool = False
    text_beside_calls: bool = True
    named: Callable[[tuple[Message, ...]], tuple[Message, ...]] | None = None

    def block(self, part: MediaPart, spot: Spot, *, in_result: bool) -> Block:
        """A medium as a content block.

        Raises:
            UnsupportedContentError: (a ``ValueError``) The package has no form that goes through whole.
        """
        block = (self.results if in_result else self.forms)[part.kind](part, spot, self.package)
        return block | ({"cache_control": {"type": "ephemeral"}} if part.cache and "cache" in self.carries else {})


_PORTABLE_FORMS: Mapping[str, Form] = {
    Image.kind: _image_url,
    Audio.kind: _standard,
    Video.kind: _standard,
    Document.kind: _standard,
}
_ANTHROPIC_FORMS: Mapping[str, Form] = dict.fromkeys(_PORTABLE_FORMS, _standard) | {Document.kind: _text_plain}

PORTABLE = Dialect(
    package="LangChain messages",
    forms=_PORTABLE_FORMS,
    results=_PORTABLE_FORMS,
    carries=frozenset({"name", "detail", "title", "error"}),
)

# Per wire shape; a shape without a row is spoken to in the portable form.
DIALECTS: Mapping[str, Dialect] = {
    "openai_style": PORTABLE._replace(
        package="langchain-openai",
        forms={**_PORTABLE_FORMS, Audio.kind: _input_audio},
        carries=frozenset({"name", "detail"}),
    ),
    "anthropic_style": Dialect(
        package="langchain-anthropic",
        forms=_ANTHROPIC_FORMS,
        results=_ANTHROPIC_FORMS,
        carries=frozenset({"cache", "title", "error"}),
        system_leads=True,
    ),
    "google_style": Dialect(
        package="langchain-google-genai",
        forms=dict.fromkeys(_PORTABLE_FORMS, _media),
        # Inside a tool result a ``media`` part would be taken for data of the tool.
        results=_PORTABLE_FORMS,
        carries=frozenset({"clip"}),
        system_leads=True,
        text_beside_calls=False,
    ),
    "openai_responses_style": PORTABLE._replace(
        package="langchain-openai",
        forms={**_PORTABLE_FORMS, Image.kind: _input_image},
        results={**_PORTABLE_FORMS, Image.kind: _input_image},
        carries=frozenset({"detail"}),
    ),
    "bedrock_style": Dialect(
        package="langchain-aws",
        forms=dict.fromkeys(_PORTABLE_FORMS, _converse),
        results=dict.fromkeys(_PORTABLE_FORMS, _converse),
        carries=frozenset({"title", "error"}),
        system_leads=True,
        named=_under_converse_names,
    ),
    "mistral_style": Dialect(
        package="langchain-mistralai",
        forms=dict.fromkeys(_PORTABLE_FORMS, _chunk),
        results=dict.fromkeys(_PORTABLE_FORMS, _chunk),
        carries=frozenset({"detail"}),
        text_beside_calls=False,
    ),
    "ollama_style": PORTABLE._replace(package="langchain-ollama", carries=frozenset()),
}
