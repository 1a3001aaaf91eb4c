"""`PromptAssetStore`: prompts by id and version, and pipeline configurations."""

import os
import threading
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
from prompt_adapters.errors import MissingVariableError, PromptFormatError, PromptNotFoundError, TemplateError
from strategies import GIF, PNG

JUDGE = Prompt(
    system="You compare pictures.",
    user=[
        {"type": "text", "content": "Which is sharper? {{ hint }}"},
        {"type": "image", "variable": "candidates", "index": 0},
        {"type": "image", "variable": "candidates", "index": 1},
    ],
    metadata={"output_schema_name": "verdict"},
)


@pytest.fixture
def store(tmp_path: Path) -> PromptAssetStore:
    return PromptAssetStore(tmp_path / "assets")


def write(store: PromptAssetStore, prompt_id: str, version: str, text: str = "user_prompt: [{text: Hi}]") -> Path:
    path = store.root / prompt_id / f"{version}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


# Getting


def test_a_prompt_by_id_and_version(store: PromptAssetStore) -> None:
    path = store.add(JUDGE, "vlm/judge/pairwise", "v1")
    assert path == store.root / "vlm" / "judge" / "pairwise" / "v1.yaml"
    prompt = store.get("vlm/judge/pairwise", "v1")
    assert prompt == JUDGE.replace(name="vlm/judge/pairwise", version="v1")
    assert store.get_prompt("vlm/judge/pairwise", version="v1") == prompt
    assert prompt.metadata == {"output_schema_name": "verdict"}


def test_a_file_without_id_and_version_has_those_of_the_call(store: PromptAssetStore) -> None:
    write(store, "a/b", "v3")
    write(store, "a/b", "v4", "prompt_id: own\nversion: 4\nuser_prompt: [{text: Hi}]")
    assert [(p.name, p.version) for p in (store.get("a/b", "v3"), store.get("a/b"))] == [("a/b", "v3"), ("own", "4")]


def test_a_file_is_read_anew(store: PromptAssetStore) -> None:
    write(store, "a", "v1")
    assert store.get("a").render()[0].text == "Hi"
    write(store, "a", "v1", "user_prompt: [{text: Ho}]")
    assert store.get("a").render()[0].text == "Ho"


def test_the_blocks_of_a_prompt(store: PromptAssetStore) -> None:
    store.add(JUDGE, "judge", "v1")
    pictures = [Image(PNG), Image(GIF)]
    assert store.get("judge").render_blocks(hint="Look.", candidates=pictures) == [
        {"type": "text", "content": "Which is sharper? Look."},
        {"type": "image", "content": pictures[0]},
        {"type": "image", "content": pictures[1]},
    ]
    with pytest.raises(MissingVariableError, match="candidates"):
        store.get("judge").render_blocks(hint="Look.")
    with pytest.raises(TemplateError, match=r"'candidates'.*1"):
        store.get("judge").render_blocks(hint="Look.", candidates=pictures[:1])


def test_what_is_not_there_is_named(store: PromptAssetStore) -> None:
    with pytest.raises(PromptNotFoundError, match="there is no prompt 'judge'; please ensure that it exists"):
        store.get("judge")
    write(store, "judge", "v1")
    write(store, "judge", "v10")
    with pytest.raises(PromptNotFoundError, match=r"v2\.yaml: prompt 'judge' has no version 'v2'.*\(it has v1, v10\)"):
        store.get("judge", "v2")
    with pytest.raises(PromptNotFoundError, match="there is no prompt 'jugde'; did you mean 'judge'"):
        store.get("jugde", "v1")


def test_a_malformed_file_is_named(store: PromptAssetStore) -> None:
    path = write(store, "judge", "v1", "user_prompt: [oops")
    with pytest.raises(PromptFormatError, match="line 1: not valid YAML") as caught:
        store.get("judge")
    assert caught.value.path == str(path)


# Listing

VERSIONS = ["alpha", "v0", "v01", "v1", "v1.2", "v1.10", "v2", "v2-beta", "v9", "v10", "2024-08-06", "2024-11-01"]


def test_versions_are_in_natural_order(store: PromptAssetStore) -> None:
    for version in sorted(VERSIONS):
        write(store, "judge", version)
    assert store.versions("judge") == VERSIONS
    assert store.get("judge").version == "2024-11-01"


def test_latest_is_the_highest(store: PromptAssetStore) -> None:
    for version in ("v10", "v9", "v1"):
        write(store, "judge", version)
    assert store.get("judge").version == store.get("judge", "latest").version == "v10"


