import json
from pathlib import Path

import pytest

from prompt_adapters import FewShot, Prompt, load_prompt, save_prompt
from prompt_adapters.errors import PromptFormatError, PromptNotFoundError
from prompt_adapters.formats import standardized_json
from prompt_adapters.formats.standardized_json import detect, load, save

DOCUMENTED = """{
    "user_prompt_component": {
        "variables": ["review"],
        "template": "Classify the sentiment of the following review....",
        "metadata": {
            "format": "text"
        }
    },
    "system_prompt_component": {
        "variables": [],
        "template": "You are a review classifier for ABC. Provide a review....",
        "metadata": {
            "format": "text"
        }
    },
    "few_shot": {
        "examples": [{
            "input": "foo_1",
            "output": "bar_1"
        }, {
            "input": "foo_2",
            "output": "bar_2"
        }],
        "format": "converse"
    }
}"""


def test_the_documented_file_is_read_and_written(tmp_path: Path) -> None:
    path = tmp_path / "prompt.json"
    path.write_text(DOCUMENTED, encoding="utf-8")
    prompt = load_prompt(path)
    assert prompt.system_prompt == "You are a review classifier for ABC. Provide a review...."
    assert [variable.name for variable in prompt.variables] == ["review"]
    assert prompt.few_shot == FewShot([("foo_1", "bar_1"), ("foo_2", "bar_2")])
    save_prompt(prompt, tmp_path / "again.json")
    assert json.loads((tmp_path / "again.json").read_bytes()) == json.loads(DOCUMENTED)


def test_escaped_and_raw_files_load_equal(tmp_path: Path) -> None:
    data = {"user_prompt": {"template": "你好 🚀 é {{ x }}"}}
    for name, ascii_only in (("raw", False), ("escaped", True)):
        (tmp_path / f"{name}.json").write_text(json.dumps(data, ensure_ascii=ascii_only), encoding="utf-8-sig")
    assert load(tmp_path / "raw.json") == load(tmp_path / "escaped.json")
    save(load(tmp_path / "escaped.json"), tmp_path / "saved.json")
    assert "你好 🚀 é" in (tmp_path / "saved.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("a.json", DOCUMENTED, True),
        ("A.JSON", '{"system_prompt_component": 5}', True),
        ("a.json", '{"user_prompt": {}}', True),
        ("a.json", '{"user_prompt": "text"}', False),
        ("a.json", '[{"role": "user"}]', False),
        ("a.json", "{}", False),
        ("a.txt", DOCUMENTED, True),
        ("a", "{{ review }}", False),
        ("a", '["user_prompt_component"]', False),
    ],
)
def test_detection(tmp_path: Path, name: str, text: str, found: bool) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert detect(tmp_path / name) is found


def test_a_directory_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "a.json").mkdir()
    assert not detect(tmp_path / "a.json")
    for call in (lambda path: load(path), lambda path: save(Prompt(user="Hi"), path)):
        with pytest.raises(PromptFormatError, match="this is a directory, not a file"):
            call(tmp_path / "a.json")
    with pytest.raises(PromptNotFoundError, match=r"b\.json: there is no such file"):
        load(tmp_path / "b.json")


def test_what_cannot_be_written_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    save(Prompt(user="old"), path)
    with pytest.raises(PromptFormatError, match=r"a\.json: message 1 \(user\) holds U\+D83D at character 0"):
        save(Prompt(user="\ud83d"), path)
    monkeypatch.setattr(standardized_json, "read_standardized", lambda data, path: Prompt(user="other"))
    with pytest.raises(PromptFormatError, match="would not be read back equal"):
        save(Prompt(user="new"), path)
    monkeypatch.undo()
    assert load(path) == Prompt(user="old")


def test_the_prompt_json_of_a_directory_is_a_file_of_its_own(tmp_path: Path) -> None:
    prompt = Prompt("S", "{{ x }}", few_shot=FewShot([("a", "b")], "append_to_user_prompt"))
    save_prompt(prompt, tmp_path)
    assert load_prompt(tmp_path / "prompt.json") == prompt
