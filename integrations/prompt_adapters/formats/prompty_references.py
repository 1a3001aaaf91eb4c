"""What a prompty names and does not hold: files, pictures and the environment.

===========================  ===========================================================================================
reference                    what becomes of it
===========================  ===========================================================================================
``${file:schema.json}``      read where its content counts, as JSON, YAML or text, and only in the folder of the prompty
``${env:NAME}``              never read: refused where it counts
both, in a connection, in    kept as they are written
tools and other metadata
a picture's path             read only in the folder of the prompty
===========================  ===========================================================================================

A link out of the folder is not followed, hidden files such as ``.env`` are not read, and what a file names in turn is
refused.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, TypeVar

from prompt_adapters.content.parts import Audio, Document, Image, Video
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.files import read_text
from prompt_adapters.formats.json_text import parse_json
from prompt_adapters.formats.places import is_hidden

MAX_BYTES = 50_000_000
_REFERENCE = re.compile(r"\$\{(env|file):(.*)\}", re.DOTALL | re.IGNORECASE)
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)  # a scheme; a drive of Windows is one as well

_Media = TypeVar("_Media", Image, Audio, Video, Document)


class Folder:
    """The folder of a prompty, out of which nothing is read.

    Args:
        path: The folder; None for a text that is in none.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def file(self, name: str) -> Path:
        """A file in the folder.

        Raises:
            PromptFormatError: It is not there, not in the folder, or too large.
        """
        if self._path is None:
            raise _refused(f"{name!r} is a file, and this text has no folder to read it from")
        root, place = os.path.realpath(self._path), os.path.realpath(self._path / name)
        if "\x00" in name or not Path(place).is_relative_to(root):
            raise _refused(f"the file {name!r} is outside of the prompty's folder, and is not read")
        if is_hidden(name) or is_hidden(os.path.relpath(place, root)):
            raise _refused(f"the file {name!r} is hidden, and is not read")
        if not Path(place).is_file():
            raise _refused(f"there is no file {name!r} in the prompty's folder")
        if Path(place).stat().st_size > MAX_BYTES:
            raise _refused(f"the file {name!r} is larger than {MAX_BYTES} bytes")
        return Path(place)

    def media(self, cls: type[_Media], address: str) -> _Media:
        """A medium from its link, its data URL, or its path in the folder.

        Raises:
            PromptFormatError: It is not in the folder.
            MediaError: It is broken, or none.
        """
        if address.lower().startswith("data:"):
            return cls.from_data_url(address)
        if address.lower().startswith(("http://", "https://")):
            return cls.from_url(address)
        if _ELSEWHERE.match(address) or not address:
            raise _refused(f"{address!r} is neither a link, a data URL, nor a file in the prompty's folder")
        return cls.from_path(self.file(address))

    def resolved(self, value: Any, where: str) -> Any:
        """Data with the content of the files that it names.

        Args:
            value: The data.
            where: What an error calls them, as ``model.options``.

        Raises:
            PromptFormatError: They name the environment, or a file that is not read.
        """
        match value:
            case str() if (found := _REFERENCE.fullmatch(value)) is not None:
                return self._content(found, where)
            case dict():
                return {key: self.resolved(item, f"{where}.{key}" if where else key) for key, item in value.items()}
            case list():
                return [self.resolved(item, f"{where}[{number}]") for number, item in enumerate(value)]
        return value

    def _content(self, found: re.Match[str], where: str) -> Any:
        if found[1].lower() == "env":
            reason = f"{where!r} is {found[0]!r:.80}, and the environment is not read; write the value itself"
            raise _refused(reason)
        try:
            path = self.file(found[2])
        except PromptFormatError as error:
            raise _refused(f"{where!r}: {error.reason}") from None
        text = read_text(path)
        match path.suffix.lower():
            case ".json":
                content = parse_json(text, path)
            case ".yaml" | ".yml":
                from prompt_adapters.formats.yaml_text import read_yaml  # PyYAML takes long to import

                content = read_yaml(text, path)
            case _:
                return text
        return Folder(None).resolved(content, where)


def has_reference(value: Any) -> bool:
    """Whether data name a file or the environment."""
    match value:
        case str():
            return _REFERENCE.fullmatch(value) is not None
        case dict():
            return any(map(has_reference, value.values()))
        case list():
            return any(map(has_reference, value))
    return False


def _refused(reason: str) -> PromptFormatError:
    return PromptFormatError(None, None, reason)
