"""Configurations of promptfoo: which prompt is meant, and what is not read."""

from pathlib import Path

import pytest

from prompt_adapters import Prompt, Variable, load_prompt, save_prompt
from prompt_adapters.errors import PromptFormatError, PromptNotFoundError
from promptfoo_files import CHAT, PROMPT, load, written

CONFIG = """\
description: a comparison
prompts:
- file://prompts/chat.json
- 'Translate to {{ language }}: {{ text }}'
- id: file://prompts/chat.json
  label: judge
  config: {temperature: 0.5}
- - {role: system, content: s}
  - {role: user, content: '{{ text }}'}
- raw: |-
    Two lines,
    {{ text }}
  label: two
- file://prompts/several.txt
- exec:./make.sh
providers: [openai:gpt-5]
defaultTest:
  vars: {text: Hello, year: 1.10, other: [1, 2]}
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    written(tmp_path, "prompts/chat.json", CHAT)
    written(tmp_path, "prompts/several.txt", "a\n---\nb")
    return written(tmp_path, "promptfooconfig.yaml", CONFIG)


@pytest.mark.parametrize("label", ["judge/v1", "/lead", "trail/", "https://a.b/c", "a#b/c", "../up", "a/./b"])
def test_a_label_may_hold_slashes(label: str, tmp_path: Path) -> None:
    written(tmp_path, "promptfooconfig.yaml", {"prompts": [{"raw": "a", "label": "v1"}, {"raw": "b", "label": label}]})
    assert load_prompt(f"{tmp_path}/promptfooconfig.yaml#{label}").render()[0].text == "b"
    assert load_prompt(f"{tmp_path}/promptfooconfig.yaml#v1").render()[0].text == "a"
    with pytest.raises(PromptFormatError, match=r"no prompt is called 'none/v1' in this file"):
        load_prompt(f"{tmp_path}/promptfooconfig.yaml#none/v1")


TEXT = Variable("text", default="Hello")
YEAR = Variable("year", default="1.10")
CHOSEN = {
    "1": PROMPT.replace(variables=[YEAR]),
    "2": Prompt(user="Translate to {{ language }}: {{ text }}", variables=[TEXT]),
    "judge": PROMPT.replace(
        variables=[Variable("year", default="1.10")], name="judge", parameters={"temperature": 0.5}
    ),
    "4": Prompt("s", "{{ text }}", variables=[TEXT]),
    "two": Prompt(user="Two lines,\n{{ text }}", variables=[TEXT], name="two"),
}


@pytest.mark.parametrize(("choice", "prompt"), CHOSEN.items(), ids=CHOSEN)
def test_a_prompt_of_a_configuration_is_chosen(config: Path, choice: str, prompt: Prompt) -> None:
    assert load_prompt(f"{config}#{choice}") == prompt
    assert load_prompt(f"{config}#{choice}", format="promptfoo") == prompt


def test_a_configuration_with_several_prompts_lists_them(config: Path) -> None:
    with pytest.raises(PromptFormatError) as caught:
        load_prompt(config)
    assert "this file holds 7 prompts, #1, #2, #3 (judge), #4, #5 (two), #6, #7; say which, as" in str(caught.value)
    for choice in ("8", "0", "-1", "none", "²"):
        with pytest.raises(PromptFormatError, match="no prompt is called"):
            load_prompt(f"{config}#{choice}")
    with pytest.raises(PromptFormatError, match=r"several\.txt: this file holds 2 prompts"):
        load_prompt(f"{config}#6")
    with pytest.raises(PromptFormatError, match="prompt 7 comes from 'exec:', which is neither run nor fetched"):
        load_prompt(f"{config}#7")


@pytest.mark.parametrize("prompts", ["'{{ x }}'", "['{{ x }}']", "[{raw: '{{ x }}'}]"])
def test_one_prompt_needs_no_choice(prompts: str, tmp_path: Path) -> None:
    path = written(tmp_path, "promptfooconfig.yaml", f"prompts: {prompts}\n")
    assert load_prompt(path) == Prompt(user="{{ x }}")


def test_the_old_form_and_json(tmp_path: Path) -> None:
    written(tmp_path, "chat.json", CHAT)
    path = written(tmp_path, "config.json", {"prompts": {"chat.json": "judge"}, "tests": []})
    assert load_prompt(path) == PROMPT.replace(name="judge")


def test_only_files_of_this_format_have_parts(tmp_path: Path) -> None:
    save_prompt(Prompt(user="a"), tmp_path / "judge.json")
    with pytest.raises(PromptNotFoundError, match="a file of the format 'standardized_json' holds one prompt"):
        load_prompt(tmp_path / "judge.json#2")
    save_prompt(Prompt(user="b"), tmp_path / "judge.json#2", format="standardized_json")
    assert load_prompt(tmp_path / "judge.json#2") == Prompt(user="b")
    with pytest.raises(PromptNotFoundError, match="there is no such file or directory"):
        load_prompt(tmp_path / "nowhere.yaml#2")


ENTRIES: dict[str, tuple[object, str]] = {
    "outside": ("file://../secret.txt", "prompt 1, '../secret.txt', is not under the folder"),
    "absolute": ("file:///etc/passwd.txt", "is not under the folder"),
    "absolute without a scheme": ("/etc/passwd.txt", "is not under the folder"),
    "link": ("file://link.txt", "is not under the folder"),
    "missing": ("file://nowhere.txt", "there is no file 'nowhere.txt'"),
    "missing without a scheme": ("prompts/nowhere.json", "there is no file 'prompts/nowhere.json'"),
    "pattern": ("file://prompts/*.txt", "is a pattern of names; name one file"),
    "script": ("file://make.py", "would have to be run"),
    "function": ("make.py:build", "would have to be run"),
    "JavaScript": ("file://make.js", "would have to be run"),
    "table": ("file://prompts.csv", "would have to be run, or is no prompt"),
    "langfuse": ("langfuse://judge@production", "comes from 'langfuse:'"),
    "number": (7, "prompt 1 is 7, neither a text, a file nor a list"),
    "empty": ("", "neither a text"),
    "no source": ({"label": "a"}, "prompt 1 is None"),
    "label": ({"raw": "a", "label": 1}, "a label is a text"),
    "config": ({"raw": "a", "config": [1]}, "'config' is an object"),
    "null byte": ("file://a\0.txt", "is a pattern of names"),
    "long name": ("file://" + "a" * 400 + ".txt", "is not under the folder"),
}


@pytest.mark.parametrize(("entry", "reason"), ENTRIES.values(), ids=ENTRIES)
def test_what_is_not_read_is_refused_by_name(entry: object, reason: str, tmp_path: Path) -> None:
    written(tmp_path, "secret.txt", "secret")
    written(tmp_path, "in/make.py", "raise SystemExit")
    (tmp_path / "in" / "link.txt").symlink_to(tmp_path / "secret.txt")
    path = written(tmp_path, "in/promptfooconfig.json", {"prompts": [entry]})
    with pytest.raises(PromptFormatError) as caught:
        load_prompt(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert reason in str(caught.value)


@pytest.mark.parametrize("text", ["and/or {x}", "Is 1/2 a file.txt or not?", "../a b", "a" * 5000, "C:\\x y.txt"])
def test_a_text_that_is_no_path_is_a_text(text: str, tmp_path: Path) -> None:
    path = written(tmp_path, "promptfooconfig.json", {"prompts": [text]})
    assert load_prompt(path) == Prompt(user=text)


DEFAULTS: dict[str, tuple[object, str]] = {
    "list": ({"vars": {"x": [1, 2]}}, "'defaultTest.vars.x' is a list"),
    "file": ({"vars": {"x": "file://x.txt"}}, "'defaultTest.vars.x' is a file or a template"),
    "template": ({"vars": {"x": "{{ y }}"}}, "'defaultTest.vars.x' is a file or a template"),
    "file of its own": ("file://test.yaml", "'defaultTest' is a file of its own"),
    "file of values": ({"vars": "file://vars.yaml"}, "'defaultTest.vars' is a file of its own"),
}


@pytest.mark.parametrize(("test", "reason"), DEFAULTS.values(), ids=DEFAULTS)
def test_defaults_are_values(test: object, reason: str, tmp_path: Path) -> None:
    with pytest.raises(PromptFormatError, match=reason):
        load(tmp_path, "promptfooconfig.json", {"prompts": ["{{ x }}"], "defaultTest": test})
