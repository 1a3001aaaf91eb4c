"""LangChain's messages before they are read."""

from typing import Any

import pytest
from langchain_core.load import dumpd
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, ToolMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder

from prompt_adapters.errors import PromptFormatError
from prompt_adapters.langchain import AdapterPromptTemplate, AdapterRunnable
from prompt_adapters.langchain.readable import readable

CALL: Any = {"type": "tool_call", "id": "c1", "name": "f", "args": {}}
# What LangChain takes for a history.
HISTORIES: dict[str, list[Any]] = {
    "texts": ["a", "b"],
    "JSON": [{"type": "human", "content": "q", "id": "h1"}, {"type": "ai", "content": "a"}],
    "JSON, calls": [
        {"type": "ai", "content": "", "tool_calls": [CALL]},
        {"type": "tool", "content": "no", "tool_call_id": "c1", "status": "error"},
    ],
    "dumps": [dumpd(HumanMessage("q", id="h1")), dumpd(AIMessage("", tool_calls=[CALL]))],
    "a mixture": [HumanMessage("q"), ("ai", "a"), ["human", "b"], {"role": "user", "content": "c"}, "d"],
}
MODEL_DUMP = [message.model_dump() for message in (HumanMessage("q", id="h1"), ToolMessage("r", tool_call_id="c1"))]


@pytest.mark.parametrize("messages", [*HISTORIES.values(), MODEL_DUMP], ids=[*HISTORIES, "model_dump"])
def test_histories_are_what_they_are_to_langchain(messages: list[Any]) -> None:
    before = repr(messages)
    items: Any = [MessagesPlaceholder("h"), ("human", "{x}")]
    ours = AdapterPromptTemplate.from_messages(items).invoke({"h": messages, "x": "1"})
    assert ours.to_messages() == ChatPromptTemplate(items).invoke({"h": messages, "x": "1"}).to_messages()
    assert repr(messages) == before


@pytest.mark.parametrize("messages", HISTORIES.values(), ids=HISTORIES)
def test_requests_are_made_of_them_too(messages: list[Any]) -> None:
    theirs = ChatPromptTemplate([MessagesPlaceholder("h")]).invoke({"h": messages})
    runnable = AdapterRunnable("ollama_style")
    assert runnable.invoke(messages) == runnable.invoke(theirs)


ONE: dict[str, Any] = {
    "a pair": ("ai", "a"),
    "JSON": {"type": "ai", "content": "a"},
    "a dump": dumpd(AIMessage("a")),
    "a dictionary": {"role": "assistant", "content": "a"},
    "a message": AIMessage("a"),
}


@pytest.mark.parametrize("message", ONE.values(), ids=ONE)
def test_one_message_is_a_conversation(message: Any) -> None:
    template = AdapterPromptTemplate.from_messages([MessagesPlaceholder("h"), "x"])
    assert [m.content for m in template.invoke({"h": message}).to_messages()] == ["a", "x"]
    assert AdapterRunnable("ollama_style").invoke(message) == {"messages": [{"role": "assistant", "content": "a"}]}


def test_a_chunk_as_json_is_an_answer() -> None:
    chunk = AIMessageChunk(content="a").model_dump(include={"type", "content"})
    assert readable([chunk]) == [AIMessage("a")]


REFUSED: dict[str, tuple[Any, str]] = {
    "a block": ({"type": "text", "text": "x"}, "message 1 has no 'role'"),
    "a secret": ({"lc": 1, "type": "secret", "id": ["HOME"]}, "message 1 has no 'role'"),
    "another object": (
        {"lc": 1, "type": "constructor", "id": ["langchain_core", "prompts", "PromptTemplate"], "kwargs": {}},
        "message 1 has no 'role'",
    ),
    "a result of no call": ({"type": "tool", "content": "r"}, "a tool message needs 'tool_call_id'"),
    "no content": ({"type": "human"}, "message 1 has no 'role'"),
    "a number": (5, "message 1 is int, not a message"),
}


@pytest.mark.parametrize(("item", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_message_is_refused(item: Any, reason: str) -> None:
    with pytest.raises(PromptFormatError, match=reason):
        AdapterPromptTemplate.from_messages([MessagesPlaceholder("h")]).invoke({"h": [item]})
    with pytest.raises(PromptFormatError, match=reason):
        AdapterRunnable("openai_style").invoke([item])
