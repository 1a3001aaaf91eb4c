"""`convert_messages_to_gemini`: OpenAI messages as Gemini contents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from prompt_adapters.adapters.google import GoogleGenAIStylePromptAdapter
from prompt_adapters.content.position import position
from prompt_adapters.content.read import read_messages
from prompt_adapters.errors import PromptFormatError

_ADAPTER = GoogleGenAIStylePromptAdapter()


def convert_messages_to_gemini(
    messages: Iterable[Mapping[str, Any]],
) -> tuple[list[dict[str, Any]], dict[str, Any] | None]:
    """Convert OpenAI messages to Gemini contents and a system instruction, as plain dictionaries.

    ``assistant`` becomes ``model``; a text item ``{"text": …}``; image, audio, video and file items
    ``{"inline_data": {"mime_type", "data": base64}}``, or ``{"fileData": {"mimeType", "fileUri"}}`` when they are
    links. The type of inline data is told from the bytes.

    Args:
        messages: OpenAI messages; their content is a string or a list of items.

    Returns:
        The contents, and ``{"parts": [{"text": …}, …]}`` or None.

    Raises:
        PromptFormatError: (a ``ValueError``) A message or item is malformed or empty, or an item is of unknown type.
        MediaError: (a ``ValueError``) A data URL is malformed.
        UnsupportedContentError: (a ``ValueError``) Gemini has no place for something, such as a system message in
            mid-conversation, or the type of a link is not known.
    """
    read = read_messages(messages)
    for number, message in enumerate(read):
        if not message.parts:
            where = position(number, message.role)
            raise PromptFormatError(None, None, f"{where} is empty, which Gemini does not take; leave it out")
    systems, contents = _ADAPTER.contents(read, wire=True)
    for content in contents:
        content["parts"] = [_with_file_data(part) for part in content["parts"]]
    return contents, {"parts": systems} if systems else None


def _with_file_data(part: dict[str, Any]) -> dict[str, Any]:
    """A linked part as the documented conversion writes it; every other part as it is."""
    file = part.get("file_data")
    if file is None:
        return part
    linked = {"fileData": {"mimeType": file["mime_type"], "fileUri": file["file_uri"]}}
    return linked | {key: value for key, value in part.items() if key != "file_data"}
