import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ids import named
from prompt_adapters import Image, Prompt, Variable
from prompt_adapters.errors import MissingVariableError, PromptFormatError, UnknownVariableError
from prompt_adapters.templates import Slot
from prompt_adapters.variables import (
    check_values,
    merge_values,
    read_variables,
    resolve_variables,
    variable_from_data,
)
from strategies import json_data, variables

FULL = Variable("x", required=False, default={"a": [1]}, type="text", description="what it is")


def test_values_are_equal_by_content_whatever_the_order_of_keys() -> None:
    one, two = Variable("x", default={"a": 1, "b": 2}), Variable("x", default={"b": 2, "a": 1})
    assert one == two
    assert hash(one) == hash(two)
    assert list(one.default) == ["a", "b"]
    assert one != Variable("x", default={"a": 1, "b": 3})
    assert Variable("x") != Variable("x", required=True)


@given(declared=variables())
def test_variables_survive_data_pickle_and_copy(declared: list[Variable]) -> None:
    for variable in declared:
        assert variable_from_data(variable.to_data()) == variable
        assert pickle.loads(pickle.dumps(variable)) == variable
        assert copy.deepcopy(variable) == variable


@given(default=json_data())
def test_a_default_is_new_each_time(default: object) -> None:
    variable = Variable("x", default=default)
    assert variable.default == default
    if isinstance(default, dict | list):
        assert variable.default is not variable.default


def test_a_default_is_not_the_object_that_was_given() -> None:
    given_default = {"items": [1]}
    variable = Variable("x", default=given_default)
    given_default["items"].append(2)
    variable.default["items"].append(3)
    assert variable.default == {"items": [1]}


def test_replace_checks_anew() -> None:
    assert FULL.replace(default=5).default == 5
    assert FULL.replace(default=None).default is None
    assert FULL.replace(name="y").name == "y"
    with pytest.raises(PromptFormatError, match="has a default"):
        FULL.replace(required=True)
    with pytest.raises(PromptFormatError, match="not plain JSON"):
        FULL.replace(default=object())
    with pytest.raises(TypeError, match="no field 'nmae'"):
        FULL.replace(nmae="y")
    with pytest.raises(AttributeError, match="frozen"):
        FULL.name = "y"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"name": ""}, "called by a name"),
        ({"name": None}, "called by a name"),
        ({"name": b"x" * 999}, "called by a name"),
        ({"name": "x", "required": "no"}, "required is true, false or None"),
        ({"name": "x", "required": 1}, "required is true, false or None"),
        ({"name": "x", "required": True, "default": ""}, "has a default, so it cannot be required"),
        ({"name": "x", "default": b"bytes"}, "not plain JSON data"),
        ({"name": "x", "default": float("nan")}, "not plain JSON data"),
        ({"name": "x", "default": Image("https://example.org/a.png")}, "not plain JSON data"),
        ({"name": "x", "type": "picture"}, "the types are text, image, audio, video, document, messages"),
        ({"name": "x", "type": []}, "is not a type"),
        ({"name": "x", "description": 5}, "its description is a text"),
    ],
    ids=str,
)
def test_what_is_no_variable_is_refused(arguments: dict[str, object], reason: str) -> None:
    with pytest.raises(PromptFormatError, match=reason) as caught:
        Variable(**arguments)  # type: ignore[arg-type]  # wrong on purpose
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("given_variables", "names"),
    [
        (None, []),
        ([], []),
        (["b", "a"], ["b", "a"]),
        (("b", Variable("a", type="image")), ["b", "a"]),
        ({"b", "a"}, ["a", "b"]),
        (frozenset({Variable("b"), "a"}), ["a", "b"]),
        ((name for name in "ba"), ["b", "a"]),
        (["a", "a", Variable("a")], ["a"]),
        (dict.fromkeys("ba").keys(), ["b", "a"]),
    ],
    ids=["none", "empty", "list", "mixed", "set", "mixed set", "generator", "same twice", "keys"],
)
def test_declared_variables_in_order(given_variables: object, names: list[str]) -> None:
    assert [variable.name for variable in read_variables(given_variables)] == names  # type: ignore[arg-type]  # any iterable


@pytest.mark.parametrize("wrong", ["question", b"q", 5, {"question": "text"}, object()], ids=named)
def test_what_is_no_list_of_variables_is_refused(wrong: object) -> None:
    with pytest.raises(PromptFormatError, match="a list of names"):
        read_variables(wrong)  # type: ignore[arg-type]  # wrong on purpose


def test_a_variable_declared_in_two_ways_is_refused() -> None:
    with pytest.raises(PromptFormatError, match="'a' is declared twice"):
        read_variables(["a", Variable("a", required=False)])


@pytest.mark.parametrize(
    ("declared", "slots", "expected"),
    [
        ([], [("a", True), ("b", False)], [("a", True), ("b", False)]),
        ([], [("a", False), ("a", True)], [("a", True)]),
        (["b"], [("a", True), ("b", True)], [("b", True), ("a", True)]),
        (["unused"], [("a", True)], [("unused", False), ("a", True)]),
        ([Variable("a", required=False)], [("a", True)], [("a", False)]),
        ([Variable("a", default=0)], [("a", True)], [("a", False)]),
        ([Variable("unused", required=True)], [], [("unused", True)]),
        ([Variable("a", required=True)], [("a", False)], [("a", True)]),
    ],
    ids=["appearance", "once required", "declared first", "unused", "optional", "default", "required", "made required"],
)
def test_declared_and_detected_together(
    declared: list[str | Variable], slots: list[tuple[str, bool]], expected: list[tuple[str, bool]]
) -> None:
    found = resolve_variables(read_variables(declared), [Slot(*slot) for slot in slots])
    assert [(variable.name, variable.required) for variable in found] == expected


