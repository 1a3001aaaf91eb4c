"""`PromptAssetStore`: prompts by id, version and label, one YAML file for each version."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from prompt_adapters.builders.asset_config import Resolved, read_config
from prompt_adapters.builders.asset_index import FILE as INDEX
from prompt_adapters.builders.asset_index import LATEST, Index, Stamp, content_digest
from prompt_adapters.errors import PromptFormatError, PromptNotFoundError
from prompt_adapters.formats import asset
from prompt_adapters.formats.compare import Difference, compare
from prompt_adapters.formats.files import (
    decode,
    disk_error,
    encode,
    is_there,
    locked,
    make_directory,
    put_in,
    read_file,
    reading,
    writing,
)
from prompt_adapters.formats.places import (
    alike,
    composed,
    leads_out,
    located,
    names_in,
    natural_order,
    path_inside,
    refuse_new,
    segments_of,
)
from prompt_adapters.prompt import Prompt

SUFFIX = ".yaml"
_MOST_LETTERS = 3  # that an id may be longer or shorter than what was meant
_MOST_ALIKE = 1000  # ids that are looked at for one that was meant


class PromptAssetStore:
    """Prompts kept as ``<root>/<prompt_id>/<version>.yaml``, with labels and digests in an ``index.json`` beside them.

    A version that was added does not change: another content is refused, and a file that somebody edits is noticed.
    Files that people put there are versions as well; they may be edited until they get a label.

    Args:
        root: The folder. Ids may have slashes; none can lead out of it.
    """

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self.root = Path(root).expanduser()

    # Reading

    def get(self, prompt_id: str, version: str = LATEST, *, label: str | None = None) -> Prompt:
        """A prompt by id and version, or by id and label.

        Args:
            prompt_id: Its id, as ``vlm/judge/pairwise``.
            version: Its version, or a label; ``latest`` is the highest by natural order (v10 comes after v9).
            label: A label, instead of a version.

        Raises:
            PromptNotFoundError: (a ``FileNotFoundError``) There is no such id, version or label; what there is, is
                named.
            PromptFormatError: (a ``ValueError``) The id leads out of the root, the file is malformed, or it was edited
                after it was added.
        """
        version = self._version(prompt_id, version, label)
        prompt = self._load(prompt_id, version)
        return prompt.replace(name=prompt.name or prompt_id, version=prompt.version or version)

    get_prompt = get

    def ids(self) -> list[str]:
        """The ids of all prompts, sorted. Links to folders are not followed, and hidden folders passed over."""
        found: list[str] = []
        folders = [""]
        while folders:
            folder = folders.pop()
            place = self.root / folder
            with reading(place), suppress(FileNotFoundError, NotADirectoryError), os.scandir(place) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders += [f"{folder}{entry.name}/"] if not entry.name.startswith(".") else []
                    elif folder and found[-1:] != [folder] and _is_version(Path(entry)):
                        found.append(folder)
        return sorted(composed(folder.removesuffix("/")) for folder in found)

    def versions(self, prompt_id: str) -> list[str]:
        """The versions of a prompt in natural order, the latest last; empty when there is no such prompt.

        Raises:
            PromptFormatError: (a ``ValueError``) The id leads out of the root.
        """
        try:
            folder = self._folder(prompt_id)
        except PromptNotFoundError:
            return []
        with reading(folder):
            names = [composed(Path(name).stem) for name in names_in(folder) if _is_version(folder / name)]
        return sorted(names, key=natural_order)

    def labels(self, prompt_id: str) -> dict[str, str]:
        """From the labels of a prompt to their versions; empty when it has none.

        Raises:
            PromptFormatError: (a ``ValueError``) The id leads out of the root, or the index is malformed.
        """
        try:
            return dict(self._index(self._folder(prompt_id)).labels)
        except PromptNotFoundError:
            return {}

    def digest(self, prompt_id: str, version: str = LATEST) -> str:
        """The SHA-256, in hexadecimal, of what a version says: of everything but its id and version.

        It is the same on every machine, whatever the file's comments, quotes and line ends.

        Args:
            prompt_id: The prompt's id.
            version: Its version, or a label.

        Raises:
            PromptFormatError: As `get`.
        """
        return content_digest(self.get(prompt_id, version))

    def compare(self, prompt_id: str, before: str, after: str = LATEST) -> tuple[Difference, ...]:
        """What changed between two versions of a prompt: messages, examples, variables, model, parameters, metadata.

        Args:
            prompt_id: The prompt's id.
            before: A version, or a label.
            after: Another.

        Raises:
            PromptFormatError: As `get`.
        """
        return compare(*(self.get(prompt_id, version).replace(version=None) for version in (before, after)))

    def verify(self, prompt_id: str | None = None) -> tuple[PromptFormatError, ...]:
        """What is wrong with the versions of a prompt, or of all: edited, gone or malformed files, labels of nothing.

        Args:
            prompt_id: The prompt's id; None for all prompts.
        """
        ids = self.ids() if prompt_id is None else [prompt_id]
        return tuple(fault for each in ids for fault in self._faults(each))

    def _faults(self, prompt_id: str) -> Iterator[PromptFormatError]:
        try:
            versions, index = self.versions(prompt_id), self._index(self._folder(prompt_id))
        except PromptFormatError as error:
            yield error
            return
        for version in sorted({*versions, *index.stamps, *index.labels.values()}, key=natural_order):
            try:
                self._load(prompt_id, version)
            except PromptFormatError as error:
                yield error

    # Writing

    def add(self, prompt: Prompt, prompt_id: str, version: str) -> Path:
        """Keep a prompt under a new version, and give its file. Adding what is there already changes nothing.

        Args:
            prompt: The prompt; its name and version become those that are given here.
            prompt_id: Its id.
            version: Its version.

        Raises:
            PromptFormatError: (a ``ValueError``) The version exists with another content, or is the name of a label;
                the id leads out of the root, or not every file system can hold it; or the prompt has something that the
                format cannot hold.
            PromptDiskError: (an ``OSError``) The disk refuses; the version is there, or is not.
        """
        path = self._new_file(prompt_id, version)
        if not isinstance(prompt, Prompt):
            raise PromptFormatError(path, None, f"only a Prompt can be added, not {type(prompt).__name__}")
        prompt_id, version = composed(prompt_id), composed(version)
        prompt = prompt.replace(name=prompt_id, version=version)
        data = encode(asset.dump(prompt, path), path)
        with writing(path):
            make_directory(path.parent)
            with locked(path.parent):
                index = self._index(path.parent)
                if (label := _named_like(version, index.labels)) is not None:
                    raise PromptFormatError(
                        path, None, f"{label!r} is a label of {prompt_id!r}; call the version otherwise"
                    )
                is_new = not is_there(path) and put_in(path, data)
                if not is_new and content_digest(self._load(prompt_id, version)) != content_digest(prompt):
                    reason = f"version {version!r} of {prompt_id!r} exists with another content; versions do not change"
                    raise PromptFormatError(path, None, f"{reason}: add a new one")
                self._stamped(index, prompt_id, version).write(path.parent / INDEX)
        return path

    def set_label(self, prompt_id: str, label: str, version: str = LATEST) -> None:
        """Let a label name a version, whatever it named before; this happens at once for everybody who reads.

        Args:
            prompt_id: The prompt's id.
            label: The label, as ``production``.
            version: The version, or another label; from now on the version does not change.

        Raises:
            PromptNotFoundError: (a ``FileNotFoundError``) There is no such id, version or label.
            PromptFormatError: (a ``ValueError``) The label is the name of a version, or differs from another by case
                only; or the version is malformed, or was edited after it was added.
            PromptDiskError: (an ``OSError``) The disk refuses; the label is where it was.
        """
        if len(segments_of(label, "label")) > 1 or alike(label) == LATEST:
            raise PromptFormatError(None, None, f"{label!r} is no label: {LATEST!r} is taken, and '/' stands in none")
        version, folder, label = self._version(prompt_id, version), self._folder(prompt_id), composed(label)
        with writing(folder / INDEX), locked(folder):
            index = self._index(folder)
            other = _named_like(label, index.labels.keys() - {label}) or _named_like(label, self.versions(prompt_id))
            if other is not None:
                what = "a version" if other in self.versions(prompt_id) else "another label"
                raise PromptFormatError(None, None, f"{prompt_id!r} has {what} {other!r}; call the label otherwise")
            self._load(prompt_id, version)
            labelled = index._replace(labels={**index.labels, label: version})
            self._stamped(labelled, prompt_id, version).write(folder / INDEX)

    def remove_label(self, prompt_id: str, label: str) -> None:
        """Take a label away; the version stays.

        Raises:
            PromptNotFoundError: (a ``FileNotFoundError``) There is no such id or label.
            PromptDiskError: (an ``OSError``) The disk refuses; the label is there still.
        """
        folder = self._folder(prompt_id)
        self._versions_or_fail(prompt_id)
        with writing(folder / INDEX), locked(folder):
            index = self._index(folder)
            self._labelled(prompt_id, label, index)
            kept = {name: version for name, version in index.labels.items() if name != composed(label)}
            index._replace(labels=kept).write(folder / INDEX)

    def _stamped(self, index: Index, prompt_id: str, version: str) -> Index:
        """The index with the digests of a version, if it has none of it."""
        if version in index.stamps:
            return index
        path = self._file(prompt_id, version)
        data = read_file(path)
        return index._replace(stamps={**index.stamps, version: Stamp.of(asset.parse(decode(data, path), path), data)})

    # Places

    def _version(self, prompt_id: str, version: str, label: str | None = None) -> str:
        """The version that a version or a label means."""
        if label is not None:
            if version != LATEST:
                raise PromptFormatError(None, None, f"prompt {prompt_id!r}: give a version or a label, not both")
            return self._labelled(prompt_id, label, self._index(self._folder(prompt_id)))
        if version == LATEST:
            return self._versions_or_fail(prompt_id)[-1]
        path = self._file(prompt_id, version)
        with reading(path):
            if path.is_file():
                return composed(version)
        known = self._versions_or_fail(prompt_id)
        index = self._index(self._folder(prompt_id))
        if composed(version) in index.labels:
            return index.labels[composed(version)]
        has = ", ".join([*known, *(f"the label {name}" for name in sorted(index.labels))])
        reason = f"prompt {prompt_id!r} has no version {version!r}; please ensure that it exists (it has {has})"
        raise PromptNotFoundError(path, None, reason)

    def _labelled(self, prompt_id: str, label: str, index: Index) -> str:
        if isinstance(label, str) and composed(label) in index.labels:
            return index.labels[composed(label)]
        self._versions_or_fail(prompt_id)
        has = ", ".join(sorted(index.labels)) or "none"
        raise PromptNotFoundError(
            self._folder(prompt_id), None, f"prompt {prompt_id!r} has no label {label!r}; it has {has}"
        )

    def _load(self, prompt_id: str, version: str) -> Prompt:
        """The prompt in the file of a version, which nobody has edited since it was added."""
        path = self._file(prompt_id, version)
        stamp = self._index(path.parent).stamps.get(version)
        try:
            data = read_file(path)
        except FileNotFoundError:
            raise PromptNotFoundError(
                path, None, f"version {version!r} of {prompt_id!r} is gone; bring its file back"
            ) from None
        except OSError as error:
            raise disk_error(path, "read", error) from error
        prompt = asset.parse(decode(data, path), path)
        found = Stamp.of(prompt, data)
        if stamp is not None and found.file != stamp.file and found.content != stamp.content:
            reason = (
                f"version {version!r} of {prompt_id!r} was edited after it was added; versions do not change: bring"
            )
            raise PromptFormatError(path, None, f"{reason} the file back, and add what it says now as a new version")
        return prompt

    def _index(self, folder: Path) -> Index:
        return Index.read(path_inside(self.root, [*folder.relative_to(self.root).parts, INDEX]))

    def _versions_or_fail(self, prompt_id: str) -> list[str]:
        if versions := self.versions(prompt_id):
            return versions
        ids = self.ids()
        close = [known for known in ids if alike(known) == alike(prompt_id)] or difflib.get_close_matches(
            prompt_id, [known for known in ids if abs(len(known) - len(prompt_id)) <= _MOST_LETTERS][:_MOST_ALIKE], 1
        )
        hint = f"did you mean {close[0]!r}?" if close else "please ensure that it exists"
        path = self.root.joinpath(*segments_of(prompt_id, "prompt id"))
        raise PromptNotFoundError(path, None, f"there is no prompt {prompt_id!r}; {hint}")

    def resolve(self, config: Mapping[str, Any] | str | os.PathLike[str]) -> Resolved:
        """What a pipeline configuration means: prompt, style and client settings together.

        Args:
            config: A mapping, or the path of a YAML file. Its ``init_config`` (or the mapping itself) has ``backend``,
                ``model_name``, ``prompt_info`` (``prompt_id``, and ``version`` or ``label``) and any settings of the
                client.

        Raises:
            PromptFormatError: (a ``ValueError``) Something is missing or malformed; the key is named.
            PromptNotFoundError: (a ``FileNotFoundError``) There is no such file, or it names no prompt of this store.
        """
        found = read_config(config)
        prompt = self.get(**found.prompt)
        return Resolved(prompt, found.style, found.backend, found.model, found.client)

    def _folder(self, prompt_id: str) -> Path:
        return located(self.root, segments_of(prompt_id, "prompt id"))

    def _file(self, prompt_id: str, version: str) -> Path:
        return located(self.root, self._segments(prompt_id, version))

    def _new_file(self, prompt_id: str, version: str) -> Path:
        segments = self._segments(prompt_id, version)
        if alike(version) == LATEST:
            reason = f"{LATEST!r} names the highest version; call this one otherwise"
            raise PromptFormatError(located(self.root, segments), None, reason)
        refuse_new(self.root, segments[:-1], "prompt id")
        for segment in segments[:-1]:
            if alike(segment) == INDEX or alike(segment).endswith(SUFFIX):
                reason = f"{segment!r} is no prompt id to be written: versions and their index are files of such names"
                raise PromptFormatError(None, None, f"{reason}; call it otherwise")
        refuse_new(located(self.root, segments[:-1]), segments[-1:], "version")
        return located(self.root, segments)

    def _segments(self, prompt_id: str, version: str) -> list[str]:
        folder, names = segments_of(prompt_id, "prompt id"), segments_of(version, "version")
        if len(names) > 1:
            raise leads_out(version, "version")
        return [*folder, f"{version}{SUFFIX}"]

    def __repr__(self) -> str:
        return f"PromptAssetStore({str(self.root)!r})"


def _named_like(name: str, others: Iterable[str]) -> str | None:
    """The one of other names that some file systems take for this one."""
    return next((other for other in others if alike(other) == alike(name)), None)


def _is_version(path: Path) -> bool:
    """Whether a file is a version; hidden ones are what editors and systems keep beside files."""
    return path.suffix == SUFFIX and not path.name.startswith(".") and path.is_file()
