"""The documented standardized prompt format, row by row: `TextPromptAdapter`, its files, and inference."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from prompt_adapters import Prompt, TextPromptAdapter, get_adapter, load_prompt
from prompt_adapters.errors import MissingVariableError, PromptFormatError, PromptNotFoundError
from rows import Check, Rows

ROWS = Rows()

# As the document has it. The ''' lines round its files are fences of the document, not content.
SYSTEM_FILE = "You are a review classifier for ABC. Provide a review....\n"
USER_FILE = """\
Classify the sentiment of the following review:

{{ review }}

Respond only with: positive, neutral, or negative.
"""
SYSTEM = "You are a review classifier for ABC. Provide a review...."
USER = "Classify the sentiment of the following review...."
EXAMPLES = [{"input": "foo_1", "output": "bar_1"}, {"input": "foo_2", "output": "bar_2"}]
FEW_SHOT_FILE = """\
[{
    "role": "user",
    "content": [{
        "text": "foo_1"
    }]
}, {
    "role": "assistant",
    "content": [{
        "text": "bar_1"
    }]
},{
    "role": "user",
    "content": [{
        "text": "foo_2"
    }]
}, {
    "role": "assistant",
    "content": [{
        "text": "bar_2"
    }]
}]"""
USER_WITH_EXAMPLES = """\
Classify the sentiment of the following review....

**Examples**
Example 1:
Input: foo_1
Output: bar_1

Example 2:
Input: foo_2
Output: bar_2"""
SYSTEM_WITH_EXAMPLES = USER_WITH_EXAMPLES.replace(USER, SYSTEM)
# What the program wrote that the document describes: a blank line after the head, a newline at the end.
SPACED = "\n\n**Examples**\n\nExample 1:\nInput: foo_1\nOutput: bar_1\n\nExample 2:\nInput: foo_2\nOutput: bar_2\n"


def standardized(format_type: str | None = None) -> dict[str, Any]:
    """The standardized prompt of the document."""
    data: dict[str, Any] = {
        "user_prompt_component": {"variables": ["review"], "template": USER, "metadata": {"format": "text"}},
        "system_prompt_component": {"variables": [], "template": SYSTEM, "metadata": {"format": "text"}},
    }
    return data | ({"few_shot": {"examples": EXAMPLES, "format": format_type}} if format_type else {})


def classifier(format_type: str | None = None) -> TextPromptAdapter:
    """The document's prompt, adapted."""
    adapter = TextPromptAdapter().set_system_prompt(content=SYSTEM, variables={})
    adapter.set_user_prompt(content=USER, variables={"review"})
    if format_type:
        adapter.add_few_shot(examples=EXAMPLES, format_type=format_type)
    return adapter.adapt()


def saved(adapter: TextPromptAdapter) -> dict[str, str]:
    """The files that it saves."""
    adapter.save("optimized_prompt/")
    return {path.name: path.read_bytes().decode() for path in Path("optimized_prompt").iterdir()}


def write(**files: str) -> None:
    for name, text in files.items():
        Path(f"{name}.txt").write_text(text, encoding="utf-8")


def turns(adapter: TextPromptAdapter, **values: Any) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in adapter.to_prompt().render(values)]


# Setting


@ROWS.row("S3-01")
@ROWS.row("S3-03")
@ROWS.row("S3-05")
@ROWS.row("S3-13")
def _(folder: Path) -> None:
    write(system_prompt=SYSTEM_FILE, user_prompt=USER_FILE)
    adapter = TextPromptAdapter()
    assert adapter.set_system_prompt(file_path="system_prompt.txt", variables={}) is adapter
    assert adapter.set_user_prompt(file_path="user_prompt.txt", variables={"review"}) is adapter
    assert adapter.adapt() is adapter
    assert adapter.fetch() == {
        "user_prompt_component": {"variables": ["review"], "template": USER_FILE, "metadata": {"format": "text"}},
        "system_prompt_component": {"variables": [], "template": SYSTEM_FILE, "metadata": {"format": "text"}},
    }


