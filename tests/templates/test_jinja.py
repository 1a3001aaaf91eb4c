import itertools
import threading
import time
from typing import Any

import jinja2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markupsafe import Markup

from ids import named
from prompt_adapters.content.parts import Audio, Image, Text
from prompt_adapters.errors import MissingVariableError, TemplateError, UnsafeTemplateError
from prompt_adapters.templates import compile_template

P = Image.from_uploaded("p")
Q = Image.from_uploaded("q")
S = Audio.from_uploaded("s")
VALUES: dict[str, Any] = {
    "photo": P,
    "photos": [P, Q],
    "sound": S,
    "x": "X",
    "n": 3,
    "names": ["a", "b"],
    "d": {"k": 1, "items": 2, "none": None, "photo": P},
    "plain": {"k": [1, None]},
}


def render(text: str, values: dict[str, Any] | None = None, absent: Any = ()) -> list[Any]:
    """The parts, texts as strings."""
    parts = compile_template(text).render(VALUES if values is None else values, absent=absent)
    return [part.text if isinstance(part, Text) else part for part in parts]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Is {{ x }} in here? {{ photo }}", ["Is X in here? ", P]),
        ("{{ photo }}{{ sound }}{{ photo }}", [P, S, P]),
        ("{% for p in photos %}{{ loop.index }}: {{ p }}\n{% endfor %}", ["1: ", P, "\n2: ", Q, "\n"]),
        ("{% for p in photos if loop is undefined %}{{ p }}{% endfor %}", [P, Q]),
        ("{% for p in photos recursive %}<{{ p }}>{% endfor %}", ["<", P, "><", Q, ">"]),
        ("{% for a in [photos] recursive %}{% if a is iterable %}({{ loop(a) }}){% else %}{{ a }}{% endif %}"
         "{% endfor %}", ["(", P, Q, ")"]),
        ("{% for p in [] %}{% else %}none {{ photo }}{% endfor %}", ["none ", P]),
        ("{% if photo %}A{{ photo }}{% endif %}B", ["A", P, "B"]),
        ("{% set y = photo %}{{ y }}{{ y }}", [P, P]),
        ("{% set y %}A{{ photo }}B{% endset %}{{ y }}-{{ y }}", ["A", P, "B-A", P, "B"]),
        ("{% set y %}A{{ x }}{% endset %}{{ y | lower }}", ["ax"]),
        ("{% macro m(a, b='-') %}[{{ a }}{{ b }}]{% endmacro %}{{ m(photo) }}{{ m(x, sound) }}",
         ["[", P, "-][X", S, "]"]),
        ("{% macro m() %}({{ caller() }}){% endmacro %}{% call m() %}in {{ photo }}{% endcall %}", ["(in ", P, ")"]),
        ("{% macro m(l) %}{% for i in l %}{{ caller(i) }};{% endfor %}{% endmacro %}"
         "{% call(i) m(photos) %}{{ i }}{% endcall %}", [P, ";", Q, ";"]),
        ("{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ photo }}{% endmacro %}{{ a() }}", [P]),
        ("{% filter upper %}a {{ x }} é{% endfilter %}", ["A X É"]),
        ("{% filter safe %}a {{ photo }}{% endfilter %}", ["a ", P]),
        ("{% filter default('z') %}a {{ photo }}{% endfilter %}", ["a ", P]),
        ("{% filter length %}abc{% endfilter %}", ["3"]),
        ("{% with p = photo, q = 'Q' %}{{ p }}{{ q }}{% endwith %}", [P, "Q"]),
        ("{% block b %}{{ photo }}{% endblock %}{{ self.b() }}", [P, P]),
        ("{% set ns = namespace(p='') %}{% for p in photos %}{% set ns.p = p %}{% endfor %}{{ ns.p }}", [Q]),
        ("{{ photos }}", [P, Q]),
        ("{{ ['a', photo, 'b', [sound, x]] }}", ["a", P, "b", S, "X"]),
        ("{{ d.photo }}{{ d['photo'] }}{{ [photo][0] }}", [P, P, P]),
        ("{{ photo if n > 2 else x }}{{ x if n > 3 else photo }}", [P, P]),
        ("{% autoescape false %}{{ photo }}{% endautoescape %}", [P]),
        ("{{ photo | safe }}{{ photo | default('d') }}", [P, P]),
        ("  {{- photo -}}  ", [P]),
        ("{# {{ photo }} #}{% raw %}{{ photo }}{% endraw %}", ["{{ photo }}"]),
        ("{{ '' }}{% if false %}x{% endif %}", []),
        ("", []),
    ],
)  # fmt: skip
def test_parts_keep_their_place(text: str, parts: list[Any]) -> None:
    rendered = render(text)
    assert rendered == parts
    assert all(got is wanted for got, wanted in zip(rendered, parts, strict=True) if not isinstance(wanted, str))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("{{ photos | join(', ') }}", [P, ", ", Q]),
        ("{{ photos | join }}", [P, Q]),
        ("{{ ['a', photo, 1] | join(sound) }}", ["a", S, P, S, "1"]),
        ("{{ (photos | join(', ')) }}!", [P, ", ", Q, "!"]),
        ("{{ names | join(', ') }} {{ [1, True] | join('-') }} {{ 'ab' | join('.') }}", ["a, b 1-True a.b"]),
        ("{{ [{'k': 1}, {'k': 2}] | join(', ', attribute='k') }}", ["1, 2"]),
        ("{{ names | map('upper') | join(',') }}", ["A,B"]),
        ("{{ photos | length }}{{ photos | count }}", ["22"]),
        ("{{ photos | first }}{{ photos | last }}{{ photos[1] }}{{ photos[-1] }}", [P, Q, Q, Q]),
        ("{{ photos[1:] }}{{ photos[::-1] }}", [Q, Q, P]),
        ("{{ photos | default([]) }}{{ nothing | default(photos) }}{{ '' | default(photo, true) }}", [P, Q, P, Q, P]),
        ("{{ photos | reverse }}{{ photos | list }}{{ photos | unique }}", [Q, P, P, Q, P, Q]),
        ("{% for b in photos | batch(1) %}{{ b }};{% endfor %}", [P, ";", Q, ";"]),
        ("{{ photos + [sound] }}{{ (photos * 2) | length }}", [P, Q, S, "4"]),
        ("{{ photo in photos }} {{ photo == x }} {{ photos[0] == photo }}", ["True False True"]),
        ("{{ photos | select('defined') | list | length }}", ["2"]),
    ],
)
def test_lists_of_parts(text: str, parts: list[Any]) -> None:
    assert render(text) == parts


