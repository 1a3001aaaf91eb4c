"""`PromptAssetStore`: prompts by id and version, one YAML file each, and pipeline configurations that name them."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from prompt_adapters.adapters import BasePromptAdapter, get_adapter
from prompt_adapters.errors import PromptFormatError, PromptNotFoundError
from prompt_adapters.formats import asset
from prompt_adapters.formats.files import read_text
from prompt_adapters.formats.yaml_text import read_yaml_mapping
from prompt_adapters.prompt import Prompt

LATEST = "latest"
_SEGMENT = re.compile(r"[^\x00-\x1f/\\:]+")
_DIGITS = re.compile(r"(\d+)")


class Resolved(NamedTuple):
    """What a pipeline configuration means, all from one `init_config`.

    Attributes:
        prompt: The prompt that ``prompt_info`` names.
        style: The wire shape that goes with the backend: ``google_style`` for ``google``, ``openai_style`` otherwise.
        backend: The backend's name; None when the configuration has none.
        model: ``model_name``; None when the configuration has none.
        client: Every other key of `init_config`, for the client.
    """

    prompt: Prompt
    style: str
    backend: str | None
    model: str | None
    client: dict[str, Any]

    def adapter(self, **options: Any) -> BasePromptAdapter:
        """The adapter of this style, with the model bound.

        Args:
            options: Options of the adapter.
        """
        return get_adapter(self.style, **({"model": self.model} | options))


class PromptAssetStore:
    """Prompts kept as ``<root>/<prompt_id>/<version>.yaml``.

    Args:
        root: The folder. Ids may have slashes; none can lead out of it.
    """

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self.root = Path(root).expanduser()

    def get(self, prompt_id: str, version: str = LATEST) -> Prompt:
        """A prompt by id and version.

        Args:
            prompt_id: Its id, as ``vlm/judge/pairwise``.
            version: Its version; ``latest`` is the highest by natural order (v10 comes after v9).

        Raises:
            PromptNotFoundError: (a ``FileNotFoundError``) There is no such id or version; what there is, is named.
            PromptFormatError: (a ``ValueError``) The id leads out of the root, or the file is malformed.
        """
        if version == LATEST:
            version = self._versions_or_fail(prompt_id)[-1]
        path = self._file(prompt_id, version)
        if not path.is_file():
            known = ", ".join(self._versions_or_fail(prompt_id))
            raise PromptNotFoundError(
                path,
                None,
                f"prompt {prompt_id!r} has no version {version!r}; please ensure that it exists (it has {known})",
            )
        prompt = asset.load(path)
        return prompt.replace(name=prompt.name or prompt_id, version=prompt.version or version)

    get_prompt = get

    def ids(self) -> list[str]:
        """The ids of all prompts, sorted."""
        folders = {path.parent for path in self.root.rglob("*.yaml")}
        return sorted(folder.relative_to(self.root).as_posix() for folder in folders if folder != self.root)

    def versions(self, prompt_id: str) -> list[str]:
        """The versions of a prompt in natural order, the latest last; empty when there is no such prompt.

        Raises:
            PromptFormatError: (a ``ValueError``) The id leads out of the root.
        """
        return sorted((path.stem for path in self._folder(prompt_id).glob("*.yaml")), key=_natural)

    def _versions_or_fail(self, prompt_id: str) -> list[str]:
        if versions := self.versions(prompt_id):
            return versions
        close = difflib.get_close_matches(prompt_id, self.ids(), 1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise PromptNotFoundError(self._folder(prompt_id), None, f"there is no prompt {prompt_id!r}{hint}")

    def add(self, prompt: Prompt, prompt_id: str, version: str) -> Path:
        """Keep a prompt under a new version, and give its file.

        Raises:
            PromptFormatError: (a ``ValueError``) The version exists already, the id leads out of the root, or the
                prompt has something that the format cannot hold.
        """
        path = self._file(prompt_id, version)
        if version == LATEST:
            raise PromptFormatError(
                path, None, f"{LATEST!r} names the highest version, so no version can be called that"
            )
        if path.exists():
            raise PromptFormatError(
                path, None, f"version {version!r} of {prompt_id!r} exists; versions are not changed"
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        asset.save(prompt.replace(name=prompt_id, version=version), path)
        return path

    def resolve(self, config: Mapping[str, Any] | str | os.PathLike[str]) -> Resolved:
        """What a pipeline configuration means: prompt, style and client settings together.

        Args:
            config: A mapping, or the path of a YAML file. Its ``init_config`` (or the mapping itself) has ``backend``,
                ``model_name``, ``prompt_info`` (``prompt_id`` and ``version``) and any settings of the client.

        Raises:
            PromptFormatError: (a ``ValueError``) ``prompt_info`` is missing or malformed.
            PromptNotFoundError: (a ``FileNotFoundError``) It names no prompt of this store.
        """
        path = None if isinstance(config, Mapping) else Path(config).expanduser()
        data = config if isinstance(config, Mapping) else read_yaml_mapping(read_text(Path(config).expanduser()), path)
        settings = dict(data.get("init_config", data))
        match settings.pop("prompt_info", None):
            case {"prompt_id": str() as prompt_id, **rest} if rest.keys() <= {"version"}:
                version = rest.get("version", LATEST)
            case _:
                raise PromptFormatError(path, None, "init_config needs prompt_info with prompt_id and version")
        backend, model = settings.pop("backend", None), settings.pop("model_name", None)
        style = "google_style" if backend == "google" else "openai_style"
        return Resolved(self.get(prompt_id, str(version)), style, backend, model, settings)

    def _folder(self, prompt_id: str) -> Path:
        return self._inside(*_segments(prompt_id, "prompt id"))

    def _file(self, prompt_id: str, version: str) -> Path:
        folder = _segments(prompt_id, "prompt id")
        _segments(version, "version", most=1)
        return self._inside(*folder, f"{version}.yaml")

    def _inside(self, *segments: str) -> Path:
        """A path below the root, also after links are followed."""
        path = self.root.joinpath(*segments)
        if not path.resolve().is_relative_to(self.root.resolve()):
            raise PromptFormatError(path, None, "this leads out of the store's root")
        return path

    def __repr__(self) -> str:
        return f"PromptAssetStore({str(self.root)!r})"


def _segments(name: object, what: str, most: int | None = None) -> list[str]:
    segments = name.split("/") if isinstance(name, str) else []
    if not segments or (most is not None and len(segments) > most):
        raise PromptFormatError(None, None, f"{name!r} is not a {what}")
    for segment in segments:
        if not _SEGMENT.fullmatch(segment) or segment in (".", "..") or segment != segment.strip():
            raise PromptFormatError(None, None, f"{name!r} is not a {what}: it could lead out of the store's root")
    return segments


def _natural(version: str) -> list[tuple[int, int, str]]:
    pieces = enumerate(_DIGITS.split(version))  # every second piece is a number
    return [(1, int(piece), "") if number % 2 else (0, 0, piece) for number, piece in pieces if piece]
