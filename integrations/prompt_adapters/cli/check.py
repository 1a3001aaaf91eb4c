"""Whether models take a prompt with its media: as it is, after changes, or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from prompt_adapters.adapters import MessageAdapter
from prompt_adapters.adapters.spots import media_in
from prompt_adapters.cli.render import adapter_of, options_of, rendered
from prompt_adapters.cli.sentences import sentence, shown
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Image
from prompt_adapters.content.source import Inline
from prompt_adapters.errors import FetchRefusedError, MediaError, UnsupportedContentError
from prompt_adapters.formats import load_prompt
from prompt_adapters.media.header import image_size
from prompt_adapters.prompt import Prompt
from prompt_adapters.targets.image_tokens import image_tokens

Verdict: TypeAlias = Literal["accepted", "accepted after changes", "refused"]
# What a model refuses; everything else is a mistake of who asks.
_REFUSALS = (UnsupportedContentError, FetchRefusedError, MediaError)


class Estimate(NamedTuple):
    """What an image costs.

    Attributes:
        position: Where it stands.
        width: Its pixels, as it is sent.
        height: Likewise.
        tokens: Tokens of input, about.
        source: The page with the formula.
    """

    position: str
    width: int
    height: int
    tokens: int
    source: str


class Checked(NamedTuple):
    """What one model makes of a prompt.

    Attributes:
        model: The model, or the wire shape where none is named.
        verdict: Whether it takes the prompt.
        changes: What is changed for it.
        remarks: What else there is to know.
        reason: Why it is refused.
        images: What the images cost, where a formula is published.
    """

    model: str
    verdict: Verdict
    changes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    reason: str | None = None
    images: tuple[Estimate, ...] = ()


def check_prompt(
    path: str,
    models: Sequence[str],
    style: str | None,
    values: Mapping[str, Any],
    *,
    format_: str | None = None,
    syntax: str | None = None,
    on_limit: str = "convert",
    fetch: bool = False,
) -> tuple[Checked, ...]:
    """What each model makes of a prompt; nothing is sent.

    Args:
        path: Where the prompt is.
        models: The models; the prompt's own when there are none and no style.
        style: The wire shape; each model's own when it is None.
        values: The variables' values.
        format_: The prompt's format; it is told from the content and the name when it is None.
        syntax: Its placeholder syntax, where it does not say its own.
        on_limit: What becomes of media that a provider would refuse.
        fetch: Whether links are downloaded that a provider does not read itself.

    Raises:
        PromptAdapterError: The prompt, a value, a model or the style is wrong, whatever a model takes.
    """
    options = options_of(on_limit, fetch=fetch)
    prompt = load_prompt(path, format_, syntax)
    names: tuple[str | None, ...] = tuple(dict.fromkeys(models)) or (prompt.model if style is None else None,)
    return tuple(_checked(adapter_of(name, style, **options), name, prompt, values) for name in names)


def _checked(adapter: MessageAdapter, name: str | None, prompt: Prompt, values: Mapping[str, Any]) -> Checked:
    model = name or adapter.style
    prompt.render(values)
    try:
        _, prepared = rendered(adapter, prompt, values)
    except _REFUSALS as error:
        return Checked(model, "refused", reason=sentence(error))
    # Parameters that are added, and doubts, leave what the prompt says as it is.
    changes = tuple(str(note) for note in prepared.notes if note.position.startswith("message"))
    remarks = tuple(str(note) for note in prepared.notes if not note.position.startswith("message"))
    verdict: Verdict = "accepted after changes" if changes else "accepted"
    return Checked(model, verdict, changes, remarks, None, tuple(_estimates(adapter, prepared.messages)))


def _estimates(adapter: MessageAdapter, messages: Sequence[Message]) -> Iterator[Estimate]:
    if (target := adapter.route) is None:
        return
    for spot, image in media_in(messages):
        if not isinstance(image, Image) or not isinstance(image.source, Inline):
            continue
        size = image_size(image.source)
        if size is not None and (found := image_tokens(target, *size, image.detail)) is not None:
            yield Estimate(str(spot), *size, *found)


def as_text(results: Sequence[Checked]) -> str:
    """A paragraph for each model."""
    return "".join(f"{line}\n" for result in results for line in _lines(result))


def _lines(result: Checked) -> Iterator[str]:
    yield f"{result.model}: {result.verdict}"
    if result.reason is not None:
        yield f"  why     {shown(result.reason)}"
    for change in result.changes:
        yield f"  change  {shown(change)}"
    for remark in result.remarks:
        yield f"  note    {shown(remark)}"
    for image in result.images:
        yield f"  tokens  {image.position}: about {image.tokens} for {image.width} x {image.height} pixels"
    for source in dict.fromkeys(image.source for image in result.images):
        yield f"  source  {source}"


def as_json(results: Sequence[Checked]) -> str:
    """A JSON list with an object for each model."""
    data = [result._asdict() | {"images": [image._asdict() for image in result.images]} for result in results]
    return f"{json.dumps(data, ensure_ascii=True, indent=2)}\n"


def status_of(results: Sequence[Checked]) -> int:
    """The exit status: 0 when all models take it, 1 when one does not."""
    return 1 if any(result.verdict == "refused" for result in results) else 0
