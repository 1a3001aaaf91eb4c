"""A slip that nothing else would show: ``{{ name }}`` in f-string texts, which is no slot but literal braces."""

from __future__ import annotations

import re
from collections.abc import Iterable

from prompt_adapters.errors import TemplateError
from prompt_adapters.prompt import Prompt, Turn

# LaTeX and shells double braces after a command, a name or a sign, as in "\frac{{a}}{{b}}", and without blanks.
_LIKE_SLOTS = re.compile(r"\{\{\s+([^\W\d]\w*)\s+\}\}|(?<![\w}^_\\$])\{\{([^\W\d]\w*)\}\}(?!\})")
_BRACES = re.compile(r"\{\{|\}\}")


def check_doubled_braces(prompts: Iterable[Prompt]) -> None:
    """Refuse f-string texts whose braces all look like slots of another format while none of them is one.

    Where any text has a slot of its own, or any doubled brace stands for something else, as in JSON, the author knows
    what doubling means.

    Raises:
        TemplateError: (a ``ValueError``) They are such texts.
    """
    texts = []
    for prompt in prompts:
        turns = [entry for entry in prompt.messages if isinstance(entry, Turn)]
        if any(turn.slots(prompt.syntax) for turn in turns):
            return
        if prompt.syntax == "f-string":
            texts += [turn.template for turn in turns]
    found = [match for text in texts for match in _LIKE_SLOTS.finditer(text)]
    if found and len(found) * 2 == sum(len(_BRACES.findall(text)) for text in texts):
        name = found[0][1] or found[0][2]
        raise TemplateError(
            f"{found[0][0]!r} is literal in the f-string format, and there is no variable: write {{{name}}}, or "
            "template_format='jinja2' or 'mustache'; if literal braces are meant, template_format='none'"
        )