@pytest.mark.parametrize(
    "expression",
    [
        "photo | upper", "photos | upper", "'x' ~ photo", "photo ~ photo", "'x' ~ photos", "x ~ [photo]",
        "'%r' % photo", "'%s' % photo", "'%s %s' % (x, photo)", "'%(a)s' % {'a': photo}", "'%s' % photos",
        "'%s' | format(photo)", "'{}'.format(photo)", "'{0!r}'.format(photo)", "'{a}'.format_map({'a': photo})",
        "photo | string", "photos | string", "d | string", "photo | replace('a', 'b')", "'a' | replace('a', photo)",
        "photo | trim", "photo | escape", "photo | e", "photo | forceescape", "photo | urlencode", "photo | title",
        "photo | capitalize", "photo | lower", "photo | center", "photo | striptags", "photo | wordcount",
        "photo | pprint", "photos | pprint", "{'a': photo} | xmlattr", "photo | int", "photo | float",
        "photo | tojson", "photos | tojson", "d", "[d]", "photos | map('string') | join", "photo | urlize",
    ],
)  # fmt: skip
def test_a_part_never_becomes_text(expression: str) -> None:
    with pytest.raises(TemplateError, match=r"line 2: .*(was turned into text; let it stand|stands inside plain data)"):
        render("\n{{ " + expression + " }}")


@pytest.mark.parametrize(
    "expression",
    [
        "photo + 'a'", "'a' + photo", "x in photo", "photo | length", "photo[0:1]", "photo | truncate",
        "photo | indent", "photos | indent", "', '.join(photos)", "photos | sort", "photos | sum",
        "photo | round", "'%d' % photo",
        "photo | list", "photo | first", "photo | wordwrap", "photos | max", "photo()", "photo * 2", "photo < 1",
    ],
)  # fmt: skip
def test_operations_that_parts_do_not_have_are_errors(expression: str) -> None:
    with pytest.raises(TemplateError, match="line 1"):
        render("{{ " + expression + " }}")
    assert VALUES["photos"] == [P, Q]


