"""`TextPromptAdapter`: the standardized prompt format, step by step."""

import json
import logging
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompt_adapters import FewShot, History, Image, Prompt, TextPromptAdapter, Variable, load_prompt, save_prompt
from prompt_adapters.errors import PromptFormatError, PromptNotFoundError
from prompt_adapters.few_shot import FEW_SHOT_FORMATS
from strategies import PNG, texts

EXAMPLES = [{"input": "foo_1", "output": "bar_1"}, {"input": "foo_2", "output": "bar_2"}]
TURNS = [
    {"role": "user", "content": [{"text": "foo_1"}]},
    {"role": "assistant", "content": [{"text": "bar_1"}]},
    {"role": "user", "content": [{"text": "foo_2"}]},
    {"role": "assistant", "content": [{"text": "bar_2"}]},
]


def full() -> TextPromptAdapter:
    """An adapter with everything."""
    adapter = TextPromptAdapter().set_system_prompt("Be {{ tone }}.", variables=["tone"])
    return adapter.set_user_prompt("Classify: {{ review }}", variables={"review"}).add_few_shot(EXAMPLES).adapt()


def component(template: str, *variables: str) -> dict[str, Any]:
    return {"variables": list(variables), "template": template, "metadata": {"format": "text"}}


def files(folder: Path) -> dict[str, str]:
    return {path.name: path.read_bytes().decode() for path in folder.iterdir()}


# Setting


def test_every_setter_chains(tmp_path: Path) -> None:
    adapter = TextPromptAdapter()
    path = tmp_path / "few_shot.json"
    path.write_text(json.dumps(EXAMPLES), encoding="utf-8")
    assert adapter.set_system_prompt("s") is adapter
    assert adapter.set_user_prompt("u") is adapter
    assert adapter.add_few_shot(EXAMPLES) is adapter
    assert adapter.load_few_shot(path) is adapter
    assert adapter.adapt() is adapter
    assert adapter.save(tmp_path / "saved") is adapter


VARIABLES: dict[str, tuple[Any, list[str]]] = {
    "set": ({"b", "a", "x"}, ["a", "b", "x"]),
    "frozenset": (frozenset({"b", "a"}), ["a", "b", "x"]),
    "list": (["b", "a", "b"], ["b", "a", "x"]),
    "tuple": (("x", "a"), ["x", "a"]),
    "dictionary": ({"b": 1, "a": 2}, ["b", "a", "x"]),
    "keys": ({"b": 1}.keys(), ["b", "x"]),
    "empty dictionary": ({}, ["x"]),
    "none": (None, ["x"]),
}


@pytest.mark.parametrize(("variables", "names"), VARIABLES.values(), ids=VARIABLES)
def test_variables_are_as_declared_and_then_as_found(variables: Any, names: list[str]) -> None:
    adapter = TextPromptAdapter().set_user_prompt("{{ x }} {y} {{ x }}", variables=variables).adapt()
    assert adapter.fetch()["user_prompt_component"]["variables"] == names


@pytest.mark.parametrize("variables", ["review", [1], [""], [None]])
def test_variables_are_names(variables: Any) -> None:
    with pytest.raises(PromptFormatError, match="variables are names"):
        TextPromptAdapter().set_user_prompt("x", variables=variables)


@pytest.mark.parametrize("setter", ["set_system_prompt", "set_user_prompt"])
def test_content_or_file(setter: str, tmp_path: Path) -> None:
    path = tmp_path / "prompt.txt"
    path.write_bytes("\ufeffHé\r\n{{ x }}\n".encode())
    adapter = TextPromptAdapter().set_user_prompt("u")
    getattr(adapter, setter)(file_path=str(path))
    key = setter.removeprefix("set_") + "_component"
    assert adapter.adapt().fetch()[key] == component("Hé\r\n{{ x }}\n", "x")
    with pytest.raises(PromptFormatError, match="Either content or file_path must be provided"):
        getattr(adapter, setter)()
    with pytest.raises(PromptFormatError, match="content and file_path are both given"):
        getattr(adapter, setter)("a", path)
    with pytest.raises(PromptNotFoundError, match=r"nope\.txt"):
        getattr(adapter, setter)(file_path=tmp_path / "nope.txt")
    with pytest.raises(PromptFormatError, match="the content is a text, not int"):
        getattr(adapter, setter)(3)
    assert adapter.fetch()[key] == component("Hé\r\n{{ x }}\n", "x")


