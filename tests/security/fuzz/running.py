"""Gives a target its inputs, counts them, and makes smaller what is found."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

sys.path.insert(0, str(Path(__file__).parents[2] / "support"))

from tests.security.fuzz.mutations import QUICK
from tests.security.fuzz.targets import TARGETS

from prompt_adapters.errors import PromptAdapterError

__all__ = ["QUICK", "TARGETS", "Amount", "fuzzed"]

MOST_SECONDS = {"media": 5.0, "quick-media": 5.0}  # a picture of as many pixels as are allowed takes so long
MOST_BYTES = 3_000_000_000
BATCH = 500


@dataclass(frozen=True)
class Amount:
    """How many inputs a target takes: so many, or as many as the seconds allow, but never fewer than ``each``."""

    inputs: int
    each: int
    seconds: float

    def wants(self, tried: int, started: float) -> bool:
        """Whether it takes one more."""
        return tried < self.each or (tried < self.inputs and time.monotonic() < started + self.seconds)


class SlowError(AssertionError):
    """An input took too long."""


class ManyLinesError(AssertionError):
    """An error has more than one line."""


def limit_memory() -> None:
    """Make a finding of what wants gigabytes, instead of a machine that stands still."""
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))


def seconds_of(read: Callable[[Any], object], given_input: Any) -> float:
    """The processor time that an input takes."""
    started = time.process_time()
    try:
        read(given_input)
    except PromptAdapterError as error:
        if "\n" in str(error):
            raise ManyLinesError(str(error)) from error
    return time.process_time() - started


def once(name: str, read: Callable[[Any], object], given_input: Any) -> None:
    """Give a target an input.

    Raises:
        SlowError: It took too long, twice.
    """
    most = MOST_SECONDS.get(name, 1.0)
    if seconds_of(read, given_input) > most and (took := seconds_of(read, given_input)) > most:
        raise SlowError(f"{took:.1f} s")


def fuzz(name: str, amount: Amount, start: int) -> int:
    """Give a target its inputs; how many they were.

    Raises:
        Exception: What is no error of the package, for the smallest input that gives it.
    """
    strategy, read = TARGETS[name]
    started = time.monotonic()
    tried = 0

    def one(given_input: Any) -> None:
        nonlocal tried
        if amount.wants(tried, started):
            tried += 1
            once(name, read, given_input)

    while amount.wants(tried, started):  # hypothesis itself knows no end of time
        some = settings(
            max_examples=min(BATCH, max(amount.inputs - tried, 1)),
            deadline=None,
            database=None,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        )
        seed(start + tried)(some(given(strategy)(one)))()
    return tried


def fuzz_quickly(name: str, amount: Amount, start: int) -> int:
    """`fuzz` for a target of `mutations`."""
    make, read = QUICK[name]
    started = time.monotonic()
    tried = 0
    while amount.wants(tried, started):
        given_input = make(random.Random(f"{name}-{start}-{tried}"))
        try:
            once(name, read, given_input)
        except Exception as error:
            error.add_note(f"input {tried}: {smaller(read, given_input, type(error))!r}")
            raise
        tried += 1
    return tried


def fuzzed(name: str, amount: Amount, start: int) -> tuple[int, str]:
    """How many inputs a target had, and what there is to say of it; of a finding, none."""
    limit_memory()
    started = time.monotonic()
    try:
        tried = (fuzz_quickly if name in QUICK else fuzz)(name, amount, start)
    except Exception as error:  # noqa: BLE001 - every finding is shown, and the next target tried
        notes = "\n".join(getattr(error, "__notes__", ()))
        return 0, f"{name}: {type(error).__name__}: {error}\n{notes}\n"
    return tried, f"{name}: {tried} inputs in {time.monotonic() - started:.0f} s, seed {start}\n"


def smaller(read: Callable[[Any], object], given_input: Any, kind: type[Exception]) -> Any:
    """An input that still gives the same kind of error, without pieces of its texts that do not matter."""

    def fails(candidate: Any) -> bool:
        try:
            seconds_of(read, candidate)
        except Exception as error:  # noqa: BLE001 - only its kind counts
            return type(error) is kind
        return False

    if isinstance(given_input, tuple | list):
        for at in range(len(given_input)):
            given_input = _without(given_input, at, fails)
        return given_input
    return _cut(given_input, fails)


def _without(whole: Any, at: int, fails: Callable[[Any], bool]) -> Any:
    """A tuple with one of its items made smaller."""

    def put(piece: Any) -> Any:
        return type(whole)([*whole[:at], piece, *whole[at + 1 :]])

    return put(_cut(whole[at], lambda piece: fails(put(piece))))


def _cut(text: Any, fails: Callable[[Any], bool]) -> Any:
    if isinstance(text, list) and len(text) == 1:
        return [_cut(text[0], lambda piece: fails([piece]))]
    if not isinstance(text, str | bytes):
        return text
    left: Any = text
    size = len(left) // 2
    while size:
        at = 0
        while at < len(left):
            candidate = left[:at] + left[at + size :]
            if fails(candidate):
                left = candidate
            else:
                at += size
        size //= 2
    return left
