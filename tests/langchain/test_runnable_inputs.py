"""`AdapterRunnable`: a prompt that chooses its examples, states that are objects, and every role of a message."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from langchain_core.load import dumpd
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
)
from pydantic import BaseModel

from prompt_adapters import FewShot, Message, Prompt, ToolCall, ToolResult, get_adapter
from prompt_adapters.errors import PromptAdapterError, PromptFormatError
from prompt_adapters.langchain import AdapterRunnable

VALUES = {"word": "q"}
LANGCHAIN = [SystemMessage("s"), HumanMessage("q")]
OPENAI = {"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "q"}]}
STYLES = (
    "openai_style",
    "openai_responses_style",
    "anthropic_style",
    "google_style",
    "bedrock_style",
    "mistral_style",
    "cohere_style",
    "ollama_style",
    "litellm_style",
)


@pytest.fixture
def runnable() -> AdapterRunnable:
    return AdapterRunnable("openai_style")


class Chooser:
    """What chooses examples, and remembers how it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def add_example(self, example: Any) -> None:
        raise AssertionError

    def select_examples(self, given: dict[str, Any]) -> list[dict[str, str]]:
        self.asked.append("sync")
        return [{"input": f"before {given['word']}", "output": "o"}]

    async def aselect_examples(self, given: dict[str, Any]) -> list[dict[str, str]]:
        self.asked.append("async")
        return [{"input": f"before {given['word']}", "output": "o"}]


async def test_a_bound_prompt_may_choose_its_examples() -> None:
    chooser = Chooser()
    prompt = Prompt(user="{{ word }}", few_shot=FewShot(chooser, format="converse"))
    runnable = AdapterRunnable("openai_style", prompt=prompt)
    expected = {
        "messages": [
            {"role": "user", "content": "before q"},
            {"role": "assistant", "content": "o"},
            {"role": "user", "content": "q"},
        ]
    }
    assert runnable.invoke(VALUES) == expected
    assert await runnable.ainvoke(VALUES) == expected
    assert chooser.asked == ["sync", "async"]
    assert dumpd(runnable)["type"] == "not_implemented"


@dataclass
class DataState:
    messages: list[Any]
    remaining_steps: int = 3


class ModelState(BaseModel):
    messages: list[Any]


@pytest.mark.parametrize("state", [DataState(LANGCHAIN), ModelState(messages=LANGCHAIN)], ids=["dataclass", "pydantic"])
async def test_a_state_may_be_an_object(state: Any, runnable: AdapterRunnable) -> None:
    assert runnable.invoke(state) == await runnable.ainvoke(state) == OPENAI


# Roles

CALL: Any = {"type": "tool_call", "id": "abcdefghi", "name": "f", "args": {"x": 1}}
CALLED = [
    Message("user", "q"),
    Message("assistant", ToolCall("abcdefghi", "f", {"x": 1})),
    Message("tool", ToolResult("abcdefghi", "r", name="f")),
]
ROLES: dict[str, tuple[list[BaseMessage], list[Message]]] = {
    "system": ([SystemMessage("s"), HumanMessage("q")], [Message("system", "s"), Message("user", "q")]),
    "developer": (
        [SystemMessage("s", additional_kwargs={"__openai_role__": "developer"}), HumanMessage("q")],
        [Message("developer", "s"), Message("user", "q")],
    ),
    "any role": (
        [ChatMessage(content="s", role="developer"), ChatMessage(content="q", role="human")],
        [Message("developer", "s"), Message("user", "q")],
    ),
    "assistant": (
        [HumanMessage("q"), AIMessage("a"), HumanMessage("r")],
        [Message("user", "q"), Message("assistant", "a"), Message("user", "r")],
    ),
    "tool": (
        [HumanMessage("q"), AIMessage("", tool_calls=[CALL]), ToolMessage("r", tool_call_id="abcdefghi", name="f")],
        CALLED,
    ),
    "a failed tool": (
        [
            HumanMessage("q"),
            AIMessage("", tool_calls=[CALL]),
            ToolMessage("no", tool_call_id="abcdefghi", name="f", status="error"),
        ],
        [*CALLED[:2], Message("tool", ToolResult("abcdefghi", "no", name="f", error=True))],
    ),
}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("messages", "native"), ROLES.values(), ids=ROLES)
def test_every_role_becomes_the_providers_own(messages: list[BaseMessage], native: list[Message], style: str) -> None:
    expected = _made(get_adapter(style).build_request, tuple(native))
    assert _made(AdapterRunnable(style).invoke, messages) == expected
    assert _made(AdapterRunnable(style).invoke, {"messages": messages}) == expected


def _made(make: Callable[[Any], Any], given: Any) -> Any:
    """The request, or what is said against it."""
    try:
        return make(given)
    except PromptAdapterError as error:
        return str(error)


STRANGERS: dict[str, tuple[BaseMessage, str]] = {
    "an old function's result": (FunctionMessage(content="r", name="f"), "tool_call_id"),
    "a role that nobody knows": (ChatMessage(content="q", role="wizard"), "'wizard' is not a role"),
    "the removal of a message": (RemoveMessage(id="1"), "message 2"),
}


@pytest.mark.parametrize(("message", "said"), STRANGERS.values(), ids=STRANGERS)
def test_what_no_provider_has_is_refused(message: BaseMessage, said: str, runnable: AdapterRunnable) -> None:
    with pytest.raises(PromptFormatError, match=said) as caught:
        runnable.invoke([HumanMessage("q"), message])
    assert "message 2" in str(caught.value)
