"""Templates in another syntax: what is translated renders the same, and what cannot be is refused with its line."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompt_adapters import Image
from prompt_adapters.content.parts import Part
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.translate import comment_lines, translated
from prompt_adapters.templates import SYNTAXES, compile_template
from strategies import NAMES, PNG, templates, texts

VALUES = st.fixed_dictionaries(
    {name: texts(2) | st.integers() | st.lists(texts(1), max_size=2) | st.just(Image(PNG)) for name in NAMES}
)


def rendered(text: str, syntax: str, values: Mapping[str, object]) -> tuple[Part, ...]:
    return compile_template(text, syntax).render(values)


@pytest.mark.parametrize("source", SYNTAXES)
@given(data=st.data())
def test_both_render_the_same_for_all_values(source: str, data: st.DataObject) -> None:
    text = data.draw(templates(source))
    target = data.draw(st.sampled_from(SYNTAXES))
    values = {**data.draw(VALUES)}
    try:
        made = translated(text, source, target)
    except PromptFormatError as error:
        assert error.line is not None  # noqa: PT017 - either is right here
        return
    values |= {slot.name: "v" for slot in compile_template(text, source).variables if slot.name not in values}
    assert rendered(made, target, values) == rendered(text, source, values)
    assert compile_template(made, target).variables == compile_template(text, source).variables


@pytest.mark.parametrize("target", ["jinja", "percent", "f-string"])
@given(text=texts())
def test_every_text_has_a_word_where_there_are_escapes(target: str, text: str) -> None:
    assert translated(translated(text, "none", target), target, "none") == text


EXACT = {
    "jinja to plain": ("a {{x}} {% raw %}{%{% endraw %} {{ '{' }}", "jinja", "plain", "a {{ x }} {% {"),
    "plain to jinja": ("{%d} {{{ x }}} {#", "plain", "jinja", "{{ '{' }}%d} {{ '{' }}{{ x }}} {{ '{' }}#"),
    "percent to braces": ("100%% of %x% {a: 1}", "percent", "braces", "100% of {x} {a: 1}"),
    "braces to percent": ("50%{x}% off", "braces", "percent", "50%%%x%%% off"),
    "braces to f-string": ('{"k": "{x}"}', "braces", "f-string", '{{"k": "{x}"}}'),
    "f-string to jinja": ("{{x}} {x}", "f-string", "jinja", "{x} {{ x }}"),
    "none to jinja": ("{{ x }}", "none", "jinja", "{{ '{' }}{ x }}"),
    "no slots to none": ("a %% b", "percent", "none", "a % b"),
    "another script": ("{{ 变量 }}", "plain", "percent", "%变量%"),
    "line breaks": ("a\r\n{{ x }}\r", "jinja", "braces", "a\r\n{x}\r"),
    "same": ("{{ x | upper }}", "jinja", "jinja", "{{ x | upper }}"),
}


@pytest.mark.parametrize(("text", "source", "target", "wanted"), EXACT.values(), ids=EXACT)
def test_written(text: str, source: str, target: str, wanted: str) -> None:
    assert translated(text, source, target) == wanted


REFUSED = {
    "loop": ("a\n{% for p in x %}{{ p }}{% endfor %}", "jinja", "plain", 2, "{% for %} on line 2"),
    "condition": ("{% if x %}a{% endif %}\n\n{{ x | upper }}", "jinja", "percent", 1, "the filter 'upper' on line 3"),
    "attribute": ("{{ a.b }}", "jinja", "plain", 1, "the attribute {{ a.b }}"),
    "item": ("{{ a[0] }}", "jinja", "plain", 1, "an item of 'a'"),
    "call": ("{{ range(3) }}", "jinja", "plain", 1, "the call of 'range'"),
    "test": ("{{ x is defined }}", "jinja", "plain", 1, "the test 'defined'"),
    "choice": ("{{ 'a' if x else 'b' }}", "jinja", "plain", 1, "the expression {{ … if … }}"),
    "sum": ("{{ x + 1 }}", "jinja", "plain", 1, "an expression (Add)"),
    "set": ("{% set y = 1 %}{{ y }}", "jinja", "braces", 1, "{% set %}"),
    "macro": ("{% macro m() %}{% endmacro %}", "jinja", "braces", 1, "{% macro %}"),
    "comment": ("a\n\n{# note #}", "jinja", "plain", 3, "a comment {# … #} on line 3"),
    "format": ("a\n{x:>10} {x!r}", "f-string", "braces", 2, "the format of {x:>10} on line 2, the format of {x!r}"),
    "reserved name": ("a\n{{ true }}", "plain", "jinja", 2, "the variable 'true' cannot be written"),
    "constant": ("none {{\nx }}\n{{ none }}", "plain", "jinja", 3, "the variable 'none' cannot be written"),
    "self": ("{self}", "braces", "jinja", 1, "the variable 'self'"),
    "text like a slot": ("{y} and\n{{ x }}", "braces", "plain", 2, "would be read as a slot, as the variable 'x'"),
    "text like braces": ("{x}", "none", "braces", 1, "would be read as a slot, as the variable 'x'"),
    "slot for none": ("a\r\n%x%", "percent", "none", 2, "'none', which has no slots"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "source", "target", "line", "reason"), REFUSED.values(), ids=REFUSED)
def test_refused_with_name_and_line(text: str, source: str, target: str, line: int, reason: str) -> None:
    with pytest.raises(PromptFormatError) as caught:
        translated(text, source, target)
    assert caught.value.line == line
    assert reason in str(caught.value)


def test_comments_are_left_out_only_when_that_is_said() -> None:
    text = "a\n{#- note -#}\nb {{ x }}{# more #}"
    assert comment_lines(text, "jinja") == (2, 3)
    assert comment_lines(text, "plain") == ()
    assert comment_lines("{% raw %}{# text #}{% endraw %}", "jinja") == ()
    assert translated(text, "jinja", "plain", drop_comments=True) == "ab {{ x }}"
    with pytest.raises(PromptFormatError, match="for"):
        translated(text + "{% for y in x %}{% endfor %}", "jinja", "plain", drop_comments=True)
