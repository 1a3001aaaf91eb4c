"""`convert_messages_to_gemini`: OpenAI messages as Gemini contents."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from prompt_adapters.adapters.google import GoogleGenAIStylePromptAdapter
from prompt_adapters.adapters.losses import losses
from prompt_adapters.adapters.roles import leading_systems
from prompt_adapters.adapters.tidy import SYSTEM_ROLES
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Text
from prompt_adapters.content.position import position
from prompt_adapters.content.read import read_messages
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.media.notes import Note

_log = logging.getLogger("prompt_adapters")

_ADAPTER = GoogleGenAIStylePromptAdapter()
_READ = ("role", "content", "name", "tool_calls", "tool_call_id", "cache_control")
# What else is read, or refused by name where it says something.
_ALSO_READ = frozenset({"cache", "error", "refusal", "audio", "function_call"})
# What answers of models carry beside their content, and nobody sends back: OpenAI's, LiteLLM's, vLLM's words.
_ASIDE = frozenset(
    {
        "annotations",
        "reasoning",
        "reasoning_content",
        "reasoning_details",
        "thinking_blocks",
        "provider_specific_fields",
    }
)


def convert_messages_to_gemini(
    messages: Iterable[Mapping[str, Any]],
) -> tuple[list[dict[str, Any]], dict[str, Any] | None]:
    """Convert OpenAI messages to Gemini contents and a system instruction, as plain dictionaries.

    ``assistant`` becomes ``model``; a text item ``{"text": …}``; image, audio, video and file items
    ``{"inline_data": {"mime_type", "data": base64}}``, or ``{"fileData": {"mimeType", "fileUri"}}`` when they are
    links. The type of inline data is told from the bytes. Empty texts are left out. What Gemini has no field for, as
    ``name``, ``detail`` and ``cache_control``, is left out with a line in the log.

    Args:
        messages: OpenAI messages; their content is a string or a list of items.

    Returns:
        The contents, and ``{"parts": [{"text": …}, …]}`` or None.

    Raises:
        PromptFormatError: (a ``ValueError``) A message or item is malformed, a message is empty or only whitespace, has
            an unknown key, or is missing at all; an item is of unknown type.
        MediaError: (a ``ValueError``) A data URL is malformed.
        UnsupportedContentError: (a ``ValueError``) Gemini has no place for something, such as a system message in
            mid-conversation, or the type of a link is not known.
    """
    read = read_messages(messages)
    notes = [*_left_out(messages), *losses(read, _ADAPTER.carries, _ADAPTER.document_name)]
    filled = tuple(_without_blank(read, notes))
    if all(message.role in SYSTEM_ROLES for message in read):
        what = "there is only a system text" if read else "there is no message"
        raise PromptFormatError(None, None, f"{what}: the user turn is missing, and Gemini takes no empty contents")
    # Empty ones that lead add nothing; they stay, so that errors count as the caller does.
    first = leading_systems(filled)
    kept = [message for number, message in enumerate(filled) if message.parts or number < first]
    systems, contents = _ADAPTER.contents(kept, wire=True)
    for note in notes:
        _log.info("convert_messages_to_gemini: %s", note)
    for content in contents:
        content["parts"] = [_with_file_data(part) for part in content["parts"]]
    return contents, {"parts": systems} if systems else None


def _left_out(messages: object) -> Iterator[Note]:
    """A note for every key of a message that says something and is not sent.

    Raises:
        PromptFormatError: A key is not known.
    """
    given = [messages] if isinstance(messages, Mapping) else messages if isinstance(messages, list | tuple) else ()
    for number, message in enumerate(given):
        if not isinstance(message, Mapping):
            continue
        for key, value in message.items():
            if key in _READ or key in _ALSO_READ or value is None:
                continue
            if key not in _ASIDE:
                known = f"the known ones are {', '.join(_READ)}"
                raise PromptFormatError(
                    None, None, f"the messages, message {number + 1} has the unknown key {key!r}; {known}; leave it out"
                )
            if value:
                yield Note(position(number, str(message.get("role"))), f"{key!r} is not sent: there is no field for it")


def _without_blank(messages: Sequence[Message], notes: list[Note]) -> Iterator[Message]:
    """The messages without empty texts, and system messages without blank ones; another blank one is an error."""
    for number, message in enumerate(messages):
        parts = tuple(part for part in message.parts if not (isinstance(part, Text) and not part.text))
        blank = all(isinstance(part, Text) and part.text.isspace() for part in parts)
        where = position(number, message.role)
        if blank and message.role not in SYSTEM_ROLES:
            what = "only whitespace" if parts else "empty"
            raise PromptFormatError(
                None, None, f"{where} is {what}, which Gemini does not take; give it a text, or leave it out"
            )
        if blank and parts:
            notes.append(Note(where, "the system text is only whitespace, so it is left out"))
        yield message.replace(parts=() if blank else parts)


def _with_file_data(part: dict[str, Any]) -> dict[str, Any]:
    """A linked part as the documented conversion writes it; every other part as it is."""
    file = part.get("file_data")
    if file is None:
        return part
    linked = {"fileData": {"mimeType": file["mime_type"], "fileUri": file["file_uri"]}}
    return linked | {key: value for key, value in part.items() if key != "file_data"}
