"""Pipeline configurations that name a prompt of an asset store."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from prompt_adapters.adapters import MessageAdapter, get_adapter
from prompt_adapters.content.plain_data import check_plain
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.files import read_text
from prompt_adapters.prompt import Prompt

if TYPE_CHECKING:  # PyYAML takes long to import
    from prompt_adapters.formats.yaml_text import YamlText

GOOGLE = "google"
# Texts whatever they look like in YAML, as the version 1.10.
_TEXTS = tuple(
    f"{outer}{field}"
    for outer in ("", "init_config.")
    for field in ("prompt_info.prompt_id", "prompt_info.version", "prompt_info.label", "backend", "model_name")
)


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


class AssetConfig(NamedTuple):
    """A configuration before its prompt is fetched.

    Attributes:
        prompt: The arguments of the store's `get` that fetch it.
        style: As of `Resolved`, like the others.
        backend: The backend's name.
        model: The model.
        client: Settings of the client.
    """

    prompt: dict[str, str]
    style: str
    backend: str | None
    model: str | None
    client: dict[str, Any]


def read_config(config: Mapping[str, Any] | str | os.PathLike[str]) -> AssetConfig:
    """A configuration from a mapping, or from a YAML file.

    Raises:
        PromptFormatError: (a ``ValueError``) Something is missing or malformed; the key is named, and its line.
        PromptNotFoundError: (a ``FileNotFoundError``) There is no such file.
    """
    source, data = _Source(), config
    if not isinstance(data, Mapping):
        from prompt_adapters.formats.yaml_text import parse_yaml_mapping  # PyYAML takes long to import

        path = Path(data).expanduser()
        found = parse_yaml_mapping(read_text(path), path, texts=_TEXTS)
        source, data = _Source(path, found), found.data
    if "init_config" in data:
        source = source._replace(inside=("init_config",))
    settings = source.mapping(data.get("init_config", data), "init_config")
    prompt = _prompt_info(settings.pop("prompt_info", None), source)
    backend, model = source.text(settings, "backend"), source.text(settings, "model_name")
    return AssetConfig(prompt, "google_style" if backend == GOOGLE else "openai_style", backend, model, settings)


def _prompt_info(info: object, source: _Source) -> dict[str, str]:
    fields = source.mapping(info, "prompt_info", "prompt_info")
    if isinstance(version := fields.get("version"), int) and not isinstance(version, bool):
        fields["version"] = str(version)
    if unknown := fields.keys() - {"prompt_id", "version", "label"}:
        key = sorted(map(str, unknown))[0]
        source.refuse(f"prompt_info has the unknown key {key!r}", "prompt_info", key)
    for key in ("prompt_id", *(key for key in ("version", "label") if key in fields)):
        if not isinstance(fields.get(key), str):
            reason = f"prompt_info needs {key}, a text, not {fields.get(key)!r}; put it into quotes"
            source.refuse(reason, "prompt_info", key)
    return fields


class _Source(NamedTuple):
    """Where a configuration comes from: a file, or nowhere when it was given as a mapping."""

    path: Path | None = None
    yaml: YamlText | None = None
    inside: tuple[str, ...] = ()

    def refuse(self, reason: str, *place: str) -> NoReturn:
        line = None if self.yaml is None else self.yaml.line(*self.inside, *place)
        raise PromptFormatError(self.path, line, reason)

    def mapping(self, value: object, key: str, *place: str) -> dict[str, Any]:
        """A mapping of one's own."""
        if not isinstance(value, Mapping):
            self.refuse(f"{key} must be a mapping of names to values, not {type(value).__name__}", *place)
        check_plain(value, f"the data in {key}")
        return {name: _own(item) for name, item in value.items()}

    def text(self, settings: dict[str, Any], key: str) -> str | None:
        """A text that is taken out of the settings."""
        value = settings.pop(key, None)
        if not isinstance(value, str | None):
            self.refuse(f"{key} is a text, not {type(value).__name__}", key)
        return value


def _own(value: Any) -> Any:
    """Plain data of one's own; what is no plain data, such as a client, is passed on."""
    match value:
        case dict():
            return {name: _own(item) for name, item in value.items()}
        case list():
            return [_own(item) for item in value]
    return value
