"""Where OpenAI's Responses API has the parameters of a call."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from prompt_adapters.adapters.nested_parameters import fields_of, path
from prompt_adapters.adapters.parameters import Table, Translation, json_schema_of, names

_FORMAT = path("text", "format")


def _response_format(value: Any) -> Mapping[str, Any]:
    """The `response_format` of chat completions, whose schema stands one level higher here.

    https://developers.openai.com/api/docs/guides/structured-outputs
    """
    schema = json_schema_of(value)
    if schema is None:
        return {_FORMAT: {"type": value["type"]}}
    given = value["json_schema"]
    if not given.get("name"):
        raise ValueError("a json_schema needs a name, as {'name': 'answer', 'schema': …}")
    more = {key: given[key] for key in ("description", "strict") if given.get(key) is not None}
    return {_FORMAT: {"type": "json_schema", "name": given["name"], "schema": schema} | more}


# https://platform.openai.com/docs/api-reference/responses/create
RESPONSES_TABLE = Table(
    shared=MappingProxyType(
        {
            "temperature": "temperature",
            "top_p": "top_p",
            "max_tokens": "max_output_tokens",
            "response_format": Translation((_FORMAT,), _response_format),
            "text": fields_of("text", ("format", "verbosity")),
        }
    ),
    own=names(
        "access_programs background background_options context_management conversation extra_body image include "
        "max_output_tokens max_tool_calls metadata moderation parallel_tool_calls previous_response_id prompt "
        "prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store "
        "stream stream_options temperature tool_choice tools top_logprobs top_p truncation user"
    ),
    source="https://platform.openai.com/docs/api-reference/responses/create",
)
