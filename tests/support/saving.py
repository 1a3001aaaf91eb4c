"""Everything that writes prompts, as cases: what is there before, what is done, and what is there then.

As a program it does each of them in processes that die, one at each call of the operating system: see `main`.
"""

import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from prompt_adapters import FewShot, Prompt, PromptAssetStore, TextPromptAdapter, load_prompt, save_prompt
from prompt_adapters.formats import FORMATS, held_by

_OLD = Prompt("Be kind.", "Old {{ x }}", few_shot=FewShot([("a", "b")]), metadata={"n": 1}, syntax="plain")
_NEW = Prompt(None, "New {{ y }}", few_shot=FewShot([("c", "d")], "append_to_user_prompt"), version="2", syntax="plain")


class Case(NamedTuple):
    """Something that writes.

    Attributes:
        prepare: Makes what is there before, in a folder of its own.
        deed: Writes.
        state: What there is, to be compared.
        again: What leads to the same when it is done already; None when `deed` does.
    """

    prepare: Callable[[Path], object]
    deed: Callable[[Path], object]
    state: Callable[[Path], object]
    again: Callable[[Path], object] | None = None

    def write(self, root: Path) -> None:
        """Write another time, after which there is the new."""
        (self.again or self.deed)(root)


def cases() -> dict[str, Case]:
    """All cases by name."""
    return dict(_cases())


def _cases() -> Iterator[tuple[str, Case]]:
    for name in FORMATS:
        yield f"{name}, new", Case(_nothing, _save(name, _NEW), _load(name))
        yield f"{name}, again", Case(_save(name, _OLD), _save(name, _NEW), _load(name))
    yield "text adapter", Case(_save("standardized", _OLD), _save_texts, _load("standardized"))
    yield "store, new", Case(_nothing, _add("v1", _OLD), _stored)
    yield "store, version", Case(_add("v1", _OLD), _add("v2", _NEW), _stored)
    yield "store, label", Case(_labelled("v1"), _label("v2"), _stored)
    yield (
        "store, label goes",
        Case(_labelled("v1"), _unlabel, _stored, _relabel_and_unlabel),
    )


def _nothing(root: Path) -> None:
    pass


def _place(root: Path, name: str) -> Path:
    return root / "deep" / f"prompt{(FORMATS[name].suffixes or ('.txt',))[0]}"


def _save(name: str, prompt: Prompt) -> Callable[[Path], object]:
    held = held_by(prompt, name)[0]
    return lambda root: save_prompt(held, _place(root, name), name)


def _load(name: str) -> Callable[[Path], object]:
    return lambda root: load_prompt(_place(root, name), name) if _place(root, name).exists() else None


def _save_texts(root: Path) -> None:
    TextPromptAdapter().set_user_prompt("Texts {{ z }}").adapt().save(_place(root, "standardized"))


def _store(root: Path) -> PromptAssetStore:
    return PromptAssetStore(root / "assets")


def _add(version: str, prompt: Prompt) -> Callable[[Path], object]:
    held = held_by(prompt, "asset")[0]
    return lambda root: _store(root).add(held, "mail/greet", version)


def _label(version: str) -> Callable[[Path], object]:
    return lambda root: _store(root).set_label("mail/greet", "live", version)


def _unlabel(root: Path) -> None:
    _store(root).remove_label("mail/greet", "live")


def _relabel_and_unlabel(root: Path) -> None:
    _label("v1")(root)
    _unlabel(root)


def _labelled(version: str) -> Callable[[Path], object]:
    def prepare(root: Path) -> None:
        for deed in (_add("v1", _OLD), _add("v2", _NEW), _label(version)):
            deed(root)

    return prepare


def _stored(root: Path) -> object:
    store = _store(root)
    assert store.verify() == ()
    versions = store.versions("mail/greet")
    return [store.get("mail/greet", version) for version in versions], store.labels("mail/greet")


def outcomes(case: Case, folder: Path) -> tuple[object, object]:
    """What there is before a case, and after it."""
    case.prepare(folder)
    old = case.state(folder)
    case.deed(folder)
    new = case.state(folder)
    assert old != new
    return old, new


def is_new(case: Case, root: Path, old: object, new: object, when: str) -> bool:
    """Whether there is the new after an interruption; otherwise there is the old. The next time all goes well.

    Args:
        case: The case.
        root: Where it was done.
        old: What was there before.
        new: What should be there afterwards.
        when: What to say when it is not so.
    """
    found = case.state(root)
    assert found in (old, new), f"{when}: {found}"
    case.write(root)
    assert case.state(root) == new, f"{when}: the next time"
    left = [path.name for path in root.rglob(".prompt_adapters*")]
    assert left == [], f"{when}: {left}"
    return bool(found == new)


def _unflushed(fd: object) -> None:
    """Flushing is for machines that die, and takes long."""


def main() -> None:
    """Let each case die at each of its calls, below a folder that is given, and print how many calls there were."""
    from faults import dies

    os.fsync = _unflushed
    folder = Path(sys.argv[1])
    for number, (name, case) in enumerate(cases().items()):
        old, new = outcomes(case, folder / f"{number}")
        seen, dead = list[bool](), True
        while dead:
            root = folder / f"{number}-{len(seen) + 1}"
            case.prepare(root)
            dead = dies(partial(case.deed, root), len(seen) + 1)
            seen.append(is_new(case, root, old, new, f"{name}, call {len(seen) + 1}"))
        assert seen == sorted(seen), f"{name}: the new was there, and then the old"
        assert set(seen) == {False, True}, name
        sys.stdout.write(f"{name}: {len(seen) - 1}\n")


if __name__ == "__main__":
    main()
