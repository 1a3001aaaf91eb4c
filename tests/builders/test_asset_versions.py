"""Versions of an asset store: labels, digests, comparison, and that what was added does not change."""

import json
import os
import subprocess
import sys
import threading
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from prompt_adapters import Prompt, PromptAssetStore
from prompt_adapters.errors import PromptDiskError, PromptFormatError, PromptNotFoundError

ONE = Prompt("Be brief.", "Hi {{ name }}", parameters={"temperature": 0.2}, metadata={"owner": "no"})
TWO = ONE.replace(user="Hello {{ name }}", parameters={"temperature": 1})


@pytest.fixture
def store(tmp_path: Path) -> PromptAssetStore:
    store = PromptAssetStore(tmp_path / "assets")
    store.add(ONE, "mail/greet", "v1")
    store.add(TWO, "mail/greet", "v2")
    return store


def file_of(store: PromptAssetStore, version: str) -> Path:
    return store.root / "mail" / "greet" / f"{version}.yaml"


def edit(store: PromptAssetStore, version: str = "v1", old: str = "Be brief.", new: str = "Be long.") -> Path:
    path = file_of(store, version)
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path


# Labels


def test_a_label_names_a_version_until_it_moves(store: PromptAssetStore) -> None:
    assert store.labels("mail/greet") == {}
    store.set_label("mail/greet", "production", "v1")
    store.set_label("mail/greet", "staging")
    assert store.labels("mail/greet") == {"production": "v1", "staging": "v2"}
    for prompt in (store.get("mail/greet", "production"), store.get("mail/greet", label="production")):
        assert prompt == store.get("mail/greet", "v1")
    store.set_label("mail/greet", "production", "staging")
    assert store.get("mail/greet", label="production").version == "v2"
    store.remove_label("mail/greet", "staging")
    assert PromptAssetStore(store.root).labels("mail/greet") == {"production": "v2"}
    assert store.versions("mail/greet") == ["v1", "v2"]
    assert store.ids() == ["mail/greet"]


def test_what_there_is_is_named(store: PromptAssetStore) -> None:
    store.set_label("mail/greet", "production", "v1")
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: store.get("mail/greet", "v3"), r"has no version 'v3'.*\(it has v1, v2, the label production\)"),
        (lambda: store.get("mail/greet", label="live"), "'mail/greet' has no label 'live'; it has production"),
        (lambda: store.get("mail/gret", label="live"), "there is no prompt 'mail/gret'; did you mean 'mail/greet'"),
        (lambda: store.get("MAIL/GREET"), "there is no prompt 'MAIL/GREET'; did you mean 'mail/greet'"),
        (lambda: store.remove_label("mail/greet", "live"), "has no label 'live'"),
        (lambda: store.remove_label("nope", "live"), "there is no prompt 'nope'"),
        (lambda: store.set_label("mail/greet", "live", "v3"), "has no version 'v3'"),
        (lambda: store.set_label("nope", "live"), "there is no prompt 'nope'"),
    ]
    for call, reason in cases:
        with pytest.raises(PromptNotFoundError, match=reason):
            call()
    assert store.labels("nope") == {}


@pytest.mark.parametrize(
    ("label", "reason"),
    [
        ("latest", "'latest' is no label"),
        ("Latest", "'Latest' is no label"),
        ("a/b", "'a/b' is no label"),
        ("../x", "is no label"),
        ("", "is no label"),
        ("v1", "has a version 'v1'; call the label otherwise"),
        ("V2", "has a version 'v2'"),
        ("PRODUCTION", "has another label 'production'"),
        (None, "a label is a text"),
        (3, "a label is a text"),
    ],
)
def test_names_that_no_label_has(label: Any, reason: str, store: PromptAssetStore) -> None:
    store.set_label("mail/greet", "production", "v1")
    with pytest.raises(PromptFormatError, match=reason):
        store.set_label("mail/greet", label, "v2")
    assert store.labels("mail/greet") == {"production": "v1"}


def test_a_version_is_not_called_like_a_label(store: PromptAssetStore) -> None:
    store.set_label("mail/greet", "production", "v1")
    for version in ("production", "Production"):
        with pytest.raises(
            PromptFormatError, match="'production' is a label of 'mail/greet'; call the version otherwise"
        ):
            store.add(ONE, "mail/greet", version)
    assert store.versions("mail/greet") == ["v1", "v2"]


