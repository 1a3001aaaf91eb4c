"""Ids of tool calls in shapes that may leave them out: a result then answers the first waiting call of its tool."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from prompt_adapters.adapters.reading.fields import REQUEST, at


class CallIds:
    """The ids, given one after another as calls and results are read.

    Args:
        request: The request, whose own ids are not given a second time.
    """

    def __init__(self, request: Any) -> None:
        with at(REQUEST):
            taken = set(_ids_in(request))
        self._fresh = (name for name in (f"call_{number}" for number in count(1)) if name not in taken)
        self._waiting: list[tuple[str, str]] = []
        self._answering = False

    def of_call(self, given: str | None, name: str) -> str:
        """The id of a call of this tool."""
        if self._answering:
            self._waiting, self._answering = [], False
        call_id = given or next(self._fresh)
        self._waiting.append((call_id, name))
        return call_id

    def of_result(self, given: str | None, name: str) -> str:
        """The id of the call that a result of this tool answers."""
        self._answering = True
        for waiting in self._waiting:
            if waiting[0] == given if given else waiting[1] == name:
                self._waiting.remove(waiting)
                return waiting[0]
        return given or next(self._fresh)


def _ids_in(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            if key in ("id", "tool_call_id") and isinstance(item, str):
                yield item
            yield from _ids_in(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _ids_in(item)
