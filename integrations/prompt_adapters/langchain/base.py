"""What the chat template and the string template share: prompts, their variables, and being immutable."""

from __future__ import annotations

import hashlib
import os
from abc import ABC
from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, NoReturn, Self, cast

from langchain_core.load import dumpd
from langchain_core.load.serializable import SerializedConstructor, SerializedNotImplemented
from langchain_core.prompts.base import BasePromptTemplate
from langchain_core.runnables import RunnableConfig
from langchain_core.utils.pydantic import create_model_v2
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, WithJsonSchema, model_validator

from prompt_adapters.errors import PromptFormatError
from prompt_adapters.langchain.carried import history
from prompt_adapters.langchain.chosen import asettled, settled
from prompt_adapters.langchain.construct import OneLineErrors
from prompt_adapters.langchain.input_types import names_of_types, type_named, with_types
from prompt_adapters.langchain.inputs import AnyInput, Inputs
from prompt_adapters.langchain.partials import kept, revived
from prompt_adapters.langchain.pretty import pretty
from prompt_adapters.langchain.short import awaited_with, called_with, shortened
from prompt_adapters.langchain.state import fields_of
from prompt_adapters.prompt import Prompt

# Told from the prompts, and never kept from before.
DERIVED = frozenset({"input_variables", "optional_variables"})
# How people make a template.
_WAYS = ("from_prompt", "from_path", "from_messages", "from_template")
# What metadata say of the prompts themselves.
_IDENTITY = frozenset({"prompt_name", "prompt_version", "prompt_digest"})
# No part of what a template is: types hold functions, which are equal to nothing after a copy.
_NOT_COMPARED = DERIVED | {"input_types"}


def as_prompt(value: Any) -> Any:
    """A prompt from the plain data that a dump keeps; everything else is left to pydantic."""
    return Prompt.from_json(value) if isinstance(value, Mapping) else value


# A prompt as a field: a dump keeps its data, a log its short form.
PromptField = Annotated[
    Prompt,
    BeforeValidator(as_prompt),
    PlainSerializer(repr, when_used="json"),
    WithJsonSchema({"title": "Prompt", "type": "object", "description": "what Prompt.to_json() gives"}),
]


