"""An asset store, and saved prompts, on a disk that ignores case: the same as on one that does not."""

import os
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from insensitive import Insensitive
from prompt_adapters import Prompt, PromptAssetStore, load_prompt, save_prompt
from prompt_adapters.errors import PromptFormatError, PromptNotFoundError
from prompt_adapters.formats import FORMATS, held_by
from prompt_adapters.formats.folders import iter_prompts

ONE = Prompt("Be brief.", "Hi {{ name }}")
TWO = ONE.replace(user="Hello {{ name }}")


@pytest.fixture(autouse=True)
def _unflushed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Flushing is for machines that die, and takes long."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


@pytest.fixture(params=["given", "NFD"])
def disk(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    form: Literal["given", "NFD"] = request.param
    with pytest.MonkeyPatch.context() as patch:
        Insensitive(patch, tmp_path, form)
        yield tmp_path


@pytest.fixture
def store(disk: Path) -> PromptAssetStore:
    store = PromptAssetStore(disk / "assets")
    store.add(ONE, "Mail/größe", "v1")
    store.add(TWO, "Mail/größe", "V2-é")
    store.set_label("Mail/größe", "live", "v1")
    return store


def test_the_disk_ignores_case(disk: Path) -> None:
    save_prompt(ONE, disk / "Größe.yaml")
    assert (disk / unicodedata.normalize("NFD", "GRÖSSE.YAML")).exists()
    assert not (disk / "grosse.yaml").exists()


def test_names_are_those_that_were_given(store: PromptAssetStore) -> None:
    assert store.ids() == ["Mail/größe"]
    assert store.versions("Mail/größe") == ["v1", "V2-é"]
    for form in ("NFC", "NFD"):
        prompt_id, version = (unicodedata.normalize(form, name) for name in ("Mail/größe", "V2-é"))
        assert store.get(prompt_id).version == store.get(prompt_id, version).version == "V2-é"
        assert store.get(prompt_id, "live").version == store.get(prompt_id, label="live").version == "v1"
    assert store.verify() == ()


@pytest.mark.parametrize(
    ("prompt_id", "version"),
    [("mail/größe", "v1"), ("Mail/GRÖSSE", "v1"), ("Mail/Größe", "v1"), ("Mail/größe", "V1"), ("Mail/größe", "v2-É")],
)
def test_another_case_is_another_name(prompt_id: str, version: str, store: PromptAssetStore) -> None:
    with pytest.raises(PromptNotFoundError, match=r"did you mean|differs from this name by case|has no version"):
        store.get(prompt_id, version)
    before = sorted((store.root / "Mail" / "größe").iterdir())
    with pytest.raises(PromptFormatError, match="by case only; some file systems have one"):
        store.add(TWO, prompt_id, version)
    assert sorted((store.root / "Mail" / "größe").iterdir()) == before
    assert store.ids() == ["Mail/größe"]
    assert store.verify() == ()


def test_versions_do_not_change_there_either(store: PromptAssetStore) -> None:
    with pytest.raises(PromptFormatError, match="exists with another content"):
        store.add(TWO, "Mail/größe", "v1")
    with pytest.raises(PromptFormatError, match="'live' is a label"):
        store.add(TWO, "Mail/größe", "LIVE")
    store.add(ONE, unicodedata.normalize("NFD", "Mail/größe"), "v1")
    path = store.root / "Mail" / unicodedata.normalize("NFC", "größe") / "v1.yaml"
    data = load_prompt(path).replace(user="Ho")
    save_prompt(data, path)
    with pytest.raises(PromptFormatError, match="was edited after it was added"):
        store.get("Mail/größe", "v1")


@pytest.mark.parametrize("name", FORMATS)
def test_a_path_of_another_case_is_the_same_file(name: str, disk: Path) -> None:
    kept, suffix = held_by(ONE, name)[0], (*FORMATS[name].suffixes, ".json")[0]
    save_prompt(kept, disk / f"Größe{suffix}", name)
    changed = held_by(TWO, name)[0]
    save_prompt(changed, disk / unicodedata.normalize("NFD", f"GRÖSSE{suffix}"), name)
    assert load_prompt(disk / f"größe{suffix}", name) == changed
    if FORMATS[name].suffixes:  # the others are not told by a name
        assert [result for _, result in iter_prompts(disk)] == [changed]
    assert len([*disk.iterdir()]) == 1
