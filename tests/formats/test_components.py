import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from prompt_adapters import FewShot, History, Image, Message, Prompt, Text, Variable
from prompt_adapters.errors import PromptFormatError, TemplateError
from prompt_adapters.formats.components import component, read_standardized, standardized_dict
from strategies import PNG, prompts

PATH = Path("p.json")
TEXT = {"format": "text"}
USER = {"variables": ["review"], "template": "Classify {{ review }}", "metadata": TEXT}
SYSTEM = {"variables": [], "template": "You are a review classifier for ABC.", "metadata": TEXT}
EXAMPLES = [{"input": "foo_1", "output": "bar_1"}, {"input": "foo_2", "output": "bar_2"}]
PROMPT = Prompt(SYSTEM["template"], USER["template"], syntax="plain")


def read(data: object, syntax: str | None = None) -> Prompt:
    return read_standardized(data, PATH, syntax)


@pytest.mark.parametrize("placement", ["converse", "append_to_user_prompt", "append_to_system_prompt"])
def test_the_documented_dictionary(placement: str) -> None:
    documented = {
        "user_prompt_component": USER,
        "system_prompt_component": SYSTEM,
        "few_shot": {"examples": EXAMPLES, "format": placement},
    }
    prompt = PROMPT.replace(few_shot=FewShot(EXAMPLES, placement))
    assert standardized_dict(prompt) == documented
    assert list(standardized_dict(prompt)) == list(documented)
    assert read(documented) == prompt


def test_the_short_keys_are_read() -> None:
    assert read({"user_prompt": USER, "system_prompt": SYSTEM}) == PROMPT
    assert read({"user_prompt": USER, "system_prompt_component": SYSTEM}) == PROMPT


def test_a_component_needs_its_template_only() -> None:
    assert read({"user_prompt_component": {"template": "Hi"}}) == Prompt(user="Hi", syntax="plain")


def test_no_system_prompt_is_an_empty_component() -> None:
    data = standardized_dict(Prompt(user="Hi", syntax="plain"))
    assert data["system_prompt_component"] == {"variables": [], "template": "", "metadata": TEXT}
    assert read(data) == Prompt(user="Hi", syntax="plain")


def test_variables_are_listed_once_each() -> None:
    assert component("Hi", ["b", "a", "b"])["variables"] == ["b", "a"]


# prompt: (variables of the user component, variables of the system component)
LISTED: list[tuple[Prompt, list[str], list[str]]] = [
    (Prompt("{{ a }}", "{{ c }} {{ b }}", syntax="plain"), ["c", "b"], ["a"]),
    (Prompt("{{ a }}", "{{ b }} {{ a }}", syntax="plain"), ["b", "a"], ["a"]),
    (Prompt("S", "{{ a }} {{ b }}", variables=["b"], syntax="plain"), ["b", "a"], []),
    (Prompt("S", "{{ a }} {{ b }}", variables=["ghost", "b"], syntax="plain"), ["ghost", "b", "a"], []),
    (Prompt("{{ b }}", "{{ a }}", variables={"b", "a", "ghost"}, syntax="plain"), ["a", "ghost"], ["b"]),
    (Prompt(messages=[("system", "{{ a }}"), History("chat"), ("user", "{{ b }}")]), ["b", "chat"], ["a"]),
    (Prompt(messages=[("user", "{{ a }}"), ("assistant", "{{ b }}"), ("user", "{{ c }}")]), ["c", "a", "b"], []),
    (Prompt(user=[{"type": "image", "variable": "photo"}]), ["photo"], []),
]


@pytest.mark.parametrize(("prompt", "user", "system"), LISTED, ids=range(len(LISTED)))
def test_variables_are_declared_ones_and_then_found_ones(prompt: Prompt, user: list[str], system: list[str]) -> None:
    data = standardized_dict(prompt)
    assert data["user_prompt_component"]["variables"] == user
    assert data["system_prompt_component"]["variables"] == system
    assert read(data) == prompt