@pytest.mark.parametrize(
    "text",
    [
        "{% filter upper %}a{{ photo }}b{% endfilter %}",
        "{% filter trim %} {{ photo }} {% endfilter %}",
        "{% filter replace('a', 'b') %}a{{ photo }}{% endfilter %}",
        "{% set y | upper %}a{{ photo }}{% endset %}{{ y }}",
        "{% set y %}a{{ photo }}{% endset %}{{ y | upper }}",
        "{% set y %}a{{ photo }}{% endset %}{{ y ~ 'x' }}",
        "{% macro m() %}{{ photo }}{% endmacro %}{{ m() | lower }}",
        "{% macro m() %}{{ photo }}{% endmacro %}{{ 'x' ~ m() }}",
        "{% macro m() %}{{ caller() | upper }}{% endmacro %}{% call m() %}{{ photo }}{% endcall %}",
    ],
)
def test_captured_parts_never_become_text(text: str) -> None:
    with pytest.raises(TemplateError, match=r"line 1: a block with Image\(uploaded p\) was turned into text"):
        render(text)


@pytest.mark.parametrize(
    "expression",
    [
        "photo.data", "photo.source", "photo['source']", "photo[0]", "photo | attr('source')", "photo.as_bytes()",
        "photo.replace(detail='low')", "photos | map(attribute='source') | list", "photos | groupby('kind')",
        "photos | selectattr('source') | list", "photos | sort(attribute='kind')", "photos | join(', ', 'kind')",
        "'{0.source}'.format(photo)", "'{a[source]}'.format(a=photo)", "photo.source | default('d')", "d.photo.kind",
        "photo.__class__", "photo._compared", "'' .__class__.__mro__", "x.__class__", "names.append('c')",
        "plain.update({})", "n.__add__(1)", "d['__class__']",
    ],
)  # fmt: skip
def test_attributes_are_out_of_reach(expression: str) -> None:
    with pytest.raises(UnsafeTemplateError, match="line 1"):
        render("{{ " + expression + " }}")
    assert VALUES["names"] == ["a", "b"]


def test_attributes_of_captured_parts_are_out_of_reach() -> None:
    with pytest.raises(UnsafeTemplateError, match="a block with"):
        render("{% set y %}{{ photo }}{% endset %}{{ y.pieces }}")


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("{{ d.k }} {{ d['k'] }} {{ plain.k[0] }} {{ plain.k }}", "1 1 1 [1, null]"),
        ("{{ plain }}", '{"k": [1, null]}'),
        ("{{ plain ~ '' }} {{ plain | string }} {{ names ~ 1 }}", '{"k": [1, null]} {"k": [1, null]} ["a", "b"]1'),
        ("{% for k, v in plain.items() %}{{ k }}={{ v }}{% endfor %}", "k=[1, null]"),
        ("{% for k, v in plain | items %}{{ k }}={{ v }}{% endfor %}", "k=[1, null]"),
        ("{{ plain.keys() }} {{ range(3) }} {{ dict(a=1) }} {{ names | reverse }}",
         '["k"] [0, 1, 2] {"a": 1} ["b", "a"]'),
        ("{{ True }} {{ 1.0 }} {{ none }} {{ d.none }} {{ 7 // 2 }} {{ 2 ** 8 }} {{ 'ab' * 2 }}",
         "True 1.0 None None 3 256 abab"),
        ("{{ [1, 'é', none] }} {{ {'a': true} }}", '[1, "é", null] {"a": true}'),
        ("{{ '<a & \"b\">' | tojson }} {{ plain | tojson(indent=1) }}",
         '"<a & \\"b\\">" {\n "k": [\n  1,\n  null\n ]\n}'),
        ("{{ '<b>&' }} {{ '<b>&' | e }} {{ ('<' | safe) + '&' }} {{ ('<' | e) + '<' }}",
         "<b>& &lt;b&gt;&amp; <& &lt;<"),
        ("{{ x if false }}|{{ none | default('d') }}|{{ d.nope | default('d') }}|{{ 3 | int + 1 }}", "|None|d|4"),
        ("{{ 'n: %s' % n }} {{ '{:03d}'.format(n) }} {{ '%.1f' | format(1.25) }}", "n: 3 003 1.2"),
        ("{{ 'a,b'.split(',') | length }} {{ 'abc'[1:] }} {{ x | lower | upper }}", "2 bc X"),
        ("{{ true and 'y' }} {{ n is odd }} {{ x is string }}", "y True True"),
        ("{% set y | replace('a', x) %}aba{% endset %}{{ y }}", "XbX"),
        ("{% for i in names %}{{ x }}{% endfor %}{% set x = 1 %}{{ x }}", "XX1"),
        ("{% set x %}<{{ x }}>{% endset %}{{ x }}", "<X>"),
    ],
)  # fmt: skip
def test_plain_data_works_as_in_jinja(text: str, rendered: str) -> None:
    assert render(text) == [rendered]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("{% if a %}A{% endif %}B", ["B"]),
        ("{% if not a %}B{% endif %}", ["B"]),
        ("{{ a | default('d') }}{{ a | d('e') }}{{ a | default(photo) }}", ["de", P]),
        ("{{ a is defined }} {{ a is not defined }} {{ a is undefined }} {{ a is none }}", ["False True True True"]),
        ("{{ a or 'f' }}{{ 'g' if a else 'h' }}{{ a and 'i' }}{{ not a }}", ["fhTrue"]),
        ("{{ a }}|", ["|"]),
        ("{% for i in a %}x{% else %}e{% endfor %}", ["e"]),
        ("{{ a | length }}{{ a | join(',') }}{{ a | upper }}{{ 'q' ~ a }}{{ a == 'z' }}{{ a | string }}", ["0qFalse"]),
        ("{% set b = a %}{{ b }}{{ b is defined }}", ["False"]),
        ("{% macro m(p) %}{% if p %}P{% else %}-{% endif %}{% endmacro %}{{ m(a) }}", ["-"]),
        ("{% set a = a or 1 %}{{ a }}", ["1"]),
        ("{% if a is not defined %}{% set a = 'set' %}{% endif %}{{ a }}", ["set"]),
    ],
)
@pytest.mark.parametrize("given", [{}, {"a": None}], ids=["missing", "None"])
def test_absent_variables(text: str, parts: list[Any], given: dict[str, Any]) -> None:
    assert render(text, {"photo": P, **given}, absent={"a"}) == parts


