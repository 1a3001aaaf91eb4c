"""LangChain's templates of one text, as a template in a syntax of this package and partial values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from langchain_core.prompts import FewShotPromptTemplate, PromptTemplate
from langchain_core.prompts.few_shot_with_templates import FewShotPromptWithTemplates
from langchain_core.prompts.string import StringPromptTemplate

from prompt_adapters.errors import PromptFormatError, TemplateError
from prompt_adapters.langchain.chosen import Chosen, ChosenExamples, example_texts
from prompt_adapters.templates.formats import escaped, slot, syntax_of


class TextPrompt(NamedTuple):
    """A template of one text.

    Attributes:
        text: The text, in the syntax.
        syntax: The syntax.
        partial: The partial values that it brings along.
    """

    text: str
    syntax: str
    partial: dict[str, Any]


def read_text_prompt(prompt: StringPromptTemplate, where: str, slot_name: str) -> TextPrompt:
    """What a template of LangChain says.

    Args:
        prompt: The template. One of an unknown class stands as a slot, which it fills itself.
        where: What an error calls it.
        slot_name: What such a slot is called, and that of examples that are chosen.

    Raises:
        PromptFormatError: (a ``ValueError``) It is written in several formats.
        TemplateError: (a ``ValueError``) It cannot be compiled.
    """
    from prompt_adapters.langchain.string_template import AdapterStringPromptTemplate

    partial = dict(prompt.partial_variables)
    match prompt:
        case AdapterStringPromptTemplate():
            return TextPrompt(str(prompt.turn.content), prompt.prompt.syntax, partial)
        case PromptTemplate():
            syntax = syntax_of(prompt.template_format)
            return TextPrompt(_as_rendered(prompt.template, syntax), syntax, partial)
        case FewShotPromptTemplate():
            syntax = syntax_of(prompt.template_format)
            return _with_examples(
                prompt, [prompt.prefix, _as_rendered(prompt.suffix, syntax)], syntax, partial, where, slot_name
            )
        case FewShotPromptWithTemplates():
            return _with_templates(prompt, where, slot_name)
        case _:
            return TextPrompt(slot(slot_name, "f-string"), "f-string", {slot_name: Chosen(prompt)})


def _as_rendered(text: str, syntax: str) -> str:
    """The text as its own format renders it: LangChain's Jinja takes one line break off the end."""
    return text.removesuffix("\n") if syntax == "jinja" else text


def _with_templates(prompt: FewShotPromptWithTemplates, where: str, slot_name: str) -> TextPrompt:
    own = syntax_of(prompt.template_format)
    pieces = [
        TextPrompt("", own, {}) if part is None else read_text_prompt(part, where, f"{slot_name}_{name}")
        for name, part in (("prefix", prompt.prefix), ("suffix", prompt.suffix))
    ]
    syntaxes = {piece.syntax for piece in pieces if piece.text} or {own}
    if len(syntaxes) > 1:
        raise PromptFormatError(
            None, None, f"{where}: prefix and suffix are written in {' and '.join(sorted(syntaxes))}; write one format"
        )
    partial = {**prompt.partial_variables, **pieces[0].partial, **pieces[1].partial}
    return _with_examples(prompt, [piece.text for piece in pieces], syntaxes.pop(), partial, where, slot_name)


def _with_examples(
    prompt: Any, around: Iterable[str], syntax: str, partial: dict[str, Any], where: str, slot_name: str
) -> TextPrompt:
    prefix, suffix = around
    try:
        between = escaped(prompt.example_separator, syntax)
        if prompt.example_selector is None:
            texts = [escaped(text, syntax) for text in example_texts(prompt, prompt.examples)]
            return TextPrompt(between.join(t for t in (prefix, *texts, suffix) if t), syntax, partial)
    except TemplateError as error:
        raise TemplateError(f"{where}: {error}") from None
    separator = prompt.example_separator
    chosen = ChosenExamples(prompt, lead=separator if prefix and not suffix else "", trail=separator if suffix else "")
    head = prefix + between if prefix and suffix else prefix
    return TextPrompt(head + slot(slot_name, syntax) + suffix, syntax, {**partial, slot_name: chosen})
