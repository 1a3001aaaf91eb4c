"""What a prompt is written from: turns of text templates and blocks, and slots for a history."""

from __future__ import annotations

import os
import re
import reprlib
from collections.abc import Iterable, Mapping, Set
from typing import Any, ClassVar, NamedTuple, TypeAlias, assert_never, get_args

from prompt_adapters.blocks import Block, marked, placed
from prompt_adapters.content.data import message_from_data, message_to_data
from prompt_adapters.content.message import ROLES, Message, Role
from prompt_adapters.content.parts import Part, Text
from prompt_adapters.content.position import position
from prompt_adapters.content.read import ROLE_ALIASES, read_messages
from prompt_adapters.content.value import Value
from prompt_adapters.errors import PromptAdapterError, PromptFormatError
from prompt_adapters.templates import Slot, Template, compile_template, expanded, includes_from, one_prompt
from prompt_adapters.templates.limits import Budget, current_limits, shared_budget, spending
from prompt_adapters.templates.separators import DEFAULT_SEPARATOR, get_separator
from prompt_adapters.variables import malformed

TEMPLATE_ROLES = tuple(role for role in get_args(Role) if role != "tool")
_NAME = re.compile(r"\w+")


class History(Value):
    """A slot for earlier messages, filled from the variable of its name.

    The value is a list of `Message`, role/content dictionaries, (role, text) pairs or LangChain messages. Blocks of
    what a model thought (``thinking``, ``reasoning``) are left out, with a line in the log.

    Attributes:
        name: The variable's name.
        required: Whether it must be given; an optional history that is not given is empty.
        last: How many messages, counted from the end, are taken of it; None for all.
    """

    __slots__ = ("last", "name", "required")
    _compared: ClassVar = ("name", "required", "last")
    name: str
    required: bool
    last: int | None

    def __init__(self, name: str, *, required: bool = True, last: int | None = None) -> None:
        self._set(name=name, required=required, last=last)
        self._check()

    def _check(self) -> None:
        if not isinstance(self.name, str) or not _NAME.fullmatch(self.name):
            raise malformed(f"a history is called by a name, not {reprlib.repr(self.name)}")
        if not isinstance(self.required, bool):
            raise malformed(f"history {self.name!r}: required is true or false, not {reprlib.repr(self.required)}")
        if self.last is not None and (type(self.last) is not int or self.last < 1):
            raise malformed(f"history {self.name!r}: last is a number of messages, not {reprlib.repr(self.last)}")

    def read(self, value: object) -> tuple[Message, ...]:
        """The messages of a value.

        Raises:
            PromptFormatError: It holds something that is no message, or an object in it fails when it is read.
            MediaError: A block's media are broken.
        """
        try:
            messages = read_messages(value, f"history {self.name!r}", reasoning="drop")
        except PromptAdapterError:
            raise
        except Exception as error:
            raise malformed(f"history {self.name!r} cannot be read: {type(error).__name__}: {error}") from error
        return messages if self.last is None else messages[-self.last :]

    def to_data(self) -> dict[str, Any]:
        """As JSON data."""
        data = {"history": self.name, "required": self.required}
        return data if self.last is None else data | {"last": self.last}