def test_labels_may_be_of_any_script(store: PromptAssetStore) -> None:
    composed, decomposed = (unicodedata.normalize(form, "vérifié") for form in ("NFC", "NFD"))
    store.set_label("mail/greet", decomposed, "v1")
    assert store.get("mail/greet", label=composed).version == "v1"
    assert store.get("mail/greet", decomposed).version == "v1"
    store.set_label("mail/greet", composed, "v2")
    assert store.labels("mail/greet") == {composed: "v2"}
    store.remove_label("mail/greet", decomposed)
    assert store.labels("mail/greet") == {}


def test_many_that_move_labels_lose_none(store: PromptAssetStore) -> None:
    def move(number: int) -> None:
        for version in ("v1", "v2") * 5:
            store.set_label("mail/greet", f"label-{number}", version)

    threads = [threading.Thread(target=move, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert set(store.labels("mail/greet").values()) <= {"v1", "v2"}
    assert store.labels("mail/greet") == {f"label-{number}": "v2" for number in range(4)}


def test_a_disk_that_refuses_leaves_the_label(store: PromptAssetStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store.set_label("mail/greet", "production", "v1")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PromptDiskError, match=r"index\.json: this cannot be written: No space left"):
        store.set_label("mail/greet", "production", "v2")
    monkeypatch.undo()
    assert store.labels("mail/greet") == {"production": "v1"}


# Digests


def test_the_digest_is_of_what_a_version_says(store: PromptAssetStore) -> None:
    digest = store.digest("mail/greet", "v1")
    assert digest == ONE.digest == PromptAssetStore(store.root).digest("mail/greet", "v1")
    assert digest != store.digest("mail/greet") == TWO.digest
    store.add(ONE, "other", "3.10")
    assert store.digest("other") == digest
    assert store.get("other").digest != digest


def test_the_digest_is_the_same_in_every_process(store: PromptAssetStore) -> None:
    """The number itself is written here: another machine or release must not give another one."""
    assert store.digest("mail/greet", "v1") == "0b1e6372fa42f121c8dc30e7ad83a33b045ec9a8771dafbd3fec9aa4c519ef04"
    code = (
        "from sys import argv; from prompt_adapters import PromptAssetStore as S; print(S(argv[1]).digest(*argv[2:]))"
    )
    for seed in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": "C"}
        run = subprocess.run(
            [sys.executable, "-c", code, str(store.root), "mail/greet", "v1"], env=env, capture_output=True, check=True
        )
        assert run.stdout.decode().strip() == store.digest("mail/greet", "v1")


def test_comments_quotes_and_line_ends_are_no_content(store: PromptAssetStore) -> None:
    path = file_of(store, "v1")
    text = path.read_text(encoding="utf-8")
    path.write_bytes(("\ufeff# mine\n" + text.replace("'no'", "no")).replace("\n", "\r\n").encode())
    assert store.get("mail/greet", "v1").metadata == {"owner": "no"}
    assert store.digest("mail/greet", "v1") == ONE.digest
    assert store.verify() == ()


# What was added does not change


def test_equal_content_changes_nothing(store: PromptAssetStore) -> None:
    path = file_of(store, "v1")
    before = path.read_bytes(), path.stat().st_ino
    assert store.add(ONE, "mail/greet", "v1") == path
    assert store.add(ONE.replace(name="x", version="y"), "mail/greet", "v1") == path
    assert (path.read_bytes(), path.stat().st_ino) == before


def test_another_content_is_refused(store: PromptAssetStore) -> None:
    with pytest.raises(PromptFormatError, match="version 'v1' of 'mail/greet' exists with another content"):
        store.add(TWO, "mail/greet", "v1")
    assert store.get("mail/greet", "v1") == ONE.replace(name="mail/greet", version="v1")


def test_an_edited_file_is_noticed(store: PromptAssetStore) -> None:
    store.set_label("mail/greet", "production", "v1")
    path = edit(store)
    calls: list[Callable[[], object]] = [
        lambda: store.get("mail/greet", "v1"),
        lambda: store.get("mail/greet", label="production"),
        lambda: store.digest("mail/greet", "v1"),
        lambda: store.compare("mail/greet", "v1"),
        lambda: store.set_label("mail/greet", "staging", "v1"),
        lambda: store.add(ONE, "mail/greet", "v1"),
    ]
    for call in calls:
        with pytest.raises(PromptFormatError, match="'v1' of 'mail/greet' was edited after it was added") as caught:
            call()
        assert caught.value.path == str(path)
    assert [str(error) for error in store.verify()] == [str(caught.value)]
    assert store.get("mail/greet").version == "v2"
    edit(store, old="Be long.", new="Be brief.")
    assert store.verify() == ()


def test_a_file_that_is_gone_or_broken_is_reported(store: PromptAssetStore) -> None:
    store.add(ONE, "other", "v1")
    file_of(store, "v1").unlink()
    file_of(store, "v2").write_text("user_prompt: [", encoding="utf-8")
    reasons = ["version 'v1' of 'mail/greet' is gone; bring its file back", "v2.yaml: line 1: not valid YAML"]
    for found in (store.verify(), store.verify("mail/greet")):
        assert len(found) == len(reasons)
        for error, reason in zip(found, reasons, strict=True):
            assert reason in str(error)
    assert store.verify("other") == store.verify("nope") == ()


def test_files_that_people_put_there_may_be_edited_until_they_have_a_label(store: PromptAssetStore) -> None:
    file_of(store, "v3").write_text("user_prompt: [{text: Hi}]", encoding="utf-8")
    assert store.get("mail/greet").render()[-1].text == "Hi"
    edit(store, "v3", "Hi", "Ho")
    assert store.get("mail/greet").render()[-1].text == "Ho"
    store.set_label("mail/greet", "production")
    edit(store, "v3", "Ho", "Hm")
    with pytest.raises(PromptFormatError, match="was edited"):
        store.get("mail/greet")


def test_a_version_that_a_killed_process_added_is_taken_up(store: PromptAssetStore) -> None:
    """The file is there, and the index does not know it yet."""
    index = store.root / "mail" / "greet" / "index.json"
    before = index.read_bytes()
    store.add(ONE, "mail/greet", "v3")
    after = index.read_bytes()
    index.write_bytes(before)
    assert store.get("mail/greet").version == "v3"
    store.add(ONE, "mail/greet", "v3")
    assert index.read_bytes() == after


def test_an_edit_of_the_name_is_one(store: PromptAssetStore) -> None:
    for old, new in (("version: v1", "version: v2"), ("prompt_id: mail/greet", "prompt_id: mail/other")):
        path = edit(store, "v1", old, new)
        with pytest.raises(PromptFormatError, match="'v1' of 'mail/greet' was edited after it was added"):
            store.get("mail/greet", "v1")
        path.write_text(path.read_text(encoding="utf-8").replace(new, old), encoding="utf-8")
    assert store.verify() == ()


def test_hidden_files_are_no_versions(store: PromptAssetStore) -> None:
    """As macOS keeps on disks of others, and editors while they have a file open."""
    folder = file_of(store, "v1").parent
    (folder / "._v1.yaml").write_bytes(b"\x00\x05\x16\x07")
    (folder / ".#v9.yaml").symlink_to("somebody@somewhere")
    (folder / ".v9.yaml").write_text("user_prompt: [{text: Hi}]", encoding="utf-8")
    assert store.versions("mail/greet") == ["v1", "v2"]
    assert store.verify() == ()
    (store.root / "other").mkdir()
    (store.root / "other" / "._v1.yaml").write_bytes(b"\x00\x05\x16\x07")
    assert store.ids() == ["mail/greet"]


def test_the_latest_whatever_the_case(store: PromptAssetStore) -> None:
    store.add(TWO, "mail/greet", "V3")
    store.add(ONE, "mail/greet", "V10")
    assert store.versions("mail/greet") == ["v1", "v2", "V3", "V10"]
    assert store.get("mail/greet").version == "V10"


# Comparing


def test_versions_are_compared(store: PromptAssetStore) -> None:
    store.set_label("mail/greet", "production", "v1")
    differences = store.compare("mail/greet", "v1", "v2")
    assert differences == store.compare("mail/greet", "production")
    assert [difference.where for difference in differences] == ["message 2 (user)", "parameter 'temperature'"]
    assert [str(difference) for difference in differences] == [
        "message 2 (user) changed:\n  -Hi {{ name }}\n  \\ no newline at the end\n  +Hello {{ name }}\n"
        "  \\ no newline at the end",
        "parameter 'temperature' changed: 0.2 → 1",
    ]
    assert store.compare("mail/greet", "v1", "production") == ()


# The index

INDEX = {"labels": {"production": "v1"}, "versions": {}}
BROKEN: dict[str, tuple[str, str]] = {
    "no JSON": ("{", "line 1: not valid JSON"),
    "a list": ("[]", "not list at the top"),
    "unknown key": ('{"aliases": {}}', "not the unknown key 'aliases'"),
    "labels are a list": ('{"labels": []}', "'labels' is a mapping"),
    "a label of a number": ('{"labels": {"a": 3}}', "label 'a' is for a version, a text, not 3"),
    "a label twice": ('{"labels": {"a": "v1", "a": "v2"}}', "the key 'a' stands twice"),
    "a label that is taken": ('{"labels": {"Latest": "v1"}}', "'Latest' is no label: it means the highest version"),
    "a label twice, in two forms": ('{"labels": {"\u00e9": "v1", "e\u0301": "v2"}}', "'é' stands twice in 'labels'"),
    "a version without digests": ('{"versions": {"v1": {}}}', "version 'v1' has not the two digests"),
    "more of a version": ('{"versions": {"v1": {"content": "", "file": "", "x": 1}}}', "'v1' has not the two digests"),
}


@pytest.mark.parametrize(("text", "reason"), BROKEN.values(), ids=BROKEN)
def test_a_broken_index_is_named(text: str, reason: str, store: PromptAssetStore) -> None:
    path = store.root / "mail" / "greet" / "index.json"
    path.write_text(text, encoding="utf-8")
    calls: list[Callable[[], object]] = [
        lambda: store.get("mail/greet"),
        lambda: store.labels("mail/greet"),
        lambda: store.add(ONE, "mail/greet", "v3"),
        lambda: store.set_label("mail/greet", "live"),
    ]
    for call in calls:
        with pytest.raises(PromptFormatError, match=reason) as caught:
            call()
        assert caught.value.path == str(path)
    assert [error.path for error in store.verify()] == [str(path)]
    assert path.read_text(encoding="utf-8") == text


def test_labels_may_be_edited_by_hand(store: PromptAssetStore) -> None:
    path = store.root / "mail" / "greet" / "index.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    assert list(data) == ["labels", "versions"]
    path.write_text(json.dumps(data | {"labels": {"live": "v1", "lost": "v7"}}), encoding="utf-8")
    assert store.get("mail/greet", label="live").version == "v1"
    with pytest.raises(PromptNotFoundError, match="version 'v7' of 'mail/greet' is gone"):
        store.get("mail/greet", label="lost")
    assert ["'v7'" in str(error) for error in store.verify()] == [True]


def test_an_index_may_be_written_decomposed(store: PromptAssetStore) -> None:
    """By hand on a machine whose keyboard writes so; an edit is still noticed."""
    composed, decomposed = (unicodedata.normalize(form, "vérifié") for form in ("NFC", "NFD"))
    store.add(ONE, "mail/greet", composed)
    path = store.root / "mail" / "greet" / "index.json"
    data = json.loads(unicodedata.normalize("NFD", path.read_text(encoding="utf-8")))
    path.write_text(json.dumps(data | {"labels": {"créé": decomposed}}, ensure_ascii=False), encoding="utf-8")
    assert store.labels("mail/greet") == {"créé": composed}
    assert store.get("mail/greet", label="créé").version == composed
    edit(store, composed)
    with pytest.raises(PromptFormatError, match="was edited"):
        store.get("mail/greet", "créé")


def test_an_index_that_leads_out_is_not_read(store: PromptAssetStore, tmp_path: Path) -> None:
    path = store.root / "mail" / "greet" / "index.json"
    path.rename(tmp_path / "index.json")
    path.symlink_to(tmp_path / "index.json")
    before = (tmp_path / "index.json").read_bytes()
    calls: list[Callable[[], object]] = [
        lambda: store.get("mail/greet"),
        lambda: store.set_label("mail/greet", "live"),
    ]
    for call in calls:
        with pytest.raises(PromptFormatError, match="this leads out of the store's root"):
            call()
    assert (tmp_path / "index.json").read_bytes() == before
