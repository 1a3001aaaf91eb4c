"""The values of a prompt's variables, from the command line and from a file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from prompt_adapters.content.parts import MEDIA_PARTS
from prompt_adapters.errors import PromptAdapterError


def read_values(texts: Iterable[str], file: str | None, media: Mapping[str, Iterable[str]]) -> dict[str, Any]:
    """The values by name.

    Args:
        texts: ``NAME=TEXT`` pairs.
        file: A JSON file with an object of values, which those of the command line win over.
        media: ``NAME=PATH`` pairs by kind of medium; a path may be a link. Several of one name make a list.

    Raises:
        PromptAdapterError: A pair is none, a name is given in two ways, or a file cannot be used.
    """
    origins: dict[str, str] = {}
    values: dict[str, Any] = {}
    for pair in texts:
        name, text = _pair("var", pair, "TEXT")
        if name in values:
            raise PromptAdapterError(f"--var: {name!r} is given twice; for a list, use --var-file")
        values[name], origins[name] = text, "var"
    for kind, pairs in media.items():
        for name, parts in _media(kind, pairs).items():
            if name in values:
                raise PromptAdapterError(
                    f"{name!r} is given by --{origins[name]} and by --{kind}; give it by one of them"
                )
            values[name], origins[name] = parts[0] if len(parts) == 1 else parts, kind
    return (_from_file(file) if file is not None else {}) | values


def _media(kind: str, pairs: Iterable[str]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for pair in pairs:
        name, path = _pair(kind, pair, "PATH")
        try:
            found.setdefault(name, []).append(MEDIA_PARTS[kind](path))
        except PromptAdapterError as error:
            raise PromptAdapterError(f"--{kind} {name}: {error}") from error
    return found


def _pair(option: str, pair: str, what: str) -> tuple[str, str]:
    name, sign, value = pair.partition("=")
    name = name.strip()
    if not sign or not name or (what == "PATH" and not value):
        raise PromptAdapterError(f"--{option} {pair!r}: write it as NAME={what}")
    return name, value


def _from_file(file: str) -> dict[str, Any]:
    from prompt_adapters.formats.files import decode
    from prompt_adapters.formats.json_text import parse_json

    path = Path(file).expanduser()
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PromptAdapterError(f"--var-file: cannot read {os.fspath(path)!r}: {error.strerror or error}") from None
    values = parse_json(decode(data, path), path)
    if not isinstance(values, dict):
        raise PromptAdapterError(f"--var-file: {os.fspath(path)!r} holds {_kind(values)}, not an object of values")
    return values


def _kind(value: object) -> str:
    return {list: "a list", str: "a text", bool: "a truth value"}.get(
        type(value), "null" if value is None else "a number"
    )