@ROWS.row("S3-02")
@ROWS.row("S3-39")
def _(folder: Path) -> None:
    adapter = TextPromptAdapter().set_system_prompt(content="S").set_user_prompt(content="U").adapt()
    assert (adapter.fetch_system_template(), adapter.fetch_user_template()) == ("S", "U")


def variables(given: Any, names: list[str], folder: Path) -> None:
    adapter = TextPromptAdapter().set_user_prompt("{{var_2}} {{ var_1 }}", variables=given).adapt()
    assert adapter.fetch()["user_prompt_component"]["variables"] == names


VARIABLES: dict[str, tuple[Any, list[str]]] = {
    "S3-04, set": ({"var_1"}, ["var_1", "var_2"]),
    "S3-04, list": (["var_1"], ["var_1", "var_2"]),
    "S3-04, tuple": (("var_2", "var_1"), ["var_2", "var_1"]),
    "S3-04, dictionary": ({}, ["var_2", "var_1"]),
    "S3-20": ({"var_3", "var_2", "var_1"}, ["var_1", "var_2", "var_3"]),
    "S3-45, detected": (None, ["var_2", "var_1"]),
    "S3-45, declared and not used": (["ghost"], ["ghost", "var_2", "var_1"]),
}
ROWS |= {name: partial(variables, *row) for name, row in VARIABLES.items()}


def refused(call: Callable[[], object], reason: str, folder: Path, error: type[Exception] = PromptFormatError) -> None:
    with pytest.raises(error, match=reason):
        call()
    assert issubclass(error, ValueError)
    assert list(folder.iterdir()) == []


def new() -> TextPromptAdapter:
    return TextPromptAdapter()


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "S3-06": (lambda: new().set_user_prompt(), "Either content or file_path must be provided"),
    "S3-06, system": (lambda: new().set_system_prompt(), "Either content or file_path must be provided"),
    "S3-08": (lambda: new().set_user_prompt("a", "b.txt"), "content and file_path are both given"),
    "S3-11": (lambda: new().add_few_shot(EXAMPLES, "invalid_format"), "is not a few-shot format"),
    "S3-32": (lambda: new().set_system_prompt("S").adapt(), "User Input cannot be empty when system prompt is set"),
    "S3-34, fetch": (lambda: new().set_user_prompt("U").fetch(), r"Call adapt\(\) first"),
    "S3-34, save": (lambda: new().set_user_prompt("U").save("d"), r"Call adapt\(\) first"),
    "S3-44": (lambda: new().add_few_shot([{"foo": 1}]), r"example 1 \(index 0\) lacks 'input'"),
}
ROWS |= {name: partial(refused, *row) for name, row in REFUSED.items()}
ROWS["S3-07"] = partial(
    refused, lambda: new().set_user_prompt(file_path="no.txt"), r"no\.txt", error=PromptNotFoundError
)


# Examples


def few_shot(format_type: str, folder: Path) -> None:
    assert classifier(format_type).fetch()["few_shot"] == {"examples": EXAMPLES, "format": format_type}


for name in ("converse", "append_to_user_prompt", "append_to_system_prompt"):
    ROWS[f"S3-09, {name}"] = ROWS[f"S3-18, {name}"] = partial(few_shot, name)
ROWS["S3-17"] = partial(few_shot, "converse")


@ROWS.row("S3-10")
def _(folder: Path) -> None:
    assert classifier().add_few_shot(EXAMPLES).fetch() == standardized("converse")


@ROWS.row("S3-12")
def _(folder: Path) -> None:
    assert "few_shot" not in classifier().fetch()
    assert sorted(saved(classifier())) == ["system_prompt.txt", "user_prompt.txt"]


