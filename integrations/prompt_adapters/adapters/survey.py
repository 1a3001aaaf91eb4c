"""One look at a conversation: whether there is anything in it that has to be checked, moved, noted or left out.

Most conversations are plain talk: system text that leads, then the user and the assistant in turn, the user last, and
nothing set beside the texts and pictures. There is nothing to tidy in it, no tool call that could lack its result, no
mark, name or field that could be lost, and no turn that could stand in a wrong place. What adapters leave as it is in
such talk they say themselves (`MessageAdapter.as_is`), and a test holds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Image, Text
from prompt_adapters.content.source import Inline

# What plain talk holds: texts alone, or texts and pictures that are at hand.
TEXT, IMAGE = "text", "image"

# What it holds; who speaks and, where that is more than a text, of what types the parts are; and the texts and the
# bytes themselves, in order. A plain tuple, since each text request makes one.
Talk: TypeAlias = tuple[str, list[str], list[Any]]


def plain_talk(messages: Sequence[Message]) -> Talk | None:
    """What the messages hold when they are plain talk; None for all other talk."""
    found = TEXT
    script: list[str] = []
    content: list[Any] = []
    speaker = "system"
    for message in messages:
        parts, role = message.parts, message.role
        if message.cache or message.name is not None:
            return None
        script.append(role)
        if role == "user":
            if speaker == "user":
                return None
            speaker = role
        elif role == "assistant":
            if speaker != "user":
                return None
            speaker = role
        elif speaker != "system" or role == "tool":
            return None
        if len(parts) == 1 and type(part := parts[0]) is Text:
            if part.cache or not (text := part.text) or text.isspace():
                return None
            content.append(text)
        elif role == "user" and parts and _are_plain(parts, script, content):
            found = IMAGE
        else:
            return None
    return (found, script, content) if speaker == "user" else None


def _are_plain(parts: Sequence[object], script: list[str], content: list[Any]) -> bool:
    """Whether there are only texts and pictures at hand, which are then in the script and the content."""
    for part in parts:
        if type(part) is Text:
            if part.cache or not part.text or part.text.isspace():
                return False
            script.append(TEXT)
            content.append(part.text)
        elif type(part) is Image and not part.cache and part.detail is None and type(source := part.source) is Inline:
            script.append(source.mime)
            content.append(source)
        else:
            return False
    return True
