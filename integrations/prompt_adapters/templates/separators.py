"""What stands between two neighbouring blocks of a block list; multimodal models are sensitive to it."""

from __future__ import annotations

from collections.abc import Mapping

SEPARATOR_RULES: Mapping[tuple[str, str], str] = {
    ("text", "image"): "\n",
    ("image", "text"): "\n\n",
    ("image", "image"): "\n\n",
}

DEFAULT_SEPARATOR = "\n"


def get_separator(prev_type: str, current_type: str) -> str:
    """The text between a block of one type and the next one.

    Args:
        prev_type: The type of the block before: text, image, audio, video or document.
        current_type: The type of the block after.
    """
    return SEPARATOR_RULES.get((prev_type, current_type), DEFAULT_SEPARATOR)
