"""What goes wrong is one line on the standard error stream, and the status is 2."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from prompt_adapters.cli.sentences import sentence
from prompt_adapters.errors import PromptAdapterError

Run = Callable[..., Any]
GPT = ("--model", "openai/gpt-4o")
FILES = {
    "broken.json": b'{"question": "x",\n "photo": }',
    "twice.json": b'{"question": "x",\n "question": "y"}',
    "list.json": b'["x"]',
    "wide.json": '{"question": "x"}'.encode("utf-16"),
    "notes.txt": b"plain words",
    "empty.png": b"",
}

# ruff: noqa: E501 - a case is a line
# What is typed after `render PROMPT`, `{folder}` filled in; what the line says.
RENDER: dict[str, tuple[list[str], str]] = {
    "no model": ([], "give --model or --style: the prompt names no model"),
    "an empty model": (["--model", ""], "--model is empty"),
    "a typo in a model": (["--model", "opnai/gpt-4o"], "did you mean 'openai/gpt-4o'"),
    "a model of nobody": (["--model", "nonsense"], "cannot tell the provider of model 'nonsense'.*, or choose the shape with --style STYLE$"),
    "a typo in a style": (["--style", "openai_styl"], "no adapter is called 'openai_styl'; did you mean 'openai_style'"),
    "a typo in a variable": ([*GPT, "--var", "question=x", "--var", "qestion=x"], "unknown variable 'qestion'.*did you mean 'question'"),
    "a missing variable": ([*GPT], "missing variable 'question'; give it by --var question=TEXT or, for media, --image question=PATH"),
    "a format that nobody has": ([*GPT, "--format", "prompt"], "no format is called 'prompt'"),
    "an impossible limit": ([*GPT, "--on-limit", "cut"], "--on-limit is one of convert, error, send, not 'cut'"),
    "a model that is a page": (["--model", "x" * 5000], "^.{1,400}$"),
    "a parameter of nobody, through LiteLLM": (["--style", "litellm_style", "--model", "o3", "--var", "question=x"], "use --model o3 without --style"),
    "a document as image": ([*GPT, "--image", "photo={folder}/report.pdf"], "--image photo: .*report.pdf.*; use --document if that is meant$"),
    "a variable under another name": ([*GPT, "--var", "qestion=x"], "missing variable 'question'; 'qestion' was given"),
    "no sign in --var": ([*GPT, "--var", "question"], "--var 'question': write it as NAME=TEXT"),
    "no name in --var": ([*GPT, "--var", "=x"], "write it as NAME=TEXT"),
    "a variable twice": ([*GPT, "--var", "question=x", "--var", "question=y"], "'question' is given twice"),
    "a variable in two ways": ([*GPT, "--var", "photo=x"], "'photo' is given by --var and by --image"),
    "no sign in --image": ([*GPT, "--image", "{folder}/a.png"], "write it as NAME=PATH"),
    "no path in --image": ([*GPT, "--image", "photo="], "write it as NAME=PATH"),
    "no such image": ([*GPT, "--image", "photo={folder}/none.png"], "--image photo: image file not found: '.*none.png'"),
    "a folder as image": ([*GPT, "--image", "photo={folder}"], "is not a regular file"),
    "an empty image": ([*GPT, "--image", "photo={folder}/empty.png"], "empty.png.*empty"),
    "an image that is none": ([*GPT, "--image", "photo={folder}/notes.txt"], "notes.txt"),
    "a truncated image": ([*GPT, "--var", "question=x", "--image", "photo={folder}/cut.png"], "message 2 \\(user\\), part 1: the image .* is broken or cut off.*with --on-limit send$"),
    "a scheme": ([*GPT, "--image", "photo=ftp://example.org/a.png"], "scheme 'ftp' is not supported"),
    "a sound that nobody asked for": (["--model", "anthropic/claude-sonnet-4-5", "--var", "question=x", "--audio", "sound={folder}/tone.wav"], "unknown variable 'sound'"),
    "no such value file": ([*GPT, "--var-file", "{folder}/none.json"], "--var-file: cannot read '.*none.json'"),
    "a broken value file": ([*GPT, "--var-file", "{folder}/broken.json"], "broken.json: line 2: not valid JSON"),
    "a key twice": ([*GPT, "--var-file", "{folder}/twice.json"], "twice.json: line 2"),
    "a value file without an object": ([*GPT, "--var-file", "{folder}/list.json"], "holds a list, not an object of values"),
    "a value file in UTF-16": ([*GPT, "--var-file", "{folder}/wide.json"], "the file is UTF-16; save it as UTF-8"),
    "a file that cannot be written": ([*GPT, "--var", "question=x", "-o", "{folder}/none/out.json"], "cannot write '.*out.json'"),
    "a typo in an option": ([*GPT, "--modle", "x"], "No such option"),
    "an option without value": (["--model"], "requires an argument"),
}  # fmt: skip

# The whole of what is typed.
OTHERS: dict[str, tuple[list[str], str]] = {
    "a typo in a command": (["rendr"], "No such command 'rendr'"),
    "no path": (["render"], "Missing argument 'PATH'"),
    "no such prompt": (["render", "{folder}/lock", *GPT], "lock: there is no such file or directory"),
    "a path that steers the terminal": (["vars", "{folder}/\x1b[31mred\x07\u202e\x9b"], r"/\\x1b\[31mred\\x07\\u202e\\x9b: there is no such"),
    "one file of a directory": (["render", "{folder}/look/user_prompt.txt", *GPT], "this is one file of a saved prompt; give its directory, .*look$"),
    "no such prompt for vars": (["vars", "{folder}/lock"], "lock: there is no such file or directory"),
    "a prompt that is none": (["vars", "{folder}/a.png"], "a.png"),
    "a broken prompt": (["vars", "{folder}/broken.json"], "broken.json: line 2"),
    "audio for Claude": (["render", "{folder}/thing", "--model", "anthropic/claude-sonnet-4-5", "--audio", "thing={folder}/tone.wav"], "cannot take audio \\(audio/wav\\) at message 1 \\(user\\), part 1"),
    "an image of a type that nobody takes": (["render", "{folder}/thing", "--image", "thing={folder}/report.pdf"], "report.pdf"),
}  # fmt: skip


def check(outcome: Any, message: str) -> None:
    assert outcome.status == 2
    assert outcome.out == ""
    lines = outcome.err.splitlines()
    assert len(lines) == 1, outcome.err
    assert lines[0].startswith("error: ")
    assert re.search(message, lines[0]), lines[0]


@pytest.fixture
def broken(folder: Path) -> Path:
    for name, data in FILES.items():
        (folder / name).write_bytes(data)
    return folder


@pytest.mark.parametrize("case", RENDER.values(), ids=RENDER)
def test_render_says_what_is_wrong(case: tuple[list[str], str], broken: Path, run: Run) -> None:
    arguments, message = case
    typed = [argument.replace("{folder}", str(broken)) for argument in arguments]
    if "--image" not in typed:
        typed = ["--image", f"photo={broken / 'a.png'}", *typed]
    check(run("render", broken / "look", *typed), message)


@pytest.mark.parametrize("case", OTHERS.values(), ids=OTHERS)
def test_the_command_says_what_is_wrong(case: tuple[list[str], str], broken: Path, run: Run) -> None:
    arguments, message = case
    check(run(*(argument.replace("{folder}", str(broken)) for argument in arguments)), message)


@pytest.mark.parametrize("where", [0, -1], ids=["in front", "at the end"])
def test_debug_shows_the_traceback(where: int, folder: Path, run: Run) -> None:
    arguments = ["vars", str(folder / "lock")]
    arguments.insert(len(arguments) if where else 0, "--debug")
    outcome = run(*arguments)
    assert outcome.status == 2
    assert outcome.err.startswith("Traceback")
    assert outcome.err.splitlines()[-1].startswith("error: ")


def test_help_is_no_error(run: Run) -> None:
    for arguments in ([], ["--help"], ["render", "--help"]):
        outcome = run(*arguments)
        assert (outcome.status, outcome.err) == (0, "")
        assert "Usage: prompt-adapters" in outcome.out


# What remedies in Python look like: a call, or an argument by keyword.
PYTHON = re.compile(r"\b[a-z_]+\((?!s\))|\b(?!scheme)[a-z_]{3,}=['\"]\w|\b[a-z]+_[a-z]+=|\.\.\.\)")


@pytest.mark.parametrize("case", [*RENDER.values(), *OTHERS.values()], ids=[*RENDER, *OTHERS])
def test_no_remedy_is_written_in_python(case: tuple[list[str], str], broken: Path, run: Run) -> None:
    typed = [argument.replace("{folder}", str(broken)) for argument in case[0]]
    command = typed if typed and typed[0] in ("render", "rendr", "vars") else ["render", str(broken / "look"), *typed]
    error = run(*command).err.replace(str(broken), "")
    assert not PYTHON.search(error), error


@pytest.mark.parametrize(
    ("python", "command"),
    [
        ("leave it out, or set the adapter's option unknown_parameters='drop'", "leave it out"),
        (
            "leave it out, set the adapter's option unknown_parameters='drop', or use adapter_for('o3') and the "
            "provider's own client",
            "leave it out, or use --model o3 without --style",
        ),
        ("put it first, or set the adapter's option system_in_middle='user'", "put it first"),
        ("bind a model, as get_adapter('litellm_style', model='g/m')", "give a model, as --model g/m"),
        ("this could be 'a' or 'b'; say which with format=", "this could be 'a' or 'b'; say which with --format"),
        ("give it, as mime='audio/wav'", "give a file whose bytes tell it, as of 'audio/wav'"),
        ("send it with on_limit='send'", "send it with --on-limit send"),
    ],
)
def test_remedies_have_the_commands_words(python: str, command: str) -> None:
    assert sentence(PromptAdapterError(python)) == command
