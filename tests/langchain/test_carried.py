"""What LangChain's messages hold beside their content stays with them on the way through a template."""

import copy
import pickle
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.prompts import ChatPromptTemplate

from prompt_adapters import Image, Message, Prompt, ToolResult, get_adapter
from prompt_adapters.content.read import read_message
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.langchain import AdapterPromptTemplate, to_langchain
from prompt_adapters.langchain.carried import Carried, history, restored
from prompt_adapters.langchain.dialects import PORTABLE, dialect_of
from prompt_adapters.langchain.styles import class_for

CALL: Any = {"type": "tool_call", "id": "c1", "name": "f", "args": {"x": 1}}
USAGE: Any = {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3}
THOUGHT: Any = {"type": "thinking", "thinking": "hm", "signature": "sig"}
SIGNATURES = {"__gemini_function_call_thought_signatures__": {"c1": "c2ln"}}

HISTORIES: dict[str, list[BaseMessage]] = {
    "ids": [HumanMessage("q", id="h1"), AIMessage("a", id="a1"), SystemMessage("s", id="s1")],
    "usage and metadata": [
        AIMessage("a", usage_metadata=USAGE, response_metadata={"model_name": "m", "model_provider": "openai"})
    ],
    "arguments of one's own": [HumanMessage("q", additional_kwargs={"mood": "good"}, example=True)],
    "thoughts": [AIMessage([THOUGHT, {"type": "text", "text": "a"}], id="a1")],
    "signatures of calls": [
        HumanMessage("q"),
        AIMessage("", tool_calls=[CALL], additional_kwargs=SIGNATURES),
        ToolMessage("r", tool_call_id="c1"),
    ],
    "an artifact": [
        AIMessage("", tool_calls=[CALL]), ToolMessage("r", tool_call_id="c1", artifact={"rows": [1]}, id="t1", name="f")
    ],
    "a failed call": [AIMessage("", tool_calls=[CALL]), ToolMessage("no", tool_call_id="c1", status="error", id="t1")],
    "names": [HumanMessage("q", name="ann", id="h1")],
    "blocks with more than text": [
        AIMessage([{"type": "text", "text": "a", "annotations": [{"type": "citation", "url": "u"}]}], id="a1")
    ],
}  # fmt: skip


@pytest.mark.parametrize("messages", HISTORIES.values(), ids=HISTORIES)
async def test_it_is_what_langchain_gives(messages: list[BaseMessage]) -> None:
    parts = [("system", "s"), ("placeholder", "{h}"), ("human", "{q}")]
    ours, theirs = AdapterPromptTemplate.from_messages(parts), ChatPromptTemplate(parts)
    values = {"h": messages, "q": "q"}
    before = copy.deepcopy(messages)
    assert ours.invoke(values).to_messages() == theirs.invoke(values).to_messages()
    assert (await ours.ainvoke(values)).to_messages() == theirs.invoke(values).to_messages()
    assert messages == before


def test_nothing_is_shared_with_the_history() -> None:
    held = HumanMessage("q", id="h1", additional_kwargs={"mood": ["good"]})
    answer = AIMessage([dict(THOUGHT), {"type": "text", "text": "a"}])
    template = AdapterPromptTemplate.from_messages([("placeholder", "{h}")])
    value = template.invoke({"h": [held, answer]})
    first, second = value.to_messages()
    first.additional_kwargs["mood"].append("bad")
    second.content[0]["thinking"] = "spoilt"  # type: ignore[index]  # it is a block
    assert held.additional_kwargs == {"mood": ["good"]}
    assert answer.content[0] == THOUGHT
    again = template.invoke({"h": [held, answer]}).to_messages()
    assert (again[0].additional_kwargs, again[1].content[0]) == ({"mood": ["good"]}, THOUGHT)


def test_media_take_the_form_of_the_target_and_the_id_stays(photo: Image, photo_url: str) -> None:
    block = {"type": "image_url", "image_url": {"url": photo_url}}
    held = HumanMessage([{"type": "text", "text": "look"}, block], id="h1")
    template = class_for("google_style").from_messages([("placeholder", "{h}"), "more"])
    first = template.invoke({"h": [held]}).to_messages()[0]
    assert (first.id, [item["type"] for item in first.content]) == ("h1", ["text", "media"])  # type: ignore[index]  # they are blocks


