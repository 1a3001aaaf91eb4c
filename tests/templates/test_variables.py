from typing import Any

import jinja2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prompt_adapters.content.parts import Text
from prompt_adapters.errors import TemplateError
from prompt_adapters.templates import compile_template


def found(text: str) -> str:
    """The variables of a template: optional ones with a question mark."""
    return " ".join(slot.name + ("" if slot.required else "?") for slot in compile_template(text).variables)


@pytest.mark.parametrize(
    ("text", "variables"),
    [
        # what is a variable
        ("", ""),
        ("{{ b }}{{ a }}{{ b }}", "b a"),
        ("{{ a.b.c }}{{ d['e'] }}{{ f[g] }}", "a d f g"),
        ("{{ a | upper | replace(b, c) }}{{ d is divisibleby(e) }}{{ f.g(h, i=j) }}", "a b c d e f h j"),
        ("{{ a + b * -c }}{{ d ~ e }}{{ f == g }}{{ [h, {i: j}] }}{{ k[l:m] }}{{ n in o }}",
         "a b c d e f g h i j k l m n o"),
        ("{# {{ a }} #}{% raw %}{{ b }}{% endraw %}{{ '{{ c }}' }}", ""),
        ("{{ true }}{{ none }}{{ False }}{{ self.b() }}", ""),
        ("{{ range(3) }}{{ dict(a=b) }}{{ namespace() }}", "b"),
        ("{{ range }}{{ dict | default('d') }}", "range dict?"),
        ("{{ 变量 }}{{ class }}", "变量 class"),
        # what the template binds
        ("{% for p in ps %}{{ p }}{{ loop.index }}{% endfor %}", "ps"),
        ("{% for a, (b, c) in ps if a and d %}{{ b }}{{ c }}{% else %}{{ e }}{% endfor %}", "ps d? e"),
        ("{% for p in ps %}{% endfor %}{{ p }}{{ loop }}", "ps p loop"),
        ("{% for x in x %}{{ x }}{% endfor %}", "x"),
        ("{% for p in ps %}{% set s = p %}{% endfor %}{{ s }}", "ps s"),
        ("{% set a = b %}{{ a }}{% set c, d = a %}{{ c }}{{ d }}", "b"),
        ("{{ a }}{% set a = 1 %}{{ a }}", "a"),
        ("{% set a = a %}{{ a }}", "a"),
        ("{% set a %}{{ b }}{% set c = 1 %}{% endset %}{{ a }}{{ c }}", "b c"),
        ("{% set a | replace('c', 'd') %}{{ b }}{% endset %}", "b"),
        ("{% set a | replace(c, d) %}{{ b }}{% endset %}", "c d b"),
        ("{% set a %}{{ a }}{% endset %}", "a"),
        ("{% for p in ps %}{{ a }}{% endfor %}{% set a = 1 %}", "ps a"),
        ("{% set n = namespace(v=a) %}{% set n.v = b %}{{ n.v }}", "a b"),
        ("{% if a == 1 %}{% set b = 1 %}{% endif %}{{ b }}", "a b"),
        ("{% if a == 1 %}{% set b = 1 %}{% else %}{% set b = 2 %}{% endif %}{{ b }}", "a"),
        ("{% if a == 1 %}{% set b = 1 %}{% elif a %}{% set b = 2 %}{% endif %}{{ b }}", "a b"),
        ("{% macro m(a, b=c, d=a) %}{{ a }}{{ b }}{{ e }}{{ caller() }}{{ varargs }}{{ kwargs }}{% endmacro %}"
         "{{ m(f) }}", "c e f"),
        ("{% macro m() %}{{ x }}{{ k() }}{% endmacro %}{% set x = 1 %}{% macro k() %}{% endmacro %}{{ m() }}", ""),
        ("{% macro m() %}{{ x }}{% endmacro %}{% if a %}{% set x = 1 %}{% endif %}{{ m() }}", "x a?"),
        ("{% call(i) o.m(a) %}{{ i }}{{ b }}{{ caller }}{% endcall %}{{ i }}", "o a b i"),
        ("{% filter replace(a, 'b') %}{{ c }}{% endfilter %}", "a c"),
        ("{% with a = b, c = a %}{{ a }}{{ c }}{% endwith %}", "b a"),
        ("{% set t = 1 %}{% for p in ps %}{% block b %}{{ t }}{{ p }}{{ super }}{% endblock %}{% endfor %}", "ps p"),
        ("{% for p in ps %}{% block b scoped %}{{ p }}{% endblock %}{% endfor %}", "ps"),
        ("{% autoescape false %}{{ a }}{% endautoescape %}", "a"),
        # what is optional
        ("{{ a | default('d') }}{{ b | d }}{{ c | default(d, true) | upper }}", "a? b? c? d"),
        ("{{ a.b | default('d') }}{{ c | upper | default('d') }}", "a c"),
        ("{{ a is defined }}{{ b is undefined }}{{ c is not defined }}{{ d is none }}{{ e is string }}",
         "a? b? c? d? e"),
        ("{% if a %}{{ a }}{{ a.b }}{% endif %}", "a?"),
        ("{% if a %}{% else %}{{ a }}{% endif %}", "a"),
        ("{% if not a %}{% else %}{{ a }}{% endif %}", "a?"),
        ("{% if not a %}{{ a }}{% endif %}", "a"),
        ("{% if a %}{% endif %}{{ a }}", "a"),
        ("{{ a }}{% if a %}{% endif %}", "a"),
        ("{% if mode == 'x' %}{% endif %}", "mode"),
        ("{% if a | length %}{% endif %}{% if b.c %}{% endif %}{% if d in e %}{% endif %}", "a b d e"),
        ("{% if a is defined %}{{ a }}{% elif b is not none %}{{ b }}{% else %}{{ c }}{% endif %}", "a? b? c"),
        ("{% if a is not defined %}x{% elif a == 1 %}{{ a }}{% endif %}", "a?"),
        ("{% if a %}x{% elif a == 1 %}{% endif %}", "a"),
        ("{% if a and b %}{{ a }}{{ b }}{% else %}{{ b }}{% endif %}", "a? b"),
        ("{% if a or b %}{{ a }}{% endif %}", "a b?"),
        ("{% if a and a.b == 1 %}{{ a }}{% endif %}", "a?"),
        ("{% if not a or a == 1 %}x{% else %}{{ a }}{% endif %}", "a?"),
        ("{% if not (a and b) %}x{% else %}{{ a }}{{ b }}{% endif %}", "a? b?"),
        ("{% if not (not a or not b) %}{{ a }}{{ b }}{% endif %}", "a? b?"),
        ("{% if a is defined and mode == 1 %}{{ a }}{% endif %}", "a? mode"),
        ("{% if a | default(false) %}{{ a }}{% endif %}{% if b | d %}{{ b }}{% endif %}", "a? b?"),
        ("{% if a | default(true) %}{{ a }}{% endif %}", "a"),
        ("{% if a is none %}x{% else %}{{ a }}{% endif %}", "a?"),
        ("{{ a or 'f' }}{{ b or c }}{{ d and e }}{{ f and f.g }}", "a? b? c d? e f?"),
        ("{{ a if a else 'd' }}{{ b if c else d }}{{ 'x' if not e else e }}{{ f if g == 1 }}", "a? b c? d e? f g"),
        ("{% set x = x or 1 %}{{ x }}", "x?"),
        ("{% set a = a | default([]) %}{% for i in a %}{% endfor %}", "a?"),
        ("{% if a is not defined %}{% set a = 1 %}{% endif %}{{ a }}", "a?"),
        ("{% if a %}{% set b = a %}{% else %}{% set b = 1 %}{% endif %}{{ b }}", "a?"),
        ("{% for p in photos or [] %}{{ p }}{% endfor %}{% for q in qs | default([]) %}{{ q }}{% endfor %}",
         "photos? qs?"),
        ("{% if photos %}{% for p in photos %}{{ p }}{% endfor %}{% endif %}", "photos?"),
        ("{% for p in photos %}{{ p }}{% endfor %}", "photos"),
        ("{% for p in ps if a and p == a %}{{ a }}{% endfor %}", "ps a?"),
        ("{% if a %}{% for p in ps %}{% set b %}{{ a }}{% endset %}{% macro m() %}{{ a }}{% endmacro %}{% endfor %}"
         "{% endif %}", "a? ps"),
        ("{% macro m(x) %}{% endmacro %}{{ m(a) }}{% if b %}{{ m(b) }}{% endif %}", "a b?"),
        ("{{ not a }}{{ (not b) ~ '' }}{{ (c or d) ~ '' }}", "a? b? c? d"),
    ],
)  # fmt: skip
def test_variables(text: str, variables: str) -> None:
    assert found(text) == variables


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{{ f(1) }}", "line 1: there is no function 'f'"),
        ("\n{% if x %}{{ lipsum() }}{% endif %}", "line 2: there is no function 'lipsum'"),
        ("{% call f() %}{% endcall %}", "there is no function 'f'"),
        ("\n\n{% set a.b = 1 %}", "line 3: an attribute of the variable 'a' cannot be set"),
        ("{% if a %}{% set a.b %}x{% endset %}{% endif %}", "an attribute of the variable 'a' cannot be set"),
    ],
)
def test_what_no_value_could_make_work_is_refused(text: str, message: str) -> None:
    with pytest.raises(TemplateError, match=message):
        compile_template(text)


