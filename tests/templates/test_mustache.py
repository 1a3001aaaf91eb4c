"""Mustache, as far as a prompt can have it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.utils import mustache as theirs

from prompt_adapters.content.parts import Image, Part, Text
from prompt_adapters.errors import MissingVariableError, TemplateError, TemplateLimitError
from prompt_adapters.templates import Slot, TemplateLimits, compile_template
from prompt_adapters.templates.mustache import unescaped
from strategies import PNG


def parts(text: str, **values: Any) -> tuple[Part, ...]:
    return compile_template(text, "mustache").render(values)


def rendered(text: str, **values: Any) -> str:
    return "".join(part.text for part in parts(text, **values) if isinstance(part, Text))


LISTED: Any = [{"n": 1}, {"n": 2}]
# A template, values, and the text: the behaviour that https://mustache.github.io describes, without HTML.
CASES: dict[str, tuple[str, dict[str, Any], str]] = {
    "braces": ('{"a": {b}} } { {{x}}}', {"x": 1}, '{"a": {b}} } { 1}'),
    "three signs": ("{{x}}{{{ x }}}{{& x }}", {"x": "<&>"}, "<&><&><&>"),
    "no second pass": ("{{x}}", {"x": "{{y}}", "y": "no"}, "{{y}}"),
    "numbers": ("{{a}} {{b}} {{c}}", {"a": 0, "b": 1.5, "c": False}, "0 1.5 False"),
    "plain data": ("{{x}}", {"x": {"k": [1]}}, '{"k": [1]}'),
    "dots": ("{{a.b.c}}", {"a": {"b": {"c": 1}}}, "1"),
    "a broken chain": ("[{{a.b.c}}]", {"a": {}, "b": {"c": 1}}, "[]"),
    "items by number": ("{{a.1}}{{a.9}}{{a.x}}", {"a": ["x", "y"]}, "y"),
    "a list": ("{{#a}}{{n}},{{/a}}", {"a": LISTED}, "1,2,"),
    "an empty list": ("{{#a}}x{{/a}}{{^a}}none{{/a}}", {"a": []}, "none"),
    "lists of lists": ("{{#a}}({{#.}}{{.}}{{/.}}){{/a}}", {"a": [[1, 2], ["b"]]}, "(12)(b)"),
    "a tuple": ("{{#a}}{{.}}{{/a}}", {"a": ("x", 2)}, "x2"),
    "truth": ("{{#a}}x{{/a}}{{^a}}y{{/a}}", {"a": True}, "x"),
    "zero": ("{{#a}}x{{/a}}{{^a}}y{{/a}}", {"a": 0}, "y"),
    "an empty text": ("{{#a}}x{{/a}}{{^a}}y{{/a}}", {"a": ""}, "y"),
    "absent": ("{{#a}}x{{/a}}{{^a}}y{{/a}}", {}, "y"),
    "a text": ("{{#a}}{{.}} is {{a}}{{/a}}", {"a": "x"}, "x is x"),
    "an object": ("{{#a}}{{b}} {{c}}{{/a}}", {"a": {"b": 1}, "b": 2, "c": 3}, "1 3"),
    "a key of an item": ("{{#a}}{{first-name}}{{/a}}", {"a": [{"first-name": "A"}]}, "A"),
    "an item that lacks it": ("{{#a}}[{{n}}]{{/a}}", {"a": [{}, {"n": 1}, {"n": None}]}, "[][1][]"),
    "inside what is absent": ("{{^a}}{{b}}{{/a}}", {"b": "x"}, "x"),
    "the first name decides": ("{{#a}}[{{b.c}}]{{/a}}", {"a": {"b": {}}, "b": {"c": "no"}}, "[]"),
    "sections by dots": ("{{#a.b}}{{n}}{{/a.b}}{{^a.c}}-{{/a.c}}", {"a": {"b": LISTED}}, "12-"),
    "the same name": ("{{#a}}{{#a}}{{n}}{{/a}}{{/a}}", {"a": {"a": LISTED, "n": 0}}, "12"),
    "a comment": ("a{{! x } {{ y }}b", {}, "ab"),
    "lines of their own": ("a\n{{#x}}\n- {{.}}\n{{/x}}\nb", {"x": [1, 2]}, "a\n- 1\n- 2\nb"),
    "indented": ("a\n  {{#x}}\n- {{.}}\n\t{{/x}}\t\nb", {"x": [1]}, "a\n- 1\nb"),
    "other line breaks": ("|\r\n{{#x}}\r\n{{/x}}\r\n|", {"x": 1}, "|\r\n|"),
    "at both ends": ("  {{#x}}\nx\n  {{/x}}", {"x": 1}, "x\n"),
    "a comment on its line": ("a\n  {{! x\n y }}\nb", {}, "a\nb"),
    "not alone": (" {{#x}}x{{/x}}\n {{^x}}{{/x}} \n", {"x": 1}, " x\n  \n"),
    "values keep their line": ("  {{x}}\n", {"x": 1}, "  1\n"),
    "blanks inside": ("|{{# x }}={{/ x }}|", {"x": 1}, "|=|"),
}


@pytest.mark.parametrize(("text", "values", "expected"), CASES.values(), ids=CASES)
def test_it_gives(text: str, values: dict[str, Any], expected: str) -> None:
    assert rendered(text, **values) == expected


def test_media_go_through_whole() -> None:
    photo, other = Image(PNG), Image("https://example.org/a.png")
    text = "{{#photos}}{{n}}: {{photo}}\n{{/photos}}{{last}}"
    given = [{"n": 1, "photo": photo}, {"n": 2, "photo": other}]
    assert parts(text, photos=given, last=photo) == (Text("1: "), photo, Text("\n2: "), other, Text("\n"), photo)
    assert parts("{{#xs}}{{.}}{{/xs}}", xs=[photo, "a", other]) == (photo, Text("a"), other)
    with pytest.raises(TemplateError, match=r"line 2: \{\{photo\.data\}\} looks for 'data' in Image"):
        parts("\n{{photo.data}}", photo=photo)


NAMES: dict[str, tuple[str, list[tuple[str, bool]]]] = {
    "asked for": ("{{b}}{{a.x}}", [("b", True), ("a", True)]),
    "a section": ("{{#a}}{{b}}{{/a}}", [("a", False), ("b", False)]),
    "both": ("{{#a}}x{{/a}}{{a}}", [("a", True)]),
    "no names": ("{{#a}}{{.}}{{first-name}}{{/a}}", [("a", False)]),
    "inverted": ("{{^a}}{{b}}{{/a}}{{b}}", [("a", False), ("b", True)]),
}


@pytest.mark.parametrize(("text", "expected"), NAMES.values(), ids=NAMES)
def test_its_variables_are_known(text: str, expected: list[tuple[str, bool]]) -> None:
    assert compile_template(text, "mustache").variables == tuple(Slot(*item) for item in expected)


def test_what_is_asked_for_must_be_given() -> None:
    with pytest.raises(MissingVariableError, match="'a'"):
        parts("{{a}}{{#b}}x{{/b}}")


REFUSED = {
    "{{": "line 1: '{{' is no mustache tag",
    "\n\n{{x": "line 3: '{{x' is no mustache tag",
    "{{{x}}": "is no mustache tag",
    "{{}}": "names nothing",
    "{{a b}}": "names nothing",
    "{{a..b}}": "names nothing",
    "{{first-name}}": "names nothing",
    "{{.}}": "names nothing",
    "{{^a}}{{.}}{{/a}}": "names nothing",
    "{{>a}}": "is not supported",
    "{{=<% %>=}}": "is not supported",
    "a\n{{#x}}\n": "line 2: the section 'x' is not closed",
    "{{/x}}": "closes no section",
    "{{#x}}{{/y}}": "{{/y}} closes no section, and 'x' is open",
}


@pytest.mark.parametrize(("text", "reason"), REFUSED.items(), ids=map(repr, REFUSED))
def test_what_is_lacking_is_refused_by_name(text: str, reason: str) -> None:
    with pytest.raises(TemplateError) as caught:
        compile_template(text, "mustache")
    assert reason in str(caught.value)
    assert caught.value.line


VALUES: dict[str, Any] = {"a function": len, "an iterator": iter([1]), "bytes": b"x", "a text": "x", "a number": 1}


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_it_looks_into_dictionaries_and_lists_alone(value: Any) -> None:
    with pytest.raises(TemplateError):
        parts("{{a.b}}", a=value)


def test_sections_end() -> None:
    levels = TemplateLimits().nesting
    deep = "{{#a}}" * levels
    assert rendered(deep + "x" + "{{/a}}" * levels, a=True) == "x"
    with pytest.raises(TemplateLimitError) as error:
        compile_template(f"{deep}{{{{#a}}}}", "mustache")
    assert error.value.limit == "nesting"


@pytest.mark.parametrize(
    ("limit", "template", "values"),
    [
        ("steps", "{{#a}}{{#a}}{{#a}}x{{/a}}{{/a}}{{/a}}", {"a": [0] * 100}),
        ("steps", "{{#a}}{{#a}}{{#a}}{{/a}}{{/a}}{{/a}}", {"a": [0] * 100}),
        ("text", "{{#a}}{{b}}{{/a}}", {"a": [0] * 300, "b": "x" * 100_000}),
        ("text", "{{#a}}{{b}}{{/a}}", {"a": [0] * 300, "b": ["x" * 100_000]}),
    ],
)
def test_sections_are_paid_for(limit: str, template: str, values: Any) -> None:
    with pytest.raises(TemplateLimitError) as error:
        parts(template, **values)
    assert error.value.limit == limit


def test_tags_are_counted() -> None:
    with TemplateLimits(tokens=30).applied():
        compile_template("{{a}} " * 10, "mustache")
        with pytest.raises(TemplateLimitError, match="more than 30 names"):
            compile_template("{{a}} " * 11, "mustache")


def test_values_that_cannot_be_written_are_named() -> None:
    with pytest.raises(TemplateError, match=r"line 1: \{\{\.\}\}: .*None"):
        parts("{{#a}}{{.}}{{/a}}", a=[[Image(PNG), None]])


def test_three_braces_are_written_round_each_value() -> None:
    assert (
        unescaped("{{x}}{{{ y }}}{{& z}}{{#a}}{{.}}{{/a}}{{! {{b }}")
        == "{{{x}}}{{{ y }}}{{{z}}}{{#a}}{{{.}}}{{/a}}{{! {{b }}"
    )


_PIECES = st.sampled_from(["a", " ", "\n", "{ ", "}", "- ", "{{{a}}}", "{{{c.d}}}", "{{&n}}", "\n  "])


def _sections(inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    def section(sign: str, name: str, body: str) -> str:
        return f"{{{{{sign}{name}}}}}{body}{{{{/{name}}}}}"

    # One name for each level: LangChain's reader mistakes sections of the same name inside one another.
    return st.builds(section, st.sampled_from("#^"), st.sampled_from(["xs", "c", "on", "c.e"]), inside)


_LEAVES = st.lists(_PIECES, max_size=4).map("".join)
_TEMPLATES = st.lists(_LEAVES | _sections(_LEAVES), max_size=4).map(lambda pieces: "".join(pieces) + ".")


@given(
    _TEMPLATES,
    st.fixed_dictionaries(
        {
            "a": st.sampled_from(["A", "<", 1, True]),
            "n": st.sampled_from([0, 2.5, "N"]),
            "c": st.just({"d": "D", "e": {"f": 1}}),
            "xs": st.sampled_from([[], [{"a": "i", "n": 1}, {"n": 2}], [{"c": {"d": "q"}}]]),
            "on": st.sampled_from([True, False, "s", 0]),
        }
    ),
)
def test_it_is_what_langchain_makes_of_it(text: str, values: dict[str, Any]) -> None:
    assert rendered(text, **values) == theirs.render(text, values)