class PromptTemplateBase(OneLineErrors, BasePromptTemplate[str], ABC):
    """A template of one prompt, or of several whose messages follow one another; immutable.

    Attributes:
        prompts: The prompts: one, unless several were put together.
    """

    model_config = ConfigDict(frozen=True)

    prompts: tuple[PromptField, ...] = Field(min_length=1)
    input_variables: list[str] = Field(default_factory=list)

    def __init__(self, *args: Any, **fields: Any) -> None:
        fields = self._as_fields(args, fields)
        if not fields.get("prompts"):
            raise PromptFormatError(None, None, self._made_with())
        super().__init__(**fields)

    @classmethod
    def _as_fields(cls, args: tuple[Any, ...], fields: dict[str, Any]) -> dict[str, Any]:
        """The fields, from what the constructor was given."""
        if args:
            raise TypeError(cls._made_with())
        return fields

    @classmethod
    def _made_with(cls) -> str:
        return f"{cls.__name__} is made with one of {', '.join(name for name in _WAYS if hasattr(cls, name))}"

    @classmethod
    def from_prompt(cls, prompt: Prompt, **fields: Any) -> Self:
        """The template of a prompt.

        Args:
            prompt: The prompt.
            fields: Fields of LangChain's templates, as ``partial_variables``, ``tags`` and ``metadata``.

        Raises:
            TypeError: It is no prompt, or there is no such field.
        """
        if not isinstance(prompt, Prompt):
            raise TypeError(f"from_prompt takes a Prompt, not {type(prompt).__name__}; for a file there is load_prompt")
        return cls._of((prompt,), fields)

    @classmethod
    def _of(cls, prompts: tuple[Prompt, ...], fields: Mapping[str, Any]) -> Self:
        cls._check_fields(fields)
        return cls(prompts=prompts, **fields)

    @classmethod
    def _check_fields(cls, fields: Mapping[str, Any]) -> None:
        """Refuse a field that does not exist; LangChain itself would pass over a slip in silence."""
        if unknown := sorted(fields.keys() - cls.model_fields.keys()):
            known = ", ".join(sorted(cls.model_fields.keys() - _NOT_COMPARED - {"prompts"}))
            raise TypeError(f"{cls.__name__} has no field {unknown[0]!r}; its fields are {known}")

    @model_validator(mode="before")
    @classmethod
    def _derive(cls, given: Any) -> Any:
        if not isinstance(given, Mapping) or not given.get("prompts"):
            return given
        data = dict(given)
        prompts = tuple(as_prompt(prompt) for prompt in data["prompts"])
        mappings = [data.get(name) or {} for name in ("partial_variables", "input_types", "metadata")]
        if not all(isinstance(prompt, Prompt) for prompt in prompts) or not all(
            isinstance(m, Mapping) for m in mappings
        ):
            return given  # which pydantic refuses
        partial, types, metadata = map(dict, mappings)
        partial = {name: revived(value) for name, value in partial.items()}
        types = {name: type_named(value) for name, value in types.items()}
        prompts = with_types(prompts, types)
        inputs = Inputs.of(prompts, partial)
        derived: dict[str, Any] = {
            "prompts": prompts,
            "partial_variables": partial,
            "input_variables": inputs.required,
            "optional_variables": inputs.optional,
            "input_types": {**types, **inputs.types},
            "metadata": {**_without_identity(metadata), **_identity(prompts)},
        }
        return data | derived | cls._derived(prompts)

    @classmethod
    def _derived(cls, prompts: tuple[Prompt, ...]) -> dict[str, Any]:  # noqa: ARG003 - overrides read it
        """Fields of the class's own that are told from the prompts."""
        return {}

    def _changed(self, **fields: Any) -> Self:
        state = {name: getattr(self, name) for name in type(self).model_fields if name not in DERIVED}
        return type(self)(**(state | fields))

    # What it is

    @property
    def prompt(self) -> Prompt:
        """The prompt.

        Raises:
            PromptFormatError: (a ``ValueError``) Several were put together that do not make one prompt.
        """
        if len(self.prompts) > 1:
            raise PromptFormatError(
                None,
                None,
                f"this template is put together from {len(self.prompts)} prompts, which differ in syntax, examples or "
                "settings; take them from .prompts",
            )
        return self.prompts[0]

    @property
    def own_metadata(self) -> dict[str, Any]:
        """The metadata without what they say of the prompts themselves."""
        return _without_identity(self.metadata or {})

    @classmethod
    def get_lc_namespace(cls) -> list[str]:
        """Where the class is; the inherited namespace is one that can never be loaded."""
        return cls.__module__.split(".")

    def to_json(self) -> SerializedConstructor | SerializedNotImplemented:
        """What ``dumpd`` keeps: the prompts as plain data, without loss.

        Where examples are chosen for each rendering, nothing is kept, and `load` says so, as with LangChain's own
        few-shot templates.
        """
        if any(p.few_shot is not None and p.few_shot.selector is not None for p in self.prompts):
            return SerializedNotImplemented(lc=1, type="not_implemented", id=self.lc_id(), repr=repr(self))
        dumped = super().to_json()
        if "kwargs" in dumped:
            kwargs = dumped["kwargs"]  # type: ignore[typeddict-item]  # checked by the line above
            kwargs["prompts"] = [prompt.to_json() for prompt in self.prompts]
            if self.partial_variables:
                kwargs["partial_variables"] = {name: kept(value) for name, value in self.partial_variables.items()}
            if names := names_of_types(self.input_types):
                kwargs["input_types"] = names
        return dumped

    @cached_property
    def _serialized(self) -> dict[str, Any]:
        """What tracers are given with every call: like ``dumpd``, media in short form."""
        return cast("dict[str, Any]", shortened(dumpd(self)))

    def _call_with_config(
        self, func: Any, input_: Any, config: Any, run_type: Any = None, serialized: Any = None, **kwargs: Any
    ) -> Any:
        """LangChain's call, which shows the input to tracers: in short form, since the result holds the media."""
        shown = shortened(input_)
        return super()._call_with_config(called_with(func, input_), shown, config, run_type, serialized, **kwargs)

    async def _acall_with_config(
        self, func: Any, input_: Any, config: Any, run_type: Any = None, serialized: Any = None, **kwargs: Any
    ) -> Any:
        call, shown = awaited_with(func, input_), shortened(input_)
        return await super()._acall_with_config(call, shown, config, run_type, serialized, **kwargs)

    def __getstate__(self) -> dict[Any, Any]:
        state = super().__getstate__()
        fields = type(self).model_fields
        return state | {"__dict__": {name: value for name, value in state["__dict__"].items() if name in fields}}

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names = type(self).model_fields.keys() - _NOT_COMPARED
        return all(getattr(self, name) == getattr(other, name) for name in names)

    def __hash__(self) -> int:
        return hash((type(self), self.prompts))

    def pretty_repr(self, html: bool = False) -> str:
        """The templates for people, media in short form."""
        return pretty(self.prompts, html=html)

    def save(self, file_path: os.PathLike[str] | str) -> NoReturn:
        """Nothing: LangChain has given it up, and this package has a way of its own.

        Raises:
            PromptFormatError: (a ``ValueError``) Always; it names that way.
        """
        raise PromptFormatError(
            file_path if isinstance(file_path, str) else os.fspath(file_path),
            None,
            "LangChain has given save up; write save_prompt(template.prompt, path) and read it with from_path(path), "
            "or keep dumpd(template), which holds partial variables as well",
        )

    # Its variables

    def partial(self, /, **kwargs: Any) -> Self:
        """A template with some variables filled in; a function without arguments is called at each rendering."""
        return self._changed(partial_variables={**self.partial_variables, **kwargs})

    def values_from(self, given: Any) -> dict[str, Any]:
        """The variables' values for an input: partial ones filled in, and objects that describe media made parts.

        Answers that say nothing, as agents leave behind, are left out of histories.

        Args:
            given: A dictionary, a state with such fields, or the bare value of the only required variable.

        Raises:
            TypeError: It is neither.
            MissingVariableError: (a ``KeyError``) What examples are chosen by is missing.
            MediaError: An object describes no such medium.
        """
        return self._known(settled(self._with_partials(given), self._names))

    async def avalues_from(self, given: Any) -> dict[str, Any]:
        """`values_from`, for callers that await."""
        return self._known(await asettled(self._with_partials(given), self._names))

    def _with_partials(self, given: Any) -> dict[str, Any]:
        values = self._validate_input(given)
        for name, value in self.partial_variables.items():
            if name not in values:
                values[name] = value() if callable(value) else value
        return values

    def _known(self, values: dict[str, Any]) -> dict[str, Any]:
        for name, media in self._inputs.media.items():
            if name in values:
                values[name] = media.part(values[name])
        for name in self._inputs.histories:
            if name in values:
                values[name] = history(values[name], name)
        return values

    def get_input_schema(self, config: RunnableConfig | None = None) -> type[BaseModel]:  # noqa: ARG002 - LangChain's signature
        """The schema of the variables: in Python of any type that renders, as JSON described by what they hold."""
        types = self.input_types
        fields: dict[str, Any] = {name: (types.get(name, AnyInput), ...) for name in self.input_variables}
        fields |= {name: (types.get(name, AnyInput), None) for name in self.optional_variables}
        return create_model_v2("PromptInput", field_definitions=fields)

    @property
    def _names(self) -> list[str]:
        return [*self.input_variables, *self.optional_variables, *self.partial_variables]

    @cached_property
    def _inputs(self) -> Inputs:
        return Inputs.of(self.prompts, self.partial_variables)

    def _validate_input(self, inner_input: Any) -> dict[str, Any]:
        if isinstance(inner_input, Mapping):
            return {name: value for name, value in inner_input.items() if isinstance(name, str)}
        if (state := fields_of(inner_input)) is not None and set(self.input_variables) <= state.keys():
            return state
        if len(self.input_variables) == 1:
            return {self.input_variables[0]: inner_input}
        raise TypeError(
            f"{type(self).__name__} takes a dictionary with {', '.join(map(repr, self.input_variables)) or 'no keys'}, "
            f"not {type(inner_input).__name__}"
        )


def _without_identity(metadata: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in metadata.items() if key not in _IDENTITY}


def _identity(prompts: tuple[Prompt, ...]) -> dict[str, str]:
    """What traces say of the prompt: its name and version, and a digest of its content."""
    named = {"prompt_name": prompts[0].name, "prompt_version": prompts[0].version}
    digests = [prompt.digest for prompt in prompts]
    digest = digests[0] if len(digests) == 1 else hashlib.sha256("".join(digests).encode()).hexdigest()
    return {key: value for key, value in named.items() if value is not None} | {"prompt_digest": digest}
