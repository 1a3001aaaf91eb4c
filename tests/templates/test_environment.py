from fractions import Fraction
from typing import Any

import jinja2
import pytest
from jinja2.exceptions import SecurityError, UndefinedError

from prompt_adapters.content.parts import Image, Text
from prompt_adapters.errors import TemplateError, TemplateLimitError
from prompt_adapters.templates import compile_template
from prompt_adapters.templates.environment import (
    ENVIRONMENT,
    Absent,
    UndefinedNameError,
    Unknown,
)
from prompt_adapters.templates.filters import printed, text_of
from prompt_adapters.templates.limits import DEFAULT_LIMITS
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
    ("operator", "left", "right", "limit"),
    [
        ("*", "a", 1_000_000, None),
        ("*", "a", DEFAULT_LIMITS.text + 1, "text"),
        ("*", DEFAULT_LIMITS.text + 1, "a", "text"),
        ("*", [1, 2], DEFAULT_LIMITS.steps, "steps"),
        ("*", "a", -5, None),
        ("*", 3, 4, None),
        ("*", 1.5, 4, None),
        ("*", 1 << DEFAULT_LIMITS.bits, 2, "bits"),
        ("+", 1 << DEFAULT_LIMITS.bits, 2, "bits"),
        ("**", 2, 100, None),
        ("**", 2, DEFAULT_LIMITS.bits, "bits"),
        ("**", 10, 10**9, "bits"),
        ("**", 10, 10**400, "bits"),
        ("**", Fraction(2), 10**9, "bits"),
        ("**", 2, -3, None),
        ("**", 2.0, 0.5, None),
    ],
)
def test_results_have_limits(operator: str, left: Any, right: Any, limit: str | None) -> None:
    context: Any = None
    if limit is None:
        wanted = left * right if operator == "*" else left**right
        assert ENVIRONMENT.call_binop(context, operator, left, right) == wanted
    else:
        with pytest.raises(TemplateLimitError) as caught:
            ENVIRONMENT.call_binop(context, operator, left, right)
        assert caught.value.limit == limit


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


@pytest.mark.parametrize(
    "text", ["'a\\'b\\n'", '"a\\"b"', "1_000", "0x_ff", "0b1_0", "0o17", "00", "1.5e3", "'" + "x" * 9 + "'"]
)
def test_the_lexer_reads_constants_as_jinja_does(text: str) -> None:
    stock = jinja2.Environment().from_string("{{ " + text + " }}").render()
    assert "".join(map(str, _rendered("{{ " + text + " }}{{ x }}"))) == stock


def _rendered(text: str) -> list[str]:
    return [part.text for part in compile_template(text).render({"x": ""}) if isinstance(part, Text)]


def test_a_long_string_or_number_is_read_in_little_memory() -> None:
    assert _rendered("{{ '" + "\\\\" * 100_000 + "' | length }}") == ["100000"]
    with pytest.raises(TemplateError, match="the template cannot be read: Exceeds the limit"):
        compile_template("{{ " + "9" * 100_000 + " }}")


def test_a_block_may_stand_first_and_speak_of_the_template() -> None:
    assert _rendered("{% block a %}{% if x %}{{ self.b() }}{% endif %}A{% endblock %}{% block b %}B{% endblock %}") == [
        "AB"
    ]


@pytest.mark.parametrize(
    "call", ["x()", "x.y()", "items[0]()", "(1)()", "dict.fromkeys('a')", "range.index(1)", "loop()"]
)
def test_only_what_templates_may_call_is_called(call: str) -> None:
    with pytest.raises(TemplateError):
        compile_template("{{ " + call + " }}").render({"x": "a", "items": ["a"], "loop": 1})
