import pytest

from prompt_adapters.content.parts import Text
from prompt_adapters.errors import TemplateError
from prompt_adapters.templates.braces import compile_braces, compile_f_string


@pytest.mark.parametrize(
    ("text", "names", "rendered"),
    [
        ("{x}", ["x"], "V"),
        ("{{x}}", ["x"], "{V}"),
        ('{"k": {x}}', ["x"], '{"k": V}'),
        ('{"k": {"l": 1}, "m": {}}', [], '{"k": {"l": 1}, "m": {}}'),
        (
            "{} {0} {{}} { x } {x.y} {x[0]} {x!r} {x:.2f} {a b}",
            [],
            "{} {0} {{}} { x } {x.y} {x[0]} {x!r} {x:.2f} {a b}",
        ),
        (r"\frac{1}{2} \begin{x}", ["x"], r"\frac{1}{2} \beginV"),
        ("{%x%} {{% x %}}", [], "{%x%} {{% x %}}"),
        ("{变量}{x}", ["变量", "x"], "WV"),
    ],
)
def test_braces(text: str, names: list[str], rendered: str) -> None:
    template = compile_braces(text)
    assert [slot.name for slot in template.variables] == names
    assert template.render({"x": "V", "变量": "W"}) == (Text(rendered),)


@pytest.mark.parametrize(
    ("text", "names", "rendered"),
    [
        ("{x}", ["x"], "V"),
        ("{{x}}", [], "{x}"),
        ("{{{x}}}", ["x"], "{V}"),
        ("{{{{x}}}}", [], "{{x}}"),
        ('{{"k": {x}}}', ["x"], '{"k": V}'),
        ("{{}}", [], "{}"),
        ("no brace, 100% $5", [], "no brace, 100% $5"),
    ],
)
def test_f_string(text: str, names: list[str], rendered: str) -> None:
    template = compile_f_string(text)
    assert [slot.name for slot in template.variables] == names
    assert template.render({"x": "V"}) == (Text(rendered),)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("{", 1, "a single '{'; write '{{' for a literal brace"),
        ("a\nb }", 2, "a single '}'; write '}}' for a literal brace"),
        ("{x}}", 1, "a single '}'"),
        ("{x:{y}}", 1, "a single '{'"),
        ("\r\n\r\n{}", 3, "'{}' is not a slot"),
        ("{0}", 1, "'{0}' is not a slot"),
        ("{ x }", 1, "'{ x }' is not a slot"),
        ('{"a": 1}', 1, "use syntax='braces'"),
        ("{x!z}", 1, "has no known conversion; there are !s, !r and !a"),
        ("{x!}", 1, "has no known conversion"),
        ("{x.y}", 1, "looks into a variable"),
        ("{x[0]}", 1, "looks into a variable"),
        ("{x.y:>3}", 1, "looks into a variable"),
        ("{x :>3}", 1, "is not a slot"),
        ("{:>3}", 1, "is not a slot"),
    ],
)
def test_f_string_refuses_other_braces(text: str, line: int, message: str) -> None:
    with pytest.raises(TemplateError) as caught:
        compile_f_string(text)
    assert caught.value.line == line
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["{x}", "{{x}} {x}", 'a {{"k": {x}}} b', "{{{{{x}}}}}", "{x}{y}"])
def test_f_string_is_pythons(text: str) -> None:
    values = {"x": "{y}", "y": "Z"}
    assert compile_f_string(text).render(values) == (Text(text.format(**values)),)