def test_ids(store: PromptAssetStore) -> None:
    assert store.ids() == []
    for prompt_id in ("b", "a/b", "a", "a_b"):
        write(store, prompt_id, "v1")
    write(store, ".", "stray")
    (store.root / "a" / "notes.txt").write_text("x", encoding="utf-8")
    (store.root / "a" / "folder.yaml").mkdir()
    (store.root / "a" / ".yaml").write_text("x", encoding="utf-8")
    assert store.ids() == ["a", "a/b", "a_b", "b"]
    assert store.versions("a") == ["v1"]
    assert store.versions("nope") == []


def test_ids_that_look_alike_are_apart(store: PromptAssetStore) -> None:
    store.add(Prompt(user="slash"), "a/b", "v1")
    store.add(Prompt(user="line"), "a_b", "v1")
    assert store.get("a/b", "v1").render()[0].text == "slash"
    assert store.get("a_b", "v1").render()[0].text == "line"


def test_repr(tmp_path: Path) -> None:
    assert repr(PromptAssetStore(tmp_path)) == f"PromptAssetStore({str(tmp_path)!r})"


# What leads out of the root

LEADING_OUT = {
    "parent": "../x",
    "deeper parent": "a/../../x",
    "this": "a/./b",
    "only this": ".",
    "three dots": "...",
    "absolute": "/etc/x",
    "double slash": "a//b",
    "trailing slash": "a/",
    "empty": "",
    "backslash": "a\\b",
    "backslash parent": "..\\x",
    "NUL": "a\0b",
    "newline": "a\nb",
    "Windows drive": "C:/x",
    "Windows drive, relative": "C:x",
    "stream": "a:b",
    "network": "//host/x",
    "trailing dot": "a./b",
    "trailing blank": "a /b",
    "leading blank": " a",
    "half a surrogate pair": "\ud800",
}


@pytest.mark.parametrize("prompt_id", LEADING_OUT.values(), ids=LEADING_OUT)
def test_an_id_cannot_leave_the_root(prompt_id: str, store: PromptAssetStore, tmp_path: Path) -> None:
    write(store, "a", "v1")
    write(PromptAssetStore(tmp_path), "x", "v1")
    for call in (
        lambda: store.get(prompt_id),
        lambda: store.get(prompt_id, "v1"),
        lambda: store.versions(prompt_id),
        lambda: store.add(JUDGE, prompt_id, "v2"),
        lambda: store.resolve({"prompt_info": {"prompt_id": prompt_id}}),
    ):
        with pytest.raises(PromptFormatError, match="is no prompt id: it could lead out of the store's root"):
            call()
    assert [path.name for path in tmp_path.rglob("*.yaml")].count("v2.yaml") == 0


@pytest.mark.parametrize("version", LEADING_OUT.values(), ids=LEADING_OUT)
def test_a_version_cannot_leave_the_root(version: str, store: PromptAssetStore) -> None:
    write(store, "a/b", "v1")
    for call in (lambda: store.get("a", version), lambda: store.add(JUDGE, "a", version)):
        with pytest.raises(PromptFormatError, match="is no version: it could lead out of the store's root"):
            call()


@pytest.mark.parametrize("version", ["b/v1", "b/../v1"])
def test_a_version_is_one_name(version: str, store: PromptAssetStore) -> None:
    write(store, "a/b", "v1")
    with pytest.raises(PromptFormatError, match="is no version"):
        store.get("a", version)


@pytest.mark.parametrize("wrong", [None, 1, b"a", ["a"]])
def test_names_are_texts(wrong: Any, store: PromptAssetStore) -> None:
    with pytest.raises(PromptFormatError, match="a prompt id is a text"):
        store.get(wrong)
    with pytest.raises(PromptFormatError, match="a version is a text"):
        store.get("a", wrong)


def test_a_name_may_be_too_long(store: PromptAssetStore) -> None:
    with pytest.raises(PromptFormatError, match="too long for a file name"):
        store.get("é" * 150)
    with pytest.raises(PromptFormatError, match="too long for a file name"):
        store.add(JUDGE, "a", "v" * 300)


def test_links_cannot_leave_the_root(store: PromptAssetStore, tmp_path: Path) -> None:
    write(store, "a", "v1")
    write(PromptAssetStore(tmp_path / "outside"), "secret", "v1")
    (store.root / "folder").symlink_to(tmp_path / "outside" / "secret")
    (store.root / "a" / "v9.yaml").symlink_to(tmp_path / "outside" / "secret" / "v1.yaml")
    for call in (
        lambda: store.get("folder", "v1"),
        lambda: store.versions("folder"),
        lambda: store.add(JUDGE, "folder", "v2"),
        lambda: store.get("a", "v9"),
        lambda: store.get("a"),
    ):
        with pytest.raises(PromptFormatError, match="this leads out of the store's root"):
            call()


