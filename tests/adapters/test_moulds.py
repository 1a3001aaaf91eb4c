"""Requests that are cast: the same as those that are built as always, for every shape, and nobody shares them."""

from __future__ import annotations

import copy
import pickle
import zlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prompt_adapters import FewShot, Image, Message, Prompt, Text, adapter_for, get_adapter
from prompt_adapters.adapters.base import MessageAdapter
from prompt_adapters.adapters.moulds import MOST_CONTENT, MOST_MOULDS
from prompt_adapters.adapters.openai import OpenAIStylePromptAdapter
from prompt_adapters.adapters.preparing import noting
from prompt_adapters.adapters.registry import PROMPT_ADAPTER_REGISTRY
from prompt_adapters.content.source import Inline
from prompt_adapters.errors import PromptAdapterError

STYLES = [key for key in PROMPT_ADAPTER_REGISTRY if key != "toy_style"]
ADAPTERS: dict[str, MessageAdapter] = {
    **{style: get_adapter(style) for style in STYLES},
    **{
        model: adapter_for(model)
        for model in (
            "openai/gpt-4o",
            "openrouter/anthropic/claude-sonnet-4-5",
            "anthropic/claude-sonnet-4-5",
            "gemini/gemini-2.5-flash",
            "bedrock/amazon.nova-lite-v1:0",
            "mistral/mistral-small-latest",
            "ollama_chat/gemma-3-27b-it",
        )
    },
    "folding": get_adapter("openai_style", system="fold"),
    "with parameters": get_adapter("bedrock_style", parameters={"temperature": 0.5, "stop": ["a", "b"]}),
}


def _chunk(kind: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")


def _png(shade: int) -> bytes:
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", bytes.fromhex("00000001000000010800000000"))
        + _chunk(b"IDAT", zlib.compress(bytes([0, shade])))
        + _chunk(b"IEND", b"")
    )


_GIF = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;"
PICTURES = [Image(_png(1)), Image(_png(2)), Image(_GIF)]

texts = st.one_of(
    st.text(st.characters(codec="utf-8"), min_size=1).filter(str.strip),
    st.sampled_from(["user", "system", "{}", "c[0]", "data:image/png;base64,AAAA", "text", "\N{REFERENCE MARK}"]),
)
parts = st.one_of(texts, st.lists(st.one_of(texts, st.sampled_from(PICTURES)), min_size=1, max_size=3))
talks = st.builds(
    lambda leading, turns, last: tuple(
        [Message(role, text) for role, text in leading]
        + [Message(role, said) for pair in turns for role, said in zip(("user", "assistant"), pair, strict=True)]
        + [Message("user", last)]
    ),
    st.lists(st.tuples(st.sampled_from(["system", "developer"]), texts), max_size=2),
    st.lists(st.tuples(parts, texts), max_size=2),
    parts,
)


def _told(build: Any, messages: tuple[Message, ...]) -> tuple[Any, list[Any]]:
    """What is built, or the error, and the notes."""
    with noting() as notes:
        try:
            return build(messages), notes
        except PromptAdapterError as error:
            return (type(error), str(error)), notes


def _fresh(adapter: MessageAdapter) -> MessageAdapter:
    return copy.copy(adapter)


@pytest.mark.parametrize("name", ADAPTERS)
@given(first=talks, data=st.data())
@settings(max_examples=25, deadline=None)
def test_a_cast_request_is_the_one_that_is_built(name: str, first: tuple[Message, ...], data: st.DataObject) -> None:
    adapter = _fresh(ADAPTERS[name])
    other = tuple(
        message.replace(
            parts=tuple(
                Text(data.draw(texts)) if isinstance(part, Text) else data.draw(st.sampled_from(PICTURES))
                for part in message.parts
            )
        )
        for message in first
    )
    for method in ("build_request", "build_body"):
        for messages in (first, first, first, other, other, first):
            cast, notes = _told(getattr(adapter, method), messages)
            built, expected = _told(getattr(_fresh(adapter), method), messages)
            assert cast == built
            assert _types(cast) == _types(built)
            assert notes == expected


def _types(value: Any) -> Any:
    """The types in a value, and the order of its keys: equal numbers may be of different types."""
    match value:
        case dict():
            return [(key, _types(item)) for key, item in value.items()]
        case list() | tuple():
            return [type(value), *map(_types, value)]
    return type(value)


def _counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    built: list[int] = []
    real = MessageAdapter._placed

    def counting(self: MessageAdapter, ready: Any, *, wire: bool) -> Any:
        built.append(1)
        return real(self, ready, wire=wire)

    monkeypatch.setattr(MessageAdapter, "_placed", counting)
    return built


MOULDED = sorted(set(STYLES) - {"litellm_style"})


@pytest.mark.parametrize("style", MOULDED)
def test_text_is_cast_from_the_third_request_on(style: str, monkeypatch: pytest.MonkeyPatch) -> None:
    built = _counted(monkeypatch)
    adapter = get_adapter(style)
    prompt = Prompt("You are {{ who }}.", "{{ q }}", few_shot=FewShot([("a", "b")]))
    for number in range(5):
        adapter.build_request(prompt, who="kind", q=f"question {number}")
    assert len(built) == 2


