"""States of LangGraph as the input of a template."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.prompts import MessagesPlaceholder
from pydantic import BaseModel, Field

from prompt_adapters.langchain import AdapterPromptTemplate
from prompt_adapters.langchain.state import fields_of, is_state


class Model(BaseModel):
    messages: list[AnyMessage] = Field(default_factory=list)
    question: str = "?"


@dataclass
class Data:
    messages: Sequence[Any] = field(default_factory=list)
    question: str = "?"


SAID: list[Any] = [HumanMessage("a"), AIMessage("b")]
STATES: dict[str, Any] = {
    "dictionary": {"messages": SAID, "question": "?", "remaining_steps": 3},
    "model": Model(messages=SAID),
    "dataclass": Data([("user", "a"), {"role": "assistant", "content": "b"}]),
}


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_its_fields_are_the_values(state: Any) -> None:
    template = AdapterPromptTemplate.from_messages([MessagesPlaceholder("messages"), ("user", "{question}")])
    found = [(m.type, m.content) for m in template.invoke(state).to_messages()]
    assert found == [("human", "a"), ("ai", "b"), ("human", "?")]


def test_an_optional_history_may_be_missing_in_it() -> None:
    template = AdapterPromptTemplate.from_messages([("placeholder", "{messages}"), ("user", "{question}")])
    assert len(template.invoke({"question": "?"}).to_messages()) == 1
    assert len(template.invoke(Model(messages=SAID)).to_messages()) == 3


def test_an_object_that_is_no_state_is_the_value() -> None:
    class Point(BaseModel):
        x: int

    template = AdapterPromptTemplate.from_template("at {point}")
    assert template.invoke(Point(x=1)).to_string() == 'Human: at {"x": 1}'
    assert template.invoke({"point": Point(x=1)}).to_string() == 'Human: at {"x": 1}'
    history = AdapterPromptTemplate.from_messages([MessagesPlaceholder("messages")])
    assert [m.content for m in history.invoke(SAID).to_messages()] == ["a", "b"]


@pytest.mark.parametrize("value", [HumanMessage("a"), {"messages": []}, "text", Data, None, 7])
def test_only_models_and_dataclasses_have_fields(value: object) -> None:
    assert fields_of(value) is None


def test_a_state_of_messages_alone_is_told() -> None:
    assert is_state({"messages": SAID, "remaining_steps": 3})
    assert not is_state({"messages": SAID, "question": "?"})
