import json
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import pytest

from prompt_adapters.targets import cost_map
from prompt_adapters.targets.cost_map import alias_of, chat_models, mode_of, model_info, provider_of

TABLE: dict[str, Any] = {
    "sample_spec": {"litellm_provider": "openai", "mode": "chat"},
    "fallback_generalizations": {
        "rules": [
            {"pattern": "^zeta-", "model_info": {"litellm_provider": "zai"}},
            {"pattern": "family-", "model_info": {"mode": "chat", "supports_vision": True, "max_output_tokens": 5}},
            {
                "pattern": "family-|claude-x",
                "model_info": {"supports_pdf_input": True, "max_output_tokens": 6, "input_cost_per_token": 1},
                "fill_missing_for_providers": ["openai", "bedrock_converse"],
            },
            {"pattern": "family-new", "model_info": {"supports_vision": False}},
            {"pattern": "(", "model_info": {"supports_vision": False}},
            {"pattern": "family-", "model_info": {"supports_vision": False}, "extends": "other"},
            {"pattern": "family-", "model_info": {"supports_vision": False, "litellm_provider": "openai"}},
            {"pattern": "family-", "model_info": {"litellm_provider": 4}},
            {"pattern": "family-", "model_info": None},
            {"pattern": 4, "model_info": {}},
            {"pattern": "family-", "model_info": {}, "fill_missing_for_providers": "openai"},
            "no rule",
        ]
    },
    "family-row": {"litellm_provider": "openai", "mode": "chat", "supports_vision": False},
    "family-embed": {"litellm_provider": "openai", "mode": "embedding"},
    "family-home": {"litellm_provider": "groq", "mode": "chat"},
    "twice": {"litellm_provider": "groq", "mode": "chat", "supports_vision": True, "supports_pdf_input": True},
    "groq/twice": {"litellm_provider": "groq", "mode": "chat", "supports_vision": False},
    "gpt-again": {"alias_of": "gpt-newest"},
    "groq/g-latest": {"alias_of": "groq/gpt-4o"},
    "together-ai-4.1b-8b": {"litellm_provider": "together_ai", "mode": "chat"},
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
    cost_map.forget()
    yield
    cost_map.forget()


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
    family = {"supports_pdf_input": True} if row.startswith("anthropic.") else {}
    assert dict(info) == family | {
        key: value for key, value in TABLE[row].items() if key not in ("input_cost_per_token", "aliases")
    }


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("provider", "model", "image", "document"),
    [
        ("openai", "family-row", False, True),  # a row wins over its family, which fills what it leaves out
        ("openai", "family-unheard-of", True, True),
        ("xai", "family-unheard-of", True, True),
        ("openai", "family-new", False, True),  # later patterns win
        ("openai", "family-embed", None, None),  # no chat model is completed
        ("groq", "family-home", None, None),  # nor the row of a provider that a pattern does not name
        ("groq", "twice", False, True),  # by both its rows, and the one with the prefix first
    ],
)
def test_families_fill_what_rows_leave_out(
    provider: str, model: str, image: bool | None, document: bool | None
) -> None:
    info = model_info(provider, model)
    assert info is not None
    assert (info.get("supports_vision"), info.get("supports_pdf_input")) == (image, document)
    assert "max_output_tokens" not in info
    assert "input_cost_per_token" not in info


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("provider", "model", "means"),
    [
        ("openai", "gpt-newest", "gpt-4o"),
        ("groq", "g-latest", "gpt-4o"),
        ("groq", "gpt-newest", "gpt-newest"),
        ("openai", "gpt-lost", "gpt-lost"),
        ("openai", "gpt-again", "gpt-again"),
        ("openai", "gpt-4o", "gpt-4o"),
        ("openai", "unheard-of", "unheard-of"),
    ],
)
def test_an_alias_is_the_name_of_a_model(provider: str, model: str, means: str) -> None:
    assert alias_of(provider, model) == means


@pytest.mark.usefixtures("table")
def test_a_model_of_somebody_else_has_no_family() -> None:
    assert model_info("openai", "family-home") is None


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
    assert provider_of("zeta-9") == "zai"
    assert provider_of("together-ai-4.1b-8b") is None
    assert (mode_of("ada-embed"), mode_of("gpt-newest"), mode_of("unheard-of")) == ("embedding", "chat", None)
    assert set(chat_models()) == set(TABLE) - {
        "sample_spec",
        "fallback_generalizations",
        "gpt-lost",
        "gpt-again",
        "ada-embed",
        "family-embed",
        "together-ai-4.1b-8b",
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
    cost_map.forget()
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
