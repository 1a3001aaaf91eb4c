"""What all parts of a request weigh together, and how much of it one image may be.

A picture that alone is not too heavy may be so together with others: then the heaviest are made lighter, each to the
same weight, until the request fits. Films, sounds and documents cannot be made lighter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Document, Image, MediaPart, Text, ToolResult
from prompt_adapters.content.source import Inline
from prompt_adapters.media.rules import Bounds, Refusal, base64_size
from prompt_adapters.targets.limits import Limits

_REMEDY = "send fewer or smaller ones, or upload them first"


class Placed(NamedTuple):
    """A medium, and where it stands."""

    position: str
    part: MediaPart


class _Total(NamedTuple):
    """A limit on several parts together.

    Attributes:
        most: The limit, in bytes.
        kind: The kind of part that counts; None for the whole request, text included and media as base64.
    """

    most: int
    kind: type[MediaPart] | None

    def size(self, data: bytes) -> int:
        return len(data) if self.kind else base64_size(data)

    def counts(self, part: MediaPart) -> bool:
        return self.kind is None or isinstance(part, self.kind)


def _totals(limits: Limits) -> list[_Total]:
    found = ((limits.max_images_bytes, Image), (limits.max_documents_bytes, Document), (limits.max_request_bytes, None))
    return [_Total(most, kind) for most, kind in found if most is not None]


def lighter_images(bounds: Bounds, placed: Sequence[Placed], messages: Iterable[Message], limits: Limits) -> Bounds:
    """The bounds under which all images together fit; the same where they fit already.

    Args:
        bounds: How large one picture may be.
        placed: All media as they would be sent.
        messages: The messages that hold them.
        limits: What the target takes.
    """
    messages = tuple(messages)
    for total in _totals(limits):
        images = [size for part, size in _counted(placed, total) if isinstance(part, Image)]
        others = sum(size for part, size in _counted(placed, total) if not isinstance(part, Image))
        left = total.most - others - (_text_size(messages) if total.kind is None else 0)
        if images and sum(images) > left > 0:
            share = _share(images, left)
            most = share if total.kind else share // 4 * 3
            what = "images" if total.kind else "a request"
            if bounds.max_bytes is None or most < bounds.max_bytes:
                word = f"{limits.name} takes {total.most} bytes of {what} in all"
                bounds = bounds._replace(max_bytes=most, bytes_word=word)
    return bounds


def _counted(placed: Iterable[Placed], total: _Total) -> list[tuple[MediaPart, int]]:
    """The parts at hand that a limit counts, and what each weighs."""
    return [
        (part, total.size(part.source.data))
        for _, part in placed
        if isinstance(part.source, Inline) and total.counts(part)
    ]


def _share(sizes: list[int], most: int) -> int:
    """The largest size to which the larger ones must come down for all to be `most` together."""
    sizes = sorted(sizes)
    for index, size in enumerate(sizes):
        if size * (len(sizes) - index) > most:
            return most // (len(sizes) - index)
        most -= size
    return sizes[-1]


def _text_size(messages: Iterable[Message]) -> int:
    texts = (
        text.text
        for message in messages
        for part in message.parts
        for text in (part.parts if isinstance(part, ToolResult) else (part,))
        if isinstance(text, Text)
    )
    return sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)


def excess(placed: Iterable[Placed], messages: Iterable[Message], limits: Limits) -> tuple[Placed, Refusal] | None:
    """The first medium with which a request exceeds a limit on all together, and why; None where it fits."""
    placed, messages = tuple(placed), tuple(messages)
    for total in _totals(limits):
        weight, what, how = (
            (0, f"all {total.kind.kind}s", "")
            if total.kind
            else (_text_size(messages), "the request", ", media as base64")
        )
        for item in placed:
            if isinstance(item.part.source, Inline) and total.counts(item.part):
                weight += total.size(item.part.source.data)
                if weight > total.most:
                    verb = "have" if total.kind else "has"
                    reason = f"with it {what} {verb} {weight} bytes{how}, and {limits.name} takes at most {total.most}"
                    return item, Refusal(reason, _REMEDY, too_large=True)
    return None
