"""Where the prompts of a manager come from: a directory, an asset store, or a mapping.

Each is asked by id, version and label. What stands in files is loaded once and again when the files change, which is
told from their times, sizes and identities on each call; the formats' loaders give the old or the new prompt, whole.
"""

from __future__ import annotations

import difflib
import inspect
import os
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple, Protocol, TypeAlias

from prompt_adapters.errors import PromptFormatError, PromptNotFoundError, PromptTypeError
from prompt_adapters.formats import FORMATS, load_prompt
from prompt_adapters.formats.places import natural_order, path_inside, segments_of
from prompt_adapters.prompt import Prompt

_SUFFIXES = tuple(dict.fromkeys(suffix for row in FORMATS.values() for suffix in row.suffixes if suffix))
_VERSION = re.compile(r"(.+)\.(v\d+)")
_MOST_LETTERS = 3  # that an id may be longer or shorter than what was meant
_MOST = 1024  # prompts that are kept
# A file that changed so lately may change again without its time showing it: the coarsest file systems tell 2 s.
_TICK_NS = 2_000_000_000

_Key: TypeAlias = tuple[str, str | None]
_Mark: TypeAlias = tuple[Any, ...]


class PromptSource(Protocol):
    """What a manager asks for prompts."""

    @property
    def root(self) -> Path | None:
        """The folder that paths in errors are told from; None when nothing stands in files."""

    def has(self, prompt_id: str) -> bool:
        """Whether there is a prompt of this id, be it malformed. Raises nothing."""

    def find(self, prompt_id: str, version: str | None, label: str | None) -> Prompt:
        """The prompt of an id that the source has.

        Raises:
            PromptNotFoundError: (a ``FileNotFoundError``) It has no such version or label.
            PromptFormatError: (a ``ValueError``) It is malformed.
        """

    def similar(self, prompt_id: str) -> str | None:
        """An id that looks like one that the source does not have."""


class PromptStore(Protocol):
    """What a store offers, as `PromptAssetStore` does; where its `get` has a parameter ``label``, it has labels."""

    def get(self, prompt_id: str, version: str = ...) -> Prompt:
        """A prompt; without a version, the latest."""

    def versions(self, prompt_id: str) -> list[str]:
        """The versions of a prompt, the latest last; empty when there is none of this id."""

    def ids(self) -> list[str]:
        """The ids of all prompts."""


def source_of(prompts: Any) -> PromptSource:
    """A source from what people give.

    Args:
        prompts: The path of a directory, a `PromptAssetStore`, or a mapping from ids to `Prompt`.

    Raises:
        PromptNotFoundError: (a ``FileNotFoundError``) There is no such directory.
        PromptTypeError: (a ``TypeError``) It is none of these.
    """
    match prompts:
        case str() | os.PathLike():
            return DirectorySource(prompts)
        case Mapping():
            return MappingSource(prompts)
    if all(callable(getattr(prompts, name, None)) for name in ("get", "versions", "ids")):
        return StoreSource(prompts)
    raise PromptTypeError(
        None,
        None,
        "prompts are the path of a directory, a PromptAssetStore, or a mapping from ids to Prompt, "
        f"not {type(prompts).__name__}",
    )


class _Kept(NamedTuple):
    mark: _Mark
    prompt: Prompt


class _Shelf:
    """Loaded prompts, each with the mark of the files that it was loaded from. It may be shared between threads."""

    def __init__(self) -> None:
        self._kept: OrderedDict[_Key, _Kept] = OrderedDict()
        self._lock = Lock()

    def get(self, key: _Key, path: Path, load: Callable[[], Prompt]) -> Prompt:
        """A prompt, loaded if its files are others than before.

        Args:
            key: What it is kept under.
            path: Its file or directory.
            load: What reads it.
        """
        mark, changed = _mark(path)
        with self._lock:
            if (kept := self._kept.get(key)) is not None and kept.mark == mark:
                self._kept.move_to_end(key)
                return kept.prompt
        before = time.time_ns()
        prompt = load()
        with self._lock:
            self._kept.pop(key, None)
            if before - changed > _TICK_NS:
                self._kept[key] = _Kept(mark, prompt)
            if len(self._kept) > _MOST:
                self._kept.popitem(last=False)
        return prompt


def _mark(path: Path) -> tuple[_Mark, int]:
    """What tells a file, or the files of a directory, from others in their place; and when they last changed, in ns."""
    try:
        looks = [(path.name, path.stat())]
        if path.is_dir():
            with os.scandir(path) as entries:
                looks += sorted(((entry.name, entry.stat()) for entry in entries), key=lambda look: look[0])
    except OSError:  # loading says what is wrong
        return (object(),), time.time_ns()
    mark = tuple((name, s.st_dev, s.st_ino, s.st_size, s.st_mtime_ns, s.st_ctime_ns) for name, s in looks)
    return mark, max(status.st_mtime_ns for _, status in looks)


