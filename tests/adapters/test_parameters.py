"""Parameters under each provider's names, as a table."""

from __future__ import annotations

from typing import Any

import pytest

from prompt_adapters.adapters import PROMPT_ADAPTER_REGISTRY, adapter_for, get_adapter
from prompt_adapters.adapters.parameters import CALLED_ELSEWHERE, SHARED
from prompt_adapters.content.message import Message
from prompt_adapters.errors import PromptFormatError, UnsupportedContentError
from prompt_adapters.prompt import Prompt

HI = Message("user", "Hi")
SCHEMA = {"type": "object", "properties": {"a_b": {"type": "string"}}, "required": ["a_b"]}
JSON_SCHEMA = {"type": "json_schema", "json_schema": {"name": "x", "schema": SCHEMA}}


def sent(adapter: Any, form: str) -> dict[str, Any]:
    """The parameters in a request or body, without model and messages."""
    made = getattr(adapter, f"build_{form}")(HI)
    return {name: value for name, value in made.items() if name not in ("model", "messages", "contents")}


# model or style, given, in the request, in the body
TABLE: list[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any] | None]] = [
    ("openai_style", {"temperature": 0.2, "top_p": 0.5}, {"temperature": 0.2, "top_p": 0.5}, None),
    ("openai_style", {"max_tokens": 9}, {"max_completion_tokens": 9}, None),
    ("openai_style", {"max_completion_tokens": 9}, {"max_completion_tokens": 9}, None),
    ("gpt-4o", {"max_tokens": 9}, {"max_completion_tokens": 9}, None),
    ("azure/mine", {"max_tokens": 9}, {"max_completion_tokens": 9}, None),
    ("groq/llama-3.3-70b-versatile", {"max_tokens": 9}, {"max_tokens": 9}, None),
    (
        "hosted_vllm/m",
        {"top_k": 4, "min_p": 0.1},
        {"extra_body": {"top_k": 4, "min_p": 0.1}},
        {"top_k": 4, "min_p": 0.1},
    ),
    (
        "openrouter/x/y",
        {"top_k": 4, "extra_body": {"plugins": []}},
        {"extra_body": {"top_k": 4, "plugins": []}},
        {"top_k": 4, "plugins": []},
    ),
    ("gpt-4o", {"stop": "X", "seed": 1, "n": 2}, {"stop": "X", "seed": 1, "n": 2}, None),
    (
        "gpt-4o",
        {"stop": ["X", "Y"], "response_format": JSON_SCHEMA},
        {"stop": ["X", "Y"], "response_format": JSON_SCHEMA},
        None,
    ),
    ("gpt-4o", {"presence_penalty": 1, "frequency_penalty": 2}, {"presence_penalty": 1, "frequency_penalty": 2}, None),
    (
        "gpt-4o",
        {"reasoning_effort": "low", "tools": [{"a": 1}]},
        {"reasoning_effort": "low", "tools": [{"a": 1}]},
        None,
    ),
    (
        "anthropic_style",
        {"temperature": 0.2, "top_p": 0.5, "top_k": 3, "max_tokens": 9},
        {"max_tokens": 9, "extra_body": {"temperature": 0.2, "top_p": 0.5, "top_k": 3}},
        {"max_tokens": 9, "temperature": 0.2, "top_p": 0.5, "top_k": 3},
    ),
    ("anthropic_style", {"stop": "X"}, {"stop_sequences": ["X"]}, None),
    ("anthropic_style", {"stop": ("X", "Y")}, {"stop_sequences": ["X", "Y"]}, None),
    (
        "anthropic_style",
        {"response_format": JSON_SCHEMA},
        {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}},
        None,
    ),
    ("anthropic_style", {"response_format": {"type": "text"}}, {}, None),
    ("anthropic_style", {"thinking": {"type": "adaptive"}}, {"thinking": {"type": "adaptive"}}, None),
    (
        "anthropic_style",
        {"extra_body": {"x": 1}, "top_k": 2},
        {"extra_body": {"top_k": 2, "x": 1}},
        {"top_k": 2, "x": 1},
    ),
    (
        "google_style",
        {"temperature": 0.2, "top_p": 0.5, "top_k": 3, "max_tokens": 9, "stop": "X", "seed": 1, "n": 2},
        {
            "config": {
                "temperature": 0.2,
                "top_p": 0.5,
                "top_k": 3,
                "max_output_tokens": 9,
                "stop_sequences": ["X"],
                "seed": 1,
                "candidate_count": 2,
            }
        },
        {
            "generationConfig": {
                "temperature": 0.2,
                "topP": 0.5,
                "topK": 3,
                "maxOutputTokens": 9,
                "stopSequences": ["X"],
                "seed": 1,
                "candidateCount": 2,
            }
        },
    ),
    (
        "google_style",
        {"presence_penalty": 1, "frequency_penalty": 2},
        {"config": {"presence_penalty": 1, "frequency_penalty": 2}},
        {"generationConfig": {"presencePenalty": 1, "frequencyPenalty": 2}},
    ),
    (
        "google_style",
        {"response_format": JSON_SCHEMA},
        {"config": {"response_mime_type": "application/json", "response_json_schema": SCHEMA}},
        {"generationConfig": {"responseMimeType": "application/json", "responseJsonSchema": SCHEMA}},
    ),
    (
        "google_style",
        {"response_format": {"type": "json_object"}},
        {"config": {"response_mime_type": "application/json"}},
        {"generationConfig": {"responseMimeType": "application/json"}},
    ),
    (
        "google_style",
        {"maxOutputTokens": 9, "thinking_config": {"thinking_budget": 0}},
        {"config": {"max_output_tokens": 9, "thinking_config": {"thinking_budget": 0}}},
        {"generationConfig": {"maxOutputTokens": 9, "thinkingConfig": {"thinkingBudget": 0}}},
    ),
    (
        "google_style",
        {"response_schema": SCHEMA, "labels": {"my_team": "x_y"}, "safety_settings": [{"category": "a_b"}]},
        {"config": {"response_schema": SCHEMA, "labels": {"my_team": "x_y"}, "safety_settings": [{"category": "a_b"}]}},
        {
            "generationConfig": {"responseSchema": SCHEMA},
            "labels": {"my_team": "x_y"},
            "safetySettings": [{"category": "a_b"}],
        },
    ),
]


