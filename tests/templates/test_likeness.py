"""What looks like a placeholder in a text of which nobody has said the syntax."""

import time

import pytest

from prompt_adapters.templates.likeness import likeness

LIKE = {
    "{{ question }}": ("{{ question }}", "jinja"),
    "a {{-q-}} b": ("{{-q-}}", "jinja"),
    "{{ user.name }}": ("{{ user.name }}", "jinja"),
    "{{x|upper}}": ("{{x|upper}}", "jinja"),
    "{{ a + b }}": ("{{ a + b }}", "jinja"),
    "{{ a if b else c }}": ("{{ a if b else c }}", "jinja"),
    "{% for a in b %}c{% endfor %}": ("{% for a in b %}", "jinja"),
    "{%- set a = 1 -%}": ("{%- set a = 1 -%}", "jinja"),
    "{{#each a}}b{{/each}}": ("{{#each a}}", "mustache"),
    "{{{ x }}}": ("{{{ x }}}", "mustache"),
    "{{& x }}": ("{{& x }}", "mustache"),
    "Hi {question}!": ("{question}", "braces"),
    "{q}": ("{q}", "braces"),
    "\u95ee\u9898{\u540d\u5b57}": ("{\u540d\u5b57}", "braces"),
    "v{version}": ("{version}", "braces"),
    '{"a": "{q}"}': ("{q}", "braces"),
    "{price:.2f}": ("{price:.2f}", "f-string"),
    "{name!r}": ("{name!r}", "f-string"),
}
UNLIKE = (
    "", "{}", "{0}", "{ }", "{{}}", "{{ }}", '{"role": "user", "content": "a"}', "{'a'}", '{"a": {"b": [{}]}}',
    "{a, b}",
    "{role: user}", "{a:b}", "{ return }", "function f() {return x}", "x{1,3}", "{{1,2},{3}}", "${HOME}", "$${x}$",
    r"\frac{a}{b} x_{i} x^{ij}", r"\sqrt{\frac{a}{b}}", r"$\mathbf{x}$ {\bf x} \left\{ x \right\}", r"\{name\}"
    "{x}^2",
    r"\begin{tabular}{lcr}", "{%\n  a comment of LaTeX\n}", "%PATH% 100%", "{a.b}", "{{ 'a' }}", "{x}}",
)  # fmt: skip


@pytest.mark.parametrize(("text", "found"), LIKE.items(), ids=LIKE)
def test_what_looks_like_one(text: str, found: tuple[str, str]) -> None:
    like = likeness(text)
    assert like is not None
    assert (like.text, like.syntax) == found


@pytest.mark.parametrize("text", UNLIKE)
def test_what_does_not(text: str) -> None:
    assert likeness(text) is None


@pytest.mark.parametrize("piece", ["{", "{{", "{{ a ", "{% if ", "\\a{", "{a:", "{{a|", "\\a{b}", "{{ a i"])
def test_long_texts_take_no_longer_than_they_are(piece: str) -> None:
    start = time.process_time()
    likeness(piece * 50_000)
    assert time.process_time() - start < 3
