"""Plain JSON data: how deep they may be, and their text.

Whatever reads, copies, compares or writes nested data goes one call deeper for each level, and data from elsewhere can
have as many levels as they like. So their depth is looked at once, level by level, where they come in.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from prompt_adapters.errors import PromptFormatError

MAX_DEPTH: Final = 100
WHOLE_DEPTH: Final = MAX_DEPTH + 20  # of requests and files, with such data somewhere in them
MAX_ITEMS: Final = 1_000_000
_CONTAINERS = (Mapping, list, tuple)
_FLAT = frozenset({str, int, float, bool, type(None)})


def check_plain(data: Any, what: str, most: int = MAX_DEPTH) -> None:
    """Refuse data that are nested too deeply, hold themselves, or hold the same things too many times over.

    Args:
        data: Anything; mappings, lists and tuples are looked into.
        what: What they are, as ``"the data in parameter 'stop'"``.
        most: How many levels they may have; `WHOLE_DEPTH` for what holds such data.

    Raises:
        PromptFormatError: (a ``ValueError``) They are deeper, or have more than `MAX_ITEMS`
            lists and mappings in them.
    """
    if (fault := _fault(data, most)) is not None:
        raise PromptFormatError(None, None, f"{what} are {fault}")


def json_text(data: Any, refusal: str) -> str:
    """Plain data as JSON text, with Unicode as it is.

    Args:
        data: The data.
        refusal: What is said of others, as ``"a prompt's metadata are plain JSON data"``.

    Raises:
        PromptFormatError: (a ``ValueError``) They are no JSON data, or nested too deeply.
    """
    if (fault := _fault(data, MAX_DEPTH)) is not None:
        raise PromptFormatError(None, None, f"{refusal}: they are {fault}")
    try:
        return json.dumps(data, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise PromptFormatError(None, None, f"{refusal}: {error}") from None


def _fault(data: Any, most: int) -> str | None:
    """What is wrong with data, each level of which is looked through once, however often something stands in it."""
    level: dict[int, tuple[Any, int]] = {}
    if type(data) not in _FLAT and isinstance(data, _CONTAINERS):
        level[id(data)] = data, 1
    depth = seen = 0
    while level:
        depth += 1
        seen += sum(times for _, times in level.values())
        if depth > most:
            return f"nested too deeply, in more than {most} levels, or hold themselves"
        if seen > MAX_ITEMS:
            return f"too many: more than {MAX_ITEMS} lists and objects"
        below: dict[int, tuple[Any, int]] = {}
        for container, times in level.values():
            for item in container.values() if isinstance(container, Mapping) else container:
                if type(item) not in _FLAT and isinstance(item, _CONTAINERS):
                    key = id(item)
                    below[key] = item, times + (below[key][1] if key in below else 0)
        level = below
    return None
