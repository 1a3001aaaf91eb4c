import inspect
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from prompt_adapters import Prompt, formats, load_prompt, save_prompt
from prompt_adapters.errors import PromptFormatError, PromptNotFoundError
from prompt_adapters.formats import FORMATS, Format, held_by

PROMPT = Prompt("S", "{{ x }}", syntax="plain")


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_exports_the_same_four_names(name: str) -> None:
    module = import_module(f"prompt_adapters.formats.{FORMATS[name].module}")
    parameters = {
        call: list(inspect.signature(getattr(module, call)).parameters) for call in ("detect", "load", "save", "held")
    }
    assert parameters == {
        "detect": ["path"], "load": ["path", "syntax"], "save": ["prompt", "path"], "held": ["prompt"]
    }  # fmt: skip


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_is_detected_where_nothing_is(name: str, tmp_path: Path) -> None:
    module = import_module(f"prompt_adapters.formats.{FORMATS[name].module}")
    (tmp_path / "notes.md").write_bytes(b"# Notes\n")
    for path in (tmp_path, tmp_path / "notes.md"):
        assert not module.detect(path)


@pytest.mark.parametrize(
    ("path", "made"),
    [("judge", "judge/user_prompt.txt"), ("a/b/", "a/b/user_prompt.txt"), ("v1.2/", "v1.2/user_prompt.txt"),
     ("old.d", "old.d/user_prompt.txt"), ("judge.json", "judge.json"), ("JUDGE.JSON", "JUDGE.JSON")],
)  # fmt: skip
def test_the_path_tells_what_is_written(tmp_path: Path, path: str, made: str) -> None:
    (tmp_path / "old.d").mkdir()
    save_prompt(PROMPT, f"{tmp_path}/{path}")
    assert (tmp_path / made).is_file()
    assert load_prompt(f"{tmp_path}/{path}") == PROMPT


def test_the_format_can_be_given(tmp_path: Path) -> None:
    save_prompt(PROMPT, tmp_path / "v1.2", format="standardized")
    save_prompt(PROMPT, tmp_path / "judge", format="standardized_json")
    assert load_prompt(tmp_path / "v1.2", format="standardized") == PROMPT
    assert load_prompt(tmp_path / "judge", format="standardized_json") == PROMPT
    assert load_prompt(tmp_path / "judge") == PROMPT  # told by its content


def test_home_is_expanded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    save_prompt(PROMPT, "~/judge")
    assert (tmp_path / "judge" / "user_prompt.txt").exists()
    assert load_prompt(Path("~/judge")) == PROMPT


def test_relative_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save_prompt(PROMPT, ".")
    save_prompt(PROMPT, "judge")
    save_prompt(PROMPT, "judge.json")
    assert load_prompt(".") == load_prompt("judge") == load_prompt("judge.json") == PROMPT


def test_unknown_formats_are_errors_that_list_the_known_ones(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"Hi")
    (tmp_path / "empty").mkdir()
    known = "'standardized', 'standardized_json'"
    with pytest.raises(PromptFormatError, match=rf"a\.txt: this file is of no known format; the formats are {known}"):
        load_prompt(tmp_path / "a.txt")
    with pytest.raises(PromptFormatError, match="empty: this directory is of no known format"):
        load_prompt(tmp_path / "empty")
    with pytest.raises(PromptFormatError, match=rf"'.txt' tells no format; say which with format=: {known}"):
        save_prompt(PROMPT, tmp_path / "a.txt")
    for call in (lambda: load_prompt(tmp_path, "standardised"), lambda: save_prompt(PROMPT, tmp_path, "standardised")):
        with pytest.raises(PromptFormatError, match="no format is called 'standardised'; did you mean 'standardized'"):
            call()


@pytest.mark.parametrize("given", [None, "standardized", "standardized_json"])
def test_missing_paths_are_errors(tmp_path: Path, given: str | None) -> None:
    with pytest.raises(PromptNotFoundError, match="nowhere: there is no such file or directory"):
        load_prompt(tmp_path / "nowhere", format=given)


def test_the_reason_why_a_file_is_not_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b'{\n"user_prompt_component": ')
    with pytest.raises(PromptFormatError, match=r"a\.json: line 2: not valid JSON"):
        load_prompt(tmp_path / "a.json")


def test_only_prompts_are_saved(tmp_path: Path) -> None:
    with pytest.raises(PromptFormatError, match="only a Prompt can be held, not str"):
        held_by("Hi", "asset")  # type: ignore[arg-type]  # the point of the test
    with pytest.raises(PromptFormatError, match="only a Prompt can be saved, not str"):
        save_prompt("Hi", tmp_path / "a")  # type: ignore[arg-type]  # the point of the test


class Greedy(ModuleType):
    """A format that claims everything."""

    def detect(self, path: Path) -> bool:
        return True


def test_what_two_formats_claim_is_an_error_that_names_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_prompt(PROMPT, tmp_path / "a.json")
    monkeypatch.setattr(formats, "FORMATS", {**FORMATS, "greedy": Format("greedy")})
    monkeypatch.setattr(
        formats,
        "import_module",
        lambda name: Greedy(name) if name == "prompt_adapters.formats.greedy" else import_module(name),
    )
    with pytest.raises(
        PromptFormatError, match="this could be 'standardized_json' or 'greedy'; say which with format="
    ):
        load_prompt(tmp_path / "a.json")
    assert load_prompt(tmp_path / "a.json", format="standardized_json") == PROMPT
