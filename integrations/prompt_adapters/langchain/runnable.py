"""`AdapterRunnable`: an adapter as a link of a chain, from messages or variables to a provider's request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from langchain_core.load.serializable import SerializedConstructor, SerializedNotImplemented
from langchain_core.messages import AnyMessage, BaseMessage
from langchain_core.prompt_values import ChatPromptValueConcrete, PromptValue, StringPromptValue
from langchain_core.runnables import RunnableConfig, RunnableSerializable
from langchain_core.utils.pydantic import TypeBaseModel, create_model_v2
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from prompt_adapters.adapters import MessageAdapter, adapter_for
from prompt_adapters.content.message import Message
from prompt_adapters.content.read import read_messages
from prompt_adapters.errors import UnknownAdapterError
from prompt_adapters.langchain.base import PromptField, as_prompt
from prompt_adapters.langchain.chosen import with_examples
from prompt_adapters.langchain.construct import OneLineErrors
from prompt_adapters.langchain.inputs import ValueInput
from prompt_adapters.langchain.prompt_value import AdapterPromptValue
from prompt_adapters.langchain.readable import readable
from prompt_adapters.langchain.resolve import names_model, own_options, shaped, told
from prompt_adapters.langchain.short import awaited_with, called_with, shortened
from prompt_adapters.langchain.state import fields_of, is_state, others
from prompt_adapters.langchain.template import AdapterPromptTemplate
from prompt_adapters.prompt import Prompt

_TAKES = (
    "a prompt value, messages (LangChain's, role/content dictionaries, pairs), a text, a Prompt, a state that holds "
    "messages, or, with prompt=, a dictionary of its variables"
)


class AdapterRunnableState(BaseModel):
    """A state that says nothing but its messages, as schemas describe it."""

    messages: list[AnyMessage]


class AdapterRunnable(OneLineErrors, RunnableSerializable[Any, dict[str, Any]]):
    """Makes a provider's request; stands between any LangChain prompt and the provider's own client.

    ::

        any_prompt | AdapterRunnable("google_style") | (lambda request: client.models.generate_content(**request))

    It takes a prompt value, LangChain messages, role/content dictionaries, a text, a `Prompt`, or a LangGraph state,
    ``{"messages": […]}``; with a bound prompt it takes a dictionary of variables, in which unknown keys are ignored. An
    ``AIMessage`` without content and calls, as agents leave behind, is left out. It gives the keyword arguments of the
    provider's official client. `style`, `model` and `prompt` are configurable fields.

    `prompt_adapters.langchain.load` reads what ``dumpd`` and ``dumps`` give. LangChain's own ``load`` needs
    ``allowed_objects=[AdapterRunnable]`` and ``valid_namespaces=["prompt_adapters"]``.

    Args:
        style: The wire shape, as ``"google_style"``, or an adapter.
        model: The model, as ``"anthropic/claude-opus-5"``; without a style it tells the shape as well.
        prompt: A prompt to bind.
        options: The adapter's options, as a dictionary.
        more: The adapter's options, as ``parameters`` and ``on_limit``.

    Raises:
        UnknownAdapterError: (a ``KeyError``) There is no such style, or the model's provider cannot be told.
        TypeError: Neither style nor model is given, there is no such option, or an adapter is given that cannot be told
            by style, model and options, or options beside it.
        ValueError: An option has an impossible value.
    """

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    style: str | None = None
    model: str | None = None
    prompt: PromptField | None = None
    options: dict[str, Any] = Field(default_factory=dict)
    _adapter: MessageAdapter = PrivateAttr()
    _template: AdapterPromptTemplate | None = PrivateAttr(default=None)

    def __init__(
        self,
        style: str | MessageAdapter | None = None,
        *,
        model: str | None = None,
        prompt: Prompt | Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        name: str | None = None,
        **more: Any,
    ) -> None:
        prompt = as_prompt(prompt)
        if not isinstance(prompt, Prompt | None):
            raise TypeError(
                f"prompt= takes a Prompt, not {type(prompt).__name__}; put a template in front of it with |"
            )
        chosen = own_options({**(options or {}), **more})
        if isinstance(style, MessageAdapter):
            if model is not None or chosen:
                raise TypeError("an adapter has its model and options already; give them to it, or give its style")
            style, model, chosen = told(style)
        adapter = _adapter_of(style, model, prompt, chosen)
        fields: dict[str, Any] = {"style": style, "model": model, "prompt": prompt, "options": chosen, "name": name}
        super().__init__(**fields)
        self._adapter = adapter
        if prompt is not None:
            self._template = AdapterPromptTemplate.from_prompt(prompt)

    @property
    def adapter(self) -> MessageAdapter:
        """The adapter."""
        return self._adapter

    @property
    def InputType(self) -> Any:  # noqa: N802 - LangChain's name
        """What it takes."""
        if self.prompt is not None:
            return dict[str, Any]
        return StringPromptValue | ChatPromptValueConcrete | list[AnyMessage] | str

    @property
    def OutputType(self) -> Any:  # noqa: N802 - LangChain's name
        """What it gives."""
        return dict[str, Any]

    def get_input_schema(self, config: RunnableConfig | None = None) -> TypeBaseModel:
        """The schema of what it takes: with a bound prompt, of its variables; in Python it checks nothing itself."""
        if self._template is not None:
            return self._template.get_input_schema(config)
        described = Annotated[Any, ValueInput(self.InputType | AdapterRunnableState)]
        return create_model_v2(self.get_name("Input"), root=described, module_name=__name__)

    @classmethod
    def is_lc_serializable(cls) -> bool:
        """It can be dumped and loaded."""
        return True

    def to_json(self) -> SerializedConstructor | SerializedNotImplemented:
        """What ``dumpd`` keeps: the prompt as plain data, without loss; nothing where it chooses its examples."""
        few_shot = None if self.prompt is None else self.prompt.few_shot
        if few_shot is not None and few_shot.selector is not None:
            return SerializedNotImplemented(lc=1, type="not_implemented", id=self.lc_id(), repr=repr(self))
        dumped = super().to_json()
        if "kwargs" in dumped and self.prompt is not None:
            dumped["kwargs"]["prompt"] = self.prompt.to_json()  # type: ignore[typeddict-item]  # checked by the line above
        return dumped

    def __hash__(self) -> int:
        return hash((type(self), self.style, self.model, self.prompt))

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> dict[str, Any]:  # noqa: A002 - LangChain's name
        """The request for an input.

        Args:
            input: What the class describes.
            config: LangChain's configuration.
            kwargs: Nothing; here for LangChain.

        Raises:
            TypeError: The input is nothing of this kind.
            PromptAdapterError: The provider cannot take it, or a variable is missing.
        """
        # Traces get media once, in the request; the input is shown to them in short form.
        return self._call_with_config(called_with(self._request, input), shortened(input), config, **kwargs)

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> dict[str, Any]:  # noqa: A002 - LangChain's name
        """`invoke` that does not block the event loop."""
        return await self._acall_with_config(awaited_with(self._arequest, input), shortened(input), config, **kwargs)

    def _request(self, value: Any) -> dict[str, Any]:
        source, values = self._read(value)
        return self._adapter.build_request(source, values)

    async def _arequest(self, value: Any) -> dict[str, Any]:
        source, values = await self._aread(value)
        return await self._adapter.abuild_request(source, values)

    async def _aread(self, value: Any) -> tuple[Any, dict[str, Any]]:
        """`_read`, with examples that are chosen without blocking."""
        if self._template is None or self.prompt is None:
            return self._read(value)
        values = await self._template.avalues_from(value)
        return await with_examples(self.prompt, values), values

    def _read(self, value: Any) -> tuple[Any, dict[str, Any]]:
        """What the adapter makes a request of: a prompt or messages, and values."""
        if self._template is not None:
            return self.prompt, self._template.values_from(value)
        value = fields_of(value) or value
        if isinstance(value, Mapping) and "role" not in value and is_state(value):
            value = value["messages"]
        match value:
            case Prompt():
                return value, {}
            case AdapterPromptValue():
                return value.prompt, {}
            case PromptValue():
                return read_messages(readable(value.to_messages()), reasoning="drop"), {}
            case str():
                return (Message("user", value),), {}
            case BaseMessage():
                return read_messages(readable([value]), reasoning="drop"), {}
            case Message():
                return (value,), {}
            case Mapping() if "role" in value or isinstance(readable(value), BaseMessage):
                return read_messages(readable(value), reasoning="drop"), {}
            case list() | tuple():
                return read_messages(readable(value), reasoning="drop"), {}
        raise TypeError(f"AdapterRunnable takes {_TAKES}, not {type(value).__name__}{_hint(value)}")


def _hint(value: object) -> str:
    if not isinstance(value, Mapping):
        return ""
    if isinstance(value.get("messages"), list | tuple):
        return f" with {', '.join(map(repr, others(value)))} beside its messages; give the messages alone"
    return "; bind the prompt with prompt="


def _adapter_of(
    style: str | None, model: str | None, prompt: Prompt | None, options: Mapping[str, Any]
) -> MessageAdapter:
    options = {"extra": "ignore", **options}
    if style is None:
        model = model or (None if prompt is None else prompt.model)
        if model is None:
            raise TypeError(
                "say what the requests are for: AdapterRunnable('openai_style') or AdapterRunnable(model=...)"
            )
        return adapter_for(model, **options)
    if names_model(style):
        raise UnknownAdapterError(style, [f"AdapterRunnable(model={style!r})"])
    return shaped(style, model, options)
