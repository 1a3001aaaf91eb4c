"""Nunjucks, the templates of promptfoo: what they share with Jinja, and what they do not.

=====================  =================================================================================================
shared                 slots, ``if``/``elif``/``else``, ``for``, ``set``, ``macro``, ``call``, ``filter``, ``raw``,
                       comments, the filters and tests in `FILTERS` and `TESTS`, ``~``, comparisons, inline ``if``
refused, JavaScript's  ``elseif``, ``switch``, ``asyncEach``, ``asyncAll``, ``ifAsync``, ``verbatim``; ``===``, ``!==``,
                       ``&&``, ``||``, ``r/…/``; ``x.length``, ``x.method()``; ``null``, ``undefined``, ``env``;
                       ``dump`` inside a text
refused, Jinja's       ``with``, loops with a condition, slices, ``namespace``, ``dict``, every other filter and test
=====================  =================================================================================================

What differs in the values is not seen here: in Nunjucks a missing variable is an empty text, an empty list is true, and
dictionaries have no text.

https://mozilla.github.io/nunjucks/templating.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from prompt_adapters.errors import TemplateError
from prompt_adapters.templates import compile_template
from prompt_adapters.templates.scan import line_of

# fmt: off
FILTERS = frozenset({
    "abs", "batch", "capitalize", "center", "default", "d", "dictsort", "escape", "e", "first", "float", "forceescape",
    "indent", "int", "join", "last", "length", "list", "lower", "reject", "rejectattr", "replace", "reverse", "round",
    "safe", "select", "selectattr", "slice", "sort", "string", "striptags", "sum", "title", "trim", "truncate", "upper",
    "urlencode", "urlize", "wordcount",
})
TESTS = frozenset({
    "callable", "defined", "divisibleby", "eq", "equalto", "escaped", "even", "ge", "greaterthan", "gt", "iterable",
    "le", "lessthan", "lower", "lt", "mapping", "ne", "none", "number", "odd", "sameas", "string", "undefined", "upper",
})
# fmt: on

# What Jinja would call a syntax error, under its own name and with a remedy.
_TAGS: Mapping[str, str] = {
    "elseif": "write elif",
    "verbatim": "write raw",
    "switch": "write if and elif",
    "asyncEach": "write for",
    "asyncAll": "write for",
    "ifAsync": "write if",
}
_OPERATORS: Mapping[str, str] = {"===": "write ==", "!==": "write !=", "&&": "write and", "||": "write or"}
_ASIDE = re.compile(r"\{%-?\s*raw\s*-?%\}.*?\{%-?\s*endraw\s*-?%\}|\{#.*?#\}", re.DOTALL)
_CODE = re.compile(r"\{%-?\s*(\w+)?([^%]*+(?:%(?!\})[^%]*+)*+)%\}|\{\{([^}]*+(?:\}(?!\})[^}]*+)*+)\}\}")
_STRING = re.compile(r"'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\"", re.DOTALL)
_LONGEST = 20_000  # characters of a broken template that are looked through for a better word
_NAMES = frozenset({"null", "undefined", "env"})


def check_shared(text: str) -> None:
    """Refuse a template that Jinja and Nunjucks do not both understand in the same way.

    Args:
        text: The template.

    Raises:
        TemplateError: (a ``ValueError``) It holds something of only one of them, which is named with its line; or it
            cannot be compiled.
    """
    if "{" not in text:
        return
    try:
        template = compile_template(text, "jinja")
    except TemplateError:
        _check_words(text[:_LONGEST])
        raise
    for slot in template.variables:
        if slot.name in _NAMES:
            raise TemplateError(f"{slot.name!r} is JavaScript's own in Nunjucks, and would be a variable; rename it")
    for line, fault in _faults(text):
        raise TemplateError(fault, line=line)


def _check_words(text: str) -> None:
    """Name what Jinja only calls a syntax error."""
    code = _ASIDE.sub(lambda found: "\n" * (line_of(found[0], len(found[0])) - 1), text)
    for found in _CODE.finditer(code):
        line = line_of(code, found.start())
        if (tag := found[1]) in _TAGS:
            raise TemplateError(f"{{% {tag} %}} is Nunjucks' own; {_TAGS[str(tag)]}", line=line)
        body = _STRING.sub("''", found[2] or found[3] or "")
        for operator, remedy in _OPERATORS.items():
            if operator in body:
                raise TemplateError(f"{operator!r} is JavaScript's; {remedy}", line=line)
        if re.search(r"\|\s*dump\b", body):
            reason = "the filter 'dump' writes JSON, which has a place only where a whole content stands"
            raise TemplateError(f"{reason}; write the variable alone", line=line)


def _faults(text: str) -> Iterator[tuple[int, str]]:
    """What a template that compiles has and Nunjucks has not, or means otherwise."""
    from prompt_adapters.templates.logic_free import split

    if split(text) is not None:
        return
    from jinja2 import nodes  # which takes long to import, and templates without logic do not need

    from prompt_adapters.templates.environment import ENVIRONMENT

    for node in ENVIRONMENT.parse(text).find_all(nodes.Node):
        fault: str | None = None
        match node:
            case nodes.Filter(name=name) if name not in FILTERS:
                fault = f"the filter {name!r} is not in Nunjucks, or works otherwise there"
            case nodes.Test(name=name) if name not in TESTS:
                fault = f"the test {name!r} is not in Nunjucks, or works otherwise there"
            case nodes.Getattr(attr="length"):
                fault = "'.length' is JavaScript's; write | length"
            case nodes.Call(node=nodes.Getattr(attr=name)):
                fault = f"'.{name}()' is a method, and Nunjucks has those of JavaScript; use a filter"
            case nodes.Call(node=nodes.Name(name="dict" | "namespace" as name)):
                fault = f"the function {name!r} is not in Nunjucks"
            case nodes.With():
                fault = "{% with %} is not in Nunjucks; write set"
            case nodes.For() if node.test is not None or node.recursive:
                fault = "a loop with a condition is not in Nunjucks; write if inside it"
            case nodes.Div(left=nodes.Name(name="r")):
                fault = "r/…/ is a regular expression of JavaScript; write the text itself"
            case nodes.Slice():
                fault = "slices are not in Nunjucks; write the items"
            case nodes.NSRef():
                fault = "attributes cannot be set in Nunjucks"
        if fault is not None:
            yield getattr(node, "lineno", 1), fault
