"""Folders with thousands of prompts: ``python -m tests.benchmarks.prompt_folders``.

Each number of prompts is read in a process of its own, whose peak tells what that needs; a pass over 100 of them comes
first, so that imports and the bounded caches do not count. Then what reading a YAML file takes.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import yaml
from tests.benchmarks.media_memory import memory

from prompt_adapters import FewShot, Prompt, PromptAssetStore, save_prompt
from prompt_adapters.formats import yaml_nodes
from prompt_adapters.formats.asset import dump
from prompt_adapters.formats.folders import iter_prompts
from prompt_adapters.formats.yaml_text import read_yaml

_SIZES = (100, 1000, 3000, 10_000)
_PLACES = ("{}", "{}.json", "{}.prompt", "{}.yaml")


def _prompt(number: int) -> Prompt:
    system = f"You are critic {number}. Judge by the rules below.\n" + "".join(
        f"{rule}. Look at aspect {rule * number} of the text.\n" for rule in range(1, 11)
    )
    user = f"Review number {number}: {{{{ text }}}}\nAnswer in {{{{ language }}}}."
    metadata = {"owner": f"team {number}"}
    return Prompt(system.strip(), user, model="gpt-4o", parameters={"temperature": 0.2}, metadata=metadata)


def _write(root: Path, start: int, stop: int) -> None:
    """Prompts of each format by turns, in folders of 250; and as many in a store, two versions each."""
    store = PromptAssetStore(root / "store")
    for number in range(start, stop):
        prompt, place = _prompt(number), _PLACES[number % len(_PLACES)]
        path = root / "files" / f"{number // 250}" / place.format(f"prompt-{number}")
        if place == "{}":
            prompt = prompt.replace(few_shot=FewShot([("a good text", "A"), ("a bad text", "F")]))
        save_prompt(prompt, path)
        for version in ("v1", "v2")[: 1 + number % 2]:
            store.add(prompt.replace(few_shot=None), f"team-{number // 250}/prompt-{number}", version)


def _unflushed(fd: object) -> None:
    """Flushing is for machines that die, and takes long."""


def _measured(deed: Callable[[], int]) -> str:
    before, cpu, clock = memory("VmRSS"), time.process_time(), time.perf_counter()
    count = deed()
    seconds = time.process_time() - cpu
    grown = max(0, memory("VmHWM") - before) / 1e6
    each = seconds / count * 1000
    elapsed = time.perf_counter() - clock
    return f"{count:6} in {seconds:6.2f} s of CPU, {elapsed:6.2f} s: {each:.3f} ms each, {grown:5.1f} MB"


def _deeds(root: Path) -> dict[str, Callable[[], int]]:
    store = PromptAssetStore(root / "store")

    def loaded() -> int:
        return sum(isinstance(result, Prompt) for _, result in iter_prompts(root / "files"))

    def digests() -> int:
        return len({store.digest(prompt_id) for prompt_id in store.ids()})

    return {
        "every prompt loaded": loaded,
        "ids of a store": lambda: len(store.ids()),
        "versions and labels": lambda: sum(len(store.versions(i)) + len(store.labels(i)) > 0 for i in store.ids()),
        "latest of each, with digest": digests,
        "verified": lambda: len(store.ids()) - len(store.verify()),
    }


def measure(root: str, name: str) -> None:
    """Print what one deed takes, after a pass over a small folder."""
    _deeds(Path(root).with_name("100"))[name]()
    print(_measured(_deeds(Path(root))[name]))


def folders() -> None:
    """What folders of each size take."""
    flush = os.fsync
    with tempfile.TemporaryDirectory() as place:
        os.fsync = _unflushed
        for size in _SIZES:
            _write(Path(place) / str(size), 0, size)
        os.fsync = flush
        for name in _deeds(Path()):
            print(f"\n{name}")
            for size in _SIZES[1:]:
                command = [sys.executable, "-m", "tests.benchmarks.prompt_folders", str(Path(place) / str(size)), name]
                print(f"  {subprocess.run(command, capture_output=True, check=True, text=True).stdout.strip()}")


def parsing() -> None:
    """What YAML takes to parse, by each reader that is installed: one prompt, and one of many blocks."""
    prompt = dump(_prompt(7), Path("v1.yaml"))
    blocks = "".join(
        f"  - text: |\n      Look at {n}.\n      no: 1.10\n  - image: {{source: of, index: {n}}}\n" for n in range(300)
    )
    for text, times in ((prompt, 30), (f"user_prompt:\n{blocks}", 1)):
        print(f"\nA YAML file of {len(text)} characters")
        for name, deed in _readers(text).items():
            deed()
            best = min(_took(deed, times) for _ in range(7))
            print(f"  {name:26} {best * 1000:.3f} ms")


def _readers(text: str) -> dict[str, Callable[[], object]]:
    def pure() -> object:
        parser, yaml_nodes._Parser = yaml_nodes._Parser, yaml.SafeLoader
        try:
            return read_yaml(text, None)
        finally:
            yaml_nodes._Parser = parser

    readers: dict[str, Callable[[], object]] = {
        "parsed by PyYAML": lambda: [*yaml.parse(text, yaml.SafeLoader)],
        "parsed by libyaml": lambda: [*yaml.parse(text, yaml.CSafeLoader)],
        "yaml.SafeLoader": lambda: yaml.load(text, yaml.SafeLoader),
        "yaml.CSafeLoader": lambda: yaml.load(text, yaml.CSafeLoader),
        "ours on PyYAML's parser": pure,
        "ours on libyaml's parser": lambda: read_yaml(text, None),
    }
    if find_spec("ruamel") is not None:
        ruamel = import_module("ruamel.yaml")
        for kind in ("safe", "rt"):
            readers[f"ruamel.yaml, {kind}"] = partial(lambda kind: ruamel.YAML(typ=kind).load(text), kind)
    return readers


def _took(deed: Callable[[], object], times: int) -> float:
    start = time.process_time()
    for _ in range(times):
        deed()
    return (time.process_time() - start) / times


def main() -> None:
    """One file, and folders of them."""
    parsing()
    folders()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        measure(*sys.argv[1:])
    else:
        main()
