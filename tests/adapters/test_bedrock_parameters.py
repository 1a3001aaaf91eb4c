"""Parameters of Bedrock's Converse: where they stand, which models have them, and who wins."""

from __future__ import annotations

from typing import Any

import pytest

from converse_model import built
from prompt_adapters.adapters import adapter_for
from prompt_adapters.content.message import Message
from prompt_adapters.errors import PromptFormatError, UnsupportedContentError
from prompt_adapters.prompt import Prompt

CLAUDE = "bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0"
NOVA = "bedrock/amazon.nova-lite-v1:0"
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}
FORMAT = {"type": "json_schema", "json_schema": {"name": "n", "schema": SCHEMA}}
TEXT_FORMAT = {
    "type": "json_schema",
    "structure": {"jsonSchema": {"schema": '{"type": "object", "properties": {"a": {"type": "string"}}}', "name": "n"}},
}
TOOLS = {"tools": [{"toolSpec": {"name": "look", "inputSchema": {"json": SCHEMA}}}]}
# Parameters, model, and the fields of the request.
PARAMETERS: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    (
        "shared",
        {"temperature": 0.5, "top_p": 1, "max_tokens": 9, "stop": "END"},
        NOVA,
        {"inferenceConfig": {"temperature": 0.5, "topP": 1, "maxTokens": 9, "stopSequences": ["END"]}},
    ),
    (
        "own words",
        {"maxTokens": 9, "topP": 0.5, "stopSequences": ["a", "b"]},
        NOVA,
        {"inferenceConfig": {"maxTokens": 9, "topP": 0.5, "stopSequences": ["a", "b"]}},
    ),
    (
        "own mapping",
        {"inferenceConfig": {"maxTokens": 9}, "temperature": 0},
        NOVA,
        {"inferenceConfig": {"maxTokens": 9, "temperature": 0}},
    ),
    ("top_k of Claude", {"top_k": 5}, CLAUDE, {"additionalModelRequestFields": {"top_k": 5}}),
    (
        "top_k of Nova",
        {"top_k": 5},
        NOVA,
        {"additionalModelRequestFields": {"inferenceConfig": {"topK": 5}}},
    ),
    (
        "top_k beside more",
        {"top_k": 5, "additionalModelRequestFields": {"thinking": {"type": "disabled"}}},
        CLAUDE,
        {"additionalModelRequestFields": {"thinking": {"type": "disabled"}, "top_k": 5}},
    ),
    ("schema", {"response_format": FORMAT}, CLAUDE, {"outputConfig": {"textFormat": TEXT_FORMAT}}),
    (
        "schema and effort",
        {"response_format": FORMAT, "outputConfig": {"effort": "low"}},
        CLAUDE,
        {"outputConfig": {"textFormat": TEXT_FORMAT, "effort": "low"}},
    ),
    ("text", {"response_format": {"type": "text"}}, CLAUDE, {}),
    ("tools", {"toolConfig": TOOLS}, CLAUDE, {"toolConfig": TOOLS}),
    ("none", {"temperature": None}, CLAUDE, {}),
]


@pytest.mark.parametrize(
    ("parameters", "model", "fields"), [row[1:] for row in PARAMETERS], ids=[row[0] for row in PARAMETERS]
)
def test_parameters_stand_where_converse_has_them(
    parameters: dict[str, Any], model: str, fields: dict[str, Any]
) -> None:
    request = built(adapter_for(model, parameters=parameters), Message("user", "q"))
    assert request.pop("modelId") == model.partition("/")[2]
    assert request == {"messages": [{"role": "user", "content": [{"text": "q"}]}]} | fields


def test_an_adapter_s_parameters_win_field_by_field() -> None:
    prompt = Prompt(user="q", parameters={"inferenceConfig": {"maxTokens": 1, "topP": 0.1}, "temperature": 0.1})
    adapter = adapter_for(CLAUDE, parameters={"temperature": 0.9, "inferenceConfig": {"maxTokens": 2}, "top_p": None})
    assert built(adapter, prompt)["inferenceConfig"] == {"maxTokens": 2, "temperature": 0.9}


# Parameters, model, and what the error says.
REFUSED_PARAMETERS: list[tuple[dict[str, Any], str, str]] = [
    ({"seed": 1}, CLAUDE, "no such parameter"),
    ({"presence_penalty": 1}, CLAUDE, "no such parameter"),
    ({"n": 2}, CLAUDE, "no such parameter"),
    ({"top_k": 1}, "bedrock/meta.llama3-1-70b-instruct-v1:0", "no such parameter"),
    ({"temperature": 1.5}, CLAUDE, "from 0 to 1"),
    ({"temperature": 1}, "bedrock/anthropic.claude-opus-5", "no sampling parameters"),
    ({"response_format": {"type": "json_object"}}, CLAUDE, "no JSON without a schema"),
    ({"inferenceConfig": {"topK": 1}}, CLAUDE, "no field 'topK'"),
    ({"inferenceConfig": 1}, CLAUDE, "a mapping"),
    ({"inferenceConfig.maxTokens": 1}, CLAUDE, "no such parameter"),
]


@pytest.mark.parametrize(("parameters", "model", "reason"), REFUSED_PARAMETERS, ids=lambda value: str(value)[:40])
def test_a_parameter_without_a_place_is_refused_or_dropped(parameters: dict[str, Any], model: str, reason: str) -> None:
    with pytest.raises(UnsupportedContentError) as caught:
        adapter_for(model, parameters=parameters).build_request(Message("user", "q"))
    assert reason in caught.value.reason
    assert caught.value.part == f"parameter {next(iter(parameters))!r}"
    dropping = adapter_for(model, parameters=parameters, unknown_parameters="drop")
    assert built(dropping, Message("user", "q")).keys() == {"modelId", "messages"}
    assert len(dropping.prepare(Message("user", "q")).notes) == 1


@pytest.mark.parametrize(
    "parameters",
    [
        {"max_tokens": 1, "maxTokens": 2},
        {"temperature": 1, "inferenceConfig": {"temperature": 0}},
        {"top_k": 1, "additionalModelRequestFields": {"top_k": 2}},
    ],
    ids=str,
)
def test_a_parameter_given_twice_is_an_error(parameters: dict[str, Any]) -> None:
    with pytest.raises(PromptFormatError):
        adapter_for(CLAUDE, parameters=parameters).build_request(Message("user", "q"))
