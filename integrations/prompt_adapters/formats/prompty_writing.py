"""Prompts in the words of Prompty 2, and what of them it has no word for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import count

from prompt_adapters.blocks import Block
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, Text
from prompt_adapters.errors import PromptFormatError, TemplateError
from prompt_adapters.formats.holding import Holding, template_of
from prompt_adapters.formats.inline import address_of, as_turn, is_link, joined, medium_at
from prompt_adapters.formats.prompty_body import KINDS, Cuts, Slots
from prompt_adapters.formats.prompty_front_writing import front_data
from prompt_adapters.formats.prompty_references import Folder
from prompt_adapters.formats.prompty_sections import Section, marker_rows
from prompt_adapters.formats.template_tags import SetNames, bare, has_sections, is_blank
from prompt_adapters.prompt import Prompt
from prompt_adapters.templates.formats import is_slot_name, slot
from prompt_adapters.turns import Entry, History, Turn
from prompt_adapters.variables import Variable

_WHAT = "a prompty"
_NAME = re.compile(r"[^\s\",\[\]](?:[^\r\n\",\[\]\v\f\x1c-\x1e\x85\u2028\u2029]*[^\s\",\[\]])?")


def written(prompt: Prompt) -> tuple[str, tuple[str, ...]]:
    """The text of the prompty that is nearest to a prompt, and a phrase for each thing that it leaves out.

    Raises:
        PromptFormatError: No message is left.
    """
    holding = Holding(prompt, _WHAT)
    holding.examples_to_messages()
    holding.to_syntax("mustache" if prompt.syntax == "mustache" else "jinja")
    holding.literals_to_turns()
    body = _Body(holding, prompt)
    messages = list(body.messages())
    if not messages:
        raise PromptFormatError(None, None, "; ".join((f"{_WHAT} needs a message, and none is left", *holding.losses)))
    data = front_data(prompt, body.inputs(), holding)
    from prompt_adapters.formats.yaml_text import write_yaml  # PyYAML takes long to import

    return f"---\n{write_yaml(data)}---\n" + "\n\n".join(messages) + "\n", tuple(holding.losses)


class _Body:
    """The messages and the inputs of a prompt, on their way into a prompty."""

    def __init__(self, holding: Holding, prompt: Prompt) -> None:
        self._holding, self._syntax = holding, holding.syntax
        self._declared = {variable.name: variable for variable in prompt.declared}
        self._effective = {variable.name: variable.required for variable in prompt.variables}
        self._kinds: dict[str, str] = {}  # of media, and "messages" of histories
        self._urls: set[str] = set()
        self._fixed: dict[str, Variable] = {}  # inputs that a prompty needs for fixed media
        entries = [entry for _, entry in holding.entries]
        self._used = _names_in_texts(entries, self._syntax)
        for block in _blocks(entries):
            if (found := self._own_slot(block)) is not None:
                self._kinds.setdefault(*found)
                self._urls |= {found[0]} if block.pattern is not None else set()
        for entry in entries:
            if isinstance(entry, History) and self._has_place(entry):
                self._kinds[entry.name] = "messages"

    def _own_slot(self, block: Block) -> tuple[str, str] | None:
        """The name and kind of a medium that an input can be."""
        if block.type not in KINDS:
            return None
        if block.variable is not None:
            named = block.index is None and is_slot_name(block.variable, self._syntax)
            return (block.variable, block.type) if named else None
        if block.pattern is not None:
            for name in [found.name for found in block.pattern.slots(self._syntax)][:1]:
                declared = self._declared.get(name)
                if declared is not None and is_link(declared.default) and name not in self._used:
                    made = Slots({}, {}, frozenset({name})).block(name, block.type, self._syntax)
                    return (name, block.type) if made.pattern == block.pattern else None
        return None

    def _has_place(self, entry: History) -> bool:
        return is_slot_name(entry.name, self._syntax) and entry.name not in self._used and entry.name not in self._kinds

    def messages(self) -> Iterator[str]:
        """Each message with its role, and each history, as text."""
        told: SetNames[str] = SetNames(self._syntax)
        for place, entry in self._holding.entries:
            match entry:
                case History():
                    yield from self._history(entry, place)
                    continue
                case Message() if entry.role == "tool":
                    self._lose(f"{place}, the result of a tool")
                    continue
            name = self._name(entry, place) if isinstance(entry, Message) else None
            turn = as_turn(entry, self._syntax)
            text = self._text(turn, place)
            if text is not None and self._stands_alone(text, place, told):
                attributes = "" if name is None else f'[name="{name}"]'
                yield f"{turn.role}{attributes}:\n{text}"

    def _lose(self, what: str) -> None:
        self._holding.losses.append(what)

    def _history(self, entry: History, place: str) -> Iterator[str]:
        if self._kinds.get(entry.name) != "messages":
            self._lose(f"{place}, whose name is no Jinja variable, or is one that stands elsewhere too")
            return
        if entry.last is not None:
            self._lose(f"{place}: that only the last {entry.last} messages are taken")
        yield self._slot(entry.name)

    def _name(self, entry: Message, place: str) -> str | None:
        """The name of a literal message, when a prompty can write it."""
        self._holding.losses += [f"{place}: the end of a cacheable prefix"] if entry.cache else []
        if entry.name is None:
            return None
        if _NAME.fullmatch(entry.name) and all(isinstance(part, Text) for part in entry.parts):
            return entry.name
        self._lose(f"{place}: its name {entry.name!r}")
        return None

    def _text(self, turn: Turn, place: str) -> str | None:
        """The template of a turn, with its media as slots; None when nothing is left."""
        if isinstance(turn.content, str):
            text = bare(turn.content, self._syntax)
        else:
            text = joined(turn, place, self._syntax, self._block, self._lose)
        rows = text.splitlines(keepends=True)
        markers = marker_rows(text, self._syntax)
        for number in markers:
            self._lose(f"{place}: line {number + 1}, {rows[number].strip()!r}, which would begin a message")
            rows[number] = ""
        text = "".join(rows)
        stripped = text.strip("\r\n")
        if is_blank(stripped, self._syntax):
            self._lose(f"{place}, which is empty")
            return None
        if stripped != text:
            self._lose(f"{place}: the line breaks round its text")
        return stripped

    def _block(self, block: Block, where: str) -> str | None:
        if block.template is not None:
            whole = self._syntax == "mustache" and has_sections(block.template)
            return None if whole else bare(block.template, self._syntax)
        if block.part is not None:
            return self._fixed_part(block.part, where)
        found = self._own_slot(block)
        if found is None or self._kinds.get(found[0]) != found[1]:
            return None
        return self._slot(found[0]) if (found[0] in self._urls) == (block.pattern is not None) else None

    def _fixed_part(self, part: Part, where: str) -> str | None:
        """A fixed part: a text as it is, and a medium as an input of its own, whose default is its address."""
        if isinstance(part, Text):
            text = template_of(part.text, self._syntax)
            if text is None and self._syntax == "mustache" and part.text.endswith("{"):  # `joined` looks what follows
                before = template_of(part.text[:-1], self._syntax)
                text = None if before is None else f"{before}{{"
            return None if text is None else bare(text, self._syntax)
        address = address_of(part) if part.kind in KINDS else None
        if address is None:
            return None
        if medium_at(address, part.kind) != part.replace(cache=False):
            self._lose(f"{where}: what is said of the {part.kind} beside its content")
        numbered = (f"{part.kind}_{number}" for number in count(1))
        name = next(name for name in numbered if name not in self._effective and name not in self._fixed)
        self._fixed[name] = Variable(name, type=part.kind, default=address)
        self._kinds[name] = part.kind
        self._urls.add(name)
        return self._slot(name)

    def _slot(self, name: str) -> str:
        return bare(slot(name, self._syntax), self._syntax)

    def _stands_alone(self, text: str, place: str, told: SetNames[str]) -> bool:
        """Whether a text compiles, and needs no name that another message sets."""
        try:
            needed = told.first_needed(text, place)
        except TemplateError as error:
            self._lose(f"{place}, which is no template without what is left out of it: {error.reason}")
            return False
        if needed is not None:
            self._lose(f"{place}, which needs the variable {needed[0]!r}, and {needed[1]} sets one of this name")
        return needed is None

    # Inputs

    def inputs(self) -> list[Variable]:
        """The inputs, each with the type that its places ask for."""
        made: dict[str, Variable] = {}
        for name in [*self._declared, *self._kinds]:
            if name not in made:
                known = self._declared.get(name) or self._fixed.get(name) or Variable(name)
                made[name] = self._input(known, self._kinds.get(name))
        return list(made.values())

    def _input(self, variable: Variable, kind: str | None) -> Variable:
        name = variable.name
        if kind is not None:
            if variable.type not in (None, kind):
                self._lose(f"variable {name!r}: its type {variable.type!r}, as it stands for {kind}")
            variable = variable.replace(type=kind)
        elif variable.type is not None and not self._type_stays(variable):
            self._lose(f"variable {name!r}: its type {variable.type!r}")
            variable = variable.replace(type=None)
        if kind == "messages" and self._effective.get(name):
            variable = variable.replace(required=True)
        apart = name in self._urls or (kind is None and name not in self._used)
        if variable.type in KINDS and variable.has_default and not (apart and is_link(variable.default)):
            self._lose(f"variable {name!r}: its default, as it is a medium")
            variable = variable.replace(default=None)
        return variable

    def _type_stays(self, variable: Variable) -> bool:
        """Whether a declared type that no place asks for is read back without a change."""
        if variable.type == "text":
            return True
        if variable.type not in KINDS:
            return False
        slots = Slots({}, {variable.name: str(variable.type)})
        texts = [block.template for block in _blocks(e for _, e in self._holding.entries) if block.template is not None]
        return not any(
            isinstance(piece, Block)
            for text in texts
            if variable.name in text
            for piece in Cuts(Section("user", None, text, 1), slots, self._syntax, Folder(None), legacy=False).pieces
        )


def _blocks(entries: Iterable[Entry]) -> Iterator[Block]:
    for entry in entries:
        if isinstance(entry, Turn):
            yield from entry.blocks


def _names_in_texts(entries: Iterable[Entry], syntax: str) -> frozenset[str]:
    found = (block for block in _blocks(entries) if block.template is not None)
    return frozenset(variable.name for block in found for variable in block.slots(syntax))
