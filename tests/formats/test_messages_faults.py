"""Message lists as untrusted input: any of them gives a prompt or a named error, soon, and nothing else is read."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompt_adapters import Image, Prompt, load_prompt
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats import held_by
from prompt_adapters.formats.messages import dump, parse
from strategies import PNG, texts

PATH = Path("chat.json")
DATA_URL = Image(PNG).as_data_url()


def read(data: object, syntax: str | None = None) -> Prompt:
    return parse(json.dumps(data), PATH, syntax=syntax)


def test_deep_nesting_is_an_error_and_no_crash() -> None:
    deep = "[" * 900 + "]" * 900
    for text in (f'[{{"role": "user", "content": {deep}}}]', "[" * 100_000, f'{{"messages": {deep}}}'):
        with pytest.raises(PromptFormatError):
            parse(text, PATH)


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".json", '[{"role": "user", "content": "' + "{{ x }}" * 20_000 + '"}]'),
        (".json", '[{"role": "user", "content": "' + "{% if x %}" * 20_000 + '"}]'),
        (".json", '[{"role": "user", "content": [' + ", ".join(['{"type": "image_url"}'] * 20_000) + "]}]"),
        (".json", '[{"role": "user", "content": ' + '[{"type": "tool_result", "content": ' * 5_000),
        (".yaml", "- &a {role: user, content: x}\n" + "- *a\n" * 20_000),
        (".yaml", "- {role: user, content: " + "[" * 20_000),
        (".yaml", "- role: user\n  content: |\n" + "    {{\n" * 20_000),
    ],
    ids=["slots", "statements", "blocks", "results", "aliases", "brackets", "braces"],
)
def test_long_hostile_files_are_refused_soon(suffix: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / f"chat{suffix}"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PromptFormatError, match=re.escape(str(path))):
        load_prompt(path, format="messages", syntax="jinja")


@pytest.mark.parametrize("address", ["cat.png", "/etc/passwd", "file:///etc/passwd", "~/a.png", "../a.png"])
@pytest.mark.parametrize("block", [
    {"type": "image_url", "image_url": {"url": "@"}}, {"type": "image", "path": "@"}, {"type": "image", "url": "@"},
    {"type": "file", "file": {"file_data": "@"}},
    {"type": "input_audio", "input_audio": {"data": "@", "format": "wav"}},
])  # fmt: skip
def test_no_file_is_read_for_a_block(block: dict[str, Any], address: str, tmp_path: Path) -> None:
    (tmp_path / "cat.png").write_bytes(PNG)
    text = json.dumps([{"role": "user", "content": [block]}]).replace("@", address)
    (tmp_path / "chat.json").write_text(text, encoding="utf-8")
    with pytest.raises(PromptFormatError, match=r"chat\.json"):
        load_prompt(tmp_path / "chat.json", format="messages")


@given(
    data=st.binary(max_size=60),
    suffix=st.sampled_from([".json", ".yaml", ".txt"]),
    syntax=st.sampled_from(["none", "jinja"]),
)
def test_any_bytes_give_a_prompt_or_a_named_error(data: bytes, suffix: str, syntax: str, folder: Path) -> None:
    path = folder / f"chat{suffix}"
    path.write_bytes(data)
    try:
        load_prompt(path, format="messages", syntax=syntax)
    except PromptFormatError as error:
        assert error.path == str(path)  # noqa: PT017 - either is right here


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | texts(1) | st.sampled_from(["user", "image_url", "text", DATA_URL]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["role", "content", "type", "text", "image_url", "url", "variable", "tool_calls", "file"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)


@given(
    items=st.lists(st.fixed_dictionaries({"role": st.sampled_from(["user", "tool"]) | VALUES, "content": VALUES})),
    syntax=st.sampled_from(["none", "jinja", "f-string"]),
)
def test_any_data_give_a_prompt_or_a_named_error(items: list[object], syntax: str) -> None:
    try:
        prompt = read(items, syntax)
    except PromptFormatError as error:
        assert error.path == "chat.json"  # noqa: PT017 - either is right here
    else:
        assert held_by(prompt, "messages") == (prompt, ())
        assert parse(dump(prompt, PATH), PATH) == prompt


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("prompts")
