"""From a style or a model string to its adapter."""

from typing import Any

import pytest

from prompt_adapters import adapter_for, get_adapter
from prompt_adapters.errors import UnknownAdapterError, UnknownModelError
from prompt_adapters.langchain.resolve import resolve, styled


def test_a_style_or_a_model_is_found() -> None:
    assert resolve("google_style") == get_adapter("google_style")
    assert resolve("google_style", {"model": "m"}) == get_adapter("google_style", model="m")
    assert resolve("anthropic/claude-opus-5") == adapter_for("anthropic/claude-opus-5")
    assert resolve("gpt-4o", {"on_limit": "error"}) == adapter_for("gpt-4o", on_limit="error")


@pytest.mark.parametrize("name", ["gogle_style", "google_styl", "googlestyle"])
def test_a_slip_in_a_style_is_answered_with_styles(name: str) -> None:
    with pytest.raises(UnknownAdapterError, match="did you mean 'google_style'") as caught:
        resolve(name)
    assert not isinstance(caught.value, UnknownModelError)


def test_an_unknown_model_is_answered_with_models() -> None:
    with pytest.raises(UnknownModelError, match="cannot tell the provider of model 'my-own-model'"):
        resolve("my-own-model")


@pytest.mark.parametrize("target", [None, 7])
def test_something_else_is_refused(target: Any) -> None:
    with pytest.raises(TypeError, match="give a style, as 'google_style', or a model"):
        resolve(target)


def test_a_model_is_bound_where_it_speaks_the_style() -> None:
    assert styled("anthropic_style", "anthropic/claude-opus-5") == adapter_for("anthropic/claude-opus-5")
    assert styled("openai_style", "anthropic/claude-opus-5") == get_adapter("openai_style")
    assert styled("openai_style", "my-own-model") == get_adapter("openai_style")
    assert styled("openai_style", "gpt-4o", {"model": "gpt-5"}) == get_adapter("openai_style", model="gpt-5")
