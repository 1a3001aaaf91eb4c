"""What banks makes of a chat template, in a form that can be compared and kept in a file."""

from collections.abc import Mapping
from typing import Any

import banks

# A message: its role, and its parts; a text is a text, and a medium {kind: address}.
Said = list[list[Any]]


def by_banks(text: str, values: Mapping[str, Any]) -> Said | str:
    """The messages of a chat template for these values, or the name of the error."""
    try:
        messages = banks.Prompt(text).chat_messages(dict(values))
    except Exception as error:  # noqa: BLE001 - whatever it raises is its answer
        return type(error).__name__
    return [[message.role, [_part(part) for part in message.content]] for message in messages]


def _part(part: Any) -> Any:
    match part.type.value:
        case "text" if part.cache_control is not None:
            return {"cached": part.text}
        case "text":
            return part.text
        case "image_url":
            return {"image": part.image_url.url}
        case kind:
            return {kind: getattr(part, f"input_{kind}").data}


def comparable(messages: Said) -> Said:
    """Messages without the blanks that banks takes away beside media, without empty texts, with line feeds only."""
    found = [[role, [part for part in map(_bare, parts) if part]] for role, parts in messages]
    return [[role, parts] for role, parts in found if parts]


def _bare(part: Any) -> Any:
    return part.replace("\r\n", "\n").strip() if isinstance(part, str) else part
