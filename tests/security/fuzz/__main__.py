"""Feeds what is made up to everything that reads.

``python -m tests.security.fuzz [TARGET …] [--inputs N] [--each N] [--least N] [--seconds S] [--workers N] [--seed N]``

The targets are templates, values, files, data-urls, media, requests and models, whose inputs hypothesis makes, and with
``quick-`` before their names those of `mutations`, one for each format's loader among them. Each takes ``--inputs``
inputs, or as many as ``--seconds`` allow, but ``--each`` of them in any case. An input may give a result or one of the
package's own errors; another error, or more than a second of processor time (five for media), is a finding: it is made
smaller and shown, and the program ends with 1. So it does when all targets together had fewer inputs than ``--least``.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

from tests.security.fuzz.running import QUICK, TARGETS, Amount, fuzzed

# What is read soon takes more inputs, and as much more time.
SHARES = {
    "quick-data-urls": 3,
    "quick-models": 3,
    "quick-templates": 3,
    "quick-standardized_json": 2,
    "quick-requests": 2,
}


def main(arguments: list[str]) -> int:
    """Run the targets that are named, or all."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", choices=[*TARGETS, *QUICK, []], metavar="TARGET")
    parser.add_argument("--inputs", type=int, default=25_000)
    parser.add_argument("--each", type=int, default=500)
    parser.add_argument("--least", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=int(time.time()))
    chosen = parser.parse_args(arguments)
    found = total = 0
    with ProcessPoolExecutor(chosen.workers, multiprocessing.get_context("spawn")) as workers:
        names = sorted(chosen.targets or [*TARGETS, *QUICK], key=lambda name: -SHARES.get(name, 1))
        runs = []
        for name in names:
            share = SHARES.get(name, 1)
            amount = Amount(chosen.inputs * share, chosen.each, chosen.seconds * share)
            runs.append(workers.submit(fuzzed, name, amount, chosen.seed))
        for done in as_completed(runs):
            tried, said = done.result()
            total += tried
            found += not tried
            sys.stdout.write(said)
            sys.stdout.flush()
    sys.stdout.write(f"{total} inputs, {found} findings\n")
    return int(found > 0 or total < chosen.least)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
