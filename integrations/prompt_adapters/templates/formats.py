"""LangChain's template formats, and the syntaxes of this package that they are.

===============  ============  ====================================================================================
template format  syntax        what differs
===============  ============  ====================================================================================
``f-string``     ``f-string``  format specifications and conversions are refused
``jinja2``       ``jinja``     nothing
``mustache``     ``plain``     ``{{name}}``, ``{{{name}}}`` and ``{{&name}}`` are slots, and values are never escaped as
                               HTML, since a model is no browser; sections, dots and the like are refused
===============  ============  ====================================================================================

The syntaxes may be given by their own names as well.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from prompt_adapters.content.parts import Image, Text
from prompt_adapters.errors import PromptFormatError, TemplateError
from prompt_adapters.templates import SYNTAXES, Slot, compile_template
from prompt_adapters.templates.logic_free import LogicFreeTemplate

_SYNTAXES: Mapping[str, str] = {"jinja2": "jinja", "mustache": "plain"}
_SLOTS: Mapping[str, str] = {"jinja": "{{{{ {} }}}}", "plain": "{{{{ {} }}}}", "percent": "%{}%"}
# Braces that Jinja would take for its own; the last one of a text could become one with what follows.
_JINJA = re.compile(r"\{(?=[{%#]|$)")
_FORMATS = {syntax: name for name, syntax in _SYNTAXES.items()}
_MUSTACHE = re.compile(r"\{\{\{\s*([^\s{}]+)\s*\}\}\}|\{\{&?\s*([^\s{}#^/!>=&.]+)\s*\}\}|\{\{.{0,40}", re.DOTALL)


class TemplateFormat(NamedTuple):
    """How the texts of a template are written.

    Attributes:
        name: LangChain's name, or this package's.
        syntax: This package's name.
    """

    name: str
    syntax: str

    @classmethod
    def named(cls, name: str) -> TemplateFormat:
        """The format of this name.

        Raises:
            PromptFormatError: (a ``ValueError``) There is no such format.
        """
        syntax = _SYNTAXES.get(name, name) if isinstance(name, str) else ""
        if syntax not in SYNTAXES:
            known = ", ".join(map(repr, (*_SYNTAXES, *SYNTAXES)))
            raise PromptFormatError(None, None, f"template format {name!r} cannot be read; the formats are {known}")
        return cls(name, syntax)

    def text(self, text: str) -> str:
        """A text in the format as one in the syntax.

        Raises:
            TemplateError: (a ``ValueError``) It holds a mustache tag that is more than a slot.
        """
        return _MUSTACHE.sub(_slot, text) if self.name == "mustache" else text


def format_of(syntax: str) -> str:
    """LangChain's name of a syntax, or the syntax itself where LangChain has none."""
    return _FORMATS.get(syntax, syntax)


def slot(name: str, syntax: str) -> str:
    """A slot, as a syntax writes it."""
    return _SLOTS.get(syntax, "{{{}}}").format(name)


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
    if template.variables or "".join(part.text for part in template.render({}) if isinstance(part, Text)) != text:
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
    if syntax == "jinja" and not isinstance(template, LogicFreeTemplate):
        from prompt_adapters.templates import logic  # Jinja takes ten times as long to import as all the rest

        if logic.constructs(text) or (logic.comments(text) and not comments):
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


def _slot(tag: re.Match[str]) -> str:
    name = tag[1] or tag[2]
    if name is None or not name.isidentifier():
        raise TemplateError(
            f"the mustache tag {tag[0][:40]!r} is more than a slot; write {{{{name}}}}, or use template_format='jinja2'"
        )
    return f"{{{{ {name} }}}}"
