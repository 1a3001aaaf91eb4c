"""The partials that a dotprompt file is rendered with, and how much they come to where they are put in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from prompt_adapters.errors import TemplateError
from prompt_adapters.templates.limits import current_limits

_DEPTH = 100  # how deep Google's library goes
_CALL = 64  # what putting one in costs, in characters
_PARTIAL = re.compile(r"\{\{~?#?>\s*([^\s}~]*)")
_DECORATOR = re.compile(r"\{\{~?#?\s*\*")


def checked(partials: object) -> dict[str, str]:
    """The partials, once it is sure that they are texts by name.

    Raises:
        TemplateError: They are something else.
    """
    if partials is None:
        return {}
    if not isinstance(partials, Mapping):
        raise TemplateError(f"partials are a mapping of names to templates, not {type(partials).__name__}")
    for name, text in partials.items():
        if not isinstance(name, str) or not isinstance(text, str):
            raise TemplateError(f"the partial {name!r:.60} is no text with a name, but {type(text).__name__}")
    return dict(partials)


def written_out(template: str, partials: Mapping[str, str]) -> int:
    """The most characters that a template has when every partial stands written out where it is put in.

    One that puts itself in counts as often as the library would go into it; one whose name is known only when it is
    rendered, as the one that takes most.

    Raises:
        TemplateError: A template defines partials of its own.
        TemplateLimitError: (a ``TemplateError``) They are more than `TemplateLimits.source` allows.
    """
    limits = current_limits()
    texts = (template, *partials.values())
    limits.check("source", sum(map(len, texts)))
    if any(_DECORATOR.search(text) for text in texts):
        raise TemplateError("{{#*inline}} and other decorators are not rendered; give partials=")
    calls = {name: Counter(_PARTIAL.findall(text)) for name, text in partials.items()}
    sizes = {name: len(text) for name, text in partials.items()}
    for _ in range(_DEPTH if any(calls.values()) else 0):
        before, sizes = sizes, {}
        most = max(before.values())
        for name, text in partials.items():
            sizes[name] = len(text) + sum(n * (_CALL + before.get(to, most)) for to, n in calls[name].items())
        if before == sizes:
            break
        if max(sizes.values()) > limits.source**2:
            break  # which is too much wherever it is put in
    most = max(sizes.values(), default=0)
    whole = len(template) + sum(
        n * (_CALL + sizes.get(to, most)) for to, n in Counter(_PARTIAL.findall(template)).items()
    )
    limits.check("source", whole)
    return max(whole, sum(map(len, texts)))