@ROWS.row("S3-40")
@ROWS.row("S3-42")
def _(folder: Path) -> None:
    saved(classifier("converse"))
    Path("pairs.json").write_text(json.dumps(EXAMPLES), encoding="utf-8")
    formats = {"converse": "converse", "append_to_user_prompt": "append_to_user_prompt"}
    formats |= {"append_to_system_prompt": "append_to_system_prompt"}
    formats |= {"user_prompt": "append_to_user_prompt", "system_prompt": "append_to_system_prompt"}
    for path in ("optimized_prompt/few_shot.json", "pairs.json"):
        for given, format_type in formats.items():
            assert classifier().load_few_shot(path, given).fetch() == standardized(format_type)


@ROWS.row("S3-41")
def _(folder: Path) -> None:
    for text in ("[{", "[]", '[{"a": 1}]'):
        Path("bad.json").write_text(text, encoding="utf-8")
        with pytest.raises(ValueError, match=r"bad\.json: "):
            TextPromptAdapter().load_few_shot("bad.json")
    with pytest.raises(FileNotFoundError, match=r"nope\.json"):
        TextPromptAdapter().load_few_shot("nope.json")


# The standardized prompt


@ROWS.row("S3-14")
@ROWS.row("S3-15")
@ROWS.row("S3-16")
@ROWS.row("S3-19")
@ROWS.row("S3-21")
def _(folder: Path) -> None:
    for format_type in (None, "converse", "append_to_user_prompt", "append_to_system_prompt"):
        assert classifier(format_type).fetch() == standardized(format_type)


@ROWS.row("S3-16, the shorter keys")
def _(folder: Path) -> None:
    short = {key.removesuffix("_component"): part for key, part in standardized("converse").items()}
    Path("short.json").write_text(json.dumps(short), encoding="utf-8")
    assert TextPromptAdapter.from_prompt(load_prompt("short.json")).fetch() == standardized("converse")


@ROWS.row("S3-31")
def _(folder: Path) -> None:
    adapter = classifier("append_to_user_prompt")
    saved(adapter)
    assert adapter.fetch() == standardized("append_to_user_prompt")


@ROWS.row("S3-33")
def _(folder: Path) -> None:
    adapter = TextPromptAdapter().set_user_prompt("U").adapt()
    assert adapter.fetch()["system_prompt_component"]["template"] == ""
    assert saved(adapter) == {"user_prompt.txt": "U"}


@ROWS.row("S3-49")
def _(folder: Path) -> None:
    adapter = classifier("converse")
    adapter.fetch()["few_shot"]["examples"].clear()
    adapter.standardized_prompt.clear()
    assert adapter.fetch() == adapter.standardized_prompt == standardized("converse")


@ROWS.row("S3-52")
def _(folder: Path) -> None:
    adapter = classifier()
    adapter.add_few_shot(EXAMPLES)
    assert adapter.fetch() == standardized("converse")
    assert json.loads(saved(adapter)["few_shot.json"]) == json.loads(FEW_SHOT_FILE)


# Files, byte for byte


def files(format_type: str, user: str, system: str, folder: Path) -> None:
    found = saved(classifier(format_type))
    assert (found.pop("user_prompt.txt"), found.pop("system_prompt.txt")) == (user, system)
    if format_type == "converse":
        assert json.loads(found.pop("few_shot.json")) == json.loads(FEW_SHOT_FILE)
    assert found == {}


FILES = {
    "converse": (USER, SYSTEM),
    "append_to_user_prompt": (USER_WITH_EXAMPLES, SYSTEM),
    "append_to_system_prompt": (USER, SYSTEM_WITH_EXAMPLES),
}
BY_ROW = {
    "converse": ("S3-23", "S3-24", "S3-25"),
    "append_to_user_prompt": ("S3-26", "S3-27", "S3-29"),
    "append_to_system_prompt": ("S3-30",),
}
ROWS |= {row: partial(files, name, *FILES[name]) for name, rows in BY_ROW.items() for row in rows}


