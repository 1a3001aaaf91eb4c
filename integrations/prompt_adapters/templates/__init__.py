"""Text with slots, and how values fill them.

=============  ================================================  ==========================================
syntax         a slot                                            literal
=============  ================================================  ==========================================
``jinja``      ``{{ expression }}``, and Jinja's statements      ``{% raw %}…{% endraw %}``
``plain``      ``{{ name }}``                                    everything else
``percent``    ``%name%``                                        ``%%`` is a percent sign; everything else
``braces``     ``{name}``                                        everything else
``f-string``   ``{name}``, ``{name:>10}``, ``{name!r}``          ``{{`` and ``}}`` are braces
``mustache``   ``{{name}}``, ``{{a.b}}``, and sections           everything else
``none``       nothing                                           everything
=============  ================================================  ==========================================

Every syntax substitutes in one pass: a value is never read again, and media go through whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, TypeAlias, assert_never, cast, get_args

from prompt_adapters.errors import TemplateError
from prompt_adapters.templates.braces import compile_braces, compile_f_string
from prompt_adapters.templates.includes import expanded, includes_from
from prompt_adapters.templates.limits import DEFAULT_LIMITS, TemplateLimits, current_limits
from prompt_adapters.templates.logic_free import LogicFreeTemplate, split
from prompt_adapters.templates.percent import MISSING_HINT as PERCENT_HINT
from prompt_adapters.templates.percent import compile_percent
from prompt_adapters.templates.plain import compile_none, compile_plain
from prompt_adapters.templates.template import Slot, Template
from prompt_adapters.templates.whole import current_whole, one_prompt

__all__ = [
    "MISSING_HINTS",
    "SYNTAXES",
    "Slot",
    "Template",
    "TemplateLimits",
    "compile_template",
    "expanded",
    "includes_from",
    "one_prompt",
]

Syntax: TypeAlias = Literal["jinja", "plain", "percent", "braces", "f-string", "mustache", "none"]
SYNTAXES: tuple[str, ...] = get_args(Syntax)

# What may be meant instead of a variable, in syntaxes whose slots are easily written by accident.
MISSING_HINTS: Mapping[str, str] = {"percent": PERCENT_HINT}

MAX_CACHED_TEMPLATES = 512
MAX_CACHED_LENGTH = 100_000


def compile_template(text: str, syntax: str = "jinja") -> Template:
    """Compile a template, once for each text and syntax.

    Args:
        text: The source.
        syntax: One of `SYNTAXES`.

    Raises:
        TemplateError: There is no such syntax, or the text does not follow it.
        UnsafeTemplateError: The template includes or imports another one.
        TemplateLimitError: It is larger than `TemplateLimits` allow.
    """
    if type(text) is str and syntax in SYNTAXES:
        return _kept(text, cast(Syntax, syntax))
    if not isinstance(text, str):
        raise TemplateError(f"a template is a text, not {type(text).__name__}")
    if syntax not in SYNTAXES:
        from difflib import get_close_matches

        close = get_close_matches(str(syntax), SYNTAXES, 1, 0.5)
        meant = f"; did you mean {close[0]!r}?" if close else ""
        raise TemplateError(f"no syntax is called {syntax!r}{meant}; there are {', '.join(map(repr, SYNTAXES))}")
    return _kept(str.__str__(text), cast(Syntax, syntax))


def _kept(text: str, syntax: Syntax) -> Template:
    if syntax == "jinja":
        text = expanded(text)
    template = _known(text, syntax)
    if template.computes and (whole := current_whole()) is not None:
        whole.compiled(text, syntax, template.tokens)
    return template


def _known(text: str, syntax: Syntax) -> Template:
    limits = current_limits()
    if len(text) > MAX_CACHED_LENGTH:
        limits.check("source", len(text))
        return _compile(text, syntax)
    return _cached(text, syntax) if limits is DEFAULT_LIMITS else _cached_within(text, syntax, limits)


@lru_cache(MAX_CACHED_TEMPLATES)
def _cached(text: str, syntax: Syntax) -> Template:
    return _compile(text, syntax)


@lru_cache(MAX_CACHED_TEMPLATES // 8)
def _cached_within(text: str, syntax: Syntax, limits: TemplateLimits) -> Template:
    limits.check("source", len(text))
    return _compile(text, syntax)


def _compile(text: str, syntax: Syntax) -> Template:
    match syntax:
        case "jinja":
            if (segments := split(text)) is not None:
                return LogicFreeTemplate(text, segments)
            # Jinja takes ten times as long to import as all the rest, which other templates need not pay.
            from prompt_adapters.templates.jinja import compile_jinja

            return compile_jinja(text)
        case "plain":
            return compile_plain(text)
        case "percent":
            return compile_percent(text)
        case "braces":
            return compile_braces(text)
        case "f-string":
            return compile_f_string(text)
        case "mustache":
            from prompt_adapters.templates.mustache import compile_mustache  # which few prompts need

            return compile_mustache(text)
        case "none":
            return compile_none(text)
        case _:
            assert_never(syntax)
