"""What differs between two prompts, in the words of a prompt: messages, examples, variables, parameters.

Messages are told apart by what they say, so one that is added or removed does not make those after it differ. A text
that changed is shown as the lines that did; media by their kind, type, size and digest. Two prompts without a
difference are equal, and the other way round.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from prompt_adapters.blocks import Block
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, Text
from prompt_adapters.content.value import Value
from prompt_adapters.few_shot import Example
from prompt_adapters.prompt import Prompt
from prompt_adapters.turns import Entry, History

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_FIELDS = ("name", "version", "syntax", "model")
_OF_VARIABLES = ("required", "default", "type", "description")


class Difference(NamedTuple):
    """One thing that differs.

    Attributes:
        where: What it is, as ``message 2 (user)``; of a message that is gone, its place in the first prompt.
        kind: Whether it was added, removed or changed.
        before: It in the first prompt, in short; None when it was added.
        after: It in the second prompt; None when it was removed.
        lines: Of a text that changed, its lines as in a unified diff: ``" "``, ``"-"`` or ``"+"`` before each.
    """

    where: str
    kind: Literal["added", "removed", "changed"]
    before: str | None = None
    after: str | None = None
    lines: tuple[str, ...] = ()

    def __str__(self) -> str:
        match self:
            case Difference(lines=(_, *_)):
                return "\n".join((f"{self.where} changed:", *(f"  {line}" for line in self.lines)))
            case Difference(kind="added"):
                return f"{self.where} added: {self.after}"
            case Difference(kind="removed"):
                return f"{self.where} removed: {self.before}"
        return f"{self.where} changed: {self.before} → {self.after}"


Found: TypeAlias = Iterator[Difference]


def compare(before: Prompt, after: Prompt) -> tuple[Difference, ...]:
    """What differs between two prompts; nothing when they are equal.

    Args:
        before: The first prompt.
        after: The second.
    """
    if before == after:
        return ()
    found = [*_fields(before, after), *_messages(before, after), *_few_shot(before, after), *_variables(before, after)]
    for what in ("parameter", "metadata"):
        name = "parameters" if what == "parameter" else what
        found += _mappings(what, getattr(before, name), getattr(after, name))
    found = found or [Difference("the prompt", "changed", before.describe(), after.describe())]
    return tuple(one._replace(before=_shown(one.before), after=_shown(one.after)) for one in found)


def _fields(before: Prompt, after: Prompt) -> Found:
    for field in _FIELDS:
        yield from _values(f"the {field}", getattr(before, field), getattr(after, field))


def _values(where: str, before: Any, after: Any) -> Found:
    """Two values of a field, where None is none."""
    old, new = (None if value is None else json.dumps(value, ensure_ascii=False) for value in (before, after))
    if old != new:
        yield _of_values(where, old, new)


def _of_values(where: str, before: str | None, after: str | None) -> Difference:
    return Difference(where, "added" if before is None else "removed" if after is None else "changed", before, after)


def _mappings(what: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Found:
    for key in dict.fromkeys((*before, *after)):
        there = [key in before, key in after]
        old, new = (json.dumps(data.get(key), ensure_ascii=False, sort_keys=True) for data in (before, after))
        where = f"{what} {key!r}"
        if all(there) and old != new:
            yield Difference(where, "changed", old, new)
        elif not there[0]:
            yield Difference(where, "added", None, new)
        elif not there[1]:
            yield Difference(where, "removed", old)


# Messages


def _messages(before: Prompt, after: Prompt) -> Found:
    for number, old, new in _aligned(before.messages, after.messages, _role):
        if old is None:
            yield Difference(_place(number, new), "added", None, _entry_shown(new))
        elif new is None:
            yield Difference(_place(number, old), "removed", _entry_shown(old))
        else:
            yield from _entries(_place(number, new), old, new)


def _role(entry: Entry) -> str:
    return "history" if isinstance(entry, History) else entry.role


def _place(number: int, entry: Entry) -> str:
    return f"message {number + 1} ({_role(entry)})"


def _entry_shown(entry: Entry) -> str:
    if isinstance(entry, History):
        return entry.describe()
    return ", ".join(_item_shown(item) for item in _items(entry)) or "nothing"


def _entries(where: str, before: Entry, after: Entry) -> Found:
    if before == after:
        return
    found = []
    if not isinstance(before, History) and not isinstance(after, History):
        found = [*_contents(where, _items(before), _items(after))]
    # The same in other words: a block list for a template, a literal message for a turn, a mark of the whole.
    yield from found or [_otherwise(where, before, after, _entry_shown)]


def _otherwise(where: str, before: Any, after: Any, shown: Callable[[Any], str]) -> Difference:
    """Two values as they are shown, or in every detail where they are shown alike."""
    old, new = shown(before), shown(after)
    return Difference(where, "changed", *((old, new) if old != new else (before.describe(), after.describe())))


def _items(entry: Any) -> Sequence[Block | Part]:
    return entry.parts if isinstance(entry, Message) else entry.blocks


def _contents(where: str, before: Sequence[Block | Part], after: Sequence[Block | Part]) -> Found:
    """Two contents, block by block."""
    single = len(before) == len(after) == 1
    for number, old, new in _aligned(before, after, _kind):
        place = where if single else f"{where}, block {number + 1}"
        if old is None:
            yield Difference(place, "added", None, _item_shown(new))
        elif new is None:
            yield Difference(place, "removed", _item_shown(old))
        else:
            yield from _two(place, old, new)


def _two(where: str, before: Block | Part, after: Block | Part) -> Found:
    old, new = _text_of(before), _text_of(after)
    if old is None or new is None or old == new:
        yield _otherwise(where, before, after, _item_shown)
    else:
        yield Difference(where, "changed", repr(old), repr(new), _diff(old, new))


def _kind(item: Block | Part) -> str:
    return item.type if isinstance(item, Block) else item.kind


def _text_of(item: Block | Part) -> str | None:
    """The text of a text, whether it is a template or literal."""
    match item:
        case Block(template=str() as template):
            return template
        case Block(part=Text(text=text)) | Text(text=text):
            return text
    return None


def _item_shown(item: Block | Part) -> str:
    text = _text_of(item)
    if text is not None:
        return repr(text)
    match item:
        case Block(variable=str() as variable):
            return f"{item.type} {variable}{'' if item.index is None else f'[{item.index}]'}"
        case Block(part=Value() as part):
            return part.describe()
    return item.describe()


# Examples and variables


def _few_shot(before: Prompt, after: Prompt) -> Found:
    old, new = before.few_shot, after.few_shot
    if old == new:
        return
    if old is None or new is None or old.selector is not None or new.selector is not None:
        first, second = (None if shots is None else f"{shots.size} ({shots.format})" for shots in (old, new))
        yield _of_values("the few-shot examples", first, second)
        return
    yield from _values("the format of the few-shot examples", old.format, new.format)
    for number, one, other in _aligned(old.examples, new.examples, type):
        where = f"few-shot example {number + 1}"
        if one is None:
            yield Difference(where, "added", None, _example_shown(other))
        elif other is None:
            yield Difference(where, "removed", _example_shown(one))
        else:
            yield from _contents(f"{where}, input", one.input, other.input)
            yield from _contents(f"{where}, output", one.output, other.output)


def _example_shown(example: Example) -> str:
    return " → ".join(", ".join(map(_item_shown, side)) or "nothing" for side in (example.input, example.output))


def _variables(before: Prompt, after: Prompt) -> Found:
    old, new = ({variable.name: variable for variable in prompt.variables} for prompt in (before, after))
    for name in dict.fromkeys((*old, *new)):
        where = f"variable {name!r}"
        if name not in new:
            yield Difference(where, "removed", _needed(old[name].required))
        elif name not in old:
            yield Difference(where, "added", None, _needed(new[name].required))
        else:
            for field in _OF_VARIABLES:
                values = (getattr(variable, field) for variable in (old[name], new[name]))
                yield from _values(f"{where}, {field}", *values)
    names = [[variable.name for variable in prompt.declared] for prompt in (before, after)]
    if names[0] != names[1] and sorted(names[0]) == sorted(names[1]):
        yield Difference("the order of the variables", "changed", ", ".join(names[0]), ", ".join(names[1]))


def _needed(required: bool | None) -> str:
    return "required" if required else "optional"


# Sequences and texts


class _Pair(NamedTuple):
    number: int
    before: Any
    after: Any


def _aligned(before: Sequence[Any], after: Sequence[Any], kind: Callable[[Any], Hashable]) -> Iterator[_Pair]:
    """What differs in two sequences of hashable values.

    Args:
        before: The first sequence.
        after: The second.
        kind: What two values must have in common to be one that changed.

    Yields:
        The index in the second sequence, of what was removed in the first; and both values, or one and None.
    """
    for tag, start, end, new_start, new_end in _opcodes(before, after):
        if tag == "equal":
            continue
        old, new = before[start:end], after[new_start:new_end]
        for same, first, last, new_first, new_last in _opcodes([*map(kind, old)], [*map(kind, new)]):
            if same == "equal":
                pairs = zip(old[first:last], new[new_first:new_last], strict=True)
                yield from (_Pair(new_start + new_first + n, *pair) for n, pair in enumerate(pairs))
            else:
                yield from (_Pair(start + n, old[n], None) for n in range(first, last))
                yield from (_Pair(new_start + n, None, new[n]) for n in range(new_first, new_last))


def _opcodes(before: Sequence[Hashable], after: Sequence[Hashable]) -> Iterable[tuple[str, int, int, int, int]]:
    return difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()


def _diff(before: str, after: str) -> tuple[str, ...]:
    """The lines of a unified diff, without its head."""
    old, new = _LINE.findall(before), _LINE.findall(after)
    lines = [*difflib.unified_diff(old, new, n=2, lineterm="")][2:]
    found: list[str] = []
    for line in lines:
        if line.startswith("@@"):
            found += ["…"] if found else []
            continue
        found.append("".join(map(_visible, line.removesuffix("\n"))))
        found += [] if line.endswith("\n") else ["\\ no newline at the end"]
    return tuple(found)


def _shown(text: str | None) -> str | None:
    """A text on one line of a terminal: what is not to be seen is escaped."""
    if text is None or text.isprintable():
        return text
    return "".join(map(_visible, text))


def _visible(character: str) -> str:
    return character if character.isprintable() or character == "\t" else repr(character)[1:-1]
