"""Who reads requests: every built-in shape, what derives from one, and a third party's adapter that offers it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from prompt_adapters import (
    PROMPT_ADAPTER_REGISTRY,
    BasePromptAdapter,
    Message,
    MessageAdapter,
    OpenAIStylePromptAdapter,
    from_request,
    get_adapter,
)
from prompt_adapters.adapters import Conversation, read_request
from prompt_adapters.adapters.reading import READERS
from prompt_adapters.errors import PromptAdapterError, PromptFormatError, UnknownAdapterError

REQUEST = {"messages": [{"role": "user", "content": "hi"}]}


class Shouting(MessageAdapter):
    """A shape of nobody's."""

    style = "shouting"

    def encode(self, messages: Sequence[Message]) -> dict[str, Any]:
        return {"messages": [message.text.upper() for message in messages]}


class ShoutingBack(Shouting):
    """The same, read back."""

    style = "shouting_back"

    @classmethod
    def read_request(cls, request: Mapping[str, Any]) -> Conversation:
        return Conversation(tuple(Message("user", text.lower()) for text in request["messages"]))


class Careless(Shouting):
    """One that gives something else."""

    style = "careless"

    @classmethod
    def read_request(cls, request: Mapping[str, Any]) -> Any:
        return ["hi"]


class Server(OpenAIStylePromptAdapter):
    """A server that speaks OpenAI's shape under its own name."""

    style = "my_server"


class PayloadsOnly(BasePromptAdapter):
    """A seed adapter."""

    def build_payload(self, template: Any, **kwargs: Any) -> list[Any]:
        return []


@pytest.fixture(autouse=True)
def third_parties(monkeypatch: pytest.MonkeyPatch) -> None:
    for cls in (Shouting, ShoutingBack, Careless, Server):
        monkeypatch.setitem(PROMPT_ADAPTER_REGISTRY._classes, cls.style, cls)
    monkeypatch.setitem(PROMPT_ADAPTER_REGISTRY._classes, "payloads_only", PayloadsOnly)


def test_every_built_in_shape_is_read() -> None:
    built_in = {
        key for key in PROMPT_ADAPTER_REGISTRY if PROMPT_ADAPTER_REGISTRY.get(key).__module__.startswith("prompt_")
    }
    assert set(READERS) == built_in
    for style in built_in:
        sent = get_adapter(style).build_request((Message("user", "hi"),))
        assert from_request(style, sent) == (Message("user", "hi"),)
        assert PROMPT_ADAPTER_REGISTRY.get(style).read_request(sent).messages == (Message("user", "hi"),)  # type: ignore[attr-defined]  # all of these are MessageAdapters


def test_what_derives_from_a_shape_is_read_as_it() -> None:
    assert from_request("my_server", REQUEST) == (Message("user", "hi"),)


def test_a_third_party_offers_it_by_a_method() -> None:
    sent = get_adapter("shouting_back").build_request((Message("user", "hi"),))
    assert from_request("shouting_back", sent) == (Message("user", "hi"),)


@pytest.mark.parametrize(
    ("style", "said"), [("shouting", "'shouting' reads no"), ("payloads_only", "PayloadsOnly a class")]
)
def test_an_adapter_without_the_method_says_so(style: str, said: str) -> None:
    with pytest.raises(PromptAdapterError, match=said):
        from_request(style, REQUEST)


def test_a_method_that_gives_something_else_is_found_out() -> None:
    with pytest.raises(PromptFormatError, match=r"Careless\.read_request gave no Conversation"):
        from_request("careless", REQUEST)


@pytest.mark.parametrize(
    ("style", "request_", "name"),
    [
        ("google_style", {"contents": [{"parts": [{"text": "hi"}]}], "cachedContent": "c/1"}, "cached_content"),
        ("google_style", {"contents": "hi", "config": {"cached_content": "c/1"}}, "cached_content"),
        ("openai_responses_style", {"input": "hi", "previous_response_id": "r"}, "previous_response_id"),
        ("openai_responses_style", {"input": "hi", "conversation": "c"}, "conversation"),
        ("openai_responses_style", {"input": "hi", "prompt": {"id": "p"}}, "prompt"),
        ("cohere_style", {**REQUEST, "documents": ["d"]}, "documents"),
    ],
)
def test_a_conversation_that_is_partly_elsewhere_is_refused(style: str, request_: dict[str, Any], name: str) -> None:
    with pytest.raises(PromptFormatError, match=f"the request has '{name}', by which a part of the conversation"):
        from_request(style, request_)
    assert name in read_request(style, request_).own


def test_an_unknown_style_is_named() -> None:
    with pytest.raises(UnknownAdapterError, match="did you mean 'openai_style'"):
        from_request("openai_styl", REQUEST)


def test_results_share_nothing_with_the_request() -> None:
    request: dict[str, Any] = {**REQUEST, "stop": ["a"], "tools": [{"x": 1}]}
    found = read_request("openai_style", request)
    request["stop"].append("b")
    request["tools"][0]["x"] = 2
    assert found.parameters == {"stop": ["a"]}
    assert found.own == {"tools": [{"x": 1}]}


def test_a_parameter_under_two_names_is_refused() -> None:
    with pytest.raises(PromptFormatError, match="two parameters that mean 'max_tokens'"):
        read_request("openai_style", {**REQUEST, "max_tokens": 1, "max_completion_tokens": 2})
    with pytest.raises(PromptFormatError, match="'top_p' and 'top_p', which mean the same"):
        read_request("openai_style", {**REQUEST, "top_p": 1, "extra_body": {"top_p": 1}})


@pytest.mark.parametrize("request_", [None, "x", 3, [], {1: 2}])
def test_a_request_is_an_object(request_: Any) -> None:
    with pytest.raises(PromptFormatError, match=r"^the request "):
        from_request("openai_style", request_)


def test_data_nested_too_deeply_are_refused() -> None:
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"a": deep}
    call = {"id": "1", "function": {"name": "f", "arguments": deep}}
    with pytest.raises(PromptFormatError, match=r"nested too deeply|not plain JSON"):
        from_request("openai_style", {"messages": [{"role": "assistant", "tool_calls": [call]}]})
    with pytest.raises(PromptFormatError, match="nested too deeply"):
        from_request("ollama_style", {"messages": [{"role": "assistant", "tool_calls": [call]}]})
