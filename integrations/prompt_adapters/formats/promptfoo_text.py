"""promptfoo's chat files as JSON: what Nunjucks does to the structure of the list is told from the text.

=================================================================  =====================================================
in the file                                                        what it means
=================================================================  =====================================================
``"content": {{ question | dump }}``                               ``"content": "{{ question }}"``
``{% set t %}A {{ b }}{% endset %}{{ t | dump }}``                 ``"A {{ b }}"``
``{% for c in _conversation %} {user: c.input}, {assistant:        the turns so far, `History` ``_conversation``
c.output}, {% endfor %}``
``{% for m in chat %} {m.role: m.content}, {% endfor %}``          earlier messages, `History` ``chat``
``{{ chat | dump }}``, as the whole file                           the same
=================================================================  =====================================================

Any other statement outside the texts is refused by name.

https://www.promptfoo.dev/docs/configuration/chat/
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.json_text import parse_json
from prompt_adapters.templates.scan import line_of
from prompt_adapters.turns import History

CONVERSATION = "_conversation"

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|\{%-?\s*+(\w*)|\{\{|\{#', re.DOTALL)
_FOR = re.compile(r"\{%-?\s*+for\s++(\w++)\s++in\s++(\w++)\s*+-?%\}")
_SET = re.compile(r"\{%-?\s*+set\s++(\w++)\s*+-?%\}")
_END = {word: re.compile(rf"\{{%-?\s*+{word}\s*+-?%\}}") for word in ("endfor", "endset")}
_SLOT = re.compile(r"\{\{-?\s*+(\w++)(?:\.(\w++))?\s*+-?\}\}")
_NOT_LAST = re.compile(r"\{%-?\s*+if\s++not\s++loop\.last\s*+-?%\}\s*+,\s*+\{%-?\s*+endif\s*+-?%\}\s*+\Z")
_TURNS: list[tuple[str, str | None]] = [("user", "input"), ("assistant", "output")]


def _refused(text: str, start: int, path: Path, reason: str) -> PromptFormatError:
    return PromptFormatError(path, line_of(text, start), reason)


def read_chat(text: str, path: Path) -> list[Any]:
    """The objects of a chat file in JSON, and the histories between them.

    Raises:
        PromptFormatError: It is no such list, also when Nunjucks' statements round the texts are taken for what they
            mean; the line is named.
    """
    data = _plain(text, path)
    if data is None:
        if (alone := _dumped(text.strip())) is not None and (slot := _SLOT.fullmatch(alone)) and not slot[2]:
            return [History(slot[1])]
        found = _Histories()
        data = parse_json(_without_statements(text, path, found), path)
        data = [found.put_in(item) for item in data] if isinstance(data, list) else data
    if not isinstance(data, list) or not data:
        raise PromptFormatError(path, None, "a chat of promptfoo is a list of objects with 'role' and 'content'")
    return data


def _plain(text: str, path: Path) -> Any:
    if not any(mark in text for mark in ("{%", "{{", "{#")):
        return parse_json(text, path)
    try:
        return parse_json(text, path)
    except PromptFormatError:
        return None


class _Histories:
    """The histories of a file, and objects that stand for them in its JSON, which nobody can write beforehand."""

    def __init__(self) -> None:
        self._key = secrets.token_hex(16)
        self._found: list[History] = []

    def stand_in(self, history: History) -> str:
        """The object that stands for a history."""
        self._found.append(history)
        return json.dumps({self._key: len(self._found) - 1})

    def put_in(self, item: Any) -> Any:
        """The history that an object stands for, or the object."""
        if isinstance(item, dict) and item.keys() == {self._key}:
            return self._found[item[self._key]]
        return item


def _without_statements(text: str, path: Path, histories: _Histories) -> str:
    """The text with JSON in place of what Nunjucks would make JSON of."""
    return "".join(_pieces(text, path, histories))


def _pieces(text: str, path: Path, histories: _Histories) -> Iterator[str]:
    position = 0
    while token := _TOKEN.search(text, position):
        start = token.start()
        yield text[position:start]
        if token[0].startswith('"'):
            yield token[0]
            position = token.end()
            continue
        if token[0] == "{{":
            piece, position = _slot(text, start, path)
        elif token[1] == "set" and (opening := _SET.match(text, start)):
            piece, position = _captured(text, opening, path)
        elif token[1] == "for" and (opening := _FOR.match(text, start)):
            piece, position = _loop(text, opening, path, histories)
        else:
            shown = text[start : start + 40].split("\n")[0]
            raise _refused(text, start, path, f"{shown!r} stands outside the texts, where only a history has a place")
        yield piece + "\n" * text.count("\n", start, position)  # so that lines in errors are those of the file
    yield text[position:]


def _close(text: str, word: str, opening: re.Match[str], path: Path) -> re.Match[str]:
    closing = _END[word].search(text, opening.end())
    if closing is None:
        raise _refused(text, opening.start(), path, f"{{% {word} %}} is missing for the statement on this line")
    return closing


def _slot(text: str, start: int, path: Path) -> tuple[str, int]:
    end = text.find("}}", start)
    inner = None if end < 0 else _dumped(text[start : end + 2])
    if inner is None:
        raise _refused(text, start, path, "a slot outside quotes must be written {{ name | dump }}")
    return json.dumps(inner), end + 2


def _dumped(slot: str) -> str | None:
    """The slot without ``| dump`` at its end; None when it is no such slot."""
    if not slot.startswith("{{") or slot.find("}}") != len(slot) - 2:
        return None
    inner, bar, last = slot[2:-2].strip("-").strip().rpartition("|")
    return f"{{{{ {inner.strip()} }}}}" if bar and last.strip() == "dump" and inner.strip() else None


def _captured(text: str, opening: re.Match[str], path: Path) -> tuple[str, int]:
    closing = _close(text, "endset", opening, path)
    start = text.find("{{", closing.end())
    end = text.find("}}", start) + 2
    gap = text[closing.end() : start] if start >= 0 else "?"
    if gap.strip() or end < 2 or _dumped(text[start:end]) != f"{{{{ {opening[1]} }}}}":
        reason = f"{{% set {opening[1]} %}} has a place only right before its own dump"
        raise _refused(text, opening.start(), path, reason)
    return json.dumps(text[opening.end() : closing.start()]), end


def _loop(text: str, opening: re.Match[str], path: Path, histories: _Histories) -> tuple[str, int]:
    closing = _close(text, "endfor", opening, path)
    body = text[opening.end() : closing.start()].strip()
    before = "," if body.startswith(",") else ""
    between = _NOT_LAST.search(body)
    body = body[: between.start()] if between else body
    after = "," if body.rstrip().endswith(",") else ""
    history = _history(body.strip().strip(","), opening[1], opening[2], path)
    if history is None:
        reason = f"the loop over {opening[2]!r} is more than a history of objects with role and content"
        remedy = "write the messages, or give them as one history"
        raise _refused(text, opening.start(), path, f"{reason}; {remedy}")
    return f"{before}{histories.stand_in(history)}{after}", closing.end()


def _history(body: str, each: str, name: str, path: Path) -> History | None:
    """The history that the body of a loop means."""
    try:
        items = parse_json(f"[{_without_statements(body, path, _Histories())}]", path)
    except PromptFormatError:
        return None
    if not all(isinstance(item, dict) and item.keys() == {"role", "content"} for item in items):
        return None
    found = [(_field(item["role"], each) or item["role"], _field(item["content"], each)) for item in items]
    if name == CONVERSATION and found == _TURNS:
        return History(name, required=False)
    return History(name) if found == [("role", "content")] and items[0]["role"] != "role" else None


def _field(text: object, each: str) -> str | None:
    """The attribute of the loop's item that a text is."""
    slot = _SLOT.fullmatch(text) if isinstance(text, str) else None
    return slot[2] if slot and slot[1] == each else None


