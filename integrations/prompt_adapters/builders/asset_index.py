"""What an asset store notes about the versions of a prompt, in ``<prompt_id>/index.json``.

    {
      "labels": {"production": "v1"},
      "versions": {"v1": {"content": "…", "file": "…"}}
    }

``labels`` are names for versions that may move. ``versions`` has, for each version that was added or has had a label,
two digests (SHA-256): of its content, which tells whether somebody has edited it, and of its file, by which that is
known without reading it. People may edit the labels; an index that is removed takes labels and digests with it. Names
are compared with their characters composed (NFC).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from prompt_adapters.errors import PromptFormatError, PromptNotFoundError
from prompt_adapters.formats.files import encode, read_text, swap_in
from prompt_adapters.formats.json_text import format_json, parse_json
from prompt_adapters.formats.places import alike, composed
from prompt_adapters.prompt import Prompt

FILE = "index.json"
LATEST = "latest"


class Stamp(NamedTuple):
    """The digests of a version.

    Attributes:
        content: Of the prompt, with the name and the version that its file has.
        file: Of the bytes of its file.
    """

    content: str
    file: str

    @classmethod
    def of(cls, prompt: Prompt, data: bytes) -> Stamp:
        """The digests of a prompt and of its file."""
        return cls(prompt.digest, hashlib.sha256(data).hexdigest())


def content_digest(prompt: Prompt) -> str:
    """The digest of what a prompt says: of everything but its name and version."""
    return prompt.replace(name=None, version=None).digest


class Index(NamedTuple):
    """What is noted about the versions of a prompt."""

    labels: Mapping[str, str] = {}
    stamps: Mapping[str, Stamp] = {}

    @classmethod
    def read(cls, path: Path) -> Index:
        """The index in a file; an empty one when there is no file.

        Raises:
            PromptFormatError: It is malformed; the key is named.
        """
        try:
            data = parse_json(read_text(path), path)
        except PromptNotFoundError:
            return cls()
        if not isinstance(data, dict) or (unknown := sorted(data.keys() - {"labels", "versions"})):
            what = f"the unknown key {unknown[0]!r}" if isinstance(data, dict) else f"{type(data).__name__} at the top"
            raise PromptFormatError(path, None, f"an index of versions has 'labels' and 'versions', not {what}")
        labels, versions = (_mapping(data.get(key, {}), key, path) for key in ("labels", "versions"))
        for label, version in labels.items():
            if not isinstance(version, str):
                raise PromptFormatError(path, None, f"label {label!r} is for a version, a text, not {version!r}")
            if alike(label) == LATEST:
                raise PromptFormatError(path, None, f"{label!r} is no label: it means the highest version; remove it")
        return cls(
            {label: composed(version) for label, version in labels.items()},
            {version: _stamp(stamp, version, path) for version, stamp in versions.items()},
        )

    def write(self, path: Path) -> None:
        """Replace the file, whole or not at all; to be called by who holds the lock of its directory."""
        versions = {version: stamp._asdict() for version, stamp in sorted(self.stamps.items())}
        swap_in(path, encode(format_json({"labels": dict(sorted(self.labels.items())), "versions": versions}), path))


def _mapping(data: Any, key: str, path: Path) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise PromptFormatError(path, None, f"{key!r} is a mapping of names to values, not {type(data).__name__}")
    named = {composed(name): value for name, value in data.items()}
    if len(named) < len(data):
        twice = next(name for name in named if len([other for other in data if composed(other) == name]) > 1)
        raise PromptFormatError(path, None, f"{twice!r} stands twice in {key!r}, composed and decomposed")
    return named


def _stamp(data: Any, version: str, path: Path) -> Stamp:
    match data:
        case {"content": str(content), "file": str(file), **more} if not more:
            return Stamp(content, file)
    raise PromptFormatError(path, None, f"version {version!r} has not the two digests 'content' and 'file'")
