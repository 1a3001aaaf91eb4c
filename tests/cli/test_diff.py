"""`prompt-adapters diff`: what differs between two prompts, in whatever formats."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from prompt_adapters import FewShot, Prompt, save_prompt

Run = Callable[..., Any]
OLD = Prompt(
    "Be brief.",
    "First line.\nWhy {{ topic }}?\nLast line.",
    few_shot=FewShot([("a", "b")]),
    parameters={"temperature": 0.2},
)
NEW = OLD.replace(user="First line.\nWhy {{ subject }}?\nLast line.", few_shot=None, parameters={"temperature": 0.4})


def test_nothing_differs(tmp_path: Path, run: Run) -> None:
    plain = OLD.replace(few_shot=None)
    save_prompt(plain, tmp_path / "a")
    save_prompt(plain, tmp_path / "a.prompt")
    assert run("diff", tmp_path / "a", tmp_path / "a.prompt") == (0, "", "")
    assert run("diff", tmp_path / "a", tmp_path / "a") == (0, "", "")
    assert run("diff", tmp_path / "a", tmp_path / "a.prompt", "--json").json == []


def test_what_differs(tmp_path: Path, run: Run) -> None:
    save_prompt(OLD, tmp_path / "old.json")
    save_prompt(NEW, tmp_path / "new.json")
    outcome = run("diff", tmp_path / "old.json", tmp_path / "new.json")
    assert (outcome.status, outcome.err) == (1, "")
    assert outcome.out.splitlines() == [
        f"--- {tmp_path}/old.json (standardized_json)",
        f"+++ {tmp_path}/new.json (standardized_json)",
        "message 2 (user) changed:",
        "   First line.",
        "  -Why {{ topic }}?",
        "  +Why {{ subject }}?",
        "   Last line.",
        "  \\ no newline at the end",
        "the few-shot examples removed: 1 (converse)",
        "variable 'topic' removed: required",
        "variable 'subject' added: required",
        "parameter 'temperature' changed: 0.2 → 0.4",
    ]


def test_across_formats_and_syntaxes(tmp_path: Path, run: Run) -> None:
    save_prompt(NEW, tmp_path / "new")
    (tmp_path / "old.prompt").write_text(
        "---\ntemperature: 0.4\n---\n$system$\nBe brief.\n$user$\nFirst line.\nWhy %subject%?\nLast.", encoding="utf-8"
    )
    outcome = run("diff", tmp_path / "old.prompt", tmp_path / "new")
    assert outcome.status == 1
    assert outcome.err == "note: the two are written in different syntaxes; their texts are compared as jinja\n"
    assert outcome.out.splitlines()[2:] == [
        "message 2 (user) changed:",
        "   First line.",
        "   Why {{ subject }}?",
        "  -Last.",
        "  \\ no newline at the end",
        "  +Last line.",
        "  \\ no newline at the end",
    ]


def test_as_json(tmp_path: Path, run: Run) -> None:
    save_prompt(OLD, tmp_path / "old.json")
    save_prompt(NEW, tmp_path / "new.json")
    outcome = run("diff", tmp_path / "old.json", tmp_path / "new.json", "--json")
    assert outcome.status == 1
    found = json.loads(outcome.out)
    assert [one["where"] for one in found][-1] == "parameter 'temperature'"
    assert found[-1] == {
        "where": "parameter 'temperature'",
        "kind": "changed",
        "before": "0.2",
        "after": "0.4",
        "lines": [],
    }


def test_a_format_for_each(tmp_path: Path, run: Run) -> None:
    save_prompt(OLD, tmp_path / "a.txt", "standardized_json")
    save_prompt(OLD, tmp_path / "b")
    assert run("diff", tmp_path / "a.txt", tmp_path / "b", "--from", "standardized_json").status == 0
    assert run("diff", tmp_path / "b", tmp_path / "a.txt", "--to", "standardized_json").status == 0
    outcome = run("diff", tmp_path / "a.txt", tmp_path / "b", "--from", "simple_prompt")
    assert outcome.status == 1


@pytest.mark.parametrize("broken", ["none.prompt", "binary.prompt", "odd.txt"])
@pytest.mark.parametrize(("first", "option"), [(True, "--from"), (False, "--to")])
def test_errors(broken: str, first: bool, option: str, tmp_path: Path, run: Run) -> None:
    save_prompt(OLD, tmp_path / "a.json")
    (tmp_path / "binary.prompt").write_bytes(b"\xff")
    (tmp_path / "odd.txt").write_text("a", encoding="utf-8")
    paths = [tmp_path / broken, tmp_path / "a.json"]
    outcome = run("diff", *(paths if first else paths[::-1]))
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith(f"error: {tmp_path / broken}: ")
    assert broken != "odd.txt" or f"and {option} says which" in outcome.err
