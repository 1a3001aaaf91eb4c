"""What a prompt is written from: turns of text templates and blocks, and slots for a history."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, TypeAlias, get_args

from prompt_adapters.content.data import part_from_data, part_to_data
from prompt_adapters.content.message import ROLES, Message, Role
from prompt_adapters.content.parts import MEDIA_PARTS, MediaPart, Part, Text, as_part
from prompt_adapters.content.read import ROLE_ALIASES
from prompt_adapters.content.value import Value
from prompt_adapters.errors import MissingVariableError, TemplateError
from prompt_adapters.templates import Slot, compile_template
from prompt_adapters.variables import malformed

TEMPLATE_ROLES = tuple(role for role in get_args(Role) if role != "tool")
_NAME = re.compile(r"\w+")


class History(Value):
    """A slot for earlier messages, filled from the variable of its name.

    The value is a list of `Message`, role/content dictionaries, (role, text) pairs or LangChain messages.

    Attributes:
        name: The variable's name.
        required: Whether it must be given; an optional history that is not given is empty.
    """

    __slots__ = ("name", "required")
    _compared: ClassVar = ("name", "required")
    name: str
    required: bool

    def __init__(self, name: str, *, required: bool = True) -> None:
        self._set(name=name, required=required)
        self._check()

    def _check(self) -> None:
        if not isinstance(self.name, str) or not _NAME.fullmatch(self.name):
            raise malformed(f"a history is called by a name, not {self.name!r}")


class Block(Value):
    """One block of a turn: a text template, a slot for media, or a fixed part.

    Attributes:
        type: text, image, audio, video or document.
        template: The text template, in a text block.
        variable: The variable that brings the media, in a slot; a list gives all its elements.
        index: Which element of the list, counted from 0; None for all.
        part: The part, in a fixed block.
        cache: Whether a cacheable prefix ends with this block.
    """

    __slots__ = ("cache", "index", "part", "template", "type", "variable")
    _compared: ClassVar = ("type", "template", "variable", "index", "part", "cache")
    type: str
    template: str | None
    variable: str | None
    index: int | None
    part: Part | None
    cache: bool

    def __init__(
        self,
        type: str,  # noqa: A002 - the key of the block contract
        *,
        template: str | None = None,
        variable: str | None = None,
        index: int | None = None,
        part: Part | None = None,
        cache: bool = False,
    ) -> None:
        self._set(type=type, template=template, variable=variable, index=index, part=part, cache=cache)
        self._check()

    def _check(self) -> None:
        if self.type not in ("text", *MEDIA_PARTS, "tool_call", "tool_result"):
            raise malformed(f"{self.type!r} is not a type of block")
        if [self.template, self.variable, self.part].count(None) != 2:
            raise malformed(f"a {self.type} block holds a template, a variable or a part")
        if self.template is not None and not isinstance(self.template, str):
            raise malformed(f"a block's template is a text, not {type(self.template).__name__}")
        if self.variable is not None and not (isinstance(self.variable, str) and self.variable):
            raise malformed(f"a block's variable is called by a name, not {self.variable!r}")
        if self.index is not None and (
            not isinstance(self.index, int) or isinstance(self.index, bool) or self.index < 0
        ):
            raise malformed(f"the index of variable {self.variable!r} counts from 0, so it cannot be {self.index!r}")

    @classmethod
    def read(cls, block: object, where: str) -> Block:
        """A block from what people write.

        Args:
            block: A text, a part, or a dictionary of the block contract: ``{"type": "text", "content": template}``,
                ``{"type": "image", "variable": name, "index": number}`` or ``{"type": "image", "content": Image(…)}``.
            where: What an error calls it.

        Raises:
            PromptFormatError: It is none of these.
        """
        if isinstance(block, Block):
            return block
        if isinstance(block, str):
            return cls("text", template=block)
        if (part := as_part(block)) is not None:
            return cls(part.kind, part=part)
        if not isinstance(block, Mapping):
            raise malformed(f"{where} is {type(block).__name__}, neither text, a part nor a block")
        if unknown := block.keys() - {"type", "content", "variable", "index", "cache"}:
            raise malformed(f"{where} has the unknown key {sorted(map(str, unknown))[0]!r}")
        kind, cache = block.get("type"), bool(block.get("cache"))
        if kind == "text" and isinstance(content := block.get("content"), str):
            return cls("text", template=content, cache=cache)
        if kind in MEDIA_PARTS and "variable" in block and "content" not in block:
            return cls(kind, variable=block["variable"], index=block.get("index"), cache=cache)
        fixed = as_part(block.get("content"))
        if kind is not None and fixed is not None and fixed.kind == kind:
            return cls(kind, part=fixed.replace(cache=True) if cache else fixed)
        raise malformed(
            f"{where} is not a block: write {{'type': 'text', 'content': template}}, "
            "{'type': 'image', 'variable': name} or {'type': 'image', 'content': Image(...)}"
        )

    def slots(self, syntax: str) -> tuple[Slot, ...]:
        """The variables of the block, in order of appearance."""
        if self.template is not None:
            return compile_template(self.template, syntax).variables
        return () if self.variable is None else (Slot(self.variable, required=True),)

    def render(self, syntax: str, values: Mapping[str, Any], absent: frozenset[str]) -> tuple[Part, ...]:
        """The parts that the block gives for these values."""
        parts: tuple[Part, ...]
        if self.template is not None:
            parts = compile_template(self.template, syntax).render(values, absent=absent)
        elif self.variable is not None:
            parts = self._media(values, absent)
        else:
            parts = () if self.part is None else (self.part,)
        return (*parts[:-1], parts[-1].replace(cache=True)) if self.cache and parts else parts

    def _media(self, values: Mapping[str, Any], absent: frozenset[str]) -> tuple[MediaPart, ...]:
        name = str(self.variable)
        value = values.get(name)
        if value is None:
            if name in absent:
                return ()
            raise MissingVariableError([name])
        if self.index is None:
            elements = value if isinstance(value, list | tuple) else (value,)
            return tuple(self._medium(element) for element in elements)
        if not isinstance(value, list | tuple):
            raise TemplateError(
                f"variable {name!r} must be a list of {self.type}s, since element {self.index} is asked for"
            )
        if self.index >= len(value):
            raise TemplateError(f"variable {name!r} has {len(value)} element(s); there is no index {self.index}")
        return (self._medium(value[self.index]),)

    def _medium(self, value: object) -> MediaPart:
        cls = MEDIA_PARTS[self.type]
        part = as_part(value)
        if isinstance(part, cls):
            return part
        # Bytes and pictures are media by nature; a string or path is not, or a value could choose which file is read.
        if part is None and (isinstance(value, bytes | bytearray) or type(value).__module__.startswith("PIL.")):
            return cls(value)  # type: ignore[arg-type]  # the constructor refuses what it cannot read
        got = f"{part.kind} content" if part is not None else type(value).__name__
        raise TemplateError(
            f"variable {self.variable!r} must hold {self.type} content, not {got}; use {cls.__name__}(...)"
        )

    def to_data(self) -> dict[str, Any]:
        """As JSON data."""
        data = {
            name: value
            for name in ("type", "template", "variable", "index")
            if (value := getattr(self, name)) is not None
        }
        data |= {"part": part_to_data(self.part)} if self.part is not None else {}
        return data | ({"cache": True} if self.cache else {})

    @classmethod
    def from_data(cls, data: Any, where: str) -> Block:
        """From JSON data; the opposite of `to_data`."""
        if not isinstance(data, Mapping):
            raise malformed(f"{where} is {type(data).__name__}, not an object")
        fields = dict(data)
        if "part" in fields:
            fields["part"] = part_from_data(fields["part"], f"{where}, part")
        try:
            return cls(fields.pop("type"), **fields)
        except (KeyError, TypeError):
            raise malformed(f"{where} is a malformed block") from None


class Turn(Value):
    """A turn that is rendered: its role and a text template or blocks.

    The role comes from here and never from rendered text.

    Attributes:
        role: system, developer, user or assistant.
        content: A text template, or blocks.
    """

    __slots__ = ("content", "role")
    _compared: ClassVar = ("role", "content")
    role: Role
    content: str | tuple[Block, ...]

    def __init__(self, role: str, content: object) -> None:
        role = ROLE_ALIASES.get(role, role) if isinstance(role, str) else role
        if role not in TEMPLATE_ROLES:
            known = ", ".join(ROLES)
            raise malformed(
                f"a turn's role is one of {', '.join(TEMPLATE_ROLES)}, not {role!r}"
                if role in ROLES
                else f"{role!r} is not a role; the roles are {known}"
            )
        if not isinstance(content, str):
            if isinstance(content, Mapping) or not isinstance(content, Iterable):
                content = (content,)
            content = tuple(Block.read(block, f"{role} block {number}") for number, block in enumerate(content, 1))
        self._set(role=role, content=content)

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The content as blocks."""
        return (Block("text", template=self.content),) if isinstance(self.content, str) else self.content

    @property
    def template(self) -> str:
        """The text templates of the turn, joined."""
        return "".join(block.template or "" for block in self.blocks)

    def slots(self, syntax: str) -> tuple[Slot, ...]:
        """The variables of the turn, in order of appearance."""
        return tuple(slot for block in self.blocks for slot in block.slots(syntax))

    def render(
        self,
        syntax: str,
        values: Mapping[str, Any],
        absent: frozenset[str],
        separators: Mapping[tuple[str, str], str] | None,
    ) -> tuple[Part, ...]:
        """The parts for these values; between the parts of different blocks stand their separators."""
        if isinstance(self.content, str):
            return compile_template(self.content, syntax).render(values, absent=absent)
        return separated([block.render(syntax, values, absent) for block in self.content], separators)

    def to_data(self) -> dict[str, Any]:
        """As JSON data."""
        if isinstance(self.content, str):
            return {"role": self.role, "template": self.content}
        return {"role": self.role, "blocks": [block.to_data() for block in self.content]}

    @classmethod
    def from_data(cls, data: Mapping[str, Any], where: str) -> Turn:
        """From JSON data; the opposite of `to_data`."""
        if "template" in data:
            return cls(data.get("role", ""), data["template"])
        blocks = [Block.from_data(block, f"{where}, block {n}") for n, block in enumerate(data.get("blocks") or (), 1)]
        return cls(data.get("role", ""), blocks)


def separated(
    rendered: Iterable[tuple[Part, ...]], separators: Mapping[tuple[str, str], str] | None = None
) -> tuple[Part, ...]:
    """Join the parts of a block list, with the separator of their kinds between neighbours.

    Inside one block the author's own whitespace stands; several media from one slot are neighbours of their own.
    """
    from prompt_adapters.templates.separators import get_separator

    def between(last: Part, current: Part) -> str:
        rule = None if separators is None else separators.get((last.kind, current.kind), "\n")
        return get_separator(last.kind, current.kind) if rule is None else rule

    parts: list[Part] = []
    for block in rendered:
        for number, part in enumerate(block):
            inside = number > 0 and (isinstance(part, Text) or isinstance(parts[-1], Text))
            if parts and not inside and (separator := between(parts[-1], part)):
                parts.append(Text(separator))
            parts.append(part)
    return tuple(parts)


Entry: TypeAlias = Turn | Message | History
