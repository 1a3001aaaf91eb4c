"""Paths and names that no file can have, or not on every file system."""

import os
from pathlib import Path

import pytest

from prompt_adapters import Prompt, load_prompt, save_prompt
from prompt_adapters.errors import PromptDiskError, PromptFormatError
from prompt_adapters.formats.places import alike, composed, natural_order, parted, place_of, segments_of

NO_PATHS = {
    "NUL": ("a\0b.json", PromptFormatError, "no file can be called so"),
    "half a surrogate pair": ("\ud83d.json", PromptFormatError, "no file can be called so"),
    "too long": ("x" * 300 + ".json", PromptDiskError, "File name too long"),
    "too long, a directory": ("x" * 300, PromptDiskError, "File name too long"),
    "nobody's home": ("~nobody-of-this-name/a.json", PromptFormatError, "the '~' cannot be expanded"),
}


@pytest.mark.parametrize(("name", "kind", "reason"), NO_PATHS.values(), ids=NO_PATHS)
def test_paths_that_no_file_can_have(
    name: str, kind: type[Exception], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for call in (lambda: load_prompt(name), lambda: save_prompt(Prompt(user="a"), name)):
        with pytest.raises(kind, match=reason) as caught:
            call()
        assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_where_one_may_not_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "stat", refuse)
    with pytest.raises(PromptDiskError, match=r"a\.json: this cannot be read: Permission denied"):
        place_of(tmp_path / "a.json", "read")
    with pytest.raises(PromptDiskError, match="cannot be written: Permission denied"):
        place_of(tmp_path / "a.json", "written")


def test_a_name_of_any_script_and_as_long_as_the_system_has_it(tmp_path: Path) -> None:
    prompt = Prompt(user="a")
    for name in ("审查.json", "ώ.prompt", "🚀.yaml", "a b", "é", "e\u0301", "x" * 250 + ".json", "{{ x }}#1.json"):
        save_prompt(prompt, tmp_path / name)
        assert load_prompt(tmp_path / name).render()[0].text == "a"
    assert os.fsdecode(b"\xff.json").endswith(".json")
    save_prompt(prompt, tmp_path / os.fsdecode(b"\xff.json"))
    assert load_prompt(tmp_path / os.fsdecode(b"\xff.json")) == prompt


def test_an_id_may_be_too_long_as_a_whole() -> None:
    assert len(segments_of("/".join(["a"] * 500), "prompt id")) == 500
    with pytest.raises(PromptFormatError, match="too long for a file name"):
        segments_of("/".join(["a"] * 501), "prompt id")


@pytest.mark.parametrize(
    ("one", "other", "same", "similar"),
    [
        ("a", "a", True, True),
        ("a", "A", False, True),
        ("é", "e\u0301", True, True),
        ("É", "e\u0301", False, True),
        ("ß", "SS", False, True),
        ("ﬁ", "fi", False, True),
        ("İ", "i\u0307", False, True),
        ("a", "b", False, False),
        ("\u0435", "e", False, False),  # of Cyrillic and of Latin
    ],
)
def test_names_that_are_one_and_names_that_look_alike(one: str, other: str, same: bool, similar: bool) -> None:
    assert (composed(one) == composed(other)) is same
    assert (alike(one) == alike(other)) is similar


def test_natural_order_takes_any_digits() -> None:
    names = ["v10", "v9", "v1", "v²", "v", "10", "9"]
    assert sorted(names, key=natural_order) == ["v", "v1", "v9", "v10", "v²", "9", "10"]


@pytest.mark.parametrize(
    ("name", "file", "choice"),
    [
        ("a.yaml", "a.yaml", None),
        ("a.yaml#2", "a.yaml", "2"),
        ("a.yaml#b#c", "a.yaml", "b#c"),
        ("d#e.yaml", "d#e.yaml", None),
        ("d#e.yaml#f", "d#e.yaml", "f"),
        ("a.yaml#", "a.yaml", ""),
        ("a.yaml#b/c", "a.yaml", "b/c"),
        ("d#e.yaml#b/../c", "d#e.yaml", "b/../c"),
        ("none/a.yaml#b/c", "none/a.yaml#b/c", None),
        ("none.yaml#2", "none.yaml#2", None),
        ("#2", "#2", None),
    ],
)
def test_a_file_and_which_of_its_prompts_is_meant(name: str, file: str, choice: str | None, tmp_path: Path) -> None:
    for there in ("a.yaml", "d#e.yaml"):
        (tmp_path / there).touch()
    assert parted(tmp_path / name) == (tmp_path / file, choice)
