"""Templates one after another in one text, which gives what they give by themselves.

==============  ========================================================================================================
syntax          what is done, or refused
==============  ========================================================================================================
``jinja``       a ``{`` at the end is written as a constant where it would begin a tag with what follows it; signs that
                would take blanks of the neighbour go, and so does a comment that is not closed. A template that needs a
                name which one before it sets is refused
``mustache``    sections and comments stand alone, as their blanks depend on what stands beside them; a ``{`` before
                another one is refused
``percent``     a ``%`` that is text is written as ``%%``
other syntaxes  a slot that only both together have is refused
==============  ========================================================================================================
"""

from __future__ import annotations

from typing import NamedTuple

from prompt_adapters.errors import TemplateError
from prompt_adapters.formats.template_tags import SetNames, bare, has_sections
from prompt_adapters.templates import Slot
from prompt_adapters.templates.formats import escaped, segments, slot

WITH_SECTIONS = "with sections beside others"
_WITHOUT_ESCAPES = ("braces", "plain")  # and with texts that could be the beginning of a slot


class _Joined(NamedTuple):
    """A text, and what at its end could be the beginning of a slot."""

    text: str = ""
    tail: str = ""


class Joining:
    """A text that grows by templates."""

    def __init__(self, syntax: str) -> None:
        self._made = _Joined()
        self._several = False
        self._syntax = syntax
        self._told: SetNames[None] = SetNames(syntax)
        self._alone = False  # something with sections is there

    @property
    def text(self) -> str:
        """What is joined so far."""
        return self._made.text

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
        if self._syntax == "percent" and self.text:
            text = _escaped_throughout(text)
            if not self._several:
                self._made = _Joined(_escaped_throughout(self.text))
        sections = self._syntax == "mustache" and has_sections(text)
        if self._alone or (sections and self.text):
            return WITH_SECTIONS
        made = _beside(self._made, escaped(between, self._syntax), self._syntax) if between else self._made
        made = None if made is None else _beside(made, text, self._syntax)
        if made is None:
            return "that would be read as a slot with what stands before it"
        if (needed := self._told.first_needed(text if template is None else template, None)) is not None:
            return f"that needs {needed[0]!r}, which a text before it sets"
        self._several = bool(self.text)
        self._made, self._alone = made, sections
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


def _beside(before: _Joined, after: str, syntax: str) -> _Joined | None:
    """A template at the end of a text; None where both together would say something else."""
    if syntax == "jinja":
        opens = before.text.endswith("{") and after.startswith(("{", "%", "#"))
        return _Joined((closed(before.text) if opens else before.text) + after)
    made = before.text + after
    if syntax == "mustache":
        return None if before.text.endswith("{") and after.startswith("{") else _Joined(made)
    if syntax not in _WITHOUT_ESCAPES or "{" not in (window := before.tail + after):
        return _Joined(made)
    found = segments(window, syntax) or []
    if before.tail and found != _merged([before.tail, *(segments(after, syntax) or [])]):
        return None
    last = found[-1] if found else ""
    return _Joined(made, _opening(last) if isinstance(last, str) else "")


def _opening(text: str) -> str:
    """The end of a text without slots in which one could begin."""
    place = text.rfind("{")
    return "" if place < 0 else text[place - (text[place - 1 : place] == "{") :]


def _escaped_throughout(template: str) -> str:
    """The same template in the syntax ``percent``, without a percent sign that could begin a slot with what follows."""
    found = segments(template, "percent") or []
    return "".join(slot(item.name, "percent") if isinstance(item, Slot) else escaped(item, "percent") for item in found)


def closed(text: str) -> str:
    """A template of Jinja whose last brace cannot open a tag with what follows it."""
    return f"{text[:-1]}{escaped('{', 'jinja')}" if text.endswith("{") else text


def _merged(items: list[str | Slot]) -> list[str | Slot]:
    found: list[str | Slot] = []
    for item in items:
        if isinstance(item, str) and found and isinstance(last := found[-1], str):
            found[-1] = last + item
        else:
            found.append(item)
    return found
