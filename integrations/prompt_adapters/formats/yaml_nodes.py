"""The structure of a YAML text: scalars as they are written, lists and mappings, each with its line.

libyaml parses where PyYAML has it, in a twentieth of the time that PyYAML itself takes, which parses elsewhere. With
what is made of it here, a file of 24,000 characters takes 9 ms, as with PyYAML's ``CSafeLoader``; on PyYAML's parser
it takes 70, and ruamel.yaml 0.15 takes 140 to 190 (``tests/benchmarks/prompt_folders.py``, one core, Python 3.11). What
is made of the events is made here, since the composer of libyaml's binding has neither hooks nor bounds:

    several documents; tags but ``!!str``     refused
    a key that stands twice, or is no text    refused
    aliases                                   at most `MAX_ALIASES`, which write out at most `MAX_NODES` nodes
    nesting                                   at most `MAX_DEPTH` levels, with aliases written out
    merge keys, ``<<: *defaults``             written out: a mapping's own keys win, then the earlier of several
    NEL, LS, PS, a byte order mark inside     characters like others, as in YAML 1.2; the parsers, which know 1.1, would
                                              break lines there
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

import yaml

from prompt_adapters.templates.scan import line_of

MAX_ALIASES: Final = 100
MAX_NODES: Final = 100_000
MAX_DEPTH: Final = 200

_MERGE = "<<"
_LONGEST = 100  # characters of a name that an error shows
_TAGS = "tag:yaml.org,2002:"
# What the grammar of YAML has no place for.
_UNPRINTABLE = re.compile(r"[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_HALF = re.compile(r"[\ud800-\udfff]")
# What the parsers take for the end or the beginning of a line; what stands in for it, for private use; and how that
# can be written otherwise.
_NO_BREAKS = "\x85\u2028\u2029\ufeff"
_PRIVATE = range(0xE000, 0xF900)
_ESCAPED = re.compile(r"\\(?:u|U0000)([0-9A-Fa-f]{4})")
_Parser: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_REMEDIES = {
    "mapping values are not allowed": "put a text in which ': ' stands into quotes",
    "cannot start any token": "put a text that begins with such a character into quotes",
    "expected alphabetic or numeric character": "put a text that begins with '*' or '&' into quotes",
    "maximum nesting depth": "it is nested too deeply",
}


class FaultError(ValueError):
    """What is wrong in a YAML text.

    Args:
        reason: What it is, and what to do about it.
        line: Its line, counted from 0.
        began: The line on which something began that was never finished.
    """

    def __init__(self, reason: str, line: int, began: int | None = None) -> None:
        super().__init__(reason, line, began)
        self.reason = reason
        self.line = line
        self.began = began


class Scalar:
    """A scalar as it is written; a `plain` one has no quotes and may mean a number."""

    __slots__ = ("line", "plain", "text")
    size = 1
    depth = 0

    def __init__(self, text: str, plain: bool, line: int) -> None:
        self.text = text
        self.plain = plain
        self.line = line


class Items:
    """A list; `size` is the number of its nodes and `depth` its levels, with every alias written out."""

    __slots__ = ("depth", "items", "line", "size")

    def __init__(self, line: int) -> None:
        self.items: list[Node] = []
        self.line = line
        self.size = 1
        self.depth = 1


class Fields:
    """A mapping, with the lines of its keys; `size` and `depth` as for `Items`."""

    __slots__ = ("depth", "fields", "key", "line", "lines", "merged", "size")

    def __init__(self, line: int) -> None:
        self.fields: dict[str, Node] = {}
        self.lines: dict[str, int] = {}
        self.key: Scalar | None = None  # whose value comes next
        self.merged: Node | None = None
        self.line = line
        self.size = 1
        self.depth = 1


Node: TypeAlias = Scalar | Items | Fields


def read_nodes(text: str) -> Node | None:
    """The root of the one document in a text; None when there is nothing in it.

    Raises:
        FaultError: It is not YAML, or has what is refused here.
    """
    if found := _UNPRINTABLE.search(text):
        raise FaultError(f"the character U+{ord(found[0]):04X} cannot stand there", line_of(text, found.start()) - 1)
    text = text.removeprefix("\ufeff")
    stand_ins = _stand_ins(text)
    stood_for = {ord(other): chr(character) for character, other in stand_ins.items()}
    try:
        return _Building(stood_for).root_of(_events(text.translate(stand_ins)))
    except yaml.MarkedYAMLError as error:
        last = line_of(text, len(text.rstrip())) - 1
        line, began = (
            None if mark is None else min(mark.line, last) for mark in (error.problem_mark, error.context_mark)
        )
        problem = str(error.problem)
        remedy = next((f"; {remedy}" for known, remedy in _REMEDIES.items() if known in problem), "")
        raise FaultError(problem + remedy, line or 0, began if began != line else None) from None


def _stand_ins(text: str) -> dict[int, str]:
    """Characters that a text has in no way, for those in it that are no breaks."""
    found = [ord(character) for character in _NO_BREAKS if character in text]
    if not found:
        return {}
    used = {*map(ord, set(text)), *(int(digits, 16) for digits in _ESCAPED.findall(text))}
    free = [chr(code) for code in _PRIVATE if code not in used][: len(found)]
    if len(free) < len(found):
        raise FaultError(f"every private character stands beside {chr(found[0])!a}; escape that, in quotes", 0)
    return dict(zip(found, free, strict=True))


def _events(text: str) -> Iterator[Any]:
    parser = _Parser(text)
    try:
        while parser.check_event():
            yield parser.get_event()
    except ValueError:  # of PyYAML's own parser, from a number in an escape or a directive that Python does not take
        raise FaultError("a number means no character or version", getattr(parser, "line", 0)) from None
    finally:
        parser.dispose()


class _Building:
    """The nodes that are open while events come in.

    Args:
        stood_for: What characters of the text stand for.
    """

    def __init__(self, stood_for: Mapping[int, str]) -> None:
        self._stood_for = stood_for
        self._open: list[Items | Fields] = []
        self._anchors: dict[str, Node] = {}
        self._aliases = 0
        self._written_out = 0
        self._documents = 0
        self._root: Node | None = None

    def root_of(self, events: Iterator[Any]) -> Node | None:
        """The node that a stream of events means."""
        for event in events:
            line = event.start_mark.line
            match event:
                case yaml.ScalarEvent():
                    self._place(self._anchored(event, self._scalar(event, line)), line)
                case yaml.AliasEvent():
                    self._place(self._alias(event.anchor, line), line)
                case yaml.SequenceStartEvent():
                    self._begin(event, Items(line), "seq")
                case yaml.MappingStartEvent():
                    self._begin(event, Fields(line), "map")
                case yaml.SequenceEndEvent() | yaml.MappingEndEvent():
                    self._end()
                case yaml.DocumentStartEvent():
                    self._documents += 1
                    if self._documents > 1:
                        raise FaultError("another document begins here, and a file holds one", line)
                case _:  # the beginning and the end of the text, and the end of a document
                    pass
        return self._root

    def _scalar(self, event: Any, line: int) -> Scalar:
        _check_tag(event.tag, "str", line)
        if _HALF.search(event.value):
            raise FaultError("an escape means half of a surrogate pair; write the character itself", line)
        plain = event.tag is None and not event.style
        return Scalar(event.value.translate(self._stood_for) if self._stood_for else event.value, plain, line)

    def _begin(self, event: Any, node: Items | Fields, kind: str) -> None:
        _check_tag(event.tag, kind, node.line)
        if len(self._open) >= MAX_DEPTH:
            raise FaultError(f"nested too deeply, in more than {MAX_DEPTH} levels", node.line)
        if self._open and isinstance(self._open[-1], Fields) and self._open[-1].key is None:
            raise FaultError(
                "a key must be a text, not a list or a mapping; put a text that begins with a bracket into quotes, "
                "as '{{ x }}'",
                node.line,
            )
        self._anchored(event, node)
        self._open.append(node)

    def _end(self) -> None:
        node = self._open.pop()
        if isinstance(node, Fields) and node.merged is not None:
            self._merge(node, node.merged)
        self._place(node, node.line)

    def _anchored(self, event: Any, node: Node) -> Node:
        if event.anchor is not None:
            self._anchors[event.anchor] = node
        return node

    def _alias(self, name: str | None, line: int) -> Node:
        self._aliases += 1
        if self._aliases > MAX_ALIASES:
            raise FaultError(f"more than {MAX_ALIASES} aliases", line)
        node = self._anchors.get(name or "")
        if node is None:
            raise FaultError(f"undefined alias {_short(f'*{name}')}; put a text that begins with '*' into quotes", line)
        if any(node is other for other in self._open):
            raise FaultError(f"the alias {_short(f'*{name}')} stands inside of what it names", line)
        self._write_out(node.size, line)
        return node

    def _write_out(self, nodes: int, line: int) -> None:
        self._written_out += nodes
        if self._written_out > MAX_NODES:
            raise FaultError(f"aliases write out more than {MAX_NODES} nodes", line)

    def _place(self, node: Node, line: int) -> None:
        """Put a node that is complete where it belongs, which is on this line."""
        if not self._open:
            self._root = node
            return
        parent = self._open[-1]
        if isinstance(parent, Items):
            parent.items.append(node)
        elif parent.key is None:
            self._key(parent, node, line)
            return
        elif parent.key.plain and parent.key.text == _MERGE:
            parent.merged, parent.key = node, None
            return
        else:
            parent.fields[parent.key.text], parent.key = node, None
        parent.size += node.size
        parent.depth = max(parent.depth, node.depth + 1)
        if len(self._open) - 1 + parent.depth > MAX_DEPTH:
            raise FaultError(f"nested too deeply, in more than {MAX_DEPTH} levels", line)

    def _key(self, parent: Fields, node: Node, line: int) -> None:
        if not isinstance(node, Scalar):
            raise FaultError("a key must be a text, not an alias of a list or a mapping", line)
        merges = node.plain and node.text == _MERGE
        if parent.merged is not None if merges else node.text in parent.lines:
            raise FaultError(f"the key {_short(node.text)} stands twice", line)
        if not merges:
            parent.lines[node.text] = line
        parent.key = node

    def _merge(self, node: Fields, merged: Node) -> None:
        sources = merged.items if isinstance(merged, Items) else [merged]
        for source in sources:
            if not isinstance(source, Fields):
                raise FaultError("a merge key, '<<', takes a mapping or a list of mappings", merged.line)
            self._write_out(source.size, node.line)
            for key, value in source.fields.items():
                if key not in node.fields:
                    node.fields[key] = value
                    node.lines[key] = source.lines[key]
                    node.size += value.size
                    node.depth = max(node.depth, value.depth + 1)


def _check_tag(tag: str | None, kind: str, line: int) -> None:
    if tag not in (None, "!", f"{_TAGS}{kind}"):
        short = (tag or "").replace(_TAGS, "!!")
        raise FaultError(f"the tag {_short(short)} means something else than plain data; leave it out", line)


def _short(name: str) -> str:
    """A name as it is shown, which is no place for a page of text."""
    return repr(name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…")
