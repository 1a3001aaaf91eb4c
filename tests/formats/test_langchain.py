"""Files of LangChain's dumps: which they are, and hostile ones."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dumps import SECRET, of, read, text, written
from prompt_adapters import (
    Prompt,
    load_prompt,
)
from prompt_adapters.errors import MediaError, PromptFormatError, TemplateError
from prompt_adapters.formats.langchain import detect, held


def test_a_syntax_is_no_choice(tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text(json.dumps(text()), encoding="utf-8")
    with pytest.raises(PromptFormatError, match="says its own format, so syntax='jinja' is none"):
        load_prompt(tmp_path / "p.json", format="langchain", syntax="jinja")


@pytest.mark.parametrize("depth", [500, 900, 3000])
def test_deep_dumps_end(depth: int, tmp_path: Path) -> None:
    head = json.dumps(of("ChatPromptTemplate", {"messages": []})).removesuffix("]}}")
    path = tmp_path / "p.json"
    path.write_text(head * depth + json.dumps(text()) + "]}}" * depth, encoding="utf-8")
    try:
        prompt = load_prompt(path, format="langchain")
    except PromptFormatError as error:
        assert "deep" in str(error)  # noqa: PT017 - either is right here
    else:
        assert len(prompt.messages) == 1


# What a file is


@pytest.mark.parametrize("name", ["p.json", "p.txt", "P.JSON", "p"])
def test_detected(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(json.dumps(text()), encoding="utf-8")
    assert load_prompt(tmp_path / name) == Prompt(user="{q}", syntax="f-string")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b'{"lc": 1}',
        b'{"lc": 2, "id": []}',
        b'{"messages": [], "a": "lc"}',
        b"\xff\xfe{",
        b"lc",
    ],
)
def test_not_detected(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "p.json").write_bytes(content)
    assert not detect(tmp_path / "p.json")


# Hostile files

PIECES: list[Any] = [
    text(),
    SECRET,
    of("MessagesPlaceholder", {"variable_name": "h"}),
    of("HumanMessage", {"content": "a"}, "langchain.schema"),
    *([], {}, None, 1, True, "", "{q}", "{{q}}", "f-string", "mustache", "jinja2", [text()], {"q": "1"}, "user", ["a"]),
    {"__lc_escaped__": {"lc": 1}},
    {"type": "image_url", "image_url": {"url": "{q}"}},
    "data:image/png;base64,AAAA",
    {"prompt_adapters": {}},
]
KEYS = [
    "messages", "prompt", "template", "template_format", "partial_variables", "metadata", "tags",
    "name", "content", "role", "tool_calls", "variable_name", "optional", "n_messages",
    "prompts", "schema_", "additional_kwargs", "lc", "id", "type",
]  # fmt: skip
CLASSES: list[Callable[[dict[str, Any]], dict[str, Any]]] = [
    lambda fields: of("ChatPromptTemplate", fields),
    lambda fields: of("HumanMessagePromptTemplate", fields),
    lambda fields: of("ChatMessagePromptTemplate", fields),
    lambda fields: of("MessagesPlaceholder", fields),
    lambda fields: of("PromptTemplate", fields, "langchain.prompts.prompt"),
    lambda fields: of("DictPromptTemplate", fields, "langchain_core.prompts.dict"),
    lambda fields: of("StructuredPrompt", fields, "langchain_core.prompts.structured"),
    lambda fields: of("AIMessage", fields, "langchain.schema.messages"),
    lambda fields: of("ToolMessage", fields, "langchain.schema.messages"),
    lambda fields: of("AdapterPromptTemplate", fields, "prompt_adapters.langchain.template"),
]
DUMPS = st.recursive(
    st.sampled_from(PIECES),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
        st.builds(
            lambda make, fields: make(fields),
            st.sampled_from(CLASSES),
            st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
        ),
    ),
    max_leaves=12,
)


@settings(max_examples=150)
@given(data=DUMPS)
def test_any_dump_is_a_prompt_that_saves_alike_or_a_named_error(data: Any) -> None:
    try:
        prompt = read(data)
    except (PromptFormatError, TemplateError, MediaError) as error:
        assert str(error)  # noqa: PT017 - either is right here
        return
    try:
        kept, _ = held(prompt)
    except PromptFormatError:
        return
    assert read(written(kept)) == kept


@given(content=st.binary(max_size=60) | st.binary(max_size=20).map(lambda tail: b'{"lc": 1, "id": ["' + tail))
def test_any_bytes_are_a_named_error(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_bytes(content)
    detect(path)
    with pytest.raises(PromptFormatError):
        load_prompt(path, format="langchain")
