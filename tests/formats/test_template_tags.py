"""What stands where in a template: blank ones, ends that reach beyond it, names that one sets for another."""

import pytest

from prompt_adapters.formats.template_tags import Context, SetNames, bare, is_blank, tags_of


@pytest.mark.parametrize(
    ("text", "syntax", "blank"),
    [
        ("", "jinja", True),
        (" \n", "plain", True),
        ("{# a #}\n{# b #} ", "jinja", True),
        ("{# a #} b", "jinja", False),
        ("{# a #}{{ b }}", "jinja", False),
        ("{# a #}", "plain", False),
        ("{{! a }}", "mustache", True),
        ("{{! a }}b", "mustache", False),
    ],
)
def test_blank(text: str, syntax: str, blank: bool) -> None:
    assert is_blank(text, syntax) is blank


@pytest.mark.parametrize(
    ("text", "syntax", "expected"),
    [
        ("{%- if a -%} b {%- endif -%}", "jinja", "{% if a -%} b {%- endif %}"),
        ("{{- a -}}", "jinja", "{{ a }}"),
        ("{#- a -#}", "jinja", "{# a #}"),
        ("a -}}", "jinja", "a -}}"),
        ("{% raw %}a{% endraw -%}", "jinja", "{% raw %}a{% endraw %}"),
        ("a {#", "jinja", "a "),
        ("a {#-", "jinja", "a"),
        ("{{--- a }}", "jinja", "{{ -- a }}"),
        ("{#-- a --#}", "jinja", "{# - a - #}"),
        ("{#-#}", "jinja", "{##}"),
        ("{{a}} {{#b}}{{&c}}{{/b}}", "mustache", "{{{a}}} {{#b}}{{{c}}}{{/b}}"),
        ("{{- a -}}", "plain", "{{- a -}}"),
    ],
)
def test_ends_that_reach_beyond_the_template(text: str, syntax: str, expected: str) -> None:
    assert bare(text, syntax) == expected
    assert bare(expected, syntax) == expected


def test_context() -> None:
    text = "a{% if b %}c{# d #}{% raw %}e{% endraw %}{% endif %}f"
    context = Context(tags_of(text, "jinja"))
    assert [context.statement(text.index(letter)) for letter in "ac"] == [None, "{% if %}"]
    assert context.tag(text.index("d #")) is not None
    assert context.statement(text.index("{% endraw")) == "{% raw %}"
    assert context.statement(len(text) - 1) is None


def test_names_that_one_template_sets_and_another_needs() -> None:
    told: SetNames[int] = SetNames("jinja")
    assert told.first_needed("{{ a }}{% set a = 1 %}", 1) is None
    assert told.first_needed("{% set b = a %}", 2) == ("a", 1)
    assert told.first_needed("{{ c }}", 3) is None
    assert SetNames[int]("plain").first_needed("{% set a = 1 %}", 1) is None
