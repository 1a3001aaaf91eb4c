"""Templates in another syntax: text and slots are the same in each, and only what is more than that has no other word.

==============  ========================================================================================================
from            what is translated
==============  ========================================================================================================
``jinja``       text, ``{{ name }}``, constants, ``{% raw %}``; anything else is refused with its name and line
``f-string``    text and ``{name}``; a format as ``{name:>10}`` is refused likewise
``mustache``    text and ``{{name}}``; sections, dots and comments are refused likewise
other syntaxes  everything, as they have nothing but text and slots
==============  ========================================================================================================

==============  ========================================================================================================
to              what cannot be written
==============  ========================================================================================================
``jinja``       names that mean something else there: ``true``, ``none``, ``self``
``percent``     nothing: ``%%`` is a percent sign
``f-string``    nothing: ``{{`` and ``}}`` are braces
``plain``       text that reads like ``{{ name }}``
``mustache``    text with ``{{``, or with ``{`` before a slot
``braces``      text that reads like ``{name}``
``none``        slots
==============  ========================================================================================================

What comes out renders the same text for all values; that is checked each time.
"""

from __future__ import annotations

import re

from prompt_adapters.errors import PromptFormatError, TemplateError
from prompt_adapters.templates import Slot, compile_template
from prompt_adapters.templates.formats import escaped, segments, slot
from prompt_adapters.templates.scan import line_of

__all__ = ["comment_lines", "translated"]

_LONGEST = 40  # characters of a text that an error shows


def translated(text: str, from_syntax: str, to_syntax: str, *, drop_comments: bool = False) -> str:
    """A template in another syntax.

    Args:
        text: The template.
        from_syntax: The syntax that it is written in.
        to_syntax: The syntax that is wanted.
        drop_comments: Whether comments of Jinja are left out; otherwise they are refused, like all that has no word.

    Raises:
        PromptFormatError: (a ``ValueError``) It has logic, or the syntax cannot write a name or a text; the line in
            the template is named.
        TemplateError: (a ``ValueError``) It cannot be compiled.
    """
    if from_syntax == to_syntax:
        return text
    found = segments(text, from_syntax, comments=drop_comments)
    if found is None:
        raise _refused_logic(text, from_syntax, to_syntax)
    try:
        made = "".join(_written(item, to_syntax) for item in found)
        if segments(made, to_syntax) == found:
            return made
    except TemplateError:
        pass  # said below, of the item that it is about
    raise _refused_item(text, from_syntax, found, to_syntax)


def comment_lines(text: str, syntax: str) -> tuple[int, ...]:
    """The lines of a template on which a comment begins; only Jinja has comments."""
    if syntax != "jinja" or "{#" not in text:
        return ()
    from prompt_adapters.templates.logic import comments  # Jinja takes long to import

    return tuple(comment.line for comment in comments(text))


def _written(item: str | Slot, syntax: str) -> str:
    return slot(item.name, syntax) if isinstance(item, Slot) else escaped(item, syntax)


def _refused_logic(text: str, from_syntax: str, to_syntax: str) -> PromptFormatError:
    found = compile_template(text, from_syntax).logic
    if from_syntax == "jinja":
        from prompt_adapters.templates.logic import comments  # Jinja takes long to import

        found = (*found, *comments(text))
    found = tuple(sorted(found, key=lambda construct: construct.line))
    names = ", ".join(dict.fromkeys(f"{construct.name} on line {construct.line}" for construct in found))
    return PromptFormatError(None, found[0].line, f"{names} cannot be written in the syntax {to_syntax!r}")


def _refused_item(text: str, from_syntax: str, found: list[str | Slot], to_syntax: str) -> PromptFormatError:
    """The error about the first text or slot that the target cannot write."""
    for number, item in enumerate(found):
        if (fault := _fault(item, to_syntax)) is not None:
            reason, breaks = fault
            return PromptFormatError(None, _line(text, from_syntax, found[:number]) + breaks, reason)
    return PromptFormatError(None, None, f"the template {text[:_LONGEST]!r} cannot be written in {to_syntax!r}")


def _fault(item: str | Slot, syntax: str) -> tuple[str, int] | None:
    """Why a syntax cannot write a text or a slot, and how many line breaks stand before that; None where it can."""
    try:
        if segments(_written(item, syntax), syntax) == [item]:
            return None
    except TemplateError:
        pass
    if isinstance(item, Slot):
        why = "which has no slots" if syntax == "none" else "where that is no variable"
        return f"the variable {item.name!r} cannot be written in the syntax {syntax!r}, {why}", 0
    names = _names(item, syntax)
    shown = f", as the variable {names[0]!r}" if names else ""
    found = re.search(rf"\{{\s*{re.escape(names[0])}\s*\}}", item) if names else None
    reason = f"the text {item[:_LONGEST]!r} would be read as a slot{shown} in {syntax!r}, which has no escape"
    return reason, line_of(item, found.start()) - 1 if found else 0


def _names(text: str, syntax: str) -> list[str]:
    """The variables that a text would have as a template; none where it would be no template."""
    try:
        return [variable.name for variable in compile_template(text, syntax).variables]
    except TemplateError:
        return []


def _line(text: str, syntax: str, before: list[str | Slot]) -> int:
    """The line of the template on which an item begins."""
    if syntax not in (
        "plain",
        "mustache",
    ):  # no slot holds a line break, or Jinja's do, and the line is that of its text
        return 1 + sum(line_of(piece, len(piece)) - 1 for piece in before if isinstance(piece, str))
    position = 0
    for piece in before:
        position = position + len(piece) if isinstance(piece, str) else text.index("}}", position) + 2
    return line_of(text, position)
