"""Disks that fail: each call of the operating system that changes something may be made to raise."""

import os
from collections.abc import Callable
from typing import Any

import pytest

CALLS = ("open", "write", "fsync", "replace", "rename", "unlink", "mkdir", "rmdir")


class Faults:
    """Raises at the n-th of the watched calls: before it is done, or right after.

    Args:
        patch: What undoes the watching.
        at: Which call, counted from 1; None for none, so that the calls are just counted.
        after: Whether the call is done before it raises, as when an interrupt arrives.
        error: What is raised.
    """

    def __init__(self, patch: pytest.MonkeyPatch, at: int | None, after: bool, error: BaseException) -> None:
        self.count, self.at, self.after, self.error = 0, at, after, error
        for name in CALLS:
            patch.setattr(os, name, self._watched(getattr(os, name)))

    def _watched(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*args: Any, **kwargs: Any) -> Any:
            self.count += 1
            if self.count != self.at:
                return call(*args, **kwargs)
            if self.after:
                call(*args, **kwargs)
            raise self.error

        return watched
