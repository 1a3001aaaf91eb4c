"""What is refused in a prompty, with its line; what is read outside of it."""

import os
from pathlib import Path

import pytest

from prompt_adapters import Variable, load_prompt
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.prompty import parse
from strategies import PNG

LINK = "https://example.org/a.png"


def _head(yaml: str, body: str = "user:\na\n") -> str:
    return f"---\n{yaml}\n---\n{body}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "prompts"
    place.mkdir()
    (place / "cat.png").write_bytes(PNG)
    (place / "format.json").write_text('{"type": "json_object"}', encoding="utf-8")
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (tmp_path / "secret.png").write_bytes(PNG)
    return place


# name: (text, line, what the error says)
FAULTS: dict[str, tuple[str, int | None, str]] = {
    "no message": ("---\nname: a\n---\n", None, "there is no message"),
    "empty": ("", None, "there is no message"),
    "not closed": ("---\nname: a\n", 1, "not closed by a line '---'"),
    "no YAML": ("---\nname: [a\n---\na", 2, "not valid YAML"),
    "key twice": ("---\nname: a\nname: b\n---\na", 3, "the key 'name' stands twice"),
    "a list": ("---\n- a\n---\na", 2, "not list"),
    "base": (_head("base: other.prompty"), None, "'base' is another file"),
    "unfinished version": (_head("inputSchema: {}"), None, "'inputSchema' is a word of an unfinished version"),
    "completion": (_head("model: {api: completion}"), None, "'model.api' is 'completion', which has no messages"),
    "embedding": (_head("model: {apiType: embedding}"), None, "'model.apiType' is 'embedding'"),
    "environment in the model": (_head("model: {id: '${env:M}'}"), None, "'model.id' is '${env:M}', and the env"),
    "environment in options": (_head("model: {options: {seed: '${env:S}'}}"), None, "'model.options.seed' is"),
    "environment in an input": (_head("inputs: [{name: x, default: '${ENV:X:1}'}]"), None, "'inputs[0].default' is"),
    "environment in the name": (_head("name: ${env:N}"), None, "'name' is"),
    "file without a folder": (_head("sample: '${file:a.json}'"), None, "this text has no folder"),
    "model is a list": (_head("model: [a]"), None, "'model' is a mapping of names to values, not list"),
    "id is a list": (_head("model: {id: [a]}"), None, "'model.id' is a text, not list"),
    "options are a text": (_head("model: {options: a}"), None, "'model.options' is a mapping"),
    "parameter twice": (_head("model: {options: {topP: 1, additionalProperties: {top_p: 2}}}"), None, "'top_p' stands"),
    "parameter of both": (_head("model: {options: {seed: 1}, parameters: {seed: 2}}"), None, "'seed' stands both"),
    "inputs are a text": (_head("inputs: a"), None, "'inputs' are a list or a mapping, not str"),
    "input without a name": (_head("inputs: [{kind: string}]"), None, "input 1 has no name"),
    "input twice": (_head("inputs: [{name: x}, {name: x}]"), None, "the input 'x' stands twice"),
    "input of two names": (_head("inputs: {x: {name: y}}"), None, "the input 'x' has another name inside"),
    "kind is a list": (_head("inputs: [{name: x, kind: [a]}]"), None, "its kind is a text"),
    "required is a text": (_head("inputs: [{name: x, required: 'yes'}]"), None, "'required' is true or false"),
    "metadata twice": (_head("description: a\nmetadata: {description: b}"), None, "'metadata' has the key"),
    "unknown format": (_head("template: {format: handlebars, parser: prompty}"), None, "the template format"),
    "unknown parser": (_head("template: {format: jinja2, parser: x}"), None, "the parser 'x' is not known"),
    "instructions twice": (_head("instructions: a"), None, "'instructions' stand in the front matter and below it"),
    "broken template": (_head("name: a", "system:\na\nuser:\n\nb {% if %}"), 8, "Expected an expression"),
    "broken template in Mustache": (_head("template: mustache", "user:\na\n{{#x}}"), 6, "'x' is not closed"),
    "comment that is not closed": (_head("name: a", "user:\n\n{# a"), 6, "comment"),
    "message inside a loop": (_head("name: a", "{% for x in y %}\nuser:\n{{ x }}{% endfor %}"), 5, "inside {% for %}"),
    "message inside raw": (_head("name: a", "a{% raw %}\nuser:\n{% endraw %}"), 5, "inside {% raw %}"),
    "message beside a tag": (_head("name: a", "{% if x %}user:\na{% endif %}"), 4, "holds nothing else"),
    "name with variables": (_head("name: a", 'user[name="Bo"]:\n{{ x }}'), 5, "the message of 'Bo' has variables"),
    "other attribute": (_head("name: a", "user[age=3]:\na"), 4, "the attribute 'age'"),
    "two names": (_head("name: a", "user[name=a, name=b]:\na"), 4, "the attribute 'name'"),
    "name of another message": (_head("name: a", "system:\n{% set y = 1 %}a\nuser:\n{{ y }}"), 7, "line 5 sets"),
    "unknown filter": (_head("name: a", "user:\n{{ x | lemmatize }}"), 5, "No filter named 'lemmatize'"),
    "include": (_head("name: a", "user:\n{% include 'x' %}"), 5, "nowhere to load a template from"),
    "thread in logic": (
        _head("inputs: [{name: t, kind: thread}]", "user:\n{% if t %}{{ t }}{% endif %}"), 5, "stand in {% if"),
    "thread with a filter": (_head("inputs: [{name: t, kind: thread}]", "user:\n{{ t | length }}"), 5, "of 't' stand"),
    "thread that is no name": (_head("inputs: [{name: 'a b', kind: thread}]"), None, "a history is called by a name"),
    "default in logic": (
        _head(f"inputs: [{{name: p, kind: image, default: '{LINK}'}}]", "user:\n{% if p %}{{ p }}{% endif %}"),
        5,
        "has a default, and stands in a statement",
    ),
    "role of version 1": (_head("sample: {}", "function:\na"), 4, "the role 'function' has no place"),
    "tools of version 1": (_head("sample: {}", "tools:\na"), 4, "the role 'tools' has no place"),
    "history in a condition": (
        _head("sample: {}", "a{% if h %}{% for m in h %}{{m.role}}:{{m.content}}{% endfor %}{% endif %}"), 4, "in {%"),
    "picture in a condition": (_head("sample: {}", f"a{{% if h %}}![a]({LINK}){{% endif %}}"), 4, "an image stands in"),
    "picture of two variables": (_head("sample: {}", "![a]({{ x }}/{{ y }}.png)"), 4, "is made of variables"),
    "picture of another scheme": (_head("sample: {}", "![a](file:///etc/passwd)"), 4, "neither a link"),
    "picture without an address": (_head("sample: {}", "![a]()"), 4, "neither a link"),
    "broken data URL": (_head("sample: {}", "![a](data:image/png;base64,AAAA)"), 4, ""),
}  # fmt: skip


