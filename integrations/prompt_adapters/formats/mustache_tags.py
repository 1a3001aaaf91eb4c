"""The tags of a Mustache template and where they stand, for formats that take a template apart."""

from __future__ import annotations

import re

from prompt_adapters.formats.jinja_tags import Kind, Tag
from prompt_adapters.templates.limits import current_limits
from prompt_adapters.templates.scan import line_of

_TAG = re.compile(r"\{\{(?:(!).*?\}\}|\{\s*([^{}]*?)\s*\}\}\}|([#^/&]?)\s*([^{}]*?)\s*\}\})", re.DOTALL)


def mustache_tags(text: str) -> list[Tag]:
    """The tags of a Mustache template that compiles, in order; a section is two statements.

    Raises:
        TemplateLimitError: (a ``ValueError``) Sections stand in one another too deep.
    """
    found: list[Tag] = []
    inside: list[str] = []
    last, line = 0, 1
    for tag in _TAG.finditer(text):
        line += line_of(text[last : tag.start()], tag.start() - last) - 1
        last = tag.start()
        name = tag[2] if tag[2] is not None else tag[4] or ""
        sign = tag[1] or tag[3] or ""
        if sign == "/" and inside:
            inside.pop()
        stands = tuple(inside)
        if sign in ("#", "^"):
            inside.append(f"{{{{{sign}{name[:40]}}}}}")
            current_limits().check("nesting", len(inside))
        words = tuple(word for word in re.split(r"(\.)", name) if word)
        shown = f"{{{{{sign}{name[:40]}}}}}"
        place = *tag.span(), line
        if sign == "!":
            found.append(Tag("comment", "a comment {{! … }}", *place, (), stands, stands))
        else:
            kind: Kind = "expression" if sign in ("", "&") else "statement"
            found.append(Tag(kind, shown, *place, words, stands, tuple(inside)))
    return found
