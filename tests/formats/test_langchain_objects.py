"""What is refused of a dump of LangChain."""

import importlib
import json
import os
from pathlib import Path
from typing import Any

import pytest
from langchain_core.load import dumpd
from langchain_core.messages import HumanMessage
from langchain_core.prompts import (
    FewShotChatMessagePromptTemplate,
    FewShotPromptTemplate,
    PromptTemplate,
)

from dumps import SECRET, chat, message, of, read, text, turn
from prompt_adapters import (
    load_prompt,
)
from prompt_adapters.errors import MediaError, PromptFormatError, TemplateError

FAULTS: dict[str, tuple[Any, str]] = {
    "a list": ([], "is no object of LangChain's dump"),
    "no lc": ({"id": ["a"]}, "lacks 'lc'"),
    "another lc": ({"lc": 2, "type": "constructor", "id": ["a"]}, "lacks 'lc'"),
    "id is a text": ({"lc": 1, "type": "constructor", "id": "a"}, "'id' is a list of names"),
    "id is empty": ({"lc": 1, "type": "constructor", "id": []}, "'id' is a list of names"),
    "no type": ({"lc": 1, "id": ["a"]}, "is of the type None"),
    "a class of the system": (of("Popen", {"args": ["touch", "x"]}, "subprocess"), "class 'subprocess.Popen'"),
    "a known name elsewhere": (of("ChatPromptTemplate", {"messages": []}, "evil.prompts"), "'evil.prompts.ChatPrompt"),
    "a chat model": (of("ChatOpenAI", {}, "langchain.chat_models.openai"), "which is not read; the classes are AI"),
    "a secret": (SECRET, "the secret 'OPENAI_API_KEY', which is never looked up"),
    "a secret as a text": (turn(text(SECRET)), "'template' is a text"),
    "a secret as a value": (turn(text(partial_variables={"q": SECRET})), "the secret 'OPENAI_API_KEY'"),
    "a secret in metadata": (of("ChatPromptTemplate", {"messages": [], "metadata": {"a": SECRET}}), "the secret"),
    "few-shot": (dumpd(chat(FewShotChatMessagePromptTemplate(examples=[], example_prompt=chat(("ai", "a"))))),
                 "message 1 is FewShotChatMessagePromptTemplate: LangChain does not dump it; make a prompt of"),
    "few-shot text": (dumpd(FewShotPromptTemplate(
        examples=[], example_prompt=PromptTemplate.from_template("a"), suffix="b")), "does not dump it"),
    "a function": (dumpd(PromptTemplate.from_template("{q}", partial_variables={"q": os.getcwd})), "partial_variables"),
    "kwargs": ({**text(), "kwargs": []}, "'kwargs' is an object"),
    "messages": (of("ChatPromptTemplate", {"messages": {}}), "'messages' is a list"),
    "no messages": (of("ChatPromptTemplate", {"messages": []}), "message"),
    "unknown field": (of("ChatPromptTemplate", {"messages": [], "callbacks": [1]}), "has 'callbacks', which no prompt"),
    "template format": (turn(text(template_format="liquid")), "'liquid' is no template format"),
    "template": (turn(text(["a"])), "'template' is a text"),
    "a broken template": (turn(text("{q")), "message 1 (user)"),
    "a template of the file system": (turn({**text(), "kwargs": {"template_path": "/etc/passwd"}}), "'template_path'"),
    "additional_kwargs": (turn(text(), additional_kwargs={"a": 1}), "has 'additional_kwargs', which a template"),
    "a role": (of("ChatMessagePromptTemplate", {"prompt": text(), "role": "root"}), "has no known role"),
    "optional": (of("MessagesPlaceholder", {"variable_name": "a", "optional": "yes"}), "'optional' is true or false"),
    "no name": (of("MessagesPlaceholder", {}), "history"),
    "a message's field": (message(content="a", secret=1), "has 'secret', which no prompt can keep"),
    "content": (message(content=1), "'content' is a text or a list"),
    "a path": (turn([of("ImagePromptTemplate", {"template": {"path": "{q}"}}, "langchain.prompts.image")]), "'path'"),
    "blocks in several formats": (turn([text("{q}"), text("{{q}}", template_format="mustache")]), "write one format"),
    "partial values differ": (
        of("ChatPromptTemplate", {"messages": [
            of("HumanMessagePromptTemplate", {"prompt": text(partial_variables={"q": value})}) for value in "ab"
        ]}), "two different partial values"),
    "settings": (of("ChatPromptTemplate", {"messages": [turn(text())], "metadata": {"prompt_adapters": {"evil": 1}}}),
                 "hold only model, parameters"),
    "settings' variables": (
        of("ChatPromptTemplate", {"messages": [], "metadata": {"prompt_adapters": {"variables": [1]}}}), "variable"),
}  # fmt: skip


@pytest.mark.parametrize(("data", "reason"), FAULTS.values(), ids=FAULTS)
def test_faults_name_the_file_and_the_place(
    data: object, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "not-to-be-read")
    path = tmp_path / "prompt.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises((PromptFormatError, TemplateError, MediaError)) as caught:
        load_prompt(path, format="langchain")
    assert str(path) in str(caught.value)
    assert reason in str(caught.value)
    assert "not-to-be-read" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_nothing_of_a_dump_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    data = dumpd(chat(("human", "{q}"), HumanMessage("a")))

    def no(name: str, *_: Any) -> None:
        raise AssertionError(name)

    monkeypatch.setattr(importlib, "import_module", no)
    assert len(read(data).messages) == 2


def test_jinja2_of_a_dump_reaches_nothing() -> None:
    prompt = read(turn(text("{{ q.__class__.__mro__ }}", template_format="jinja2")))
    with pytest.raises(TemplateError):
        prompt.render(q="a")
