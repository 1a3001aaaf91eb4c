"""How a dotprompt file writes the entries of a prompt; the opposite of `dotprompt_body`.

What is written is read back, so that it says what was meant; what has no word is named.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from prompt_adapters.blocks import Block
from prompt_adapters.content.encoded import data_url_of
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import MediaPart, Part, Text
from prompt_adapters.content.read_blocks import cache_mark
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.dotprompt_body import HISTORY, MARKER, read_body
from prompt_adapters.formats.handlebars_text import Piece, Written, write
from prompt_adapters.formats.holding import EMPTY, Kept, block_word, literal_turn
from prompt_adapters.formats.picoschema import Schema, inner, kind_of, loose_schema, write_schema
from prompt_adapters.formats.translate import comment_lines
from prompt_adapters.patterns import Pattern
from prompt_adapters.prompt import Prompt
from prompt_adapters.templates.formats import escaped
from prompt_adapters.templates.separators import get_separator
from prompt_adapters.turns import Entry, History, Turn

_ROLES: Mapping[str, str] = {"system": "system", "user": "user", "assistant": "model"}
_EXTRAS = ("detail", "name", "title", "start", "end", "fps")
_URLS = ("image_url", "audio_url", "video_url", "document_url")
_MARKED = f"a text with {MARKER!r}, which Google's library takes for a mark of its own"


class Item(NamedTuple):
    """A text, a part or a pattern of a turn, with the text and tags that say it.

    Attributes:
        content: A Jinja template, a part, or a pattern, as it is read back.
        pieces: The text and tags.
        losses: What is lost of it.
    """

    content: str | Part | Pattern
    pieces: list[Piece]
    losses: tuple[str, ...] = ()


class Words:
    """How a file writes entries.

    Args:
        schema: The JSON Schema of its variables.
        optional: Variables that may be left out and have no default.
        slots: Variables that templates use.
    """

    def __init__(self, schema: Schema | None, optional: Collection[str], slots: Collection[str]) -> None:
        self._schema = schema
        self._optional = optional
        self._slots = slots

    @classmethod
    def of(cls, prompt: Prompt) -> Words:
        """The words for a prompt, what is declared of whose variables is held already."""
        own = prompt.metadata.get("input", {}).get("schema")
        schema = loose_schema(own or write_schema(prompt.declared) or None)
        optional = [v.name for v in prompt.variables if not v.required and not v.has_default]
        turns = (entry for entry in prompt.messages if isinstance(entry, Turn))
        slots = {slot.name for turn in turns for slot in turn.slots(prompt.syntax)}
        return cls(schema, optional, slots)

    def keep(self, entry: Entry, place: str) -> Kept:
        """An entry as it is read back, and what that loses."""
        match entry:
            case History():
                return self._history(entry, place)
            case Message():
                return self._message(entry, place)
            case Turn():
                return self._turn(entry, place)

    def pieces(self, entry: Entry) -> list[Piece]:
        """The text and tags of an entry that `keep` gave."""
        if isinstance(entry, History):
            return [Written("history")]
        assert isinstance(entry, Turn)  # noqa: S101 - `keep` makes turns of messages
        items, _ = self._items(entry, "")
        return [_role_tag(entry.role), *(piece for item in items for piece in item.pieces)]

    def _history(self, entry: History, place: str) -> Kept:
        if HISTORY in self._slots:
            return None, [f"{place}, as {HISTORY!r} is the name of a variable as well"]
        losses = [] if entry.name == HISTORY else [f"{place}: its name, which is {HISTORY!r} in every file"]
        losses += [f"{place}: that it must be given"] if entry.required else []
        losses += [f"{place}: that only the last {entry.last} are taken"] if entry.last is not None else []
        return History(HISTORY, required=False), losses

    def _message(self, entry: Message, place: str) -> Kept:
        if entry.role == "tool":
            return None, [f"{place}, the result of a tool"]
        losses = [f"{place}: its name {entry.name!r}"] if entry.name is not None else []
        losses += [f"{place}: the end of a cacheable prefix"] if entry.cache else []
        parts = [part for part in entry.parts if isinstance(part, Text | MediaPart)]
        losses += [f"{place}: its tool calls and results"] if len(parts) < len(entry.parts) else []
        turn = literal_turn(Message(entry.role, parts), "jinja")
        assert isinstance(turn, Turn)  # noqa: S101 - nothing is left that a turn cannot say
        kept, more = self._turn(turn, place)
        return kept, [*losses, *more]

    def _turn(self, turn: Turn, place: str) -> Kept:
        role = "system" if turn.role == "developer" else turn.role
        losses = [f"{place}: the role {turn.role!r}"] if role != turn.role else []
        items, more = self._items(turn, place)
        if not items:
            return None, [*losses, *(more or [f"{place}, which is empty"])]
        pieces = [piece for item in items for piece in item.pieces]
        (kept,) = read_body(write([_role_tag(role), *pieces]), self._schema).entries
        return kept, [*losses, *more]

    # The items of a turn

    def _items(self, turn: Turn, place: str) -> tuple[list[Item], list[str]]:
        """What a turn holds, as it is read back, and what is lost."""
        found: list[Item] = []
        losses: list[str] = []
        before: Block | None = None
        for number, block in enumerate(turn.blocks, 1):
            where = place if isinstance(turn.content, str) else f"{place}, block {number}"
            try:
                item = self._item(block)
            except PromptFormatError as error:
                losses.append(f"{where}: {error.reason}")
                continue
            losses += [f"{where}: {loss}" for loss in item.losses]
            if item.content == "" and block.template is not None:
                continue
            if item.content == "":
                losses.append(f"{where}: {EMPTY}")
                if not turn.spaced:
                    continue
            if turn.spaced and isinstance(item.content, Pattern):
                losses.append(f"{where}: what stands between media that one variable brings")
            between = get_separator(before.type, block.type) if turn.spaced and before is not None else ""
            found += [self._text(escaped(between, "jinja"))] if between else []
            before = block
            found.append(item)
        merged = list(_merged(found))
        kept = [item for item in merged if not isinstance(item.content, str) or item.content.strip()]
        if kept and len(kept) < len(merged):
            losses.append(f"{place}: blanks that stand alone beside its media")
        return kept, losses

    def _item(self, block: Block) -> Item:
        """A block as a file says it.

        Raises:
            PromptFormatError: There is no word for it.
        """
        part = block.part
        losses = ["the end of a cacheable prefix"] if block.cache or (part is not None and part.cache) else []
        if block.template is not None:
            losses += [f"a comment on line {line}" for line in comment_lines(block.template, "jinja")]
            item = self._text(block.template)
        elif isinstance(part, Text):
            item = self._text(escaped(part.text, "jinja"))
        elif isinstance(part, MediaPart):
            item = self._part(part)
        elif block.pattern is not None:
            item = self._pattern(block.pattern)
        elif block.variable is not None and block.index is None:
            losses += [f"that the values of {block.variable!r} are {block.type} content"]
            item = self._pattern(Pattern({"type": "file", "url": f"{{{{ {block.variable} }}}}"}))
        else:
            raise PromptFormatError(None, None, block_word(block))
        return item._replace(losses=(*losses, *item.losses))

    def _text(self, template: str) -> Item:
        from prompt_adapters.formats.dotprompt_writing import HandlebarsWriter, shape  # Jinja takes long to import

        writer = HandlebarsWriter(self._schema)
        pieces = writer.pieces(template)
        body = write([_role_tag("user"), *pieces])
        if MARKER in body:
            raise PromptFormatError(None, None, _MARKED)
        match read_body(body, self._schema).entries:
            case ():
                return Item("".join(piece for piece in pieces if isinstance(piece, str)), pieces)
            case (Turn(content=str() as content),) if writer.differences or shape(content) == shape(template):
                return Item(content, pieces, tuple(writer.differences))
        raise PromptFormatError(None, None, f"the template {template[:40]!r}, which would be read otherwise")

    # Media

    def _part(self, part: MediaPart) -> Item:
        match part.source:
            case Inline() as source:
                url, mime = data_url_of(source), None
            case Link(url=url, mime=mime):
                pass
            case Uploaded():
                raise PromptFormatError(None, None, f"{part.kind} content that a provider holds")
        item = self._media(_quoted(url), None if mime is None else _quoted(mime))
        plain = {name: None for name in _EXTRAS if getattr(part, name, None) is not None}
        if item.content == part.replace(cache=False):
            return item
        if item.content == part.replace(cache=False, **plain):
            return item._replace(losses=(f"the {', '.join(plain)} of its {part.kind} content",))
        if isinstance(item.content, MediaPart) and item.content.kind == part.kind:
            return item._replace(losses=(f"the type of its {part.kind} content, as it was labelled",))
        raise PromptFormatError(None, None, f"{part.kind} content whose URL does not tell what it is")

    def _pattern(self, pattern: Pattern) -> Item:
        data = pattern.data
        url, losses = _url_of(data)
        mime = data.get("mime_type")
        if not isinstance(url, str) or not isinstance(mime, str | None):
            raise PromptFormatError(None, None, pattern.describe())
        subject = pattern.medium("jinja")
        address = self._argument(url, pattern)
        kind = None if mime is None else self._argument(mime, pattern)
        if subject is not None and kind_of(inner(self._schema, subject)) == "array":
            # Inside a loop the other variables are the root's.
            kind = kind if kind is None or kind[:1] in "\"'" else f"@root.{kind}"
            item = self._media("this", kind, block=f"each {address}")
        elif subject is not None and subject in self._optional:
            item = self._media(address, kind, block=f"if {address}")
        else:
            item = self._media(address, kind)
        if isinstance(item.content, Pattern) and pattern.kind not in (None, item.content.kind):
            losses += [f"that it gives {pattern.kind} content"]
        return item._replace(losses=tuple(losses))

    def _argument(self, template: str, pattern: Pattern) -> str:
        """The argument of a tag for a template that is one value, or a text."""
        from prompt_adapters.formats.dotprompt_writing import HandlebarsWriter  # Jinja takes long to import

        match HandlebarsWriter(self._schema).pieces(template):
            case [Written(inside=inside)] if " " not in inside:
                return inside
            case [str() as text]:
                return _quoted(text)
        raise PromptFormatError(None, None, f"{pattern.describe()}, whose address is put together")

    def _media(self, url: str, mime: str | None, *, block: str | None = None) -> Item:
        """A medium as it is read back."""
        pieces: list[Piece] = [Written(f"media url={url}" + ("" if mime is None else f" contentType={mime}"))]
        if block is not None:
            pieces = [Written(f"#{block}", is_block=True), *pieces, Written(f"/{block.split()[0]}", is_block=True)]
        (entry,) = read_body(write(pieces), self._schema).entries
        assert isinstance(entry, Turn)  # noqa: S101 - a medium begins a turn
        (made,) = entry.blocks
        content = made.part if made.part is not None else made.pattern
        assert content is not None  # noqa: S101 - the block is a medium
        return Item(content, pieces)


def _role_tag(role: str) -> Written:
    return Written(f'role "{_ROLES.get(role, role)}"')


def _quoted(text: str) -> str:
    """A text as an argument of a tag.

    Raises:
        PromptFormatError: It has characters that end it, or the mark that Google's library makes of it.
    """
    mark = next((mark for mark in "\"'" if mark not in text), None)
    if mark is None or "\\" in text or "}}" in text or ">>>" in text or not text.isprintable() or " " in text:
        raise PromptFormatError(None, None, f"the address or type {text[:40]!r}, whose characters end a tag")
    return f"{mark}{text}{mark}"


def _url_of(data: Mapping[str, Any]) -> tuple[Any, list[str]]:
    """The address in a block of another library, and what of the block is lost."""
    losses = ["the end of a cacheable prefix"] if cache_mark(data) else []
    others = data.keys() - {"type", "cache", "cache_control"}
    for word in _URLS:
        if word in data:
            inner_data = data[word] if isinstance(data[word], Mapping) else {"url": data[word]}
            lost = sorted((others - {word}) | (inner_data.keys() - {"url"}))
            return inner_data.get("url"), losses + [f"its {key!r}" for key in lost]
    return data.get("url"), losses + [f"its {key!r}" for key in sorted(others - {"url", "mime_type"})]


def _merged(items: list[Item]) -> Iterator[Item]:
    """The items, texts that follow one another made one."""
    run: list[Item] = []
    for item in items:
        if isinstance(item.content, str):
            run.append(item)
            continue
        yield from _joined(run)
        run = []
        yield item
    yield from _joined(run)


def _joined(run: list[Item]) -> Iterator[Item]:
    if run:
        yield Item("".join(str(item.content) for item in run), [piece for item in run for piece in item.pieces])
