"""Jinja templates without logic: text with bare ``{{ name }}`` slots, which need no engine.

Most prompts are such. They are split once, and filled by joining texts; the engine, which takes longer to import than
all the rest, is not even loaded. What comes out is what the engine gives, errors included: every value that is more
than a text, a number or a part, and every render that fails, is left to the engine.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from keyword import iskeyword
from typing import Any

from prompt_adapters.content.parts import MEDIA_PARTS, Part, ToolCall, ToolResult, text_of
from prompt_adapters.errors import PromptAdapterError
from prompt_adapters.templates.template import Slot, Template, check_repeated, counted, repeated

_OPENING = re.compile(r"\{[{%#]")
# Names in other scripts are left to the engine, which has rules of its own for them.
_SLOT = re.compile(r"\{\{[ \t\r\n]*+([A-Za-z_][A-Za-z0-9_]*+)[ \t\r\n]*+\}\}")
# Constants, what the engine binds, and the functions that can be called without being bound.
_NOT_VARIABLES = frozenset(
    [
        "true",
        "false",
        "none",
        "True",
        "False",
        "None",
        "self",
        "loop",
        "super",
        "caller",
        "varargs",
        "kwargs",
        "range",
        "dict",
        "namespace",
    ]
)
_NUMBERS = frozenset({int, float, bool})
_WHOLE = frozenset({ToolCall, ToolResult, *MEDIA_PARTS.values()})
_NO_SLOT = ""


def split(text: str) -> tuple[tuple[str, str], ...] | None:
    """Pairs of a literal text and the name of the slot after it, empty for none; None for templates with logic.

    Args:
        text: A template in Jinja.
    """
    try:
        return counted(_segments(text))
    except _HasLogicError:
        return None


class _HasLogicError(Exception):
    pass


def _segments(text: str) -> Iterator[tuple[str, str]]:
    start = 0
    while opening := _OPENING.search(text, start):
        slot = _SLOT.match(text, opening.start())
        if slot is None or slot[1] in _NOT_VARIABLES or iskeyword(slot[1]):
            raise _HasLogicError
        yield text[start : slot.start()], slot[1]
        start = slot.end()
    yield text[start:], _NO_SLOT


class LogicFreeTemplate(Template):
    """A Jinja template that `split` could split.

    Args:
        text: The source.
        segments: What `split` gave.
    """

    __slots__ = ("_engine", "_repeated", "_segments")
    _segments: tuple[tuple[str, str], ...]
    _repeated: tuple[tuple[str, int], ...]
    _engine: Template | None

    def __init__(self, text: str, segments: tuple[tuple[str, str], ...]) -> None:
        names = Counter(name for _, name in segments if name)
        slots = tuple(Slot(name, required=True) for name in names)
        super().__init__(text, "jinja", slots, _segments=segments, _repeated=repeated(names), _engine=None)

    @property
    def is_literal(self) -> bool:
        """Whether it has no slot."""
        return not self.variables

    def render(self, values: Mapping[str, object], *, absent: Collection[str] = ()) -> tuple[Part, ...]:
        """See `Template.render`."""
        if self._repeated:
            check_repeated(self._repeated, values)
        parts: list[Part] = []
        run: list[str] = []
        try:
            for literal, name in self._segments:
                run.append(literal)
                if name:
                    value: Any = values.get(name)
                    kind = type(value)
                    if kind is str:
                        run.append(value)
                    elif kind in _NUMBERS:
                        run.append(str(value))
                    elif kind in _WHOLE:
                        if text := "".join(run):
                            parts.append(text_of(text))
                        parts.append(value)
                        run = []
                    elif value is not None or name not in absent:
                        return self._by_engine(values, absent)
            if text := "".join(run):
                parts.append(text_of(text))
            return tuple(parts)
        except (PromptAdapterError, ValueError):  # a text that cannot be sent, a number that cannot be written
            return self._by_engine(values, absent)  # which says where it is

    def _by_engine(self, values: Mapping[str, object], absent: Collection[str]) -> tuple[Part, ...]:
        engine = self._engine
        if engine is None:
            from prompt_adapters.templates.jinja import compile_jinja

            engine = compile_jinja(self.text)
            object.__setattr__(self, "_engine", engine)
        return engine.render(values, absent=absent)
