"""What a format keeps of a prompt: the steps that formats have in common, and the words for what is lost.

A format's ``held`` takes the steps that it needs and gives the nearest prompt that it holds whole, with a phrase for
each thing that it cannot hold. What renders the same in other words is no loss and has no phrase: another placeholder
syntax, a literal message as a template that is always the same, a declaration that the templates make anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from prompt_adapters.blocks import Block
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, Part, Text, Video
from prompt_adapters.content.position import position
from prompt_adapters.errors import PromptFormatError, TemplateError
from prompt_adapters.few_shot import FewShot
from prompt_adapters.formats.half_pairs import refuse_half_pairs
from prompt_adapters.formats.joining import Joining, appended
from prompt_adapters.formats.translate import comment_lines, translated
from prompt_adapters.prompt import Prompt
from prompt_adapters.templates.formats import escaped
from prompt_adapters.templates.separators import get_separator
from prompt_adapters.turn_content import each_text
from prompt_adapters.turns import Entry, History, Turn
from prompt_adapters.variables import Variable

EMPTY = "an empty text"  # what is lost of a message that has one beside other content
_LEADING = ("system", "developer")


class Placed(NamedTuple):
    """An entry of a prompt with its place in the given one.

    Attributes:
        place: As ``message 2 (user)``, or ``example 1 (user)``.
        entry: The entry.
    """

    place: str
    entry: Entry


# What a format makes of an entry: the entry as it holds it, or None, and phrases for what is lost of it.
Kept: TypeAlias = tuple[Entry | None, Iterable[str]]
Held: TypeAlias = Callable[[Prompt], tuple[Prompt, tuple[str, ...]]]


def whole(
    prompt: Prompt, held: Callable[[Prompt], tuple[Prompt, tuple[str, ...]]], what: str, path: str | Path | None
) -> Prompt:
    """The prompt as a format holds it, when nothing of it is lost.

    Args:
        prompt: The prompt.
        held: The format's `held`.
        what: The format, as ``"a prompt asset"``.
        path: The file that is to be written.

    Raises:
        PromptFormatError: Something would be lost; all of it is named. Or a text holds half of a surrogate pair.
    """
    if prompt.few_shot is None or prompt.few_shot.selector is None:
        refuse_half_pairs(prompt, path)
    try:
        kept, losses = held(prompt)
    except PromptFormatError as error:
        raise PromptFormatError(path, None, error.reason) from None
    if losses:
        raise PromptFormatError(path, None, f"{what} cannot hold {'; '.join(losses)}")
    return kept


def read_back(text: str, found: Prompt, prompt: Prompt, what: str, path: str | Path | None) -> str:
    """The text of a file, which is `found` when it is read, and was written for a prompt as its format holds it.

    Raises:
        PromptFormatError: It would not be read back equal.
    """
    if found != prompt:
        raise PromptFormatError(path, None, f"{what} cannot hold this prompt: it would not be read back equal")
    return text


class Holding:
    """A prompt on its way into a format, for the time of one call.

    Attributes:
        what: The format, as ``"a prompt asset"``.
        syntax: The syntax of the templates.
        entries: The entries that are kept so far.
        losses: What is lost so far, in words.
        fields: Fields of the prompt that change.
    """

    def __init__(self, prompt: Prompt, what: str) -> None:
        self.what = what
        self.syntax = prompt.syntax
        self.entries = [Placed(_place(number, entry), entry) for number, entry in enumerate(prompt.messages)]
        self.losses: list[str] = []
        self.fields: dict[str, Any] = {}
        self._prompt = prompt

    def result(self) -> tuple[Prompt, tuple[str, ...]]:
        """The nearest prompt that the format holds, and what it cannot hold.

        Raises:
            PromptFormatError: No message is left.
        """
        if not self.entries:
            raise PromptFormatError(None, None, f"{self.what} cannot hold {'; '.join(self.losses)}: no message is left")
        messages = [entry for _, entry in self.entries]
        return self._prompt.replace(messages=messages, syntax=self.syntax, **self.fields), tuple(self.losses)

    def each(self, keep: Callable[[Entry, str], Kept]) -> None:
        """Keep of each entry what a function gives for it and its place."""
        kept: list[Placed] = []
        for place, entry in self.entries:
            found, losses = keep(entry, place)
            self.losses += losses
            kept += [] if found is None else [Placed(place, found)]
        self.entries = kept

    # Steps

    def to_syntax(self, syntax: str) -> None:
        """Write the templates in another syntax; comments are lost, and so is a template with logic."""
        source, self.syntax = self.syntax, syntax
        if source != syntax:
            self.each(lambda entry, place: _translated(entry, place, source, syntax))

    def literals_to_turns(self) -> None:
        """Write literal messages of text and media as turns, where these say the same."""
        self.entries = [Placed(place, literal_turn(entry, self.syntax)) for place, entry in self.entries]

    def to_texts(self) -> None:
        """Keep of block lists their text, of messages with tools nothing, and of histories nothing."""
        self.each(lambda entry, place: as_text(entry, place, self.syntax))

    def without_selector(self) -> None:
        """Keep no examples that are chosen for each rendering."""
        shots = self._prompt.few_shot
        if shots is not None and shots.selector is not None:
            self.losses.append(f"the examples, which {shots.size} chooses for each rendering")
            self.fields["few_shot"] = None

    def without_examples(self) -> None:
        """Keep no examples."""
        if self._prompt.few_shot is not None:
            self.losses.append("the few-shot examples")
            self.fields["few_shot"] = None

    def examples_to_messages(self) -> None:
        """Write examples as what they render: turns, or text at the end of a turn."""
        shots = self._prompt.few_shot
        if shots is None or "few_shot" in self.fields:
            return
        self.fields["few_shot"] = None
        if shots.selector is not None:
            self.without_selector()
        elif shots.format == "converse":
            self.losses.append("the few-shot examples as such: they become turns")
            self.entries[self.leading : self.leading] = [
                Placed(f"example {number // 2 + 1} ({turn.role})", turn) for number, turn in enumerate(shots.turns())
            ]
        else:
            self._append(shots)

    def _append(self, shots: FewShot) -> None:
        if shots.format == "append_to_system_prompt":
            place = self.leading - 1
            if place < 0:
                self.losses.append("the few-shot examples as such: they become a system turn")
                self.entries.insert(0, Placed("the examples", Message("system", shots.section())))
                return
        else:
            users = [n for n, (_, e) in enumerate(self.entries) if not isinstance(e, History) and e.role == "user"]
            if not users:
                self.losses.append("the few-shot examples, which belong to a user turn, and there is none")
                return
            place = users[-1]
        where, entry = self.entries[place]
        self.losses.append(f"the few-shot examples as such: they become text of {where}")
        self.entries[place] = Placed(where, _appended(entry, shots, self.syntax))

    @property
    def leading(self) -> int:
        """How many entries at the beginning are system turns."""
        others = (n for n, (_, e) in enumerate(self.entries) if isinstance(e, History) or e.role not in _LEADING)
        return next(others, len(self.entries))

    def without_declarations(self) -> None:
        """Keep no declared variables; what the templates do not say of them anyway is lost."""
        used = {variable.name: variable for variable in self._prompt.replace(variables=None).variables}
        for variable in self._prompt.declared:
            found = next(v for v in self._prompt.variables if v.name == variable.name)
            if (loss := declaration_loss(found, used.get(variable.name))) is not None:
                self.losses.append(f"variable {variable.name!r}: {loss}")
        self.fields["variables"] = None

    def without(self, *names: str) -> None:
        """Keep none of these fields: model, name, version."""
        for name in names:
            if (value := getattr(self._prompt, name)) is not None:
                self.losses.append(f"the {name} {value!r}")
                self.fields[name] = None

    def only_keys(self, field: str, keep: Callable[[str], bool]) -> None:
        """Keep of the parameters, or of the metadata, the keys that a function approves."""
        data: Mapping[str, Any] = getattr(self._prompt, field)
        lost = [key for key in data if not keep(key)]
        word = "parameter" if field == "parameters" else field
        self.losses += [f"the {word} {key!r}" for key in lost]
        if lost:
            self.fields[field] = {key: value for key, value in data.items() if key not in lost}


def _place(number: int, entry: Entry) -> str:
    return position(number, f"history {entry.name!r}" if isinstance(entry, History) else entry.role)


# Syntaxes


def _translated(entry: Entry, place: str, source: str, target: str) -> Kept:
    if not isinstance(entry, Turn):
        return entry, ()
    losses: list[str] = []

    def text(template: str) -> str:
        losses.extend(f"{where}: a comment on line {line}" for line in comment_lines(template, source))
        return translated(template, source, target, drop_comments=True)

    where = place
    if isinstance(entry.content, str):
        try:
            return entry.replace(content=text(entry.content)), losses
        except PromptFormatError as error:
            return None, [f"{place}: {error.reason}"]
    blocks: list[Block] = []
    for number, block in enumerate(entry.content, 1):
        where = f"{place}, block {number}"
        try:
            blocks.append(_translated_block(block, text))
        except PromptFormatError as error:
            losses.append(f"{where}: {error.reason}")
    return (entry.replace(content=blocks) if blocks or not entry.content else None), losses


def _translated_block(block: Block, text: Callable[[str], str]) -> Block:
    if block.template is not None:
        return block.replace(template=text(block.template))
    if block.pattern is not None:
        return block.replace(pattern=type(block.pattern)(each_text(block.pattern.data, text)))
    return block


# Literal messages


def template_of(text: str, syntax: str) -> str | None:
    """A template that gives this very text; None where the syntax cannot write it."""
    try:
        return escaped(text, syntax)
    except TemplateError:
        return None


def block_of(part: Part, syntax: str) -> Block:
    """A block that gives this very part: a text as a template where the syntax can write it.

    An empty template gives nothing, so an empty text stays as it is.
    """
    if isinstance(part, Text) and part.text and (template := template_of(part.text, syntax)) is not None:
        return Block("text", template=template, cache=part.cache)
    return Block(part.kind, part=part)


def _unfixed(block: Block, syntax: str) -> Block:
    made = block if block.part is None else block_of(block.part, syntax)
    return made.replace(cache=True) if block.cache else made


def literal_turn(entry: Entry, syntax: str) -> Entry:
    """A literal message as a turn that says the same, and a turn with its fixed texts as templates.

    An entry for which there is no such turn is given back.
    """
    if isinstance(entry, Turn) and not isinstance(entry.content, str):
        if not entry.content:
            return Turn(entry.role, "")
        return entry.replace(content=[_unfixed(b, syntax) if isinstance(b.part, Text) else b for b in entry.content])
    if not isinstance(entry, Message) or entry.role == "tool" or entry.name is not None or entry.cache:
        return entry
    match entry.parts:
        case ():
            return Turn(entry.role, "")
        case (Text(text=text, cache=False),) if (template := template_of(text, syntax)) is not None:
            return Turn(entry.role, template)
    if not all(isinstance(part, Text | Image | Audio | Video | Document) for part in entry.parts):
        return entry
    return Turn(entry.role, [block_of(part, syntax) for part in entry.parts], spaced=False)


def _appended(entry: Entry, shots: FewShot, syntax: str) -> Entry:
    """An entry with the section of examples at its end."""
    if isinstance(entry, Message):
        return shots.appended(entry)
    assert isinstance(entry, Turn), "a history has no end to append to"  # noqa: S101 - the caller looked for a role
    section = shots.section()
    texts = [part.text for part in section if isinstance(part, Text) and not part.cache]
    blocks = list(entry.blocks)
    if isinstance(entry.content, str):
        made = appended(entry.content, "".join(texts), syntax) if len(texts) == len(section) else None
        if made is not None:
            return entry.replace(content=made)
        between = "\n\n" if entry.content else ""
        blocks = blocks if entry.content else []
    else:
        between = "\n\n" if blocks and not entry.spaced else ""
    more = [block_of(part, syntax) for part in (*([Text(between)] if between else []), *section)]
    return entry.replace(content=[*blocks, *more], spaced=entry.spaced and not isinstance(entry.content, str))


# Text only


def as_text(entry: Entry, place: str, syntax: str) -> Kept:
    """An entry as a turn of one text, and what that loses."""
    if isinstance(entry, History):
        return None, [f"{place}, a slot for earlier messages"]
    if isinstance(entry, Message):
        return _message_as_text(entry, place, syntax)
    if isinstance(entry.content, str):
        return entry, ()
    losses: list[str] = []
    between = get_separator("text", "text") if entry.spaced else ""
    joining, joined = Joining(syntax), 0
    for number, block in enumerate(entry.content, 1):
        where = f"{place}, block {number}"
        text = _block_text(block, syntax)
        if text is None:
            losses.append(f"{where}: {block_word(block)}")
        elif (fault := joining.add(text, between=between if joined else "")) is not None:
            losses.append(f"{where}: a text {fault}")
        else:
            losses += [f"{where}: the end of a cacheable prefix"] if _is_marked(block) else []
            joined += 1
    if joined > 1:
        losses.append(f"{place}: the bounds between its blocks")
    return (Turn(entry.role, joining.text) if joined or not entry.content else None), losses


def _is_marked(block: Block) -> bool:
    return block.cache or (block.part is not None and block.part.cache)


def _block_text(block: Block, syntax: str) -> str | None:
    if block.template is not None:
        return block.template
    return template_of(block.part.text, syntax) if isinstance(block.part, Text) else None


def block_word(block: Block) -> str:
    """What a block is, in words for a list of losses."""
    if block.variable is not None:
        index = "" if block.index is None else f", element {block.index}"
        return f"a slot for {block.type} content, {block.variable!r}{index}"
    if block.pattern is not None:
        return block.pattern.describe()
    return "a text that is no template" if isinstance(block.part, Text) else f"a part, {block.type.replace('_', ' ')}"


def _message_as_text(entry: Message, place: str, syntax: str) -> Kept:
    if entry.role == "tool":
        return None, [f"{place}, the result of a tool"]
    losses = [f"{place}: its name {entry.name!r}"] if entry.name is not None else []
    losses += [f"{place}: the end of a cacheable prefix"] if entry.cache else []
    turn = Turn(entry.role, [block_of(part, syntax) for part in entry.parts], spaced=False)
    kept, more = as_text(turn, place, syntax)
    return kept, [*losses, *more]


# Declarations


def declaration_loss(variable: Variable, found: Variable | None) -> str | None:
    """What is lost of a declared variable when only the templates tell of it."""
    lost = []
    if found is None:
        lost.append("its declaration, as no template uses it")
    elif not variable.has_default and variable.required != found.required:
        lost.append("that it must be given" if variable.required else "that it may be left out")
    lost += ["its default"] if variable.has_default else []
    lost += [f"its {name}" for name in ("type", "description") if getattr(variable, name) is not None]
    return ", ".join(lost) or None
