import copy
import pickle
from collections import ChainMap, defaultdict
from typing import Any

import pytest

from prompt_adapters.content.parts import Text
from prompt_adapters.errors import MediaError, MissingVariableError, TemplateError
from prompt_adapters.templates import SYNTAXES, Slot, compile_template
from prompt_adapters.templates.template import SlotTemplate, gather

ABC = SlotTemplate("", "plain", [("1", "a"), ("2", "b"), ("3", "a"), ("4", None)])


def test_slots_are_named_once_and_in_order() -> None:
    assert ABC.variables == (Slot("a", required=True), Slot("b", required=True))


@pytest.mark.parametrize("values", [{"a": "A", "b": "B", "z": open}, ChainMap({"a": "A"}, {"b": "B"})])
def test_values_fill_slots_and_unknown_names_are_ignored(values: Any) -> None:
    assert ABC.render(values) == (Text("1A2B3A4"),)


@pytest.mark.parametrize(
    ("values", "absent", "missing"),
    [({}, (), ("a", "b")), ({"a": None, "b": "B"}, (), ("a",)), ({}, ("a",), ("b",)), ({"c": "C"}, {"b"}, ("a",))],
)
def test_every_missing_variable_is_named(values: dict[str, Any], absent: Any, missing: tuple[str, ...]) -> None:
    with pytest.raises(MissingVariableError) as caught:
        ABC.render(values, absent=absent)
    assert caught.value.names == missing


@pytest.mark.parametrize("values", [{}, {"a": None}])
def test_absent_variables_render_nothing(values: dict[str, Any]) -> None:
    assert ABC.render({"b": "B", **values}, absent=("a",)) == (Text("12B34"),)
    assert SlotTemplate("", "plain", [("", "a")]).render(values, absent=["a"]) == ()


def test_a_default_dict_gets_no_new_keys() -> None:
    values: defaultdict[str, Any] = defaultdict(dict)
    with pytest.raises(MissingVariableError):
        ABC.render(values)
    assert values == {}


class _Broken:
    def __str__(self) -> str:
        raise RuntimeError("no text today")


class _BrokenImage:
    def as_data_url(self) -> str:
        return ""

    def as_bytes(self) -> bytes:
        return b"no image"


def test_errors_name_the_variable() -> None:
    loop: list[Any] = []
    loop.append(loop)
    for value, error, message in [
        (b"x", TemplateError, "variable 'a': a value of type bytes is no text; wrap media, as Image(...)"),
        (_Broken(), TemplateError, "variable 'a': .*no text today"),
        (loop, TemplateError, "variable 'a' is nested too deeply, or holds itself"),
        (10**5000, TemplateError, "variable 'a': a whole number cannot be written as text"),
        (_BrokenImage(), MediaError, "variable 'a': .*not an image"),
    ]:
        with pytest.raises(error, match=message):
            ABC.render({"a": value, "b": "B"})


def test_gather_converts_all_but_plain_strings() -> None:
    slots = (Slot("a", required=True), Slot("b", required=False), Slot("c", required=False))
    assert gather(slots, {"a": "x", "b": 1, "d": 2}, (), convert=lambda value: value + 1) == {"a": "x", "b": 2}


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_templates_are_frozen_and_copy(syntax: str) -> None:
    template = compile_template("text", syntax)
    with pytest.raises(AttributeError):
        template.text = "other"
    assert copy.deepcopy(template) is template
    assert pickle.loads(pickle.dumps(template)) is template
    assert (template.text, template.syntax) == ("text", syntax)
    assert syntax in repr(template)
