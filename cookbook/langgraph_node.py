"""Prompts in LangGraph: as a node of a graph whose state holds a picture, and as the prompt of an agent with tools.

The model here is a fake that calls a tool and then answers, so that no key is needed.

Run it: python cookbook/langgraph_node.py
"""

from pathlib import Path
from typing import Annotated, Any, TypedDict

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import MemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from pydantic import Field

from prompt_adapters import Image, Prompt
from prompt_adapters.langchain import AdapterPromptTemplate, PromptMiddleware, checkpoint_types, prompt_node

PHOTO = Image(Path(__file__).parent / "photos" / "harbour.jpg")


class Model(GenericFakeChatModel):
    """Keeps what it is asked, and answers from a list."""

    asked: list[list[BaseMessage]] = Field(default_factory=list)

    def bind_tools(self, tools: Any, **more: Any) -> Any:
        """The model, with tools."""
        return self.bind(tools=tools, **more)

    def _generate(self, messages: list[BaseMessage], *args: Any, **more: Any) -> Any:
        self.asked.append(messages)
        return super()._generate(messages, *args, **more)


# A node: the variables come from the state, and the messages go into it.
class State(TypedDict, total=False):
    """What the graph knows."""

    question: str
    photo: Image
    messages: Annotated[list[AnyMessage], add_messages]


prompt = Prompt(system="Be brief.", user="{{ question }} {{ photo }}")
template = AdapterPromptTemplate.from_prompt(prompt)
model = Model(messages=iter([AIMessage("Two boats.")]))

graph = StateGraph(State)
graph.add_node("prompt", prompt_node(template))
graph.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
graph.add_edge(START, "prompt")
graph.add_edge("prompt", "model")
graph.add_edge("model", END)
# The picture is kept in the checkpoint, and comes back as an Image.
memory = MemorySaver(serde=JsonPlusSerializer(allowed_msgpack_modules=checkpoint_types()))
app = graph.compile(checkpointer=memory)

thread: Any = {"configurable": {"thread_id": "harbour"}}
state = app.invoke({"question": "How many boats?", "photo": PHOTO}, thread)
kept = app.get_state(thread).values
print("graph:", [message.type for message in state["messages"]], state["messages"][-1].text)
print("kept:", kept["photo"])


# An agent: the template is rendered anew for each call of its model, in the dialect of that model.
@tool
def count(thing: str) -> str:
    """Count things in the photo."""
    return f"two {thing}"


call: Any = {"name": "count", "args": {"thing": "boats"}, "id": "call_1", "type": "tool_call"}
worker = Model(messages=iter([AIMessage("Let me count.", tool_calls=[call]), AIMessage("Two boats.")]))
rules = AdapterPromptTemplate.from_messages(
    [("system", "You are {tone}."), ("human", "The place: {photo}"), ("placeholder", "{messages}")],
    partial_variables={"tone": "careful", "photo": PHOTO},
)
agent: Any = create_agent(worker, [count], middleware=[PromptMiddleware(rules)], checkpointer=MemorySaver())
done = agent.invoke({"messages": [HumanMessage("How many boats?")]}, thread)
print("agent:", [message.type for message in done["messages"]], done["messages"][-1].text)
print("asked:", [[message.type for message in messages] for messages in worker.asked])

assert [message.type for message in state["messages"]] == ["system", "human", "ai"]
assert kept["photo"] == PHOTO
assert [message.type for message in done["messages"]] == ["human", "ai", "tool", "ai"]
assert [message.type for message in worker.asked[1]] == ["system", "human", "human", "ai", "tool"]
assert done["messages"][-1].text == "Two boats."
