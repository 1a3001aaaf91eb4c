"""Tags of Mustache templates and where they stand."""

import pytest

from prompt_adapters.errors import TemplateError
from prompt_adapters.formats.mustache_tags import mustache_tags


def test_each_tag_has_its_place_and_words() -> None:
    text = "a {{x}}\n{{#xs}}{{{ a.b }}}{{^y}}{{& z }}{{/y}}{{/xs}}{{! c }}"
    found = mustache_tags(text)
    assert [text[tag.start : tag.end] for tag in found] == [
        "{{x}}", "{{#xs}}", "{{{ a.b }}}", "{{^y}}", "{{& z }}", "{{/y}}", "{{/xs}}", "{{! c }}",
    ]  # fmt: skip
    assert [tag.kind for tag in found] == [
        "expression", "statement", "expression", "statement", "expression", "statement", "statement", "comment",
    ]  # fmt: skip
    assert [tag.line for tag in found] == [1, *[2] * 7]
    assert [tag.words for tag in found[:3]] == [("x",), ("xs",), ("a", ".", "b")]
    assert [tag.inside for tag in found[2:5]] == [("{{#xs}}",), ("{{#xs}}",), ("{{#xs}}", "{{^y}}")]
    assert found[-1].after == ()


def test_sections_too_deep() -> None:
    with pytest.raises(TemplateError, match="nested more than 100"):
        mustache_tags("{{#a}}" * 101)
