"""Prompts of LangChain as ``dumpd`` and ``dumps`` write them: one JSON object with ``"lc": 1``.

============================================================  ==========================================================
in the dump                                                   in the prompt
============================================================  ==========================================================
``ChatPromptTemplate``                                        its messages; one inside another is taken apart
``StructuredPrompt``                                          likewise, and ``schema_`` ─► the parameter
                                                              ``response_format``
``PromptTemplate``                                            one user turn
``SystemMessagePromptTemplate``, ``Human…``, ``AI…``,         a turn; ``additional_kwargs`` that say ``developer`` make
``ChatMessagePromptTemplate`` with a role that is known       it the developer's
``PromptTemplate``, ``DictPromptTemplate``,                   the blocks of a turn: texts are templates, the others
``ImagePromptTemplate`` in a list                             patterns; without placeholders a literal message
``SystemMessage``, ``HumanMessage``, ``AIMessage``,           a literal message
``ToolMessage``, ``ChatMessage``
``MessagesPlaceholder``                                       `History`, with ``optional`` and ``n_messages``
``f-string``, ``mustache``, ``jinja2``                        the syntax; several in one dump become ``jinja``
partial variables                                             defaults; what stands for a value that may be left out is
                                                              none
metadata, tags, name                                          metadata; tags and name as ``langchain_tags`` and
                                                              ``langchain_name``
metadata under ``prompt_adapters``                            model, parameters, name, version, what is declared of
                                                              variables, and the metadata that are left
``AdapterPromptTemplate`` and the others of this package      the `Prompt` that it holds
============================================================  ==========================================================

The dump is read as plain data: no class of it is imported, nothing is executed, no secret is looked up. What LangChain
does not dump (few-shot templates, example selectors, functions among the partial variables) is refused by name; of
such objects `prompt_adapters.langchain.from_langchain` makes a template, whose ``prompt`` can be saved. Values are not
escaped as HTML, as LangChain does where two braces stand round a name in mustache.

Saving writes a ``ChatPromptTemplate``, or a ``StructuredPrompt``, that LangChain's own ``load`` takes. Templates become
mustache with three braces, which escape nothing; f-string where mustache cannot write a text, as one with two braces.
Refused, and left out by `held`: logic of Jinja, slots that take media as objects, variables called ``self`` or
``stop``, cache marks of whole messages, that a medium may be left out, what stands between the elements of a list of
media, and few-shot examples as such, which become turns or text.
https://reference.langchain.com/python/langchain_core/load/
"""

from __future__ import annotations

import os
from pathlib import Path

from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.files import errors_named, read_text, write_text
from prompt_adapters.formats.holding import Holding, Placed, read_back, whole
from prompt_adapters.formats.json_text import format_json, parse_json
from prompt_adapters.formats.langchain_objects import is_dump
from prompt_adapters.formats.langchain_reading import read_dump, read_entries
from prompt_adapters.formats.langchain_writing import dump_entry, dump_prompt, needed
from prompt_adapters.prompt import Prompt
from prompt_adapters.turns import Turn

__all__ = ["detect", "dump", "held", "load", "parse", "save"]

_WHAT = "a dump of LangChain"
_SYNTAXES = ("mustache", "f-string")  # that it can be written in, the first one first
_NO_TEMPLATE = "jinja"  # the syntax of a prompt without templates


def detect(path: Path) -> bool:
    """Whether a file holds a JSON object with ``"lc": 1`` and an ``id``, whatever its name."""
    if not path.is_file():
        return False
    try:
        text = read_text(path)
        return text.lstrip()[:1] == "{" and '"lc"' in text and is_dump(parse_json(text, path))
    except PromptFormatError:  # which the formats that the suffix belongs to first will tell
        return False


def load(path: str | os.PathLike[str], *, syntax: str | None = None) -> Prompt:
    """Read a dump.

    Args:
        path: The file.
        syntax: None: a dump says the format of each template.

    Raises:
        PromptNotFoundError: (a ``FileNotFoundError``) There is no such file.
        PromptFormatError: It is not JSON (the line is named), no dump, or holds what no prompt can keep.
    """
    file = Path(path)
    if syntax is not None:
        raise PromptFormatError(
            file, None, f"each template of {_WHAT} says its own format, so syntax={syntax!r} is none"
        )
    return parse(read_text(file), file)


def parse(text: str, path: Path) -> Prompt:
    """The prompt that the text of a file means; errors as for `load`."""
    data = parse_json(text, path)
    with errors_named(path):
        try:
            return read_dump(data)
        except RecursionError:
            raise PromptFormatError(path, None, "the dump is nested too deeply") from None


def save(prompt: Prompt, path: str | os.PathLike[str]) -> None:
    """Write a dump, whole or not at all.

    Raises:
        PromptFormatError: The prompt has something that LangChain's prompts cannot hold; all of it is named.
        PromptDiskError: (an ``OSError``) The disk refuses; the old file is still there.
    """
    file = Path(path)
    write_text(file, dump(prompt, file))


def dump(prompt: Prompt, path: Path) -> str:
    """The text that holds a prompt; errors as for `save`."""
    prompt = whole(prompt, held, _WHAT, path)
    text = format_json(dump_prompt(prompt))
    return read_back(text, parse(text, path), prompt, _WHAT, path)


def held(prompt: Prompt) -> tuple[Prompt, tuple[str, ...]]:
    """The nearest prompt that a dump holds whole, and what of the given one it cannot hold.

    Raises:
        PromptFormatError: No message is left.
    """
    own = [prompt.syntax] if prompt.syntax in _SYNTAXES else []
    found: tuple[Prompt, tuple[str, ...]] | None = None
    fault: PromptFormatError | None = None
    for syntax in dict.fromkeys([*own, *_SYNTAXES]):
        try:
            near = _held_in(prompt, syntax)
        except PromptFormatError as error:
            fault = fault or error
            continue
        if found is None or len(near[1]) < len(found[1]):
            found = near
    if found is None:
        raise fault or AssertionError("a syntax was tried")
    return found


def _held_in(prompt: Prompt, syntax: str) -> tuple[Prompt, tuple[str, ...]]:
    """What a dump holds whose templates are written in a syntax."""
    holding = Holding(prompt, _WHAT)
    holding.examples_to_messages()
    holding.to_syntax(syntax)
    holding.fields["variables"], names = needed(prompt)
    holding.losses += [f"variable {name!r}: that its medium may be left out" for name in names]
    kept: list[Placed] = []
    for place, entry in holding.entries:
        items, losses = dump_entry(entry, place, syntax)
        holding.losses += losses
        kept += [Placed(place, read) for read in read_entries(items)]
    holding.entries = kept
    holding.syntax = syntax if any(isinstance(entry, Turn) for _, entry in kept) else _NO_TEMPLATE
    return holding.result()
