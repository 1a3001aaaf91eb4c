"""What stands where in a template, for formats that take one apart; Jinja is imported only where it has tags."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Generic, TypeVar

from prompt_adapters.templates import compile_template
from prompt_adapters.templates.mustache import unescaped

if TYPE_CHECKING:
    from prompt_adapters.formats.jinja_tags import Tag

_Where = TypeVar("_Where")
_FIRST_SIGN = re.compile(r"\A(\{[{%#])-([-+]?)")
_OPEN_COMMENT = re.compile(r"\{#[-+]?\Z")  # which Jinja takes for an empty one at the end of a template
_LAST_SIGN = re.compile(r"([-+]?)-([}%#]\})\Z")


def is_blank(text: str, syntax: str) -> bool:
    """Whether nothing of a text is ever sent: it is empty, or holds comments only."""
    if not text.lstrip().startswith(("{#", "{{!")):
        return not text.strip()
    found = tags_of(text, syntax)
    return bool(found) and all(tag.kind == "comment" for tag in found) and not "".join(_between(text, found)).strip()


def _between(text: str, found: Iterable[Tag]) -> Iterator[str]:
    last = 0
    for tag in found:
        yield text[last : tag.start]
        last = tag.end
    yield text[last:]


class Context:
    """What stands around the places of a template; to be asked from the beginning to the end."""

    def __init__(self, found: list[Tag]) -> None:
        self._tags = found
        self._next = 0

    def tag(self, position: int) -> Tag | None:
        """The tag in which a place is; None for none."""
        while self._next < len(self._tags) and self._tags[self._next].end <= position:
            self._next += 1
        inside = self._next < len(self._tags) and self._tags[self._next].start <= position
        return self._tags[self._next] if inside else None

    def statement(self, position: int) -> str | None:
        """The statement, or the raw block, in which a place is; None for none."""
        if (tag := self.tag(position)) is not None and tag.kind == "raw":
            return tag.name
        around = self._tags[self._next - 1].after if self._next else ()
        return around[-1] if around else None


def tags_of(text: str, syntax: str) -> list[Tag]:
    """The tags of a template; syntaxes other than Jinja and Mustache have none."""
    if syntax not in ("jinja", "mustache") or "{" not in text:
        return []
    # Jinja takes long to import.
    from prompt_adapters.formats.jinja_tags import tags
    from prompt_adapters.formats.mustache_tags import mustache_tags

    return tags(text) if syntax == "jinja" else mustache_tags(text)


def has_sections(text: str) -> bool:
    """Whether a template of Mustache has sections or comments, whose blanks depend on what stands beside them."""
    return any(tag.kind != "expression" for tag in tags_of(text, "mustache"))


def bare(text: str, syntax: str) -> str:
    """A template as it stands beside others: without what would take blanks of these, or escape values as HTML.

    Args:
        text: The template. In Jinja the signs for blanks at its ends go, and a comment that is not closed; in Mustache
            each value gets three braces.
        syntax: Its syntax.
    """
    if syntax == "mustache":
        return unescaped(text)
    if syntax != "jinja":
        return text
    text = _FIRST_SIGN.sub(lambda found: f"{found[1]} {found[2]}" if found[2] else found[1], text)
    if (opening := _OPEN_COMMENT.search(text)) is not None:
        text = text[: opening.start()].rstrip() if "-" in opening[0] else text[: opening.start()]
    if _LAST_SIGN.search(text) is None:
        return text
    found = tags_of(text, syntax)
    if not found or found[-1].end != len(text):
        return text
    return _LAST_SIGN.sub(lambda sign: f"{sign[1]} {sign[2]}" if sign[1] else sign[2], text)


class SetNames(Generic[_Where]):
    """The names that templates of one file set, each of which will be filled by itself."""

    def __init__(self, syntax: str) -> None:
        self._syntax = syntax
        self._told: dict[str, _Where] = {}

    def first_needed(self, template: str, where: _Where) -> tuple[str, _Where] | None:
        """A name that a template needs and an earlier one sets, and where that is; None for none.

        Args:
            template: The template.
            where: Where it stands.

        Raises:
            TemplateError: It cannot be compiled.
        """
        for found in compile_template(template, self._syntax).variables:
            if found.name in self._told:
                return found.name, self._told[found.name]
        if self._syntax == "jinja" and "{%" in template:
            from prompt_adapters.formats.jinja_tags import set_names  # Jinja takes long to import

            self._told |= dict.fromkeys(set_names(template), where)
        return None