@pytest.mark.parametrize("expression", ["a.b", "a['b']", "a + 1", "a.b | default('d')", "[a]", "a | tojson"])
def test_an_absent_variable_that_is_needed_all_the_same(expression: str) -> None:
    with pytest.raises(
        MissingVariableError, match=r"missing variable 'a'; line 2 needs it, unless \{% if a %\}"
    ) as caught:
        render("\n{{ " + expression + " }}", {}, absent=("a",))
    assert caught.value.names == ("a",)
    assert caught.value.line == 2


def test_all_missing_variables_are_named() -> None:
    with pytest.raises(MissingVariableError) as caught:
        render("{{ a }}{% if b == 1 %}{{ c }}{% endif %}{{ e | default(1) }}", {"b": None})
    assert caught.value.names == ("a", "b", "c")


class Thing:
    title = "T"

    def shout(self) -> str:
        raise AssertionError("a template called a method")

    def __str__(self) -> str:
        return "thing"


@pytest.mark.parametrize("reach", ["t.title", "t.shout()", "t['title']", "t | attr('title')", "t.__class__", "t.value"])
def test_objects_are_printed_but_not_looked_into(reach: str) -> None:
    assert render("{{ t }}{{ t | upper }}{{ 'y' if t }}", {"t": Thing()}) == ["thingTHINGy"]
    with pytest.raises(UnsafeTemplateError, match=r"line 2: templates cannot reach '\w+' of a value of type Thing"):
        render("\n{{ " + reach + " }}", {"t": Thing()})


@pytest.mark.parametrize("value", [print, Thing, [print], {"a": {"b": len}}, lambda: 1], ids=named)
def test_functions_are_no_values(value: Any) -> None:
    with pytest.raises(TemplateError, match=r"variable 'v': .* is a function or class"):
        render("{{ v is defined }}", {"v": value})


def test_strings_marked_as_html_are_plain_strings() -> None:
    assert render("{{ x + '<' }}{{ '<' + x }}{{ x }}", {"x": Markup("<b>")}) == ["<b><<<b><b>"]


def test_a_callers_list_is_neither_changed_nor_shared() -> None:
    values = {"l": [3, 1], "d": {"a": [P]}}
    assert render("{{ l | sort }}{{ l | indent if false }}{{ d.a }}", values) == ["[1, 3]", P]
    assert values == {"l": [3, 1], "d": {"a": [P]}}


EOLS = ["a\r\nb\rc\nd", "\r\n", "\r", "a\r\n\r\n", "\n\n", "{{ x }}\r\n{{ x }}\r", "\r{% if x %}\r\n{% endif %}\n"]


@pytest.mark.parametrize("text", EOLS)
def test_line_breaks_stay_as_written(text: str) -> None:
    wanted = text.replace("{{ x }}", "X").replace("{% if x %}", "").replace("{% endif %}", "")
    assert render(text) == [wanted]


