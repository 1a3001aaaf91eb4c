"""Chat templates of banks taken apart; see `banks`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from prompt_adapters.blocks import Block
from prompt_adapters.content.parts import Text
from prompt_adapters.errors import MediaError, PromptFormatError, TemplateError
from prompt_adapters.formats.inline import is_link, medium_at
from prompt_adapters.formats.jinja_tags import Tag, tags, untrimmed
from prompt_adapters.formats.template_tags import SetNames, bare, is_blank
from prompt_adapters.templates import compile_template
from prompt_adapters.templates.formats import escaped
from prompt_adapters.templates.scan import line_of
from prompt_adapters.turns import Turn
from prompt_adapters.variables import Variable

MEDIA = ("image", "audio", "video", "document")
ROLES = ("system", "user", "assistant")
CACHE = "cache_control"
_CHAT, _COMPLETION = "{% chat %}", "{% completion %}"
_REFUSED = {
    "lemmatize": "changes words with a library that is not here; give the variable with its words changed",
    "to_xml": "writes values in banks' own XML; give the variable as text",
    "tool": "describes a function to a model that is called while rendering; give tools to the call",
}

_Cut: TypeAlias = tuple[int, int, Block]


class _Chat(NamedTuple):
    """A message as it stands in the file: its role, its source, and the line on which that begins."""

    role: str
    text: str
    line: int


def read_chats(text: str) -> tuple[list[Turn], list[Variable]]:
    """The turns of a chat template, and the variables that may be left out.

    Raises:
        PromptFormatError: Something has no place in a prompt; its name and line are said.
        TemplateError: The template cannot be taken apart.
    """
    turns: list[Turn] = []
    optional: dict[str, Variable] = {}
    for chat in _chats(text):
        _Reader(chat.text, chat.line).pieces()  # which says what is wrong, by the lines of the file
        reader = _Reader(bare(untrimmed(chat.text.strip()), "jinja").strip(), chat.line)
        blocks = reader.pieces()
        optional |= {name: Variable(name, required=False) for name in reader.optional}
        if (turn := _turn(chat.role, blocks)) is not None:
            turns.append(turn)
    return turns, list(optional.values())


def _turn(role: str, blocks: list[Block]) -> Turn | None:
    if len(blocks) == 1 and blocks[0].template is not None and not blocks[0].cache:
        return Turn(role, blocks[0].template)
    return Turn(role, blocks, spaced=False) if blocks else None


# Messages


def _chats(text: str) -> Iterator[_Chat]:
    found = tags(text, openers=("chat", "completion"))
    begins = [tag for tag in found if tag.kind == "statement" and tag.words[:1] == ("chat",)]
    for tag in found:
        if tag.name == _COMPLETION:
            raise _refused(tag.line, f"{_COMPLETION} calls a model while the prompt is rendered, and has no place")
    if not begins:
        yield _Chat("user", text, 1)
        return
    last, role, begin = 0, "", None
    for tag in begins:
        if tag.inside:
            remedy = "write out the messages, or give earlier ones as a History(...)"
            raise _refused(tag.line, f"a message begins inside {tag.inside[-1]}, which a prompt cannot have; {remedy}")
    for tag in found:
        if tag.name == _CHAT:
            _check_blank(text, last, tag.start)
            begin, role = tag, _role(tag)
        elif begin is not None and tag.name == "{% endchat %}":
            opening = text[begin.start : begin.end]
            yield _Chat(role, text[begin.end : tag.start], begin.line + line_of(opening, len(opening)) - 1)
            last, begin = tag.end, None
        elif begin is None:
            if tag.kind != "comment":
                raise _refused(
                    tag.line, f"{tag.name} stands outside of the messages, and has no place there; write it in one"
                )
            _check_blank(text, last, tag.start)
            last = tag.end
    if begin is not None:
        raise _refused(begin.line, "a message that begins here is not closed by {% endchat %}")
    _check_blank(text, last, len(text))


def _check_blank(text: str, start: int, end: int) -> None:
    between = text[start:end]
    if between.strip():
        first = start + len(between) - len(between.lstrip())
        shown = between.strip()[:40]
        raise _refused(
            line_of(text, first), f"the text {shown!r} stands outside of the messages, where banks leaves it out"
        )


def _role(tag: Tag) -> str:
    word = tag.words[3] if len(tag.words) == 4 and tag.words[1:3] == ("role", "=") else ""
    role = word.strip("'\"")
    if role in ROLES:
        return role
    if word[:1] in ("'", '"'):
        raise _refused(tag.line, f"the role {role!r} is none of banks; the roles are {', '.join(ROLES)}")
    shown = " ".join(tag.words)
    raise _refused(tag.line, f'{shown!r:.60} is no message; write {{% chat role="user" %}}, with the role in quotes')


# What stands in a message


class _Reader:
    """A message on its way to blocks.

    Attributes:
        optional: The media variables that may be left out.
    """

    def __init__(self, text: str, line: int) -> None:
        self._text, self._first = text, line
        self._tags = tags(text)
        self.optional: list[str] = []

    def _line(self, position: int) -> int:
        return self._first + line_of(self._text, position) - 1

    def _fault(self, tag: Tag, reason: str) -> PromptFormatError:
        return _refused(self._first + tag.line - 1, reason)

    def pieces(self) -> list[Block]:
        """The blocks, without those that hold nothing.

        Raises:
            PromptFormatError: Something has no place in a prompt; the line is said.
        """
        blocks: list[Block] = []
        told: SetNames[None] = SetNames("jinja")
        last = 0
        for start, end, block in [*self._cuts(), (len(self._text), len(self._text), None)]:
            between = self._text[last:start]
            self._check(between, last, told)
            if not is_blank(between, "jinja") or (between and blocks and block is not None):
                blocks.append(Block("text", template=between))
            if block is not None:
                self._check(block.template or "", start, told)
                blocks.append(block)
            last = end
        return blocks

    def _check(self, template: str, position: int, told: SetNames[None]) -> None:
        try:
            needed = told.first_needed(template, None)
        except TemplateError as error:
            raise _refused(self._line(position) + (error.line or 1) - 1, error.reason) from error
        if needed is not None:
            raise _refused(
                self._line(position), f"the name {needed[0]!r} is set before a medium or a mark and needed after it"
            )

    def _cuts(self) -> Iterator[_Cut]:
        skip = 0
        for number, tag in enumerate(self._tags):
            if tag.start < skip or tag.kind in ("comment", "raw"):
                continue
            cut = None if tag.inside else self._cut(number)
            if cut is not None:
                skip = cut[1]
                yield cut
            else:
                self._check_filters(tag)

    def _check_filters(self, tag: Tag) -> None:
        """Refuse the filters of banks where they have no meaning here."""
        pairs = list(zip(tag.words, tag.words[1:], strict=False))
        for before, word in pairs:
            if before not in ("|", "filter"):
                continue
            if word in _REFUSED:
                raise self._fault(tag, f"the filter {word!r} {_REFUSED[word]}")
            if word in (*MEDIA, CACHE):
                where = f"inside {tag.inside[-1]}" if tag.inside else f"in {tag.name}"
                raise self._fault(
                    tag,
                    f"the filter {word!r} stands {where}, which has no place; write {{{{ name | {word} }}}} outside of "
                    "statements",
                )

    def _cut(self, number: int) -> _Cut | None:
        """The block that begins with a tag; None where that is just Jinja."""
        tag = self._tags[number]
        match tag.words:
            case (*_, "|", "cache_control") | (*_, "|", "cache_control", "(", _, ")") if tag.kind == "expression":
                return self._cached(tag)
            case (*value, "|", str() as kind) if tag.kind == "expression" and kind in MEDIA:
                return tag.start, tag.end, self._medium(tuple(value), kind, tag)
            case ("filter", "cache_control", *rest) if self._is_ephemeral(tag, rest):
                return self._cached_text(number)
            case ("if", str() as name) if (only := self._medium_of(number, name)) is not None:
                self.optional.append(name)
                return tag.start, self._tags[number + 2].end, Block(only, variable=name)
            case ("for", str() as item, "in", str() as name) if (only := self._medium_of(number, item)) is not None:
                return tag.start, self._tags[number + 2].end, Block(only, variable=name)
        return None

    def _medium_of(self, number: int, name: str) -> str | None:
        """The kind of medium of a statement in which nothing else than ``{{ name | kind }}`` stands."""
        three = self._tags[number : number + 3]
        if len(three) < 3 or self._text[three[0].end : three[1].start] + self._text[three[1].end : three[2].start]:
            return None
        words = three[1].words
        if not name.isidentifier() or words[:2] != (name, "|") or three[2].words[:1] not in (("endif",), ("endfor",)):
            return None
        return words[2] if len(words) == 3 and words[2] in MEDIA else None

    def _medium(self, value: tuple[str, ...], kind: str, tag: Tag) -> Block:
        match value:
            case (name,) if name.isidentifier():
                return Block(kind, variable=name)
            case (name, "[", index, "]") if name.isidentifier() and index.isdecimal() and len(index) < 10:
                return Block(kind, variable=name, index=int(index))
            case (text,) if text[:1] in ("'", '"'):
                return self._fixed(_literal(text), kind, tag)
            case _:
                raise self._fault(
                    tag, f"{tag.name} is no slot; write {{{{ name | {kind} }}}}, and give the medium as its value"
                )

    def _fixed(self, address: str, kind: str, tag: Tag) -> Block:
        if not is_link(address):
            reason = "is a path, and no file is read for a template of banks"
            raise self._fault(tag, f"{address!r:.60} {reason}; write a variable, and give the medium as its value")
        try:
            return Block(kind, part=medium_at(address, kind))
        except (MediaError, PromptFormatError) as error:
            raise self._fault(tag, str(error)) from error

    def _cached(self, tag: Tag) -> _Cut:
        words = list(tag.words)
        place = len(words) - words[::-1].index(CACHE) - 1
        self._is_ephemeral(tag, words[place + 1 :])
        value = words[: place - 1]
        source = self._text[tag.start : tag.end]
        if len(value) == 1 and value[0][:1] in ("'", '"'):
            template = escaped(_literal(value[0]), "jinja")
        else:
            template = f"{{{{ {source[2:].lstrip('-+ ').rpartition('|')[0].strip()} }}}}"
            self._check_filters(tag._replace(words=tuple(value)))
        return tag.start, tag.end, Block("text", template=template, cache=True)

    def _cached_text(self, number: int) -> _Cut:
        begin = self._tags[number]
        for place in range(number + 1, len(self._tags)):
            tag = self._tags[place]
            if tag.words[:1] == ("endfilter",) and not tag.inside:
                template = self._text[begin.end : tag.start]
                return begin.start, tag.end, Block("text", template=template, cache=True)
            if tag.kind in ("expression", "statement"):
                self._check_filters(tag)
        raise _refused(self._line(begin.start), "{% filter cache_control %} is not closed by {% endfilter %}")

    def _is_ephemeral(self, tag: Tag, rest: Sequence[str]) -> bool:
        if list(rest) not in ([], ["(", ")"], ["(", '"ephemeral"', ")"], ["(", "'ephemeral'", ")"]):
            raise self._fault(tag, "the filter 'cache_control' marks a prefix as 'ephemeral' and nothing else")
        return True


def _literal(word: str) -> str:
    """The text that a constant means."""
    return "".join(part.text for part in compile_template(f"{{{{ {word} }}}}").render({}) if isinstance(part, Text))


def _refused(line: int | None, reason: str) -> PromptFormatError:
    return PromptFormatError(None, line, reason)
