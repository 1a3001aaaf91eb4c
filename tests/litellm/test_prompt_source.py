"""Where a manager's prompts come from: ids, versions, reloading, and no way out of the folder."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from prompt_adapters import Prompt, PromptAssetStore, load_prompt, save_prompt
from prompt_adapters.errors import PromptFormatError, PromptNotFoundError
from prompt_adapters.litellm import prompt_source
from prompt_adapters.litellm.prompt_source import DirectorySource, StoreSource, source_of

SAY = Prompt(user="Say {{ word }}.")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "prompts"
    save_prompt(SAY, root / "mail" / "say")
    save_prompt(SAY.replace(name="json"), root / "json.json")
    (root / "shout.prompt").write_text("---\nversion: '2'\n---\n$user$\nShout %word%!", encoding="utf-8")
    (root / "asset.yaml").write_text("user_prompt: [text: 'Ask {{ word }}']\n", encoding="utf-8")
    (root / "two.v1.prompt").write_text("One %word%", encoding="utf-8")
    (root / "two.v2.prompt").write_text("Two %word%", encoding="utf-8")
    (root / "two.v10.prompt").write_text("Ten %word%", encoding="utf-8")
    (root / ".hidden.prompt").write_text("Hidden", encoding="utf-8")
    (tmp_path / "outside.prompt").write_text("Outside", encoding="utf-8")
    (root / "out.prompt").symlink_to(tmp_path / "outside.prompt")
    return root


def ends(prompt: Prompt) -> str:
    return prompt.render(word="hi")[-1].text


@pytest.mark.parametrize(
    ("prompt_id", "version", "text"),
    [
        ("mail/say", None, "Say hi."),
        ("json", None, "Say hi."),
        ("json.json", None, "Say hi."),
        ("shout", None, "Shout hi!"),
        ("shout.prompt", None, "Shout hi!"),
        ("shout", "2", "Shout hi!"),
        ("asset", None, "Ask hi"),
        ("two", "1", "One hi"),
        ("two", "2", "Two hi"),
        ("two", "v2", "Two hi"),
        ("two", None, "Ten hi"),
        ("two.v1", None, "One hi"),
    ],
)
def test_ids_in_a_directory(prompt_id: str, version: str | None, text: str, folder: Path) -> None:
    source = source_of(folder)
    assert source.has(prompt_id)
    assert ends(source.find(prompt_id, version, None)) == text


@pytest.mark.parametrize(
    "prompt_id",
    [
        "no",
        "",
        "/",
        "mail",
        "../outside",
        "mail/../../outside",
        "out",
        "/etc/hostname",
        "mail//say",
        "mail/",
        "..",
        ".hidden",
        "mail\\say",
        "a\0b",
        "x" * 300,
        "C:outside",
        "mail/say/user_prompt",
    ],
)
def test_what_is_no_id_of_a_directory(prompt_id: str, folder: Path) -> None:
    assert not source_of(folder).has(prompt_id)
    assert not StoreSource(PromptAssetStore(folder)).has(prompt_id)


@pytest.mark.parametrize(
    ("prompt_id", "version", "label", "reason"),
    [
        ("shout", "3", None, "prompt 'shout' has no version '3'; it has 2"),
        ("mail/say", "1", None, "prompt 'mail/say' has no version '1'; it has none"),
        ("two", "3", None, "prompt 'two' has no version '3'; it has v1, v2, v10"),
        ("shout", None, "production", "has no label 'production': prompts in a directory have no labels"),
    ],
)
def test_versions_that_are_not_there(
    prompt_id: str, version: str | None, label: str | None, reason: str, folder: Path
) -> None:
    with pytest.raises(PromptNotFoundError) as caught:
        source_of(folder).find(prompt_id, version, label)
    assert reason in str(caught.value)


def test_a_prompt_that_is_there_twice(folder: Path) -> None:
    (folder / "asset.prompt").write_text("Another", encoding="utf-8")
    with pytest.raises(PromptFormatError, match=r"'asset' is there twice, as 'asset\.prompt' and 'asset\.yaml'"):
        source_of(folder).find("asset", None, None)
    assert ends(source_of(folder).find("asset.yaml", None, None)) == "Ask hi"


def test_a_new_version_is_found(folder: Path) -> None:
    source = source_of(folder)
    assert ends(source.find("two", None, None)) == "Ten hi"
    aged(folder)
    assert source.has("two")
    (folder / "two.v11.prompt").write_text("Eleven %word%", encoding="utf-8")
    (folder / "two.v12.tmp").write_text("Twelve", encoding="utf-8")
    assert ends(source.find("two", None, None)) == "Eleven hi"
    (folder / "two.prompt").write_text("Itself %word%", encoding="utf-8")
    assert ends(source.find("two", None, None)) == "Itself hi"


def test_similar_ids(folder: Path) -> None:
    source = source_of(folder)
    assert [source.similar(name) for name in ("shot", "mail/sa", "mail/x", "no/such", "../outsid", "")] == [
        "shout", "mail/say", None, None, None, None,
    ]  # fmt: skip


def aged(path: Path) -> None:
    for entry in [path, *(path.iterdir() if path.is_dir() else ())]:
        os.utime(entry, (1_000_000_000, 1_000_000_000))


@pytest.mark.parametrize("name", ["mail/say", "shout"])
def test_a_prompt_is_loaded_once_while_its_files_stand(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads: list[Path] = []

    def load(path: Path) -> Prompt:
        loads.append(path)
        return load_prompt(path)

    monkeypatch.setattr(prompt_source, "load_prompt", load)
    place = folder / name if name == "mail/say" else folder / "shout.prompt"
    text = place / "user_prompt.txt" if name == "mail/say" else place
    source = source_of(folder)
    source.find(name, None, None)
    source.find(name, None, None)
    assert len(loads) == 2  # what was written just now may change without a new time
    aged(place)
    first = source.find(name, None, None)
    assert source.find(name, None, None) is first
    assert len(loads) == 3
    data = text.read_bytes().replace(b"S", b"s")
    text.write_bytes(data)
    os.utime(text, (1_000_000_000, 1_000_000_000))  # the same size and time: the system still knows of the change
    assert source.find(name, None, None) != first
    text.unlink()
    with pytest.raises(PromptFormatError):
        source.find(name, None, None)


def test_not_more_is_kept_than_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompt_source, "_MOST", 3)
    source = DirectorySource(folder)
    for number in range(6):
        (folder / f"p{number}.prompt").write_text("Hi", encoding="utf-8")
        aged(folder / f"p{number}.prompt")
        source.find(f"p{number}", None, None)
    assert len(source._shelf._kept) == 3


def test_a_store_gives_the_latest_and_any_version(tmp_path: Path) -> None:
    store = PromptAssetStore(tmp_path)
    for version in ("v1", "v9", "v10"):
        store.add(Prompt(user=f"{version} {{{{ word }}}}"), "judge", version)
    source = source_of(store)
    texts = [ends(source.find("judge", version, None)) for version in (None, "v9", "9", "10")]
    assert texts == ["v10 hi", "v9 hi", "v9 hi", "v10 hi"]
    store.add(Prompt(user="v11 {{ word }}"), "judge", "v11")
    assert ends(source.find("judge", None, None)) == "v11 hi"
    assert source.similar("juge") == "judge"
    with pytest.raises(PromptNotFoundError, match="prompt 'judge' has no label 'production'; it has none"):
        source.find("judge", None, "production")


def test_a_store_with_labels_is_asked_for_them(tmp_path: Path) -> None:
    store = PromptAssetStore(tmp_path)
    for version in ("v1", "v2"):
        store.add(Prompt(user=f"{version} {{{{ word }}}}"), "judge", version)
    source = source_of(store)
    for version in ("v1", "v2", "v1"):  # the label moves, and the next call knows
        store.set_label("judge", "production", version)
        assert ends(source.find("judge", None, "production")) == f"{version} hi"
        assert ends(source.find("judge", "production", None)) == f"{version} hi"
    with pytest.raises(PromptFormatError, match="give a version or a label, not both"):
        source.find("judge", "v1", "production")


def test_a_store_of_ones_own() -> None:
    class Own:
        def get(self, prompt_id: str, version: str = "2") -> Prompt:
            return Prompt(user=f"{prompt_id} {version} {{{{ word }}}}")

        def versions(self, prompt_id: str) -> list[str]:
            return ["1", "2"] if prompt_id == "judge" else []

        def ids(self) -> list[str]:
            return ["judge"]

    source = source_of(Own())
    assert [source.has("judge"), source.has("no"), source.similar("jude")] == [True, False, "judge"]
    assert [ends(source.find("judge", version, None)) for version in (None, "1")] == ["judge 2 hi", "judge 1 hi"]
    with pytest.raises(PromptNotFoundError, match="this store has no labels"):
        source.find("judge", None, "production")


def test_a_mapping_is_looked_into_each_time() -> None:
    prompts: dict[str, Any] = {"say": SAY.replace(version="v2")}
    source = source_of(prompts)
    assert source.find("say", "2", None) == source.find("say", None, None) == prompts["say"]
    prompts["more"] = SAY
    assert source.has("more")
    prompts["wrong"] = "Say"
    with pytest.raises(PromptFormatError, match="prompt 'wrong' is str, not a Prompt"):
        source.find("wrong", None, None)
    for version, label in (("3", None), (None, "production")):
        with pytest.raises(PromptNotFoundError):
            source.find("say", version, label)


def test_sources_name_themselves(tmp_path: Path) -> None:
    given: list[Any] = [tmp_path, PromptAssetStore(tmp_path), {"say": SAY}]
    assert [repr(source_of(prompts)) for prompts in given] == [
        repr(str(tmp_path)),
        f"PromptAssetStore({str(tmp_path)!r})",
        "1 given",
    ]
    assert isinstance(given[2], Mapping)
