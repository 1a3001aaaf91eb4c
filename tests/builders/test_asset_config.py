"""Pipeline configurations: prompt, style and client settings from one file."""

from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from prompt_adapters import (
    GoogleGenAIStylePromptAdapter,
    Image,
    OpenAIStylePromptAdapter,
    Prompt,
    PromptAssetStore,
)
from prompt_adapters.errors import PromptFormatError, PromptNotFoundError
from strategies import GIF, PNG

JUDGE = Prompt(
    system="You compare pictures.",
    user=[
        {"type": "text", "content": "Which is sharper? {{ hint }}"},
        {"type": "image", "variable": "candidates", "index": 0},
        {"type": "image", "variable": "candidates", "index": 1},
    ],
)

CONFIG: dict[str, Any] = {
    "init_config": {
        "backend": "google",
        "model_name": "gemini-3-pro-native",
        "prompt_info": {"prompt_id": "judge", "version": "v1"},
        "api_version": "v1alpha",
        "retries": {"count": 3, "codes": [429]},
    }
}


INFO = {"prompt_id": "judge"}


@pytest.fixture
def filled(tmp_path: Path) -> PromptAssetStore:
    store = PromptAssetStore(tmp_path / "assets")
    for version in ("v1", "v2"):
        store.add(JUDGE, "judge", version)
    return store


def test_a_configuration_is_prompt_style_and_client_together(filled: PromptAssetStore) -> None:
    resolved = filled.resolve(CONFIG)
    assert resolved.prompt == filled.get("judge", "v1")
    assert (resolved.style, resolved.backend, resolved.model) == ("google_style", "google", "gemini-3-pro-native")
    assert resolved.client == {"api_version": "v1alpha", "retries": {"count": 3, "codes": [429]}}
    adapter = resolved.adapter(parameters={"temperature": 0})
    assert isinstance(adapter, GoogleGenAIStylePromptAdapter)
    request = adapter.build_request(resolved.prompt, hint="Look.", candidates=[Image(PNG), Image(GIF)])
    assert request["model"] == "gemini-3-pro-native"
    assert request["config"] == {"system_instruction": "You compare pictures.", "temperature": 0}


BACKENDS = [("google", "google_style"), *((name, "openai_style") for name in ("api", "vllm", "openai", "Google", None))]


@pytest.mark.parametrize(("backend", "style"), BACKENDS)
def test_the_style_follows_the_backend(backend: str | None, style: str, filled: PromptAssetStore) -> None:
    resolved = filled.resolve({"init_config": CONFIG["init_config"] | {"backend": backend}})
    assert (resolved.backend, resolved.style) == (backend, style)


def test_without_a_backend(filled: PromptAssetStore) -> None:
    resolved = filled.resolve({"prompt_info": {"prompt_id": "judge"}})
    assert resolved[1:] == ("openai_style", None, None, {})
    assert resolved.prompt.version == "v2"
    assert resolved.adapter() == OpenAIStylePromptAdapter()


def test_from_a_file(filled: PromptAssetStore, tmp_path: Path) -> None:
    path = tmp_path / "pipeline.yaml"
    path.write_text(
        "init_config:\n  backend: google\n  model_name: gemini-3-pro-native\n"
        "  prompt_info:\n    prompt_id: judge\n    version: v1\n"
        "  api_version: v1alpha\n  retries: {count: 3, codes: [429]}\n",
        encoding="utf-8",
    )
    assert filled.resolve(path) == filled.resolve(str(path)) == filled.resolve(CONFIG)


VERSIONS = {"1.10": "1.10", "'1.10'": "1.10", "012": "012", "2024-08-06": "2024-08-06", "3": "3", "no": "no"}


@pytest.mark.parametrize(("written", "version"), VERSIONS.items())
def test_a_version_in_a_file_is_the_text_that_is_written(
    written: str, version: str, filled: PromptAssetStore, tmp_path: Path
) -> None:
    filled.add(JUDGE, "judge", version)
    path = tmp_path / "pipeline.yaml"
    info = f"prompt_info: {{prompt_id: judge, version: {written}}}\ntimeout: 1.50\nretries: [3]\n"
    for text in (info, "init_config:\n  " + info.strip().replace("\n", "\n  ")):
        path.write_text(text, encoding="utf-8")
        resolved = filled.resolve(path)
        assert resolved.prompt.version == version
        assert resolved.client == {"timeout": 1.5, "retries": [3]}


def test_a_label(filled: PromptAssetStore) -> None:
    filled.set_label("judge", "production", "v1")
    for info in ({"label": "production"}, {"version": "production"}):
        assert filled.resolve({"prompt_info": INFO | info}).prompt.version == "v1"
    with pytest.raises(PromptFormatError, match="give a version or a label, not both"):
        filled.resolve({"prompt_info": INFO | {"label": "production", "version": "v1"}})


