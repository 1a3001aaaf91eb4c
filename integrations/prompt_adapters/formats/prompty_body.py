r"""The body of a prompty: messages, the places of histories and media in them, and pictures.

======================================================  ================================================================
in the body                                             in the prompt
======================================================  ================================================================
a line ``user:``, ``# User:``, ``user[name="Bo"]:``     begins a message; before the first one the role is system. Roles
                                                        are system, developer, user and assistant. A name is kept where
                                                        the message has no variables
``{{ chat }}``, an input of kind thread                 ``History("chat")``; what stands around it are messages
``{{ photo }}``, an input of kind image, audio, file    a slot for media; inside a statement it stays in the template
Prompty 1: ``![alt](https://…)``, ``![alt](cat.png)``   an image: a link, or a file in the folder of the prompty
Prompty 1: ``![alt]({{ photo }})``                      a slot for an image
Prompty 1: ``![thread]``, and the usual loop over       ``History("thread")``, ``History("chat_history")``
``{{item.role}}:`` and ``{{item.content}}``
======================================================  ================================================================

The body is taken apart before anything is filled in, so no value can begin a message. Line breaks at both ends of a
message are left out, and so is a message without text. A message that begins inside a statement, and a name that one
message sets for another, have no place and are refused.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from prompt_adapters.blocks import Block
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Image, Text
from prompt_adapters.errors import MediaError, PromptFormatError, TemplateError
from prompt_adapters.formats.inline import url_block
from prompt_adapters.formats.prompty_references import Folder
from prompt_adapters.formats.prompty_sections import Section
from prompt_adapters.formats.template_tags import Context, SetNames, bare, has_sections, is_blank, tags_of
from prompt_adapters.patterns import Pattern
from prompt_adapters.templates import compile_template
from prompt_adapters.templates.formats import slot
from prompt_adapters.templates.scan import line_of
from prompt_adapters.turns import Entry, History, Turn

if TYPE_CHECKING:
    from prompt_adapters.formats.jinja_tags import Tag

KINDS = ("image", "audio", "document")  # of media that an input can be

_PICTURE = re.compile(r"!\[[^\[\]\r\n]*+\]\(([^()\"\r\n]*+)(?:\"[^\"\r\n]*+\")?+\)")
_THREAD = re.compile(r"^[ \t]*+!\[thread\][^\r\n]*+", re.MULTILINE)
_ALONE = {
    "jinja": re.compile(r"\{\{\s*+(\w+)\s*+\}\}"),
    "mustache": re.compile(r"\{\{[{&]?\s*+(\w+)\s*+\}{2,3}"),
}
_ITEM = r"\{{\{{-?\s*+\1(?:\.{0}|\[['\"]{0}['\"]\])\s*+-?\}}\}}"
_LOOP = re.compile(
    rf"\{{%-?\s*+for\s++(\w+)\s++in\s++(\w+)\s*+-?%\}}\s*+{_ITEM.format('role')}\s*+:\s*+"
    rf"{_ITEM.format('content')}\s*+\{{%-?\s*+endfor\s*+-?%\}}"
)

Piece: TypeAlias = str | Block | History


class Slots(NamedTuple):
    """The inputs that are more than text.

    Attributes:
        threads: Those of kind thread, and whether each must be given.
        media: Those that are media, with the kind.
        links: Those that have the address of a medium as their default.
    """

    threads: Mapping[str, bool]
    media: Mapping[str, str]
    links: frozenset[str] = frozenset()

    def block(self, name: str, kind: str, syntax: str) -> Block:
        """The block that an input gives: a slot, or a pattern that makes a medium of a URL."""
        if name in self.links:
            return Block(kind, pattern=Pattern(url_block(kind, slot(name, syntax))))
        return Block(kind, variable=name)


def entries_of(
    sections: Iterable[Section], slots: Slots, syntax: str, folder: Folder, *, legacy: bool
) -> tuple[list[Entry], list[str]]:
    """The entries that sections give, and the variables that stand in a place for pictures.

    Args:
        sections: The sections, with templates in `syntax`.
        slots: The inputs that are more than text.
        syntax: The syntax.
        folder: Where pictures are read.
        legacy: Whether it is Prompty 1.

    Raises:
        PromptFormatError: Something has no place in a prompt; the line is named.
        TemplateError: A template cannot be compiled.
    """
    entries: list[Entry] = []
    pictured: list[str] = []
    told: SetNames[int] = SetNames(syntax)
    for section in sections:
        try:
            cuts = Cuts(section, slots, syntax, folder, legacy=legacy)
            pictured += cuts.pictured
            _check_names(cuts.pieces, told, section.line)
            entries += _entries(section, cuts.pieces, syntax)
        except TemplateError as error:
            line = section.line + (error.line or 1) - 1
            raise PromptFormatError(None, line, error.reason) from error
    return entries, pictured


def _check_names(pieces: Iterable[Piece], told: SetNames[int], line: int) -> None:
    """Refuse a name that one template sets and another one needs, since each is filled by itself."""
    for piece in pieces:
        if isinstance(piece, str) and (needed := told.first_needed(piece, line)) is not None:
            raise PromptFormatError(
                None,
                line,
                f"the name {needed[0]!r}, which the message on line {needed[1]} sets, is needed in another message, "
                "and each stands by itself; set it there as well",
            )


def _entries(section: Section, pieces: list[Piece], syntax: str) -> Iterator[Entry]:
    role, name, *_ = section
    if name is not None:
        yield from _named(section, name, pieces, syntax)
        return
    content: list[Block] = []
    for piece in [*pieces, None]:
        match piece:
            case str():
                template = bare(piece, syntax)
                content += [Block("text", template=template)] if template else []
            case Block():
                content.append(piece)
            case History() | None:
                if (turn := _turn(role, content, syntax)) is not None:
                    yield turn
                content = []
                if piece is not None:
                    yield piece


def _turn(role: str, content: list[Block], syntax: str) -> Turn | None:
    if all(block.template is not None for block in content):
        text = "".join(block.template or "" for block in content).strip("\r\n")
        return None if is_blank(text, syntax) else Turn(role, text)
    return Turn(role, content, spaced=False)


def _named(section: Section, name: str, pieces: list[Piece], syntax: str) -> Iterator[Entry]:
    """The messages of a section whose speaker has a name; the slots of a prompt's turns have no place for one."""
    for piece in pieces:
        match piece:
            case History():
                yield piece
            case str() if is_blank(piece, syntax):
                pass
            case str() if not (template := compile_template(piece, syntax)).variables:
                text = "".join(part.text for part in template.render({}) if isinstance(part, Text)).strip("\r\n")
                if text:
                    yield Message(section.role, text, name=name)
            case _:
                reason = f"the message of {name!r} has variables, and only one without can have a name"
                raise PromptFormatError(None, section.line, f"{reason}; leave the name out")


