"""What a dotprompt file holds of a prompt, and what it names as lost."""

from pathlib import Path

import pytest

from prompt_adapters import (
    Document,
    FewShot,
    History,
    Image,
    Message,
    Prompt,
    Text,
    ToolCall,
    ToolResult,
    Variable,
    save_prompt,
)
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.dotprompt import dump, held, parse
from prompt_adapters.turns import Turn
from strategies import PDF, PNG


def test_what_is_written() -> None:
    prompt = Prompt(
        messages=[
            ("system", "Be brief."),
            History("history", required=False),
            Turn("user", ["Is it {{ x }}? ", Image(PNG)], spaced=False),
        ],
        model="m",
        parameters={"max_tokens": 5},
        metadata={"ext": {"a": {"b": 1}}, "output": {"format": "json"}},
        variables=[Variable("x", type="text", description="what it is", default="red")],
    )
    text = dump(prompt)
    assert text.startswith(
        "---\nmodel: m\nconfig:\n  maxOutputTokens: 5\ninput:\n  schema:\n    x: string, what it is\n"
        "  default:\n    x: red\noutput:\n  format: json\na.b: 1\n---\n"
        '{{role "system"}}Be brief.{{history}}{{role "user"}}Is it {{x}}? {{media url="data:image/png;base64,iVBOR'
    )
    assert parse(text) == prompt


PHOTO = {"type": "image", "variable": "photo"}
LOSSES = {
    "logic": (Prompt(messages=[("user", "{{ x | upper }}"), ("user", "a")]), "message 1 (user): the filter 'upper'"),
    "a macro": (Prompt(messages=[("user", "{% set y = 1 %}{{ y }}"), ("user", "a")]), "{% set %} on line 1"),
    "a comment": (Prompt(user="a{# note #}"), "a comment on line 1"),
    "a condition": (Prompt(user="{% if x %}a{% endif %}"), "that {% if %} on line 1 is false for an empty object"),
    "a loop": (Prompt(user="{% for y in x %}a{% endfor %}"), "that {% for %} on line 1 goes through the keys of an"),
    "few-shot": (Prompt(user="a", few_shot=FewShot([("a", "b")])), "the few-shot examples as such: they become turns"),
    "a history's name": (Prompt(messages=[History("chat"), ("user", "a")]), "its name, which is 'history' in every"),
    "a needed history": (Prompt(messages=[History("history"), ("user", "a")]), "that it must be given"),
    "the last messages": (
        Prompt(messages=[History("history", required=False, last=2), ("user", "a")]), "only the last 2 are taken"),
    "a name": (Prompt(messages=[Message("user", "a", name="Bo")]), "message 1 (user): its name 'Bo'"),
    "a cache mark": (Prompt(messages=[Message("user", "a", cache=True)]), "the end of a cacheable prefix"),
    "a tool's result": (Prompt(messages=[Message("tool", ToolResult("1", "b")), ("user", "a")]), "result of a tool"),
    "a call": (
        Prompt(messages=[Message("assistant", [Text("a"), ToolCall("1", "f", {})])]), "its tool calls and results"),
    "an upload": (
        Prompt(messages=[Message("user", [Text("a"), Image.from_uploaded("file-1")])]), "that a provider holds"),
    "a name of a medium": (Prompt(messages=[Message("user", Document(PDF, name="a"))]), "the name of its document"),
    "what a value is": (Prompt(user=["a", PHOTO]), "that the values of 'photo' are image content"),
    "one of a list": (Prompt(user=["a", {**PHOTO, "index": 1}]), "a slot for image content"),
    "developer": (Prompt(messages=[("developer", "a")]), "the role 'developer'"),
    "a type": (Prompt(user="{{ x }}", variables=[Variable("x", type="image")]), "variable 'x': its type 'image'"),
    "metadata": (Prompt(user="a", metadata={"config": 1}), "the metadata 'config', which means something else"),
    "a dotted key": (Prompt(user="a", metadata={"a.b": 1}), "the metadata 'a.b', which means something else"),
    "a parameter": (Prompt(user="a", parameters={"topP": 1}), "the parameter 'topP'"),
    "nothing is left": (Prompt(user="{{ x | upper }}"), "no message is left"),
}  # fmt: skip


@pytest.mark.parametrize(("prompt", "loss"), LOSSES.values(), ids=LOSSES)
def test_what_cannot_be_held_is_refused_by_name(prompt: Prompt, loss: str, tmp_path: Path) -> None:
    path = tmp_path / "task.prompt"
    with pytest.raises(PromptFormatError, match="cannot hold") as caught:
        save_prompt(prompt, path, format="dotprompt")
    assert loss in str(caught.value)
    assert not path.exists()


def test_all_that_is_lost_is_named_at_once() -> None:
    prompt = Prompt(messages=[("user", "{{ x | upper }}"), History("chat"), ("developer", "a")], parameters={"topK": 1})
    with pytest.raises(PromptFormatError) as caught:
        dump(prompt)
    for loss in ("the filter 'upper'", "its name, which is 'history'", "the role 'developer'", "the parameter 'topK'"):
        assert loss in str(caught.value)


def test_a_schema_lets_conditions_and_loops_be_held() -> None:
    front = "---\ninput:\n  schema:\n    x: boolean\n    ys(array): string\n---\n"
    prompt = parse(front + "{{#if x}}a{{/if}}{{#each ys}}{{this}}{{/each}}")
    assert held(prompt) == (prompt, ())
    assert parse(dump(prompt)) == prompt
    assert [m.text for m in prompt.render(x=True, ys=["1", "2"])] == ["a12"]
