"""Picoschema, and the variables that an input schema declares."""

from typing import Any

import pytest
from hypothesis import given

from prompt_adapters import Variable
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.picoschema import (
    inner,
    is_declarable,
    json_schema,
    kind_of,
    loose_schema,
    read_variables,
    write_schema,
)
from strategies import json_data, variables

# What is written: the schema, the defaults, and the variables that they declare.
ROWS: dict[str, tuple[Any, dict[str, Any], list[Variable]]] = {
    "a text": ({"x": "string, what it is"}, {}, [Variable("x", type="text", description="what it is")]),
    "other types": ({"x": "integer", "y": "any, d"}, {}, [Variable("x"), Variable("y", description="d")]),
    "optional": ({"x?": "string"}, {}, [Variable("x", required=False, type="text")]),
    "a default": ({"x": "any"}, {"x": 1}, [Variable("x", default=1)]),
    "a default alone": (None, {"x": [1]}, [Variable("x", default=[1])]),
    "a default of nothing": (None, {"x": None}, [Variable("x", required=False)]),
    "a list": ({"x(array, many)": "string"}, {}, [Variable("x", description="many")]),
    "an object": ({"x(object)": {"y": "string"}}, {}, [Variable("x")]),
    "an enum": ({"x(enum, which)": ["a", "b"]}, {}, [Variable("x", description="which")]),
    "JSON Schema": (
        {"type": "object", "properties": {"x": {"type": "string", "description": "d"}}, "required": ["x"]},
        {},
        [Variable("x", type="text", description="d")],
    ),
    "JSON Schema that needs some": (
        {"type": "object", "properties": {"x": {"type": "string"}, "y": {}}, "required": ["y"]},
        {},
        [Variable("x", required=False, type="text"), Variable("y")],
    ),
    "JSON Schema that needs none": (
        {"properties": {"x": {"type": ["string", "null"]}}}, {}, [Variable("x", type="text")]
    ),
    "a scalar": ("string", {}, []),
    "a named one": ("Topic", {}, []),
    "wildcard": ({"x": "any", "(*)": "string"}, {}, [Variable("x")]),
}  # fmt: skip


@pytest.mark.parametrize(("schema", "defaults", "found"), ROWS.values(), ids=ROWS)
def test_variables(schema: Any, defaults: dict[str, Any], found: list[Variable]) -> None:
    assert list(read_variables(schema, defaults)) == found


FAULTS: dict[str, tuple[Any, str]] = {
    "a list": (["a"], "a schema is a text or a mapping, not list"),
    "a number": ({"x": 1}, "a type is a text, as 'string, what it is', not int"),
    "a word": ({"x(set)": "string"}, "'set' is no word for what a key holds"),
    "an enum of a text": ({"x(enum)": "a"}, "'enum' is no word for what a key holds"),
    "a name": ({"x": "Topic"}, "no schema is called 'Topic'; the types are any, boolean"),
}  # fmt: skip


@pytest.mark.parametrize(("schema", "reason"), FAULTS.values(), ids=FAULTS)
def test_faults(schema: Any, reason: str) -> None:
    with pytest.raises(PromptFormatError) as caught:
        json_schema(schema)
    assert reason in caught.value.reason


def test_deep_schemas_end() -> None:
    schema: Any = "string"
    for _ in range(200):
        schema = {"x": schema}
    with pytest.raises(PromptFormatError, match="nested too deeply"):
        json_schema(schema)


@pytest.mark.parametrize(
    ("schema", "kind"),
    [("string", "scalar"), ("any", None), ("Unknown", None), ({"x": "any"}, "object"), ({"type": "array"}, "array")],
)  # fmt: skip
def test_kinds(schema: Any, kind: str | None) -> None:
    assert kind_of(loose_schema(schema)) == kind


def test_fields_and_items() -> None:
    optional = loose_schema({"x?(array)": "any"})
    assert kind_of(inner(optional, "x")) == "array"
    either = {"properties": {"x": {"type": ["array", "object"]}, "y": {"enum": [1, {}]}, "z": {"enum": [1]}}}
    assert [kind_of(inner(loose_schema(either), name)) for name in "xyz"] == [None, None, "scalar"]
    schema = loose_schema({"xs(array)": {"a": "integer"}})
    assert kind_of(inner(schema, "xs")) == "array"
    assert kind_of(inner(inner(inner(schema, "xs")), "a")) == "scalar"
    assert inner(schema, "other") is inner(None) is None


@given(declared=variables())
def test_variables_that_a_schema_can_declare_are_read_back(declared: list[Variable]) -> None:
    def plain(variable: Variable) -> Variable:
        text = variable.description if variable.description and "\n" not in variable.description else None
        kind = variable.type if variable.type == "text" else None
        required = None if variable.required else variable.required
        return variable.replace(
            type=kind, description=text if text and text.strip(" ") == text else None, required=required
        )

    kept = [plain(variable) for variable in declared if is_declarable(variable)]
    defaults = {variable.name: variable.default for variable in kept if variable.has_default}
    schema = write_schema(kept)
    assert {v.name: v for v in read_variables(schema or None, defaults)} == {v.name: v for v in kept}


@given(schema=json_data())
def test_any_data_are_a_schema_or_a_named_error(schema: Any) -> None:
    try:
        loose_schema(schema)
    except PromptFormatError as error:
        assert error.reason.startswith("Picoschema: ")  # noqa: PT017 - either is right here
