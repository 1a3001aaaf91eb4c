"""Measuring side by side, and printing it: medians of rounds in which everybody has a turn.

Times are those of the processor, so that what else runs on the machine counts less. Absolute times depend on the
machine; the ratios are what to look at.
"""

from __future__ import annotations

import gc
import statistics
import timeit
import tracemalloc
from collections.abc import Callable, Mapping
from time import process_time

Run = Callable[[], object]

ROUNDS = 11
_ROUND_SECONDS = 0.01
_WARMING = 5


def medians(runs: Mapping[str, Run]) -> dict[str, float]:
    """The median time of each in microseconds; in every round each is run, so that a slow moment hits all alike."""
    loops = {name: max(1, int(_ROUND_SECONDS / max(_warmed(run), 1e-7))) for name, run in runs.items()}
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(ROUNDS):
        for name, run in runs.items():
            times[name].append(timeit.timeit(run, timer=process_time, number=loops[name]) / loops[name] * 1e6)
    return {name: statistics.median(found) for name, found in times.items()}


def _warmed(run: Run) -> float:
    for _ in range(_WARMING):  # what compiles, or keeps what it built, does so in its first runs
        run()
    return timeit.timeit(run, timer=process_time, number=3) / 3


def peak(run: Run) -> int:
    """The most bytes that a call holds at once beyond what was there before, its result included."""
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        kept = run()
        most = tracemalloc.get_traced_memory()[1] - before
        del kept
        return most
    finally:
        tracemalloc.stop()


def report(title: str, values: Mapping[str, float], unit: str = "us", *, target: str = "") -> None:
    """A table: each value, and how many times the first it is."""
    base = next(iter(values.values()))
    print(f"\n{title}" + (f"   [target: {target}]" if target else ""))
    for name, value in values.items():
        print(f"  {name:44} {value:12.1f} {unit:3} x {value / base:8.2f}")
