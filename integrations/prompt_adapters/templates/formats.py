"""LangChain's template formats, and the syntaxes of this package that they are.

===============  ============  ====================================================================================
template format  syntax        what differs
===============  ============  ====================================================================================
``f-string``     ``f-string``  nothing
``jinja2``       ``jinja``     LangChain takes one line break off the end of a text; here it stays
``mustache``     ``mustache``  values are never escaped as HTML, since a model is no browser
===============  ============  ====================================================================================

The syntaxes may be given by their own names as well.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from prompt_adapters.content.parts import Image, Text
from prompt_adapters.errors import PromptFormatError, TemplateError
from prompt_adapters.templates import SYNTAXES, Slot, Template, compile_template
from prompt_adapters.templates.logic_free import LogicFreeTemplate

_SYNTAXES: Mapping[str, str] = {"jinja2": "jinja"}
_SLOTS: Mapping[str, str] = {
    "jinja": "{{{{ {} }}}}",
    "plain": "{{{{ {} }}}}",
    "mustache": "{{{{{}}}}}",
    "percent": "%{}%",
}
# Braces that Jinja would take for its own; the last one of a text could become one with what follows.
_JINJA = re.compile(r"\{(?=[{%#]|$)")
_FORMATS = {syntax: name for name, syntax in _SYNTAXES.items()}


def syntax_of(template_format: str) -> str:
    """The syntax that a template format is.

    Raises:
        PromptFormatError: (a ``ValueError``) There is no such format.
    """
    syntax = _SYNTAXES.get(template_format, template_format) if isinstance(template_format, str) else ""
    if syntax not in SYNTAXES:
        known = ", ".join(map(repr, (*_SYNTAXES, *SYNTAXES)))
        raise PromptFormatError(
            None, None, f"template format {template_format!r} cannot be read; the formats are {known}"
        )
    return syntax


def format_of(syntax: str) -> str:
    """LangChain's name of a syntax, or the syntax itself where LangChain has none."""
    return _FORMATS.get(syntax, syntax)


def slot(name: str, syntax: str) -> str:
    """A slot, as a syntax writes it."""
    return _SLOTS.get(syntax, "{{{}}}").format(name)


def is_slot_name(name: str, syntax: str) -> bool:
    """Whether a syntax can write a variable of this name."""
    try:
        found = segments(slot(name, syntax), syntax)
    except TemplateError:
        return False
    return found is not None and len(found) == 1 and isinstance(found[0], Slot) and found[0].name == name


def escaped(text: str, syntax: str) -> str:
    """A template that gives this very text.

    Raises:
        TemplateError: (a ``ValueError``) The syntax cannot write it.
    """
    match syntax:
        case "f-string":
            return text.replace("{", "{{").replace("}", "}}")
        case "jinja":
            return _JINJA.sub("{{ '{' }}", text)
        case "percent":
            return text.replace("%", "%%")
    template = compile_template(text, syntax)
    opens = syntax == "mustache" and text.endswith("{")  # with the slot that may follow it would be another tag
    if (
        opens
        or template.variables
        or "".join(part.text for part in template.render({}) if isinstance(part, Text)) != text
    ):
        raise TemplateError(f"the text {text[:40]!r} would be read as a placeholder, which {syntax!r} cannot escape")
    return text


def segments(text: str, syntax: str, *, comments: bool = False) -> list[str | Slot] | None:
    """The literal texts and slots of a template, in order; None where it has logic of its own.

    Args:
        text: The template.
        syntax: Its syntax.
        comments: Whether comments are passed over; otherwise a template with one gives None.

    Raises:
        TemplateError: (a ``ValueError``) It cannot be compiled.
    """
    template = compile_template(text, syntax)
    if template.logic or (not comments and _has_comments(text, template)):
        return None
    stand_ins = {slot.name: Image.from_uploaded(f"slot-{n}") for n, slot in enumerate(template.variables)}
    slots = {stand_ins[slot.name]: slot for slot in template.variables}
    found: list[str | Slot] = []
    for part in template.render(stand_ins):
        match part:
            case Text():
                found.append(part.text)
            case Image():
                found.append(slots[part])
            case _:
                return None
    return found


def _has_comments(text: str, template: Template) -> bool:
    if template.syntax != "jinja" or isinstance(template, LogicFreeTemplate):
        return False
    from prompt_adapters.templates import logic  # Jinja takes ten times as long to import as all the rest

    return bool(logic.comments(text))
