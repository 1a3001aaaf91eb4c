"""The front matter of a dotprompt file."""

from typing import Any

import pytest

from prompt_adapters import Prompt, Variable
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.dotprompt import parse
from prompt_adapters.formats.dotprompt_front import split

# name: (front matter, fields of the prompt)
ROWS: dict[str, tuple[str, dict[str, Any]]] = {
    "fields": ("model: m\nname: n\nversion: 1.10", {"model": "m", "name": "n", "version": "1.10"}),
    "config": (
        "config: {temperature: 0.3, maxOutputTokens: 5, topP: 1, topK: 2, stopSequences: [a], x: {y: no}}",
        {"parameters": {"temperature": 0.3, "max_tokens": 5, "top_p": 1, "top_k": 2, "stop": ["a"], "x": {"y": "no"}}},
    ),
    "extensions": (
        "a.b: 1\na.c: 2\na.b.c: 3\next: {d: {e: 4}}",
        {"metadata": {"ext": {"a": {"b": 1, "c": 2}, "a.b": {"c": 3}, "d": {"e": 4}}}},
    ),
    "other keys": (
        "output: {format: json, schema: {a: string}}\ntools: [t]\ndescription: d\nmine: [1]",
        {
            "metadata": {
                "output": {"format": "json", "schema": {"a": "string"}},
                "tools": ["t"],
                "description": "d",
                "mine": [1],
            }
        },
    ),
    "schema": (
        'input: {schema: {x: "string, what it is", y?: any}}',
        {"variables": [Variable("x", type="text", description="what it is"), Variable("y", required=False)]},
    ),
    "defaults": (
        "input: {default: {x: 1, z: [a]}}",
        {"variables": [Variable("x", default=1), Variable("z", default=["a"])]},
    ),
    "a schema that says more": (
        "input: {schema: {x: integer}, more: 1}",
        {"variables": [Variable("x")], "metadata": {"input": {"schema": {"x": "integer"}, "more": 1}}},
    ),
    "nothing": ("", {}),
    "nulls": ("model: null\nconfig: null\ninput: null\next: null", {}),
}  # fmt: skip


@pytest.mark.parametrize(("front", "fields"), ROWS.values(), ids=ROWS)
def test_what_is_read(front: str, fields: dict[str, Any]) -> None:
    assert parse(f"---\n{front}\n---\nHi {{{{x}}}}") == Prompt(user="Hi {{ x }}", **fields)


# name: (text, line, what the error says)
FAULTS: dict[str, tuple[str, int | None, str]] = {
    "unclosed": ("---\nmodel: m\n{{x}}", 1, "not closed by a line '---'"),
    "unclosed after a comment": ("# c\n\n---\nmodel: m\n{{x}}", 3, "not closed"),
    "not YAML": ("---\nmodel: m\nx: [\n---\n{{x}}", 3, "not valid YAML"),
    "a list": ("---\n- a\n---\n{{x}}", 2, "a mapping of names to values"),
    "a key twice": ("---\na: 1\na: 2\n---\n{{x}}", 3, "stands twice"),
    "model": ("---\nmodel: [a]\n---\n{{x}}", 2, "'model' is a text, not list"),
    "config": ("---\nconfig: [a]\n---\n{{x}}", 2, "'config' is a mapping"),
    "input": ("---\ninput: a\n---\n{{x}}", 2, "'input' is a mapping"),
    "default": ("---\ninput: {default: [a]}\n---\n{{x}}", 2, "'input.default' is a mapping"),
    "two spellings": ("---\nconfig: {topP: 1, top_p: 2}\n---\n{{x}}", 2, "'top_p' in two spellings"),
    "extensions": ("---\next: {a: 1}\n---\n{{x}}", 2, "'ext.a' is a mapping"),
    "an extension twice": ("---\nz: 0\na.b: 1\next: {a: {b: 2}}\n---\n{{x}}", 3, "'a.b' stands twice"),
    "a schema": (
        "---\ninput: {schema: [a]}\n---\n{{x}}",
        2,
        "Picoschema: a schema is a text or a mapping, not list",
    ),
    "no text": ("---\nmodel: m\n---\n", None, "there is no prompt text"),
    "blanks": ("---\nmodel: m\n---\n \n{{! c }}\n", None, "there is no prompt text"),
    "the body": ("# c\n---\na: 1\n---\n\n\nHi\n{{#if x}}", 8, "the block {{#if x}} is not closed"),
}


@pytest.mark.parametrize(("text", "line", "reason"), FAULTS.values(), ids=FAULTS)
def test_faults_name_file_and_line(text: str, line: int | None, reason: str) -> None:
    with pytest.raises(PromptFormatError) as caught:
        parse(text, "a.prompt")
    assert (caught.value.path, caught.value.line) == ("a.prompt", line)
    assert reason in caught.value.reason


# name: (text, body, line of the body)
BODIES = {
    "no front matter": (" Hi\n", " Hi\n", 1),
    "blanks round the body go": ("---\n---\n\n\n Hi \n\n", "Hi", 5),
    "a licence before it": ("# Copyright\n#\n\n---\na: 1\n---\nHi", "Hi", 7),
    "CRLF": ("---\r\na: 1\r\n---\r\nHi\r\nyou", "Hi\r\nyou", 4),
    "CR": ("---\ra: 1\r---\rHi", "Hi", 4),
    "a rule in the body": ("---\na: 1\n---\na\n---\nb", "a\n---\nb", 4),
    "a rule without front matter": ("a\n---\nb\n---\n", "a\n---\nb\n---\n", 1),
    "a comment alone": ("# Title\nHi", "# Title\nHi", 1),
}


@pytest.mark.parametrize(("text", "body", "line"), BODIES.values(), ids=BODIES)
def test_where_the_body_begins(text: str, body: str, line: int) -> None:
    parts = split(text, None)
    assert (parts.body, parts.line) == (body, line)