# Writing


def write_chat(items: Sequence[dict[str, Any] | History]) -> str:
    """The text of a chat file with histories in it: JSON once Nunjucks has filled it in.

    Texts with slots are captured first, so that no value can break the JSON. Several histories need a message.
    """
    if len(items) == 1 and isinstance(only := items[0], History) and only.name != CONVERSATION:
        return f"{{{{ {only.name} | dump }}}}\n"
    name = "_text"
    while name in str(items):
        name += "_"
    first = next((number for number, item in enumerate(items) if not isinstance(item, History)), len(items))
    lines: list[str] = []
    for number, item in enumerate(items):
        if isinstance(item, History):
            lines.append(_written_loop(item, before=number > first, last=number == len(items) - 1))
        else:
            lines.append(f"{', ' if number > first else ''}{_written(item, name)}")
    return "[\n" + "".join(f"  {line}\n" for line in lines) + "]\n"


def _written_loop(history: History, *, before: bool, last: bool) -> str:
    if history.name == CONVERSATION:
        objects = [{"role": '"user"', "content": "input"}, {"role": '"assistant"', "content": "output"}]
        body = ", ".join(f'{{"role": {o["role"]}, "content": {{{{ m.{o["content"]} | dump }}}}}}' for o in objects)
    else:
        body = '{"role": {{ m.role | dump }}, "content": {{ m.content | dump }}}'
    after = "" if before else "{% if not loop.last %},{% endif %}" if last else ","
    return f"{{% for m in {history.name} %}}{',' if before else ''}{body}{after}{{% endfor %}}"


def _written(value: Any, name: str) -> str:
    match value:
        case dict():
            return "{" + ", ".join(f"{json.dumps(key)}: {_written(item, name)}" for key, item in value.items()) + "}"
        case list():
            return "[" + ", ".join(_written(item, name) for item in value) + "]"
        case str() if any(mark in value for mark in ("{{", "{%", "{#")):
            return f"{{% set {name} %}}{value}{{% endset %}}{{{{ {name} | dump }}}}"
    return json.dumps(value, ensure_ascii=False)
