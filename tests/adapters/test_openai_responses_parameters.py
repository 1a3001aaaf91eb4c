"""Parameters of OpenAI's Responses API: their names there, who wins, and what has no place."""

from __future__ import annotations

from typing import Any

import pytest

from official import built_responses as built
from prompt_adapters.adapters import adapter_for
from prompt_adapters.content.message import Message
from prompt_adapters.errors import PromptFormatError, UnsupportedContentError
from prompt_adapters.prompt import Prompt

MODEL = "openai/responses/gpt-5.6"
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}
JSON_SCHEMA = {"name": "n", "schema": SCHEMA, "strict": True}
TEXT_FORMAT = {"type": "json_schema", "name": "n", "schema": SCHEMA, "strict": True}
PARAMETERS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "shared",
        {"temperature": 0.5, "top_p": 1, "max_tokens": 9},
        {"temperature": 0.5, "top_p": 1, "max_output_tokens": 9},
    ),
    (
        "own",
        {"max_output_tokens": 9, "reasoning": {"effort": "low"}, "store": False},
        {"max_output_tokens": 9, "reasoning": {"effort": "low"}, "store": False},
    ),
    (
        "schema",
        {"response_format": {"type": "json_schema", "json_schema": JSON_SCHEMA}},
        {"text": {"format": TEXT_FORMAT}},
    ),
    (
        "json and verbosity",
        {"response_format": {"type": "json_object"}, "text": {"verbosity": "low"}},
        {"text": {"format": {"type": "json_object"}, "verbosity": "low"}},
    ),
    ("text", {"text": {"format": {"type": "text"}}}, {"text": {"format": {"type": "text"}}}),
    ("none", {"temperature": None}, {}),
]


@pytest.mark.parametrize(("parameters", "fields"), [row[1:] for row in PARAMETERS], ids=[row[0] for row in PARAMETERS])
def test_parameters_take_their_names_here(parameters: dict[str, Any], fields: dict[str, Any]) -> None:
    body = built(adapter_for(MODEL, parameters=parameters), Message("user", "q"))
    assert body == {"model": "gpt-5.6", "input": [{"role": "user", "content": "q"}]} | fields


def test_an_adapter_s_parameters_win_field_by_field() -> None:
    prompt = Prompt(user="q", parameters={"text": {"verbosity": "low"}, "response_format": {"type": "json_object"}})
    adapter = adapter_for(MODEL, parameters={"text": {"verbosity": "high"}})
    assert built(adapter, prompt)["text"] == {"verbosity": "high", "format": {"type": "json_object"}}


def test_more_fields_go_through_extra_body() -> None:
    adapter = adapter_for(MODEL, parameters={"extra_body": {"new": 1}})
    assert adapter.build_request(Message("user", "q"))["extra_body"] == {"new": 1}
    assert adapter.build_body(Message("user", "q"))["new"] == 1


@pytest.mark.parametrize(
    "parameters",
    [
        {"stop": "x"},
        {"seed": 1},
        {"top_k": 1},
        {"n": 2},
        {"presence_penalty": 1},
        {"frequency_penalty": 1},
        {"instructions": "x"},
        {"input": "x"},
        {"text": {"colour": "red"}},
        {"response_format": {"type": "json_schema", "json_schema": {"schema": SCHEMA}}},
    ],
    ids=str,
)
def test_a_parameter_without_a_place_is_refused_or_dropped(parameters: dict[str, Any]) -> None:
    with pytest.raises(UnsupportedContentError) as caught:
        adapter_for(MODEL, parameters=parameters).build_request(Message("user", "q"))
    assert caught.value.part == f"parameter {next(iter(parameters))!r}"
    dropping = adapter_for(MODEL, parameters=parameters, unknown_parameters="drop")
    assert built(dropping, Message("user", "q")).keys() == {"model", "input"}


def test_a_parameter_given_twice_is_an_error() -> None:
    twice = {"text": {"format": {"type": "text"}}, "response_format": {"type": "text"}}
    with pytest.raises(PromptFormatError):
        adapter_for(MODEL, parameters=twice).build_request(Message("user", "q"))