@pytest.mark.parametrize(
    ("target", "given", "request_form", "body_form"), TABLE, ids=[f"{row[0]}: {', '.join(row[1])}" for row in TABLE]
)
def test_parameters_stand_under_the_provider_s_names(
    target: str, given: dict[str, Any], request_form: dict[str, Any], body_form: dict[str, Any] | None
) -> None:
    make = get_adapter if target.endswith("_style") else adapter_for
    adapter = make(target, parameters=given)
    assert sent(adapter, "request") == request_form
    assert sent(adapter, "body") == (request_form if body_form is None else body_form)


REFUSED = [
    ("openai_style", "top_k", 3, "it has no such parameter"),
    ("gpt-4o", "top_k", 3, "it has no such parameter"),
    ("anthropic_style", "seed", 1, "it has no such parameter"),
    ("anthropic_style", "presence_penalty", 1, "it has no such parameter"),
    ("anthropic_style", "frequency_penalty", 1, "it has no such parameter"),
    ("anthropic_style", "n", 2, "it has no such parameter"),
    ("anthropic_style", "response_format", {"type": "json_object"}, "no JSON without a schema"),
    ("google_style", "response_format", "json", "a response_format is"),
    ("claude-opus-5", "temperature", 1, "takes no sampling parameters"),
    ("claude-opus-5", "top_k", 1, "takes no sampling parameters"),
    ("openai_style", "max_output_tokens", 5, "it has no such parameter"),
    ("google_style", "messages", [], "it has no such parameter"),
    ("google_style", "extra_body", {}, "it has no such parameter"),
    ("openai_style", "temperature", "012", "it is a number, not the text '012'"),
    ("anthropic_style", "temperature", "1_000", "it is a number, not the text '1_000'"),
    ("gpt-4o", "presence_penalty", "0x1F", "it is a number, not the text '0x1F'"),
    ("google_style", "candidateCount", True, "it is a number, not True"),
    ("openai_style", "n", [2], "it is a number, not [2]"),
    ("mistral_style", "temperature", {"low": 1}, "it is a number, not {'low': 1}"),
    ("bedrock_style", "top_p", "1:30", "it is a number, not the text '1:30'"),
    ("cohere_style", "seed", ".inf", "it is a number, not the text '.inf'"),
    ("mistral_style", "random_seed", "no", "it is a number, not the text 'no'"),
    ("ollama_style", "temperature", "9" * 99, "it is a number, not the text '" + "9" * 40 + "'"),
]


