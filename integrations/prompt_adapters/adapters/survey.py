"""One look at a conversation: whether there is anything in it that has to be checked, moved, noted or left out.

Most conversations are plain talk: system text that leads, then the user and the assistant in turn, the user last, and
nothing set beside the texts and pictures. There is nothing to tidy in it, no tool call that could lack its result, no
mark, name or field that could be lost, and no turn that could stand in a wrong place. What adapters leave as it is in
such talk they say themselves (`MessageAdapter.as_is`), and a test holds it.
"""

from __future__ import annotations

from collections.abc import Sequence

from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Image, Text
from prompt_adapters.content.source import Inline

# What plain talk holds: texts alone, or texts and pictures that are at hand.
TEXT, IMAGE = "text", "image"


def plain_talk(messages: Sequence[Message]) -> str | None:
    """What the messages hold when they are plain talk: `TEXT`, `IMAGE` (and texts), or None for all other talk."""
    found = TEXT
    speaker = "system"
    for message in messages:
        parts, role = message.parts, message.role
        if message.cache or message.name is not None:
            return None
        if role == "user":
            if speaker == "user":
                return None
        elif role == "assistant":
            if speaker != "user":
                return None
        elif speaker != "system" or role == "tool":
            return None
        else:
            role = "system"
        speaker = role
        if len(parts) == 1 and type(part := parts[0]) is Text:
            if part.cache or not part.text or part.text.isspace():
                return None
        elif role == "user" and parts and _are_plain(parts):
            found = IMAGE
        else:
            return None
    return found if speaker == "user" else None


def _are_plain(parts: Sequence[object]) -> bool:
    for part in parts:
        if type(part) is Text:
            if part.cache or not part.text or part.text.isspace():
                return False
        elif type(part) is not Image or part.cache or part.detail is not None or type(part.source) is not Inline:
            return False
    return True
