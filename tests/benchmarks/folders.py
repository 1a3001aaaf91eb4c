"""Folders of prompts: whether `lint` and `list` take time in step with their number, and no more memory for more."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from math import log10
from pathlib import Path
from time import process_time

from tests.benchmarks.timing import peak

from prompt_adapters import FewShot, Prompt, save_prompt
from prompt_adapters.cli.listing import prompts_below
from prompt_adapters.formats import format_for, held_by
from prompt_adapters.lint import lint_paths

_SIZES = (100, 1_000, 10_000)
_A_FOLDER = 100  # prompts of each folder
_NAMES = ("{}.json", "{}.prompt", "{}.yaml", "{}.prompty", "{}.jinja", "{}")  # a directory is the last one

_WORK: dict[str, Callable[[Path], Iterable[object]]] = {
    "lint": lambda root: lint_paths([root]),
    "lint, two models": lambda root: lint_paths([root], ["anthropic/claude-opus-4-6", "gemini/gemini-2.5-flash"]),
    "list": lambda root: prompts_below(str(root)),
}


def folders() -> None:
    """Times and memory per size, for folders of files and directories, and for one folder of files alone."""
    print("\nFolders of prompts   [slope from 1,000 to 10,000: 1 is linear]")
    print(f"  {'':36}" + "".join(f"{size:>12,}" for size in _SIZES) + "   slope")
    for where, one in (("in folders of 100", False), ("in one folder", True)):
        found: dict[str, list[tuple[float, int]]] = {name: [] for name in _WORK}
        for size in _SIZES:
            with tempfile.TemporaryDirectory() as folder:
                fill(Path(folder), size, files_only=one)
                for name, work in _WORK.items():
                    found[name].append(_measured(work, Path(folder)))
        for name, measured in found.items():
            times = [time for time, _ in measured]
            slope = log10(times[-1] / times[-2])
            print(f"  {f'{name}, {where}':36}" + "".join(f"{time:10.2f} s" for time in times) + f"   {slope:5.2f}")
            print(f"  {'':36}" + "".join(f"{most / 1024:9.0f} kB" for _, most in measured))


def _measured(work: Callable[[Path], Iterable[object]], root: Path) -> tuple[float, int]:
    """The seconds that a run takes, and the most bytes that it holds."""
    _all(work, root)  # the facts about models are read once, whatever the size
    start = process_time()
    _all(work, root)
    return process_time() - start, peak(lambda: _all(work, root))


def fill(root: Path, size: int, *, files_only: bool = False) -> None:
    """Write prompts with few-shot examples, parameters and, in every third, something to find.

    Args:
        root: The folder.
        size: How many prompts.
        files_only: Whether all are files in this very folder; otherwise every sixth is a directory, and there are
            folders of a hundred.
    """
    for number in range(size):
        marked = " See {wanted}.  \nEnd." if number % 3 == 0 else ""
        system, user = "You are brief.\nAnswer in {{ language }}.", f"Question {number}: {{{{ topic }}}}?{marked}"
        name = _NAMES[number % (len(_NAMES) - files_only)].format(f"p{number:05}")
        shots = FewShot([("What is red?", "The boat.")]) if name.endswith(".json") else None
        prompt = Prompt(system, user, few_shot=shots, parameters={"temperature": 0.2}, model="openai/gpt-4o")
        path = root / name if files_only else root / f"f{number // _A_FOLDER:03}" / name
        save_prompt(held_by(prompt, format_for(path))[0], path)


def _all(work: Callable[[Path], Iterable[object]], root: Path) -> None:
    for _ in work(root):
        pass
