from typing import Any

import pytest

from prompt_adapters.content.parts import Part
from prompt_adapters.errors import TemplateError, UnsafeTemplateError
from prompt_adapters.templates import compile_template

VALUES: dict[str, Any] = {"x": "X", "n": 3, "names": ["a", "b"], "d": {"items": 2}}


def render(text: str) -> tuple[Part, ...]:
    return compile_template(text).render(VALUES)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a\n{{ n / 0 }}", 2, "ZeroDivisionError: division by zero"),
        ("{{ 1 / 0 }}", 1, "ZeroDivisionError"),
        ("\n\n{{ n + x }}", 3, "TypeError: unsupported operand"),
        ("\n{{ x.y }}", 2, "'str object' has no attribute 'y'"),
        ("{{ names[9] }}", 1, "has no element 9"),
        ("\n{% macro m(a) %}\n{{ a }}{% endmacro %}\n{{ m() }}", 3, "parameter 'a' was not provided"),
        ("\n{% macro m() %}{% endmacro %}\n{{ m(1) }}", 3, "takes not more than 0 argument"),
        ("\n{{ d.items }}", 2, r"'items' is a function or class, not text; .*\['items'\] if a key is meant"),
        ("\n{% macro m() %}{% endmacro %}{{ m }}", 2, "'Macro' is a function or class"),
        ("{% for i in names %}\n{{ loop }}{% endfor %}", 2, "LoopContext can be read only once"),
        ("{% set ns = namespace() %}{{ ns }}", 1, "a value of type Namespace has no text"),
        ("\n{{ range(100001) }}", 2, "a range has more than 100000 numbers"),
        ("\n{{ 'a' * n * 10000000 }}", 2, "rendering makes more than 10000000 characters"),
        ("\n{{ [1] * 10000000 }}", 2, "rendering takes more than 500000 steps"),
        ("\n{{ 10 ** 1000000000 }}", 2, "a number has more than 10000 bits"),
        ("\n{{ n ** 9999 ** 9999 }}", 2, "a number has more than 10000 bits"),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", 1, "call one another more than 50 levels deep"),
        ("{{ names | groupby }}", 1, "TypeError"),
        ("\n{% if x is nothing %}{% endif %}", 2, "No test named 'nothing'"),
    ],
)
def test_errors_of_expressions_have_a_line(text: str, line: int, message: str) -> None:
    with pytest.raises(TemplateError, match=message) as caught:
        render(text)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"line {line}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("{%d}", 1, "Encountered unknown tag 'd'; text that only looks like a template goes between {% raw %}"),
        ("a\r\n\r\n{{ x }", 3, "unexpected '}'"),
        ("\n{# open", 2, "Missing end of comment tag"),
        ("\n{% if x %}", 2, "Unexpected end of template"),
        ('{{"a": 1}}', 1, "with syntax='plain' only {{ name }} is special"),
        ("\n{{ x | uper }}", 2, "No filter named 'uper'"),
        ("{{ x is nope }}", 1, "No test named 'nope'"),
        ("\n{{ lipsum() }}", 2, "there is no function 'lipsum'"),
        ("{{ cycler('a') }}", 1, "there is no function 'cycler'"),
        ("{{ joiner() }}", 1, "the functions are range, dict, namespace"),
        ("{% autoescape true %}{% endautoescape %}", 1, "a prompt is no HTML"),
        ("\n{% set x.y = 1 %}", 2, "an attribute of the variable 'x' cannot be set"),
        ("{% macro m(a, a) %}{% endmacro %}", None, "cannot be compiled: duplicate argument"),
        ("{% set a | replace('a', range(1)) %}{% endset %}", None, "cannot be compiled: Tried to resolve a name"),
        ("{% for i in x %}" * 25 + "{% endfor %}" * 25, None, "cannot be compiled: too many statically nested blocks"),
        ("{{ " + "(" * 5000 + ")" * 5000 + " }}", None, "nested more than 100 levels deep"),
    ],
)
def test_errors_of_syntax(text: str, line: int | None, message: str) -> None:
    with pytest.raises(TemplateError) as caught:
        compile_template(text)
    assert message in str(caught.value)
    assert caught.value.line == line


@pytest.mark.parametrize(
    "statement",
    ["include 'a'", "include x ignore missing", "import 'a' as b", "from 'a' import b", "extends 'a'", "extends x"],
)
def test_other_templates_are_refused(statement: str) -> None:
    with pytest.raises(
        UnsafeTemplateError, match=f"line 2: .*{statement.split()[0].replace('from', 'import')} %}} is refused"
    ):
        compile_template("\n{% " + statement + " %}")