@pytest.mark.parametrize(
    ("target", "name", "value", "reason"), REFUSED, ids=[f"{r[0]}: {r[1]}, {r[3][:20]}" for r in REFUSED]
)
def test_a_parameter_without_a_place_is_refused_by_name_or_left_out_with_a_note(
    target: str, name: str, value: Any, reason: str
) -> None:
    make = get_adapter if target.endswith("_style") else adapter_for
    parameters = {name: value, "max_tokens": 7}
    with pytest.raises(UnsupportedContentError) as caught:
        make(target, parameters=parameters).build_request(HI)
    assert (caught.value.part, caught.value.position) == (f"parameter {name!r}", "parameters")
    assert reason in caught.value.reason
    assert "unknown_parameters='drop'" in caught.value.remedy
    adapter = make(target, parameters=parameters, unknown_parameters="drop")
    assert any(note.position == "parameters" and repr(name) in note.text for note in adapter.prepare(HI).notes)
    assert f"{name!r}: " not in str(adapter.build_body(HI)).replace("'messages': [", "")
    assert "7" in str(adapter.build_body(HI))


def test_a_slip_is_recognised() -> None:
    with pytest.raises(UnsupportedContentError, match="did you mean 'temperature'"):
        get_adapter("openai_style", parameters={"temprature": 1}).build_request(HI)


def test_the_adapter_s_parameters_win_whatever_they_are_called() -> None:
    prompt = Prompt(user="Hi", parameters={"max_tokens": 1, "temperature": 0.1, "stop": "A"})
    adapter = get_adapter(
        "openai_style", parameters={"max_completion_tokens": 2, "temperature": 0.9}, unknown_parameters="refuse"
    )
    made = adapter.build_request(prompt)
    assert (made["max_completion_tokens"], made["temperature"], made["stop"]) == (2, 0.9, "A")


def test_what_stands_in_one_place_does_not_wipe_out_its_neighbour() -> None:
    prompt = Prompt(user="Hi", parameters={"response_format": JSON_SCHEMA})
    adapter = get_adapter("anthropic_style", parameters={"output_config": {"effort": "low"}})
    both = {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}, "effort": "low"}}
    assert sent_of(adapter.build_request(prompt)) == sent_of(adapter.build_body(prompt)) == both
    with pytest.raises(PromptFormatError, match="mean the same"):
        get_adapter(
            "anthropic_style", parameters={"output_config": {"format": {}}, "response_format": JSON_SCHEMA}
        ).build_request(HI)


def test_none_takes_a_parameter_back() -> None:
    prompt = Prompt(user="Hi", parameters={"max_tokens": 1, "response_format": JSON_SCHEMA, "seed": None})
    for style in ("openai_style", "google_style"):
        adapter = get_adapter(style, parameters={"max_tokens": None, "response_format": None})
        assert sent_of(adapter.build_request(prompt)) == {}


def sent_of(made: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in made.items() if name not in ("messages", "contents")}


def test_two_names_of_one_parameter_are_refused() -> None:
    adapter = get_adapter("openai_style", parameters={"max_tokens": 1, "max_completion_tokens": 2})
    with pytest.raises(PromptFormatError, match="'max_tokens' and 'max_completion_tokens' mean the same"):
        adapter.build_request(HI)


def test_results_share_nothing_with_the_prompt() -> None:
    prompt = Prompt(user="Hi", parameters={"stop": ["X"]})
    adapter = get_adapter("anthropic_style")
    adapter.build_request(prompt)["stop_sequences"].append("Y")
    assert adapter.build_request(prompt)["stop_sequences"] == ["X"]


@pytest.mark.parametrize("name", SHARED)
@pytest.mark.parametrize("style", ["openai_style", "anthropic_style", "google_style"])
def test_every_shared_name_has_a_place_or_is_refused_by_name(style: str, name: str) -> None:
    value = JSON_SCHEMA if name == "response_format" else 1
    adapter = get_adapter(style, parameters={name: "x" if name == "stop" else value})
    if not adapter.parameter_table().names_for(name):
        with pytest.raises(UnsupportedContentError, match=f"parameter '{name}'"):
            adapter.build_body(HI)
    else:
        assert sent_of(adapter.build_body(HI))


