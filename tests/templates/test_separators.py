import pytest

from prompt_adapters.templates.separators import DEFAULT_SEPARATOR, SEPARATOR_RULES, get_separator


@pytest.mark.parametrize(
    ("before", "after", "separator"),
    [
        ("text", "image", "\n"),
        ("image", "text", "\n\n"),
        ("image", "image", "\n\n"),
        ("text", "text", "\n"),
        ("audio", "text", "\n"),
        ("image", "document", "\n"),
        ("whatever", "unknown", "\n"),
    ],
)
def test_separator(before: str, after: str, separator: str) -> None:
    assert get_separator(before, after) == separator


def test_the_rules_are_a_public_mapping() -> None:
    assert dict(SEPARATOR_RULES) == {("text", "image"): "\n", ("image", "text"): "\n\n", ("image", "image"): "\n\n"}
    assert DEFAULT_SEPARATOR == "\n"