class DirectorySource:
    """Prompts in a directory, in any format that `load_prompt` reads.

    The id ``greet`` is the file or directory of that name, or the file with a format's suffix (``greet.prompt``,
    ``greet.yaml``, ``greet.json``); ``mail/greet`` stands in a folder. Version 2 of it is ``greet.v2.prompt`` and its
    like, or the prompt whose own version is 2; without a version it is ``greet`` itself, or else the highest number. No
    id leads out of the directory.

    Args:
        root: The directory; ``~`` is expanded.

    Raises:
        PromptNotFoundError: (a ``FileNotFoundError``) There is none.
    """

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self.root: Path = Path(root).expanduser()
        self._shelf = _Shelf()
        self._listed: dict[Path, tuple[_Mark, dict[str, list[str]]]] = {}
        if not self.root.is_dir():
            raise PromptNotFoundError(self.root, None, "there is no such directory of prompts")

    def has(self, prompt_id: str) -> bool:
        """Whether there is a file or directory of this id, in any version of it."""
        try:
            return bool(self._places(prompt_id) or self._versions(prompt_id))
        except (PromptFormatError, OSError):
            return False

    def find(self, prompt_id: str, version: str | None, label: str | None) -> Prompt:
        """The prompt of an id; errors as `PromptSource` describes them."""
        if label is not None:
            raise _no_label(prompt_id, label, "prompts in a directory have no labels; keep them in a PromptAssetStore")
        if version is not None and (places := self._places(f"{prompt_id}.v{version.removeprefix('v')}")):
            return self._loaded(f"{prompt_id}.v{version}", places)
        if places := self._places(prompt_id):
            return of_version(self._loaded(prompt_id, places), prompt_id, version)
        versions = self._versions(prompt_id)
        if version is not None or not versions:
            known = ", ".join(versions) or "none"
            raise PromptNotFoundError(None, None, f"prompt {prompt_id!r} has no version {version!r}; it has {known}")
        latest = f"{prompt_id}.{versions[-1]}"
        return self._loaded(latest, self._places(latest))

    def similar(self, prompt_id: str) -> str | None:
        """An id in the same folder that looks like this one."""
        try:
            *folder, name = segments_of(prompt_id, "prompt id")
            entries = [entry.name for entry in path_inside(self.root, folder).iterdir()]
        except (PromptFormatError, OSError):
            return None
        names = (_without_suffix(entry) for entry in entries if not entry.startswith("."))
        alike = [other for other in names if abs(len(other) - len(name)) <= _MOST_LETTERS]
        close = difflib.get_close_matches(name, alike[:_MOST], 1)
        return "/".join([*folder, close[0]]) if close else None

    def _places(self, prompt_id: str) -> list[Path]:
        """Where a prompt of this id stands."""
        segments = segments_of(prompt_id, "prompt id")
        if any(segment.startswith(".") for segment in segments):  # hidden, or half written
            return []
        *folder, name = segments
        place = os.path.join(self.root, *segments)  # noqa: PTH118 - several times a call, where pathlib takes long
        found = [name + suffix for suffix in ("", *_SUFFIXES) if os.path.exists(place + suffix)]  # noqa: PTH110 - as above
        paths = [path_inside(self.root, [*folder, entry]) for entry in found]
        return [path for path in paths if not _is_folder(path)]

    def _versions(self, prompt_id: str) -> list[str]:
        """The versions that stand in files of their own, the latest last."""
        *names, name = segments_of(prompt_id, "prompt id")
        folder = path_inside(self.root, names)
        status = folder.stat()
        mark = status.st_dev, status.st_ino, status.st_mtime_ns
        known, listed = self._listed.get(folder, (None, {}))
        if known != mark or time.time_ns() - status.st_mtime_ns < _TICK_NS:
            listed = _versions_in(folder)
            if len(self._listed) >= _MOST:
                self._listed.clear()
            self._listed[folder] = mark, listed
        return listed.get(name, [])

    def _loaded(self, prompt_id: str, places: list[Path]) -> Prompt:
        if len(places) > 1:
            both = " and ".join(repr(path.name) for path in places[:2])
            raise PromptFormatError(None, None, f"prompt {prompt_id!r} is there twice, as {both}; remove one of them")
        return self._shelf.get((prompt_id, None), places[0], lambda: load_prompt(places[0]))

    def __repr__(self) -> str:
        return repr(str(self.root))


def _versions_in(folder: Path) -> dict[str, list[str]]:
    """From the names in a folder to their versions, as ``greet`` to ``["v1", "v2"]``."""
    found: dict[str, set[str]] = {}
    for entry in os.listdir(folder):  # noqa: PTH208 - names are all that is needed, of a folder that may be large
        if (match := _VERSION.fullmatch(_without_suffix(entry))) and not entry.startswith("."):
            found.setdefault(match[1], set()).add(match[2])
    return {name: sorted(versions, key=natural_order) for name, versions in found.items()}


