"""Disks that fail and processes that die, at each call of the operating system."""

import os
import signal
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import pytest

# Those that a save is made of; all that change something, between two of which a death is the same; and others.
CALLS = ("open", "write", "fsync", "replace", "rename", "unlink", "mkdir", "rmdir")
CHANGING = (*CALLS, "close", "fchmod", "chmod", "link", "symlink", "remove", "truncate", "ftruncate", "utime")
EVERY = (*CHANGING, "stat", "lstat", "fstat", "scandir", "listdir", "readlink", "read")


class Faults:
    """Raises at the n-th of the watched calls: before it is done, or right after.

    Attributes:
        calls: The names of the calls so far.
        looks: The first of each call that changes nothing and of each path, by number; and every call that changes
            something.

    Args:
        patch: What undoes the watching.
        at: Which call, counted from 1; None for none, so that the calls are just counted.
        after: Whether the call is done before it raises, as when an interrupt arrives.
        error: What is raised.
        watched: The names of the calls that are watched.
    """

    def __init__(
        self,
        patch: pytest.MonkeyPatch,
        at: int | None,
        after: bool,
        error: BaseException,
        watched: Sequence[str] = CALLS,
    ) -> None:
        self.calls: list[str] = []
        self.looks: list[int] = []
        self._seen: set[tuple[str, str]] = set()
        self._at, self._after, self._error = at, after, error
        for name in watched:
            patch.setattr(os, name, self._watched(name, getattr(os, name)))

    def _watched(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*args: Any, **kwargs: Any) -> Any:
            self.calls.append(name)
            look = (name, str(args[0]))
            if name in CHANGING or look not in self._seen:
                self.looks.append(len(self.calls))
                self._seen.add(look)
            if len(self.calls) != self._at:
                return call(*args, **kwargs)
            try:
                if self._after or name == "close":  # which has closed the file when it fails
                    call(*args, **kwargs)
            finally:
                raise self._error

        return watched


def dies(deed: Callable[[], object], at: int) -> bool:
    """Do something in a forked process that is killed at its n-th call, and tell whether it has come so far.

    A process that is killed while it writes has written half.

    Args:
        deed: What it does.
        at: Which call of `CHANGING`, counted from 1.

    Raises:
        AssertionError: It ended otherwise than by being killed there, or by having done it.
    """
    child = os.fork()
    if child == 0:
        _die(deed, at)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, -signal.SIGKILL), f"the process ended with {status}"
    return status == -signal.SIGKILL


def _die(deed: Callable[[], object], at: int) -> NoReturn:
    status, count, leave = 1, 0, os._exit

    def watched(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **kwargs: Any) -> Any:
            nonlocal count
            count += 1
            if count == at:
                if name == "write":
                    call(args[0], args[1][: len(args[1]) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*args, **kwargs)

        return counted

    try:
        for name in CHANGING:
            setattr(os, name, watched(name, getattr(os, name)))
        deed()
        status = 0
    finally:
        leave(status)
