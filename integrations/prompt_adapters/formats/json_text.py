"""JSON as its grammar has it: no duplicate keys, no NaN, no half surrogate pairs; characters stay characters."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NoReturn

from prompt_adapters.content.plain_data import WHOLE_DEPTH, check_plain
from prompt_adapters.errors import PromptFormatError

_TOKEN = re.compile(r'("(?:[^"\\]|\\.)*")(\s*:)?|-?Infinity|NaN|[{}]', re.DOTALL)
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


class _RefusedError(ValueError):
    """Something that `json` takes and JSON does not have."""


def parse_json(text: str, path: Path) -> Any:
    """The data that a JSON text means.

    Raises:
        PromptFormatError: It is not JSON; the line is named.
    """
    try:
        data = json.loads(text, object_pairs_hook=_object, parse_constant=_refuse)
        if _HALF.search(text):
            json.dumps(data, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise PromptFormatError(path, error.lineno, f"not valid JSON: {error.msg} (column {error.colno})") from None
    except UnicodeEncodeError as error:
        reason = f"the JSON holds U+{ord(error.object[error.start]):04X}, half of a surrogate pair"
        raise PromptFormatError(path, None, reason) from None
    except _RefusedError:
        raise PromptFormatError(path, *_first_fault(text)) from None
    except RecursionError:
        raise PromptFormatError(path, None, "the JSON is nested too deeply") from None
    except ValueError as error:
        raise PromptFormatError(path, None, f"not valid JSON: {error}") from None
    try:
        check_plain(data, "the data in the JSON", WHOLE_DEPTH)
    except PromptFormatError as error:
        raise PromptFormatError(path, None, error.reason) from None
    return data


def format_json(data: Any) -> str:
    """Data as JSON text to read: indented, characters as they are, a newline at the end.

    Raises:
        PromptFormatError: They hold a number that JSON does not have.
    """
    try:
        return json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    except ValueError as error:
        raise PromptFormatError(None, None, f"this cannot be written as JSON: {error}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise _RefusedError
    return data


def _refuse(name: str) -> NoReturn:
    raise _RefusedError(name)


def _first_fault(text: str) -> tuple[int, str]:
    """The line and the reason, for a text in which a key stands twice or a number is none."""
    objects: list[set[str]] = []
    for token in _TOKEN.finditer(text):
        line = text.count("\n", 0, token.start()) + 1
        if token[0] == "{":
            objects.append(set())
        elif token[0] == "}":
            objects.pop()
        elif token[1] is None:
            return line, f"not valid JSON: {token[0]} is no number of JSON"
        elif token[2]:
            key = json.loads(token[1], strict=False)
            if key in objects[-1]:
                return line, f"the key {key!r} stands twice in one object"
            objects[-1].add(key)
    raise AssertionError("a text was refused that has no fault")
