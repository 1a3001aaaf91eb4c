from __future__ import annotations

import json

import jinja2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2.filters import FILTERS
from jinja2.tests import TESTS

from prompt_adapters.errors import TemplateError
from prompt_adapters.templates import compile_template
from prompt_adapters.templates.environment import ENVIRONMENT
from prompt_adapters.templates.filters import EACH, FREE_FILTERS, OWN_FILTERS, OWN_TESTS, TICK

STOCK = jinja2.Environment(autoescape=False, keep_trailing_newline=True)


def render(text: str, **values: object) -> str:
    return "".join(part.text for part in compile_template(text).render(values))  # type: ignore[union-attr]  # texts


def test_every_filter_of_jinja_is_paid_for_or_free() -> None:
    assert set(FILTERS) == (set(OWN_FILTERS) - {EACH, TICK}) | set(FREE_FILTERS)
    assert not set(FREE_FILTERS) & set(OWN_FILTERS)
    assert set(OWN_TESTS) <= set(TESTS)
    assert set(ENVIRONMENT.filters) == set(FILTERS) | {EACH, TICK}


@pytest.mark.parametrize("name", [EACH, TICK])
def test_no_template_can_name_what_counts(name: str) -> None:
    with pytest.raises(TemplateError):
        compile_template("{{ 1 |" + name + "(1) }}").render({})
    with pytest.raises(TemplateError):
        compile_template("{{ [[1]] | map(n, 0 - 99999999) | list }}").render({"n": "tick"})


EXPRESSIONS = [
    "x | upper",
    "x | lower",
    "x | title",
    "x | capitalize",
    "x | trim",
    "x | center(9)",
    "x | indent(2)",
    "x | indent('>')",
    "x | replace('a', 'bb')",
    "x | replace('a', 'b', 1)",
    "x | truncate(5)",
    "x | truncate(5, true, '')",
    "x | wordwrap(5)",
    "x | wordcount",
    "x | striptags",
    "x | urlize",
    "x | urlencode",
    "x | length",
    "x | reverse",
    "x | first",
    "x | list",
    "l | sort",
    "l | sort(reverse=true)",
    "l | unique | list",
    "l | min",
    "l | max",
    "l | sum",
    "l | batch(2) | list",
    "l | join('-')",
    "l | batch(2, 0) | list",
    "l | slice(2) | list",
    "l | slice(2, 0) | list",
    "l | map('string') | list",
    "l | select('odd') | list",
    "l | reject('odd') | list",
    "l | last",
    "d | dictsort",
    "r | map(attribute='a') | list",
    "r | selectattr('a') | list",
    "r | groupby('a') | map(attribute=0) | list",
    "r | rejectattr('a', 'eq', 1) | list | length",
    "r | sum(attribute='a')",
    "2.567 | round(1)",
    "2.567 | round(1, 'floor')",
    "'12' | int",
    "'x' | int(5)",
    "'1.5' | float",
    "-3 | abs",
    "12345 | filesizeformat",
    "'%s-%d' | format('a', 3)",
    "'%(a)s' | format(a=1)",
    "d | xmlattr",
    "d | items | list",
    "x ~ l[0]",
    "'%05d' % 3",
    "'%-5s|' % x",
    "'{:>5}|'.format('a')",
    "'{a}'.format(a=1)",
    "'{0[a]}'.format(d)",
    "x[1:3]",
    "l[::-1]",
    "x in 'abc abc'",
    "1 in l",
    "l == [1]",
    "x < 'b'",
    "l + [1]",
    "l * 2",
    "x.split()",
    "x.center(9)",
    "','.join(['a', 'b'])",
    "x.replace('a', 'bb')",
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
@settings(max_examples=12)
@given(
    text=st.text(alphabet="ab c<>&\n-'é.", max_size=12),
    numbers=st.lists(st.integers(0, 5), min_size=1, max_size=5),
)
def test_they_give_what_jinja_gives(expression: str, text: str, numbers: list[int]) -> None:
    rows = [{"a": number} for number in numbers]
    values = {"x": text, "l": numbers, "d": {"a": 1, "b": text}, "r": rows}
    template = "{% set v = " + expression + " %}{{ v if v is string or v is number else v | tojson }}"
    try:
        wanted = STOCK.from_string(template).render(values)
    except Exception:  # noqa: BLE001 - whatever Jinja raises
        with pytest.raises(TemplateError):
            render(template, **values)
    else:
        found = render(template, **values)
        assert found == wanted or json.loads(found) == json.loads(wanted)  # whose escapes are others


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("d | upper", '{"A": [1, NULL]}'),
        ("d | trim", '{"a": [1, null]}'),
        ("d | replace('a', 'b')", '{"b": [1, null]}'),
        ("'%s' % d", '{"a": [1, null]}'),
        ("'%s %s' % (d, 1)", '{"a": [1, null]} 1'),
        ("'%s' | format(d)", '{"a": [1, null]}'),
        ("'%(k)s' % {'k': d}", '{"a": [1, null]}'),
        ("'{} {!s}'.format(d, d)", '{"a": [1, null]} {"a": [1, null]}'),
        ("[d, 'x'] | join(' ')", '{"a": [1, null]} x'),
        ("d | escape", "{&#34;a&#34;: [1, null]}"),
        ("d | string | length", "16"),
    ],
)
def test_dicts_and_lists_are_json_in_all_of_them(expression: str, text: str) -> None:
    assert render("{{ " + expression + " }}", d={"a": [1, None]}) == text
