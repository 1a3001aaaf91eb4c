"""The registry: names, lazy loading, third parties, and errors that help."""

from __future__ import annotations

import importlib.metadata
import pickle
import subprocess
import sys
from typing import Any

import pytest

from prompt_adapters.adapters import (
    PROMPT_ADAPTER_REGISTRY,
    BasePromptAdapter,
    MessageAdapter,
    adapter_for,
    get_adapter,
)
from prompt_adapters.adapters.anthropic import AnthropicStylePromptAdapter
from prompt_adapters.adapters.google import GoogleGenAIStylePromptAdapter
from prompt_adapters.adapters.openai import OpenAIStylePromptAdapter
from prompt_adapters.adapters.registry import AdapterRegistry
from prompt_adapters.content.message import Message
from prompt_adapters.errors import PromptAdapterError, UnknownAdapterError, UnknownModelError

STYLES = {
    "openai_style": OpenAIStylePromptAdapter,
    "google_style": GoogleGenAIStylePromptAdapter,
    "anthropic_style": AnthropicStylePromptAdapter,
}


class Plain(BasePromptAdapter):
    def build_payload(self, template: Any, **kwargs: Any) -> list[Any]:
        return [template.system_prompt]


class Toy(MessageAdapter):
    def encode(self, messages: Any) -> dict[str, Any]:
        return {"messages": [[message.role, message.text] for message in messages]}


class FakeEntryPoint:
    def __init__(self, name: str, value: object) -> None:
        self.name, self.value, self._loads = name, f"pkg:{name}", value

    def load(self) -> object:
        if isinstance(self._loads, Exception):
            raise self._loads
        return self._loads


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> AdapterRegistry:
    """A registry that sees one good and three broken distributions."""
    points = [
        FakeEntryPoint("toy", Toy),
        FakeEntryPoint("broken", ImportError("no module named 'gone'")),
        FakeEntryPoint("wrong", object),
        FakeEntryPoint("instance", Toy()),
    ]
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda *, group: points if group == "toys" else [])
    return AdapterRegistry({"openai_style": "prompt_adapters.adapters.openai:OpenAIStylePromptAdapter"}, "toys")


@pytest.mark.parametrize(("key", "cls"), STYLES.items())
def test_the_documented_keys_give_the_documented_classes(key: str, cls: type[MessageAdapter]) -> None:
    assert PROMPT_ADAPTER_REGISTRY.get(key) is PROMPT_ADAPTER_REGISTRY[key] is cls
    assert cls.style == key
    assert isinstance(PROMPT_ADAPTER_REGISTRY.get(key)(), BasePromptAdapter)


def test_it_reads_like_a_mapping() -> None:
    assert set(STYLES) <= set(PROMPT_ADAPTER_REGISTRY) == set(PROMPT_ADAPTER_REGISTRY.keys())
    assert len(PROMPT_ADAPTER_REGISTRY) == len(PROMPT_ADAPTER_REGISTRY.keys())
    assert "openai_style" in PROMPT_ADAPTER_REGISTRY
    assert "nope" not in PROMPT_ADAPTER_REGISTRY
    assert 3 not in PROMPT_ADAPTER_REGISTRY
    assert "google_style" in repr(PROMPT_ADAPTER_REGISTRY)


@pytest.mark.parametrize("key", ["opnai_style", "openai", "OpenAI_style"])
def test_an_unknown_key_is_an_error_that_suggests_and_lists(key: str) -> None:
    with pytest.raises(UnknownAdapterError) as caught:
        get_adapter(key)
    assert isinstance(caught.value, KeyError)
    assert "openai_style" in caught.value.suggestions
    for style in STYLES:
        assert style in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize("key", [None, 3, ["openai_style"]])
def test_a_key_that_is_no_text_is_unknown(key: Any) -> None:
    with pytest.raises(UnknownAdapterError):
        PROMPT_ADAPTER_REGISTRY.get(key)


def test_a_class_registers_by_decorator() -> None:
    registry = AdapterRegistry()
    assert registry.register("plain")(Plain) is Plain
    assert registry.get("plain") is Plain
    assert registry.register("plain")(Plain) is Plain, "the same class again changes nothing"
    assert list(registry) == ["plain"]


@pytest.mark.parametrize("key", ["plain", "openai_style"], ids=["registered", "of this package, not yet loaded"])
def test_a_key_cannot_be_taken_twice(key: str) -> None:
    registry = AdapterRegistry({"openai_style": "prompt_adapters.adapters.openai:OpenAIStylePromptAdapter"})
    registry.register("plain")(Plain)

    class Other(Plain):
        pass

    with pytest.raises(ValueError, match=f"{key}.*taken"):
        registry.register(key)(Other)
    assert registry.get("openai_style") is OpenAIStylePromptAdapter if key == "openai_style" else True


