"""What is in a prompt: its structure, its variables, its examples, its parameters."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, assert_never

from prompt_adapters.cli.listing import columns, need
from prompt_adapters.cli.render import as_json, replaced, shortenings
from prompt_adapters.cli.sentences import visible
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, Text
from prompt_adapters.few_shot import FewShot
from prompt_adapters.formats import format_of, load_prompt
from prompt_adapters.formats.holding import block_word
from prompt_adapters.prompt import Block, History, Prompt, Turn
from prompt_adapters.turns import Entry

_SHOTS = {
    "converse": "each as a user and an assistant turn",
    "append_to_user_prompt": "at the end of the user turn",
    "append_to_system_prompt": "at the end of the system turn",
}


def shown_as_text(path: str, format_: str | None = None, syntax: str | None = None) -> str:
    """A prompt for people to read."""
    prompt = load_prompt(path, format_, syntax)
    return "\n".join((*_head(prompt, path, format_ or format_of(path)), *_body(prompt), ""))


def shown_as_json(path: str, format_: str | None = None, syntax: str | None = None, *, full: bool = False) -> str:
    """A prompt as a JSON object: its data as `Prompt.to_json` gives them, its variables, its format.

    Args:
        path: Where it is.
        format_: Its format; it is told from the content and the name when it is None.
        syntax: The placeholder syntax, where it does not say its own.
        full: Whether media are printed whole.
    """
    prompt = load_prompt(path, format_, syntax)
    data: Any = prompt.to_json()
    found = {
        "path": path,
        "format": format_ or format_of(path),
        "variables": [variable.to_data() for variable in prompt.variables],
        "prompt": data if full else replaced(data, shortenings(_literal(prompt))),
    }
    return as_json(found)


def _literal(prompt: Prompt) -> Iterator[Message]:
    """The parts of a prompt that stand in it as they are."""
    for entry in prompt.messages:
        match entry:
            case Message():
                yield entry
            case Turn():
                yield Message("user", [block.part for block in entry.blocks if block.part is not None])
            case History():
                pass
            case _:
                assert_never(entry)
    if prompt.few_shot is not None:
        yield from prompt.few_shot.turns()


def _head(prompt: Prompt, path: str, format_: str) -> Iterator[str]:
    yield visible(prompt.name or path)
    rows = [("format", format_), ("syntax", prompt.syntax)]
    rows += [(key, visible(value)) for key in ("version", "model") if (value := getattr(prompt, key)) is not None]
    for what, data in (("parameter", prompt.parameters), ("metadata", prompt.metadata)):
        rows += [(what, f"{visible(key)} = {_data(value)}") for key, value in data.items()]
    yield from columns(rows, indent="  ")


def _data(value: Any) -> str:
    return visible(json.dumps(value, ensure_ascii=False))


def _body(prompt: Prompt) -> Iterator[str]:
    yield "\nmessages"
    for number, entry in enumerate(prompt.messages, 1):
        yield from _entry(f"  {number} ", entry)
    if prompt.few_shot is not None:
        yield from _examples(prompt.few_shot)
    if not prompt.variables:
        yield "\nno variables"
        return
    yield "\nvariables"
    rows = ((visible(v.name), need(v), v.type or "", visible(v.description or "")) for v in prompt.variables)
    yield from columns(rows, indent="  ")


def _entry(head: str, entry: Entry) -> Iterator[str]:
    match entry:
        case History():
            needed = "required" if entry.required else "optional"
            last = "" if entry.last is None else f", the last {entry.last} of them"
            yield f"{head}history: earlier messages from {entry.name!r} ({needed}{last})"
        case Message():
            name = "" if entry.name is None else f" named {entry.name!r}"
            yield f"{head}{entry.role}{name}, literal{_mark(cache=entry.cache)}"
            yield from _parts(entry.parts)
        case Turn(content=str() as template):
            yield f"{head}{entry.role}"
            yield from _text(template)
        case Turn():
            spaced = ", separators between them" if entry.spaced and len(entry.blocks) > 1 else ""
            yield f"{head}{entry.role}, {_count(len(entry.blocks), 'block')}{spaced}"
            yield from (line for block in entry.blocks for line in _block(block))
        case _:
            assert_never(entry)


def _block(block: Block) -> Iterator[str]:
    if block.part is not None:
        yield from _parts([block.part])
    elif block.template is not None:
        yield from _text(block.template)
    else:
        yield f"    [{visible(block_word(block))}]"
    if block.cache:
        yield f"    [{_CACHE}]"


_CACHE = "a cacheable prefix ends here"


def _mark(*, cache: bool) -> str:
    return f", {_CACHE}" if cache else ""


def _parts(parts: Iterable[Part]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, Text):
            yield from _text(part.text)
        else:
            yield f"    [{visible(part.describe())}]"
        if isinstance(part, Text) and part.cache:
            yield f"    [{_CACHE}]"


def _text(text: str) -> Iterator[str]:
    yield from (f"    | {visible(line)}".rstrip() for line in text.split("\n"))


def _examples(shots: FewShot) -> Iterator[str]:
    yield f"\nfew-shot: {_count(len(shots.examples), 'example')}, {_SHOTS[shots.format]}"
    for number, example in enumerate(shots.examples, 1):
        yield f"  {number} input"
        yield from _parts(example.input)
        yield "    output"
        yield from _parts(example.output)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