@ROWS.row("S3-22")
def _(folder: Path) -> None:
    classifier().save("deep/down/optimized_prompt/")
    assert (folder / "deep" / "down" / "optimized_prompt" / "user_prompt.txt").is_file()


@ROWS.row("S3-28")
def _(folder: Path) -> None:
    for user, system, format_type in (
        (USER + SPACED, SYSTEM, "append_to_user_prompt"),
        (USER, SYSTEM + SPACED, "append_to_system_prompt"),
    ):
        write(user_prompt=user, system_prompt=system)
        fetched = TextPromptAdapter.load(folder).fetch()
        assert fetched["few_shot"] == {"examples": EXAMPLES, "format": format_type}
        assert fetched["user_prompt_component"]["template"] == USER


@ROWS.row("S3-43")
def _(folder: Path) -> None:
    for format_type in FILES:
        adapter = (
            classifier(format_type).set_system_prompt(SYSTEM_FILE).set_user_prompt(USER_FILE, variables={"review"})
        )
        saved(adapter)
        assert TextPromptAdapter.load("optimized_prompt").fetch() == adapter.fetch()


@ROWS.row("S3-46")
def _(folder: Path) -> None:
    adapter = TextPromptAdapter().set_user_prompt(USER).add_few_shot(EXAMPLES, "append_to_system_prompt").adapt()
    section = SYSTEM_WITH_EXAMPLES.removeprefix(f"{SYSTEM}\n\n")
    assert saved(adapter) == {"user_prompt.txt": USER, "system_prompt.txt": section}
    assert turns(adapter) == [("system", section), ("user", USER)]


@ROWS.row("S3-48")
def _(folder: Path) -> None:
    saved(classifier("converse"))
    assert saved(TextPromptAdapter().set_user_prompt("U").adapt()) == {"user_prompt.txt": "U"}


# Inference


@ROWS.row("S3-35")
def _(folder: Path) -> None:
    shots = [("user", "foo_1"), ("assistant", "bar_1"), ("user", "foo_2"), ("assistant", "bar_2")]
    assert turns(classifier("converse"), review="ok") == [("system", SYSTEM), *shots, ("user", USER)]


@ROWS.row("S3-36")
def _(folder: Path) -> None:
    assert turns(classifier("append_to_user_prompt"), review="ok") == [("system", SYSTEM), ("user", USER_WITH_EXAMPLES)]
    assert turns(classifier("append_to_system_prompt"), review="ok") == [
        ("system", SYSTEM_WITH_EXAMPLES),
        ("user", USER),
    ]
    adapter = TextPromptAdapter().set_user_prompt("{{ x }}").add_few_shot([("{{ x }}", "b")], "append_to_user_prompt")
    assert turns(adapter.adapt(), x="v") == [("user", "v\n\n**Examples**\nExample 1:\nInput: {{ x }}\nOutput: b")]


@ROWS.row("S3-37")
def _(folder: Path) -> None:
    from langchain_core.messages import convert_to_messages

    messages = get_adapter("openai_style").build_request(classifier("converse").to_prompt(), review="ok")["messages"]
    assert messages[:3] == [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": "foo_1"},
        {"role": "assistant", "content": "bar_1"},
    ]
    kinds = [message.type for message in convert_to_messages(messages)]
    assert kinds == ["system", "human", "ai", "human", "ai", "human"]


@ROWS.row("S3-38")
def _(folder: Path) -> None:
    adapter = TextPromptAdapter().set_user_prompt("{{ review }} {{b}} {c} {{ d.e }}", variables={"review"}).adapt()
    assert turns(adapter, review="{{ b }}", b="Z") == [("user", "{{ b }} Z {c} {{ d.e }}")]
    with pytest.raises(MissingVariableError, match="'b'"):
        turns(adapter, review="ok")
    assert isinstance(adapter.to_prompt(), Prompt)


@ROWS.parametrize()
def test_row(check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    check(tmp_path)
