"""Making messages fit a target: each medium is looked at, changed if it must be, or refused by name.

In this order, for every medium wherever it stands: a file that is cut off is refused; a label that disagreed with the
bytes is noted, as is a link to a host that only the user's own network reaches; what the target would refuse is
converted (images by Pillow, text documents by their label); what still does not fit is refused. Numbers of parts, the
pages of PDFs and the size of the whole request are compared too; images that are too heavy together are made lighter.

Nothing here uses the network: a link that the target cannot read is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias, assert_never, get_args

from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, MediaPart, Part, Text, ToolCall, ToolResult, Video
from prompt_adapters.content.position import position
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.errors import MediaError, MediaTooLargeError, UnsupportedContentError
from prompt_adapters.media.budget import Placed, excess, lighter_images
from prompt_adapters.media.complete import check_complete
from prompt_adapters.media.convert import Converted, convert_document, convert_image, turn_image
from prompt_adapters.media.notes import Note
from prompt_adapters.media.pages import check_pages
from prompt_adapters.media.reach import private_host
from prompt_adapters.media.rules import Bounds, Refusal, bounds_of, refusal, takes_image
from prompt_adapters.targets.limits import Limits

__all__ = ["Note", "OnLimit", "fit_messages"]

OnLimit: TypeAlias = Literal["convert", "error", "send"]


def fit_messages(
    messages: tuple[Message, ...], limits: Limits, *, on_limit: OnLimit = "convert", style: str
) -> tuple[tuple[Message, ...], tuple[Note, ...]]:
    """Make messages fit what a target takes.

    Args:
        messages: The messages; they are not changed.
        limits: What the target takes.
        on_limit: ``"convert"`` changes what does not fit, ``"error"`` refuses it, ``"send"`` leaves it as it is. A
            picture that its EXIF data turn is made upright in the first two.
        style: The wire shape, for errors.

    Returns:
        The messages to send, and a note for each change.

    Raises:
        MediaReadError: A file is cut off or empty.
        MediaError: With ``"error"``, a file's label disagrees with its bytes.
        UnsupportedContentError: The target cannot take something, with its limit and a remedy;
            `MediaTooLargeError` where a size or number exceeds the limit.
        ValueError: `on_limit` is none of the three.
    """
    if on_limit not in get_args(OnLimit):
        raise ValueError(f"on_limit is one of {', '.join(get_args(OnLimit))}, not {on_limit!r}")
    placed = tuple(_media(messages))
    if not placed:
        return messages, ()
    fitting = _Fitting(limits, on_limit, style, bounds_of(limits, many=_are_many(placed, limits)))
    if on_limit == "send":
        return _fitted(messages, fitting)
    _check_counts(placed, fitting)
    fitted, notes = _fitted(messages, fitting)
    if on_limit == "convert":
        bounds = lighter_images(fitting.bounds, tuple(_media(fitted)), fitted, limits)
        if bounds != fitting.bounds:
            fitted, notes = _fitted(messages, fitting._replace(bounds=bounds))
    return fitted, notes + _checked_together(fitted, fitting)


class _Fitting(NamedTuple):
    limits: Limits
    on_limit: OnLimit
    style: str
    bounds: Bounds

    def refused(self, what: str, where: str, refusal: Refusal) -> UnsupportedContentError:
        error = MediaTooLargeError if refusal.too_large else UnsupportedContentError
        return error(self.style, what, where, refusal.reason, refusal.remedy)


def _fitted(messages: tuple[Message, ...], fitting: _Fitting) -> tuple[tuple[Message, ...], tuple[Note, ...]]:
    notes: list[Note] = []
    fitted = tuple(_fit_message(message, index, fitting, notes) for index, message in enumerate(messages))
    return fitted, tuple(notes)


def _media(messages: tuple[Message, ...]) -> Iterator[Placed]:
    for at, message in enumerate(messages):
        for index, part in enumerate(message.parts):
            match part:
                case Text() | ToolCall():
                    pass
                case Image() | Audio() | Video() | Document():
                    yield Placed(position(at, message.role, index), part)
                case ToolResult():
                    for inner, item in enumerate(part.parts):
                        if not isinstance(item, Text):
                            yield Placed(position(at, message.role, index, inner), item)
                case _:
                    assert_never(part)


def _are_many(placed: tuple[Placed, ...], limits: Limits) -> bool:
    """Whether there are so many images, or images and documents, that each image must be smaller."""
    counted = (Image, Document) if limits.many_counts_documents else (Image,)
    number = sum(isinstance(item.part, counted) for item in placed)
    return limits.many_images is not None and number > limits.many_images


def _check_counts(placed: tuple[Placed, ...], fitting: _Fitting) -> None:
    limits = fitting.limits
    for cls, limit in ((Image, limits.max_images), (Document, limits.max_documents), (Video, limits.max_videos)):
        found = [item for item in placed if isinstance(item.part, cls)]
        if limit is not None and len(found) > limit:
            reason = f"there are {len(found)} {cls.kind}s and {limits.name} takes at most {limit} in one request"
            beyond = found[limit]
            raise fitting.refused(
                _named(beyond.part),
                beyond.position,
                Refusal(reason, "send fewer, or in several requests", too_large=True),
            )


def _checked_together(messages: tuple[Message, ...], fitting: _Fitting) -> tuple[Note, ...]:
    """Refuse what only shows when all documents are opened and all parts are weighed; what could not be counted."""
    notes: list[Note] = []
    for where, part, found in check_pages(_media(messages), fitting.limits):
        if not isinstance(found, Note):
            raise fitting.refused(_named(part), where, found)
        notes.append(found)
    if (heavy := excess(_media(messages), messages, fitting.limits)) is not None:
        raise fitting.refused(_named(heavy[0].part), heavy[0].position, heavy[1])
    return tuple(notes)


def _fit_message(message: Message, at: int, fitting: _Fitting, notes: list[Note]) -> Message:
    parts = tuple(_fit_part(part, at, message.role, index, fitting, notes) for index, part in enumerate(message.parts))
    same = all(new is old for new, old in zip(parts, message.parts, strict=True))
    return message if same else message.replace(parts=parts)


def _fit_part(part: Part, at: int, role: str, index: int, fitting: _Fitting, notes: list[Note]) -> Part:
    match part:
        case Text() | ToolCall():
            return part
        case Image() | Audio() | Video() | Document():
            return _fit_media(part, position(at, role, index), fitting, notes)
        case ToolResult():
            items = tuple(
                item if isinstance(item, Text) else _fit_media(item, position(at, role, index, inner), fitting, notes)
                for inner, item in enumerate(part.parts)
            )
            same = all(new is old for new, old in zip(items, part.parts, strict=True))
            return part if same else part.replace(parts=items)
        case _:
            assert_never(part)


def _fit_media(part: MediaPart, where: str, fitting: _Fitting, notes: list[Note]) -> MediaPart:
    if isinstance(part.source, Inline):
        if fitting.on_limit != "send":
            doubt = check_complete(part.source, f"{where}: the {part.kind}")
            if doubt is not None:
                notes.append(Note(where, f"the {part.kind} may be incomplete: {doubt}"))
        _compare_label(part.source, part.kind, where, fitting, notes)
    elif isinstance(part.source, Link) and not fitting.limits.local and (host := private_host(part.source)) is not None:
        notes.append(Note(where, f"{fitting.limits.name} cannot reach {host}; give the file or its bytes instead"))
    if fitting.on_limit == "send":
        return part
    part, obstacle = _converted(part, where, fitting, notes)
    found = refusal(part, fitting.limits, fitting.bounds)
    if found is None and obstacle is None:
        return part
    raise fitting.refused(_named(part), where, _both(found, obstacle))


def _both(found: Refusal | None, obstacle: Refusal | None) -> Refusal:
    """What the target refuses, and why that could not be changed."""
    if found is None or obstacle is None or found.reason == obstacle.reason:
        return found or obstacle or Refusal("", "")
    if found.too_large and obstacle.too_large:  # the same number says it
        return found
    return Refusal(f"{found.reason}; {obstacle.reason}", obstacle.remedy, found.too_large)


def _compare_label(inline: Inline, kind: str, where: str, fitting: _Fitting, notes: list[Note]) -> None:
    if inline.declared is None:
        return
    if fitting.on_limit == "error":
        raise MediaError(
            f"{where}: the {kind} is labelled {inline.declared} and its bytes are {inline.mime}; correct the label"
        )
    notes.append(
        Note(where, f"the {kind} is sent as {inline.mime}, which its bytes are; its label said {inline.declared}")
    )


def _converted(part: MediaPart, where: str, fitting: _Fitting, notes: list[Note]) -> tuple[MediaPart, Refusal | None]:
    """The part as the target takes it, and why that could not be made where it had to be."""
    if not isinstance(part.source, Inline):
        return part, None
    converting = fitting.on_limit == "convert"
    match part:
        case Image() if converting:
            done = convert_image(part.source, fitting.limits, fitting.bounds)
        case Image():
            done = turn_image(part.source, fitting.bounds)
        case Document() if converting:
            done = convert_document(part.source, fitting.limits)
        case Audio() | Video() | Document():
            return part, None
        case _:
            assert_never(part)
    notes.extend(Note(where, text) for text in done.said)
    changed = part if done.inline is part.source else part.replace(source=done.inline)
    return changed, None if _may_stay(done, fitting.limits) else done.obstacle


def _may_stay(done: Converted, limits: Limits) -> bool:
    """Whether a picture of rare type is sent as it is, since nobody documents that the target does not take it."""
    return limits.image_types is None and not takes_image(limits, done.inline.mime)


def _named(part: MediaPart) -> str:
    """What a part is, in a few words: its kind and type, or that it is a link."""
    match part.source:
        case Inline():
            return f"{part.kind} ({part.source.mime})"
        case Link():
            return f"{part.kind} ({part.source.scheme}:// link)"
        case Uploaded():
            return f"{part.kind} (uploaded)"
        case _:
            assert_never(part.source)
