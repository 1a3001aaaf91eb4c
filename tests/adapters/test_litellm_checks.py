"""Models to which LiteLLM speaks otherwise than their shape has it, and what is refused for that."""

import pytest

from prompt_adapters import Message, get_adapter
from prompt_adapters.adapters.litellm_checks import DETOURS, is_detour
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.targets import route

SYSTEM, USER, ASSISTANT = Message("system", "S"), Message("user", "U"), Message("assistant", "A")

# A model, what is lost on the way to it, and what arrives.
LOST = {
    "o1-mini": ((SYSTEM, USER), (USER, ASSISTANT, USER)),
    "vertex_ai/123": ((SYSTEM, USER), (USER,)),
    "gemini/gemma-unheard-of": ((SYSTEM, USER), (USER, ASSISTANT, USER)),
    "cohere_chat/v1/command-r": ((USER, ASSISTANT, USER), (USER,)),
    "scaledown/summarize": ((SYSTEM, USER), (USER,)),
    "scaledown/extract": ((USER, ASSISTANT, USER), (USER,)),
    "anthropic/claude-2": ((SYSTEM, USER), (USER,)),
}


@pytest.mark.parametrize("model", LOST)
def test_what_a_detour_loses_is_refused(model: str) -> None:
    lost, whole = LOST[model]
    adapter = get_adapter("litellm_style", model=model)
    assert is_detour(route(model))
    with pytest.raises(UnsupportedContentError, match=r"LiteLLM.* sends|LiteLLM's table") as caught:
        adapter.build_request(lost)
    assert caught.value.remedy
    assert len(adapter.build_request(whole)["messages"]) == len(whole)


@pytest.mark.parametrize("model", ["openai/gpt-4o", "gemini/gemini-2.5-flash", "vertex_ai/gemini/123", "cohere_chat/x"])
def test_others_are_no_detour(model: str) -> None:
    assert not is_detour(route(model))
    assert get_adapter("litellm_style", model=model).build_request((SYSTEM, USER))


def test_every_row_says_why_and_where_that_is_written() -> None:
    for row in DETOURS:
        assert row.source.startswith("https://")
        assert "LiteLLM" in row.reason


@pytest.mark.parametrize("model", ["replicate/meta/llama-2-70b", "sagemaker/mine", "opencode_go/claude-x"])
def test_texts_are_one_where_nobody_tried(model: str) -> None:
    """For some of these LiteLLM fails on a list of texts."""
    message = Message("user", ["one", "two"])
    request = get_adapter("litellm_style", model=model).build_request(message)
    assert request["messages"] == [{"role": "user", "content": "one\ntwo"}]
