"""`prompt-adapters convert-request`: one provider's request in the shape of another."""

import base64
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from prompt_adapters import Document, Image, Message, ToolCall, ToolResult, from_request, get_adapter

Run = Callable[..., Any]
STYLES = [
    "openai_style",
    "openai_responses_style",
    "anthropic_style",
    "google_style",
    "bedrock_style",
    "mistral_style",
    "cohere_style",
    "ollama_style",
    "litellm_style",
]
PARAMETERS = {"temperature": 0.5, "max_tokens": 9}


@pytest.fixture
def messages(folder: Path) -> tuple[Message, ...]:
    return (
        Message("system", "Be brief. {{ not_a_slot }}"),
        Message("user", ["What is it?", Image(folder / "a.png")]),
        Message("assistant", "A cat."),
        Message("user", "And now?"),
    )


def saved(folder: Path, body: Any) -> Path:
    file = folder / "request.json"
    file.write_text(json.dumps(body), encoding="utf-8")
    return file


@pytest.mark.parametrize("source", STYLES)
@pytest.mark.parametrize("target", STYLES)
def test_every_shape_becomes_every_other(
    source: str, target: str, messages: tuple[Message, ...], folder: Path, run: Run
) -> None:
    file = saved(folder, get_adapter(source, parameters=PARAMETERS).build_body(messages))
    found = from_request(source, json.loads(file.read_text()))
    expected = get_adapter(target, parameters=PARAMETERS).build_body(found)
    assert run("convert-request", "--from", source, "--to", target, file, "--full").json == expected
    # The image is at hand in every shape, so the way round ends where it began, but for what Ollama moves.
    if "ollama_style" not in (source, target):
        assert expected == get_adapter(target, parameters=PARAMETERS).build_body(messages)


def test_media_are_shortened_and_a_file_gets_all(messages: tuple[Message, ...], folder: Path, run: Run) -> None:
    file = saved(folder, get_adapter("openai_style").build_body(messages))
    text = base64.b64encode((folder / "a.png").read_bytes()).decode()
    given = ("convert-request", "--from", "openai_style", "--to", "anthropic_style", file)
    outcome = run(*given)
    assert text not in outcome.out
    assert f"{text[:8]}… (" in outcome.out
    written = run(*given, "-o", folder / "out.json")
    assert (written.status, written.out) == (0, "")
    assert text in (folder / "out.json").read_text()
    assert json.loads((folder / "out.json").read_text()) == run(*given, "--full").json


def test_the_model_stays_in_its_shape_only(folder: Path, run: Run) -> None:
    file = saved(folder, {"model": "gpt-4o", "messages": [{"role": "user", "content": "hi"}], "user": "u1"})
    same = run("convert-request", "--from", "openai_style", "--to", "litellm_style", file)
    assert same.json["model"] == "gpt-4o"
    assert same.json["user"] == "u1"
    file = saved(folder, {"model": "gpt-4o", "messages": [{"role": "user", "content": "hi"}]})
    other = run("convert-request", "--from", "openai_style", "--to", "mistral_style", file)
    assert "model" not in other.json
    assert other.err == "note: the model 'gpt-4o' is left out, since it is of openai_style; give another by --model\n"
    wanted = run(
        "convert-request", "--from", "openai_style", "--to", "anthropic_style", "--model", "claude-haiku-4-5", file
    )
    assert wanted.json["model"] == "claude-haiku-4-5"
    assert "is left out" not in wanted.err


def test_calls_and_results_go_along(folder: Path, run: Run) -> None:
    history = (
        Message("user", "Weather?"),
        Message("assistant", ToolCall("abc123456", "weather", {"city": "Rome"})),
        Message("tool", ToolResult("abc123456", "17 °C")),
    )
    file = saved(folder, get_adapter("openai_style").build_body(history))
    body = run("convert-request", "--from", "openai_style", "--to", "bedrock_style", file).json
    assert body == get_adapter("bedrock_style").build_body(history)


def chat(*blocks: Any, **more: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": list(blocks) or "hi"}], **more}


PDF = {"type": "file", "file": {"file_data": "data:application/pdf;base64,JVBERi0xLjQK"}}
# ruff: noqa: E501 - a case is a line
WRONG: dict[str, tuple[Any, str, str]] = {
    "tools": (chat(tools=[]), "bedrock_style", "bedrock_style cannot take parameter 'tools' at .*request.json: .*only the parameters that providers share"),
    "several": (chat(tools=[], user="u"), "bedrock_style", "parameters 'tools', 'user' at .*; take them out of the file"),
    "a document": (chat(PDF), "cohere_style", "cohere_style cannot take document .* at message 1"),
    "a link": (chat({"type": "image_url", "image_url": "https://e.org/a.png"}), "bedrock_style", "bedrock_style cannot take image"),
    "a parameter": (chat(n=2), "anthropic_style", "anthropic_style cannot take parameter 'n'"),
    "a path": (chat({"type": "image_url", "image_url": "/etc/passwd"}), "google_style", "message 1 \\(user\\), part 1: "),
    "an unknown key": (chat(mesages=1), "google_style", "request.json: the request has 'mesages'"),
    "another shape": ({"contents": []}, "google_style", "request.json: the request has no 'messages'"),
    "a list": ([], "google_style", "request.json: the request is of type list, not an object"),
    "an unknown style": (chat(), "gogle_style", "did you mean 'google_style'"),
}  # fmt: skip


@pytest.mark.parametrize(("request_", "target", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_one_line(request_: Any, target: str, said: str, folder: Path, run: Run) -> None:
    outcome = run("convert-request", "--from", "openai_style", "--to", target, saved(folder, request_))
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith("error: ")
    assert outcome.err.count("\n") == 1
    assert re.search(said, outcome.err), outcome.err


def test_files_that_cannot_be_read_are_named(folder: Path, run: Run) -> None:
    (folder / "broken.json").write_text('{"messages": [}')
    for name, said in (("none.json", "cannot read '"), ("broken.json", "broken.json: line 1: not valid JSON")):
        outcome = run("convert-request", "--from", "openai_style", "--to", "google_style", folder / name)
        assert outcome.status == 2
        assert said in outcome.err


def test_a_document_keeps_its_name(folder: Path, run: Run) -> None:
    messages = (Message("user", ["Sum up.", Document(folder / "report.pdf")]),)
    file = saved(folder, get_adapter("bedrock_style").build_body(messages))
    body = run("convert-request", "--from", "bedrock_style", "--to", "openai_style", file).json
    assert body["messages"][0]["content"][1]["file"]["filename"] == "report.pdf"