def test_setting_again_replaces_variables_too() -> None:
    adapter = TextPromptAdapter().set_user_prompt("a", variables=["x"]).set_user_prompt("b").adapt()
    assert adapter.fetch()["user_prompt_component"] == component("b")


# Examples


@pytest.mark.parametrize("examples", [EXAMPLES, TURNS, [("foo_1", "bar_1"), ("foo_2", "bar_2")]])
@pytest.mark.parametrize("format_type", FEW_SHOT_FORMATS)
def test_examples_in_every_form(examples: list[Any], format_type: str) -> None:
    adapter = TextPromptAdapter().set_user_prompt("u").add_few_shot(examples, format_type).adapt()
    assert adapter.fetch()["few_shot"] == {"examples": EXAMPLES, "format": format_type}
    assert (adapter.few_shot_examples, adapter.few_shot_format) == (EXAMPLES, format_type)


def test_examples_add_up_and_the_last_format_holds() -> None:
    adapter = (
        TextPromptAdapter().add_few_shot(EXAMPLES[:1], "converse").add_few_shot(EXAMPLES[1:], "append_to_user_prompt")
    )
    assert (adapter.few_shot_examples, adapter.few_shot_format) == (EXAMPLES, "append_to_user_prompt")


def test_without_examples_there_is_no_component() -> None:
    adapter = TextPromptAdapter().set_user_prompt("u").add_few_shot([]).adapt()
    assert list(adapter.fetch()) == ["user_prompt_component", "system_prompt_component"]
    assert (adapter.few_shot_examples, adapter.few_shot_format) == ([], None)


BAD_EXAMPLES: dict[str, tuple[Any, str]] = {
    "key": ([EXAMPLES[0], {"input": "a", "otput": "b"}], r"example 2 \(index 1\) lacks 'output'"),
    "more": ([{"input": "a", "output": "b", "note": "c"}], "example 1 has the unknown key 'note'"),
    "None": ([{"input": None, "output": "b"}], "example 1, input: None"),
    "number": ([{"input": "a", "output": 3}], "example 1, output: .*int"),
    "text": (["a"], "example 1 is str"),
    "no list": ("a", "a list, not str"),
    "swapped turns": (TURNS[1:], "message 1 is 'assistant' where 'user' belongs"),
    "odd turns": (TURNS[:3], "has no assistant's answer"),
}


@pytest.mark.parametrize(("examples", "reason"), BAD_EXAMPLES.values(), ids=BAD_EXAMPLES)
def test_examples_are_checked_when_given(examples: Any, reason: str) -> None:
    adapter = TextPromptAdapter().add_few_shot(EXAMPLES)
    with pytest.raises(PromptFormatError, match=reason):
        adapter.add_few_shot(examples)
    assert adapter.few_shot_examples == EXAMPLES


@pytest.mark.parametrize("format_type", ["invalid_format", None, ["converse"]])
def test_the_format_is_one_of_three(format_type: Any) -> None:
    with pytest.raises(PromptFormatError, match="converse, append_to_user_prompt, append_to_system_prompt"):
        TextPromptAdapter().add_few_shot(EXAMPLES, format_type)


@pytest.mark.parametrize("data", [EXAMPLES, TURNS, {"examples": EXAMPLES, "format": "converse"}])
def test_examples_from_a_file(data: Any, tmp_path: Path) -> None:
    path = tmp_path / "few_shot.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    assert TextPromptAdapter().load_few_shot(str(path)).few_shot_examples == EXAMPLES


ALIASES = [("user_prompt", "append_to_user_prompt"), ("system_prompt", "append_to_system_prompt")]


@pytest.mark.parametrize(("given", "format_type"), [*((name, name) for name in FEW_SHOT_FORMATS), *ALIASES])
def test_both_naming_styles_of_the_formats(given: str, format_type: str, tmp_path: Path) -> None:
    path = tmp_path / "few_shot.json"
    path.write_text(json.dumps(TURNS), encoding="utf-8")
    assert TextPromptAdapter().load_few_shot(path, given).few_shot_format == format_type
    assert TextPromptAdapter().add_few_shot(EXAMPLES, given).few_shot_format == format_type


BAD_FILES = {
    "no JSON": ("[{", r"few_shot\.json: line 1: not valid JSON"),
    "nothing": ("[]", "there are no few-shot examples in the file"),
    "wrong keys": ('[{"a": 1}]', r"example 1 \(index 0\) lacks 'input'"),
    "odd turns": (json.dumps(TURNS[:1]), "has no assistant's answer"),
    "a number": ("3", "a list, not int"),
}


