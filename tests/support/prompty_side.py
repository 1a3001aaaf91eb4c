"""What Microsoft's own library makes of a prompty, in a form that can be compared and kept in a file."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from prompty.core.loader import load
from prompty.core.pipeline import prepare

# A message: its role, and its parts; a text is a text, and a medium {kind: address}.
Said = list[list[Any]]


def by_prompty(text: str, values: Mapping[str, Any]) -> Said | str:
    """The messages of a prompty for these values, or the name of the error."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.prompty"
        path.write_bytes(text.encode())
        try:
            messages = prepare(load(path), dict(values))
        except Exception as error:  # noqa: BLE001 - whatever it raises is its answer
            return type(error).__name__
    return [[message.role, [_part(part) for part in message.parts]] for message in messages]


def _part(part: Any) -> Any:
    return part.value if part.kind == "text" else {part.kind: part.source}


def comparable(messages: Said) -> Said:
    """Messages without what the library adds or takes away around media.

    It makes a message of its own of the text after a medium, strips the texts beside media, and keeps messages of
    empty texts; all line breaks are line feeds there.
    """
    found: Said = []
    for role, parts in messages:
        media = any(not isinstance(part, str) for part in parts)
        texts = [part.replace("\r\n", "\n") if isinstance(part, str) else part for part in parts]
        texts = [
            part.strip() if isinstance(part, str) and (media or _after_medium(found, role)) else part for part in texts
        ]
        texts = [part for part in texts if part]
        if texts and found and found[-1][0] == role and (media or _after_medium(found, role)):
            found[-1][1] += texts
        elif texts:
            found.append([role, texts])
    return found


def _after_medium(found: Said, role: str) -> bool:
    return bool(found) and found[-1][0] == role and any(not isinstance(part, str) for part in found[-1][1])
