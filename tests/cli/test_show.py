"""`prompt-adapters show`: what is in a prompt, for people and as JSON."""

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from prompt_adapters import FewShot, History, Image, Message, Prompt, Text, ToolCall, ToolResult, Variable, save_prompt
from prompt_adapters.formats import FORMATS, held_by
from strategies import PNG

Run = Callable[..., Any]
PROMPT = Prompt(
    messages=[
        ("system", "You describe photos.\nAnswer in {{ language }}."),
        History("chat", required=False, last=4),
        Message("assistant", ["Look:", Image(PNG, detail="low"), ToolCall("c1", "look", {"at": 1})], name="eye"),
        Message("tool", ToolResult("c1", "a dot")),
        ("user", ["See ", {"type": "image", "variable": "photos", "index": 1}, Text("end", cache=True)]),
    ],
    few_shot=FewShot([("What is red?", "The boat.\nIt is."), ("x", [Image(PNG)])]),
    variables=[Variable("language", default="English", type="text", description="of the answer")],
    model="openai/gpt-4o",
    parameters={"temperature": 0.2, "stop": ["\n", "é"]},
    metadata={"owner": "vision"},
    name="describe",
    version="3",
)
SHOWN = """\
describe
  format     standardized_json
  syntax     jinja
  version    3
  model      openai/gpt-4o
  parameter  temperature = 0.2
  parameter  stop = ["\\n", "é"]
  metadata   owner = "vision"

messages
  1 system
    | You describe photos.
    | Answer in {{ language }}.
  2 history: earlier messages from 'chat' (optional, the last 4 of them)
  3 assistant named 'eye', literal
    | Look:
    [Image(image/png, 70 bytes, sha256 6b7fa434, detail='low')]
    [ToolCall(id='c1', name='look', arguments={"at": 1})]
  4 tool, literal
    [ToolResult(id='c1', [Text(text='a dot', cache=False)])]
  5 user, 3 blocks, separators between them
    | See
    [a slot for image content, 'photos', element 1]
    | end
    [a cacheable prefix ends here]

few-shot: 2 examples, each as a user and an assistant turn
  1 input
    | What is red?
    output
    | The boat.
    | It is.
  2 input
    | x
    output
    [Image(image/png, 70 bytes, sha256 6b7fa434)]

variables
  language  default "English"  text  of the answer
  chat      optional
  photos    required
"""


def test_for_people(tmp_path: Path, run: Run) -> None:
    save_prompt(PROMPT, tmp_path / "a.json")
    outcome = run("show", tmp_path / "a.json")
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out == SHOWN


def test_as_json_media_are_shortened(tmp_path: Path, run: Run) -> None:
    save_prompt(PROMPT, path := tmp_path / "a.json")
    whole, short = base64.b64encode(PNG).decode(), f"{base64.b64encode(PNG).decode()[:8]}… (70 bytes)"
    outcome = run("show", path, "--json")
    assert whole not in outcome.out
    assert outcome.out.count(short) == 2
    data = outcome.json
    assert (data["path"], data["format"]) == (str(path), "standardized_json")
    assert [variable["name"] for variable in data["variables"]] == ["language", "chat", "photos"]
    full = run("show", path, "--json", "--full").json
    assert Prompt.from_json(full["prompt"]) == PROMPT
    assert json.loads(json.dumps(data).replace(json.dumps(short), json.dumps(whole))) == full


@pytest.mark.parametrize("name", FORMATS)
def test_every_format(name: str, tmp_path: Path, run: Run) -> None:
    path = tmp_path / f"a{(FORMATS[name].suffixes or ('.json',))[0]}"
    save_prompt(held_by(Prompt("Be brief.", "Hi {{ x }}"), name)[0], path, name)
    outcome = run("show", path, "--format", name)
    assert outcome.status == 0
    assert f"  format  {name}\n" in outcome.out
    assert "    | Be brief.\n" in outcome.out
    assert "\nvariables\n  x  required\n" in outcome.out


def test_texts_cannot_steer_a_terminal(tmp_path: Path, run: Run) -> None:
    prompt = Prompt(user="a\x1b[2Jb\rc\u202ed\te  f", name="n\x1b]0;x\x07", metadata={"k\x1b": "v\x1b"}, syntax="none")
    save_prompt(prompt, tmp_path / "a.json")
    outcome = run("show", tmp_path / "a.json")
    assert "    | a\\x1b[2Jb\\rc\\u202ed\te  f\n" in outcome.out
    assert "\x1b" not in outcome.out
    assert "\u202e" not in outcome.out
    assert outcome.out.endswith("\nno variables\n")


def test_what_is_no_prompt(tmp_path: Path, run: Run) -> None:
    (tmp_path / "a.prompt").write_bytes(b"\xff")
    for path in (tmp_path / "a.prompt", tmp_path / "none", tmp_path):
        outcome = run("show", path)
        assert (outcome.status, outcome.out) == (2, "")
        assert outcome.err.startswith(f"error: {path}: ")
        assert outcome.err.count("\n") == 1