def test_links_inside_the_root_and_to_it_are_fine(store: PromptAssetStore, tmp_path: Path) -> None:
    write(store, "a", "v1")
    (store.root / "a" / "stable.yaml").symlink_to("v1.yaml")
    (tmp_path / "link").symlink_to(store.root)
    assert PromptAssetStore(tmp_path / "link").get("a", "stable").render()[0].text == "Hi"


def test_a_link_to_itself_is_no_version(store: PromptAssetStore) -> None:
    write(store, "a", "v1")
    (store.root / "a" / "loop.yaml").symlink_to("loop.yaml")
    with pytest.raises(PromptNotFoundError, match=r"it has v1\)"):
        store.get("a", "loop")


def test_other_scripts_and_blanks_inside_are_fine(store: PromptAssetStore) -> None:
    store.add(JUDGE, "审查/two words", "v1.0-β")
    assert store.ids() == ["审查/two words"]
    assert store.get("审查/two words").version == "v1.0-β"


# Adding


def test_a_version_is_never_changed(store: PromptAssetStore) -> None:
    store.add(Prompt(user="first"), "a", "v1")
    with pytest.raises(PromptFormatError, match="version 'v1' of 'a' exists; versions do not change"):
        store.add(Prompt(user="second"), "a", "v1")
    assert store.get("a").render()[0].text == "first"
    assert [path.name for path in (store.root / "a").iterdir()] == ["v1.yaml"]


def test_a_dangling_link_is_not_written_through(store: PromptAssetStore) -> None:
    write(store, "a", "v1")
    (store.root / "a" / "v2.yaml").symlink_to("v3.yaml")
    with pytest.raises(PromptFormatError, match="exists"):
        store.add(JUDGE, "a", "v2")


def test_latest_is_no_version(store: PromptAssetStore) -> None:
    with pytest.raises(PromptFormatError, match="'latest' names the highest version"):
        store.add(JUDGE, "a", "latest")


def test_what_the_format_cannot_hold_is_refused_before_anything_is_made(store: PromptAssetStore) -> None:
    with pytest.raises(PromptFormatError, match=r"v1\.yaml: a prompt asset cannot hold variable"):
        store.add(Prompt(user="a", variables=["x"]), "a", "v1")
    assert not store.root.exists()


def test_of_many_that_add_one_version_one_does(store: PromptAssetStore) -> None:
    barrier, refused = threading.Barrier(6), []

    def add(number: int) -> None:
        barrier.wait()
        try:
            store.add(Prompt(user=f"{number}"), "a", "v1")
        except PromptFormatError:
            refused.append(number)

    threads = [threading.Thread(target=add, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 5
    assert int(store.get("a").render()[0].text) not in refused


def test_a_failing_disk_leaves_nothing(store: PromptAssetStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store.add(JUDGE, "a", "v1")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        store.add(JUDGE, "a", "v2")
    monkeypatch.undo()
    assert [path.name for path in (store.root / "a").iterdir()] == ["v1.yaml"]


# Pipeline configurations

CONFIG: dict[str, Any] = {
    "init_config": {
        "backend": "google",
        "model_name": "gemini-3-pro-native",
        "prompt_info": {"prompt_id": "judge", "version": "v1"},
        "api_version": "v1alpha",
        "retries": {"count": 3, "codes": [429]},
    }
}


@pytest.fixture
def filled(store: PromptAssetStore) -> PromptAssetStore:
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


INFO = {"prompt_id": "judge"}
BAD_CONFIGS: dict[str, tuple[Any, str]] = {
    "nothing": ({}, "prompt_info must be a mapping of names to values, not NoneType"),
    "no mapping": ({"init_config": ["a"]}, "init_config must be a mapping of names to values, not list"),
    "prompt_info is a text": ({"prompt_info": "judge"}, "prompt_info must be a mapping of names to values, not str"),
    "no prompt_id": ({"prompt_info": {"version": "v1"}}, "prompt_info needs prompt_id, a text, not None"),
    "prompt_id is a number": ({"prompt_info": {"prompt_id": 3}}, "prompt_info needs prompt_id, a text, not 3"),
    "version is a float": ({"prompt_info": INFO | {"version": 3.1}}, "version, a text, not 3.1; put it into quotes"),
    "version is true": ({"prompt_info": INFO | {"version": True}}, "prompt_info needs version, a text, not True"),
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
    path.write_text("init_config:\n  backend: google\n", encoding="utf-8")
    with pytest.raises(PromptFormatError, match=r"pipeline\.yaml: prompt_info must be a mapping"):
        filled.resolve(path)
