"""Failures that people reported about saving and loading prompts, each as a small input of its kind."""

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from prompt_adapters import FewShot, History, Message, Prompt, load_prompt, save_prompt
from prompt_adapters.errors import MissingVariableError, PromptFormatError
from prompt_adapters.formats import held_by

TEXT = "Don\u2019t guess — answer in 中文 🚀 café, {{name}}.\n"
PLACES = ("directory", "file.json")
LISTS = ("chat.json", "chat.yaml")  # of messages, and promptfoo's


def again(prompt: Prompt, folder: Path) -> list[Prompt]:
    """The prompt after a save and a load in each form that holds everything, and after plain data and a pickle."""
    for name in PLACES:
        save_prompt(prompt, folder / name)
    loaded = [load_prompt(folder / name) for name in PLACES]
    return [*loaded, Prompt.from_json(json.dumps(prompt.to_json())), pickle.loads(pickle.dumps(prompt))]


UNDER_A_C_LOCALE = """
import sys
from pathlib import Path
from prompt_adapters import FewShot, Prompt, load_prompt, save_prompt

folder = Path(sys.argv[1])
text = (folder / "source" / "user_prompt.txt").read_bytes().decode("utf-8")
assert load_prompt(folder / "source") == Prompt(user=text, syntax="plain")
prompt = Prompt(text, text, few_shot=FewShot([(text, text)]), metadata={text: text})
for name in ("directory", "file.json"):
    save_prompt(prompt, folder / name)
    assert load_prompt(folder / name) == prompt
"""


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_files_are_utf8_on_every_machine(tmp_path: Path, locale: str) -> None:
    """SER-01: confident-ai/deepeval#2975, langchain-ai/langchain#6900. Files read with the system's code page."""
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "user_prompt.txt").write_bytes(TEXT.encode())
    env = {**os.environ, "LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    # Python's own warning about an open() without an encoding is an error here.
    options = ["-X", "warn_default_encoding", "-W", "error::EncodingWarning"]
    command = [sys.executable, *options, "-c", UNDER_A_C_LOCALE, str(tmp_path)]
    result = subprocess.run(command, env=env, capture_output=True, text=True, encoding="utf-8")
    assert result.returncode == 0, result.stderr
    assert TEXT.encode() in (tmp_path / "directory" / "user_prompt.txt").read_bytes()


def test_another_code_page_is_refused_and_not_guessed(tmp_path: Path) -> None:
    """SER-01: microsoft/semantic-kernel#3471. The same text in cp1252."""
    (tmp_path / "user_prompt.txt").write_bytes(b"Hi,\nDon\x92t guess, {{name}}.\n")
    with pytest.raises(PromptFormatError, match=r"user_prompt\.txt: line 2: byte 0x92 at offset 7 is not UTF-8"):
        load_prompt(tmp_path)


def test_characters_are_not_escaped(tmp_path: Path) -> None:
    """SER-02: agno-agi/agno#9485, langchain-ai/langchain-aws#1085. Escapes cost tokens and answers."""
    prompt = Prompt(user="{{ d }} 你好", few_shot=FewShot([("城市", "🚀")]))
    (message,) = prompt.replace(few_shot=None).render(d={"城市": "北京", "e": "🚀"})
    assert message.text == '{"城市": "北京", "e": "🚀"} 你好'
    assert again(prompt, tmp_path) == [prompt] * 4
    for name in LISTS:
        save_prompt(prompt.replace(few_shot=None), tmp_path / name, format="messages")
        assert load_prompt(tmp_path / name) == prompt.replace(few_shot=None)
        assert "你好" in (tmp_path / name).read_text(encoding="utf-8")
    for name in ("directory/user_prompt.txt", "directory/few_shot.json", "directory/prompt.json", "file.json"):
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert "\\u" not in text
        assert "你好" in text or "城市" in text


def test_escaped_and_raw_files_load_equal(tmp_path: Path) -> None:
    """SER-02: emcie-co/parlant#823. What another program has escaped is the same prompt."""
    for name, text in (("raw", "你好 🚀 é {{ name }}"), ("escaped", r"\u4f60\u597d \ud83d\ude80 \u00e9 {{ name }}")):
        (tmp_path / f"{name}.json").write_bytes(f'{{"user_prompt": {{"template": "{text}"}}}}'.encode())
        (tmp_path / f"{name}_chat.json").write_bytes(f'[{{"role": "user", "content": "{text}"}}]'.encode())
    assert load_prompt(tmp_path / "raw.json") == load_prompt(tmp_path / "escaped.json")
    for given in ("messages", "promptfoo"):
        raw = load_prompt(tmp_path / "raw_chat.json", format=given, syntax="jinja")
        assert raw == load_prompt(tmp_path / "escaped_chat.json", format=given, syntax="jinja")


def test_a_chat_prompt_survives(tmp_path: Path) -> None:
    """SER-05: langchain-ai/langchain#32637, #13794. A chat prompt cannot be saved."""
    turns = [("system", "s {a}"), ("user", "h {b}"), ("assistant", "c"), ("user", "{d}")]
    prompt = Prompt(messages=turns, syntax="f-string")
    for loaded in again(prompt, tmp_path):
        assert loaded == prompt
        assert [variable.name for variable in loaded.variables] == ["a", "b", "d"]


@pytest.mark.parametrize("name", LISTS)
def test_a_chat_prompt_survives_as_a_list_of_messages(tmp_path: Path, name: str) -> None:
    """SER-05: langchain-ai/langchain#32637, #13794. The same prompt in the form in which it was reported."""
    turns = [("system", "s {a}"), ("user", "h {b}"), ("assistant", "c"), ("user", "{d}")]
    bare = [{"role": role, "content": text} for role, text in turns]
    (tmp_path / "bare.json").write_text(json.dumps(bare), encoding="utf-8")
    prompt = load_prompt(tmp_path / "bare.json", syntax="f-string")
    assert prompt == Prompt(messages=turns, syntax="f-string")
    save_prompt(prompt, tmp_path / name, format="messages")
    assert load_prompt(tmp_path / name) == prompt
    save_prompt(prompt, tmp_path / name, format="promptfoo")
    loaded = load_prompt(tmp_path / name, format="promptfoo")
    values = {"a": "{b}", "b": "B", "d": "D"}
    assert loaded.render(values) == prompt.render(values)


@pytest.mark.parametrize("required", [True, False])
def test_a_place_for_history_survives(tmp_path: Path, required: bool) -> None:
    """SER-07: langchain-ai/langchain#24513. A placeholder is lost, or becomes required."""
    prompt = Prompt(messages=[("system", "foo"), History("history", required=required), ("user", "baz")])
    for loaded in again(prompt, tmp_path):
        assert loaded == prompt
        assert len(loaded.render(history=[("user", "a"), ("assistant", "b")])) == 4
        if required:
            with pytest.raises(MissingVariableError, match="history"):
                loaded.render()
        else:
            assert len(loaded.render()) == 2


@pytest.mark.parametrize(("history", "lost"), [
    (History("history"), ()),
    (History("_conversation", required=False), ()),
    (History("history", required=False), ("message 2 (history 'history'): that it may be left out",)),
])  # fmt: skip
def test_a_place_for_history_survives_in_a_chat_of_promptfoo(
    tmp_path: Path, history: History, lost: tuple[str, ...]
) -> None:
    """SER-07: langchain-ai/langchain#24513. A loop is such a place; what it cannot say is named."""
    prompt = Prompt(messages=[("system", "foo"), history, ("user", "baz")])
    kept, losses = held_by(prompt, "promptfoo")
    assert losses == lost
    save_prompt(kept, tmp_path / "chat.json", format="promptfoo")
    loaded = load_prompt(tmp_path / "chat.json", format="promptfoo")
    assert loaded == kept
    assert len(loaded.render({history.name: [("user", "a"), ("assistant", "b")]})) == 4
    assert held_by(prompt, "messages")[1] == (f"message 2 (history {history.name!r}), a slot for earlier messages",)


FEW_SHOT_FILES = {
    "list": ('[{"input": "2+2", "output": "4"}, {"input": "S = {1; 2}", "output": "{2}"}]',
             [("2+2", "4"), ("S = {1; 2}", "{2}")]),
    "wrapped": ('{"examples": [{"input": "2+2", "output": "4"}]}', [("2+2", "4")]),
    "messages": ('[{"role": "user", "content": "2+2"}, {"role": "assistant", "content": "4"}]', [("2+2", "4")]),
    "latex": (r'[{"input": "\\sum_{i=1}^{n} x_i", "output": "sum of x"}]', [(r"\sum_{i=1}^{n} x_i", "sum of x")]),
    "empty": ("[]", []),
}  # fmt: skip


@pytest.mark.parametrize(("text", "pairs"), FEW_SHOT_FILES.values(), ids=FEW_SHOT_FILES)
def test_few_shot_files_in_each_shape(tmp_path: Path, text: str, pairs: list[tuple[str, str]]) -> None:
    """SER-08: langchain-ai/langchain#2740. The shape of few-shot files is guessed."""
    (tmp_path / "user_prompt.txt").write_bytes(b"{{ question }}")
    (tmp_path / "few_shot.json").write_bytes(text.encode())
    prompt = load_prompt(tmp_path)
    assert prompt.few_shot == (FewShot(pairs) if pairs else None)
    shown = [message.text for message in prompt.render(question="?")[:-1]]
    assert shown == [piece for pair in pairs for piece in pair]


def test_a_ragged_few_shot_file_is_refused_by_number_and_key(tmp_path: Path) -> None:
    """SER-08: langchain-ai/langchain#2740. The second example has no output."""
    (tmp_path / "user_prompt.txt").write_bytes(b"{{ question }}")
    (tmp_path / "few_shot.json").write_bytes(b'[{"input": "2+2", "output": "4"}, {"input": "3+3"}]')
    with pytest.raises(PromptFormatError, match=r"few_shot\.json: few-shot example 2 \(index 1\) lacks 'output'"):
        load_prompt(tmp_path)


SHAPED_LIKE_OBJECTS: list[dict[str, Any]] = [
    {"lc": 1, "type": "secret", "id": ["HOME"]},
    {"lc": 1, "type": "constructor", "id": ["os", "system"], "kwargs": {"command": "true"}},
    {"__lc_escaped__": {"lc": 1}},
    {"py/object": "os.system"},
    {"type": "image", "url": "/etc/passwd"},
]


@pytest.mark.parametrize("note", SHAPED_LIKE_OBJECTS, ids=lambda note: next(iter(note)))
def test_data_shaped_like_objects_stay_data(tmp_path: Path, note: dict[str, Any]) -> None:
    """SER-10: langchain-ai/langchain#34455, redis-developer/langgraph-redis#142. User data are revived as objects."""
    text = json.dumps(note)
    prompt = Prompt(
        messages=[Message("user", [text]), ("user", "{{ note }}")],
        few_shot=FewShot([(text, text)]),
        parameters={"note": note},
        metadata={"note": note},
    )
    for loaded in again(prompt, tmp_path):
        assert loaded == prompt
        assert loaded.metadata == {"note": note}
        assert json.loads(loaded.render(note=note)[-1].text) == note
    chat = prompt.replace(few_shot=None, metadata={})
    for name in LISTS:
        save_prompt(chat, tmp_path / name, format="messages")
        loaded = load_prompt(tmp_path / name)
        assert loaded.parameters == {"note": note}
        assert loaded.render(note=note) == chat.render(note=note)


REFUSED_JSON = {
    "nan": ('{"user_prompt": {"template": "a"},\n"prompt_adapters": {"parameters": {"temperature": NaN}}}', 2, "NaN"),
    "key twice": ('{"user_prompt": {"template": "one",\n"template": "two"}}', 2, "the key 'template' stands twice"),
}


@pytest.mark.parametrize(("text", "line", "reason"), REFUSED_JSON.values(), ids=REFUSED_JSON)
def test_what_json_has_not_is_refused(tmp_path: Path, text: str, line: int, reason: str) -> None:
    """SER-13. NaN, and keys that stand twice."""
    (tmp_path / "prompt.json").write_bytes(text.encode())
    with pytest.raises(PromptFormatError, match=rf"prompt\.json: line {line}: .*{reason}"):
        load_prompt(tmp_path / "prompt.json")
    for given in ("messages", "promptfoo"):
        with pytest.raises(PromptFormatError, match=rf"prompt\.json: line {line}: .*{reason}"):
            load_prompt(tmp_path / "prompt.json", format=given)


@pytest.mark.parametrize(
    "text", ["a\x00b\x1bc {{ name }}", "a\u2028b\u2029c\x85d\ne {{ name }}"], ids=["controls", "separators"]
)
def test_control_characters_and_separators_survive(tmp_path: Path, text: str) -> None:
    """SER-13. NUL and the line separators of Unicode, in templates and in examples."""
    prompt = Prompt(text, text, few_shot=FewShot([(text, text)]), syntax="plain", metadata={text: text})
    assert again(prompt, tmp_path) == [prompt] * 4
    chat = Prompt(text, text)
    for name in LISTS:
        for given in ("messages", "promptfoo"):
            save_prompt(chat, tmp_path / name, format=given)
            assert load_prompt(tmp_path / name, format=given) == chat
    (tmp_path / "directory" / "prompt.json").unlink()
    assert load_prompt(tmp_path / "directory") == prompt.replace(metadata={})


OTHERS = {"file.prompt": "simple_prompt", "file.yaml": "asset"}

OTHERS_UNDER_A_C_LOCALE = """
import sys
from pathlib import Path
from prompt_adapters import Prompt, PromptAssetStore, load_prompt, save_prompt
from prompt_adapters.errors import PromptFormatError

folder = Path(sys.argv[1])
text = (folder / "text").read_bytes().decode("utf-8")
for name in sys.argv[2:]:
    prompt = Prompt(text, text, metadata={"k": text}, syntax="percent" if name.endswith(".prompt") else "jinja")
    save_prompt(prompt, folder / name)
    assert load_prompt(folder / name) == prompt
store = PromptAssetStore(folder / "store")
store.add(Prompt(text, text), "judge", "v1")
store.set_label("judge", text)
assert store.get("judge", label=text).render()[0].text == text
try:
    store.add(Prompt(user=text), "\\u53d8", "v1")
    assert store.ids() == ["judge", "\\u53d8"]
except PromptFormatError as error:
    assert sys.getfilesystemencoding() == "ascii"
    assert "start Python with PYTHONUTF8=1" in str(error)
"""


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_other_files_are_utf8_on_every_machine(tmp_path: Path, locale: str) -> None:
    """SER-01: confident-ai/deepeval#2975, langchain-ai/langchain#17995. Prompt files, assets and stores as well."""
    text = "Don\u2019t guess — answer in 中文 🚀 café"
    (tmp_path / "text").write_bytes(text.encode())
    env = {**os.environ, "LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    options = ["-X", "warn_default_encoding", "-W", "error::EncodingWarning"]
    command = [sys.executable, *options, "-c", OTHERS_UNDER_A_C_LOCALE, str(tmp_path), *OTHERS]
    result = subprocess.run(command, env=env, capture_output=True, text=True, encoding="utf-8")
    assert result.returncode == 0, result.stderr
    for name in OTHERS:
        assert text.encode() in (tmp_path / name).read_bytes()


@pytest.mark.parametrize("name", OTHERS)
def test_a_byte_order_mark_is_no_text(tmp_path: Path, name: str) -> None:
    """SER-01. The same file with and without one; in UTF-16 it is refused with what to do."""
    prompt = Prompt("Be kind — 中文", "Hi", syntax="percent" if name.endswith(".prompt") else "jinja")
    path = tmp_path / name
    save_prompt(prompt, path)
    text = path.read_bytes().decode("utf-8")
    for data in (text.encode("utf-8-sig"), text.replace("\n", "\r\n").encode("utf-8-sig")):
        path.write_bytes(data)
        assert load_prompt(path) == prompt
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32"):
        path.write_bytes(text.replace("— 中文", "").encode(encoding))
        with pytest.raises(PromptFormatError, match=f"{encoding[:6].upper()}.*; save it as UTF-8"):
            load_prompt(path)


@pytest.mark.parametrize("name", OTHERS)
def test_characters_are_not_escaped_in_yaml(tmp_path: Path, name: str) -> None:
    """SER-02: agno-agi/agno#9485, langchain-ai/langchain-aws#1085. Escapes cost tokens and answers."""
    prompt = Prompt(
        "城市 🚀", "é", metadata={"城市": "🚀 é\n北京"}, syntax="percent" if name.endswith(".prompt") else "jinja"
    )
    save_prompt(prompt, tmp_path / name)
    assert load_prompt(tmp_path / name) == prompt
    text = (tmp_path / name).read_text(encoding="utf-8")
    assert "\\" not in text
    assert "城市: |-\n" in text


TYPES = "version: 2024-08-06\n{}  release: 3.10\n  strict: no\n  ratio: 1:30\n  code: 012\n  on: 2024-08-06T10:00:00Z\n"


def test_changing_the_model_of_an_asset_changes_nothing_else(tmp_path: Path) -> None:
    """SER-12: bitbonsai/mcpvault#77. What is written of a value stays; comments and quotes are not promised."""
    path = tmp_path / "v1.yaml"
    path.write_text(TYPES.format("user_prompt: [{text: 012}]\nmetadata:\n"), encoding="utf-8")
    prompt = load_prompt(path)
    assert (prompt.version, prompt.render()[0].text) == ("2024-08-06", "012")
    types = {"release": "3.10", "strict": "no", "ratio": "1:30", "code": "012", "on": "2024-08-06T10:00:00Z"}
    assert prompt.metadata == types
    save_prompt(prompt.replace(model="openai/gpt-5"), path)
    assert load_prompt(path) == prompt.replace(model="openai/gpt-5")
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    assert all(f"{key}: '{value}'" in lines or f"'{key}': '{value}'" in lines for key, value in types.items())


REFUSED_YAML = {
    "key twice": ("user_prompt: [{text: a}]\nmetadata:\n  a: 1\n  a: 2\n", 4, "the key 'a' stands twice"),
    "an object": ("user_prompt: [{text: a}]\nmetadata: !!python/object/apply:os.system [id]\n", 2, "the tag"),
    "many aliases": ("a: &a [x]\nuser_prompt: [" + ", ".join(["*a"] * 101) + "]\n", 2, "more than 100 aliases"),
    "two documents": ("user_prompt: [{text: a}]\n---\nuser_prompt: [{text: b}]\n", 2, "another document"),
    "too large a number": ("user_prompt: [{text: a}]\nparameters: {seed: 1e999}\n", 2, "no number is as large"),
    "unclosed": ("user_prompt: [{text: a}\nmodel: b\n", 2, "line 1"),
}


@pytest.mark.parametrize(("text", "line", "reason"), REFUSED_YAML.values(), ids=REFUSED_YAML)
def test_what_yaml_should_not_have_is_refused(tmp_path: Path, text: str, line: int, reason: str) -> None:
    """SER-13. The faults of JSON files, in YAML: each with its line."""
    (tmp_path / "v1.yaml").write_bytes(text.encode())
    with pytest.raises(PromptFormatError, match=rf"v1\.yaml: line {line}: .*{reason}"):
        load_prompt(tmp_path / "v1.yaml")


def test_numbers_that_are_none_are_texts_in_yaml(tmp_path: Path) -> None:
    """SER-13. YAML has words for them, and JSON has not: they stay what was written, and survive in JSON."""
    path = tmp_path / "v1.yaml"
    path.write_bytes(b"user_prompt: [{text: .nan}]\nmetadata: {a: .nan, b: -.inf, c: 1e999}\n")
    prompt = load_prompt(path)
    assert prompt.render()[0].text == ".nan"
    assert prompt.metadata == {"a": ".nan", "b": "-.inf", "c": "1e999"}
    assert again(prompt, tmp_path) == [prompt] * 4
    save_prompt(prompt, path)
    assert load_prompt(path) == prompt
