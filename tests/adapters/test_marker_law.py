"""Everything that the author wrote is in the body, in order, or an error or a note names it.

Each text carries a mark of its own, each file bytes of its own, each link an address and each upload an id of its own.
"""

from __future__ import annotations

import base64
import json
import struct
import zlib
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prompt_adapters.adapters import MessageAdapter, adapter_for, get_adapter
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import MEDIA_PARTS, Text, ToolCall, ToolResult
from prompt_adapters.content.position import position
from prompt_adapters.errors import UnsupportedContentError

STYLES = [
    "openai_style",
    "openai_responses_style",
    "anthropic_style",
    "google_style",
    "bedrock_style",
    "mistral_style",
    "cohere_style",
    "ollama_style",
    "litellm_style",
]
MODELS = [
    "openai/gpt-5.6",
    "hosted_vllm/qwen",
    "hosted_vllm/google/gemma-2-9b-it",
    "hosted_vllm/google/gemma-3-27b-it",
    "openrouter/x/y",
    "groq/llama-4",
    "deepseek/deepseek-v4",
    "anthropic/claude-opus-5",
    "vertex_ai/gemini-2.5-pro",
    "bedrock/amazon.nova-lite-v1:0",
    "bedrock/mistral.mistral-7b-instruct-v0:2",
]
BRIDGED = ["openai/gpt-4o", "anthropic/claude-haiku-4-5", "gemini/gemini-2.5-pro", "vertex_ai/gemini-2.5-pro"]
ADAPTERS: dict[str, MessageAdapter] = {
    **{style: get_adapter(style) for style in STYLES},
    **{model: adapter_for(model) for model in MODELS},
    **{f"litellm {model}": get_adapter("litellm_style", model=model) for model in BRIDGED},
    "folded": get_adapter("anthropic_style", system="fold"),
    "in the middle": get_adapter("google_style", system_in_middle="user"),
}
PLACES = ("inline", "https", "uploaded")
OTHER = [(kind, where) for kind in MEDIA_PARTS for where in PLACES]


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(mark: bytes) -> bytes:
    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"tEXt", b"k\0" + mark), (b"IDAT", zlib.compress(b"\0\0")), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, data) for kind, data in chunks)


def wav(mark: bytes) -> bytes:
    form = struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8)
    return (
        b"RIFF" + struct.pack("<I", 36 + len(mark)) + b"WAVEfmt " + form + b"data" + struct.pack("<I", len(mark)) + mark
    )


def mp4(mark: bytes) -> bytes:
    return b"\0\0\0\x14ftypisom\0\0\0\0isom" + struct.pack(">I", 8 + len(mark)) + b"mdat" + mark + b"\0\0\0\x08moov"


def pdf(mark: bytes) -> bytes:
    return b"%PDF-1.4\n%" + mark + b"\n%%EOF\n"


FILES: dict[str, tuple[str, str, Callable[[bytes], bytes]]] = {
    "image": ("png", "image/png", png),
    "audio": ("mp3", "audio/mpeg", wav),
    "video": ("mp4", "video/mp4", mp4),
    "document": ("pdf", "application/pdf", pdf),
}


class Marked(NamedTuple):
    """One mark.

    Attributes:
        needle: What must be found.
        message: Where it stands: the message,
        part: the part in it,
        inner: and the item in that, in a tool's result.
    """

    needle: str
    message: int
    part: int
    inner: int | None = None


class Author:
    """Writes a conversation in which everything can be told apart."""

    def __init__(self, adapter: MessageAdapter, media: list[tuple[str, str]]) -> None:
        self.messages: list[Message] = []
        self.marks: list[Marked] = []
        self._adapter = adapter
        self._media = iter(media)
        self._count = count()

    def write(self, role: str, *kinds: str) -> None:
        """A turn of texts ("t"), media ("m"), calls ("c") and results ("r" of text, "R" of text and a medium)."""
        parts, number = [], len(self.messages)
        for index, kind in enumerate(kinds):
            part, needles = self._part(kind)
            parts.append(part)
            inside = isinstance(part, ToolResult)
            self.marks += [Marked(n, number, index, i if inside else None) for i, n in enumerate(needles)]
        self.messages.append(Message(role, parts))

    def _next(self) -> str:
        return f"MARK{next(self._count):04}END"

    def _part(self, kind: str) -> tuple[Any, list[str]]:
        mark = self._next()
        if kind == "t":
            return Text(f" {mark} é\n"), [mark]
        if kind == "c":
            self._call = f"call{next(self._count) % 10**5:05}"
            return ToolCall(self._call, "look", {"at": [mark]}), [mark]
        if kind in "rR":
            items = [self._part("t"), *([self._part("m")] if kind == "R" else [])]
            return ToolResult(self._call, [part for part, _ in items], name="look"), [n for _, ns in items for n in ns]
        return self._medium(*next(self._media), mark)

    def _medium(self, kind: str, where: str, mark: str) -> tuple[Any, list[str]]:
        suffix, mime, made = FILES[kind]
        cls = MEDIA_PARTS[kind]
        if where == "inline":
            data = made(mark.encode())
            return cls(data), [base64.b64encode(data).decode()]
        if where == "uploaded":
            shape = getattr(self._adapter, "native", None) or self._adapter
            base = {
                "google_style": "https://generativelanguage.googleapis.com/v1beta/files/",
                "bedrock_style": "s3://bucket/",
            }.get(shape.style, "file-")
            return cls.from_uploaded(base + mark, mime=mime), [mark]
        return cls(f"{where}://example.com/{mark}.{suffix}", mime=mime), [mark]


