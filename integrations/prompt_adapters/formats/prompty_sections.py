"""The messages of a prompty: its body is taken apart at the lines that begin one, before anything is filled in."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import NamedTuple

from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.template_tags import Context, is_blank, tags_of
from prompt_adapters.templates.scan import line_of

ROLES = ("system", "developer", "user", "assistant")
_OTHER_ROLES = ("function", "tools")  # of Prompty 1

_ATTRIBUTE = r"\w++\s*+=\s*+(?:\"[^\"]*+\"|[^\",\]]*+)\s*+"
_MARKER = re.compile(rf"#?\s*+(\w+)\s*+(\[\s*+(?:{_ATTRIBUTE},?+\s*+)++\])?\s*+:")
_PAIR = re.compile(r"(\w+)\s*=\s*(?:\"([^\"]*)\"|([^\",\]]*))")
_ASIDE = re.compile(r"\{#[^#\r\n]*+#\}|\{%[^%\r\n]*+%\}")  # in one line
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


def is_marker(line: str, syntax: str) -> bool:
    """Whether a line begins a message, or would without the statements and comments in it."""
    found = _MARKER.fullmatch((_ASIDE.sub("", line) if syntax == "jinja" else line).strip())
    return found is not None and found[1].lower() in ROLES


def marker_rows(text: str, syntax: str) -> list[int]:
    """The lines of a message, counted from 0, that would begin another one."""
    rows = text.splitlines(keepends=True)
    found = [number for number, row in enumerate(rows) if is_marker(row, syntax)]
    context = Context(tags_of(text, syntax) if found else [])
    starts = [0, *accumulate(map(len, rows))]
    return [number for number in found if not _is_inside(context, starts[number])]


def _is_inside(context: Context, position: int) -> bool:
    """Whether a place is in a tag that begins before it, and is no raw text."""
    return (tag := context.tag(position)) is not None and tag.kind != "raw" and tag.start < position


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
        found = _marker_at(row, position, current, context, syntax, legacy=legacy)
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


def _marker_at(
    row: str, position: int, line: int, context: Context, syntax: str, *, legacy: bool
) -> tuple[str, str | None] | None:
    """The role and the name that a line gives to a new message; None for a line of text."""
    found = _MARKER.fullmatch(row.strip())
    role = found[1].lower() if found is not None else ""
    hidden = found is None and "{" in row and is_marker(row, syntax)
    if not hidden and role not in (*ROLES, *(_OTHER_ROLES if legacy else ())):
        return None
    if _is_inside(context, position):
        return None
    if found is None:
        raise PromptFormatError(None, line, "a line that begins a message holds nothing else; write the tag elsewhere")
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