@pytest.mark.parametrize(("text", "line", "reason"), FAULTS.values(), ids=FAULTS)
def test_faults_name_their_line(text: str, line: int | None, reason: str, tmp_path: Path) -> None:
    with pytest.raises(PromptFormatError) as caught:
        parse(text)
    assert caught.value.line == line
    assert reason in caught.value.reason
    path = tmp_path / "a.prompty"
    path.write_text(text, encoding="utf-8")
    if "folder" not in reason:
        with pytest.raises(PromptFormatError) as caught:
            load_prompt(path)
        assert (caught.value.path, caught.value.line) == (str(path), line)


def test_line_numbers_count_every_kind_of_line_break() -> None:
    with pytest.raises(PromptFormatError) as caught:
        parse("---\r\nname: a\r\n---\r\nsystem:\r\na\rb\r\nuser:\r\n\r\n{{ x | y }}")
    assert caught.value.line == 9


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../secret.png", "outside of the prompty's folder"),
        ("../prompts/../secret.png", "outside of the prompty's folder"),
        ("{root}/secret.png", "outside of the prompty's folder"),
        ("/etc/passwd", "outside of the prompty's folder"),
        ("link.png", "outside of the prompty's folder"),
        ("none.png", "there is no file"),
        (".", "there is no file"),
        ("pipe.png", "there is no file"),
        ("chat.prompty", ""),
    ],
)
def test_pictures_are_read_in_the_folder_only(name: str, reason: str, folder: Path) -> None:
    (folder / "link.png").symlink_to(folder.parent / "secret.png")
    os.mkfifo(folder / "pipe.png")
    path = folder / "chat.prompty"
    path.write_text(_head("sample: {}", f"![a]({name.format(root=folder.parent)})"), encoding="utf-8")
    with pytest.raises(PromptFormatError) as caught:
        load_prompt(path)
    assert caught.value.line == 4
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("reference", "reason"),
    [
        ("../secret.txt", "outside of the prompty's folder"),
        ("link.json", "outside of the prompty's folder"),
        ("none.json", "there is no file"),
        ("broken.json", "not valid JSON"),
        ("nested.json", "this text has no folder"),
        ("secret.json", "the environment is not read"),
    ],
)
def test_files_are_read_in_the_folder_only(
    reference: str, reason: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN_OF_SOMEBODY", "hunter2")
    (folder / "link.json").symlink_to(folder.parent / "secret.txt")
    (folder / "broken.json").write_text("{", encoding="utf-8")
    (folder / "nested.json").write_text('{"x": "${file:format.json}"}', encoding="utf-8")
    (folder / "secret.json").write_text('{"x": "${env:TOKEN_OF_SOMEBODY}"}', encoding="utf-8")
    path = folder / "chat.prompty"
    path.write_text(_head(f"sample: ${{file:{reference}}}"), encoding="utf-8")
    with pytest.raises(PromptFormatError) as caught:
        load_prompt(path)
    assert reason in str(caught.value)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content"), [("s.json", '{"x": 1}'), ("s.yaml", "x: 1"), ("s.YML", "x: 1")], ids=["JSON", "YAML", "YML"]
)
def test_files_in_the_folder(name: str, content: str, folder: Path) -> None:
    (folder / name).write_text(content, encoding="utf-8")
    assert parse(_head(f"sample: ${{file:{name}}}"), folder / "a.prompty").declared == (Variable("x", default=1),)


def test_a_text_file_in_the_folder(folder: Path) -> None:
    (folder / "d.txt").write_text("text", encoding="utf-8")
    prompt = parse(_head("inputs: [{name: x, default: '${file:d.txt}'}]"), folder / "a.prompty")
    assert prompt.declared == (Variable("x", default="text"),)


def test_the_environment_stays_as_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN_OF_SOMEBODY", "hunter2")
    prompt = parse(_head("model: {id: m, connection: {kind: key, apiKey: '${env:TOKEN_OF_SOMEBODY}'}}"))
    assert "hunter2" not in str(prompt.to_json())
    assert "${env:TOKEN_OF_SOMEBODY}" in str(prompt.to_json())
