"""The messages of a prompty: its body is taken apart at the lines that begin one, before anything is filled in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from prompt_adapters.errors import PromptFormatError
from prompt_adapters.templates.scan import line_of

if TYPE_CHECKING:
    from prompt_adapters.formats.jinja_tags import Tag

ROLES = ("system", "developer", "user", "assistant")
_OTHER_ROLES = ("function", "tools")  # of Prompty 1

_ATTRIBUTE = r"\w++\s*+=\s*+(?:\"[^\"]*+\"|[^\",\]]*+)\s*+"
_MARKER = re.compile(rf"#?\s*+(\w+)\s*+(\[\s*+(?:{_ATTRIBUTE},?+\s*+)++\])?\s*+:")
_PAIR = re.compile(r"(\w+)\s*=\s*(?:\"([^\"]*)\"|([^\",\]]*))")
_BREAKS = re.compile(r"\r\n|\r|\n")


class Section(NamedTuple):
    """A message as it stands in the body.

    Attributes:
        role: Its role.
        name: Who says it.
        text: Its template.
        line: The line on which the template begins.
    """

    role: str
    name: str | None
    text: str
    line: int


def marker(line: str) -> re.Match[str] | None:
    """The role and the attributes of a line that begins a message; None for any other line."""
    found = _MARKER.fullmatch(line.strip())
    return found if found is not None and found[1].lower() in ROLES else None


def split_sections(body: str, first_line: int, syntax: str, *, legacy: bool) -> list[Section]:
    """The messages of a body.

    Args:
        body: The body.
        first_line: The line on which it begins.
        syntax: The syntax of its templates.
        legacy: Whether it is of Prompty 1.

    Raises:
        PromptFormatError: A message begins inside a statement, or says more than its role and name.
        TemplateError: The body cannot be taken apart.
    """
    context = Context(tags_of(body, syntax))
    sections: list[Section] = []
    role, name, start, line = "system", None, 0, first_line
    position, current = 0, first_line
    for row in body.splitlines(keepends=True):
        found = _marker_at(row, position, current, context, legacy=legacy)
        end, position = position, position + len(row)
        current += len(_BREAKS.findall(row))
        if found is not None:
            sections.append(_section(role, name, body[start:end], line))
            (role, name), start, line = found, position, current
    sections.append(_section(role, name, body[start:], line))
    return [section for section in sections if not is_blank(section.text, syntax)]


def _section(role: str, name: str | None, text: str, line: int) -> Section:
    inner = text.lstrip("\r\n")
    return Section(role, name, inner.rstrip("\r\n"), line + line_of(text, len(text) - len(inner)) - 1)


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


def _marker_at(row: str, position: int, line: int, context: Context, *, legacy: bool) -> tuple[str, str | None] | None:
    """The role and the name that a line gives to a new message; None for a line of text."""
    found = _MARKER.fullmatch(row.strip())
    role = found[1].lower() if found is not None else ""
    if found is None or role not in (*ROLES, *(_OTHER_ROLES if legacy else ())):
        return None
    if (tag := context.tag(position)) is not None and tag.kind != "raw":
        return None
    if (around := context.statement(position)) is not None:
        raise PromptFormatError(
            None,
            line,
            f"a message begins inside {around}, which a prompt cannot have; write it outside, or give such messages "
            "as an input of kind thread",
        )
    if role not in ROLES:
        raise PromptFormatError(None, line, f"the role {role!r} has no place; the roles are {', '.join(ROLES)}")
    return role, _name_in(found[2] or "", line)


def _name_in(attributes: str, line: int) -> str | None:
    name: str | None = None
    for found in _PAIR.finditer(attributes[1:-1]):
        key, value = found[1], found[2] if found[2] is not None else found[3].strip()
        if key != "name" or name is not None:
            raise PromptFormatError(None, line, f"the attribute {key!r} of a message has no place; only one name has")
        name = value
    return name
