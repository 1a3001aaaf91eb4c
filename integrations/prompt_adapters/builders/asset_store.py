"""`PromptAssetStore`: prompts by id and version, one YAML file each, and pipeline configurations that name them."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from prompt_adapters.adapters import MessageAdapter, get_adapter
from prompt_adapters.errors import PromptFormatError, PromptNotFoundError
from prompt_adapters.formats import asset
from prompt_adapters.formats.files import encode, locked, new_name, read_text, remove, sync, write_new
from prompt_adapters.formats.places import leads_out, natural_order, path_inside, segments_of
from prompt_adapters.prompt import Prompt

LATEST = "latest"
SUFFIX = ".yaml"
GOOGLE = "google"


class Resolved(NamedTuple):
    """What a pipeline configuration means, all from one ``init_config``.

    Attributes:
        prompt: The prompt that ``prompt_info`` names.
        style: The wire shape that goes with the backend: ``google_style`` for ``google``, ``openai_style`` for every
            other.
        backend: The backend's name; None when the configuration has none.
        model: ``model_name``; None when the configuration has none.
        client: Every other key of ``init_config``, for the client.
    """

    prompt: Prompt
    style: str
    backend: str | None
    model: str | None
    client: dict[str, Any]

    def adapter(self, **options: Any) -> MessageAdapter:
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
            reason = f"prompt {prompt_id!r} has no version {version!r}; please ensure that it exists (it has {known})"
            raise PromptNotFoundError(path, None, reason)
        prompt = asset.load(path)
        return prompt.replace(name=prompt.name or prompt_id, version=prompt.version or version)

    get_prompt = get

    def ids(self) -> list[str]:
        """The ids of all prompts, sorted."""
        folders = {path.parent for path in self.root.rglob(f"*{SUFFIX}") if _is_version(path)}
        return sorted(folder.relative_to(self.root).as_posix() for folder in folders if folder != self.root)

    def versions(self, prompt_id: str) -> list[str]:
        """The versions of a prompt in natural order, the latest last; empty when there is no such prompt.

        Raises:
            PromptFormatError: (a ``ValueError``) The id leads out of the root.
        """
        return sorted(
            (path.stem for path in self._folder(prompt_id).glob(f"*{SUFFIX}") if _is_version(path)), key=natural_order
        )

    def _versions_or_fail(self, prompt_id: str) -> list[str]:
        if versions := self.versions(prompt_id):
            return versions
        close = difflib.get_close_matches(prompt_id, self.ids(), 1)
        hint = f"did you mean {close[0]!r}?" if close else "please ensure that it exists"
        raise PromptNotFoundError(self._folder(prompt_id), None, f"there is no prompt {prompt_id!r}; {hint}")

    def add(self, prompt: Prompt, prompt_id: str, version: str) -> Path:
        """Keep a prompt under a new version, and give its file.

        Args:
            prompt: The prompt; its name and version become those that are given here.
            prompt_id: Its id.
            version: Its version.

        Raises:
            PromptFormatError: (a ``ValueError``) The version exists already, the id leads out of the root, or the
                prompt has something that the format cannot hold.
        """
        path = self._file(prompt_id, version)
        if version == LATEST:
            raise PromptFormatError(path, None, f"{LATEST!r} names the highest version; call this one otherwise")
        data = encode(asset.dump(prompt.replace(name=prompt_id, version=version), path), path)
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked(path.parent):
            if os.path.lexists(path):
                raise PromptFormatError(
                    path, None, f"version {version!r} of {prompt_id!r} exists; versions do not change"
                )
            temporary = path.parent / new_name()
            try:
                write_new(temporary, data)
                temporary.replace(path)
            except BaseException:
                remove(temporary)
                raise
            sync(path.parent)
        return path

    def resolve(self, config: Mapping[str, Any] | str | os.PathLike[str]) -> Resolved:
        """What a pipeline configuration means: prompt, style and client settings together.

        Args:
            config: A mapping, or the path of a YAML file. Its ``init_config`` (or the mapping itself) has ``backend``,
                ``model_name``, ``prompt_info`` (``prompt_id`` and ``version``) and any settings of the client.

        Raises:
            PromptFormatError: (a ``ValueError``) Something is missing or malformed; the key is named.
            PromptNotFoundError: (a ``FileNotFoundError``) There is no such file, or it names no prompt of this store.
        """
        path, data = None, config
        if not isinstance(data, Mapping):
            from prompt_adapters.formats.yaml_text import read_yaml_mapping  # PyYAML takes long to import

            path = Path(data).expanduser()
            data = read_yaml_mapping(read_text(path), path)
        settings = _mapping(data.get("init_config", data), "init_config", path)
        prompt_id, version = _prompt_info(settings.pop("prompt_info", None), path)
        backend, model = _text(settings, "backend", path), _text(settings, "model_name", path)
        style = "google_style" if backend == GOOGLE else "openai_style"
        return Resolved(self.get(prompt_id, version), style, backend, model, settings)

    def _folder(self, prompt_id: str) -> Path:
        return path_inside(self.root, segments_of(prompt_id, "prompt id"))

    def _file(self, prompt_id: str, version: str) -> Path:
        folder, names = segments_of(prompt_id, "prompt id"), segments_of(version, "version")
        if len(names) > 1:
            raise leads_out(version, "version")
        return path_inside(self.root, [*folder, f"{version}{SUFFIX}"])

    def __repr__(self) -> str:
        return f"PromptAssetStore({str(self.root)!r})"


def _is_version(path: Path) -> bool:
    return path.suffix == SUFFIX and path.is_file()


def _prompt_info(info: object, path: Path | None) -> tuple[str, str]:
    fields = _mapping(info, "prompt_info", path)
    prompt_id, version = fields.pop("prompt_id", None), fields.pop("version", LATEST)
    if isinstance(version, int) and not isinstance(version, bool):
        version = str(version)
    if fields:
        _refuse(path, f"prompt_info has the unknown key {next(iter(fields))!r}")
    for key, value in (("prompt_id", prompt_id), ("version", version)):
        if not isinstance(value, str):
            _refuse(path, f"prompt_info needs {key}, a text, not {value!r}; put it into quotes")
    return prompt_id, version


def _mapping(value: object, key: str, path: Path | None) -> dict[str, Any]:
    """A mapping of one's own."""
    if not isinstance(value, Mapping):
        _refuse(path, f"{key} must be a mapping of names to values, not {type(value).__name__}")
    return {name: _own(item) for name, item in value.items()}


def _own(value: Any) -> Any:
    """Plain data of one's own; what is no plain data, such as a client, is passed on."""
    match value:
        case dict():
            return {name: _own(item) for name, item in value.items()}
        case list():
            return [_own(item) for item in value]
    return value


def _text(settings: dict[str, Any], key: str, path: Path | None) -> str | None:
    """A text that is taken out of the settings."""
    value = settings.pop(key, None)
    if not isinstance(value, str | None):
        _refuse(path, f"{key} is a text, not {type(value).__name__}")
    return value


def _refuse(path: Path | None, reason: str) -> NoReturn:
    raise PromptFormatError(path, None, reason)
