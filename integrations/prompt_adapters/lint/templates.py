"""Templates that fail whatever their values are, as they reach for what none may have or ask for too much."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from prompt_adapters.errors import PromptAdapterError, UnsafeTemplateError
from prompt_adapters.lint.rules import Fault
from prompt_adapters.lint.texts import PlacedText
from prompt_adapters.prompt import Prompt
from prompt_adapters.templates import Template, compile_template

_COMPUTING = frozenset({"jinja", "mustache"})
# A text and a list go through loops and conditions in two ways, and no method of theirs is beyond the rules.
_VALUES: tuple[object, ...] = ("x", [])


def unsafe_templates(_: Prompt, texts: Iterable[PlacedText]) -> Iterator[Fault]:
    """Templates with logic that are refused when they render, once each."""
    for text in texts:
        if text.syntax not in _COMPUTING:
            continue
        template = compile_template(text.text, text.syntax)
        if template.computes and (error := _refusal(template)) is not None:
            line = "" if error.line is None else f", line {error.line}"
            yield Fault(
                "unsafe-template", f"{text.place}{line}: {error.reason}", text, _line_start(text.text, error.line)
            )


def _refusal(template: Template) -> UnsafeTemplateError | None:
    for value in _VALUES:
        try:
            template.render({slot.name: value for slot in template.variables})
        except UnsafeTemplateError as error:
            return error
        except PromptAdapterError:
            continue  # a value of another shape is wanted
    return None


def _line_start(text: str, line: int | None) -> int:
    """Where a 1-based line begins."""
    return sum(len(one) + 1 for one in text.split("\n")[: (line or 1) - 1])
