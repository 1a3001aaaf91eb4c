"""`prompt_node`: a template as a node of a LangGraph graph, state in, messages out; and what checkpoints may hold."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import BaseMessage, RemoveMessage
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.runnables.base import RunnableSerializable

from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import MEDIA_PARTS, Text, ToolCall, ToolResult
from prompt_adapters.content.source import Uploaded
from prompt_adapters.langchain.template import AdapterPromptTemplate

# What LangGraph's `add_messages` takes for "all of them": https://docs.langchain.com/oss/python/langgraph/graph-api
_ALL = "__remove_all__"


class PromptNode(RunnableSerializable[Any, dict[str, Any]]):
    """What `prompt_node` makes.

    Attributes:
        template: The template; its variables are keys of the state.
        output: The key of the state that its messages are for.
    """

    template: AdapterPromptTemplate
    output: str = "messages"

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> dict[str, Any]:  # noqa: A002 - LangChain's name
        """The update of the state."""
        return self._update(self.template.invoke(input, config, **kwargs).to_messages())

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> dict[str, Any]:  # noqa: A002 - LangChain's name
        """The update of the state, for callers that await."""
        return self._update((await self.template.ainvoke(input, config, **kwargs)).to_messages())

    def _update(self, messages: list[BaseMessage]) -> dict[str, Any]:
        # Where the state's messages are among the rendered ones, these take their place: `add_messages` would keep the
        # order in which they first came.
        first = [RemoveMessage(id=_ALL)] if self.output in self.template._inputs.histories else []
        return {self.output: [*first, *messages]}


def prompt_node(template: AdapterPromptTemplate, *, output: str = "messages") -> Runnable[Any, dict[str, Any]]:
    """A template as a node of a ``StateGraph``.

    ::

        graph.add_node("prompt", prompt_node(template))
        create_react_agent(model, tools, pre_model_hook=prompt_node(template, output="llm_input_messages"))

    The state (a dictionary, a pydantic model or a dataclass) gives the variables. What a template makes of the state's
    own messages, by a placeholder of the same name, takes their place, for which the key needs LangGraph's
    ``add_messages``.

    Args:
        template: The template. `for_model` aims it at a model; otherwise its messages are in the portable form.
        output: The key of the state that the messages are for.

    Raises:
        TypeError: It is no template of this package.
    """
    if not isinstance(template, AdapterPromptTemplate):
        raise TypeError(f"prompt_node takes an AdapterPromptTemplate, not {type(template).__name__}")
    return PromptNode(template=template, output=output, name=template.get_name())


def checkpoint_types() -> list[tuple[str, str]]:
    """Media, the other parts, and messages, as a checkpoint's serializer names them.

    ::

        MemorySaver(serde=JsonPlusSerializer(allowed_msgpack_modules=checkpoint_types()))

    LangGraph keeps them without being told, and warns when it reads them back; with
    ``LANGGRAPH_STRICT_MSGPACK=true`` it reads only what is named.
    """
    classes = (*MEDIA_PARTS.values(), Text, ToolCall, ToolResult, Message, Uploaded)
    return [(cls.__module__, cls.__name__) for cls in classes]
