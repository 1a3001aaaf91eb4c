"""Templates one after another in one text, which gives what they give by themselves.

==============  ========================================================================================================
syntax          what is done, or refused
==============  ========================================================================================================
``jinja``       a ``{`` at the end is written as a constant where it would begin a tag with what follows it; signs that
                would take blanks of the neighbour go, and so does a comment that is not closed. A template that needs a
                name which one before it sets is refused
``mustache``    sections and comments stand alone, as their blanks depend on what stands beside them; a ``{`` before
                another one is refused
other syntaxes  a slot that only both together have is refused
==============  ========================================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping

from prompt_adapters.errors import TemplateError
from prompt_adapters.formats.template_tags import SetNames, bare, has_sections
from prompt_adapters.templates import Slot
from prompt_adapters.templates.formats import escaped, segments

WITH_SECTIONS = "with sections beside others"
# What a slot begins and ends with, where a text may hold the same.
_BOUNDS: Mapping[str, tuple[str, str]] = {"percent": ("%", "%"), "braces": ("{", "}"), "plain": ("{", "}")}


class Joining:
    """A text that grows by templates.

    Attributes:
        text: What is joined so far.
    """

    def __init__(self, syntax: str) -> None:
        self.text = ""
        self._syntax = syntax
        self._told: SetNames[None] = SetNames(syntax)
        self._alone = False  # something with sections is there

    def add(self, text: str, *, between: str = "", template: str | None = None) -> str | None:
        """Write a template at the end.

        Args:
            text: The template, in the words of the file.
            between: A literal text before it.
            template: The same in words that compile, where those of the file do not.

        Returns:
            None, or why it is left out, as what follows "a text".
        """
        text = bare(text, self._syntax) if self._syntax == "jinja" else text
        sections = self._syntax == "mustache" and has_sections(text)
        if self._alone or (sections and self.text):
            return WITH_SECTIONS
        made = _beside(self.text, escaped(between, self._syntax), self._syntax) if between else self.text
        made = None if made is None else _beside(made, text, self._syntax)
        if made is None:
            return "that would be read as a slot with what stands before it"
        if (needed := self._told.first_needed(text if template is None else template, None)) is not None:
            return f"that needs {needed[0]!r}, which a text before it sets"
        self.text, self._alone = made, sections
        return None


def appended(template: str, text: str, syntax: str) -> str | None:
    """A template with a blank line and a literal text at its end; None where that cannot be written."""
    joining = Joining(syntax)
    joining.add(template)
    try:
        fault = joining.add(escaped(text, syntax), between="\n\n" if template else "")
    except TemplateError:
        return None
    return joining.text if fault is None else None


def _beside(before: str, after: str, syntax: str) -> str | None:
    """Two templates as one; None where that would say something else."""
    made = before + after
    if syntax == "jinja":
        opens = before.endswith("{") and after.startswith(("{", "%", "#"))
        return closed(before) + after if opens else made
    if syntax == "mustache":
        return None if before.endswith("{") and after.startswith("{") else made
    opening, closing = _BOUNDS.get(syntax, (None, ""))
    if opening is None or opening not in before or closing not in after:
        return made
    return made if _items(made, syntax) == _merged([*_items(before, syntax), *_items(after, syntax)]) else None


def closed(text: str) -> str:
    """A template of Jinja whose last brace cannot open a tag with what follows it."""
    return f"{text[:-1]}{escaped('{', 'jinja')}" if text.endswith("{") else text


def _items(text: str, syntax: str) -> list[str | Slot]:
    return segments(text, syntax) or []


def _merged(items: list[str | Slot]) -> list[str | Slot]:
    found: list[str | Slot] = []
    for item in items:
        if isinstance(item, str) and found and isinstance(last := found[-1], str):
            found[-1] = last + item
        else:
            found.append(item)
    return found
