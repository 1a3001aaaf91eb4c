"""Names of test cases that are the same in every process."""

from __future__ import annotations

import re

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def named(value: object) -> str:
    """What stands for a value in the name of its test: its repr without the address, which is another in each process.

    Tests that run in several processes are found by their names, which so must not change.
    """
    return _ADDRESS.sub("", repr(value))[:60]
