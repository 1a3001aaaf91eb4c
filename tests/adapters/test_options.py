"""Options: checked, immutable, and the adapter's own."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from prompt_adapters.adapters import adapter_for, get_adapter
from prompt_adapters.adapters.openai import OpenAIStylePromptAdapter
from prompt_adapters.content.message import Message

HI = Message("user", "Hi")


@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        ({"on_limit": "sent"}, ValueError, "on_limit is one of 'convert', 'error', 'send'"),
        ({"system_in_middle": "drop"}, ValueError, "system_in_middle"),
        ({"unknown_parameters": True}, ValueError, "unknown_parameters"),
        ({"extra": "allow"}, ValueError, "extra"),
        ({"model": 3}, TypeError, "model is a text"),
        ({"model": "  "}, ValueError, "model is empty"),
        ({"parameters": [("a", 1)]}, TypeError, "parameters is a mapping"),
        ({"parameters": {1: 2}}, TypeError, "parameters is a mapping"),
        ({"separators": {"text": "\n"}}, TypeError, "separators is a mapping"),
        ({"separators": {("text", "image"): None}}, TypeError, "separators is a mapping"),
    ],
)
def test_an_impossible_value_is_refused(options: dict[str, Any], error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        OpenAIStylePromptAdapter(**options)


def test_an_adapter_keeps_its_own_copy_of_what_it_is_given() -> None:
    stop = ["X"]
    given = {"stop": stop}
    adapter = get_adapter("openai_style", parameters=given)
    stop.append("Y")
    given["temperature"] = 1  # type: ignore[assignment]  # a caller who goes on using the dict
    assert adapter.build_request(HI)["stop"] == ["X"]
    adapter.options.parameters["stop"].append("Z")  # type: ignore[index]  # it is a dict here
    adapter.build_request(HI)["stop"].append("Z")
    assert adapter.build_request(HI) == {"messages": [{"role": "user", "content": "Hi"}], "stop": ["X"]}


def test_options_are_read_only() -> None:
    adapter = get_adapter("openai_style", model="gpt-4o")
    for name in ("model", "options", "route", "provider"):
        with pytest.raises(AttributeError):
            setattr(adapter, name, "x")


def test_adapters_are_values() -> None:
    one = get_adapter("openai_style", model="gpt-4o", parameters={"stop": ["X"]})
    same = get_adapter("openai_style", model="gpt-4o", parameters={"stop": ["X"]})
    assert one == same
    assert hash(one) == hash(same)
    assert one != get_adapter("openai_style", model="gpt-4o")
    assert one != get_adapter("google_style", model="gpt-4o", parameters={"stop": ["X"]})
    assert adapter_for("gpt-4o") != get_adapter("openai_style", model="gpt-4o"), "only the first knows its provider"
    assert one != "openai_style"


@pytest.mark.parametrize("clone", [copy.copy, copy.deepcopy, lambda a: pickle.loads(pickle.dumps(a))])
def test_adapters_copy_and_pickle(clone: Any) -> None:
    adapter = adapter_for(
        "claude-sonnet-4-5", parameters={"max_tokens": 3}, separators={("text", "image"): " "}, on_limit="error"
    )
    assert clone(adapter) == adapter
    assert clone(adapter).build_request(HI) == adapter.build_request(HI)


def test_the_repr_says_what_was_set() -> None:
    assert repr(get_adapter("openai_style")) == "OpenAIStylePromptAdapter()"
    assert repr(get_adapter("google_style", model="m", on_limit="send")) == (
        "GoogleGenAIStylePromptAdapter(model='m', on_limit='send')"
    )


def test_an_unknown_option_is_refused_in_whole_sentences() -> None:
    with pytest.raises(TypeError, match=r"OpenAIStylePromptAdapter has no option 'foo'; its options are model, "):
        get_adapter("openai_style", foo=1)
    with pytest.raises(TypeError, match=r"has no option 'modell'; did you mean 'model'\? Its options are model, "):
        get_adapter("openai_style", modell="m")
