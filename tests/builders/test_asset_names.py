"""Names of prompts and versions: every script, every file system, and what the store itself keeps there."""

import os
import unicodedata
from pathlib import Path

import pytest

from prompt_adapters import Prompt, PromptAssetStore
from prompt_adapters.errors import PromptFormatError, PromptNotFoundError
from prompt_adapters.formats import places

ONE = Prompt("Be brief.", "Hi {{ name }}", parameters={"temperature": 0.2}, metadata={"owner": "no"})
TWO = ONE.replace(user="Hello {{ name }}", parameters={"temperature": 1})


@pytest.fixture(autouse=True)
def _unflushed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Flushing is for machines that die, and takes long."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


@pytest.fixture
def store(tmp_path: Path) -> PromptAssetStore:
    store = PromptAssetStore(tmp_path / "assets")
    store.add(ONE, "mail/greet", "v1")
    store.add(TWO, "mail/greet", "v2")
    return store


# Names on every file system

UNFIT = ["con", "CON", "nul.x", "com1", "LPT9", "aux", "what?", "a*b", "a<b", 'a"b', "a|b", ".hidden"]


@pytest.mark.parametrize("name", UNFIT)
def test_names_that_windows_has_not_are_not_written(name: str, store: PromptAssetStore) -> None:
    for prompt_id, version in ((f"mail/{name}", "v1"), ("mail/greet", name)):
        with pytest.raises(PromptFormatError, match="to be written: not every file system has files of this name"):
            store.add(ONE, prompt_id, version)
    assert store.ids() == ["mail/greet"]
    (store.root / "mail" / name).mkdir()
    (store.root / "mail" / name / "v1.yaml").write_text("user_prompt: [{text: Hi}]", encoding="utf-8")
    assert store.get(f"mail/{name}").render()[0].text == "Hi"


@pytest.mark.parametrize("name", ["constant", "company", "nullable", "com10", "a.con", "v1.0 β", "审查", "é"])
def test_names_that_everybody_has_are_written(name: str, store: PromptAssetStore) -> None:
    store.add(ONE, f"mail/{name}", name)
    assert store.get(f"mail/{name}").version == name


def test_names_that_differ_by_case_only_are_refused(store: PromptAssetStore) -> None:
    for prompt_id, version in (("Mail/greet", "v1"), ("mail/Greet", "v1"), ("mail/greet", "V1")):
        with pytest.raises(PromptFormatError, match="by case only; some file systems have one of them"):
            store.add(ONE, prompt_id, version)
    store.add(Prompt(user="a"), "straße", "v1")
    with pytest.raises(PromptFormatError, match="by case only"):
        store.add(ONE, "STRASSE", "v1")
    assert store.ids() == ["mail/greet", "straße"]


def test_ids_are_equal_however_they_are_composed(store: PromptAssetStore) -> None:
    composed, decomposed = (unicodedata.normalize(form, "café/ö") for form in ("NFC", "NFD"))
    store.add(ONE, decomposed, "v1")
    store.add(TWO, composed, "v2")
    assert store.ids() == [composed, "mail/greet"]
    assert store.versions(decomposed) == store.versions(composed) == ["v1", "v2"]
    assert store.get(decomposed, "v2").name == composed


def test_a_name_may_stand_decomposed_on_the_disk(store: PromptAssetStore) -> None:
    """As file systems of macOS wrote it, or an archive that was made there."""
    composed, decomposed = (unicodedata.normalize(form, "café") for form in ("NFC", "NFD"))
    (store.root / decomposed).mkdir()
    (store.root / decomposed / f"{decomposed}.yaml").write_text("user_prompt: [{text: Hi}]", encoding="utf-8")
    for name in (composed, decomposed):
        assert store.get(name, name).version == composed
        assert store.versions(name) == [composed]
    store.add(ONE, composed, "v1")
    assert sorted(path.name for path in (store.root / decomposed).iterdir()) == sorted(
        [f"{decomposed}.yaml", "index.json", "v1.yaml"]
    )
    (store.root / composed).mkdir()
    with pytest.raises(PromptFormatError, match="'café' is there twice, composed and decomposed; remove one of them"):
        store.get(composed)


def test_a_file_system_that_ignores_case(store: PromptAssetStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says that there is a file of another case; the store says that there is none, as elsewhere."""

    def is_there(path: Path) -> bool:
        return path.parent.is_dir() and any(entry.name.lower() == path.name.lower() for entry in path.parent.iterdir())

    monkeypatch.setattr(places, "is_there", is_there)
    assert store.get("mail/greet", "v1").version == "v1"
    assert store.versions("Mail/greet") == []
    for prompt_id, version in (("Mail/greet", "latest"), ("mail/GREET", "v1"), ("mail/greet", "V1")):
        with pytest.raises(PromptNotFoundError, match=r"did you mean 'mail/greet'|differs from this name by case"):
            store.get(prompt_id, version)


@pytest.mark.parametrize("name", ["index.json", "INDEX.JSON", "v1.yaml", "v9.YAML", "a/v9.yaml/b"])
def test_an_id_is_not_called_like_the_files_of_another(name: str, store: PromptAssetStore) -> None:
    """A folder of that name would stand where a version of the prompt above, or its index, belongs."""
    for prompt_id in (f"mail/greet/{name}", f"new/{name}"):
        with pytest.raises(PromptFormatError, match=r"is no prompt id to be written|by case only"):
            store.add(ONE, prompt_id, "v1")
    store.add(ONE, "mail/greet", "v9")
    assert store.ids() == ["mail/greet"]
    assert store.verify() == ()


@pytest.mark.parametrize(
    "name",
    [
        "日本語",
        "العربية",
        "हिन्दी",
        "ไทย",
        "ελ.1",
        "Ω-ς",
        "🚀",
        "👩‍🚀",
        "x\u200by",
        "-x",
        "$HOME",
        "%x%",
        "a%2fb",
        "~",
        "..a..b"[2:],
    ],
    ids=ascii,
)
def test_names_of_any_script(name: str, store: PromptAssetStore) -> None:
    store.add(ONE, f"any/{name}", name)
    store.set_label(f"any/{name}", f"{name}!", name)
    assert store.ids() == [f"any/{name}", "mail/greet"]
    for prompt in (store.get(f"any/{name}"), store.get(f"any/{name}", name), store.get(f"any/{name}", f"{name}!")):
        assert (prompt.name, prompt.version) == (f"any/{name}", name)
    assert store.verify() == ()


@pytest.mark.parametrize("character", ["a", "é", "e\u0301", "\u0958", "\U0001d160", "🚀"], ids=ascii)
def test_a_name_is_as_long_as_it_is_on_the_disk(character: str, store: PromptAssetStore) -> None:
    """Some characters are longer when they are composed, and some are shorter."""
    size = len(unicodedata.normalize("NFC", character).encode())
    longest = character * (200 // size)
    store.add(ONE, f"long/{longest}", longest)
    assert store.get(f"long/{longest}", longest).version == unicodedata.normalize("NFC", longest)
    for prompt_id, version in ((f"long/{longest}{character}", "v1"), ("long/a", longest + character)):
        with pytest.raises(PromptFormatError, match="too long for a file name"):
            store.add(ONE, prompt_id, version)
