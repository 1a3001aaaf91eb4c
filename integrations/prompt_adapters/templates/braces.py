"""``braces`` and ``f-string``: ``{name}`` is a slot.

- ``braces``: every other brace is literal, so JSON is safe; ``{}``, ``{0}``, ``{ name }`` and ``{a.b}`` stay, and
  ``{{name}}`` is ``{``, the value, ``}``.
- ``f-string``, LangChain's: doubled braces are literal ones, ``{name:>10}`` and ``{name!r}`` are formatted slots (see
  `formatted`), and any other brace is an error, attributes and indices included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from prompt_adapters.errors import TemplateError
from prompt_adapters.templates.scan import line_of, scan
from prompt_adapters.templates.template import SlotTemplate, Template, counted

_SLOT = re.compile(r"\{([^\s{}]++)\}")
_FIELD = re.compile(r"\{\{|\}\}|\{([^{}]*+)\}|[{}]")
# A name, a conversion and a format specification.
_INSIDE = re.compile(r"([^!:]++)(?:!([rsa]))?(?::([^{}]*+))?")
_LITERAL = {"{{": "{", "}}": "}"}

# A literal text, and what the slot after it holds: name, conversion, specification and line; or None.
_Field: TypeAlias = tuple[str, str, str, int]


def compile_braces(text: str) -> Template:
    """Compile a template in which ``{name}`` is a slot and every other brace literal."""
    return SlotTemplate(text, "braces", scan(_SLOT, text))


def compile_f_string(text: str) -> Template:
    """Compile a template in LangChain's f-string format.

    Raises:
        TemplateError: A brace neither belongs to a slot nor is doubled.
    """
    segments = counted(_fields(text))
    if not any(field is not None and (field[1] or field[2]) for _, field in segments):
        return SlotTemplate(text, "f-string", ((literal, field and field[0]) for literal, field in segments))
    from prompt_adapters.templates.formatted import Field, FormattedTemplate  # which few templates need

    return FormattedTemplate(text, "f-string", ((literal, field and Field(*field)) for literal, field in segments))


def _fields(text: str) -> Iterator[tuple[str, _Field | None]]:
    start, line = 0, 1
    for match in _FIELD.finditer(text):
        before, inside = text[start : match.start()], match[1]
        line += line_of(before, len(before)) - 1
        field = None if inside is None else _INSIDE.fullmatch(inside)
        if match[0] in _LITERAL:
            yield before + _LITERAL[match[0]], None
        elif field is not None and field[1].isidentifier():
            yield before, (field[1], field[2] or "", field[3] or "", line)
        else:
            raise TemplateError(_reason(match[0], inside), line=line_of(text, match.start()))
        line += line_of(match[0], len(match[0])) - 1
        start = match.end()
    yield text[start:], None


def _reason(field: str, inside: str | None) -> str:
    if inside is None:
        return f"a single {field!r}; write {field * 2!r} for a literal brace, or use syntax='braces'"
    shown = field if len(field) <= 40 else f"{field[:37]}..."
    if re.match(r"\s*\w+\s*[.\[]", inside):
        return f"{shown!r} looks into a variable, which is not supported; give the finished text as {{name}}"
    if re.match(r"\w+!", inside):
        return f"{shown!r} has no known conversion; there are !s, !r and !a"
    return f"{shown!r} is not a slot; write {{name}}, '{{{{' and '}}}}' for literal braces, or use syntax='braces'"
