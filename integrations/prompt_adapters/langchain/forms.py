"""The content blocks that a medium may become on its way through a chat-model package; `dialects` says which, and when.

LangChain's standard blocks: https://docs.langchain.com/oss/python/langchain/messages
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, NoReturn, TypeAlias, assert_never

from prompt_adapters.adapters import MessageAdapter
from prompt_adapters.adapters.google import GoogleGenAIStylePromptAdapter
from prompt_adapters.adapters.spots import Spot
from prompt_adapters.content.encoded import base64_of, data_url_of
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Document, Image, MediaPart, Text
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.errors import UnsupportedContentError

Block: TypeAlias = dict[str, Any]


class Site(NamedTuple):
    """Where a block will stand.

    Attributes:
        package: The chat-model package, for errors.
        spot: The place of the medium.
        name: What the package's provider calls the document there; None where it takes any name.
        adapter: The adapter of the target, where it is known.
    """

    package: str
    spot: Spot
    name: str | None = None
    adapter: MessageAdapter | None = None

    def refuse(self, part: MediaPart, reason: str, remedy: str) -> NoReturn:
        """Raise `UnsupportedContentError` for a part."""
        what = f"{part.kind} ({part.source.describe()})"
        raise UnsupportedContentError(self.package, what, str(self.spot), reason, remedy)


Form: TypeAlias = Callable[[MediaPart, Site], Block]

# LangChain's names of the kinds.
_STANDARD = {"image": "image", "audio": "audio", "video": "video", "document": "file"}
# Packages make a format of the subtype; with these names it is the one that the providers know.
_MIME_NAMES = {"audio/mpeg": "audio/mp3"}
_AUDIO_FORMATS = {"audio/wav": "wav", "audio/mpeg": "mp3"}


def standard(part: MediaPart, site: Site) -> Block:
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
    return block | title | ({"extras": extras} if (extras := _extras(part, site.name)) else {})


def _extras(part: MediaPart, converse_name: str | None) -> dict[str, Any]:
    if isinstance(part, Image):
        return {"detail": part.detail} if part.detail else {}
    if not isinstance(part, Document) or not isinstance(part.source, Inline):
        return {}
    # Where there is no name, langchain-openai makes one up, with a warning; langchain-aws looks for `name` first.
    named = {"filename": part.name or default_name(part.mime_type)}
    return named if converse_name is None else named | {"name": converse_name}


def default_name(mime: str | None) -> str:
    """A neutral file name for a document without one."""
    subtype = (mime or "").partition("/")[2]
    return f"document.{subtype if subtype.isalnum() else 'bin'}"


def image_url(part: MediaPart, site: Site) -> Block:
    """OpenAI's ``image_url``; what a web server does not give is a standard block."""
    match part.source:
        case Inline() as source:
            url = data_url_of(source)
        case Link(scheme="http" | "https") as source:
            url = source.url
        case _:
            return standard(part, site)
    return {"type": "image_url", "image_url": {"url": url} | _detail(part)}


def _detail(part: MediaPart) -> Block:
    return {"detail": part.detail} if isinstance(part, Image) and part.detail else {}


def input_audio(part: MediaPart, site: Site) -> Block:
    """OpenAI's ``input_audio``, for the formats that it has."""
    source = part.source
    if isinstance(source, Inline) and source.mime in _AUDIO_FORMATS:
        return {
            "type": "input_audio",
            "input_audio": {"data": base64_of(source), "format": _AUDIO_FORMATS[source.mime]},
        }
    return standard(part, site)


def input_image(part: MediaPart, site: Site) -> Block:  # noqa: ARG001 - a form has the same arguments as every other
    """An uploaded image by its id, which goes through as OpenAI's Responses API has it."""
    assert isinstance(part.source, Uploaded)  # noqa: S101 - the table has this form for uploaded files only
    return {"type": "input_image", "file_id": part.source.uri} | _detail(part)


def titled(part: MediaPart, site: Site) -> Block:
    """A document with its title, or else its name, as Anthropic shows it."""
    block = standard(part, site)
    title = part.title or part.name if isinstance(part, Document) else None
    return block | {"title": title} if title else block


def text_plain(part: MediaPart, site: Site) -> Block:
    """A text document by its text: as base64, Anthropic takes only PDF."""
    assert isinstance(part.source, Inline)  # noqa: S101 - the table has this form for text at hand only
    text = part.source.data.decode("utf-8-sig")
    block = {"type": "text-plain", "mime_type": "text/plain", "text": text}
    title = titled(part, site).get("title")
    return block | {"title": title} if title else block


def media(part: MediaPart, site: Site) -> Block:
    """Google's ``media`` part: bytes and their type, or a link that Google reads itself."""
    own = _googles(part, site)
    clip = {"video_metadata": own["video_metadata"]} if "video_metadata" in own else {}
    if isinstance(part.source, Inline):
        mime = own["inline_data"]["mime_type"]
        return {"type": "media", "mime_type": mime, "data": base64_of(part.source)} | clip
    return {"type": "media", **own["file_data"]} | clip


def file_reference(part: MediaPart, site: Site) -> Block:
    """A link or file as a standard block that calls it by its address; as a link, the package would download it."""
    data = _googles(part, site)["file_data"]
    return {"type": _STANDARD[part.kind], "file_id": data["file_uri"], "mime_type": data["mime_type"]}


def _googles(part: MediaPart, site: Site) -> Block:
    """The part as Google's own adapter has it."""
    adapter = site.adapter
    if not isinstance(adapter, GoogleGenAIStylePromptAdapter):
        adapter = GoogleGenAIStylePromptAdapter()
    return adapter.part(part, site.spot, wire=False, tool_names={})


def own(part: MediaPart, site: Site) -> Block:
    """The block of the provider's own shape, which the package passes on; what it lacks was refused before."""
    assert site.adapter is not None  # noqa: S101 - only dialects of a known target have this form
    before = Text("-")  # a message of one part may be written in another way
    (message,) = site.adapter.encode([Message("user", [before, part])])["messages"]
    block: Block = message["content"][1]
    return block


def converse(part: MediaPart, site: Site) -> Block:
    """Converse's own block for a document, which langchain-aws passes on, under its name."""
    return own(_as_called(part, site), site)


def converse_file(part: MediaPart, site: Site) -> Block:
    """A standard block; the name is Bedrock's."""
    called = _as_called(part, site)
    extras = {"extras": {"name": called.name}} if isinstance(called, Document) else {}
    return standard(called, site._replace(name=None)) | extras


def _as_called(part: MediaPart, site: Site) -> MediaPart:
    return part.replace(name=site.name or part.name, title=None) if isinstance(part, Document) else part


FORMS: Mapping[str, Form] = {
    form.__name__: form
    for form in (
        standard,
        image_url,
        input_audio,
        input_image,
        titled,
        text_plain,
        media,
        file_reference,
        converse,
        converse_file,
        own,
    )
}
