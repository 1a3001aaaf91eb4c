"""Whatever call of the system fails or is the last one: there is the old prompt or the new one, and no third."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import saving
from faults import CHANGING, EVERY, Faults
from prompt_adapters.errors import PromptDiskError
from saving import Case, cases, is_new, outcomes

CASES = cases()
BROKEN = OSError(5, "Input/output error")


@pytest.fixture(autouse=True)
def _unflushed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Flushing is for machines that die, and takes long."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


def interrupted(
    case: Case, root: Path, at: int | None, error: BaseException, *, after: bool = False, watched: Sequence[str] = EVERY
) -> Faults:
    """The calls that a case has made, one of which raised."""
    with pytest.MonkeyPatch.context() as patch:
        faults = Faults(patch, at, after, error, watched)
        case.deed(root)
    return faults


def disk_fails(case: Case, root: Path, at: int) -> str | None:
    """What is said when a call fails; None when nobody needed it."""
    try:
        interrupted(case, root, at, BROKEN)
    except PromptDiskError as error:
        return str(error)
    return None


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_call_that_fails_leaves_the_old_or_the_new(case: Case, tmp_path: Path) -> None:
    """The error is that of the disk, and what has failed unseen has not mattered."""
    old, new = outcomes(case, tmp_path / "0")
    case.prepare(tmp_path / "count")
    faults = interrupted(case, tmp_path / "count", None, BROKEN)
    for at in faults.looks:
        root, when = tmp_path / f"{at}", f"call {at}, {faults.calls[at - 1]}"
        case.prepare(root)
        said = disk_fails(case, root, at)
        assert said is None or "Input/output error" in said, when
        assert is_new(case, root, old, new, when) or said is not None, when


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_an_interrupt_leaves_the_old_or_the_new(case: Case, tmp_path: Path) -> None:
    old, new = outcomes(case, tmp_path / "0")
    case.prepare(tmp_path / "count")
    faults = interrupted(case, tmp_path / "count", None, KeyboardInterrupt(), watched=CHANGING)
    seen = set()
    for at, name in enumerate(faults.calls, 1):
        case.prepare(tmp_path / f"{at}")
        with pytest.raises(KeyboardInterrupt):
            interrupted(case, tmp_path / f"{at}", at, KeyboardInterrupt(), after=True, watched=CHANGING)
        seen.add(is_new(case, tmp_path / f"{at}", old, new, f"after call {at}, {name}"))
    assert seen == {False, True}


def test_a_process_that_dies_leaves_the_old_or_the_new(tmp_path: Path) -> None:
    """Each case, killed at each of its calls in a process of its own."""
    command = [sys.executable, saving.__file__, str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    assert result.returncode == 0, result.stderr
    counts = {name: int(count) for name, _, count in (line.rpartition(": ") for line in result.stdout.splitlines())}
    assert list(counts) == list(CASES)
    assert all(count > 10 for count in counts.values())
