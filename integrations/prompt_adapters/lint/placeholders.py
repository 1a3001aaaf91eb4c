r"""Texts that look like a placeholder of another syntax, which nothing fills in.

Only what hardly means anything else is one, see `templates.likeness`. The name of one of the prompt's own variables is
hardly there by chance, even if it is one letter, or has blanks or a dollar sign beside.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from prompt_adapters.lint.rules import Fault
from prompt_adapters.lint.secrets import masked
from prompt_adapters.lint.texts import PlacedText
from prompt_adapters.prompt import Prompt
from prompt_adapters.templates.likeness import FREE, KINDS, NAME, Kind

_TAG = re.compile(r"\{[{%#]|[}%#]\}")
_CLOSES = {"{{": "}}", "{%": "%}", "{#": "#}"}
_SINGLE = frozenset({"braces", "f-string"})
_LONGEST = 40  # characters of a placeholder that a sentence shows


# Those of which the name between the marks has to be that of a variable.
_OF_VARIABLES = (
    Kind(re.compile(rf"\$\{{({NAME})\}}"), "a slot of a shell or of JavaScript", _SINGLE),
    Kind(re.compile(rf"{FREE}{{({NAME})}}(?!\}})"), "a slot between braces", _SINGLE),
    Kind(
        re.compile(rf"{FREE}{{(?=\w{{0,100}}[ \t])[ \t]{{0,9}}({NAME})[ \t]{{0,9}}}}(?!\}})"),
        "a slot between braces",
        frozenset({"f-string"}),
    ),
    Kind(
        re.compile(rf"\{{\{{\{{\s{{0,9}}({NAME})\s{{0,9}}\}}\}}\}}"),
        "a slot of mustache",
        frozenset({"mustache", "plain"}) | _SINGLE,
    ),
    Kind(re.compile(rf"\{{\{{&\s{{0,9}}({NAME})\s{{0,9}}\}}\}}"), "a slot of mustache", frozenset({"mustache"})),
    Kind(re.compile(rf"(?<![\w<])<<\s{{0,9}}({NAME})\s{{0,9}}>>(?!>)"), "a slot between angles", frozenset()),
)


def foreign_placeholders(prompt: Prompt, texts: Iterable[PlacedText]) -> Iterator[Fault]:
    """Placeholders that the syntax of their text does not know, each once in a text."""
    names = {variable.name for variable in prompt.variables}
    for text in texts:
        searched = _without_tags(text.text) if text.syntax == "jinja" else text.text
        seen: set[str] = set()
        for kind, match in _found(searched, text.syntax, names):
            if match[0] in seen:
                continue
            seen.add(match[0])
            whole = masked(match[0])
            shown = whole if len(whole) <= _LONGEST else f"{whole[:_LONGEST]}…"
            yield Fault("foreign-placeholder", _sentence(shown, kind, text, prompt.syntax), text, match.start())


def _found(text: str, syntax: str, names: Collection[str]) -> Iterator[tuple[Kind, re.Match[str]]]:
    for kind in KINDS:
        if syntax not in kind.own:
            yield from ((kind, match) for match in kind.pattern.finditer(text))
    for kind in _OF_VARIABLES if names else ():
        if syntax not in kind.own:
            yield from ((kind, m) for m in kind.pattern.finditer(text) if m[1] in names)


def _sentence(shown: str, kind: Kind, text: PlacedText, syntax: str) -> str:
    if text.syntax == "none" != syntax:
        why = "this text is literal, so it is sent as it stands"
    elif text.syntax in _SINGLE and shown.startswith("{{"):
        why = f"the prompt's syntax is {text.syntax!r}, where two braces are no slot"
    else:
        why = f"the prompt's syntax is {text.syntax!r}, so it is sent as it stands"
    return f"{shown!r} in {text.place} reads like {kind.reads}, but {why}"


def _without_tags(text: str) -> str:
    """A template of Jinja with each tag, and what is in it, struck out in place."""
    pieces: list[str] = []
    start, closing = 0, None
    begun = 0
    for match in _TAG.finditer(text):
        if closing is None and match[0] in _CLOSES:
            pieces.append(text[start : match.start()])
            begun, closing = match.start(), _CLOSES[match[0]]
        elif closing == match[0]:
            pieces.append("\0" * (match.end() - begun))
            start, closing = match.end(), None
    return "".join((*pieces, text[start if closing is None else begun :]))
