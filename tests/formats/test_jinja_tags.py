"""Tags of Jinja templates, where they stand, and blanks that other settings of Jinja take away."""

import jinja2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prompt_adapters import Text
from prompt_adapters.errors import TemplateError
from prompt_adapters.formats.jinja_tags import for_trimming, set_names, tags, untrimmed
from prompt_adapters.templates import compile_template

STOCK = jinja2.Environment(trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
BITS = (
    "\n", "\n", "\r\n", " ", "  ", "\t", "a", "\u2028", "\xa0", "{{ y }}", "{{- y -}}", "{% if x %}", "{%- if x -%}",
    "{%+ if x +%}", "{% endif %}", "{%- endif %}", "{% endif +%}", "{# c #}", "{#- c -#}", "{# c\n #}", "{% raw %}",
    "{%- raw -%}", "{% endraw %}", "{%- endraw -%}", "{% for i in [1, 2] %}", "{% endfor %}", "{% set x = 1 %}",
)  # fmt: skip
TEMPLATES = st.lists(st.sampled_from(BITS), max_size=12).map("".join)


def test_each_tag_has_its_place_and_words() -> None:
    text = (
        "a {{ x }}\r\n{%- if b.c == 'x}}' -%} {# d\r\n #}{% raw %}{{ y }}{% endraw %}{{ {'a': {'b': 1}} }}{% endif %}"
    )
    found = tags(text)
    assert [text[tag.start : tag.end] for tag in found] == [
        "{{ x }}",
        "{%- if b.c == 'x}}' -%}",
        "{# d\r\n #}",
        "{% raw %}{{ y }}{% endraw %}",
        "{{ {'a': {'b': 1}} }}",
        "{% endif %}",
    ]
    assert [tag.kind for tag in found] == ["expression", "statement", "comment", "raw", "expression", "statement"]
    assert [tag.line for tag in found] == [1, 2, 2, 3, 3, 3]
    assert [tag.words for tag in found[:2]] == [("x",), ("if", "b", ".", "c", "==", "'x}}'")]
    assert [tag.inside for tag in found] == [(), (), ("{% if %}",), ("{% if %}",), ("{% if %}",), ()]
    assert [tag.after for tag in found] == [(), *[("{% if %}",)] * 4, ()]


@pytest.mark.parametrize(
    ("statement", "holds"),
    [
        ("{% set x = 1 %}", False),
        ("{% set x = f(a=1) %}", False),
        ("{% set x %}", True),
        ("{% set x | replace(old='a', new='b') %}", True),
        ("{% for x in y %}", True),
        ("{% include 'x' %}", False),
        ("{% chat role='user' %}", False),
    ],
)
def test_which_statements_hold_others(statement: str, holds: bool) -> None:
    assert bool(tags(statement)[0].after) is holds
    assert tags("{% chat role='user' %}", openers=("chat",))[0].after == ("{% chat %}",)


@pytest.mark.parametrize(("text", "line"), [("a\n{{ $ }}", 2), ("a\r\n\r\n{# x", 3), ("{% if x %}" * 101, None)])
def test_what_cannot_be_taken_apart(text: str, line: int | None) -> None:
    with pytest.raises(TemplateError) as caught:
        tags(text)
    assert caught.value.line == line


@pytest.mark.parametrize("text", ["{{ $ }}", "{# x"])
def test_what_cannot_be_written_otherwise(text: str) -> None:
    with pytest.raises(TemplateError):
        untrimmed(text)


@settings(max_examples=500)
@given(text=TEMPLATES)
def test_blanks_that_jinja_takes_away_are_gone_and_come_back(text: str) -> None:
    try:
        expected = STOCK.from_string(text).render(x=1, y="Y")
    except jinja2.TemplateError:
        return
    plain = untrimmed(text)
    assert _rendered(plain).replace("\r\n", "\n") == expected.replace("\r\n", "\n")
    signed = for_trimming(plain)
    assert untrimmed(signed) == plain
    assert STOCK.from_string(signed).render(x=1, y="Y") == expected


def _rendered(text: str) -> str:
    return "".join(part.text for part in compile_template(text).render({"x": 1, "y": "Y"}) if isinstance(part, Text))


@settings(max_examples=200)
@given(text=TEMPLATES)
def test_tags_are_in_order_and_are_tags(text: str) -> None:
    try:
        found = tags(text)
    except TemplateError:
        return
    last = 0
    for tag in found:
        assert last <= tag.start < tag.end
        assert (text[tag.start], text[tag.end - 1]) == ("{", "}")
        last = tag.end


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("{% set a = 1 %}{% set b %}{% endset %}{% macro c() %}{% set d = 1 %}{% endmacro %}", "abc"),
        ("{% if x %}{% set a = 1 %}{% elif y %}{% set b = 1 %}{% else %}{% set c = 1 %}{% endif %}", "abc"),
        ("{% for x in y %}{% set a = 1 %}{% endfor %}{% set b, c = d %}", "bc"),
        ("{{ a }}", ""),
    ],
)
def test_names_that_are_set_for_what_follows(text: str, names: str) -> None:
    assert set_names(text) == frozenset(names)
