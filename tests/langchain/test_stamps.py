"""Messages of one text: as the constructors make them, and nothing shared."""

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from prompt_adapters import FewShot, Image, Message, Prompt, Text, ToolCall
from prompt_adapters.langchain import AdapterPromptTemplate
from prompt_adapters.langchain.stamps import all_stamped, stamped

CLASSES: dict[str, Any] = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}


@pytest.mark.parametrize("role", CLASSES)
@given(text=st.text())
def test_it_is_what_the_constructor_makes(role: str, text: str) -> None:
    made, expected = stamped(Message(role, [Text(text)])), CLASSES[role](text)
    assert made is not None
    assert type(made) is type(expected)
    assert made == expected
    assert made.__dict__ == expected.__dict__
    assert made.model_fields_set == expected.model_fields_set
    assert (made.model_extra, made.__pydantic_private__) == (expected.model_extra, expected.__pydantic_private__)
    assert made.model_dump() == expected.model_dump()
    assert repr(made) == repr(expected)


@pytest.mark.parametrize("role", CLASSES)
def test_nothing_is_shared(role: str) -> None:
    first, second = (stamped(Message(role, "a")) for _ in range(2))
    assert first is not None
    before = copy.deepcopy(second)
    for value in first.__dict__.values():
        if isinstance(value, dict):
            value["x"] = 1
        elif isinstance(value, list):
            value.append(1)
    first.content = "b"
    first.name = "n"
    first.other = "o"  # type: ignore[attr-defined]  # LangChain's messages take more fields
    assert second == before == stamped(Message(role, "a"))
    assert second is not None
    assert second.model_fields_set == {"content"}


@pytest.mark.parametrize("role", CLASSES)
def test_it_is_copied_like_any_other(role: str) -> None:
    message: Any = stamped(Message(role, "a"))
    for twin in (copy.copy(message), copy.deepcopy(message), pickle.loads(pickle.dumps(message)), message.model_copy()):
        assert twin == message
    assert message.model_copy(update={"content": "b"}).content == "b"
    assert message.text == "a"
    assert message.content_blocks == [{"type": "text", "text": "a"}]


MORE: dict[str, Message] = {
    "developer": Message("developer", "a"),
    "a name": Message("user", "a", name="n"),
    "a mark": Message("user", "a", cache=True),
    "a mark on the text": Message("user", Text("a", cache=True)),
    "two texts": Message("user", ["a", "b"]),
    "nothing": Message("user", []),
    "a medium": Message("user", Image("https://example.org/a.png")),
    "a call": Message("assistant", ToolCall("1", "f", {})),
}


@pytest.mark.parametrize("message", MORE.values(), ids=MORE)
def test_anything_more_is_not_stamped(message: Message) -> None:
    assert stamped(message) is None
    assert all_stamped([Message("user", "a"), message]) is None


@pytest.mark.parametrize("text", ["", " ", "\n\t"], ids=repr)
def test_a_blank_text_is_left_to_be_tidied(text: str) -> None:
    assert all_stamped([Message("user", "a"), Message("user", text)]) is None
    assert stamped(Message("user", text)) == HumanMessage(text)


def test_results_share_nothing_with_the_template() -> None:
    prompt = Prompt(messages=[Message("system", "s"), ("user", "{{ q }}")], few_shot=FewShot([("i", "o")] * 2))
    template = AdapterPromptTemplate.from_prompt(prompt)
    first = template.invoke({"q": "x"})
    expected = copy.deepcopy(first)
    for message in first.to_messages():
        message.content = "spoilt"
        message.additional_kwargs["spoilt"] = True
    assert template.invoke({"q": "x"}) == expected
    assert len({id(message) for message in template.invoke({"q": "x"}).messages}) == 6
