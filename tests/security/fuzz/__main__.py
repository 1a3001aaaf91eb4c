"""Feeds what is made up to everything that reads.

``python -m tests.security.fuzz [TARGET …] [--inputs N] [--least N] [--seconds S] [--seed N]``

The targets are templates, values, files, data-urls, media, requests and models, whose inputs hypothesis makes, and with
``quick-`` before their names those of `mutations`, one for each format's loader among them. Each takes N inputs, or as
many as S seconds allow. An input may give a result or one of the package's own errors; another error, or more than a
second of processor time (five for media), is a finding: it is made smaller and shown, and the program ends with 1. So
it does when all targets together had fewer inputs than ``--least``.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

sys.path.insert(0, str(Path(__file__).parents[2] / "support"))

from tests.security.fuzz.mutations import QUICK
from tests.security.fuzz.targets import TARGETS

from prompt_adapters.errors import PromptAdapterError

MOST_SECONDS = {"media": 5.0, "quick-media": 5.0}  # a picture of as many pixels as are allowed takes so long
MOST_BYTES = 3_000_000_000


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


def fuzz(name: str, inputs: int, seconds: float, start: int) -> int:
    """Give a target its inputs; how many they were.

    Raises:
        Exception: What is no error of the package, for the smallest input that gives it.
    """
    strategy, read = TARGETS[name]
    most = MOST_SECONDS.get(name, 1.0)
    ends = time.monotonic() + seconds
    tried = 0

    @seed(start)
    @settings(
        max_examples=inputs,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def one(given_input: Any) -> None:
        nonlocal tried
        if time.monotonic() > ends:
            return
        tried += 1
        if seconds_of(read, given_input) > most and (took := seconds_of(read, given_input)) > most:
            raise SlowError(f"{took:.1f} s")

    one()
    return tried


def fuzz_quickly(name: str, inputs: int, seconds: float, start: int) -> int:
    """`fuzz` for a target of `mutations`."""
    make, read = QUICK[name]
    most = MOST_SECONDS.get(name, 1.0)
    ends = time.monotonic() + seconds
    for number in range(inputs):
        if time.monotonic() > ends:
            return number
        given_input = make(random.Random(f"{name}-{start}-{number}"))
        try:
            if seconds_of(read, given_input) > most and (took := seconds_of(read, given_input)) > most:
                raise SlowError(f"{took:.1f} s")
        except Exception as error:
            error.add_note(f"input {number}: {smaller(read, given_input, type(error))!r}")
            raise
    return inputs


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


def main(arguments: list[str]) -> int:
    """Run the targets that are named, or all."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", choices=[*TARGETS, *QUICK, []], metavar="TARGET")
    parser.add_argument("--inputs", type=int, default=15_000)
    parser.add_argument("--least", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    chosen = parser.parse_args(arguments)
    limit_memory()
    found = total = 0
    for name in chosen.targets or [*TARGETS, *QUICK]:
        started = time.monotonic()
        try:
            tried = (fuzz_quickly if name in QUICK else fuzz)(name, chosen.inputs, chosen.seconds, chosen.seed)
        except Exception as error:  # noqa: BLE001 - every finding is shown, and the next target tried
            notes = "\n".join(getattr(error, "__notes__", ()))
            sys.stdout.write(f"{name}: {type(error).__name__}: {error}\n{notes}\n")
            found += 1
        else:
            total += tried
            sys.stdout.write(f"{name}: {tried} inputs in {time.monotonic() - started:.0f} s, seed {chosen.seed}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{total} inputs, {found} findings\n")
    return int(found > 0 or total < chosen.least)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
