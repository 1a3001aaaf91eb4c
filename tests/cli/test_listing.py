"""`prompt-adapters vars`, `prompt-adapters list` and `prompt-adapters adapters`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from prompt_adapters import PROMPT_ADAPTER_REGISTRY, Prompt, Variable, save_prompt

Run = Callable[..., Any]


def test_variables_are_listed(tmp_path: Path, run: Run) -> None:
    prompt = Prompt(
        system="{{ tone }}",
        user="{{ photo }}{{ question }}{% if hint %}{{ hint }}{% endif %}",
        variables=[
            Variable("photo", type="image", description="What to look at."),
            Variable("tone", default="brief"),
        ],
    )
    save_prompt(prompt, tmp_path / "p.json")
    assert run("vars", tmp_path / "p.json").out.splitlines() == [
        "photo     required         image  What to look at.",
        'tone      default "brief"',
        "question  required",
        "hint      optional",
    ]
    assert run("vars", tmp_path / "p.json", "--json").json == [
        {"name": "photo", "required": True, "type": "image", "description": "What to look at."},
        {"name": "tone", "required": False, "default": "brief"},
        {"name": "question", "required": True},
        {"name": "hint", "required": False},
    ]


def test_a_prompt_without_variables_says_so(tmp_path: Path, run: Run) -> None:
    save_prompt(Prompt(user="Hi"), tmp_path / "p")
    assert run("vars", tmp_path / "p").out == "the prompt has no variables\n"
    assert run("vars", tmp_path / "p", "--json").json == []


def test_every_adapter_is_listed_with_its_class_and_purpose(run: Run) -> None:
    lines = run("adapters").out.splitlines()
    listed = {line.split()[0]: line.split(maxsplit=2)[1:] for line in lines}
    assert listed.keys() == set(PROMPT_ADAPTER_REGISTRY)
    for key, (cls, purpose) in listed.items():
        assert cls == PROMPT_ADAPTER_REGISTRY[key].__name__
        assert purpose.endswith(".")


def test_the_prompts_below_a_folder(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save_prompt(Prompt("a", "{{ x }}{{ y }}"), tmp_path / "b" / "judge")
    save_prompt(Prompt(user="a", name="greet"), tmp_path / "a.yaml")
    (tmp_path / "notes.json").write_text("{}", encoding="utf-8")
    expected = ["a.yaml\tasset\tgreet\t0", "b/judge\tstandardized\t-\t2"]
    outcome = run("list")
    assert (outcome.status, outcome.out.splitlines(), outcome.err) == (0, expected, "")
    outcome = run("list", tmp_path / "b", "--json")
    assert outcome.json == {"path": str(tmp_path / "b" / "judge"), "format": "standardized", "variables": 2}


def test_prompts_that_cannot_be_read_are_named_apart(tmp_path: Path, run: Run) -> None:
    save_prompt(Prompt(user="a"), tmp_path / "b.prompt")
    (tmp_path / "a.prompt").write_bytes(b"\xff")
    outcome = run("list", tmp_path)
    assert outcome.status == 1
    assert outcome.out == f"{tmp_path}/b.prompt\tsimple_prompt\t-\t0\n"
    assert outcome.err.startswith(f"error: {tmp_path}/a.prompt: line 1: byte 0xff")


def test_folders_with_nothing_to_list(tmp_path: Path, run: Run) -> None:
    assert run("list", tmp_path) == (0, "", "")
    outcome = run("list", tmp_path / "none")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err == f"error: {tmp_path}/none: there is no such file or directory\n"
