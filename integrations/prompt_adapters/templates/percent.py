"""``percent``: ``%name%`` is a slot.

``%%`` is a percent sign, and a ``%`` that begins neither is literal. Read from left to right, ``100%%name%`` is the
text ``100%name%``, and ``%a%%b%`` is two slots.
"""

from __future__ import annotations

import re

from prompt_adapters.templates.scan import scan
from prompt_adapters.templates.template import SlotTemplate, Template

MISSING_HINT = "write %% where a percent sign is meant"

_SLOT = re.compile(r"%%|%([^\s%]++)%")


def compile_percent(text: str) -> Template:
    """Compile a template in which ``%name%`` is a slot."""
    return SlotTemplate(text, "percent", scan(_SLOT, text, {"%%": "%"}), MISSING_HINT)
