"""From a prompt's path to the JSON of its requests."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, get_args

from prompt_adapters.adapters import MessageAdapter, Prepared, adapter_for, get_adapter
from prompt_adapters.adapters.options import OnLimit
from prompt_adapters.content.encoded import base64_of, data_url_of
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, Text, ToolCall, ToolResult
from prompt_adapters.content.source import Inline
from prompt_adapters.errors import PromptAdapterError, UnknownModelError
from prompt_adapters.formats import load_prompt
from prompt_adapters.prompt import Prompt
from prompt_adapters.targets import route

_LONG = 80
_HEAD = 8


class Rendered(NamedTuple):
    """What was made of a prompt.

    Attributes:
        body: The body, or the bodies by model.
        media: The texts in it that are media, with what is printed in their place.
        notes: Every change that was made to fit the provider.
    """

    body: dict[str, Any]
    media: Mapping[str, str]
    notes: tuple[str, ...]

    def whole(self) -> str:
        """As JSON text."""
        return as_json(self.body)

    def shortened(self) -> str:
        """As JSON text, media shortened."""
        return as_json(replaced(self.body, self.media))


def render_prompt(
    path: str,
    models: Sequence[str],
    style: str | None,
    values: Mapping[str, Any],
    *,
    format_: str | None = None,
    syntax: str | None = None,
    on_limit: str = "convert",
    fetch: bool = False,
) -> Rendered:
    """The JSON bodies that a prompt becomes.

    Args:
        path: Where the prompt is.
        models: The models; the prompt's own when there are none and no style.
        style: The wire shape; each model's own when it is None.
        values: The variables' values.
        format_: The prompt's format; it is told from the content and the name when it is None.
        syntax: Its placeholder syntax, where it does not say its own.
        on_limit: What becomes of media that the provider would refuse.
        fetch: Whether links are downloaded that the provider does not read itself.

    Returns:
        One body, or with several models an object of bodies keyed by model.

    Raises:
        PromptAdapterError: Something is wrong with the prompt, the values, the model or the style.
    """
    options = options_of(on_limit, fetch=fetch)
    prompt = load_prompt(path, format_, syntax)
    names: tuple[str | None, ...] = tuple(dict.fromkeys(models)) or (prompt.model if style is None else None,)
    one = len(names) == 1
    bodies: dict[str, Any] = {}
    media: dict[str, str] = {}
    notes: list[str] = []
    for name in names:
        adapter = adapter_of(name, style, **options)
        body, prepared = rendered(adapter, prompt, values)
        bodies[name or adapter.style] = body
        media |= shortenings(prepared.messages)
        notes += [str(note) if one else f"{name}: {note}" for note in prepared.notes]
    return Rendered(next(iter(bodies.values())) if one else bodies, media, tuple(notes))


def options_of(on_limit: str, *, fetch: bool) -> dict[str, Any]:
    """The adapter's options that the command offers.

    Raises:
        PromptAdapterError: One has an impossible value.
    """
    if on_limit not in get_args(OnLimit):
        raise PromptAdapterError(f"--on-limit is one of {', '.join(get_args(OnLimit))}, not {on_limit!r}")
    options: dict[str, Any] = {} if on_limit == "convert" else {"on_limit": on_limit}
    if fetch:
        from prompt_adapters.media import HttpFetcher

        options["fetcher"] = HttpFetcher()
    return options


def rendered(adapter: MessageAdapter, prompt: Prompt, values: Mapping[str, Any]) -> tuple[dict[str, Any], Prepared]:
    """The body, and the messages that are in it."""
    return adapter.build_body(prompt, values), adapter.prepare(prompt, values)


def adapter_of(model: str | None, style: str | None, **options: Any) -> MessageAdapter:
    """The adapter for a model, a wire shape or both, with its options.

    Raises:
        PromptAdapterError: There is none, or it makes no whole requests.
    """
    adapter = _made(model, style, options)
    if not isinstance(adapter, MessageAdapter):
        raise PromptAdapterError(f"{style!r} makes payloads of templates only, not whole requests; use its class")
    return adapter


def _made(model: str | None, style: str | None, options: Mapping[str, Any]) -> MessageAdapter:
    if model is not None and not model.strip():
        raise PromptAdapterError("--model is empty; write it as anthropic/claude-sonnet-4-5")
    if style is None:
        if model is None:
            raise PromptAdapterError("give --model or --style: the prompt names no model of its own")
        return adapter_for(model, **options)
    if model is None:
        return get_adapter(style, **options)
    try:
        spoken = route(model).style
    except UnknownModelError:
        spoken = None
    return adapter_for(model, **options) if spoken == style else get_adapter(style, model=model, **options)


def shortenings(messages: Iterable[Message]) -> dict[str, str]:
    """The long texts that media become in a request, with what is shown in their place."""
    shown: dict[str, str] = {}
    for source in _inline(part for message in messages for part in message.parts):
        text, size = base64_of(source), len(source.data)
        if len(text) > _LONG:
            short = f"{text[:_HEAD]}… ({size} bytes)"
            shown[text] = short
            shown[data_url_of(source)] = f"data:{source.mime};base64,{short}"
    return shown


def _inline(parts: Iterable[Part]) -> Iterator[Inline]:
    for part in parts:
        if isinstance(part, ToolResult):
            yield from _inline(part.parts)
        elif not isinstance(part, Text | ToolCall) and isinstance(part.source, Inline):
            yield part.source


def replaced(value: Any, texts: Mapping[str, str]) -> Any:
    """The data with some texts replaced; only whole texts, so that nothing that the author wrote is touched."""
    match value:
        case dict():
            return {key: replaced(item, texts) for key, item in value.items()}
        case list():
            return [replaced(item, texts) for item in value]
        case str():
            return texts.get(value, value)
    return value


def as_json(data: Any) -> str:
    """Data as JSON text to read; characters stay characters where the output can show them."""
    text = json.dumps(data, ensure_ascii=False, indent=2)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(data, indent=2)
    return f"{text}\n"


def write(text: str, file: str) -> None:
    """Write a text to a file, as UTF-8.

    Raises:
        PromptAdapterError: It cannot be written there.
    """
    path = Path(file).expanduser()
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise PromptAdapterError(f"cannot write {os.fspath(path)!r}: {error.strerror or error}") from None
