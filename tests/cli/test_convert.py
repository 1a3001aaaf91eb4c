"""`prompt-adapters convert`: a prompt in another format, whole or not at all, and nothing replaced unasked."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from prompt_adapters import FewShot, Prompt, Variable, load_prompt, save_prompt
from prompt_adapters.formats import FORMATS, held_by
from prompt_adapters.formats.comparable import differences
from telling import place_for

Run = Callable[..., Any]
PLAIN = Prompt("Be {{ how }}.", "Why {{ topic }}, in 50 %?")
LOST = "the few-shot examples as such: they become turns"


@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize("source", FORMATS)
def test_every_format_becomes_every_other(source: str, target: str, tmp_path: Path, run: Run) -> None:
    before, after = place_for(tmp_path, source), place_for(tmp_path / "out", target)
    save_prompt(held_by(PLAIN, source)[0], before, source)
    outcome = run("convert", before, after, "--from", source, "--to", target)
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out == f"{after} holds it now, as {target}\n"
    assert differences(load_prompt(before, source), load_prompt(after, target)).differences == ()


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    save_prompt(Prompt(user="Hi {{ x }}", few_shot=FewShot([("a", "b")]), metadata={"k": 1}), tmp_path / "shots")
    return tmp_path / "shots"


def test_what_cannot_be_held_is_listed_and_nothing_is_written(shots: Path, run: Run) -> None:
    target = shots.parent / "b.prompt"
    save_prompt(load_prompt(shots).replace(variables=[Variable("x", default="you")]), shots)
    outcome = run("convert", shots, target)
    assert (outcome.status, outcome.out) == (1, "")
    assert outcome.err == (
        f"error: {target}, as simple_prompt, cannot hold 2 things of {shots}; --lossy leaves them out:\n"
        f"  - {LOST}\n  - variable 'x': its default\n"
    )
    assert not target.exists()


def test_lossy_leaves_it_out_and_lists_it(shots: Path, run: Run) -> None:
    target = shots.parent / "b.prompt"
    outcome = run("convert", shots, target, "--lossy")
    assert (outcome.status, outcome.out) == (0, f"{target} holds it now, as simple_prompt\n")
    assert outcome.err == f"note: left out: {LOST}\n"
    assert load_prompt(target) == held_by(load_prompt(shots), "simple_prompt")[0]


def test_where_nothing_is_left_lossy_does_not_help(tmp_path: Path, run: Run) -> None:
    save_prompt(Prompt(user="{% if x %}a{% endif %}"), tmp_path / "a.json")
    for more in ((), ("--lossy",), ("--lossy", "--force")):
        outcome = run("convert", tmp_path / "a.json", tmp_path / "b.prompt", *more)
        assert (outcome.status, outcome.out) == (1, "")
        assert "{% if %} on line 1 cannot be written in the syntax 'percent'" in outcome.err
    assert not (tmp_path / "b.prompt").exists()


# What is there is never lost unasked


@pytest.mark.parametrize("content", ["something else", ""])
def test_a_file_that_is_there_is_replaced_only_by_force(content: str, shots: Path, run: Run) -> None:
    target = shots.parent / "b.yaml"
    target.write_text(content, encoding="utf-8")
    outcome = run("convert", shots, target, "--lossy")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err == f"error: {target}: this is there already; give --force to replace it\n"
    assert target.read_text(encoding="utf-8") == content
    assert run("convert", shots, target, "--lossy", "--force").status == 0
    assert load_prompt(target).variables[0].name == "x"


def test_the_same_prompt_again_is_no_replacement(shots: Path, run: Run) -> None:
    target = shots.parent / "b.yaml"
    assert run("convert", shots, target, "--lossy").status == 0
    commented = f"# mine\n{target.read_text(encoding='utf-8')}"
    target.write_text(commented, encoding="utf-8")
    assert run("convert", shots, target, "--lossy").status == 0
    assert run("convert", shots, target, "--lossy", "--force").status == 0
    assert target.read_text(encoding="utf-8") == commented


def test_a_directory_with_a_prompt_is_replaced_only_by_force(shots: Path, run: Run) -> None:
    source, target = shots.parent / "a.prompt", shots.parent / "target"
    save_prompt(Prompt(user="New"), source)
    target.mkdir()
    (target / "notes.txt").write_text("mine", encoding="utf-8")
    assert run("convert", source, target).status == 0  # nothing of it was a prompt
    (target / "user_prompt.txt").write_text("Mine", encoding="utf-8")
    outcome = run("convert", source, target)
    assert outcome.status == 2
    assert "a prompt is there already (user_prompt.txt); give --force to replace it" in outcome.err
    assert (target / "user_prompt.txt").read_text(encoding="utf-8") == "Mine"
    assert run("convert", source, target, "--force").status == 0
    assert (target / "user_prompt.txt").read_text(encoding="utf-8") == "New"
    assert (target / "notes.txt").read_text(encoding="utf-8") == "mine"


def test_the_source_itself_is_replaced_only_by_force(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "a.json"
    save_prompt(Prompt(user="Hi {{ x }}"), path)
    before = path.read_bytes()
    assert run("convert", path, path, "--to", "asset").status == 2
    assert path.read_bytes() == before
    assert run("convert", path, path, "--to", "asset", "--force").status == 0
    assert load_prompt(path, "asset").messages == Prompt(user="Hi {{ x }}").messages


def test_a_link_is_written_through_only_by_force(tmp_path: Path, run: Run) -> None:
    save_prompt(Prompt(user="New"), tmp_path / "a.prompt")
    (tmp_path / "real.json").write_text("mine", encoding="utf-8")
    (tmp_path / "link.json").symlink_to("real.json")
    (tmp_path / "dangling.json").symlink_to("nowhere.json")
    assert run("convert", tmp_path / "a.prompt", tmp_path / "link.json").status == 2
    assert (tmp_path / "real.json").read_text(encoding="utf-8") == "mine"
    outcome = run("convert", tmp_path / "a.prompt", tmp_path / "dangling.json", "--force")
    assert outcome.status == 2
    assert not (tmp_path / "nowhere.json").exists()
    assert run("convert", tmp_path / "a.prompt", tmp_path / "link.json", "--force").status == 0
    assert (tmp_path / "link.json").is_symlink()
    assert load_prompt(tmp_path / "real.json").messages == Prompt(user="New").messages


def test_what_is_no_file_is_never_replaced(tmp_path: Path, run: Run) -> None:
    save_prompt(Prompt(user="New"), tmp_path / "a.prompt")
    os.mkfifo(tmp_path / "pipe.json")
    for target in (tmp_path / "pipe.json", os.devnull):
        outcome = run("convert", tmp_path / "a.prompt", target, "--to", "standardized_json", "--force")
        assert outcome.status == 2
        assert outcome.err == f"error: {target}: this is no file and no directory, so it is not replaced\n"
    assert (tmp_path / "pipe.json").is_fifo()


# Mistakes


WRONG: dict[str, tuple[list[str], str]] = {
    "no source": (["none.prompt", "b.json"], "none.prompt: there is no such file or directory"),
    "a source that is none": (["notes.txt", "b.json"], "notes.txt: this file is of no known format"),
    "which format, of the source": (["notes.txt", "b.json"], ", and --from says which"),
    "a binary source": (["binary.prompt", "b.json"], "is not UTF-8"),
    "a target without a format": (["a.prompt", "b.md"], "b.md: the suffix '.md' tells no format; say which with --to"),
    "an unknown target": (["a.prompt", "b", "--to", "simple_promt"], "did you mean 'simple_prompt'?"),
    "an unknown source": (["a.prompt", "b", "--from", "simple_promt"], "did you mean 'simple_prompt'?"),
    "an unknown syntax": (["plain", "b", "--syntax", "jinjer"], "did you mean 'jinja'?"),
    "standard output": (["a.prompt", "-"], "'-' is no target; give a path"),
    "no target": (["a.prompt", ""], "'' is no target; give a path"),
    "a file for a folder": (["a.prompt", "a.prompt/b.json"], "a.prompt"),
    "a folder for a file": (["a.prompt", "folder", "--to", "asset"], "this is a directory, not a file"),
}


@pytest.mark.parametrize(("arguments", "said"), WRONG.values(), ids=WRONG)
def test_mistakes(arguments: list[str], said: str, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.prompt").write_text("Hi %x%", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("Hi", encoding="utf-8")
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "user_prompt.txt").write_text("Hi {x}", encoding="utf-8")
    (tmp_path / "binary.prompt").write_bytes(b"a\xff")
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.rglob("*"))
    outcome = run("convert", *arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith("error: ")
    assert outcome.err.count("\n") == 1
    assert said in outcome.err
    assert sorted(tmp_path.rglob("*")) == before


def test_a_syntax_is_for_a_source_that_does_not_say_its_own(tmp_path: Path, run: Run) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "user_prompt.txt").write_text("Hi {x}", encoding="utf-8")
    for syntax, expected in (("braces", "Hi %x%"), ("none", "Hi {x}")):
        target = tmp_path / f"{syntax}.prompt"
        assert run("convert", tmp_path / "plain", target, "--syntax", syntax).status == 0
        assert target.read_text(encoding="utf-8").endswith(f"{expected}\n")