class Turn(Value):
    """A turn that is rendered: its role and a text template or blocks.

    The role comes from here and never from rendered text.

    Attributes:
        role: system, developer, user or assistant.
        content: A text template, or blocks.
        spaced: Whether separators stand between the blocks, as the block contract has them.
    """

    __slots__ = ("content", "role", "spaced")
    _compared: ClassVar = ("role", "content", "spaced")
    role: Role
    content: str | tuple[Block, ...]
    spaced: bool

    def __init__(self, role: str, content: object, *, spaced: bool = True) -> None:
        self._set(**self._as_fields({"role": role, "content": content}), spaced=spaced)
        self._check()

    @classmethod
    def _as_fields(cls, changes: dict[str, Any]) -> dict[str, Any]:
        fields = dict(changes)
        if isinstance(role := changes.get("role"), str):
            fields["role"] = ROLE_ALIASES.get(role, role)
        if isinstance(content := changes.get("content"), str):
            fields["content"] = str.__str__(content)
        elif "content" in changes:
            if isinstance(content, Mapping | Set) or not isinstance(content, Iterable):
                content = (content,)
            fields["content"] = tuple(Block.read(block, f"block {number}") for number, block in enumerate(content, 1))
        return fields

    def _check(self) -> None:
        if self.role not in TEMPLATE_ROLES:
            raise malformed(
                f"a turn's role is one of {', '.join(TEMPLATE_ROLES)}, not {self.role!r}; a Message can have it"
                if self.role in ROLES
                else f"{reprlib.repr(self.role)} is not a role; the roles are {', '.join(ROLES)}"
            )
        if not isinstance(self.spaced, bool):
            raise malformed(f"a turn's spaced is true or false, not {reprlib.repr(self.spaced)}")

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The content as blocks."""
        return (Block("text", template=self.content),) if isinstance(self.content, str) else self.content

    @property
    def template(self) -> str:
        """The text templates of the turn, joined."""
        return "".join(block.template or "" for block in self.blocks)

    def slots(self, syntax: str) -> tuple[Slot, ...]:
        """The variables of the turn, in order of appearance.

        Raises:
            TemplateError: A template cannot be compiled; in a block list, its block is named.
        """
        if isinstance(self.content, str):
            return compile_template(self.content, syntax).variables
        slots: list[Slot] = []
        for number, block in enumerate(self.content, 1):
            try:
                slots += block.slots(syntax)
            except PromptAdapterError as error:
                raise placed(error, f"block {number}") from error.__cause__
        return tuple(slots)

    def render(
        self,
        syntax: str,
        values: Mapping[str, Any],
        absent: frozenset[str],
        separators: Mapping[tuple[str, str], str] | None,
    ) -> tuple[Part, ...]:
        """The parts for these values; between the parts of different blocks stand their separators.

        Raises:
            TemplateError: The template fails on these values; in a block list, the block is named.
            MediaError: A value holds broken media.
        """
        if isinstance(self.content, str):
            return compile_template(self.content, syntax).render(values, absent=absent)
        groups = self.groups(syntax, values, absent)
        return separated(groups, separators) if self.spaced else tuple(part for group in groups for part in group)

    def groups(self, syntax: str, values: Mapping[str, Any], absent: frozenset[str]) -> list[tuple[Part, ...]]:
        """The parts of each text block, and each medium, between which separators belong; errors as for `render`."""
        if isinstance(self.content, str):
            return [compile_template(self.content, syntax).render(values, absent=absent)]
        with spending(shared_budget() or Budget(current_limits())):
            return self._groups(self.content, syntax, values, absent)

    def _groups(
        self, blocks: tuple[Block, ...], syntax: str, values: Mapping[str, Any], absent: frozenset[str]
    ) -> list[tuple[Part, ...]]:
        groups: list[tuple[Part, ...]] = []
        for number, block in enumerate(blocks, 1):
            try:
                parts = block.render(syntax, values, absent)
            except PromptAdapterError as error:
                raise placed(error, f"block {number}") from error.__cause__
            if block.cache and not parts and groups:  # what it would have marked ends with the block before
                groups[-1] = marked(groups[-1])
            if parts:
                groups += [parts] if block.template is not None else [(part,) for part in parts]
        return groups

    def to_data(self) -> dict[str, Any]:
        """As JSON data."""
        if isinstance(self.content, str):
            return {"role": self.role, "template": self.content}
        data = {"role": self.role, "blocks": [block.to_data() for block in self.content]}
        return data if self.spaced else data | {"spaced": False}

    @classmethod
    def from_data(cls, data: Mapping[str, Any], where: str) -> Turn:
        """From JSON data; the opposite of `to_data`."""
        content: object
        fields = {"spaced": data["spaced"]} if "spaced" in data else {}
        match {key: value for key, value in data.items() if key != "spaced"}:
            case {"role": role, "template": str() as content, **rest} if not rest:
                pass
            case {"role": role, "blocks": list() as blocks, **rest} if not rest:
                content = [Block.from_data(block, f"{where}, block {n}") for n, block in enumerate(blocks, 1)]
            case _:
                raise malformed(f"{where} has not just 'role' and either 'template', a text, or 'blocks', a list")
        try:
            return cls(role, content, **fields)
        except PromptFormatError as error:
            raise malformed(f"{where}: {error.reason}") from None


def separated(
    groups: Iterable[tuple[Part, ...]], separators: Mapping[tuple[str, str], str] | None = None
) -> tuple[Part, ...]:
    """Join groups of parts, with the separator of their kinds between the last part of one and the first of the next.

    Inside a group the author's own whitespace stands.
    """
    parts: list[Part] = []
    for group in groups:
        if parts and group:
            pair = parts[-1].kind, group[0].kind
            separator = get_separator(*pair) if separators is None else separators.get(pair, DEFAULT_SEPARATOR)
            parts += [Text(separator)] if separator else []
        parts += group
    return tuple(parts)


Entry: TypeAlias = Turn | Message | History


class Planned(NamedTuple):
    """An entry of a prompt, with what need not be done anew at each render.

    Attributes:
        entry: The entry.
        role: Its role, when it is a turn of one text.
        template: The compiled template of that text.
        message: What it gives, when that is always the same.
    """

    entry: Entry
    role: Role | None = None
    template: Template | None = None
    message: Message | None = None

    @classmethod
    def of(cls, entry: Entry, syntax: str) -> Planned:
        """The plan for an entry."""
        if isinstance(entry, Message):
            return cls(entry, message=entry)
        if not isinstance(entry, Turn) or not isinstance(entry.content, str):
            return cls(entry)
        template = compile_template(entry.content, syntax)
        try:
            message = Message(entry.role, template.render({})) if template.is_literal else None
        except PromptAdapterError:  # to be said when it is rendered
            message = None
        return cls(entry, entry.role, template, message)

    def render(
        self,
        syntax: str,
        values: Mapping[str, Any],
        absent: frozenset[str],
        separators: Mapping[tuple[str, str], str] | None,
    ) -> tuple[Message, ...]:
        """The messages for these values; errors as for `Turn.render`."""
        match self.entry:
            case Message():
                return (self.entry,)
            case History(name=name) as history:
                value = values.get(name)
                return () if value is None else history.read(value)
            case Turn():
                return (Message(self.entry.role, self.entry.render(syntax, values, absent, separators)),)
        assert_never(self.entry)


def entry_to_data(entry: Entry) -> dict[str, Any]:
    """An entry of a prompt as JSON data."""
    match entry:
        case Turn():
            return entry.to_data()
        case History():
            return entry.to_data()
        case Message():
            return message_to_data(entry)
        case _:
            assert_never(entry)


def entry_from_data(data: object, where: str) -> Entry:
    """An entry from JSON data; the opposite of `entry_to_data`.

    Raises:
        PromptFormatError: The data are not those of an entry; `where` is named.
        MediaError: Its media are broken.
    """
    if not isinstance(data, Mapping):
        raise malformed(f"{where} is {type(data).__name__}, not an object")
    if "history" in data:
        if unknown := data.keys() - {"history", "required", "last"}:
            raise malformed(f"{where} has the unknown key {sorted(map(str, unknown))[0]!r}")
        return History(data["history"], required=data.get("required", True), last=data.get("last"))
    if "parts" in data:
        return message_from_data(data, where)
    if "template" in data or "blocks" in data:
        return Turn.from_data(data, where)
    raise malformed(f"{where} has neither 'template', 'blocks', 'parts' nor 'history'")


def read_entries(system: Any, user: Any, messages: Any) -> tuple[Entry, ...]:
    """The entries of a prompt from what people write: a system and a user turn, or a list of messages.

    Raises:
        PromptFormatError: There is none, or one is malformed; its number is named.
    """
    if messages is not None:
        if system is not None or user is not None:
            raise malformed("give either messages, or system and user")
        if isinstance(messages, str | bytes | Mapping | Set) or not isinstance(messages, Iterable):
            raise malformed(f"messages are a list, not {type(messages).__name__}")
        entries = tuple(_entry(entry, number) for number, entry in enumerate(messages, 1))
    else:
        given = [(role, content) for role, content in (("system", system), ("user", user)) if content is not None]
        turns = [Turn(role, content) for role, content in given]
        entries = tuple(turn for turn in turns if turn.content)
    if not entries:
        raise malformed("a prompt needs at least one message: give a user template")
    return entries


@one_prompt()
def with_includes(entries: tuple[Entry, ...], syntax: str, folder: str | os.PathLike[str] | None) -> tuple[Entry, ...]:
    """The entries, whose Jinja templates have the texts of the files that they include in their places.

    Args:
        entries: The entries.
        syntax: The syntax of their templates.
        folder: Where the files are; None for the folder of `includes_from`, if any.

    Raises:
        TemplateError: A file cannot be included; its turn is named.
        PromptFormatError: There is no such folder, or the syntax has no includes.
    """
    if syntax != "jinja":
        if folder is not None:
            raise malformed(f"includes are for syntax='jinja'; in {syntax!r} nothing is included")
        return entries
    with includes_from(folder):
        return tuple(_with_includes(entry, number) for number, entry in enumerate(entries))


def computes(entries: tuple[Entry, ...], syntax: str) -> bool:
    """Whether several of the templates are more than slots, so that one render of all has one budget."""
    turns = [entry for entry in entries if isinstance(entry, Turn)]
    texts = [text for turn in turns for block in turn.blocks for text in block.templates]
    return len(texts) > 1 and sum(compile_template(text, syntax).computes for text in texts) > 1


def _with_includes(entry: Entry, number: int) -> Entry:
    if not isinstance(entry, Turn):
        return entry
    try:
        if isinstance(entry.content, str):
            return entry.replace(content=expanded(entry.content))
        blocks = [
            block if block.template is None else block.replace(template=expanded(block.template))
            for block in entry.content
        ]
    except PromptAdapterError as error:
        raise placed(error, position(number, entry.role)) from error.__cause__
    return entry.replace(content=blocks)


def _entry(entry: object, number: int) -> Entry:
    match entry:
        case Turn() | Message() | History():
            return entry
        case (str() as role, content):
            try:
                return Turn(role, content)
            except PromptFormatError as error:
                raise malformed(f"message {number} ({role[:40]}): {error.reason}") from None
        case Mapping():
            raise malformed(
                f"message {number} is a dictionary: write (role, template) for a template, "
                "Message(role, ...) for a literal"
            )
    raise malformed(f"message {number} is {type(entry).__name__}; write (role, template), Message(...) or History(...)")
