r"""Google's dotprompt: ``.prompt`` files of YAML front matter and a Handlebars template.

    ---                                     see `dotprompt_front`
    model: googleai/gemini-2.5-flash        model, name, version ─► the fields of that name
    config: {temperature: 0.3}              config ─► parameters
    input:
      schema: {topic: "string, of the poem"}         input ─► declared variables and their defaults
      default: {topic: rain}
    ---                                     everything else ─► metadata
    {{role "system"}}You are a poet.        see `dotprompt_body`
    {{role "user"}}Write about {{topic}}. {{media url=photo}}

A file of this suffix with a line ``$system$``, ``$user$`` or ``$assistant$`` is one of `simple_prompt`; one with ``{{``
and no such line is one of this format. Where the front matter alone tells it (``config``, ``input``, ``output``,
``tools``), either could be meant, and the format is to be given.

The text is read as Handlebars would read it, and becomes Jinja: a `Prompt` renders it with this package's own engine.
Roles and media are told from the tags of the file, so no value can make one. What Handlebars has beyond that (partials,
helpers of one's own, ``{{#with}}``) is refused by name and line; `dotprompt_rendering.render_dotprompt` renders such
files with Google's own library. Comments are not kept.

Saving writes each template as Handlebars again. Refused, and left out by `held`, is what it has no word for: Jinja
beyond slots, conditions and loops; histories of another name; names of messages, cache marks, tool calls and results,
files that a provider holds; a detail or name of media; the type of a variable that holds media; few-shot examples as
such, which become turns or text.
https://google.github.io/dotprompt/
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.dotprompt_body import MARKER, read_body
from prompt_adapters.formats.dotprompt_front import (
    OWN_WORDS,
    PARAMETERS,
    RESERVED,
    declared,
    defaults_of,
    front_matter,
    own_schema,
    read,
    split,
)
from prompt_adapters.formats.dotprompt_holding import Words
from prompt_adapters.formats.files import errors_named, read_text, write_text
from prompt_adapters.formats.handlebars_text import Piece, Written, write
from prompt_adapters.formats.holding import Holding, read_back, whole
from prompt_adapters.formats.picoschema import Schema, inner, is_declarable, kind_of, loose_schema
from prompt_adapters.formats.simple_prompt import SUFFIX, has_markers, without_markers
from prompt_adapters.prompt import Prompt
from prompt_adapters.turns import Turn
from prompt_adapters.variables import Variable

SYNTAX = "jinja"
_WHAT = "a dotprompt file"
_EMPTY = "{{!}}"  # gives nothing; two of them keep the blanks before them


def detect(path: Path) -> bool:
    """Whether a ``.prompt`` file has ``{{`` in its text, or words of its own in its front matter.

    One with a line ``$system$``, ``$user$`` or ``$assistant$`` belongs to another format of that suffix.

    Raises:
        PromptFormatError: Its front matter is malformed, or it is not UTF-8.
    """
    if path.suffix.lower() != SUFFIX or not path.is_file():
        return False
    text = read_text(path)
    parts = split(text, path)
    if has_markers(parts.body):
        return False
    return "{{" in parts.body or any(isinstance(parts.data.get(word), kind) for word, kind in OWN_WORDS.items())


def load(path: str | os.PathLike[str], *, syntax: str | None = None) -> Prompt:
    """Read a dotprompt file.

    Args:
        path: The file.
        syntax: ``jinja``, or None: the file's own syntax is Handlebars.

    Raises:
        PromptNotFoundError: (a ``FileNotFoundError``) There is no such file.
        PromptFormatError: The front matter is malformed, the template has something that a prompt has no word for (it
            is named with its line), or there is no text at all.
    """
    file = Path(path)
    if syntax not in (None, SYNTAX):
        raise PromptFormatError(file, None, f"a dotprompt file is written in Handlebars, not in {syntax!r}")
    return parse(read_text(file), file)


def parse(text: str, path: str | Path | None = None) -> Prompt:
    """The prompt that the text of a file means; errors as for `load`."""
    parts = split(text, path)
    try:
        front = read(parts)
    except PromptFormatError as error:
        raise PromptFormatError(path, error.line, error.reason) from None
    try:
        schema = loose_schema(front.schema)
    except PromptFormatError as error:
        raise PromptFormatError(path, parts.line_of("input", "schema"), error.reason) from None
    try:
        body = read_body(parts.body, schema)
    except PromptFormatError as error:
        raise PromptFormatError(
            path, None if error.line is None else error.line + parts.line - 1, error.reason
        ) from None
    if not body.entries:
        raise PromptFormatError(path, None, "there is no prompt text; write some after the front matter")
    with errors_named(Path(path or "")):
        variables = declared(front.schema, front.defaults, body.optional)
        metadata = front.metadata
        if (schema := own_schema(front.schema, variables)) is not None:
            metadata["input"] = {"schema": schema, **metadata.get("input", {})}
        return Prompt(
            messages=body.entries,
            variables=variables,
            syntax=SYNTAX,
            parameters=front.parameters,
            metadata=metadata,
            **front.fields,
        )


# Saving


def save(prompt: Prompt, path: str | os.PathLike[str]) -> None:
    """Write a dotprompt file, whole or not at all.

    Raises:
        PromptFormatError: The prompt has something that this format cannot hold; all of it is named.
        PromptDiskError: (an ``OSError``) The disk refuses; the old file is still there.
    """
    file = Path(path)
    write_text(file, dump(prompt, file))


def dump(prompt: Prompt, path: str | Path | None = None) -> str:
    """The text of the file that holds a prompt; errors as for `save`."""
    prompt = whole(prompt, held, _WHAT, path)
    head = ""
    if data := front_matter(prompt):
        from prompt_adapters.formats.yaml_text import write_yaml  # PyYAML takes long to import

        head = f"---\n{write_yaml(data)}---\n"
    text = head + _body(prompt)
    return read_back(text, parse(text, path), prompt, _WHAT, path)


def _body(prompt: Prompt) -> str:
    words = Words.of(prompt)
    pieces: list[Piece] = [piece for entry in prompt.messages for piece in words.pieces(entry)]
    match prompt.messages[0], pieces[1:2]:
        case Turn(role="user"), [Written()]:
            pieces = pieces[1:]
        case Turn(role="user"), [str() as first] if first[0].isprintable() and first[0] not in " -#":
            # Without any tag it would be a file of another format.
            pieces = pieces[1:] if any(isinstance(piece, Written) for piece in pieces[1:]) else pieces
    text = without_markers(write(pieces), _EMPTY)
    last = text[-1]
    return text if last.isprintable() and not last.isspace() else text + _EMPTY * 2


def held(prompt: Prompt) -> tuple[Prompt, tuple[str, ...]]:
    """The nearest prompt that a dotprompt file holds whole, and what of the given one it cannot hold.

    Raises:
        PromptFormatError: No message is left.
    """
    holding = Holding(prompt, _WHAT)
    holding.examples_to_messages()
    holding.to_syntax(SYNTAX)
    holding.literals_to_turns()
    holding.fields["variables"] = _variables(prompt, holding)
    holding.only_keys("parameters", lambda key: key not in PARAMETERS)
    _metadata(prompt, holding)
    near, _ = holding.result()
    words = Words.of(near)
    holding.each(words.keep)
    return holding.result()


def _variables(prompt: Prompt, holding: Holding) -> tuple[Variable, ...]:
    """The declared variables, as a schema and defaults declare them."""
    used = {variable.name: variable.required for variable in prompt.replace(variables=None).variables}
    return tuple(
        kept for variable in prompt.declared if (kept := _variable(variable, used.get(variable.name), holding))
    )


def _variable(variable: Variable, needed: bool | None, holding: Holding) -> Variable | None:
    what = f"variable {variable.name!r}"
    lost: dict[str, Any] = {}
    if not is_declarable(variable):
        holding.losses.append(f"{what}: what is declared of it, as a schema reads its name as something else")
        return None
    if variable.type not in (None, "text"):
        lost["type"] = None
        holding.losses.append(f"{what}: its type {variable.type!r}")
    text = variable.description
    if text is not None and (not text or "\n" in text or text.startswith(" ")):
        lost["description"] = None
        holding.losses.append(f"{what}: its description, which is no single line")
    if variable.required and not needed:
        holding.losses.append(f"{what}: that it must be given")
    if MARKER in str(variable.default):
        lost["default"] = None
        holding.losses.append(f"{what}: its default, as it holds {MARKER!r}, which Google's library takes for its own")
    return variable.replace(required=None if variable.required else variable.required, **lost)


def _metadata(prompt: Prompt, holding: Holding) -> None:
    """Keep of the metadata what a front matter can say."""
    metadata = prompt.metadata
    for key in list(metadata):
        if key not in ("input", "ext") and (key in RESERVED or "." in key):
            holding.losses.append(f"the metadata {key!r}, which means something else in a front matter")
            del metadata[key]
    if "ext" in metadata and not _is_extensions(metadata["ext"]):
        holding.losses.append("the metadata 'ext', which are not namespaces of names and values")
        del metadata["ext"]
    if "input" in metadata:
        kept = _input(metadata.pop("input"), prompt, holding)
        metadata |= {"input": kept} if kept else {}
    holding.fields["metadata"] = metadata


def _is_extensions(value: object) -> bool:
    if not isinstance(value, Mapping) or not value:
        return False
    return all(
        isinstance(fields, Mapping) and fields and not any("." in name for name in fields) for fields in value.values()
    )


def _input(value: Any, prompt: Prompt, holding: Holding) -> dict[str, Any]:
    """What else the metadata say of the input: its schema, where that declares just the variables, and other keys."""
    if not isinstance(value, Mapping) or not value or "default" in value:
        holding.losses.append("the metadata 'input', which are not just a schema and words beside it")
        return {}
    kept = dict(value)
    if "schema" not in kept:
        return kept
    schema = kept.pop("schema")
    variables = holding.fields["variables"]
    try:
        optional = _optional_media(prompt, holding, loose_schema(schema))
        fits = bool(schema) and declared(schema, defaults_of(variables), optional) == variables
    except PromptFormatError:
        fits = False
    if not fits:
        holding.losses.append("the schema in the metadata 'input', which does not declare just the variables")
    elif own_schema(schema, variables) is not None:
        kept = {"schema": schema, **kept}
    return kept


def _optional_media(prompt: Prompt, holding: Holding, schema: Schema) -> list[str]:
    """The variables of media that may be left out, as the template will say."""
    turns = [entry for _, entry in holding.entries if isinstance(entry, Turn)]
    blocks = [block for turn in turns for block in turn.blocks]
    media = {block.variable or (block.pattern and block.pattern.medium(SYNTAX)) for block in blocks}
    loose = (v.name for v in prompt.variables if not v.required and not v.has_default)
    return [name for name in loose if name in media and kind_of(inner(schema, name)) != "array"]
