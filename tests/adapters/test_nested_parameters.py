"""Parameters inside parameters: spread while layers are merged, and folded at the end."""

from __future__ import annotations

from typing import Any

import pytest

from prompt_adapters.adapters.nested_parameters import fields_of, folded
from prompt_adapters.errors import PromptFormatError


@pytest.mark.parametrize(
    ("given", "whole"),
    [
        ({}, {}),
        ({"a": 1}, {"a": 1}),
        ({"a.b": 1, "c": 2, "a.d": 3}, {"c": 2, "a": {"b": 1, "d": 3}}),
        ({"a.b": 1, "a": {"d": 3}}, {"a": {"d": 3, "b": 1}}),
    ],
)
def test_fields_are_folded(given: dict[str, Any], whole: dict[str, Any]) -> None:
    before = {name: dict(value) if isinstance(value, dict) else value for name, value in given.items()}
    assert folded(given) == whole
    assert given == before


def test_a_field_given_twice_is_an_error() -> None:
    with pytest.raises(PromptFormatError, match="'b' is given twice: by itself and in 'a'"):
        folded({"a": {"b": 1}, "a.b": 2})


def test_a_mapping_is_spread() -> None:
    spread = fields_of("a", ("b", "c"))
    assert spread.names == ("a.b", "a.c")
    value = {"b": [1], "c": None}
    out = spread.convert(value)
    assert out == {"a.b": [1]}
    out["a.b"].append(2)
    assert value == {"b": [1], "c": None}
    for wrong in ({"d": 1}, 3):
        with pytest.raises(ValueError, match="b, c"):
            spread.convert(wrong)