def test_a_prompt_shows_declared_then_detected() -> None:
    prompt = Prompt(
        system="{{ z }}{% if mode == 'x' %}{{ y | default('d') }}{% endif %}",
        user=[{"type": "text", "content": "{{ a }}"}, {"type": "image", "variable": "photo"}],
        variables=["photo", Variable("z", type="text", description="first letter")],
    )
    assert [(v.name, v.required) for v in prompt.variables] == [
        ("photo", True),
        ("z", True),
        ("mode", True),
        ("y", False),
        ("a", True),
    ]
    assert prompt.variables[1].description == "first letter"
    assert [v.name for v in prompt.declared] == ["photo", "z"]


TWO = (Variable("question", required=True), Variable("tone", required=False))


@pytest.mark.parametrize(
    ("values", "missing", "unused"),
    [
        ({}, ("question",), ()),
        ({"question": None}, ("question",), ()),
        ({"qestion": "x"}, ("question",), ("qestion",)),
        ({"QUESTION": "x"}, ("question",), ("QUESTION",)),
        ({"the_question_text": "x"}, ("question",), ("the_question_text",)),
        ({"zzz": "x"}, ("question",), ()),
        ({"tone": "calm"}, ("question",), ()),
    ],
    ids=str,
)
@pytest.mark.parametrize("extra", ["forbid", "ignore"])
def test_missing_variables_are_named_with_what_looks_like_them(
    values: dict[str, object], missing: tuple[str, ...], unused: tuple[str, ...], extra: str
) -> None:
    with pytest.raises(MissingVariableError) as caught:
        check_values(TWO, values, extra)
    assert caught.value.names == missing
    assert caught.value.unused == unused
    assert isinstance(caught.value, KeyError)
    assert isinstance(caught.value, ValueError)
    assert all(repr(name) in str(caught.value) for name in (*missing, *unused))


def test_all_missing_variables_are_named_at_once() -> None:
    with pytest.raises(MissingVariableError, match="missing variables 'a', 'b'"):
        Prompt(system="{{ a }}", user="{{ b }}").render()


@pytest.mark.parametrize(
    ("name", "suggestions"),
    [("tnoe", ("tone",)), ("Tone", ("tone",)), ("zzz", ()), ("questions", ("question",)), ("", ())],
)
def test_unknown_variables_are_errors_with_a_suggestion(name: str, suggestions: tuple[str, ...]) -> None:
    with pytest.raises(UnknownVariableError) as caught:
        check_values(TWO, {"question": "q", name: "x"}, "forbid")
    assert caught.value.names == (name,)
    assert caught.value.suggestions == suggestions
    assert caught.value.known == ("question", "tone")
    assert isinstance(caught.value, KeyError)
    assert check_values(TWO, {"question": "q", name: "x"}, "ignore")[0]["question"] == "q"


def test_names_that_are_no_texts_are_unknown() -> None:
    with pytest.raises(UnknownVariableError, match="'5'"):
        check_values(TWO, {"question": "q", 5: "x"}, "forbid")  # type: ignore[dict-item]  # wrong on purpose


def test_defaults_fill_in_for_what_is_not_given_or_none() -> None:
    declared = (Variable("a", required=False, default=[1]), Variable("b", required=False))
    values = {"a": None}
    given_values, absent = check_values(declared, values, "forbid")
    assert given_values == {"a": [1]}
    assert absent == {"a", "b"}
    assert values == {"a": None}
    assert check_values(declared, {"a": 0}, "forbid")[0] == {"a": 0}
    given_values["a"].append(2)
    assert check_values(declared, {}, "forbid")[0] == {"a": [1]}


def test_values_are_merged() -> None:
    given_values = {"a": 1}
    assert merge_values(given_values, {"b": 2}) == {"a": 1, "b": 2}
    assert given_values == {"a": 1}
    assert merge_values(None, {}) == {}
    with pytest.raises(TypeError, match="'a' is given twice"):
        merge_values({"a": 1}, {"a": 1})
    with pytest.raises(TypeError, match="not str"):
        merge_values("a", {})  # type: ignore[arg-type]  # wrong on purpose


@given(name=st.text(min_size=1))
def test_a_name_alone_is_data(name: str) -> None:
    assert variable_from_data(name) == Variable(name)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (None, "a name or an object with a name"),
        (5, "a name or an object"),
        ({}, "with a name"),
        ({"required": True}, "with a name"),
        ({"name": "x", "requierd": True}, "unknown key 'requierd'"),
        ({"name": "x", "required": "yes"}, "required is true"),
    ],
    ids=str,
)
def test_broken_data_are_refused(data: object, reason: str) -> None:
    with pytest.raises(PromptFormatError, match=reason):
        variable_from_data(data)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({}, "missing variables 'a', 'b'; write it"),
        ({"a": None}, "missing variables 'a', 'b'; 'a' was given as None, which counts as not given; write it"),
        (
            {"a": None, "b": None},
            "missing variables 'a', 'b'; 'a', 'b' was given as None, which counts as not given",
        ),
    ],
    ids=["not given", "one is None", "both are None"],
)
def test_a_missing_variable_says_whether_none_was_given(values: dict[str, object], said: str) -> None:
    with pytest.raises(MissingVariableError) as caught:
        check_values((Variable("a", required=True), Variable("b", required=True)), values, "forbid", "write it")
    assert str(caught.value) == said