THINKERS: dict[str, tuple[str, str | None, bool]] = {
    "Anthropic, Anthropic's": ("anthropic_style", "anthropic", True),
    "Anthropic, of nobody": ("anthropic_style", None, False),
    "OpenAI, Anthropic's": ("openai_style", "anthropic", False),
    "Google, its own": ("google_style", "google_genai", True),
    "Mistral, its own": ("mistral_style", "mistralai", True),
    "Bedrock, Anthropic's": ("bedrock_style", "anthropic", False),
}


@pytest.mark.parametrize(("style", "provider", "kept"), THINKERS.values(), ids=THINKERS)
def test_thoughts_go_back_to_who_thought_them(style: str, provider: str | None, kept: bool) -> None:
    metadata = {"model_provider": provider, "output_version": "v1"} if provider else {}
    answer = AIMessage([THOUGHT, {"type": "text", "text": "a"}], id="a1", response_metadata=metadata)
    template = class_for(style).from_messages([("placeholder", "{h}"), "more"])
    made = template.invoke({"h": [HumanMessage("q"), answer]}).to_messages()[1]
    assert made.content == (answer.content if kept else "a")
    assert made.id == "a1"
    assert ("output_version" in made.response_metadata) == kept


def test_thoughts_stand_before_an_image_of_the_answer(photo: Image, photo_url: str) -> None:
    blocks: Any = [THOUGHT, {"type": "image_url", "image_url": {"url": photo_url}}, {"type": "text", "text": "a"}]
    answer = AIMessage(blocks, response_metadata={"model_provider": "google_genai"})
    template = class_for("google_style").from_messages([("placeholder", "{h}"), "more"])
    made = template.invoke({"h": [HumanMessage("q"), answer]}).to_messages()[1]
    assert [block["type"] for block in made.content] == ["thinking", "media", "text"]  # type: ignore[index]  # they are blocks


def test_a_request_has_no_place_for_it() -> None:
    template = AdapterPromptTemplate.from_messages([("placeholder", "{h}")])
    value = template.invoke({"h": HISTORIES["ids"][:2]})
    assert value.to_request("openai_style") == get_adapter("openai_style").build_request(
        [Message("user", "q"), Message("assistant", "a")]
    )


def test_it_is_a_message_like_any_other() -> None:
    (message,) = history([HumanMessage("q", id="h1")], "h")
    assert type(message) is Carried
    assert message == Message("user", "q")
    assert Message("user", "q") == message
    assert message != Message("user", "r")
    assert message != "q"
    assert hash(message) == hash(Message("user", "q"))
    assert repr(message) == repr(Message("user", "q"))
    twin = pickle.loads(pickle.dumps(message))
    assert (twin, twin.origin) == (message, {"id": "h1"})
    assert message.replace(parts="r").origin == {"id": "h1"}
    prompt = Prompt(messages=[message])
    assert Prompt.from_json(prompt.to_json()) == prompt


def test_a_message_that_holds_nothing_more_is_a_plain_one() -> None:
    made = history([HumanMessage("q"), ("ai", "a"), Message("user", "r")], "h")
    assert [type(item) for item in made] == [Message, tuple, Message]
    assert history("text", "h") == "text"


def test_what_is_no_message_is_named_by_history_and_number() -> None:
    with pytest.raises(PromptFormatError, match="history 'h', message 2, block 1"):
        history([HumanMessage("q"), HumanMessage([{"type": "hologram"}])], "h")


def test_a_chunk_becomes_a_message() -> None:
    chunk = AIMessageChunk(content="a", id="run-1", usage_metadata=USAGE)
    template = AdapterPromptTemplate.from_messages([("placeholder", "{h}")])
    (made,) = template.invoke({"h": [chunk]}).to_messages()
    assert (type(made), made.id, made.usage_metadata) == (AIMessage, "run-1", USAGE)  # type: ignore[attr-defined]  # it is an answer