def test_a_numbered_version(filled: PromptAssetStore) -> None:
    filled.add(JUDGE, "judge", "3")
    assert filled.resolve({"prompt_info": {"prompt_id": "judge", "version": 3}}).prompt.version == "3"


def test_the_configuration_is_left_alone(filled: PromptAssetStore) -> None:
    client = object()
    config = MappingProxyType({"init_config": MappingProxyType({**CONFIG["init_config"], "http": client})})
    resolved = filled.resolve(config)
    resolved.client["retries"]["codes"].append(500)
    assert config["init_config"]["retries"] == {"count": 3, "codes": [429]}
    assert resolved.client["http"] is client


BAD_CONFIGS: dict[str, tuple[Any, str]] = {
    "nothing": ({}, "prompt_info must be a mapping of names to values, not NoneType"),
    "no mapping": ({"init_config": ["a"]}, "init_config must be a mapping of names to values, not list"),
    "prompt_info is a text": ({"prompt_info": "judge"}, "prompt_info must be a mapping of names to values, not str"),
    "no prompt_id": ({"prompt_info": {"version": "v1"}}, "prompt_info needs prompt_id, a text, not None"),
    "prompt_id is a number": ({"prompt_info": {"prompt_id": 3}}, "prompt_info needs prompt_id, a text, not 3"),
    "version is a float": ({"prompt_info": INFO | {"version": 3.1}}, "version, a text, not 3.1; put it into quotes"),
    "version is true": ({"prompt_info": INFO | {"version": True}}, "prompt_info needs version, a text, not True"),
    "label is a number": ({"prompt_info": INFO | {"label": 3}}, "prompt_info needs label, a text, not 3"),
    "version is nothing": ({"prompt_info": INFO | {"version": None}}, "prompt_info needs version, a text, not None"),
    "typo": ({"prompt_info": INFO | {"verison": "v1"}}, "prompt_info has the unknown key 'verison'"),
    "backend is a list": ({"prompt_info": INFO, "backend": ["google"]}, "backend is a text, not list"),
    "model_name is a number": ({"prompt_info": INFO, "model_name": 3}, "model_name is a text, not int"),
}


@pytest.mark.parametrize(("config", "reason"), BAD_CONFIGS.values(), ids=BAD_CONFIGS)
def test_malformed_configurations(config: Any, reason: str, filled: PromptAssetStore) -> None:
    with pytest.raises(PromptFormatError) as caught:
        filled.resolve(config)
    assert reason in str(caught.value)


def test_configurations_that_name_nothing(filled: PromptAssetStore, tmp_path: Path) -> None:
    with pytest.raises(PromptNotFoundError, match="there is no prompt 'jury'"):
        filled.resolve({"prompt_info": {"prompt_id": "jury"}})
    with pytest.raises(PromptNotFoundError, match=r"nope\.yaml"):
        filled.resolve(tmp_path / "nope.yaml")
    path = tmp_path / "pipeline.yaml"
    path.write_text("# mine\ninit_config:\n  backend: google\n", encoding="utf-8")
    with pytest.raises(PromptFormatError, match=r"pipeline\.yaml: line 2: prompt_info must be a mapping"):
        filled.resolve(path)


BAD_FILES: dict[str, tuple[str, int, str]] = {
    "unknown key": ("init_config:\n  prompt_info:\n    prompt_id: a\n    verison: v1\n", 4, "unknown key 'verison'"),
    "no text": ("prompt_info:\n  prompt_id: a\n  version:\n    - v1\n", 3, "needs version, a text"),
    "no mapping": ("a: 1\nprompt_info: judge\n", 2, "prompt_info must be a mapping"),
    "no mapping inside": ("a: 1\ninit_config: [a]\n", 2, "init_config must be a mapping"),
    "a backend in a list": (
        "init_config:\n  prompt_info: {prompt_id: a}\n  backend:\n  - google\n",
        3,
        "backend is a text",
    ),
    "a model in a list": ("prompt_info: {prompt_id: a}\n\nmodel_name: [m]\n", 3, "model_name is a text"),
}


@pytest.mark.parametrize(("text", "line", "reason"), BAD_FILES.values(), ids=BAD_FILES)
def test_malformed_files_name_the_line(
    text: str, line: int, reason: str, filled: PromptAssetStore, tmp_path: Path
) -> None:
    path = tmp_path / "pipeline.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PromptFormatError, match=reason) as caught:
        filled.resolve(path)
    assert (caught.value.path, caught.value.line) == (str(path), line)
