"""The way of messages and parameters through an adapter, up to what it encodes.

tidy ─ system text ─ arrange ─ losses ─ fit ─ parameters ─► Prepared, and the parameters under the provider's names

A payload takes the short way: what was written is arranged, and never fitted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from prompt_adapters.adapters.blocks import Turn
from prompt_adapters.adapters.bound_model import doubts, unsure
from prompt_adapters.adapters.losses import losses
from prompt_adapters.adapters.parameters import SAMPLING, Translator
from prompt_adapters.adapters.roles import absorbed, absorbed_turns, placed_systems
from prompt_adapters.adapters.spots import holds_media
from prompt_adapters.adapters.survey import IMAGE, plain_talk
from prompt_adapters.adapters.tidy import tidy, without_empty
from prompt_adapters.adapters.turn_checks import check_calls
from prompt_adapters.content.message import Message
from prompt_adapters.content.source import Inline
from prompt_adapters.media.known import known_to_fit, pictures, remember
from prompt_adapters.media.notes import Note

if TYPE_CHECKING:
    from prompt_adapters.adapters.base import MessageAdapter

_Result = TypeVar("_Result")
_listener: ContextVar[list[Note] | None] = ContextVar("prompt_adapters_notes", default=None)


@contextmanager
def noting() -> Iterator[list[Note]]:
    """A list that takes the notes of all requests that are built inside, for callers who want both."""
    heard: list[Note] = []
    token = _listener.set(heard)
    try:
        yield heard
    finally:
        _listener.reset(token)


# One call, read but not yet prepared: its messages, its parameters, and notes. Both are plain tuples, since each text
# request makes one of each, and named ones cost a tenth of it.
Given: TypeAlias = tuple[tuple[Message, ...], Mapping[str, Any], tuple[Note, ...]]
# The messages as they are encoded, all notes, and the parameters under the provider's names.
Ready: TypeAlias = tuple[tuple[Message, ...], tuple[Note, ...], dict[str, Any]]


def downloaded(adapter: MessageAdapter, given: Given) -> Given:
    """A call with the content of those links that the target does not read, where there is a fetcher."""
    if adapter._options.fetcher is None:
        return given
    from prompt_adapters.adapters.fetching import with_downloads

    messages, notes = with_downloads(adapter, given[0])
    return messages, given[1], (*given[2], *notes)


async def aside(adapter: MessageAdapter, work: Callable[[Given], _Result], given: Given) -> _Result:
    """The result of work. Media may have to be converted, which takes long enough for a thread; text does not."""
    if not holds_media(given[0]):
        return work(given)
    if adapter._options.fetcher is not None:
        from prompt_adapters.adapters.fetching import awith_downloads

        messages, notes = await awith_downloads(adapter, given[0])
        given = messages, given[1], (*given[2], *notes)
    import asyncio  # a third of what importing the package would cost otherwise, and nobody needs it for text

    return await asyncio.to_thread(work, given)


def prepared(adapter: MessageAdapter, given: Given) -> Ready:
    """The messages and parameters of a call as they are encoded, and what is said about them.

    Raises:
        PromptAdapterError: The provider cannot take something.
    """
    messages, parameters, notes = downloaded(adapter, given)
    if (model := adapter.model) is not None:
        if adapter.route is None:
            notes = (*notes, *doubts(model, adapter.style))
        if holds_media(messages):
            notes = (*notes, *unsure(model, adapter.route, adapter.style, messages))
    talk = plain_talk(messages)
    if talk is not None and talk[0] in adapter.as_is and (placing := with_systems(adapter, messages))[0] is messages:
        found = [*notes, *placing[1]]
    else:
        messages, found = _settled(adapter, messages, parameters, notes)
    media = pictures(messages) if talk is not None and talk[0] is IMAGE else ()
    if media or (talk is None and holds_media(messages)):
        messages, fitted = _fitted(adapter, messages, media)
        found += fitted
    placed, more = _placed(adapter, parameters, messages)
    found += more
    return messages, tuple(found), placed


def announce(style: str, notes: Sequence[Note]) -> None:
    """Log the notes about a request, and give them to who listens."""
    from logging import getLogger  # which takes as long to import as all adapters

    logger = getLogger("prompt_adapters")
    for note in notes:
        logger.info("%s: %s", style, note)
    if (heard := _listener.get()) is not None:
        heard += notes


def _fitted(
    adapter: MessageAdapter, messages: tuple[Message, ...], found: Sequence[Inline]
) -> tuple[tuple[Message, ...], Sequence[Note]]:
    """The messages with media that the target takes; `found` are the media of plain talk, and empty for other talk."""
    limits, on_limit = adapter.limits, adapter._options.on_limit
    if found and known_to_fit(messages, found, limits, on_limit):
        return messages, ()
    from prompt_adapters.media.fit import fit_messages

    fitted, notes = fit_messages(messages, limits, on_limit=on_limit, style=adapter.style)
    if found and not notes and all(new is old for new, old in zip(fitted, messages, strict=True)):
        remember(found, limits, on_limit)
    return fitted, notes


def _settled(
    adapter: MessageAdapter, messages: tuple[Message, ...], parameters: Mapping[str, Any], notes: Sequence[Note]
) -> tuple[tuple[Message, ...], list[Note]]:
    """The messages under all rules, and what was changed or is not carried."""
    options = adapter._options
    alone = options.system == "fold"
    messages, found = tidy(messages, blank_text=adapter.blank_text, system_alone=alone)
    found = [*notes, *found]
    messages, more = with_systems(adapter, messages)
    check_calls(messages, adapter, {**parameters, **(options.parameters or {})})
    messages, arranging = adapter.arrange(messages)
    found += [*more, *arranging]
    found += losses(messages, adapter.carries, adapter.document_name)
    return messages, found


def with_systems(adapter: MessageAdapter, messages: tuple[Message, ...]) -> tuple[tuple[Message, ...], list[Note]]:
    """System text where the model, or the option, wants it; as many messages come back.

    Raises:
        UnsupportedContentError: (a ``ValueError``) It cannot be put there.
    """
    options = adapter._options
    if options.system == "keep":
        return messages, []
    rule = adapter.turn_rule(messages) if options.system == "auto" else None
    if options.system == "auto" and rule is None:
        return messages, []
    mode = rule.system if rule is not None else options.system
    why = f"{adapter.model} takes it so" if rule is not None else f"the option system is {mode!r}"
    return placed_systems(messages, mode, options.system_in_middle, adapter.origin(), why)


def payload_messages(adapter: MessageAdapter, template: Any, values: Mapping[str, Any]) -> tuple[Message, ...]:
    """The messages of a payload: arranged, never fitted."""
    origin = adapter.origin()
    messages = without_empty(origin.messages(template, values))
    if not adapter.system_in_list:
        messages = absorbed(messages, origin)
    else:
        messages, _ = with_systems(adapter, messages)
    if not adapter.blank_text:
        messages, _ = tidy(messages, blank_text=False)
    return adapter.arrange(messages)[0]


def payload_turns(adapter: MessageAdapter, template: Any, values: Mapping[str, Any]) -> tuple[Turn, ...]:
    """The turns of a payload as they were given, for shapes whose items stay what they are."""
    origin = adapter.origin()
    turns = origin.turns(template, values)
    return absorbed_turns(turns, origin) if adapter._options.system == "fold" else turns


def _placed(
    adapter: MessageAdapter, given: Mapping[str, Any], messages: Sequence[Message]
) -> tuple[dict[str, Any], list[Note]]:
    """The parameters of the prompt and the adapter under the provider's names, and those that it demands."""
    options = adapter._options
    parameters: dict[str, Any] = {}
    notes: list[Note] = []
    if given or options.parameters:
        layers = tuple(layer for layer in (given, options.parameters) if layer)
        asked = any(SAMPLING & layer.keys() for layer in layers)
        sampling = adapter.capabilities.sampling_params if asked else None
        translator = Translator(adapter.style, adapter.parameter_table(), sampling, options.unknown_parameters)
        parameters, notes = translator.translate(layers)
        parameters, more = adapter.settle_parameters(parameters)
        notes += more
    defaults, more = adapter.default_parameters(parameters, messages)
    return {**defaults, **parameters}, [*notes, *more]
