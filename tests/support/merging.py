"""What the wire shapes do not tell apart, so that messages can be compared with what is read back from a request.

All of it is said by the adapter's documentation, or in a note. The names of Bedrock's documents are left to the test
that sends again what was read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from prompt_adapters.adapters import MessageAdapter
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import (
    MEDIA_PARTS,
    Document,
    Image,
    MediaPart,
    Part,
    Text,
    ToolCall,
    ToolResult,
    Video,
)
from prompt_adapters.content.source import Inline, Link, Uploaded

FILES_API = "https://generativelanguage.googleapis.com/"

# Shapes whose system text stands outside of the list, as one.
ONE_SYSTEM = {"anthropic_style", "google_style", "bedrock_style"}
# Shapes in which turns of one role that follow each other are one, a tool's being the user's.
MERGED_TURNS = {"anthropic_style", "bedrock_style"}
# Shapes in which each result is a message by itself.
SINGLE_RESULTS = {"openai_style", "litellm_style", "mistral_style", "cohere_style", "ollama_style"}
# Shapes in which calls stand beside the text.
CALLS_LAST = {"openai_style", "litellm_style", "mistral_style", "cohere_style", "ollama_style"}
# Shapes in which a mark stands on what a tool gave, not on the result as a whole.
MARKED_INSIDE = {"openai_style", "openai_responses_style"}
# What the shapes have fields for, beyond what the adapters say that they carry.
ALSO_CARRIED: dict[str, set[str]] = {
    "openai_style": {"file_name"},
    "openai_responses_style": {"file_name"},
    "anthropic_style": set(),
    "google_style": {"mime", "tool_name"},
    "bedrock_style": {"mime"},
    "mistral_style": {"file_name", "tool_name"},
    "cohere_style": set(),
    "litellm_style": {"file_name", "tool_name"},
    "ollama_style": {"tool_name"},
}


class Shape(NamedTuple):
    """What is known of a shape, and of the bound model."""

    style: str
    carries: frozenset[str]
    alternates: bool


def merged(messages: Iterable[Message], adapter: MessageAdapter) -> list[Message]:
    """The messages with everything alike that a shape does not tell apart."""
    messages = tuple(messages)
    rule = adapter.turn_rule(messages)
    carries = adapter.carries | ALSO_CARRIED[adapter.style]
    shape = Shape(adapter.style, carries, alternates=rule is not None and rule.alternate)
    turns = [turn for message in messages for turn in _turns(message, shape)]
    names = {part.id: part.name for turn in turns for part in turn.parts if isinstance(part, ToolCall)}
    joined: list[Message] = []
    for turn in turns:
        turn = turn.replace(parts=tuple(_part(part, shape, names) for part in turn.parts))
        if joined and _one(joined, turn, shape):
            joined[-1] = joined[-1].replace(parts=(*joined[-1].parts, *turn.parts))
        else:
            joined.append(turn)
    return [_arranged(turn, shape) for turn in joined]


def _turns(message: Message, shape: Shape) -> list[Message]:
    role = message.role
    if role == "developer" and shape.style not in ("openai_style", "openai_responses_style"):
        role = "system"
    parts = message.parts
    if message.cache and parts:
        parts = (*parts[:-1], parts[-1].replace(cache=True))
    name = message.name if "name" in shape.carries and role != "tool" else None
    turns: list[Message] = []
    for part in parts:
        speaker = "tool" if isinstance(part, ToolResult) and shape.style != "google_style" else role
        apart = shape.style in SINGLE_RESULTS and speaker == "tool"
        if turns and turns[-1].role == speaker and not apart:
            turns[-1] = turns[-1].replace(parts=(*turns[-1].parts, part))
        else:
            turns.append(Message(speaker, (part,), name=name if speaker != "tool" else None))
    return turns


def _one(before: list[Message], turn: Message, shape: Shape) -> bool:
    """Whether a turn is not told apart from the one before it."""
    if turn.role != before[-1].role:
        return False
    if turn.role == "system":
        return shape.style in ONE_SYSTEM and (len(before) == 1 or shape.style in MERGED_TURNS)
    if shape.style == "openai_responses_style":
        return turn.role in ("assistant", "tool")
    if shape.style == "google_style":
        return turn.role == "tool"
    return shape.style in MERGED_TURNS


def _arranged(turn: Message, shape: Shape) -> Message:
    if (
        shape.style == "google_style"
        and turn.role == "user"
        and all(isinstance(part, ToolResult) for part in turn.parts)
    ):
        turn = turn.replace(role="tool")
    if shape.style in CALLS_LAST:
        turn = turn.replace(parts=tuple(sorted(turn.parts, key=lambda part: isinstance(part, ToolCall))))
    if shape.style == "ollama_style" or (shape.style == "cohere_style" and turn.role == "assistant"):
        calls = any(isinstance(part, ToolCall) for part in turn.parts)
        turn = turn.replace(parts=_flat(turn.parts) if calls or shape.style == "ollama_style" else turn.parts)
    return turn


def _flat(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Images, one text, and the calls."""
    items = list(parts)
    text = ""
    for part in items:
        if isinstance(part, Text) and part.text:
            apart = not text or text.endswith("\n") or part.text.startswith("\n")
            text += part.text if apart else f"\n{part.text}"
    media = [part for part in items if isinstance(part, MediaPart)]
    rest = [part for part in items if not isinstance(part, Text | MediaPart)]
    return (*media, *([Text(text)] if text else []), *rest)


