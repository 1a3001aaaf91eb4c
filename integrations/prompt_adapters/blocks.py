"""The blocks of a turn, and the places that errors name."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Mapping
from typing import Any, ClassVar

from prompt_adapters.content.data import part_from_data, part_to_data
from prompt_adapters.content.parts import MEDIA_PARTS, MediaPart, Part, as_part
from prompt_adapters.content.value import Value
from prompt_adapters.errors import (
    MediaError,
    MissingVariableError,
    PromptAdapterError,
    PromptFormatError,
    TemplateError,
)
from prompt_adapters.patterns import Pattern, is_raw
from prompt_adapters.templates import Slot, compile_template
from prompt_adapters.variables import malformed

_BLOCK_PLACE = re.compile(r"block \d+[,:] ")
# A pattern whose media type only its values tell gives "media".
_BLOCKS = ("text", *MEDIA_PARTS, "tool_call", "tool_result", "media")


class Block(Value):
    """One block of a turn: a text template, a slot for media, a fixed part, or a pattern.

    Attributes:
        type: text, image, audio, video or document.
        template: The text template, in a text block.
        variable: The variable that brings the media, in a slot; a list gives all its elements.
        index: Which element of the list, counted from 0; None for all.
        part: The part, in a fixed block.
        pattern: A block in another library's words whose texts are templates.
        cache: Whether a cacheable prefix ends with this block.
    """

    __slots__ = ("cache", "index", "part", "pattern", "template", "type", "variable")
    _compared: ClassVar = ("type", "template", "variable", "index", "part", "pattern", "cache")
    type: str
    template: str | None
    variable: str | None
    index: int | None
    part: Part | None
    pattern: Pattern | None
    cache: bool

    def __init__(
        self,
        type: str,  # noqa: A002 - the key of the block contract
        *,
        template: str | None = None,
        variable: str | None = None,
        index: int | None = None,
        part: Part | None = None,
        pattern: Pattern | None = None,
        cache: bool = False,
    ) -> None:
        self._set(type=type, template=template, variable=variable, index=index, part=part, pattern=pattern, cache=cache)
        self._check()

    def _check(self) -> None:
        if self.type not in _BLOCKS:
            raise malformed(f"{reprlib.repr(self.type)} is not a type of block; the types are {', '.join(_BLOCKS)}")
        if [self.template, self.variable, self.part, self.pattern].count(None) != 3:
            raise malformed(f"a block of type {self.type} holds one of a template, a variable, a part and a pattern")
        if not isinstance(self.cache, bool):
            raise malformed(f"a block's cache is true or false, not {reprlib.repr(self.cache)}")
        if self.index is not None and (type(self.index) is not int or self.index < 0 or self.variable is None):
            shown = reprlib.repr(self.index)
            raise malformed(f"an index counts the elements of a variable from 0, so it cannot be {shown}")
        if self.pattern is not None:
            fits = isinstance(self.pattern, Pattern) and (self.pattern.kind or "media") == self.type
        elif self.part is not None:
            fits = as_part(self.part) is self.part and self.part.kind == self.type
        elif self.variable is not None:
            fits = isinstance(self.variable, str) and self.variable != "" and self.type in MEDIA_PARTS
        else:
            fits = isinstance(self.template, str) and self.type == "text"
        if not fits:
            raise malformed(
                f"a block of type {self.type} cannot hold that: text blocks hold a template, media blocks the name of "
                "a variable, and fixed ones a part of their type"
            )

    @classmethod
    def read(cls, block: object, where: str) -> Block:
        """A block from what people write.

        Args:
            block: A text, a part, a `Pattern`, or a dictionary of the block contract:
                ``{"type": "text", "content": template}``,
                ``{"type": "image", "variable": name, "index": number}`` or ``{"type": "image", "content": Image(…)}``.
            where: What an error calls it.

        Raises:
            PromptFormatError: It is none of these.
        """
        if isinstance(block, Block):
            return block
        if isinstance(block, str):
            return cls("text", template=block)
        if isinstance(block, Pattern):
            return cls(block.kind or "media", pattern=block)
        if (part := as_part(block)) is not None:
            return cls(part.kind, part=part)
        if not isinstance(block, Mapping):
            raise malformed(
                f"{where} is {type(block).__name__}, neither text, a part nor a block; wrap media, as Image(...)"
            )
        if unknown := block.keys() - {"type", "content", "variable", "index", "cache"}:
            raise malformed(f"{where} has the unknown key {sorted(map(str, unknown))[0]!r}")
        try:
            found = cls._of(**block)
        except PromptFormatError as error:
            raise malformed(f"{where}: {error.reason}") from None
        if found is None:
            raise malformed(
                f"{where} is not a block: write {{'type': 'text', 'content': template}}, "
                "{'type': 'image', 'variable': name} or {'type': 'image', 'content': Image(...)}"
            )
        return found

    @classmethod
    def _of(
        cls,
        type: object = None,  # noqa: A002 - the key of the block contract
        content: object = None,
        variable: Any = None,
        index: int | None = None,
        cache: bool = False,
    ) -> Block | None:
        if not isinstance(type, str) or (content is None) == (variable is None):
            return None
        if isinstance(content, str):
            return cls(type, template=content, index=index, cache=cache) if type == "text" else None
        if variable is not None:
            return cls(type, variable=variable, index=index, cache=cache)
        part = as_part(content)
        return None if part is None else cls(type, part=part, index=index, cache=cache)

    @property
    def templates(self) -> tuple[str, ...]:
        """The texts of the block that are templates."""
        if self.pattern is not None:
            return self.pattern.templates
        return () if self.template is None else (self.template,)

    def slots(self, syntax: str) -> tuple[Slot, ...]:
        """The variables of the block, in order of appearance."""
        if self.template is not None:
            return compile_template(self.template, syntax).variables
        if self.pattern is not None:
            return self.pattern.slots(syntax)
        return () if self.variable is None else (Slot(self.variable, required=True),)

    def render(self, syntax: str, values: Mapping[str, Any], absent: frozenset[str]) -> tuple[Part, ...]:
        """The parts that the block gives for these values."""
        parts: tuple[Part, ...]
        if self.template is not None:
            parts = compile_template(self.template, syntax).render(values, absent=absent)
        elif self.variable is not None:
            parts = self._media(values, absent)
        elif self.pattern is not None:
            parts = self.pattern.render(syntax, values, absent)
        else:
            parts = () if self.part is None else (self.part,)
        return marked(parts) if self.cache and parts else parts

    def _media(self, values: Mapping[str, Any], absent: frozenset[str]) -> tuple[MediaPart, ...]:
        name = str(self.variable)
        value = values.get(name)
        if value is None:
            if name in absent:
                return ()
            raise MissingVariableError([name])
        if self.index is None:
            elements = enumerate(value) if isinstance(value, list | tuple) else [(None, value)]
            return tuple(self._medium(element, index) for index, element in elements)
        if not isinstance(value, list | tuple):
            raise TemplateError(
                f"variable {name!r} must be a list of {self.type} content, since element {self.index} is asked for, "
                f"not {type(value).__name__}"
            )
        if self.index >= len(value):
            raise TemplateError(f"variable {name!r} has {len(value)} element(s); there is no index {self.index}")
        return (self._medium(value[self.index], self.index),)

    def _medium(self, value: object, index: int | None) -> MediaPart:
        cls = MEDIA_PARTS[self.type]
        where = f"variable {self.variable!r}" + ("" if index is None else f", element {index}")
        try:
            part = as_part(value)
            if part is None and is_raw(value):
                return cls(value)  # type: ignore[arg-type]  # the constructor refuses what it cannot read
        except MediaError as error:
            raise type(error)(f"{where}: {error}") from None
        except Exception as error:
            raise TemplateError(f"{where} cannot be read: {type(error).__name__}: {error}") from error
        if isinstance(part, cls):
            return part
        got = f"{part.kind} content" if part is not None else type(value).__name__
        raise TemplateError(f"{where} must hold {self.type} content, not {got}; use {cls.__name__}(...)")

    def to_data(self) -> dict[str, Any]:
        """As JSON data."""
        data = {
            name: value
            for name in ("type", "template", "variable", "index")
            if (value := getattr(self, name)) is not None
        }
        data |= {"part": part_to_data(self.part)} if self.part is not None else {}
        data |= {"pattern": self.pattern.data} if self.pattern is not None else {}
        return data | ({"cache": True} if self.cache else {})

    @classmethod
    def from_data(cls, data: Any, where: str) -> Block:
        """From JSON data; the opposite of `to_data`."""
        if not isinstance(data, Mapping):
            raise malformed(f"{where} is {type(data).__name__}, not an object")
        fields = dict(data)
        if fields.get("part") is not None:
            fields["part"] = part_from_data(fields["part"], f"{where}, part")
        try:
            if fields.get("pattern") is not None:
                fields["pattern"] = Pattern(fields["pattern"])
            return cls(fields.pop("type"), **fields)
        except (KeyError, TypeError):
            raise malformed(f"{where} is a malformed block") from None
        except PromptFormatError as error:
            raise malformed(f"{where}: {error.reason}") from None


def marked(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts, with the end of a cacheable prefix after the last."""
    return (*parts[:-1], parts[-1].replace(cache=True))


def _led(place: str, reason: str) -> str:
    return f"{place}, {reason}" if _BLOCK_PLACE.match(reason) else f"{place}: {reason}"


def placed(error: PromptAdapterError, place: str) -> PromptAdapterError:
    """The same error, which says in which place of the prompt it is.

    Args:
        error: What a template or a value raised.
        place: As ``"message 2 (user)"``, or ``"block 1"`` in it.
    """
    match error:
        case TemplateError():
            named: PromptAdapterError = error.at(place)
        case MediaError():
            named = type(error)(_led(place, str(error)))
        case PromptFormatError():
            named = PromptFormatError(None, error.line, _led(place, error.reason))
        case _:
            named = error
    named.__cause__ = error.__cause__
    return named.with_traceback(error.__traceback__)
