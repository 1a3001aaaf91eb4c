r"""Texts that can be sent: every request is UTF-8, which has no halves of surrogate pairs.

Such halves come from JSON with a lone ``\ud83d``, from file names that are no UTF-8, and from text that was cut in two
in UTF-16. They pass as Python strings and break the client that encodes the request.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prompt_adapters.content.plain_data import check_plain
from prompt_adapters.errors import PromptFormatError


def half_pair(text: str) -> str | None:
    """Why a text cannot be sent, in a clause that follows its name; None when it can."""
    if text.isascii():  # known without looking, and true of most texts
        return None
    try:
        text.encode("utf-16-le")  # which has no halves either, and is nearer to how Python holds texts
    except UnicodeEncodeError as error:
        return (
            f"holds U+{ord(text[error.start]):04X} at character {error.start}, half of a surrogate pair, which no "
            "request can hold; remove it, or repair the text where it was decoded"
        )
    return None


def check_text(text: str, what: str) -> None:
    """Refuse a text that cannot be sent.

    Args:
        text: The text.
        what: What it is, as ``"a text"``.

    Raises:
        PromptFormatError: (a ``ValueError``) It holds half of a surrogate pair.
    """
    if not text.isascii() and (reason := half_pair(text)) is not None:
        raise PromptFormatError(None, None, f"{what} {reason}")


def check_data(data: Any, what: str) -> None:
    """Refuse plain data with such a text in it.

    Args:
        data: Texts, lists and mappings of them; anything else is not looked into.
        what: What they are, as ``"parameter 'stop'"``.

    Raises:
        PromptFormatError: (a ``ValueError``) A text holds half of a surrogate pair, or the data are nested too deeply.
    """
    if isinstance(data, str):
        check_text(data, f"a text in {what}")
        return
    check_plain(data, f"the data in {what}")
    left = [data]
    while left:
        match left.pop():
            case str() as text:
                check_text(text, f"a text in {what}")
            case Mapping() as mapping:
                left += mapping
                left += mapping.values()
            case list() | tuple() as items:
                left += items
