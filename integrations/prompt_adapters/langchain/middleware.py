"""`PromptMiddleware`: a template as the prompt of ``create_agent``; needs the package ``langchain``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from langchain_core.messages import BaseMessage, SystemMessage
from langchain_core.prompts import MessagesPlaceholder

from prompt_adapters.errors import MissingDependencyError, PromptFormatError
from prompt_adapters.langchain.state import fields_of
from prompt_adapters.langchain.template import AdapterPromptTemplate

try:
    from langchain.agents.middleware import AgentMiddleware
except ImportError as error:
    raise MissingDependencyError("langchain", "langgraph", "PromptMiddleware") from error

if TYPE_CHECKING:
    from langchain.agents.middleware import ModelRequest, ModelResponse

_MESSAGES = "messages"


class PromptMiddleware(AgentMiddleware):
    """Renders a template for each call of an agent's model.

    ::

        create_agent(model, tools, middleware=[PromptMiddleware(template)])

    Its variables are the state's keys and the fields of the runtime context, which win. Where the template has no
    placeholder for ``messages``, the conversation follows what it renders. The messages are in the dialect of the
    model that is called, fitted to what it takes; what that cannot take is refused before the call. The state itself
    stays as it is.

    Args:
        template: The template.

    Raises:
        TypeError: It is no template of this package.
    """

    def __init__(self, template: AdapterPromptTemplate) -> None:
        super().__init__()
        if not isinstance(template, AdapterPromptTemplate):
            raise TypeError(f"PromptMiddleware takes an AdapterPromptTemplate, not {type(template).__name__}")
        self.template = template
        whole = _MESSAGES in template._inputs.histories
        self._whole = template if whole else template + MessagesPlaceholder(_MESSAGES)
        self.tools = []

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Call the model with the rendered messages."""
        return handler(_with(request, self._aimed(request).format_messages(**_values(request))))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        """Call the model with the rendered messages, for agents that are awaited."""
        return await handler(_with(request, await self._aimed(request).aformat_messages(**_values(request))))

    def _aimed(self, request: ModelRequest[Any]) -> AdapterPromptTemplate:
        model = request.model.bind(tools=[*request.tools]) if request.tools else request.model
        return self._whole._speaking_to(model)


def _values(request: ModelRequest[Any]) -> dict[str, Any]:
    context = getattr(request.runtime, "context", None)
    given = dict(context) if isinstance(context, Mapping) else fields_of(context) or {}
    return {**request.state, **given, _MESSAGES: request.messages}


def _with(request: ModelRequest[Any], messages: list[BaseMessage]) -> ModelRequest[Any]:
    """The request with these messages; leading system text stands in a field of its own there."""
    leading = [*takewhile(lambda message: isinstance(message, SystemMessage), messages)]
    rest: Any = messages[len(leading) :]
    if not leading:
        return request.override(messages=rest)
    if request.system_message is not None:
        raise PromptFormatError(
            None, None, "the agent has a system_prompt and the template has system text; give the one or the other"
        )
    system: Any = leading[0]
    if len(leading) > 1:
        system = SystemMessage([block for message in leading for block in _blocks(message)])
    return request.override(system_message=system, messages=rest)


def _blocks(message: BaseMessage) -> list[Any]:
    content = message.content
    return [{"type": "text", "text": content}] if isinstance(content, str) else content
