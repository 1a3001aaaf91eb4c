"""The option that says the syntax of a file which does not say so itself."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from prompt_adapters import load_prompt

Run = Callable[..., Any]
GPT = ("--model", "openai/gpt-4o", "--var", "question=Why?")
# The command with OUT for a path to be written, the option that says the syntax, and the one that says the format.
COMMANDS: dict[str, tuple[list[str], str, str, int]] = {
    "show": (["show", "CHAT"], "--syntax", "--format", 0),
    "vars": (["vars", "CHAT"], "--syntax", "--format", 0),
    "render": (["render", "CHAT", *GPT], "--syntax", "--format", 0),
    "check": (["check", "CHAT", *GPT], "--syntax", "--format", 0),
    "convert": (["convert", "CHAT", "OUT"], "--syntax", "--from", 0),
    "diff, the first": (["diff", "CHAT", "OTHER"], "--from-syntax", "--from", 0),
    "diff, the second": (["diff", "OTHER", "CHAT"], "--to-syntax", "--to", 0),
}


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    path = tmp_path / "chat.json"
    path.write_text(json.dumps([{"role": "user", "content": "Hi {{ question }}"}]), encoding="utf-8")
    (tmp_path / "other.json").write_text(
        json.dumps({"messages": json.loads(path.read_text()), "prompt_adapters": {"syntax": "jinja"}}), encoding="utf-8"
    )
    return path


@pytest.mark.parametrize(("typed", "syntax", "format_", "status"), COMMANDS.values(), ids=COMMANDS)
def test_every_command_takes_the_syntax(
    typed: list[str], syntax: str, format_: str, status: int, chat: Path, run: Run
) -> None:
    paths = {"CHAT": chat, "OUT": chat.parent / "out.prompt", "OTHER": chat.parent / "other.json"}
    arguments = [paths.get(word, word) for word in typed]
    refused = run(*arguments)
    assert (refused.status, refused.out) == (2, "")
    assert "message 1: '{{ question }}' reads like a slot of Jinja" in refused.err
    assert f"give {syntax} jinja, or {syntax} none for literal texts" in refused.err
    assert refused.err.endswith(f"for a chat of promptfoo, give {format_} promptfoo\n")
    assert run(*arguments, syntax, "jinja").status == status
    assert run(*arguments, format_, "promptfoo", *(["--force"] if "OUT" in typed else [])).status == status


@pytest.mark.parametrize(("typed", "_", "format_", "__"), COMMANDS.values(), ids=COMMANDS)
def test_every_command_says_the_option_for_a_chat_that_is_no_json(
    typed: list[str], _: str, format_: str, __: int, chat: Path, run: Run
) -> None:
    chat.write_text('[{% if a %}{"role": "user", "content": "{{ question }}"}{% endif %}]', encoding="utf-8")
    paths = {"CHAT": chat, "OUT": chat.parent / "out.prompt", "OTHER": chat.parent / "other.json"}
    refused = run(*(paths.get(word, word) for word in typed))
    assert (refused.status, refused.out) == (2, "")
    assert refused.err.endswith(f"; for a chat of promptfoo, give {format_} promptfoo\n")


def test_the_variables_are_there(chat: Path, run: Run) -> None:
    assert run("vars", chat, "--syntax", "jinja").out.startswith("question")
    assert run("vars", chat, "--syntax", "none").out == "the prompt has no variables\n"
    assert run("convert", chat, chat.parent / "a.prompt", "--syntax", "jinja").status == 0
    assert load_prompt(chat.parent / "a.prompt").variables[0].name == "question"


def test_lint_takes_the_syntax(chat: Path, run: Run) -> None:
    outcome = run("lint", chat)
    assert outcome.status == 1
    assert "error unreadable: message 1: '{{ question }}'" in outcome.out
    assert "give --syntax jinja" in outcome.out
    assert run("lint", chat, "--from", "messages", "--syntax", "jinja").status == 0
    assert "foreign-placeholder" in run("lint", chat, "--from", "messages", "--syntax", "none").out


def test_list_names_what_does_not_say_its_syntax(chat: Path, run: Run) -> None:
    outcome = run("list", chat.parent)
    assert outcome.status == 1
    assert "other.json" in outcome.out
    assert '"prompt_adapters": {"syntax": "jinja"}' in outcome.err