def _part(part: Part, shape: Shape, names: dict[str, str]) -> Part:
    if "cache" not in shape.carries and part.cache:
        part = part.replace(cache=False)
    match part:
        case ToolCall():
            return part.replace(id="-") if shape.style == "ollama_style" else part
        case ToolResult():
            return _result(part, shape, names)
        case Image() if "detail" not in shape.carries or (
            part.detail == "auto" and shape.style == "openai_responses_style"
        ):
            part = part.replace(detail=None)
        case Video() if "clip" not in shape.carries:
            part = part.replace(start=None, end=None, fps=None)
    return _media(part, shape) if isinstance(part, MediaPart) else part


def _result(result: ToolResult, shape: Shape, names: dict[str, str]) -> ToolResult:
    parts = tuple(_part(part, shape, names) for part in result.parts)
    if result.cache and shape.style in MARKED_INSIDE:
        parts = (*parts[:-1], *(part.replace(cache=True) for part in parts[-1:]))
        result = result.replace(cache=False)
    if shape.style == "google_style":
        text = "".join(part.text for part in parts if isinstance(part, Text))
        parts = (Text(text), *(part for part in parts if not isinstance(part, Text)))
    if shape.style == "ollama_style":
        parts = tuple(part for part in _flat(parts) if not isinstance(part, ToolCall | ToolResult))
    parts = tuple(part for part in parts if not (isinstance(part, Text) and not part.text and not part.cache))
    name = result.name
    if shape.style in ("google_style", "ollama_style"):
        name = name or names.get(result.id)
    return result.replace(
        id="-" if shape.style == "ollama_style" else result.id,
        parts=parts,
        name=(name or None) if "tool_name" in shape.carries else None,
        error=result.error and "error" in shape.carries,
    )


def _media(part: MediaPart, shape: Shape) -> MediaPart:
    if isinstance(part, Document):
        part = _document(part, shape)
    match part.source:
        case Inline():
            return part
        case Link(url=url, mime=mime) | Uploaded(uri=url, mime=mime):
            pass
    if shape.style == "google_style" and mime is None and part.kind == "video":
        mime = "video/mp4"
    mime = mime if "mime" in shape.carries else None
    if "://" in url and not url.startswith(FILES_API):
        source: Link | Uploaded = Link(url, mime) if mime else MEDIA_PARTS[part.kind].from_url(url).source  # type: ignore[assignment]  # a link it is
    elif isinstance(part.source, Link) and shape.style not in ("google_style",):
        source = Link(url, mime)
    else:
        source = Uploaded(url, mime)
    if shape.style == "mistral_style" and isinstance(source, Uploaded):
        return Document(source)
    return part.replace(source=source)


def _document(part: Document, shape: Shape) -> Document:
    title = (part.title or part.name) if "title" in shape.carries and shape.style != "bedrock_style" else None
    named = "file_name" in shape.carries and (isinstance(part.source, Inline) or shape.style == "mistral_style")
    if shape.style == "mistral_style" and isinstance(part.source, Uploaded):
        named = False
    name = part.name if named else None
    if named and not name and shape.style in NAMELESS:
        name = NAMELESS[shape.style](part.source.mime or "")
    if shape.style == "anthropic_style" and isinstance(part.source, Inline) and part.source.mime.startswith("text/"):
        text = part.source.data.decode("utf-8-sig").encode()
        part = part.replace(source=Inline(text, "text/plain"))
    return part.replace(title=title or None, name=name or None)


def _by_subtype(mime: str) -> str:
    subtype = mime.partition("/")[2]
    return f"document.{subtype if subtype.isalnum() else 'bin'}"


def _by_table(mime: str) -> str:
    from prompt_adapters.adapters.openai_responses import _default_name

    return _default_name(mime)


NAMELESS: dict[str, Callable[[str], str]] = {
    "openai_style": _by_subtype,
    "litellm_style": _by_subtype,
    "openai_responses_style": _by_table,
}