@pytest.mark.parametrize(("text", "reason"), BAD_FILES.values(), ids=BAD_FILES)
def test_bad_files_of_examples(text: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "few_shot.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PromptFormatError, match=reason) as caught:
        TextPromptAdapter().load_few_shot(path)
    assert str(path) in str(caught.value)
    with pytest.raises(PromptNotFoundError, match=r"nope\.json"):
        TextPromptAdapter().load_few_shot(tmp_path / "nope.json")


# Adapting


def test_adapt_needs_a_user_prompt() -> None:
    with pytest.raises(PromptFormatError, match="No prompts have been set"):
        TextPromptAdapter().adapt()
    with pytest.raises(PromptFormatError, match="User Input cannot be empty when system prompt is set"):
        TextPromptAdapter().set_system_prompt("s").adapt()
    with pytest.raises(PromptFormatError, match="User Input cannot be empty"):
        full().set_user_prompt("").fetch()


METHODS = ["fetch", "fetch_user_template", "fetch_system_template", "show", "save", "to_prompt"]


@pytest.mark.parametrize("method", METHODS)
def test_before_adapt_there_is_nothing(method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    adapter = TextPromptAdapter().set_user_prompt("u")
    with pytest.raises(PromptFormatError, match=r"Call adapt\(\) first"):
        getattr(adapter, method)()
    assert adapter.standardized_prompt == {}
    assert list(tmp_path.iterdir()) == []


def test_fetch() -> None:
    adapter = full()
    assert adapter.fetch() == {
        "user_prompt_component": component("Classify: {{ review }}", "review"),
        "system_prompt_component": component("Be {{ tone }}.", "tone"),
        "few_shot": {"examples": EXAMPLES, "format": "converse"},
    }
    assert list(adapter.fetch()) == ["user_prompt_component", "system_prompt_component", "few_shot"]
    assert adapter.fetch_user_template() == "Classify: {{ review }}"
    assert adapter.fetch_system_template() == "Be {{ tone }}."
    assert TextPromptAdapter().set_user_prompt("u").adapt().fetch_system_template() == ""


def test_what_is_given_out_is_a_copy() -> None:
    adapter = full()
    for copy in (adapter.fetch(), adapter.standardized_prompt, {"few_shot": {"examples": adapter.few_shot_examples}}):
        before = adapter.fetch()
        copy["few_shot"]["examples"][0]["input"] = "other"
        copy["few_shot"]["examples"].clear()
        copy.clear()
        assert adapter.fetch() == adapter.standardized_prompt == before


def test_examples_that_were_given_may_change_afterwards() -> None:
    examples = [dict(example) for example in EXAMPLES]
    adapter = TextPromptAdapter().set_user_prompt("u").add_few_shot(examples).adapt()
    examples[0]["input"] = "other"
    assert adapter.few_shot_examples == EXAMPLES


def test_later_changes_are_seen_and_saved_alike(tmp_path: Path) -> None:
    adapter = TextPromptAdapter().set_user_prompt("u").adapt()
    adapter.add_few_shot(EXAMPLES).set_system_prompt("s").save(tmp_path)
    assert TextPromptAdapter.load(tmp_path).fetch() == adapter.fetch()
    assert adapter.fetch()["few_shot"]["examples"] == EXAMPLES


def test_show_prints_what_fetch_gives(capsys: pytest.CaptureFixture[str]) -> None:
    adapter = full().set_system_prompt("Größe 变量")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert adapter.show() is adapter
    printed = capsys.readouterr().out
    assert json.loads(printed) == adapter.fetch()
    assert "Größe 变量" in printed


def test_its_format() -> None:
    class Markdown(TextPromptAdapter):
        def get_format(self) -> str:
            return "markdown"

    assert (full().get_format(), full().get_file_extension()) == ("text", ".txt")
    assert Markdown().set_user_prompt("u").adapt().fetch()["user_prompt_component"]["metadata"] == {
        "format": "markdown"
    }


def test_repr() -> None:
    assert repr(TextPromptAdapter()) == "TextPromptAdapter(not adapted, prompts=[], examples=0)"
    assert repr(full()) == "TextPromptAdapter(adapted, prompts=['system', 'user'], examples=2)"


# Files

SECTION = "**Examples**\nExample 1:\nInput: foo_1\nOutput: bar_1\n\nExample 2:\nInput: foo_2\nOutput: bar_2"


@pytest.mark.parametrize(
    ("format_type", "user", "system"),
    [
        ("converse", "u", "s"),
        ("append_to_user_prompt", f"u\n\n{SECTION}", "s"),
        ("append_to_system_prompt", "u", f"s\n\n{SECTION}"),
    ],
)
def test_saved_files(format_type: str, user: str, system: str, tmp_path: Path) -> None:
    adapter = TextPromptAdapter().set_user_prompt("u").set_system_prompt("s").add_few_shot(EXAMPLES, format_type)
    adapter.adapt().save(tmp_path / "deep" / "down")
    saved = files(tmp_path / "deep" / "down")
    assert saved.pop("user_prompt.txt") == user
    assert saved.pop("system_prompt.txt") == system
    if format_type == "converse":
        assert json.loads(saved.pop("few_shot.json")) == TURNS
    assert saved == {}


def test_the_default_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    full().save()
    assert sorted(files(tmp_path / "prompts")) == ["few_shot.json", "system_prompt.txt", "user_prompt.txt"]
    assert TextPromptAdapter.load().fetch() == full().fetch()


def test_saving_again_leaves_nothing_stale(tmp_path: Path) -> None:
    save_prompt(Prompt(user="{{ x }}", model="m"), tmp_path)
    (tmp_path / "notes.md").write_text("mine", encoding="utf-8")
    full().save(tmp_path)
    TextPromptAdapter().set_user_prompt("u").adapt().save(tmp_path)
    assert files(tmp_path) == {"user_prompt.txt": "u", "notes.md": "mine"}


def test_examples_with_media_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    adapter = full().add_few_shot([{"input": ["What is it?", Image(PNG)], "output": "A dot."}])
    with pytest.raises(PromptFormatError, match=r"few-shot example 3 holds Image.*use save_prompt"):
        adapter.save(tmp_path)
    assert files(tmp_path) == {}
    save_prompt(adapter.to_prompt(), tmp_path)
    assert load_prompt(tmp_path) == adapter.to_prompt()


def user(content: str, **options: Any) -> TextPromptAdapter:
    return TextPromptAdapter().set_user_prompt(content, **options)


LOSSES = {
    "unused": (user("u", variables=["ghost"]), "user_prompt_component lacks the unused variables ghost"),
    "used elsewhere": (user("{{ x }}").set_system_prompt("s", variables=["x"]), "system_prompt_component lacks"),
    "ambiguous examples": (user("u").add_few_shot([("a\nOutput: b", "c")], "append_to_user_prompt"), "from text"),
    "text like examples": (user(f"u\n\n{SECTION}"), "the examples cannot be told from text"),
    "byte order mark": (user("\ufeffu"), "user_prompt_component has another template"),
    "only that": (user("\ufeff"), "there is an error"),
}


@pytest.mark.parametrize(("adapter", "warning"), LOSSES.values(), ids=LOSSES)
def test_what_the_files_do_not_keep_is_logged(
    adapter: TextPromptAdapter, warning: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    adapter.adapt().save(tmp_path)
    assert {(record.name, record.levelno) for record in caplog.records} == {("prompt_adapters", logging.WARNING)}
    assert any(warning in record.getMessage() for record in caplog.records)
    save_prompt(adapter.to_prompt(), tmp_path)
    assert load_prompt(tmp_path) == adapter.to_prompt()


def test_what_is_kept_whole_logs_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    full().save(tmp_path)
    assert caplog.records == []


TEXTS = texts(3).filter(lambda text: "**Examples**" not in text and not text.startswith("\ufeff"))
EXAMPLE_TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r"), max_size=5)


@given(
    system=TEXTS,
    user=TEXTS.filter(bool),
    examples=st.lists(st.tuples(EXAMPLE_TEXTS, EXAMPLE_TEXTS), max_size=3),
    format_type=st.sampled_from(FEW_SHOT_FORMATS),
)
def test_what_is_saved_is_loaded(
    system: str, user: str, examples: list[Any], format_type: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    adapter = TextPromptAdapter().set_system_prompt(system).set_user_prompt(user)
    adapter.add_few_shot(examples, format_type).adapt()
    path = tmp_path_factory.mktemp("saved")
    adapter.save(path)
    assert TextPromptAdapter.load(path).fetch() == adapter.fetch()


def test_loading_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(PromptNotFoundError, match="nope"):
        TextPromptAdapter.load(tmp_path / "nope")
    with pytest.raises(PromptFormatError, match=r"user_prompt\.txt"):
        TextPromptAdapter.load(tmp_path)


# Prompts


def test_to_prompt_renders_in_one_pass() -> None:
    adapter = TextPromptAdapter().set_user_prompt("{{ a }} {{b}} {c} {{ d.e }}", variables=["ghost"]).adapt()
    prompt = adapter.to_prompt()
    assert prompt == Prompt(user="{{ a }} {{b}} {c} {{ d.e }}", syntax="plain", variables=["ghost"])
    assert prompt.render(a="{{ b }}", b="Z")[0].text == "{{ b }} Z {c} {{ d.e }}"


def test_from_prompt_and_back() -> None:
    prompt = full().to_prompt()
    assert TextPromptAdapter.from_prompt(prompt).to_prompt() == prompt
    assert TextPromptAdapter.from_prompt(prompt).fetch() == full().fetch()


def test_declared_variables_go_where_they_are_used() -> None:
    prompt = Prompt(
        system="{{ s }} {{ both }}", user="{{ both }} {{ u }}", syntax="plain", variables=["both", "ghost", "u", "s"]
    )
    fetched = TextPromptAdapter.from_prompt(prompt).fetch()
    assert fetched["system_prompt_component"]["variables"] == ["both", "s"]
    assert fetched["user_prompt_component"]["variables"] == ["both", "ghost", "u"]


@pytest.mark.parametrize(
    "prompt",
    [
        Prompt(user="Hi {{ x }}, {y} %z%"),
        Prompt(user="Hi {x} %z% {% raw", syntax="none"),
        Prompt(user="Hi 3% {{ x", syntax="percent"),
        Prompt(user="Hi", syntax="f-string"),
    ],
    ids=["jinja", "none", "percent", "f-string"],
)
def test_another_syntax_that_reads_alike_is_taken(prompt: Prompt) -> None:
    adapter = TextPromptAdapter.from_prompt(prompt)
    assert adapter.fetch_user_template() == prompt.messages[0].template  # type: ignore[union-attr]  # it is a turn
    assert adapter.to_prompt().render_messages({"x": "v"}, extra="ignore") == prompt.render_messages(
        {"x": "v"}, extra="ignore"
    )


REFUSED = {
    "jinja": (Prompt(user="{{ x | upper }}"), "not those of 'jinja'"),
    "jinja without variables": (Prompt(user="a{# b #}"), "not those of 'jinja'"),
    "jinja optional": (Prompt(user="{{ x }}{% if x %}{% endif %}"), "not those of 'jinja'"),
    "none": (Prompt(user="{{ x }}", syntax="none"), "not those of 'none'"),
    "percent": (Prompt(user="%x%", syntax="percent"), "not those of 'percent'"),
    "percent sign": (Prompt(user="%%", syntax="percent"), "not those of 'percent'"),
    "system": (Prompt(system="{x}", user="a", syntax="braces"), "system prompt: .*not those of 'braces'"),
    "model": (Prompt(user="a", model="m", parameters={"n": 1}), "no place for model, parameters"),
    "metadata": (Prompt(user="a", metadata={"n": 1}, name="n", version="v"), "no place for name, version, metadata"),
    "declaration": (Prompt(user="a", variables=[Variable("x", default=1)]), "what is said of variable 'x'"),
    "history": (Prompt(messages=[History("chat"), ("user", "a")]), "one system text and one user text"),
    "blocks": (Prompt(user=[{"type": "image", "variable": "x"}]), "one system text and one user text"),
    "no user": (Prompt(system="a"), "one system text and one user text"),
    "three turns": (Prompt(messages=[("user", "a"), ("assistant", "b"), ("user", "c")]), "one system text"),
    "empty user": (Prompt(messages=[("system", "s"), ("user", "")]), "User Input cannot be empty"),
}


@pytest.mark.parametrize(("prompt", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_has_no_place_is_refused(prompt: Prompt, reason: str) -> None:
    with pytest.raises(PromptFormatError, match=reason):
        TextPromptAdapter.from_prompt(prompt)


def test_examples_of_a_prompt_are_kept() -> None:
    prompt = Prompt(user="a", few_shot=FewShot([(["x", Image(PNG)], "y")], "append_to_user_prompt"))
    assert TextPromptAdapter.from_prompt(prompt).to_prompt().few_shot == prompt.few_shot
