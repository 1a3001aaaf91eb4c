import json
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import pytest

from prompt_adapters.targets import cost_map
from prompt_adapters.targets.cost_map import chat_models, model_info, provider_of

TABLE: dict[str, Any] = {
    "sample_spec": {"litellm_provider": "openai", "mode": "chat"},
    "fallback_generalizations": {"rules": []},
    "gpt-4o": {"litellm_provider": "openai", "mode": "chat", "supports_vision": True, "input_cost_per_token": 1},
    "groq/gpt-4o": {"litellm_provider": "groq", "mode": "chat", "supports_vision": False},
    "gpt-newest": {"alias_of": "gpt-4o"},
    "gpt-lost": {"alias_of": "gone"},
    "ada-embed": {"litellm_provider": "openai", "mode": "embedding", "aliases": ["ada"]},
    "gemini-x": {"litellm_provider": "vertex_ai-language-models", "mode": "chat"},
    "vertex_ai/claude-x": {"litellm_provider": "vertex_ai-anthropic_models", "mode": "chat", "max_output_tokens": 9},
    "anthropic.claude-x-v1:0": {"litellm_provider": "bedrock_converse", "mode": "chat", "max_output_tokens": 7},
    "command-a": {"litellm_provider": "cohere_chat", "mode": "chat"},
    "broken": "no row",
}


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    cost_map._rows.cache_clear()
    yield
    cost_map._rows.cache_clear()


def install(monkeypatch: pytest.MonkeyPatch, folder: Path, content: bytes) -> None:
    (folder / cost_map._FILE).write_bytes(content)
    spec = ModuleSpec("litellm", None, is_package=True)
    spec.submodule_search_locations = [str(folder)]
    monkeypatch.setattr(cost_map, "find_spec", lambda name: spec)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(monkeypatch, tmp_path, json.dumps(TABLE).encode())


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("provider", "model", "row"),
    [
        ("openai", "gpt-4o", "gpt-4o"),
        ("openai", "GPT-4o", "gpt-4o"),
        ("openai", "ft:gpt-4o:acme::Id", "gpt-4o"),
        ("openai", "gpt-newest", "gpt-4o"),
        ("openai", "ada", "ada-embed"),
        ("groq", "gpt-4o", "groq/gpt-4o"),
        ("vertex_ai", "gemini-x", "gemini-x"),
        ("vertex_ai", "claude-x@20250101", "vertex_ai/claude-x"),
        ("bedrock", "anthropic.claude-x-v1:0", "anthropic.claude-x-v1:0"),
        ("bedrock", "jp.anthropic.claude-x-v1:0", "anthropic.claude-x-v1:0"),
        ("cohere", "command-a", "command-a"),
        ("cohere_chat", "command-a", "command-a"),
    ],
)
def test_models_are_found_under_the_spellings_of_the_table(provider: str, model: str, row: str) -> None:
    info = model_info(provider, model)
    assert info is not None
    assert dict(info) == {
        key: value for key, value in TABLE[row].items() if key not in ("input_cost_per_token", "aliases")
    }


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("provider", "model"),
    [
        ("gemini", "gemini-x"),
        ("azure", "gpt-4o"),
        ("openai", "gpt-lost"),
        ("openai", "sample_spec"),
        ("openai", "fallback_generalizations"),
        ("openai", "unheard-of"),
        ("openai", "broken"),
        ("openai", ""),
    ],
)
def test_other_models_are_unknown(provider: str, model: str) -> None:
    assert model_info(provider, model) is None


@pytest.mark.usefixtures("table")
def test_only_chat_models_have_a_provider_by_name() -> None:
    assert provider_of("gpt-4o") == "openai"
    assert provider_of("gemini-x") == "vertex_ai"
    assert provider_of("anthropic.claude-x-v1:0") == "bedrock"
    assert provider_of("ada-embed") is None
    assert set(chat_models()) == set(TABLE) - {
        "sample_spec",
        "fallback_generalizations",
        "gpt-lost",
        "ada-embed",
        "broken",
    }


@pytest.mark.usefixtures("table")
def test_rows_cannot_be_changed() -> None:
    info = model_info("openai", "gpt-4o")
    with pytest.raises(TypeError):
        info["mode"] = "none"  # type: ignore[index]  # that it cannot be set is what is shown


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b"null"])
def test_a_broken_file_tells_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes) -> None:
    install(monkeypatch, tmp_path, content)
    assert model_info("openai", "gpt-4o") is None
    assert list(chat_models()) == []


def test_a_missing_file_or_package_tells_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(monkeypatch, tmp_path, b"{}")
    (tmp_path / cost_map._FILE).unlink()
    assert model_info("openai", "gpt-4o") is None
    cost_map._rows.cache_clear()
    monkeypatch.setattr(cost_map, "find_spec", lambda name: None)
    assert model_info("openai", "gpt-4o") is None


def test_a_module_without_a_spec_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_spec(name: str) -> None:
        raise ValueError(f"{name}.__spec__ is None")

    monkeypatch.setattr(cost_map, "find_spec", no_spec)
    assert model_info("openai", "gpt-4o") is None


def test_the_file_of_the_installed_litellm_is_read_and_litellm_is_not_imported() -> None:
    import subprocess
    import sys

    code = (
        "import sys; from prompt_adapters.targets import model_info; "
        "assert model_info('openai', 'gpt-4o')['mode'] == 'chat'; assert 'litellm' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
