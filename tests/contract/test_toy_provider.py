"""A provider is added in one file, by decorator or by entry point, and the whole table holds for it."""

from __future__ import annotations

import base64
import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from prompt_adapters.adapters import PROMPT_ADAPTER_REGISTRY, MessageAdapter
from prompt_adapters.adapters.registry import AdapterRegistry
from prompt_adapters.content.parts import MediaPart, Text, ToolResult
from prompt_adapters.content.source import Inline
from prompt_adapters.errors import PromptAdapterError

SUPPORT = Path(__file__).parent.parent / "support"


@pytest.fixture(params=["by decorator", "by entry point"])
def toy(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Any]]:
    """The class, as a registry gives it; afterwards nobody knows it."""
    sys.modules.pop("toy_provider", None)
    PROMPT_ADAPTER_REGISTRY._classes.pop("toy_style", None)
    if request.param == "by decorator":
        importlib.import_module("toy_provider")
        yield PROMPT_ADAPTER_REGISTRY.get("toy_style")
    else:
        # What pip writes for a distribution with
        # [project.entry-points."prompt_adapters.adapters"] toy_style = "toy_provider:ToyStylePromptAdapter"
        info = tmp_path / "toy_provider-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-provider\nVersion: 1.0\n", encoding="utf-8")
        (info / "entry_points.txt").write_text(
            "[prompt_adapters.adapters]\ntoy_style = toy_provider:ToyStylePromptAdapter\n", encoding="utf-8"
        )
        monkeypatch.syspath_prepend(str(tmp_path))
        registry = AdapterRegistry()
        assert "toy_style" in registry.keys()  # noqa: SIM118 - the registry is no dict, and its keys are what is shown
        yield registry.get("toy_style")
    sys.modules.pop("toy_provider", None)
    PROMPT_ADAPTER_REGISTRY._classes.pop("toy_style", None)


def needles(messages: Any) -> Iterator[str]:
    """Every text and every file of a conversation, as it must arrive."""
    for message in messages:
        for part in message.parts:
            for item in part.parts if isinstance(part, ToolResult) else (part,):
                if isinstance(item, Text) and item.text.strip():
                    yield item.text.strip()
                elif isinstance(item, MediaPart) and isinstance(item.source, Inline):
                    yield base64.b64encode(item.source.data).decode()


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from strings(item)


def test_the_whole_table_holds_for_it(toy: type[MessageAdapter], request: pytest.FixtureRequest) -> None:
    conftest: Any = request.config.pluginmanager.get_plugin(str(request.path.parent / "conftest.py"))
    arrived = refused = 0
    for name, conversation in conftest.CONVERSATIONS.items():
        adapter = toy(**conversation.options)
        assert adapter.style == "toy_style"
        try:
            body = adapter.build_body(conversation.messages)
        except PromptAdapterError as error:
            refused += 1
            assert str(error).startswith(("toy_style cannot take", "message ", "there is")), name  # noqa: PT017 - either outcome is right, and each is checked
            continue
        arrived += 1
        assert adapter.build_request(conversation.messages) == body == json.loads(json.dumps(body))
        whole = "\n".join(strings(body))
        at = 0
        for needle in needles(conversation.messages):
            found = whole.find(needle, at)
            assert found >= 0, f"{name}: {needle[:40]} is lost, or stands elsewhere"
            at = found + len(needle)
    assert arrived > 30
    assert refused > 10
    assert len(conftest.CONVERSATIONS) >= 60


def test_it_has_everything_that_the_others_have(toy: type[MessageAdapter]) -> None:
    from prompt_adapters import Image, Message, Prompt

    adapter = toy(parameters={"temperature": 0.5}, unknown_parameters="drop", model="toy-1")
    prompt = Prompt(system="S", user="{{ q }}", parameters={"seed": 1})
    assert adapter.build_body(prompt, q="?") == {
        "model": "toy-1",
        "messages": [{"who": "rules", "what": [{"say": "S"}]}, {"who": "user", "what": [{"say": "?"}]}],
        "heat": 0.5,
    }
    assert "'seed' is left out" in str(adapter.prepare(prompt, q="?").notes)
    assert [adapter.accepts(kind) for kind in ("text", "image", "audio")] == [True, True, False]
    message = Message("user", [Image("https://example.com/a.png")])
    assert adapter.build_body(message)["messages"][0]["what"] == [{"show": "https://example.com/a.png"}]


def test_the_tables_say_what_a_new_shape_lacks(request: pytest.FixtureRequest) -> None:
    conftest: Any = request.config.pluginmanager.get_plugin(str(request.path.parent / "conftest.py"))
    assert conftest.missing(conftest.STYLES) == []
    said = conftest.missing(["toy_style"])
    guide = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert len(said) == 6
    for sentence in said:
        assert sentence.startswith("add 'toy_style' to ")
        assert f"`{sentence.split()[3]}`" in guide


def test_the_guide_has_ten_lines() -> None:
    guide = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = guide.split("\n## A new provider\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.strip()]
    assert len(lines) <= 10
    for name in ("targets/endpoints.py", "tests/support/toy_provider.py", "prompt_adapters.adapters", "takes"):
        assert name in section
    assert (SUPPORT / "toy_provider.py").exists()
