"""The defects that the first program of the standardized format had, each shown to be gone; and its robustness rows."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from prompt_adapters import TextPromptAdapter, get_adapter
from prompt_adapters.errors import PromptFormatError
from rows import Check, Rows

ROWS = Rows()

EXAMPLES = [{"input": "foo_1", "output": "bar_1"}, {"input": "foo_2", "output": "bar_2"}]


def files(folder: Path) -> dict[str, str]:
    return {path.name: path.read_bytes().decode() for path in folder.iterdir() if path.is_file()}


def user(content: str = "U {{ x }}", **options: Any) -> TextPromptAdapter:
    return TextPromptAdapter().set_user_prompt(content, **options)


@ROWS.row("B1, examples loaded under the older names of the formats are saved and used")
def _(folder: Path) -> None:
    (folder / "examples.json").write_text(json.dumps(EXAMPLES), encoding="utf-8")
    for name, file in (("user_prompt", "user_prompt.txt"), ("system_prompt", "system_prompt.txt")):
        adapter = user().set_system_prompt("S").load_few_shot("examples.json", name).adapt()
        adapter.save(name)
        assert "Output: bar_2" in files(folder / name)[file]
        assert any("Output: bar_2" in message.text for message in adapter.to_prompt().render(x="v"))


@ROWS.row("B2, examples for the system prompt survive without a system prompt, in files and in calls alike")
def _(folder: Path) -> None:
    adapter = user().add_few_shot(EXAMPLES, "append_to_system_prompt").adapt()
    adapter.save("saved")
    section = files(folder / "saved")["system_prompt.txt"]
    assert "Output: bar_2" in section
    assert adapter.to_prompt().render(x="v")[0].text == section
    assert TextPromptAdapter.load("saved").fetch() == adapter.fetch()


@ROWS.row("B3, what is saved is what is fetched, also after later changes")
def _(folder: Path) -> None:
    adapter = user().adapt()
    adapter.add_few_shot(EXAMPLES).set_system_prompt("S")
    adapter.save("saved")
    assert TextPromptAdapter.load("saved").fetch() == adapter.fetch()


@ROWS.row("B4, a saved directory is loaded, and saving it again changes nothing")
def _(folder: Path) -> None:
    for format_type in ("converse", "append_to_user_prompt", "append_to_system_prompt"):
        adapter = user(variables={"x"}).set_system_prompt("S {{ y }}").add_few_shot(EXAMPLES, format_type).adapt()
        adapter.save("saved")
        before = files(folder / "saved")
        again = TextPromptAdapter.load("saved")
        assert again.fetch() == adapter.fetch()
        again.save("saved")
        assert files(folder / "saved") == before
        assert sum(text.count("**Examples**") for text in before.values()) == (format_type != "converse")


@ROWS.row("B5, variables are found, in an order that stays, and a text is no list of letters")
def _(folder: Path) -> None:
    code = (
        "from prompt_adapters import TextPromptAdapter as T;"
        "print(T().set_user_prompt('{{ z }}', variables={'var_3', 'var_1', 'var_2'}).adapt().fetch())"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": number}, capture_output=True, check=True
        ).stdout
        for number in ("0", "1", "2")
    }
    assert len(printed) == 1
    assert b"['var_1', 'var_2', 'var_3', 'z']" in printed.pop()
    with pytest.raises(PromptFormatError, match="not the text 'abc'"):
        user(variables="abc")


@ROWS.row("B6, examples are checked when they are given, and nothing is half written")
def _(folder: Path) -> None:
    adapter = user().adapt()
    for examples in ([{"foo": 1}], [{"input": None, "output": "b"}], [{"input": 1, "output": 2}]):
        with pytest.raises(PromptFormatError, match="few-shot example 1"):
            adapter.add_few_shot(examples)
    adapter.save("saved")
    assert files(folder / "saved") == {"user_prompt.txt": "U {{ x }}"}


@ROWS.row("B7, files are UTF-8 whatever the locale, and a failing save leaves the old ones")
@ROWS.row("S3-47")
def _(folder: Path) -> None:
    code = (
        "from prompt_adapters import TextPromptAdapter as T;"
        "T().set_user_prompt('\\u00e9 \\u53d8').adapt().save('saved');"
        "print(ascii(T.load('saved').fetch_user_template()))"
    )
    plain = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    printed = subprocess.run([sys.executable, "-c", code], env=plain, capture_output=True, text=True, check=True).stdout
    assert printed.strip() == ascii("é 变")
    assert (folder / "saved" / "user_prompt.txt").read_bytes() == "é 变".encode()
    with pytest.raises(PromptFormatError, match="half of a surrogate pair"):
        user("\ud800").adapt().save("saved")
    assert files(folder / "saved") == {"user_prompt.txt": "é 变"}


@ROWS.row("B8, what is given out is a copy")
def _(folder: Path) -> None:
    adapter = user().add_few_shot(EXAMPLES).adapt()
    before = adapter.fetch()
    adapter.fetch()["few_shot"]["examples"][0]["input"] = "other"
    adapter.few_shot_examples.clear()
    adapter.standardized_prompt["user_prompt_component"]["variables"].append("other")
    assert adapter.fetch() == before


@ROWS.row("B9, there is nothing to adapt when nothing was set")
def _(folder: Path) -> None:
    with pytest.raises(PromptFormatError, match="No prompts have been set"):
        TextPromptAdapter().adapt()


@ROWS.row("B10, a list of turns that is odd or swapped is an error, and contents may be strings")
def _(folder: Path) -> None:
    turns = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    assert user().add_few_shot(turns).few_shot_examples == [{"input": "a", "output": "b"}]
    for wrong, reason in (
        (turns[::-1], "message 1 is 'assistant' where 'user' belongs"),
        (turns[:1], "has no assistant's answer"),
        ([*turns, turns[1]], "message 3 is 'assistant' where 'user' belongs"),
    ):
        (folder / "turns.json").write_text(json.dumps(wrong), encoding="utf-8")
        with pytest.raises(PromptFormatError, match=reason):
            user().add_few_shot(wrong)
        with pytest.raises(PromptFormatError, match=reason):
            user().load_few_shot("turns.json")


@ROWS.row("B11, saved examples become messages that LangChain and OpenAI's form take")
def _(folder: Path) -> None:
    from langchain_core.messages import convert_to_messages

    user().add_few_shot(EXAMPLES).adapt().save("saved")
    assert json.loads(files(folder / "saved")["few_shot.json"])[0] == {"role": "user", "content": [{"text": "foo_1"}]}
    prompt = TextPromptAdapter.load("saved").to_prompt()
    messages = get_adapter("openai_style").build_request(prompt, x="v")["messages"]
    assert [message.content for message in convert_to_messages(messages)] == ["foo_1", "bar_1", "foo_2", "bar_2", "U v"]


@ROWS.row("B12, braces of JSON stay, and single braces are no placeholder")
def _(folder: Path) -> None:
    prompt = user('{"k": {{ v }}} {"k": {v}} {{{v}}}').adapt().to_prompt()
    assert prompt.render(v=1)[0].text == '{"k": 1} {"k": {v}} {1}'


@ROWS.row("B13, showing warns of nothing, and before adapt it is an error")
def _(folder: Path) -> None:
    with pytest.raises(PromptFormatError, match=r"No prompt to show. Call adapt\(\) first"):
        user().show()
    adapter = user().adapt()
    assert adapter.show() is adapter


@ROWS.row("B14, a template is no program, and a value is never a template")
def _(folder: Path) -> None:
    text = "{{ ''.__class__ }} {% for i in range(9) %}x{% endfor %} {{ x }} {{ x | upper }}"
    prompt = user(text).adapt().to_prompt()
    assert [variable.name for variable in prompt.variables] == ["x"]
    assert prompt.render(x="{{ x }}{{ 7 * 7 }}")[0].text == text.replace("{{ x }}", "{{ x }}{{ 7 * 7 }}")


@ROWS.row("B15, saving again leaves no file of an earlier save")
def _(folder: Path) -> None:
    user().set_system_prompt("S").add_few_shot(EXAMPLES).adapt().save("saved")
    assert sorted(files(folder / "saved")) == ["few_shot.json", "system_prompt.txt", "user_prompt.txt"]
    user().adapt().save("saved")
    assert sorted(files(folder / "saved")) == ["user_prompt.txt"]


@ROWS.parametrize()
def test_row(check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    check(tmp_path)