_Cut: TypeAlias = tuple[int, int, Block | History]


class Cuts:
    """A section taken apart at the places of its histories and media.

    Attributes:
        pieces: Templates, blocks and histories, in order.
        pictured: The variables that stand in a place for pictures.
    """

    def __init__(self, section: Section, slots: Slots, syntax: str, folder: Folder, *, legacy: bool) -> None:
        self._section, self._slots, self._syntax, self._folder = section, slots, syntax, folder
        self._tags = tags_of(section.text, syntax)
        self.pictured: list[str] = []
        taken = sorted(self._legacy() if legacy else (), key=lambda cut: cut[0])
        if syntax in ("jinja", "mustache"):
            taken = sorted([*taken, *self._histories(taken)], key=lambda cut: cut[0])
            taken = sorted([*taken, *self._media(taken)], key=lambda cut: cut[0])
        else:
            self._check_text()
        self.pieces = self._apart(taken)

    def _apart(self, cuts: list[_Cut]) -> list[Piece]:
        text, last = self._section.text, 0
        pieces: list[Piece] = []
        for start, end, item in cuts:
            before = self._after(pieces, text[last:start])
            pieces += [before.rstrip("\r\n") if isinstance(item, History) else before, item]
            last = end
        return [*pieces, self._after(pieces, text[last:])]

    @staticmethod
    def _after(pieces: list[Piece], text: str) -> str:
        return text.lstrip("\r\n") if pieces and isinstance(pieces[-1], History) else text

    def _refused(self, position: int, reason: str) -> PromptFormatError:
        return PromptFormatError(None, self._section.line + line_of(self._section.text, position) - 1, reason)

    # Jinja and Mustache

    def _histories(self, taken: list[_Cut]) -> Iterator[_Cut]:
        threads = self._slots.threads
        names = {*threads, *(item.name for _, _, item in taken if isinstance(item, History))}
        for tag in self._free_tags(taken) if names else ():
            for name in _names_in(tag.words):
                if name in names:
                    if tag.kind != "expression" or len(tag.words) != 1 or tag.inside:
                        raise self._history_in_logic(name, tag)
                    yield tag.start, tag.end, History(name, required=threads.get(name, False))

    def _media(self, taken: list[_Cut]) -> Iterator[_Cut]:
        media = self._slots.media
        bounds = [cut[1] for cut in taken if isinstance(cut[2], History)]  # each message between is one template
        wholes: dict[int, bool] = {}
        for tag in self._free_tags(taken) if media else ():
            for name in _names_in(tag.words):
                if name not in media:
                    continue
                part = bisect_right(bounds, tag.start)
                if tag.kind == "expression" and len(tag.words) == 1 and not tag.inside:
                    if part not in wholes:
                        wholes[part] = self._is_whole(self._part(part, taken))
                    if not wholes[part]:
                        yield tag.start, tag.end, self._slots.block(name, media[name], self._syntax)
                        continue
                if name in self._slots.links:
                    reason = f"the input {name!r} has a default, and stands in a statement; give its medium as a value"
                    raise self._refused(tag.start, reason)

    def _free_tags(self, taken: list[_Cut]) -> Iterator[Tag]:
        for tag in self._tags:
            if tag.kind not in ("comment", "raw") and not _is_taken(tag.start, taken):
                yield tag

    def _part(self, number: int, taken: list[_Cut]) -> str:
        """The template of one message between histories, without its pictures."""
        text, last, passed = self._section.text, 0, 0
        kept: list[str] = []
        for start, end, item in [*taken, (len(text), len(text), None)]:
            kept += [text[last:start]] if passed == number else []
            last = end
            passed += isinstance(item, History)
        return "".join(kept)

    def _is_whole(self, text: str) -> bool:
        """Whether a template cannot be taken apart at its media, which then stay in it."""
        compile_template(text, self._syntax)
        if self._syntax == "mustache":
            return has_sections(text)
        from prompt_adapters.formats.jinja_tags import set_names  # Jinja takes long to import

        return bool(set_names(text))

    def _history_in_logic(self, name: str, tag: Tag) -> PromptFormatError:
        inside = tag.inside[-1] if tag.inside else tag.name
        return self._refused(
            tag.start, f"the messages of {name!r} stand in {inside}, which has no place; write {{{{ {name} }}}} alone"
        )

    # Other syntaxes

    def _check_text(self) -> None:
        if self._slots.threads or self._slots.media:
            for found in compile_template(self._section.text, self._syntax).variables:
                if found.name in self._slots.threads or found.name in self._slots.media:
                    reason = f"the input {found.name!r} is no text, and has a place in Jinja and Mustache only"
                    raise self._refused(0, reason)

    # Prompty 1

    def _legacy(self) -> Iterator[_Cut]:
        for found in self._outside(_THREAD, "![thread]"):
            yield *found.span(), History("thread", required=False)
        if self._syntax == "jinja":
            for found in self._outside(_LOOP, "the loop over a history"):
                yield *found.span(), History(found[2], required=False)
        for found in self._outside(_PICTURE, "an image"):
            target = found[1].strip()
            named = _ALONE[self._syntax].fullmatch(target) if self._syntax in _ALONE else None
            yield *found.span(), self._slot(named[1]) if named is not None else self._picture(target, found.start())

    def _outside(self, pattern: re.Pattern[str], what: str) -> Iterator[re.Match[str]]:
        """The places of something that has to stand outside of statements; those inside tags are text."""
        context = Context(self._tags)
        for found in pattern.finditer(self._section.text):
            if pattern is not _LOOP and context.tag(found.start()) is not None:
                continue
            if (around := context.statement(found.start())) is not None:
                raise self._refused(found.start(), f"{what} stands in {around}, which has no place; write it outside")
            yield found

    def _slot(self, name: str) -> Block:
        self.pictured.append(name)
        return self._slots.block(name, "image", self._syntax)

    def _picture(self, target: str, position: int) -> Block:
        if "{{" in target or compile_template(target, self._syntax).variables:
            reason = "the address of an image is made of variables; write {{ name }} alone, and give Image(...) for it"
            raise self._refused(position, reason)
        try:
            return Block("image", part=self._folder.media(Image, target.split(" ")[0]))
        except MediaError as error:
            raise self._refused(position, str(error)) from error
        except PromptFormatError as error:
            raise self._refused(position, error.reason) from error


def _is_taken(position: int, taken: list[_Cut]) -> bool:
    """Whether a place is in one of the cuts, which are in order."""
    number = bisect_right(taken, position, key=lambda cut: cut[0])
    return number > 0 and position < taken[number - 1][1]


def _names_in(words: tuple[str, ...]) -> list[str]:
    """The words of a tag that may be variables."""
    pairs = zip(("", *words), words, strict=False)
    return list(dict.fromkeys(word for before, word in pairs if before != "." and word.isidentifier()))
