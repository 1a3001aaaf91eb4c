"""Media in short form."""

from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langchain_core.prompt_values import ChatPromptValue, StringPromptValue
from langchain_core.runnables.utils import accepts_config, accepts_run_manager

from prompt_adapters import Audio, Image
from prompt_adapters.langchain import AdapterPromptTemplate
from prompt_adapters.langchain.dialects import DIALECTS
from prompt_adapters.langchain.short import awaited_with, called_with, shortened
from prompt_adapters.langchain.styles import class_for

LONG = "A" * 1000
URL = f"data:image/png;base64,{LONG}"

SHORTENED: dict[str, tuple[Any, Any]] = {
    "data URL": ({"image_url": {"url": URL}}, {"image_url": {"url": "data:image/png;base64,[1000 characters]"}}),
    "base64": ({"type": "image", "base64": LONG}, {"type": "image", "base64": "[1000 characters]"}),
    "nested": ([{"source": {"data": LONG}}], [{"source": {"data": "[1000 characters]"}}]),
    "audio": (
        {"type": "input_audio", "input_audio": LONG},
        {"type": "input_audio", "input_audio": "[1000 characters]"},
    ),
    "a text document": (
        {"type": "text-plain", "text": "word " * 200, "title": "t"},
        {"type": "text-plain", "text": "[1000 characters]", "title": "t"},
    ),
    "bytes": (({"data": b"abc"}, 1), ({"data": "[3 bytes]"}, 1)),
    "message": (HumanMessage([{"base64": LONG}]), HumanMessage([{"base64": "[1000 characters]"}])),
    "prompt value": (
        ChatPromptValue(messages=[HumanMessage([{"data": LONG}])]),
        ChatPromptValue(messages=[HumanMessage([{"data": "[1000 characters]"}])]),
    ),
}
KEPT: dict[str, Any] = {
    "short text": "data:image/png;base64,AAAA",
    "long text": {"text": "word " * 200},
    "long text under a key of media": {"data": "word " * 200},
    "base64-like text under another key": {"text": LONG},
    "numbers": {"a": 1, "b": None, 3: [1.5]},
    "text message": HumanMessage(LONG),
    "string prompt value": StringPromptValue(text=LONG),
}


@pytest.mark.parametrize(("value", "expected"), SHORTENED.values(), ids=SHORTENED)
def test_media_are_shortened(value: Any, expected: Any) -> None:
    before = repr(value)
    assert shortened(value) == expected
    assert repr(value) == before


@pytest.mark.parametrize("value", KEPT.values(), ids=KEPT)
def test_everything_else_is_kept(value: Any) -> None:
    assert shortened(value) == value


def test_parts_are_kept_as_they_are(photo: Image) -> None:
    assert shortened({"photo": photo})["photo"] is photo


@pytest.mark.parametrize("style", [None, *DIALECTS])
def test_the_value_of_a_template_is_short_in_every_dialect(style: str | None, photo: Image, sound: Audio) -> None:
    silent = ("anthropic_style", "cohere_style", "litellm_style", "ollama_style", "openai_responses_style")
    media = [photo, *([sound] if style not in silent else [])]
    template = (AdapterPromptTemplate if style is None else class_for(style)).from_template("{media}")
    value = template.invoke({"media": media})
    texts = [part.as_data_url().partition(",")[2] for part in media]
    for shown in (repr(value), str(value), f"{value}", repr([value])):
        assert "HumanMessage" in shown or "content=" in shown
        assert not any(text in shown for text in texts)
        assert not any(text[:40] in shown for text in texts)
    assert texts[0] in str(value.to_messages())


def test_langchain_calls_with_what_is_shown_and_gets_the_value() -> None:
    call = called_with(lambda value: value * 2, 21)
    assert call("shown") == 42
    assert not accepts_config(call)
    assert not accepts_run_manager(call)


async def test_it_is_awaited_likewise() -> None:
    async def double(value: int) -> int:
        return value * 2

    call = awaited_with(double, 21)
    assert await call("shown") == 42
    assert not accepts_config(call)
    assert not accepts_run_manager(call)