# listed: (template, declared, all variables)
DECLARED: list[tuple[list[str], str, list[str], list[str]]] = [
    (["a"], "{{ a }}", [], ["a"]),
    ([], "{{ a }}", [], ["a"]),
    (["ghost"], "Hi", ["ghost"], ["ghost"]),
    (["ghost", "a"], "{{ a }}", ["ghost"], ["ghost", "a"]),
    (["a", "ghost"], "{{ a }}", ["a", "ghost"], ["a", "ghost"]),
    (["b", "a"], "{{ a }} {{ b }}", ["b"], ["b", "a"]),
    (["b"], "{{ a }} {{ b }}", ["b"], ["b", "a"]),
    (["a", "a"], "{{ a }}", [], ["a"]),
]


@pytest.mark.parametrize(("listed", "template", "declared", "names"), DECLARED, ids=range(len(DECLARED)))
def test_only_what_the_template_cannot_tell_counts_as_declared(
    listed: list[str], template: str, declared: list[str], names: list[str]
) -> None:
    prompt = read({"user_prompt_component": {"template": template, "variables": listed}})
    assert [variable.name for variable in prompt.declared] == declared
    assert [variable.name for variable in prompt.variables] == names


EXTRAS: list[tuple[Prompt, set[str]]] = [
    (PROMPT, set()),
    (Prompt(user="{{ x }}"), {"syntax"}),
    (Prompt(user="Hi", model="m", parameters={"n": 1}, name="n", version="1", metadata={"a": 1}, syntax="plain"),
     {"model", "parameters", "name", "version", "metadata"}),
    (Prompt(user="Hi", variables=["ghost"], syntax="plain"), set()),
    (Prompt(user="{{ x }}", variables=["x"], syntax="plain"), {"variables"}),
    (Prompt(user="{{ x }}", variables=[Variable("x", default=1)], syntax="plain"), {"variables"}),
    (Prompt("Hi", syntax="plain"), set()),
    (Prompt(messages=[("user", "a"), ("user", "b")], syntax="plain"), {"messages", "digests"}),
    (Prompt(messages=[("user", "a")], few_shot=FewShot([([Image(PNG)], "b")]), syntax="plain"),
     {"few_shot", "digests"}),
]  # fmt: skip


@pytest.mark.parametrize(("prompt", "keys"), EXTRAS, ids=[" ".join(sorted(keys)) or "none" for _, keys in EXTRAS])
def test_the_extension_holds_no_more_than_needed(prompt: Prompt, keys: set[str]) -> None:
    data = standardized_dict(prompt)
    assert data.get("prompt_adapters", {}).keys() == keys
    assert ("prompt_adapters" in data) is bool(keys)
    assert read(data) == prompt


def test_a_given_syntax_is_for_those_that_do_not_say() -> None:
    assert read({"user_prompt": {"template": "{x}"}}, "braces").syntax == "braces"
    assert read(standardized_dict(Prompt(user="{{ x }}")), "braces").syntax == "jinja"


def without(data: dict[str, Any], *path: str) -> dict[str, Any]:
    """A deep copy without one key."""
    copy: dict[str, Any] = json.loads(json.dumps(data))
    place = copy
    for key in path[:-1]:
        place = place[key]
    del place[path[-1]]
    return copy


def test_an_edit_of_what_is_only_shown_is_refused() -> None:
    data = standardized_dict(Prompt(messages=[("system", "s"), ("user", "a"), ("user", "b")]))
    for key in ("user_prompt_component", "system_prompt_component"):
        edited = json.loads(json.dumps(data))
        edited[key]["template"] = "c"
        for case in (edited, without(data, key)):
            with pytest.raises(PromptFormatError, match=rf"{key}\.template was edited.* prompt_adapters\.messages"):
                read(case)
    assert read(without(data, "prompt_adapters")) == Prompt("s", "b", syntax="plain")