SNIPPETS = [
    "\r", "a\n", "\r\n", " ", "a", "{{ x }}", "{{- x }}", "{{ x -}}", "{%- if x %}", "{% if x -%}", "{# \r\n c #}",
    "{#- \r -#}", "{% raw %}\r{{\n{% endraw %}", "{%- raw -%}\r\n q\r{%- endraw -%}", "{{ 'q\r\nr' }}", "{{\r\nx\r}}",
    "{% set y %}\r\n{{ x }}\r{% endset %}{{ y }}", "\u2028", "\x0b", "\t",
]  # fmt: skip


@given(st.lists(st.sampled_from(SNIPPETS), max_size=12))
@settings(deadline=None, max_examples=300)
def test_line_breaks_are_the_only_difference_to_jinja(snippets: list[str]) -> None:
    mixed = "".join(snippets) + "".join("{% endif %}" for snippet in snippets if " if " in snippet)
    lines = mixed.replace("\r\n", "\n").replace("\r", "\n")
    stock = jinja2.Environment(keep_trailing_newline=True, autoescape=False).from_string(lines).render(x="X")
    assert "".join(render(mixed)).replace("\r\n", "\n").replace("\r", "\n") == stock
    for mark in ("\n", "\r", "\r\n"):
        assert "".join(render(lines.replace("\n", mark))) == stock.replace("\n", mark)


PIECES = st.one_of(
    st.text(alphabet="ab{}%<>\r\n é", max_size=4),
    st.sampled_from([P, Q, S]),
    st.builds(Image.from_uploaded, st.just("n")),
)


@pytest.mark.parametrize(
    "text",
    [
        "{{ items }}",
        "{% for i in items %}{{ i }}{% endfor %}",
        "{% for i in items recursive %}{{ i }}{% endfor %}",
        "{% macro m(i) %}{{ i }}{% endmacro %}{% for i in items %}{{ m(i) }}{% endfor %}",
        "{% macro m() %}{{ caller() }}{% endmacro %}{% for i in items %}{% call m() %}{{ i }}{% endcall %}{% endfor %}",
        "{% set s %}{% for i in items %}{{ i }}{% endfor %}{% endset %}{{ s }}",
        "{% filter safe %}{% for i in items %}{{ i }}{% endfor %}{% endfilter %}",
        "{{ items | join }}",
        "{% for i in items[::-1] | reverse %}{% with j = i %}{{ j }}{% endwith %}{% endfor %}",
    ],
)
@given(st.lists(PIECES, max_size=8))
@settings(deadline=None, max_examples=60)
def test_order_and_identity_are_kept(text: str, pieces: list[Any]) -> None:
    if all(isinstance(piece, str) for piece in pieces) and text == "{{ items }}":
        return  # a list of strings is plain data, written as JSON
    parts = compile_template(text).render({"items": pieces})
    assert [p for p in parts if not isinstance(p, Text)] == [p for p in pieces if not isinstance(p, str)]
    media = iter([p for p in pieces if not isinstance(p, str)])
    assert all(p is next(media) for p in parts if not isinstance(p, Text))
    runs, run = [], ""
    for piece in [*pieces, None]:
        if isinstance(piece, str):
            run += piece
        else:
            runs += [run] if run else []
            run = ""
    assert [p.text for p in parts if isinstance(p, Text)] == runs
    assert all(not (isinstance(a, Text) and isinstance(b, Text)) for a, b in itertools.pairwise(parts))


def test_threads_can_share_a_template() -> None:
    template = compile_template("{% for i in names %}{{ i }}{{ photo }}{% endfor %}{{ x }}")
    failures: list[Any] = []

    def work(name: str) -> None:
        for _ in range(200):
            parts = template.render({"names": [name] * 3, "photo": P, "x": name})
            if parts != (Text(name), P, Text(name), P, Text(name), P, Text(name)):
                failures.append(parts)

    threads = [threading.Thread(target=work, args=(str(number),)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_rendering_is_quick() -> None:
    template = compile_template("Hello {{ a }}, this is {{ b }} and {{ c }}.")
    values = {"a": "A", "b": "B", "c": "C"}
    best = float("inf")
    for _ in range(20):
        started = time.perf_counter()
        for _ in range(50):
            template.render(values)
        best = min(best, (time.perf_counter() - started) / 50)
    assert best < 250e-6  # about 10 microseconds; compiling takes far longer than this limit
