"""What a chat model is known not to take, told from its ``profile``, and refused before anything is sent.

A profile says yes, no, or nothing of a field; only a no counts, and only where this package's own table does not say
yes. The fields: https://docs.langchain.com/oss/python/langchain/models#model-profiles
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from prompt_adapters.adapters.spots import Spot
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import MediaPart, Part, ToolResult
from prompt_adapters.content.source import Link
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.targets import Capabilities


class _Field(NamedTuple):
    """What a field of a profile is about.

    Attributes:
        what: What the model takes or not.
        capability: The field of `Capabilities` that says the same.
    """

    what: str
    capability: str | None = None


_FIELDS: Mapping[str, _Field] = {
    "image_inputs": _Field("images", "image"),
    "image_url_inputs": _Field("links to images"),
    "pdf_inputs": _Field("PDF documents", "document"),
    "audio_inputs": _Field("audio", "audio"),
    "video_inputs": _Field("video", "video"),
    "image_tool_message": _Field("images in tool results"),
    "pdf_tool_message": _Field("PDF documents in tool results"),
}
# What no profile says: https://github.com/langchain-ai/langchain-aws turns tool turns into text then.
RESULTS_WITHOUT_TOOLS = "results_without_tools"

_UNKNOWN = Capabilities()


def lacking(profile: Mapping[str, Any], capabilities: Capabilities = _UNKNOWN) -> tuple[str, ...]:
    """The fields by which a profile says no, where nothing known says yes.

    Args:
        profile: The profile.
        capabilities: What this package knows of the model.
    """
    denied = [name for name in _FIELDS if profile.get(name) is False]
    return tuple(name for name in denied if getattr(capabilities, _FIELDS[name].capability or "", None) is not True)


def refuse_lacking(messages: Sequence[Message], lacks: Iterable[str], who: str, style: str | None) -> None:
    """Refuse what a chat model is known not to take.

    Args:
        messages: The messages.
        lacks: What it does not take.
        who: What errors call it.
        style: Its wire shape; None where that is not known.

    Raises:
        UnsupportedContentError: (a ``ValueError``) There is such a thing.
    """
    lacks = frozenset(lacks)
    if not lacks:
        return
    for spot, part, in_result in _media(messages):
        for need in _needs(part, in_result):
            if need not in lacks:
                continue
            what = f"{part.kind} ({part.source.describe()})"
            if need == RESULTS_WITHOUT_TOOLS:
                reason = "without bound tools it turns results into text and drops their media"
                raise UnsupportedContentError(
                    who, what, str(spot), reason, "bind the tools, as model.bind_tools([...])"
                )
            reason = f"the profile of the chat model says that it takes no {_FIELDS[need].what}"
            remedy = f"leave it out or choose another model, or, where that is wrong, set profile={{'{need}': True}}"
            own = "" if style is None else f" or use AdapterRunnable({style!r}) and the provider's own client"
            raise UnsupportedContentError(who, what, str(spot), reason, remedy + own)


def _media(messages: Sequence[Message]) -> Iterator[tuple[Spot, MediaPart, bool]]:
    for number, message in enumerate(messages):
        for index, part in enumerate(message.parts):
            spot = Spot(number, message.role, index)
            yield from _media_in(part, spot)


def _media_in(part: Part, spot: Spot) -> Iterator[tuple[Spot, MediaPart, bool]]:
    if isinstance(part, MediaPart):
        yield spot, part, False
    if isinstance(part, ToolResult):
        for inner, item in enumerate(part.parts):
            if isinstance(item, MediaPart):
                yield spot._replace(inner=inner), item, True


def _needs(part: MediaPart, in_result: bool) -> Iterator[str]:
    """What a model must take for this part."""
    pdf = part.kind == "document" and part.mime_type == "application/pdf"
    if pdf or part.kind != "document":
        kind = "pdf" if pdf else part.kind
        yield f"{kind}_inputs"
        if in_result:
            yield f"{kind}_tool_message"
    if part.kind == "image" and isinstance(part.source, Link):
        yield "image_url_inputs"
    if in_result:
        yield RESULTS_WITHOUT_TOOLS
