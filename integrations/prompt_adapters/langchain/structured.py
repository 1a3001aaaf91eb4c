"""A prompt that says in which form the model shall answer, as LangChain's ``StructuredPrompt``."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Self

from langchain_core.utils.function_calling import convert_to_json_schema

from prompt_adapters.langchain.template import AdapterPromptTemplate
from prompt_adapters.turn_content import response_format


class StructuredAdapterPromptTemplate(AdapterPromptTemplate):
    """An `AdapterPromptTemplate` whose answer has a form: piped into a chat model, it asks for that form.

    A provider's own request asks for it by the prompt's parameter ``response_format``. What `for_model` makes of it
    asks for it as well.

    Attributes:
        schema_: The form: a JSON schema, or a pydantic model or typed dictionary, of which answers are made.
    """

    schema_: dict[str, Any] | type

    @classmethod
    def of(cls, template: AdapterPromptTemplate, schema: dict[str, Any] | type, arguments: Mapping[str, Any]) -> Self:
        """The template with a form for its answer.

        Args:
            template: The template.
            schema: The form.
            arguments: More arguments for ``with_structured_output``.
        """
        form = convert_to_json_schema(schema)
        first, *rest = template.prompts
        asking = first.replace(parameters={"response_format": response_format(form), **first.parameters})
        state = {name: getattr(template, name) for name in AdapterPromptTemplate.model_fields}
        fields = {"prompts": (asking, *rest), "schema_": deepcopy(schema), "structured_output_kwargs": dict(arguments)}
        return cls(**{**state, **fields})