def _without_suffix(name: str) -> str:
    return next((name.removesuffix(suffix) for suffix in _SUFFIXES if name.endswith(suffix)), name)


def _is_folder(path: Path) -> bool:
    """Whether a directory only groups prompts: it holds directories, and no file."""
    if not path.is_dir():
        return False
    with os.scandir(path) as entries:
        kinds = [entry.is_dir() for entry in entries if not entry.name.startswith(".")]
    return bool(kinds) and all(kinds)


class StoreSource:
    """Prompts in a store: without a version the latest.

    Args:
        store: The store. If it has a ``root``, what stands below it in the folder of an id is loaded once.
    """

    def __init__(self, store: PromptStore) -> None:
        self._store = store
        root = getattr(store, "root", None)
        self.root: Path | None = root if isinstance(root, Path) else None
        self._shelf = _Shelf()
        self._knows_labels = "label" in inspect.signature(store.get).parameters

    def has(self, prompt_id: str) -> bool:
        """Whether the store has a version of this id."""
        try:
            return bool(self._store.versions(prompt_id))
        except (PromptFormatError, OSError):
            return False

    def find(self, prompt_id: str, version: str | None, label: str | None) -> Prompt:
        """The prompt of an id; errors as `PromptSource` describes them."""
        if label is not None:
            if version is not None:
                raise PromptFormatError(None, None, f"prompt {prompt_id!r}: give a version or a label, not both")
            if not self._knows_labels:
                raise _no_label(prompt_id, label, "this store has no labels; ask for a version")
            get: Callable[..., Prompt] = self._store.get
            return get(prompt_id, label=label)
        asked = () if version is None else (self._named(prompt_id, version),)
        if self.root is None:
            return self._store.get(prompt_id, *asked)
        folder = path_inside(self.root, segments_of(prompt_id, "prompt id"))
        return self._shelf.get((prompt_id, version), folder, lambda: self._store.get(prompt_id, *asked))

    def _named(self, prompt_id: str, version: str) -> str:
        """A version as the store calls it: who asks for number 2 means ``v2`` where only that exists."""
        known = self._store.versions(prompt_id) if version.isdecimal() else [version]
        return f"v{version}" if version not in known and f"v{version}" in known else version

    def similar(self, prompt_id: str) -> str | None:
        """An id that looks like this one."""
        close = difflib.get_close_matches(prompt_id, self._store.ids(), 1)
        return close[0] if close else None

    def __repr__(self) -> str:
        return repr(self._store)


class MappingSource:
    """Prompts that are given; what is put into the mapping later is found as well.

    Args:
        prompts: From ids to prompts.
    """

    root: None = None

    def __init__(self, prompts: Mapping[str, Prompt]) -> None:
        self._prompts = prompts
        for prompt_id in prompts:
            self._prompt(prompt_id)

    def has(self, prompt_id: str) -> bool:
        """Whether the mapping has it."""
        return prompt_id in self._prompts

    def find(self, prompt_id: str, version: str | None, label: str | None) -> Prompt:
        """The prompt of an id; errors as `PromptSource` describes them."""
        if label is not None:
            raise _no_label(prompt_id, label, "given prompts have no labels; keep them in a PromptAssetStore")
        return of_version(self._prompt(prompt_id), prompt_id, version)

    def _prompt(self, prompt_id: str) -> Prompt:
        prompt = self._prompts[prompt_id]
        if not isinstance(prompt, Prompt):
            kind = type(prompt).__name__
            raise PromptTypeError(None, None, f"prompt {prompt_id!r} is {kind}, not a Prompt; load it with load_prompt")
        return prompt

    def similar(self, prompt_id: str) -> str | None:
        """An id that looks like this one."""
        close = difflib.get_close_matches(prompt_id, [*map(str, self._prompts)], 1)
        return close[0] if close else None

    def __repr__(self) -> str:
        return f"{len(self._prompts)} given"


def of_version(prompt: Prompt, prompt_id: str, version: str | None) -> Prompt:
    """The prompt, if it is of this version; its own version may have a v in front.

    Raises:
        PromptNotFoundError: (a ``FileNotFoundError``) It is another.
    """
    if version is None or prompt.version in (version, f"v{version}"):
        return prompt
    only = "it has none" if prompt.version is None else f"it has {prompt.version}"
    raise PromptNotFoundError(None, None, f"prompt {prompt_id!r} has no version {version!r}; {only}")


def _no_label(prompt_id: str, label: str, remedy: str) -> PromptNotFoundError:
    return PromptNotFoundError(None, None, f"prompt {prompt_id!r} has no label {label!r}: {remedy}")
