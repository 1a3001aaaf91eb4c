"""`PromptAssetStore`: prompts by id and version, and what cannot leave the root."""

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from prompt_adapters import Image, Prompt, PromptAssetStore
from prompt_adapters.errors import (
    MissingVariableError,
    PromptDiskError,
    PromptFormatError,
    PromptNotFoundError,
    TemplateError,
)
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


def test_a_folder_that_cannot_be_listed_is_not_empty(store: PromptAssetStore, monkeypatch: pytest.MonkeyPatch) -> None:
    path, listdir = write(store, "a", "v1"), os.listdir

    def refuse(folder: Path) -> list[str]:
        if Path(folder) == path.parent:
            raise PermissionError(13, "Permission denied")
        return listdir(folder)

    monkeypatch.setattr(os, "listdir", refuse)
    calls: list[Callable[[], object]] = [
        lambda: store.versions("a"),
        lambda: store.get("a"),
        lambda: store.add(JUDGE, "a", "v2"),
    ]
    for call in calls:
        with pytest.raises(PromptDiskError, match="a: this cannot be read: Permission denied"):
            call()
    assert [type(error) for error in store.verify("a")] == [PromptDiskError]


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
        lambda: store.labels(prompt_id),
        lambda: store.set_label(prompt_id, "live"),
        lambda: store.remove_label(prompt_id, "live"),
        lambda: store.compare(prompt_id, "v1"),
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
    with pytest.raises(PromptFormatError, match="version 'v1' of 'a' exists with another content; versions do"):
        store.add(Prompt(user="second"), "a", "v1")
    assert store.get("a").render()[0].text == "first"
    assert sorted(path.name for path in (store.root / "a").iterdir()) == ["index.json", "v1.yaml"]


@pytest.mark.parametrize("wrong", [None, "Hi", {"user": "Hi"}, b"Hi"])
def test_only_a_prompt_is_added(wrong: Any, store: PromptAssetStore) -> None:
    with pytest.raises(PromptFormatError, match=f"only a Prompt can be added, not {type(wrong).__name__}"):
        store.add(wrong, "a", "v1")
    assert not store.root.exists()


def test_a_dangling_link_is_not_written_through(store: PromptAssetStore) -> None:
    write(store, "a", "v1")
    (store.root / "a" / "v2.yaml").symlink_to("v3.yaml")
    with pytest.raises(PromptFormatError, match="version 'v2' of 'a' is gone"):
        store.add(JUDGE, "a", "v2")
    assert not (store.root / "a" / "v3.yaml").exists()


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
    with pytest.raises(PromptDiskError, match=r"v2\.yaml: this cannot be written: No space left"):
        store.add(JUDGE, "a", "v2")
    monkeypatch.undo()
    assert sorted(path.name for path in (store.root / "a").iterdir()) == ["index.json", "v1.yaml"]
