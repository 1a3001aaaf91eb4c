import time

import pytest

from prompt_adapters.content.parts import Image, Text
from prompt_adapters.templates import Slot
from prompt_adapters.templates.plain import compile_none, compile_plain

LITERAL = [
    r"\frac{a}{b} \begin{x} {{}} {%d} {# x #} {% if x %} {% raw %}",
    '{"a": {"b": [1, {"c": 2}]}}',
    "{{ a.b }} {{a|upper}} {{ a b }} {{ 1 }} {{ 'x' }} {{ }}",
    "{ {x} } {x} {{x} {x}}",
    "%x% $x$ ${x} $5 $$",
    "a\r\nb\rc\n\n  \t",
    "<b>&amp;</b>",
]


@pytest.mark.parametrize("text", LITERAL)
def test_everything_else_is_literal(text: str) -> None:
    template = compile_plain(text)
    assert template.variables == ()
    assert template.render({}) == (Text(text),)


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("{{x}}{{ x }}{{  x  }}{{\tx\n}}", "VVVV"),
        ("{{{x}}}", "{V}"),
        ("{{{{x}}}}", "{{V}}"),
        ('{"a": {"b": "{{x}}"}}', '{"a": {"b": "V"}}'),
        ("{{ a.b {{x}} }}", "{{ a.b V }}"),
    ],
)
def test_slots(text: str, rendered: str) -> None:
    template = compile_plain(text)
    assert template.variables == (Slot("x", required=True),)
    assert template.render({"x": "V"}) == (Text(rendered),)


def test_names_in_any_script_in_order_of_appearance() -> None:
    template = compile_plain("{{ 变量 }} {{ नाम }} {{ class }} {{ 变量 }} {{ été }}")
    assert [slot.name for slot in template.variables] == ["变量", "नाम", "class", "été"]
    values = {"变量": "1", "नाम": "2", "class": "3", "été": "4"}
    assert template.render(values) == (Text("1 2 3 1 4"),)


def test_media_keep_their_place() -> None:
    photo = Image.from_uploaded("file-1")
    parts = compile_plain("a {{ p }}{{ p }} b").render({"p": photo})
    assert parts == (Text("a "), photo, photo, Text(" b"))
    assert parts[1] is photo


@pytest.mark.parametrize("text", [*LITERAL, "{{ x }}", "%x%", "{x}"])
def test_none_has_no_slots(text: str) -> None:
    template = compile_none(text)
    assert template.variables == ()
    assert template.render({"x": "V"}) == (Text(text),)


@pytest.mark.parametrize("text", ["{{ " * 70_000, "{" * 200_000, "{{" + " " * 200_000, "{{" + "x" * 200_000 + " " * 9])
def test_the_time_is_linear(text: str) -> None:
    started = time.process_time()
    assert compile_plain(text).render({}) == (Text(text),)
    assert time.process_time() - started < 2
