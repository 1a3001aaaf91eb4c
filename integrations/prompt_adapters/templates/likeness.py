r"""Texts that look like a placeholder of a syntax, whatever syntax they are in.

Only what hardly means anything else is one: a name alone between the marks, a tag of Jinja. A single brace before or
after it, or a sign of LaTeX or of a shell in front (``\frac{a}{b}``, ``x_{i}``, ``${HOME}``), makes it a text like any
other, and so does what no name is (``{"role": "user"}``, ``{0}``).
"""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["FREE", "KINDS", "NAME", "Kind", "Likeness", "likeness"]

NAME = r"[^\W\d]\w{0,99}"
# Before a brace that has nothing to do with LaTeX, a shell or code. A word of a script without blanks may stand there.
FREE = r"(?<![a-zA-Z0-9_\\$@^{})\]])"


class Kind(NamedTuple):
    """One way of writing a placeholder.

    Attributes:
        pattern: What it looks like.
        reads: What it looks like, in words.
        own: The syntaxes that fill it in, or in which it cannot be told.
    """

    pattern: re.Pattern[str]
    reads: str
    own: frozenset[str]


_SLOT = Kind(
    re.compile(rf"(?<!\{{)\{{\{{-?\s{{0,9}}{NAME}\s{{0,9}}-?\}}\}}(?!\}})"),
    "a slot of Jinja or mustache",
    frozenset({"jinja", "plain", "mustache"}),
)
_EXPRESSION = Kind(
    re.compile(rf"(?<!\{{)\{{\{{-?\s{{0,9}}{NAME}\s{{0,9}}[.|\[(][^{{}}\n]{{0,200}}\}}\}}"),
    "an expression of Jinja",
    frozenset({"jinja", "mustache"}),
)
_STATEMENT = Kind(
    re.compile(
        r"\{%[-+]?\s{0,9}(?:if|elif|else|endif|for|endfor|set|endset|macro|endmacro|raw|endraw|include|chat|endchat"
        r"|with|endwith|call|endcall|filter|endfilter|block|endblock|extends|import|from)\b[^{}\n]{0,200}%\}"
    ),
    "a statement of Jinja",
    frozenset({"jinja"}),
)
_SECTION = Kind(
    re.compile(rf"\{{\{{[#/^>]\s{{0,9}}{NAME}(?:\s[^{{}}\n]{{0,200}})?\}}\}}"),
    "a section of mustache or Handlebars",
    frozenset({"jinja", "mustache"}),
)

KINDS = (
    _SLOT,
    _EXPRESSION,
    _STATEMENT,
    _SECTION,
    Kind(
        re.compile(rf"{FREE}{{{NAME}\w}}(?!\}})"),
        "a slot between braces",
        frozenset({"braces", "f-string"}),
    ),
    Kind(re.compile(rf"(?<![\w%{{])%{NAME}%(?![\w%}}])"), "a slot between percent signs", frozenset({"percent"})),
)


class Likeness(NamedTuple):
    """A piece of a text that looks like a placeholder.

    Attributes:
        text: The piece.
        reads: What it looks like, in words.
        syntax: The syntax that would most likely fill it in.
    """

    text: str
    reads: str
    syntax: str


# A text that nobody has said the syntax of is looked at more closely: a letter may be a name, and a name may have more
# behind it. The names in commands of LaTeX, as in ``\frac{a}{b}``, are passed over.
_OPERATOR = r"(?:(?:if|else|or|and|not|in|is)\s|[~+*/%<>=!-])"
_UNSAID = (
    (_SLOT, "jinja"),
    (_EXPRESSION, "jinja"),
    (
        Kind(
            re.compile(rf"(?<!\{{)\{{\{{-?\s{{0,9}}{NAME}\s{{1,9}}{_OPERATOR}[^{{}}\n]{{0,200}}\}}\}}"),
            "an expression of Jinja",
            frozenset({"jinja"}),
        ),
        "jinja",
    ),
    (_STATEMENT, "jinja"),
    (_SECTION, "mustache"),
    (
        Kind(
            re.compile(rf"\{{\{{(?:\{{\s{{0,9}}{NAME}\s{{0,9}}\}}|&\s{{0,9}}{NAME}\s{{0,9}})\}}\}}"),
            "a slot of mustache",
            frozenset({"mustache"}),
        ),
        "mustache",
    ),
)
_COMMAND = re.compile(r"\\[a-zA-Z]+\*?(?:\[[^\]{}\n]{0,200}\])?(?:\{[^{}\n]{0,200}\})+")
_SINGLE = re.compile(rf"(?<![\\$@^_{{}})\]]){{{NAME}}}(?![}}^])")
_FORMATTED = re.compile(rf"(?<![\\$@^_{{}})\]]){{{NAME}(?:![rsa]|:(?:[<>^=]\d+|,|,?\.\d+[efg%]|0?\d+[dxf]))}}(?!\}})")


def likeness(text: str) -> Likeness | None:
    """The first thing in a text that looks like a placeholder, for a text of which nobody has said the syntax.

    Percent signs are none: ``%PATH%`` means more than that.
    """
    if "{" not in text:
        return None
    for kind, syntax in _UNSAID:
        if found := kind.pattern.search(text):
            return Likeness(found[0], kind.reads, syntax)
    searched = _COMMAND.sub(lambda found: "\\" * len(found[0]), text) if "\\" in text else text
    if found := _SINGLE.search(searched):
        return Likeness(found[0], "a slot between braces", "braces")
    if found := _FORMATTED.search(searched):
        return Likeness(found[0], "a slot of a format string", "f-string")
    return None
