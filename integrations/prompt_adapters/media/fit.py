"""Making messages fit a target: each medium is looked at, changed if it must be, or refused by name.

In this order, for every medium wherever it stands: a file that is cut off is refused; a label that disagreed with the
bytes is noted, as is a link to a host that only the user's own network reaches; what the target would refuse is
converted (images by Pillow, text documents by their label); what still does not fit is refused. Numbers of parts and
the size of all media together are compared too.

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
from prompt_adapters.media.complete import check_complete
from prompt_adapters.media.convert import convert_document, convert_image, turn_image
from prompt_adapters.media.notes import Note
from prompt_adapters.media.reach import private_host
from prompt_adapters.media.rules import Refusal, base64_size, refusal
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
        MediaReadError: A file is cut off.
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
    fitting = _Fitting(limits, on_limit, style, _max_side(placed, limits))
    if on_limit != "send":
        _check_counts(placed, fitting)
    notes: list[Note] = []
    fitted = tuple(_fit_message(message, index, fitting, notes) for index, message in enumerate(messages))
    if on_limit != "send":
        _check_sizes(tuple(_media(fitted)), fitting)
    return fitted, tuple(notes)


class _Placed(NamedTuple):
    position: str
    part: MediaPart


class _Fitting(NamedTuple):
    limits: Limits
    on_limit: OnLimit
    style: str
    max_side: int | None

    def refused(self, what: str, where: str, refusal: Refusal) -> UnsupportedContentError:
        error = MediaTooLargeError if refusal.too_large else UnsupportedContentError
        return error(self.style, what, where, refusal.reason, refusal.remedy)


def _media(messages: tuple[Message, ...]) -> Iterator[_Placed]:
    for at, message in enumerate(messages):
        for index, part in enumerate(message.parts):
            match part:
                case Text() | ToolCall():
                    pass
                case Image() | Audio() | Video() | Document():
                    yield _Placed(position(at, message.role, index), part)
                case ToolResult():
                    for inner, item in enumerate(part.parts):
                        if not isinstance(item, Text):
                            yield _Placed(position(at, message.role, index, inner), item)
                case _:
                    assert_never(part)


def _max_side(placed: tuple[_Placed, ...], limits: Limits) -> int | None:
    if limits.many_images is None:
        return limits.max_side
    counted = (Image, Document) if limits.many_counts_documents else (Image,)
    many = sum(isinstance(item.part, counted) for item in placed) > limits.many_images
    return limits.max_side_many if many else limits.max_side


def _check_counts(placed: tuple[_Placed, ...], fitting: _Fitting) -> None:
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


def _check_sizes(placed: tuple[_Placed, ...], fitting: _Fitting) -> None:
    limits = fitting.limits
    kinds: tuple[tuple[int | None, type[MediaPart] | None], ...] = (
        (limits.max_images_bytes, Image),
        (limits.max_documents_bytes, Document),
        (limits.max_request_bytes, None),
    )
    for limit, cls in kinds:
        if limit is None:
            continue
        total, what, how = 0, f"all {cls.kind}s" if cls else "all media", "" if cls else " as base64"
        for item in placed:
            if isinstance(item.part.source, Inline) and (cls is None or isinstance(item.part, cls)):
                data = item.part.source.data
                total += len(data) if cls else base64_size(data)
                if total > limit:
                    reason = f"with it {what} have {total} bytes{how} and {limits.name} takes at most {limit} a request"
                    remedy = "send fewer or smaller ones, or upload them first"
                    raise fitting.refused(_named(item.part), item.position, Refusal(reason, remedy, too_large=True))


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
            check_complete(part.source, f"{where}: the {part.kind}")
        _compare_label(part.source, part.kind, where, fitting, notes)
    elif isinstance(part.source, Link) and not fitting.limits.local and (host := private_host(part.source)) is not None:
        notes.append(Note(where, f"{fitting.limits.name} cannot reach {host}; give the file or its bytes instead"))
    if fitting.on_limit == "send":
        return part
    part = _converted(part, where, fitting, notes)
    if (found := refusal(part, fitting.limits, fitting.max_side)) is not None:
        raise fitting.refused(_named(part), where, found)
    return part


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


def _converted(part: MediaPart, where: str, fitting: _Fitting, notes: list[Note]) -> MediaPart:
    """The part as the target takes it, where that can be made; what cannot be made is left for the refusal."""
    if not isinstance(part.source, Inline):
        return part
    converting = fitting.on_limit == "convert"
    match part:
        case Image() if converting:
            changed, said = convert_image(part.source, fitting.limits, fitting.max_side)
        case Image():
            changed, said = turn_image(part.source)
        case Document() if converting:
            changed, said = convert_document(part.source, fitting.limits)
        case Audio() | Video() | Document():
            return part
        case _:
            assert_never(part)
    notes.extend(Note(where, text) for text in said)
    return part if changed is part.source else part.replace(source=changed)


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
