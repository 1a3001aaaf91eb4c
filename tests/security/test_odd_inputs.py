"""What has the wrong type at an entry point is an error of the package that says so, and soon."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable
from typing import Any

import PIL.Image
import pytest

from prompt_adapters import Image, Prompt, get_adapter
from prompt_adapters.adapters import PROMPT_ADAPTER_REGISTRY
from prompt_adapters.errors import PromptAdapterError
from prompt_adapters.langchain import AdapterPromptTemplate, load

STYLES = sorted(key for key in PROMPT_ADAPTER_REGISTRY if PROMPT_ADAPTER_REGISTRY[key].__module__.startswith("prompt_"))
ODD: list[Any] = [None, 5, True, 1.5, b"x", [None], [5], [[]], [{}], {"a": 1}, {1: 2}, {"lc": 1}, object()]
DUMPS: list[Any] = [
    {"lc": 1, "type": "constructor", "id": found, "kwargs": kwargs}
    for found in (
        None,
        [],
        [["a"]],
        "x",
        ["langchain", "prompts", "prompt", "PromptTemplate"],
        ["prompt_adapters", "langchain", "template", "AdapterPromptTemplate"],
    )
    for kwargs in (None, [1], "x", {}, {"template": 5}, {"prompts": None}, {"prompts": [None]}, {"messages": {"a": 1}})
]


@pytest.mark.parametrize("data", [*ODD, *DUMPS], ids=lambda data: type(data).__name__)
def test_odd_dumps_are_refused_or_the_data_that_they_are(data: Any) -> None:
    loaded, said = data, ""
    try:
        loaded = load(data)
    except PromptAdapterError as error:
        said = str(error)
    assert loaded == data
    assert "\n" not in said


@pytest.mark.parametrize("syntax", ["f-string", "jinja2", "mustache"])
@pytest.mark.parametrize(
    "messages",
    [*[odd for odd in ODD if odd != [[]]], "x", [("user",)], [("user", None)], [(5, 5)], [("user", [{"type": 5}])]],
    ids=lambda messages: type(messages).__name__,
)
def test_odd_messages_are_refused(messages: Any, syntax: str) -> None:
    with pytest.raises(PromptAdapterError):
        AdapterPromptTemplate.from_messages(messages, syntax)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "parameters",
    [
        {"stop": 3},
        {"stop": [3]},
        {"extra_body": "ab"},
        {"extra_body": {1: 2}},
        {"extra_headers": 5},
        {"tools": 5},
        {"tools": [5]},
        {"tool_choice": 5},
        {"response_format": 5},
        {"temperature": {}},
        {"metadata": 5},
        {"generationConfig": {5: 1}},
    ],
    ids=str,
)
def test_parameters_of_the_wrong_type_are_refused_or_json(parameters: dict[str, Any], style: str) -> None:
    model = "gpt-4o" if style == "litellm_style" else None
    given = {"max_tokens": 9, **parameters}
    makes: list[Callable[[], Any]] = [
        lambda: get_adapter(style, model=model, parameters=given).build_body(Prompt(user="x")),
        lambda: get_adapter(style, model=model).build_request(Prompt(user="x", parameters=given)),
    ]
    for make in makes:
        try:
            said = json.dumps(make())
        except PromptAdapterError as error:
            said = str(error)
        assert "\n" not in said


@pytest.mark.parametrize("style", ["openai_style", "anthropic_style", "google_style"])
def test_a_stop_that_is_a_number_is_refused(style: str) -> None:
    with pytest.raises(PromptAdapterError, match="stop"):
        get_adapter(style, parameters={"max_tokens": 9, "stop": 3}).build_body(Prompt(user="x"))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "TIFF"])
@pytest.mark.parametrize("size", [3_000_000, 100])
def test_a_large_colour_profile_takes_no_time(kind: str, size: int) -> None:
    written = io.BytesIO()
    picture = PIL.Image.new("CMYK" if kind in ("JPEG", "TIFF") else "RGB", (20, 20))
    picture.save(written, kind, icc_profile=bytes(128) + b"acsp" + bytes(size))
    prompt = Prompt(user=["see", {"type": "image", "variable": "x"}])
    started = time.process_time()
    for style in STYLES[:4]:
        try:
            get_adapter(style, parameters={"max_tokens": 9}).build_body(prompt, x=Image(written.getvalue()))
        except PromptAdapterError:
            continue
    assert time.process_time() - started < 1
