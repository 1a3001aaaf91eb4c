"""``plain``: only ``{{ name }}`` is a slot; ``none``: nothing is.

Blanks inside the braces are optional, and a name is an identifier in any script. Everything else is literal:
LaTeX, ``{%d}``, JSON, ``{{ a.b }}``, ``{{ a | upper }}``; ``{{{x}}}`` is ``{``, the value of x, ``}``.
"""

from __future__ import annotations

import re

from prompt_adapters.templates.scan import scan
from prompt_adapters.templates.template import SlotTemplate, Template

_SLOT = re.compile(r"\{\{\s*+([^\s{}]++)\s*+\}\}")


def compile_plain(text: str) -> Template:
    """Compile a template in which ``{{ name }}`` is a slot."""
    return SlotTemplate(text, "plain", scan(_SLOT, text))


def compile_none(text: str) -> Template:
    """Compile a text without slots."""
    return SlotTemplate(text, "none", [(text, None)])
