"""`prompt-adapters lint`: what is printed of findings, and the exit status for CI."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
FILES: dict[str, str | bytes] = {
    "clean.prompt": "Hi %name%",
    "note.prompt": "Hi \nthere",
    "warning.prompt": "$user$\nHi {{ name }}",
    "error.prompt": "---\nmodel: whatever\n---\nHi",
    "broken.prompt": b"a\n\xff",
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return tmp_path


STATUS = {
    "clean.prompt": (0, 0),
    "note.prompt": (0, 1),
    "warning.prompt": (0, 1),
    "error.prompt": (1, 1),
    "broken.prompt": (1, 1),
    ".": (1, 1),
}


@pytest.mark.parametrize("format_", ["plain", "sarif"])
@pytest.mark.parametrize(("path", "expected"), STATUS.items())
def test_the_exit_status(path: str, expected: tuple[int, int], format_: str, files: Path, run: Run) -> None:
    assert run("lint", path, "--format", format_).status == expected[0]
    assert run("lint", path, "--format", format_, "--strict").status == expected[1]


def test_lines_that_tools_can_read(files: Path, run: Run) -> None:
    outcome = run("lint", ".")
    assert outcome.out == (
        "broken.prompt:2: error unreadable: byte 0xff at offset 2 is not UTF-8; save the file as UTF-8\n"
        "error.prompt: error unknown-model: the provider of the model 'whatever' cannot be told; write it in front, as "
        "'openai/NAME'\n"
        "note.prompt:1: note trailing-blanks: a line ends in blanks in message 1 (user)\n"
        "warning.prompt:2: warning foreign-placeholder: '{{ name }}' in message 1 (user) reads like a slot of Jinja or "
        "mustache, but the prompt's syntax is 'percent', so it is sent as it stands\n"
    )
    assert outcome.err == "note: 4 findings in 5 prompts\n"


def test_sarif_has_the_same(files: Path, run: Run) -> None:
    outcome = run("lint", ".", "--format", "sarif")
    results = json.loads(outcome.out)["runs"][0]["results"]
    assert [result["ruleId"] for result in results] == [
        "unreadable",
        "unknown-model",
        "trailing-blanks",
        "foreign-placeholder",
    ]
    lines = [line.split(": ", 2)[2] for line in run("lint", ".").out.splitlines()]
    assert [result["message"]["text"] for result in results] == lines
    assert outcome.err == "note: 4 findings in 5 prompts\n"


def test_rules_are_left_out(files: Path, run: Run) -> None:
    outcome = run("lint", ".", "--ignore", "unreadable", "--ignore", "unknown-model")
    assert outcome.status == 0
    assert outcome.err == "note: 2 findings in 5 prompts\n"
    assert run("lint", "warning.prompt", "--ignore", "foreign-placeholder", "--strict").status == 0


def test_models_and_several_paths(files: Path, run: Run) -> None:
    outcome = run(
        "lint", "error.prompt", "clean.prompt", "--model", "openai/gpt-4o", "--model", "gemini/gemini-2.5-flash"
    )
    assert (outcome.status, outcome.out, outcome.err) == (0, "", "note: no findings in 2 prompts\n")


def test_a_format_that_cannot_be_told(files: Path, run: Run) -> None:
    (files / "notes.txt").write_text("Hi %name%", encoding="utf-8")
    outcome = run("lint", "notes.txt")
    assert outcome.status == 1
    assert "error unreadable: this file is of no known format" in outcome.out
    assert ", and --from says which" in outcome.out
    assert run("lint", "notes.txt", "--from", "simple_prompt", "--strict").status == 0


def test_a_syntax_that_the_file_does_not_say(files: Path, run: Run) -> None:
    (files / "chat.json").write_text('[{"role": "user", "content": "Hi {name} {{ other }}"}]', encoding="utf-8")
    assert "error unreadable: message 1: '{{ other }}' reads like a slot of Jinja" in run("lint", "chat.json").out
    literal = run("lint", "chat.json", "--from", "messages", "--syntax", "none")
    assert literal.out.count("foreign-placeholder") == 2
    outcome = run("lint", "chat.json", "--from", "messages", "--syntax", "braces")
    assert outcome.out.count("foreign-placeholder") == outcome.out.count("'{{ other }}'") == 1
    assert run("vars", "chat.json", "--syntax", "braces").out == "name  required\n"
    assert run("vars", "chat.json", "--syntax", "plain", "--json").json[0]["name"] == "other"
    assert "syntax  braces" in run("show", "chat.json", "--syntax", "braces").out
    assert run("show", "chat.json", "--syntax", "braces", "--json").json["prompt"]["syntax"] == "braces"


def test_remedies_are_in_the_words_of_the_command(files: Path, run: Run) -> None:
    (files / "b.json").write_text(
        '{"user_prompt_component": {"template": "a"}, "prompt_adapters": {"parameters": {"n": 2}}}', encoding="utf-8"
    )
    outcome = run("lint", ".", "--model", "anthropic/claude-sonnet-4-5")
    assert "adapter's option" not in outcome.out


def test_nothing_is_there_to_lint(files: Path, run: Run) -> None:
    (files / "empty").mkdir()
    assert run("lint", "empty", "--strict") == (0, "", "note: no prompts were found there\n")
    found = json.loads(run("lint", "empty", "--format", "sarif").out)
    assert found["runs"][0]["results"] == []


WRONG = {
    "no path": ([], "Missing argument"),
    "nothing there": (["none"], "none: there is no such file or directory"),
    "nothing at the second": ([".", "none"], "none: there is no such file or directory"),
    "a model": ([".", "--model", "whatever"], "cannot tell the provider of model 'whatever'"),
    "a rule": ([".", "--ignore", "whatever"], "no rule is called 'whatever'; there are unreadable, secret"),
    "an output": ([".", "--format", "xml"], "--format is one of plain, sarif, not 'xml'"),
    "a syntax alone": ([".", "--syntax", "braces"], "a syntax goes with a format"),
    "a syntax of a folder": ([".", "--syntax", "braces"], "; give --from too"),
    "a format": (["clean.prompt", "--from", "simple_promt"], "no format is called 'simple_promt'"),
}


@pytest.mark.parametrize(("arguments", "said"), WRONG.values(), ids=WRONG)
def test_what_is_asked_wrongly(arguments: list[str], said: str, files: Path, run: Run) -> None:
    outcome = run("lint", *arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith("error: ")
    assert said in outcome.err
