"""What an adapter declares that it takes: by kind of part, and by where its content is."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from prompt_adapters.content.source import LINK_SCHEMES

if TYPE_CHECKING:
    from prompt_adapters.targets import Limits

Kind: TypeAlias = Literal["text", "image", "audio", "video", "document", "tool_call", "tool_result"]
Where: TypeAlias = Literal["inline", "http", "https", "gs", "s3", "uploaded"]
# From the kinds of media to "inline", "link" and "uploaded".
Sources: TypeAlias = Mapping[str, frozenset[str]]

KINDS: tuple[str, ...] = get_args(Kind)
WHERES: tuple[str, ...] = get_args(Where)
NOTHING: Sources = MappingProxyType({})
_NONE: frozenset[str] = frozenset()


def sources(**kinds: str) -> Sources:
    """A table, written as ``sources(image="inline link", document="inline")``."""
    return MappingProxyType({kind: frozenset(text.split()) for kind, text in kinds.items()})


_ALL = "inline link uploaded"
EVERYTHING: Sources = sources(image=_ALL, audio=_ALL, video=_ALL, document=_ALL)


def check_words(kind: str, where: str) -> None:
    """Refuse words that mean nothing.

    Raises:
        ValueError: There is no such kind of part, or no such place of its content.
    """
    for word, known in ((kind, KINDS), (where, WHERES)):
        if word not in known:
            raise ValueError(f"{word!r} is none of {', '.join(known)}")


def accepted(kind: str, where: str, declared: Sources, limits: Limits, *, fitted: bool) -> bool:
    """Whether media of a kind are taken from there.

    Args:
        kind: image, audio, video or document.
        where: Where the content is.
        declared: What the shape has a place for.
        limits: What the target takes.
        fitted: Whether media are compared with the limits before they are encoded.
    """
    types = getattr(limits, f"{kind}_types")
    if fitted and types is not None and not types:
        return False
    if where in LINK_SCHEMES and limits.links is not None and where not in limits.links:
        return False
    return ("link" if where in LINK_SCHEMES else where) in declared.get(kind, _NONE)
