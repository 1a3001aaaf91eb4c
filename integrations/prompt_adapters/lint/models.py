"""What a model refuses of a prompt, as its own adapter says.

The adapter is asked about a conversation of the prompt's turns with a letter as each text, so no value is needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from prompt_adapters.adapters import PROMPT_ADAPTER_REGISTRY, MessageAdapter, adapter_for, get_adapter
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import MEDIA_PARTS, MediaPart, Part, Text, ToolCall, ToolResult
from prompt_adapters.content.source import Link
from prompt_adapters.errors import NoChatModelError, PromptAdapterError, UnknownModelError, UnsupportedContentError
from prompt_adapters.lint.rules import Fault
from prompt_adapters.lint.texts import place_of
from prompt_adapters.prompt import History, Prompt, Turn
from prompt_adapters.targets import PROVIDERS, model_info
from prompt_adapters.targets.suggestions import suggestions
from prompt_adapters.turns import Entry

_LETTER = "x"
_LEADING = ("system", "developer")
_PLACES = ("inline", "http", "https", "gs", "s3", "uploaded")
_NUMBER = re.compile(r"message (\d+)")


class _Turn(NamedTuple):
    """A message of the conversation, and the entry of the prompt that it stands for."""

    place: str
    message: Message


def of_model(prompt: Prompt, model: str) -> Iterator[Fault]:
    """What a model refuses of a prompt, or what is wrong with the model itself.

    Args:
        prompt: The prompt.
        model: The model string.
    """
    try:
        adapter = adapter_for(model)
    except UnknownModelError as error:
        yield Fault("unknown-model", _unknown(model, error))
        return
    if not isinstance(adapter, MessageAdapter):
        return
    yield from _unlisted(adapter, model)
    yield from _media(prompt, adapter, model)
    yield from _turns(prompt, adapter, model)
    yield from _parameters(prompt, adapter, model)


def of_no_model(prompt: Prompt) -> Iterator[Fault]:
    """What no model takes of a prompt that names none: media that every wire shape refuses."""
    for place, role, part in _literal(prompt):
        refusal = None
        for adapter in map(get_adapter, PROMPT_ADAPTER_REGISTRY):
            if isinstance(adapter, MessageAdapter):
                refusal = _refused_medium(part, role, adapter)
                if refusal is None:
                    break
        if refusal is not None:
            said = refusal.reason if isinstance(refusal, UnsupportedContentError) else refusal
            yield Fault("unsupported-media", f"no provider takes {part.describe()} at {place}: {said}")


def _unknown(model: str, error: UnknownModelError) -> str:
    if isinstance(error, NoChatModelError):
        return f"the model {model!r} is for {error.serves} and takes no prompt"
    close = " or ".join(map(repr, error.suggestions))
    meant = f"; did you mean {close}?" if close else ""
    return f"the provider of the model {model!r} cannot be told; write it in front, as 'openai/NAME'{meant}"


def _unlisted(adapter: MessageAdapter, model: str) -> Iterator[Fault]:
    target = adapter.route
    if target is None or PROVIDERS[target.provider].own_names or model_info(target.provider, target.model) is not None:
        return
    alike = [name for name in suggestions(target.model) if name != model]
    if alike:
        listed = " or ".join(map(repr, alike))
        yield Fault("unlisted-model", f"the model {model!r} is not in the table of models; did you mean {listed}?")


# Turns


def _turns(prompt: Prompt, adapter: MessageAdapter, model: str) -> Iterator[Fault]:
    turns = _conversation(prompt)
    refused = _refusal(turns, adapter)
    final = turns[-1]
    prefills = final.message.role == "assistant"
    if refused is not None:
        rule = "refused-turns"
        if prefills and (len(turns) == 1 or _refusal(turns[:-1], adapter) is None):
            rule = "refused-prefill"
        yield Fault(rule, _sentence(refused, model, turns))
    elif prefills:
        for note in adapter.prepare([turn.message for turn in turns]).notes:
            if note.position.startswith(f"message {len(turns)} "):
                yield Fault("prefill-not-continued", f"{final.place} ends the prompt, but for {model}: {note.text}")


def _conversation(prompt: Prompt) -> list[_Turn]:
    """The turns of a prompt, of which media are another matter.

    A history is a question and its answer. Behind system texts alone a user says something, as they are made for that.
    """
    turns: list[_Turn] = []
    for number, entry in enumerate(prompt.messages):
        place = place_of(number, entry)
        if isinstance(entry, History):
            turns += [_Turn(place, Message("user", _LETTER)), _Turn(place, Message("assistant", _LETTER))]
        elif isinstance(entry, Turn):
            turns.append(_Turn(place, Message(entry.role, _LETTER)))
        else:
            turns.append(
                _Turn(place, entry.replace(parts=[_without_medium(part) for part in entry.parts] or [_LETTER]))
            )
    if all(turn.message.role in _LEADING for turn in turns):
        turns.append(_Turn("what the user says", Message("user", _LETTER)))
    return turns


def _without_medium(part: Part) -> Part:
    if isinstance(part, ToolResult):
        return part.replace(parts=(Text(_LETTER),))
    return part if isinstance(part, ToolCall) else Text(_LETTER)


def _refusal(turns: Iterable[_Turn], adapter: MessageAdapter) -> PromptAdapterError | None:
    try:
        adapter.build_body([turn.message for turn in turns])
    except PromptAdapterError as error:
        return error
    return None


def _sentence(error: PromptAdapterError, model: str, turns: Sequence[_Turn] = (), place: str | None = None) -> str:
    """What an error about a made-up conversation says of the prompt."""
    if not isinstance(error, UnsupportedContentError):
        return f"for {model}, {place or 'the prompt'}: {error}"
    found = _NUMBER.match(error.position)
    if place is None and found is not None and int(found[1]) <= len(turns):
        place = turns[int(found[1]) - 1].place
    return f"{model} cannot take {error.part} at {place or error.position}: {error.reason}; {error.remedy}"


# Parameters


def _parameters(prompt: Prompt, adapter: MessageAdapter, model: str) -> Iterator[Fault]:
    parameters = prompt.parameters
    if not parameters:
        return
    one = Prompt(user=_LETTER)
    refused = False
    for name, value in parameters.items():
        if (error := _refused_body(one.replace(parameters={name: value}), adapter)) is not None:
            refused = True
            yield Fault("refused-parameter", _sentence(error, model, place="the parameters"))
    if not refused and (error := _refused_body(one.replace(parameters=parameters), adapter)) is not None:
        yield Fault("refused-parameter", _sentence(error, model, place="the parameters"))


def _refused_body(prompt: Prompt, adapter: MessageAdapter) -> PromptAdapterError | None:
    try:
        adapter.build_body(prompt)
    except PromptAdapterError as error:
        return error
    return None


# Media


def _media(prompt: Prompt, adapter: MessageAdapter, model: str) -> Iterator[Fault]:
    for kind, what in dict.fromkeys(_slots(prompt)):
        if not any(adapter.accepts(kind, place) for place in _PLACES):
            yield Fault("unsupported-media", f"{model} takes no {kind}, but {what} holds one")
    for place, role, part in _literal(prompt):
        yield from _literal_medium(part, role, place, adapter, model)


def _slots(prompt: Prompt) -> Iterator[tuple[str, str]]:
    """The kinds of the media that a prompt has slots for, with the words for each slot."""
    for entry in prompt.messages:
        for block in entry.blocks if isinstance(entry, Turn) else ():
            if block.variable is not None and block.type in MEDIA_PARTS:
                yield block.type, f"the variable {block.variable!r}"
    for variable in prompt.variables:
        if variable.type is not None and variable.type in MEDIA_PARTS:
            yield variable.type, f"the variable {variable.name!r}"


def _literal(prompt: Prompt) -> Iterator[tuple[str, str, MediaPart]]:
    """The media that stand in a prompt as they are, with their place and role."""
    for number, entry in enumerate(prompt.messages):
        for part in _parts(entry):
            if isinstance(part, MediaPart) and not isinstance(entry, History):
                yield place_of(number, entry), entry.role, part
    if prompt.few_shot is not None and prompt.few_shot.selector is None:
        for number, example in enumerate(prompt.few_shot.examples, 1):
            for role, side in (("user", example.input), ("assistant", example.output)):
                yield from ((f"example {number}", role, part) for part in side if isinstance(part, MediaPart))


def _parts(entry: Entry) -> Iterable[Part]:
    if isinstance(entry, Message):
        return entry.parts
    return [block.part for block in entry.blocks if block.part is not None] if isinstance(entry, Turn) else ()


def _literal_medium(part: MediaPart, role: str, place: str, adapter: MessageAdapter, model: str) -> Iterator[Fault]:
    source = part.source
    scheme = source.scheme if isinstance(source, Link) else None
    if scheme in ("http", "https") and adapter.accepts(part.kind) and not adapter.accepts(part.kind, scheme):
        said = f"{model} reads no {scheme} links to {part.kind} content, as at {place}"
        yield Fault("link-not-read", f"{said}; download it with a fetcher, or keep the content itself")
        return
    if (error := _refused_medium(part, role, adapter)) is not None:
        yield Fault("unsupported-media", _sentence(error, model, place=place))


def _refused_medium(part: MediaPart, role: str, adapter: MessageAdapter) -> PromptAdapterError | None:
    before = () if role in (*_LEADING, "user") else (Message("user", _LETTER),)
    after = () if role == "user" else (Message("user", _LETTER),)
    try:
        adapter.build_body([*before, Message(role, [_LETTER, part]), *after])
    except PromptAdapterError as error:
        return error
    return None