@pytest.mark.parametrize("style", sorted(set(MOULDED) - {"ollama_style"}))
def test_pictures_are_cast_in(style: str, monkeypatch: pytest.MonkeyPatch) -> None:
    built = _counted(monkeypatch)
    adapter = get_adapter(style)
    for method in (adapter.build_request, adapter.build_body):
        built.clear()
        for picture in PICTURES[:2] * 3:
            method(Message("user", ["Look:", picture]))
        assert len(built) <= 4


def test_no_two_requests_share_anything_that_can_be_changed() -> None:
    adapter = get_adapter("bedrock_style", parameters={"stop": ["a"]})
    requests = [adapter.build_request(Message("user", "Hi")) for _ in range(5)]
    for request in requests:
        assert request == {
            "messages": [{"role": "user", "content": [{"text": "Hi"}]}],
            "inferenceConfig": {"stopSequences": ["a"]},
        }
        request["messages"][0]["content"].append("changed")
        request["inferenceConfig"]["stopSequences"].append("changed")


def test_notes_are_said_each_time() -> None:
    adapter = adapter_for("anthropic/claude-sonnet-4-5")
    told = [_told(adapter.build_request, (Message("user", f"{number}"),))[1] for number in range(5)]
    assert told[0]
    assert all(notes == told[0] for notes in told)


def test_a_class_says_for_itself_that_its_requests_can_be_cast() -> None:
    class Shouting(OpenAIStylePromptAdapter):
        def encode(self, messages: Any) -> dict[str, Any]:
            loud = [m.replace(parts=[Text(p.text.upper()) for p in m.parts]) for m in messages]
            return super().encode(loud)

    class Claiming(Shouting):
        moulded = True

    for adapter in (Shouting(), Claiming()):
        for text in ("one", "two", "three", "four"):
            assert adapter.build_body(Message("user", text))["messages"][0]["content"] == text.upper()


@pytest.mark.parametrize(
    "placed",
    [lambda text: text + "", lambda text: [text], lambda text: f"{text}!", lambda _: "constant", lambda _: object],
    ids=["as it is", "in a list", "joined", "lost", "an object"],
)
def test_what_is_not_there_as_it_is_is_not_cast(placed: Any) -> None:
    class Own(OpenAIStylePromptAdapter):
        moulded = True

        def encode(self, messages: Any) -> dict[str, Any]:
            return {"messages": [placed(message.text) for message in messages]}

    adapter = Own()
    for text in ("one", "two", "three", "four"):
        assert adapter.build_body(Message("user", text)) == {"messages": [placed(text)]}


def test_copies_begin_without_moulds() -> None:
    adapter = get_adapter("openai_style")
    for _ in range(3):
        adapter.build_body(Message("user", "Hi"))
    assert adapter._moulds._kept
    for other in (copy.copy(adapter), copy.deepcopy(adapter), pickle.loads(pickle.dumps(adapter))):
        assert other == adapter
        assert not other._moulds._kept
        assert other.build_body(Message("user", "Hi")) == adapter.build_body(Message("user", "Hi"))


def test_moulds_are_few_and_small() -> None:
    adapter = get_adapter("openai_style")
    pair = (Message("user", "a"), Message("assistant", "b"))
    for turns in range(2 * MOST_MOULDS):
        adapter.build_body((*pair * turns, Message("user", "c")))
    assert len(adapter._moulds._kept) <= MOST_MOULDS
    assert all(len(key) <= MOST_CONTENT + 1 for key in adapter._moulds._kept)


def test_the_same_picture_twice_tells_nothing() -> None:
    adapter, picture = get_adapter("openai_style"), PICTURES[0]
    twin = Image(Inline(picture.as_bytes(), "image/png"))
    for pictures in ([picture, picture], [picture, twin], [picture, PICTURES[1]], [PICTURES[1], picture]) * 3:
        body = adapter.build_body(Message("user", ["Look:", *pictures]))
        urls = [item["image_url"]["url"] for item in body["messages"][0]["content"][1:]]
        assert urls == [part.as_data_url() for part in pictures]


def test_a_picture_that_does_not_fit_is_never_cast() -> None:
    adapter = get_adapter("openai_style", on_limit="error", limits={"max_image_bytes": 100})
    small, large = PICTURES[0], Image(_png(3) + bytes(200))
    for _ in range(4):
        adapter.build_body(Message("user", small))
    with pytest.raises(PromptAdapterError):
        adapter.build_body(Message("user", large))


@pytest.mark.parametrize("text", ["\ud83d", ""], ids=["half of a pair", "empty"])
def test_texts_that_cannot_be_sent_are_refused_as_ever(text: str) -> None:
    adapter, prompt = get_adapter("openai_style"), Prompt(user="{{ q }}")
    for _ in range(4):
        adapter.build_body(prompt, q="Hi")
    with pytest.raises(PromptAdapterError):
        adapter.build_body(prompt, q=text)
