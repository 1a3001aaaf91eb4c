"""``braces`` and ``f-string``: ``{name}`` is a slot.

- ``braces``: every other brace is literal, so JSON is safe; ``{}``, ``{0}``, ``{ name }`` and ``{a.b}`` stay, and
  ``{{name}}`` is ``{``, the value, ``}``.
- ``f-string``, LangChain's: doubled braces are literal ones, and any other brace is an error, format specifications,
  conversions, attributes and indices included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from prompt_adapters.errors import TemplateError
from prompt_adapters.templates.scan import line_of, scan
from prompt_adapters.templates.template import SlotTemplate, Template

_SLOT = re.compile(r"\{([^\s{}]++)\}")
_FIELD = re.compile(r"\{\{|\}\}|\{([^{}]*+)\}|[{}]")
_LITERAL = {"{{": "{", "}}": "}"}


def compile_braces(text: str) -> Template:
    """Compile a template in which ``{name}`` is a slot and every other brace literal."""
    return SlotTemplate(text, "braces", scan(_SLOT, text))


def compile_f_string(text: str) -> Template:
    """Compile a template in LangChain's f-string format.

    Raises:
        TemplateError: A brace neither belongs to a slot nor is doubled.
    """
    return SlotTemplate(text, "f-string", _fields(text))


def _fields(text: str) -> Iterator[tuple[str, str | None]]:
    start = 0
    for match in _FIELD.finditer(text):
        before, name = text[start : match.start()], match[1]
        if match[0] in _LITERAL:
            yield before + _LITERAL[match[0]], None
        elif name is not None and name.isidentifier():
            yield before, name
        else:
            raise TemplateError(_reason(match[0], name), line=line_of(text, match.start()))
        start = match.end()
    yield text[start:], None


def _reason(field: str, name: str | None) -> str:
    if name is None:
        return f"a single {field!r}; write {field * 2!r} for a literal brace, or use syntax='braces'"
    shown = field if len(field) <= 40 else f"{field[:37]}..."
    if re.match(r"\s*\w+\s*[!:.\[]", name):
        return f"{shown!r} formats or looks into a variable, which is not supported; give the finished text as {{name}}"
    return f"{shown!r} is not a slot; write {{name}}, '{{{{' and '}}}}' for literal braces, or use syntax='braces'"