def test_an_edit_of_examples_that_are_only_shown_is_refused() -> None:
    few_shot = FewShot([([Text("a"), Image(PNG)], "b")])
    data = standardized_dict(Prompt(user="u", few_shot=few_shot, syntax="plain"))
    data["few_shot"]["examples"][0]["output"] = "c"
    with pytest.raises(PromptFormatError, match=r"few_shot was edited.* prompt_adapters\.few_shot"):
        read(data)
    assert read(without(data, "prompt_adapters")).few_shot.examples[0].output == (Text("c"),)  # type: ignore[union-attr]  # there are examples


def test_literal_parts_stay_data() -> None:
    prompt = Prompt(messages=[Message("user", ["{{ x }}"])], metadata={"lc": 1, "type": "secret", "id": ["HOME"]})
    assert read(standardized_dict(prompt)) == prompt
    assert read(standardized_dict(prompt)).variables == ()


FAULTS: list[tuple[Any, str]] = [
    ([], "the standardized format is an object, not list"),
    ("text", "is an object, not str"),
    ({}, "at least one message"),
    ({"user_prompt_component": USER, "user_prompt": USER}, "'user_prompt_component' and 'user_prompt' mean the same"),
    ({"user_prompt_component": USER, "extra": 1}, "unknown key 'extra'"),
    ({"user_prompt_component": "text"}, "user_prompt_component needs 'template', a text"),
    ({"user_prompt_component": {"template": ["a"]}}, "user_prompt_component needs 'template', a text"),
    ({"user_prompt_component": {**USER, "role": "user"}}, "user_prompt_component has the unknown key 'role'"),
    ({"user_prompt_component": {**USER, "variables": "review"}}, "'variables' is a list of names"),
    ({"user_prompt_component": {**USER, "variables": [1]}}, "'variables' is a list of names"),
    ({"user_prompt_component": {**USER, "variables": [""]}}, "'variables' is a list of names"),
    ({"user_prompt_component": {**USER, "metadata": {"format": "html"}}}, "the only 'metadata' known"),
    ({"user_prompt": USER, "few_shot": []}, "few_shot needs 'examples'"),
    (
        {"user_prompt": USER, "few_shot": {"examples": EXAMPLES, "format": "append"}},
        "'append' is not a few-shot format",
    ),
    ({"user_prompt": USER, "few_shot": {"examples": [{"input": "a"}]}}, r"example 1 \(index 0\) lacks 'output'"),
    ({"user_prompt": USER, "prompt_adapters": []}, "'prompt_adapters' and its 'digests' are objects"),
    ({"user_prompt": USER, "prompt_adapters": {"digests": []}}, "'prompt_adapters' and its 'digests' are objects"),
    ({"user_prompt": USER, "prompt_adapters": {"later": 1}}, "prompt_adapters has the unknown key 'later'"),
    ({"user_prompt": USER, "prompt_adapters": {"syntax": "jinja3"}}, "no syntax is called 'jinja3'"),
    ({"user_prompt": USER, "prompt_adapters": {"syntax": None}}, "no syntax is called None"),
    ({"user_prompt": USER, "prompt_adapters": {"variables": "x"}}, "prompt_adapters: 'variables' is a list"),
    ({"user_prompt": USER, "prompt_adapters": {"messages": {}}}, "prompt_adapters: 'messages' is a list"),
    ({"user_prompt": USER, "prompt_adapters": {"model": 5}}, "model"),
]


@pytest.mark.parametrize(("data", "reason"), FAULTS, ids=[reason for _, reason in FAULTS])
def test_malformed_dictionaries_are_refused_by_name(data: Any, reason: str) -> None:
    with pytest.raises(PromptFormatError, match=rf"^p\.json: .*{reason}"):
        read(data)


def test_errors_of_templates_name_the_component() -> None:
    data = {"user_prompt": {"template": "ok"}, "system_prompt": {"template": "a\n{{ b"}}
    with pytest.raises(PromptFormatError, match=r"p\.json: system_prompt_component\.template: line 2: ") as caught:
        read(data, "jinja")
    assert isinstance(caught.value.__cause__, TemplateError)


@given(prompt=prompts())
def test_the_dictionary_is_read_back(prompt: Prompt) -> None:
    assert read(json.loads(json.dumps(standardized_dict(prompt)))) == prompt
