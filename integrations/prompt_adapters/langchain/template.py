"""`AdapterPromptTemplate`: a prompt as LangChain's chat prompt template, usable wherever LangChain takes one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any, NoReturn, Self, cast

from langchain_core.load.serializable import SerializedConstructor, SerializedNotImplemented
from langchain_core.messages import BaseMessage
from langchain_core.prompts.chat import BaseChatPromptTemplate
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.runnables.base import coerce_to_runnable
from langchain_core.utils.function_calling import convert_to_json_schema
from pydantic import Field

from prompt_adapters.adapters import MessageAdapter
from prompt_adapters.content.message import Message
from prompt_adapters.errors import PromptFormatError, UnknownModelError
from prompt_adapters.langchain.base import DERIVED, PromptTemplateBase
from prompt_adapters.langchain.chosen import with_examples
from prompt_adapters.langchain.compose import Composition, Settings, joined
from prompt_adapters.langchain.doubled import check_doubled_braces
from prompt_adapters.langchain.entries import is_made, read_composition
from prompt_adapters.langchain.inputs import all_variables
from prompt_adapters.langchain.messages import langchain_messages
from prompt_adapters.langchain.prompt_value import AdapterPromptValue
from prompt_adapters.prompt import Prompt
from prompt_adapters.targets import route
from prompt_adapters.variables import check_values, merge_values

if TYPE_CHECKING:
    from prompt_adapters.langchain.chat_models import Target
    from prompt_adapters.langchain.styles import StylePromptTemplate

_ROLES = frozenset({"system", "developer", "user", "human", "assistant", "ai", "placeholder"})


class AdapterPromptTemplate(PromptTemplateBase, BaseChatPromptTemplate):
    """A prompt that behaves as LangChain's own chat prompts do, and is immutable.

    Make one with `from_prompt`, `from_path`, `from_messages` or `from_template`; called with a list of messages, the
    class does what `from_messages` does, as LangChain's. Values may be text, media parts, lists of parts and, for a
    history, messages in any form. Keys that the prompt has no variable for are ignored.

    Piped into a chat model that `chat_models` knows, it gives messages in the dialect of that model's package, fitted
    to what the model takes, as `for_model` does; by itself it gives the form that most packages take. The same holds
    for ``{…} | template | model``; after a Runnable, as in ``RunnablePassthrough.assign(…) | template | model``, nobody
    tells it: write ``… | (template | model)``, or ``template.for_model(model)``.

    `prompt_adapters.langchain.load` reads what ``dumpd`` and ``dumps`` give. LangChain's own ``load`` needs
    ``allowed_objects=[AdapterPromptTemplate]`` and ``valid_namespaces=["prompt_adapters"]``, and in the list every
    other class that is in the dump, as those of messages among partial variables. Functions among these cannot be
    loaded.

    Attributes:
        prompts: The prompts whose messages follow one another: one, unless several were put together.
        schema_: The form that an answer shall have, for which a chat model is asked; see `structured`. None for any.
        structured_output_kwargs: More arguments for ``with_structured_output``.

    Raises:
        MissingVariableError: (a ``KeyError``) Rendering lacks a required variable.
    """

    schema_: dict[str, Any] | type | None = None
    structured_output_kwargs: dict[str, Any] = Field(default_factory=dict)

    # Ways to make one

    def __init__(self, *args: Any, **fields: Any) -> None:
        super().__init__(*args, **fields)

    @classmethod
    def from_path(
        cls,
        path: str | os.PathLike[str],
        *,
        format: str | None = None,  # noqa: A002 - the name that load_prompt has for it
        syntax: str | None = None,
        includes: str | os.PathLike[str] | None = None,
        **fields: Any,
    ) -> Self:
        """The template of a prompt that is kept in a file or directory.

        Args:
            path: Where it is.
            format: The file format, where the content does not tell it.
            syntax: How placeholders are written, where the format does not say it.
            includes: The folder from which Jinja templates may include and import.
            fields: Fields of LangChain's templates.

        Raises:
            PromptFormatError: (a ``ValueError``) There is no such file, or no prompt in it.
        """
        from prompt_adapters.formats import load_prompt

        return cls.from_prompt(load_prompt(path, format=format, syntax=syntax, includes=includes), **fields)

    @classmethod
    def from_messages(cls, messages: Iterable[Any], template_format: str = "f-string", **fields: Any) -> Self:
        """The template of a list of messages, in any form that ``ChatPromptTemplate`` takes.

        Args:
            messages: ``(role, template)`` pairs, templates, messages (literal), placeholders.
            template_format: ``"f-string"``, ``"jinja2"``, ``"mustache"``, or one of this package's syntaxes.
            fields: Fields of LangChain's templates.

        Raises:
            PromptFormatError: (a ``ValueError``) Something is no message; it is named.
            TemplateError: (a ``ValueError``) A template cannot be compiled, or all of its slots are written as those of
                another format, as ``{{ name }}`` in f-string texts.
        """
        fields.pop("validate_template", None)
        cls._check_fields(fields)
        return cls(**cls._read_messages(messages, template_format, fields))

    @staticmethod
    def _read_messages(messages: Iterable[Any], template_format: str, fields: Mapping[str, Any]) -> dict[str, Any]:
        items = [*messages] if isinstance(messages, Iterable) and not isinstance(messages, str | Mapping) else messages
        read = read_composition(items, template_format)
        if not any(map(is_made, items)):
            check_doubled_braces(read.prompts)
        partial = {**read.partial, **(fields.get("partial_variables") or {})}
        return {**fields, "prompts": read.prompts, "partial_variables": partial}

    @classmethod
    def _as_fields(cls, args: tuple[Any, ...], fields: dict[str, Any]) -> dict[str, Any]:
        """The fields; messages may be given as to ``ChatPromptTemplate``, with their ``template_format``."""
        if len(args) == 1 and not {"messages", "prompts"} & fields.keys():
            (messages,), args = args, ()
            fields = {"messages": messages, **fields}
        fields.pop("validate_template", None)  # LangChain's switch for what is done here always
        if "messages" in fields:
            template_format, messages = fields.pop("template_format", "f-string"), fields.pop("messages")
            cls._check_fields(fields)
            fields = cls._read_messages(messages, template_format, fields)
        return super()._as_fields(args, fields)

    @classmethod
    def from_template(cls, template: str, template_format: str = "f-string", **fields: Any) -> Self:
        """The template of one user message; arguments as for `from_messages`."""
        if not isinstance(template, str):
            raise TypeError(f"a template is a text, not {type(template).__name__}; for messages there is from_messages")
        return cls.from_messages([template], template_format, **fields)

    # Its target

    def for_model(self, model: str | Runnable[Any, Any], **options: Any) -> StylePromptTemplate:
        """The same template for one model: fitted to what it takes, in the dialect of its LangChain package.

        Piping a template into a chat model does the same, wherever the model tells what it is.

        Args:
            model: A model string, as ``"anthropic/claude-opus-5"``, or a chat model of langchain-openai, -anthropic,
                -google-genai, -aws (Converse), -mistralai, -ollama or -litellm, bound arguments and all.
            options: The adapter's options, as ``parameters`` and ``on_limit``.

        Raises:
            UnknownModelError: (a ``KeyError``) The provider cannot be told.
            TypeError: There is no such option, or it is no model.
        """
        from prompt_adapters.langchain.chat_models import Target, target_of

        if isinstance(model, str):
            return self._aimed(Target(route(model).style, model), options)
        if not isinstance(model, Runnable):
            raise TypeError(f"for_model takes a model string or a chat model, not {type(model).__name__}")
        target = target_of(model)
        if target is None:
            raise UnknownModelError(type(model).__name__)
        return self._aimed(target, options)

    def _aimed(self, target: Target, options: Mapping[str, Any]) -> StylePromptTemplate:
        from prompt_adapters.langchain.styles import class_for

        names = AdapterPromptTemplate.model_fields.keys() - DERIVED
        state = {name: getattr(self, name) for name in names}
        options = {**self._options, **options}
        return class_for(target.style)(**state, model=target.model, options=options, lacks=target.lacks)

    def __or__(self, other: Any) -> Any:
        """A chain; a chat model that is known gets messages in its own dialect, fitted to what it takes."""
        other = self._asked(other)
        return super(AdapterPromptTemplate, self._speaking_to(other)).__or__(other)

    def pipe(self, *others: Any, name: str | None = None) -> Any:
        """A chain, as with ``|``."""
        if not others:
            return super().pipe(name=name)
        others = (self._asked(others[0]), *others[1:])
        return super(AdapterPromptTemplate, self._speaking_to(others[0])).pipe(*others, name=name)

    def __ror__(self, other: Any) -> Any:
        """A chain that begins with something else than a Runnable, as a dictionary of them."""
        from prompt_adapters.langchain.sequence import UnaimedSequence

        return UnaimedSequence(first=coerce_to_runnable(other), last=self)

    def _asked(self, runnable: Any) -> Any:
        """A chat model that is asked for the form of its answer, where there is one."""
        ask = None if self.schema_ is None else getattr(runnable, "with_structured_output", None)
        return ask(self.schema_, **self.structured_output_kwargs) if callable(ask) else runnable

    def _speaking_to(self, runnable: Any) -> AdapterPromptTemplate:
        from prompt_adapters.langchain.chat_models import targets_of
        from prompt_adapters.langchain.shared import for_several

        targets = targets_of(runnable)
        return self._aimed(targets.only, {}) if targets.only else for_several(self, targets)

    # What it is

    def to_json(self) -> SerializedConstructor | SerializedNotImplemented:
        """What ``dumpd`` keeps; of a form that is a pydantic model or typed dictionary its JSON schema."""
        dumped = super().to_json()
        if "kwargs" in dumped and isinstance(self.schema_, type):
            dumped["kwargs"]["schema_"] = convert_to_json_schema(self.schema_)  # type: ignore[typeddict-item]  # checked by the line above
        return dumped

    @property
    def OutputType(self) -> type[AdapterPromptValue]:  # noqa: N802 - LangChain's name
        """What it gives."""
        return AdapterPromptValue

    @property
    def _prompt_type(self) -> str:
        return "prompt_adapters"

    # What it makes

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> AdapterPromptValue:  # noqa: A002 - LangChain's name
        """The prompt value for an input.

        Args:
            input: The variables' values; where only one is required, its bare value will do.
            config: LangChain's configuration.
            kwargs: Nothing; here for LangChain.

        Raises:
            MissingVariableError: (a ``KeyError``) A required variable is missing, or None.
            TypeError: The input is no dictionary, and more than one variable is required.
        """
        return cast("AdapterPromptValue", super().invoke(input, config, **kwargs))

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> AdapterPromptValue:  # noqa: A002 - LangChain's name
        """`invoke`, for callers that await."""
        return cast("AdapterPromptValue", await super().ainvoke(input, config, **kwargs))

    def format_messages(self, /, **kwargs: Any) -> list[BaseMessage]:
        """The messages for these values, new ones each time."""
        return langchain_messages(self._rendered(kwargs), self._adapter)

    async def aformat_messages(self, /, **kwargs: Any) -> list[BaseMessage]:
        """`format_messages`, for callers that await."""
        return langchain_messages(await self._arendered(kwargs), self._adapter)

    def format_prompt(self, /, **kwargs: Any) -> AdapterPromptValue:
        """The prompt value for these values."""
        return self._value(self._rendered(kwargs))

    async def aformat_prompt(self, /, **kwargs: Any) -> AdapterPromptValue:
        """`format_prompt`, for callers that await."""
        return self._value(await self._arendered(kwargs))

    def format(self, /, **kwargs: Any) -> str:
        """The messages as text; media are named."""
        return self.format_prompt(**kwargs).to_string()

    async def aformat(self, /, **kwargs: Any) -> str:
        """`format`, for callers that await."""
        return (await self.aformat_prompt(**kwargs)).to_string()

    def _value(self, native: tuple[Message, ...]) -> AdapterPromptValue:
        return AdapterPromptValue.rendered(native, self._settings, self._adapter, self._options)

    @cached_property
    def _settings(self) -> Settings:
        return Settings.of(self.prompts)

    @property
    def _adapter(self) -> MessageAdapter | None:
        """The adapter of the target, in templates that have a fixed one."""
        return None

    @property
    def _options(self) -> Mapping[str, Any]:
        return {}

    def render(self, values: Mapping[str, Any] | None = None, /, **more: Any) -> tuple[Message, ...]:
        """The messages as this package has them, for these values; errors as for `invoke`."""
        return self._rendered(merge_values(values, more))

    def _rendered(self, given: Mapping[str, Any]) -> tuple[Message, ...]:
        return self._native(self.prompts, self.values_from(given))

    async def _arendered(self, given: Mapping[str, Any]) -> tuple[Message, ...]:
        values = await self.avalues_from(given)
        return self._native([await with_examples(prompt, values) for prompt in self.prompts], values)

    def _native(self, prompts: Sequence[Prompt], values: Mapping[str, Any]) -> tuple[Message, ...]:
        if len(prompts) == 1:
            return prompts[0].render_messages(values, extra="ignore")
        check_values(all_variables(prompts), values, "ignore")
        messages: list[Message] = []
        before = 0
        for prompt in prompts:
            messages += prompt.render_messages(values, extra="ignore", before=before)
            before += len(prompt.messages)
        return tuple(messages)

    # Composition

    def append(self, message: Any) -> NoReturn:
        """Nothing: a template is immutable.

        Raises:
            PromptFormatError: (a ``ValueError``) Always; it names the way.
        """
        self.extend([message])

    def extend(self, messages: Iterable[Any]) -> NoReturn:  # noqa: ARG002 - LangChain's signature
        """Nothing, like `append`."""
        raise PromptFormatError(None, None, "a template is immutable; write template = template + [message]")

    def __add__(self, other: Any) -> Self:
        return self._with(self._read(), self._operand(other))

    def __radd__(self, other: Any) -> Self:
        return self._with(self._operand(other), self._read())

    def _with(self, first: Composition, second: Composition) -> Self:
        whole = first.followed_by(second)
        return self._changed(prompts=whole.prompts, partial_variables=whole.partial)

    def _read(self) -> Composition:
        return Composition(self.prompts, dict(self.partial_variables))

    def _operand(self, other: Any) -> Composition:
        """What stands on the other side of ``+``; plain texts are templates in this template's own syntax."""
        pair = isinstance(other, tuple) and len(other) == 2 and isinstance(other[0], str) and other[0] in _ROLES
        listed = isinstance(other, list | tuple) and not pair
        return read_composition(other if listed else [other], self.prompts[-1].syntax)

    def __len__(self) -> int:
        return sum(len(prompt.messages) for prompt in self.prompts)

    def __getitem__(self, index: slice) -> Self:
        """Some of the messages, as a template of its own.

        Raises:
            PromptFormatError: (a ``ValueError``) The prompt has examples, which belong to it as a whole, or nothing
                is left.
        """
        if not isinstance(index, slice):
            raise TypeError(f"a template is sliced, as template[0:1], not indexed by {type(index).__name__}")
        if any(prompt.few_shot for prompt in self.prompts):
            raise PromptFormatError(
                None, None, "a prompt with few-shot examples cannot be sliced; they belong to it as a whole"
            )
        entries = [(prompt, entry) for prompt in self.prompts for entry in prompt.messages]
        if not entries[index]:
            raise PromptFormatError(
                None, None, f"nothing is left of {len(entries)} messages; a prompt needs at least one"
            )
        by_prompt = groupby(entries[index], lambda pair: id(pair[0]))
        left = [[*pairs] for _, pairs in by_prompt]
        return self._changed(
            prompts=joined(pairs[0][0].replace(messages=[entry for _, entry in pairs]) for pairs in left)
        )
