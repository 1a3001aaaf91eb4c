from typing import Any

import pytest
from jinja2.exceptions import SecurityError, UndefinedError

from prompt_adapters.content.parts import Image
from prompt_adapters.errors import TemplateError
from prompt_adapters.templates.environment import (
    ENVIRONMENT,
    MAX_BITS,
    MAX_ITEMS,
    Absent,
    UndefinedNameError,
    Unknown,
    printed,
    text_of,
)
from prompt_adapters.templates.pieces import Fragment

PHOTO = Image.from_uploaded("file-1")


def test_the_functions_of_a_template() -> None:
    assert sorted(ENVIRONMENT.globals) == ["dict", "namespace", "range"]


@pytest.mark.parametrize("use", [bool, str, len, list, hash, lambda unknown: unknown == 1, lambda unknown: unknown.a])
def test_an_unknown_name_is_an_error_whatever_is_done_with_it(use: Any) -> None:
    with pytest.raises(UndefinedNameError, match=r"^name$"):
        use(Unknown(name="name"))


def test_an_unknown_attribute_is_not_an_unknown_name() -> None:
    with pytest.raises(UndefinedError, match="has no attribute 'b'") as caught:
        str(ENVIRONMENT.getattr({"a": 1}, "b"))
    assert not isinstance(caught.value, UndefinedNameError)


def test_an_absent_variable_is_false_and_empty() -> None:
    absent = Absent("name")
    assert (bool(absent), str(absent), len(absent), list(absent), absent == "") == (False, "", 0, [], False)
    with pytest.raises(UndefinedNameError, match=r"^name$"):
        absent + 1


@pytest.mark.parametrize("value", [PHOTO, PHOTO.source, Fragment(("a", PHOTO))], ids=repr)
def test_parts_have_no_attributes_and_no_items(value: Any) -> None:
    for name in ("source", "uri", "pieces", "no_such_name"):
        with pytest.raises(SecurityError):
            ENVIRONMENT.getattr(value, name)
        with pytest.raises(SecurityError):
            ENVIRONMENT.getitem(value, name)
    with pytest.raises(SecurityError):
        ENVIRONMENT.getitem(value, 0)


@pytest.mark.parametrize(
    ("operator", "left", "right", "fits"),
    [
        ("*", "a", MAX_ITEMS, True),
        ("*", "a", MAX_ITEMS + 1, False),
        ("*", MAX_ITEMS + 1, "a", False),
        ("*", [1, 2], MAX_ITEMS, False),
        ("*", "a", -5, True),
        ("*", 3, 4, True),
        ("*", 1.5, 4, True),
        ("*", 1 << MAX_BITS, 2, False),
        ("**", 2, 100, True),
        ("**", 2, MAX_BITS, False),
        ("**", 10, 10**9, False),
        ("**", 10, 10**400, False),
        ("**", 2, -3, True),
        ("**", 2.0, 0.5, True),
    ],
)
def test_results_have_limits(operator: str, left: Any, right: Any, fits: bool) -> None:
    context: Any = None
    if fits:
        wanted = left * right if operator == "*" else left**right
        assert ENVIRONMENT.call_binop(context, operator, left, right) == wanted
    else:
        with pytest.raises(OverflowError, match="too large for a prompt"):
            ENVIRONMENT.call_binop(context, operator, left, right)


def test_printed() -> None:
    assert printed(PHOTO) is PHOTO
    assert printed(Absent("x")) == ""
    assert printed([1]) == "[1]"
    assert text_of([1]) == "[1]"
    assert ENVIRONMENT.tilde([1, "a", None]) == "1aNone"
    with pytest.raises(UndefinedNameError):
        printed(Unknown(name="x"))


@pytest.mark.parametrize(
    ("source", "tokens"),
    [
        ("a\r\nb{{ '\r' }}\rc\n", [(1, "data", "a\r\nb"), (2, "string", "\r"), (3, "data", "\rc\n")]),
        ("a \r\n{%- raw %}\r{% endraw -%}\r\n\rb\r", [(1, "data", "a"), (2, "data", "\r"), (5, "data", "b\r")]),
        ("{# \r\n #}\r{#- -#}\r\nb\r\n", [(2, "data", ""), (4, "data", "b\r\n")]),
        ("\n\n", [(1, "data", "\n\n")]),
    ],
)
def test_the_lexer_keeps_line_breaks(source: str, tokens: list[tuple[int, str, str]]) -> None:
    found = [(token.lineno, token.type, token.value) for token in ENVIRONMENT.lexer.tokenize(source)]
    assert [token for token in found if token[1] in ("data", "string")] == [token for token in tokens if token[2]]


def test_a_part_is_no_operand_of_tilde() -> None:
    from prompt_adapters.content.value import rendering

    with rendering(), pytest.raises(TemplateError, match="was turned into text"):
        ENVIRONMENT.tilde(["a", PHOTO])