def test_anthropic_s_max_tokens_is_the_model_s_maximum_and_noted() -> None:
    adapter = adapter_for("claude-sonnet-4-5")
    made = adapter.build_request(HI)
    assert made["max_tokens"] == 64_000
    assert made["timeout"] == 600, "otherwise the official client asks for streaming"
    assert "timeout" not in adapter.build_body(HI)
    assert [note.text for note in adapter.prepare(HI).notes] == [
        "max_tokens is 64000, the maximum of claude-sonnet-4-5, since none was given",
        "timeout is 600, the client's default: for over 21333 max_tokens it wants one stated",
    ]
    short = adapter_for("claude-3-haiku-20240307")
    assert "timeout" not in short.build_request(HI), "so few tokens need none"
    assert len(short.prepare(HI).notes) == 1
    assert len(adapter_for("claude-sonnet-4-5", parameters={"stream": True}).prepare(HI).notes) == 1
    assert "max_tokens" not in get_adapter("anthropic_style").build_request(HI)
    assert get_adapter("anthropic_style").prepare(HI).notes == ()
    assert adapter_for("claude-sonnet-4-5", parameters={"max_tokens": 3}).build_request(HI)["max_tokens"] == 3
    assert "timeout" not in adapter_for("claude-sonnet-4-5", parameters={"max_tokens": 3}).build_request(HI)
    assert "timeout" not in adapter_for("claude-sonnet-4-5", parameters={"stream": True}).build_request(HI)


def test_a_maximum_that_is_not_known_is_left_to_the_caller() -> None:
    adapter = get_adapter("anthropic_style", model="my-claude")
    assert adapter.build_request(HI) == {"model": "my-claude", "messages": [{"role": "user", "content": "Hi"}]}
    assert "left to the caller" in str(adapter.prepare(HI).notes)


def test_a_prompt_s_maximum_counts() -> None:
    assert (
        adapter_for("claude-opus-5").build_request(Prompt(user="Hi", parameters={"max_tokens": 5}))["max_tokens"] == 5
    )


ELSEWHERE = [
    ("anthropic_style", "max_completion_tokens", "max_tokens"),
    ("google_style", "max_completion_tokens", "max_tokens"),
    ("bedrock_style", "max_output_tokens", "max_tokens"),
    ("openai_style", "max_output_tokens", "max_tokens"),
    ("openai_style", "stop_sequences", "stop"),
    ("openai_style", "candidateCount", "n"),
    ("openai_style", "topP", "top_p"),
    ("openai_responses_style", "max_completion_tokens", "max_tokens"),
    ("mistral_style", "stop_sequences", "stop"),
    ("mistral_style", "num_predict", "max_tokens"),
    ("cohere_style", "random_seed", "seed"),
    ("ollama_style", "maxOutputTokens", "max_tokens"),
]


@pytest.mark.parametrize(("style", "given", "neutral"), ELSEWHERE)
def test_another_provider_s_name_is_answered_with_the_shared_one(style: str, given: str, neutral: str) -> None:
    with pytest.raises(UnsupportedContentError) as caught:
        get_adapter(style, parameters={given: 1}).build_request(HI)
    assert caught.value.remedy.startswith(f"write {neutral!r}, which every adapter puts under its provider's name; or ")
    assert "'drop'" in caught.value.remedy
    assert get_adapter(style).parameter_table().names_for(neutral)


def test_a_shared_name_without_a_place_is_no_remedy() -> None:
    for style, given in (
        ("openai_style", "topK"),
        ("anthropic_style", "random_seed"),
        ("ollama_style", "candidateCount"),
    ):
        with pytest.raises(UnsupportedContentError) as caught:
            get_adapter(style, parameters={given: 1}).build_request(HI)
        assert caught.value.remedy.startswith("leave it out"), (style, given)


def test_every_provider_s_word_for_a_shared_parameter_is_known_elsewhere() -> None:
    for style in PROMPT_ADAPTER_REGISTRY:
        table = get_adapter(style).parameter_table()
        for shared in set(SHARED) - {"response_format"}:  # it is more than renamed
            for own in table.names_for(shared):
                word = own.rpartition(".")[2]
                assert word == shared or CALLED_ELSEWHERE.get(word) == shared, (style, own)


@pytest.mark.parametrize(
    ("style", "unsent"),
    [
        ("openai_style", ""),
        ("openai_responses_style", ""),
        ("mistral_style", ""),
        ("bedrock_style", "strict=True"),
        *((style, "name='v', description='d', strict=True") for style in ("anthropic_style", "google_style")),
        *((style, "name='v', description='d', strict=True") for style in ("cohere_style", "ollama_style")),
    ],
)
def test_what_is_not_sent_of_a_schema_is_noted(style: str, unsent: str) -> None:
    described = {"name": "v", "description": "d", "strict": True, "schema": {"type": "object"}}
    parameters = {"response_format": {"type": "json_schema", "json_schema": described}}
    notes = [str(note) for note in get_adapter(style, parameters=parameters).prepare(Message("user", "q")).notes]
    said = f"parameters: of 'response_format', {unsent} is not sent: there is no field for it"
    assert notes == ([said] if unsent else [])
