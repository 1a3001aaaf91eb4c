"""Published attacks against everything that takes such input: refused, or harmless, and soon over."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest

from attacks import SECRET, attacks, values
from clock import soon
from prompt_adapters import (
    Prompt,
    PromptAssetStore,
    SimplePrompt,
    TextPromptAdapter,
    format_prompt,
    get_adapter,
    load_prompt,
)
from prompt_adapters.adapters import PROMPT_ADAPTER_REGISTRY, from_request
from prompt_adapters.cli import main
from prompt_adapters.errors import FetchRefusedError, PromptAdapterError
from prompt_adapters.formats import FORMATS
from prompt_adapters.formats.files import MAX_BYTES
from prompt_adapters.langchain import AdapterPromptTemplate, AdapterStringPromptTemplate, from_langchain
from prompt_adapters.litellm import LiteLLMBridge
from prompt_adapters.media import HttpFetcher
from prompt_adapters.templates import SYNTAXES
from strategies import SLOTS

TEMPLATES = attacks("templates")
ENDLESS = attacks("endless")
SLOTTED_TEMPLATES = attacks("slots")
VALUES = attacks("values")
PATHS = attacks("paths")
LINKS = attacks("links")
DOCUMENTS = attacks("documents")


def test_the_table_is_long_and_says_where_from() -> None:
    rows = [
        row
        for table in (TEMPLATES, SLOTTED_TEMPLATES, ENDLESS, VALUES, PATHS, LINKS, DOCUMENTS)
        for row in table.values()
    ]
    assert len(rows) >= 270
    assert all(row["source"] for row in rows)


# Templates


def needed(prompt: Prompt) -> dict[str, Any]:
    return {variable.name: values().get(variable.name) for variable in prompt.variables}


def by_prompt(template: str) -> str:
    return Prompt(user=template).render_messages(values(), extra="ignore")[0].text


def by_blocks(template: str) -> str:
    prompt = Prompt(user=["first", {"type": "text", "content": template}])
    return prompt.render_messages(values(), extra="ignore", separators={("text", "text"): ""})[0].text[len("first") :]


def by_request(template: str) -> str:
    body = get_adapter("openai_style").build_body(prompt := Prompt(user=template), needed(prompt))
    return str(body["messages"][0]["content"])


def by_langchain(template: str) -> str:
    made = AdapterPromptTemplate.from_messages([("user", template)], template_format="jinja2")
    return str(made.invoke(values()).to_messages()[0].content)


def by_langchain_text(template: str) -> str:
    return AdapterStringPromptTemplate.from_template(template, template_format="jinja2").format(**values())


def by_langchain_block(template: str) -> str:
    block = {"type": "image_url", "image_url": {"url": "https://example.org/" + template}}
    made = AdapterPromptTemplate.from_messages([("user", [block])], template_format="jinja2")
    content: Any = made.invoke(values()).to_messages()[0].content
    return str(content[0]["image_url"]["url"])[len("https://example.org/") :]


def by_the_bridge(template: str) -> str:
    request = LiteLLMBridge(model="gpt-4o").request(prompt := Prompt(user=template), needed(prompt))
    return str(request["messages"][0]["content"])


TAKE_TEMPLATES: dict[str, Callable[[str], str]] = {
    "Prompt": by_prompt,
    "blocks": by_blocks,
    "request": by_request,
    "LangChain": by_langchain,
    "LangChain, text": by_langchain_text,
    "LangChain, block": by_langchain_block,
    "LiteLLM": by_the_bridge,
}


@pytest.mark.parametrize("take", TAKE_TEMPLATES.values(), ids=TAKE_TEMPLATES)
@pytest.mark.parametrize("attack", TEMPLATES.values(), ids=TEMPLATES)
def test_templates_get_at_nothing(attack: dict[str, Any], take: Callable[[str], str]) -> None:
    if "gives" in attack:
        assert take(attack["template"]) == attack["gives"]
        return
    with pytest.raises(PromptAdapterError) as caught:
        take(attack["template"])
    assert SECRET not in str(caught.value)
    assert "MemoryError" not in str(caught.value)


@pytest.mark.parametrize("attack", TEMPLATES.values(), ids=TEMPLATES)
def test_templates_in_files_get_at_nothing(
    attack: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "prompt.json"
    component = {"template": attack["template"], "variables": []}
    path.write_text(json.dumps({"user_prompt_component": component, "prompt_adapters": {"syntax": "jinja"}}))
    given = {"n": 9, "text": "t", "items": [1], "data": {}, "object": {}, "path": "p", "photo": "p"}
    (tmp_path / "values.json").write_text(json.dumps(given))
    if "gives" not in attack:
        with pytest.raises(PromptAdapterError):
            load_prompt(path).render_messages(values(), extra="ignore")
    code = main(["render", str(path), "--style", "openai_style", "--var-file", str(tmp_path / "values.json")])
    shown = capsys.readouterr()
    assert code != 0 or "gives" in attack
    assert "Traceback" not in shown.err + shown.out


@pytest.fixture(scope="module")
def endless() -> dict[str, dict[str, Any]]:
    """What became of each endless template in a process that may have 200 MB more than it begins with."""
    given = json.dumps([attack["template"] for attack in ENDLESS.values()])
    support = Path(__file__).parents[1] / "support"
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("endless.py"))],
        input=given,
        capture_output=True,
        text=True,
        timeout=180,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(support), *filter(None, [os.environ.get("PYTHONPATH")])]),
        },
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(lines) == len(ENDLESS), done.stderr[-2000:]
    return dict(zip(ENDLESS, lines, strict=True))


@pytest.mark.parametrize("name", ENDLESS)
def test_endless_templates_end(endless: dict[str, dict[str, Any]], name: str) -> None:
    found = endless[name]
    assert found["error"] is not None
    assert "MemoryError" not in found["message"]
    assert found["seconds"] < 1


def test_most_endless_templates_meet_a_limit_that_is_named(endless: dict[str, dict[str, Any]]) -> None:
    named = [found["limit"] for found in endless.values() if found["limit"]]
    assert len(named) >= len(ENDLESS) - 6
    assert {"steps", "text", "items", "nesting", "depth", "bits", "range", "tokens"} <= set(named)


# Syntaxes that fill slots


def by_langchain_format(template: str, syntax: str) -> str:
    made = AdapterPromptTemplate.from_messages([("user", template)], template_format=syntax)
    return str(made.invoke(values()).to_messages()[0].content)


def by_langchain_text_format(template: str, syntax: str) -> str:
    return AdapterStringPromptTemplate.from_template(template, template_format=syntax).format(**values())


def by_langchain_pattern(template: str, syntax: str) -> str:
    """As a part of a link, in which no blank may stand."""
    block = {"type": "image_url", "image_url": {"url": "https://example.org/" + template}}
    made = AdapterPromptTemplate.from_messages([("user", [block])], template_format=syntax)
    content: Any = made.invoke(values()).to_messages()[0].content
    return str(content[0]["image_url"]["url"])[len("https://example.org/") :]


def by_from_langchain(template: str, syntax: str) -> str:
    from langchain_core.prompts import ChatPromptTemplate, HumanMessagePromptTemplate, PromptTemplate

    if syntax not in ("f-string", "mustache"):
        return by_slots(template, syntax)
    theirs = PromptTemplate.model_construct(template=template, template_format=syntax, input_variables=[])  # unread
    message = HumanMessagePromptTemplate.model_construct(prompt=theirs, additional_kwargs={})
    chat = ChatPromptTemplate.model_construct(messages=[message], input_variables=[], partial_variables={})
    return str(from_langchain(chat).invoke(values()).to_messages()[0].content)


def by_slots(template: str, syntax: str) -> str:
    return Prompt(user=template, syntax=syntax).render_messages(values(), extra="ignore")[0].text


def by_slots_in_blocks(template: str, syntax: str) -> str:
    prompt = Prompt(user=["first", {"type": "text", "content": template}], syntax=syntax)
    return prompt.render_messages(values(), extra="ignore", separators={("text", "text"): ""})[0].text[len("first") :]


TAKE_SLOTS: list[Callable[[str, str], str]] = [
    by_slots,
    by_slots_in_blocks,
    by_langchain_format,
    by_langchain_text_format,
    by_langchain_pattern,
    by_from_langchain,
]


@pytest.mark.parametrize("take", TAKE_SLOTS)
@pytest.mark.parametrize("attack", SLOTTED_TEMPLATES.values(), ids=SLOTTED_TEMPLATES)
def test_slots_get_at_nothing(attack: dict[str, Any], take: Callable[[str, str], str]) -> None:
    with soon(1):
        if "gives" in attack and not (take is by_langchain_pattern and " " in attack["gives"]):
            assert take(attack["template"], attack["syntax"]) == attack["gives"]
        else:
            with pytest.raises(PromptAdapterError) as caught:
                take(attack["template"], attack["syntax"])
            assert SECRET not in str(caught.value)
            assert "MemoryError" not in str(caught.value)


# Values

SLOTTED = [syntax for syntax in SYNTAXES if syntax != "none"]
STYLES = sorted(key for key in PROMPT_ADAPTER_REGISTRY if PROMPT_ADAPTER_REGISTRY[key].__module__.startswith("prompt_"))


def prompt_of(syntax: str) -> Prompt:
    return Prompt("S", f"<{SLOTS[syntax].format('x')}>", syntax=syntax)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("attack", VALUES.values(), ids=VALUES)
def test_values_are_texts(attack: dict[str, Any], style: str) -> None:
    adapter = get_adapter(style, model="gpt-4o" if style == "litellm_style" else None, parameters={"max_tokens": 9})
    plain = adapter.build_body(prompt_of("jinja"), x="MARK")
    for syntax in SLOTTED:
        body = adapter.build_body(prompt_of(syntax), x=attack["text"])
        assert json.loads(json.dumps(plain).replace("MARK", json.dumps(attack["text"])[1:-1])) == body
        assert from_request(style, body)[-1].text == f"<{attack['text']}>"


@pytest.mark.parametrize("attack", VALUES.values(), ids=VALUES)
def test_values_are_texts_in_the_faces(attack: dict[str, Any], tmp_path: Path) -> None:
    text = attack["text"]
    wanted = [{"role": "system", "content": "S"}, {"role": "user", "content": f"<{text}>"}]
    template = AdapterPromptTemplate.from_messages([("system", "S"), ("user", "<{x}>")], template_format="f-string")
    assert [message.content for message in template.invoke({"x": text}).to_messages()] == ["S", f"<{text}>"]
    assert AdapterStringPromptTemplate.from_template("<{x}>", template_format="f-string").format(x=text) == f"<{text}>"
    assert LiteLLMBridge(model="gpt-4o").request(prompt_of("jinja"), {"x": text})["messages"] == wanted
    assert SimplePrompt.from_string("$system$\nS\n$user$\n<%x%>").build_messages(x=text) == wanted
    rows = [{"role": "system", "content": "S"}, {"role": "user", "content": "<{x}>"}]
    assert format_prompt(rows, {"x": text, "question": "asked"}, single_pass=True) == wanted
    adapter = TextPromptAdapter().set_system_prompt("S").set_user_prompt("<{{ x }}>").adapt()
    assert [message.text for message in adapter.to_prompt().render(x=text)] == ["S", f"<{text}>"]
    saved = adapter.save(tmp_path / "p")
    assert [message.text for message in saved.load(tmp_path / "p").to_prompt().render(x=text)] == ["S", f"<{text}>"]


# Paths


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """A folder with links that lead out of it, beside a secret."""
    folder = tmp_path / "shared"
    (folder / "folder").mkdir(parents=True)
    (tmp_path / "secret").write_text(SECRET)
    (tmp_path / "secret.yaml").write_text(f"user_prompt: [{{text: {SECRET}}}]")
    (folder / "rules").write_text("Be brief.")
    (folder / "link").symlink_to(tmp_path / "secret")
    (folder / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    (folder / "out").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe")
    return folder


@pytest.mark.parametrize("attack", PATHS.values(), ids=PATHS)
def test_includes_stay_in_their_folder(attack: dict[str, Any], shared: Path) -> None:
    for tag in ("include {}", "import {} as m", "from {} import m"):
        with pytest.raises(PromptAdapterError) as caught:
            Prompt(user="{% " + tag.format(json.dumps(attack["path"])) + " %}", includes=shared)
        assert SECRET not in str(caught.value)
    assert Prompt(user="{% include 'rules' %}", includes=shared).render()[0].text == "Be brief."


@pytest.mark.parametrize("attack", PATHS.values(), ids=PATHS)
def test_prompt_ids_stay_in_their_folder(attack: dict[str, Any], shared: Path) -> None:
    store = PromptAssetStore(shared)
    with pytest.raises(PromptAdapterError) as caught:
        store.get(attack["path"])
    assert SECRET not in str(caught.value)
    with pytest.raises(PromptAdapterError):
        store.add(Prompt(user="x"), attack["path"], "../v1")


@pytest.mark.parametrize("attack", PATHS.values(), ids=PATHS)
def test_values_are_no_paths(attack: dict[str, Any], shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shared)
    message = prompt_of("jinja").render(x=attack["path"])[1]
    assert message.text == f"<{attack['path']}>"
    with pytest.raises(PromptAdapterError):
        Prompt(user=[{"type": "image", "variable": "x"}]).render(x=attack["path"])


# Links


@pytest.mark.parametrize("attack", LINKS.values(), ids=LINKS)
def test_links_lead_nowhere(attack: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(*_: object) -> NoReturn:
        raise AssertionError("a connection was made")

    monkeypatch.setattr(socket.socket, "connect", connect)
    with pytest.raises(FetchRefusedError):
        HttpFetcher(timeout=1).fetch(attack["url"])
    with pytest.raises(PromptAdapterError):
        SimplePrompt.from_string("$user$\nx").build_messages(images=attack["url"])


# Documents


@pytest.mark.parametrize("suffix", [".yaml", ".json", ".prompt", ".txt", ".prompty", ".md", ""])
@pytest.mark.parametrize("attack", DOCUMENTS.values(), ids=DOCUMENTS)
def test_documents_are_refused_or_text(
    attack: dict[str, Any], suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    path = tmp_path / f"attack{suffix}"
    path.write_text(attack["text"], encoding="utf-8")
    with soon(1 + len(FORMATS)):
        for name in (None, *FORMATS):
            try:
                prompt = load_prompt(path, name)
                given = {variable.name: "value" for variable in prompt.variables if variable.type != "messages"}
                said = json.dumps(prompt.to_json()) + repr(prompt.render_messages(given, extra="ignore"))
            except PromptAdapterError as error:
                said = str(error)
            assert SECRET not in said
            assert "root:" not in said
    assert sorted(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["settings.prompty", "promptfooconfig.yaml"])
def test_hidden_files_beside_a_prompt_are_not_read(name: str, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"KEY={SECRET}")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config.json").write_text(json.dumps([{"role": "user", "content": SECRET}]))
    (tmp_path / "link.txt").symlink_to(tmp_path / ".env")
    for hidden in (".env", "./.env", ".git/config.json", "link.txt"):
        text = f"---\nname: ${{file:{hidden}}}\n---\nuser:\nx\n"
        if name.endswith(".yaml"):
            text = f"prompts: ['file://{hidden}']\nproviders: [x]\n"
        (tmp_path / name).write_text(text)
        with pytest.raises(PromptAdapterError) as caught:
            load_prompt(tmp_path / name)
        assert SECRET not in str(caught.value)


def test_pipes_and_devices_are_no_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.json")
    (tmp_path / "zero.yaml").symlink_to("/dev/zero")
    (tmp_path / "large.json").touch()
    os.truncate(tmp_path / "large.json", MAX_BYTES + 1)
    for path in sorted(tmp_path.iterdir()):
        for name in (None, *FORMATS):
            with pytest.raises(PromptAdapterError):
                load_prompt(path, name)
    store = tmp_path / "store" / "a"
    store.mkdir(parents=True)
    os.mkfifo(store / "v1.yaml")
    with pytest.raises(PromptAdapterError):
        PromptAssetStore(store.parent).get("a", "v1")
