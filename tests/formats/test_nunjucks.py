"""What Nunjucks and Jinja share; everything else is refused by name."""

import pytest

from prompt_adapters.errors import TemplateError
from prompt_adapters.formats.nunjucks import FILTERS, TESTS, check_shared
from prompt_adapters.templates.environment import ENVIRONMENT

SHARED = [
    "",
    "no slots { } %",
    "{{ name }}, {{ user.name }}, {{ items[0] }}, {{ 'a' ~ b }}",
    "{% if a and not b or c == 1 %}x{% elif d != 2 %}y{% else %}z{% endif %}",
    "{% for item in items %}{{ loop.index }}. {{ item | upper | default('x') }}{% else %}none{% endfor %}",
    "{% for key, value in data %}{{ key }}{% endfor %}",
    "{% set x = 1 %}{{ x + 2 * 3 }}{% set y %}block{% endset %}{{ y }}",
    "{% raw %}{{ x.length && y }} {% switch %}{% endraw %}{# a === b #}",
    "{% macro m(a, b=1) %}{{ a }}{{ b }}{% endmacro %}{{ m('x') }}",
    "{{ 'a && b' }} {{ \"x === y\" }} a && b || c === d",
    "{{ 'yes' if x is defined else 'no' }}{{ range(3) | join(',') }}",
    "{% filter upper %}{{ x }}{% endfilter %}",
]


@pytest.mark.parametrize("text", SHARED)
def test_shared(text: str) -> None:
    check_shared(text)


REFUSED = {
    "elseif": ("{% if a %}\n{% elseif b %}{% endif %}", 2, "{% elseif %} is Nunjucks' own; write elif"),
    "switch": ("{% switch a %}{% case 1 %}x{% endswitch %}", 1, "{% switch %} is Nunjucks' own; write if"),
    "asyncEach": ("{% asyncEach a in b %}{% endeach %}", 1, "{% asyncEach %}"),
    "asyncAll": ("{% asyncAll a in b %}{% endall %}", 1, "{% asyncAll %}"),
    "ifAsync": ("{% ifAsync a %}{% endif %}", 1, "{% ifAsync %}"),
    "verbatim": ("{% verbatim %}{{ x }}{% endverbatim %}", 1, "{% verbatim %} is Nunjucks' own; write raw"),
    "strictly equal": ("\n\n{% if a === 1 %}x{% endif %}", 3, "'===' is JavaScript's; write =="),
    "strictly unequal": ("{{ a !== 1 }}", 1, "'!==' is JavaScript's; write !="),
    "and": ("{% if a && b %}x{% endif %}", 1, "'&&' is JavaScript's; write and"),
    "or": ("{{ a || b }}", 1, "'||' is JavaScript's; write or"),
    "regular expression": ("{{ a | replace(r/x/g, 'y') }}", 1, "r/…/ is a regular expression"),
    "dump": ("Data: {{ a | dump }}", 1, "the filter 'dump' writes JSON"),
    "length": ("a\n{{ items.length }}", 2, "'.length' is JavaScript's; write | length"),
    "method": ("{{ name.toUpperCase() }}", 1, "'.toUpperCase()' is a method"),
    "method of Python": ("{{ name.upper() }}", 1, "'.upper()' is a method"),
    "null": ("{% if a == null %}x{% endif %}", None, "'null' is JavaScript's own"),
    "undefined": ("{{ undefined }}", None, "'undefined' is JavaScript's own"),
    "environment": ("{{ env.HOME }}", None, "'env' is JavaScript's own"),
    "filter of Jinja": ("{{ a | tojson }}", 1, "the filter 'tojson' is not in Nunjucks"),
    "filter of its own": ("{{ a | groupby('b') }}", 1, "the filter 'groupby'"),
    "unknown filter": ("{{ a | uppercaseFirst }}", 1, "uppercaseFirst"),
    "test of Jinja": ("{{ a is boolean }}", 1, "the test 'boolean'"),
    "with": ("{% with a = 1 %}{{ a }}{% endwith %}", 1, "{% with %} is not in Nunjucks"),
    "loop with a condition": ("{% for a in b if a %}{{ a }}{% endfor %}", 1, "a loop with a condition"),
    "slice": ("{{ a[1:] }}", 1, "slices are not in Nunjucks"),
    "namespace": ("{% set n = namespace() %}{% set n.a = 1 %}", 1, "in Nunjucks"),
    "dict": ("{{ dict(a=1) }}", 1, "the function 'dict' is not in Nunjucks"),
    "include": ("{% include 'a' %}", 1, "include"),
    "broken": ("{% if %}", 1, "Expected an expression"),
}


@pytest.mark.parametrize(("text", "line", "reason"), REFUSED.values(), ids=REFUSED)
def test_refused_by_name(text: str, line: int | None, reason: str) -> None:
    with pytest.raises(TemplateError) as caught:
        check_shared(text)
    assert caught.value.line == line
    assert reason in str(caught.value)


def test_the_shared_words_are_words_of_our_jinja() -> None:
    assert ENVIRONMENT.filters.keys() >= FILTERS
    assert ENVIRONMENT.tests.keys() >= TESTS


@pytest.mark.parametrize("piece", ["{% raw %}", "{%", "{{", "{#", "{% switch ", "'", "{% if a && "])
def test_long_broken_templates_are_refused_soon(piece: str) -> None:
    with pytest.raises(TemplateError):
        check_shared("{{ a b }}" + piece * 20_000)
