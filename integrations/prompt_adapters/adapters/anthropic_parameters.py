"""Where Anthropic has the parameters of a call."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from prompt_adapters.adapters.nested_parameters import fields_of, path
from prompt_adapters.adapters.parameters import (
    SAMPLING,
    Table,
    Translation,
    json_schema_of,
    names,
    schema_fields_lost,
    stop_list,
)

_LOST = schema_fields_lost("name", "description", "strict")


def _response_format(value: Any) -> Mapping[str, Any]:
    """OpenAI's response_format in Anthropic's words."""
    schema = json_schema_of(value)
    if schema is None and value["type"] == "json_object":
        raise ValueError("it has no JSON without a schema; give a json_schema")
    return {} if schema is None else {_FORMAT: {"type": "json_schema", "schema": schema}}


_FORMAT = path("output_config", "format")


# https://platform.claude.com/docs/en/api/messages and, for output_config,
# https://platform.claude.com/docs/en/build-with-claude/structured-outputs
ANTHROPIC_TABLE = Table(
    shared=MappingProxyType(
        {name: name for name in ("temperature", "top_p", "top_k", "max_tokens")}
        | {
            "stop": stop_list("stop_sequences"),
            "output_config": fields_of("output_config", ("effort", "format")),
            "response_format": Translation((_FORMAT,), _response_format, _LOST),
        }
    ),
    own=names(
        "cache_control container diagnostics extra_body inference_geo max_tokens metadata service_tier "
        "speed stop_sequences stream thinking tool_choice tools"
    ),
    source="https://platform.claude.com/docs/en/api/messages",
)

# Keywords that the official client no longer has (anthropic 2.14); older ones take them this way, too.
IN_EXTRA_BODY = SAMPLING
# A keyword of the client that is no field of the wire.
TIMEOUT = "timeout"
# The most tokens for which the client expects an answer within ten minutes, at 128,000 an hour.
MOST_WITHOUT_TIMEOUT = 128_000 // 6