def test_a_guarded_function_is_a_variable_that_is_never_there() -> None:
    assert found("{% if f is defined %}{{ f(1) }}{% endif %}") == "f?"
    assert compile_template("a{% if f is defined %}{{ f(1) }}{% endif %}").render({}) == (Text("a"),)


NAMES = st.sampled_from("abc")
ATOMS = st.one_of(NAMES, st.sampled_from(["'s'", "''", "1"]))


def _expressions(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("{} | default({})".format, NAMES, inner),
        st.builds("({}) | string".format, inner),
        st.builds("({} is {})".format, NAMES, st.sampled_from(["defined", "undefined", "not defined"])),
        st.builds("({} {} {})".format, inner, st.sampled_from(["and", "or", "~", "=="]), inner),
        st.builds("(not {})".format, inner),
        st.builds("({} if {} else {})".format, inner, inner, inner),
    )


EXPRESSIONS = st.recursive(ATOMS, _expressions, max_leaves=4)


def _statements(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    body = st.lists(inner, max_size=3).map("".join)
    test = EXPRESSIONS
    return st.one_of(
        st.builds("{{% if {} %}}{}{{% endif %}}".format, test, body),
        st.builds("{{% if {} %}}{}{{% elif {} %}}{}{{% else %}}{}{{% endif %}}".format, test, body, test, body, body),
        st.builds("{{% for {} in ({}) | string %}}{}{{% else %}}{}{{% endfor %}}".format, NAMES, test, body, body),
        st.builds("{{% for {} in 'xy' if {} %}}{}{{% endfor %}}".format, NAMES, test, body),
        st.builds("{{% set {} %}}{}{{% endset %}}".format, NAMES, body),
        st.builds("{{% with {} = {} %}}{}{{% endwith %}}".format, NAMES, test, body),
        st.builds("{{% macro m({}) %}}{}{{% endmacro %}}{{{{ m({}) }}}}".format, NAMES, body, test),
        st.builds("{{% filter trim %}}{}{{% endfilter %}}".format, body),
    )


SIMPLE = st.one_of(
    st.builds("{{{{ {} }}}}".format, EXPRESSIONS), st.builds("{{% set {} = {} %}}".format, NAMES, EXPRESSIONS)
)
# A macro that is called before what its body uses is set is a mistake of the template, which rendering finds.
TEMPLATES = (
    st.lists(st.recursive(SIMPLE, _statements, max_leaves=6), min_size=1, max_size=4)
    .map("".join)
    .filter(lambda text: not ("{% macro" in text and "{% set" in text))
)


@given(TEMPLATES)
@settings(deadline=None, max_examples=200)
def test_the_slots_are_what_rendering_needs(text: str) -> None:
    template = compile_template(text)
    names = [slot.name for slot in template.variables]
    required = {slot.name: "v" for slot in template.variables if slot.required}
    template.render(dict.fromkeys(names, "v"))
    template.render(required)


@given(TEMPLATES, st.sets(st.sampled_from("abc")))
@settings(deadline=None, max_examples=200)
def test_rendering_is_jinjas_whatever_else_is_given(text: str, given_names: set[str]) -> None:
    template = compile_template(text)
    values: dict[str, Any] = {
        slot.name: "v" for slot in template.variables if slot.required or slot.name in given_names
    }
    others = {name: "other" for name in "abc" if name not in {slot.name for slot in template.variables}}
    # Stock Jinja forgets a value in nested blocks before a top-level `set` of its name, unless it was looked at before.
    stock = jinja2.Environment(keep_trailing_newline=True).from_string("{% if a or b or c %}{% endif %}" + text)
    expected = stock.render({**values, **others})
    assert "".join(part.text for part in template.render({**values, **others}) if isinstance(part, Text)) == expected


@pytest.mark.parametrize("text", ["{{ self }}", "a\n{% if self %}b{% endif %}", "{{ self | upper }}", "{{ f(self) }}"])
def test_a_variable_called_self_is_refused(text: str) -> None:
    with pytest.raises(TemplateError, match="'self' is the template itself, and no variable; rename it"):
        compile_template(text, "jinja")
