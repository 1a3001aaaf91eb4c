"""The command as a process: what it imports, how it is started, what it prints where, and pipes that close."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
HEAVY = ("litellm", "langchain_core", "openai", "anthropic", "google.genai")
RENDER = ("render", "cookbook/prompts/describe_photo", "--image", "photo=cookbook/photos/harbour.jpg")
KEYLESS = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}

# Python runs this before anything else; whoever leaves the machine leaves a line behind.
GUARD = """
import socket
def refuse(*args, **kwargs):
    with open({log!r}, "a") as log:
        log.write(repr(args[1:] or args) + "\\n")
    raise OSError("there is no network here")
socket.socket.connect = refuse
socket.getaddrinfo = refuse
"""


def python(*arguments: str, **options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, timeout=120, env=KEYLESS | options, cwd=PROJECT
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["adapters"],
        ["vars", "cookbook/prompts/describe_photo"],
        ["show", "cookbook/prompts/describe_photo"],
        ["list", "cookbook"],
        ["diff", "cookbook/prompts/describe_photo", "cookbook/prompts/describe_photo", "--json"],
        ["lint", "cookbook", "--model", "anthropic/claude-sonnet-4-5", "--format", "sarif"],
        [*RENDER, "--var", "question=What?", "--model", "openai/gpt-4o", "--model", "anthropic/claude-sonnet-4-5"],
        [*RENDER, "--var", "question=What?", "--model", "openai/gpt-4o", "--style", "litellm_style"],
    ],
    ids=["help", "adapters", "vars", "show", "list", "diff", "lint", "render", "render for LiteLLM"],
)
def test_no_command_but_demo_imports_a_heavy_library(arguments: list[str]) -> None:
    program = (
        "import sys\nfrom prompt_adapters.cli import main\n"
        f"status = main({arguments!r})\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)\nsys.exit(status)"
    )
    result = python("-c", program)
    assert result.returncode == 0, result.stderr
    assert result.stderr.splitlines()[-1] == "[]"
    assert result.stdout


def test_the_demonstration_explains_itself_without_key_or_network(tmp_path: Path) -> None:
    log = tmp_path / "log"
    (tmp_path / "sitecustomize.py").write_text(GUARD.format(log=str(log)))
    result = python("-m", "prompt_adapters", "demo", PYTHONPATH=str(tmp_path))
    assert (result.returncode, result.stderr) == (0, "")
    assert not log.exists()
    for part in ("What OpenAI is sent", "What Anthropic is sent", "What Gemini is sent", "side by side", "LangChain"):
        assert part in result.stdout
    assert "/9j/4AAQ… (6988 bytes)" in result.stdout
    rows = {line[:9]: line.split()[2:] for line in result.stdout.splitlines()}
    assert rows["the photo"] == [
        "messages[3].content[1].image_url.url",
        "messages[2].content[1].source.data",
        "contents[2].parts[1].inlineData.data",
    ]
    assert result.stdout.count("A red boat and a blue one") == 4
    assert max(map(len, result.stdout.splitlines())) < 140


def test_a_guard_would_see_a_connection(tmp_path: Path) -> None:
    log = tmp_path / "log"
    (tmp_path / "sitecustomize.py").write_text(GUARD.format(log=str(log)))
    result = python("-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:9')", PYTHONPATH=str(tmp_path))
    assert result.returncode == 1
    assert log.read_text()


def test_it_is_a_script_and_a_module() -> None:
    module = python("-m", "prompt_adapters", "--version")
    script = subprocess.run(
        [str(Path(sys.executable).parent / "prompt-adapters"), "--version"], capture_output=True, text=True, check=True
    )
    assert module.stdout == script.stdout
    assert module.stdout.startswith("prompt-adapters ")


@pytest.mark.parametrize(
    "arguments", [["vars", "cookbook/prompts/describe_photo"], ["list", "cookbook"], ["lint", "README.md"]]
)
def test_a_closed_pipe_is_no_traceback(arguments: list[str]) -> None:
    command = [sys.executable, "-m", "prompt_adapters", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=KEYLESS, cwd=PROJECT) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 1


def test_a_terminal_without_the_characters() -> None:
    command = ("-m", "prompt_adapters", *RENDER, "--style", "openai_style", "--var", "question=Où est-ce ✓")
    result = python(*command, PYTHONIOENCODING="ascii")
    assert result.returncode == 0, result.stderr
    assert "O\\u00f9 est-ce \\u2713" in result.stdout
    error = python("-m", "prompt_adapters", "vars", "où", PYTHONIOENCODING="ascii")
    assert error.stderr == "error: o\\xf9: there is no such file or directory\n"


@pytest.mark.parametrize("arguments", [["show", "cookbook/prompts/describe_photo"], ["lint", "README.md"]])
def test_an_output_that_is_full_is_an_error(arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            [sys.executable, "-m", "prompt_adapters", *arguments], stdout=full, stderr=subprocess.PIPE, text=True,
            timeout=120, env=KEYLESS, cwd=PROJECT, check=False,
        )  # fmt: skip
    assert result.returncode == 2
    assert result.stderr == "error: [Errno 28] No space left on device\n"
