"""What differs between two prompts, in the words of a prompt: messages, examples, variables, parameters.

Messages are told apart by what they say, so one that is added or removed does not make those after it differ. A text
that changed is shown as the lines that did; media by their kind, type, size and digest. Two prompts without a
difference are equal, and the other way round.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
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
    return tuple(found) or (Difference("the prompt", "changed", before.describe(), after.describe()),)


def _fields(before: Prompt, after: Prompt) -> Found:
    for field in _FIELDS:
        yield from _values(f"the {field}", getattr(before, field), getattr(after, field))


def _values(where: str, before: Any, after: Any) -> Found:
    """Two values of a field, where None is none."""
    old, new = (None if value is None else _shown(json.dumps(value, ensure_ascii=False)) for value in (before, after))
    if old != new:
        yield Difference(where, "added" if old is None else "removed" if new is None else "changed", old, new)


def _mappings(what: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Found:
    for key in dict.fromkeys((*before, *after)):
        there = [key in before, key in after]
        old, new = (_shown(json.dumps(data.get(key), ensure_ascii=False, sort_keys=True)) for data in (before, after))
        where = f"{what} {key!r}"
        if all(there) and old != new:
            yield Difference(where, "changed", old, new)
        elif not there[0]:
            yield Difference(where, "added", None, new)
        elif not there[1]:
            yield Difference(where, "removed", old)


# Messages


def _messages(before: Prompt, after: Prompt) -> Found:
    for old, new in _aligned(before.messages, after.messages, _role):
        first = None if old is None else before.messages[old]
        second = None if new is None else after.messages[new]
        if first is not None and second is not None:
            yield from _entries(_place(new or 0, second), first, second)
        elif second is not None:
            yield Difference(_place(new or 0, second), "added", None, _entry_shown(second))
        elif first is not None:
            yield Difference(_place(old or 0, first), "removed", _entry_shown(first))


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
    yield from found or [Difference(where, "changed", before.describe(), after.describe())]


def _items(entry: Any) -> Sequence[Block | Part]:
    return entry.parts if isinstance(entry, Message) else entry.blocks


def _contents(where: str, before: Sequence[Block | Part], after: Sequence[Block | Part]) -> Found:
    """Two contents, block by block."""
    single = len(before) == len(after) == 1
    for old, new in _aligned(before, after, _kind):
        place = where if single else f"{where}, block {(old if new is None else new or 0) + 1}"  # type: ignore[operator]  # one is a number
        first, second = (None if old is None else before[old]), (None if new is None else after[new])
        if first is None and second is not None:
            yield Difference(place, "added", None, _item_shown(second))
        elif second is None and first is not None:
            yield Difference(place, "removed", _item_shown(first))
        elif first is not None and second is not None and first != second:
            yield from _two(place, first, second)


def _two(where: str, before: Block | Part, after: Block | Part) -> Found:
    old, new = _text_of(before), _text_of(after)
    if old is None or new is None or old == new:
        yield Difference(where, "changed", before.describe(), after.describe())
    else:
        yield Difference(where, "changed", _shown(repr(old)), _shown(repr(new)), _diff(old, new))


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
        return _shown(repr(text))
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
        shown: list[Any] = [None if shots is None else f"{shots.size} ({shots.format})" for shots in (old, new)]
        kind: Literal["added", "removed", "changed"] = (
            "added" if old is None else "removed" if new is None else "changed"
        )
        yield Difference("the few-shot examples", kind, *shown)
        return
    yield from _values("the format of the few-shot examples", old.format, new.format)
    for first, second in _aligned(old.examples, new.examples, lambda _: "example"):
        if second is None and first is not None:
            yield Difference(f"few-shot example {first + 1}", "removed", _example_shown(old.examples[first]))
        elif first is None and second is not None:
            yield Difference(f"few-shot example {second + 1}", "added", None, _example_shown(new.examples[second]))
        elif first is not None and second is not None:
            for side in ("input", "output"):
                parts = (getattr(shots.examples[n], side) for shots, n in ((old, first), (new, second)))
                yield from _contents(f"few-shot example {second + 1}, {side}", *parts)


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


def _aligned(before: Sequence[Any], after: Sequence[Any], kind: Any) -> Iterator[tuple[int | None, int | None]]:
    """Pairs of indices of two sequences; what stands alone was removed or added. Equal ones are left out.

    Args:
        before: The first sequence, of hashable values.
        after: The second.
        kind: What two of them must have in common to be one that changed.
    """
    for tag, start, end, new_start, new_end in _opcodes(before, after):
        if tag == "equal":
            continue
        old, new = range(start, end), range(new_start, new_end)
        kinds = _opcodes([kind(before[n]) for n in old], [kind(after[n]) for n in new])
        for same, first, last, new_first, new_last in kinds:
            if same == "equal":
                yield from zip(old[first:last], new[new_first:new_last], strict=True)
            else:
                yield from ((n, None) for n in old[first:last])
                yield from ((None, n) for n in new[new_first:new_last])


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
        found.append(_shown(line.removesuffix("\n")))
        found += [] if line.endswith("\n") else ["\\ no newline at the end"]
    return tuple(found)


def _shown(text: str) -> str:
    """A text on one line of a terminal: what is not to be seen is escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\t" else repr(c)[1:-1] for c in text)
