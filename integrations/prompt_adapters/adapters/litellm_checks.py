"""What LiteLLM would drop, move or send elsewhere is refused before it is called, or said in a note.

Rows say which models LiteLLM sends to an API that has no place for what is said, or whose system text it gives another
role. Sources are the pages of LiteLLM's that tell how it goes about them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from prompt_adapters.adapters.google import GoogleGenAIStylePromptAdapter
from prompt_adapters.adapters.litellm_parameters import goes_to_responses
from prompt_adapters.adapters.litellm_passing import Call, info_of
from prompt_adapters.adapters.spots import Spot
from prompt_adapters.adapters.tidy import SYSTEM_ROLES
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Document, MediaPart, Part, Text, ToolCall, ToolResult
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.media.notes import Note
from prompt_adapters.targets import Route
from prompt_adapters.targets.capabilities import capabilities_of

if TYPE_CHECKING:
    from prompt_adapters.adapters.litellm import LiteLLMStylePromptAdapter
    from prompt_adapters.adapters.litellm_dialects import Dialect

_PLACES: Mapping[type, tuple[str, str]] = {
    Inline: ("inline", "as bytes"),
    Link: ("link", "by link"),
    Uploaded: ("uploaded", "as an uploaded file"),
}
_PDF = "application/pdf"


class Detour(NamedTuple):
    """Models that LiteLLM speaks to otherwise than their shape has it.

    Attributes:
        concerns: Whether a model is one of them.
        systems_only: Whether only system text is lost; otherwise it is whatever is said beside one text of the user.
        reason: What LiteLLM does.
        write: How the model is written instead; empty when there is no way.
        source: The page.
    """

    concerns: Callable[[Route], bool]
    systems_only: bool
    reason: str
    write: str
    source: str


def _o_series(target: Route) -> bool:
    if target.style != "openai_style" or goes_to_responses(Call(target, info_of(target), {})):
        return False
    if target.provider == "azure":
        series = any(name in target.model for name in ("o1", "o3", "o4", "o_series/"))
    else:
        series = target.provider == "openai" and target.model[:1] == "o" and target.model[1:2].isdigit()
    return series and capabilities_of("openai", target.model).system is not True


def _gemini_without_system(target: Route) -> bool:
    if target.style != "google_style" or "gemini/" in target.model:
        return False
    return target.capabilities.system is not True


def _named(provider: str, pattern: str) -> Callable[[Route], bool]:
    models = re.compile(pattern, re.IGNORECASE)
    return lambda target: target.provider == provider and models.match(target.model) is not None


DETOURS: tuple[Detour, ...] = (
    Detour(
        _o_series,
        True,
        "LiteLLM sends the system text of {model} as the user's",
        "openai/responses/{name}",
        "https://docs.litellm.ai/docs/providers/openai#o-series-models",
    ),
    Detour(
        lambda target: _gemini_without_system(target) and target.model.isdigit(),
        True,
        "LiteLLM sends the system text of {model} as the user's",
        "vertex_ai/gemini/{name}",
        "https://docs.litellm.ai/docs/providers/vertex#fine-tuned-models",
    ),
    Detour(
        _gemini_without_system,
        True,
        "LiteLLM's table does not say that {model} takes system text, so it sends it as the user's",
        "",
        "https://docs.litellm.ai/docs/completion/input",
    ),
    Detour(
        lambda target: target.provider in ("cohere", "cohere_chat") and target.model.startswith("v1/"),
        False,
        "to the first version of Cohere's API LiteLLM sends the last text alone",
        "cohere_chat/{name}",
        "https://docs.litellm.ai/docs/providers/cohere",
    ),
    Detour(
        _named("scaledown", ""),
        False,
        "LiteLLM sends only the last text to {model}",
        "",
        "https://docs.litellm.ai/docs/providers",
    ),
    Detour(
        _named("anthropic", "claude-2$"),
        False,
        "LiteLLM sends {model} to an older API of Anthropic's that takes one text",
        "",
        "https://docs.litellm.ai/docs/providers/anthropic",
    ),
)


@lru_cache(maxsize=1024)
def _detour(target: Route) -> Detour | None:
    return next((row for row in DETOURS if row.concerns(target)), None)


def is_detour(target: Route) -> bool:
    """Whether LiteLLM speaks to a model otherwise than its shape has it."""
    return _detour(target) is not None


def check_turns(messages: Sequence[Message], adapter: LiteLLMStylePromptAdapter, target: Route) -> None:
    """Refuse turns that LiteLLM would lose on the way to a model.

    Raises:
        UnsupportedContentError: (a ``ValueError``) There is such a turn.
    """
    detour = _detour(target)
    if detour is not None:
        spot = next(_lost(messages, detour), None)
        if spot is not None:
            name = target.model.removeprefix("v1/")
            remedy = adapter.instead()
            if detour.write and (target.provider != "azure"):
                remedy = f"write the model as {detour.write.format(name=name)!r}, or {remedy}"
            what = "a system message" if spot.role in SYSTEM_ROLES else f"a turn of the {spot.role}"
            adapter.refuse(what, spot, detour.reason.format(model=adapter.model), remedy)
    if isinstance(adapter.native, GoogleGenAIStylePromptAdapter):
        _refuse_equal_calls(messages, adapter)


def _lost(messages: Sequence[Message], detour: Detour) -> Iterator[Spot]:
    alone = len(messages) == 1 and all(isinstance(part, Text) for part in messages[0].parts)
    for number, message in enumerate(messages):
        system = message.role in SYSTEM_ROLES and bool(message.parts)
        if system or not (detour.systems_only or (alone and message.role == "user")):
            yield Spot(number, message.role)


def _refuse_equal_calls(messages: Sequence[Message], adapter: LiteLLMStylePromptAdapter) -> None:
    """Of equal calls in one turn of the model LiteLLM sends only the first to Gemini."""
    seen: list[tuple[str, Mapping[str, Any]]] = []
    for number, message in enumerate(messages):
        seen = seen if message.role == "assistant" else []
        for index, part in enumerate(message.parts):
            if not isinstance(part, ToolCall):
                continue
            if (part.name, part.arguments) in seen:
                spot = Spot(number, message.role, index)
                adapter.refuse(part, spot, "LiteLLM drops the second of two equal calls", adapter.instead())
            seen.append((part.name, part.arguments))


def check_media(messages: Sequence[Message], adapter: LiteLLMStylePromptAdapter) -> None:
    """Refuse media that would not arrive; errors as for `check_medium`."""
    for number, message in enumerate(messages):
        for index, part in enumerate(message.parts):
            spot = Spot(number, message.role, index)
            if isinstance(part, ToolResult):
                _check_blank(part, spot, adapter)
                for inner, item in enumerate(part.parts):
                    if isinstance(item, MediaPart):
                        check_medium(item, spot._replace(inner=inner), adapter)
            elif isinstance(part, MediaPart):
                check_medium(part, spot, adapter)


def check_medium(part: MediaPart, spot: Spot, adapter: LiteLLMStylePromptAdapter) -> None:
    """Refuse a medium that would not arrive.

    Raises:
        UnsupportedContentError: (a ``ValueError``) It would not, there, of that kind, or from that source.
    """
    row = adapter.dialect
    if spot.inner is not None:
        if part.kind not in row.in_results:
            remedy = f"put it into a user turn after the result, or {adapter.instead()}"
            adapter.refuse(part, spot, f"LiteLLM does not pass on {part.kind} inside a tool result", remedy)
    else:
        check_role(part, spot, adapter)
    where = "to every provider" if adapter.route is None else f"to {adapter.model}"
    if part.kind not in row.kinds:
        adapter.refuse(part, spot, f"LiteLLM is not known to pass it on {where}", adapter.instead())
    if row.pdf_only and isinstance(part.source, Inline) and part.kind == "document" and part.source.mime != _PDF:
        adapter.refuse(part, spot, f"LiteLLM passes on no other documents than PDFs {where}", adapter.instead())
    place, words = _PLACES[type(part.source)]
    if place not in adapter.takes[part.kind]:
        adapter.refuse(part, spot, f"LiteLLM is not known to pass on {part.kind} {words} {where}", adapter.instead())


def _check_blank(result: ToolResult, spot: Spot, adapter: LiteLLMStylePromptAdapter) -> None:
    if adapter.dialect.blank_results or any(not isinstance(p, Text) or p.text.strip() for p in result.parts):
        return
    adapter.refuse(
        result, spot, f"LiteLLM leaves out blank content on its way to {adapter.model}", "let it say something"
    )


def check_links(messages: Sequence[Message], adapter: LiteLLMStylePromptAdapter) -> None:
    """Refuse links that the provider reads and LiteLLM does not leave to it, unless they are fetched here.

    Raises:
        UnsupportedContentError: (a ``ValueError``) There is such a link.
    """
    row, native = adapter.dialect, adapter.native
    if row.links is None or native is None or adapter.options.fetcher is not None:
        return
    read = native.limits.links
    for number, message in enumerate(messages):
        for index, part in enumerate(message.parts):
            if not isinstance(part, MediaPart) or not isinstance(part.source, Link):
                continue
            scheme = part.source.scheme
            if scheme not in row.links and (read is None or scheme in read):
                reason = f"LiteLLM does not leave {scheme}:// links to {native.limits.name}"
                remedy = f"give the bytes, set the adapter's option fetcher, or {adapter.instead()}"
                adapter.refuse(part, Spot(number, message.role, index), reason, remedy)


def check_role(part: Part | str, spot: Spot, adapter: LiteLLMStylePromptAdapter) -> None:
    """Refuse a medium in a turn whose media would not arrive; errors as for `check_medium`."""
    if spot.role in adapter.dialect.media_roles:
        return
    if spot.role in SYSTEM_ROLES:
        adapter.refuse(part, spot, "a system text holds only text", "move it to a user turn")
    reason = f"LiteLLM does not pass on media in {spot.role} turns"
    adapter.refuse(part, spot, reason, f"move it to a user turn, or {adapter.instead()}")


def check_tools(
    messages: Sequence[Message], adapter: LiteLLMStylePromptAdapter, parameters: Mapping[str, Any]
) -> list[Note]:
    """What LiteLLM makes of tool turns when the call declares no tools.

    Args:
        messages: The messages.
        adapter: Who refuses.
        parameters: All parameters of the call.

    Raises:
        UnsupportedContentError: (a ``ValueError``) It makes text of them.
    """
    row, spot = adapter.dialect, first_tool_turn(messages)
    if spot is None or declares_tools(parameters):
        return []
    if row.tool_turns:
        adapter.refuse(
            "a tool turn", spot, f"without 'tools' {row.tool_turns}", "give the call its tools, as tools=[…]"
        )
    return [Note("parameters", f"without 'tools' {said}")] if (said := row.remarks.get("undeclared")) else []


def first_tool_turn(messages: Iterable[Message]) -> Spot | None:
    """Where the first call or result stands."""
    spots = (
        Spot(number, message.role, index)
        for number, message in enumerate(messages)
        for index, part in enumerate(message.parts)
        if isinstance(part, ToolCall | ToolResult)
    )
    return next(spots, None)


def declares_tools(parameters: Mapping[str, Any]) -> bool:
    """Whether a call says which tools there are."""
    return bool(parameters.get("tools") or parameters.get("functions"))


def remarks(messages: Sequence[Message], row: Dialect) -> Iterator[Note]:
    """What is said of whole kinds of parts."""
    if not row.remarks:
        return
    found = {word for message in messages for part in message.parts for word in _words_of(part)}
    yield from (Note("", said) for word, said in row.remarks.items() if word in found)


def _words_of(part: Part) -> Iterator[str]:
    if isinstance(part, ToolResult):
        yield "tool_result"
    elif isinstance(part, MediaPart):
        yield "media"
        if isinstance(part.source, Uploaded):
            yield "uploaded"
            if isinstance(part, Document) and part.title:
                yield "uploaded_title"
