"""A prompt that says in which form the model shall answer, as LangChain's ``StructuredPrompt``."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Self

from langchain_core.load.serializable import SerializedConstructor, SerializedNotImplemented
from langchain_core.utils.function_calling import convert_to_json_schema
from pydantic import Field

from prompt_adapters.langchain.template import AdapterPromptTemplate


class StructuredAdapterPromptTemplate(AdapterPromptTemplate):
    """An `AdapterPromptTemplate` whose answer has a form: piped into a chat model, it asks for that form.

    A provider's own request asks for it by the prompt's parameter ``response_format``.

    Attributes:
        schema_: The form: a JSON schema, or a pydantic model or typed dictionary, of which answers are made.
        structured_output_kwargs: More arguments for ``with_structured_output``.
    """

    schema_: dict[str, Any] | type
    structured_output_kwargs: dict[str, Any] = Field(default_factory=dict)

    @classmethod
    def of(cls, template: AdapterPromptTemplate, schema: dict[str, Any] | type, arguments: Mapping[str, Any]) -> Self:
        """The template with a form for its answer.

        Args:
            template: The template.
            schema: The form.
            arguments: More arguments for ``with_structured_output``.
        """
        form = convert_to_json_schema(schema)
        response = {"type": "json_schema", "json_schema": {"name": form.get("title", "answer"), "schema": form}}
        first, *rest = template.prompts
        asking = first.replace(parameters={"response_format": response, **first.parameters})
        state = {name: getattr(template, name) for name in AdapterPromptTemplate.model_fields}
        fields = {"prompts": (asking, *rest), "schema_": deepcopy(schema), "structured_output_kwargs": dict(arguments)}
        return cls(**{**state, **fields})

    def to_json(self) -> SerializedConstructor | SerializedNotImplemented:
        """What ``dumpd`` keeps; of a pydantic model or typed dictionary its JSON schema."""
        dumped = super().to_json()
        if "kwargs" in dumped and isinstance(self.schema_, type):
            dumped["kwargs"]["schema_"] = convert_to_json_schema(self.schema_)  # type: ignore[typeddict-item]  # checked by the line above
        return dumped

    def __or__(self, other: Any) -> Any:
        """A chain; a chat model is asked for the form."""
        return super().__or__(self._asked(other))

    def pipe(self, *others: Any, name: str | None = None) -> Any:
        """A chain, as with ``|``."""
        return super().pipe(*(self._asked(other) if n == 0 else other for n, other in enumerate(others)), name=name)

    def _asked(self, other: Any) -> Any:
        ask = getattr(other, "with_structured_output", None)
        return ask(self.schema_, **self.structured_output_kwargs) if callable(ask) else other