def strings(value: Any) -> Iterator[str]:
    """Every text of a body, in the order in which it is read; Ollama reads images before the text beside them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)
    elif isinstance(value, dict):
        for key in sorted(value, key=lambda name: name != "images"):
            yield from strings(value[key])


def check_body(author: Author, adapter: MessageAdapter) -> None:
    """Every mark is in the body, and in order; a note says so where it is not."""
    messages = tuple(author.messages)
    texts = list(strings(json.loads(json.dumps(adapter.build_body(messages), ensure_ascii=False))))
    whole = "\n".join(texts)
    noted = {note.position for note in adapter.prepare(messages).notes}
    places = []
    for mark in author.marks:
        at = whole.find(mark.needle)
        role = messages[mark.message].role
        named = {position(mark.message, role, *rest) for rest in ((), (mark.part,), (mark.part, mark.inner))}
        assert whole.count(mark.needle) == 1 or (at < 0 and named & noted), f"{mark} is lost or doubled"
        if at >= 0 and not named & noted:
            places.append(at)
    assert places == sorted(places), "the order is another"


def check_error(error: UnsupportedContentError, author: Author) -> None:
    """The error names a place in the conversation, and what stands there."""
    found = {position(number, message.role): message.parts for number, message in enumerate(author.messages)}
    head, _, rest = error.position.partition(", part ")
    assert head in found, error
    if rest and "(" in error.part:
        part: Any = found[head][int(rest.split(",")[0]) - 1]
        if ", item " in rest:
            part = part.parts[int(rest.rpartition(" ")[2]) - 1]
        assert error.part.startswith(part.kind), error
    assert error.reason
    assert error.remedy


def polite(author: Author, drawn: list[list[str]], tools: bool) -> None:
    """A conversation that every provider takes."""
    author.write("system", "t", "t")
    for kinds in drawn:
        author.write("user", "t", *kinds)
        author.write("assistant", "t")
    if tools:
        author.write("user", "t")
        author.write("assistant", "t", "c")
        author.write("tool", "r")
        author.write("assistant", "t")
    author.write("user", "t")


@pytest.mark.parametrize("name", ADAPTERS)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_what_is_accepted_arrives_in_order(name: str, data: st.DataObject) -> None:
    adapter = ADAPTERS[name]
    taken = [(kind, where) for kind, where in OTHER if adapter.accepts(kind, where)]
    kinds = st.sampled_from(["t", "m"] if taken else ["t"])
    drawn = data.draw(st.lists(st.lists(kinds, max_size=2), min_size=1, max_size=2))
    media = data.draw(st.lists(st.sampled_from(taken), min_size=4, max_size=4)) if taken else []
    author = Author(adapter, media)
    polite(author, drawn, data.draw(st.booleans()))
    check_body(author, adapter)


@pytest.mark.parametrize("name", ADAPTERS)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_anything_arrives_or_is_named(name: str, data: st.DataObject) -> None:
    adapter = ADAPTERS[name]
    roles = st.sampled_from(["user", "assistant", "system"])
    kinds = st.lists(st.sampled_from("tm"), min_size=1, max_size=3)
    turn: st.SearchStrategy[tuple[str, list[str]]] = st.tuples(roles, kinds) | st.just(("call", []))
    media = data.draw(st.lists(st.sampled_from(OTHER), min_size=24, max_size=24))
    author = Author(adapter, media)
    author.write("user", "t")
    for role, held in data.draw(st.lists(turn, min_size=1, max_size=4)):
        if role == "call":
            author.write("assistant", *data.draw(st.sampled_from(["c", "tc", "ct"])))
            author.write("tool", data.draw(st.sampled_from("rR")))
        else:
            author.write(role, *held)
    try:
        adapter.build_body(tuple(author.messages))
    except UnsupportedContentError as error:
        check_error(error, author)
        return
    check_body(author, adapter)


def test_a_loss_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    adapter = get_adapter("openai_style")
    author = Author(adapter, [("image", "inline")])
    author.write("user", "t", "m", "t")
    check_body(author, adapter)
    whole = adapter.build_body(tuple(author.messages))
    for broken in ([0, 1], [1, 0, 2], [0, 1, 2, 2]):
        content = [whole["messages"][0]["content"][index] for index in broken]
        body = {"messages": [{"role": "user", "content": content}]}
        monkeypatch.setattr(type(adapter), "build_body", lambda *_, made=body: made)
        with pytest.raises(AssertionError, match=r"lost or doubled|the order"):
            check_body(author, adapter)
