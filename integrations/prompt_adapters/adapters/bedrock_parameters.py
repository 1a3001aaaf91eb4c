"""Where Bedrock's Converse has the parameters of a call."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from prompt_adapters.adapters.nested_parameters import fields_of, path
from prompt_adapters.adapters.parameters import Table, Translation, json_schema_of, names, schema_fields_lost, stop_list

_INFERENCE = "inferenceConfig"
_MORE = "additionalModelRequestFields"
_OUTPUT = "outputConfig"
_FIELDS = ("maxTokens", "temperature", "topP", "stopSequences")
# The models that name a vendor; an inference profile of one's own does not.
_CLAUDE = re.compile(r"(?:^|[./])anthropic\.")
_NOVA = re.compile(r"(?:^|[./])amazon\.nova-")


def _field(name: str) -> Translation:
    return Translation((path(_INFERENCE, name),), lambda value: {path(_INFERENCE, name): value})


def _share(name: str) -> Translation:
    """A number between 0 and 1: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InferenceConfiguration.html."""

    def convert(value: Any) -> Mapping[str, Any]:
        if isinstance(value, int | float) and not 0 <= value <= 1:
            raise ValueError(f"Bedrock takes a number from 0 to 1, not {value:g}")
        return {path(_INFERENCE, name): value}

    return Translation((path(_INFERENCE, name),), convert)


_LOST = schema_fields_lost("strict")


def _response_format(value: Any) -> Mapping[str, Any]:
    """OpenAI's response_format in Bedrock's words; the schema is a JSON text."""
    schema = json_schema_of(value)
    if schema is None:
        if value["type"] == "json_object":
            raise ValueError("it has no JSON without a schema; give a json_schema")
        return {}
    given = value["json_schema"]
    described = {key: given[key] for key in ("name", "description") if given.get(key)}
    structure = {"jsonSchema": {"schema": json.dumps(schema, ensure_ascii=False)} | described}
    return {path(_OUTPUT, "textFormat"): {"type": "json_schema", "structure": structure}}


_STOP = path(_INFERENCE, "stopSequences")
# https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
BEDROCK_TABLE = Table(
    shared=MappingProxyType(
        {
            "temperature": _share("temperature"),
            "top_p": _share("topP"),
            "topP": _share("topP"),
            "max_tokens": _field("maxTokens"),
            "maxTokens": _field("maxTokens"),
            "stop": stop_list(_STOP),
            "stopSequences": stop_list(_STOP),
            "response_format": Translation((path(_OUTPUT, "textFormat"),), _response_format, _LOST),
            _INFERENCE: fields_of(_INFERENCE, _FIELDS),
            _OUTPUT: fields_of(_OUTPUT, ("textFormat", "effort")),
        }
    ),
    own=names(
        "additionalModelRequestFields additionalModelResponseFieldPaths guardrailConfig performanceConfig "
        "projectIdentifier promptVariables requestMetadata serviceTier toolConfig"
    ),
    source="https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html",
)


def _with_top_k(place: str, convert: Any) -> Table:
    shared = dict(BEDROCK_TABLE.shared) | {"top_k": Translation((place,), lambda value: {place: convert(value)})}
    return BEDROCK_TABLE._replace(shared=MappingProxyType(shared))


# https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html
_CLAUDE_TABLE = _with_top_k(path(_MORE, "top_k"), lambda value: value)
# https://docs.aws.amazon.com/nova/latest/userguide/using-converse-api.html
_NOVA_TABLE = _with_top_k(path(_MORE, _INFERENCE), lambda value: {"topK": value})


@lru_cache(maxsize=256)
def table_for(model: str | None) -> Table:
    """The table of a model: only some document ``top_k``."""
    if model is None:
        return BEDROCK_TABLE
    if _CLAUDE.search(model):
        return _CLAUDE_TABLE
    return _NOVA_TABLE if _NOVA.search(model) else BEDROCK_TABLE
