"""`AdapterRunnable` of an adapter that exists already."""

import pickle
from collections.abc import Callable
from typing import Any

import pytest

from prompt_adapters import Message, OpenAIStylePromptAdapter, Prompt, adapter_for, get_adapter
from prompt_adapters.adapters import MessageAdapter
from prompt_adapters.langchain import AdapterRunnable

ALONE = {"messages": [{"role": "user", "content": "q"}]}


class Unregistered(OpenAIStylePromptAdapter):
    """An adapter that nobody can ask for by name."""


ADAPTERS: dict[str, Any] = {
    "a style": lambda: get_adapter("anthropic_style"),
    "options": lambda: get_adapter("openai_style", model="my", parameters={"seed": 1}, on_limit="error"),
    "separators": lambda: get_adapter("google_style", separators={("image", "image"): "-"}, limits={"max_images": 3}),
    "a routed model": lambda: adapter_for("anthropic/claude-opus-5", parameters={"max_tokens": 3}),
    "a bare model": lambda: adapter_for("gpt-4o"),
    "Bedrock": lambda: adapter_for("bedrock/us.amazon.nova-pro-v1:0"),
    "Responses": lambda: adapter_for("openai/responses/gpt-5"),
    "a server": lambda: adapter_for("groq/llama-3.3-70b-versatile"),
}


@pytest.mark.parametrize("make", ADAPTERS.values(), ids=ADAPTERS)
def test_an_adapter_may_be_given_whole(make: Callable[[], MessageAdapter]) -> None:
    adapter = make()
    runnable = AdapterRunnable(adapter)
    assert runnable.invoke("q") == adapter.build_request(Message("user", "q"))
    assert runnable.adapter.route == adapter.route
    again = AdapterRunnable(runnable.style, model=runnable.model, options=runnable.options)
    assert again == runnable == pickle.loads(pickle.dumps(runnable))


def test_extra_keys_are_ignored_with_a_given_adapter_too() -> None:
    runnable = AdapterRunnable(get_adapter("openai_style"), prompt=Prompt(user="{{ word }}"))
    assert runnable.invoke({"word": "q", "other": 1}) == ALONE


WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "and a model": (
        lambda: AdapterRunnable(get_adapter("openai_style"), model="m"),
        "has its model and options already",
    ),
    "and options": (lambda: AdapterRunnable(get_adapter("openai_style"), seed=1), "has its model and options already"),
    "of no style": (lambda: AdapterRunnable(Unregistered()), "cannot be told by its style, model and options"),
}


@pytest.mark.parametrize(("make", "reason"), WRONG.values(), ids=WRONG)
def test_an_adapter_that_cannot_be_kept_is_refused(make: Callable[[], object], reason: str) -> None:
    with pytest.raises(TypeError, match=reason):
        make()
