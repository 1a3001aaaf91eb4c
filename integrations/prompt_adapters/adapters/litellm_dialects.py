"""What LiteLLM passes on whole, by kind of target, and how media are written for it.

Each row says what was seen to arrive, over HTTP, with litellm 1.110. What a row does not name, LiteLLM drops, downloads
or sends as something else. A target without a row is spoken to in text only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, assert_never

from prompt_adapters.adapters.accepted import EVERYTHING, Sources, sources
from prompt_adapters.adapters.anthropic import AnthropicStylePromptAdapter
from prompt_adapters.adapters.google import GoogleGenAIStylePromptAdapter
from prompt_adapters.adapters.litellm_parameters import (
    AZURE,
    AZURE_RESPONSES,
    CLAUDE,
    CLAUDE_ON_VERTEX,
    GEMINI,
    OPENAI,
    RESPONSES,
    VERTEX_GEMINI,
    goes_to_responses,
)
from prompt_adapters.adapters.litellm_passing import Call, Passing, info_of
from prompt_adapters.adapters.spots import Spot
from prompt_adapters.content.encoded import data_url_of
from prompt_adapters.content.parts import Document, Image, MediaPart, Video
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.targets import Route
from prompt_adapters.targets.capabilities import capabilities_of

if TYPE_CHECKING:
    from prompt_adapters.adapters.litellm import LiteLLMStylePromptAdapter

    Encode: TypeAlias = Callable[[LiteLLMStylePromptAdapter, MediaPart, Spot], dict[str, Any]]

_FILES_API = "https://generativelanguage.googleapis.com/"


def _as_openai(adapter: LiteLLMStylePromptAdapter, part: MediaPart, spot: Spot) -> dict[str, Any]:
    """OpenAI's parts."""
    return adapter.as_openai(part, spot)


def _as_claude(adapter: LiteLLMStylePromptAdapter, part: MediaPart, spot: Spot) -> dict[str, Any]:
    """OpenAI's images, and Anthropic's documents, which LiteLLM passes on as they are.

    As OpenAI's files, documents would lose their title, and plain text would go out as if it were a PDF.
    """
    match part:
        case Document() if isinstance(adapter.native, AnthropicStylePromptAdapter):
            return adapter.native._part(part, spot, ends_prefix=False)
        case Image(source=Uploaded() as source):
            # The type makes LiteLLM send an image; without it, the file goes to the container of code execution.
            return {"type": "file", "file": {"file_id": source.uri, "format": source.mime or "image/png"}}
    return adapter.as_openai(part, spot)


def _as_gemini(adapter: LiteLLMStylePromptAdapter, part: MediaPart, spot: Spot) -> dict[str, Any]:
    """OpenAI's images, and all else as files, under Google's own rules.

    A link goes to Vertex AI as a link. For the Gemini API LiteLLM downloads it, under its own rules, and sends the
    bytes, which is no way to send a film.
    """
    native = adapter.native
    if not isinstance(native, GoogleGenAIStylePromptAdapter):
        return adapter.as_openai(part, spot)
    encoded = native.part(part, spot, wire=False, tool_names={})
    file: dict[str, Any]
    match part.source:
        case Inline() if isinstance(part, Image):
            return adapter.as_openai(part, spot)
        case Inline() as source:
            file = {"file_data": data_url_of(source)}
        case Link() if isinstance(part, Video) and adapter.provider == "gemini":
            adapter.refuse(part, spot, "LiteLLM downloads the page in place of the film", adapter.instead())
        case Uploaded(uri=uri) if not uri.startswith((_FILES_API, "gs://")):
            remedy = f"give its URI, as '{_FILES_API}v1beta/files/abc'"
            adapter.refuse(part, spot, "LiteLLM passes on files of Google's Files API and Cloud Storage only", remedy)
        case Link() | Uploaded():
            file = {"file_id": encoded["file_data"]["file_uri"], "format": encoded["file_data"]["mime_type"]}
        case _:
            assert_never(part.source)
    clip = {"video_metadata": encoded["video_metadata"]} if "video_metadata" in encoded else {}
    return {"type": "file", "file": file | clip}


class Dialect(NamedTuple):
    """What LiteLLM passes on whole to one kind of target.

    Attributes:
        kinds: The kinds of media that arrive.
        encode: How they are written.
        carries: What arrives of name, cache, detail, title and clip.
        media_roles: The roles in whose turns media arrive.
        in_results: The kinds of media that arrive inside tool results.
        tried: Whether more is known than what arrives everywhere.
        takes: From these kinds to where their content may be; None for what OpenAI's shape takes.
        passing: The parameters that arrive; None when nobody tried.
    """

    kinds: frozenset[str]
    encode: Encode = _as_openai
    carries: frozenset[str] = frozenset()
    media_roles: frozenset[str] = frozenset({"user"})
    in_results: frozenset[str] = frozenset()
    tried: bool = True
    takes: Sources | None = None
    passing: Passing | None = None


_OPENAI = Dialect(frozenset({"image", "audio", "document"}), carries=frozenset({"name", "detail"}), passing=OPENAI)
_RESPONSES = Dialect(frozenset({"image", "document"}), carries=frozenset({"detail"}), passing=RESPONSES)
_CLAUDE = Dialect(
    frozenset({"image", "document"}),
    _as_claude,
    carries=frozenset({"cache", "title"}),
    in_results=frozenset({"image"}),
    takes=AnthropicStylePromptAdapter.takes,
    passing=CLAUDE,
)
# A detail would not stay with its image: for Gemini 2 LiteLLM makes it the resolution of the whole request.
_GEMINI = Dialect(
    frozenset({"image", "audio", "video", "document"}),
    _as_gemini,
    carries=frozenset({"clip"}),
    media_roles=frozenset({"user", "assistant"}),
    in_results=frozenset({"image"}),
    takes=EVERYTHING,
    passing=VERTEX_GEMINI,
)
# Without a model: what arrives wherever it goes.
ANYWHERE = Dialect(frozenset({"image", "document"}), tried=False)
UNTRIED = Dialect(frozenset(), tried=False)

DIALECTS: Mapping[tuple[str, str], Dialect] = MappingProxyType(
    {
        ("openai", "openai_style"): _OPENAI,
        ("openai", "openai_responses_style"): _RESPONSES,
        ("azure", "openai_style"): _OPENAI._replace(passing=AZURE),
        ("azure", "openai_responses_style"): _RESPONSES._replace(passing=AZURE_RESPONSES),
        ("anthropic", "anthropic_style"): _CLAUDE,
        ("vertex_ai", "anthropic_style"): _CLAUDE._replace(passing=CLAUDE_ON_VERTEX),
        ("gemini", "google_style"): _GEMINI._replace(
            takes={**EVERYTHING, **sources(video="inline uploaded")}, passing=GEMINI
        ),
        ("vertex_ai", "google_style"): _GEMINI,
    }
)


def loses_system(target: Route) -> bool:
    """Whether LiteLLM gives the system text of a model the role of the user.

    It does so for OpenAI's o-series, but for those that its table lists as taking system text:
    https://docs.litellm.ai/docs/providers/openai#o-series-models
    """
    if target.style != "openai_style" or goes_to_responses(Call(target, info_of(target), {})):
        return False
    if target.provider == "azure":
        series = any(name in target.model for name in ("o1", "o3", "o4", "o_series/"))
    else:
        series = target.provider == "openai" and target.model[:1] == "o" and target.model[1:2].isdigit()
    return series and capabilities_of("openai", target.model).system is not True
