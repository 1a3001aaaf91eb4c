"""Published or kept vectors, counted: how many are met, which are refused by name, and how many fail."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable

import pytest

REFUSED = "refused by name"


def tally(
    title: str, names: Iterable[str], result: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> Counter[str]:
    """In which ways vectors are met, also printed.

    Args:
        title: What the vectors are.
        names: Their names.
        result: In which way the vector of a name is met, which begins with `REFUSED` for one that is not supported.
        capsys: The test's, so that the counts are seen.
    """
    found: Counter[str] = Counter()
    failed: list[str] = []
    for name in names:
        try:
            found[result(name)] += 1
        except AssertionError:
            failed.append(name)
    refused = sum(count for way, count in found.items() if way.startswith(REFUSED))
    counts = f"passed {found.total() - refused}, unsupported {refused}, failed {len(failed)}"
    with capsys.disabled():
        sys.stdout.write(f"\n{title}: {counts} {dict(found)}\n")
    assert failed == []
    return found
