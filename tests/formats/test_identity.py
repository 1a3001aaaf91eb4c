"""What is saved is loaded: the identity law of the standardized format."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompt_adapters import Prompt, load_prompt, save_prompt
from strategies import prompts


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("prompts")


@given(prompt=prompts())
def test_json_data_are_lossless(prompt: Prompt) -> None:
    assert Prompt.from_json(prompt.to_json()) == prompt
    assert Prompt.from_json(json.loads(json.dumps(prompt.to_json()))) == prompt
    assert Prompt.from_json(json.dumps(prompt.to_json(), ensure_ascii=False)) == prompt


@given(prompt=prompts())
def test_directory_over_whatever_was_there(folder: Path, prompt: Prompt) -> None:
    save_prompt(prompt, folder / "directory")
    assert load_prompt(folder / "directory") == prompt


@given(prompt=prompts())
def test_new_directory(tmp_path_factory: pytest.TempPathFactory, prompt: Prompt) -> None:
    path = tmp_path_factory.mktemp("new") / "deep" / "directory"
    save_prompt(prompt, path)
    assert load_prompt(path) == prompt


@given(prompt=prompts())
def test_json_file(folder: Path, prompt: Prompt) -> None:
    save_prompt(prompt, folder / "prompt.json")
    assert load_prompt(folder / "prompt.json") == prompt


@given(prompt=prompts(syntaxes=("plain",)), syntax=st.sampled_from(["plain", None]))
def test_plain_prompts_need_no_syntax(folder: Path, prompt: Prompt, syntax: str | None) -> None:
    save_prompt(prompt, folder / "plain")
    assert load_prompt(folder / "plain", syntax=syntax) == prompt
