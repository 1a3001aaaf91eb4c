"""An asset store that several processes write to at once, or die while they do."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from prompt_adapters import Prompt, PromptAssetStore
from prompt_adapters.errors import PromptFormatError

# Given: the root, whether there is a lock, the moment to begin at, and then the name of this process.
PROCESS = """
import os, sys
from prompt_adapters import Prompt, PromptAssetStore
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats import files

os.fsync = lambda descriptor: None  # which is for machines that die
root, lock, mine = sys.argv[1:]
if lock == "no lock":
    files._lock = lambda directory: None
store = PromptAssetStore(root)
store.versions("none")
print("ready", flush=True)
sys.stdin.readline()
"""
ONE_VERSION = """
for number in range(8):
    try:
        store.add(Prompt(user=f"{number} by {mine}"), "shared", f"v{number}")
        print(f"v{number}", flush=True)
    except PromptFormatError as error:
        assert "exists with another content" in str(error), error
"""
OWN_VERSIONS = """
for number in range(8):
    store.add(Prompt(user=f"{number} by {mine}"), "shared", f"{mine}.{number}")
    store.set_label("shared", f"label-{mine}-{number}", f"{mine}.{number}")
"""
FOR_EVER = """
for number in range(10_000):
    store.add(Prompt(user=f"{number} by {mine}"), "shared", f"{mine}.{number}")
    print(f"{mine}.{number}", flush=True)
    store.set_label("shared", "live", f"{mine}.{number}")
    print(f"live is {mine}.{number}", flush=True)
"""


def started(root: Path, code: str, names: Sequence[str], lock: str = "lock") -> list[subprocess.Popen[str]]:
    """Processes that have imported what they need and begin now, all at once."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PROCESS + code, str(root), lock, name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        for name in names
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n", process.communicate()
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    return processes


def ended(processes: Sequence[subprocess.Popen[str]]) -> list[list[str]]:
    """What each of them has printed."""
    found = []
    for process in processes:
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        found.append(out.splitlines())
    return found


@pytest.mark.parametrize("lock", ["lock", "no lock"])
def test_of_processes_that_add_one_version_one_does(lock: str, tmp_path: Path) -> None:
    """Also where the system has no lock: what was added there is what is there."""
    names = ["a", "b", "c"]
    added = dict(zip(names, ended(started(tmp_path, ONE_VERSION, names, lock)), strict=True))
    store = PromptAssetStore(tmp_path)
    versions = [f"v{number}" for number in range(8)]
    assert sorted(version for own in added.values() for version in own) == store.versions("shared") == versions
    for name, own in added.items():
        for version in own:
            assert store.get("shared", version).render()[0].text == f"{version[1:]} by {name}"
    assert store.verify() == ()


def test_processes_that_add_and_label_at_once_lose_nothing(tmp_path: Path) -> None:
    names = ["a", "b", "c"]
    ended(started(tmp_path, OWN_VERSIONS, names))
    store = PromptAssetStore(tmp_path)
    assert store.versions("shared") == [f"{name}.{number}" for name in names for number in range(8)]
    assert store.labels("shared") == {f"label-{n}-{i}": f"{n}.{i}" for n in names for i in range(8)}
    assert store.verify() == ()
    for version in store.versions("shared"):
        path = tmp_path / "shared" / f"{version}.yaml"
        path.write_text(path.read_text(encoding="utf-8").replace("by", "BY"), encoding="utf-8")
        with pytest.raises(PromptFormatError, match="was edited after it was added"):
            store.get("shared", version)


def test_processes_that_are_killed_leave_what_they_have_said(tmp_path: Path) -> None:
    """Whatever was reported as done is there, and so is at most the one thing that was being done."""
    store, dice = PromptAssetStore(tmp_path), random.Random(7)
    for round_ in range(3):
        processes = started(tmp_path, FOR_EVER, [f"r{round_}a", f"r{round_}b"])
        time.sleep(dice.uniform(0.05, 0.4))
        said = []
        for process in processes:
            os.kill(process.pid, signal.SIGKILL)
            out, _ = process.communicate(timeout=60)
            said.append(out.split("\n")[:-1])
        assert store.verify() == ()
        for name, lines in zip("ab", said, strict=True):
            own = [version for version in store.versions("shared") if version.startswith(f"r{round_}{name}.")]
            reported = [line for line in lines if not line.startswith("live")]
            assert own[: len(reported)] == reported
            assert len(own) <= len(reported) + 1
            assert [store.get("shared", v).render()[0].text for v in own] == [
                f"{n} by r{round_}{name}" for n in range(len(own))
            ]
        if any("live is" in line for lines in said for line in lines):
            assert store.get("shared", label="live").version == store.labels("shared")["live"]
    store.add(Prompt(user="last"), "shared", "z")
    assert [path.name for path in tmp_path.rglob(".prompt_adapters*")] == []
