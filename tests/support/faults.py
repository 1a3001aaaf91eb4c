"""Disks that fail: each call of the operating system that changes something may be made to raise."""

import os
from collections.abc import Callable
from typing import Any

import pytest

CALLS = ("open", "write", "fsync", "replace", "rename", "unlink", "mkdir", "rmdir")


class Faults:
    """Raises at the n-th of the watched calls: before it is done, or right after.

    Attributes:
        calls: The names of the calls so far.

    Args:
        patch: What undoes the watching.
        at: Which call, counted from 1; None for none, so that the calls are just counted.
        after: Whether the call is done before it raises, as when an interrupt arrives.
        error: What is raised.
    """

    def __init__(self, patch: pytest.MonkeyPatch, at: int | None, after: bool, error: BaseException) -> None:
        self.calls: list[str] = []
        self._at, self._after, self._error = at, after, error
        for name in CALLS:
            patch.setattr(os, name, self._watched(name, getattr(os, name)))

    def _watched(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*args: Any, **kwargs: Any) -> Any:
            self.calls.append(name)
            if len(self.calls) != self._at:
                return call(*args, **kwargs)
            if self._after:
                call(*args, **kwargs)
            raise self._error

        return watched
