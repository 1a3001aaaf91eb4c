"""JSON as its grammar has it: no duplicate keys, no NaN, no half surrogate pairs; characters stay characters."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NoReturn

from prompt_adapters.errors import PromptFormatError

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?Infinity|NaN|[{}\[\],:]', re.DOTALL)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class _Refused(ValueError):
    """A key that stands twice, or a number that JSON does not have."""


def parse_json(text: str, path: Path) -> Any:
    """The data that a JSON text means.

    Raises:
        PromptFormatError: It is not JSON; the line is named.
    """
    try:
        data = json.loads(text, object_pairs_hook=_without_duplicates, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise PromptFormatError(path, error.lineno, f"not valid JSON: {error.msg} (column {error.colno})") from None
    except _Refused as refused:
        raise PromptFormatError(path, _line_of(str(refused), text), _REASONS(str(refused))) from None
    except RecursionError:
        raise PromptFormatError(path, None, "the JSON is nested too deeply") from None
    except ValueError as error:
        raise PromptFormatError(path, None, f"not valid JSON: {error}") from None
    if _SURROGATE.search(text):
        _refuse_half_pairs(data, path)
    return data


def format_json(data: Any) -> str:
    """Data as JSON text to read: indented, characters as they are, a newline at the end."""
    return json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        seen: set[str] = set()
        raise _Refused(next(json.dumps(key) for key, _ in pairs if key in seen or seen.add(key)))
    return data


def _refuse_constant(name: str) -> NoReturn:
    raise _Refused(name)


def _REASONS(refused: str) -> str:
    return ""
