"""Prompts in LangGraph: as a node, as the prompt of both kinds of agents, with media in the state."""

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any, TypedDict

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import ModelRequest, dynamic_prompt
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import MemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.prebuilt import create_react_agent
from pydantic import BaseModel, ConfigDict, Field

from chat_packages import chat_model
from loopback import SAID, Loopback
from prompt_adapters import Audio, Document, Image, Message, Prompt, Text, ToolCall, ToolResult, Video
from prompt_adapters.errors import MissingVariableError, PromptFormatError, UnsupportedContentError
from prompt_adapters.langchain import AdapterPromptTemplate, PromptMiddleware, checkpoint_types, prompt_node

# LangGraph prefers `create_agent`, and warns where a checkpoint holds a class that no state names.
OLD = pytest.mark.filterwarnings("ignore::langgraph.warnings.LangGraphDeprecatedSinceV10")
THREAD: Any = {"configurable": {"thread_id": "1"}}


class State(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    question: str
    photo: Image


@dataclass
class DataState:
    question: str
    photo: Image
    messages: Annotated[list[AnyMessage], add_messages] = field(default_factory=list)


class ModelState(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)

    question: str
    photo: Image
    messages: Annotated[list[AnyMessage], add_messages] = []


class Thinker(GenericFakeChatModel):
    """A model that calls a tool, and then answers; it keeps what it is asked."""

    asked: list[list[BaseMessage]] = Field(default_factory=list)

    def bind_tools(self, tools: Any, **more: Any) -> Any:
        return self.bind(tools=tools, **more)

    def _generate(self, messages: list[BaseMessage], *args: Any, **more: Any) -> Any:
        self.asked.append(copy.deepcopy(messages))
        return super()._generate(messages, *args, **more)


def thinker() -> Thinker:
    call: Any = {"name": "look", "args": {"at": "the door"}, "id": "c1", "type": "tool_call"}
    first = AIMessage("Let me see.", tool_calls=[call], id="a1", additional_kwargs={"signature": "s"})
    return Thinker(messages=iter([first, AIMessage("a door", id="a2")]))


@tool
def look(at: str) -> str:
    """Look at something."""
    return f"seen: {at}"


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


@pytest.fixture
def template() -> AdapterPromptTemplate:
    return AdapterPromptTemplate.from_prompt(Prompt(system="Be brief.", user="{{ question }} {{ photo }}"))


def data_of(photo: Image) -> str:
    return photo.as_data_url().partition(",")[2]


# A node


@pytest.mark.parametrize("schema", [State, DataState, ModelState])
async def test_a_template_is_a_node(schema: Any, template: AdapterPromptTemplate, photo: Image) -> None:
    graph = StateGraph(schema)
    graph.add_node("prompt", prompt_node(template))
    graph.add_edge(START, "prompt")
    graph.add_edge("prompt", END)
    given = {"question": "What?", "photo": photo}
    for app in (graph.compile(), graph.compile(checkpointer=MemorySaver())):
        made = [app.invoke(given, THREAD), await app.ainvoke(given, {"configurable": {"thread_id": "2"}})]
        for state in made:
            assert [message.type for message in state["messages"]] == ["system", "human"]
            assert str(state["messages"][1].content).count(data_of(photo)) == 1


def test_a_node_and_a_model_are_a_graph(template: AdapterPromptTemplate, photo: Image, server: Loopback) -> None:
    model = chat_model("anthropic_style", server.url, "anthropic/claude-haiku-4-5")
    graph = StateGraph(State)
    graph.add_node("prompt", prompt_node(template.for_model(model)))
    graph.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
    graph.add_edge(START, "prompt")
    graph.add_edge("prompt", "model")
    app = graph.compile(checkpointer=MemorySaver())
    assert app.invoke({"question": "What?", "photo": photo}, THREAD)["messages"][-1].text == SAID
    assert server.body["system"] == "Be brief."
    source = {"type": "base64", "media_type": "image/png", "data": data_of(photo)}
    assert server.body["messages"][0]["content"][1] == {"type": "image", "source": source}


def test_a_state_is_remembered_with_its_media(template: AdapterPromptTemplate, photo: Image) -> None:
    saver = MemorySaver()
    graph = StateGraph(State)
    graph.add_node("prompt", prompt_node(template))
    graph.add_edge(START, "prompt")
    app = graph.compile(checkpointer=saver)
    made = app.invoke({"question": "What?", "photo": photo}, THREAD)
    kept = app.get_state(THREAD).values
    assert kept["photo"] == photo
    assert kept["messages"] == made["messages"]
    again = app.invoke({"question": "And now?"}, THREAD)
    assert str(again["messages"][-1].content).count(data_of(photo)) == 1


MEDIA: dict[str, Callable[[Image, Audio, Video, Document], Any]] = {
    "an image": lambda image, audio, video, document: image.replace(detail="low", cache=True),
    "a link": lambda image, audio, video, document: Image("https://example.org/a.png"),
    "an object": lambda image, audio, video, document: Video("s3://bucket/a b.mp4"),
    "an upload": lambda image, audio, video, document: Document.from_uploaded("file-1", mime="application/pdf"),
    "audio": lambda image, audio, video, document: audio,
    "a clip": lambda image, audio, video, document: video.replace(start=1, end=2.5),
    "a document": lambda image, audio, video, document: document.replace(title="T"),
    "a text document": lambda image, audio, video, document: Document(b"a,b\n", name="a.csv", mime="text/csv"),
    "a wrong label": lambda image, audio, video, document: Image(image.as_bytes(), mime="image/jpeg"),
    "a list": lambda image, audio, video, document: [image, image],
    "messages": lambda image, audio, video, document: [
        Message("user", ["a", image], name="n"),
        Message("assistant", ToolCall("1", "f", {"x": [1]})),
        Message("tool", ToolResult("1", ["r", Text("s", cache=True)], error=True)),
    ],
}


@pytest.mark.parametrize("make", MEDIA.values(), ids=MEDIA)
def test_parts_and_messages_go_through_checkpoints(
    make: Any, photo: Image, sound: Audio, film: Video, report: Document
) -> None:
    value = make(photo, sound, film, report)
    serde = JsonPlusSerializer()
    back = serde.loads_typed(serde.dumps_typed(value))
    assert back == value
    if isinstance(value, Image) and value.source.mime and hasattr(value.source, "declared"):
        assert back.source.declared == value.source.declared


@pytest.mark.parametrize("make", MEDIA.values(), ids=MEDIA)
def test_a_strict_checkpoint_reads_what_it_is_told(
    make: Any, photo: Image, sound: Audio, film: Video, report: Document, caplog: pytest.LogCaptureFixture
) -> None:
    value = make(photo, sound, film, report)
    serde = JsonPlusSerializer(allowed_msgpack_modules=checkpoint_types())
    assert serde.loads_typed(serde.dumps_typed({"held": value})) == {"held": value}
    assert caplog.text == ""


def test_a_placeholder_of_the_state_replaces_its_messages() -> None:
    template = AdapterPromptTemplate.from_messages([("system", "s"), ("placeholder", "{messages}"), "{question}"])
    graph = StateGraph(State)
    graph.add_node("prompt", prompt_node(template))
    graph.add_edge(START, "prompt")
    app = graph.compile()
    state = app.invoke({"messages": [HumanMessage("a", id="h1"), AIMessage("b", id="a1")], "question": "c"})
    assert [(m.type, m.content) for m in state["messages"]] == [
        ("system", "s"), ("human", "a"), ("ai", "b"), ("human", "c")
    ]  # fmt: skip
    assert [m.id for m in state["messages"]][1:3] == ["h1", "a1"]


def test_a_node_for_another_key() -> None:
    template = AdapterPromptTemplate.from_messages([("system", "s"), ("placeholder", "{messages}")])
    update = prompt_node(template, output="llm_input_messages").invoke({"messages": [HumanMessage("a")]})
    assert [m.type for m in update["llm_input_messages"]] == ["system", "human"]


def test_a_node_says_what_it_lacks(template: AdapterPromptTemplate) -> None:
    with pytest.raises(MissingVariableError, match="photo"):
        prompt_node(template).invoke({"question": "What?"})
    with pytest.raises(TypeError, match="prompt_node takes an AdapterPromptTemplate, not str"):
        prompt_node("You are kind.")  # type: ignore[arg-type]  # the point of the test


# Agents of langgraph.prebuilt

KIND = [("system", "You are {tone}."), ("placeholder", "{messages}")]


@OLD
@pytest.mark.parametrize("checkpointer", [None, True], ids=["forgetful", "with a memory"])
async def test_a_template_is_the_prompt_of_a_react_agent(
    checkpointer: bool | None, photo: Image, photo_url: str
) -> None:
    template = AdapterPromptTemplate.from_messages(KIND, partial_variables={"tone": "kind"})
    block = {"type": "image_url", "image_url": {"url": photo_url}}
    asked = HumanMessage([{"type": "text", "text": "What is here?"}, block], id="h1")
    for call in ("invoke", "ainvoke"):
        model = thinker()
        saver = MemorySaver() if checkpointer else None
        agent = create_react_agent(model, [look], prompt=template, checkpointer=saver)
        run = getattr(agent, call)({"messages": [asked]}, THREAD)
        state = run if call == "invoke" else await run
        assert [(m.type, m.id) for m in state["messages"] if m.type != "tool"] == [
            ("human", "h1"), ("ai", "a1"), ("ai", "a2")
        ]  # fmt: skip
        first, second = model.asked
        assert (first[0].content, first[1].id) == ("You are kind.", "h1")
        assert [m.type for m in second] == ["system", "human", "ai", "tool"]
        assert second[2].additional_kwargs == {"signature": "s"}
        assert (second[2].content, second[3].content) == ("Let me see.", "seen: the door")
        assert str(second[1].content).count(data_of(photo)) == 1


@OLD
def test_a_react_agent_speaks_the_dialect_of_its_model(photo: Image, photo_url: str, server: Loopback) -> None:
    template = AdapterPromptTemplate.from_messages(KIND, partial_variables={"tone": "kind"})
    model = chat_model("google_style", server.url, "gemini/gemini-2.5-flash")
    agent = create_react_agent(model, [look], prompt=template)
    block = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    agent.invoke({"messages": [HumanMessage([{"type": "text", "text": "What?"}, block])]})
    parts = server.body["contents"][0]["parts"]
    assert parts[1] == {"fileData": {"file_uri": "https://example.org/a.png", "mime_type": "image/png"}}
    assert server.body["systemInstruction"]["parts"] == [{"text": "You are kind."}]


@OLD
def test_a_node_before_the_model_of_a_react_agent() -> None:
    template = AdapterPromptTemplate.from_messages(KIND, partial_variables={"tone": "kind"})
    model = thinker()
    agent = create_react_agent(model, [look], pre_model_hook=prompt_node(template, output="llm_input_messages"))
    state = agent.invoke({"messages": [HumanMessage("What?", id="h1")]})
    assert [m.type for m in state["messages"]] == ["human", "ai", "tool", "ai"]
    assert [[m.type for m in messages] for messages in model.asked] == [
        ["system", "human"], ["system", "human", "ai", "tool"]
    ]  # fmt: skip


# Agents of langchain


@dataclass
class Context:
    tone: str
    photo: Image


RULES = Prompt(system="You are {{ tone }}.", messages=None, user="This is the place: {{ photo }}")


async def test_a_template_is_the_prompt_of_an_agent(photo: Image) -> None:
    for call in ("invoke", "ainvoke"):
        model = thinker()
        agent: Any = create_agent(
            model,
            [look],
            middleware=[PromptMiddleware(AdapterPromptTemplate.from_prompt(RULES))],
            context_schema=Context,
            checkpointer=MemorySaver(),
        )
        given = {"messages": [HumanMessage("What is here?", id="h1")]}
        run = getattr(agent, call)(given, THREAD, context=Context("kind", photo))
        state = run if call == "invoke" else await run
        assert [m.type for m in state["messages"]] == ["human", "ai", "tool", "ai"]
        first, second = model.asked
        assert [m.type for m in first] == ["system", "human", "human"]
        assert first[0].content == "You are kind."
        assert str(first[1].content).count(data_of(photo)) == 1
        assert [m.type for m in second] == ["system", "human", "human", "ai", "tool"]
        assert second[3].additional_kwargs == {"signature": "s"}


def test_a_placeholder_says_where_the_conversation_stands() -> None:
    model = thinker()
    template = AdapterPromptTemplate.from_messages(
        [("system", "a"), ("system", "b"), ("placeholder", "{messages}"), ("human", "Stay brief.")]
    )
    agent: Any = create_agent(model, [look], middleware=[PromptMiddleware(template)])
    agent.invoke({"messages": [HumanMessage("What?")]})
    texts = [[block["text"] for block in messages[0].content] for messages in model.asked]  # type: ignore[index]  # they are blocks
    assert texts == [["a", "b"], ["a", "b"]]
    assert [messages[-1].content for messages in model.asked] == ["Stay brief."] * 2


def test_an_agent_speaks_the_dialect_of_its_model(photo: Image, photo_url: str, server: Loopback) -> None:
    model = chat_model("anthropic_style", server.url, "anthropic/claude-haiku-4-5")
    template = AdapterPromptTemplate.from_messages([("system", "Be kind.")])
    agent: Any = create_agent(model, [look], middleware=[PromptMiddleware(template)])
    block = {"type": "image_url", "image_url": {"url": photo_url}}
    assert agent.invoke({"messages": [HumanMessage([block])]})["messages"][-1].text == SAID
    assert server.body["messages"][0]["content"][0]["source"]["data"] == data_of(photo)
    assert [used["name"] for used in server.body["tools"]] == ["look"]


def test_what_the_model_cannot_take_is_refused_before_the_call(sound: Audio, server: Loopback) -> None:
    model = chat_model("anthropic_style", server.url, "anthropic/claude-haiku-4-5")
    block = {"type": "audio", "base64": sound.as_data_url().partition(",")[2], "mime_type": "audio/wav"}
    agent: Any = create_agent(
        model, middleware=[PromptMiddleware(AdapterPromptTemplate.from_messages([("system", "s")]))]
    )
    with pytest.raises(UnsupportedContentError, match=r"audio .* at message 2 \(user\), part 1"):
        agent.invoke({"messages": [HumanMessage([block])]})
    assert server.calls == []


def test_bedrock_knows_the_tools_that_are_bound(photo: Image, photo_url: str) -> None:
    """Without them, langchain-aws would write a tool's image as text, that is, drop it."""
    call: Any = {"name": "look", "args": {}, "id": "c1", "type": "tool_call"}
    result = ToolMessage([{"type": "image_url", "image_url": {"url": photo_url}}], tool_call_id="c1")
    messages = [HumanMessage("q"), AIMessage("", tool_calls=[call]), result]
    with Loopback() as server:
        model = chat_model("bedrock_style", server.url, "bedrock/us.amazon.nova-pro-v1:0")
        template = AdapterPromptTemplate.from_messages([("placeholder", "{messages}")])
        with pytest.raises(UnsupportedContentError, match=r"bind the tools, as model\.bind_tools"):
            (template | model).invoke({"messages": messages})
        assert server.calls == []
        agent: Any = create_agent(model, [look], middleware=[PromptMiddleware(template)])
        agent.invoke({"messages": messages})
        result_sent = server.body["messages"][2]["content"][0]["toolResult"]["content"]
        assert result_sent[0]["image"]["source"]["bytes"] == data_of(photo)


def test_two_system_prompts_are_refused() -> None:
    template = AdapterPromptTemplate.from_messages([("system", "s")])
    agent: Any = create_agent(thinker(), [look], system_prompt="t", middleware=[PromptMiddleware(template)])
    with pytest.raises(PromptFormatError, match="give the one or the other"):
        agent.invoke({"messages": [HumanMessage("q")]})
    plain = AdapterPromptTemplate.from_messages([("human", "Look well.")])
    model = thinker()
    create_agent(model, [look], system_prompt="t", middleware=[PromptMiddleware(plain)]).invoke(
        {"messages": [HumanMessage("q")]}
    )
    assert [m.content for m in model.asked[0]] == ["t", "Look well.", "q"]


def test_langchains_own_dynamic_prompt_takes_what_a_template_gives() -> None:
    template = AdapterPromptTemplate.from_messages([("system", "You are {tone}.")])

    @dynamic_prompt
    def prompt(request: ModelRequest[Any]) -> Any:
        return template.format_messages(tone="kind")[0]

    model = thinker()
    create_agent(model, [look], middleware=[prompt]).invoke({"messages": [HumanMessage("q")]})
    assert model.asked[0][0].content == "You are kind."
    system: Any = template.format_messages(tone="firm")[0]
    other = thinker()
    create_agent(other, [look], system_prompt=system).invoke({"messages": [HumanMessage("q")]})
    assert other.asked[0][0].content == "You are firm."


def test_middleware_takes_templates_only() -> None:
    with pytest.raises(TypeError, match="PromptMiddleware takes an AdapterPromptTemplate, not str"):
        PromptMiddleware("You are kind.")  # type: ignore[arg-type]  # the point of the test