@pytest.mark.parametrize("key", ["", " x", "a b", "1x", "-", None, 7])
def test_a_malformed_key_is_refused(key: Any) -> None:
    with pytest.raises(ValueError, match="key"):
        AdapterRegistry().register(key)


@pytest.mark.parametrize("cls", [object, Toy(), "Toy"])
def test_only_adapters_register(cls: Any) -> None:
    with pytest.raises(TypeError, match="BasePromptAdapter"):
        AdapterRegistry().register("x")(cls)


def test_a_toy_provider_gets_its_key_as_style_and_every_method() -> None:
    registry = AdapterRegistry()

    @registry.register("toy_style")
    class ToyProvider(MessageAdapter):
        def encode(self, messages: Any) -> dict[str, Any]:
            return {"messages": [message.text for message in messages]}

    adapter = registry.get("toy_style")()
    assert isinstance(adapter, ToyProvider)
    assert adapter.style == "toy_style"
    assert adapter.build_request(Message("user", "Hi")) == {"messages": ["Hi"]}
    assert adapter.build_body((Message("system", "S"), Message("user", "Hi"))) == {"messages": ["S", "Hi"]}


def test_entry_points_are_listed_and_loaded_when_asked_for(offered: AdapterRegistry) -> None:
    assert offered.keys() == ("openai_style", "toy", "broken", "wrong", "instance")
    assert offered.get("toy") is Toy
    assert "broken" in offered
    assert offered.get("openai_style") is OpenAIStylePromptAdapter


@pytest.mark.parametrize("key", ["broken", "wrong", "instance"])
def test_a_broken_entry_point_is_named_when_asked_for_and_disturbs_nobody(offered: AdapterRegistry, key: str) -> None:
    with pytest.raises(PromptAdapterError, match=f"{key}.*pkg:{key}.*cannot be loaded"):
        offered.get(key)
    assert offered.get("toy") is Toy
    with pytest.raises(UnknownAdapterError, match="toy"):
        offered.get("tyo")


def test_the_adapter_of_a_model_is_bound_to_it() -> None:
    adapter = adapter_for("anthropic/claude-opus-5", parameters={"max_tokens": 5})
    assert isinstance(adapter, AnthropicStylePromptAdapter)
    assert (adapter.model, adapter.provider) == ("claude-opus-5", "anthropic")
    assert adapter.route is not None
    assert adapter.route.style == "anthropic_style"
    assert adapter.build_request(Message("user", "Hi"))["model"] == "claude-opus-5"


@pytest.mark.parametrize(
    ("model", "style"),
    [
        ("gpt-4o", "openai_style"),
        ("openai/gpt-4o", "openai_style"),
        ("claude-opus-5", "anthropic_style"),
        ("gemini-2.5-pro", "google_style"),
        ("vertex_ai/gemini-2.5-pro", "google_style"),
        ("groq/llama-3.3-70b-versatile", "openai_style"),
    ],
)
def test_the_shape_follows_from_the_model(model: str, style: str) -> None:
    assert type(adapter_for(model)) is STYLES[style]


def test_an_unknown_model_is_refused() -> None:
    with pytest.raises(UnknownModelError, match="my-model"):
        adapter_for("my-model")


def test_a_shape_without_message_adapter_cannot_bind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PROMPT_ADAPTER_REGISTRY, "get", lambda key: Plain)
    with pytest.raises(TypeError, match="cannot bind"):
        adapter_for("gpt-4o")


@pytest.mark.parametrize("style", STYLES)
def test_an_unknown_option_names_those_that_exist(style: str) -> None:
    with pytest.raises(TypeError, match=r"'modle'; did you mean 'model'\?.*on_limit.*system_in_middle"):
        get_adapter(style, modle="x")


def test_importing_the_registry_imports_no_vendor_and_no_adapter() -> None:
    code = (
        "import sys, prompt_adapters.adapters as a; a.PROMPT_ADAPTER_REGISTRY.keys();"
        "vendors = ('PIL', 'litellm', 'langchain_core', 'openai', 'anthropic', 'google', 'pydantic', 'httpx');"
        "own = ('adapters.openai', 'adapters.google', 'adapters.anthropic');"
        "print([m for m in sys.modules if m.split('.')[0] in vendors or m.endswith(own)])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"
