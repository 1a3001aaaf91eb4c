"""Limits about which pages disagree: what holds, and what the other page says.

An adapter's option `limits` sets another value than the default, as ``limits={"max_images": 500}``.
"""

from __future__ import annotations

from typing import NamedTuple

from prompt_adapters.targets.limit_rows import MB
from prompt_adapters.targets.sources import Source


class Dispute(NamedTuple):
    """A limit about which pages disagree.

    Attributes:
        provider: LiteLLM's name of the provider.
        style: The wire shape.
        field: The field of `Limits`.
        default: What holds unless an adapter's option `limits` says otherwise.
        other: What another page says.
        source: That page.
        why: Why the default is what it is.
    """

    provider: str
    style: str
    field: str
    default: int
    other: int
    source: Source
    why: str


_OLD_IMAGES = Source("https://platform.openai.com/docs/guides/images-vision")
_NEWER = "the newest copy of the page says so"
DISPUTES: tuple[Dispute, ...] = (
    Dispute("openai", "openai_style", "max_images", 1500, 500, _OLD_IMAGES, _NEWER),
    Dispute("openai", "openai_style", "max_request_bytes", 512 * MB, 50 * MB, _OLD_IMAGES, _NEWER),
    Dispute("openai", "openai_responses_style", "max_images", 1500, 500, _OLD_IMAGES, _NEWER),
    Dispute("openai", "openai_responses_style", "max_request_bytes", 512 * MB, 50 * MB, _OLD_IMAGES, _NEWER),
    Dispute(
        "gemini",
        "google_style",
        "max_request_bytes",
        100 * MB,
        20 * MB,
        Source("https://ai.google.dev/gemini-api/docs/image-understanding"),
        "the page on ways of giving files is newer than the guides on images and audio",
    ),
    Dispute(
        "groq",
        "openai_style",
        "max_images",
        5,
        3,
        Source("https://console.groq.com/docs/vision"),
        "it is the loosest of its models; a later copy names fewer for another one",
    ),
)
