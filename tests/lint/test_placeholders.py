"""Texts that look like placeholders of another syntax, and those that only nearly do."""

import time

import pytest

from prompt_adapters import FewShot, Message, Prompt
from prompt_adapters.errors import TemplateError
from prompt_adapters.lint.placeholders import foreign_placeholders
from prompt_adapters.lint.texts import texts_of

# The text, and in each syntax the pieces that nothing fills in.
FOUND: dict[str, tuple[str, dict[str, list[str]]]] = {
    "two braces": (
        "Hi {{ name }} {{name}}",
        {
            "percent": ["{{ name }}", "{{name}}"],
            "none": ["{{ name }}", "{{name}}"],
            "braces": ["{{ name }}", "{{name}}"],
            "f-string": ["{{ name }}", "{{name}}"],
            "plain": [],
            "jinja": [],
        },
    ),
    "one brace": ("Hi {name}", {"jinja": ["{name}"], "plain": ["{name}"], "percent": ["{name}"], "none": ["{name}"],
                                "braces": [], "f-string": []}),
    "percent signs": ("Hi %name%", {"jinja": ["%name%"], "plain": ["%name%"], "braces": ["%name%"], "percent": []}),
    "statements": (
        "{% for a in b %}{{ a }}{% endfor %}",
        {"plain": ["{% for a in b %}", "{% endfor %}"], "none": ["{{ a }}", "{% for a in b %}", "{% endfor %}"],
         "jinja": []},
    ),
    "expressions": (
        "{{ user.name }} {{ x | upper }} {{ x[0] }} {{ f(1) }}",
        {"plain": ["{{ user.name }}", "{{ x | upper }}", "{{ x[0] }}", "{{ f(1) }}"]},
    ),
    "sections": ("{{#each a}}b{{/each}}{{> part}}", {"plain": ["{{#each a}}", "{{/each}}", "{{> part}}"]}),
    "other scripts": ("{名字} %имя%", {"jinja": ["{名字}", "%имя%"]}),
    "LaTeX": (r"\frac{ab}{cd} x_{ij} x^{ij} \textbf{word} {x}", {"jinja": [], "plain": [], "percent": []}),
    "shells and code": ("${HOME} f({x}) $${price}$ {0} {} {a.b} { name } 5%of 60% 100%sure%", {"jinja": []}),
    "JSON": ('{"a": {"b": 1}, "c": [{"d": "e"}]} {"name"}', {"jinja": [], "plain": [], "percent": [], "none": []}),
    "inside of tags": ("{# {name} #}{{ '{name}' }}{% if '%name%' %}a{% endif %}", {"jinja": []}),
    "behind tags": ("{% raw %}{{ name }} {name}{% endraw %} {other}", {"jinja": ["{name}", "{other}"]}),
    "the name of a variable": (
        "{{ x }} {x} ${x} { x } <<x>> x_{x} \\frac{x}{x} $x$ {y} ${y} { y } <<y>> <x>",
        {"jinja": ["${x}", "{x}", "{ x }", "<<x>>"], "plain": ["${x}", "{x}", "{ x }", "<<x>>"]},
    ),
    "the name of a variable, with slots in single braces": (
        "{x} ${x} {{x}} {{{x}}} <<x>> { x } {y z}", {"braces": ["{{x}}", "{ x }", "<<x>>"]}
    ),
    "the name of a variable, with percent signs": (
        "%x% {x} {{{x}}} {{& x }}", {"percent": ["{x}", "{{{x}}}", "{{& x }}"]}
    ),
    "named once": ("{name} {name} {name}", {"jinja": ["{name}"]}),
}  # fmt: skip
CASES = [
    pytest.param(text, syntax, expected, id=f"{what} in {syntax}")
    for what, (text, found) in FOUND.items()
    for syntax, expected in found.items()
]


def pieces(prompt: Prompt) -> list[str]:
    return [fault.sentence.split("'")[1] if fault.sentence.startswith("'") else fault.sentence.split('"')[1]
            for fault in foreign_placeholders(prompt, tuple(texts_of(prompt)))]  # fmt: skip


@pytest.mark.parametrize(("text", "syntax", "expected"), CASES)
def test_what_looks_like_a_placeholder(text: str, syntax: str, expected: list[str]) -> None:
    assert pieces(Prompt(user=text, syntax=syntax)) == expected


def test_the_place_in_the_text_is_told() -> None:
    text = "a\nb {# {not} #} {name}"
    (fault,) = foreign_placeholders(prompt := Prompt(user=text), tuple(texts_of(prompt)))
    assert fault.text is not None
    assert text[fault.offset :] == "{name}"


def test_literal_texts_are_filled_in_by_nothing() -> None:
    prompt = Prompt(
        messages=[Message("system", "For {{ a }}."), ("user", "{{ b }}")], few_shot=FewShot([("{{ c }}", "%d%")])
    )
    found = [fault.sentence for fault in foreign_placeholders(prompt, tuple(texts_of(prompt)))]
    assert [sentence[:40] for sentence in found] == [
        "'{{ a }}' in message 1 (system) reads li",
        "'{{ c }}' in example 1, input reads like",
        "'%d%' in example 1, output reads like a ",
    ]
    assert all(sentence.endswith("but this text is literal, so it is sent as it stands") for sentence in found)


def test_two_braces_where_one_is_a_slot_mean_something_else() -> None:
    prompt = Prompt(user="{{name}}", syntax="braces")
    (fault,) = foreign_placeholders(prompt, tuple(texts_of(prompt)))
    assert fault.sentence.endswith("'braces', where two braces are no slot")


def test_a_long_placeholder_is_shortened() -> None:
    prompt = Prompt(user="{% if " + "a" * 150 + " %}", syntax="plain")
    (fault,) = foreign_placeholders(prompt, tuple(texts_of(prompt)))
    assert len(fault.sentence) < 200


@pytest.mark.parametrize("text", ["{{" * 100_000, "{%" * 100_000, "{" * 200_000, "%a" * 100_000, "{{ " * 60_000,
                                  "{#" * 100_000, "{a" * 100_000, "{{a." * 50_000])  # fmt: skip
def test_time_grows_with_the_text(text: str) -> None:
    for syntax in ("none", "plain", "percent", "jinja"):
        try:
            prompt = Prompt(user=text, syntax=syntax)
        except TemplateError:
            continue
        start = time.process_time()
        list(foreign_placeholders(prompt, tuple(texts_of(prompt))))
        assert time.process_time() - start < 2