def test_of_several_messages_the_first_of_its_kind_has_the_id() -> None:
    answer = AIMessage("let me see", tool_calls=[CALL], id="a1", additional_kwargs={"k": "v"})
    template = class_for("mistral_style").from_messages([("placeholder", "{h}")])
    made = template.invoke(
        {"h": [HumanMessage("q"), answer, ToolMessage("r", tool_call_id="c1", id="t1")]}
    ).to_messages()
    assert [(m.type, m.id, m.content) for m in made] == [
        ("human", None, "q"), ("ai", "a1", "let me see"), ("ai", None, ""), ("tool", "t1", "r")
    ]  # fmt: skip
    native: Any = [{"type": "tool_result", "tool_use_id": "c1", "content": "r"}, {"type": "text", "text": "and?"}]
    asked = HumanMessage(native, id="h1")
    made = AdapterPromptTemplate.from_messages([("placeholder", "{h}")]).invoke({"h": [asked]}).to_messages()
    assert [(m.type, m.id) for m in made] == [("tool", None), ("human", "h1")]


def test_a_message_that_was_none_of_langchains_is_left_as_it_is() -> None:
    made = ToolMessage("r", tool_call_id="1")
    assert [*restored([made], Message("tool", ToolResult("1", "r")), PORTABLE)] == [made]
    assert dialect_of(get_adapter("cohere_style")).takes_back("cohere") is False


class Table:
    """As tables of numbers are: neither true nor false, and not to be copied."""

    def __bool__(self) -> bool:
        raise ValueError("the truth value of a table is ambiguous")

    def __deepcopy__(self, memo: Any) -> Any:
        raise AssertionError

    def __eq__(self, other: object) -> Any:
        raise AssertionError

    __hash__ = None  # type: ignore[assignment]  # as of what is equal to nothing


def test_an_artifact_may_be_anything() -> None:
    table = Table()
    messages = [AIMessage("", tool_calls=[CALL]), ToolMessage("r", tool_call_id="c1", artifact=table)]
    template = AdapterPromptTemplate.from_messages([("placeholder", "{h}")])
    made: Any = template.invoke({"h": [HumanMessage("q"), *messages]}).to_messages()[2]
    assert made.artifact is table


def test_a_chunk_with_calls_becomes_an_answer_with_calls() -> None:
    piece: Any = {"type": "tool_call_chunk", "name": "f", "args": '{"x": 1}', "id": "c1", "index": 0}
    chunk = AIMessageChunk(content="", id="run-1", tool_call_chunks=[piece])
    template = AdapterPromptTemplate.from_messages([("placeholder", "{h}")])
    made: Any = template.invoke({"h": [HumanMessage("q"), chunk]}).to_messages()[1]
    assert (type(made), made.id, made.tool_calls) == (AIMessage, "run-1", [CALL])
    assert made.model_extra == {}


LITERAL = HumanMessage("q", id="h1", additional_kwargs={"mood": ["good"]})


def test_literal_messages_keep_theirs() -> None:
    given = LITERAL.model_copy(deep=True)
    template = AdapterPromptTemplate.from_messages([given, AIMessage("a", response_metadata={"model_name": "m"}), "x"])
    given.additional_kwargs["mood"].append("bad")
    for same in (template, copy.deepcopy(template), pickle.loads(pickle.dumps(template))):
        first, second, _ = same.invoke({}).to_messages()
        assert (first, second.response_metadata) == (LITERAL, {"model_name": "m"})
        first.additional_kwargs["mood"].append("bad")
        assert same.invoke({}).to_messages()[0] == LITERAL
    theirs = to_langchain(template)
    assert isinstance(theirs, ChatPromptTemplate)
    assert theirs.messages[0] == LITERAL


TEXTS = st.text(alphabet=st.sampled_from("a \n{é\ud800"), max_size=4)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "id": st.just("i"),
        "name": st.just("n"),
        "additional_kwargs": st.sampled_from([{}, {"refusal": "no"}, {"k": 1}]),
        "tool_calls": st.sampled_from([[], [CALL]]),
    },
)


@given(st.sampled_from([HumanMessage, AIMessage, SystemMessage]), TEXTS, FIELDS)
def test_a_text_is_read_as_every_message_is(cls: Any, text: str, fields: dict[str, Any]) -> None:
    message = cls(text, **({k: v for k, v in fields.items() if k != "tool_calls"} if cls is not AIMessage else fields))
    try:
        expected = read_message(message, "history 'h', message 1", reasoning="drop")
    except PromptFormatError as error:
        with pytest.raises(PromptFormatError, match=re.escape(str(error))):
            history([message], "h")
        return
    assert history([message], "h") == ([] if text == "" and cls is AIMessage and not message.tool_calls else [expected])
